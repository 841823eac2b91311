"""The notebook of the documentation: run by a real kernel, as it is stored; and looked at in a real browser."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path

import pytest

from tests.web.browser import context

ROOT = Path(__file__).parents[2]
NOTEBOOK = ROOT / "docs" / "python.ipynb"
WIDTH = 900  # pixels
SHOWN = ("text/html", "text/plain", "image/svg+xml", "application/vnd.vegalite.v5+json")
RESULTS = (  # every kind of result that a user meets
    *("Means over 30 of 30 topics, 8 runs", "nDCG@10 over 30 topics", "differs significantly from sysE", "Pairs of systems"),
    *("share a letter", "Statements “A has a better mean than B”", "on its interval scale", "RBP(p=0.5)@4 on runs of length 4"),
    *("Two rankings", "Five minutes", "plan.toml", "2 findings", "Kendall's τ between each measure"),
)


@pytest.fixture(scope="module")
def again():
    """The notebook, run anew."""
    nbformat = pytest.importorskip("nbformat", reason="the notebook is run with nbclient: pip install nbclient ipykernel")
    pytest.importorskip("nbclient", reason="the notebook is run with nbclient: pip install nbclient ipykernel")
    spec = importlib.util.spec_from_file_location("tools_notebook", ROOT / "tools" / "notebook.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool.run(nbformat.read(NOTEBOOK, as_version=4))


def outputs(notebook):
    """The outputs of the cells, as plain data."""
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            data = output.get("data", {"text/plain": output.get("text", "")})
            yield {kind: _text(data[kind]) for kind in SHOWN if kind in data}


def _text(part):
    text = "".join(part) if isinstance(part, list) else part
    return text if isinstance(text, dict) else re.sub(r"\s+", " ", text)


def test_the_notebook_shows_what_happens(again):
    """If it changed for a good reason: python tools/notebook.py docs/python.ipynb."""
    stored = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    for number, (one, other) in enumerate(zip(outputs(stored), outputs(again), strict=True)):
        assert one.keys() == other.keys(), number
        for kind in one.keys() - {"image/svg+xml"}:  # which is drawn with the fonts of the machine
            assert one[kind] == other[kind], (number, kind)


def test_the_notebook_shows_every_kind_of_result(again):
    shown = " ".join(str(output) for output in outputs(again))
    assert not [text for text in RESULTS if text not in shown.replace("&#39;", "'")]
    assert "Traceback" not in shown


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_notebook_in_a_browser(browser, again, theme, tmp_path):
    exporter = pytest.importorskip("nbconvert", reason="the notebook is rendered with nbconvert").HTMLExporter
    axe = pytest.importorskip("axe_core_python.base", reason="accessibility is checked with axe-core-python")
    (tmp_path / "page.html").write_text(exporter(template_name="lab", theme=theme).from_notebook_node(again)[0], encoding="utf-8")
    with context(browser, viewport={"width": WIDTH, "height": 1200}, color_scheme=theme) as own:
        page = own.new_page()
        page.route("http*://**", lambda route: route.abort())  # scripts of the template, which the page does without
        page.goto((tmp_path / "page.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= WIDTH
        wide = page.evaluate("[...document.querySelectorAll('.mensura')].filter(e => e.scrollWidth > e.clientWidth + 1).length")
        assert wide == 0
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        page.evaluate(axe.AXE_SCRIPT)
        found = page.evaluate("axe.run('.mensura', { resultTypes: ['violations'] })")
        serious = [each for each in found["violations"] if each["impact"] in {"serious", "critical"}]
        assert not serious, [(each["id"], each["nodes"][0]["html"][:200]) for each in serious]
