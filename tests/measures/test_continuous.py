"""Continuous relevance: judgments that are numbers (P2 §2), from every door, with an oracle over documents."""

from __future__ import annotations

import gzip
import math

import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura import ADM, InputError, Measure, MeasureError, evaluate, judge, read_qrels
from mensura.adm import distances
from mensura.io import collection_digest
from mensura.measures.names import REGISTRY, parse_measure
from tests.cli.running import mensura

QRELS = {"q": {"a": 0.9, "b": 0.25, "c": 0.0, "e": 1.0}, "r": {"a": 0.5}}
RUN = {"q": {"a": 0.8, "b": 0.5, "x": 0.25}, "r": {"a": 0.5, "b": 0.125}}
ROWS = [(topic, document, grade) for topic, documents in QRELS.items() for document, grade in documents.items()]


def value(name, run=RUN, qrels=QRELS):
    (scores,) = evaluate(qrels, {"mine": run}, [name])
    return scores.values[0].tolist()  # noqa: PD011 - not a data frame


# distances: a .1, b .25, x .25; in topic r: a 0, b .125
BY_HAND = {
    "ADM(srs='given')": [1 - 0.6 / 3, 1 - 0.125 / 2],
    "ADM(srs='given')@1": [0.9, 1.0],
    "ADM(srs='given', documents='retrieved-assessed')": [1 - 0.35 / 2, 1.0],
    "ADM(srs='given', documents='assessed')": [1 - (0.1 + 0.25 + 0 + 1) / 4, 1.0],
    "ADM(srs='given', documents=100)": [1 - (0.1 + 0.25 + 0.25 + 1) / 100, 1 - 0.125 / 100],
    "ADM(srs='given', urs='ends')": [1 - 0.6 / 3, 1 - 0.125 / 2],
    "ADM(srs='given', urs={0: 0, 1: 0.5})": [1 - (0.35 + 0.375 + 0.25) / 3, 1 - (0.25 + 0.125) / 2],
    # URS .875, .375 and .125 in four levels; .5 is in the third
    "ADM(srs='given', levels=4)": [1 - (0.075 + 0.125 + 0.125) / 3, 1 - 0.125 / 2],
    "ADM(srs='given', levels=2, urs='ends')": [1 - (0.2 + 0.5 + 0.25) / 3, 1 - (0.5 + 0.125) / 2],
    # SRS .75, .75, .25 and .75, .25 in two categories of retrieval, URS continuous: ADM^(2)
    "ADM(srs='given', step=2)": [1 - (0.15 + 0.5 + 0.25) / 3, 1 - (0.25 + 0.25) / 2],
    "ADM(srs='given', step=2, urs='ends')": [1 - (0.1 + 0.75 + 0) / 3, 1 - 0.5 / 2],
    # four categories of relevance, two of retrieval: ADM_(4)^(2)
    "ADM(srs='given', levels=4, step=2)": [1 - (0.125 + 0.375 + 0.125) / 3, 1 - (0.125 + 0.125) / 2],
}


@pytest.mark.parametrize("name", BY_HAND)
def test_examples_by_hand(name):
    assert value(name) == pytest.approx(BY_HAND[name], abs=1e-15)


def test_the_whole_database_with_whole_grades():
    """Eq. 1 itself: 3 documents are retrieved or judged, and the other 997 have SRS and URS 0."""
    qrels, run = {"q": {"a": 1, "b": 1}}, {"q": {"a": 0.75, "x": 0.5}}
    assert value("ADM(srs='given', urs='ends', documents=1000)", run, qrels) == [pytest.approx(1 - 1.75 / 1000, abs=1e-15)]
    assert value("ADM(srs='given', urs='ends', documents=3)", run, qrels) == [1 - (0.25 + 1 + 0.5) / 3]
    with pytest.raises(MeasureError, match="topic q of mine has 3 that were retrieved or judged"):
        value("ADM(srs='given', documents=2)", run, qrels)


def test_categories_of_retrieval_and_of_relevance_need_not_be_as_many():
    """ADM_(4)^(2): URS 1/8, 3/8, 5/8, 7/8, and SRS ¼ or ¾."""
    qrels, run = {"q": {"a": 3, "b": 2, "c": 1, "d": 0}}, {"q": {"a": 0.9, "b": 0.5, "c": 0.49, "d": 0.1}}
    assert value("ADM(srs='given', step=2)", run, qrels) == [0.875]
    assert value("ADM(srs='given', step=8)", run, qrels) == [1 - (0.0625 + 0.0625 + 0.0625 + 0.0625) / 4]


