"""Makes a workload: WORKLOAD FOLDER [--quick]. The same files at every call.

Scores have at most four decimals and stay below 100: read as float32, as pytrec_eval does, they have the same order and the same
ties as read as float64, so that all tools rank alike.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

SEED = 20080501
AT_ONCE = 250_000  # lines
FOUR_DIGITS = np.array([b"%04d" % number for number in range(10_000)])


@dataclass(frozen=True)
class Style:
    """Separators of the fields of a line and ends of lines; one of each is drawn for every place."""

    gaps: tuple[bytes, ...] = (b" ",)
    ends: tuple[bytes, ...] = (b"\n",)


STYLES = {
    "clean": Style(),
    "tabs": Style(gaps=(b"\t",)),
    "blanks": Style(gaps=tuple(b" " * count for count in range(1, 9))),
    "crlf": Style(ends=(b"\r\n",)),
    "mixed": Style(gaps=(b" ", b"\t", b"  ", b" \t", b"     "), ends=(b"\n", b"\r\n", b" \n", b"\t\r\n")),
}


@dataclass(frozen=True)
class Lists:
    """Ranked lists of several topics, as [topic, rank]: documents as text, scores in units of 0.0001."""

    topics: NDArray[np.bytes_]
    documents: NDArray[np.bytes_]
    scores: NDArray[np.int64]


def text(columns: list[NDArray[np.bytes_]]) -> bytes:
    """Columns of text side by side. NumPy pads text with NUL bytes to one width: they are dropped."""
    rows = len(columns[0])
    parts: list[bytes] = []
    for start in range(0, rows, AT_ONCE):
        pieces = [np.ascontiguousarray(column[start : start + AT_ONCE]) for column in columns]
        cells = np.hstack([piece.view(np.uint8).reshape(len(piece), -1) for piece in pieces]).reshape(-1)
        parts.append(cells[cells != 0].tobytes())
    return b"".join(parts)


def decimal(scores: NDArray[np.int64]) -> NDArray[np.bytes_]:
    """Scores in units of 0.0001 as text."""
    whole = np.array([b"%d." % number for number in range(100)])
    return np.char.add(whole[scores // 10_000], FOUR_DIGITS[scores % 10_000])


def run_lines(lists: Lists, tag: bytes, style: Style, rng: np.random.Generator, *, by_rank: bool = False) -> bytes:
    """Lines of a run: topic by topic, or all first ranks, then all second ranks and so on."""
    topics, ranks = lists.documents.shape
    fields = [
        np.repeat(lists.topics, ranks),
        np.full(topics * ranks, b"Q0"),
        lists.documents.reshape(-1),
        np.tile(np.arange(1, ranks + 1).astype("S"), topics),
        decimal(lists.scores.reshape(-1)),
        np.full(topics * ranks, tag),
    ]
    if by_rank:
        order = np.arange(topics * ranks).reshape(topics, ranks).T.reshape(-1)
        fields = [field[order] for field in fields]
    columns: list[NDArray[np.bytes_]] = []
    for place, field in enumerate(fields):
        between = style.gaps if place < len(fields) - 1 else style.ends
        columns += [field, np.array(between)[rng.integers(len(between), size=len(field))]]
    return text(columns)


def write_qrels(path: Path, topics: NDArray[np.bytes_], documents: NDArray[np.bytes_], grades: NDArray[np.int64]) -> None:
    """Judgments, one for each element of the arrays."""
    rows = len(topics)
    fields = [topics, np.full(rows, b" 0 "), documents, np.full(rows, b" "), grades.astype("S"), np.full(rows, b"\n")]
    path.write_bytes(text(fields))


def write_run(folder: Path, tag: str, pieces: Iterator[Lists]) -> None:
    """A run as clean text only."""
    rng = np.random.default_rng(SEED)
    (folder / "clean").mkdir(exist_ok=True)
    with (folder / "clean" / f"{tag}.txt").open("wb") as file:
        for lists in pieces:
            file.write(run_lines(lists, tag.encode(), STYLES["clean"], rng))


def write_variants(folder: Path, tag: str, pieces: Iterator[Lists]) -> None:
    """A run in every style, compressed, and with its topics' lines interleaved."""
    rng = np.random.default_rng(SEED)
    with contextlib.ExitStack() as stack:
        files: dict[str, IO[bytes]] = {}
        for style in [*STYLES, "interleaved", "gz"]:
            path = folder / style / f"{tag}.txt"
            path.parent.mkdir(exist_ok=True)
            if style == "gz":
                zipped = stack.enter_context(path.with_suffix(".txt.gz").open("wb"))
                files[style] = stack.enter_context(gzip.GzipFile(tag, "wb", 6, zipped, mtime=0))
            else:
                files[style] = stack.enter_context(path.open("wb"))
        for lists in pieces:
            name = tag.encode()
            for style, how in STYLES.items():
                lines = run_lines(lists, name, how, rng)
                files[style].write(lines)
                if style == "clean":
                    files["gz"].write(lines)
            files["interleaved"].write(run_lines(lists, name, STYLES["clean"], rng, by_rank=True))


