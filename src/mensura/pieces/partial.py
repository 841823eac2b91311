"""Outcomes of pieces: small, picklable, and written as bytes for engines that carry nothing else."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from mensura.errors import InputError, MensuraError
from mensura.io.columns import to_bytes, to_text
from mensura.measures.names import parse_measure
from mensura.pieces.sums import exact_total

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mensura.io.reading import Compat
    from mensura.measures.base import Measure

FORMAT = "mensura-partial-1"
HEAD = 8  # bytes that say how long the header is
ORDER: Literal["little"] = "little"


def ranked(measures: Sequence[Measure]) -> tuple[Measure, ...]:
    """Measures of ranks that some of the measures take reciprocals of, once each: remarks compare their means."""
    return tuple(dict.fromkeys(measure.by_rank for measure in measures if measure.by_rank is not None))


def open_rows(measures: Sequence[Measure]) -> list[int]:
    """Rows of the measures, and then of those of :func:`ranked`, that depend on the longest list of all pieces."""
    rows = enumerate([*measures, *ranked(measures)])
    return [row for row, measure in rows if measure.on_topics.open_ended]


def closed(values: NDArray[np.float64], measures: Sequence[Measure], length: int) -> NDArray[np.float64]:
    """Values of all measures, and then of those of :func:`ranked`, now that the longest list is known."""
    rows = open_rows(measures)
    table = values[: len(values) - len(rows)].copy()
    table[rows] += values[len(table) :] * (length + 1)
    return table


@dataclass(frozen=True, eq=False, kw_only=True)
class Head:
    """Base of the outcomes of pieces: their system, measures and topics, and counts for remarks.

    Attributes
    ----------
    system
        Name of the system.
    measures
        The measures.
    topics
        Judged topics of the piece; with ``partitioned`` judgments, those that the system misses too.
    extra
        Topics without judgments.
    counts
        Numbers of documents and topics that remarks are about: see :class:`mensura.evaluation.remarks.Facts`.
    length
        Number of ranks that were kept of the longest list.
    highest
        The highest grade of the judgments.
    compat
        The order of ranks.
    partitioned
        Whether the judgments were only those of the piece's topics.
    """

    system: str
    measures: tuple[Measure, ...]
    topics: tuple[str, ...]
    extra: tuple[str, ...]
    counts: dict[str, int]
    length: int
    highest: int
    compat: Compat
    partitioned: bool

    def _header(self) -> dict[str, Any]:
        names = ("system", "counts", "length", "highest", "compat", "partitioned")
        plain = {name: getattr(self, name) for name in names}
        return plain | {"measures": list(map(str, self.measures)), "topics": len(self.topics), "extra": len(self.extra)}


@dataclass(frozen=True, eq=False, kw_only=True)
class Partial(Head):
    """Scores of one system on the topics of one piece.

    Attributes
    ----------
    values
        float64 [measure, topic]; after the measures those that :func:`ranked` gives, and then, for each of :func:`open_rows`, how
        often the rank after the longest list must be added.
    retrieved, ties
        int32 [topic], as in :class:`mensura.JudgedRuns`.
    """

    values: NDArray[np.float64]
    retrieved: NDArray[np.int32]
    ties: NDArray[np.int32]

    def to_bytes(self) -> bytes:
        """Return the partial as bytes, e.g. for a binary column of Spark; :meth:`from_bytes` reads them."""
        names = b"\n".join(map(to_bytes, (*self.topics, *self.extra)))
        head = json.dumps({"format": FORMAT, "names": len(names), **self._header()}).encode()
        numbers = (self.values.astype("<f8"), self.retrieved.astype("<i4"), self.ties.astype("<i4"))
        return b"".join([len(head).to_bytes(HEAD, ORDER), head, names, *(each.tobytes() for each in numbers)])

    @classmethod
    def from_bytes(cls, data: bytes) -> Partial:
        """Return the partial that :meth:`to_bytes` wrote."""
        try:
            return cls._read(data)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise InputError("these bytes are not a partial; expected those of Partial.to_bytes()") from None

    @classmethod
    def _read(cls, data: bytes) -> Partial:
        body = HEAD + int.from_bytes(data[:HEAD], ORDER)
        head = json.loads(data[HEAD:body])
        measures = tuple(map(parse_measure, head["measures"]))
        count, rows = head["topics"], len(measures) + len(ranked(measures)) + len(open_rows(measures))
        after = body + head["names"]
        names = tuple(map(to_text, data[body:after].split(b"\n"))) if head["names"] else ()
        if head["format"] != FORMAT or len(names) != count + head["extra"] or len(data) != after + (8 * rows + 8) * count:
            raise ValueError
        numbers = np.frombuffer(data, dtype="<i4", offset=len(data) - 8 * count)
        plain = {name: head[name] for name in ("system", "length", "highest", "compat", "partitioned")}
        return cls(
            measures=measures,
            topics=names[:count],
            extra=names[count:],
            counts={name: int(number) for name, number in head["counts"].items()},
            values=np.frombuffer(data, dtype="<f8", count=rows * count, offset=after).reshape(rows, count),
            retrieved=numbers[:count],
            ties=numbers[count:],
            **plain,
        )

    def sums(self) -> PartialSums:
        """Return exact sums in place of the values of topics: all that means need."""
        check_sums(self.measures)
        there = self.retrieved > 0
        transformed = summands(self.values, self.measures)
        head = {name: getattr(self, name) for name in Head.__dataclass_fields__}
        return PartialSums(
            present=int(there.sum()),
            totals=tuple(exact_total(row[there]) for row in transformed),
            missing_totals=tuple(exact_total(row[~there]) for row in transformed),
            **head,
        )


def check_sums(measures: Sequence[Measure]) -> None:
    """Refuse measures whose means are not computed from a sum of values."""
    median = next((measure for measure in measures if measure.aggregation == "median"), None)
    if median is not None:
        raise MensuraError(f"{median} is not computed from a sum; keep the values of topics, or take {median.on_topics}")
    rows = open_rows(measures)
    if rows and rows[0] < len(measures):
        measure = measures[rows[0]]
        raise MensuraError(
            f"{measure} depends on the longest list of all, which sums do not know; name a cut-off, e.g. {measure}@1000"
        )


def summands(values: NDArray[np.float64], measures: Sequence[Measure]) -> list[NDArray[np.float64]]:
    """Rows of :attr:`Partial.values` as they are added up: logarithms for a geometric mean."""
    return [
        measure.transformed(row[None, :])[0] if measure is not None else row
        for measure, row in zip_longest([*measures, *ranked(measures)], values)
    ]


@dataclass(frozen=True, eq=False, kw_only=True)
class PartialSums(Head):
    """Exact sums of one system over the topics of one piece.

    Attributes
    ----------
    present
        Number of topics that the system has documents for.
    totals, missing_totals
        Sums over these and over the other topics, in units of 2⁻¹⁰⁷⁴, for each row of :attr:`Partial.values`.
    """

    present: int
    totals: tuple[int, ...]
    missing_totals: tuple[int, ...]