# ── doors ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def frame(make):
    return make({"query_id": [t for t, _, _ in ROWS], "doc_id": [d for _, d, _ in ROWS], "relevance": [g for _, _, g in ROWS]})


def written(write, ending):
    trec = "".join(f"{topic} 0 {document} {grade}\n" for topic, document, grade in ROWS)
    if ending == "trec":
        return write("qrels.txt", trec)
    if ending == "gz":
        return write("qrels.gz", gzip.compress(trec.encode()))
    if ending == "csv":
        return write("qrels.csv", "query_id,doc_id,relevance\n" + "".join(f"{t},{d},{g}\n" for t, d, g in ROWS))
    return write("qrels.json", str(QRELS).replace("'", '"'))


@pytest.mark.parametrize("door", ["trec", "gz", "csv", "json", "pandas", "polars"])
def test_every_door(door, write):
    frames = {"pandas": pd.DataFrame, "polars": pl.DataFrame}
    qrels = read_qrels(frame(frames[door]) if door in frames else written(write, door))
    assert qrels.continuous
    assert qrels.to_dict() == QRELS
    assert collection_digest(qrels) == collection_digest(read_qrels(QRELS))
    assert value("ADM(srs='given')", qrels=qrels) == value("ADM(srs='given')")


def test_whole_numbers_with_a_point_are_whole(write):
    qrels = read_qrels(write("qrels.txt", "q 0 a 1.0\nq 0 b 0e3\n"))
    assert (qrels.continuous, qrels.to_dict()) == (False, {"q": {"a": 1, "b": 0}})
    assert collection_digest(qrels) == collection_digest(read_qrels({"q": {"a": 1, "b": 0}}))
    assert not read_qrels({"q": {"a": 1.0}}).continuous


def test_a_negative_number_was_not_judged():
    qrels = read_qrels({"q": {"a": 0.5, "b": -0.5}})
    assert judge(qrels, [{"q": {"a": 2.0, "b": 1.0}}]).grades.tolist() == [[[0, -2]]]
    assert qrels.recall_base.tolist() == [[1]]
    assert qrels.rounded().to_dict() == {"q": {"a": 1, "b": -1}}


def test_rounding():
    assert read_qrels(QRELS).rounded().to_dict() == {"q": {"a": 1, "b": 0, "c": 0, "e": 1}, "r": {"a": 1}}
    assert read_qrels(QRELS).rounded(4).to_dict() == {"q": {"a": 3, "b": 1, "c": 0, "e": 3}, "r": {"a": 2}}
    assert read_qrels(QRELS).binary(0.3).to_dict() == {"q": {"a": 1, "b": 0, "c": 0, "e": 1}, "r": {"a": 1}}
    assert value("P@1", qrels=read_qrels(QRELS).rounded()) == [1.0, 1.0]
    with pytest.raises(InputError, match=r"from 0 to 1, got 2\.5"):
        read_qrels({"q": {"a": 2.5}}).rounded(4)


# ── refusals ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────

SAYS = "needs grades that are whole numbers, but document 'a' of topic 'q' has 0.9; round them"


@pytest.mark.parametrize(
    "name", sorted(name for name, measure in REGISTRY.items() if not measure.continuous and not hasattr(measure, "example"))
)
def test_every_other_measure_refuses(name):
    measure: Measure = REGISTRY[name]()
    with pytest.raises(InputError, match=SAYS):
        evaluate(QRELS, {"mine": RUN}, [measure])
    if name in {"NumRet", "NumQ"}:  # do not look at grades
        expected = [[3.0, 2.0]] if name == "NumRet" else [[1.0, 1.0]]
        assert measure.score(judge(QRELS, {"mine": RUN})).tolist() == expected
    else:
        with pytest.raises(InputError, match=SAYS):
            measure.score(judge(QRELS, {"mine": RUN}))


def test_one_whole_measure_among_others_is_enough():
    with pytest.raises(InputError, match=SAYS):
        evaluate(QRELS, {"mine": RUN}, ["ADM", "AP"])
    assert value("GM(ADM)") == value("ADM")


