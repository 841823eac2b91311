"""Comparisons from sums: any partition gives the same bits; t, sign and intervals those of compare; draws against brute force."""

from __future__ import annotations

import itertools
import math
import pickle
from dataclasses import fields, replace

import numpy as np
import pytest
import scipy.stats

from mensura import parse_measures, pieces
from mensura._core.weights import draw_weights, topic_keys
from mensura.errors import MensuraError, StatisticsError
from mensura.pieces.sums import exact_squares, exact_total, rounded
from mensura.stats import compare, compare_sums, pair_sums, wilson_interval
from mensura.stats.summed import UNIT, PairDesign, sums_of
from mensura.stats.summed_files import affordable
from tests.pieces.campaigns import batch, campaign, cut

SYSTEMS = ("a", "b", "c")


def names(number):
    return [b"topic %d" % each for each in range(number)]


def design(systems=SYSTEMS, measures=("AP",), *, baselines=(), kind=None, samples=0, seed=0):
    return PairDesign(tuple(parse_measures(list(measures))), systems, baselines, kind, samples, seed)


def values(topics, *, systems=3, measures=1, seed=0):
    drawn = np.random.default_rng(seed)
    return np.round(drawn.random((measures, systems, topics)) * (1 - drawn.random((1, systems, 1)) * 0.3), 2)


def weights(topics, samples, *, signs, seed=0):
    keys, drawn = np.empty(topics, dtype=np.uint64), np.empty((samples, topics), dtype=np.int8)
    topic_keys(names(topics), seed, keys)
    draw_weights(keys, signs, drawn)
    return drawn.astype(np.int64)


def equal(one, other):
    return all(np.array_equal(getattr(one, each.name), getattr(other, each.name)) for each in fields(one))


@pytest.mark.parametrize("kind", [None, "signs", "bootstrap"])
def test_any_partition_and_order_gives_the_same_bits(kind):
    table, plan = values(200, measures=2), design(measures=("AP", "GM(AP)"), kind=kind, samples=100 if kind else 0)
    whole = sums_of(table, names(200), plan)
    drawn = np.random.default_rng(1)
    for _ in range(5):
        order, cuts = drawn.permutation(200), [0, *sorted(drawn.integers(0, 201, 6).tolist()), 200]
        parts = [order[a:b] for a, b in itertools.pairwise(cuts) if b > a]
        sums = [
            sums_of(np.ascontiguousarray(table[:, :, some]), [names(200)[at] for at in some], plan, threads=1) for some in parts
        ]
        assert equal(sum(sums[1:], start=sums[0]), whole)
    assert equal(pickle.loads(pickle.dumps(whole)), whole)  # noqa: S301 - our own bytes


