"""One harness per reader: any bytes give a result or one of our errors."""

from __future__ import annotations

import contextlib
import gzip
import io
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
RUN = b"q Q0 a 1 2.5 tag\nq Q0 b 2 1e0 tag\np Q0 a 1 1 tag\n"
FIGURES = (
    b"# Results\n\nWe prove that *ours* is better (p < 0.05), see `x`.\n\n| run | MAP | nDCG@10 |\n|---|---:|---:|\n"
    b"| bm25 | 0.2345 | 0.41 |\n| **ours** | 0.2501 \xe2\x80\xa0 | 12 % |\n\nTable 1: means of 50 topics.\n"
)
RECORD = (
    b'{"format": "mensura record 1", "platform": {}, "implementation": {}, "method": {"command": "scale", "arguments": '
    b'["scale"]}, "data": {"folder": ".", "inputs": [], "parameters": {}, "results": []}}'
)
TABULAR = b"\\section{A} We prove it. \\begin{tabular}{l}0.1\\end{tabular} % x"


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


def _json(data: bytes) -> object:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def record(data: bytes) -> None:
    """A record."""
    document = _json(data)
    if isinstance(document, dict):
        understand(document, Path("x"))


def objects(data: bytes) -> None:
    """Dictionaries, as judgments and as a run."""
    document = _json(data)
    if isinstance(document, dict):
        with contextlib.suppress(MensuraError):
            read_qrels(document)
        judge(JUDGMENTS, {"tag": document})


def arrow(data: bytes) -> None:
    """Columns through Arrow's interface: of texts, views or dictionaries, sliced, with nulls; the first byte says which."""
    import pyarrow as pa

    kinds = (pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string()), pa.large_binary())
    numbers = (pa.int8(), pa.uint16(), pa.int64(), pa.float32(), pa.float64())
    head, rows = data[0] if data else 0, [line.split(b"\t") for line in data[1:].split(b"\n")]
    kind, number = kinds[head % len(kinds)], numbers[head // len(kinds) % len(numbers)]
    texts = [[None if cell == b"-" else cell.decode() for cell in row[:2]] for row in rows if len(row) > 2][:100]
    values = [len(row[2]) for row in rows if len(row) > 2][:100]
    columns = [pa.array([row[at] for row in texts], pa.string()).cast(kind) for at in (0, 1)]
    frame = pa.table({"query_id": columns[0], "doc_id": columns[1], "relevance": pa.array([v % 100 for v in values], number)})
    read_qrels(frame.slice(head % 3, len(values) - head % 2))


def parquet() -> bytes:
    """A small file of judgments."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = io.BytesIO()
    pq.write_table(pa.table({"query_id": ["q", "q"], "doc_id": ["a", "b"], "relevance": [1, 0]}), file)
    return file.getvalue()


HARNESSES: dict[str, tuple[Callable[[bytes], object], tuple[bytes, ...]]] = {
    "run": (run, (RUN, b"\xef\xbb\xbf# c\r\nq\tQ0\ta\t1\t-inf\ttag\r\nq Q0 b 2 .5e-3 tag")),
    "gzip": (run, (gzip.compress(RUN, mtime=0), gzip.compress(RUN, 0, mtime=0) * 2)),
    "qrels": (table(".txt"), (b"q 0 a 1\nq 0 b 0\n# comment\np 0 a -1\n", b"q\t0\ta\t2.5\r\n")),
    "csv": (table(".csv"), (b'query_id,doc_id,relevance\nq,a,1\nq,"b",0\n', b"qid;docno;label\nq;a;1\n")),
    "tsv": (table(".tsv"), (b"query-id\tcorpus-id\tscore\nq\ta\t1\n",)),
    "json": (table(".json"), (b'{"q": {"a": 1, "b": 0}}', b'[{"query_id": "q", "doc_id": "a", "relevance": 1}]')),
    "jsonl": (table(".jsonl"), (b'{"query_id": "q", "doc_id": "a", "relevance": 1}\n',)),
    "parquet": (table(".parquet"), (b"PAR1\x15\x04\x15\x00PAR1", parquet())),
    "objects": (objects, (b'{"q": {"a": 1, "b": 0.5}, "p": {"a": true}}', b'{"q": ["a", "b"], "p": {}}')),
    "arrow": (arrow, (b"\0q\ta\t1\nq\tb\t22\n", b"\x07q\t-\t1\np\ta\t22\n", b"\x0dq\ta long name of a document\t1\np\ta\t\n")),
    "record": (record, (RECORD,)),
    "ledger": (
        lambda data: read_export("x", data.decode()),
        (b'{"format": "mensura ledger 1", "collections": [], "tests": []}',),
    ),
    "plan": (lambda data: parse_plan(data.decode(), Path("plan.toml")), (b'goal = "x"\n[data]\nqrels = "q"\n',)),
    "latex": (
        document("latex"),
        (
            b"\\section{A} We prove it. \\begin{tabular}{l}0.1\\end{tabular} % x",
            b"\\begin{table}$p<0.05$ & \\textbf{1}\\\\\\end{table}",
        ),
    ),
    "markdown": (document("markdown"), (FIGURES, b"---\na: b\n---\n> x\n\n```python\nx = 1\n```\n<!-- c -->\n1. [a](b) ![c](d)\n")),
    "notebook": (
        document("notebook"),
        (b'{"cells": [{"cell_type": "code", "source": ["x = 1"], "outputs": []}, {"cell_type": "markdown", "source": "a"}]}',),
    ),
    "python": (document("python"), (b"import numpy as np\nx = np.mean(rr)  # prove\n",)),
    "results": (document("json"), (b'{"measures": ["AP"], "scores": {"a": {"AP": 0.1}}}',)),
    "measure": (lambda data: parse_measure(data.decode()), (b"RBP(p=0.8)@20", b"nDCG(gains={1: 2}, rel=2)@10", b"GM(AP)")),
}


def survives(name: str, data: bytes) -> None:
    """Run a harness: our own errors, and text that is not UTF-8, are answers."""
    with contextlib.suppress(MensuraError, UnicodeDecodeError, RecursionError):
        HARNESSES[name][0](data)
