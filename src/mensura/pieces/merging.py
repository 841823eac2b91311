"""Outcomes of pieces put together: the evaluation that one machine would have made, to the last bit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.errors import MensuraError
from mensura.evaluation.evaluation import Evaluation, counted_topics, warn
from mensura.evaluation.remarks import Facts, barren_topics, remarks_on, top_rank
from mensura.evaluation.scores import Scores
from mensura.io.columns import name_order, to_bytes
from mensura.io.intake import check_overlap
from mensura.io.read import read_qrels
from mensura.judged.runs import JudgedRuns
from mensura.pieces.evaluating import check_once, values_of
from mensura.pieces.partial import closed, ranked

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from mensura.evaluation.evaluation import Topics
    from mensura.io.columns import Qrels
    from mensura.measures.base import Measure
    from mensura.pieces.partial import Head, Partial

ADDED = ("missing", "listed", "known", "tied")
CHUNK = 1 << 16  # topics without documents that are scored at a time


def merge(
    partials: Iterable[Partial], qrels: Any = None, *, topics: Topics = "judged", systems: Sequence[str] | None = None
) -> Evaluation:
    """Put partials together: the evaluation of all pieces, with its remarks, equal to that of :func:`mensura.evaluate`.

    The evaluation has scores and remarks, and no ranks to compute another measure from.

    Parameters
    ----------
    partials
        The outcomes of :func:`evaluate`, in any order.
    qrels
        The judgments that the pieces were evaluated with: judged topics that are in no piece count as empty lists. They are not
        needed for partitioned judgments and with ``topics="run"``; topics are then in the order of their names.
    topics
        Which topics count, as in :func:`mensura.evaluate`.
    systems
        The systems in the order of the result; by default in the order of their names.
    """
    gathered = Gathering.of(partials, None if qrels is None else read_qrels(qrels), topics, systems)
    names, measures = gathered.topics, gathered.measures
    number = {name: at for at, name in enumerate(names)}
    shape = (len(gathered.systems), len(names))
    values = np.full((len(measures) + len(ranked(measures)), *shape), np.nan)
    longest = gathered.length
    retrieved, ties = np.zeros(shape, dtype=np.int32), np.zeros(shape, dtype=np.int32)
    for row, system in enumerate(gathered.systems):
        there = np.zeros(len(names), dtype=np.bool_)
        for part in gathered.parts[system]:
            at = np.array([number[name] for name in part.topics], dtype=np.int64)
            values[:, row, at] = closed(part.values, measures, longest)
            retrieved[row, at], ties[row, at] = part.retrieved, part.ties
            there[at] = True
        lost = np.flatnonzero(~there)
        if len(lost) and gathered.qrels is not None:
            values[:, row, lost] = closed(empty_values(gathered.qrels, lost, measures, gathered.highest), measures, longest)
    judged = replace(
        JudgedRuns.without_ranks(gathered.systems, names),
        retrieved=retrieved,
        ties=ties,
        extra=tuple(tuple(chain.from_iterable(part.extra for part in gathered.parts[system])) for system in gathered.systems),
        compat=gathered.first.compat,
    )
    counted = counted_topics(judged, topics)
    values[:, ~counted] = np.nan_to_num(values[:, ~counted])
    scores = tuple(Scores(measure, each, gathered.systems, names, counted) for measure, each in zip(measures, values, strict=False))
    evaluation = Evaluation(judged, scores)
    means = [each.mean() for each in scores]
    by_rank = {each: each.mean(table, counted) for each, table in zip(ranked(measures), values[len(measures) :], strict=True)}
    facts = gathered.facts(by_rank, judged.missing.sum(axis=1), empty=bool((counted & judged.missing).any()))
    evaluation.__dict__["remarks"] = remarks_on(facts, measures, means)
    warn(evaluation, 3)
    return evaluation


@dataclass(frozen=True, eq=False)
class Gathering:
    """Outcomes of pieces by system, and what they agree about."""

    parts: Mapping[str, list[Any]]
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    qrels: Qrels | None

    @property
    def first(self) -> Head:
        """One of the outcomes."""
        part: Head = self.parts[self.systems[0]][0]
        return part

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures of all pieces."""
        return self.first.measures

    @property
    def highest(self) -> int:
        """The highest grade of all judgments."""
        return self.first.highest

    @property
    def length(self) -> int:
        """Number of ranks that were kept of the longest list."""
        return max(part.length for parts in self.parts.values() for part in parts)

    @classmethod
    def of(cls, partials: Iterable[Any], qrels: Qrels | None, topics: Topics, systems: Sequence[str] | None) -> Gathering:
        """Check that outcomes belong together: the same measures, judgments and systems, and each topic once."""
        parts: dict[str, list[Any]] = {}
        for part in partials:
            parts.setdefault(part.system, []).append(part)
        if not parts:
            raise MensuraError("expected at least one partial, got none")
        order = tuple(sorted(parts, key=to_bytes) if systems is None else systems)
        if set(order) != parts.keys() or len(order) != len(parts):
            raise MensuraError(f"the partials are of {', '.join(sorted(parts))}, and systems= names {', '.join(order)}")
        everything = [part for system in order for part in parts[system]]
        for what in ("measures", "compat", "partitioned", "highest"):
            if len({getattr(part, what) for part in everything}) > 1:
                raise MensuraError(_disagreement(what, everything))
        for system in order:
            check_once(chain.from_iterable(part.topics for part in parts[system]))
            check_once(chain.from_iterable(part.extra for part in parts[system]))
        return cls(parts, order, _names(parts, qrels, topics), qrels)

    def facts(self, by_rank: Mapping[Measure, NDArray[np.float64]], missing: NDArray[np.int64], *, empty: bool) -> Facts:
        """Counts for remarks; ``missing`` topics are counted where all topics are known."""
        counts: dict[str, Any] = {name: self._added(name) for name in ADDED}
        lengths = [[part.counts["shortest"] for part in self.parts[system] if part.counts["shortest"]] for system in self.systems]
        return Facts(
            systems=self.systems,
            topics=len(self.topics),
            empty=empty,
            top=top_rank(self.measures),
            length=self.length,
            extra=np.array([sum(len(part.extra) for part in self.parts[system]) for system in self.systems], dtype=np.int64),
            shortest=np.array([min(each, default=0) for each in lengths], dtype=np.int64),
            longest=np.array(
                [max(part.counts["longest"] for part in self.parts[system]) for system in self.systems], dtype=np.int64
            ),
            order=name_order(self.systems),
            barren=self._barren(),
            ranks=[None if measure.by_rank is None else by_rank[measure.by_rank] for measure in self.measures],
            **(counts | {"missing": missing}),
        )

    def _barren(self) -> int:
        """Number of topics without a relevant document; without all judgments, those of the pieces' own, if they have any."""
        if self.qrels is not None:
            return barren_topics(self.qrels.recall_base, self.measures)
        return sum(part.counts["barren"] for part in self.parts[self.systems[0]]) if self.first.partitioned else 0

    def _added(self, name: str) -> NDArray[np.int64]:
        return np.array([sum(part.counts[name] for part in self.parts[system]) for system in self.systems], dtype=np.int64)


