"""Shows how commands grow with the systems, the topics and the documents of a campaign.

Campaigns are simulated at 1, 2, 4 and 8 times a size, one of the three growing at a time, and commands run on each as whole
processes. Seconds are of processor, less those of the same command's start-up. The exponent is the slope of log time against log
size, from the first size where the work takes half a second to the last: before that, caches fill and the start-up is a difference
of two noisy numbers. 1 is linear. No command may exceed 1.15 in topics or documents, and 2.1 in systems, whose pairs are what some
of them print. A command that stays below half a second at 4 times the size has no exponent.
"""

from __future__ import annotations

import argparse
import math
import platform
import sys
import tempfile
from pathlib import Path

from common.processes import FailedError, measure
from common.report import Bar, bars, table

TIMES = (1, 2, 4, 8)
START = {"systems": 8, "topics": 400, "documents": 400}
LIMITS = {"systems": 2.1, "topics": 1.15, "documents": 1.15}
LITTLE = 0.5  # seconds: less work than that says nothing about a slope
SHORT = 2.0  # seconds: shorter processes run three times, and the shortest time counts

COMMANDS: dict[str, list[str]] = {
    "evaluate": ["evaluate", "{qrels}", "{runs}"],
    "evaluate -q -f csv": ["evaluate", "{qrels}", "{runs}", "-q", "-f", "csv"],
    "evaluate -q -f trec_eval": ["evaluate", "{qrels}", "{runs}", "-q", "-f", "trec_eval"],
    "evaluate -f json": ["evaluate", "{qrels}", "{runs}", "-f", "json"],
    "compare": ["compare", "{qrels}", "{runs}", "-m", "nDCG@10"],
    "compare --test t": ["compare", "{qrels}", "{runs}", "-m", "AP", "--test", "t"],
    "compare --test anova-topics": ["compare", "{qrels}", "{runs}", "-m", "AP", "--test", "anova-topics"],
    "compare -f json": ["compare", "{qrels}", "{runs}", "-m", "AP", "-f", "json"],
    "meaning": ["meaning", "{qrels}", "{runs}", "-m", "P@10"],
    "describe": ["describe", "{qrels}", "{runs}"],
    "lint": ["lint", "{qrels}", "{runs}"],
    "validate": ["validate", "{qrels}", "{runs}", "-m", "AP"],
    "adm": ["adm", "{qrels}", "{runs}"],
    "adm --calibration": ["adm", "{qrels}", "{runs}", "--calibration"],
    "rankings": ["rankings", "{runs}", "--topic", "all", "--depth", "50"],
    "study": ["study", "{qrels}", "{runs}", "-m", "P", "--lengths", "5,10", "-o", "{scratch}/study-{name}"],
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
            line.append(word.format(qrels=folder / "qrels.txt", scratch=scratch, name=folder.name))
    return line


def exponent(seconds: list[float]) -> float | None:
    """The slope of log seconds against log size over the sizes whose work is long enough."""
    first = next((at for at, each in enumerate(seconds) if each >= LITTLE), len(seconds))
    if first >= len(seconds) - 1:
        return None
    return math.log(seconds[-1] / seconds[first]) / math.log(TIMES[-1] / TIMES[first])


def shortest(line: list[str | Path], limit: float) -> tuple[float, float]:
    """Seconds of processor and peak memory; lint ends with 1 where it finds something."""
    samples = [measure(line, limit=limit, expected=(0, 1))]
    while samples[0].processor < SHORT and len(samples) < 3:
        samples.append(measure(line, limit=limit, expected=(0, 1)))
    return min(sample.processor for sample in samples), samples[0].megabytes


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
        measure(simulated(mensura, tiny, {"systems": 3, "topics": 10, "documents": 20}))
        for along in arguments.along:
            sizes = [{**START, along: START[along] * times} for times in TIMES]
            folders = [scratch / f"{along}-{times}" for times in TIMES]
            for folder, size in zip(folders, sizes, strict=True):
                measure(simulated(mensura, folder, size), limit=arguments.limit)
            for title in arguments.only:
                if title == "simulate":
                    small = simulated(mensura, scratch / "again", {"systems": 3, "topics": 10, "documents": 20})
                    lines = [simulated(mensura, scratch / f"{along}-again", size) for size in sizes]
                else:
                    small = command(mensura, COMMANDS[title], tiny, scratch)
                    lines = [command(mensura, COMMANDS[title], folder, scratch) for folder in folders]
                try:
                    base, _ = shortest(small, arguments.limit)
                    samples = [shortest(line, arguments.limit) for line in lines]
                except FailedError as error:
                    print(f"  {title}: {error}", flush=True)
                    continue
                seconds = [max(processor - base, 0.0) for processor, _ in samples]
                slope = exponent(seconds)
                mark = "short" if slope is None else "" if slope <= LIMITS[along] else "grows too fast"
                cells = [f"{each:.2f}" for each in seconds]
                rows.append([f"{title}, {along}", *cells, f"{samples[-1][1]:.0f}", "–" if slope is None else f"{slope:.2f}", mark])
                print("  " + "  ".join(rows[-1]), flush=True)
                if slope is not None:
                    found.append(Bar(f"{title}: exponent in {along}", slope, "≤", LIMITS[along]))
    print("\n" + table(["command", *(f"{times} ×" for times in TIMES), "MB at 8 ×", "exponent", ""], rows))
    print(f"\n{bars(found)}")


if __name__ == "__main__":
    main()
