"""pytrec_eval's interface with Mensura's compiled core: ``from mensura import pytrec_eval``, or :func:`install` for other packages.

Names, keys, values and kinds of exceptions are those of pytrec_eval; NaN scores, whose place there is left to chance, are refused.
A measure that Mensura does not have under trec_eval's name is left to pytrec_eval itself, if that is installed.
"""

from __future__ import annotations

import math
import re
import sys
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from mensura._core.objects import Documents, judge_lists
from mensura.io.objects import Checks, checked_qrels, lists_table
from mensura.io.reading import Order
from mensura.measures.average_precision import AP
from mensura.measures.counts import NumRel, NumRelRet, NumRet
from mensura.measures.first import RR
from mensura.measures.gain import NDCG
from mensura.measures.geometric import GM
from mensura.measures.precision import P, R, Rprec, Success
from mensura.measures.programs import program

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

CUTOFFS = ("5", "10", "15", "20", "30", "100", "200", "500", "1000")
PLAIN: dict[str, Measure] = {
    "map": AP(),
    "gm_map": GM(AP()),
    "recip_rank": RR(),
    "Rprec": Rprec(),
    "ndcg": NDCG(),
    "num_ret": NumRet(),
    "num_rel": NumRel(),
    "num_rel_ret": NumRelRet(),
    "set_P": P(),
    "set_recall": R(),
}
CUT: dict[str, Measure] = {"P": P(), "recall": R(), "map_cut": AP(), "ndcg_cut": NDCG(), "success": Success()}
CONSTANT = {"num_q": 1.0, "runid": 0.0, "relstring": 0.0}
OFFICIAL = {
    "runid",
    "num_q",
    "num_ret",
    "num_rel",
    "num_rel_ret",
    "map",
    "gm_map",
    "Rprec",
    "bpref",
    "recip_rank",
    "iprec_at_recall",
    "P",
}
SETS = {
    "runid",
    "num_q",
    "num_ret",
    "num_rel",
    "num_rel_ret",
    "utility",
    "set_P",
    "set_relative_P",
    "set_recall",
    "set_map",
    "set_F",
}
supported_measures = {
    *OFFICIAL, *SETS, *CUT, "relstring", "Rprec_mult", "11pt_avg", "binG", "G", "Rndcg", "ndcg", "ndcg_rel", "relative_P", "infAP",
    "gm_bpref", "num_nonrel_judged_ret",
}  # fmt: skip
supported_nicknames = {"official": OFFICIAL, "set": SETS, "all_trec": supported_measures}


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
    import numpy as np

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
        Leave out documents without judgment (left to pytrec_eval itself).
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
        _check_judgments(judgments)
        self._native, other = _split(requested, relevance_level)
        if judged_docs_only_flag:
            self._native, other = {}, requested
        self._constants = {name: CONSTANT[name] for name in other if name in CONSTANT}
        rest = [_written(name, parameters) for name, parameters in other.items() if name not in self._constants]
        self._rest = _foreign(judgments, rest, relevance_level, only_judged=judged_docs_only_flag) if rest else None
        self._qrels = checked_qrels(lists_table(judgments, Checks("<dict>", graded=True))) if judgments else None
        self._free: list[tuple[Any, Documents, Documents]] = []
        if self._qrels is not None:
            compiled = program(list(self._native.values()), self._qrels, logarithms=True) if self._native else None
            self._program = compiled
            self._keys, self._topics = list(self._native), list(self._qrels.topics)

    def evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """Evaluate a run: {topic: {measure: value}}, for its topics that are judged."""
        if not scores or self._qrels is None:
            return {}
        run = scores if type(scores) is dict else dict(scores)
        if not all(isinstance(documents, dict) for documents in run.values()):
            raise TypeError("Unable to extract query/object scores.")
        if self._program is None:
            values: dict[str, dict[str, float]] = {topic: {} for topic in run if topic in self._qrels.table.numbers}
        else:
            memory = self._free.pop() if self._free else (Order(compat=COMPAT).judge(self._qrels), *_memory())
            judge, documents, name = memory
            judge.reset()
            judge_lists(judge, run, _name, _rows, documents, name)
            values = self._program.by_topic(judge, self._keys, self._topics)
            self._free.append(memory)
            if len(values) < len(run):
                self._add_empty(run, values)
        if self._rest is not None:
            for topic, others in self._rest.evaluate(run).items():
                values[topic].update(others)
        if self._constants:
            for each in values.values():
                each.update(self._constants)
        return values

    def _add_empty(self, run: Mapping[str, Any], values: dict[str, dict[str, float]]) -> None:
        """Add the judged topics that the run lists without documents."""
        if self._qrels is None or self._program is None:
            return
        for topic, documents in run.items():
            if not documents and topic in self._qrels.table.numbers:
                values[topic] = dict(zip(self._keys, self._program.empty(self._qrels.table.numbers[topic]), strict=True))