def _disagreement(what: str, parts: Sequence[Head]) -> str:
    values = [getattr(part, what) for part in parts]
    other = next(value for value in values if value != values[0])
    if what == "highest":
        high = max(part.highest for part in parts)
        return (
            f"the judgments of the pieces go up to different grades, {values[0]} and {other}, on which gains depend; "
            f"evaluate every piece with highest_grade={high}"
        )
    if what == "measures":
        return f"the partials have different measures: {', '.join(map(str, values[0]))}, and {', '.join(map(str, other))}"
    if what == "partitioned":
        return "some partials have partitioned judgments and others have not; evaluate all pieces in one way"
    return f"the partials have different orders of ranks: {values[0]} and {other}"


def _names(parts: Mapping[str, list[Any]], qrels: Qrels | None, topics: Topics) -> tuple[str, ...]:
    """The judged topics: in the order of the judgments, or of their names."""
    seen = {system: {name for part in each for name in part.topics} for system, each in parts.items()}
    names = set().union(*seen.values())
    if qrels is not None:
        check_overlap(
            qrels,
            [(system, [name for part in parts[system] for name in part.extra]) for system, each in seen.items() if not each],
        )
        unknown = names.difference(qrels.topics)
        if unknown:
            raise MensuraError(
                f"topic {min(unknown)!r} of a partial has no judgments here; merge with the judgments that it was evaluated with"
            )
        return qrels.topics
    if next(iter(parts.values()))[0].partitioned:
        uneven = next((system for system, each in seen.items() if len(each) < len(names)), None)
        if uneven is not None:
            raise MensuraError(
                f"the partials of {uneven} have {len(seen[uneven])} of {len(names)} topics; "
                "evaluate it with all parts of the judgments"
            )
    elif topics != "run":
        raise MensuraError(
            "judged topics that no piece has count as empty lists, and the partials do not know them; pass the judgments, "
            "merge(partials, qrels), or topics='run'"
        )
    return tuple(sorted(names, key=to_bytes))


def empty_values(qrels: Qrels, numbers: NDArray[np.int64], measures: Sequence[Measure], highest: int) -> NDArray[np.float64]:
    """Values of topics for which a system has no documents: [measure, topic]."""
    tables = []
    for start in range(0, len(numbers), CHUNK):
        some = numbers[start : start + CHUNK]
        names = tuple(qrels.topics[number] for number in some.tolist())
        empty = JudgedRuns.without_ranks(("empty",), names)
        retrieved = np.zeros((1, len(some)), dtype=np.int32)
        tables.append(
            values_of(
                replace(empty, recall_base=qrels.recall_base[some], retrieved=retrieved, depth=None, highest=highest), measures
            )
        )
    return np.concatenate(tables, axis=1)
