"""Evaluation: judgments and runs to scores, with what a reader of the scores should know."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np

from mensura.engines.choice import opened
from mensura.errors import MeasureError, MensuraError, MensuraWarning, suggest
from mensura.evaluation.remarks import Remark, remarks
from mensura.evaluation.scores import Scores
from mensura.judged.entrance import begin, collect
from mensura.judged.runs import JudgedRuns
from mensura.measures.names import parse_measure, parse_measures
from mensura.measures.needs import needs_of
from mensura.result import Result, optional

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from mensura.io.reading import Compat, TieOrder
    from mensura.measures.base import Measure
    from mensura.render.tables import Table, View
    from mensura.report.build import Report
    from mensura.scales.meaning.boards import Meaning
    from mensura.stats.compared import Comparisons

Topics = Literal["judged", "run", "both"]


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation(Result):
    """Scores of several measures for the same judged runs.

    ``evaluation["AP"]`` gives the :class:`Scores` of a measure, by any of its names. An evaluation that was saved and read back has
    its scores and remarks, but no ranks to compute another measure from.
    """

    judged: JudgedRuns
    scores: tuple[Scores, ...]

    unsaved: ClassVar[frozenset[str]] = frozenset({"judged"})

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures, in the order they were asked for."""
        return tuple(scores.measure for scores in self.scores)

    def __getitem__(self, measure: str | Measure) -> Scores:
        named = parse_measure(measure)
        for scores in self.scores:
            if scores.measure == named:
                return scores
        raise KeyError(f"{named} was not evaluated; {suggest(str(named), map(str, self.measures))}")

    def __iter__(self) -> Iterator[Scores]:
        return iter(self.scores)

    @cached_property
    def remarks(self) -> tuple[Remark, ...]:
        """Remarks for readers of the numbers: missing topics and judgments, ties, orders that depend on the scale."""
        return remarks(self.judged, self.measures, self.scores)

    def means(self) -> dict[str, dict[str, float]]:
        """{system: {measure: mean}}; for counts of documents and topics the sum over topics, as in trec_eval and ir_measures."""
        table: dict[str, dict[str, float]] = {system: {} for system in self.judged.systems}
        for scores in self.scores:
            for system, mean in zip(scores.systems, scores.aggregate().tolist(), strict=True):
                table[system][str(scores.measure)] = mean
        return table

    def to_dict(self) -> dict[str, Any]:
        """Return the scores and remarks as plain data."""
        return {
            "result": type(self).__name__,
            "version": self.version,
            "scores": [scores.to_dict() for scores in self.scores],
            "remarks": [remark.to_dict() for remark in self.remarks],
        }

    @classmethod
    def from_dict(cls, document: dict[str, Any]) -> Self:
        """Return the evaluation that :meth:`to_dict` wrote."""
        cls.check(document)
        scores = tuple(map(Scores.from_dict, document["scores"]))
        judged = JudgedRuns.without_ranks(scores[0].systems, scores[0].topics)
        evaluation = cls(judged, tuple(replace(each, judged=judged) for each in scores))
        evaluation.__dict__["remarks"] = tuple(
            map(Remark.from_dict, document["remarks"])
        )  # they are about the runs, which are gone
        return evaluation

    def rows(self) -> Iterator[dict[str, Any]]:
        """Rows of system, topic, measure and value of all measures."""
        return chain.from_iterable(scores.rows() for scores in self.scores)

    def compare(self, **options: Any) -> Comparisons:
        """Compare the systems: :func:`mensura.compare` with its options, e.g. ``baseline="bm25"``."""
        from mensura.stats.comparison import compare

        return compare(self, **options)

    def meaning(self, **options: Any) -> Meaning:
        """Judge the statements “A has a better mean than B” by each measure; options as for :func:`mensura.scales.leaderboard`."""
        from mensura.scales.meaning.boards import meaning_of

        counted = self.scores[0].counted
        if not (counted == counted[0]).all():
            raise MensuraError("different topics count for different systems; evaluate with topics='judged' or 'both'")
        return meaning_of(self.judged, self.measures, **{"topics": np.flatnonzero(counted[0]), **options})

    def report(self, **options: Any) -> Report:
        """Return the report on the evaluation: :func:`mensura.report.report` with its options, e.g. ``title="My experiment"``."""
        from mensura.report.build import report

        return report(self, **options)

    def view(self) -> View:
        """The leaderboard with its remarks."""
        from mensura.render.evaluations import evaluation_view

        return evaluation_view(self)

    def paper_tables(self, *, digits: int | None = None) -> Sequence[Table]:
        """The leaderboard with ``digits`` decimals, by default as many as the topics support."""
        from mensura.render.evaluations import leaderboard_table

        return [leaderboard_table(self, digits)]

    def charts(self) -> Mapping[str, Callable[[], dict[str, Any]]]:
        """``recall-precision``; ``topics``: the spread of the first measure's values, the default where only the top was read."""
        from mensura.render.charts.recall_precision import recall_precision

        curve = {"recall-precision": lambda: recall_precision(self)}
        topics = dict(self.scores[0].charts())
        return curve | topics if self.judged.depth is None else topics | curve

    def __repr__(self) -> str:
        systems, topics = self.judged.shape
        remarks = "".join(f"\n! {remark.coded}" for remark in self.remarks)
        return f"Evaluation({systems} systems × {topics} topics: {', '.join(map(str, self.measures))}){remarks}"

    def to_pandas(self, *, wide: bool = False) -> Any:
        """A pandas data frame of (system, topic, measure, value); ``wide``: a column for each measure."""
        pd = optional("pandas")
        if wide:
            return pd.DataFrame(self._wide())
        return pd.concat([scores.to_pandas() for scores in self.scores], ignore_index=True)

    def to_polars(self, *, wide: bool = False) -> Any:
        """A polars data frame of (system, topic, measure, value); ``wide``: a column for each measure."""
        pl = optional("polars")
        return pl.DataFrame(self._wide()) if wide else pl.concat([scores.to_polars() for scores in self.scores])

    def _wide(self) -> dict[str, list[Any]]:
        """Columns of system, topic and each measure, wherever a topic counts."""
        counted = self.scores[0].counted
        systems, topics = (each.tolist() for each in np.nonzero(counted))
        return {
            "system": [self.judged.systems[system] for system in systems],
            "topic": [self.judged.topics[topic] for topic in topics],
            **{str(scores.measure): scores.values[counted].tolist() for scores in self.scores},
        }


