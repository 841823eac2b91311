"""Whole processes, measured: seconds on the clock, seconds of processor, peak memory.

A benchmark's own process must stay small. Linux counts the memory of the process that starts another into the other's peak, so a
benchmark that held a large array would report that array as everybody's memory. Data are therefore made by processes of their own,
and this module needs nothing but the standard library.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
RSS_UNIT = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss, in bytes


class FailedError(Exception):
    """A process that ended with an error, or took too long."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One process from start to exit."""

    seconds: float
    processor: float
    megabytes: float


def measure(command: Sequence[str | Path], *, limit: float = 600.0, expected: Sequence[int] = (0,)) -> Sample:
    """Runs a command, which may take at most ``limit`` seconds and must end with an ``expected`` status.

    What it prints is dropped, or written to a file if the command ends with ``>`` and its name, as in a shell. Python may write
    byte code, which installed packages have: compiling the modules that were edited since took 17 ms of every start.
    """
    words = [os.fspath(word) for word in command]
    target = words[-1] if words[-2:-1] == [">"] else os.devnull
    if target != os.devnull:
        words = words[:-2]
    with tempfile.TemporaryFile() as errors, open(target, "wb") as output:
        start = time.perf_counter()
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, env=ENVIRONMENT)
        patience = threading.Timer(limit, process.kill)
        patience.start()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        patience.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)  # it has been waited for
        if process.returncode not in expected:
            errors.seek(0)
            said = errors.read().decode(errors="replace").strip()[-2000:]
            why = f"took longer than {limit:g} s" if seconds >= limit else f"ended with {process.returncode}: {said}"
            raise FailedError(f"{' '.join(words)[:200]} {why}")
    return Sample(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * RSS_UNIT / 1e6)


class Samples:
    """Times and memory of several runs of one command."""

    def __init__(self) -> None:
        self.all: list[Sample] = []

    def __bool__(self) -> bool:
        return bool(self.all)

    @property
    def median(self) -> float:
        """Seconds."""
        return statistics.median(sample.seconds for sample in self.all)

    @property
    def best(self) -> float:
        """Seconds."""
        return min(sample.seconds for sample in self.all)

    @property
    def processor(self) -> float:
        """Seconds of processor, user and system, all cores together: the median."""
        return statistics.median(sample.processor for sample in self.all)

    @property
    def megabytes(self) -> float:
        """The highest peak of memory."""
        return max(sample.megabytes for sample in self.all)

    def ratio(self, other: Samples) -> float:
        """Ratio of its time to the other's: the median over the rounds that both took part in."""
        return statistics.median(mine.seconds / theirs.seconds for mine, theirs in zip(self.all, other.all, strict=False))


def interleave(
    jobs: dict[str, Callable[[], Sequence[str | Path]]],
    repeat: int,
    once: Sequence[str] = (),
    *,
    limit: float = 600.0,
) -> dict[str, Samples]:
    """Measures jobs in rounds, one after the other in each, so that what disturbs the machine disturbs all of them.

    ``once`` names jobs that take part in the first round only. A job that fails is reported and dropped.
    """
    samples = {name: Samples() for name in jobs}
    failed: set[str] = set()
    for turn in range(repeat):
        for name, command in jobs.items():
            if name in failed or (turn > 0 and name in once):
                continue
            try:
                samples[name].all.append(measure(command(), limit=limit))
            except FailedError as error:
                failed.add(name)
                print(f"  {name}: {error}", flush=True)
    return samples
