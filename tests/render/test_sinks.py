"""One table of sinks: hostile names cannot end the place that they are written into, nor start another."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura import JudgedRuns, evaluate
from mensura.evaluation.evaluation import Evaluation, score
from mensura.measures import parse_measure
from mensura.render.charts.draw import drawn
from mensura.render.escapes import csv_cell, for_terminal, latex, markdown, markdown_cell, script_json, visible
from mensura.render.evaluations import as_csv, as_trec_eval
from mensura.render.html import as_html
from mensura.render.latex import as_latex
from mensura.render.tables import Table, as_markdown, as_text, as_typst, csv_text

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "a\n\\input{/etc/passwd}",
    "a\r\n=cmd|' /C calc'!A0",
    "=1+1",
    "+1-1",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "\x1b]0;title\x07\x1b[2J",
    "\x9b2J",
    "\u202egnp.exe",
    "line\u2028break",
    "[x](javascript:alert(1))",
    "a|b`c*d",
    "\\end{tabular}\\write18{rm}",
    "%comment",
    '";alert(1);"',
    "]]>",
    "<!--",
]
names = st.one_of(
    st.sampled_from(HOSTILE), st.text(min_size=1, max_size=30), st.text("<>/&\"'\\{}%#$_^~|`*[]=+-@\t\r\n\x1b\x9b", min_size=1)
)
names = names.filter(lambda name: bool(name.strip()) and not any(0xD800 <= ord(char) <= 0xDFFF for char in name))


class Tags(HTMLParser):
    """The elements of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.names: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        assert not any(name.startswith("on") for name, _ in attrs)


def tags(text: str) -> list[str]:
    reader = Tags()
    reader.feed(text)
    reader.close()
    return reader.names


def table(name: str) -> Table:
    return Table([name, "AP"], [[name, 0.5]], "lr", caption=name, strong=[(0, 0)])


def check_html(name: str) -> None:
    assert tags(str(as_html(table(name)))) == tags(str(as_html(table("plain"))))


def check_script(name: str) -> None:
    text = script_json({"name": name})
    assert json.loads(text) == {"name": name}
    assert not set(text) & set("<>\u2028\u2029")


def check_latex(name: str) -> None:
    text = as_latex(table(name))
    assert text.count("\n") == as_latex(table("plain")).count("\n")
    commands = set(re.findall(r"\\([a-zA-Z]+)", text)) - set(re.findall(r"\\([a-zA-Z]+)", latex(name)))
    assert not commands & {"input", "write", "include", "openout", "catcode"}
    assert re.search(r"(?<!\\)%", text.partition("\n")[2]) is None
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)


def check_markdown(name: str) -> None:
    lines = as_markdown(table(name)).split("\n")
    assert len(lines) == len(as_markdown(table("plain")).split("\n"))
    assert all(len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) in {0, 3} for line in lines)
    assert not set("".join(lines)) & set("<>")  # not every reader takes a backslash before these
    bare = re.sub(r"\\[\\`*\[\]|$~]", "", "".join(lines).replace("**", ""))
    assert not set(bare) & set("`[]")
    assert not set(markdown(name)) & set("<>")
    assert "\n" not in markdown(name)


def check_csv(name: str) -> None:
    rows = list(csv.reader(io.StringIO(csv_text(["system", "x"], [[name, -0.5]]), newline="")))
    assert rows == [["system", "x"], [csv_cell(name), "-0.5"]]
    first = rows[1][0]
    assert first[0] not in "=+-@\t\r" or re.fullmatch(r"[+-]?[\d.]+(e[+-]?\d+)?", first, re.IGNORECASE)
    assert first.removeprefix("'") == name or first == name


def check_terminal(name: str) -> None:
    for text in (for_terminal(f"a {name}\n"), as_text(table(name)), visible(name)):
        rest = re.sub("\x1b\\[(0|1|2|33)m", "", text)
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", rest)
    assert as_text(table(name)).count("\n") == as_text(table("plain")).count("\n")


def check_typst(name: str) -> None:
    assert as_typst(table(name)).count("\n") == as_typst(table("plain")).count("\n")


def named(name: str) -> Evaluation:
    judged = JudgedRuns.from_grades(np.array([[[1, 0]], [[0, 1]]], dtype=np.int8), [[1, 1]])
    return score(dataclasses.replace(judged, systems=(name, "other"), topics=(name,)), [parse_measure("AP")])


def check_trec_eval(name: str) -> None:
    lines = as_trec_eval(named(name), per_topic=True).split("\n")
    assert all(line.count("\t") == 2 for line in lines[:-1])
    assert lines[-1] == ""
    assert len(lines) == len(as_trec_eval(named("plain"), per_topic=True).split("\n"))


def check_csv_of_topics(name: str) -> None:
    rows = list(csv.reader(io.StringIO(as_csv(named(name), per_topic=True).decode(), newline="")))
    assert [len(row) for row in rows] == [4, 4, 4]
    assert rows[1][:2] == [csv_cell(name)] * 2


SINKS = {
    "HTML": check_html,
    "JSON in a script": check_script,
    "LaTeX": check_latex,
    "Markdown": check_markdown,
    "csv": check_csv,
    "csv of topics": check_csv_of_topics,
    "terminal": check_terminal,
    "Typst": check_typst,
    "trec_eval": check_trec_eval,
}


@pytest.mark.parametrize("sink", SINKS)
@given(name=names)
@settings(deadline=None, max_examples=150)
def test_a_hostile_name_stays_in_its_place(sink, name):
    SINKS[sink](name)


@pytest.mark.parametrize("sink", SINKS)
@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_the_hostile_names_that_are_known(sink, name):
    SINKS[sink](name)


def bars(name: str) -> dict[str, object]:
    values = [{"system": name, "value": 1}]
    encoding = {"x": {"field": "value", "type": "quantitative"}, "y": {"field": "system", "type": "nominal"}}
    return {"data": {"values": values}, "mark": "bar", "encoding": encoding, "title": name}


def test_charts_as_pages_and_images():
    """The script of a page ends where we end it; an SVG file has the elements that it has for any name."""
    scripts = tags(drawn(bars("plain"), Path("x.html")).decode()).count("script")
    shapes = set(tags(drawn(bars("plain"), Path("x.svg")).decode()))
    for name in HOSTILE[:3]:
        page = drawn(bars(name), Path("x.html")).decode()
        assert tags(page).count("script") == scripts == 2
        assert page.count("</script>") == 2
        assert set(tags(drawn(bars(name), Path("x.svg")).decode())) <= shapes


def test_a_long_name_of_digits_is_looked_at_once():
    """It took time that grows with the square of its length to find that it is not a number: minutes for this one."""
    assert csv_cell("-" + "1" * 300_000 + "x").startswith("'-1")


def test_a_measure_of_numbers_is_not_changed():
    evaluation = evaluate({"q": {"d": 1}}, {"s": {"q": {"d": 1.0}}}, ["AP"])
    assert as_csv(evaluation, per_topic=True) == b"system,topic,measure,value\ns,q,AP,1.0\n"
    assert markdown_cell("nDCG@10") == "nDCG@10"
