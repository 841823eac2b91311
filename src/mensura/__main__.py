"""``python -m mensura`` is ``mensura``."""

from mensura.cli import main

main()
