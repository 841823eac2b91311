"""Reading judgments and runs: files, standard input, dicts, data frames. Nothing here imports NumPy until it is needed."""
