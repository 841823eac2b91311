"""The model that rules share: places of characters, tables with spans and styles, numbers as they are printed."""

from __future__ import annotations

from fractions import Fraction

import pytest

from mensura.lint.engine import Options, lint_text
from mensura.lint.known_collections import ABOUT, COLLECTIONS, known_topics
from mensura.lint.readers.latex import read_latex
from mensura.lint.readers.markdown import read_markdown
from mensura.lint.readers.places import Assembly, Lines, TextFile
from mensura.lint.readers.printed import Span, numbers, show


def test_lines_count_from_the_top_of_a_page():
    lines = Lines("ab\ncd\n\fef\ngh", (0, 6))
    assert lines.place(0) == (1, 1, 1)
    assert lines.place(4) == (2, 2, 1)
    assert lines.place(7) == (1, 2, 2)
    assert lines.place(10) == (2, 1, 2)
    assert Lines("ab\ncd").place(4) == (2, 2, 0)


def test_a_text_of_pieces_knows_where_they_come_from():
    assembly = Assembly([TextFile("a", "one \\input two"), TextFile("b", "xyz")])
    assembly.add("one ", 0, 0)
    assembly.add("xyz", 1, 0)
    assembly.add("MAP", 0, 4, straight=False)
    assembly.add(" two", 0, 10)
    places = assembly.places()
    assert assembly.text == "one xyzMAP two"
    assert [places.origin(at) for at in (0, 3, 4, 6, 7, 9, 10, 13)] == [
        (0, 0), (0, 3), (1, 0), (1, 2), (0, 4), (0, 4), (0, 10), (0, 13),
    ]  # fmt: skip
    assert places.span(8, 12) == (0, 4, 12)
    assert places.span(2, 5) == (0, 2, 3)


LATEX = r"""
\begin{tabular}{llrr}\toprule
\multirow{2}{*}{Set} & \multirow{2}{*}{Run} & \multicolumn{2}{c}{Robust04} \\ \cmidrule{3-4}
 & & MAP & P@10 \\ \midrule
\multirow{2}{*}{old} & BM25 & 0.31 & \underline{.42} \\
 & QL & \textbf{0.33}$^{\dagger}$ & 0.41 \\ \midrule
\multicolumn{4}{l}{Neural} \\
new & BERT & -- & \cellcolor{gray}\textbf{41.5\%} \\ \bottomrule
\end{tabular}"""


def test_a_table_with_spans():
    (table,) = read_latex(LATEX).tables
    assert table.kinds == ["head", "head", "body", "body", "section", "body"]
    assert table.leads == 2
    found = [(table.left(row), table.above(row, column), cell.text) for row, column, cell in table.body()]
    assert found == [
        (("old", "BM25"), ("Robust04", "MAP"), "0.31"),
        (("old", "BM25"), ("Robust04", "P@10"), ".42"),
        (("old", "QL"), ("Robust04", "MAP"), "0.33 ^ †"),
        (("old", "QL"), ("Robust04", "P@10"), "0.41"),
        (("Neural", "new", "BERT"), ("Robust04", "MAP"), "--"),
        (("Neural", "new", "BERT"), ("Robust04", "P@10"), "41.5 %"),
    ]
    assert table.blocks == [[2, 3], [5]]
    styles = {cell.text: cell.styles for _, _, cell in table.body()}
    assert styles["0.33 ^ †"] == {"bold"}
    assert styles[".42"] == {"underline"}
    assert styles["41.5 %"] == {"bold", "colour"}
    values = [cell.value for _, _, cell in table.body()]
    assert [value and (value.value, value.decimals, value.percent) for value in values] == [
        (Fraction(31, 100), 2, False),
        (Fraction(42, 100), 2, False),
        (Fraction(33, 100), 2, False),
        (Fraction(41, 100), 2, False),
        None,
        (Fraction(415, 10), 1, True),
    ]


