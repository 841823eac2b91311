"""A collection, and a test on it as the ledger counts it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from mensura.io.digests import collection_digest, digest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mensura.io.columns import Qrels

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

    A study enters all pairs of systems at once: ``tests`` is then their number, ``company`` stands for the systems, and the two
    runs are empty.
    """

    collection: str
    topics: str
    measure: str
    scale: str
    test: str
    draws: str
    company: str
    first_run: str = ""
    second_run: str = ""
    first: str = ""
    second: str = ""
    time: str = ""
    tests: int = 1

    @property
    def id(self) -> str:
        """The digest of the identity, the same on every machine."""
        return digest(getattr(self, name).encode("utf-8", "surrogateescape") for name in IDENTITY)

    def texts(self) -> dict[str, str]:
        """The texts of the entry by the names that the file and exports have for them."""
        return {name: getattr(self, FIELDS[name]) for name in FIELDS}

    @classmethod
    def of(cls, texts: Mapping[str, str], tests: int = 1) -> Entry:
        """Return the entry of :meth:`texts`."""
        return cls(**{field: texts[name] for name, field in FIELDS.items()}, tests=tests)


FIELDS = {{"time": "made"}.get(field.name, field.name): field.name for field in fields(Entry) if field.name != "tests"}
"""Names of the texts of an entry in the file and in exports, and the fields that they are in."""
