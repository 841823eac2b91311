"""The ways to count the distinct values of a measure, one per file."""
