"""The ledger's file: SQLite, written by several processes at once."""

from __future__ import annotations

import sqlite3
import time
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Self

from mensura.errors import LedgerError
from mensura.ledger.entries import FIELDS, Collection, Entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

VERSION = 2
APPLICATION = 0x4D454E53  # "MENS": tells a ledger from other SQLite files
PATIENCE = 60.0  # seconds to wait for other writers
INDEX = "CREATE INDEX IF NOT EXISTS by_collection ON test (collection, made, tests)"  # counting reads nothing else
SCHEMA = f"""
CREATE TABLE IF NOT EXISTS collection (
    digest TEXT PRIMARY KEY, name TEXT NOT NULL, topics INTEGER NOT NULL, judgments INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS test (
    id TEXT PRIMARY KEY,
    {", ".join(f"{name} TEXT NOT NULL" for name in FIELDS)},
    tests INTEGER NOT NULL DEFAULT 1,
    FOREIGN KEY (collection) REFERENCES collection (digest)
) WITHOUT ROWID;
{INDEX};
"""
COLUMNS = ", ".join((*FIELDS, "tests"))
INSERT = f"INSERT INTO test (id, {COLUMNS}) VALUES (?, {', '.join('?' * (len(FIELDS) + 1))})"  # noqa: S608 - no text from outside


class Ledger:
    """A ledger in a file, which is created if it does not exist.

    Tests are on the disk when :meth:`enter` returns: they survive a crash of the process or of the machine.

    Examples
    --------
    >>> from pathlib import Path
    >>> with Ledger(Path("ledger.sqlite")) as ledger:
    ...     ledger.collections()
    []
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LedgerError(f"{path}: cannot make its folder: {error.strerror}; let MENSURA_LEDGER name another file") from error
        with self._guarded():
            self._connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
        try:
            with self._guarded():
                self._prepare()
        except BaseException:
            self._connection.close()
            raise

    def _prepare(self) -> None:
        run = self._connection.execute
        begun = self._number("schema_version") > 0  # asked first: another process may make the ledger between the two questions
        if self._number("application_id") == APPLICATION:
            version = self._number("user_version")
            if version > VERSION:
                raise LedgerError(
                    f"{self.path}: is a ledger of version {version}; this Mensura reads versions up to {VERSION}, update it"
                )
        elif begun:
            raise LedgerError(f"{self.path}: is an SQLite file, but not a ledger; MENSURA_LEDGER must name another file")
        self._use_wal()
        run("PRAGMA synchronous = FULL")
        run("PRAGMA foreign_keys = ON")
        if self._number("application_id") != APPLICATION:
            with self._transaction():
                for statement in SCHEMA.split(";"):
                    run(statement)
                run(f"PRAGMA user_version = {VERSION}")
                run(f"PRAGMA application_id = {APPLICATION}")
        elif self._number("user_version") < VERSION:
            with self._transaction():
                if self._number("user_version") < VERSION:  # asked again: another process may have been quicker
                    run("ALTER TABLE test ADD COLUMN tests INTEGER NOT NULL DEFAULT 1")
                    run("DROP INDEX by_collection")
                    run(INDEX)
                    run(f"PRAGMA user_version = {VERSION}")

    def _number(self, pragma: str) -> int:
        return int(self._connection.execute(f"PRAGMA {pragma}").fetchone()[0])

    def _use_wal(self) -> None:
        """Write-ahead logging. SQLite does not wait by itself when two processes switch at once."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
            else:
                return

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise LedgerError(
                f"{self.path}: {error}; make it and its folder writable, or let MENSURA_LEDGER name another file"
            ) from error
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # sqlite3 decodes the schema of a damaged file
            raise LedgerError(
                f"{self.path}: is not a ledger, or damaged ({error}); move it away and import an export of it, or let "
                "MENSURA_LEDGER name another file"
            ) from error

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def enter(self, collection: Collection, entries: Iterable[Entry]) -> int:
        """Count tests; return how many others were made on the collection before these were.

        A test that is there already is not counted again, and keeps its time. Made again, the same tests have the same number of
        tests before them as the first time: later ones do not count.
        """
        entered = {entry.id: entry for entry in entries}
        with self._guarded(), self._transaction():
            self._add_collections([collection])
            known = self._times(entered)
            new = entered.keys() - known.keys()
            last = max(known.values(), default="")
            if new:
                last = self._next(collection.digest)
                self._connection.executemany(INSERT, ((key, *_row(entered[key], last)) for key in sorted(new)))
            (before,) = self._connection.execute(
                "SELECT coalesce(sum(tests), 0) FROM test WHERE collection = ? AND made <= ?", (collection.digest, last)
            ).fetchone()
        return int(before) - sum(entry.tests for entry in entered.values())

    def merge(self, collections: Sequence[Collection], entries: Sequence[Entry]) -> int:
        """Add tests of another ledger, all or none; return how many were new. Of two times the earlier one stays."""
        with self._guarded(), self._transaction():
            self._add_collections(collections)
            before = self._count()
            rows = ((entry.id, *_row(entry, entry.time)) for entry in entries)
            self._connection.executemany(f"{INSERT} ON CONFLICT (id) DO UPDATE SET made = min(made, excluded.made)", rows)
            return self._count() - before

    def _add_collections(self, collections: Iterable[Collection]) -> None:
        rows = [(one.digest, _storable(one.name), one.topics, one.judgments) for one in collections]
        self._connection.executemany("INSERT INTO collection VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", rows)

    def _times(self, ids: Iterable[str]) -> dict[str, str]:
        """Times of those tests that are there."""
        rows = (self._connection.execute("SELECT id, made FROM test WHERE id = ?", (key,)).fetchone() for key in ids)
        return {row[0]: row[1] for row in rows if row is not None}

    def _next(self, collection: str) -> str:
        """The time, and later than that of any test on this collection, whatever the clocks say."""
        now = datetime.now(UTC)
        (last,) = self._connection.execute("SELECT max(made) FROM test WHERE collection = ?", (collection,)).fetchone()
        if last is not None:
            now = max(now, datetime.fromisoformat(last) + timedelta(microseconds=1))
        return now.isoformat(timespec="microseconds")

    def _count(self) -> int:
        return int(self._connection.execute("SELECT coalesce(sum(tests), 0) FROM test").fetchone()[0])

    def collections(self) -> list[tuple[Collection, int, str, str]]:
        """Every collection with its number of tests and the times of the first and the last."""
        with self._guarded():
            rows = self._connection.execute(
                "SELECT digest, name, collection.topics, judgments, coalesce(sum(tests), 0), coalesce(min(made), ''), "
                "coalesce(max(made), '') "
                "FROM collection LEFT JOIN test ON test.collection = digest GROUP BY digest ORDER BY min(made), digest"
            ).fetchall()
        return [(Collection(*row[:4]), row[4], row[5], row[6]) for row in rows]

    def entries(self, collection: str | None = None) -> list[Entry]:
        """All tests, or those of a collection, in the order in which they were made."""
        where = "" if collection is None else "WHERE collection = ?"
        with self._guarded():
            rows = self._connection.execute(
                f"SELECT {COLUMNS} FROM test {where} ORDER BY made, id",  # noqa: S608 - no text from outside
                () if collection is None else (collection,),
            ).fetchall()
        return [Entry.of(dict(zip(FIELDS, row, strict=False)), row[-1]) for row in rows]

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _storable(text: str) -> str:
    """Text for SQLite, which must be valid UTF-8; names may contain other bytes."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _row(entry: Entry, time: str) -> tuple[str | int, ...]:
    return (*map(_storable, replace(entry, time=time).texts().values()), entry.tests)
