"""ADM: examples worked by hand, a naive oracle over documents, laws, and the rules for what P2 leaves open."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura import (
    ADM,
    DepthError,
    InputError,
    JudgedRuns,
    MeasureError,
    ScaleError,
    evaluate,
    interval_scale,
    judge,
    parse_measure,
)
from mensura.measures.urs import level, user_scores

# One document of each grade, and x without judgment. Linear SRS: 1, 2/3, 1/3, 0. URS: 7/8, 5/8, 3/8, and 1/8 for x and d.
QRELS = {"q": {"a": 3, "b": 2, "c": 1, "d": 0}}
RUN = {"q": {"a": 10.0, "b": 7.0, "c": 4.0, "x": 1.0}}
LOGISTIC = [1 / (1 + math.exp(-z / math.sqrt(11.25))) for z in (4.5, 1.5, -1.5, -4.5)]  # mean 5.5, variance 11.25


def value(name, run=RUN, qrels=QRELS, **others):
    runs = {"mine": run, **others}
    return float(evaluate(qrels, runs, [name])[name].values[0, 0])


BY_HAND = {
    "ADM": 1 - Fraction(3 + 1 + 1 + 3, 24) / 4,
    "ADM@2": 1 - Fraction(3 + 1, 24) / 2,
    "ADM@9": Fraction(11, 12),  # a run shorter than the cut-off: the documents that there are
    "ADM(srs='rank')": 1 - Fraction(1, 8),  # 1, 3/4, 1/2, 1/4: each is 1/8 off
    "ADM(srs='rank')@2": Fraction(7, 8),
    "ADM(srs='rank', retrieved=8)@3": 1 - (Fraction(1, 8) + Fraction(2, 8) + Fraction(3, 8)) / 3,  # 8/8, 7/8, 6/8
    "ADM(srs='rank', retrieved=6)": 1 - Fraction(3 + 5 + 7 + 9 + 5 + 1, 24) / 6,  # 1, 5/6, … 1/6; two more that are not relevant
    "ADM(srs='logistic')": 1 - sum(abs(s - u / 8) for s, u in zip(LOGISTIC, (7, 5, 3, 1), strict=True)) / 4,
    "ADM(trim=1)": 1 - Fraction(1 + 3 + 3 + 1, 8) / 4,  # bounds 7 and 4: SRS 1, 1, 0, 0
    "ADM(trim=2)": Fraction(11, 12),  # four scores are fewer than 2 · 2 + 2: not trimmed
    "ADM(step='nearest')": Fraction(1),
    "ADM(step='expected')": Fraction(1),
    "ADM(urs='ends')": Fraction(1),
    "ADM(urs={0: 0, 1: 0.5, 2: 0.5, 3: 1})": 1 - Fraction(1 + 1, 6) / 4,
    "ADM(levels=2)": 1 - Fraction(3 + 1 + 5 + 3, 12) / 4,  # URS 3/4, 3/4, 3/4, 1/4
    "ADM(levels=2, strict='rigid')": 1 - Fraction(3 + 1 + 1 + 3, 12) / 4,  # 3/4, 3/4, 1/4, 1/4
    "ADM(levels=2, strict='rigid', srs='rank')@2": 1 - Fraction(1, 4) / 2,  # 1 and 3/4 against 3/4 and 3/4
    "ADM(levels=8)": 1 - (Fraction(9, 16) + Fraction(17, 48) + Fraction(7, 48) + Fraction(1, 16)) / 4,  # 7/16, 5/16, 3/16, 1/16
    "ADM(documents='retrieved-assessed')": 1 - Fraction(3 + 1 + 1, 24) / 3,
    "ADM(documents='assessed')": 1 - Fraction(3 + 1 + 1 + 3, 24) / 4,  # d was not retrieved: |0 − 1/8|
    "ADM(documents='assessed')@1": 1 - (Fraction(1, 8) + Fraction(5 + 3 + 1, 8)) / 4,
    "ADM(documents='pool')@2": 1 - Fraction(3 + 1, 24) / 2,  # with no other system, its own
    "GM(ADM@2)": Fraction(11, 12),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_examples_by_hand(name):
    assert value(name) == pytest.approx(float(BY_HAND[name]), abs=1e-15)


def test_ranks_as_in_the_paper():
    """P2 §2: of 1000 documents, the first has SRS 1.0, the second .999, the last .001."""
    judged = JudgedRuns.from_grades(np.zeros((1, 1, 1000), dtype=np.int8), [[1000]])
    srs = ADM(srs="rank").system_scores(judged)[0, 0]
    assert (srs[0], srs[1], srs[-1]) == (1.0, 0.999, 0.001)


def test_the_four_levels_of_the_paper():
    """P2 §3: S = 7/8, A = 5/8, B = 3/8, C = 1/8."""
    assert ADM().grade_scores(3) == (1 / 8, 3 / 8, 5 / 8, 7 / 8)


def test_levels_are_merged_as_ntcir_does():
    """Of S, A, B, C, relaxed takes S, A and B for relevant, rigid S and A."""
    assert [level(grade, 4, 2, "relaxed") for grade in range(4)] == [0, 1, 1, 1]
    assert [level(grade, 4, 2, "rigid") for grade in range(4)] == [0, 0, 1, 1]


@given(grades=st.integers(2, 9), data=st.data())
def test_rigid_is_never_above_relaxed(grades, data):
    levels = data.draw(st.integers(2, grades))
    for strict in ("relaxed", "rigid"):
        merged = [level(grade, grades, levels, strict) for grade in range(grades)]
        assert merged == sorted(merged)
        assert set(merged) == set(range(levels))
    assert all(level(g, grades, levels, "rigid") <= level(g, grades, levels, "relaxed") for g in range(grades))


def test_normalised_by_run():
    """Two topics with scores 0 … 20 and 5, 10: by run, 10 is ½ and 5 is ¼; by topic, 1 and 0."""
    qrels = {"q": {"a": 1}, "r": {"a": 1, "b": 0}}
    run = {"q": {"a": 20.0, "b": 0.0}, "r": {"a": 10.0, "b": 5.0}}
    found = evaluate(qrels, {"mine": run}, ["ADM(urs='ends', per='run')", "ADM(urs='ends')"])
    assert found["ADM(urs='ends', per='run')"].values.tolist() == [[1.0, 1 - (0.5 + 0.25) / 2]]
    assert found["ADM(urs='ends')"].values.tolist() == [[1.0, 1.0]]


def test_trimmed_by_run():
    """Of 0, 5, 10, 20 one is left out at either end: bounds 5 and 10."""
    qrels = {"q": {"a": 1}, "r": {"a": 1, "b": 0}}
    run = {"q": {"a": 20.0, "b": 0.0}, "r": {"a": 10.0, "b": 5.0}}
    name = "ADM(urs='ends', per='run', trim=1)"
    assert evaluate(qrels, {"mine": run}, [name])[name].values.tolist() == [[1.0, 1.0]]


def test_the_pool_holds_what_any_system_found():
    """The pool of the top 1 of both is {a, b}. Mine has b with SRS 2/3; the other has b with SRS 1 and no a: |0 − 7/8|."""
    other = {"q": {"b": 2.0, "x": 1.0}}
    found = evaluate(QRELS, {"mine": RUN, "other": other}, ["ADM(documents='pool')@1"])["ADM(documents='pool')@1"].values
    expected = [1 - (Fraction(1, 8) + Fraction(1, 24)) / 2, 1 - (Fraction(7, 8) + Fraction(3, 8)) / 2]
    assert found[:, 0] == pytest.approx([float(each) for each in expected], abs=1e-15)


# ── an oracle over documents ─────────────────────────────────────────────────────────────────────────────────────────────────


def naive_srs(scores, everything, srs, trim):
    """{document: SRS} of one list; ``everything``: the scores that bounds are taken from."""
    if srs == "rank":
        return {document: (len(scores) - place) / len(scores) for place, document in enumerate(scores)}
    rising = sorted(everything)
    if trim and len(rising) >= 2 * trim + 2:
        rising = rising[trim:-trim]
    low, high = rising[0], rising[-1]
    if low == high:
        return {document: 0.5 if score == low else float(score > low) for document, score in scores.items()}
    if srs == "linear":
        return {document: min(max((score - low) / (high - low), 0), 1) for document, score in scores.items()}
    mean = math.fsum(rising) / len(rising)
    deviation = math.sqrt(math.fsum((score - mean) ** 2 for score in rising) / len(rising))
    return {document: 1 / (1 + math.exp(-(score - mean) / deviation)) for document, score in scores.items()}


def naive(qrels, runs, system, topic, *, srs, per, trim, documents, k):
    lists = {
        (name, each): dict(sorted(run[each].items(), key=lambda item: (item[1], item[0].encode()), reverse=True))
        for name, run in runs.items()
        for each in run
    }
    mine = lists.get((system, topic), {})
    top = max(2, 1 + max(grade for judged in qrels.values() for grade in judged.values()))
    everything = list(mine.values()) if per == "topic" else [s for scores in runs[system].values() for s in scores.values()]
    scores = naive_srs(mine, everything, srs, trim) if mine else {}
    seen = list(mine)[:k]
    if documents == "pool":
        found = {document for (_, each), ranked in lists.items() if each == topic for document in list(ranked)[:k]}
    elif documents == "assessed":
        found = set(qrels[topic])
        scores = {document: scores[document] for document in seen}
    else:
        found = {document for document in seen if documents == "retrieved" or document in qrels[topic]}
    distances = [abs(scores.get(document, 0) - (2 * qrels[topic].get(document, 0) + 1) / (2 * top)) for document in found]
    return 1 - math.fsum(distances) / len(distances) if distances else 0.0


names = st.sampled_from("abcdefgh")
scored = st.dictionaries(names, st.integers(-3, 4).map(float), min_size=1, max_size=8)
collections = st.fixed_dictionaries(
    {"q": st.dictionaries(names, st.integers(0, 3), min_size=1), "r": st.dictionaries(names, st.integers(0, 3), min_size=1)}
)
some_runs = st.fixed_dictionaries(
    {"one": st.fixed_dictionaries({"q": scored}), "two": st.fixed_dictionaries({"q": scored, "r": scored})}
)


@settings(max_examples=60, deadline=None)
@given(
    qrels=collections,
    runs=some_runs,
    how=st.sampled_from([("rank", "topic", 0), *itertools.product(("linear", "logistic"), ("topic", "run"), (0, 1, 2))]),
    documents=st.sampled_from(["retrieved", "retrieved-assessed", "assessed", "pool"]),
    k=st.sampled_from([1, 2, 3, 20]),
)
def test_agrees_with_the_oracle(qrels, runs, how, documents, k):
    srs, per, trim = how
    measure = ADM(srs=srs, per=per, trim=trim, documents=documents) @ k
    values = evaluate(qrels, runs, [measure])[measure].values
    for (s, system), (t, topic) in itertools.product(enumerate(runs), enumerate(qrels)):
        expected = naive(qrels, runs, system, topic, srs=srs, per=per, trim=trim, documents=documents, k=k)
        assert values[s, t] == pytest.approx(expected, abs=1e-12)


# ── laws ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


ALL = [
    *(
        "ADM",
        "ADM(trim=1)",
        "ADM(per='run')",
        "ADM(srs='logistic')",
        "ADM(srs='rank')",
        "ADM(step='nearest')",
        "ADM(step='expected')",
    ),
    *("ADM(urs='ends')@2", "ADM(levels=2, strict='rigid')@3", "ADM(documents='retrieved-assessed')@3", "ADM(documents='assessed')"),
    *("ADM(documents='pool')@2", "ADM(srs='rank', documents='pool')@2", "ADM(srs='rank', retrieved=20)"),
]


@settings(max_examples=60, deadline=None)
@given(qrels=collections, runs=some_runs, name=st.sampled_from(ALL))
def test_lies_between_0_and_1(qrels, runs, name):
    values = evaluate(qrels, runs, [name])[name].values
    assert ((values >= 0) & (values <= 1)).all()


@settings(max_examples=60, deadline=None)
@given(
    qrels=collections,
    runs=some_runs,
    name=st.sampled_from(ALL),
    factor=st.sampled_from([0.25, 3.0, 64.0]),
    shift=st.integers(-9, 9),
)
def test_affine_rescaling_of_scores_changes_nothing(qrels, runs, name, factor, shift):
    rescaled = {
        name: {topic: {document: factor * score + shift for document, score in scores.items()} for topic, scores in run.items()}
        for name, run in runs.items()
    }
    before, after = (evaluate(qrels, each, [name])[name].values for each in (runs, rescaled))
    assert after == pytest.approx(before, abs=1e-12)


@given(grades=st.lists(st.integers(0, 3), min_size=1, max_size=8), off=st.lists(st.booleans(), min_size=8, max_size=8))
def test_is_1_only_if_all_scores_are_those_of_users(grades, off):
    """The system gives the URS itself, at some documents another number."""
    qrels = {"q": {str(place): grade for place, grade in enumerate(grades)}}
    top = max(1, *grades)
    right = {str(place): (2 * grade + 1) / (2 * (top + 1)) for place, grade in enumerate(grades)}
    run = {document: score + 0.001 * wrong for (document, score), wrong in zip(right.items(), off, strict=False)}
    found = value("ADM(srs='given')", {"q": run}, qrels)
    assert (found == 1.0) == (run == right)


@pytest.mark.parametrize("documents", ["assessed", "pool"])
def test_what_was_not_retrieved_has_srs_0(documents):
    """With URS 0 for it, that is right: ADM is 1 although a document is missing; with URS > 0 it is not."""
    other = {"q": {"b": 1.0, "a": 0.0}}
    mine = {"q": {"a": 1.0}}
    name = f"ADM(srs='given', urs='ends', documents='{documents}')@1"
    assert value(name, mine, {"q": {"a": 1, "b": 0}}, other=other) == 1.0
    assert value(name, mine, {"q": {"a": 1, "b": 1}}, other=other) == 0.5


# ── the paradox of P2 §5 ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def paradox():
    """1000 documents, 10 of them relevant. One system says 0 to all, the other .9 to the relevant ones and .3 to the others."""
    qrels = {"q": {f"d{i}": int(i < 10) for i in range(1000)}}
    honest = {"q": {f"d{i}": 0.9 if i < 10 else 0.3 - i / 1e6 for i in range(1000)}}
    zero = {"q": {f"d{i}": 0.0 for i in range(1000)}}
    names = ["ADM(srs='given', urs='ends')", "ADM(srs='given', urs='ends', documents='pool')@10", "ADM(urs='ends')"]
    return names, evaluate(qrels, {"zero": zero, "honest": honest}, names)


def test_a_system_that_says_0_to_everything_wins_over_all_documents(paradox):
    """It is wrong for 10 documents of 1000."""
    (name, _, _), found = paradox
    zero, honest = found[name].values[:, 0]
    assert zero == pytest.approx(0.99)
    assert honest < zero


def test_the_pool_avoids_the_paradox(paradox):
    """The pool of the top 10 of both holds the 10 relevant documents and 10 others."""
    (_, name, _), found = paradox
    zero, honest = found[name].values[:, 0]
    assert zero == pytest.approx(0.5)
    assert honest > 0.79


def test_normalising_avoids_it_too(paradox):
    """All scores equal: ½ for all."""
    (_, _, name), found = paradox
    assert found[name].values[0, 0] == pytest.approx(0.5)


# ── what P2 leaves open ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("srs", ["linear", "logistic"])
def test_constant_scores_say_nothing(srs):
    """0.1 three times has a mean that is not 0.1 in floating point: still ½ for all."""
    run = {"q": {"a": 0.1, "b": 0.1, "c": 0.1}}
    judged = judge(QRELS, {"mine": run}, scores=True)
    assert ADM(srs=srs).system_scores(judged).tolist() == [[[0.5, 0.5, 0.5]]]
    assert ADM(srs=srs, per="run").system_scores(judged).tolist() == [[[0.5, 0.5, 0.5]]]


@pytest.mark.parametrize("srs", ["linear", "logistic"])
def test_scores_beside_a_constant_middle(srs):
    """Trimmed, the bounds are one number: higher ones become 1, lower ones 0."""
    run = {"q": {"a": 9.0, "b": 1.0, "c": 1.0, "d": 0.0}}
    judged = judge(QRELS, {"mine": run}, scores=True)
    assert ADM(srs=srs, trim=1).system_scores(judged).tolist() == [[[1.0, 0.5, 0.5, 0.0]]]


@pytest.mark.parametrize(("number", "trimmed"), [(11, False), (12, True)])
def test_too_few_scores_are_not_trimmed(number, trimmed):
    run = {"q": {f"d{i:02}": float(i) for i in range(number)}}
    judged = judge(QRELS, {"mine": run}, scores=True)
    srs = ADM(trim=5).system_scores(judged)[0, 0]
    assert bool(srs[1] == 1.0) is trimmed


def test_negative_and_extreme_scores():
    """Only differences count; scores near the largest and smallest doubles do neither overflow nor vanish."""
    for scale in (-1.0, 1e-300, 1.7e308, 5e-324):
        run = {"q": {"a": 0.0, "b": scale}}
        srs = ADM().system_scores(judge(QRELS, {"mine": run}, scores=True))
        assert srs.tolist() == [[[1.0, 0.0]]]
        z = ADM(srs="logistic").system_scores(judge(QRELS, {"mine": run}, scores=True))[0, 0]
        assert z == pytest.approx([1 / (1 + math.exp(-1)), 1 / (1 + math.exp(1))])


def test_given_scores_must_lie_between_0_and_1():
    with pytest.raises(MeasureError, match="system mine gives 10 for topic q: they must lie between 0 and 1"):
        value("ADM(srs='given')")
    assert value("ADM(srs='given', urs='ends')", {"q": {"a": 1.0, "b": 0.5}}) == pytest.approx(1 - (1 / 6) / 2)


def test_a_topic_without_documents():
    """Nothing retrieved: 0 over retrieved documents; SRS 0 for all assessed ones."""
    qrels = {"q": {"a": 1, "b": 0}, "r": {"a": 1, "b": 0}}
    run = {"q": {"a": 2.0, "b": 1.0}}
    found = evaluate(qrels, {"mine": run}, ["ADM", "ADM(srs='rank')", "ADM(documents='assessed')", "ADM(documents='pool')@5"])
    assert [scores.values[0, 1] for scores in found] == [0.0, 0.0, 0.5, 0.0]


def test_nearest_level_half_way_is_the_higher():
    judged = judge({"q": {"a": 1}}, {"mine": {"q": {"a": 1.0, "b": 0.5, "c": 0.0}}}, scores=True)
    assert ADM(step="nearest").system_scores(judged).tolist() == [[[0.75, 0.75, 0.25]]]


def test_expected_numbers_are_means_over_topics():
    """Three and no relevant documents: 1.5 on average, so the first two ranks."""
    qrels = {"q": {"a": 1, "b": 1, "c": 1, "d": 0}, "r": {"a": 0}}
    judged = judge(qrels, {"mine": {"q": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}}})
    assert ADM(step="expected").system_scores(judged)[0, 0].tolist() == [0.75, 0.75, 0.25, 0.25]


# ── names and errors ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "name", [*ALL, "ADM(urs={0: 0, 1: 0.5, 2: 1})@7", "ADM(levels=2, strict='rigid')@10", "ADM(srs='rank')@20"]
)
def test_names_are_read_back(name):
    assert str(parse_measure(name)) == name
    assert hash(parse_measure(name)) == hash(parse_measure(name))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ADM(srs='ranks')", "srs='ranks' is unknown: 'linear', 'logistic', 'given', 'rank'"),
        ("ADM(documents='all')", "'retrieved', 'retrieved-assessed', 'assessed', 'pool'"),
        ("ADM(steps='nearest')", "no parameter 'steps'; it has srs, per, trim, step, urs, levels, strict, documents, retrieved"),
        ("ADM(trim=-1)", "trim=-1 must be a whole number of at least 0"),
        ("ADM(levels=1)", "levels=1 must be a whole number of at least 2"),
        ("ADM(srs='rank', trim=5)", "srs='rank' has none"),
        ("ADM(strict='rigid')", "give levels= too"),
        ("ADM(urs='even')", "'bins', 'ends'"),
        ("ADM(urs={0: 0, 1: 2})", "a number from 0 to 1"),
        ("ADM(urs={0: 0, 1: 1}, levels=2)", "leave levels= out"),
        ("ADM(retrieved=100)", "is for srs='rank'"),
        ("ADM(srs='rank', retrieved=10)@20", "a cut-off of 20 is deeper"),
        ("ADM(step='expected', srs='rank')", "the order of documents only"),
    ],
)
def test_bad_parameters_are_errors(name, message):
    with pytest.raises(MeasureError, match=message.replace("(", r"\(")):
        parse_measure(name)


def test_a_grade_without_urs_is_an_error():
    with pytest.raises(MeasureError, match="says nothing about grade 1"):
        value("ADM(urs={0: 0, 2: 0.5, 3: 1})")


def test_a_pool_needs_a_cutoff_and_documents():
    with pytest.raises(MeasureError, match="say how many"):
        value("ADM(documents='pool')")
    judged = JudgedRuns.from_grades([[[1, 0]]], [[1, 1]])
    with pytest.raises(DepthError, match="these judged runs have no documents"):
        parse_measure("ADM(srs='rank', documents='pool')@2").score(judged)


def test_scores_that_were_not_kept_are_missed():
    with pytest.raises(DepthError, match="judge them with scores=True"):
        ADM().score(judge(QRELS, {"mine": RUN}))
    with pytest.raises(DepthError, match="needs all ranks"):
        (ADM() @ 2).score(judge(QRELS, {"mine": RUN}, scores=True, depth=2))
    assert (ADM(srs="rank") @ 2).score(judge(QRELS, {"mine": RUN}, depth=2))[0, 0] == 7 / 8  # n is known


def test_files_are_read_again_for_a_pool(write):
    """Plain, and with ties: by document id, falling, as the judge has it."""
    lines = ["q Q0 a 1 1 mine", "q Q0 b 2 1 mine", "q Q0 c 3 2 mine"]
    run = write("run.txt", "\n".join(lines) + "\n")
    judged = judge(QRELS, [run], scores=True)
    documents = judged.documents()
    assert [documents.of_topic(0)[number] for number in documents.number[0, 0]] == ["c", "b", "a"]
    assert judged.documents() is judged.documents()
    assert parse_measure("ADM(documents='pool')@2").score(judged) == parse_measure("ADM@2").score(judged)
    again = judge(QRELS, [run], scores=True)
    run.write_text(lines[0] + "\n")
    with pytest.raises(InputError, match="changed while it was read"):
        again.documents()


# ── its scale ────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("length", "retrieved", "grades"), [(7, 7, 2), (6, 20, 2), (4, 4, 4), (4, 9, 3), (3, 32, 4)])
@pytest.mark.parametrize("step", ["", ", step='nearest'"])
def test_its_values_are_counted_exactly(length, retrieved, grades, step):
    """All runs, in fractions."""
    levels = [Fraction(2 * grade + 1, 2 * grades) for grade in range(grades)]
    srs = [Fraction(retrieved - place, retrieved) for place in range(length)]
    if step:
        srs = [max(levels, key=lambda one: (-abs(one - each), one)) for each in srs]
    runs = list(itertools.product(range(grades), repeat=length))
    values = [1 - sum(abs(s - levels[g]) for s, g in zip(srs, run, strict=True)) / length for run in runs]
    different = sorted(set(values))
    scale = interval_scale(f"ADM(srs='rank'{step}, retrieved={retrieved})@{length}", grades=tuple(range(grades)))
    assert scale.exact
    assert scale.steps == len(different)
    assert [scale.inverse(rank) for rank in range(1, scale.steps + 1)] == different
    assert scale.rank(np.array(runs)).tolist() == [different.index(each) + 1 for each in values]


@pytest.mark.parametrize("ranks", [1, 5, 125])
def test_at_the_top_of_a_long_list_it_is_graded_precision(ranks):
    """As long as no SRS is below the highest URS, 7/8, |SRS − URS| = SRS − URS: the value is a constant plus the mean URS."""
    measure = parse_measure(f"ADM(srs='rank', retrieved=1000)@{ranks}")
    grades = np.random.default_rng(1).integers(0, 4, (20, 1, ranks)).astype(np.int8)
    grades[0] = 3
    mean = (2 * grades[:, 0].mean(axis=1) + 1) / 8
    constant = 1 - (1 + (1001 - ranks) / 1000) / 2
    assert measure.score(JudgedRuns.from_grades(grades, [[9] * 4]))[:, 0] == pytest.approx(mean + constant)
    scale = interval_scale(measure, grades=(0, 1, 2, 3))
    assert scale.steps == 3 * ranks + 1
    assert scale.is_equispaced


def test_below_that_it_is_not():
    assert not interval_scale("ADM(srs='rank', retrieved=1000)@130", grades=(0, 1, 2, 3)).is_equispaced


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("ADM@5", "depends on the scores"),
        ("ADM(srs='rank')@5", "how many documents were retrieved"),
        ("ADM(srs='rank', documents='pool')@5", "what other systems retrieved"),
        ("ADM(srs='rank', documents='assessed')@5", "which documents were assessed"),
        ("ADM(step='expected')@5", "have on average"),
        ("GM(ADM@5)", "depends on the scores"),
    ],
)
def test_what_has_no_scale_says_why(name, why):
    from mensura.scales.proofs import properties

    for ask in (lambda: interval_scale(name, 5), lambda: properties(parse_measure(name), 5)):
        with pytest.raises(ScaleError, match=f"has no scale over judged runs: .*{why}"):
            ask()


def test_ranks_on_the_scale_follow_the_values():
    """Lists of three and of one document, padded with documents that are not relevant."""
    runs = {"one": RUN, "two": {"q": {"b": 1.0}}, "three": {"q": {"d": 3.0, "c": 2.0, "a": 1.0}}}
    name = "ADM(srs='rank', retrieved=5)@4"
    scores = evaluate(QRELS, runs, [name])[name]
    for universe in ("all", "attainable"):
        ranks = scores.on_interval_scale(universe=universe)
        assert ranks.exact
        values = [ranks.scales[0].inverse(int(rank)) for rank in ranks.ranks[:, 0]]
        assert [float(each) for each in values] == pytest.approx(scores.values[:, 0], abs=1e-15)


def test_what_tests_of_significance_are_told():
    from mensura.scales.facts import scale_facts

    assert scale_facts(ADM() @ 5).type == "ordinal"
    assert "scores of the system" in scale_facts(ADM() @ 5).reason
    types = set()
    for retrieved in (4, 7, 10, 20, 1000):
        measure = ADM(srs="rank", retrieved=retrieved) @ 4
        types.add(scale_facts(measure).type)
        assert (scale_facts(measure).type == "interval") == interval_scale(measure).is_equispaced
    assert types == {"interval", "ordinal"}


def test_exact_numbers():
    assert user_scores("bins", None, "relaxed", 2) == (Fraction(1, 6), Fraction(1, 2), Fraction(5, 6))
    assert user_scores(((0, 0.1), (1, 0.3)), None, "relaxed", 1) == (Fraction(1, 10), Fraction(3, 10))
