"""Shows how commands grow with the systems, the topics and the documents of a campaign.

Campaigns are simulated at 1, 2, 4 and 8 times a size, one of the three growing at a time, and commands run on each as whole
processes. Seconds are of processor, less those of the same command's start-up. The exponent is the slope of log time against log
size from the second half of the sizes: 1 is linear. No command may exceed 1.15 in topics or documents, and 2.1 in systems, whose
pairs are what some of them print.
"""

from __future__ import annotations

import argparse
import math
import platform
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from common.processes import FailedError, measure
from common.report import Bar, bars, table

if TYPE_CHECKING:
    from collections.abc import Callable

TIMES = (1, 2, 4, 8)
START = {"systems": 8, "topics": 100, "documents": 400}
LIMITS = {"systems": 2.1, "topics": 1.15, "documents": 1.15}
LITTLE = 0.2  # seconds: what grows by less says nothing about a slope
MARGIN = 0.05  # of an exponent, for a clock that other work disturbs

COMMANDS: dict[str, list[str]] = {
    "evaluate": ["evaluate", "{qrels}", "{runs}"],
    "evaluate -q -f csv": ["evaluate", "{qrels}", "{runs}", "-q", "-f", "csv"],
    "evaluate -q -f trec_eval": ["evaluate", "{qrels}", "{runs}", "-q", "-f", "trec_eval"],
    "evaluate -f json": ["evaluate", "{qrels}", "{runs}", "-f", "json"],
    "compare": ["compare", "{qrels}", "{runs}", "-m", "nDCG@10"],
    "compare --test t": ["compare", "{qrels}", "{runs}", "-m", "AP", "--test", "t"],
    "meaning": ["meaning", "{qrels}", "{runs}", "-m", "P@10"],
    "describe": ["describe", "{qrels}", "{runs}"],
    "lint": ["lint", "{qrels}", "{runs}"],
    "report": ["report", "{qrels}", "{runs}", "-m", "P@10", "-o", "{scratch}/report.html"],
}


def simulated(mensura: Path, folder: Path, size: dict[str, int]) -> list[str | Path]:
    """The command that makes a campaign; lists have half of the documents."""
    options = [f"--{name}={number}" for name, number in size.items()]
    return [mensura, "simulate", "-o", folder, *options, f"--depth={size['documents'] // 2}"]


def command(mensura: Path, words: list[str], folder: Path, scratch: Path) -> list[str | Path]:
    """The command for a campaign."""
    line: list[str | Path] = [mensura]
    for word in words:
        if word == "{runs}":
            line += sorted((folder / "runs").iterdir())
        else:
            line.append(word.format(qrels=folder / "qrels.txt", scratch=scratch))
    return line


def exponent(sizes: list[float], seconds: list[float]) -> float:
    """The slope of log seconds against log size over the larger sizes."""
    (one, first), (other, last) = ((sizes[at], max(seconds[at], 1e-3)) for at in (-3, -1))
    return math.log(last / first) / math.log(other / one)


def grow(make: Callable[[int], list[str | Path]], base: float, limit: float) -> tuple[list[float], list[float]]:
    """Processor seconds above the start-up and peak memory at each size; lint ends with 1 where it finds something."""
    samples = [measure(make(times), limit=limit, expected=(0, 1)) for times in TIMES]
    return [max(sample.processor - base, 0.0) for sample in samples], [sample.megabytes for sample in samples]


def main() -> None:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=("simulate", *COMMANDS), default=["simulate", *COMMANDS], metavar="COMMAND")
    parser.add_argument("--along", nargs="+", choices=START, default=list(START), help="what grows; default: all")
    parser.add_argument("--limit", type=float, default=300.0, metavar="SECONDS", help="longest time for one process")
    parser.add_argument("--mensura", type=Path, default=Path(sys.executable).parent / "mensura", help="the command to time")
    arguments = parser.parse_args()
    mensura: Path = arguments.mensura
    found: list[Bar] = []
    rows: list[list[str]] = []
    print(f"{platform.machine()}, Python {platform.python_version()}, seconds of processor", flush=True)
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        tiny = scratch / "tiny"
        measure(simulated(mensura, tiny, {"systems": 3, "topics": 3, "documents": 20}))
        for along in arguments.along:
            sizes = [{**START, along: START[along] * times} for times in TIMES]
            folders = [scratch / f"{along}-{times}" for times in TIMES]
            for folder, size in zip(folders, sizes, strict=True):
                measure(simulated(mensura, folder, size), limit=arguments.limit)
            for title in arguments.only:
                if title == "simulate":
                    base = measure(simulated(mensura, scratch / "again", {"systems": 3, "topics": 3, "documents": 20})).processor
                    lines = [simulated(mensura, scratch / f"{along}-{at}-again", size) for at, size in enumerate(sizes)]
                else:
                    base = measure(command(mensura, COMMANDS[title], tiny, scratch), expected=(0, 1)).processor
                    lines = [command(mensura, COMMANDS[title], folder, scratch) for folder in folders]
                try:
                    seconds, peaks = grow(lambda times, lines=lines: lines[TIMES.index(times)], base, arguments.limit)  # type: ignore[misc]
                except FailedError as error:
                    print(f"  {title}: {error}", flush=True)
                    continue
                grown = seconds[-1] - seconds[-3] > LITTLE
                slope = exponent([float(times) for times in TIMES], seconds) if grown else 0.0
                mark = "" if slope <= LIMITS[along] + MARGIN else "grows too fast"
                cells = [f"{each:.2f}" for each in seconds]
                rows.append([f"{title}, {along}", *cells, f"{peaks[-1]:.0f}", f"{slope:.2f}", mark])
                print("  " + "  ".join(rows[-1]), flush=True)
                found.append(Bar(f"{title}: exponent in {along}", slope, "≤", LIMITS[along]))
    print("\n" + table(["command", *(f"{times} ×" for times in TIMES), "MB at 8 ×", "exponent", ""], rows))
    print(f"\n{bars(found)}")


if __name__ == "__main__":
    main()
