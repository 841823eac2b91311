"""The compiled kernels: parsing, ranking and judging in one pass."""
