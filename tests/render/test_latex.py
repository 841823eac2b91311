"""Tables in LaTeX, compiled: no box that is more than 5 points too wide, in one column and in two."""

from __future__ import annotations

import itertools

import pytest

from mensura.render.latex import as_latex
from mensura.render.tables import Marked, Table, as_markdown, as_typst
from tests.latex import CLASSES, NEEDS_LATEX, head_of, too_wide


def leaderboard(systems: int, measures: int, name: str = "system{}", marks: str = "abc") -> Table:
    """A leaderboard as a paper has it: means with letters of groups."""
    names = [name.format(number) for number in range(systems)]
    rows = [(name, *(Marked(f"0.{(37 * at + 11 * m) % 1000:03}", marks) for m in range(measures))) for at, name in enumerate(names)]
    header = ["system", *itertools.islice(itertools.cycle(["nDCG@10", "MAP", "RR@10", "R@1000"]), measures)]
    strong = {(0, column) for column in range(1, measures + 1)}
    return Table(header, rows, "l" + "r" * measures, caption="Means & letters", label="board", strong=strong)


WIDE = Table(
    ["", "system", *["mean", "95 % CI", "group"] * 4],
    [(at, "a_long_name_of_a_run_with_parameters_b=0.75", *["0.123", "[0.101, 0.145]", "a–f"] * 4) for at in range(8)],
    "rl" + "rcl" * 4,
    caption="Everything",
    above=[("", 2), *((name, 3) for name in ("nDCG@10", "AP", "RR@10", "R@1000"))],
    names=1,
)


TABLES = {
    "eight systems, four measures": leaderboard(8, 4),
    "usual names": leaderboard(8, 4, "BM25+monoT5-{}", "a–f"),
    "twelve measures": leaderboard(8, 12),
    "a name of sixty letters": leaderboard(3, 4, "W" * 60 + "{}"),
    "sixty systems": leaderboard(60, 2),
    "one cell": leaderboard(1, 1),
    "means, intervals, groups": WIDE,
}


@NEEDS_LATEX
@pytest.mark.parametrize("pages", CLASSES)
def test_tables_fit_the_page(pages, tmp_path):
    assert too_wide({name: as_latex(table) for name, table in TABLES.items()}, head_of(pages), tmp_path) == {}


@NEEDS_LATEX
def test_what_does_not_fit_is_named(tmp_path):
    texts = {"narrow": "a", "wide": r"\hbox{\rule{30cm}{1pt}}\noindent\hbox to 40cm{a\hfil b}", "narrow too": "b"}
    assert list(too_wide(texts, CLASSES["one column"], tmp_path)) == ["wide"]


def test_eight_systems_and_four_measures_fit_one_column():
    text = as_latex(leaderboard(8, 4))
    assert "table*" not in text
    assert text.count(r"\begin{tabular}") <= 2
    assert r"\textbf{0.000}\textsuperscript{abc}" in text


def test_columns_below_one_heading_stay_together():
    blocks = as_latex(WIDE).split(r"\begin{tabular}")[1:]
    assert len(blocks) > 1
    assert all(block.count("group") == block.count(r"\cmidrule") for block in blocks)
    assert all("system" in block for block in blocks)


def test_markdown_and_typst_show_the_best_and_the_marks():
    table = leaderboard(2, 1)
    assert "| system0 | **0.000**<sup>abc</sup> |" in as_markdown(table)
    assert 'strong("0.000") + super("abc")' in as_typst(table)


@pytest.mark.parametrize("text", ['a "quoted" \\ name', "#let x = 1", "[*bold*] $1$ @cite", "line\nfeed"])
def test_typst_compiles_whatever_the_names(text):
    typst = pytest.importorskip("typst")
    assert typst.compile(as_typst(leaderboard(2, 2, text + "{}")._replace(caption=text)).encode())[:5] == b"%PDF-"


def comparison(systems: int, measures: int, **options):
    """A comparison of simulated systems, as Python gives it."""
    from mensura import compare

    table = {
        f"{'BM25+monoT5' if systems < 9 else 'run'}-{at}": {
            str(topic): {f"nDCG@{cut}": (7 * at + 13 * topic + cut) % 17 / 17 + at / 10 for cut in (5, 10, 20, 100)[:measures]}
            for topic in range(12)
        }
        for at in range(systems)
    }
    return compare(table, samples=200, **options)


BASELINES = ["BM25+monoT5-0", "BM25+monoT5-1", "BM25+monoT5-2"]
COMPARED = {"letters": {}, "one baseline": {"baseline": BASELINES[0]}, "three baselines": {"baseline": BASELINES}}


@NEEDS_LATEX
@pytest.mark.parametrize("pages", CLASSES)
def test_comparisons_fit_the_page(pages, tmp_path):
    texts = {"sixty systems": comparison(60, 4).to_latex()}
    for name, options in COMPARED.items():
        compared = comparison(8, 4, **options)
        texts |= {name: compared.to_latex(), f"{name}, intervals": compared.to_latex(intervals=True)}
    assert too_wide(texts, head_of(pages), tmp_path) == {}


@pytest.mark.parametrize("intervals", [False, True])
@pytest.mark.parametrize("options", COMPARED)
def test_a_comparison_is_one_column_wide(options, intervals):
    text = comparison(8, 4, **COMPARED[options]).to_latex(intervals=intervals)
    assert "table*" not in text
    assert r"\textbf{" in text
    assert r"\textsuperscript{" in text


def test_daggers_are_the_significant_pairs():
    compared = comparison(4, 2, baseline=["BM25+monoT5-0", "BM25+monoT5-3"], test="t", correction="none")
    (table,) = compared.paper_tables(digits=2)
    marks = dict(zip(("BM25+monoT5-0", "BM25+monoT5-3"), "†‡", strict=True))
    for row in table.rows:
        name = str(row[0])
        assert row[0].marks == marks.get(name, "")
        for cell, each in zip(row[1:], compared, strict=True):
            differs = [pair.second for pair in each.pairs() if pair.first == name and pair.significant]
            assert cell.marks == "".join(marks[baseline] for baseline in differs)
            assert float(cell) == round(float(each.mean[each.systems.index(name)]), 2)
    best = {column for row, column in table.strong if row == 0}
    assert best == {1, 2}


def test_letters_are_shared_by_systems_that_do_not_differ():
    compared = comparison(6, 1, test="t", correction="none")[0]
    (table,) = compared.paper_tables()
    marks = {str(row[0]): set(row[1].marks) for row in table.rows}
    for pair in compared.pairs():
        assert pair.significant == (not marks[pair.first] & marks[pair.second])


def test_points_are_below_each_other():
    from mensura import compare

    table = {"A": {"1": 9.0, "2": 8.0, "3": 9.5}, "B": {"1": 109.0, "2": 100.0, "3": 95.0}}
    text = compare(table, test="t").to_latex(digits=1)
    assert r"\phantom{0}\phantom{0}8.8\textsuperscript" in text
    assert r"\textbf{101.3}" in text
