"""ir_metadata: the header of a run that describes its origin, by PRIMAD's parts (Breuer, Keller and Schaer 2022).

A header is YAML in comments, between ``# ir_metadata.start`` and ``# ir_metadata.end``, above the first line of the run.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from mensura.errors import InputError
from mensura.io.files import guarded, open_inflated, source

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping

    from mensura.io.files import Source

PARTS = ("platform", "research goal", "implementation", "method", "actor", "data")
GENERAL = ("schema-version", "run-version", "tag")
START = re.compile(rb"#\s*ir_metadata\.start\s*")
END = re.compile(rb"#\s*ir_metadata\.end\s*")
LONGEST = 1 << 20  # bytes of a header at most
PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9 _./+-]*[A-Za-z0-9]|[A-Za-z]")  # keys that need no quotes, as those of ir_metadata
UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
RESERVED = {"true", "false", "yes", "no", "on", "off", "null", "y", "n"}


def read_metadata(run: str | os.PathLike[str]) -> dict[str, Any] | None:
    """Return the metadata of a run file, or ``None`` if it has no header. Needs PyYAML: ``pip install 'mensura[ir_metadata]'``."""
    origin = source(run)
    header, _ = _split(origin)
    return None if header is None else parse_yaml(header, origin.name)


def parse_yaml(text: str, name: str) -> dict[str, Any]:
    """Parse metadata from YAML."""
    try:
        import yaml
    except ImportError:
        raise InputError("reading ir_metadata needs PyYAML: pip install 'mensura[ir_metadata]'", source=name) from None
    try:
        metadata = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, AttributeError, RecursionError) as error:  # of dates such as 2024-13-01 and !!timestamp x
        at = getattr(error, "problem_mark", None)
        where = "" if at is None else f", line {at.line + 1} of it"
        raise InputError(f"the ir_metadata is not valid YAML{where}: {getattr(error, 'problem', error)}", source=name) from error
    return check_metadata(metadata, name)


def check_metadata(metadata: Any, name: str) -> dict[str, Any]:
    """Return metadata if all of its parts are known, as its readers would ignore any other."""
    if not isinstance(metadata, dict):
        raise InputError("the ir_metadata is not a mapping; its parts are " + ", ".join(PARTS), source=name)
    for key in metadata:
        if key not in PARTS + GENERAL:
            raise InputError(f"ir_metadata has no part {key!r}; its parts are {', '.join(GENERAL + PARTS)}", source=name)
    return metadata


def with_metadata(run: str | os.PathLike[str], metadata: Mapping[str, Any]) -> bytes:
    """Return the text of a run with a header, which replaces an existing one."""
    origin = source(run)
    _, rest = _split(origin)
    check_metadata(dict(metadata), origin.name)
    order = [key for key in GENERAL + PARTS if key in metadata]
    lines = [f"# {line}\n" for line in _yaml({key: metadata[key] for key in order})]
    return "".join(["# ir_metadata.start\n", *lines, "# ir_metadata.end\n"]).encode("utf-8", "surrogateescape") + rest


def _split(origin: Source) -> tuple[str | None, bytes]:
    """Return the YAML of the header, if there is one, and the text without it."""
    with guarded(origin), open_inflated(origin, whole=True) as stream:
        text = stream.read()
    body = text.removeprefix(b"\xef\xbb\xbf")
    lines: list[bytes] = []
    at = 0
    inside = False
    while at < min(len(body), LONGEST):
        end = body.find(b"\n", at) + 1 or len(body)
        line = body[at:end].rstrip(b"\r\n")
        at = end
        if not inside:
            if START.fullmatch(line):
                inside = True
            elif line.strip() and not line.startswith(b"#"):
                return None, text
        elif END.fullmatch(line):
            return b"\n".join(lines).decode("utf-8", "surrogateescape"), body[at:]
        elif not line.startswith(b"#"):
            break
        else:
            lines.append(line[1:].rstrip())
    if inside:
        raise InputError("the ir_metadata has a start and no end; close it with # ir_metadata.end", source=origin.name)
    return None, text


def _yaml(value: Any, indent: str = "") -> Iterator[str]:
    """Yield lines of YAML: mappings and sequences as blocks, everything else as in JSON, which is YAML too."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            name = str(key)
            yield from _member(
                f"{indent}{name if PLAIN.fullmatch(name) and name.lower() not in RESERVED else _json(name)}:", inner, indent
            )
    elif isinstance(value, list) and value:
        for inner in value:
            yield from _member(f"{indent}-", inner, indent)
    else:
        yield f"{indent}{_json(value)}"


def _member(start: str, value: Any, indent: str) -> Iterator[str]:
    if isinstance(value, dict | list) and value:
        yield start
        yield from _yaml(value, indent + "  ")
    else:
        yield f"{start} {_json(value)}"


def _json(value: Any) -> str:
    """Return a value as JSON that YAML reads as the same: it escapes more characters, and would read 1e-07 as text."""
    if isinstance(value, float):
        return re.sub(r"^(-?\d+)e", r"\1.0e", json.dumps(value))
    return UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(value, ensure_ascii=False, default=str))
