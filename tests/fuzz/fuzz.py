"""A small coverage-guided fuzzer: mutations of inputs that reached something new in the readers are kept and mutated further.

atheris would do this in compiled code, but needs clang for the core; this lane runs wherever Python and gcc do. New is an edge
between two lines of Python, or, with the core that ``./dev fuzz`` builds, between two blocks of compiled code. That core is built
for AddressSanitizer and UndefinedBehaviorSanitizer: an error of memory ends the process that fuzzes, and another one goes on.

Every input that fails (an exception, more than two seconds, an end of the process) is kept, with what was said about it.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import traceback
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.fuzz.harnesses import FOLDER, HARNESSES, survives

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

SLOW = 2.0  # processor seconds
HANGS = 60  # seconds after which a process that does not say anything is ended: the sanitizers and tracing slow it down
LONGEST = 1 << 14
WORDS = (
    *(b"\0", b"\xff", b"\n", b"\r\n", b" ", b"\t", b'"', b"'", b"{", b"}", b"[", b"]", b"(", b")", b"\\", b"-", b"|", b"*", b"`"),
    *(b"$", b"%", b"&", b"#", b"<", b">", b",", b";", b":", b"=", b"1e400", b"nan", b"0.05", b"\x1b", b"\xc2\x9b", b"\xef\xbb\xbf"),
    *(b"\xe2\x80\x9c", b"\x1f\x8b", b"\xff\xff\xff\x7f", b"\x80\x80\x80\x80\x01"),
)


def mutated(data: bytes, other: bytes, generator: random.Random) -> bytes:
    """One to four changes: flips, removals, repeats, words, and pieces of another input."""
    for _ in range(generator.randint(1, 4)):
        at, until = sorted(generator.randrange(len(data) + 1) for _ in range(2))
        match generator.randrange(7):
            case 0:
                data = data[:at] + bytes([generator.randrange(256)]) + data[at + 1 :]
            case 1:
                data = data[:at] + data[until:]
            case 2:
                data = data[:until] + data[at:until] * generator.choice((1, 2, 50)) + data[until:]
            case 3:
                data = data[:at] + generator.choice(WORDS) + data[at:]
            case 4:
                data = data[:at] + other[generator.randrange(len(other) + 1) :]
            case 5:  # a short piece fills the input: work that grows with the square shows
                data = data[:at] + data[at : at + generator.randint(1, 8)] * (LONGEST // 8) + data[until:]
            case _:
                data = data[:at] + generator.choice(WORDS) * generator.choice((1, 9, 300)) + data[until:]
    return data[:LONGEST]


class Reached:
    """Edges that inputs have reached: between lines of Mensura's Python, and between blocks of its compiled core."""

    def __init__(self) -> None:
        self.lines: set[tuple[str, int, int]] = set()
        self._last: dict[FrameType, int] = {}
        try:
            self._blocks = (ctypes.c_ubyte * (1 << 16)).in_dll(ctypes.CDLL(None), "mensura_edges")
        except (AttributeError, OSError, TypeError, ValueError):  # the core was built without them
            self._blocks = (ctypes.c_ubyte * 1)()
        ctypes.memset(self._blocks, 0, len(self._blocks))  # without those that imports have reached
        self._seen = 0

    def __call__(self, frame: FrameType, event: str, _: object) -> Reached | None:
        """Note a line: the trace function of ``sys.settrace``."""
        if "mensura" not in frame.f_code.co_filename or "/tests/fuzz/" in frame.f_code.co_filename:
            return None
        if event == "line":
            self.lines.add((frame.f_code.co_filename, self._last.get(frame, 0), frame.f_lineno))
            self._last[frame] = frame.f_lineno
        elif event == "return":
            self._last.pop(frame, None)
        return self

    def count(self) -> tuple[int, int]:
        """Number of edges so far, in Python and in the core."""
        self._seen |= int.from_bytes(self._blocks, "little")  # its bytes are 0 or 1
        self._last.clear()
        return len(self.lines), self._seen.bit_count()

    @contextmanager
    def tracing(self) -> Iterator[None]:
        """Note the lines that the block runs, in threads that it starts too."""
        sys.settrace(self)
        try:
            yield
        finally:
            sys.settrace(None)


class Told(NamedTuple):
    """The result of one process: executions and edges, and inputs that failed."""

    executions: int
    lines: int
    blocks: int


