"""The page: well-formed, escaped, with the library's numbers, and nothing that its policy does not name."""

from __future__ import annotations

import base64
import hashlib
import json
import re

import pytest

from mensura.render.numbers import clean, fixed, group_ranges, p_value
from mensura.report import report
from mensura.scales.meaning.dominance import VERDICTS

from .campaigns import HOSTILE, hostile, html, judged, large, small
from .reading import read, rows, tables

PAGES = {"small": small, "large": large, "hostile": hostile}


@pytest.fixture(scope="module", params=PAGES)
def page(request):
    made = PAGES[request.param]()
    text = html(PAGES[request.param])
    return made, text, read(text)


def test_scripts_are_the_two_that_the_policy_names(page):
    _, text, root = page
    scripts = [each for each in root.all("script") if each.attributes.get("type") != "application/json"]
    policy = root.one("meta", **{"http-equiv": "Content-Security-Policy"}).attributes["content"]
    digests = [f"'sha256-{base64.b64encode(hashlib.sha256(each.text.encode()).digest()).decode()}'" for each in scripts]
    (style,) = root.all("style")
    assert f"script-src {digests[0]} {digests[1]};" in policy
    assert f"style-src 'sha256-{base64.b64encode(hashlib.sha256(style.text.encode()).digest()).decode()}';" in policy
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    assert len(scripts) == 2
    markup = text.replace(scripts[0].text, "")
    assert " style=" not in markup
    assert not re.search(r"<[^>]* on\w+=", re.sub(r"<script.*?</script>", "", markup, flags=re.DOTALL))


def test_nothing_leads_elsewhere_but_links_to_references(page):
    _, _, root = page
    for name in ("link", "img", "iframe", "object", "image", "use"):
        assert not list(root.all(name))
    targets = [each.attributes["href"] for each in root.all("a")]
    assert all(target.startswith(("#", "data:application/pdf;base64,", "https://doi.org/")) for target in targets)
    ids = re.findall(r'<[a-z][^<>]*? id="([^"]+)"', page[1])
    assert len(ids) == len(set(ids))
    assert {target[1:] for target in targets if target.startswith("#")} <= set(ids)


def test_tables_and_figures_are_labelled(page):
    _, _, root = page
    for table in root.all("table"):
        assert len(list(table.all("caption"))) == 1
        assert all(head.attributes.get("scope") in {"col", "colgroup", "row"} for head in table.all("th"))
        widths = {sum(int(cell.attributes.get("colspan", "1")) for cell in row.children) for row in table.all("tr")}
        assert len(widths) == 1, table.one("caption").text
    for figure in root.all("figure"):
        (picture,) = figure.all("div", "static")
        assert picture.attributes["role"] == "img"
        assert len(list(picture.all("svg"))) == 1
        assert figure.one("figcaption").attributes["id"] == picture.attributes["aria-labelledby"]
    assert root.one("html").attributes["lang"] == "en"
    for landmark in ("header", "nav", "main", "footer", "h1"):
        assert len(list(root.all(landmark))) == 1


def test_pdf_links_are_pdf_files(page):
    links = [each.attributes["href"] for each in page[2].all("a") if each.text == "PDF"]
    assert len(links) == len(list(page[2].all("figure")))
    for link in links:
        assert base64.b64decode(link.split(",")[1]).startswith(b"%PDF-")


def test_the_leaderboard_has_the_librarys_numbers(page):
    made, _, root = page
    (table,) = [each for caption, each in tables(root).items() if caption.startswith("Leaderboard")]
    first = made.comparisons[0]
    for cells, system in zip(rows(table), first.ranking, strict=True):
        expected = [str(first.places[system]), first.systems[system]]
        for at, each in enumerate(made.comparisons):
            values = [fixed(float(value[system]), each.decimals) for value in (each.mean, each.low, each.high)]
            expected += [str(each.places[system])] if at else []
            expected += [values[0], f"{values[1]} … {values[2]}", group_ranges(each.groups, each.group_names)[system]]
        assert cells == expected


def test_groups_have_the_librarys_members(page):
    made, _, root = page
    for each in made.comparisons:
        (table,) = [
            found for caption, found in tables(root).items() if caption.startswith(f"{each.measure}: {len(each.groups)} group")
        ]
        for cells, group in zip(rows(table), each.groups, strict=True):
            assert int(cells[4]) == len(group)
            assert cells[1].startswith(each.systems[group[0]])


def test_the_data_of_the_script_are_the_librarys(page):
    made, _, root = page
    data = json.loads(root.one("script", id="data").text)
    assert data["systems"] == list(made.evaluation.judged.systems)
    assert data["topics"] == list(made.evaluation.judged.topics)
    for found, scores, comparison in zip(data["measures"], made.evaluation.scores, made.comparisons, strict=True):
        assert found["values"] == scores.values.tolist()
        count = len(data["systems"])
        places = [(row, column) for row in range(count) for column in range(row + 1, count)]
        for p, difference, (row, column) in zip(found["p"], found["differences"], places, strict=True):
            pair = comparison[data["systems"][found["ranking"][row]], data["systems"][found["ranking"][column]]]
            assert ("<0.0001" if p == 0 else f"{p / 10_000:.4f}") == p_value(pair.corrected_p)
            shown = fixed(difference / 10 ** found["decimals"], found["decimals"], sign=True)
            assert shown == fixed(pair.estimate, comparison.pair_decimals, sign=True)