def test_exact_sums_are_those_of_fsum_and_of_fractions():
    drawn = np.random.default_rng(2)
    numbers = drawn.standard_normal(2000) * 10.0 ** drawn.integers(-300, 300, 2000)
    assert rounded(exact_total(numbers)) == math.fsum(numbers)
    small = drawn.standard_normal(500) * 10.0 ** drawn.integers(-20, 20, 500)
    exact = sum(int(top) ** 2 * (1 << 1074) // int(bottom) ** 2 for top, bottom in (each.as_integer_ratio() for each in small))
    assert exact_squares(small) == exact
    for edge in (5e-324, -5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 0.0, -0.0):
        assert rounded(exact_total(np.array([edge]))) == edge


def test_weights_are_signs_and_poisson():
    signs, counts = weights(4000, 256, signs=True), weights(4000, 256, signs=False)
    assert set(np.unique(signs)) == {-1, 1}
    expected = scipy.stats.poisson.pmf(np.arange(5), 1) * counts.size
    observed = np.array([*(np.count_nonzero(counts == each) for each in range(4)), np.count_nonzero(counts >= 4)])
    expected[4] = counts.size - expected[:4].sum()
    assert scipy.stats.chisquare(observed, expected).pvalue > 1e-3
    assert scipy.stats.binomtest(int((signs > 0).sum()), signs.size).pvalue > 1e-3
    for drawn in (signs, counts - 1):  # uncorrelated over draws and over topics: each sum of n products has the variance n
        for left, right in ((drawn[:-1], drawn[1:]), (drawn[:, :-1], drawn[:, 1:]), (drawn[:-64], drawn[64:])):
            z = (left * right).sum() / math.sqrt(left.size)
            assert abs(z) < 4
        eigenvalues = np.linalg.eigvalsh(drawn @ drawn.T / drawn.shape[1])  # within the law of Marchenko and Pastur
        assert eigenvalues.max() < (1 + math.sqrt(256 / 4000)) ** 2 * 1.1


def test_a_weight_depends_on_seed_name_and_draw_alone():
    keys = np.empty(3, dtype=np.uint64)
    topic_keys([b"q1", b"q2", b"q1"], 5, keys)
    assert keys[0] == keys[2] != keys[1]
    other = np.empty(1, dtype=np.uint64)
    topic_keys([b"q1"], 6, other)
    assert other[0] != keys[0]
    ends = [b"", b"\0", b"\0\0", b"12345678", b"12345678\0", b"123456789"]
    many = np.empty(len(ends), dtype=np.uint64)
    topic_keys(ends, 0, many)
    assert len(set(many.tolist())) == len(ends)


def test_sums_under_weights_are_those_of_numpy():
    table = values(333)
    rows = np.rint(table[0] / UNIT).astype(np.int64)
    for kind in ("signs", "bootstrap"):
        sums = sums_of(table, names(333), design(kind=kind, samples=100, seed=3))
        drawn = weights(333, 100, signs=kind == "signs", seed=3)
        assert np.array_equal(sums.weighted[0][:3], rows @ drawn.T)
        assert np.array_equal(sums.weights, drawn.sum(axis=1))
        if kind == "bootstrap":
            squares = np.rint(((rows[0] - rows[1]) * 2.0**-16) ** 2).astype(np.int64)
            assert np.array_equal(sums.weighted[0][3], drawn @ squares)


def test_t_and_its_interval_are_those_of_scipy():
    table = values(5000, systems=2)
    comparison = compare_sums(sums_of(table, names(5000), design(("a", "b"))), test="t")[0]
    expected = scipy.stats.ttest_rel(*table[0])
    interval = expected.confidence_interval()
    assert comparison.outcome.p[0] == pytest.approx(expected.pvalue, rel=1e-12)
    assert (comparison.pair_low[0], comparison.pair_high[0]) == pytest.approx((interval.low, interval.high), rel=1e-12)
    own = scipy.stats.t.interval(0.95, 4999, table[0].mean(axis=1), scipy.stats.sem(table[0], axis=1))
    assert np.allclose([comparison.low, comparison.high], own, rtol=1e-13)


def test_wilson_is_that_of_the_counts():
    table = np.random.default_rng(3).binomial(1, 0.3, (1, 2, 900)).astype(float)
    sums = sums_of(table, names(900), design(("a", "b"), ["Success@5"], baselines=(0,)))
    comparisons = compare_sums(sums, test="sign")
    for system in comparisons.advice[0].systems:
        count = int(table[0]["ab".index(system.system)].sum())
        expected = scipy.stats.binomtest(count, 900).proportion_ci(0.95, "wilson")
        assert system.wilson == pytest.approx((expected.low, expected.high), rel=1e-12)
        assert system.wilson == (wilson_interval(count, 900).low, wilson_interval(count, 900).high)


@pytest.mark.parametrize("decimals", [1, 2, 12])
def test_randomisation_counts_what_all_sign_vectors_would(decimals):
    """Brute force over 2¹² sign vectors, with ties (one decimal); the draws are a sample of them."""
    drawn = np.random.default_rng(decimals)
    table = np.round(drawn.random((1, 2, 12)), decimals)
    difference = table[0, 0] - table[0, 1]
    observed = abs(difference.sum()) - 1e-9
    every = np.abs(np.array(list(itertools.product((-1, 1), repeat=12))) @ difference) >= observed
    samples = 20_000
    sums = sums_of(table, names(12), design(("a", "b"), kind="signs", samples=samples))
    outcome = compare_sums(sums, test="randomisation")[0].outcome
    mine = np.abs(weights(12, samples, signs=True) @ difference) >= observed
    assert outcome.p[0] == (1 + mine.sum()) / (1 + samples)
    assert abs(outcome.p[0] - every.mean()) < 4 * math.sqrt(every.mean() * (1 - every.mean()) / samples) + 1e-4


def test_the_bootstrap_is_that_of_numpy_with_the_same_weights():
    table, samples = values(150, seed=4), 500
    sums = sums_of(table, names(150), design(kind="bootstrap", samples=samples, seed=7))
    outcome = compare_sums(sums, test="bootstrap")[0].outcome
    drawn = weights(150, samples, signs=False, seed=7).astype(float)
    for pair, (first, second) in enumerate(((0, 1), (0, 2), (1, 2))):
        d = table[0, first] - table[0, second]
        size = drawn.sum(axis=1)
        mean = drawn @ (d - d.mean()) / size
        variance = (drawn @ (d - d.mean()) ** 2 / size - mean**2) * size / (size - 1)
        t = np.abs(mean) / np.sqrt(variance / size)
        observed = abs(d.mean()) / (d.std(ddof=1) / math.sqrt(150))
        assert outcome.p[pair] == (1 + (t >= observed).sum()) / (1 + samples)


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "bootstrap-t"])
@pytest.mark.parametrize("baseline", [None, "b"])
def test_draws_agree_with_those_of_compare(test, baseline):
    """Other random numbers, the same distribution: p-values agree within their Monte-Carlo errors, for 400 topics."""
    drawn = np.random.default_rng(5)
    level = drawn.random(400)
    table = np.clip(level + 0.2 * drawn.standard_normal((3, 400)) + np.array([[0], [0.01], [0.03]]), 0, 1)
    kind = "signs" if test == "randomisation" else "bootstrap"
    baselines = () if baseline is None else (1,)
    sums = sums_of(table[None], names(400), design(kind=kind, samples=20_000, baselines=baselines))
    frame = {system: dict(zip(map(str, range(400)), row.tolist(), strict=True)) for system, row in zip(SYSTEMS, table, strict=True)}
    expected = compare(frame, test=test, baseline=baseline, samples=20_000)[0]
    comparison = compare_sums(sums, test=test)[0]
    for mine, other in ((comparison.outcome.p, expected.outcome.p), (comparison.corrected_p, expected.corrected_p)):
        error = np.sqrt(np.maximum(other * (1 - other), 1e-4) * 2 / 20_000)
        assert (np.abs(mine - other) < 5 * error + 0.004).all()
    if test == "bootstrap-t":
        assert np.allclose(comparison.pair_low, expected.pair_low, atol=2e-3)


