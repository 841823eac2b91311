"""The plan of an experiment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mensura.result import Result, Shown

if TYPE_CHECKING:
    from pathlib import Path

    from mensura.io.reading import Compat
    from mensura.scales.types import Scale


@dataclass(frozen=True, slots=True)
class Hypothesis(Result):
    """The expectation that one system is better than another."""

    better: str
    worse: str
    measure: str
    because: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(Shown):
    """A plan.

    ``primary`` and ``secondary`` are names of measures. All pairs of ``systems`` are planned, or those with the ``baseline``.
    """

    path: Path
    goal: str
    actor: str | None
    qrels: str
    runs: tuple[str, ...]
    folds: int | None
    systems: tuple[str, ...]
    baseline: str | None
    primary: tuple[str, ...]
    secondary: tuple[str, ...]
    hypotheses: tuple[Hypothesis, ...]
    test: str
    correction: str
    scale: Scale
    alpha: float
    smallest_effect: float | None
    samples: int | None
    seed: int
    topics: str
    compat: Compat

    @property
    def options(self) -> dict[str, Any]:
        """The options of :func:`mensura.compare`."""
        names = ("test", "correction", "baseline", "scale", "alpha", "samples", "seed")
        return {name: getattr(self, name) for name in names}

    def pairs(self) -> frozenset[frozenset[str]]:
        """The planned pairs of systems."""
        return frozenset(
            frozenset((one, other))
            for one in self.systems
            for other in self.systems
            if one != other and (self.baseline is None or self.baseline in {one, other})
        )
