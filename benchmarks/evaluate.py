"""Times `mensura evaluate` and its peers as whole processes: files to AP, P@10, nDCG@10, RR and R@1000 per topic and their means.

Workloads (made once, seeded, kept in a cache): S, 129 runs × 50 topics × 1000 documents; M, 1 run × 6980 topics × 1000 documents
with sparse judgments; L, 1 run × 100 000 topics × 100 documents with grades 0 to 3. Mensura writes every value of every topic to a
csv file; the peers compute these values but write the means only. A comparison of different answers would be worthless: a tool
whose means differ from Mensura's stops the benchmark. Results go to standard output, into a file; ``-o``, which writes a record of
how they came about with the digests of all inputs, is compared to that in a part of its own.
"""

from __future__ import annotations

import argparse
import csv
import importlib.util
import json
import os
import platform
import subprocess
import sys
import tempfile
import zlib
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from common.processes import FailedError, Samples, interleave, measure
from common.report import Bar, bars, table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Means = dict[str, dict[str, float]]  # {system: {measure: mean}}
    Job = Callable[[], Sequence[str | Path]]

HERE = Path(__file__).resolve().parent
MEASURES = ("AP", "P@10", "nDCG@10", "RR", "R@1000")
PEERS = ("pytrec_eval", "ir_measures", "ranx")
SLOW = ("ir_measures", "ranx")  # these run once
BREAKS_TIES_ITS_OWN_WAY = ("ranx",)
TIED = ("S", "L")  # workloads with equal scores
SAME = 1e-6
# workload: what it is; how many times as fast as pytrec_eval with two threads and with one; peak memory in MB
WORKLOADS = {
    "S": ("129 runs × 50 topics × 1000 documents", 16, 8, 150),
    "M": ("1 run × 6980 topics × 1000 documents", 20, 8, 150),
    "L": ("1 run × 100 000 topics × 100 documents", 16, 8, 500),
}
PARTS = ("peers", "white-space", "gz", "records", "small")
MESSY = ("tabs", "blanks", "crlf", "mixed")
INFLATE = "import sys\nfrom {module} import open\nfor path in sys.argv[1:]:\n  file = open(path)\n  while file.read(1 << 18): pass"


