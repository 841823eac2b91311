"""Judged runs."""
