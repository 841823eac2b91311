"""Times what is held in Python: dicts, data frames and the objects of other tools, against the tool that each is made for.

All in one process and the same run, with one thread, prepared evaluators on both sides, and medians of processor seconds: dicts of
300 × 1000, 3452 × 100 and 6980 × 1000 documents, in order and shuffled, for five measures and for BEIR's 24; one topic with 10
documents; 20 topics with 50 documents, as in a training loop; BEIR's ``EvaluateRetrieval.evaluate``, ir_measures and PyTerrier with
Mensura inside and without; and data frames against the same rows in a file of TREC's format. Values that differ from the peer's
stop the benchmark: a comparison of different answers would be worthless.

BEIR is used where it is installed; ``pip install --no-deps beir`` is enough. Its function spends a fifth to a third of its time in
loops of its own over documents and values, which nothing that it calls can shorten: with an evaluator that takes no time at all it
would be three to five times as fast, and that is shown beside the whole. The bar is for the calls inside it.
"""

from __future__ import annotations

import argparse
import gc
import importlib.util
import logging
import os
import platform
import statistics
import sys
import tempfile
import time
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import ir_measures
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytrec_eval

import mensura
from common.report import Bar, bars, table
from mensura import ir_measures as provider
from mensura import pytrec_eval as drop_in

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Lists = dict[str, dict[str, float]]
    Values = Mapping[str, Mapping[str, float]]

SAME = 1e-9
CUTS = (1, 3, 5, 10, 100, 1000)
FIVE = {"map": "AP", "P_10": "P@10", "ndcg_cut_10": "nDCG@10", "recip_rank": "RR", "recall_1000": "R@1000"}
FAMILIES = {"ndcg_cut": "nDCG", "map_cut": "AP", "recall": "R", "P": "P"}
BEIR = {f"{theirs}_{cut}": f"{ours}@{cut}" for theirs, ours in FAMILIES.items() for cut in CUTS}
SETS = {"five": FIVE, "BEIR's 24": BEIR}
SIZES = ((300, 1000), (3452, 100), (6980, 1000))
THEIRS = ("AP", "P@10", "nDCG@10", "RR", "R@1000")
SHORT = 0.02  # seconds of work that a clock measures well


@dataclass(frozen=True)
class Data:
    """Judgments and a run as dicts."""

    qrels: dict[str, dict[str, int]]
    run: Lists

    @property
    def columns(self) -> dict[str, list[Any]]:
        """The run's rows."""
        rows = [(topic, doc, score) for topic, documents in self.run.items() for doc, score in documents.items()]
        topics, documents, scores = (list(column) for column in zip(*rows, strict=True))
        return {"qid": topics, "docno": documents, "score": scores}


