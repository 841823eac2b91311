"""One table value as text, csv, Markdown, LaTeX and HTML."""

from __future__ import annotations

import csv
import io
import json
import math
from functools import partial

from mensura.render.html import Element, html
from mensura.render.latex import as_latex
from mensura.render.numbers import fixed
from mensura.render.tables import Table, as_markdown, as_text, csv_text, json_text

TABLE = Table(
    ["name", "mean", "note"],
    [("a_b", -0.126, "x|y"), ("日本", math.nan, "<&>")],
    "lrl",
    [None, partial(fixed, decimals=2)],
    "A caption & more",
    "small",
    above=[("", 1), ("both", 2)],
    rules=(0,),
)


def test_text_is_aligned_by_its_width_on_the_screen():
    head, rule, first, line, second = as_text(TABLE).splitlines()
    assert head == "name   mean  note"
    assert rule == line == "─" * 17
    assert first == "a_b   −0.13  x|y"
    assert second == "日本      –  <&>"


def test_csv_reads_back():
    cells = list(csv.reader(io.StringIO(csv_text(("a", "b"), [('x,"y"', 1 / 3), ("two\nlines", math.nan), (None, 7)]))))
    assert cells == [["a", "b"], ['x,"y"', repr(1 / 3)], ["two\nlines", ""], ["", "7"]]


def test_json_has_no_nan():
    assert json.loads(json_text({"a": [math.nan, math.inf, 1.5], "b": (1, None)})) == {
        "version": 1,
        "a": [None, None, 1.5],
        "b": [1, None],
    }


def test_markdown_escapes_its_pipes():
    assert as_markdown(TABLE).splitlines()[2:5] == [
        "| name | mean | note |",
        "|---|---:|---|",
        "| a_b | −0.13 | x\\|y |",
    ]


def test_latex_is_escaped_and_long_tables_are_several_floats():
    text = as_latex(TABLE)
    assert r"\caption{A caption \& more}" in text
    assert r"\begin{tabular}{lrl}" in text
    assert r"\multicolumn{2}{c}{both} \\" in text
    assert r"\cmidrule(lr){2-3}" in text
    assert r"a\_b & \ensuremath{-}0.13 & x\textbar{}y \\" in text
    long = as_latex(TABLE._replace(rows=[("a", 1.0, "")] * 46))
    assert long.count(r"\begin{table}") == long.count(r"\toprule") == 2
    assert r"\caption{A caption \& more (continued)}" in long
    assert "longtable" not in long


def test_html_is_escaped():
    text = html([Element("p", ["1 < 2 & τ_b"], {"class": 'a"b', "hidden": True, "x": False}), TABLE])
    assert text.startswith('<p class="a&#34;b" hidden>1 &lt; 2 &amp; τ_b</p><div')
    assert '<th colspan="2"' in text.replace('scope="colgroup" colspan', "colspan")
    assert "<td>&lt;&amp;&gt;</td>" in text
    assert '<td class="n">−0.13</td>' in text
    assert '<th scope="row">a_b</th>' in text
