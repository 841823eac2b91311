"""A small coverage-guided fuzzer: mutations of inputs that reached new lines of the readers are kept and mutated further.

atheris would do this in compiled code; it is not needed here, so that the lane runs wherever Python does. With the core built for
AddressSanitizer and UndefinedBehaviorSanitizer (``./dev fuzz``), an error of memory ends the process and leaves its input behind.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.fuzz.harnesses import HARNESSES, survives

if TYPE_CHECKING:
    from types import FrameType

SLOW = 2.0  # seconds
WORDS = (
    b"\0",
    b"\xff",
    b"\n",
    b"\r\n",
    b" ",
    b"\t",
    b'"',
    b"{",
    b"}",
    b"[",
    b"]",
    b"\\",
    b"1e400",
    b"nan",
    b"-",
    b"\x1b",
    b"\xc2\x9b",
    b"\xef\xbb\xbf",
)


def mutated(data: bytes, other: bytes, generator: random.Random) -> bytes:
    """One to four changes: flips, removals, repeats, words, and pieces of another input."""
    for _ in range(generator.randint(1, 4)):
        at, until = sorted(generator.randrange(len(data) + 1) for _ in range(2))
        match generator.randrange(6):
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
            case _:
                data = data[:at] + generator.choice(WORDS) * generator.choice((1, 9, 300)) + data[until:]
    return data[: 1 << 14]


class Reached:
    """Lines of Mensura that inputs have reached."""

    def __init__(self) -> None:
        self.lines: set[tuple[str, int]] = set()

    def __call__(self, frame: FrameType, event: str, _: object) -> Reached | None:
        """Note a line: the trace function of ``sys.settrace``."""
        if "mensura" not in frame.f_code.co_filename or "/fuzz/" in frame.f_code.co_filename:
            return None
        if event == "line":
            self.lines.add((frame.f_code.co_filename, frame.f_lineno))
        return self


def fuzz(name: str, seconds: float, seed: int, crash: Path) -> tuple[int, int]:
    """Fuzz one harness for some seconds; returns the number of executions and of lines reached."""
    generator = random.Random(seed)  # noqa: S311 - reproducible damage
    corpus, reached, executions = [HARNESSES[name][1]], Reached(), 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        data = mutated(generator.choice(corpus), generator.choice(corpus), generator) if executions else corpus[0]
        crash.write_bytes(data)
        before, started = len(reached.lines), time.monotonic()
        traced = executions % 4 == 0  # tracing takes most of the time
        sys.settrace(reached if traced else None)
        try:
            survives(name, data)
        finally:
            sys.settrace(None)
        executions += 1
        if time.monotonic() - started > SLOW:
            raise SystemExit(f"{name}: an input took longer than {SLOW:g} s; it is in {crash}")
        if len(reached.lines) > before:
            corpus.append(data)
    crash.unlink()
    return executions, len(reached.lines)


def main() -> None:
    """Fuzz all harnesses for some minutes together."""
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    for seed, name in enumerate(HARNESSES):
        executions, lines = fuzz(name, 60 * minutes / len(HARNESSES), seed, Path(f"crash-{name}"))
        print(f"{name:10} {executions:8} executions {lines:6} lines", flush=True)  # noqa: T201 - the result of this program


if __name__ == "__main__":
    main()