def test_pairs_in_the_table_are_the_librarys():
    made = small()
    table = tables(read(html(small)))[
        "nDCG@10: difference of means (row − column) and corrected p; below the diagonal, corrected p on the interval scale"
    ]
    own, interval = made.comparisons[0], made.scales[0].interval
    names = [own.systems[system] for system in own.ranking]
    for row, cells in enumerate(rows(table)):
        assert cells[0] == names[row]
        for column, cell in enumerate(cells[1:]):
            if row < column:
                pair = own[names[row], names[column]]
                assert cell == f"{fixed(pair.estimate, own.decimals, sign=True)}p {p_value(pair.corrected_p)}"
            elif row > column:
                assert cell == f"p {p_value(interval[names[row], names[column]].corrected_p)}"


def test_the_picture_of_pairs_colours_every_cell_once():
    made = large()
    for number, change in enumerate(made.scales):
        svg = next(read(html(large)).one("figure", id=f"pairs-{number + 1}").all("svg"))
        cell, left, top = (float(svg.attributes[f"data-{key}"]) for key in ("cell", "left", "top"))
        drawn = {}
        for rect in svg.all("rect"):
            row = round((float(rect.attributes["y"]) - top) / cell)
            start = round((float(rect.attributes["x"]) - left) / cell)
            for column in range(start, start + round(float(rect.attributes["width"]) / cell)):
                assert (row, column) not in drawn
                drawn[row, column] = rect.attributes["class"]
        names = [change.own.systems[system] for system in change.own.ranking]
        for row in range(14):
            for column in range(14):
                side = change.own if row < column else change.interval if row > column else None
                if side is None:
                    assert (row, column) not in drawn
                else:
                    p = side[names[row], names[column]].corrected_p
                    assert drawn[row, column] == f"b{sum(p < limit for limit in (0.05, 0.01, 0.001))}"


def test_scales_and_proof_are_the_librarys(page):
    made, _, root = page
    overview = rows(tables(root)["The interval scale against the measure’s own"])
    for cells, change in zip(overview, made.scales, strict=True):
        assert cells[0] == str(change.measure)
        if change.known:
            assert cells[4:] == [
                str(number) for number in (change.swapped, change.own.significant.sum(), len(change.lost), len(change.gained))
            ]
    (verdicts,) = [table for caption, table in tables(root).items() if caption.startswith("Statements about")]
    for at, board in enumerate(made.boards):
        assert [int(cells[2 + at]) for cells in rows(verdicts)[: len(VERDICTS)]] == list(board.counts().values())


def test_kendalls_tau_has_its_subscript():
    root = read(html(small))
    for section, kind in (("summary", "dd"), ("scales", "p"), ("methods", "p")):
        (part,) = [each for each in root.all("section") if each.attributes["id"] == section]
        texts = [each for each in part.all(kind) if "Kendall" in each.text or "order (" in each.text]
        assert texts
        assert all("τ_b" not in each.text and list(each.all("sub")) for each in texts)


def test_names_are_text_wherever_they_stand():
    made = hostile()
    root = read(html(hostile))
    names = set(map(clean, HOSTILE))
    assert set(made.evaluation.judged.systems) == names
    (table,) = [each for caption, each in tables(root).items() if caption.startswith("Leaderboard")]
    assert {cells[1] for cells in rows(table)} == names
    (topics,) = [each for caption, each in tables(root).items() if caption.startswith("Topics")]
    assert {cells[0] for cells in rows(topics)} == names
    assert root.one("h1").text == HOSTILE[0]
    assert root.one("title").text == HOSTILE[0]
    assert not list(root.all("img"))


def test_cleaned_names_stay_different_and_readable():
    assert len(set(map(clean, HOSTILE))) == len(HOSTILE)
    assert clean("\udc80\x01ü–τ_b") == r"\udc80\x01ü–τ_b"
    assert clean("bm25 + 检索") == "bm25 + 检索"


def test_the_same_input_gives_the_same_bytes():
    runs = judged(5, systems=4, topics=6)
    texts = {report(runs, ["AP@10", "ERR@5"], samples=50).html() for _ in range(2)}
    assert len(texts) == 1
    assert "2026-11-15" in report(runs, ["AP@10"], samples=50, date="2026-11-15").html()


def test_many_values_are_cut_to_the_best_systems(monkeypatch):
    monkeypatch.setattr("mensura.render.report.page.MOST_VALUES", 4 * 30 * 3)
    made = small()
    data = json.loads(read(made.html()).one("script", id="data").text)
    assert sorted(data["kept"]) == sorted(made.comparisons[0].ranking[:4])
    assert [len(measure["values"]) for measure in data["measures"]] == [4, 4, 4]
