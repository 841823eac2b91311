"""Lists of different length: P4 §IV-C, §IV-D and §VI-B. Each length is another scale of a measure that divides by it."""

from __future__ import annotations

import contextlib
import dataclasses
import json
from fractions import Fraction

import numpy as np
import pytest

from mensura import AP, GM, F, JudgedRuns, MeasureError, P, ScaleError, Success, compare
from mensura.evaluation.evaluation import score
from mensura.measures import REGISTRY
from mensura.measures.geometric import Aggregated
from mensura.measures.names import parse_measure
from mensura.scales.facts import facts_for, scale_facts
from mensura.scales.ranks import Scales
from tests.cli.running import mensura


def judged(*systems, relevant=4):
    """Judged runs from words of grades, one per topic, of different lengths."""
    longest = max(len(word) for words in systems for word in words)
    grades = [[[int(grade) for grade in word] + [-1] * (longest - len(word)) for word in words] for words in systems]
    runs = JudgedRuns.from_grades(grades, [[40, relevant]] * len(systems[0]))
    return dataclasses.replace(runs, retrieved=np.array([[len(word) for word in words] for words in systems], dtype=np.int32))


SHORT, LONG = ("110", "010", "101"), ("1100000000", "0111000000", "1000000001")
MIXED = judged(SHORT, LONG)
SAID = "lists have 3 to 10 documents"


def padded(runs):
    """The same lists, each filled up to the longest with documents that are not judged."""
    return dataclasses.replace(runs, retrieved=np.where(runs.retrieved > 0, runs.length, 0).astype(np.int32))


def named(cutoff):
    """All registered measures with a cut-off or without, by name; those that cannot have it are left out."""
    for name in sorted(REGISTRY):
        with contextlib.suppress(MeasureError):
            yield parse_measure((f"{name}(P)" if issubclass(REGISTRY[name], Aggregated) else name) + cutoff)


OFF_SCALES = {
    *("ADM", "Accuracy", "Compat", "G", "Hole", "INST", "Judged", "NERR10", "NERR11", "NumNonRelRet", "NumQ", "NumRel", "NumRet"),
    *("Q", "RBPResidual", "RnDCG", "Unjudged", "Utility", "infAP", "nDCGrel"),
}
WHOLE, CUT = list(named("")), list(named("@5"))
ON_SCALES = [measure for measure in (*WHOLE, *CUT) if measure.scale_obstacle is None and not measure.from_documents]


def test_every_registered_measure_has_a_scale_or_the_reason_why_not():
    """No measure falls out in silence of those that are tried below."""
    assert {measure.name for measure in WHOLE} == set(REGISTRY)
    assert set(REGISTRY) - {measure.name for measure in CUT} == {"IPrec", "NumRel"}  # @ is a level of recall; no cut-off
    assert all(measure.scale_obstacle for measure in (*WHOLE, *CUT) if measure not in ON_SCALES)
    assert {measure.name for measure in ON_SCALES} == set(REGISTRY) - OFF_SCALES


@pytest.mark.parametrize("measure", ON_SCALES, ids=str)
def test_values_that_padding_changes_are_of_measures_that_use_the_length(measure):
    """The definition, tried on every measure: where padding changes a value, the measure says so."""
    changes = bool((np.abs(measure.score(padded(MIXED)) - measure.score(MIXED)) > 1e-12).any())
    assert changes <= measure.uses_length
    if not changes and measure.uses_length:
        assert measure == Success()  # asks about the whole list, however long


def test_a_cut_off_is_one_length():
    assert P().uses_length
    assert F().uses_length
    assert Success().uses_length
    assert GM(of=P()).uses_length
    assert not (P() @ 10).uses_length
    assert not GM(of=P() @ 10).uses_length
    assert not AP().uses_length


def test_lengths_matter_where_they_differ():
    assert facts_for(P(), MIXED).lengths == MIXED.lengths_differ == (3, 10)
    assert facts_for(P() @ 5, MIXED).lengths is None
    assert facts_for(P(), judged(SHORT, SHORT)).lengths is None
    missing = dataclasses.replace(judged(SHORT, SHORT), retrieved=np.array([[3, 0, 3], [3, 3, 3]], dtype=np.int32))
    assert facts_for(P(), missing).lengths is None  # an empty list is 0 on every scale


