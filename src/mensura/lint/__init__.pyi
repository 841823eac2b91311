from mensura.lint.engine import Options as Options
from mensura.lint.engine import lint as lint
from mensura.lint.rule import Finding as Finding

__all__ = [
    "Finding",
    "Options",
    "lint",
]
