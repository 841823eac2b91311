"""Reproduction of a result: the state of its inputs and of the result itself, and differences between two versions of it."""

from __future__ import annotations

import math
import os
import re
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Literal

from mensura.errors import RecordError
from mensura.io.digests import data_digest, labelled_digest
from mensura.io.remote import is_remote
from mensura.record.files import strip
from mensura.record.primad import Input, digest_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

NUMBER = re.compile(rb"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
DIGEST = re.compile(r"(blake3|sha256):[0-9a-f]{64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A record that was read and checked."""

    command: str
    arguments: tuple[str, ...]
    inputs: tuple[Input, ...]
    parameters: Mapping[str, Any]
    results: tuple[tuple[str, str], ...]
    base: Path
    platform: Mapping[str, Any]
    implementation: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Checked:
    """A file and its state; ``piped`` for a pipe, which cannot be read again."""

    role: str
    path: str
    state: Literal["unchanged", "changed", "missing", "piped"]


def understand(document: dict[str, Any], place: Path) -> Recorded:
    """A record, checked; ``place`` is the file that it is in."""
    try:
        method, data = document["method"], document["data"]
        arguments = tuple(_text(word) for word in method["arguments"])
        recorded = Recorded(
            command=_text(method["command"]),
            arguments=arguments,
            inputs=tuple(
                Input(_text(one["role"]), _text(one["path"]), None if digest_in(one) is None else _digest(digest_in(one)))
                for one in data["inputs"]
            ),
            parameters=dict(data["parameters"]),
            results=tuple((_text(one["path"]), _digest(digest_in(one))) for one in data["results"]),
            base=place.absolute().parent / _text(data["folder"]),
            platform=dict(document["platform"]),
            implementation=dict(document["implementation"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise RecordError(f"{place}: is not a whole record: {type(error).__name__}: {error}") from error
    if not recorded.arguments or recorded.arguments[0] != recorded.command or not recorded.results:
        raise RecordError(f"{place}: names no command, or no result")
    if type(recorded.parameters.get("prior_tests", 0)) is not int:
        raise RecordError(f"{place}: prior_tests must be a number: {recorded.parameters['prior_tests']!r:.60}")
    return recorded


def _text(value: object) -> str:
    if not isinstance(value, str) or "\0" in value:
        raise TypeError(f"{value!r:.60} is not a text")
    return value


def _digest(value: object) -> str:
    if not isinstance(value, str) or DIGEST.fullmatch(value) is None:
        raise ValueError(f"{value!r:.80} is not a digest by BLAKE3 or SHA-256")
    return value


def algorithm_of(digest: str) -> str:
    """Return the algorithm that a digest names."""
    return digest.partition(":")[0]


def check_inputs(recorded: Recorded) -> list[Checked]:
    """Return the state of each input."""
    states = []
    for one in recorded.inputs:
        remote = is_remote(one.path)
        path = one.path if remote else recorded.base / one.path
        if one.digest is None:
            states.append(Checked(one.role, one.path, "piped"))
        elif not remote and not os.path.isfile(path):
            states.append(Checked(one.role, one.path, "missing"))
        else:
            now = labelled_digest(path, algorithm_of(one.digest))
            states.append(Checked(one.role, one.path, "unchanged" if now == one.digest else "changed"))
    return states


def stored_result(recorded: Recorded, at: int) -> tuple[Checked, bytes | None]:
    """A result as it is now, without its record, and whether that is what was written."""
    name, digest = recorded.results[at]
    path = recorded.base / name
    if not path.is_file():
        return Checked("result", name, "missing"), None
    data = path.read_bytes()
    if data_digest(data, algorithm_of(digest)) != digest:
        data = strip(data)
    same = data_digest(data, algorithm_of(digest)) == digest
    return Checked("result", name, "unchanged" if same else "changed"), data


def describe_difference(before: bytes, after: bytes) -> str:
    """Describe the difference of two results: of numbers, with its size; or of something else, with its line."""
    old, new = NUMBER.split(before), NUMBER.split(after)
    if old == new:
        pairs = list(zip(map(float, NUMBER.findall(before)), map(float, NUMBER.findall(after)), strict=True))
        different = [(a, b) for a, b in pairs if a != b]
        if not different:
            return "the same numbers, written in another way"
        largest = max(abs(a - b) if math.isfinite(a - b) else math.inf for a, b in different)
        return f"{len(different)} of {len(pairs)} numbers differ, by at most {largest:.3g}"
    lines = enumerate(zip_longest(before.splitlines(), after.splitlines(), fillvalue=b""), start=1)
    number, (was, now) = next((at, pair) for at, pair in lines if pair[0] != pair[1])
    return f"not only numbers differ; line {number} was {_shown(was)} and is {_shown(now)}"


def _shown(line: bytes) -> str:
    return repr(line.decode("utf-8", "replace").strip()[:60])


def changes(before: Mapping[str, Any], after: Mapping[str, Any], within: str = "") -> Iterator[str]:
    """Yield the differences of two descriptions, e.g. ``numpy: 2.0.1 → 2.4.6``."""
    for key in sorted(before.keys() | after.keys()):
        one, other = before.get(key), after.get(key)
        name = f"{within}{key}"
        if isinstance(one, dict) and isinstance(other, dict):
            yield from changes(one, other, f"{name}: ")
        elif one != other:
            yield f"{name}: {_value(one)} → {_value(other)}"


def _value(value: object) -> str:
    return "nothing" if value is None else os.fspath(value) if isinstance(value, str) else repr(value)