def campaign(folder: Path, *, runs: int = 129, topics: int = 50) -> None:
    """S: many runs of 1000 documents for few topics, 1700 binary judgments per topic, a few percent of the scores tied.

    As in TREC-8: a pool holds nearly all relevant documents, each run ranks its own selection from it and from outside.
    """
    rng = np.random.default_rng(SEED)
    candidates, judged, depth = 3000, 1700, 1000
    names = np.arange(401, 401 + topics).astype("S")
    documents = np.stack([_trec_documents(rng, candidates) for _ in range(topics)])
    chance = np.minimum(rng.lognormal(-3.3, 0.9, size=(topics, 1)), 0.4)
    relevant = rng.random((topics, judged)) < chance
    relevant[:, 0] = True
    pool = np.argsort(documents[:, :judged], axis=1)
    write_qrels(
        folder / "qrels.txt",
        np.repeat(names, judged),
        np.take_along_axis(documents[:, :judged], pool, axis=1).reshape(-1),
        np.take_along_axis(relevant, pool, axis=1).reshape(-1).astype(np.int64),
    )
    lift = np.zeros((topics, candidates))
    lift[:, :judged] = 0.8
    lift[:, :judged] += relevant
    for number in range(runs):
        quality = rng.uniform(0.4, 2.2)
        scores = 5.0 + quality * lift + rng.gumbel(size=lift.shape)
        top = np.argsort(-scores, axis=1)[:, :depth]
        decimals = (10, 1, 1)[number % 3]  # every third run has three decimals only, and more ties
        units = np.clip(np.take_along_axis(scores, top, axis=1) * 10_000, 0, 999_999).astype(np.int64) // decimals * decimals
        write_variants(folder, f"system{number:03d}", iter([Lists(names, np.take_along_axis(documents, top, axis=1), units)]))


