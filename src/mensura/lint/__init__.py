"""Checks of what is written and computed: the common mistakes of P3, found in papers, notebooks, results, runs and plans."""
