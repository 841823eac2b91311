"""Remarks for readers of the numbers, about the runs and judgments that they were computed from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from mensura.io.columns import name_order
from mensura.measures.base import different_lengths
from mensura.result import Result

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mensura.evaluation.scores import Scores
    from mensura.judged.runs import JudgedRuns
    from mensura.measures.base import Measure

Kind = Literal[
    "missing topics",
    "topics without judgments",
    "documents without judgment",
    "ties",
    "reciprocal ranks",
    "expected reciprocal ranks",
    "lists of different length",
]
# Rules of mensura lint about the same mistakes; mensura explain CODE has the details.
CODES: dict[Kind, str] = {
    "missing topics": "D104",
    "topics without judgments": "D107",
    "documents without judgment": "D103",
    "ties": "D102",
    "reciprocal ranks": "M101",
    "expected reciprocal ranks": "M102",
    "lists of different length": "M104",
}
SHOWN = 5
EQUAL = 1e-12  # means that differ by less do so by rounding
TOP = 10  # where no measure has a cut-off


@dataclass(frozen=True, slots=True)
class Remark(Result):
    """A sentence, and the numbers that it is about.

    ``systems`` has a number for each system that the remark concerns: of topics or pairs, or for documents without judgment their
    percentage.
    """

    kind: Kind
    text: str
    systems: tuple[tuple[str, float], ...]

    def rows(self) -> Iterator[dict[str, Any]]:
        """Rows of kind, code, text, system and number."""
        for system, number in self.systems:
            yield {"kind": self.kind, "code": self.code, "text": self.text, "system": system, "number": number}

    @property
    def code(self) -> str:
        """The rule of ``mensura lint`` that explains it."""
        return CODES[self.kind]

    @property
    def coded(self) -> str:
        """The sentence, and the code of the rule."""
        return f"{self.text} [{self.code}]"


def remarks(judged: JudgedRuns, scores: Sequence[Scores]) -> tuple[Remark, ...]:
    """Return the remarks about the scores of an evaluation."""
    missing, length = judged.missing, judged.length
    by_rank, depths = [each.measure.by_rank for each in scores], [each.measure.depth for each in scores]
    applicable = (
        _missing(judged, missing, scores[0].counted),
        _extra(judged),
        _unjudged(judged, length, [each.measure.cutoff for each in scores]),
        _ties(judged, length if None in depths else max((depth for depth in depths if depth is not None), default=length)),
        *length_remarks(judged, [each.measure for each in scores]),
        *(_other_order(judged, each, ranks) for each, ranks in zip(scores, by_rank, strict=True) if ranks is not None),
    )
    return tuple(remark for remark in applicable if remark is not None)


def _missing(judged: JudgedRuns, missing: NDArray[np.bool_], counted: NDArray[np.bool_]) -> Remark | None:
    counts = _counts(judged, missing.sum(axis=1))
    if not counts:
        return None
    lost = _list(counts, f"of {len(judged.topics)} topics")
    how = "count as empty lists" if (counted & missing).any() else "do not count"
    text = f"{_systems(counts)} no documents for some judged topics, which {how}: {lost}"
    return Remark("missing topics", text, counts)


def _extra(judged: JudgedRuns) -> Remark | None:
    counts = tuple((system, float(len(extra))) for system, extra in zip(judged.systems, judged.extra, strict=True) if extra)
    if not counts:
        return None
    return Remark(
        "topics without judgments", f"{_systems(counts)} topics that have no judgments, which are left out: {_list(counts)}", counts
    )


def _unjudged(judged: JudgedRuns, length: int, cutoffs: Sequence[int | None]) -> Remark | None:
    top = min(max((cutoff for cutoff in cutoffs if cutoff is not None), default=TOP), length)
    listed = np.minimum(judged.retrieved, top).sum(axis=1)
    known = (judged.grades[:, :, :top] >= 0).sum(axis=(1, 2))
    share = np.divide(100.0 * (listed - known), listed, out=np.zeros(len(listed)), where=listed > 0)
    counts = _counts(judged, share)
    if not counts:
        return None
    overall = 100.0 * (listed - known).sum() / listed.sum()
    text = (
        f"{overall:.1f} % of the documents in the top {top} have no judgment and count as not relevant; most: {_list(counts, '%')}"
    )
    return Remark("documents without judgment", text, counts)


def _ties(judged: JudgedRuns, deepest: int) -> Remark | None:
    counts = _counts(judged, ((judged.ties > 0) & (judged.ties <= deepest)).sum(axis=1))
    if not counts:
        return None
    text = (
        f"{_systems(counts)} equal scores for documents of different grade in the top {deepest}, ordered by document id: "
        f"{_list(counts, f'of {len(judged.topics)} topics')}"
    )
    return Remark("ties", text, counts)


def length_remarks(judged: JudgedRuns, measures: Sequence[Measure]) -> Iterator[Remark]:
    """Yield a remark for measures whose lists have different lengths, each of which is another scale (P4 §IV-C, §VI-B)."""
    some = [(measure, lengths) for measure in measures if (lengths := different_lengths(measure, judged)) is not None]
    if not some:
        return
    shortest, longest = some[0][1]
    least = np.where(judged.retrieved > 0, judged.retrieved, longest).min(axis=1).tolist()
    counts = tuple((system, float(number)) for system, number in zip(judged.systems, least, strict=True) if number < longest)
    few = ", ".join(f"{system} ({number:g})" for system, number in sorted(counts, key=lambda pair: pair[1])[:SHOWN])
    text = (
        f"{', '.join(str(measure) for measure, _ in some)} without a cut-off {'has' if len(some) == 1 else 'have'} another scale "
        f"for each length of list, and the lists have {shortest} to {longest} documents, so that their values cannot be compared; "
        f"name a cut-off, e.g. {some[0][0].on_topics @ 10}; shortest lists: {few}{', …' if len(counts) > SHOWN else ''}"
    )
    yield Remark("lists of different length", text, counts)


def _other_order(judged: JudgedRuns, scores: Scores, ranks: Measure) -> Remark | None:
    """Pairs of systems that mean ranks and means of reciprocal ranks order differently (P3 §2.1)."""
    measure = scores.measure
    by_rank = np.nan_to_num(ranks.mean(ranks.score(judged), scores.counted))
    mean = np.nan_to_num(scores.mean())
    better, nearer = mean[:, None] - mean > EQUAL, by_rank - by_rank[:, None] > EQUAL
    reversed_pairs = better & nearer.T
    total = int(reversed_pairs.sum())
    if not total:
        return None
    order = name_order(judged.systems)
    one, other = np.argwhere(reversed_pairs[np.ix_(order, order)])[0].tolist()
    first, second = judged.systems[order[one]], judged.systems[order[other]]
    pairs = len(mean) * (len(mean) - 1) // 2
    text = (
        f"{total} of {pairs} pairs of systems are ordered differently by mean rank ({ranks.name}) and by mean {measure}, "
        f"e.g. {first} and {second}; which one is better depends on the scale"
    )
    counts = _counts(judged, (reversed_pairs | reversed_pairs.T).sum(axis=1))
    kind: Kind = next((kind for kind, code in CODES.items() if code == measure.mistake), "reciprocal ranks")
    return Remark(kind, text, counts)


def _counts(judged: JudgedRuns, values: np.ndarray) -> tuple[tuple[str, float], ...]:
    """Systems with a value above 0, in the order of their names, whatever the order of the files."""
    counts = values.tolist()
    return tuple((judged.systems[at], float(counts[at])) for at in name_order(judged.systems) if counts[at] > 0)


def _systems(counts: tuple[tuple[str, float], ...]) -> str:
    return "1 run has" if len(counts) == 1 else f"{len(counts)} runs have"


def _short(value: float) -> str:
    """Format a share or a count; no digit of a count is left out."""
    return f"{value:.0f}" if value == int(value) else f"{value:.3g}"


def _list(counts: tuple[tuple[str, float], ...], unit: str = "") -> str:
    worst = sorted(counts, key=lambda pair: -pair[1])[:SHOWN]
    text = ", ".join(f"{system} ({_short(value)}{' ' + unit if unit else ''})" for system, value in worst)
    return text + (", …" if len(counts) > SHOWN else "")
