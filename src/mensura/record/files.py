"""Records in files: inside a JSON result, beside every other one."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mensura.errors import RecordError
from mensura.io.digests import data_digest
from mensura.io.writing import write_whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mensura.record.primad import Record

FORMAT = "mensura record 1"
SUFFIX = ".record.json"
# How json.dumps writes an object: over several lines (indent=1), and in one. Quotes inside of a text are escaped, so that these
# cannot be part of one, and a member of a nested object is indented further.
LINES = (b"{\n", b',\n "record": ', b"\n}\n")
ONE_LINE = (b"{", b', "record": {"format": "mensura record 1"', b"}\n")


def sidecar(result: Path) -> Path:
    """``leaderboard.csv`` has ``leaderboard.csv.record.json``."""
    return result.with_name(result.name + SUFFIX)


def embed(text: bytes, record: dict[str, Any]) -> bytes | None:
    """A JSON object with the record as its last member; ``None`` if the text is another kind of text, or has a record already."""
    begin, member, end = LINES if b"\n" in text[:-1] else ONE_LINE
    if not (text.startswith(begin) and text.endswith(end)) or len(text) < len(begin) + len(end) + 1 or member[1:] in text:
        return None
    if begin == LINES[0]:
        shown = ',\n "record": ' + json.dumps(record, indent=1, ensure_ascii=False).replace("\n", "\n ")
    else:
        shown = ', "record": ' + json.dumps(record, ensure_ascii=False)
    return text[: -len(end)] + shown.encode("utf-8", "surrogateescape") + end


def strip(text: bytes) -> bytes:
    """Return the result without the record that :func:`embed` added."""
    begin, member, end = LINES if b"\n" in text[:-1] else ONE_LINE
    at = text.rfind(member)
    return text if at < 0 or not text.startswith(begin) else text[:at] + end


def write_records(record: Record, results: Sequence[Path]) -> None:
    """Write the record of files that have been written: into JSON objects, beside other files."""
    digests = [(os.fspath(path), data_digest(path.read_bytes())) for path in results]
    for path in results:
        document = record.with_results(digests, _relative(Path.cwd(), path.parent)).to_dict()
        data = embed(path.read_bytes(), document) if path.suffix == ".json" else None
        if data is None:
            text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
            write_whole(text.encode("utf-8", "surrogateescape"), sidecar(path))
        else:
            write_whole(data, path)


def _relative(folder: Path, start: Path) -> str:
    try:
        return Path(os.path.relpath(folder, start)).as_posix()
    except ValueError:  # another drive
        return str(folder)


def read_record(path: Path) -> dict[str, Any]:
    """Read the record in a file, in a JSON result, or beside a result."""
    try:
        text = (sidecar(path) if sidecar(path).is_file() else path).read_bytes()
    except OSError as error:
        raise RecordError(f"{path}: could not be read: {error.strerror}") from error
    try:
        document = json.loads(text.decode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError) as error:
        if sidecar(path).is_file():
            raise RecordError(f"{sidecar(path)}: is not a record: it is not valid JSON, or is nested too deeply") from error
        raise RecordError(f"{path}: is not a record, and there is none beside it ({sidecar(path).name})") from error
    record = document.get("record", document) if isinstance(document, dict) else None
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise RecordError(f"{path}: contains no {FORMAT!r}; name a record, or a result that has one")
    return record
