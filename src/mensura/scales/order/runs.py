"""The partial order of judged runs by prefix sums, and what follows from it (P0 §2.3 and §3.2, P4 §IV-B).

r ≤ s if every prefix of s holds at least as much relevance as that of r: Σ_{i≤k} r_i ≤ Σ_{i≤k} s_i for k = 1 … N (P0, Eq. 1).
Grades are 0, 1, …, G; binary runs have G = 1. The elementary steps upwards each raise one prefix sum by one: a *replacement*
raises the grade at the last rank, a *swap* at rank k moves one grade from rank k + 1 up to rank k. Every maximal chain from r to s
takes one step for each unit of Σ_k (S_k − R_k), whatever the way: the natural distance.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Literal

from mensura.errors import ScaleError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Run = tuple[int, ...]
"""The grades of a judged run, from the first rank down."""

Comparison = Literal["less", "equal", "greater", "incomparable"]


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


def prefix_sums(run: Run) -> tuple[int, ...]:
    """Sums of the grades of the first 1, 2, … N ranks."""
    return tuple(accumulate(run))


def precedes(r: Run, s: Run) -> bool:
    """Whether r ≤ s (P0, Eq. 1)."""
    _same_length(r, s)
    return all(low <= high for low, high in zip(accumulate(r), accumulate(s), strict=True))


def compare(r: Run, s: Run) -> Comparison:
    """Relation of r to s.

    Examples
    --------
    P4 §IV-B: all measures agree on the first two runs, and may disagree on the others.

    >>> compare((1, 1, 0, 1), (1, 1, 1, 0))
    'less'
    >>> compare((1, 1, 0, 0), (1, 0, 1, 1))
    'incomparable'
    """
    below, above = precedes(r, s), precedes(s, r)
    if below and above:
        return "equal"
    return "less" if below else "greater" if above else "incomparable"


def comparable(r: Run, s: Run) -> bool:
    """Whether r ≤ s or s ≤ r."""
    return precedes(r, s) or precedes(s, r)


def difference(r: Run, s: Run) -> tuple[int, ...]:
    """The difference vector Δ_sr of the interval [r, s] (P0, Definition 2): how many steps there are at ranks 1 … i.

    Examples
    --------
    P0 §3.2:

    >>> difference((1, 0, 0, 1, 0, 1, 1, 1, 0, 0), (1, 0, 1, 1, 1, 0, 1, 0, 0, 0))
    (0, 0, 1, 2, 4, 5, 6, 6, 6, 6)
    """
    _ordered(r, s)
    return tuple(accumulate(steps_at(r, s)))


def steps_at(r: Run, s: Run) -> tuple[int, ...]:
    """Number of steps at each rank that lead from r up to s: swaps, and at the last rank replacements (P0 §3.2, the vector t)."""
    _same_length(r, s)
    return tuple(high - low for low, high in zip(accumulate(r), accumulate(s), strict=True))


def natural_distance(r: Run, s: Run) -> int:
    """The length of every maximal chain from r up to s: the last entry of Δ."""
    return difference(r, s)[-1]


def height(run: Run) -> int:
    """The rank function ρ of the poset: the natural distance from the run without relevant documents."""
    return sum(accumulate(run))


@dataclass(frozen=True)
class Step:
    """One step upwards: a replacement at the last rank, or a swap of rank and rank + 1; and the run that it leads to."""

    kind: Literal["replacement", "swap"]
    rank: int
    run: Run

    def __str__(self) -> str:
        place = f"at rank {self.rank}" if self.kind == "replacement" else f"of ranks {self.rank} and {self.rank + 1}"
        return f"{self.kind} {place}"


def steps_up(run: Run, top: int = 1) -> list[Step]:
    """All steps upwards from a run, which lead to the runs that cover it; ``top`` is the highest grade."""
    steps = []
    for at, grade in enumerate(run):
        last = at + 1 == len(run)
        if grade == top or not (last or run[at + 1]):
            continue
        above = [*run]
        above[at] += 1
        if not last:
            above[at + 1] -= 1
        steps.append(Step("replacement" if last else "swap", at + 1, tuple(above)))
    return steps


def covers(run: Run, top: int = 1) -> list[Run]:
    """The runs that cover a run: larger, with none between."""
    return [step.run for step in steps_up(run, top)]


def chain(r: Run, s: Run) -> list[Step]:
    """Steps that lead from r up to s, as few as there can be: a maximal chain of [r, s].

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


Interval = tuple[Run, Run]
"""A closed interval of runs, [r, s] with r ≤ s."""


def interval_precedes(smaller: Interval, larger: Interval) -> bool:
    """Whether [u, v] is at most as large as [r, s]: Δ_vu ≤ Δ_sr at every rank (P0, Definition 3)."""
    return all(low <= high for low, high in zip(difference(*smaller), difference(*larger), strict=True))


def set_based(run: Run) -> int:
    """The place of a run in the set-based total order: how much relevance it holds, wherever it stands (SBTO, P4 §IV-C)."""
    return sum(run)


def rank_based(run: Run, top: int = 1) -> int:
    """The place of a run in the rank-based total order: its grades read as a number, so that the first rank decides.

    P0 §1 calls this strong top-heaviness: (1, 0, 0, 0) stands above (0, 1, 1, 1).
    """
    number = 0
    for grade in run:
        number = number * (top + 1) + grade
    return number


def _same_length(r: Run, s: Run) -> None:
    if len(r) != len(s):
        raise ScaleError(f"{show_run(r)} and {show_run(s)} have {len(r)} and {len(s)} ranks: pad the shorter one with 0")


def _ordered(r: Run, s: Run) -> None:
    if not precedes(r, s):
        where = next(at for at, steps in enumerate(steps_at(r, s), start=1) if steps < 0)
        raise ScaleError(
            f"[{show_run(r)}, {show_run(s)}] is not an interval: the first {where} ranks of {show_run(s)} contain less relevance; "
            "the first run of an interval is the smaller one"
        )