def evaluate(
    qrels: Any,
    runs: Any,
    measures: str | Measure | Iterable[str | Measure],
    *,
    topics: Topics = "judged",
    compat: Compat = "trec_eval-10",
    threads: int | None = None,
    engine: Any = None,
    depth: int | None = None,
    judged_only: bool = False,
    ties: TieOrder = "id",
    drop_self: bool = False,
    skip_bad_runs: bool = False,
) -> Evaluation:
    """Evaluate runs.

    What a reader of the numbers should know (missing topics, documents without judgment, ties) comes as
    :class:`mensura.MensuraWarning` too.

    Parameters
    ----------
    qrels
        The judgments, or anything that :func:`mensura.read_qrels` reads.
    runs
        Paths of run files (or patterns like ``runs/*.gz``), runs, or a dict of them by the names of the systems.
    measures
        Measures or their names.
    topics
        Which topics count. ``"judged"``: all that have judgments; one that is missing from a run counts as an empty list.
        ``"run"``: of these, those that the run has (trec_eval's default). ``"both"``: those that every run has.
    compat
        The order of ``trec_eval-10`` (scores as float64) or of ``trec_eval-9`` (float32).
    threads
        As many as there are cores, by default.
    engine
        ``"dask"``, the address of a Dask scheduler, or a ``Client``: its workers read the runs, and the result is the same.
    depth
        The number of documents that lists are shortened to (trec_eval's ``-M``); by default they are not.
    judged_only
        Leave out documents without judgment, which gives the others better ranks (trec_eval's ``-J``).
    ties
        The order of documents with equal scores. ``"id"``: by document id, falling, as in trec_eval. ``"rank"``: by the ranks that
        a file gives, or as a list has them. ``"expected"``: none; values are the expected ones over all orders, exactly, for P, R,
        Success, RR, AP, DCG, nDCG, RBP and ERR.
    drop_self
        Leave out documents that are named like their topic, as for BEIR's ArguAna.
    skip_bad_runs
        Go on without runs that cannot be read; a remark says which. Otherwise an error lists every fault of every file.

    Examples
    --------
    >>> from mensura import evaluate, read_run
    >>> run = read_run({"q1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}}, name="mine")
    >>> evaluate({"q1": {"d2": 1, "d3": 1}}, [run], ["AP", "P@2"]).means()
    {'mine': {'AP': 0.5833333333333333, 'P@2': 0.5}}
    """
    reading: Any = {"compat": compat, "ties": ties, "drop_self": drop_self, "skip_bad_runs": skip_bad_runs}
    chosen: Any = {"topics": topics, "depth": depth, "judged_only": judged_only}
    evaluation = evaluated(qrels, runs, measures, **chosen, threads=threads, engine=engine, **reading)
    warn(evaluation, 3)
    return evaluation


