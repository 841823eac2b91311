"""The JavaScript that draws charts in a page: Vega, Vega-Lite and Vega-Embed, as vl-convert ships them. No network is needed."""

from __future__ import annotations

from functools import cache


@cache
def bundle() -> str:
    """The text of a module script that sets ``window.vegaEmbed``."""
    import vl_convert

    text: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return text.replace("</script", "<\\/script")  # nothing in it may end its script element
