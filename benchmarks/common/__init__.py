"""What the benchmarks share: whole processes measured (processes.py), tables and bars (report.py)."""
