"""The partial order of judged runs, two runs in it, and two intervals, as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mensura.scales.order.hasse import MOST_LISTED, RunOrder
from mensura.scales.order.runs import chain, compare, covers, difference, height, natural_distance, rank_based, set_based, show_run

if TYPE_CHECKING:
    from mensura.scales.order.runs import Run


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
        "longest_chain": order.tallest,
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


def pair_facts(r: Run, s: Run) -> dict[str, Any]:
    """Return the relation of two runs and the steps between them as plain data."""
    relation = compare(r, s)
    document: dict[str, Any] = {"first": show_run(r), "second": show_run(s), "relation": relation}
    if relation == "incomparable":
        return document | {"difference": None, "distance": None, "steps": None}
    low, high = (r, s) if relation != "greater" else (s, r)
    steps = [{"kind": step.kind, "rank": step.rank, "run": show_run(step.run)} for step in chain(low, high)]
    return document | {"difference": list(difference(low, high)), "distance": natural_distance(low, high), "steps": steps}


def interval_facts(runs: list[Run]) -> dict[str, Any]:
    """Return two intervals, of two runs each, and their relation as plain data."""
    r, s, u, v = runs
    one, other = difference(r, s), difference(u, v)
    larger = all(a >= b for a, b in zip(one, other, strict=True))
    smaller = all(a <= b for a, b in zip(one, other, strict=True))
    relation = "equal" if larger and smaller else "larger" if larger else "smaller" if smaller else "incomparable"
    return {
        "relation": relation,
        "rows": [
            ("first", show_run(r), show_run(s), ", ".join(map(str, one))),
            ("second", show_run(u), show_run(v), ", ".join(map(str, other))),
        ],
    }
