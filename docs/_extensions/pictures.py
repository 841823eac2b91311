"""SVG pictures inside the page, where they take its colours: a reader may switch between light and dark."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

STYLE = re.compile(r"\s*<style>.*?</style>", re.DOTALL)  # only for a picture that is shown by itself


class InlinePictures(SphinxPostTransform):
    """Puts the text of an SVG file in the place of its image."""

    default_priority = 5
    formats = ("html",)

    def run(self, **_: Any) -> None:
        for image in list(self.document.findall(nodes.image)):
            if image["uri"].endswith(".svg"):
                text = (Path(self.env.srcdir) / image["uri"]).read_text(encoding="utf-8")
                image.replace_self(nodes.raw("", STYLE.sub("", text), format="html"))


def setup(app: Sphinx) -> ExtensionMetadata:
    """Makes the transform known to Sphinx."""
    app.add_post_transform(InlinePictures)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
