"""HTML: text is escaped unless it is markup already."""

from __future__ import annotations

import html
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


ONE_PAGE = 50  # rows that fit on a printed page: a longer table is divided between rows, with its head repeated


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def escape(text: object) -> Markup:
    """Anything as HTML: markup as it is, other text with its special characters escaped."""
    return text if isinstance(text, Markup) else Markup(html.escape(str(text)))


def join(parts: Iterable[object]) -> Markup:
    """Parts one after the other."""
    return Markup("".join(map(escape, parts)))


def tag(name: str, *children: object, **attributes: str | bool) -> Markup:
    """An element. ``class_`` is class, ``data_x`` is data-x; True gives an attribute without a value."""
    words = [name]
    for key, value in attributes.items():
        label = key.rstrip("_").replace("_", "-")
        if value is True:
            words.append(label)
        elif value is not False:
            words.append(f'{label}="{html.escape(value)}"')
    return Markup(f"<{' '.join(words)}>{join(children)}</{name}>")


def subscript(text: object) -> Markup:
    """Text in which τ_b has a true subscript."""
    return Markup(escape(text).replace("τ_b", "τ<sub>b</sub>"))


def column(text: object, *, number: bool = True, sort: bool = False, span: int = 1, help_: str = "") -> Markup:
    """The heading of a column; one that can be sorted says so to the script."""
    attributes: dict[str, str | bool] = {"scope": "colgroup" if span > 1 else "col"}
    if span > 1:
        attributes["colspan"] = str(span)
    if number:
        attributes["class_"] = "n"
    if sort:
        attributes["data_sort"] = "number" if number else "text"
    if help_:
        attributes["title"] = help_
    return tag("th", text, **attributes)


def table(
    caption: object,
    head: Sequence[Sequence[Markup]],
    rows: Iterable[Sequence[object]],
    *,
    left: int = 1,
    header: int = 0,
    class_: str = "",
    region: str = "",
) -> Markup:
    """A table. The first ``left`` columns are text; column ``header`` names the row. It scrolls by itself where it is too large."""
    body: list[Markup] = []
    for cells in rows:
        made = [
            tag("th", cell, scope="row") if at == header else tag("td", cell, class_="n") if at >= left else tag("td", cell)
            for at, cell in enumerate(cells)
        ]
        body.append(tag("tr", *made))
    heading = tag("thead", *(tag("tr", *line) for line in head))
    whole = tag("table", tag("caption", caption), heading, tag("tbody", *body), class_=class_)
    kind = "scroll long" if len(body) > ONE_PAGE else "scroll"
    return tag("div", whole, class_=kind, tabindex="0", role="region", aria_label=region or str(caption))


def data(value: Any) -> Markup:
    """A value as JSON that may stand in a script element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return Markup(text)
