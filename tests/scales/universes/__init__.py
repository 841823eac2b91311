"""Universes of runs against brute force."""
