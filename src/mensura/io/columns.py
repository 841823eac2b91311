"""Judgments and runs as columns."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from operator import index
from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex

from mensura._core.judgments import Judgments
from mensura._core.names import Names, is_clean
from mensura._core.objects import group
from mensura.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy as np
    from _typeshed import ReadableBuffer as Buffer
    from numpy.typing import NDArray

    from mensura._core.judge import Judge


LONGEST_ID = (1 << 20) - 1
COLLIDE = "thousands of ids have nearly the same hash, which ids that nobody chose for it do not have; the file is refused"


def to_bytes(name: object) -> bytes:
    """Return an identifier (text, bytes or a whole number) as the bytes that a file would contain, or raise ``ValueError``.

    The rule is that of files: blanks and tabs around an identifier are not part of it, control characters are refused, and all
    other bytes are kept as they are. Anything else is a mistake: a missing value would become the document ``nan``, and a whole
    number that was turned into a float would match nothing.
    """
    if isinstance(name, bytes):
        identifier = name
    elif isinstance(name, str):
        identifier = name.encode("utf-8", "surrogateescape")
    elif isinstance(name, SupportsIndex) and not is_boolean(name) and type(name).__name__ != "ndarray":
        identifier = str(index(name)).encode()
    else:
        raise ValueError(f"{name!r} is not an identifier; topics and documents are text or whole numbers")
    identifier = identifier.strip(b" \t")
    if not identifier:
        raise ValueError("an identifier is empty")
    if len(identifier) > LONGEST_ID:
        raise ValueError(f"an identifier has {len(identifier)} bytes; at most {LONGEST_ID} are possible")
    if not is_clean(identifier):
        raise ValueError(f"{to_text(identifier)[:60]!r} contains a control character; identifiers are text without them")
    return identifier


def name_order(names: Sequence[str]) -> list[int]:
    """Return the positions of names in the order of their bytes: the canonical order, whatever the order of the files."""
    keys = [to_bytes(name) for name in names]
    return sorted(range(len(keys)), key=keys.__getitem__)


def system_name(name: object) -> str:
    """Return the name of a system as it was given, or raise an error: the rule is that of identifiers, blanks inside included."""
    try:
        return to_text(to_bytes(name))
    except ValueError as error:
        raise InputError(f"the name of a system is wrong: {error}") from None


def is_boolean(value: object) -> bool:
    """Return whether this is True or False, of Python's or of NumPy's."""
    return isinstance(value, bool) or (type(value).__module__ == "numpy" and type(value).__name__ in {"bool", "bool_"})


def to_text(name: bytes) -> str:
    """Return the bytes of an identifier as a string; :func:`to_bytes` is the inverse, whatever the bytes were."""
    return name.decode("utf-8", "surrogateescape")


@dataclass(frozen=True, eq=False)
class TopicTable:
    """Rows of (topic, document, value). Documents are stretches of one text.

    ``value`` is the grade in judgments and the score in a run. Of a run in TREC's format, ``tags`` are its tag and another one, if
    there is one, and ``wide`` says that lines have columns after it. ``places`` says where rows are in the input, where they are
    not rows there: see :mod:`mensura.io.checks`.
    """

    source: str
    names: Names
    text: bytes
    topic: Buffer
    start: Buffer
    length: Buffer
    value: Buffer
    tags: tuple[bytes, ...] = ()
    wide: bool = False
    places: Callable[[Sequence[int]], list[dict[str, Any]]] | None = None

    def __len__(self) -> int:
        return len(memoryview(self.topic))

    def __reduce__(self) -> tuple[object, ...]:
        columns = (memoryview(column).tobytes() for column in (self.topic, self.start, self.length, self.value))
        return _restored, (self.source, self.names.as_list(), self.text, *columns, self.tags, self.wide)

    @cached_property
    def topics(self) -> tuple[str, ...]:
        """The topics, in the order of their first appearance."""
        names = self.names.as_list()
        at_once = to_text(b"\n".join(names)).split("\n")  # much faster, but a name from a dict may hold a line feed
        return tuple(at_once) if len(at_once) == len(names) else tuple(map(to_text, names))

    @cached_property
    def topic_of_row(self) -> NDArray[np.int32]:
        """The number of each row's topic."""
        import numpy as np

        return np.asarray(self.topic, dtype=np.int32)

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """The value of each row."""
        import numpy as np

        return np.asarray(self.value, dtype=np.float64)

    def document(self, row: int) -> str:
        """The document of a row."""
        start = memoryview(self.start)[row]
        return to_text(self.text[start : start + memoryview(self.length)[row]])

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each topic."""
        return {topic: number for number, topic in enumerate(self.topics)}

    @cached_property
    def by_topic(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Row numbers grouped by topic, and where each topic's group begins and the last one ends."""
        import numpy as np

        order, bounds = group(self.topic, len(self.names))
        return np.asarray(order), np.asarray(bounds)

    def rows(self, topic: str) -> Iterator[tuple[str, float]]:
        """(document, value) of one topic, in the order of the input."""
        order, bounds = self.by_topic
        number = self.numbers[topic]
        for row in order[bounds[number] : bounds[number + 1]].tolist():
            yield self.document(row), float(self.values[row])


