"""Formats besides LaTeX and Markdown: what is prose, where it is, and what tables say."""

from __future__ import annotations

import json

import pytest

from mensura.errors import InputError
from mensura.lint.engine import Options, lint, lint_text
from mensura.lint.readers.html import read_html
from mensura.lint.readers.latex import read_latex
from mensura.lint.readers.listing import read_listing
from mensura.lint.readers.markdown import read_markdown
from mensura.lint.readers.notebook import read_notebook
from mensura.lint.readers.pdf import read_pdf
from mensura.lint.readers.rst import read_rst
from mensura.lint.readers.typst import read_typst

PRINTED = [
    ("Indri: {'MRR @100': 0.22037977500707348, 'QueriesRanked': 500}\n", {"M101", "M301"}),
    ("AP score  = 0.6806944444444445\n", {"M301"}),
    ("{'ndcg@10': np.float64(0.7002495906751198), 'recall@100': np.float64(0.5132333533967706)}\n", {"M301"}),
    ("BM25    nDCG@10    0.2613   R@100      0.2027\n", set()),
    ("test result: OrderedDict([('recall@1', 0.0004), ('mrr@10', 0.0010)])\n", {"M101"}),
    ("r = 0.4123456\np: 0.512345\n", set()),
    ("Epoch 3: loss 0.1234567 accuracy 0.9123456\n", set()),
    ("precision: 0.9234567 recall: 0.8123456 f1: 0.91\n", set()),
]


@pytest.mark.parametrize(("text", "codes"), PRINTED)
def test_measures_in_a_line_that_a_notebook_printed(text, codes):
    output = {"output_type": "stream", "name": "stdout", "text": [text]}
    cell = {"cell_type": "code", "source": "show(run)", "outputs": [output]}
    assert {code for _, _, code in places(json.dumps({"cells": [cell], "nbformat": 4}), "notebook")} == codes


CLAIM = "Our experiments prove it."


def places(text, kind):
    return [(each.line, each.column, each.code) for each in lint_text(text, kind, "x", Options())]


def cells(table):
    return [[cell.text for cell in row] for row in table.rows]


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("html", f"<p>First.</p>\n<p>Then <b>{CLAIM}</b></p>", [(2, 16, "M001")]),
        ("html", f"<script>{CLAIM}</script><pre>{CLAIM}</pre><!-- {CLAIM} --><code>{CLAIM}</code>", []),
        ("html", f"<p title='{CLAIM}'>Nothing.</p>", []),
        ("html", f"<p>{CLAIM} <!-- mensura: ignore M001 --></p>", []),
        ("rst", f"Title\n=====\n\nText. **{CLAIM}**\n", [(4, 13, "M001")]),
        ("rst", f".. code-block:: text\n\n   {CLAIM}\n\n.. {CLAIM}\n\n``{CLAIM}``\n", []),
        ("rst", f".. note::\n\n   {CLAIM}\n", [(3, 8, "M001")]),
        ("rst", f"{CLAIM}\n\n.. mensura: ignore-file M001\n", []),
        ("typst", f"= Title\n\nText. *{CLAIM}*\n", [(3, 12, "M001")]),
        ("typst", f"// {CLAIM}\n`{CLAIM}`\n```text\n{CLAIM}\n```\n", []),
        ("typst", f"{CLAIM} // mensura: ignore M001", []),
    ],
)
def test_prose_and_places(kind, text, expected):
    assert places(text, kind) == expected


def test_tables_of_html_with_spans():
    text = (
        "<table><caption>On 50 topics</caption><tr><th rowspan=2>Run</th><th colspan='2'>Robust</th></tr>"
        "<tr><th>MAP</th><th>P@10</th></tr>"
        "<tr><td>BM25</td><td>0.31</td><td><strong>0.42</strong><sup>&dagger;</sup></td></tr></table>"
    )
    for table in (*read_html(text).tables, *read_markdown(f"Before.\n\n{text}\n").tables):
        assert [(table.left(row), table.above(row, column), cell.text) for row, column, cell in table.body()] == [
            (("BM25",), ("Robust", "MAP"), "0.31"),
            (("BM25",), ("Robust", "P@10"), "0.42 †"),
        ]
        assert table.caption == "On 50 topics"
        assert [sorted(cell.styles) for _, _, cell in table.body()] == [[], ["bold"]]


