"""Statements that survive every transformation: against the definitions, random transformations, and the runs of TREC-8."""

from __future__ import annotations

import dataclasses
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura import JudgedRuns, judge, parse_measure, read_qrels
from mensura.errors import ScaleError
from mensura.measures.exact import exact_values
from mensura.scales.meaning.dominance import EQUAL, GROUPS, VERDICTS, Leaderboard, leaderboard, levels, recall_classes
from mensura.scales.meaning.explanation import explain, survives
from mensura.scales.meaning.meaningfulness import meaningful, transformed
from mensura.scales.meaning.statements import Mean
from mensura.scales.ranks import Scales, judged_for, rank_scores

PAGE = Path(__file__).parents[2] / "docs" / "meaningfulness.md"
MEASURES = ("AP@30", "P@10", "RR@30")


def board(values, **options):
    values = np.array(values, dtype=float)
    return Leaderboard(tuple(f"s{number}" for number in range(len(values))), values, **options)


tables = st.integers(1, 6).flatmap(
    lambda topics: st.lists(st.lists(st.integers(0, 4), min_size=topics, max_size=topics), min_size=2, max_size=5)
)


@given(tables, st.booleans(), st.data())
def test_the_groups_are_nested_and_what_they_say(table, higher, data):
    """Classes of topics by brute force: sorted values within every class, at least as good place by place, and better once."""
    labels = data.draw(st.lists(st.integers(0, 2), min_size=len(table[0]), max_size=len(table[0])))
    found = board(table, higher_is_better=higher, classes=np.array(labels))
    sign = 1 if higher else -1
    partitions = dict(zip(GROUPS, (range(len(labels)), labels, [0] * len(labels)), strict=True))
    for a, one in enumerate(table):
        for b, other in enumerate(table):
            survives = {}
            for group, scales in partitions.items():
                parts = [
                    [
                        sorted(sign * value for value, scale in zip(row, scales, strict=True) if scale == which)
                        for row in (one, other)
                    ]
                    for which in set(scales)
                ]
                never_below = all(x >= y for mine, yours in parts for x, y in zip(mine, yours, strict=True))
                survives[group] = never_below and any(mine != yours for mine, yours in parts)
                assert found.above[group][a, b] == survives[group]
            assert survives[GROUPS[0]] <= survives[GROUPS[1]] <= survives[GROUPS[2]]


@given(tables, st.booleans())
def test_dominance_is_what_it_says(table, higher):
    found = board(table, higher_is_better=higher)
    sign = 1 if higher else -1
    for a, one in enumerate(table):
        for b, other in enumerate(table):
            mine, yours = [sign * value for value in one], [sign * value for value in other]
            topics = all(x >= y for x, y in zip(mine, yours, strict=True)) and mine != yours
            scale = all(x >= y for x, y in zip(sorted(mine), sorted(yours), strict=True)) and sorted(mine) != sorted(yours)
            assert (found.every_topic[a, b], found.every_scale[a, b]) == (topics, scale)


@settings(deadline=None)
@given(tables, st.integers(0, 2**32))
def test_a_thousand_monotone_transformations_never_contradict_a_verdict(table, seed):
    found = board(table)
    rng = np.random.default_rng(seed)
    places = found.places
    steps = rng.integers(1, 1 << 20, (1000, places.max() + 1)) >> rng.integers(0, 20, (1000, places.max() + 1))
    scale = np.cumsum(np.maximum(steps, 1), axis=1)
    sums = scale[:, places].sum(axis=2)  # [transformation, system]
    for a, b in np.argwhere(found.every_scale):
        assert (sums[:, a] > sums[:, b]).all()
    own = np.cumsum(np.maximum(rng.integers(0, 9, (200, places.shape[1], places.max() + 1)), 1), axis=2)
    each = np.take_along_axis(own[:, None], places[None, :, :, None].repeat(200, 0), axis=3)[..., 0].sum(axis=2)
    for a, b in np.argwhere(found.every_topic):
        assert (each[:, a] > each[:, b]).all()


@given(tables)
def test_pairs_covers_and_counts_fit_together(table):
    found = board(table)
    pairs = list(found.pairs())
    number = len(table) * (len(table) - 1) // 2
    assert len(pairs) == sum(found.counts().values()) == number
    assert set(found.counts()) == set(VERDICTS)
    assert [found.verdicts[a, b] for a, b, _ in pairs] == [VERDICTS.index(verdict) for *_, verdict in pairs]
    order = found.every_scale
    reached = np.zeros_like(order)
    for a, b in found.covers():
        reached[a, b] = True
    for _ in table:
        reached |= (reached.astype(int) @ reached.astype(int)) > 0
    assert (reached == order).all()
    assert set(found.undominated()) == {b for b in range(len(table)) if not order[:, b].any()}