@dataclass(frozen=True, eq=False)
class Qrels:
    """Relevance judgments: topic, document, grade.

    Read them with :func:`mensura.read_qrels`, which takes files, dicts and data frames. A negative grade means that the document
    was pooled but not judged. If some grade is not a whole number, the judgments are continuous: :class:`mensura.ADM` takes them as
    they are, other measures need :meth:`rounded` ones.
    """

    table: TopicTable
    index: Judgments

    @classmethod
    def of(cls, table: TopicTable) -> Qrels:
        """Judgments over a table; a document judged twice for a topic is an error that carries its row as ``row``."""
        index = Judgments(table.names, table.text, table.topic, table.start, table.length, table.value)
        if index.duplicate >= 0:
            raise DuplicateRowError(index.duplicate, collides=index.collides)
        return cls(table, index)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self).of, (self.table,)

    @property
    def topics(self) -> tuple[str, ...]:
        """The judged topics, in the order of the input."""
        return self.table.topics

    def __len__(self) -> int:
        return len(self.table)

    @property
    def continuous(self) -> bool:
        """Whether some grade is not a whole number."""
        return self.index.continuous

    def __getitem__(self, topic: str) -> dict[str, float]:
        """The grades of a topic's documents."""
        kind = float if self.continuous else int
        return {document: kind(grade) for document, grade in self.table.rows(topic)}

    def to_dict(self) -> dict[str, dict[str, float]]:
        """pytrec_eval's shape: {topic: {document: grade}}."""
        return {topic: self[topic] for topic in self.topics}

    def binary(self, rel: float) -> Qrels:
        """The same judgments with grade 1 for ``rel`` and more, 0 for less; what was pooled but not judged stays so."""
        return self._graded(self.table.values >= rel)

    def rounded(self, levels: int | None = None) -> Qrels:
        """The same judgments with whole grades: the nearest, half way the higher.

        With ``levels``, for judgments from 0 to 1: as many grades from 0 on as equal parts of that range. What was pooled but not
        judged stays so.

        Examples
        --------
        >>> from mensura import read_qrels
        >>> read_qrels({"q": {"a": 0.5, "b": 0.2, "c": 1}}).rounded(4).to_dict()
        {'q': {'a': 2, 'b': 0, 'c': 3}}
        """
        import numpy as np

        values = self.table.values
        if levels is None:
            return self._graded(np.floor(values + 0.5))
        if levels < 1 or (values > 1).any():
            problem = f"rounded({levels}) is for at least 1 level and judgments from 0 to 1, got {values.max():g}"
            raise InputError(problem, source=self.table.source)
        return self._graded(np.minimum(np.floor(values * levels), levels - 1))

    def _graded(self, grades: NDArray[np.float64] | NDArray[np.bool_]) -> Qrels:
        from array import array

        import numpy as np

        values = self.table.values
        return Qrels.of(replace(self.table, value=array("d", np.where(values < 0, np.floor(values), grades).tobytes())))

    def check_whole(self, what: object) -> None:
        """Refuse continuous judgments for ``what``, a measure or a command, and say how to round them."""
        if not self.continuous:
            return
        row = next(row for row, value in enumerate(self.table.values.tolist()) if not value.is_integer())
        topic, document, value = self.topics[self.table.topic_of_row[row]], self.table.document(row), self.table.values[row]
        raise InputError(
            f"{what} needs grades that are whole numbers, but document {document!r} of topic {topic!r} has {value:g}; round them, "
            "e.g. with read_qrels(...).rounded() or .rounded(levels=4) in Python (ADM takes them as they are)",
            source=self.table.source,
        )

    @cached_property
    def recall_base(self) -> NDArray[np.int64]:
        """Number of documents of each grade per topic: an array [topic, grade]; of continuous judgments, all are in one column."""
        import numpy as np

        judged = self.table.values >= 0
        grades = np.zeros(judged.sum(), dtype=np.int64) if self.continuous else self.table.values[judged].astype(np.int64)
        levels = int(grades.max(initial=0)) + 1
        cells = self.table.topic_of_row[judged].astype(np.int64) * levels + grades
        counts = np.bincount(cells, minlength=len(self.topics) * levels).astype(np.int64)
        return counts.reshape(len(self.topics), levels)

    def __repr__(self) -> str:
        return f"Qrels({self.table.source!r}: {len(self.topics)} topics, {len(self)} judgments)"


