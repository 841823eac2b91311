"""Rankings against a reference, relevance lists and runs against their ideal rankings: the API and the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from mensura import judge
from mensura.rankings import against_ideal, compare
from mensura.render.against import HEADER, end_cells, end_numbers
from mensura.render.charts.against import ideal_chart
from mensura.study.example import example
from tests.papers.rows import DATA
from tests.web.test_evaluate import upload

TREC8 = DATA / "trec8"
EIGHT = ("READWARE2", "CL99SD", "INQ604", "apl8p", "Sab8A1", "GE8ATD3", "Dm8Nbn", "1")


def asked(client, path, question):
    answer = client.post(f"/api/rankings/{path}", json=question)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_three_rankings_against_a_reference(client):
    lists = [{"name": name, "items": list(name)} for name in ("bacd", "cabd", "dcba")]
    answer = asked(client, "reference", {"reference": list("abcd"), "rankings": lists})
    assert answer["columns"] == list(HEADER)
    assert [line["area"][-1] for line in answer["lines"]] == [1, 3, 10]
    at = answer["columns"].index("A-corr")
    assert [line["cells"][at] for line in answer["lines"]] == ["0.9000", "0.7000", "0.0000"]
    expected = compare(list("cabd"), list("abcd"))
    assert answer["lines"][1]["normalized_area"] == expected.normalized_area_curve.tolist()


def test_a_relevance_list_is_judged(client):
    """3 2 2 0 is in the ideal order; 0 2 2 3 has lost everything at rank 1."""
    lists = [{"name": "ideal", "grades": [3, 2, 2, 0]}, {"name": "late", "grades": [0, 2, 2, 3]}]
    answer = asked(client, "ideal", {"lists": lists})
    ideal, late = answer["lines"]
    assert ideal["point"] == [0, 0, 0, 0]
    assert late["positions"] == [4, 2, 3, 1]
    assert late["said"] == "late loses at rank 1; it recovers at rank 4."
    more = asked(client, "ideal", {"lists": lists[:1], "relevant": [1, 2, 1]})["lines"][0]
    assert more["positions"] == [1, 2, 3, 5]  # the document of grade 1 that the list does not contain comes before grade 0


def test_runs_of_the_demo(client, tmp_path):
    judged = judge(*example(8).write(tmp_path)).only(["sysC", "sysA"])
    for topic in ("7", "all"):
        answer = client.get("/api/rankings/runs", params={"demo": 8, "topic": topic, "system": ["sysC", "sysA"], "depth": 30})
        assert answer.status_code == 200, answer.text
        curves = against_ideal(judged, depth=30)
        curves = curves.mean() if topic == "all" else curves.only(topic)
        found = answer.json()
        assert [line["cells"] for line in found["lines"]] == list(map(end_cells, end_numbers(curves)))
        assert found["lines"][1]["point"] == curves.point[1, 0].tolist()
        assert found["chart"] == ideal_chart(curves, found["reference"])
        assert len(found["systems"]) == 8


def test_uploaded_runs(fresh):
    assert fresh.get("/api/rankings/runs").status_code == 422
    upload(fresh, "run", "a.run", b"q Q0 c 1 4 r\nq Q0 a 2 3 r\nq Q0 d 3 2 r\nq Q0 b 4 1 r\n")
    upload(fresh, "qrels", "q", b"q 0 a 2\nq 0 b 1\n")
    (line,) = fresh.get("/api/rankings/runs", params={"depth": 4}).json()["lines"]
    assert line["positions"] == [3, 1, 4, 2]
    assert line["a_corr"][-1] == pytest.approx(0.6875)


@pytest.mark.parametrize(
    ("path", "question", "said"),
    [
        ("reference", {"reference": ["a"], "rankings": []}, "rankings"),
        ("reference", {"reference": ["a"], "rankings": [{"name": str(at), "items": ["a"]} for at in range(9)]}, "rankings"),
        ("reference", {"reference": ["a"], "rankings": [{"name": "x", "items": ["a"]}] * 2}, "two rankings are called 'x'"),
        ("reference", {"reference": ["a", "a"], "rankings": [{"name": "x", "items": ["a"]}]}, "twice"),
        ("ideal", {"lists": [{"name": "x", "grades": [128]}]}, "grades"),
        (
            "ideal",
            {"lists": [{"name": "x", "grades": [1, 1]}], "relevant": [1]},
            "contains 2 documents of grade 1, but there are only 1",
        ),
    ],
)
def test_what_is_wrong_is_said(client, path, question, said):
    answer = client.post(f"/api/rankings/{path}", json=question)
    assert answer.status_code == 422
    assert said in answer.json()["detail"]


@pytest.mark.parametrize("query", [{"topic": "none"}, {"system": "nobody"}, {"depth": 0}, {"h": "x"}, {"h": 0}])
def test_what_is_wrong_with_runs_is_said(client, query):
    answer = client.get("/api/rankings/runs", params={"demo": 8} | query)
    assert answer.status_code == 422
    assert answer.json()["detail"]


def cells(page, row=1):
    return page.locator(f"#against tbody tr:nth-child({row}) > *").all_inner_texts()


def wait_for_rows(page, rows):
    page.wait_for_function("rows => document.querySelectorAll('#against tbody tr').length === rows", arg=rows)
    page.wait_for_selector("#chart svg")


def saved(page, kind):
    with page.expect_download() as download:
        page.click(f"#save-{kind}")
    assert download.value.suggested_filename == f"rankings.{kind}"
    return Path(download.value.path()).read_bytes()


def test_eight_lists_against_a_reference(visit):
    with visit("/rankings") as page:
        page.click("#modes button:has-text('reference')")
        wait_for_rows(page, 8)
        last = compare(list("HGFEDCBA"), list("ABCDEFGH"))
        assert cells(page, 8)[:4] == ["reversed", f"{last.footrule[-1]:g}", f"{last.kendall[-1]:g}", f"{last.area[-1]:g}"]
        page.fill("#reference", "a b c d")
        page.fill("#rankings", "x: b a c d\nc a b d\nd, c, b, a")
        page.click("#part-reference button")
        wait_for_rows(page, 3)
        page.wait_for_function("() => document.querySelector('#against tbody').textContent.includes('0.9000')")
        assert [cells(page, row)[6] for row in (1, 2, 3)] == ["0.9000", "0.7000", "0.0000"]
        assert cells(page, 2)[0] == "list 2"
        svg = saved(page, "svg").decode()
        assert svg.startswith("<svg")
        assert "3 rankings against the reference" in svg
        assert saved(page, "png").startswith(b"\x89PNG")
        address = page.url
    with visit("/" + address.split("/", 3)[3]) as page:  # the address holds the state
        wait_for_rows(page, 3)
        assert page.input_value("#reference") == "a b c d"


@pytest.mark.parametrize("text", ["3\n2\n2\n0", "3 2 2 0"])
def test_a_pasted_relevance_list_is_not_ranked_twice(visit, text):
    with visit("/rankings") as page:
        page.wait_for_selector("#chart svg")
        page.click("summary")
        page.fill("#text-first", text)
        page.fill("#text-second", "")
        page.click("#paste button")
        wait_for_rows(page, 1)
        assert page.get_attribute("#modes button[value=grades]", "aria-pressed") == "true"
        assert page.input_value("#grades") == "first: 3 2 2 0"
        assert cells(page)[:4] == ["first", "0", "0.0000", "1.0000"]
        assert page.inner_text("#error") == ""
        page.fill("#grades", "first: 0 2 2 3")
        page.click("#part-grades button")
        page.wait_for_function(
            "() => document.getElementById('said').textContent.includes('loses at rank 1; it recovers at rank 4')"
        )


def test_the_demo_by_topic_and_system(visit):
    with visit("/rankings?mode=files&topic=7&depth=30") as page:
        wait_for_rows(page, 8)
        assert page.input_value("#topic") == "7"
        page.click("#systems label:has-text('sysA') input")
        wait_for_rows(page, 7)
        page.select_option("#topic", "all")
        page.wait_for_function("() => document.querySelector('#against caption').textContent.includes('mean over')")
        page.click("#modes button[value=two]")
        page.wait_for_selector("#number-a_corr", state="visible")
        assert page.locator("#against").is_hidden()


@pytest.mark.skipif(not TREC8.is_dir(), reason=f"the real data are not there: {TREC8}")
def test_a_real_run_and_eight_systems_by_mouse(visit, tmp_path):
    """TREC-8: upload judgments and a run, choose a topic, then eight systems; the numbers are those of the library."""
    runs = [TREC8 / "runs" / f"{name}.gz" for name in EIGHT]
    with visit("/rankings") as page:
        page.click("#modes button[value=files]")
        wait_for_rows(page, 8)
        page.select_option("#source", "files")
        page.set_input_files("#qrels", TREC8 / "qrels.txt")
        page.wait_for_function("() => document.querySelectorAll('#files li').length === 1")
        page.set_input_files("#runs", runs[:1])
        wait_for_rows(page, 1)
        page.select_option("#topic", "401")
        page.wait_for_function("() => document.querySelector('#against caption').textContent.includes('topic 401')")
        curves = against_ideal(judge(TREC8 / "qrels.txt", runs[:1], depth=100), depth=100).only("401")
        assert cells(page) == [EIGHT[0], *end_cells(end_numbers(curves)[0])]
        assert "loses at ranks" in page.inner_text("#said")
        page.wait_for_function("() => document.querySelector('#chart svg')?.textContent.includes('topic 401')")
        page.screenshot(path=tmp_path / "one.png", full_page=True)
        page.set_input_files("#runs", runs[1:])
        wait_for_rows(page, 8)
        page.select_option("#topic", "all")
        page.wait_for_function("() => document.querySelector('#chart svg')?.textContent.includes('mean over 50 topics')")
        means = dict(zip((cells(page, row)[0] for row in range(1, 9)), (cells(page, row)[3] for row in range(1, 9)), strict=True))
        assert (means["READWARE2"], means["apl8p"]) == ("0.7487", "0.5420")
        legend = page.locator("#chart svg text").all_text_contents()
        assert set(EIGHT) <= set(legend)
        page.screenshot(path=tmp_path / "eight.png", full_page=True)
        assert saved(page, "svg").startswith(b"<svg")
