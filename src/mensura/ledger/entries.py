"""What a test is: everything that its p-value depends on."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from mensura.io.columns import to_bytes
from mensura.io.digests import collection_digest, digest
from mensura.stats.arrays import make_pairs
from mensura.stats.methods import find_method

if TYPE_CHECKING:
    from collections.abc import Collection as Items
    from collections.abc import Mapping

    from mensura.evaluation.evaluation import Evaluation
    from mensura.evaluation.scores import Scores
    from mensura.io.columns import Qrels
    from mensura.stats.results import Method
    from mensura.stats.scale import Scale

IDENTITY = ("collection", "topics", "measure", "scale", "test", "draws", "company", "first_run", "second_run")


@dataclass(frozen=True, slots=True)
class Collection:
    """A test collection, known by the digest of its judgments; the name is only for people."""

    digest: str
    name: str
    topics: int
    judgments: int

    @classmethod
    def of(cls, qrels: Qrels) -> Collection:
        """The collection that judgments belong to."""
        return cls(collection_digest(qrels), qrels.table.source, len(qrels.topics), len(qrels))


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One test of one pair of systems by one measure.

    Its identity is all that its p-value depends on: the judgments, the topics that count, the measure, its scale, the test, the
    random draws (``draws``, for tests that draw), all systems together (``company``, for tests that pool them) and the two
    judged runs. The same test made twice is one test; a test with another seed is another one, as it was another chance to be
    significant. Names of systems, corrections and α are not part of it.
    """

    collection: str
    topics: str
    measure: str
    scale: str
    test: str
    draws: str
    company: str
    first_run: str
    second_run: str
    first: str
    second: str
    made: str = ""

    @property
    def id(self) -> str:
        """The digest of the identity, the same on every machine."""
        return digest(getattr(self, name).encode("utf-8", "surrogateescape") for name in IDENTITY)


FIELDS = tuple(field.name for field in fields(Entry))


def entries_of(
    evaluation: Evaluation,
    collection: Collection,
    *,
    test: str,
    scale: Scale = "original",
    baseline: str | None = None,
    samples: int = 10_000,
    seed: int = 0,
    left_out: Mapping[str, Items[frozenset[str]]] | None = None,
) -> list[Entry]:
    """The tests that :func:`mensura.compare` makes with these options."""
    judged, method = evaluation.judged, find_method(test)
    number = None if baseline is None else judged.systems.index(baseline)
    pairs = make_pairs(len(judged.systems), number)
    made = []
    for scores in evaluation.scores:
        runs = _runs(scores, evaluation)
        names = sorted(to_bytes(topic) for topic, counts in zip(scores.topics, scores.counted[0].tolist(), strict=True) if counts)
        shared = {
            "collection": collection.digest,
            "topics": digest(names),
            "measure": str(scores.measure),
            "scale": scale,
            "test": method.name,
            "draws": f"samples={samples} seed={seed}" if method.random else "",
            "company": _company(method, runs, number),
        }
        skipped = (left_out or {}).get(str(scores.measure), ())
        for a, b in zip(pairs.first.tolist(), pairs.second.tolist(), strict=True):
            if frozenset((judged.systems[a], judged.systems[b])) in skipped:
                continue
            one, other = sorted((a, b), key=lambda system: (runs[system], judged.systems[system]))
            made.append(
                Entry(
                    **shared,
                    first_run=runs[one],
                    second_run=runs[other],
                    first=judged.systems[one],
                    second=judged.systems[other],
                )
            )
    return made


def _company(method: Method, runs: list[str], baseline: int | None) -> str:
    """All systems, for a test whose p-value of a pair depends on the others."""
    if method.family is None:
        return ""
    return digest([*map(str.encode, sorted(runs)), b"" if baseline is None else runs[baseline].encode()])


def _runs(scores: Scores, evaluation: Evaluation) -> list[str]:
    """The digest of each judged run, as far down as the measure looks: grades are exact numbers, the same on every machine."""
    judged, depth = evaluation.judged, scores.measure.depth
    order = sorted((to_bytes(topic), at) for at, topic in enumerate(judged.topics) if scores.counted[0, at])
    ends = judged.retrieved if depth is None else np.minimum(judged.retrieved, depth)
    made = []
    for system in range(len(judged.systems)):
        parts: list[bytes] = []
        for name, at in order:
            end = int(ends[system, at])
            parts += [name, judged.grades[system, at, :end].tobytes()]
            if scores.measure.uses_scores and judged.scores is not None:
                parts.append(judged.scores[system, at, :end].astype("<f8").tobytes())
        made.append(digest(parts))
    return made