def make(topics: int, documents: int, seed: int, *, shuffled: bool = False) -> Data:
    """Scores as of a dense retriever, documents of a corpus of a million, judgments for some of those that are found.

    Many topics have few judgments each, as those of NQ and of MS MARCO have, and few topics many.
    """
    rng = np.random.default_rng(seed)
    most = 3 if topics > 1000 else 40
    corpus = [f"MARCO_{number}" for number in rng.permutation(10_000_000)[:1_000_000].tolist()]
    qrels, run = {}, {}
    for number in range(topics):
        chosen = rng.choice(len(corpus), documents, replace=False) if documents < 100 else rng.integers(0, len(corpus), documents)
        names = list(dict.fromkeys(corpus[at] for at in chosen.tolist()))
        scores = np.sort(rng.gamma(8.0, 2.0, len(names)))[::-1].tolist()
        pairs = list(zip(names, scores, strict=True))
        relevant = rng.choice(len(names), min(len(names), int(rng.integers(1, most))), replace=False).tolist()
        topic = f"q{100_000 + number}"
        qrels[topic] = {names[at]: int(grade) for at, grade in zip(relevant, rng.integers(0, 4, len(relevant)), strict=True)}
        qrels[topic] |= {corpus[at]: 1 for at in rng.integers(0, len(corpus), most // 3).tolist()}
        if shuffled:
            pairs = [pairs[at] for at in rng.permutation(len(pairs)).tolist()]
        run[topic] = dict(pairs)
    return Data(qrels, run)


@dataclass
class Bench:
    """The settings, and the bars that were found met or missed so far."""

    repeat: int
    quick: bool
    found: list[Bar] = field(default_factory=list)
    lines: list[list[str]] = field(default_factory=list)

    def compare(
        self, what: str, jobs: dict[str, Callable[[], object]], *, peer: str, least: float = 0.0, most: float = 0.0
    ) -> None:
        """Times jobs in turns, and asks that the others are ``least`` times as fast as the peer, or take ``most`` times as long."""
        seconds = timed(jobs, self.repeat)
        for name, mine in seconds.items():
            ratio = seconds[peer] / mine
            self.lines.append([f"{what}: {name}", f"{mine * 1e3:.4g}", f"{1 / ratio:.2f}" if most else f"{ratio:.2f}"])
            print(f"  {what}: {name}: {mine * 1e3:.4g} ms, {ratio:.2f} × as fast as {peer}", flush=True)
            if name != peer and least:
                self.found.append(Bar(f"{what}: {name}", ratio, "≥", least, "×"))
            elif name != peer and most:
                self.found.append(Bar(f"{what}: {name}", 1 / ratio, "≤", most, "×"))


def timed(jobs: dict[str, Callable[[], object]], repeat: int) -> dict[str, float]:
    """Median processor seconds of each job, measured in turns after one that does not count."""
    samples: dict[str, list[float]] = {name: [] for name in jobs}
    often = {name: max(1, round(SHORT / max(once(job, 1), 1e-7))) for name, job in jobs.items()}
    gc.collect()
    gc.disable()
    for _ in range(repeat):
        for name, job in jobs.items():
            samples[name].append(once(job, often[name]))
    gc.enable()
    return {name: statistics.median(each) for name, each in samples.items()}


def once(job: Callable[[], object], often: int) -> float:
    """Processor seconds of one call, a mean over some."""
    start = time.process_time()
    for _ in range(often):
        job()
    return (time.process_time() - start) / often


def check(what: str, ours: Values, theirs: Values, names: dict[str, str] | None = None) -> None:
    """Stops if the values of topics differ."""
    if ours.keys() != theirs.keys():
        sys.exit(f"{what}: there are values for other topics than the peer's: the comparison is worth nothing")
    for topic, values in theirs.items():
        for name, value in values.items():
            mine = ours[topic][names[name] if names else name]
            if not abs(mine - value) <= SAME:
                sys.exit(f"{what}: {name} of topic {topic} is {mine}, not {value}: the comparison is worth nothing")


def dicts(bench: Bench, size: str, data: Data, least: float) -> None:
    """An evaluator and the drop-in against pytrec_eval."""
    for title, names in SETS.items():
        what = f"dicts, {size}, {title}"
        theirs = pytrec_eval.RelevanceEvaluator(data.qrels, set(names))
        ours = mensura.Evaluator(data.qrels, list(names.values()), compat="trec_eval-9")
        dropped = drop_in.RelevanceEvaluator(data.qrels, set(names))
        expected = theirs.evaluate(data.run)
        check(what, ours.by_topic(data.run), expected, names)
        check(what, dropped.evaluate(data.run), expected)
        del expected
        jobs: dict[str, Callable[[], object]] = {
            "pytrec_eval": lambda peer=theirs: peer.evaluate(data.run),  # type: ignore[misc]
            "Evaluator": lambda own=ours: own.by_topic(data.run),  # type: ignore[misc]
            "mensura.pytrec_eval": lambda own=dropped: own.evaluate(data.run),  # type: ignore[misc]
        }
        bench.compare(what, jobs, peer="pytrec_eval", least=least)


def with_beir(bench: Bench, topics: int, documents: int, data: Data) -> None:
    """BEIR's own function, with pytrec_eval and with the drop-in in its place."""
    if importlib.util.find_spec("beir") is None:
        print("beir is not installed and is left out: pip install --no-deps beir", flush=True)
        return
    logging.disable(logging.INFO)
    from beir.retrieval import evaluation

    def using(module: Any) -> Any:
        evaluation.pytrec_eval = module
        return evaluation.EvaluateRetrieval.evaluate(data.qrels, data.run, list(CUTS))

    if using(pytrec_eval) != using(drop_in):
        sys.exit("BEIR's figures differ: the comparison is worth nothing")
    names = {f"{family}." + ",".join(map(str, CUTS)) for family in FAMILIES}
    values = pytrec_eval.RelevanceEvaluator(data.qrels, names).evaluate(data.run)
    given = SimpleNamespace(RelevanceEvaluator=lambda *_: SimpleNamespace(evaluate=lambda _: values))
    jobs: dict[str, Callable[[], object]] = {
        "with pytrec_eval": lambda: using(pytrec_eval),
        "with mensura.pytrec_eval": lambda: using(drop_in),
        "its own loops alone, the most that any evaluator can reach": lambda: using(given),
    }
    bench.compare(f"BEIR's evaluate, {topics} × {documents}", jobs, peer="with pytrec_eval")
    jobs = {
        name: lambda module=module: module.RelevanceEvaluator(data.qrels, names).evaluate(data.run)  # type: ignore[misc]
        for name, module in (("pytrec_eval", pytrec_eval), ("mensura.pytrec_eval", drop_in))
    }
    bench.compare(f"its calls of pytrec_eval, {topics} × {documents}", jobs, peer="pytrec_eval", least=5)


def with_ir_measures(bench: Bench, topics: int, documents: int, data: Data) -> None:
    """ir_measures' own provider and Mensura's."""
    measures = [ir_measures.parse_measure(name) for name in THEIRS]
    theirs = ir_measures.pytrec_eval.evaluator(measures, data.qrels)
    ours = provider.MensuraProvider().evaluator(measures, data.qrels)
    expected, means = {}, theirs.calc_aggregate(data.run)
    for metric in theirs.iter_calc(data.run):
        expected.setdefault(metric.query_id, {})[str(metric.measure)] = metric.value
    values: dict[str, dict[str, float]] = {}
    for metric in ours.iter_calc(data.run):
        values.setdefault(metric.query_id, {})[str(metric.measure)] = metric.value
    check("ir_measures", values, expected)
    check("ir_measures", {"mean": ours.calc_aggregate(data.run)}, {"mean": means})
    for what, least in (("calc_aggregate", 5), ("iter_calc", 3)):
        jobs: dict[str, Callable[[], object]] = {
            "its own provider": lambda what=what: exhausted(getattr(theirs, what)(data.run)),  # type: ignore[misc]
            "mensura.ir_measures": lambda what=what: exhausted(getattr(ours, what)(data.run)),  # type: ignore[misc]
        }
        bench.compare(f"ir_measures {what}, {topics} × {documents}", jobs, peer="its own provider", least=least)


def exhausted(values: Any) -> Any:
    """A result; of an iterator, all that it yields."""
    return values if isinstance(values, dict) else list(values)


def with_pyterrier(bench: Bench, topics: int, documents: int, data: Data) -> None:
    """``pt.Evaluate`` and ours, on PyTerrier's frames."""
    if importlib.util.find_spec("pyterrier") is None:
        print("python-terrier is not installed and is left out: pip install 'mensura[bench]'", flush=True)
        return
    import pyterrier as pt

    run = pd.DataFrame({**data.columns, "query": "text"})
    run["docid"] = range(len(run))
    run["rank"] = run.groupby("qid").cumcount()
    qrels = pd.DataFrame(
        [(topic, doc, grade) for topic, judged in data.qrels.items() for doc, grade in judged.items()],
        columns=["qid", "docno", "label"],
    )
    measures = [ir_measures.parse_measure(name) for name in THEIRS]
    prepared = mensura.Evaluator(qrels, list(THEIRS), compat="trec_eval-9")
    check("PyTerrier", {"mean": prepared.means(run)}, {"mean": pt.Evaluate(run, qrels, measures)})

    def ours() -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return mensura.evaluate(qrels, run, list(THEIRS), compat="trec_eval-9", threads=1)

    jobs: dict[str, Callable[[], object]] = {"pt.Evaluate": lambda: pt.Evaluate(run, qrels, measures), "mensura.evaluate": ours}
    bench.compare(f"PyTerrier's frames, {topics} × {documents}", jobs, peer="pt.Evaluate", least=5)


def frames(bench: Bench, topics: int, documents: int, data: Data, scratch: Path) -> None:
    """Tables against the same rows as a file of TREC's format."""
    columns = data.columns
    trec, parquet = scratch / "run.txt", scratch / "run.parquet"
    with trec.open("w") as file:
        for topic, listed in data.run.items():
            file.writelines(f"{topic} Q0 {doc} {rank} {score!r} run\n" for rank, (doc, score) in enumerate(listed.items(), 1))
    arrow = pa.table(columns)
    pq.write_table(arrow, parquet)
    prepared = mensura.read_qrels(data.qrels)
    inputs: dict[str, Any] = {
        "a TREC file": trec,
        "pandas": pd.DataFrame(columns),
        "polars": pl.DataFrame(columns),
        "Arrow": arrow,
        "Parquet": parquet,
    }

    def evaluated(run: Any) -> dict[str, float]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            (means,) = mensura.evaluate(prepared, run, list(FIVE.values()), threads=1).means().values()
            return means

    expected = {"mean": evaluated(trec)}
    for name, run in inputs.items():
        check(name, {"mean": evaluated(run)}, expected)
    jobs = {name: lambda run=run: evaluated(run) for name, run in inputs.items()}  # type: ignore[misc]
    bench.compare(f"tables, {topics} × {documents}", jobs, peer="a TREC file", most=1.5)  # type: ignore[arg-type]


def main() -> None:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="rounds (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the data (default: %(default)s)")
    parser.add_argument("--quick", action="store_true", help="without 6980 × 1000")
    parts = ("dicts", "small", "beir", "ir_measures", "pyterrier", "tables")
    parser.add_argument("--only", nargs="+", choices=parts, default=list(parts), help="parts; default: all")
    arguments = parser.parse_args()
    bench = Bench(arguments.repeat, arguments.quick)
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, {bench.repeat} rounds, one thread")
    for topics, documents in SIZES[: 2 if bench.quick else 3]:
        for shuffled in (False, True) if "dicts" in arguments.only else (False,):
            data = make(topics, documents, arguments.seed, shuffled=shuffled)
            if "dicts" in arguments.only:
                dicts(bench, f"{topics} × {documents}{', shuffled' if shuffled else ''}", data, 4)
            if shuffled or topics > 4000:
                continue
            if "beir" in arguments.only:
                with_beir(bench, topics, documents, data)
            if "ir_measures" in arguments.only:
                with_ir_measures(bench, topics, documents, data)
            if "pyterrier" in arguments.only:
                with_pyterrier(bench, topics, documents, data)
            if "tables" in arguments.only:
                with tempfile.TemporaryDirectory() as scratch:
                    frames(bench, topics, documents, data, Path(scratch))
    if "small" in arguments.only:
        dicts(bench, "1 × 10", make(1, 10, arguments.seed), 0.5)
        dicts(bench, "20 × 50", make(20, 50, arguments.seed), 2)
    print(f"\n{table(['median processor time', 'ms', 'ratio'], bench.lines)}\n\n{bars(bench.found)}")


if __name__ == "__main__":
    main()
