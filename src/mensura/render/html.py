"""HTML from plain values: elements, tables and figures. Text is escaped unless it is markup already."""

from __future__ import annotations

import base64
import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup, escape

from mensura.render.charts.draw import SCHEMA, THEME
from mensura.render.tables import Table, alignment, written

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mensura.render.charts.draw import Description

ONE_PAGE = 50  # rows that fit on a printed page: a longer table is divided between rows, with its head repeated
# The page has its own background, and a figure is announced as one image, not mark by mark. One weight means one font, and the
# same bytes each time: several fonts come into a PDF file in any order.
STYLE: Description = {
    **THEME,
    "background": None,
    "aria": False,
    "padding": 4,
    "axis": {**THEME["axis"], "titleFontWeight": "normal"},
    "legend": {**THEME["legend"], "titleFontWeight": "normal"},
}
RESOURCES = re.compile(rb"(/(?:XObject|ExtGState|Font|Pattern|Shading|ColorSpace) <<\n)((?: +/\w+ \d+ 0 R\n)+)")
NAMES = re.compile(r'(\bid="|url\(#|href="#)')


class Element(NamedTuple):
    """An element: its name, its content (text, markup, elements, tables, figures), and its attributes."""

    name: str
    content: Sequence[Any] = ()
    attributes: Mapping[str, str | bool] = {}


class Figure(NamedTuple):
    """A chart with its caption. ``name`` is unique in the page; ``chart`` is a description or an SVG file; ``below`` follows it."""

    name: str
    caption: str
    chart: Description | str
    below: Any = ""


def html(part: Any) -> Markup:
    """Return anything as HTML: elements, tables and figures as such, lists one part after the other, other values as text."""
    match part:
        case Markup():
            return part
        case Element(name, content, attributes):
            return tag(name, *map(html, content), **attributes)
        case Table():
            return as_html(part)
        case Figure():
            return figure(part)
        case list():
            return Markup("").join(map(html, part))
    return escape(part)


def tag(name: str, *children: Any, **attributes: str | bool) -> Markup:
    """Return an element. ``True`` gives an attribute without a value, ``False`` none; ``class_`` is class."""
    words = [name]
    for key, value in attributes.items():
        if value is True:
            words.append(key)
        elif value is not False:
            words.append(f'{key.rstrip("_")}="{escape(value)}"')
    return Markup(f"<{' '.join(words)}>{''.join(map(escape, children))}</{name}>")  # noqa: S704 - every part is escaped


def subscript(text: Any) -> Markup:
    """Return text, or any other part, as HTML in which τ_b has a true subscript."""
    return html(text).replace("τ_b", Markup("τ<sub>b</sub>"))


def as_html(table: Table) -> Markup:
    """Return a table; it scrolls by itself where it is too large."""
    align = alignment(table)
    head = [tag("tr", *(_heading(text, span=span) for text, span in table.above))] if table.above else []
    cells = [
        _heading(text, number=letter != "l", sort=at in table.sortable)
        for at, (text, letter) in enumerate(zip(table.header, align, strict=True))
    ]
    head.append(tag("tr", *cells))
    body = [tag("tr", *_cells(row, align, table.names)) for row in written(table, html)]
    whole = tag("table", tag("caption", table.caption), tag("thead", *head), tag("tbody", *body), class_=table.kind)
    kind = "scroll long" if len(body) > ONE_PAGE else "scroll"
    return tag("div", whole, class_=kind, tabindex="0", role="region", **{"aria-label": table.caption})


def _heading(text: str, *, number: bool = False, sort: bool = False, span: int = 1) -> Markup:
    """The heading of a column; one that can be sorted says so to the script."""
    attributes: dict[str, str | bool] = {"scope": "colgroup" if span > 1 else "col"}
    if span > 1:
        attributes["colspan"] = str(span)
    if number:
        attributes["class"] = "n"
    if sort:
        attributes["data-sort"] = "number" if number else "text"
    return tag("th", subscript(text), **attributes)


def _cells(row: Iterable[Any], align: str, names: int) -> Iterable[Markup]:
    for at, (cell, letter) in enumerate(zip(row, align, strict=True)):
        yield tag("th", cell, scope="row") if at == names else tag("td", cell, **({} if letter == "l" else {"class": "n"}))


def figure(part: Figure) -> Markup:
    """Return a figure: drawn for paper and for browsers without scripts, described for the page's script, with links to save it."""
    import vl_convert

    live: Markup | str = ""
    if isinstance(part.chart, str):
        svg = part.chart
    else:
        described = {key: value for key, value in part.chart.items() if key != "title"}  # the caption says it
        full = {"config": STYLE, **described}
        svg = vl_convert.vegalite_to_svg({"$schema": SCHEMA, **full})
        live = tag("script", data(full), type="application/json")
    pdf = base64.b64encode(settled(vl_convert.svg_to_pdf(svg))).decode()
    named = Markup(NAMES.sub(rf"\g<1>{part.name}-", svg))  # noqa: S704 - drawn by vl-convert
    static = tag("div", named, class_="static", role="img", **{"aria-labelledby": f"{part.name}-caption"})
    region = {"tabindex": "0", "role": "region", "aria-label": f"chart {part.name}, scrolls if it is wide"}
    link = tag("a", "PDF", href=f"data:application/pdf;base64,{pdf}", download=f"{part.name}.pdf")
    return tag(
        "figure",
        tag("div", static, live, class_="chart", **region),
        html(part.below),
        tag("figcaption", subscript(part.caption), id=f"{part.name}-caption"),
        tag("p", "Save as ", link, class_="save"),
        id=part.name,
    )


def settled(pdf: bytes) -> bytes:
    """Return a PDF file with its lists of resources sorted, which come in any order. No offset changes."""
    return RESOURCES.sub(lambda lists: lists[1] + b"".join(sorted(lists[2].splitlines(keepends=True))), pdf)


def data(value: Any) -> Markup:
    """Return a value as JSON that a script element can contain."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return Markup(text)  # noqa: S704 - escaped just above