def test_levels_take_numbers_as_they_are():
    assert levels([0.1 + 0.2, 0.3, 0.3 + 1e-9, 0.0]).tolist() == [2, 1, 3, 0]
    assert levels([[3, 1], [2**70, 1]]).tolist() == [[1, 0], [2, 0]]
    assert levels([0.0, 0.0]).tolist() == [0, 0]
    with pytest.raises(ScaleError, match="not finite"):
        levels([0.5, np.nan])
    with pytest.raises(ScaleError, match="not finite"):
        board([[0.5, np.nan], [0, 1]]).counts()


def test_values_that_doubles_merge_are_different():
    """RBP with p = 0.3: after 30 ranks two runs differ by 4e-16 of the sum, and doubles say that they are equal or the opposite."""
    first, second = [1] + [0] * 28 + [1], [1] + [0] * 29
    judged = JudgedRuns.from_grades([[first, [0] * 30], [second, [0] * 29 + [1]]], [[0, 9], [0, 9]])
    found = leaderboard(parse_measure("RBP(p=0.3)@30"), judged)
    assert found.counts()["equal means"] == 1  # 0.7 + x and 0, 0.7 and x, where 0.7 + x is 0.7 in doubles
    assert not found.every_topic.any()
    assert not found.every_scale[0, 1]
    assert not found.every_scale[1, 0]


def test_equal_fractions_are_equal_means():
    """AP: 1/3 + 2/6 and 2/3 in other orders of summation; P: 1/10 three times and 3/10 once."""
    runs = [[[1, 0, 0], [1, 0, 0], [1, 0, 0]], [[1, 1, 1], [0, 0, 0], [0, 0, 0]]]
    judged = JudgedRuns.from_grades(runs, [[0, 7]] * 3)
    found = leaderboard(parse_measure("P@10"), judged)
    assert found.counts()["equal means"] == 1
    assert leaderboard(parse_measure("R@10"), judged).counts()["equal means"] == 1


def test_recall_classes():
    judged = JudgedRuns.from_grades([[[1], [0], [2], [0]]], [[4, 1, 2], [9, 3, 0], [4, 1, 2], [4, 2, 1]])
    assert recall_classes(parse_measure("P@1"), judged) is None
    first, second, third, fourth = recall_classes(parse_measure("AP@1"), judged).tolist()
    assert first == second == third == fourth  # three relevant documents each
    assert len(set(recall_classes(parse_measure("AP(rel=2)@1"), judged).tolist())) == 3
    assert len(set(recall_classes(parse_measure("nDCG@1"), judged).tolist())) == 3
    assert len(set(recall_classes(parse_measure("bpref"), judged).tolist())) == 2  # 4 or 9 judged not relevant


def test_verdicts_with_an_interval_scale():
    """P4, Example 9 again: reciprocal ranks of 1 and 4, and of 2 and 2; the interval scale reverses the means."""
    judged = JudgedRuns.from_grades([[[1, 0, 0, 0], [0, 0, 0, 1]], [[0, 1, 0, 0], [0, 1, 0, 0]]], [[0, 1], [0, 1]])
    found = leaderboard(parse_measure("RR@4"), judged)
    assert found.means.tolist() == [0.625, 0.5]
    assert found.interval_sums.tolist() == [7, 8]  # φ = N + 2 − rank: 5 + 2 and 4 + 4
    assert found.counts()["reversed"] == 1
    assert leaderboard(parse_measure("RR@4"), judged, interval=False).counts()["undecided"] == 1
    lower = leaderboard(parse_measure("MFR@4"), judged)
    assert lower.counts()["interval scale"] == 1
    assert [lower.systems[system] for system in lower.ranking] == ["2", "1"]
    without = leaderboard(parse_measure("GM(RR@4)"), judged)
    assert without.ranks is None
    assert "is a geometric mean" in without.unknown
    assert not without.arithmetic


