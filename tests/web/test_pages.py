"""The story of each page, by mouse and by keyboard; the numbers on it are the library's."""

from __future__ import annotations

import math
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import mensura
from mensura import evaluate, interval_scale, judge, parse_measure
from mensura.adm.distance import distances
from mensura.rankings import compare
from mensura.render.numbers import fixed, general, p_equation, p_value, span
from mensura.render.tables import written
from mensura.stats.digits import decimals_of_means
from mensura.study.example import example
from tests.web.browser import READY, context


def texts(page, selector):
    return page.locator(selector).all_inner_texts()


def items(page, side):
    return texts(page, f"#{side} .grip")


def number(page, key):
    return page.locator(f"#number-{key} td").first.inner_text()


def expect_numbers(page):
    """The numbers are those of the lists that are shown."""
    found = compare(items(page, "first"), items(page, "second"))
    wanted = {"a_corr": f"{found.a_corr:.4f}", "area": f"{found.area[-1]:.6g}", "tau_b": fixed(found.tau_b)}
    for key, text in wanted.items():
        page.wait_for_function(
            "([key, text]) => document.querySelector(`#number-${key} td`)?.textContent === text",
            arg=[key, text],
        )


def test_rankings_by_mouse(visit):
    with visit("/rankings") as page:
        page.wait_for_selector("#chart svg")
        assert items(page, "first") == ["d2", "d1", "d4", "d3"]
        assert (number(page, "area"), number(page, "a_corr")) == ("3", "0.7000")  # P1's example
        top, last = (page.locator("#first .grip").nth(at).bounding_box() for at in (0, 3))
        page.mouse.move(top["x"] + 20, top["y"] + 10)
        page.mouse.down()
        page.mouse.move(last["x"] + 20, last["y"] + 12, steps=8)
        page.mouse.up()
        assert items(page, "first") == ["d1", "d4", "d3", "d2"]
        expect_numbers(page)
        page.click("#align")
        expect_numbers(page)
        assert number(page, "a_corr") == "1.0000"
        page.click("#reverse")
        expect_numbers(page)
        page.click("#shuffle")
        expect_numbers(page)
        address = page.url
        shown = items(page, "first")
    with visit("/" + address.split("/", 3)[3]) as page:  # the address holds the state
        page.wait_for_selector("#chart svg")
        assert items(page, "first") == shown
        expect_numbers(page)


def test_rankings_by_keyboard(visit):
    with visit("/rankings?preset=recovery") as page:
        page.wait_for_selector("#chart svg")
        page.focus("#first .grip >> nth=0")
        page.keyboard.press("Space")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Space")
        assert items(page, "first")[:3] == ["A", "D", "B"]
        page.wait_for_function("() => document.getElementById('live').textContent.includes('B')")
        page.keyboard.press("Shift+ArrowUp")
        assert items(page, "first")[:3] == ["A", "B", "D"]
        assert page.evaluate("document.activeElement.textContent") == "B"
        expect_numbers(page)


def test_pasted_rankings_are_text(visit):
    with visit("/rankings") as page:
        page.click("summary")
        page.fill("#text-first", "<img src=x onerror=alert(1)>\nb")
        page.fill("#text-second", "b\n<img src=x onerror=alert(1)>")
        page.click("#paste button")
        expect_numbers(page)
        assert items(page, "first")[0] == "<img src=x onerror=alert(1)>"
        assert page.locator("main img").count() == 0


def test_what_is_wrong_is_said_on_the_page(browser, served):
    with context(browser) as own:
        page = own.new_page()
        page.goto(f"{served}/rankings")
        page.wait_for_selector(READY)
        page.click("summary")
        assert page.input_value("#text-second") == "\n".join(items(page, "second"))
        page.fill("#text-first", "a\na")
        page.evaluate("document.querySelector('details').dispatchEvent(new Event('toggle'))")  # a browser sends it late
        page.click("#paste button")
        page.wait_for_function("() => document.getElementById('error').textContent.includes('twice')")


PAGES = {  # a control of each page
    "rankings": "#shuffle",
    "scales": "#length",
    "order": "#length",
    "meaning": "#reset",
    "evaluate": "#go",
    "adm": "#cutoff",
}


