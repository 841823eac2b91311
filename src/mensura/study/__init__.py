"""Whole experiments: simulated campaigns."""
