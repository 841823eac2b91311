"""Rules for names and numbers of tables and objects, and one error for all rows that break them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NoReturn

from mensura._core.objects import beyond, repeated
from mensura.errors import DuplicateError, EmptyError, InputError
from mensura.io.columns import TopicTable, finite, to_bytes, to_text
from mensura.io.intake import LISTED, Faults, intake_error

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mensura._core.objects import Gathered

    Places = Callable[[Sequence[int]], list[dict[str, Any]]]

HIGHEST_GRADE = 127
PAIR = 2
MOST = 100  # faults that are told apart; the others are counted


@dataclass(eq=False, slots=True)
class Noted:
    """Faults of a table while it is read: the first, each with its row, and the number of all rows that have any."""

    first: list[tuple[int, str, type[InputError]]] = field(default_factory=list)
    count: int = 0
    row: int = 0  # of the last one

    def add(self, problem: str, row: int, kind: type[InputError]) -> None:
        """Note the fault of a row; a second one of the same row does not count."""
        if row == self.row:
            return
        self.row = row
        self.count += 1
        if len(self.first) < MOST:
            self.first.append((row, problem, kind))


@dataclass(frozen=True, slots=True)
class Checks:
    """The rules for names and numbers that the core does not take as they are.

    Faults are noted, and :func:`gathered` raises them together; with ``strict``, the first is raised. ``places`` says where rows
    are in the input, as arguments of :class:`InputError`: by default they are rows.
    """

    source: str
    graded: bool
    by_rank: bool = False
    strict: bool = False
    places: Places | None = None
    noted: Noted = field(default_factory=Noted)

    @property
    def what(self) -> str:
        """Name of the number."""
        return "grade" if self.graded else "rank" if self.by_rank else "score"

    def fault(self, problem: str, row: int, kind: type[InputError] = InputError) -> None:
        """Note a fault of a row."""
        if self.strict:
            raise kind(problem, source=self.source)
        self.noted.add(problem, row, kind)

    def name(self, name: object, row: int, where: str = "") -> bytes | None:
        """Return an identifier as bytes; ``where`` begins the sentence about a wrong one."""
        try:
            return to_bytes(name)
        except ValueError as error:  # UnicodeEncodeError is one
            self.fault(f"{where}{error}", row)
            return None

    def cell(self, name: bytes | None, row: int) -> bytes | None:
        """Return an identifier of a table, which is text in UTF-8."""
        try:
            text = None if name is None else name.decode()
        except UnicodeDecodeError as error:
            self.fault(f"a name is not valid UTF-8: {error}", row)
            return None
        return self.name(text, row)

    def number(self, topic: bytes, document: bytes | None, number: float | None, row: int) -> None:
        """Note a number of a table that is missing or not finite."""
        name = None if document is None else document.decode(errors="replace")
        self._finite(number, f"topic {topic.decode(errors='replace')!r}, document {name!r}", row)

    def again(self, topic: object, row: int) -> None:
        """Note a topic whose identifier another one has."""
        self.fault(f"topic {topic!r} occurs twice, as text and as a number", row)

    def rows(self, topic: object, documents: object, row: int) -> list[tuple[bytes, float]]:
        """Return the documents of a topic, each with its number; those with a fault are left out."""
        checked = []
        for at, (document, value) in enumerate(self._pairs(topic, documents, row), start=row):
            name = self.name(document, at, f"topic {topic!r}: ")
            number = None if name is None else self._finite(value, f"topic {topic!r}, document {document!r}", at)
            if name is not None and number is not None:
                checked.append((name, number))
        return checked

    def _finite(self, value: object, where: str, row: int) -> float | None:
        try:
            return finite(value, self.what, where)
        except ValueError as error:
            self.fault(str(error), row)
            return None

    def _pairs(self, topic: object, documents: object, row: int) -> Iterator[tuple[object, object]]:
        if isinstance(documents, Mapping):
            yield from documents.items()
            return
        if not isinstance(documents, list):
            kind = type(documents).__name__
            self.fault(f"topic {topic!r} contains {kind}; the shape must be {{topic: {{document: value}}}}", row)
            return
        for at, each in enumerate(documents):
            if not isinstance(each, tuple | list):
                yield each, len(documents) - at
            elif len(each) == PAIR:
                yield each[0], each[1]
            else:
                self.fault(f"topic {topic!r}: expected documents or pairs of document and {self.what}, got {each!r}", row + at)


def gathered(rows: Gathered, checks: Checks) -> TopicTable:
    """Return a table from rows that were gathered, or raise one error for all that is wrong with them."""
    if not rows.columns.count:
        if checks.noted.count:
            raise_faults(checks, None)
        raise EmptyError("is empty; expected at least one document", source=checks.source)
    table = TopicTable(checks.source, *rows.take(), places=checks.places)
    if checks.noted.count:
        raise_faults(checks, table)
    return table


def raise_faults(checks: Checks, table: TopicTable | None) -> NoReturn:
    """Raise one error for the faults that were noted, and for grades and documents of the table that are not possible."""
    noted, count = list(checks.noted.first), checks.noted.count
    if table is not None:
        if checks.graded:
            rows, number = beyond(table.value, HIGHEST_GRADE)
            noted += [(row + 1, _beyond(table, row), InputError) for row in rows]
            count += number
        rows, number = repeated(table.text, table.topic, table.start, table.length, len(table.names))
        for row in rows:
            problem = twice_sentence(table.document(row), _topic(table, row), graded=checks.graded)
            noted.append((row + 1, problem, DuplicateError))
        count += number
    first = (noted if checks.places is nowhere else sorted(noted, key=itemgetter(0, 1)))[:LISTED]
    places = (checks.places or by_row)([row for row, _, _ in first])
    errors = [kind(problem, source=checks.source, **place) for (_, problem, kind), place in zip(first, places, strict=True)]
    raise intake_error([Faults(tuple(errors), count)], skippable=False) from None


def raise_repeated(table: TopicTable, *, graded: bool) -> NoReturn:
    """Raise one error for documents that a topic has twice, and for grades that are not possible."""
    raise_faults(Checks(table.source, graded, places=table.places), table)


def by_row(rows: Sequence[int]) -> list[dict[str, Any]]:
    """Places in a table: the numbers of the rows."""
    return [{"row": row} for row in rows]


def nowhere(rows: Sequence[int]) -> list[dict[str, Any]]:
    """Places in an object that has no rows: the problem names topic and document."""
    return [{} for _ in rows]


def _beyond(table: TopicTable, row: int) -> str:
    return (
        f"the grade of topic {_topic(table, row)!r}, document {table.document(row)!r} is {memoryview(table.value)[row]:g}; "
        f"grades go from -{HIGHEST_GRADE} to {HIGHEST_GRADE}"
    )


def twice_sentence(document: str, topic: str, *, graded: bool) -> str:
    """Say that a topic has a document twice."""
    return f"document {document!r} is {'judged' if graded else 'listed'} twice for topic {topic!r}; keep one of the two"


def _topic(table: TopicTable, row: int) -> str:
    return to_text(table.names.as_list()[memoryview(table.topic)[row]])