@pytest.mark.parametrize(("name", "control"), PAGES.items())
def test_controls_are_inert_until_they_work(browser, served, name, control):
    """On a slow machine the script comes late: until then nothing can be clicked, typed or sent."""
    with context(browser) as own:
        page = own.new_page()
        late = []
        page.route(f"**/{name}.js", lambda route: late.append(route))  # noqa: PLW0108 - playwright marks its handlers
        with page.expect_request(f"**/{name}.js"):
            page.goto(f"{served}/{name}", wait_until="commit")
        page.wait_for_selector(control)
        page.evaluate("control => document.querySelector(control).focus()", control)
        assert page.evaluate("document.activeElement.tagName") == "BODY"
        box = page.locator(control).bounding_box()
        page.mouse.click(box["x"] + 5, box["y"] + 5)
        page.keyboard.press("Enter")
        assert page.url == f"{served}/{name}"  # no form was sent
        for route in late:
            route.continue_()
        page.wait_for_selector(READY)
        page.evaluate("control => document.querySelector(control).focus()", control)
        assert page.evaluate("document.activeElement.id") == control[1:]


@pytest.mark.parametrize("name", PAGES)
def test_a_browser_without_scripts_is_told(browser, served, name):
    with context(browser, java_script_enabled=False) as own:
        page = own.new_page()
        page.goto(f"{served}/{name}")
        assert "needs JavaScript" in page.inner_text("noscript")
        assert page.locator("#page[inert]").count() == 1


def test_numbers_are_written_as_on_the_command_line(visit):
    """Half-way cases too, which JavaScript rounds up: p = 1/32 was .0312 at the command line and .0313 on the page."""
    values = [0.125, 0.375, 0.5, 1.5, 2.5, -0.125, -0.001, 0.0, -0.0, 0.005, 2.675, 1 / 3, -1.5, 0.045, 1234.565, 1e-9]
    values += [math.inf, -math.inf]
    values += [1 / 32, 0.00005, 0.0001, 0.00009999, 100000.5, 99999.95, 1e20, 1.5e-7, -2.5e-5, 1e-300, None]
    with visit("/evaluate") as page:
        texts = page.evaluate(
            """async (values) => {
              const script = document.querySelector("script[type=module]").src;
              const { fixed, general, pEquation, pValue, span } = await import(new URL("numbers.js", script));
              return values.map((value) => [
                ...[0, 1, 2, 4].map((decimals) => fixed(value, decimals)), fixed(value, 1, true),
                ...[1, 2, 6].map((digits) => general(value, digits)), pValue(value), pEquation(value), span([value, 0.5], 2, true),
              ]);
            }""",
            values,
        )
    numbers = [float("nan") if value is None else value for value in values]
    assert texts == [
        [
            *(fixed(value, decimals) for decimals in (0, 1, 2, 4)),
            fixed(value, 1, sign=True),
            *(general(value, digits) for digits in (1, 2, 6)),
            p_value(value),
            p_equation(value),
            span((value, 0.5), 2, sign=True),
        ]
        for value in numbers
    ]


def test_a_comparison_is_written_as_on_the_command_line(visit):
    """The level, the kind of the intervals, p-values, and differences with their decimals and sign, the better system first."""
    with visit("/evaluate?demo=8&measures=P@5&alpha=0.021&test=sign") as page:
        page.wait_for_selector("#pairs tbody tr")
        head, *rows = ([cell.strip() for cell in row.split("\t")] for row in page.locator("#pairs tr").all_inner_texts())
        method = page.inner_text("#method")
        remarks = texts(page, "#comparison-remarks li")
    with TemporaryDirectory() as folder:
        comparison = mensura.compare(*example(8).write(Path(folder)), "P@5", test="sign", alpha=0.021)[0]
    table = comparison.view().tables[1]
    expected = [dict(zip(table.header, cells, strict=True)) for cells in written(table)]
    assert head[1:] == ["difference", "simultaneous 97.9\xa0% CI", "p", "corrected p"]
    assert rows == [[row["pair"], *(row[key] for key in head[1:])] for row in expected]
    assert f"; α = 0.021. {comparison.differing}." in method
    assert remarks == list(comparison.remarks)


def test_scales_by_mouse(visit):
    with visit("/scales?measure=DCG(base%3D2)@4&run=1001") as page:
        page.wait_for_selector("#chart svg")
        assert page.inner_text("#steps") == "12"  # P4 §VI
        assert page.locator("#here td").first.inner_text() == "6"
        page.click("#bits button >> nth=1")
        scale = interval_scale("DCG(base=2)@4")
        rank = str(scale.rank([[1, 1, 0, 1]])[0])
        page.wait_for_function("rank => document.querySelector('#here td')?.textContent === rank", arg=rank)
        page.select_option("#family", "RBP")
        page.fill("#parameter-p", "0.5")
        page.keyboard.press("Tab")
        page.wait_for_function("() => document.getElementById('equally')?.textContent.startsWith('yes')")
        page.wait_for_function("() => document.getElementById('type').textContent.includes('an interval scale')")
        assert page.inner_text("#property-equispaced td >> nth=0") == "yes"
        assert "measure=RBP%28p%3D0.5%29%404" in page.url


