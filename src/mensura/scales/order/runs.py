"""The partial order of judged runs, and what follows from it (P0 §2.3 and §3.2, P4 §IV-B).

r ≤ s if every prefix of s contains at least as many documents at or above every grade: for k = 1 … N and g = 1 … G,
``|{i ≤ k : r_i ≥ g}| ≤ |{i ≤ k : s_i ≥ g}|``. For binary runs (G = 1) these are prefix sums (P0, Eq. 1). The order is exactly what
two changes reach: a *replacement* raises a grade, a *swap* moves a higher grade up past a lower one; docs/orders.md has the proof.

A change is a single step of the order, to a run that covers, if nothing fits between:

- a replacement of grade a by a + 1 if no later rank has the grade a or a + 1;
- a swap of the grades a < b if no rank between the two has a grade from a to b.

With two grades every maximal chain from r to s takes the same number of steps, the natural distance (P0 §3.2). With more grades
chains differ in length: 10, 20, 21 and 10, 11, 12, 21 are both maximal.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, Literal

from mensura.errors import ScaleError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Run = tuple[int, ...]
"""The grades of a judged run, from the first rank down."""

Comparison = Literal["less", "equal", "greater", "incomparable"]
MOST_BETWEEN = 20_000
"""Runs between two runs up to which the lengths of chains are counted."""


def parse_run(text: str | Sequence[int]) -> Run:
    """A judged run from its grades: ``"0110"`` or ``[0, 1, 1, 0]``.

    Examples
    --------
    >>> parse_run("0110")
    (0, 1, 1, 0)
    """
    grades = [*text.replace(",", "").replace(" ", "")] if isinstance(text, str) else [*text]
    if not grades or not all(str(grade).isdecimal() for grade in grades):
        raise ScaleError(f"{text!r} is not a judged run; write one grade per rank, top rank first, e.g. 0110")
    return tuple(int(grade) for grade in grades)


def show_run(run: Run) -> str:
    """The grades as text, with commas if one of them has two digits."""
    return ("," if max(run) > 9 else "").join(map(str, run))  # noqa: PLR2004 - what fits into one digit


def prefix_counts(run: Run, grade: int = 1) -> tuple[int, ...]:
    """Numbers of documents of ``grade`` or higher at the first 1, 2, … N ranks."""
    return tuple(accumulate(int(held >= grade) for held in run))


def precedes(r: Run, s: Run) -> bool:
    """Whether r ≤ s (P0, Eq. 1, for every grade)."""
    return first_excess(r, s) is None


def first_excess(r: Run, s: Run) -> tuple[int, int] | None:
    """The first rank k, and there the lowest grade g, such that r has more documents of grade g or higher down to k than s."""
    _same_length(r, s)
    ahead = [0] * max(*r, *s, 1)
    for rank, (one, other) in enumerate(zip(r, s, strict=True), start=1):
        for grade in range(min(one, other), max(one, other)):
            ahead[grade] += 1 if one > other else -1
            if ahead[grade] > 0:
                return rank, grade + 1
    return None


def compare(r: Run, s: Run) -> Comparison:
    """Relation of r to s.

    Examples
    --------
    P4 §IV-B: all measures agree on the first two runs, and may disagree on the others.

    >>> compare((1, 1, 0, 1), (1, 1, 1, 0))
    'less'
    >>> compare((1, 1, 0, 0), (1, 0, 1, 1))
    'incomparable'

    P@2 prefers the first of these runs, P(rel=2)@2 the second:

    >>> compare((1, 1), (2, 0))
    'incomparable'
    """
    below, above = precedes(r, s), precedes(s, r)
    if below and above:
        return "equal"
    return "less" if below else "greater" if above else "incomparable"


def comparable(r: Run, s: Run) -> bool:
    """Whether r ≤ s or s ≤ r."""
    return precedes(r, s) or precedes(s, r)


def differences(r: Run, s: Run, top: int = 1) -> tuple[tuple[int, ...], ...]:
    """The difference vectors of the interval [r, s], one for each grade g ≥ 1: Δ of the binary runs "grade g or higher".

    The grades end at the highest one of the runs, or at ``top``.

    Examples
    --------
    >>> differences((0, 1, 2), (2, 1, 0))
    ((1, 2, 2), (1, 2, 2))
    """
    _ordered(r, s)
    return tuple(tuple(accumulate(steps_at(r, s, grade))) for grade in range(1, max(*r, *s, top) + 1))


def difference(r: Run, s: Run) -> tuple[int, ...]:
    """The difference vector Δ_sr of an interval [r, s] of binary runs (P0, Definition 2): how many steps there are at ranks 1 … i.

    Examples
    --------
    P0 §3.2:

    >>> difference((1, 0, 0, 1, 0, 1, 1, 1, 0, 0), (1, 0, 1, 1, 1, 0, 1, 0, 0, 0))
    (0, 0, 1, 2, 4, 5, 6, 6, 6, 6)
    """
    vectors = differences(r, s)
    if len(vectors) > 1:
        raise ScaleError(
            f"{show_run(r)} and {show_run(s)} have grades above 1: there is a difference vector for each grade; use differences"
        )
    return vectors[0]


def steps_at(r: Run, s: Run, grade: int = 1) -> tuple[int, ...]:
    """By how much s is ahead of r down to each rank, counting documents of ``grade`` or higher.

    For binary runs these are the steps at each rank that lead from r up to s: swaps, and at the last rank replacements (P0 §3.2,
    the vector t).
    """
    _same_length(r, s)
    return tuple(high - low for low, high in zip(prefix_counts(r, grade), prefix_counts(s, grade), strict=True))


def length(r: Run, s: Run, weights: Sequence[Fraction]) -> Fraction:
    """The length of [r, s] as a convex combination of the entries of Δ, added up over grades; it keeps the order of intervals.

    P0 §3.2: weights are at least 0 and their sum is 1. (0, …, 0, 1) gives the natural distance of binary runs.
    """
    if len(weights) != len(r) or sum(weights) != 1 or min(weights) < 0:
        raise ScaleError(
            f"expected {len(r)} weights of at least 0 whose sum is 1, got {', '.join(map(str, weights))}; "
            "write fractions, e.g. 1/4,1/4,1/2,0"
        )
    vectors = differences(r, s)
    return sum((weight * entry for vector in vectors for weight, entry in zip(weights, vector, strict=True)), Fraction(0))


def natural_distance(r: Run, s: Run) -> int:
    """The length of every maximal chain from a binary run r up to s: the last entry of Δ."""
    return difference(r, s)[-1]


def height(run: Run) -> int:
    """The sum of all prefix counts of all grades, which every step raises; for binary runs the natural distance from 00…0."""
    return sum(accumulate(run))


@dataclass(frozen=True)
class Step:
    """One step upwards: a replacement at a rank, or a swap of a rank and a ``lower`` one; and the run that it leads to."""

    kind: Literal["replacement", "swap"]
    rank: int
    run: Run
    lower: int | None = None

    def __str__(self) -> str:
        place = f"at rank {self.rank}" if self.lower is None else f"of ranks {self.rank} and {self.lower}"
        return f"{self.kind} {place}"


def steps_up(run: Run, top: int = 1) -> list[Step]:
    """All steps upwards from a run, which lead to the runs that cover it; ``top`` is the highest grade."""
    steps = []
    for at, grade in enumerate(run):
        ceiling = top + 1  # the lowest grade above this one that was passed on the way down
        for lower in range(at + 1, len(run)):
            other = run[lower]
            if grade < other < ceiling:
                swapped = [*run]
                swapped[at], swapped[lower] = other, grade
                steps.append(Step("swap", at + 1, tuple(swapped), lower + 1))
            if other == grade:
                ceiling = grade
                break
            if other > grade:
                ceiling = min(ceiling, other)
        if grade < top and ceiling > grade + 1:
            steps.append(Step("replacement", at + 1, (*run[:at], grade + 1, *run[at + 1 :])))
    return steps


def covers(run: Run, top: int = 1) -> list[Run]:
    """The runs that cover a run: larger, with none between."""
    return [step.run for step in steps_up(run, top)]


def chain(r: Run, s: Run) -> list[Step]:
    """Steps that lead from r up to s: a maximal chain of [r, s].

    Examples
    --------
    >>> [str(step) for step in chain((0, 1, 0, 0), (1, 0, 1, 0))]
    ['swap of ranks 1 and 2', 'replacement at rank 4', 'swap of ranks 3 and 4']
    """
    _ordered(r, s)
    top, steps = max(*r, *s), []
    while r != s:
        step = next(step for step in steps_up(r, top) if precedes(step.run, s))
        steps.append(step)
        r = step.run
    return steps


def chains(r: Run, s: Run) -> Iterator[list[Step]]:
    """All maximal chains from r up to s."""
    _ordered(r, s)
    if r == s:
        yield []
        return
    for step in steps_up(r, max(*r, *s)):
        if precedes(step.run, s):
            for rest in chains(step.run, s):
                yield [step, *rest]


def chain_lengths(r: Run, s: Run) -> tuple[int, int] | None:
    """The lengths of the shortest and of the longest maximal chain from r up to s; None if too many runs are between them.

    Examples
    --------
    >>> chain_lengths((1, 0), (2, 1)), chain_lengths((0, 1, 0, 0), (1, 0, 1, 0))
    ((2, 3), (3, 3))
    """
    _ordered(r, s)
    top = max(*r, *s, 1)
    if top == 1:
        return (natural_distance(r, s),) * 2
    waiting: defaultdict[int, dict[Run, tuple[int, int]]] = defaultdict(dict)
    waiting[height(r)][r] = (0, 0)
    visited = 0
    for level in range(height(r), height(s)):
        for run, (least, most) in waiting.pop(level, {}).items():
            visited += 1
            if visited > MOST_BETWEEN:
                return None
            for above in covers(run, top):
                if precedes(above, s):
                    low, high = waiting[height(above)].get(above, (least + 1, most + 1))
                    waiting[height(above)][above] = (min(low, least + 1), max(high, most + 1))
    return waiting[height(s)][s]


Interval = tuple[Run, Run]
"""A closed interval of runs, [r, s] with r ≤ s."""


def interval_precedes(smaller: Interval, larger: Interval) -> bool:
    """Whether [u, v] is at most as large as [r, s]: Δ_vu ≤ Δ_sr at every rank, for every grade (P0, Definition 3)."""
    top = max(map(max, (*smaller, *larger)))
    vectors = zip(differences(*smaller, top), differences(*larger, top), strict=True)
    return all(low <= high for one, other in vectors for low, high in zip(one, other, strict=True))


def set_based(run: Run) -> int:
    """The place of a run in the set-based total order: how much relevance it contains, at any rank (SBTO, P4 §IV-C)."""
    return sum(run)


def rank_based(run: Run, top: int = 1) -> int:
    """The place of a run in the rank-based total order: its grades read as a number, so that the first rank decides.

    P0 §1 calls this strong top-heaviness: (1, 0, 0, 0) is above (0, 1, 1, 1).
    """
    number = 0
    for grade in run:
        number = number * (top + 1) + grade
    return number


def _same_length(r: Run, s: Run) -> None:
    if len(r) != len(s):
        raise ScaleError(f"{show_run(r)} and {show_run(s)} have {len(r)} and {len(s)} ranks: pad the shorter one with 0")


def _ordered(r: Run, s: Run) -> None:
    excess = first_excess(r, s)
    if excess is not None:
        rank, grade = excess
        what = "relevance" if max(*r, *s) == 1 else f"documents of grade {grade} or higher"
        raise ScaleError(
            f"[{show_run(r)}, {show_run(s)}] is not an interval: the first {rank} ranks of {show_run(s)} contain "
            f"{'less' if max(*r, *s) == 1 else 'fewer'} {what}; the first run of an interval is the smaller one"
        )
