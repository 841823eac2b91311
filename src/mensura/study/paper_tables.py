"""The tables of P4, as plain values."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mensura.study.names import test_title

if TYPE_CHECKING:
    from mensura.study.experiment import Study

    Value = str | int | float | None


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A table of a paper: its file name, caption, header and rows.

    ``kinds`` says what each column holds: ``text``, ``count``, ``tau``, ``percent``, ``change`` (in per cent) or ``rate``.
    """

    name: str
    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    kinds: tuple[str, ...]


def tables(study: Study) -> list[PaperTable]:
    """All tables of a study."""
    return [
        *(_correlations(study, f"table{number}", way) for number, way in ((2, "unq"), (3, "mid")) if way in study.ties),
        *([_pairs(study)] if len(study.measures) > 1 else []),
        *([_significance(study)] if study.tests else []),
    ]


def _correlations(study: Study, name: str, way: str) -> PaperTable:
    how = "distinct values ranked" if way == "unq" else "ties at the mean of their ranks"
    rows = tuple((study.track(length), *(study.cell(label, length).tau[way] for label in study.labels)) for length in study.lengths)
    caption = f"Kendall's τ between each measure and its interval-scaled version ({how}), {study.name}"
    return PaperTable(name, caption, ("track", *study.labels), rows, ("text", *["tau"] * len(study.labels)))


def _pairs(study: Study) -> PaperTable:
    header, columns = ["pair"], []
    for length in study.lengths:
        header += [f"{study.track(length)}_{part}" for part in ("msr", "rnkmsr", "delta")]
        columns.append(study.between(length))
    rows = []
    for one, other in columns[0]:
        cells: list[Value] = [f"{one} vs {other}"]
        for column in columns:
            before, after = column[one, other]
            cells += [before, after, 100 * (after - before) / abs(before) if before else math.nan]
        rows.append(tuple(cells))
    caption = f"Kendall's τ among measures (msr) and among their interval-scaled versions (rnkmsr), {study.name}"
    return PaperTable("table4", caption, tuple(header), tuple(rows), ("text", *("tau", "tau", "change") * len(study.lengths)))


def _significance(study: Study) -> PaperTable:
    header = ("measure", "test", "track", "system_pairs", "sig", "s2ns", "ns2s", "delta_percent")
    rows = []
    for label in study.labels:
        for test in study.tests:
            for length in study.lengths:
                decisions = study.cell(label, length).decisions[test]
                counts = (study.system_pairs, decisions.sig, decisions.s2ns, decisions.ns2s)
                rows.append((label, test_title(test), study.track(length), *counts, decisions.delta))
    caption = (
        f"Pairs of systems that differ significantly (α = {study.alpha:g}) with the measure (sig), "
        f"no longer (s2ns) or newly (ns2s) on its interval scale, {study.name}"
    )
    return PaperTable("table5_6", caption, header, tuple(rows), ("text", "text", "text", *["count"] * 4, "percent"))