@pytest.mark.parametrize(
    "text",
    [
        "+---+--------+\n|Run| MAP    |\n+===+========+\n| a |**0.31**|\n+---+--------+\n| b | 0.30   |\n+---+--------+\n",
        "===  ========\nRun  MAP\n===  ========\na    **0.31**\nb    0.30\n===  ========\n",
        ".. list-table:: Title\n\n   * - Run\n     - MAP\n   * - a\n     - **0.31**\n   * - b\n     - 0.30\n",
        '.. csv-table:: Title\n   :header: Run, "MAP"\n\n   a, **0.31**\n   b, 0.30\n',
    ],
)
def test_tables_of_rst(text):
    (table,) = read_rst(f"Text.\n\n{text}\nMore.\n").tables
    assert cells(table) == [["Run", "MAP"], ["a", "0.31"], ["b", "0.30"]]
    assert [sorted(cell.styles) for _, _, cell in table.body()] == [["bold"], []]


def test_tables_of_typst():
    text = (
        "#figure(\n  table(\n    columns: (auto, 1fr, 1fr),\n    table.header([Run], table.cell(colspan: 2)[*Robust*]),\n"
        "    [], [MAP], [P\\@10], [BM25], [0.31], [*0.42*],\n  ),\n  caption: [On 50 topics.],\n) <tab>\n"
    )
    (table,) = read_typst(text).tables
    assert table.caption == "On 50 topics."
    assert [(table.above(row, column), cell.text, sorted(cell.styles)) for row, column, cell in table.body()] == [
        (("Robust", "MAP"), "0.31", []),
        (("Robust", "P@10"), "0.42", ["bold"]),
    ]


def test_tables_in_the_outputs_of_a_notebook():
    html = "<table><tr><th></th><th>name</th><th>map</th></tr><tr><th>0</th><td>BM25</td><td>0.31</td></tr></table>"
    text = json.dumps(
        {
            "cells": [
                {"cell_type": "code", "source": "frame", "outputs": [{"output_type": "display_data", "data": {"text/html": html}}]},
                {
                    "cell_type": "code",
                    "source": ["print(frame)"],
                    "outputs": [
                        {"output_type": "stream", "text": ["     name    map\n", "0    BM25  0.311\n", "1      QL  0.305\n"]}
                    ],
                },
            ]
        },
        indent=1,
    )
    shown, printed = read_notebook(text, "x.ipynb").tables
    assert [(shown.left(row), shown.above(row, column), cell.text) for row, column, cell in shown.body()] == [
        (("0", "BM25"), ("map",), "0.31")
    ]
    assert cells(printed) == [["", "name", "map"], ["0", "BM25", "0.311"], ["1", "QL", "0.305"]]


def test_lines_that_are_not_a_table():
    assert read_listing("loading 0.3 s\ndone\n\nepoch 1 loss 0.31\n") == []


def typeset(source):
    return pytest.importorskip("typst").compile(source.encode())


def test_pdf_pages_lines_and_hyphens(tmp_path):
    path = tmp_path / "paper.pdf"
    filler = "Retrieval systems are compared on topics. " * 30
    path.write_bytes(
        typeset(
            "#set page(width: 12cm, height: 16cm)\n#set par(justify: true)\n"
            f"{filler}\n#pagebreak()\n= Results\n\n#block(width: 2.1cm, text(hyphenate: true)[Our experiments prove it.])\n"
        )
    )
    (finding,) = lint([str(path)])
    assert (finding.code, finding.page) == ("M001", 2)
    assert finding.line == 2


def test_two_columns_are_read_one_after_the_other():
    words = " ".join(f"word{number}" for number in range(400))
    document = read_pdf(typeset(f"#set page(columns: 2, width: 16cm, height: 12cm)\n{words}\n"), "x")
    numbers = [int(word[4:]) for word in document.plain.split() if word.startswith("word") and word[4:].isdigit()]
    assert numbers == sorted(numbers)
    assert len(numbers) > 380


def test_a_table_of_a_pdf():
    source = (
        "Text.\n#figure(table(columns: 3, table.cell(rowspan: 2)[Run], table.cell(colspan: 2)[Robust], [MAP], [P\\@10], "
        "[BM25], [0.311], [*0.420*#super[2]], [QL], [*0.320*], [0.415]), caption: [On 50 topics.])\nMore text.\n"
    )
    (table,) = read_pdf(typeset(source), "x").tables
    body = [
        (table.left(row)[-1], table.above(row, column)[-1], cell.text, sorted(cell.styles)) for row, column, cell in table.body()
    ]
    assert body == [
        ("BM25", "MAP", "0.311", []),
        ("BM25", "P@10", "0.420^2", ["bold"]),
        ("QL", "MAP", "0.320", ["bold"]),
        ("QL", "P@10", "0.415", []),
    ]
    assert "On 50 topics." in table.caption
    values = [cell.value.value for _, _, cell in table.body() if cell.value is not None]
    assert [float(value) for value in values] == [0.311, 0.420, 0.320, 0.415]


