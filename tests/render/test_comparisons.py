"""Sentences about comparisons."""

from __future__ import annotations

from types import SimpleNamespace

from mensura.render.comparisons import _hypothesis


def test_a_hypothesis_keeps_the_hyphens_of_names():
    """Every hyphen became a minus sign, and a small p was written as 0.0000."""
    hypothesis = SimpleNamespace(better="bm25-rm3", worse="bm25", measure="nDCG@10")
    pair = SimpleNamespace(estimate=-0.00001, interval=(-0.25, 0.5), corrected_p=0.00002, alpha=0.05)
    text = _hypothesis(SimpleNamespace(hypothesis=hypothesis, pair=pair, says="undecided"))
    numbers = "0.0000, 95\N{NO-BREAK SPACE}% CI −0.2500 … +0.5000, corrected p < 0.0001"
    assert text == f"bm25-rm3 is better than bm25 by nDCG@10: undecided ({numbers})"
