"""Tables and bars, as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns side by side: the first to the left, the others to the right."""
    lines = [list(headings), *map(list, rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in lines
    )


@dataclass(frozen=True, slots=True)
class Bar:
    """The least or the largest value that a figure should have."""

    what: str
    value: float
    sense: Literal["≥", "≤"]
    wanted: float
    unit: str = ""

    @property
    def met(self) -> bool:
        """Whether the figure is within the bar."""
        return self.value >= self.wanted if self.sense == "≥" else self.value <= self.wanted

    def row(self) -> list[str]:
        """A line of the list of bars."""
        return [
            self.what,
            f"{self.value:.3g}{self.unit}",
            f"{self.sense} {self.wanted:g}{self.unit}",
            "met" if self.met else "MISSED",
        ]


def bars(found: Sequence[Bar]) -> str:
    """All bars, and how many are met."""
    met = sum(bar.met for bar in found)
    return f"{table(['bar', 'measured', 'wanted', ''], [bar.row() for bar in found])}\n{met} of {len(found)} met"