def _trec_documents(rng: np.random.Generator, count: int) -> NDArray[np.bytes_]:
    """Different document names like those of TREC's disks 4 and 5, such as FT934-5418 and FBIS3-10082."""
    groups = [b"FT9%d%d-" % (year, quarter) for year in range(1, 5) for quarter in range(1, 5)]
    groups += [b"FBIS3-", b"FBIS4-", b"FR940104-0-00", b"FR941230-1-00", b"LA010189-0", b"LA123190-0"]
    numbers = rng.choice(len(groups) * 16_000, size=count, replace=False)
    return np.char.add(np.array(groups)[numbers % len(groups)], (numbers // len(groups) + 1).astype("S"))


def _different(rng: np.random.Generator, rows: int, columns: int, most: int) -> NDArray[np.int64]:
    """Numbers below ``most``, all different within a row, in random order."""
    steps = rng.integers(1, most // columns, size=(rows, columns))
    return rng.permuted(np.cumsum(steps, axis=1), axis=1)


def passages(folder: Path, *, topics: int = 6980) -> None:
    """M: one run of 1000 passages per topic, hardly more than one judged passage per topic, as in MS MARCO. No ties."""
    rng = np.random.default_rng(SEED)
    depth, most, relevant_at_most = 1000, 8_841_823, 4
    names = np.sort(rng.choice(1_102_400, size=topics, replace=False)).astype("S")
    documents = _different(rng, topics, depth + relevant_at_most, most)
    relevant = 1 + (rng.random((topics, relevant_at_most - 1)) < 0.022).sum(axis=1)
    # Relevant passages stand behind the ranked ones, and change places with one of these where the run has found them.
    rows = np.repeat(np.arange(topics), relevant)
    behind = np.concatenate([np.arange(count) for count in relevant]) + depth
    found = rng.random(len(rows)) < 0.86
    place = np.minimum(rng.zipf(1.25, size=len(rows)) - 1, depth - 1)
    judged = documents[rows, behind]
    for row, rank, outside in zip(rows[found].tolist(), place[found].tolist(), behind[found].tolist(), strict=True):
        documents[row, [rank, outside]] = documents[row, [outside, rank]]
    write_qrels(folder / "qrels.txt", names[rows], judged.astype("S"), np.ones(len(rows), dtype=np.int64))
    falls = 1 + rng.exponential(90, size=(topics, depth)).astype(np.int64)
    scores = 50_000 + np.cumsum(falls, axis=1)[:, ::-1]

    def pieces() -> Iterator[Lists]:
        for start in range(0, topics, 1000):
            some = slice(start, start + 1000)
            yield Lists(names[some], documents[some, :depth].astype("S"), scores[some])

    write_variants(folder, "passages", pieces())


def log(folder: Path, *, topics: int = 100_000) -> None:
    """L: one run of 100 documents for very many topics, 10 to 20 judgments per topic with grades 0 to 3, a tie here and there."""
    rng = np.random.default_rng(SEED)
    depth, most_judged = 100, 20
    names = np.char.add(b"q", np.arange(1, topics + 1).astype("S"))
    documents = np.char.add(b"D", _different(rng, topics, depth + most_judged, 3_213_835).astype("S"))
    judged = rng.integers(10, most_judged + 1, size=topics)
    rows = np.repeat(np.arange(topics), judged)
    # Judged documents stand rather at the top of the list than far down, and some behind its end.
    places = np.argsort(rng.random((topics, depth + most_judged)) * (1 + np.arange(depth + most_judged)), axis=1)[:, :most_judged]
    columns = places[np.arange(most_judged) < judged[:, None]]
    grades = rng.choice(4, size=len(rows), p=(0.45, 0.25, 0.2, 0.1))
    grades[np.concatenate(([0], np.cumsum(judged)[:-1]))] = 1  # every topic has something relevant
    write_qrels(folder / "qrels.txt", names[rows], documents[rows, columns], grades)
    falls = rng.exponential(1000, size=(topics, depth)).astype(np.int64)
    scores = 10_000 + np.cumsum(falls, axis=1)[:, ::-1]

    def pieces() -> Iterator[Lists]:
        for start in range(0, topics, 10_000):
            some = slice(start, start + 10_000)
            yield Lists(names[some], documents[some, :depth], scores[some])

    write_run(folder, "log", pieces())


MAKERS = {"S": campaign, "M": passages, "L": log}
QUICK = {"S": {"runs": 12}, "M": {"topics": 700}, "L": {"topics": 10_000}}


def main() -> None:
    """Makes the workload that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workload", choices=MAKERS)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--quick", action="store_true", help="a tenth of the size")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True)
    MAKERS[arguments.workload](arguments.folder, **(QUICK[arguments.workload] if arguments.quick else {}))


if __name__ == "__main__":
    main()