def test_joint_signs_are_step_down():
    sums = sums_of(values(300, measures=2, seed=6), names(300), design(measures=("AP", "P@10"), kind="signs", samples=2000))
    for comparison in compare_sums(sums, test="t", correction="maxT"):
        order = np.argsort(-np.abs(comparison.outcome.statistic))
        assert (np.diff(comparison.corrected_p[order]) >= 0).all()
        assert (comparison.corrected_p >= comparison.outcome.p - 0.03).all()


@pytest.mark.parametrize(("test", "kind"), [("randomisation", "signs"), ("bootstrap", "bootstrap"), ("bootstrap-t", "bootstrap")])
def test_under_the_null_hypothesis_five_of_a_hundred_are_significant(test, kind):
    """600 data sets of 80 topics, skewed, without a difference: at most as many rejections as a binomial has at .999."""
    drawn = np.random.default_rng(8)
    rejected = 0
    for number in range(600):
        table = drawn.beta(0.5, 1.5, (1, 2, 80))
        topics = [b"%d %d" % (number, each) for each in range(80)]
        comparison = compare_sums(sums_of(table, topics, design(("a", "b"), kind=kind, samples=256)), test=test)[0]
        rejected += int(comparison.outcome.p[0] <= 0.05)
    assert 10 <= rejected <= scipy.stats.binom.isf(0.001, 600, 0.05)