@dataclass
class Bench:
    """The settings, and the bars that were found met or missed so far."""

    mensura: Path
    repeat: int
    peers: list[str]
    cache: Path
    quick: bool
    limit: float
    scratch: Path
    found: list[Bar] = field(default_factory=list)

    @property
    def python(self) -> Path:
        """The interpreter that has Mensura."""
        return self.mensura.parent / "python"

    def workload(self, name: str) -> Path:
        """The folder of a workload, which is made if it is not there."""
        maker = HERE / "evaluation" / "workloads.py"
        folder = self.cache / f"{name}{'-quick' if self.quick else ''}-{zlib.crc32(maker.read_bytes()):08x}"
        if not folder.exists():
            print(f"  making {folder} …", flush=True)
            unfinished = folder.with_name(f"{folder.name}.{os.getpid()}")
            subprocess.run([sys.executable, maker, name, unfinished, *(["--quick"] if self.quick else [])], check=True)
            unfinished.rename(folder)
        return folder

    def evaluate(self, folder: Path, style: str = "clean", threads: int | None = None) -> Job:
        """The command that is timed for Mensura."""
        options = ["--per-topic", "--format", "csv", *(() if threads is None else ("--threads", str(threads)))]
        command = [self.mensura, "evaluate", folder / "qrels.txt", *run_files(folder, style), "-m", *MEASURES, *options]
        command += [">", self.scratch / "mensura.csv"]
        return lambda: command

    def peer(self, name: str, folder: Path, runs: int | None = None) -> Job:
        """The command that is timed for a peer: all runs, or the first few."""
        script = HERE / "evaluation" / f"with_{name}.py"
        command = [sys.executable, script, folder / "qrels.txt", self.scratch / f"{name}.json", *run_files(folder, "clean")[:runs]]
        return lambda: command

    def try_out(self, name: str, folder: Path) -> None:
        """Lets a peer evaluate one run, uncounted; if it cannot, it is left out."""
        try:
            measure(self.peer(name, folder, 1)(), limit=self.limit)
        except FailedError as error:
            print(f"{name} is left out: {error}", flush=True)
            self.peers.remove(name)

    def bar(self, what: str, value: float, sense: str, wanted: float, unit: str = "") -> None:
        """Notes a bar."""
        self.found.append(Bar(what, value, sense, wanted, unit))  # type: ignore[arg-type]

    # ── the same answers ─────────────────────────────────────────────────────────────────────────────────────────────────

    def mensura_means(self, job: Job) -> Means:
        """The means of the values per topic that Mensura writes."""
        measure(job(), limit=self.limit)
        sums: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0, 0])
        with (self.scratch / "mensura.csv").open(newline="") as file:
            for row in csv.DictReader(file):
                cell = sums[row["system"], row["measure"]]
                cell[0] += float(row["value"])
                cell[1] += 1
        means: Means = defaultdict(dict)
        for (system, name), (total, count) in sums.items():
            means[system][name] = total / count
        return means

    def verify(self, folder: Path, styles: Sequence[str]) -> None:
        """Compares Mensura's means for clean input with those for one thread and for the same runs in other styles."""
        ours = self.mensura_means(self.evaluate(folder))
        checks = {f"mensura, {style}": self.evaluate(folder, style) for style in styles}
        checks["mensura, 1 thread"] = self.evaluate(folder, threads=1)
        for name, job in checks.items():
            self.compare(name, ours, self.mensura_means(job))

    def compare(self, name: str, ours: Means, theirs: Means, *, lenient: bool = False) -> None:
        """Stops if means differ; ``lenient``, for a peer with another order of equal scores, only tells by how much."""
        if ours.keys() != theirs.keys():
            sys.exit(f"{name}: other systems than Mensura's: {sorted(ours.keys() ^ theirs.keys())[:5]}")
        gap, system, what = max(
            (abs(ours[system][what] - theirs[system][what]), system, what) for system in ours for what in MEASURES
        )
        if gap <= SAME:
            print(f"  {name}: same means (largest difference {gap:.1e})", flush=True)
        elif lenient:
            print(
                f"  {name}: means differ by up to {gap:.1e} ({what} of {system}): not compared, it orders ties in another way",
                flush=True,
            )
        else:
            sys.exit(f"{name}: {what} of {system} is {theirs[system][what]!r}, Mensura gives {ours[system][what]!r}")

    # ── timing ───────────────────────────────────────────────────────────────────────────────────────────────────────────

    def against_peers(self, name: str) -> None:
        """One workload, all tools."""
        what, two, one, memory = WORKLOADS[name]
        folder = self.workload(name)
        print(f"\n{name}: {what}{' (reduced)' if self.quick else ''}, {size(folder):.0f} MB", flush=True)
        self.verify(folder, [*MESSY, "interleaved", "gz"] if (folder / "gz").exists() else [])
        ours = self.mensura_means(self.evaluate(folder))
        if "ranx" in self.peers:  # it compiles itself anew for every length that ids have: half a minute that is not counted
            self.try_out("ranx", folder)
        jobs = {
            "mensura, 2 threads": self.evaluate(folder, threads=2),
            "mensura, 1 thread": self.evaluate(folder, threads=1),
        } | {peer: self.peer(peer, folder) for peer in self.peers}
        samples = interleave(jobs, self.repeat, SLOW, limit=self.limit)
        for peer in self.peers:
            if samples[peer]:
                means = json.loads((self.scratch / f"{peer}.json").read_text())
                self.compare(peer, ours, means, lenient=peer in BREAKS_TIES_ITS_OWN_WAY and name in TIED)
        base = samples.get("pytrec_eval") or Samples()
        print(
            indent(table(["", "median s", "best s", "cpu s", "peak MB", "× pytrec_eval", "of bests"], rows(samples, base))),
            flush=True,
        )
        for threads, wanted in ((2, two), (1, one)):
            mine = samples[f"mensura, {threads} thread{'s' * (threads > 1)}"]
            if mine and base:
                self.bar(
                    f"{name}: times as fast as pytrec_eval, {threads} thread{'s' * (threads > 1)}",
                    base.ratio(mine),
                    "≥",
                    wanted,
                    "×",
                )
        if samples["mensura, 2 threads"]:
            self.bar(f"{name}: peak memory", samples["mensura, 2 threads"].megabytes, "≤", memory, " MB")

    def white_space(self, name: str) -> None:
        """Messy white space, and topics whose lines are not together, against clean input."""
        folder = self.workload(name)
        jobs = {style: self.evaluate(folder, style, threads=2) for style in ("clean", *MESSY, "interleaved")}
        samples = interleave(jobs, self.repeat, limit=self.limit)
        print(f"\n{name}: white space, 2 threads", flush=True)
        print(
            indent(
                table(
                    ["", "median s", "best s", "cpu s", "peak MB", "× clean", "of bests"],
                    rows(samples, samples["clean"], slower=True),
                )
            )
        )
        for style in (*MESSY, "interleaved"):
            if samples[style] and samples["clean"]:
                self.bar(f"{name}: {style} against clean", samples[style].ratio(samples["clean"]), "≤", 1.3, "×")

    def compressed(self, name: str) -> None:
        """Compressed input against inflating alone."""
        folder = self.workload(name)
        paths = run_files(folder, "gz")

        def inflate(module: str) -> Job:
            command = [self.python, "-c", INFLATE.format(module=module), *paths]
            return lambda: command

        jobs = {
            "mensura, 2 threads": self.evaluate(folder, "gz", threads=2),
            "mensura, 1 thread": self.evaluate(folder, "gz", threads=1),
            "inflating only, isal.igzip": inflate("isal.igzip"),
            "inflating only, gzip": inflate("gzip"),
        }
        samples = interleave(jobs, self.repeat, limit=self.limit)
        print(f"\n{name}: .gz", flush=True)
        base = samples["inflating only, isal.igzip"]
        print(
            indent(
                table(["", "median s", "best s", "cpu s", "peak MB", "× isal.igzip", "of bests"], rows(samples, base, slower=True))
            )
        )

    def recorded(self, name: str, style: str = "clean") -> None:
        """A file that is written with ``-o``, with and without its record, against standard output."""
        folder = self.workload(name)

        def job(record: str, target: str) -> Job:
            *command, _, _ = self.evaluate(folder, style, threads=2)()
            words = ["env", f"MENSURA_RECORD={record}", *command, target, self.scratch / f"{record}.csv"]
            return lambda: words

        jobs = {"standard output": job("off", ">"), "-o, no record": job("off", "-o"), "-o": job("on", "-o")}
        samples = interleave(jobs, max(self.repeat, 9) if not self.quick else self.repeat, limit=self.limit)
        print(f"\n{name}, {style}: -o, 2 threads", flush=True)
        base = samples["standard output"]
        heads = ["", "median s", "best s", "cpu s", "peak MB", "× standard output", "of bests"]
        print(indent(table(heads, rows(samples, base, slower=True))), flush=True)
        if samples["-o"] and base:
            self.bar(f"{name}, {style}: -o against standard output", samples["-o"].ratio(base), "≤", 1.05, "×")

    def small_things(self) -> None:
        """Time of commands that have little to do."""
        folder = self.workload("S")
        run = run_files(folder, "clean")[0]
        python = self.python
        jobs: dict[str, Job] = {
            "mensura evaluate, 50 × 1000, table": lambda: [self.mensura, "evaluate", folder / "qrels.txt", run],
            "mensura evaluate, 50 × 1000, all topics as csv": lambda: [
                *(self.mensura, "evaluate", folder / "qrels.txt", run, "-m", *MEASURES),
                *("--per-topic", "--format", "csv", ">", self.scratch / "small.csv"),
            ],
            "mensura --help": lambda: [self.mensura, "--help"],
            "python -c 'import mensura, numpy'": lambda: [python, "-c", "import mensura, numpy"],
            "python -c 'import numpy'": lambda: [python, "-c", "import numpy"],
            "python -c 'import mensura'": lambda: [python, "-c", "import mensura"],
            "python -c pass": lambda: [python, "-c", "pass"],
        }
        samples = interleave(jobs, max(self.repeat, 7) if not self.quick else self.repeat, limit=self.limit)
        imports = sorted(import_time(python) for _ in range(self.repeat))
        print("\nSmall things", flush=True)
        cells = [
            [name, f"{s.median:.3f}", f"{s.best:.3f}", f"{s.processor:.3f}", f"{s.megabytes:.0f}"]
            for name, s in samples.items()
            if s
        ]
        print(indent(table(["", "median s", "best s", "cpu s", "peak MB"], cells)))
        print(f"  python -X importtime: mensura after numpy {imports[len(imports) // 2] * 1e3:.1f} ms (median)", flush=True)
        for name in list(jobs)[:2]:
            self.bar(name, samples[name].median, "≤", 0.25, " s")
        self.bar("mensura --help", samples["mensura --help"].median, "≤", 0.3, " s")
        self.bar("import of mensura on top of NumPy", imports[len(imports) // 2], "≤", 0.15, " s")


def run_files(folder: Path, style: str) -> list[Path]:
    """The runs of a workload."""
    return sorted((folder / style).iterdir())


def size(folder: Path) -> float:
    """Megabytes of clean input."""
    return sum(path.stat().st_size for path in [folder / "qrels.txt", *run_files(folder, "clean")]) / 1e6


def rows(samples: dict[str, Samples], base: Samples, *, slower: bool = False) -> list[list[str]]:
    """Lines of a table: how many times as fast as the base, or how many times as slow."""
    lines = []
    for name, mine in samples.items():
        if not mine:
            lines.append([name, *["–"] * 6])
            continue
        cells = [f"{mine.median:.3f}", f"{mine.best:.3f}", f"{mine.processor:.3f}", f"{mine.megabytes:.0f}"]
        if base:
            one, other = (mine, base) if slower else (base, mine)
            cells += [f"{one.ratio(other):.2f}", f"{one.best / other.best:.2f}"]
        else:
            cells += ["–", "–"]
        lines.append([name, *cells])
    return lines


def indent(text: str) -> str:
    """Two blanks before every line."""
    return "\n".join("  " + line for line in text.splitlines())


def import_time(python: Path) -> float:
    """Seconds that importing Mensura takes when NumPy is there already."""
    told = subprocess.run(
        [python, "-X", "importtime", "-c", "import numpy, mensura"], capture_output=True, text=True, check=True
    ).stderr
    line = next(line for line in reversed(told.splitlines()) if line.rsplit("|", 1)[-1].strip() == "mensura")
    return int(line.split("|")[1]) / 1e6


def installed(peers: Sequence[str]) -> list[str]:
    """Those peers that can be imported; the others are named."""
    there = [peer for peer in peers if importlib.util.find_spec(peer) is not None]
    for peer in peers:
        if peer not in there:
            print(f"{peer} is not installed and is left out: pip install 'mensura[bench]'")
    return there


def warm_up(bench: Bench) -> None:
    """Runs every tool on something small, uncounted: byte code is written, and a tool that does not work is found out."""
    small = bench.scratch / "warm-up"
    small.mkdir()
    (small / "clean").mkdir()
    (small / "qrels.txt").write_text("1 0 a 1\n")
    (small / "clean" / "run.txt").write_text("1 Q0 a 1 1.0 run\n1 Q0 b 2 0.5 run\n")
    measure(bench.evaluate(small)(), limit=bench.limit)
    for peer in list(bench.peers):
        bench.try_out(peer, small)


def main() -> None:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workload", nargs="+", choices=WORKLOADS, default=list(WORKLOADS), help="default: all")
    parser.add_argument(
        "--repeat", type=int, default=5, metavar="N", help="rounds; ir_measures and ranx take part in the first only"
    )
    parser.add_argument("--quick", action="store_true", help="a tenth of the size; the bars are not for this")
    parser.add_argument("--peers", nargs="*", choices=PEERS, default=list(PEERS), help="default: all that are installed")
    parser.add_argument("--only", nargs="+", choices=PARTS, help="parts; default: all")
    parser.add_argument("--limit", type=float, default=600.0, metavar="SECONDS", help="longest time for one process")
    parser.add_argument("--mensura", type=Path, default=Path(sys.executable).parent / "mensura", help="the command to time")
    parser.add_argument(
        "--cache", type=Path, default=Path(tempfile.gettempdir()) / "mensura-benchmarks", help="where workloads are kept"
    )
    arguments = parser.parse_args()
    parts = arguments.only or PARTS
    arguments.cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(
            mensura=arguments.mensura,
            repeat=arguments.repeat,
            peers=installed(arguments.peers),
            cache=arguments.cache,
            quick=arguments.quick,
            limit=arguments.limit,
            scratch=Path(scratch),
        )
        machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
        print(f"{machine}, {arguments.repeat} rounds", flush=True)
        warm_up(bench)
        for name in arguments.workload:
            if "peers" in parts:
                bench.against_peers(name)
            if name != "L" and "white-space" in parts:
                bench.white_space(name)
            if name != "L" and "gz" in parts:
                bench.compressed(name)
            for style in ("clean", "gz") if "records" in parts else ():
                if (bench.workload(name) / style).exists():
                    bench.recorded(name, style)
        if "small" in parts:
            bench.small_things()
        print(f"\n{bars(bench.found)}")
        if arguments.quick:
            print("(the bars are for the full size)")


if __name__ == "__main__":
    main()
