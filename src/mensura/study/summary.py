"""A study in a few sentences and one table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mensura.measures.names import parse_measure
from mensura.stats.arrays import tied_ranks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mensura.study.cell import Cell
    from mensura.study.experiment import Study

SAME = 5e-5  # a τ that is printed as 1.0000
MOVERS = 5


@dataclass(frozen=True, slots=True)
class Move:
    """A system whose place in a leaderboard is another on the interval scale."""

    measure: str
    system: str
    before: float
    after: float


def places(means: Sequence[float], direction: str) -> NDArray[np.float64]:
    """Places from 1; equal means share the mean of their places."""
    values = np.asarray(means) * (-1 if direction == "higher" else 1)
    codes = np.unique(values, return_inverse=True)[1].reshape(1, -1).astype(np.int64)
    return tied_ranks(codes)[0][0]


def both_places(cell: Cell) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The places of systems by a measure, and on its interval scale."""
    direction = parse_measure(cell.measure).direction
    return places(cell.means, direction), places(cell.ranked, direction)


def moves(study: Study, length: int) -> list[Move]:
    """All changes of place at a length, the largest first."""
    found = []
    for label in study.labels:
        before, after = both_places(study.cell(label, length))
        for system, one, other in zip(study.systems, before.tolist(), after.tolist(), strict=True):
            if one != other:
                found.append(Move(label, system, one, other))
    return sorted(found, key=lambda move: (-abs(move.after - move.before), move.measure, move.system))


def first(study: Study, means: Sequence[float], direction: str) -> str:
    """The system in the first place."""
    return study.systems[int(np.argmin(places(means, direction)))]


def changed(cell: Cell) -> float:
    """Changed decisions over all tests, in percent of the significant pairs."""
    sig = sum(found.sig for found in cell.decisions.values())
    return 100 * sum(found.s2ns + found.ns2s for found in cell.decisions.values()) / sig if sig else math.nan


def sentences(study: Study) -> list[str]:
    """What the study says, at its longest length."""
    cells = [study.cell(label, study.lengths[-1]) for label in study.labels]
    return [*_distances(study, cells), *_decisions(study, cells), *_places(study, cells), *_checks(study)]


def _distances(study: Study, cells: Sequence[Cell]) -> Iterator[str]:
    taus = {cell.label: tau for cell in cells if (tau := cell.tau.get("unq")) is not None and not math.isnan(tau)}
    interval = [label for label, tau in taus.items() if tau > 1 - SAME]
    if interval:
        yield f"{_list(interval)} {'gives' if len(interval) == 1 else 'give'} the same leaderboard on the interval scale (τ = 1)."
    far = sorted((tau, label) for label, tau in taus.items() if label not in interval)[:3]
    if far:
        yield f"Farthest from interval on {study.name}: {_list([f'{label} (τ = {tau:.3f})' for tau, label in far])}."


def _decisions(study: Study, cells: Sequence[Cell]) -> Iterator[str]:
    found = [decisions for cell in cells for decisions in cell.decisions.values()]
    sig, lost, new = (sum(counts) for counts in zip(*((f.sig, f.s2ns, f.ns2s) for f in found), strict=True)) if found else (0, 0, 0)
    if found:
        share = f", {100 * (lost + new) / sig:.1f} %" if sig else ""
        yield (
            f"Of {sig} significant differences ({_plural(len(cells), 'measure')}, {_plural(len(study.tests), 'test')}, "
            f"α = {study.alpha:g}), {lost} are no longer significant on the interval scale and {new} are new{share}."
        )


def _places(study: Study, cells: Sequence[Cell]) -> Iterator[str]:
    moved = moves(study, cells[0].length)
    if moved:
        top = [f"{move.system} by {move.measure}, {move.before:g} → {move.after:g}" for move in moved[:MOVERS]]
        yield f"Largest changes of place: {'; '.join(top)}."
    leaders = []
    for cell in cells:
        direction = parse_measure(cell.measure).direction
        before, after = first(study, cell.means, direction), first(study, cell.ranked, direction)
        if before != after:
            leaders.append(f"{cell.label}: {before} → {after}")
    if leaders:
        yield f"The best system changes: {'; '.join(leaders)}."
    else:
        yield "The best system is the same on both scales, by every measure."


def _checks(study: Study) -> Iterator[str]:
    rough = [f"{cell.label} at {cell.length}" for cell in study.cells if not cell.exact]
    if rough:
        widest = max(cell.width for cell in study.cells)
        yield f"Certified bounds, {widest:.0e} of the scale apart, stand for exact ranks of {_list(rough)}."
    exact = sum(1 for cell in study.cells for tau in cell.by_topic.values() if tau is not None)
    if study.broken:
        wrong = [f"{label} at {length} ({way})" for label, length, way in study.broken]
        yield f"WRONG: topic by topic τ is not 1 for {_list(wrong)}; report this, with the data."
    elif exact:
        yield f"Topic by topic, τ is 1 in all {exact} cases, as it must be."


def _list(words: Sequence[str]) -> str:
    return ", ".join(words) if len(words) < 2 else f"{', '.join(words[:-1])} and {words[-1]}"  # noqa: PLR2004


def _plural(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