COMPAT: Any = "trec_eval-9"


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


def _check_judgments(judgments: Mapping[Any, Any]) -> None:
    if set(map(type, judgments)) <= {str} and set(map(type, judgments.values())) <= {dict}:
        grades = set(map(type, chain.from_iterable(map(dict.values, judgments.values()))))
        if grades <= {int} and set(map(type, chain.from_iterable(judgments.values()))) <= {str}:
            return  # as usual; what follows takes its time to name the fault
    for topic, documents in judgments.items():
        if not isinstance(topic, str):
            raise TypeError("Expected string as key.")
        if not isinstance(documents, dict):
            raise TypeError("Expected dictionary as value.")
        if not all(issubclass(kind, int) for kind in set(map(type, documents.values()))):
            raise TypeError("Expected relevance to be integer.")
        if not all(issubclass(kind, str) for kind in set(map(type, documents))):
            raise TypeError("Expected mapping of document id to query relevance or matching score.")


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


def _split(requested: dict[str, set[str]], rel: int) -> tuple[dict[str, Measure], dict[str, set[str]]]:
    """Return the measures that Mensura computes, by their keys, and the other names with their parameters."""
    native: dict[str, Measure] = {}
    other: dict[str, set[str]] = {}
    for name, parameters in requested.items():
        if name in PLAIN and not parameters:
            native[name] = _at(PLAIN[name], rel)
        elif name in CUT and all(each.isdecimal() and int(each) > 0 for each in parameters):
            for each in parameters or (("1", "5", "10") if name == "success" else CUTOFFS):
                native[f"{name}_{each}"] = replace(_at(CUT[name], rel), cutoff=int(each))
        else:
            other[name] = parameters
    return native, other


def _at(measure: Any, rel: int) -> Any:
    if isinstance(measure, GM):
        return replace(measure, of=_at(measure.of, rel))
    return replace(measure, rel=rel) if hasattr(measure, "rel") else measure


def _written(name: str, parameters: set[str]) -> str:
    return f"{name}.{','.join(sorted(parameters))}" if parameters else name


def _foreign(judgments: Mapping[str, Any], measures: list[str], rel: int, *, only_judged: bool) -> Any:
    """Return pytrec_eval's own evaluator, for measures that are left to it."""
    try:
        from pytrec_eval_ext import RelevanceEvaluator as Foreign
    except ImportError:
        raise ValueError(f"unsupported measure {measures[0]}: it is left to pytrec_eval-terrier, which is not installed") from None
    return Foreign(query_relevance=judgments, measures=set(measures), relevance_level=rel, judged_docs_only_flag=only_judged)


def install() -> None:
    """Let ``import pytrec_eval`` give this module from now on, so that packages such as BEIR and MTEB use it unchanged."""
    here = sys.modules[__name__]
    before = sys.modules.get("pytrec_eval")
    sys.modules["pytrec_eval"] = here
    for module in list(sys.modules.values()):  # those that have imported it already
        names = getattr(module, "__dict__", {})  # asking a lazy module for the name itself would import, or warn
        if before is not None and names.get("pytrec_eval") is before:
            names["pytrec_eval"] = here