class Held(Protocol):
    """A run in objects of Python's, which is judged where it is and becomes columns only if somebody asks."""

    @property
    def source(self) -> str:
        """Name of the object in messages."""

    def table(self) -> TopicTable:
        """Return the rows as columns."""

    @property
    def serial(self) -> bool:
        """Whether it is read under the interpreter's lock."""

    def judge(self, judge: Judge) -> bool:
        """Let ``judge`` rank the documents and look them up; False if only the table can be judged."""


@dataclass(frozen=True, eq=False)
class Run:
    """The ranked lists of one system: topic, document, score.

    Read one with :func:`mensura.read_run`, which takes files, dicts and data frames. Rows stay in the order of the input; the
    scores decide.
    """

    name: str
    held: TopicTable | Held

    @cached_property
    def table(self) -> TopicTable:
        """The rows as columns."""
        return self.held if isinstance(self.held, TopicTable) else self.held.table()

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics, in the order of the input."""
        return self.table.topics

    def __len__(self) -> int:
        return len(self.table)

    def __getitem__(self, topic: str) -> dict[str, float]:
        """The scores of a topic's documents, in the order of the input."""
        return dict(self.table.rows(topic))

    def to_dict(self) -> dict[str, dict[str, float]]:
        """pytrec_eval's shape: {topic: {document: score}}."""
        return {topic: self[topic] for topic in self.topics}

    def __repr__(self) -> str:
        return f"Run({self.name!r}: {len(self.topics)} topics, {len(self)} documents)"


def _restored(source: str, names: list[bytes], text: bytes, *columns: Any) -> TopicTable:
    """Return a table that was pickled."""
    topic, start, length, value, tags, wide = columns
    numbers = memoryview(topic).cast("i"), memoryview(start).cast("q"), memoryview(length).cast("i"), memoryview(value).cast("d")
    return TopicTable(source, Names.of(names), text, *numbers, tags, wide)


class DuplicateRowError(Exception):
    """A row that repeats a document of its topic; the reader that knows the input's lines turns it into an :class:`InputError`."""

    def __init__(self, row: int, *, collides: bool = False) -> None:
        self.row = row
        self.collides = collides  # with too many others, which is another reason to refuse it
        super().__init__(row)


def finite(number: object, what: str, where: str) -> float:
    """Return a number, or raise ``ValueError`` that names the place. A boolean is a grade (True is 1), and nothing else."""
    other = type(number).__name__ == "ndarray" or getattr(getattr(number, "dtype", None), "kind", "f") == "c"  # float() takes both
    try:
        value = math.nan if other else float(number)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        value = math.nan
    if isinstance(number, str | bytes) or (is_boolean(number) and what != "grade") or not math.isfinite(value):
        shown = "missing" if number is None else repr(number)
        raise ValueError(f"the {what} of {where} is {shown}: it must be a finite number")
    return value
