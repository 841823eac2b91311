"""Universes of runs: which runs a value is compared with, how they are drawn, and the proportion of them that a run beats."""
