"""``python -m mensura`` is ``mensura``."""

from mensura.cli import main

if __name__ == "__main__":  # worker processes import this module
    main()
