"""The facts that a measure knows about itself, below its docstring; and docstrings as they were meant."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from sphinx.util.docstrings import prepare_docstring

from mensura.measures import IPrec, Measure, NumRel, parse_measure, trec_eval_name
from mensura.measures.geometric import Aggregated
from mensura.measures.trec_eval import TREC_EVAL

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

AGGREGATIONS = {
    "mean": "the mean",
    "sum": "the sum; the mean in comparisons",
    "geometric mean": "the geometric mean",
    "median": "the median",
}


def fields(cls: type[Measure]) -> list[tuple[str, str]]:
    """Names and texts of the facts."""
    plain = parse_measure(cls.example) if issubclass(cls, Aggregated) else cls()
    cut = plain if cls is NumRel else plain @ (0.1 if cls is IPrec else 10)
    low, high = plain.range
    trec_eval = [*(name for name, measure in TREC_EVAL.items() if type(measure) is cls), trec_eval_name(cut)]
    facts = [
        ("Names", f"``{plain}``, ``{cut}``"),
        ("Range", f"{'−∞' if math.isinf(low) else f'{low:g}'} to {'∞' if math.isinf(high) else f'{high:g}'}"),
        ("Better", plain.direction),
        ("Recall base", "the value depends on it" if plain.uses_recall_base else "the value does not depend on it"),
        ("Over topics", AGGREGATIONS[plain.aggregation]),
        ("In trec_eval", ", ".join(f"``{name}``" for name in dict.fromkeys(trec_eval) if name) or "–"),
        ("Reference", plain.reference),
    ]
    return [(name, text) for name, text in facts if text]


def improve(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:  # noqa: ARG001, PLR0917
    """Appends the facts to the docstring of a measure, and undoes two things that napoleon does.

    It takes what stands before a colon in the docstring of a property for a type, and two names before one text for one name.
    """
    if what == "property":
        lines[:] = prepare_docstring(obj.__doc__ or "")
    elif what == "class":
        lines[:] = [each for line in lines for each in _one_name_each(line)]
        if issubclass(obj, Measure) and obj is not Measure:
            lines += ["", *(f":{field}: {text}" for field, text in fields(obj)), ""]


def _one_name_each(line: str) -> list[str]:
    match = re.fullmatch(r":ivar ([^:]+):(.*)", line)
    return [f":ivar {variable}:{match[2]}" for variable in match[1].split(", ")] if match else [line]


def setup(app: Sphinx) -> ExtensionMetadata:
    """Listens to autodoc."""
    app.connect("autodoc-process-docstring", improve, priority=900)  # behind napoleon
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