def evaluated(
    qrels: Any,
    runs: Any,
    measures: str | Measure | Iterable[str | Measure],
    *,
    topics: Topics = "judged",
    threads: int | None = None,
    engine: Any = None,
    depth: int | None = None,
    judged_only: bool = False,
    **reading: Any,
) -> Evaluation:
    """Evaluate runs without a warning; see :func:`evaluate`, whose other options are about ``reading``."""
    parsed = parse_measures(measures)
    needs = needs_of(parsed)
    if depth is not None or judged_only:
        needs = replace(needs, ranks=None)
    with opened(engine, threads) as spreading:
        judged = collect(begin(qrels, runs, needs, threads=threads, engine=spreading, **reading))
    return score(judged, parsed, topics, depth=depth, judged_only=judged_only)


def warn(evaluation: Evaluation, level: int) -> None:
    """Give the remarks as warnings about the caller's line, ``level`` frames up."""
    for remark in evaluation.remarks:
        warnings.warn(remark.coded, MensuraWarning, stacklevel=level)


def score(
    judged: JudgedRuns,
    measures: str | Measure | Iterable[str | Measure],
    topics: Topics = "judged",
    *,
    depth: int | None = None,
    judged_only: bool = False,
) -> Evaluation:
    """Score judged runs with measures; the options are those of :func:`evaluate`."""
    parsed = parse_measures(measures)
    if not parsed:
        raise MensuraError("expected at least one measure, got none; name one, e.g. AP or nDCG@10")
    counted = counted_topics(judged, topics)  # a list that has lost its documents still counts
    if judged.groups is not None and (depth is not None or judged_only):
        raise MensuraError("ties='expected' is about whole lists; it does not go with depth or judged_only")
    if (depth is not None or judged_only) and judged.origin is not None and needs_of(parsed).documents:
        judged.documents()  # lists that lose documents can no longer be read again
    if depth is not None:
        judged = judged.shortened(depth)
    if judged_only:
        judged = judged.judged_only()
    return Evaluation(
        judged,
        tuple(_scores(measure, judged, counted) for measure in parsed),
    )


def _scores(measure: Measure, judged: JudgedRuns, counted: NDArray[np.bool_]) -> Scores:
    """The values of a measure, and the topics that count: those where it has one. A user's own measure that fails is named."""
    try:
        values = np.asarray(measure.score(judged), dtype=np.float64)
        defined = measure.on_topics.defined(judged)
    except MensuraError:
        raise
    except Exception as error:
        raise MeasureError(f"{measure} could not be computed: {type(error).__name__}: {error}") from error
    if values.shape != judged.shape:
        raise MeasureError(f"{measure} gave values of shape {values.shape}; expected one for each system and topic, {judged.shape}")
    kept = counted if defined is None else counted & defined
    return Scores(measure, values, judged.systems, judged.topics, kept, judged)


def counted_topics(judged: JudgedRuns, topics: Topics) -> NDArray[np.bool_]:
    """Topics that count for each system: bool [system, topic]."""
    if topics == "judged":
        return np.ones(judged.shape, dtype=np.bool_)
    present = ~judged.missing
    if topics == "run":
        return present
    if topics == "both":
        return np.broadcast_to(present.all(axis=0), judged.shape)
    raise MensuraError(f"unknown topics={topics!r}; expected 'judged', 'run' or 'both'")
