"""Tools of all benchmarks: whole processes measured (processes.py), tables and bars (report.py)."""
