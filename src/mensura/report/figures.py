"""Figures: drawn once for paper and for browsers without scripts, and again by the page's script, where they answer."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mensura.render.charts.draw import SCHEMA, THEME
from mensura.render.markup import Markup, data, join, tag

if TYPE_CHECKING:
    from mensura.render.charts.draw import Description

# The page has its own background, and a figure is announced as one picture, not mark by mark. One weight means one font, and the
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


@dataclass(frozen=True, eq=False)
class Figure:
    """A chart with its caption. ``name`` is unique in the page."""

    name: str
    caption: str
    description: Description


def draw(figure: Figure) -> Markup:
    """The figure: the drawn chart, its description for the script, and links that save it."""
    import vl_convert

    described = {key: part for key, part in figure.description.items() if key != "title"}  # the caption says it
    full = {"config": STYLE, **described}
    svg = vl_convert.vegalite_to_svg({"$schema": SCHEMA, **full})
    return framed(figure.name, figure.caption, svg, live=tag("script", data(full), type="application/json"))


def settled(pdf: bytes) -> bytes:
    """A PDF file whose lists of resources are sorted: they come in any order. Nothing else moves, so that offsets stay right."""
    return RESOURCES.sub(lambda found: found[1] + b"".join(sorted(found[2].splitlines(keepends=True))), pdf)


def framed(name: str, caption: object, svg: str, *, live: object = "", more: object = "") -> Markup:
    """An SVG picture as a figure with a caption and links."""
    import vl_convert

    pdf = base64.b64encode(settled(vl_convert.svg_to_pdf(svg))).decode()
    named = NAMES.sub(rf"\g<1>{name}-", svg)
    picture = tag("div", Markup(named), class_="static", role="img", aria_labelledby=f"{name}-caption")
    links = tag(
        "p",
        "Save as ",
        tag("a", "PDF", href=f"data:application/pdf;base64,{pdf}", download=f"{name}.pdf"),
        class_="save",
    )
    return tag(
        "figure",
        tag(
            "div",
            picture,
            join([live]),
            class_="chart",
            tabindex="0",
            role="region",
            aria_label=f"chart {name}, scrolls if it is wide",
        ),
        join([more]),
        tag("figcaption", caption, id=f"{name}-caption"),
        links,
        id=name,
    )
