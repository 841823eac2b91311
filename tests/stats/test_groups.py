"""Letters: two systems share one if and only if they do not differ; all maximal cliques are those of insert-and-absorb."""

from __future__ import annotations

import numpy as np
import pytest

from mensura.stats import groups
from mensura.stats.groups import find_groups, maximal_cliques


def insert_and_absorb(different):
    """Piepho (2004): for each significant pair split every column that holds both, then drop columns inside others."""
    columns = {frozenset(range(len(different)))}
    for a, b in np.argwhere(np.triu(different)).tolist():
        split = set()
        for column in columns:
            split |= {column - {a}, column - {b}} if {a, b} <= column else {column}
        columns = {column for column in split if column and not any(column < other for other in split)}
    return columns


def random_decisions(rng, systems):
    different = np.triu(rng.random((systems, systems)) < rng.uniform(0.05, 0.95), 1)
    return different | different.T


def shares(found, systems):
    matrix = np.zeros((systems, systems), dtype=bool)
    for group in found:
        matrix[np.ix_(group, group)] = True
    return matrix


def check(order, different):
    found = find_groups(order, different)
    systems = len(different)
    assert (shares(found, systems) | np.eye(systems, dtype=bool) == ~different).all()
    assert {system for group in found for system in group} == set(range(systems))
    place = {system: at for at, system in enumerate(order)}
    assert all([place[system] for system in group] == sorted(place[system] for system in group) for group in found)
    return found


@pytest.mark.parametrize("part", range(10))
def test_letters_say_the_decisions(part):
    rng = np.random.default_rng(part)
    for _ in range(100):
        systems = int(rng.integers(2, 11))
        different = random_decisions(rng, systems)
        found = check(rng.permutation(systems).tolist(), different)
        near = [sum(1 << other for other in range(systems) if other != at and not different[at, other]) for at in range(systems)]
        cliques = {frozenset(at for at in range(systems) if clique >> at & 1) for clique in maximal_cliques(near, 10**6)}
        assert cliques == insert_and_absorb(different)
        assert {frozenset(group) for group in found} <= cliques


# Decisions of all pairs (1: significantly different), letters of all systems by multcompLetters of multcompView 0.1-8 in R 4.2.2
MULTCOMPVIEW = [
    ("111111", "a b c d"),
    ("1001000101", "ab cd ac bd c"),
    ("010011110111101", "abc ad e bf c df"),
    ("111111011111100011111", "a b bcd e e c d"),
    ("1111111111011110101101111010", "a b cd e f bcg egh dh"),
    ("000010000000111010000000000110011100", "abcde abfg acdfh abcdefgh beg fgh ch d cde"),
    ("101000010100010111111111110101110111010101110", "abcde fgh a fi bg cdh ei bcgh ij dj"),
    ("1010111110010011100111100111101011101111111110001100010", "abc defg adhi j bek f jklm hln ijm glmn cgn"),
    (
        "000001100001001010011010101000101000011110001000000010000000100011",
        "abcdefghij acefk bilm abdeln cfgh bdijlmnopq kop lmnopq acdgjnq befhklo bdghlno ijmpq",
    ),
    (
        "0110100101000100101100111100001010000001001110001001000010010101010000000101001100011010011",
        "abcdefg achijk lmnopq hirs abcdfhilmnprs lnprs abfhjlmprtu egoqv rstv cdeiknosvw jktuvw bdlmnuw bgmq fprt",
    ),
]


@pytest.mark.parametrize(("decisions", "letters"), MULTCOMPVIEW)
def test_letters_of_multcompview(decisions, letters):
    """Its columns and ours say the same; greedy covers may differ, so the letters themselves may."""
    theirs = letters.split()
    systems = len(theirs)
    different = np.zeros((systems, systems), dtype=bool)
    different[np.triu_indices(systems, 1)] = [bit == "1" for bit in decisions]
    different |= different.T
    shared = np.array([[bool(set(one) & set(other)) for other in theirs] for one in theirs])
    assert (shared == ~different).all()
    found = check(list(range(systems)), different)
    assert len(found) <= len(set("".join(theirs)))


def test_one_critical_difference_gives_stretches():
    position = np.sort(np.random.default_rng(1).normal(0, 1, 40))
    found = check(list(range(40)), np.abs(position[:, None] - position) > 0.5)
    assert all(group == tuple(range(group[0], group[-1] + 1)) for group in found)


def test_too_many_cliques_are_grown(monkeypatch):
    rng = np.random.default_rng(2)
    monkeypatch.setattr(groups, "MOST_CLIQUES", 3)
    for _ in range(50):
        check(rng.permutation(12).tolist(), random_decisions(rng, 12))


def test_too_many_letters_are_left_out(monkeypatch):
    monkeypatch.setattr(groups, "MOST_GROUPS", 3)
    different = ~np.eye(5, dtype=bool)
    assert find_groups(list(range(5)), different) is None
    monkeypatch.setattr(groups, "MOST_CLIQUES", 2)
    assert find_groups(list(range(5)), different) is None
