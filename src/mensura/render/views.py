"""Results as people look at them: a view has a title, sentences, tables and remarks, and every way to show a result starts from it.

Here it becomes text for a terminal; :mod:`mensura.render.notebook` makes HTML of it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from mensura.render.numbers import NOTHING, clean, general
from mensura.render.tables import Table, View, as_text
from mensura.render.text import BOLD, YELLOW, paint, wrap
from mensura.result import Result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.result import Shown

FIRST = 6  # values of a list in a cell
WIDE = 60  # characters of a cell


def plain_view(shown: Shown) -> View:
    """The rows of a result in one table; without rows its fields, and below them the results that it contains."""
    name = type(shown).__name__
    if getattr(type(shown), "rows", Result.rows) is not Result.rows:
        return _rows_view(name, list(cast("Any", shown).rows()))
    unsaved = getattr(shown, "unsaved", ())
    fields = {
        field.name: getattr(shown, field.name) for field in dataclasses.fields(cast("Any", shown)) if field.name not in unsaved
    }
    parts = [_part(field, value) for field, value in fields.items() if _results(value)]
    long = {field: clean(value) for field, value in fields.items() if isinstance(value, str) and len(value) > WIDE}
    rows = [{"field": field, "value": value} for field, value in fields.items() if not _results(value) and field not in long]
    return _rows_view(name, rows)._replace(parts=parts, sentences=[f"{field}: {text}" for field, text in long.items()])


def _results(value: Any) -> bool:
    """Whether a field contains results: one, or several."""
    return isinstance(value, Result) or (
        isinstance(value, tuple) and bool(value) and all(isinstance(each, Result) for each in value)
    )


def _part(field: str, value: Any) -> View:
    """Results inside a result, titled with the name of the field: one with its own view, several as a table of their fields."""
    if isinstance(value, Result):
        return value.view()._replace(title=field)
    if getattr(type(value[0]), "rows", Result.rows) is not Result.rows:
        return _rows_view(field, [row for each in value for row in each.rows()])
    return _rows_view(field, [{one.name: getattr(each, one.name) for one in dataclasses.fields(each)} for each in value])


def _rows_view(title: str, rows: list[dict[str, Any]]) -> View:
    """Rows as one table; a column of numbers is aligned on the right."""
    header = list(rows[0]) if rows else []
    numbers = [all(isinstance(row[key], int | float) and not isinstance(row[key], bool) for row in rows) for key in header]
    table = Table(
        header,
        [list(row.values()) for row in rows],
        "".join("r" if number else "l" for number in numbers),
        [_shown if number else _short for number in numbers],
        caption=title,
    )
    return View(title, [table] if rows else [])


def _shown(number: float) -> str:
    return general(number, 4)


def _short(value: Any) -> str:
    """A value in a cell: of long lists and arrays the first ones, and their number."""
    text = _words(value)
    return text if len(text) <= WIDE else f"{text[: WIDE - 1]}…"


def _words(value: Any) -> str:
    if value is None:
        return NOTHING
    if isinstance(value, float):
        return _shown(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{clean(str(key))}: {_words(each)}" for key, each in value.items()) or NOTHING
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return " ".join(_words(getattr(value, field.name)) for field in dataclasses.fields(value))
    if isinstance(value, set | frozenset):
        value = tuple(sorted(value))
    shape = getattr(value, "shape", ())
    if len(shape) > 1:
        return f"{' × '.join(map(str, shape))} numbers"
    if shape or isinstance(value, tuple | list):
        each = [_words(one) for one in (value[:FIRST].tolist() if shape else value[:FIRST])]
        rest = f", … ({len(value)} in all)" if len(value) > FIRST else ""
        return ", ".join(each) + rest if each else NOTHING
    return clean(str(value))


def every_table(view: View) -> list[Table]:
    """The tables of a view and of its parts."""
    return [*view.tables, *(table for part in view.parts for table in every_table(part))]


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
