"""Plans: what is not written down before the experiment."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from mensura.errors import InputError
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

# What a plan must say: the rule that speaks of it, what it is called (any of these), and what is missing.
WANTED = (
    ("M601", ("hypotheses", "hypothesis"), "no hypotheses"),
    ("M701", ("correction", "corrections"), "no correction"),
    (
        "M801",
        ("smallest_effect", "smallest_effect_of_interest", "sesoi", "effect", "minimum_effect"),
        "no smallest effect of interest",
    ),
    ("M901", ("seed", "seeds"), "no seed"),
    ("M901", ("goal", "research_goal", "purpose"), "no goal"),
    ("M602", ("systems", "runs"), "no systems"),
)
PLANNED = {
    "hypothesis", "hypotheses", "smallest_effect", "smallest_effect_of_interest", "sesoi", "minimum_effect", "primary", "primary_measure",
    "primary_measures", "secondary_measures", "correction", "corrections", "test", "tests", "systems", "research_goal", "goal", "alpha",
}  # fmt: skip
MEASURES = ("primary", "primary_measure", "primary_measures", "measures", "secondary", "secondary_measures")


def check_plan(text: str, source: str) -> Iterator[Hit]:
    """Yield the hits in a plan: missing parts, and measures that it should not average."""
    import tomllib

    try:
        tables = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"is not valid TOML: {error}", source=source) from error
    values = dict(_flat(tables))
    if not is_plan(values):
        return  # settings of some program
    for code, names, lack in WANTED:
        name = next((name for name in names if name in values), None)
        if name is None:
            yield Hit(code, 0, min(1, len(text)), f"{lack} in the plan")
        elif values[name] in ("", [], {}) or (name.startswith("correction") and values[name] == "none"):
            yield Hit(code, *_where(text, name), f"{lack} in the plan")
    if values.get("folds") in (0, 1):  # a plan that trains nothing needs no folds
        yield Hit("M501", *_where(text, "folds"), "one fold is one split")
    yield from _measures(text, values)


def is_plan(values: dict[str, Any]) -> bool:
    """Return whether a TOML file is a plan: it names at least two of a plan's own keys, or hypotheses."""
    return "hypotheses" in values or len(PLANNED & values.keys()) > 1


def _flat(table: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        yield key.replace("-", "_").lower(), value
        if isinstance(value, dict):
            yield from _flat(value)


def _where(text: str, name: str) -> tuple[int, int]:
    """Return the span of a key."""
    match = re.search(rf"^[ \t]*\[*[ \t]*({name.replace('_', '[-_]')})\b", text, re.MULTILINE | re.IGNORECASE)
    return match.span(1) if match is not None else (0, min(1, len(text)))


def _measures(text: str, values: dict[str, Any]) -> Iterator[Hit]:
    from mensura.errors import MensuraError
    from mensura.measures.names import parse_measure
    from mensura.scales.facts import scale_facts
    from mensura.scales.types import INTERVAL
    from mensura.stats.methods import DEFAULT_TEST, find_method

    interval = values.get("scale") == "interval"
    test = str(values.get("test", "auto"))
    try:
        demanding = find_method(DEFAULT_TEST if test == "auto" else test).scale == "interval"
    except MensuraError:  # a test of somebody else's
        demanding = False
    for key in MEASURES:
        names = values.get(key, [])
        for name in [names] if isinstance(names, str) else names if isinstance(names, list) else []:
            try:
                measure = parse_measure(str(name))
            except MensuraError:
                continue
            code = measure.mistake
            if code is not None and not (interval and code != "M201"):
                yield Hit(code, *_where(text, key), f"the plan names {measure}")
            if measure.uses_recall_base and measure.aggregation != "sum":
                code = "M105" if measure.name != "nDCG" else "M106"
                yield Hit(code, *_where(text, key), f"{measure} depends on the recall base")
            if measure.uses_length:
                yield Hit("M104", *_where(text, key), f"{measure} has no cut-off")
            if demanding and not interval and scale_facts(measure).scale < INTERVAL:
                yield Hit("M103", *_where(text, key), f"{measure} with the test {test}")
