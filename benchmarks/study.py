"""Cost of a whole study: TREC-8 with everything of the paper, and each system, topic and length more.

    python benchmarks/study.py [--repeat 1]

TREC-8 (../shared/data/trec8) is studied by the command line in a process of its own: eleven measures, four lengths, two ways to
rank ties, eight tests on both scales, all tables and figures; first without a cache of counted scales, then with it. Without the
data, a campaign of the same size is simulated. What one more system, topic or length costs is the slope between two campaigns.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from common.processes import Samples, measure
from common.report import Bar, bars, table

TREC8 = Path(__file__).resolve().parents[2] / "shared" / "data" / "trec8"
MENSURA = [sys.executable, "-m", "mensura"]
SMALL = {"systems": 40, "topics": 25}
LARGE = {"systems": 120, "topics": 75}


def study(campaign: Path, out: Path, *options: str) -> list[str | Path]:
    """The command."""
    return [*MENSURA, "study", campaign / "qrels.txt", str(campaign / "runs" / "*"), *options, "-o", out]


def simulated(folder: Path, systems: int, topics: int) -> Path:
    """A campaign in a folder of its own."""
    campaign = folder / f"{systems}x{topics}"
    measure([*MENSURA, "simulate", "-o", campaign, "--systems", str(systems), "--topics", str(topics), "--seed", "1"])
    return campaign


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description="What a whole study costs.")
    parser.add_argument("--repeat", type=int, default=1)
    repeat = parser.parse_args().repeat
    with tempfile.TemporaryDirectory(prefix="mensura-bench-") as temporary:
        folder = Path(temporary)
        campaign = TREC8 if TREC8.is_dir() else simulated(folder, 129, 50)
        print(f"{campaign.name}, {os.cpu_count()} cores: the whole study")
        cold, warm = Samples(), Samples()
        for turn in range(repeat):
            os.environ["MENSURA_CACHE"] = str(folder / f"cache{turn}")
            for samples, name in ((cold, "cold"), (warm, "warm")):
                samples.all.append(measure(study(campaign, folder / f"{name}{turn}", "--compat", "trec_eval-9")))
        rows = [
            [name, f"{samples.median:.1f}", f"{samples.processor:.1f}", f"{samples.megabytes:.0f}"]
            for name, samples in (("without cache", cold), ("with cache", warm))
        ]
        print(table(["", "seconds", "of processor", "MB"], rows), "\n")

        print(f"one more, from {SMALL['systems']} systems × {SMALL['topics']} topics and lengths 5, 10, with the cache")
        counted = simulated(folder, **SMALL)
        wide, tall = simulated(folder, LARGE["systems"], SMALL["topics"]), simulated(folder, SMALL["systems"], LARGE["topics"])
        jobs = {"base": (counted, "5,10"), "systems": (wide, "5,10"), "topics": (tall, "5,10"), "lengths": (counted, "5,10,20,30")}
        measure(study(counted, folder / "first", "--lengths", "5,10,20,30"))  # what is counted once is not part of a slope
        took = {}
        for job, (place, lengths) in jobs.items():
            samples = Samples()
            for turn in range(repeat):
                samples.all.append(measure(study(place, folder / f"{job}{turn}", "--lengths", lengths)))
            took[job] = samples
        more = {"systems": LARGE["systems"] - SMALL["systems"], "topics": LARGE["topics"] - SMALL["topics"], "lengths": 2}
        slopes = []
        for job, number in more.items():
            seconds = (took[job].best - took["base"].best) / number
            slopes.append([f"one of {number} more {job}", f"{1000 * seconds:.0f}"])
        print(f"the study they are added to: {took['base'].best:.1f} s")
        print(table(["", "milliseconds"], slopes), "\n")
    memory = max(cold.megabytes, warm.megabytes)
    found = [
        Bar("whole study without cache", cold.median, "≤", 45, " s"),
        Bar("whole study with cache", warm.median, "≤", 15, " s"),
        Bar("peak memory", memory, "≤", 1000, " MB"),
    ]
    print(bars(found))


if __name__ == "__main__":
    main()
