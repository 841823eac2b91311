"""Mid-p against brute force: every run of REL^N written down, with its probability and its value as the measure computes it."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from mensura import JudgedRuns, ScaleError, parse_measure
from mensura.scales.universes import proportions as module
from mensura.scales.universes.laws import UNIVERSES, laws, non_increasing, universe_named
from mensura.scales.universes.proportions import proportions
from mensura.scales.universes.samples import error_bar, runs_for

SUMS = (
    "AP",
    "P",
    "R",
    "F",
    "RR",
    "MFR",
    "Success",
    "ERR",
    "EFR",
    "DCG",
    "DCG(base=3)",
    "nDCG",
    "RBP(p=0.8)",
    "RBP(p=0.5)",
    "AP(rel=2)",
)
OTHERS = ("IPrec11", "bpref", "Acorr")
TIE = 1e-11


def collection(seed, length, topics=3, systems=5, grades=1):
    """Judged runs that get worse with rank; some documents are not judged, one system finds nothing."""
    rng = np.random.default_rng(seed)
    chance = rng.random((systems, topics, 1)) * np.linspace(0.9, 0.1, length)
    runs = np.where(rng.random((systems, topics, length)) < chance, rng.integers(1, grades + 1, (systems, topics, length)), 0)
    runs[-1] = 0
    runs[(runs == 0) & (rng.random(runs.shape) < 0.3)] = -1
    found = [
        [(runs[:, topic] == grade).sum(axis=1).max() + rng.integers(0, 3) for grade in range(grades + 1)] for topic in range(topics)
    ]
    return JudgedRuns.from_grades(runs.astype(np.int8), np.array(found))


def nearest_non_increasing(x):
    """The formula max over s ≤ i of min over t ≥ i, with means of x[s … t], turned round for sequences that fall."""
    n = len(x)
    return np.array([min(max(x[s : t + 1].mean() for t in range(i, n)) for s in range(i + 1)) for i in range(n)])


def brute_force(measure, judged, universe, topic):
    """Mid-p of each system for a topic."""
    on_topics, length = measure.on_topics, judged.length
    rel = 1 if measure.graded else on_topics.rel
    top = max(judged.max_grade, 1) if measure.graded else 1
    sees_judged = universe in {"observed", "independent"}
    rows = judged.grades[:, topic]
    rows = rows if measure.graded else np.where(rows >= 0, rows >= rel, rows)
    base = judged.recall_base[topic]
    base = base if measure.graded else np.array([base[:rel].sum(), base[rel:].sum()])
    tells = on_topics.tells_unjudged  # documents without judgment are a symbol of their own, and those judged 0 are limited
    symbols = np.arange(-1 if sees_judged or tells else 0, top + 1)
    runs = np.array(list(itertools.product(symbols, repeat=length)))
    allowed = np.ones(len(runs), dtype=bool)
    if universe in {"attainable", "independent"}:
        for symbol in range(0 if tells and not sees_judged else 1, top + 1):
            allowed &= (runs == symbol).sum(axis=1) <= base[symbol]
    kinds = np.ones(1)
    if universe == "observed" and (rows > 0).any():
        hits = (rows > 0).sum(axis=1)
        kinds = hits / hits.mean()
    weights = np.zeros(len(runs))
    for kind in kinds:
        if sees_judged:
            at_least = np.array([nearest_non_increasing((rows >= symbol).mean(axis=0)) for symbol in symbols[1:]])
            at_least[1:] = np.minimum(1, at_least[1:] * kind)
            at_least[0] = np.maximum(at_least[0], at_least[1])
            chances = -np.diff(np.vstack([np.ones(length), at_least, np.zeros(length)]), axis=0)
        else:
            chances = np.full((len(symbols), length), 1 / len(symbols))
        mass = np.prod(chances[runs - symbols[0], np.arange(length)], axis=1) * allowed
        weights += mass / mass.sum() / len(kinds)
    scored = parse_measure(str(on_topics).replace(f"rel={rel}", "rel=1")) if not measure.graded else on_topics
    value = lambda some: scored.score(JudgedRuns.from_grades(some[:, None, :].astype(np.int8), base[None, :]))[:, 0]  # noqa: E731
    better = 1 if measure.direction == "higher" else -1
    everything, own = better * value(runs), better * value(rows)
    return np.array([weights[everything < x - TIE].sum() + weights[np.abs(everything - x) <= TIE].sum() / 2 for x in own])


@pytest.mark.parametrize("universe", UNIVERSES)
@pytest.mark.parametrize("name", SUMS)
def test_bounds_contain_the_truth(name, universe, monkeypatch):
    judged = collection(len(name), 7, grades=2 if "rel" in name else 1)
    measure = parse_measure(f"{name}@7")
    truth = np.stack([brute_force(measure, judged, universe, topic) for topic in range(3)], axis=1)
    listed = proportions(measure, judged, universe)
    assert listed.how == "bounded"
    assert listed.middle == pytest.approx(truth, abs=1e-10)
    monkeypatch.setattr(module, "SHORT", 0)
    for finest in (0.3, 0.02, 0.0002):
        monkeypatch.setattr(module, "FINEST", finest)
        monkeypatch.setattr(module, "CERTIFIED", 1.0)
        binned = proportions(measure, judged, universe)
        assert binned.how == "bounded"
        assert (binned.low <= truth + 1e-9).all()
        assert (truth <= binned.high + 1e-9).all()


@pytest.mark.slow
@pytest.mark.parametrize("universe", ["attainable", "independent"])
@pytest.mark.parametrize("seed", range(12))
def test_average_precision_at_nine_to_twelve(universe, seed, monkeypatch):
    monkeypatch.setattr(module, "SHORT", 0)
    judged = collection(seed, 10 + 2 * (seed % 2) if universe == "attainable" else 9, topics=4, systems=8)
    measure = parse_measure(f"AP@{judged.length}")
    truth = np.stack([brute_force(measure, judged, universe, topic) for topic in range(4)], axis=1)
    for finest in (0.2, 0.05, 0.01):
        monkeypatch.setattr(module, "FINEST", finest)
        found = proportions(measure, judged, universe)
        assert (found.low <= truth + 1e-9).all()
        assert (truth <= found.high + 1e-9).all()


def test_bounds_are_no_wider_than_asked_for():
    judged = collection(6, 40, systems=6)
    for universe in UNIVERSES:
        for width in (0.1, 0.01):
            found = proportions(parse_measure("AP@40"), judged, universe, width)
            assert (found.high - found.low).max() <= width + 1e-12


def test_counts_are_exact():
    """P, RR and Success add up whole numbers: bins of size 1 round nothing."""
    judged = collection(3, 8)
    for name in ("P", "RR", "Success", "MFR"):
        for universe in UNIVERSES:
            found = proportions(parse_measure(f"{name}@8"), judged, universe)
            assert (found.high - found.low).max() < 1e-9


@pytest.mark.parametrize("universe", UNIVERSES)
@pytest.mark.parametrize("name", ["DCG", "ERR", "nDCG(dcg='exp-log2')", *OTHERS])
def test_estimates_contain_the_truth(name, universe):
    grades = 1 if name in OTHERS else 2
    judged = collection(11, 5 if grades == 2 else 7, grades=grades)
    measure = parse_measure(f"{name}@{judged.length}")
    found = proportions(measure, judged, universe, 0.02)
    assert found.how == "estimated"
    assert found.drawn == runs_for(0.02)
    assert "drawn runs, ± 0.01" in found.method
    truth = np.stack([brute_force(measure, judged, universe, topic) for topic in range(3)], axis=1)
    assert np.abs(found.middle - truth).max() <= error_bar(found.drawn)
    assert (found.high - found.low).max() <= 0.02


def test_estimates_and_bounds_agree(monkeypatch):
    judged = collection(5, 60, systems=9)
    measure = parse_measure("AP@60")
    for universe in ("observed", "independent"):
        bounded = proportions(measure, judged, universe, 0.004)
        with monkeypatch.context() as patched:
            patched.setattr(module, "hit_sum", lambda *_: None)
            drawn = proportions(measure, judged, universe, 0.02)
        assert (bounded.how, drawn.how) == ("bounded", "estimated")
        assert np.abs(bounded.middle - drawn.middle).max() < 0.013


def test_the_order_of_files_does_not_matter():
    judged = collection(2, 12, grades=2, systems=7)
    measure = parse_measure("DCG@12")
    other = JudgedRuns.from_grades(judged.grades[::-1, ::-1], judged.recall_base[::-1])
    for universe in UNIVERSES:
        one, two = (proportions(measure, runs, universe, 0.05) for runs in (judged, other))
        assert np.array_equal(one.middle, two.middle[::-1, ::-1])


def test_within_a_topic_the_order_is_that_of_the_measure():
    judged = collection(4, 30, systems=12)
    for name in ("AP@30", "IPrec11@30"):
        measure = parse_measure(name)
        values = measure.score(judged)
        for universe in UNIVERSES:
            middle = proportions(measure, judged, universe, 0.05).middle
            for topic in range(3):
                order = np.argsort(values[:, topic], kind="stable")
                assert (np.diff(middle[order, topic]) >= 0).all()


def test_neighbours_that_rise_are_pooled():
    rng = np.random.default_rng(0)
    for size in (1, 2, 7, 20):
        x = rng.random(size)
        assert non_increasing(x) == pytest.approx(nearest_non_increasing(x))
        assert non_increasing(x).mean() == pytest.approx(x.mean())


def test_a_topic_without_relevant_documents():
    judged = JudgedRuns.from_grades(np.zeros((2, 1, 5), dtype=np.int8), np.array([[3, 0]]))
    for universe in UNIVERSES:
        found = proportions(parse_measure("AP@5"), judged, universe)
        assert found.middle == pytest.approx(1 / 64 if universe == "all" else 0.5, abs=1e-9)


def test_laws_differ_by_what_topics_have():
    judged = collection(1, 6)
    assert len({law.key for law in laws("all", judged)}) == 1
    assert all(max(law.weights) < 1 for law in laws("observed", judged))


def test_refusals_name_a_way_out():
    judged = collection(1, 6)
    with pytest.raises(ScaleError, match=r"unknown universe 'al'; use one of all, attainable, observed, independent"):
        universe_named("al")
    with pytest.raises(ScaleError, match=r"width=2 is not between 0 and 1"):
        proportions(parse_measure("AP@6"), judged, "all", 2)
    with pytest.raises(ScaleError, match=r"IPrec11@6: estimates of width 1e-08 take too long; ask for 0\.\d+ or more"):
        proportions(parse_measure("IPrec11@6"), judged, "observed", 1e-8)
    with pytest.raises(ScaleError, match=r"has no scale over judged runs"):
        proportions(parse_measure("infAP@6"), judged, "all")