def test_an_explanation_reverses():
    found = board([[0.9, 0.1, 0.5], [0.4, 0.3, 0.2]])
    why = explain("M", found, ("1", "2", "3"), "s1", "s0")
    assert (why.better, why.worse, why.kind, why.signs) == ("s0", "s1", "undecided", (2, 1, 0))
    assert why.common.meaningful is False
    assert why.groups["one scale per topic"].meaningful is False
    assert why.stretch == {"one scale per topic": Fraction(why.stretch["one scale per topic"]), "one scale": pytest.approx(7)}
    assert why.common.transformed[0] < why.common.transformed[1]
    assert not survives(why)
    safe = explain("M", board([[3, 2], [2, 1]], higher_is_better=False), ("1", "2"), "s0", "s1")
    assert (safe.better, safe.kind, safe.common.meaningful, safe.signs) == ("s1", "one scale per topic", True, (2, 0, 0))
    with pytest.raises(ScaleError, match="unknown system 'x'"):
        explain("M", found, ("1", "2", "3"), "x", "s1")
    with pytest.raises(ScaleError, match="name two"):
        explain("M", found, ("1", "2", "3"), "s1", "s1")
    with pytest.raises(ScaleError, match="must be an array"):
        Leaderboard(("a",), np.zeros(3))


@pytest.fixture(scope="module")
def trec8(data):
    runs = sorted((data / "trec8" / "runs").iterdir())
    judged = judge(read_qrels(data / "trec8" / "qrels.txt"), runs, depth=30)
    assert judged.shape == (129, 50)
    return judged


