"""Charts as values: shown in a notebook, saved to a file, handed on to Altair."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from mensura.errors import MensuraError, suggest
from mensura.render.charts.draw import SCHEMA, THEME, draw, drawn
from mensura.result import optional

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping

    from mensura.render.charts.draw import Description

ALIASES = {"critical-difference": "groups"}
"""Other names of charts, which are understood too."""
MIMETYPE = "application/vnd.vegalite.v5+json"


class Chart:
    """A chart of a result.

    In Jupyter, VS Code and Colab it shows itself: as Vega-Lite where the notebook draws that, as SVG elsewhere.

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
        return {MIMETYPE: self.spec, "image/svg+xml": svg, "text/plain": repr(self)}

    def __repr__(self) -> str:
        title = self.spec.get("title", "")
        return f"Chart({title.get('text', '') if isinstance(title, dict) else title})"


def choose_chart(charts: Mapping[str, Callable[[], Description]], name: str | None, of: str) -> Chart:
    """Return the chart ``name`` of a result, or its first one."""
    if not charts:
        raise MensuraError(f"{of} has no chart")
    name = ALIASES.get(name or "", name)
    if name is not None and name not in charts:
        raise MensuraError(f"{of} has no chart {name!r}; {suggest(name, charts)}")
    return Chart(charts[name or next(iter(charts))]())
