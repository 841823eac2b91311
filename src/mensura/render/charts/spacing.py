"""Order and spacing of judged runs by measures (P4, Figure 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.errors import ScaleError
from mensura.render.charts.draw import BLUE, ORANGE, Description
from mensura.scales.order.hasse import RunOrder
from mensura.scales.order.runs import show_run
from mensura.scales.order.values import CLOSE, Subject
from mensura.scales.order.verdicts import Proven

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mensura.scales.proofs import Properties

MOST_RUNS, MOST_NAMED = 1 << 12, 16
NAMES = 4  # runs that are named beside one value


def spacing(subjects: Sequence[Properties]) -> Description:
    """A column per measure with a mark at each value, on the measure's own range; up to 16 runs are named beside them.

    The range shows what a measure leaves unused: RBP with p = .8 reaches .5904 at length 4 (P4, Figure 3f).
    """
    rows = [row for properties in subjects for row in _rows(properties)]
    named = all(RunOrder(properties.length, len(properties.grades) - 1).size <= MOST_NAMED for properties in subjects)
    order = [_title(properties) for properties in subjects]
    x = {"field": "measure", "type": "nominal", "sort": order, "axis": {"title": None, "labelAngle": 0, "orient": "top"}}
    y = {"field": "share", "type": "quantitative", "title": "value, as a proportion of the range"}
    colour = {
        "field": "equally spaced",
        "type": "nominal",
        "scale": {"domain": ["yes", "no"], "range": [BLUE, ORANGE]},
    }
    layers: list[Description] = [{"mark": {"type": "tick", "width": 26, "thickness": 2.5}, "encoding": {"color": colour}}]
    if named:
        layers.append(
            {
                "mark": {"type": "text", "align": "left", "dx": 18, "font": "monospace", "fontSize": 9, "color": "#444"},
                "encoding": {"text": {"field": "runs"}},
            }
        )
    return {
        "title": {"text": "How measures space judged runs", "subtitle": "equally spaced values are an interval scale"},
        "data": {"values": rows},
        "width": {"step": 190 if named else 80},
        "height": 420,
        "encoding": {"x": x, "y": y},
        "layer": layers,
    }


def _title(properties: Properties) -> str:
    measure = str(properties.measure)
    return measure if measure.endswith(f"@{properties.length}") else f"{measure} (N = {properties.length})"


def _top(properties: Properties, numbers: NDArray[np.float64]) -> float:
    """The largest value of the range; the largest of ``numbers`` if that is infinite, or if they are numerators."""
    low, high = properties.measure.range
    if low == 0 and high < float("inf") and not properties.measure.uses_recall_base:
        return high
    return float(np.abs(numbers).max()) or 1.0


def _rows(properties: Properties) -> list[dict[str, Any]]:
    order = RunOrder(properties.length, len(properties.grades) - 1)
    if order.size > MOST_RUNS:
        raise ScaleError(f"{order.size} runs are too many to draw: ask for a shorter length, at most {MOST_RUNS} runs")
    runs = list(order.runs())
    subject = Subject(properties.measure, properties.length, properties.grades)
    values = subject.values(np.array(runs))
    numbers = values.numbers.astype(np.float64) * subject.sense * float(values.scaled(1))
    largest = _top(properties, numbers)
    by_value: dict[int, list[int]] = {}
    for at, number in enumerate(numbers.tolist()):
        by_value.setdefault(round(number / largest / CLOSE), []).append(at)
    even = "yes" if isinstance(properties.equispaced, Proven) else "no"
    return [
        {
            "measure": _title(properties),
            "share": float(numbers[members[0]]) / largest,
            "equally spaced": even,
            "runs": " ".join(show_run(runs[at]) for at in members[:NAMES]) + (" …" if len(members) > NAMES else ""),
        }
        for members in by_value.values()
    ]
