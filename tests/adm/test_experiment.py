"""Distances of a list, correlations and stability."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mensura import ADM, AP, MensuraError, judge, parse_measure
from mensura.adm import correlations, distances, fewer_documents, fewer_topics, variants
from mensura.adm.correlation import references
from mensura.adm.distance import by_level
from mensura.adm.stability import Stability, taus
from mensura.stats.correlation import kendall
from tests.adm.campaign import campaign


@pytest.mark.parametrize(
    "name",
    [
        "ADM",
        "ADM@10",
        "ADM(documents='retrieved-assessed')@15",
        "ADM(documents='assessed')",
        "ADM(documents='pool')@10",
        "ADM(srs='rank', retrieved=50)@45",
    ],
)
def test_distances_are_what_the_measure_averages(name):
    judged, measure = campaign(), parse_measure(name)
    values = measure.score(judged)
    for s, system in enumerate(judged.systems[:3]):
        for t, topic in enumerate(judged.topics):
            found = distances(judged, system, topic, measure)
            assert 1 - found.distance.mean() == pytest.approx(values[s, t])
            assert found.value == values[s, t]
            assert (found.srs[found.rank == 0] == 0).all()
            assert sum(number for _, number, _ in found.medians()) == len(found.rank)


def test_medians_by_hand():
    judged = judge({"q": {"a": 1, "b": 1, "c": 0}}, {"mine": {"q": {"a": 4.0, "b": 3.0, "c": 1.0, "d": 0.0}}}, scores=True)
    found = distances(judged, "mine", "q", ADM())
    assert found.medians() == [(0.75, 2, 0.875), (0.25, 2, 0.125)]
    with pytest.raises(MensuraError, match="unknown topic 'x'"):
        distances(judged, "mine", "x", ADM())


@pytest.mark.parametrize("name", ["ADM", "ADM(documents='pool')@10", "ADM(documents='assessed')", "ADM(srs='rank', retrieved=50)"])
def test_distances_by_grade_add_up(name):
    judged, measure = campaign(), parse_measure(name)
    names, mean, number = by_level(judged, measure)
    assert names == ("grade 0", "grade 1", "grade 2", "grade 3")
    for s, system in enumerate(judged.systems[:2]):
        every = [distances(judged, system, topic, measure) for topic in judged.topics]
        assert number[s].sum() == sum(len(each.rank) for each in every)
        assert np.nansum(mean[s] * number[s]) == pytest.approx(sum(each.distance.sum() for each in every))


def test_correlations_are_those_of_means():
    judged = campaign()
    found = correlations(judged, variants((5, 10)))
    assert len(set(found.measures)) == len(found.measures)
    at = {str(measure): number for number, measure in enumerate(found.measures)}
    pooled = parse_measure("ADM(srs='rank', documents='pool')@5")
    expected = kendall(pooled.score(judged).mean(axis=1).round(8), AP().score(judged).mean(axis=1).round(8))
    assert found.tau[at[str(pooled)], 0] == pytest.approx(expected)
    assert [found.tau[number, number] for number in range(len(found.references))] == [1.0] * len(found.references)


def test_rigid_is_the_upper_half_of_the_grades():
    assert [str(measure) for measure in references(campaign())] == ["AP", "Rprec", "AP(rel=2)", "Rprec(rel=2)"]
    binary = judge({"q": {"a": 1}}, {"one": {"q": {"a": 1.0}}}, scores=True)
    assert [str(measure) for measure in references(binary)] == ["AP", "Rprec"]
    with pytest.raises(MensuraError, match="at least 2 systems"):
        correlations(binary, [ADM()])


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=9))
def test_many_taus_at_once(pairs):
    x, y = (np.array(column, dtype=float) for column in zip(*pairs, strict=True))
    expected = kendall(x, y)
    assert taus(np.stack([x, y], axis=1), np.stack([y, y], axis=1))[0] == pytest.approx(expected, nan_ok=True)


def test_all_topics_are_the_whole():
    judged = campaign()
    found = fewer_topics(judged, [AP(), ADM()], AP(), samples=30)
    assert found[0].sizes[-1] == 12
    for each in found:
        assert each.whole[-1] == pytest.approx(1.0)
        assert each.whole[0] < each.whole[-2]
        assert (each.low <= each.whole + 1e-12).all()
        assert np.isfinite(each.apart[np.array(each.sizes) <= 6]).all()
        assert np.isnan(each.apart[np.array(each.sizes) > 6]).all()
    assert found[0].reference == pytest.approx(found[0].whole)
    again = fewer_topics(judged, [AP(), ADM()], AP(), samples=30)
    assert [each.whole.tolist() for each in again] == [each.whole.tolist() for each in found]
    with pytest.raises(MensuraError, match="between 1 and 12"):
        fewer_topics(judged, [AP()], AP(), sizes=[13])


def test_fewer_documents_end_at_the_deepest():
    judged = campaign()
    (found,) = fewer_documents(judged, [ADM(srs="rank")], AP(), (5, 10, 40))
    assert found.whole[-1] == 1.0
    means = [(ADM(srs="rank") @ depth).score(judged).mean(axis=1) for depth in (5, 40)]
    assert found.whole[0] == pytest.approx(kendall(means[0].round(10), means[1].round(10)))


def test_stable_from_where_it_stays_stable():
    def needed(*taus_):
        none = np.zeros(len(taus_))
        return Stability(ADM(), "topics", tuple(range(1, len(taus_) + 1)), np.array(taus_), none, none, none).needed

    assert needed(0.5, 0.95, 0.85, 0.92, 1.0) == 4
    assert needed(0.95, 1.0) == 1
    assert needed(0.5, 0.6) is None


def test_a_measure_takes_its_own_mean():
    judged, measure = campaign(), parse_measure("GM(AP)")
    table = correlations(judged, [measure])
    row = table.measures.index(measure)
    assert table.means[row] == pytest.approx(measure.mean(measure.score(judged)), abs=1e-8)
    whole = fewer_topics(judged, [measure], measure, sizes=[judged.shape[1]], samples=2)[0]
    assert whole.whole[0] == whole.reference[0] == 1
