"""One harness per reader: any bytes give a result or one of our errors."""

from __future__ import annotations

import contextlib
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from mensura import judge, read_qrels
from mensura.errors import MensuraError
from mensura.io import reading
from mensura.ledger.exchange import _read as read_export
from mensura.lint.engine import Options, lint_text
from mensura.measures.names import parse_measure
from mensura.plans.reading import parse_plan
from mensura.record.reproduce import understand

if TYPE_CHECKING:
    from collections.abc import Callable

JUDGMENTS = read_qrels({"q": {"a": 1, "b": 0}, "p": {"a": 2}})
FOLDER = Path(tempfile.mkdtemp(prefix="mensura-fuzz-"))


def _file(name: str, data: bytes) -> Path:
    path = FOLDER / name
    path.write_bytes(data)
    return path


def run(data: bytes) -> None:
    """A run in TREC's format, in one piece and in stretches, which must agree."""
    path = _file("run", data)
    reading.STRETCH = 1 << 24
    try:
        whole = judge(JUDGMENTS, [path], threads=1)
    except MensuraError:
        return
    reading.STRETCH = 16
    pieces = judge(JUDGMENTS, [path], threads=3)
    assert (whole.grades == pieces.grades).all()
    assert whole.systems == pieces.systems


def table(ending: str) -> Callable[[bytes], object]:
    """Judgments in a file of this ending."""
    return lambda data: read_qrels(_file(f"qrels{ending}", data))


def document(kind: str) -> Callable[[bytes], object]:
    """A text that lint reads."""
    return lambda data: lint_text(data.decode("utf-8", "surrogateescape"), kind, "x", Options())


def record(data: bytes) -> None:
    """A record."""
    try:
        read = json.loads(data)
    except (ValueError, RecursionError):
        return
    if isinstance(read, dict):
        understand(read, Path("x"))


HARNESSES: dict[str, tuple[Callable[[bytes], object], bytes]] = {
    "run": (run, b"q Q0 a 1 2.5 tag\nq Q0 b 2 1e0 tag\np Q0 a 1 1 tag\n"),
    "qrels": (table(".txt"), b"q 0 a 1\nq 0 b 0\n# comment\np 0 a -1\n"),
    "csv": (table(".csv"), b'query_id,doc_id,relevance\nq,a,1\nq,"b",0\n'),
    "tsv": (table(".tsv"), b"query-id\tcorpus-id\tscore\nq\ta\t1\n"),
    "json": (table(".json"), b'{"q": {"a": 1, "b": 0}}'),
    "jsonl": (table(".jsonl"), b'{"query_id": "q", "doc_id": "a", "relevance": 1}\n'),
    "parquet": (table(".parquet"), b"PAR1\x15\x04\x15\x00PAR1"),
    "record": (
        record,
        b'{"format": "mensura record 1", "method": {"command": "scale", "arguments": ["scale"]}, "data": {"inputs": []}}',
    ),
    "ledger": (lambda data: read_export("x", data.decode()), b'{"format": "mensura ledger 1", "collections": [], "tests": []}'),
    "plan": (lambda data: parse_plan(data.decode(), Path("plan.toml")), b'goal = "x"\n[data]\nqrels = "q"\n'),
    "latex": (document("latex"), b"\\section{A} We prove it. \\begin{tabular}{l}0.1\\end{tabular} % x"),
    "markdown": (document("markdown"), b"# A\n\nWe prove it `x`.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"),
    "notebook": (document("notebook"), b'{"cells": [{"cell_type": "code", "source": ["x = 1"], "outputs": []}]}'),
    "measure": (lambda data: parse_measure(data.decode()), b"RBP(p=0.8)@20"),
}


def survives(name: str, data: bytes) -> None:
    """Run a harness: our own errors, and text that is not UTF-8, are answers."""
    with contextlib.suppress(MensuraError, UnicodeDecodeError, RecursionError):
        HARNESSES[name][0](data)
