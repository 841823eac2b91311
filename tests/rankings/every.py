"""All rankings of a few items."""

from __future__ import annotations

import itertools

from mensura.rankings import Ranking


def weak_rankings(items):
    """All rankings of items, with all ties."""
    return [Ranking.of(groups) for groups in _ordered_groups(frozenset(items))]


def _ordered_groups(items):
    if not items:
        yield []
    for size in range(1, len(items) + 1):
        for group in itertools.combinations(sorted(items), size):
            for rest in _ordered_groups(items - set(group)):
                yield [frozenset(group), *rest]


def top_lists(items, length):
    """All lists of so many of the items, without ties."""
    return [Ranking.of(order) for order in itertools.permutations(items, length)]
