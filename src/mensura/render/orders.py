"""The partial order of judged runs, two runs in it, and two intervals, as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mensura.scales.order.hasse import MOST_LISTED, RunOrder
from mensura.scales.order.interval_like import rises
from mensura.scales.order.runs import (
    chain,
    chain_lengths,
    compare,
    covers,
    differences,
    first_excess,
    height,
    interval_precedes,
    length,
    prefix_counts,
    rank_based,
    set_based,
    show_run,
)
from mensura.scales.order.values import sign_of, subject_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from mensura.measures.base import Measure
    from mensura.scales.order.runs import Run
    from mensura.scales.order.values import Subject

RELATIONS = {(True, True): "equal", (True, False): "larger", (False, True): "smaller", (False, False): "incomparable"}


def order_facts(length: int, top: int) -> dict[str, Any]:
    """Return the size of the order of all runs of a length as plain data, and its runs if they are not too many to list."""
    order = RunOrder(length, top)
    document: dict[str, Any] = {
        "length": length,
        "top": top,
        "runs": order.size,
        "covers": order.cover_count,
        "comparable_pairs": order.comparable_pairs,
        "incomparable_pairs": order.incomparable_pairs,
        "shortest_chain": order.shortest_chain,
        "longest_chain": order.longest_chain,
        "order": None,
    }
    if order.size <= MOST_LISTED:
        document["order"] = [
            {
                "run": show_run(run),
                "height": height(run),
                "relevance": set_based(run),
                "rank_based": rank_based(run, top),
                "covered_by": [show_run(above) for above in covers(run, top)],
            }
            for run in sorted(order.runs(), key=lambda run: (height(run), run))
        ]
    return document


def pair_facts(r: Run, s: Run, measures: Sequence[Measure] = ()) -> dict[str, Any]:
    """Return the relation of two runs, the steps between them, and their values by measures as plain data."""
    relation = compare(r, s)
    document: dict[str, Any] = {"first": show_run(r), "second": show_run(s), "relation": relation}
    document["measures"] = [_values(subject_of(measure, r, s), r, s, relation) for measure in measures]
    if relation == "incomparable":
        more = [_more(r, s), _more(s, r)]
        return document | {"differences": None, "distance": None, "chain_lengths": None, "steps": None, "more": more}
    low, high = (r, s) if relation != "greater" else (s, r)
    steps = [{"kind": step.kind, "rank": step.rank, "lower": step.lower, "run": show_run(step.run)} for step in chain(low, high)]
    vectors, lengths = differences(low, high), chain_lengths(low, high)
    return document | {
        "differences": [list(vector) for vector in vectors],
        "distance": vectors[0][-1] if len(vectors) == 1 else None,
        "chain_lengths": None if lengths is None else list(lengths),
        "steps": steps,
        "more": None,
    }


def _values(subject: Subject, r: Run, s: Run, relation: str) -> dict[str, Any]:
    values = [subject.value(run) for run in (r, s)]
    sign = subject.sense * sign_of(values[0] - values[1], values)
    respects = {"less": sign <= 0, "equal": sign == 0, "greater": sign >= 0}.get(relation)
    better = {1: "first", -1: "second", 0: "neither"}[sign]
    return _measured(subject.measure) | {"values": [*map(float, values)], "better": better, "respects": respects}


def _measured(measure: Measure) -> dict[str, Any]:
    """The name of a measure, and whether its values are those before it divides by something of the recall base."""
    return {"measure": str(measure), "before_recall_base": measure.uses_recall_base}


def _more(r: Run, s: Run) -> dict[str, Any]:
    """The first prefix in which r has more documents of some grade or higher than s; P(rel=grade)@rank says so."""
    rank, grade = first_excess(r, s) or (0, 0)
    counts = [prefix_counts(run, grade)[rank - 1] for run in (r, s)]
    return {"run": show_run(r), "rank": rank, "grade": grade, "counts": counts}


def interval_facts(runs: list[Run], measures: Sequence[Measure] = (), weights: Sequence[Fraction] = ()) -> dict[str, Any]:
    """Return two intervals, of two runs each, and their relation as plain data; with their rises by measures, and lengths."""
    r, s, u, v = runs
    top = max(1, *map(max, runs))
    intervals = {"first": (r, s), "second": (u, v)}
    document: dict[str, Any] = {
        "relation": RELATIONS[interval_precedes((u, v), (r, s)), interval_precedes((r, s), (u, v))],
        "intervals": [
            {
                "interval": name,
                "low": show_run(low),
                "high": show_run(high),
                "differences": [list(vector) for vector in differences(low, high, top)],
                "length": float(length(low, high, weights)) if weights else None,
            }
            for name, (low, high) in intervals.items()
        ],
    }
    answers = [rises(measure, (r, s), (u, v)) for measure in measures]
    return document | {
        "measures": [
            _measured(answer.measure)
            | {"values": [*map(float, answer.values)], "rises": [*map(float, answer.rises)], "respects": answer.respects}
            for answer in answers
        ]
    }
