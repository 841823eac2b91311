"""Scores of measures, and remarks on the data that they come from."""
