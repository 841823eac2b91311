"""Remarks for readers of the numbers, about the runs and judgments that they were computed from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from mensura.result import Result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from mensura.evaluation.scores import Scores
    from mensura.io.intake import Intake
    from mensura.judged.runs import JudgedRuns
    from mensura.measures.base import Measure

Kind = Literal[
    "missing topics",
    "topics without judgments",
    "topics without relevant documents",
    "documents without judgment",
    "ties",
    "reciprocal ranks",
    "expected reciprocal ranks",
    "lists of different length",
    "own documents",
    "runs left out",
    "two tags",
    "columns after the tag",
    "ranks and scores",
    "identical runs",
    "ties as float32",
]
# Rules of mensura lint about the same mistakes; mensura explain CODE has the details.
CODES: dict[Kind, str] = {
    "missing topics": "D104",
    "topics without judgments": "D107",
    "topics without relevant documents": "D108",
    "documents without judgment": "D103",
    "ties": "D102",
    "reciprocal ranks": "M101",
    "expected reciprocal ranks": "M102",
    "lists of different length": "M104",
    "ranks and scores": "D106",
    "ties as float32": "D112",
    "two tags": "D110",
    "columns after the tag": "D111",
    "identical runs": "D113",
}
TIED: dict[str, str] = {
    "id": "ordered by document id",
    "rank": "ordered as the runs list them",
    "expected": "for which values are expected ones over all orders",
}
SHOWN = 5
EQUAL = 1e-12  # means that differ by less do so by rounding
TOP = 10  # where no measure has a cut-off
NONE = 1 << 31  # longer than any list


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
        """The rule of ``mensura lint`` that explains it; empty if there is none."""
        return CODES.get(self.kind, "")

    @property
    def coded(self) -> str:
        """The sentence, and the code of the rule if there is one."""
        return f"{self.text} [{self.code}]" if self.code else self.text


def remark_sentences(remarks: Iterable[Remark]) -> list[str]:
    """The sentences of remarks, each with its code."""
    return [remark.coded for remark in remarks]


@dataclass(frozen=True, eq=False)
class Facts:
    """Counts for each system that remarks are about. Those of some topics and of the others add up to those of all.

    ``topics`` is the number of judged topics, ``empty`` says that missing ones count as empty lists. ``top`` is the rank down to
    which documents are ``listed`` and ``known`` to the judgments, ``length`` that of the longest list that was kept. ``tied`` are
    topics with a tie that matters, in the order ``tie_order``, ``own`` those with a document of their own name; ``order`` are the
    systems in the order of their names. ``barren`` is the number of topics without a relevant document. ``shortest`` and
    ``longest`` are lengths of lists, 0 for a system without any. ``ranks`` are means of ranks, measure by measure, and ``None`` for
    one that does not take reciprocals.
    """

    systems: tuple[str, ...]
    topics: int
    empty: bool
    top: int
    length: int
    missing: NDArray[np.int64]
    extra: NDArray[np.int64]
    listed: NDArray[np.int64]
    known: NDArray[np.int64]
    tied: NDArray[np.int64]
    shortest: NDArray[np.int64]
    longest: NDArray[np.int64]
    ranks: Sequence[NDArray[np.float64] | None]
    barren: int = 0
    own: tuple[int, ...] = ()
    own_dropped: bool = False
    tie_order: str = "id"
    order: Sequence[int] = ()


def deepest_rank(measures: Sequence[Measure]) -> int | None:
    """The deepest rank that any of the measures looks at, ``None`` for all: ties matter down to there."""
    depths = [measure.depth for measure in measures]
    return None if None in depths else max((depth for depth in depths if depth is not None), default=None)


def top_rank(measures: Sequence[Measure]) -> int:
    """The rank down to which documents without judgment are counted."""
    cutoffs = [measure.on_topics.cutoff for measure in measures]
    return max((cutoff for cutoff in cutoffs if cutoff is not None), default=TOP)


def barren_topics(recall_base: NDArray[np.int64], measures: Sequence[Measure]) -> int:
    """Number of topics without a relevant document, where one of the measures divides by the number of these."""
    which = _strictest(measures)
    return 0 if which is None else int(np.count_nonzero(recall_base[:, _least_grade(which) :].sum(axis=1) == 0))


def _strictest(measures: Sequence[Measure]) -> Measure | None:
    """The measure with the fewest relevant documents among those that depend on their number."""
    return max((measure for measure in measures if measure.on_topics.uses_recall_base), key=_least_grade, default=None)


def _least_grade(measure: Measure) -> int:
    grade: int = getattr(measure.on_topics, "rel", 1)
    return grade


def tally(judged: JudgedRuns, measures: Sequence[Measure]) -> dict[str, NDArray[np.int64]]:
    """Counts of each system over the topics of some judged runs, under their names in :class:`Facts`."""
    top, deepest = top_rank(measures), deepest_rank(measures)
    there = judged.retrieved > 0
    tied = judged.ties > 0 if deepest is None else (judged.ties > 0) & (judged.ties <= deepest)
    return {
        "missing": np.sum(~there, axis=1, dtype=np.int64),
        "listed": np.minimum(judged.retrieved, min(top, judged.length)).sum(axis=1, dtype=np.int64),
        "known": np.sum(judged.grades[:, :, :top] >= 0, axis=(1, 2), dtype=np.int64),
        "tied": np.sum(tied, axis=1, dtype=np.int64),
        "shortest": np.where(there, judged.retrieved.astype(np.int64), NONE).min(axis=1, initial=NONE) % NONE,
        "longest": judged.retrieved.max(axis=1, initial=0).astype(np.int64),
    }


def remarks(judged: JudgedRuns, measures: Sequence[Measure], scores: Sequence[Scores] | None = None) -> tuple[Remark, ...]:
    """Return the remarks about judged runs for readers of some measures, or of their ``scores``, if there are any."""
    everything = np.ones(judged.shape, dtype=np.bool_)
    counted = [everything] * len(measures) if scores is None else [each.counted for each in scores]
    by_rank = [None if judged.groups is not None else measure.by_rank for measure in measures]
    facts = Facts(
        systems=judged.systems,
        topics=len(judged.topics),
        empty=bool((counted[0] & (judged.retrieved == 0)).any()),
        top=top_rank(measures),
        length=judged.length,
        extra=np.array([len(extra) for extra in judged.extra] or [0] * len(judged.systems), dtype=np.int64),
        ranks=[
            None if ranks is None else ranks.mean(ranks.score(judged), each) for ranks, each in zip(by_rank, counted, strict=True)
        ],
        barren=0 if judged.relevance is not None else barren_topics(judged.recall_base, measures),
        own=judged.own,
        own_dropped=judged.own_dropped,
        tie_order=judged.tie_order,
        order=judged.order[0].tolist(),
        **tally(judged, measures),
    )
    values = [None] * len(measures) if scores is None else [each.values for each in scores]
    means = [
        np.empty(0) if ranks is None else measure.mean(measure.score(judged) if known is None else known, each)
        for measure, known, each, ranks in zip(measures, values, counted, by_rank, strict=True)
    ]
    return (*intake_remarks(judged), *remarks_on(facts, measures, means))


def intake_remarks(judged: JudgedRuns) -> tuple[Remark, ...]:
    """Return the remarks about runs as they were read: left out, with two tags, with ranks that scores contradict, identical."""
    runs = [(judged.systems[at], judged.intake[at]) for at in judged.order[0].tolist()] if judged.intake else []
    applicable = []
    if judged.left_out:
        applicable.append(Remark("runs left out", left_out(judged), ()))
    tags = _systems_with(runs, lambda intake: len(intake.tags) > 1)
    if tags:
        one, other = next(intake.tags[:2] for _, intake in runs if intake.tags)
        text = f"{_systems(tags)} lines with different tags, e.g. {one} and {other}; two runs in one file? {_names(tags)}"
        applicable.append(Remark("two tags", text, tags))
    wide = _systems_with(runs, lambda intake: intake.wide)
    if wide:
        text = f"{_systems(wide)} lines with more than six columns; those after the tag are not read: {_names(wide)}"
        applicable.append(Remark("columns after the tag", text, wide))
    crossed = _systems_with(runs, lambda intake: intake.crossed)
    if crossed:
        lost = _list(crossed, f"of {len(judged.topics)} topics")
        text = f"{_systems(crossed)} topics where rank and score disagree; the score decides, higher is better: {lost}"
        applicable.append(Remark("ranks and scores", text, crossed))
    applicable += _identical(runs)
    near = _systems_with(runs, lambda intake: intake.near_ties)
    if near:
        lost = _list(near, f"of {len(judged.topics)} topics")
        text = (
            f"{_systems(near)} scores that are equal as float32 only, for documents of different grade; a figure of trec_eval 9, "
            f"official ones included, may differ (compat trec_eval-9 gives it): {lost}"
        )
        applicable.append(Remark("ties as float32", text, near))
    return tuple(applicable)


def left_out(judged: JudgedRuns) -> str:
    """Say which runs were left out, and why."""
    number = len(judged.left_out)
    which = "; ".join(judged.left_out[:SHOWN]) + ("; …" if number > SHOWN else "")
    return f"{number} {'run is' if number == 1 else 'runs are'} left out because of faults: {which}"


def _identical(runs: Sequence[tuple[str, Intake]]) -> list[Remark]:
    """Runs that rank the same documents for the judged topics."""
    groups: dict[int, list[str]] = {}
    for system, intake in runs:
        groups.setdefault(intake.fingerprint, []).append(system)
    same = [group for fingerprint, group in groups.items() if len(group) > 1 and fingerprint]
    if not same:
        return []
    shown = "; ".join(", ".join(group[:SHOWN]) for group in same[:SHOWN])
    counts = tuple((system, float(len(group))) for group in same for system in group)
    return [Remark("identical runs", f"{len(counts)} runs rank the same documents as another one: {shown}", counts)]


def _systems_with(runs: Sequence[tuple[str, Intake]], number: Callable[[Intake], float]) -> tuple[tuple[str, float], ...]:
    return tuple((system, float(number(intake))) for system, intake in runs if number(intake))


def _names(counts: tuple[tuple[str, float], ...]) -> str:
    return ", ".join(system for system, _ in counts[:SHOWN]) + (", …" if len(counts) > SHOWN else "")


def remarks_on(facts: Facts, measures: Sequence[Measure], means: Sequence[NDArray[np.float64]]) -> tuple[Remark, ...]:
    """Return the remarks about means of measures, from counts."""
    applicable = (
        _missing(facts),
        _extra(facts),
        _barren(facts, measures),
        _unjudged(facts),
        _ties(facts, measures),
        _own(facts),
        *_different_lengths(facts.systems, facts.shortest, facts.longest, measures),
        *(_other_order(facts, *each) for each in zip(measures, means, facts.ranks, strict=True)),
    )
    return tuple(remark for remark in applicable if remark is not None)


def _missing(facts: Facts) -> Remark | None:
    counts = _counts(facts, facts.missing)
    if not counts:
        return None
    lost = _list(counts, f"of {facts.topics} topics")
    how = "count as empty lists" if facts.empty else "do not count"
    text = f"{_systems(counts)} no documents for some judged topics, which {how}: {lost}"
    return Remark("missing topics", text, counts)


def _extra(facts: Facts) -> Remark | None:
    counts = tuple((system, float(extra)) for system, extra in zip(facts.systems, facts.extra.tolist(), strict=True) if extra)
    if not counts:
        return None
    return Remark(
        "topics without judgments", f"{_systems(counts)} topics that have no judgments, which are left out: {_list(counts)}", counts
    )


def _barren(facts: Facts, measures: Sequence[Measure]) -> Remark | None:
    which = _strictest(measures)
    if which is None or not facts.barren:
        return None
    have = "has" if facts.barren == 1 else "have"
    number = f"{facts.barren} of {facts.topics} topics {have} no relevant document"
    text = f"{number} for {which}, and all runs have the same value there"
    return Remark("topics without relevant documents", text, ())


def _unjudged(facts: Facts) -> Remark | None:
    top, listed, known = min(facts.top, facts.length), facts.listed, facts.known
    share = np.divide(100.0 * (listed - known), listed, out=np.zeros(len(listed)), where=listed > 0)
    counts = _counts(facts, share)
    if not counts:
        return None
    overall = 100.0 * (listed - known).sum() / listed.sum()
    text = (
        f"{overall:.1f} % of the documents in the top {top} have no judgment and count as not relevant; most: {_list(counts, '%')}"
    )
    return Remark("documents without judgment", text, counts)


def _ties(facts: Facts, measures: Sequence[Measure]) -> Remark | None:
    counts = _counts(facts, facts.tied)
    if not counts:
        return None
    deepest = deepest_rank(measures)
    text = (
        f"{_systems(counts)} equal scores for documents of different grade in the top "
        f"{facts.length if deepest is None else deepest}, {TIED[facts.tie_order]}: {_list(counts, f'of {facts.topics} topics')}"
    )
    return Remark("ties", text, counts)


def _own(facts: Facts) -> Remark | None:
    counts = _counts(facts, np.array(facts.own or (0,) * len(facts.systems)))
    if not counts:
        return None
    how = "which are left out" if facts.own_dropped else "which drop_self=True or --drop-self leaves out"
    text = f"{_systems(counts)} documents that are named like their topic, {how}: {_list(counts, f'of {facts.topics} topics')}"
    return Remark("own documents", text, counts)


def length_remarks(judged: JudgedRuns, measures: Sequence[Measure]) -> Iterator[Remark]:
    """Yield a remark for measures whose lists have different lengths, each of which is another scale (P4 §IV-C, §VI-B)."""
    counts = tally(judged, ())
    yield from _different_lengths(judged.systems, counts["shortest"], counts["longest"], measures)


def _different_lengths(
    systems: Sequence[str], least: NDArray[np.int64], most: NDArray[np.int64], measures: Sequence[Measure]
) -> Iterator[Remark]:
    shortest, longest = least[least > 0].min(initial=NONE), most.max(initial=0)
    some = [measure for measure in measures if measure.uses_length] if shortest < longest else []
    if not some:
        return
    named = zip(systems, least.tolist(), strict=True)
    counts = tuple((system, float(number)) for system, number in named if 0 < number < longest)
    few = ", ".join(f"{system} ({number:g})" for system, number in sorted(counts, key=lambda pair: pair[1])[:SHOWN])
    text = (
        f"{', '.join(map(str, some))} without a cut-off {'has' if len(some) == 1 else 'have'} another scale "
        f"for each length of list, and the lists have {shortest} to {longest} documents, so that their values cannot be compared; "
        f"name a cut-off, e.g. {some[0].on_topics @ 10}; shortest lists: {few}{', …' if len(counts) > SHOWN else ''}"
    )
    yield Remark("lists of different length", text, counts)


def _other_order(facts: Facts, measure: Measure, means: NDArray[np.float64], ranks: NDArray[np.float64] | None) -> Remark | None:
    """Pairs of systems that mean ranks and means of reciprocal ranks order differently (P3 §2.1)."""
    if ranks is None:
        return None
    by_rank, mean = np.nan_to_num(ranks), np.nan_to_num(means)
    better, nearer = mean[:, None] - mean > EQUAL, by_rank - by_rank[:, None] > EQUAL
    reversed_pairs = better & nearer.T
    total = int(reversed_pairs.sum())
    if not total or measure.by_rank is None:
        return None
    order = facts.order
    one, other = np.argwhere(reversed_pairs[np.ix_(order, order)])[0].tolist()
    first, second = facts.systems[order[one]], facts.systems[order[other]]
    pairs = len(mean) * (len(mean) - 1) // 2
    text = (
        f"{total} of {pairs} {'pair' if pairs == 1 else 'pairs'} of systems {'is' if total == 1 else 'are'} ordered differently "
        f"by mean rank ({measure.by_rank.name}) and by mean {measure}, "
        f"e.g. {first} and {second}; which one is better depends on the scale"
    )
    counts = _counts(facts, (reversed_pairs | reversed_pairs.T).sum(axis=1))
    kind: Kind = next((kind for kind, code in CODES.items() if code == measure.mistake), "reciprocal ranks")
    return Remark(kind, text, counts)


def _counts(facts: Facts, values: np.ndarray) -> tuple[tuple[str, float], ...]:
    """Systems with a value above 0, in the order of their names."""
    counts = values.tolist()
    return tuple((facts.systems[at], float(counts[at])) for at in facts.order if counts[at] > 0)


def _systems(counts: tuple[tuple[str, float], ...]) -> str:
    return "1 run has" if len(counts) == 1 else f"{len(counts)} runs have"


def _short(value: float) -> str:
    """Format a share or a count; no digit of a count is left out."""
    return f"{value:.0f}" if value == int(value) else f"{value:.3g}"


def _list(counts: tuple[tuple[str, float], ...], unit: str = "") -> str:
    worst = sorted(counts, key=lambda pair: -pair[1])[:SHOWN]
    text = ", ".join(f"{system} ({_short(value)}{' ' + unit if unit else ''})" for system, value in worst)
    return text + (", …" if len(counts) > SHOWN else "")
