"""The JSON API, one file per subject. Pages use nothing else."""
