"""Results as people look at them: a view has a title, sentences, tables and remarks, and every way to show a result starts from it.

Here it becomes text for a terminal; :mod:`mensura.render.notebook` makes HTML of it.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, cast

from mensura.render.numbers import NOTHING, clean, general
from mensura.render.tables import Table, View, as_text
from mensura.render.text import BOLD, YELLOW, paint, wrap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.result import Shown


def plain_view(shown: Shown) -> View:
    """The rows of a result in one table, or its fields if it has none."""
    try:
        rows = list(cast("Any", shown).rows())
    except (AttributeError, NotImplementedError):
        unsaved = getattr(shown, "unsaved", ())
        fields = [field.name for field in dataclasses.fields(cast("Any", shown)) if field.name not in unsaved]
        rows = [{"field": name, "value": getattr(shown, name)} for name in fields]
    name = type(shown).__name__
    header = list(rows[0]) if rows else []
    numbers = [all(isinstance(row[key], int | float) and not isinstance(row[key], bool) for row in rows) for key in header]
    table = Table(
        header,
        [list(row.values()) for row in rows],
        "".join("r" if number else "l" for number in numbers),
        [_shown if number else _short for number in numbers],
        caption=name,
    )
    return View(name, [table] if rows else [])


def _shown(number: float) -> str:
    return general(number, 4)


def _short(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(_short, value)) or NOTHING
    text = NOTHING if value is None else clean(str(value))
    return text if len(text) <= 60 else f"{text[:59]}…"  # noqa: PLR2004 - characters in a cell


def view_text(view: View) -> str:
    """A view for a terminal, without the line feed at its end."""
    return "\n".join(_blocks(view)).rstrip("\n")


def _blocks(view: View) -> Iterator[str]:
    """Paragraphs and tables, each with a line feed at its end."""
    head = [*([paint(view.title, BOLD)] if view.title else []), *(wrap(line, "  ") for line in view.lines)]
    if head:
        yield "\n".join(head) + "\n"
    yield from map(as_text, view.tables)
    if view.sentences:
        yield "".join(wrap(sentence, "") + "\n" for sentence in view.sentences)
    for part in view.parts:
        yield from _blocks(part)
    for remark in view.remarks:
        yield paint("! ", YELLOW) + wrap(remark, "  ") + "\n"