def shown_on_the_page():
    """The table of the page about TREC-8: {measure: {verdict: pairs}}."""
    rows = re.findall(rf"^\| ({'|'.join(VERDICTS)}) \| (.+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    cells = {verdict: [int(cell) for cell in numbers.split("|")] for verdict, numbers in rows}
    return {measure: {verdict: numbers[at] for verdict, numbers in cells.items()} for at, measure in enumerate(MEASURES)}


@pytest.mark.parametrize("name", MEASURES)
def test_trec8_statements_that_survive(trec8, name):
    """All 8256 pairs: by the definition, under 1000 random transformations, and as the page says."""
    measure = parse_measure(name)
    found = leaderboard(measure, trec8, interval=name != "AP@30")
    assert sum(found.counts().values()) == 8256
    assert not (found.every_topic & ~found.every_scale).any()
    places = found.places
    rng = np.random.default_rng(8)
    steps = rng.integers(1, 1 << 20, (1000, places.max() + 1)) >> rng.integers(0, 20, (1000, places.max() + 1))
    scale = np.cumsum(np.maximum(steps, 1), axis=1)
    sums = np.stack([scale[:, row].sum(axis=1) for row in places])  # [system, transformation]
    above = np.stack([(row > sums).all(axis=1) for row in sums])
    assert not (found.every_scale & ~above).any()
    shown, counted = shown_on_the_page()[name], found.counts()
    assert [counted[verdict] for verdict in GROUPS] == [shown[verdict] for verdict in GROUPS]
    if name != "AP@30":
        assert counted == shown


@pytest.mark.slow
def test_trec8_average_precision_on_the_interval_scale(trec8):
    assert leaderboard(parse_measure("AP@30"), trec8).counts() == shown_on_the_page()["AP@30"]


def sums_of_steps(places):
    """Sums of every step function, for each system: a function is 1 from its threshold on, and every value is a threshold."""
    thresholds = np.unique(places)
    return np.array([row.size - np.searchsorted(np.sort(row), thresholds) for row in places])


@pytest.mark.parametrize(
    ("name", "decided", "survivors", "turned"),
    [
        ("AP@10", 8253, (290, 325, 3521), (724, 1)),
        ("AP@20", 8254, (268, 296, 3709), (745, 0)),
        ("RBP(p=0.3)@30", 8254, (183, 3605), (208, 0)),
    ],
)
def test_trec8_three_groups(trec8, name, decided, survivors, turned):
    """Computed once in fractions by a separate program; every statement is searched for a step function that reverses it."""
    found = leaderboard(parse_measure(name), trec8)
    counts = found.counts()
    assert 8256 - counts["equal means"] == decided
    assert tuple(found.survivors().values()) == survivors
    assert (found.turned.sum(), (found.turned & found.every_scale).sum()) == turned
    assert not (found.turned & found.above[GROUPS[1]]).any() or found.classes is None  # φ is a scale per recall base
    places = levels(exact_values(parse_measure(name), trec8))  # the order of fractions, not of codes
    sums = sums_of_steps(places)
    for a, b, verdict in found.pairs():
        if verdict != "equal means":  # a step function, added to the identity, may give b the larger sum, or an equal one
            assert (verdict in GROUPS) is not bool((sums[b] > sums[a]).any())


@pytest.mark.slow
def test_trec8_three_groups_at_30(trec8):
    found = leaderboard(parse_measure("AP@30"), trec8)
    assert found.survivors() == dict(zip(GROUPS, (265, 308, 3694), strict=True))
    assert (found.turned.sum(), (found.turned & found.every_scale).sum()) == (674, 0)


def test_a_statement_that_survives_one_scale_and_that_phi_reverses(trec8):
    """AP@10, AntHoc1 over isa50: .01686 > .01070, φ 34.16 < 49.24; φ ranks numerators, one function per recall base."""
    found = leaderboard(parse_measure("AP@10"), trec8)
    why = explain("AP@10", found, trec8.topics, "AntHoc1", "isa50")
    assert why.kind == "one scale"
    assert why.interval == pytest.approx((34.16, 49.24))
    assert why.reversed_by_interval
    assert not why.common_interval
    assert {group: survives(why, group) for group in GROUPS} == dict(zip(GROUPS, (False, False, True), strict=True))
    for group in GROUPS[:2]:
        verdict = why.groups[group]
        moved, there = transformed(
            verdict.statement,
            {name: list(map(Fraction, row)) for name, row in zip(("AntHoc1", "isa50"), why.values, strict=True)},
            verdict.transformation,
        )
        assert moved.truth(there) is False
    changed = why.groups[GROUPS[1]].transformation.topics
    bases = trec8.relevant(1)
    assert all(
        one == other for one, b in zip(changed, bases, strict=True) for other, c in zip(changed, bases, strict=True) if b == c
    )


def test_topics_with_scales_of_their_own(trec8):
    """Rprec has min(RB, k) + 1 steps: the mean of rank / steps, as mensura evaluate --interval has it."""
    measure = parse_measure("Rprec@10")
    found = leaderboard(measure, trec8)
    middle, _, _ = rank_scores(measure, trec8, found.values, np.ones(trec8.shape, dtype=bool)).mean_shares()
    assert [float(total) / 50 for total in found.interval_sums] == pytest.approx(middle.tolist())
    assert not (found.turned & found.above[GROUPS[1]]).any()


def test_bounds_decide_without_exact_ranks(trec8):
    """Decisions from bounds agree with exact ranks."""
    found = leaderboard(parse_measure("DCG@20"), trec8)
    scale = Scales(trec8).of(parse_measure("DCG@20")).scale
    bracket = scale.bracket(judged_for(parse_measure("DCG@20"), trec8), 1e-3)
    bounded = dataclasses.replace(found, ranks=None, bounds=np.stack([bracket.low, bracket.high]))
    decided = bounded.interval_signs != 0
    assert (bounded.interval_signs[decided] == found.interval_signs[decided]).all()
    assert decided.sum() > 0.9 * (found.interval_signs != 0).sum()


def check_pairs(found, pairs):
    """Each statement either survives or is reversed by the transformation that is shown."""
    statement = Mean("A") > Mean("B")
    for a, b, _ in pairs:
        data = {"A": found.places[a].tolist(), "B": found.places[b].tolist()}
        verdict = meaningful(statement, "ordinal", data)
        dominated = found.every_scale[a, b] or found.every_scale[b, a] or sorted(data["A"]) == sorted(data["B"])
        assert verdict.meaningful is bool(dominated)
        if not verdict.meaningful:
            moved, there = transformed(statement, data, verdict.transformation)
            assert moved.truth(there) is not verdict.truth


@pytest.mark.parametrize("name", MEASURES)
def test_trec8_some_reversals(trec8, name):
    found = leaderboard(parse_measure(name), trec8, interval=False)
    check_pairs(found, list(found.pairs())[::40])


@pytest.mark.slow
@pytest.mark.parametrize("name", MEASURES)
def test_trec8_all_reversals(trec8, name):
    found = leaderboard(parse_measure(name), trec8, interval=False)
    check_pairs(found, found.pairs())


def test_trec8_verdicts_on_values_and_on_levels_agree(trec8):
    """The values themselves, as fractions, lead to the same verdicts as their levels."""
    found = leaderboard(parse_measure("P@10"), trec8, interval=False)
    assert not any(verdict == VERDICTS[EQUAL] and found.means[a] - found.means[b] > 1e-9 for a, b, verdict in found.pairs())
    for a, b, _ in list(found.pairs())[::400]:
        data = {
            "A": [Fraction(value).limit_denominator(10) for value in found.values[a]],
            "B": [Fraction(value).limit_denominator(10) for value in found.values[b]],
        }
        assert meaningful(Mean("A") > Mean("B"), "ordinal", data).meaningful is bool(
            found.every_scale[a, b] or sorted(data["A"]) == sorted(data["B"])
        )
