"""Times whole reports: the process from start to exit, and the size of the page.

The data are those of TREC-8 where they are at hand (129 systems, 50 topics), else a simulated campaign of 26 systems. The first
round counts the interval scale of AP@30 anew, the second finds it in the cache. There is no peer that does the same. Seconds of
processor are printed beside those on the clock: on a machine that others use too, the clock says more about them.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

from common.processes import measure
from common.report import Bar, bars, table

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "trec8"
MEASURES = ("AP@30", "P@10", "nDCG@10")
SECONDS, MEGABYTES = 20.0, 6.0
SIMULATE = "import sys; from pathlib import Path; from mensura.study.example import example; "
SIMULATE += "example(8, systems=26, topics=50).write(Path(sys.argv[1]))"


def inputs(folder: Path) -> tuple[Path, str]:
    """The judgments and a pattern for the runs."""
    if DATA.is_dir():
        return DATA / "qrels.txt", str(DATA / "runs" / "*")
    print("no real data: a simulated campaign of 26 systems")
    measure([sys.executable, "-c", SIMULATE, folder])
    return folder / "qrels.txt", str(folder / "runs" / "*")


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep the page")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["MENSURA_CACHE"] = str(folder / "cache")
        qrels, runs = inputs(folder)
        page = folder / "report.html"
        words = [sys.executable, "-m", "mensura", "report", qrels, runs, "-o", page]
        for each in MEASURES:
            words += ["-m", each]
        samples = {"cold: AP@30 is counted": measure(words), "warm: AP@30 is in the cache": measure(words)}
        size = page.stat().st_size / 1e6
        if arguments.keep:
            shutil.copy(page, arguments.keep)
    rows = [[what, f"{took.seconds:.1f}", f"{took.processor:.1f}", f"{took.megabytes:.0f}"] for what, took in samples.items()]
    print(table(["report", "seconds", "of processor", "peak MB"], rows))
    print(f"the page: {size:.2f} MB; load of the machine now: {os.getloadavg()[0]:.1f}\n")
    cold = samples["cold: AP@30 is counted"]
    print(bars([Bar("cold, on the clock", cold.seconds, "≤", SECONDS, " s"), Bar("size", size, "≤", MEGABYTES, " MB")]))


if __name__ == "__main__":
    main()
