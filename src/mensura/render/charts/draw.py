"""From a Vega-Lite description to a file; and the JavaScript that draws descriptions in a page."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from mensura.errors import MensuraError
from mensura.io.writing import write_whole
from mensura.render.escapes import script_json

if TYPE_CHECKING:
    from pathlib import Path

Description = dict[str, Any]

FORMATS = (".svg", ".png", ".pdf", ".html")
SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
BLUE, ORANGE, GREY, GREEN, RED = "#2f6db3", "#d97706", "#8a8f98", "#2e8b57", "#c0392b"
THEME: Description = {
    "background": "white",
    "font": "Helvetica, Arial, sans-serif",
    "padding": 12,
    "title": {"fontSize": 14, "fontWeight": 600, "anchor": "start", "offset": 10, "subtitleFontSize": 11, "subtitleColor": "#555"},
    "axis": {"labelFontSize": 11, "titleFontSize": 12, "titleFontWeight": 500, "gridColor": "#e8e8e8", "domainColor": "#888"},
    "legend": {"labelFontSize": 11, "titleFontSize": 12, "labelLimit": 320, "titleLimit": 320, "columnPadding": 28},
    "view": {"stroke": None},
    "range": {"category": [BLUE, ORANGE, GREEN, RED, GREY, "#7b4fa3", "#17a2b8", "#b8860b"]},
}


def check_format(path: Path) -> None:
    """Refuse a file name whose ending is not a format, before any work is done for it."""
    if path.suffix.lower() not in FORMATS:
        raise MensuraError(f"cannot draw {path}: the name must end in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}")


def draw(description: Description, path: Path) -> None:
    """Write a chart; the ending of the file's name says in which format. The file is there whole or not at all."""
    write_whole(drawn(description, path), path)


def drawn(description: Description, path: Path) -> bytes:
    """Return the bytes of the chart in the format that the ending of ``path`` names."""
    import vl_convert

    check_format(path)
    full = {"$schema": SCHEMA, "config": THEME, **description}
    content: str | bytes
    try:
        match path.suffix.lower():
            case ".svg":
                content = vl_convert.vegalite_to_svg(full)
            case ".png":
                content = vl_convert.vegalite_to_png(full, scale=2)
            case ".pdf":
                content = vl_convert.vegalite_to_pdf(full)
            case _:
                content = _page(full)
    except (TypeError, ValueError) as error:  # with the stack of its JavaScript
        raise MensuraError(f"cannot draw {path}: {' '.join(str(error).split())[:200]}") from error
    return content.encode() if isinstance(content, str) else content


def _page(description: Description) -> str:
    """A page with the chart, which needs no network; names in it cannot end its script."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><title>Mensura</title></head>\n'
        '<body><div id="chart"></div>\n'
        f'<script type="module">{bundle()}</script>\n'
        f'<script type="module">window.vegaEmbed("#chart", {script_json(description)});</script>\n</body>\n</html>\n'
    )


@cache
def bundle() -> str:
    """Vega, Vega-Lite and Vega-Embed, as vl-convert ships them: a module script that sets ``window.vegaEmbed``. No network."""
    import vl_convert

    text: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return text.replace("</script", "<\\/script")  # nothing in it may end its script element
