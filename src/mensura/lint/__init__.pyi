from mensura.lint.engine import Options as Options
from mensura.lint.engine import lint as lint
from mensura.lint.rule import Finding as Finding
from mensura.lint.rule import Findings as Findings

__all__ = [
    "Finding",
    "Findings",
    "Options",
    "lint",
]
