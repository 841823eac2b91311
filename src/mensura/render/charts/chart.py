"""Charts as values: shown in a notebook, saved to a file, handed on to Altair."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from mensura.errors import MensuraError, suggest
from mensura.render.charts.draw import GREY, SCHEMA, THEME, draw, drawn
from mensura.result import optional

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping

    from mensura.render.charts.draw import Description

ALIASES = {"critical-difference": "groups"}
"""Other names of charts, which are understood too."""
MIMETYPE = "application/vnd.vegalite.v5+json"
INK = ("#111", "#222", "#444", "#555", "#777")
"""Dark colours of marks, which cannot be seen on a dark background."""
LABEL = "luminance(background) > 0.2 ? '#333' : '#ddd'"
"""Colour of labels beside marks; the theme of a notebook sets the background."""
# Background and text change together, so that a chart can be read whatever the page around it does.
DARK = (
    "<style>@media (prefers-color-scheme: dark){"
    '.mensura-chart>rect[fill="white"]{fill:#1e2227}'
    '.mensura-chart :is([fill="#000"],[fill="black"],[fill="#444"],[fill="#555"]){fill:#dfe3e8}'
    '.mensura-chart :is([stroke="#111"],[stroke="#222"],[stroke="#444"],[stroke="#777"]){stroke:#b6bcc4}'
    '.mensura-chart [stroke="#e8e8e8"]{stroke:#3b4148}'
    '.mensura-chart :is([fill="#222"],[fill="#444444"]){fill:#b6bcc4}'
    "}</style>"
)


class Chart:
    """A chart of a result.

    In Jupyter, VS Code and Colab it shows itself: as Vega-Lite where the notebook draws that, as SVG elsewhere; dark where the
    notebook, or the reader's system, is.

    Attributes
    ----------
    spec
        The description in Vega-Lite, with the data.
    """

    def __init__(self, description: Description) -> None:
        self.spec: Description = {"$schema": SCHEMA, "config": THEME, **description}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the chart; the ending of the file's name says whether as .svg, .png, .pdf or .html."""
        draw(self.spec, Path(path))

    def to_altair(self) -> Any:
        """Return the chart as one of Altair's."""
        return optional("altair").Chart.from_dict(self.spec)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """Return the chart as notebooks ask for it."""
        svg = drawn(self.spec, Path("chart.svg")).decode()
        head, end, marks = svg.replace('class="marks"', 'class="marks mensura-chart"', 1).partition(">")
        return {MIMETYPE: themed(self.spec), "image/svg+xml": f"{head}{end}{DARK}{marks}", "text/plain": repr(self)}

    def __repr__(self) -> str:
        title = self.spec.get("title", "")
        return f"Chart({title.get('text', '') if isinstance(title, dict) else title})"


def themed(part: Any) -> Any:
    """Return a description without the colours that a notebook's theme has to choose: background, text, axes, dark marks."""
    match part:
        case {"config": config, **rest}:
            config = {key: value for key, value in config.items() if key != "background"}
            config["title"] = {key: value for key, value in config["title"].items() if key != "subtitleColor"}
            config["axis"] = {key: value for key, value in config["axis"].items() if key != "domainColor"}
            config["axis"]["gridColor"] = "rgba(128, 128, 128, 0.25)"
            return {"config": config} | {key: themed(value) for key, value in rest.items()}
        case {"type": "text", **rest} if rest.get("color", INK[0]) in INK:
            return part | {"color": {"expr": LABEL}}
        case dict():
            return {key: themed(value) for key, value in part.items()}
        case list() | tuple():
            return [themed(value) for value in part]
    return GREY if isinstance(part, str) and part in INK else part


def choose_chart(charts: Mapping[str, Callable[[], Description]], name: str | None, of: str) -> Chart:
    """Return the chart ``name`` of a result, or its first one."""
    if not charts:
        raise MensuraError(f"{of} has no chart")
    name = ALIASES.get(name or "", name)
    if name is not None and name not in charts:
        raise MensuraError(f"{of} has no chart {name!r}; {suggest(name, charts)}")
    return Chart(charts[name or next(iter(charts))]())
