"""One piece: the documents of some topics of a system to scores. No engine is imported here, and Arrow only if its batches come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura._core.arrow import ArrowTable
from mensura._core.objects import Gathered
from mensura._core.parts import scatter_rows
from mensura.errors import InputError, MensuraError
from mensura.evaluation.evaluation import score
from mensura.evaluation.remarks import barren_topics, tally
from mensura.io.checks import Checks, gathered
from mensura.io.columns import Run, system_name, to_text
from mensura.io.objects import object_table
from mensura.io.read import read_qrels
from mensura.io.reading import Order, judge_run
from mensura.io.roles import choose
from mensura.judged.runs import JudgedRuns
from mensura.measures.base import Measure
from mensura.measures.names import parse_measures
from mensura.measures.needs import needs_of
from mensura.pieces.partial import Partial, open_rows, ranked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mensura._core.judge import Judge
    from mensura.io.columns import Qrels, TopicTable
    from mensura.io.reading import Compat

BATCHES = "<batches>"


def evaluate(
    batches: Any,
    qrels: Any,
    measures: str | Measure | Iterable[str | Measure],
    *,
    system: str = "run",
    partitioned: bool = False,
    highest_grade: int | None = None,
    columns: Mapping[str, Any] | None = None,
    compat: Compat = "trec_eval-10",
) -> Partial:
    """Evaluate one piece of a run: all documents of some of its topics.

    The function needs no engine: Spark's ``mapInArrow``, a Dask or Ray task, or a loop can call it, and :func:`merge` puts the
    outcomes together, whatever the cuts between topics and the order of the pieces.

    Parameters
    ----------
    batches
        Arrow record batches, or anything else with Arrow's PyCapsule interface (tables, data frames), one or an iterable of them,
        with columns such as ``query_id``, ``doc_id``, ``score``. A topic must not be in two pieces; rows can be in any order.
    qrels
        The judgments, or anything that :func:`mensura.read_qrels` reads: all of them, or with ``partitioned`` those of the
        piece's topics.
    measures
        Measures or their names.
    system
        Name of the system.
    partitioned
        Whether ``qrels`` are the judgments of this piece's topics only. Topics of theirs without documents are missing then.
    highest_grade
        The highest grade of all judgments, where ``qrels`` are a part: gains of nDCG and ERR depend on it.
    columns
        Names of columns, where they are not known or ambiguous: {"topic": …, "document": …, "score" or "rank": …}.
    compat
        The order of ``trec_eval-10`` (scores as float64) or of ``trec_eval-9`` (float32).

    Examples
    --------
    >>> import mensura
    >>> qrels = mensura.read_qrels({"q1": {"a": 1}, "q2": {"c": 1}})
    >>> one = evaluate([("q1", "b", 2.0), ("q1", "a", 1.0)], qrels, ["RR"])
    >>> two = evaluate([("q2", "c", 1.0)], qrels, ["RR"])
    >>> from mensura.pieces import merge
    >>> merge([two, one], qrels).means()
    {'run': {'RR': 0.75}}
    """
    judgments, parsed = read_qrels(qrels), parse_measures(measures)
    order = order_of(parsed, compat)
    table = _table(batches, columns)
    run = Run(system_name(system), table) if table is not None else None
    judges = [] if run is None else [piece() for piece in judge_run(judgments, run, order, 1)]
    highest = max(highest_grade or 0, highest_of(judgments))
    return partial_of(judges, judgments, parsed, order, system=system_name(system), partitioned=partitioned, highest=highest)


def order_of(measures: Sequence[Measure], compat: Compat) -> Order:
    """Return the order of ranks for pieces, or refuse measures that need more than the topics of a piece."""
    if not measures:
        raise MensuraError("expected at least one measure, got none; name one, e.g. AP or nDCG@10")
    for measure in measures:
        if measure.from_documents or measure.uses_scores:
            needed = "scores of whole runs" if measure.uses_scores else "the documents of all topics"
            raise MensuraError(f"{measure} is computed from {needed}, so pieces cannot have it; evaluate the runs as a whole")
        if type(measure.on_topics).defined is not Measure.defined:
            raise MensuraError(f"{measure} leaves topics out of its mean, so pieces cannot have it; evaluate the runs as a whole")
    return Order(needs_of(measures).ranks, compat)


def highest_of(qrels: Qrels) -> int:
    """The highest grade of judgments."""
    return max(0, int(qrels.table.values.max(initial=0)))


def _table(batches: Any, columns: Mapping[str, Any] | None) -> TopicTable | None:
    """Return the rows of all batches, or ``None`` if there are none."""
    if not hasattr(batches, "__arrow_c_stream__") and not hasattr(batches, "__arrow_c_array__"):
        if isinstance(batches, list | tuple | Iterator) and not isinstance(batches, Mapping):
            batches = list(batches)
            if not batches:
                return None
        if not (isinstance(batches, list) and _is_batch(batches[0])):
            return object_table(batches, graded=False, columns=columns)
    checks = Checks(BATCHES, graded=False)
    rows = Gathered()
    for batch in batches if isinstance(batches, list) else [batches]:
        table = _arrow(batch)
        roles = choose(table.names, BATCHES, graded=False, columns=columns)
        chosen = (roles.topic, roles.document, roles.value)
        topic, document, value = (table.names.index(name) for name in chosen)
        wrong = [name for name, at in zip(chosen[:2], (topic, document), strict=True) if not table.is_text(at)]
        if wrong or not table.is_number(value):
            raise InputError(
                f"the column {(wrong or [roles.value])[0]} has a type of Arrow's that is not read here; topics and documents are "
                "text or whole numbers, scores are numbers",
                source=BATCHES,
            )
        table.gather(rows, topic, document, value, roles.by_rank, checks)
    return gathered(rows, checks) if rows.columns.count else None


def _is_batch(thing: object) -> bool:
    return hasattr(thing, "__arrow_c_stream__") or hasattr(thing, "__arrow_c_array__")


def _arrow(batch: Any) -> ArrowTable:
    if not hasattr(batch, "__arrow_c_stream__"):
        if not hasattr(batch, "__arrow_c_array__"):
            raise InputError(f"expected Arrow record batches, got {type(batch).__name__}", source=BATCHES)
        import pyarrow as pa

        batch = pa.record_batch(batch)
    return ArrowTable(batch.__arrow_c_stream__())


def partial_of(
    judges: Sequence[Judge],
    qrels: Qrels,
    measures: Sequence[Measure],
    order: Order,
    *,
    system: str,
    partitioned: bool = False,
    highest: int,
) -> Partial:
    """Score what judges of one piece have judged."""
    qrels.check_whole("an evaluation in pieces")
    numbers = np.array([number for judge in judges for number in judge.topics()], dtype=np.int64)
    check_once(qrels.topics[number] for number in numbers.tolist())
    width = max((judge.width for judge in judges), default=0)
    grades = np.full((len(numbers), width), -1, dtype=np.int8)
    retrieved, ties = np.zeros(len(numbers), dtype=np.int32), np.zeros(len(numbers), dtype=np.int32)
    at = 0
    for judge in judges:
        rows = slice(at, at + len(judge.topics()))
        scatter_rows(judge, grades[rows], retrieved[rows], ties[rows])
        at = rows.stop
    if partitioned:
        lost = np.setdiff1d(np.arange(len(qrels.topics)), numbers)
        numbers = np.concatenate([numbers, lost])
        grades = np.concatenate([grades, np.full((len(lost), width), -1, dtype=np.int8)])
        retrieved, ties = (np.concatenate([each, np.zeros(len(lost), dtype=np.int32)]) for each in (retrieved, ties))
    judged = JudgedRuns(
        grades=grades[None],
        recall_base=qrels.recall_base[numbers],
        retrieved=retrieved[None],
        ties=ties[None],
        systems=(system,),
        topics=tuple(qrels.topics[number] for number in numbers.tolist()),
        depth=order.depth,
        compat=order.compat,
        highest=highest,
    )
    return Partial(
        system=system,
        measures=tuple(measures),
        topics=judged.topics,
        extra=tuple(to_text(topic) for judge in judges for topic in judge.extra),
        counts={name: int(count[0]) for name, count in tally(judged, measures).items()}
        | {"barren": barren_topics(judged.recall_base, measures)},
        length=width,
        highest=highest,
        compat=order.compat,
        partitioned=partitioned,
        values=values_of(judged, measures),
        retrieved=retrieved,
        ties=ties,
    )


def values_of(judged: JudgedRuns, measures: Sequence[Measure]) -> NDArray[np.float64]:
    """Values of one system: the rows of :attr:`mensura.pieces.Partial.values`."""
    rows = [*measures, *ranked(measures)]
    tables = [score(judged, some).scores for some in (measures, ranked(measures)) if some]  # a measure can be in both
    values = [scores.values[0] for table in tables for scores in table]
    never = []
    for row in open_rows(measures):
        values[row], often = (part[0] for part in rows[row].on_topics.open_score(judged))
        never.append(often)
    return np.array([*values, *never])


def check_once(topics: Iterable[str]) -> None:
    """Refuse a topic that is in two pieces: each of them would have ranked a part of its list."""
    seen: set[str] = set()
    for topic in topics:
        if topic in seen:
            raise InputError(
                f"topic {topic!r} is in two pieces, each of which ranked a part of its documents; cut between topics, "
                "e.g. partition the data by topic"
            )
        seen.add(topic)
