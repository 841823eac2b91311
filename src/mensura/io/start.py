"""The start of reading: on threads of this process, or in parts on the workers of an engine, whose modules are imported then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mensura.engines.engine import Threads
from mensura.io.files import Parts
from mensura.io.reading import Reading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mensura.engines.engine import Engine
    from mensura.io.columns import Qrels, Run
    from mensura.io.files import Source
    from mensura.io.intake import Faults
    from mensura.io.reading import Order
    from mensura.io.slices import QrelsSlice


def begin_reading(
    qrels: Qrels,
    runs: Sequence[Source | Parts | Run],
    order: Order,
    threads: int | None = None,
    *,
    engine: Engine | None = None,
    carried: Qrels | QrelsSlice | None = None,
    faults: Sequence[Faults] = (),
    skip: bool = False,
) -> Reading:
    """Begin to read runs on threads, or on the workers of an engine, to which the judgments are ``carried``.

    ``faults`` and ``skip`` are those of :class:`Reading`.
    """
    plain = [run for run in runs if not isinstance(run, Parts)]
    if engine is None and len(plain) == len(runs):
        return Reading(qrels, plain, order, threads, faults=faults, skip=skip)
    from mensura.io.spreading import SpreadReading

    judgments = qrels if carried is None else carried
    return SpreadReading(qrels, runs, order, engine or Threads(threads), judgments, faults=faults, skip=skip)