def test_pieces_of_arrow_batches_give_the_comparison_of_the_whole():
    qrels, runs = campaign(3, systems=("one", "two", "three"), topics=40)
    runs = {system: [row for row in rows if row[0] in qrels] for system, rows in runs.items()}
    measures = ["AP@10", "P@5", "nDCG@10"]
    options = {"partitioned": True, "highest_grade": 3}
    home = {topic: at % 3 for at, topic in enumerate(qrels)}
    sums = []
    for part in range(3):
        some = {topic: grades for topic, grades in qrels.items() if home[topic] == part}
        partials = [
            pieces.evaluate([batch([row for row in rows if home[row[0]] == part])], some, measures, system=system, **options)
            for system, rows in runs.items()
        ]
        sums.append(pair_sums(partials))
    merged = compare_sums(sums[2] + sums[0] + sums[1], test="t", correction="holm")
    whole = compare(
        pieces.merge([pieces.evaluate(batch(rows), qrels, measures, system=s) for s, rows in runs.items()], qrels), test="t"
    )
    for mine, expected in zip(merged, whole, strict=True):
        assert mine.systems == expected.systems
        assert np.array_equal(mine.mean, expected.mean)
        assert np.array_equal(mine.places, expected.places)
        assert np.allclose(mine.corrected_p, expected.corrected_p, rtol=1e-12, atol=0)
        assert np.array_equal(mine.effects.wins, expected.effects.wins)
        for effect in ("d_z", "glass", "hedges", "residual"):
            assert np.allclose(getattr(mine.effects, effect), getattr(expected.effects, effect), rtol=1e-11)
        assert np.isnan(mine.effects.cliff).all()


def test_refusals_are_sentences():
    qrels, runs = campaign(3, topics=10)
    parts = [pieces.evaluate(cut(rows, 1, 1)[0], qrels, ["AP@10"], system=system) for system, rows in runs.items()]
    with pytest.raises(StatisticsError, match="have different topics"):
        pair_sums(parts)
    sums = sums_of(values(20), names(20), design())
    with pytest.raises(StatisticsError, match="needs the values of all topics"):
        compare_sums(sums, test="signed-rank")
    with pytest.raises(StatisticsError, match="needs sums with kind='bootstrap', these have no random draws"):
        compare_sums(sums)
    with pytest.raises(StatisticsError, match="different seed"):
        sums + sums_of(values(20), names(20), design(seed=1))
    with pytest.raises(StatisticsError, match="differences below 45"):
        sums_of(values(20) * 1000, names(20), design(kind="bootstrap", samples=10))
    many = sums_of(values(20) + 2000, names(20), design(kind="signs", samples=10))
    with pytest.raises(StatisticsError, match="too large for sums"):
        many + replace(many, topics=10**7)
    with pytest.raises(MensuraError, match="is not computed from a sum"):
        pair_sums([pieces.evaluate(rows, qrels, ["Median(AP)"], system=system) for system, rows in runs.items()])


def test_draws_that_take_long_are_fewer_or_refused():
    assert affordable(10_000, 1000, 10, 1, asked=False) == 10_000
    assert affordable(10_000, 10**9, 10, 1, asked=False) == 1000
    assert affordable(0, 10**9, 10, 1, asked=False) == 0
    with pytest.raises(StatisticsError, match="days; use at most samples="):
        affordable(10**6, 10**9, 10, 2, asked=True)
    with pytest.raises(StatisticsError, match="GB; name a baseline"):
        affordable(10**6, 100, 10**4, 2, asked=True)