def test_values_of_mixed_lengths_are_not_equally_spaced():
    """P4 §IV-D1: P on lists of length 1 to 3 has the values 0, 1/3, 1/2, 2/3 and 1."""
    values = {Fraction(hits, length) for length in (1, 2, 3) for hits in range(length + 1)}
    assert sorted(values) == [0, Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), 1]
    facts = facts_for(P(), judged(("1", "01", "011"), ("0", "10", "111")))
    assert (facts.type, facts.lengths, facts.equally_spaced) == ("ordinal", (1, 3), False)
    assert "1 to 3 documents" in facts.reason


def test_lists_of_one_length_are_a_ratio_scale():
    assert facts_for(P(), judged(LONG, LONG)).type == "ratio"
    assert facts_for(P() @ 3, MIXED).type == "ratio"
    assert scale_facts(P() @ 10).lengths is None


def test_no_rank_puts_different_lengths_on_one_scale():
    """2 of 3 are better than 3 of 10 by P, and fewer by number: no rank of a common scale could keep the order."""
    values = P().score(MIXED)
    assert values[0, 0] == pytest.approx(2 / 3)
    assert values[1, 1] == pytest.approx(3 / 10)
    assert values[0, 0] > values[1, 1]
    scores = score(MIXED, [P()]).scores[0]
    with pytest.raises(ScaleError, match="3 to 10 documents; name a cut-off"):
        scores.on_interval_scale()
    with pytest.raises(ScaleError, match="cut-off"):
        _ = Scales(MIXED).of(P()).rank


def test_a_comparison_says_so():
    (comparison,) = compare(score(MIXED, [P()]), test="t")
    assert any(f"ordinal scale: its {SAID}" in remark and "P@10 [M104]" in remark for remark in comparison.remarks)
    (cut,) = compare(score(MIXED, [P() @ 3]), test="t")
    assert not any("M104" in remark for remark in cut.remarks)


@pytest.fixture
def files(tmp_path):
    """Two runs of different length."""
    for name, words in (("short", SHORT), ("long", LONG)):
        lines = [
            f"{topic} Q0 {grade}{word[:at].count(grade)} {at} {-at} {name}"
            for topic, word in enumerate(words, start=1)
            for at, grade in enumerate(word)
        ]
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n")
    relevant = [f"{topic} 0 {grade}{number} {grade}" for topic in (1, 2, 3) for grade in "01" for number in range(4)]
    (tmp_path / "qrels.txt").write_text("\n".join(relevant) + "\n")
    return [tmp_path / name for name in ("qrels.txt", "short.txt", "long.txt")]


@pytest.mark.parametrize("command", ["evaluate", "compare", "meaning"])
def test_commands_say_so(files, command):
    done = mensura(command, *files, "-m", "P")
    text = " ".join((done.stdout + done.stderr).split())
    assert f"P without a cut-off has another scale for each length of list, and the {SAID}" in text
    assert "name a cut-off, e.g. P@10; shortest lists: short (3) [M104]" in text
    done = mensura(command, *files, "-m", "P@10")
    assert "M104" not in done.stdout + done.stderr


def test_json_has_the_code_and_the_lengths(files):
    found = json.loads(mensura("evaluate", *files, "-m", "P", "-f", "json").stdout)
    (remark,) = [remark for remark in found["remarks"] if remark["code"] == "M104"]
    assert remark["kind"] == "lists of different length"
    assert remark["systems"] == {"short": 3.0}


def test_the_report_says_so(files, tmp_path):
    page = tmp_path / "report.html"
    mensura("report", *files, "-m", "P", "-o", page)
    assert SAID in page.read_text(encoding="utf-8")


def test_no_interval_scale_is_shown(files):
    done = mensura("evaluate", *files, "-m", "P", "--interval", status=2)
    assert "P has no cut-off" in done.stderr


def test_a_plan_that_names_no_cut_off_is_told_so(tmp_path):
    plan = tmp_path / "plan.toml"
    plan.write_text('goal = "x"\nsystems = ["a", "b"]\nprimary = "P"\n')
    assert "M104" in mensura("lint", plan, status=1).stdout
    plan.write_text('goal = "x"\nsystems = ["a", "b"]\nprimary = "P@10"\n')
    assert "M104" not in mensura("lint", plan, status=1).stdout
