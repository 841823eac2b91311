"""The page in a browser: no message, no request, charts that answer, and text without scripts and on paper."""

from __future__ import annotations

import pytest

from mensura.render.numbers import fixed, p_equation, p_value
from mensura.render.report.sections.by_topic import differences
from tests.web.browser import context

from .campaigns import half_way, hostile, html, large, small


@pytest.fixture
def opened(browser, tmp_path):
    """Opens a report, and gives the page with all that it said, asked for and threw; nothing of that may be there at the end."""
    said: list[str] = []
    contexts = []

    def opener(make, **options):
        file = tmp_path / "report.html"
        file.write_text(html(make), encoding="utf-8")
        contexts.append(context(browser, **options))
        page = contexts[-1].new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("dialog", lambda dialog: said.append(f"dialog: {dialog.message}"))
        page.on("request", lambda request: said.append(request.url) if request.url != file.as_uri() else None)
        page.goto(file.as_uri())
        return page

    yield opener
    for each in contexts:
        each.close()
    assert not said


def enliven(page):
    """Scrolls through the page until every chart is drawn by the script."""
    charts = page.locator(".chart:has(script)")
    for at in range(charts.count()):
        charts.nth(at).scroll_into_view_if_needed()
        page.wait_for_function("at => document.querySelectorAll('.chart:has(script)')[at].classList.contains('is-live')", arg=at)
    return charts.count()


@pytest.mark.parametrize("make", [small, large, hostile])
@pytest.mark.parametrize("width", [390, 1400])
def test_charts_come_alive_and_nothing_is_wider_than_the_window(opened, make, width):
    page = opened(make, viewport={"width": width, "height": 900})
    assert enliven(page) >= 4
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_tooltips_show_text(opened):
    page = opened(hostile)
    enliven(page)
    page.locator("#means-1").scroll_into_view_if_needed()
    page.locator("#means-1 .live .mark-symbol path").first.hover()
    best = hostile().comparisons[0].ranking[0]
    assert page.locator("#tip").inner_text().startswith(f"system: {hostile().comparisons[0].systems[best]}")


def test_another_pair_of_systems(opened):
    made = large()
    page = opened(large)
    enliven(page)
    measure, first, second = 2, 3, 9
    for at, value in enumerate((measure, first, second)):
        page.locator(".choices select").nth(at).select_option(str(value))
    scores = made.evaluation.scores[measure]
    expected = differences(scores, first, second)
    wins = sum(row["better"] == "first" for row in expected)
    assert f"Topics on which {scores.systems[first]} is better: {wins};" in page.locator(".pair-summary").inner_text()
    shown_rows = page.locator(".pair-table tbody tr").all_inner_texts()
    assert [row.split("\t")[-1] for row in shown_rows] == [fixed(row["difference"], 4, sign=True) for row in expected]


def test_the_script_rounds_as_the_page_does(opened):
    """JavaScript rounds half-way cases up: +0.3 for a difference of 0.25, where the tables of ``mensura compare`` have +0.2."""
    made = half_way()
    page = opened(half_way)
    comparison = made.comparisons[0]
    names = [comparison.systems[system] for system in comparison.ranking]
    chart = page.locator("#pairs-1 .chart")
    chart.scroll_into_view_if_needed()
    chart.focus()
    halves = 0
    for at in range(1, len(names)):
        chart.press("ArrowRight")
        pair = comparison[names[0], names[at]]
        halves += pair.estimate * 10**comparison.pair_decimals % 1 == 0.5
        text = page.locator("#pairs-1 output").inner_text()
        assert f"): {fixed(pair.estimate, comparison.pair_decimals, sign=True)}, corrected {p_equation(pair.corrected_p)}" in text
    assert halves > 1
    scores = made.evaluation.scores[1]
    enliven(page)
    for at, value in enumerate((1, 3, 8)):
        page.locator(".choices select").nth(at).select_option(str(value))
    rows = [row.split("\t")[1:] for row in page.locator(".pair-table tbody tr").all_inner_texts()]
    expected = differences(scores, 3, 8)
    assert rows == [[fixed(row["first"]), fixed(row["second"]), fixed(row["difference"], sign=True)] for row in expected]
    assert any(row["first"] == 1 / 32 for row in expected)


def test_the_matrix_answers_to_pointer_and_keys(opened):
    made = large()
    page = opened(large)
    own, interval = made.scales[2].own, made.scales[2].interval
    names = [own.systems[system] for system in own.ranking]
    chart = page.locator("#pairs-3 .chart")
    chart.scroll_into_view_if_needed()
    chart.focus()
    for _ in range(3):
        chart.press("ArrowRight")
    pair, other = own[names[0], names[3]], interval[names[0], names[3]]

    def p(value):
        return "p < 0.0001" if value < 0.0001 else f"p = {p_value(value)}"

    assert page.locator("#pairs-3 output").inner_text() == (
        f"{names[0]} (1) − {names[3]} (4): {fixed(pair.estimate, own.decimals, sign=True)}, corrected {p(pair.corrected_p)}"
        f"; on the interval scale {p(other.corrected_p)}"
    )
    box = page.locator("#pairs-3 svg").bounding_box()
    left, top, cell = (float(page.locator("#pairs-3 svg").get_attribute(f"data-{key}")) for key in ("left", "top", "cell"))
    unit = box["width"] / page.locator("#pairs-3 svg").evaluate(
        "svg => svg.viewBox.baseVal.width"
    )  # pictures of few systems are enlarged
    page.mouse.move(box["x"] + unit * (left + 5.5 * cell), box["y"] + unit * (top + 1.5 * cell))
    assert page.locator("#pairs-3 output").inner_text().startswith(f"{names[1]} (2) − {names[5]} (6): ")


def test_sorting_and_copying(opened):
    made = small()
    page = opened(small, permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="sort by mean").first.click()
    cells = page.locator(".leaderboard tbody tr td:nth-child(3)").all_inner_texts()
    assert list(map(float, cells)) == sorted(map(float, cells))
    assert page.locator(".leaderboard th[aria-sort]").get_attribute("aria-sort") == "ascending"
    page.locator("#methods .copy").nth(1).click()
    page.get_by_text("Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == made.methods("latex")


def test_charts_are_saved_as_svg(opened, tmp_path):
    page = opened(small)
    with page.expect_download() as saved:
        page.locator("#proof .save a", has_text="SVG").click()
    saved.value.save_as(tmp_path / "proof.svg")
    text = (tmp_path / "proof.svg").read_text(encoding="utf-8")
    assert text.startswith("<svg")
    assert "one scale per topic" in text


def test_everything_is_there_without_scripts(opened):
    page = opened(small, java_script_enabled=False)
    assert page.locator(".static svg").count() == page.locator("figure").count() > 4
    assert page.locator(".static svg").first.is_visible()
    assert not page.locator(".choices").is_visible()


def test_paper_shows_drawn_charts_and_all_rows(opened, tmp_path):
    page = opened(large)
    enliven(page)
    page.emulate_media(media="print")
    assert page.locator("#proof .static svg").is_visible()
    assert not page.locator("#proof .live").is_visible()
    assert not page.locator("nav").is_visible()
    assert page.evaluate("[...document.querySelectorAll('.scroll')].every(e => e.clientHeight >= e.scrollHeight - 1)")
    page.pdf(path=tmp_path / "report.pdf", prefer_css_page_size=True)
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF-")
