"""Numbers are written in one place, and in one way."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest

from mensura.evaluation.evaluation import Evaluation
from mensura.evaluation.scores import Scores
from mensura.judged.runs import JudgedRuns
from mensura.measures.names import parse_measure
from mensura.render.evaluations import as_table, as_trec_eval
from mensura.render.numbers import (
    change,
    ci,
    exact,
    fixed,
    general,
    group_ranges,
    p_equation,
    p_value,
    percent,
    plain,
    span,
    whole,
    with_error,
)
from mensura.stats.results import group_letters, letters

SOURCE = Path(__file__).resolve().parents[2] / "src" / "mensura"
NAN = math.nan


@pytest.mark.parametrize("value", [-0.001, -0.0, 0.0, 0.001, -0.0049, np.float64(-1e-9)])
def test_zero_has_no_sign(value):
    for sign in (False, True):
        assert fixed(value, 2, sign=sign) == "0.00"
        assert plain(value, 2, sign=sign) == "0.00"
    assert span((value, value), 2) == "0.00 … 0.00"
    assert percent(value / 100) == "0.0\u00a0%"


def test_numbers_for_people():
    assert [fixed(-0.126, 2), fixed(2, 1, sign=True), fixed(None), fixed(NAN)] == ["−0.13", "+2.0", "–", "–"]
    assert [general(-1234.5), general(1e-7, 2), general(NAN)] == ["−1234.5", "1e−07", "–"]
    assert [p_value(0.5), p_value(0.0001), p_value(9.9e-5), p_value(NAN)] == ["0.5000", "0.0001", "<0.0001", "–"]
    assert [p_equation(0.25), p_equation(0), p_equation(NAN)] == ["p = 0.2500", "p < 0.0001", "p = –"]
    assert [percent(1, 3), percent(0, 0), percent(NAN)] == ["33.3\u00a0%", "–", "–"]
    assert [whole(1234567), whole(-1234.5), whole(None)] == ["1\u202f234\u202f567", "−1\u202f234.5", "–"]
    assert [change(-1.234), change(0.0), change(1e-9, ascii_only=True), change(NAN)] == ["−1.23%", "+0.00%", "+0.00%", ""]
    assert [with_error(0.01, 0.002), with_error(-0.01, 0, sign=True), with_error(0, 0, sign=True)] == [
        "1.00 ± 0.20",
        "−1.00 ± 0.00",
        "0",
    ]


def test_numbers_for_programs():
    assert [exact(0.1), exact(np.float64(1 / 3)), exact(NAN), exact(None), exact(7), exact("a")] == [
        "0.1",
        "0.3333333333333333",
        "",
        "",
        "7",
        "a",
    ]
    assert [plain(-0.126, 2), plain(NAN, 2)] == ["-0.13", ""]


def test_letters_of_groups():
    assert [letters(number) for number in (0, 25, 26, 51, 52, 701, 702)] == ["a", "z", "aa", "az", "ba", "zz", "aaa"]
    groups = ((2, 0), (0, 1), (1, 3))
    assert group_letters(groups) == {2: ["a"], 0: ["a", "b"], 1: ["b", "c"], 3: ["c"]}
    assert group_ranges(groups, [letters(number) for number in range(3)]) == {2: "a", 0: "a–b", 1: "b–c", 3: "c"}


def evaluation(systems, topics=3, measures=("P@2",), values=None):
    """An evaluation with made-up values."""
    judged = JudgedRuns.from_grades(np.ones((systems, topics, 2), dtype=np.int8), [[0, 2]] * topics)
    shape = (systems, topics)
    scores = [
        Scores(
            parse_measure(name),
            np.full(shape, 0.5) if values is None else values,
            judged.systems,
            judged.topics,
            np.ones(shape, dtype=np.bool_),
            judged,
        )
        for name in measures
    ]
    return Evaluation(judged, tuple(scores))


def test_a_table_has_true_minus_signs_and_no_negative_zero():
    text = as_table(evaluation(2, 2, values=np.array([[-0.25, -0.00001], [0.5, -0.5]])), per_topic=True)
    assert "−0.2500" in text
    assert "-" not in text.replace("sys-", "")
    assert not re.search(r"−0\.0+\b", text)


@pytest.mark.parametrize("systems", [1, 4, 16])
def test_trec_evals_layout_aggregates_once_per_measure(monkeypatch, systems):
    """It did so once per measure and system, each time for all systems."""
    calls = []
    aggregate = Scores.aggregate

    def counted(scores):
        calls.append(scores)
        return aggregate(scores)

    monkeypatch.setattr(Scores, "aggregate", counted)
    text = as_trec_eval(evaluation(systems, measures=("P@2", "AP")), per_topic=False)
    assert len(calls) == 2
    assert text.count("P_2") == text.count("map") == systems


# Second ways to write a number, a csv file or an HTML escape, in the packages that show results.
SECOND_WAYS = re.compile(
    r"\{[^{}\"]*:[+, ]*[\d{]*\.[^}]*[feg%]\}"  # a format with a precision
    r"|replace\(\"-\", \"−\"\)|\"–\" if|\+ 0\.0:"
    r"|csv\.(?:writer|DictWriter)|html\.escape|textbackslash"
)
ALLOWED = {
    "render/numbers.py": "the one place",
    "render/escapes.py": "LaTeX's escapes",
    "study/example.py": "the scores of a run file, whose bytes the documentation quotes",
}


def test_levels_and_kinds_of_intervals():
    assert [ci(0.05), ci(0.021, "simultaneous"), ci(0.1, "FCR-adjusted")] == [
        "95\xa0% CI",
        "simultaneous 97.9\xa0% CI",
        "FCR-adjusted 90\xa0% CI",
    ]


IN_SCRIPTS = re.compile(r"\.to(Fixed|Precision|Exponential|LocaleString)\(|Math\.round\(|NumberFormat|[}`\"'] ?%[ `\"']")
NOT_SHOWN = {  # lines of scripts that round what nobody reads
    "web/pages/static/adm.js": ['Math.round(Number($("cutoff").value))'],  # a field of the page
    "web/pages/static/scales.js": ['Math.round(Number($("length").value))'],  # a field of the page
    "web/pages/static/meaning.js": ["Number(y.toPrecision(8))"],  # in the address
}


def test_no_second_way_to_write_a_number_in_scripts():
    """The page of a comparison had p-values by ``toFixed`` and levels by a product: .0313 for 1/32, 97.89999999999999 % CI."""
    wrong = []
    scripts = [path for path in SOURCE.rglob("*.js") if path.name != "numbers.js"]
    assert len(scripts) > 10
    for path in sorted(scripts):
        name = path.relative_to(SOURCE).as_posix()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            for known in NOT_SHOWN.get(name, ()):
                line = line.replace(known, "")
            if IN_SCRIPTS.search(line):
                wrong.append(f"{name}:{number}: {line.strip()[:120]}")
    assert not wrong, "\n".join(wrong)


def test_no_second_way_to_write_a_number():
    wrong = []
    for package in ("render", "report", "cli", "study", "web"):
        for path in sorted((SOURCE / package).rglob("*.py")):
            name = path.relative_to(SOURCE).as_posix()
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
                if name not in ALLOWED and SECOND_WAYS.search(line):
                    wrong.append(f"{name}:{number}: {line.strip()}")
    assert not wrong, "\n".join(wrong)