class Kept:
    """The folder of a harness: inputs that reached something new, and inputs that failed."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder / name
        self.current = self.folder / "current"
        self.counted = self.folder / "counted"  # executions and edges of a process, also of one that ends before its time
        for kind in ("corpus", "failures"):
            (self.folder / kind).mkdir(parents=True, exist_ok=True)

    def corpus(self) -> list[bytes]:
        return [path.read_bytes() for path in sorted((self.folder / "corpus").iterdir())]

    def add(self, data: bytes) -> None:
        (self.folder / "corpus" / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)

    def fail(self, data: bytes, reason: str) -> None:
        """Keep an input that failed, and say so."""
        path = self.folder / "failures" / hashlib.sha256(data).hexdigest()[:16]
        path.write_bytes(data)
        path.with_suffix(".txt").write_text(reason, encoding="utf-8", errors="backslashreplace")
        print(f"{self.folder.name}: {reason.strip().splitlines()[-1][:200]}: {path}", flush=True)  # noqa: T201 - the result of this program

    def failures(self) -> int:
        return sum(path.suffix == "" for path in (self.folder / "failures").iterdir())


def fuzz(name: str, seconds: float, seed: int, kept: Kept) -> Told:
    """Fuzz one harness for some seconds."""
    generator = random.Random(seed)  # noqa: S311 - reproducible damage
    reached, executions = Reached(), 0
    seconds_of = {True: 0.0, False: 0.0}  # with and without tracing, which is many times slower: each gets half of the time
    waiting = [*HARNESSES[name][1], *kept.corpus()]
    corpus: list[bytes] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        data = waiting.pop() if waiting else mutated(generator.choice(corpus), generator.choice(corpus), generator)
        kept.current.write_bytes(data)
        before = reached.count()
        kept.counted.write_text(" ".join(map(str, (executions + 1, *before))), encoding="ascii")
        traced = bool(waiting) or seconds_of[True] <= seconds_of[False]
        started = time.process_time()
        try:
            if traced:
                with reached.tracing():
                    survives(name, data)
            else:
                survives(name, data)
        except Exception:  # noqa: BLE001 - what this program is for
            kept.fail(data, traceback.format_exc())
        taken = time.process_time() - started
        seconds_of[traced] += taken
        if taken > SLOW:
            check_time(name, data, kept)
        executions += 1
        if reached.count() > before or not corpus:
            corpus.append(data)
            kept.add(data)
    kept.current.unlink()
    return Told(executions, *reached.count())


def check_time(name: str, data: bytes, kept: Kept) -> None:
    """Measure again, without tracing: an input that takes long then is a failure."""
    started = time.process_time()
    with suppress(Exception):
        survives(name, data)
    taken = time.process_time() - started
    if taken > SLOW:
        kept.fail(data, f"took {taken:.1f} s of processor time for {len(data)} bytes")


def supervise(name: str, seconds: float, seed: int, folder: Path) -> list[Told]:
    """Fuzz a harness in processes of their own: where one ends before its time, its input is kept, and another one goes on."""
    kept = Kept(folder, name)
    end = time.monotonic() + seconds
    told: list[Told] = []
    while (left := end - time.monotonic()) > 0.5:
        kept.current.write_bytes(b"")
        kept.counted.write_text("0 0 0", encoding="ascii")
        command = [
            sys.executable,
            "-m",
            "tests.fuzz.fuzz",
            "--one",
            name,
            "--seed",
            str(seed + 1000 * len(told)),
            "--folder",
            folder,
        ]
        process = subprocess.Popen([*command, str(left / 60)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        said, complaint = watch(process, kept)
        *lines, last = said.decode("utf-8", "replace").splitlines() or [""]
        for line in lines:
            print(line, flush=True)  # noqa: T201 - the result of this program
        if process.returncode == 0:
            told.append(Told(*map(int, last.split())))
            break
        reason = complaint.decode("utf-8", "replace")[-20_000:] + f"\nthe process ended with status {process.returncode}"
        kept.fail(kept.current.read_bytes(), reason)
        told.append(Told(*map(int, kept.counted.read_text(encoding="ascii").split())))
    return told


def watch(process: subprocess.Popen[bytes], kept: Kept) -> tuple[bytes, bytes]:
    """Wait for a process; it is ended if its input stays the same for too long."""
    while True:
        try:
            return process.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            with suppress(FileNotFoundError):
                if time.time() - kept.current.stat().st_mtime > HANGS:
                    process.send_signal(signal.SIGABRT)


def main() -> int:
    """Fuzz all harnesses for some minutes together."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("minutes", type=float, nargs="?", default=1.0, help="for all harnesses together (default: 1)")
    parser.add_argument("--folder", type=Path, default=Path("build/fuzz"), help="where inputs are kept (default: build/fuzz)")
    parser.add_argument("--seed", type=int, default=0, help="random seed (default: 0)")
    parser.add_argument("--only", nargs="+", choices=HARNESSES, default=list(HARNESSES), metavar="NAME", help=", ".join(HARNESSES))
    parser.add_argument("--one", choices=HARNESSES, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        try:
            told = fuzz(arguments.one, 60 * arguments.minutes, arguments.seed, Kept(arguments.folder, arguments.one))
        finally:
            shutil.rmtree(FOLDER, ignore_errors=True)
        print(*told, flush=True)  # noqa: T201 - read by supervise
        os._exit(0)  # without what would be torn down under the sanitizers
    failures = executions = 0
    for number, name in enumerate(arguments.only):
        results = supervise(name, 60 * arguments.minutes / len(arguments.only), arguments.seed + number, arguments.folder)
        count, lines, blocks = (sum(each[0] for each in results), *(max(each[at] for each in results) for at in (1, 2)))
        print(f"{name:10} {count:8} executions {lines:6} edges in Python {blocks:6} in the core", flush=True)  # noqa: T201
        executions, failures = executions + count, failures + Kept(arguments.folder, name).failures()
    print(f"{executions} executions; {failures} inputs failed; all that were new or failed are in {arguments.folder}")  # noqa: T201
    return min(failures, 1)


if __name__ == "__main__":
    sys.exit(main())
