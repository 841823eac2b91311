"""pytrec_eval's interface with Mensura's compiled core: ``from mensura import pytrec_eval``, or :func:`install` for other packages.

Names, keys, values and kinds of exceptions are those of pytrec_eval, which is not needed. Where pytrec_eval ends the process (a
cut-off of 0, gains as parameters, a topic whose grades are all negative) or leaves the order of documents to chance (NaN scores),
this is an error or has the value of Mensura's measure. Grades go from -127 to 127.
"""

from __future__ import annotations

import math
import re
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura._core.objects import Documents, judge_lists
from mensura.io.checks import Checks
from mensura.io.objects import checked_qrels, lists_table
from mensura.io.reading import Order
from mensura.measures.interpolated import IPrec, IPrec11
from mensura.measures.programs import Scorer
from mensura.measures.trec_eval import TREC_EVAL, trec_eval_lines
from mensura.measures.trec_eval_names import ABOUT_RUNS, ORDER, SETS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mensura.measures.base import Measure

__all__ = [
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "install",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]

NEWER = {"rbp", "rbp_resid", "unj"}  # of trec_eval 10; pytrec_eval is trec_eval 9
supported_measures = set(SETS["all_trec"]) - NEWER
supported_nicknames = {name: set(members) & supported_measures for name, members in SETS.items()}
CONSTANT = dict.fromkeys(ABOUT_RUNS, 0.0) | {"num_q": 1.0}
READ = {"11pt_avg", "set_F"}  # names of one measure whose parameters count
REFUSED = {"ndcg", "ndcg_rel", "Rndcg", "G", "utility"}  # names whose parameters end pytrec_eval, or give 0
LARGEST = 2**31 - 1
COMPAT: Any = "trec_eval-9"


def parse_run(f_run: Iterable[str]) -> dict[str, dict[str, float]]:
    """Parse the lines of a run: {topic: {document: score}}."""
    run: dict[str, dict[str, float]] = {}
    for line in f_run:
        topic, _, document, _, score, _ = line.strip().split()
        _once(run.setdefault(topic, {}), document)[document] = float(score)
    return run


def parse_qrel(f_qrel: Iterable[str]) -> dict[str, dict[str, int]]:
    """Parse the lines of judgments: {topic: {document: grade}}."""
    qrel: dict[str, dict[str, int]] = {}
    for line in f_qrel:
        topic, _, document, grade = line.strip().split()
        _once(qrel.setdefault(topic, {}), document)[document] = int(grade)
    return qrel


def _once(documents: dict[str, Any], document: str) -> dict[str, Any]:
    if document in documents:
        raise AssertionError(f"document {document!r} is listed twice for its topic")
    return documents


def compute_aggregated_measure(measure: str, values: list[float]) -> float:
    """Return one value for several topics: the sum of counts, the geometric mean of ``gm_`` measures, else the mean."""
    if measure.startswith("num_"):
        return float(np.sum(values))
    if measure.startswith("gm_"):
        return float(np.exp(np.sum(values) / len(values)))
    return float(np.mean(values))


class RelevanceEvaluator:
    """Judgments and measures, prepared once.

    Parameters
    ----------
    query_relevance
        {topic: {document: grade}}.
    measures
        Names of trec_eval's measures, with parameters as ``P_5``, ``P.5`` or ``P.5,10``, or sets of them (``official``).
    relevance_level
        The lowest grade that counts as relevant.
    judged_docs_only_flag
        Leave out documents without judgment.
    """

    def __init__(
        self,
        query_relevance: Mapping[str, Mapping[str, int]],
        measures: Iterable[str],
        relevance_level: int = 1,
        judged_docs_only_flag: bool = False,  # noqa: FBT001, FBT002 - as pytrec_eval has it
    ) -> None:
        requested = _combined(measures)
        judgments = {topic: documents for topic, documents in query_relevance.items() if len(documents) > 0}
        _check_options(relevance_level, judged_docs_only_flag)
        if not all(issubclass(kind, dict) for kind in {*map(type, judgments.values())}):
            raise TypeError("Expected dictionary as value.")
        self._measures, self._constants = _measures(requested, relevance_level)
        self._level = relevance_level
        self._interpolated = {
            key: (each.recall,) if isinstance(each, IPrec) else each.levels
            for key, each in self._measures.items()
            if isinstance(each, IPrec | IPrec11)
        }
        self._hidden = bool(self._interpolated) and "num_ret" not in self._measures
        if self._hidden:
            self._measures["num_ret"] = TREC_EVAL["num_ret"]
        self._keys = list(self._measures)
        usual = Documents(text_only=True, whole=True)
        self._qrels = checked_qrels(lists_table(judgments, _Judgments("<dict>", graded=True), usual)) if judgments else None
        self._free: list[tuple[Any, Documents, Documents]] = []
        self._order = Order(compat=COMPAT)
        if self._qrels is not None:
            options: Any = {"judged_only": bool(judged_docs_only_flag), "logarithms": True}
            self._scorer = Scorer(list(self._measures.values()), self._qrels, self._order, **options)

    def evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """Evaluate a run: {topic: {measure: value}}, for its topics that are judged."""
        if not scores:
            return {}
        if not isinstance(scores, dict):
            raise TypeError("Argument object scores should be of type dictionary.")
        if not all(isinstance(documents, dict) for documents in scores.values()):
            raise TypeError("Unable to extract query/object scores.")
        if self._qrels is None:
            return {}
        memory = self._free.pop() if self._free else (self._order.judge(self._qrels), *_memory())
        judge, documents, name = memory
        judge.reset()
        judge_lists(judge, scores, _name, _rows, documents, name)
        values = self._scorer.by_topic(judge, self._keys)
        self._free.append(memory)
        numbers = self._qrels.table.numbers
        if len(values) < len(scores):
            empty = [topic for topic, documents in scores.items() if not documents and topic in numbers]
            rows = self._scorer.empty([numbers[topic] for topic in empty]).T.tolist()
            values.update((topic, dict(zip(self._keys, row, strict=True))) for topic, row in zip(empty, rows, strict=True))
        if self._interpolated:
            self._spoil(values)
        if self._constants:
            for each in values.values():
                each.update(self._constants)
        return values

    def _spoil(self, values: dict[str, dict[str, float]]) -> None:
        """Set interpolated precision to NaN where trec_eval 9 divides 0 by 0: in lists without documents, at counts of 0."""
        assert self._qrels is not None  # noqa: S101 - otherwise there are no values
        for topic, each in values.items():
            if each["num_ret"] == 0:
                base = int(self._qrels.recall_base[self._qrels.table.numbers[topic], self._level :].sum())
                for key, levels in self._interpolated.items():
                    if any(int(level * base + 0.9) == 0 for level in levels):
                        each[key] = math.nan
            if self._hidden:
                del each["num_ret"]


