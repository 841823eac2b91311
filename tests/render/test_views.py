"""Results in a terminal and in a notebook: the same numbers, everything escaped, some rows of long tables."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import vl_convert

from mensura import MensuraError, compare, evaluate, interval_scale, parse_measure, rankings, read_qrels
from mensura.evaluation.description import describe
from mensura.lint import Finding, Findings
from mensura.plans import parse_plan, template
from mensura.render.charts.chart import MIMETYPE
from mensura.report import report
from mensura.scales import properties, scale_facts
from mensura.study import study
from tests.cli.running import mensura

QRELS = {"1": {"a": 1, "b": 0, "c": 1}, "2": {"a": 1, "d": 1}}
RUNS = {
    "<script>alert(1)</script>": {"1": {"a": 3.0, "b": 2.0, "c": 1.0}, "2": {"a": 2.0, "b": 1.0}},
    "plain": {"1": {"b": 3.0, "c": 2.0}, "2": {"d": 1.0}},
}


@pytest.fixture(scope="module")
def evaluation():
    return evaluate(QRELS, RUNS, ["AP", "P@2"])


def test_a_terminal_shows_what_the_command_line_shows(evaluation, tmp_path):
    (tmp_path / "qrels.txt").write_text("".join(f"{q} 0 {d} {g}\n" for q, ds in QRELS.items() for d, g in ds.items()))
    for number, run in enumerate(RUNS.values()):
        text = "".join(f"{q} Q0 {d} 1 {score} run{number}\n" for q, ds in run.items() for d, score in ds.items())
        (tmp_path / f"run{number}.txt").write_text(text)
    named = evaluate(tmp_path / "qrels.txt", [tmp_path / "run0.txt", tmp_path / "run1.txt"], ["AP", "P@2"])
    shown = mensura("evaluate", "qrels.txt", "run0.txt", "run1.txt", "-m", "AP", "P@2", cwd=tmp_path).stdout
    assert str(named).split() == shown.split()
    assert repr(evaluation).startswith("Evaluation(2 systems × 2 topics: AP, P@2)")


def test_a_notebook_shows_the_same_numbers_escaped(evaluation):
    shown = evaluation._repr_html_()
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown
    numbers = set(re.findall(r"\d\.\d+", str(evaluation)))
    assert numbers <= set(re.findall(r"\d\.\d+", re.sub(r"<style>.*?</style>", "", shown)))
    assert all(
        remark.text in shown.replace("&lt;", "<").replace("&gt;", ">").replace("&#39;", "'") for remark in evaluation.remarks
    )


def test_long_tables_are_cut_with_a_note():
    run = {"1": {"a": 1.0}}
    many = evaluate({"1": {"a": 1}}, {f"run{number:03}": run for number in range(129)}, ["AP"])
    shown = many._repr_html_()
    assert "… and 104 more rows" in shown
    assert len(shown.encode()) < 200_000


def results():
    """One result of each kind that users see, by name."""
    evaluation = evaluate(QRELS, RUNS, ["AP@2", "P@2"])
    judged = evaluation.judged
    return {
        "scores": evaluation["AP@2"],
        "remark": evaluation.remarks[0],
        "ranks": evaluation["AP@2"].on_interval_scale(),
        "properties": properties(parse_measure("RBP(p=0.5)@3")),
        "scale facts": scale_facts(parse_measure("P@3")),
        "rankings": rankings.compare(["a", "b", "c"], ["b", "a", "c"]),
        "description": describe(read_qrels(QRELS), judged),
        "study": study(judged, ["AP", "P"], [2], tests=["t"]),
        "report": report(judged, ["P@2"], samples=20),
        "comparison": compare(evaluation, samples=20)["P@2"],
        "comparisons": compare(evaluation, samples=20),
        "leaderboard of comparisons": compare(evaluation, samples=20).leaderboard(),
        "pairs": compare(evaluation, samples=20).pairs(),
        "pair": compare(evaluation, samples=20)["P@2"].pairs()[0],
        "baseline": compare(evaluation, samples=20, baseline="plain"),
        "interval scale": interval_scale("AP@3"),
        "interval scale with many steps": interval_scale("AP@10"),
        "meaning": evaluation.meaning(),
        "meaning of a measure": evaluation.meaning()["P@2"],
        "plan": parse_plan(template(systems=("A", "B"), primary=["P@10"], secondary=["AP"]), Path("plan.toml")),
        "findings": Findings([Finding("paper.tex", 1, 5, 1, 9, "M001", "proof", "warning", "“prove” <b>")]),
    }


RESULTS = results()


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_shows_itself(name):
    result = RESULTS[name]
    shown, text = result._repr_html_(), str(result)
    assert shown.count("<table>") == shown.count("</table>") >= 1
    assert "<script>" not in shown
    assert text
    assert "Traceback" not in text
    assert r"\begin{tabular}" in result.to_latex()
    assert "|---" in result.to_markdown()
    assert result.to_typst().startswith("#figure(")


def test_papers_get_latex_markdown_and_typst(evaluation):
    assert r"\textless{}script\textgreater{}" in evaluation.to_latex()
    assert evaluation.to_markdown().startswith("Means over 2 of 2 topics, 2 runs\n\n|")
    assert '"plain"' in evaluation.to_typst()


def test_charts_are_shown_saved_and_refused_by_name(evaluation, tmp_path):
    chart = evaluation.chart()
    shown = chart._repr_mimebundle_()
    assert set(shown) == {MIMETYPE, "image/svg+xml", "text/plain"}
    assert json.loads(json.dumps(shown[MIMETYPE]))["layer" if "layer" in chart.spec else "mark"]
    assert chart.spec["config"]["background"] == "white"
    assert "background" not in shown[MIMETYPE]["config"]
    assert shown["image/svg+xml"].startswith("<svg")
    for ending in ("svg", "png", "pdf", "html"):
        chart.save(tmp_path / f"chart.{ending}")
        assert (tmp_path / f"chart.{ending}").stat().st_size > 1000
    assert repr(evaluation["AP"].chart("topics")).startswith("Chart(")
    with pytest.raises(MensuraError, match="Evaluation has no chart 'pie'; there are recall-precision, topics"):
        evaluation.chart("pie")
    with pytest.raises(MensuraError, match="has no chart"):
        evaluation.remarks[0].chart()


def test_altair_takes_a_chart(evaluation):
    altair = pytest.importorskip("altair")
    chart = evaluation.chart()
    taken = chart.to_altair()
    assert isinstance(taken, altair.TopLevelMixin)
    written = json.loads(taken.to_json())
    drawn = chart.spec.keys() & {"mark", "encoding", "layer", "facet", "hconcat", "vconcat", "spec"}
    assert drawn
    assert {key: written[key] for key in drawn} == {key: chart.spec[key] for key in drawn}


def test_recall_and_precision_are_those_of_iprec(evaluation):
    rows = evaluation.chart("recall-precision").spec["data"]["values"]
    for row in rows:
        name = f"IPrec@{row['recall']}"
        expected = evaluate(QRELS, RUNS, [name]).means()[row["system"]]
        assert row["precision"] == pytest.approx(next(iter(expected.values())), abs=1e-12)


CHARTS = {
    ("comparison", "intervals"),
    ("comparison", "groups"),
    ("comparison", "critical-difference"),
    ("comparisons", "differences"),
    ("comparisons", "p-values"),
    ("baseline", "intervals"),
    ("baseline", "differences"),
    ("scores", "topics"),
    ("interval scale", "spacing"),
    ("interval scale with many steps", None),
    ("properties", "spacing"),
    ("rankings", None),
    ("study", "tau"),
    ("study", "places"),
    ("meaning", "surviving"),
    ("report", "intervals"),
}


@pytest.mark.parametrize(("name", "chart"), sorted(CHARTS, key=str))
def test_charts_of_every_result_are_drawn(name, chart):
    shown = RESULTS[name].chart(chart)._repr_mimebundle_()
    assert shown["image/svg+xml"].startswith("<svg")
    assert shown[MIMETYPE]["$schema"].startswith("https://vega.github.io/schema/vega-lite")
    dark = vl_convert.vegalite_to_svg(shown[MIMETYPE], theme="dark")  # as JupyterLab draws it if its theme is dark
    assert 'fill="#333"' in dark
    assert not re.search(r'<text[^>]*fill="(?:#000|black|#111|#222|#444|#555)"', dark)
    altair = pytest.importorskip("altair")
    assert isinstance(RESULTS[name].chart(chart).to_altair(), altair.TopLevelMixin)  # checks it against the schema


def test_there_are_no_groups_against_a_baseline():
    with pytest.raises(MensuraError, match="Comparisons has no chart 'groups'; there are intervals, differences, p-values"):
        RESULTS["baseline"].chart("groups")


def test_ranks_on_a_scale_say_of_how_many_steps():
    compared = compare(evaluate(QRELS, RUNS, ["P@2"]), scale="interval", samples=20)
    assert re.search(r"\b2(\.0+)? of 3 steps", str(compared))  # every system finds one of two relevant documents per topic
    assert compared[0].steps == 3


def test_a_comparison_of_129_systems_is_small():
    rows = {f"run{at:03}": {str(topic): (at * 7 + topic * 13) % 29 / 29 for topic in range(10)} for at in range(129)}
    compared = compare(rows, test="t")
    shown = compared._repr_html_()
    assert len(shown.encode()) < 200_000
    assert "more rows" in shown
