"""Cross-validated choices among variants: for a terminal, csv and JSON."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mensura.render.numbers import fixed, percent, span
from mensura.render.tables import Table, as_text, csv_text, json_text
from mensura.render.text import wrap

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mensura.stats.validation import Choice

SHOWN = 10  # variants that a table names


def as_table(choices: Sequence[Choice]) -> str:
    """Per measure: honest and apparent value, the effect of the split, and the variants that were chosen."""
    return "\n".join(map(_text, choices))


def _text(choice: Choice) -> str:
    validation = choice.validation
    repeats, folds = validation.by_fold.shape
    value = partial(fixed, decimals=4)
    numbers = Table(
        ["", choice.measure],
        [
            ("honest: chosen on other topics", value(validation.score)),
            ("apparent: chosen and tested on all topics", value(validation.apparent)),
            ("optimism of the apparent value", value(validation.optimism)),
            ("standard deviation between splits", value(validation.split_deviation)),
            ("single folds as hold-out", span(validation.holdout)),
        ],
        align="lr",
    )
    chosen = Table(["variant", "chosen"], [(name, share) for name, share in choice.chosen[:SHOWN]], formats=[None, percent])
    more = f"… and {len(choice.chosen) - SHOWN} more\n" if len(choice.chosen) > SHOWN else ""
    apparent = value(validation.apparent)
    said = wrap(
        f"{choice.best} has the best mean over all {choice.topics} topics; report the honest value, not its {apparent} (P3 2.5).",
        "",
    )
    head = f"{len(choice.names)} variants, {choice.topics} topics, {folds} folds, {repeats} repetitions"
    return f"{head}\n\n{as_text(numbers)}\n{as_text(chosen)}{more}\n{said}\n"


def as_csv(choices: Sequence[Choice]) -> str:
    """A line for each test fold."""
    columns = ("measure", "repeat", "fold", "chosen", "score")
    return csv_text(columns, [tuple(row[column] for column in columns) for choice in choices for row in choice.rows()])


def as_json(choices: Sequence[Choice]) -> str:
    """All numbers."""
    documents = []
    for choice in choices:
        summary = {"optimism": choice.validation.optimism, "split_deviation": choice.validation.split_deviation}
        documents.append({**choice.to_dict(), **summary})
    return json_text({"choices": documents})


LAYOUTS: dict[str, Callable[[Sequence[Choice]], str]] = {"table": as_table, "csv": as_csv, "json": as_json}
