"""The JSON API, one file per subject; the pages use nothing else."""