def test_bold_cells_of_markdown():
    (table,) = read_markdown("| Run | MAP |\n|---|---|\n| a | **0.31** |\n| b | <u>0.3</u> |\n| c | 0.2 |\n").tables
    assert [sorted(cell.styles) for _, _, cell in table.body()] == [["bold"], ["underline"], []]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.41 and .4", [("0.41", "0.41", 2), (".4", "0.4", 1)]),
        ("−12.3 % or +5%", [("−12.3 %", "−12.3", 1), ("+5%", "5", 0)]),
        ("1,234 and 0,412", [("1,234", "1234", 0), ("0,412", "0.412", 3)]),
        ("1.2e-3, 3 × 10^-5", [("1.2e-3", "0.0012", 4), ("3 × 10^-5", "0.00003", 5)]),
        ("P@10 v1.2.3 x3 BM25", []),
        ("49)=2.31", [("49", "49", 0), ("2.31", "2.31", 2)]),
    ],
)
def test_numbers_as_they_are_printed(text, expected):
    assert [(each.text, show(each.value, each.decimals), each.decimals) for each in numbers(text)] == expected


def test_everything_that_is_printed_like_this():
    (rounded,) = numbers("0.41")
    assert rounded.span == Span(Fraction(405, 1000), Fraction(42, 100))
    assert rounded.rounded == Span(Fraction(405, 1000), Fraction(415, 1000))
    (negative,) = numbers("-3")
    assert negative.span == Span(Fraction(-4), Fraction(-5, 2))
    assert (rounded.span - rounded.span).contains(0)
    assert (rounded.span / rounded.span).contains(1)
    assert show(Fraction(-1, 1000), 2) == "0.00"


@pytest.mark.parametrize(
    "name",
    [
        *(
            "TREC DL 2019",
            "DL-20",
            "dl'21",
            "Deep Learning Track 2022",
            "deep-learning 19",
            "DL-Hard",
            "MS MARCO v1 doc dev",
            "TREC-COVID",
        ),
        *(
            "Robust04",
            "Disks 4 & 5",
            "core17",
            "Core 2018",
            "TREC-8",
            "WT2g",
            "Gov2",
            "terabyte",
            "WT10G",
            "Vaswani",
            "Cranfield",
            "NFCorpus",
        ),
        *(
            "SciFact",
            "sci-docs",
            "FiQA",
            "ArguAna",
            "Touché",
            "DBpedia-Entity",
            "FEVER",
            "Climate-FEVER",
            "NQ",
            "Natural Questions",
        ),
        *("HotpotQA", "BioASQ", "TREC-News", "Signal-1M", "ANTIQUE", "ClueWeb09", "Web Track", "CACM", "Quora", "BEIR", "MQ2007"),
        *(
            "Tip of the tongue",
            "ML-1M",
            "ml 20m",
            "MovieLens",
            "Last.fm",
            "MIND",
            "Steam",
            "Yahoo LTR",
            "Istella-S",
            "iKAT",
            "CORD-19",
        ),
    ],
)
def test_a_long_text_names_the_collections_that_a_short_one_names(name):
    """A short text is looked through by every pattern; a long one only around parts of names."""
    text = f"We evaluate on {name} here. "
    expected = max(
        [
            *(count for pattern, counts in COLLECTIONS if pattern.search(text) for count in counts),
            *(size for pattern, size in ABOUT if pattern.search(text)),
        ]
    )
    filler = "Words that say nothing about it. " * 200
    assert known_topics(filler + text + filler) == known_topics(text) == expected


def test_the_last_digits_of_floats_are_not_compared():
    """0.3 − 0.1 is 0.19999999999999998 in floats."""
    row = "{},0.10000000000000001,0.30000000000000004,{}\n"
    text = "run,P@5 old,P@5 new,delta\n" + "".join(row.format(name, "0.20000000000000004") for name in "abc")
    assert lint_text(text + row.format("d", "0.20000000000000001"), "csv", "x.csv", Options(select=("N",))) == []
    (finding,) = lint_text(text + row.format("d", "0.21000000000000001"), "csv", "x.csv", Options(select=("N",)))
    assert (finding.code, finding.line) == ("N002", 5)
