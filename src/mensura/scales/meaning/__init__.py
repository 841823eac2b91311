"""Statements about scores and the transformations that keep their truth (P4 §III)."""
