"""The JavaScript that draws descriptions in a browser."""

from __future__ import annotations

GLOBALS = "window.vegaEmbed = vegaEmbed; window.vega = vega; window.vegaLite = vegaLite;"


def bundle() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, as vl-convert ships them; nothing is fetched. Making it takes seconds."""
    import vl_convert

    script: str = vl_convert.javascript_bundle(GLOBALS)
    return script
