"""Ledgers of a team: exports, and merging them without counting a test twice."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from mensura.errors import LedgerError
from mensura.ledger.entries import FIELDS, Collection, Entry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mensura.ledger.store import Ledger

FORMAT = "mensura ledger 1"
LARGEST = 1 << 53
DIGEST = re.compile(r"[0-9a-f]{64}")


def export(ledger: Ledger) -> str:
    """Return the content of a ledger as JSON. The same tests give the same bytes."""
    document = {
        "format": FORMAT,
        "collections": [
            {"digest": one.digest, "name": one.name, "topics": one.topics, "judgments": one.judgments}
            for one, *_ in sorted(ledger.collections(), key=lambda row: row[0].digest)
        ],
        "tests": [
            {"id": entry.id, **entry.texts()} | ({} if entry.tests == 1 else {"tests": entry.tests})
            for entry in sorted(ledger.entries(), key=lambda entry: entry.id)
        ],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def merge(ledger: Ledger, exports: Iterable[tuple[str, str]]) -> tuple[int, int]:
    """Add exports, as (name, text): all of them, or nothing if one is wrong.

    Returns how many tests there were, and how many of them were new.
    """
    collections: dict[str, Collection] = {}
    entries: list[Entry] = []
    for name, text in exports:
        read = _read(name, text)
        collections |= {one.digest: one for one in read[0]}
        entries += read[1]
    return sum(entry.tests for entry in entries), ledger.merge(list(collections.values()), entries)


def _read(name: str, text: str) -> tuple[list[Collection], list[Entry]]:
    try:
        document = json.loads(text)
        json.dumps(document, ensure_ascii=False).encode()  # half a character, which JSON can name, cannot be stored
    except (ValueError, RecursionError) as error:
        raise LedgerError(f"{name}: is not valid JSON: {error}") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise LedgerError(
            f'{name}: is not an export of a ledger; expected "format": "{FORMAT}", as mensura ledger export writes it'
        )
    collections = [_collection(name, at, row) for at, row in enumerate(_list(name, document, "collections"), start=1)]
    entries = [_entry(name, at, row) for at, row in enumerate(_list(name, document, "tests"), start=1)]
    known = {one.digest for one in collections}
    for at, entry in enumerate(entries, start=1):
        if entry.collection not in known:
            raise LedgerError(f"{name}: test {at} is of a collection that is not listed: {entry.collection}")
    return collections, entries


def _list(name: str, document: dict[str, Any], key: str) -> list[Any]:
    rows = document.get(key)
    if not isinstance(rows, list):
        raise LedgerError(f"{name}: has no list of {key}")
    return rows


def _collection(name: str, at: int, row: Any) -> Collection:
    types = {"digest": str, "name": str, "topics": int, "judgments": int}
    if (
        not isinstance(row, dict)
        or {key: type(value) for key, value in row.items()} != types
        or not DIGEST.fullmatch(row["digest"])
        or not all(0 <= row[key] <= LARGEST for key in ("topics", "judgments"))
    ):
        raise LedgerError(f"{name}: collection {at} must have digest, name, topics and judgments, and nothing else: {row!r:.100}")
    return Collection(**row)


def _entry(name: str, at: int, row: Any) -> Entry:
    tests = row.pop("tests", 1) if isinstance(row, dict) else 1
    texts = isinstance(row, dict) and set(row) == {"id", *FIELDS} and all(isinstance(value, str) for value in row.values())
    if not texts or type(tests) is not int or not 1 <= tests <= LARGEST:
        raise LedgerError(f"{name}: test {at} must have the texts id, {', '.join(FIELDS)}, and nothing else: {row!r:.100}")
    entry = Entry.of(row)
    if entry.id != row["id"]:
        raise LedgerError(f"{name}: test {at} was altered: its content does not fit its id {row['id']:.64}")
    return replace(entry, time=_time(name, at, entry.time), tests=tests)


def _time(name: str, at: int, text: str) -> str:
    """A time with its zone, in UTC and in the one form whose order as text is the order in time."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        time = None
    if time is None or time.tzinfo is None:
        raise LedgerError(f"{name}: test {at} was made at {text!r}; write a time with its zone, e.g. 2026-01-31T12:00:00+00:00")
    return time.astimezone(UTC).isoformat(timespec="microseconds")