def test_scales_by_keyboard(visit):
    with visit("/scales?measure=AP@5&run=00000") as page:
        page.wait_for_selector("#here")
        page.focus("#bits button >> nth=0")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("1")
        rank = str(interval_scale("AP@5").rank([[0, 1, 0, 0, 0]])[0])
        page.wait_for_function("rank => document.querySelector('#here td')?.textContent === rank", arg=rank)
        page.wait_for_function("rank => document.getElementById('live').textContent.startsWith(`rank ${rank} of 31`)", arg=rank)


def test_order_by_mouse(visit):
    with visit("/order?length=4") as page:
        page.click("[data-run='0100']")
        page.click("[data-run='1010']")
        page.wait_for_selector("#difference")
        assert page.inner_text("#difference") == "(1, 1, 2, 3)"  # P0, Definition 2
        assert texts(page, "#steps tbody td:last-child") == ["0100", "1000", "1001", "1010"]
        assert page.locator("polyline.chain").count() == 3
        page.click("[data-run='1100']")
        page.click("[data-run='1011']")
        page.wait_for_function("() => document.getElementById('relation')?.textContent.includes('incomparable')")
        page.select_option("#length", "6")
        page.wait_for_selector("[data-run='111111']")
        assert page.locator("#diagram g[role=button]").count() == 64
        page.select_option("#top", "2")
        page.wait_for_selector("[data-run='22222']")  # 3 ** 6 runs are too many to draw: the length becomes 5
        page.select_option("#length", "3")
        page.wait_for_selector("[data-run='012']")
        page.click("[data-run='100']")
        page.click("[data-run='210']")
        page.wait_for_selector("#difference")
        assert page.inner_text("#difference") == "(0, 1, 2) from grade 1, (1, 2, 3) from grade 2"


def test_order_by_keyboard(visit):
    with visit("/order?length=3") as page:
        page.wait_for_selector("[data-run='000']")
        page.focus("[data-run='000']")
        page.keyboard.press("Space")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
        page.wait_for_selector("#difference")
        assert page.inner_text("#relation strong") == "000 < 010"
        assert "first=000&second=010" in page.url


def means(page):
    return [float(text) for text in texts(page, "#means .big")]


def test_meaning_by_mouse(visit):
    with visit("/meaning") as page:
        page.wait_for_selector("#chart svg")
        page.wait_for_selector("#mean-first.ahead")
        assert means(page) == [14.6, 14.2]  # P4, Example 6
        assert page.inner_text("#verdict strong").startswith("No")
        knob = page.locator(".knot").last.bounding_box()
        page.mouse.move(knob["x"] + 8, knob["y"] + 8)
        page.mouse.down()
        page.mouse.move(knob["x"] + 8, knob["y"] - 60, steps=6)
        page.mouse.up()
        page.wait_for_selector("#mean-second.ahead")
        assert "has changed" in page.inner_text("#now")
        page.click("#reset")
        page.wait_for_selector("#mean-first.ahead")
        page.click("#reversal")
        page.wait_for_selector("#mean-second.ahead")
        assert means(page) == [14.6, 15]
        address = page.url
    with visit("/" + address.split("/", 3)[3]) as page:
        page.wait_for_selector("#mean-second.ahead")
        assert means(page) == [14.6, 15]


def test_meaning_by_keyboard(visit):
    with visit("/meaning?source=safe") as page:
        page.wait_for_selector("#mean-first.ahead")
        assert page.inner_text("#verdict strong").startswith("Yes")
        assert page.is_disabled("#reversal")
        page.focus(".knot >> nth=2")
        before = means(page)
        for _ in range(6):
            page.keyboard.press("ArrowDown")
        page.wait_for_function("before => document.querySelector('#means .big')?.textContent !== before", arg=f"{before[0]:g}")
        assert page.locator("#mean-first.ahead").count() == 1
        page.select_option("#source", "demo")
        page.wait_for_function("() => document.getElementById('means').textContent.includes('sysD')")
        page.click("summary")
        page.fill("#text", "topic one <b>two</b>\n1 3 1\n2 1 2")
        page.click("#paste button")
        page.wait_for_function("() => document.getElementById('means').textContent.includes('<b>two</b>')")
        assert means(page) == [2, 1.5]


