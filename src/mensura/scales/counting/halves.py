"""Heads and tails of judged runs: what each half adds to the numerator, per state at the cut, without repeats."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from mensura._core.distinct import merge
from mensura.scales.counting.machines import LARGEST, Integers, Machine, State, word


@dataclass(frozen=True)
class Sums:
    """Distinct sums in increasing order, with the number of ways to reach each (None where nobody asked)."""

    values: Integers
    ways: Integers | None


def union(parts: Iterable[tuple[Sums, int, int]]) -> Sums:
    """The union of shifted lists; a part is (sums, shift, number of ways to take it)."""
    (first, shift, times), *others = parts
    if first.ways is None and first.values.dtype == np.int64:
        values = first.values + shift
        for part, add, _ in others:
            room = np.empty(len(values) + len(part.values), dtype=np.int64)
            values = room[: merge(values, part.values, add, room)]
        return Sums(values.copy() if values.base is not None else values, None)
    everything = [(first, shift, times), *others]
    values, where = np.unique(np.concatenate([part.values + add for part, add, _ in everything]), return_inverse=True)
    if first.ways is None:
        return Sums(values, None)
    ways = np.zeros(len(values), dtype=first.ways.dtype)
    np.add.at(ways, where, np.concatenate([part.ways * many for part, _, many in everything if part.ways is not None]))
    return Sums(values, ways)


def single(machine: Machine[Any], value: int, *, ways: bool) -> Sums:
    """One value, reached in one way."""
    counts = np.ones(1, dtype=np.int64 if machine.levels**machine.length < LARGEST else object)
    return Sums(np.array([value], dtype=word(machine)), counts if ways else None)


def moves(machine: Machine[State], state: State, rank: int) -> Counter[tuple[State, int]]:
    """Next states at this rank and their addends, with the number of grades that lead there."""
    steps = (machine.step(state, rank, level) for level in range(machine.levels))
    return Counter(step for step in steps if step is not None)


def heads(machine: Machine[State], cut: int, *, ways: bool) -> dict[State, Sums]:
    """For every state after `cut` ranks, the sums that lead to it."""
    now = {machine.start: single(machine, 0, ways=ways)}
    for rank in range(1, cut + 1):
        parts: dict[State, list[tuple[Sums, int, int]]] = {}
        for state, sums in now.items():
            for (after, added), times in moves(machine, state, rank).items():
                parts.setdefault(after, []).append((sums, added, times))
        now = {state: union(part) for state, part in parts.items()}
    return now


def tails(machine: Machine[State], cut: int, states: Iterable[State], *, ways: bool) -> dict[State, Sums]:
    """For every given state after `cut` ranks, the sums that the remaining ranks can add."""
    layers = [set(states)]
    for rank in range(cut + 1, machine.length + 1):
        layers.append({after for state in layers[-1] for after, _ in moves(machine, state, rank)})
    now = {state: single(machine, machine.finish(state), ways=ways) for state in layers[-1]}
    for rank in range(machine.length, cut, -1):
        layer = layers[rank - 1 - cut]
        now = {
            state: union((now[after], added, times) for (after, added), times in moves(machine, state, rank).items())
            for state in layer
        }
    return now
