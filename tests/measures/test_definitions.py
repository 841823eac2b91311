"""Every measure against its definition, written out naively for one judged run at a time."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura import Hole, JudgedRuns, parse_measure
from tests.measures import vocabulary
from tests.strategies import choices


@st.composite
def judged_runs(draw):
    """Grades [system, topic, rank] from -2 to 3, and a recall base that holds at least what was retrieved."""
    systems, topics, ranks = draw(st.integers(1, 3)), draw(st.integers(1, 3)), draw(st.integers(1, 12))
    grades = draw(choices(range(-2, 4), (systems, topics, ranks)))
    found = np.stack([(grades == grade).sum(axis=2).max(axis=0) for grade in range(4)], axis=1)
    return JudgedRuns.from_grades(grades, found + draw(choices(range(6), (topics, 4))))


def each(judged):
    """(system, topic, grades, recall base) one by one."""
    for system in range(judged.shape[0]):
        for topic in range(judged.shape[1]):
            yield system, topic, judged.grades[system, topic].tolist(), judged.recall_base[topic].tolist()


def above(base, rel):
    return sum(base[rel:])


def precision(grades, base, k, rel=1):
    size = len(grades) if k is None else k
    return sum(g >= rel for g in grades[:size]) / size


def recall(grades, base, k, rel=1):
    return sum(g >= rel for g in grades[:k]) / above(base, rel) if above(base, rel) else 0.0


def f_measure(grades, base, k, beta):
    p, r = precision(grades, base, k), recall(grades, base, k)
    return (1 + beta**2) * p * r / (beta**2 * p + r) if p + r else 0.0


def average_precision(grades, base, k, rel=1):
    grades = grades[:k]
    total = sum(precision(grades, base, i + 1, rel) for i, g in enumerate(grades) if g >= rel)
    return total / above(base, rel) if above(base, rel) else 0.0


def reciprocal_rank(grades, base, k):
    return next((1 / (i + 1) for i, g in enumerate(grades[:k]) if g >= 1), 0.0)


def first_rank(grades, base, k):
    return next((i + 1 for i, g in enumerate(grades[:k]) if g >= 1), (len(grades) if k is None else k) + 1)


def chapelle(g, highest):
    return (2**g - 1) / 2**highest


def linear(g, highest):
    return g / max(highest, 1)


def cascade(grades, highest, value, never, stopping=chapelle):
    going_on, total = 1.0, 0.0
    for i, g in enumerate(grades, start=1):
        stop = stopping(max(g, 0), highest)
        total += going_on * stop * value(i)
        going_on *= 1 - stop
    return total + going_on * never


def gain_of(g, form):
    return (2**g - 1 if form == "exp" else g) if g > 0 else 0


def dcg(grades, k, form="linear", base=None):
    return sum(
        gain_of(g, form) / (math.log2(i + 1) if base is None else max(1, math.log(i, base)))
        for i, g in enumerate(grades[:k], start=1)
    )


def ndcg(grades, base, k, form="linear", log=None):
    best = [g for g in (3, 2, 1) for _ in range(base[g])]
    ideal = dcg(best, k, form, log)
    return dcg(grades, k, form, log) / ideal if ideal else 0.0


def bpref(grades, base):
    relevant, others = above(base, 1), base[0]
    total, seen = 0.0, 0
    for g in grades:
        if g == 0:
            seen += 1
        elif g > 0:
            total += 1 - min(seen, relevant) / min(others, relevant) if seen else 1
    return total / relevant if relevant else 0.0


def inferred(grades, base):
    relevant = above(base, 1)
    total = 0.0
    for i, g in enumerate(grades):
        if g > 0:
            r = sum(x > 0 for x in grades[:i])
            n = sum(x == 0 for x in grades[:i])
            pool = r + n + sum(x == -2 for x in grades[:i])
            total += 1.0 if i == 0 else 1 / (i + 1) + i / (i + 1) * (pool / i) * ((r + 1e-5) / (r + n + 2e-5))
    return total / relevant if relevant else 0.0


def interpolated(grades, base, level):
    needed = max(math.floor(level * above(base, 1) + 0.5), 1)
    found = [(i, sum(g >= 1 for g in grades[:i])) for i in range(1, len(grades) + 1)]
    return max((hits / i for i, hits in found if hits >= needed), default=0.0)


def a_corr(grades, base, k=None, h=lambda i: 1):
    """Places in the ideal ranking, documents of one grade in the order of the run; the worst run has no relevant documents."""
    relevant = sum(base[1:])
    ranks = max(len(grades), relevant, 1) if k is None else k
    seen, point, area, worst = {}, 0, 0, 0
    for rank in range(1, ranks + 1):
        grade = max(grades[rank - 1], 0) if rank <= len(grades) else 0
        seen[grade] = seen.get(grade, 0) + 1
        before, point = point, point + sum(base[grade + 1 :]) + seen[grade] - rank
        area += (before + point) / 2 * h(rank)
        worst += relevant * (2 * rank - 1) / 2 * h(rank)
    return 1 - area / worst if worst else 0


def rbp(grades, p, k=None, gain=lambda g: g >= 1):
    return (1 - p) * sum(p**i * gain(g) for i, g in enumerate(grades[:k]))


def by_rank(grades, base, top, *, k=None, retrieved=None, only_judged=False, all_judged=False):
    """ADM from ranks, with equal bins (P2, Eq. 1)."""
    n = retrieved or len(grades)
    size = min(k or n, retrieved or len(grades))
    seen = (grades + [-1] * size)[:size]
    kept = [(1 - i / n, max(g, 0)) for i, g in enumerate(seen) if g >= 0 or not (only_judged or all_judged)]
    if all_judged:
        kept += [(0, g) for g in range(len(base)) for _ in range(base[g] - seen.count(g))]
    distances = [abs(srs - (2 * g + 1) / (2 * max(top + 1, 2))) for srs, g in kept]
    return 1 - sum(distances) / len(kept) if kept else 0


DEFINITIONS = {
    "ADM(srs='rank')": by_rank,
    "ADM(srs='rank')@5": lambda g, b, top: by_rank(g, b, top, k=5),
    "ADM(srs='rank', retrieved=20)@8": lambda g, b, top: by_rank(g, b, top, k=8, retrieved=20),
    "ADM(srs='rank', retrieved=20)": lambda g, b, top: by_rank(g, b, top, retrieved=20),
    "ADM(srs='rank', documents='retrieved-assessed')@5": lambda g, b, top: by_rank(g, b, top, k=5, only_judged=True),
    "ADM(srs='rank', documents='assessed')@5": lambda g, b, top: by_rank(g, b, top, k=5, all_judged=True),
    "Acorr@4": lambda g, b, top: a_corr(g, b, 4),
    "Acorr(h='1/i')@12": lambda g, b, top: a_corr(g, b, 12, lambda i: 1 / i),
    "Acorr(h=0.6)": lambda g, b, top: a_corr(g, b, None, lambda i: 0.6 ** (i - 1)),
    "P": lambda g, b, h: precision(g, b, None),
    "P@5": lambda g, b, h: precision(g, b, 5),
    "P(rel=2)@20": lambda g, b, h: precision(g, b, 20, 2),
    "R@3": lambda g, b, h: recall(g, b, 3),
    "R(rel=2)": lambda g, b, h: recall(g, b, None, 2),
    "F@4": lambda g, b, h: f_measure(g, b, 4, 1),
    "F(beta=2.0)": lambda g, b, h: f_measure(g, b, None, 2),
    "Success@2": lambda g, b, h: float(any(x >= 1 for x in g[:2])),
    "Rprec": lambda g, b, h: recall(g, b, above(b, 1)),
    "AP": lambda g, b, h: average_precision(g, b, None),
    "AP(rel=3)@5": lambda g, b, h: average_precision(g, b, 5, 3),
    "bpref": lambda g, b, h: bpref(g, b),
    "infAP": lambda g, b, h: inferred(g, b),
    "RR": lambda g, b, h: reciprocal_rank(g, b, None),
    "RR@2": lambda g, b, h: reciprocal_rank(g, b, 2),
    "MFR": lambda g, b, h: first_rank(g, b, None),
    "MFR@3": lambda g, b, h: first_rank(g, b, 3),
    "MFR@30": lambda g, b, h: first_rank(g, b, 30),
    "ERR": lambda g, b, h: cascade(g, h, lambda i: 1 / i, 0),
    "ERR(max_grade=4)@3": lambda g, b, h: cascade(g[:3], 4, lambda i: 1 / i, 0),
    "ERR(stop={1: 1/5, 2: 1/2, 3: 1})@4": lambda g, b, h: cascade(g[:4], h, lambda i: 1 / i, 0, lambda x, _: (0, 0.2, 0.5, 1)[x]),
    "EFR": lambda g, b, h: cascade(g, h, lambda i: i, len(g) + 1, linear),
    "EFR@3": lambda g, b, h: cascade((g + [0] * 3)[:3], h, lambda i: i, 4, linear),
    "EFR(max_grade=4)@3": lambda g, b, h: cascade((g + [0] * 3)[:3], 4, lambda i: i, 4, linear),
    "EFR(stop={2: 0.5, 3: 0.75})@3": lambda g, b, h: cascade(
        (g + [0] * 3)[:3], h, lambda i: i, 4, lambda x, _: (0, 0, 0.5, 0.75)[x]
    ),
    "RBP(p=1/3)@6": lambda g, b, h: rbp(g, 1 / 3, 6),
    "DCG@6": lambda g, b, h: dcg(g, 6),
    "DCG(base=2)": lambda g, b, h: dcg(g, None, base=2),
    "DCG(dcg='exp-log2')@4": lambda g, b, h: dcg(g, 4, "exp"),
    "DCG(gains={0: 1, 1: 2, 3: 5})": lambda g, b, h: sum(
        {0: 1, 1: 2, 3: 5}.get(x, max(x, 0)) / math.log2(i + 2) for i, x in enumerate(g)
    ),
    "nDCG": lambda g, b, h: ndcg(g, b, None),
    "nDCG@3": lambda g, b, h: ndcg(g, b, 3),
    "nDCG(dcg='exp-log2')@20": lambda g, b, h: ndcg(g, b, 20, "exp"),
    "nDCG(base=10)@5": lambda g, b, h: ndcg(g, b, 5, "linear", 10),
    "RBP(p=0.8)": lambda g, b, h: rbp(g, 0.8),
    "RBP(p=0.5, rel=2)@3": lambda g, b, h: rbp(g, 0.5, 3, lambda x: x >= 2),
    "RBP(p=0.9, gains={1: 0.5, 3: 1})": lambda g, b, h: rbp(g, 0.9, None, lambda x: {1: 0.5, 3: 1}.get(x, 0)),
    "RBPResidual(p=0.7)@4": lambda g, b, h: rbp((g + [-1] * 4)[:4], 0.7, None, lambda x: x < 0) + 0.7**4,
    "NumRet": lambda g, b, h: len(g),
    "NumRet@3": lambda g, b, h: min(len(g), 3),
    "NumRel(rel=2)": lambda g, b, h: above(b, 2),
    "NumRelRet@4": lambda g, b, h: sum(x >= 1 for x in g[:4]),
    "Judged@5": lambda g, b, h: sum(x >= 0 for x in g[:5]) / min(len(g), 5),
    "Judged": lambda g, b, h: sum(x >= 0 for x in g) / len(g),
    "IPrec@0.3": lambda g, b, h: interpolated(g, b, 0.3),
    "IPrec11": lambda g, b, h: sum(interpolated(g, b, level / 10) for level in range(11)) / 11,
    "GM(AP)": lambda g, b, h: average_precision(g, b, None),
    "Median(AP)": lambda g, b, h: average_precision(g, b, None),
}


WIDER = (
    vocabulary.RATIONAL
    | vocabulary.DOUBLES
    | {name: lambda g, b, n, value=value: value(g, b) for name, value in vocabulary.IRRATIONAL.items()}
)
SLOW = {name for name in WIDER if name.startswith(("INS", "NERR10", "NERR11"))}  # a thousand ranks in exact numbers


@pytest.mark.parametrize("name", WIDER)
@settings(max_examples=40, deadline=None)
@given(judged=judged_runs())
def test_the_wider_vocabulary_agrees_with_its_definitions(name, judged):
    values = parse_measure(name).score(judged)
    for number, (system, topic, grades, base) in enumerate(each(judged)):
        if name in SLOW and number:
            break
        expected = float(WIDER[name](grades, base, len(grades)))
        assert values[system, topic] == pytest.approx(expected, rel=1e-11, abs=1e-12)


@pytest.mark.parametrize("name", DEFINITIONS)
@settings(max_examples=40, deadline=None)
@given(judged=judged_runs())
def test_agrees_with_its_definition(name, judged):
    measure = parse_measure(name)
    values = measure.score(judged)
    assert values.shape == judged.shape
    assert values.dtype == np.float64
    for system, topic, grades, base in each(judged):
        assert values[system, topic] == pytest.approx(DEFINITIONS[name](grades, base, judged.max_grade), rel=1e-12, abs=1e-12)


def test_every_measure_has_a_definition_here():
    from mensura.measures import REGISTRY

    defined = {type(parse_measure(name)) for name in (*DEFINITIONS, *WIDER)}
    assert defined == set(REGISTRY.values()) - {Hole}  # which is computed from documents: test_foreign_names.py