def test_evaluating_the_demo(visit, tmp_path):
    with visit("/evaluate") as page:
        page.fill("#measures", "AP nDCG@10 MFR@20")
        page.press("#measures", "Enter")
        page.wait_for_selector("#board tbody tr")
        evaluation = evaluate(*example(8).write(tmp_path), ["AP", "nDCG@10", "MFR@20"])
        expected, decimals = evaluation.means(), [decimals_of_means(scores) for scores in evaluation]
        for row in page.locator("#board tbody tr").all():
            name, *cells = row.locator("th, td:not(:first-child)").all_inner_texts()
            assert cells == [f"{value:.{shown}f}" for value, shown in zip(expected[name].values(), decimals, strict=True)]
        page.wait_for_selector("#chart svg")
        assert page.locator("#pairs tbody tr").count() == 15
        assert page.inner_text("#error") == ""
        assert page.is_hidden("#report")
        with page.expect_download() as saved:
            page.click("#csv")
        lines = Path(saved.value.path()).read_text().splitlines()
        assert f"sysD,AP,{expected['sysD']['AP']!r}" in lines
        page.click("#charts button >> nth=3")
        page.wait_for_function("() => document.querySelector('#chart svg')?.getAttribute('aria-label').startsWith('groups')")
        assert "demo=8" in page.url


def test_saving_a_report(visit):
    with visit("/evaluate") as page:
        page.fill("#measures", "P@10")
        page.focus("#with-report")
        page.keyboard.press("Enter")
        page.wait_for_selector("#report:not([hidden])")
        with page.expect_download() as saved:
            page.click("#report")
        text = Path(saved.value.path()).read_text()
        assert saved.value.suggested_filename == "report.html"
        assert "P@10" in text
        assert text.rstrip().endswith("</html>")


def test_evaluating_files(visit, tmp_path):
    qrels, runs = example(5).write(tmp_path)
    runs[0].write_text(re.sub(r"\S+$", "<script>alert(1)</script>", runs[0].read_text(), flags=re.MULTILINE))
    with visit("/evaluate") as page:
        page.click("#use-files")
        page.set_input_files("#qrels", qrels)
        page.wait_for_function("() => document.querySelectorAll('#files li').length === 1")
        page.set_input_files("#runs", runs)
        page.wait_for_function("() => document.querySelectorAll('#files li').length === 9")
        page.click("#go")
        page.wait_for_selector("#board tbody tr")
        evaluation = evaluate(qrels, runs, "nDCG@10")
        expected, decimals = evaluation.means(), decimals_of_means(evaluation["nDCG@10"])
        shown = dict(zip(texts(page, "#board tbody th"), texts(page, "#board tbody td:nth-child(3)"), strict=True))
        assert shown == {name: f"{values['nDCG@10']:.{decimals}f}" for name, values in expected.items()}
        assert "<script>alert(1)</script>" in shown
        page.click("#forget")
        page.wait_for_function("() => document.querySelectorAll('#files li').length === 0")


def test_cancelling(visit, tmp_path):
    topics = 4000
    (tmp_path / "qrels").write_text("".join(f"{topic} 0 d{topic % 7} 1\n" for topic in range(topics)))
    runs = []
    for system in range(25):
        runs.append(tmp_path / f"s{system}")
        lines = (f"{topic} Q0 d{(topic * system + topic // 3) % 9} 1 1 s{system}\n" for topic in range(topics))
        runs[-1].write_text("".join(lines))
    with visit("/evaluate") as page:
        page.click("#use-files")
        page.set_input_files("#qrels", tmp_path / "qrels")
        page.wait_for_function("() => document.querySelectorAll('#files li').length === 1")
        page.set_input_files("#runs", runs)
        page.wait_for_function("() => document.querySelectorAll('#files li').length === 26")
        page.focus("#measures")
        page.keyboard.press("Enter")
        page.wait_for_selector("#cancel:not([hidden])")
        page.click("#cancel")
        page.wait_for_function("() => document.getElementById('error').textContent.includes('cancelled')")
        assert page.is_enabled("#go")


def test_adm_by_mouse_and_keyboard(visit, tmp_path):
    judged = judge(*example(8).write(tmp_path), scores=True)
    with visit("/adm") as page:
        page.wait_for_selector("#chart svg")
        page.select_option("#system", "sysC")
        wanted = f"{distances(judged, 'sysC', '1', parse_measure('ADM@20')).value:.4f}"
        page.wait_for_function("wanted => document.getElementById('value')?.textContent === wanted", arg=wanted)
        page.focus("#topic")
        page.keyboard.press("ArrowDown")
        wanted = f"{distances(judged, 'sysC', '2', parse_measure('ADM@20')).value:.4f}"
        page.wait_for_function("wanted => document.getElementById('value')?.textContent === wanted", arg=wanted)
        page.fill("#cutoff", "5")
        page.keyboard.press("Tab")
        page.wait_for_function("() => document.querySelectorAll('#rows tbody tr').length === 5")
        assert "system=sysC&topic=2" in page.url


def test_the_api_is_described(visit):
    with visit("/api") as page:
        page.wait_for_selector(".path")
        assert "/api/rankings" in texts(page, ".path")
