"""For everybody: axe-core finds no serious fault, nothing is wider than a phone, pages are light."""

from __future__ import annotations

import pytest

PAGES = {
    "/": "main h1",
    "/rankings": "#chart svg",
    "/rankings?mode=reference": "#against td",
    "/rankings?mode=files": "#systems input",
    "/scales": "#chart svg",
    "/order?length=4&first=0100&second=1010": "#difference",
    "/meaning": "#chart svg",
    "/evaluate?demo=8": "#chart svg",
    "/adm": "#chart svg",
    "/api": ".path",
}
SERIOUS = {"serious", "critical"}
WEIGHT = 200_000  # bytes, not compressed
# What fades in has another contrast before.
SETTLED = "() => document.getAnimations().every((each) => each.playState === 'finished')"


def serious_faults(page):
    """The violations that axe-core reports for the page as it is. Of a chart only its label is looked at."""
    found = page.evaluate("axe.run({ exclude: [['.chart svg > *']] }, { resultTypes: ['violations'] })")
    assert found["passes"]
    return [
        (fault["id"], [node["html"][:120] for node in fault["nodes"][:3]])
        for fault in found["violations"]
        if fault["impact"] in SERIOUS
    ]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_for_everybody(visit, path):
    axe = pytest.importorskip("axe_core_python.base", reason="accessibility is checked with axe-core-python")
    with visit("/openapi.json") as page:
        answers = {}
        page.on("response", lambda answer: answers.update({answer.url: answer}))
        page.goto(page.url.removesuffix("/openapi.json") + path)
        page.wait_for_selector(PAGES[path])
        page.wait_for_load_state("networkidle")
        arrived = list(answers.items())  # a copy: asking for a body lets further events in
        assert sum(len(answer.body()) for url, answer in arrived if not url.endswith("/vega.js")) <= WEIGHT
        page.evaluate(axe.AXE_SCRIPT)
        page.wait_for_function(SETTLED)
        assert not serious_faults(page)
        page.emulate_media(color_scheme="dark")
        page.set_viewport_size({"width": 390, "height": 844})
        page.wait_for_function(SETTLED)
        assert not serious_faults(page)
        page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")  # charts are drawn again, narrower