def _memory() -> tuple[Documents, Documents]:
    return Documents(text_only=True), Documents(text_only=True)


def _name(topic: object, _: int) -> bytes:
    if not isinstance(topic, str):
        raise TypeError("Unable to extract query/object scores.")
    return topic.encode("utf-8", "surrogateescape")


def _rows(_: object, documents: object, __: int) -> list[tuple[bytes, float]]:
    if not isinstance(documents, dict):
        raise TypeError("Unable to extract query/object scores.")
    rows = []
    for document, score in documents.items():
        name = _name(document, 0)
        if isinstance(score, str | bytes):
            raise TypeError("Unable to extract query/object scores.")
        number = float(score)
        if math.isnan(number):
            raise ValueError(f"the score of document {document!r} is NaN, which has no place in a ranking")
        rows.append((name, number))
    return rows


class _Judgments(Checks):
    """pytrec_eval's rules for judgments that are not plain strings and whole numbers."""

    def name(self, name: object, row: int, where: str = "") -> bytes | None:
        if not isinstance(name, str):
            raise TypeError("Expected string as key.")
        return super().name(name, row, where)

    def rows(self, topic: object, documents: object, row: int) -> list[tuple[bytes, float]]:
        if not isinstance(topic, str):
            raise TypeError("Expected string as key.")
        assert isinstance(documents, dict)  # noqa: S101 - checked by the constructor
        if not all(issubclass(kind, int) for kind in set(map(type, documents.values()))):
            raise TypeError("Expected relevance to be integer.")
        if not all(issubclass(kind, str) for kind in set(map(type, documents))):
            raise TypeError("Expected mapping of document id to query relevance or matching score.")
        return super().rows(topic, documents, row)


def _combined(measures: Iterable[str]) -> dict[str, set[str]]:
    """Return the names of measures, each with its parameters."""
    names: set[str] = set()
    for measure in measures:
        names |= supported_nicknames.get(measure, {measure})
    requested: dict[str, set[str]] = {}
    for name in names:
        if name in supported_measures:
            requested.setdefault(name, set())
            continue
        number = r"[0-9]+(?:\.[0-9]+)?"
        match = next(
            (
                match
                for each in supported_measures
                if (match := re.match(rf"({re.escape(each)})[._]({number}(?:,{number})*)", name))
            ),
            None,
        )
        if match is None:
            raise ValueError(f"unsupported measure {name}")
        requested.setdefault(match[1], set()).update(match[2].split(","))
    return requested


def _measures(requested: dict[str, set[str]], rel: int) -> tuple[dict[str, Measure], dict[str, float]]:
    """Return the measures by their keys, and the values of names that are not measures."""
    measures: dict[str, Measure] = {}
    for name in sorted(requested.keys() - CONSTANT.keys(), key=ORDER.index):
        parameters = sorted(requested[name])
        if name in TREC_EVAL and name not in READ:
            if parameters and name in REFUSED:
                raise ValueError(f"unsupported measure {name}.{','.join(parameters)}: pytrec_eval reads no parameters of {name}")
            parameters = []  # as trec_eval, which passes over them
        elif name == "set_F":
            parameters = parameters[:1]
        full = f"{name}.{','.join(parameters)}" if parameters else name
        for line in trec_eval_lines([full], lambda _: [], rel):
            assert line.measure is not None  # noqa: S101 - names about runs are constants
            measures[name if name in TREC_EVAL else line.label] = line.measure
    return measures, {name: CONSTANT[name] for name in requested if name in CONSTANT}


def _check_options(level: object, only_judged: object) -> None:
    if not isinstance(level, int) or not isinstance(only_judged, int) or level > LARGEST:
        raise TypeError("Expected object_relevance_per_qid dictionary and measures set.")
    if level < 1:
        raise TypeError("Argument relevance_level should be positive.")


def install() -> None:
    """Let ``import pytrec_eval`` give this module from now on, so that packages such as BEIR and MTEB use it unchanged."""
    here = sys.modules[__name__]
    before = sys.modules.get("pytrec_eval")
    sys.modules["pytrec_eval"] = here
    for module in list(sys.modules.values()):  # those that have imported it already
        names = getattr(module, "__dict__", {})  # asking a lazy module for the name itself would import, or warn
        if before is not None and names.get("pytrec_eval") is before:
            names["pytrec_eval"] = here
