"""The tables of P4, as plain values."""

from __future__ import annotations

import math
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING

from mensura.errors import MensuraError
from mensura.study.changes import summarise_changes
from mensura.study.names import safe_name, test_title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mensura.study.changes import DecisionCell
    from mensura.study.experiment import Study

    Value = str | int | float | None

MEAN, ALL = "mean", "all"
"""Names of the mean over tracks, and of all tracks of a length together."""


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


def tables(study: Study, *others: Study) -> list[PaperTable]:
    """All tables of a study, or of several side by side: one row or column per track, and the mean over the tracks."""
    studies = (study, *others)
    check_alike(studies)
    return [
        *(_correlations(studies, f"table{number}", way) for number, way in ((2, "unq"), (3, "mid")) if way in study.ties),
        *([_pairs(studies)] if len(study.measures) > 1 else []),
        *([_significance(studies), _changes(studies)] if study.tests else []),
    ]


def check_alike(studies: Sequence[Study]) -> None:
    """Refuse studies that cannot stand side by side in a table."""
    first, *others = studies
    for other in others:
        for part in ("labels", "lengths", "tests", "ties", "alpha"):
            if getattr(first, part) != getattr(other, part):
                raise MensuraError(f"{first.name} and {other.name} were studied with different {part}; study them with the same")
    check_names([study.name for study in studies])


def check_names(names: Sequence[str]) -> None:
    """Refuse two collections of one name; charts have a folder for each."""
    wrong = next((name for name in names if not name.strip() or not name.isprintable()), None)
    if wrong is not None:
        raise MensuraError(f"{wrong!r} is not the name of a collection; use one line of printable text")
    safe = [safe_name(name) for name in names]
    repeated = next((name for name in safe if safe.count(name) > 1), None)
    if repeated is not None:
        raise MensuraError(f"{safe.count(repeated)} collections are called {repeated}; give each a name, e.g. --name {repeated}-1")


def tracks(studies: Sequence[Study]) -> list[tuple[Study, int]]:
    """Return all tracks, each a study and a length, study by study."""
    return [(study, length) for study in studies for length in study.lengths]


def _title(studies: Sequence[Study]) -> str:
    return ", ".join(study.name for study in studies)


def mean_of(values: Sequence[float | None]) -> float:
    """Mean of the values that are numbers; NaN if there are none."""
    numbers = [value for value in values if value is not None and not math.isnan(value)]
    return math.fsum(numbers) / len(numbers) if numbers else math.nan


def _correlations(studies: Sequence[Study], name: str, way: str) -> PaperTable:
    how = "distinct values ranked" if way == "unq" else "ties at the mean of their ranks"
    labels = studies[0].labels
    rows: list[tuple[Value, ...]] = [
        (study.track(length), *(study.cell(label, length).tau[way] for label in labels)) for study, length in tracks(studies)
    ]
    if len(studies) > 1:
        rows.append(
            (MEAN, *(mean_of([study.cell(label, length).tau[way] for study, length in tracks(studies)]) for label in labels))
        )
    caption = f"Kendall's τ between each measure and its interval-scaled version ({how}), {_title(studies)}"
    return PaperTable(name, caption, ("track", *labels), tuple(rows), ("text", *["tau"] * len(labels)))


def _pairs(studies: Sequence[Study]) -> PaperTable:
    names = [study.track(length) for study, length in tracks(studies)] + ([MEAN] if len(studies) > 1 else [])
    header = ["pair", *(f"{name}_{part}" for name in names for part in ("msr", "rnkmsr", "delta"))]
    columns = [study.between(length) for study, length in tracks(studies)]
    rows = []
    for one, other in columns[0]:
        taus = [column[one, other] for column in columns]
        if len(studies) > 1:
            taus.append((mean_of([before for before, _ in taus]), mean_of([after for _, after in taus])))
        cells: list[Value] = [f"{one} vs {other}"]
        for before, after in taus:
            cells += [before, after, 100 * (after - before) / abs(before) if before else math.nan]
        rows.append(tuple(cells))
    caption = f"Kendall's τ among measures (msr) and among their interval-scaled versions (rnkmsr), {_title(studies)}"
    return PaperTable("table4", caption, tuple(header), tuple(rows), ("text", *("tau", "tau", "change") * len(names)))


def _significance(studies: Sequence[Study]) -> PaperTable:
    header = ("measure", "test", "track", "system_pairs", "sig", "s2ns", "ns2s", "delta_percent")
    rows: list[tuple[Value, ...]] = []
    for label in studies[0].labels:
        for test in studies[0].tests:
            deltas = []
            for study, length in tracks(studies):
                decisions = study.cell(label, length).decisions[test]
                counts = (study.system_pairs, decisions.sig, decisions.s2ns, decisions.ns2s)
                rows.append((label, test_title(test), study.track(length), *counts, decisions.delta))
                deltas.append(decisions.delta)
            if len(studies) > 1:
                rows.append((label, test_title(test), MEAN, None, None, None, None, mean_of(deltas)))
    caption = (
        f"Pairs of systems that differ significantly (α = {studies[0].alpha:g}) with the measure (sig), "
        f"no longer (s2ns) or newly (ns2s) on its interval scale, {_title(studies)}"
    )
    return PaperTable("table5_6", caption, header, tuple(rows), ("text", "text", "text", *["count"] * 4, "percent"))


def _changes(studies: Sequence[Study]) -> PaperTable:
    """The averages of changed decisions (P4 §VIII-C): of each track, and of all tracks of a length."""
    header = ("track", "average", "cells", "s2ns_percent", "ns2s_percent", "delta_percent", "half_width")
    rows: list[tuple[Value, ...]] = []
    for length in studies[0].lengths:
        cells = [study.decided[length] for study in studies]
        for study, some in zip(studies, cells, strict=True):
            rows += _change_rows(study.track(length), some)
        if len(studies) > 1:
            rows += _change_rows(f"{ALL}_{length:02}", [cell for some in cells for cell in some])
    caption = f"Changed decisions in per cent, averaged in different ways (P4 VIII-C), {_title(studies)}"
    return PaperTable("changes", caption, header, tuple(rows), ("text", "text", "count", *["percent"] * 4))


def _change_rows(track: str, cells: Sequence[DecisionCell]) -> list[tuple[Value, ...]]:
    changes = summarise_changes(cells)
    means = {"mean over cells that can change": changes.changeable, "mean over all cells": changes.everywhere}
    return [
        *((track, name, *astuple(mean)) for name, mean in means.items()),
        (track, "of all significant pairs", len(cells), None, None, changes.pooled, None),
        (track, "of all decisions", len(cells), None, None, changes.of_decisions, None),
        *((track, name, *astuple(mean)) for name, mean in changes.groups.items()),
    ]
