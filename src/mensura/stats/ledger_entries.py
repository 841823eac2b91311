"""Tests as the ledger counts them: with everything that their p-values depend on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from mensura.io.columns import to_bytes
from mensura.io.digests import digest
from mensura.ledger.entries import Entry
from mensura.stats.arrays import make_pairs
from mensura.stats.methods import find_method

if TYPE_CHECKING:
    from collections.abc import Collection as Items
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from mensura.evaluation.evaluation import Evaluation
    from mensura.judged.runs import JudgedRuns
    from mensura.ledger.entries import Collection
    from mensura.measures.base import Measure
    from mensura.scales.types import Scale
    from mensura.stats.methods import Method


def entries_of(
    evaluation: Evaluation,
    collection: Collection,
    *,
    test: str,
    scale: Scale = "original",
    baseline: str | Sequence[str] | None = None,
    samples: int = 10_000,
    seed: int = 0,
    left_out: Mapping[str, Items[frozenset[str]]] | None = None,
) -> list[Entry]:
    """Return the tests that :func:`mensura.compare` makes with these options."""
    judged, method = evaluation.judged, find_method(test)
    baselines = [baseline] if isinstance(baseline, str) else baseline or []
    numbers = [judged.systems.index(one) for one in baselines]
    pairs = make_pairs(len(judged.systems), numbers or None)
    entries = []
    for scores in evaluation.scores:
        runs = _runs(judged, scores.measure, scores.counted[0])
        shared = Entry(
            collection=collection.digest,
            topics=_topics(judged, scores.counted[0]),
            measure=str(scores.measure),
            scale=scale,
            test=method.name,
            draws=_draws(method, samples, seed),
            company=_company(runs, numbers) if method.family is not None else "",
        )
        skipped = (left_out or {}).get(str(scores.measure), ())
        for a, b in zip(pairs.first.tolist(), pairs.second.tolist(), strict=True):
            if frozenset((judged.systems[a], judged.systems[b])) in skipped:
                continue
            one, other = sorted((a, b), key=lambda system: (runs[system], judged.systems[system]))
            names = {"first": judged.systems[one], "second": judged.systems[other]}
            entries.append(replace(shared, first_run=runs[one], second_run=runs[other], **names))
    return entries


def batches_of(
    judged: JudgedRuns,
    collection: Collection,
    measures: Iterable[Measure],
    tests: Iterable[str],
    *,
    samples: int = 10_000,
    seed: int = 0,
) -> list[Entry]:
    """Return the tests of all pairs of systems, on both scales, as one entry for each measure, test and scale.

    A study makes millions of tests; an entry for each would take minutes and gigabytes.
    """
    counted = np.ones(judged.shape[1], dtype=np.bool_)
    systems, topics, entries = judged.shape[0], _topics(judged, counted), []
    for measure in measures:
        company = _company(_runs(judged, measure, counted), [])
        entries += [
            Entry(
                collection=collection.digest,
                topics=topics,
                measure=str(measure),
                scale=scale,
                test=method.name,
                draws=_draws(method, samples, seed),
                company=company,
                first=f"{systems} systems",
                second="all pairs",
                tests=systems * (systems - 1) // 2,
            )
            for method in map(find_method, tests)
            for scale in ("original", "interval")
        ]
    return entries


def _draws(method: Method, samples: int, seed: int) -> str:
    return f"samples={samples} seed={seed}" if method.random else ""


def _topics(judged: JudgedRuns, counted: NDArray[np.bool_]) -> str:
    return digest(sorted(to_bytes(topic) for topic, counts in zip(judged.topics, counted.tolist(), strict=True) if counts))


def _company(runs: list[str], baselines: list[int]) -> str:
    """Digest of all systems, for a test whose p-value of a pair depends on the others."""
    return digest([*map(str.encode, sorted(runs)), *sorted(runs[one].encode() for one in baselines), *([] if baselines else [b""])])


def _runs(judged: JudgedRuns, measure: Measure, counted: NDArray[np.bool_]) -> list[str]:
    """Digest of each judged run, as far down as the measure looks: grades are exact numbers, the same on every machine."""
    order = sorted((to_bytes(topic), at) for at, topic in enumerate(judged.topics) if counted[at])
    ends = judged.retrieved if measure.depth is None else np.minimum(judged.retrieved, measure.depth)
    digests = []
    for system in range(len(judged.systems)):
        parts: list[bytes] = []
        for name, at in order:
            end = int(ends[system, at])
            parts += [name, judged.grades[system, at, :end].tobytes()]
            if measure.uses_scores and judged.scores is not None:
                parts.append(judged.scores[system, at, :end].astype("<f8").tobytes())
        digests.append(digest(parts))
    return digests