def test_a_heading_of_a_pdf_is_not_part_of_a_sentence():
    source = (
        '#set heading(numbering: "1")\n= Results\nThe runs differ.\n#heading(numbering: none, level: 2)[All runs]\nThey are close '
        '*in all of the many topics that we have looked at here, in every one of them*.\n\n#text(weight: "bold")[We have looked at '
        "all of the topics for a long time, and at all of the runs for every one of the topics, and at all of the documents "
        "of these runs, in order to see where the runs differ and where they do not.]\n"
    )
    sentences = [sentence.normal for sentence in read_pdf(typeset("#set page(width: 9cm)\n" + source), "x").sentences]
    assert sentences[:3] == ["1 Results", "The runs differ.", "All runs"]
    assert len(sentences) == 5


def test_a_short_caption_is_not_a_row_of_the_table_below():
    source = (
        "#figure(table(columns: 4, column-gutter: 2cm, stroke: none, [Run], [MAP], [P\\@10], [P\\@20], [BM25], [0.311], [0.420], "
        "[0.41], [QL], [0.320], [0.415], [0.40]), caption: figure.caption(position: top)[Means.], kind: table)\n"
    )
    (table,) = read_pdf(typeset(f"Text.\n{source}\nMore text.\n"), "x").tables
    assert [cell.text for cell in table.rows[0]] == ["Run", "MAP", "P@10", "P@20"]
    assert "Means" in table.caption


def test_the_sign_of_an_increment_is_a_delta():
    assert "Δ = 0.3" in read_pdf(typeset("The difference is ∆ = 0.3 here.\n"), "x").plain


@pytest.mark.parametrize("data", [b"", b"%PDF-1.4\n", b"no pdf", b"%PDF-1.7\n" + b"\xff" * 1000])
def test_a_broken_pdf_is_refused(data):
    with pytest.raises(InputError, match="is not a PDF that can be read"):
        read_pdf(data, "x.pdf")


def test_a_pdf_without_text_is_refused():
    with pytest.raises(InputError, match="only pictures"):
        read_pdf(typeset("#rect(width: 2cm)"), "x.pdf")


def test_a_missing_package_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pypdfium2", None)
    with pytest.raises(InputError, match=r"pip install 'mensura\[pdf\]'"):
        read_pdf(b"%PDF-1.4", "x.pdf")


def test_fences_and_tables_are_those_of_markdown_it():
    """markdown-it-py, a parser of CommonMark by others, finds the same fences and tables."""
    parser = pytest.importorskip("markdown_it").MarkdownIt("commonmark").enable("table")
    text = (
        "Text.\n\n| a | b |\n|---|:-:|\n| 1 | 2 |\n| 3 | 4 |\n\nMore.\n\n```python\nx = 1\n```\n"
        "\n~~~\n| no | table |\n|---|---|\n~~~\n\n"
        "a | b\n--|--\n1 | 2\n\n```\nopen to the end\n| a | b |\n|---|---|\n"
    )
    tokens = parser.parse(text)
    expected = [token.map for token in tokens if token.type == "table_open"]
    document = read_markdown(text)
    lines = [[text.count("\n", 0, table.start), text.count("\n", 0, table.end) + 1] for table in document.tables]
    assert lines == expected
    assert [code.text for code in document.code] == [
        token.content for token in tokens if token.type == "fence" and token.info == "python"
    ]


def test_rows_that_end_with_tabularnewline():
    text = r"\begin{tabular}{lr}run & MAP \tabularnewline a & 0.1 \tabularnewline[2pt] b & 0.2 \tabularnewline\end{tabular}"
    (table,) = read_latex(text).tables
    assert [[cell.text for cell in row] for row in table.rows] == [["run", "MAP"], ["a", "0.1"], ["b", "0.2"]]


def test_a_part_of_a_table_has_its_caption_and_that_of_the_whole():
    rows = r"\begin{tabular}{lr}run & MAP \\ a & 0.1 \\ \end{tabular}"
    part = r"\begin{subtable}{.5\textwidth}\caption{%s}" + rows + r"\end{subtable}"
    text = r"\begin{table}\caption{Means over 50 topics}" + part % "First" + "\n" + part % "Second" + r"Note.\end{table}"
    first, second = read_latex(text).tables
    assert first.caption.split() == ["First", "Means", "over", "50", "topics", "Note."]
    assert second.caption.split() == ["Second", "Means", "over", "50", "topics", "Note."]
    tables = r"\begin{table}\caption{One}" + rows + r"\end{table}\begin{table}\caption{Two}" + rows + r"\end{table}"
    assert [table.caption for table in read_latex(tables).tables] == ["One", "Two"]
