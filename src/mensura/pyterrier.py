"""PyTerrier's experiment with Mensura's comparison: :func:`Experiment` takes pipelines and frames of results."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mensura.errors import MOST_NAMED, InputError, IntakeError, StatisticsError, suggest
from mensura.evaluation.evaluation import evaluated, warn
from mensura.io.checks import Checks
from mensura.io.columns import Run, system_name
from mensura.io.intake import Faults, intake_error
from mensura.io.objects import held_frame
from mensura.io.read import read_qrels
from mensura.measures.names import parse_measures
from mensura.stats.comparison import compare
from mensura.stats.methods import choose_correction, choose_test

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mensura.io.columns import Qrels
    from mensura.measures.base import Measure
    from mensura.stats.compared import Comparisons

__all__ = ["Experiment"]

RESULTS = {"topic": "qid", "document": "docno", "score": "score"}
JUDGMENTS = {"topic": "qid", "document": "docno", "grade": "label"}
ADDRESS = re.compile(r"<(?:function )?(?:\S*\.)?([^\s.]+)(?: object)? at 0x[0-9A-Fa-f]+>")
"""The text of an object that has none of its own: an address would be another name in every process."""
JUDGING = ("compat", "ties", "drop_self")
OPTIONS = {*inspect.signature(compare).parameters} - {"qrels", "runs", "measures", "topics", "ranks"}
ELSEWHERE = {
    "eval_metrics": "measures are the fourth argument",
    "perquery": "the result's evaluation.to_pandas() has the values of all topics",
    "round": "the result's leaderboard().to_pandas(wide=True).round(4) does it",
    "correction_alpha": "alpha= is the level of significance",
}
"""Options of PyTerrier that have another form here."""


def Experiment(
    systems: Sequence[Any] | Mapping[str, Any],
    topics: Any,
    qrels: Any,
    measures: str | Measure | Iterable[str | Measure],
    *,
    names: Sequence[str] | None = None,
    baseline: int | str | Sequence[int | str] | None = None,
    test: str = "auto",
    correction: str = "auto",
    alpha: float = 0.05,
    **options: Any,
) -> Comparisons:
    """Run PyTerrier's pipelines on topics and compare their results; all pairs and measures are one family of tests.

    The judged topics of ``topics`` count, and one that a system returns nothing for counts as an empty list, as in PyTerrier.
    Means of trec_eval's measures are PyTerrier's, which orders scores as 32-bit floats (``compat="trec_eval-9"``).

    Parameters
    ----------
    systems
        Transformers (objects with ``transform``, or functions from a frame to a frame) and frames of results with the columns
        ``qid``, ``docno`` and ``score``, in a list or in a dict by name.
    topics
        A pandas data frame with the column ``qid`` and those that the transformers read.
    qrels
        A pandas data frame with the columns ``qid``, ``docno`` and ``label``.
    measures
        Measures of Mensura or of PyTerrier (``pt.measures``), or their names.
    names
        Names of the systems, in the order of a list; by default the texts of the transformers.
    baseline
        Compare all systems with this one only, or with each of several: the index in ``systems``, from 0, or the name. By default
        all pairs are compared.
    test, correction, alpha
        As in :func:`mensura.compare`.
    options
        Further options of :func:`mensura.compare`.

    Examples
    --------
    >>> import pandas as pd
    >>> topics = pd.DataFrame({"qid": ["1", "2", "3"], "query": ["a", "b", "c"]})
    >>> qrels = pd.DataFrame({"qid": ["1", "2", "3"], "docno": ["d1", "d2", "d3"], "label": [1, 1, 2]})
    >>> def first(topics):
    ...     return topics.assign(docno="d1", score=1.0)
    >>> found = pd.DataFrame({"qid": ["1", "2", "3"], "docno": ["d1", "d2", "d3"], "score": 1.0})
    >>> c = Experiment([first, found], topics, qrels, ["recip_rank", "P_1"], names=["first", "found"], baseline=0, test="sign")
    >>> [(each.system, round(each.mean, 4)) for each in c.leaderboard()[:2]]
    [('found', 1.0), ('first', 0.3333)]
    """
    if unknown := sorted(options.keys() - OPTIONS):
        instead = ELSEWHERE.get(unknown[0]) or suggest(unknown[0], sorted(OPTIONS))
        raise StatisticsError(f"unknown option {unknown[0]!r}; {instead}")
    # Pipelines may take hours; everything that can be wrong without them is checked before.
    parsed = parse_measures(measures)
    choose_correction(choose_test(test, correction), correction)
    named = _named(systems, names)
    baselines = None if baseline is None else [_baseline(each, list(named)) for each in _listed(baseline)]
    _check(topics, ["qid"], "topics")
    judgments = _judgments(qrels, topics)
    runs = [_run(name, system, topics) for name, system in named.items()]
    judging: dict[str, Any] = {"compat": "trec_eval-9"} | {name: options.pop(name) for name in JUDGING if name in options}
    try:
        evaluation = evaluated(judgments, runs, parsed, threads=options.get("threads"), **judging)
    except IntakeError as error:  # systems are not left out here
        raise intake_error([Faults(error.faults, error.count)], skippable=False, what="system") from None
    warn(evaluation, 3)
    return compare(evaluation, baseline=baselines, test=test, correction=correction, alpha=alpha, **options)


def _named(systems: Sequence[Any] | Mapping[str, Any], names: Sequence[str] | None) -> dict[str, Any]:
    """Return the systems by name."""
    if isinstance(systems, Mapping):
        if names is not None:
            raise InputError("the keys of a dict of systems are their names; leave names= out, or give a list")
        names, systems = list(systems), list(systems.values())
    elif not isinstance(systems, list | tuple):
        raise InputError(f"expected a list or a dict of systems, got {type(systems).__name__}; write e.g. [bm25, dense]")
    if len(systems) < 2:  # noqa: PLR2004 - a pair needs two
        raise InputError(f"expected at least 2 systems, got {len(systems)}")
    if names is None:
        names = [_own_name(system, at) for at, system in enumerate(systems)]
    elif isinstance(names, str) or len(names) != len(systems):
        got = repr(names) if isinstance(names, str) else str(len(names))
        raise InputError(f"names= needs one name for each of the {len(systems)} systems, got {got}")
    named: dict[str, Any] = {}
    for name, system in zip(map(str, names), systems, strict=True):
        if name in named:
            raise InputError(f"two systems are called {name!r}; tell them apart with names=")
        named[name] = system
    return named


def _own_name(system: Any, at: int) -> str:
    """Return the text of a transformer, without addresses."""
    if _is_frame(system):
        raise InputError(f"systems[{at}] is a data frame, which has no name; name all systems with names=, or give a dict")
    return ADDRESS.sub(r"\1", str(system))


def _listed(baseline: int | str | Sequence[int | str]) -> Sequence[int | str]:
    return baseline if isinstance(baseline, Sequence) and not isinstance(baseline, str) else [baseline]


def _baseline(one: Any, names: list[str]) -> str:
    """Return the name of a baseline; :func:`mensura.compare` would not know its index."""
    if isinstance(one, str):
        if one not in names:
            raise StatisticsError(f"unknown baseline {one!r}; {suggest(one, names)}")
        return one
    if isinstance(one, bool) or not hasattr(one, "__index__"):
        raise StatisticsError(f"a baseline is the index or the name of a system, got {one!r}; write e.g. 0 or {names[0]!r}")
    if not 0 <= one < len(names):
        raise StatisticsError(f"there is no system {one}; a baseline is an index from 0 to {len(names) - 1}, or a name")
    return names[one]


def _run(name: str, system: Any, topics: Any) -> Run:
    """Return the results of a system."""
    frame = system
    if not _is_frame(system):
        answer = getattr(system, "transform", system)
        if not callable(answer):
            raise InputError(f"expected a transformer or a data frame of results, got {type(system).__name__}", source=name)
        try:
            frame = answer(topics)
        except Exception as error:
            raise InputError(f"the transformer failed: {type(error).__name__}: {error}", source=name) from error
    _check(frame, list(RESULTS.values()), name)
    if not len(frame):
        raise InputError(f"there are no results for {len(topics)} topics; leave this system out", source=name)
    return Run(system_name(name), held_frame(frame, Checks(name, graded=False), RESULTS))


def _judgments(qrels: Any, topics: Any) -> Qrels:
    """Return the judgments of the topics."""
    _check(qrels, list(JUDGMENTS.values()), "qrels")
    judgments = read_qrels(qrels, columns=JUDGMENTS)  # all of them: a fault is reported with its row
    asked, judged = {str(topic) for topic in topics["qid"]}, {*judgments.topics}
    if judged <= asked:
        return judgments
    if not judged & asked:
        shown = [", ".join(sorted(each)[:3]) or "none" for each in (asked, judged)]
        raise InputError(f"no topic is judged; the qids are {shown[0]} here and {shown[1]} in qrels", source="topics")
    return read_qrels(qrels[qrels["qid"].astype(str).isin(asked)], columns=JUDGMENTS)


def _is_frame(thing: Any) -> bool:
    """Whether an object is a data frame of pandas, which has a method ``transform`` too."""
    return hasattr(thing, "loc") and hasattr(thing, "columns")


def _check(frame: Any, columns: list[str], source: str) -> None:
    if not _is_frame(frame):
        raise InputError(
            f"expected a pandas data frame with the columns {', '.join(columns)}, got {type(frame).__name__}", source=source
        )
    missing = [name for name in columns if name not in frame.columns]
    if missing:
        there = [str(name) for name in frame.columns]
        shown = f"{', '.join(there[:MOST_NAMED])}{', …' if len(there) > MOST_NAMED else ''}" or "none"
        raise InputError(f"there is no column {missing[0]!r} among {shown}; expected {', '.join(columns)}", source=source)
