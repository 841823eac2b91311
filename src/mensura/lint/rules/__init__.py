"""All rules: one file per family."""

from __future__ import annotations

from mensura.lint.rules import (
    data,
    digits,
    effects,
    hypotheses,
    improvements,
    measures,
    proof,
    reproducibility,
    scales,
    splits,
    suppressions,
    testing,
)

TEXT = (measures, digits, improvements, splits, hypotheses, testing, effects, reproducibility, proof)
CATALOGUE = {rule.code: rule for family in (*TEXT, scales, data, suppressions) for rule in family.RULES}