def test_the_command_line_refuses_in_one_sentence(write):
    run = write("run.txt", "q Q0 a 1 0.5 mine\n")
    qrels = written(write, "trec")
    refused = mensura("evaluate", qrels, run, "-m", "AP", status=2)
    assert SAYS in refused.stderr
    assert len(refused.stderr.strip().splitlines()) <= 4
    shown = mensura("evaluate", qrels, run, "-m", "ADM(srs='given')", "-f", "csv")
    assert "0.3" in shown.stdout  # q: 1 − |.5 − .9| = .6, r: nothing retrieved


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("ADM(levels=2, strict='rigid')", "strict="),
        ("ADM(step='nearest')", "step= with a number of levels"),
        ("ADM(step='expected')", "step= with a number of levels"),
        ("ADM(srs='rank', retrieved=10)", "levels of relevance"),
        ("ADM(urs={0: 0.5})", "must give the URS from grade 0 to grade 1"),
        ("ADM(step=1)", "at least 2"),
        ("ADM(documents=0)", "at least 1"),
        ("ADM(documents=True)", "at least 1"),
        ("ADM(step='near')", "'nearest', 'expected', or a whole number"),
    ],
)
def test_what_needs_levels(name, says):
    with pytest.raises(MeasureError, match=says):
        value(name)


def test_grades_beyond_1_are_not_urs():
    qrels = {"q": {"a": 2.5, "b": 1.0}}
    with pytest.raises(MeasureError, match=r"but there is 2\.5; urs='ends' divides them by 3"):
        value("ADM", {"q": {"a": 1.0}}, qrels)
    assert value("ADM(srs='given', urs='ends')", {"q": {"a": 1.0}}, qrels) == [pytest.approx(2.5 / 3)]
    assert value("ADM(srs='given', urs={0: 0, 2: 0.5, 3: 1})", {"q": {"a": 1.0}}, qrels) == [0.75]


# ── an oracle ────────────────────────────────────────────────────────────────────────────────────────────────────────────────

documents = st.sampled_from("abcdefg")
numbers = st.integers(0, 16).map(lambda number: number / 16)
judgments = st.fixed_dictionaries({"q": st.dictionaries(documents, numbers, min_size=1), "r": st.just({"z": 0.5})})
lists = st.dictionaries(documents, numbers, min_size=1)


@settings(max_examples=80, deadline=None)
@given(qrels=judgments, one=lists, two=lists, of=st.sampled_from(["retrieved", "retrieved-assessed", "assessed", "pool", 20]))
@pytest.mark.parametrize("k", [2, 9])
def test_agrees_with_the_oracle(qrels, one, two, of, k):
    runs = {"one": {"q": one}, "two": {"q": two}}
    ranked = {name: sorted(run["q"], key=lambda d: (run["q"][d], d), reverse=True) for name, run in runs.items()}
    measure = ADM(srs="given", documents=of) @ k
    (scores,) = evaluate(qrels, runs, [measure])
    found = scores.values[:, list(qrels).index("q")].tolist()  # noqa: PD011 - not a data frame
    judged = judge(qrels, runs, scores=True)
    for at, (name, run) in enumerate(runs.items()):
        srs = {d: run["q"][d] for d in (ranked[name] if of == "pool" else ranked[name][:k])}
        chosen = {
            "retrieved": set(srs),
            "retrieved-assessed": set(srs) & set(qrels["q"]),
            "assessed": set(qrels["q"]),
            "pool": {d for each in ranked.values() for d in each[:k]},
            20: set(srs) | set(qrels["q"]),
        }[of]
        size = 20 if of == 20 else len(chosen)
        total = math.fsum(abs(srs.get(d, 0.0) - qrels["q"].get(d, 0.0)) for d in chosen)
        assert found[at] == pytest.approx(1 - total / size if size else 0.0, abs=1e-12)
        shown = distances(judged, name, "q", measure)
        assert (len(shown.rank), shown.distance.sum()) == (len(chosen), pytest.approx(total, abs=1e-12))


def test_names_come_back():
    for name in ("ADM(documents=500000)", "ADM(step=3, levels=2)", "ADM(srs='given', step=4)"):
        assert str(parse_measure(name)) == name
