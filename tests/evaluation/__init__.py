"""Scores, evaluations and their remarks."""
