"""Comparisons of runs in files without values of topics: these are paired as parts of the runs arrive, added up, and dropped."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.engines.choice import opened
from mensura.engines.engine import Threads
from mensura.engines.threads import thread_count
from mensura.errors import StatisticsError
from mensura.io.columns import name_order, to_bytes
from mensura.ledger.counting import is_kept
from mensura.measures.names import parse_measures
from mensura.pieces.evaluating import highest_of
from mensura.pieces.files import RunFiles
from mensura.pieces.merging import CHUNK, empty_values
from mensura.pieces.partial import check_sums
from mensura.scales.facts import bases_among
from mensura.stats.arrays import make_pairs
from mensura.stats.draws import FEWEST, LONGEST, PATIENCE
from mensura.stats.summed import PairDesign, numbers_of, sums_of
from mensura.stats.summed_tests import SumTest, compare_sums

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from mensura.io.columns import Qrels
    from mensura.io.reading import Compat
    from mensura.measures.base import Measure
    from mensura.stats.compared import Comparisons
    from mensura.stats.summed import PairSums

PER_TOPIC, PER_ROW = 0.7e-9, 0.1e-9  # seconds for each draw: of a topic's weight, and of a sum under it
HELD = 1 << 30  # bytes of sums under random weights
NOT_COUNTED = "these tests were not counted in the ledger: it knows runs by the grades of all topics, which were not kept"


def compare_streamed(
    qrels: Any,
    runs: Any,
    measures: str | Measure | Iterable[str | Measure],
    *,
    baseline: str | Sequence[str] | None = None,
    test: str = "auto",
    correction: str = "auto",
    alpha: float = 0.05,
    prior_tests: int = 0,
    compat: Compat = "trec_eval-10",
    samples: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    engine: Any = None,
    progress: Callable[[int, int], None] | None = None,
) -> Comparisons:
    """Compare runs with more topics than memory holds values of: the result of :func:`mensura.compare` from sums over topics.

    The values of a topic are kept until all runs have it: runs with the same order of topics, whatever it is, need no memory for
    them. A run whose topics are not together is shuffled by topic.

    Means, t, sign and their corrections are those of :func:`mensura.compare`; random draws weight
    a topic by its name, so they are other draws than there, and the same for any order, cut and engine.

    Parameters
    ----------
    qrels, runs, measures, compat, threads, engine
        As for :func:`mensura.evaluate`; all judged topics count.
    baseline, correction, alpha, prior_tests, seed
        As for :func:`mensura.compare`.
    test
        ``t``, ``sign``, ``randomisation``, ``bootstrap``, or by default ``bootstrap-t``; others need the values of all topics.
    samples
        Number of random draws; by default 10 000, more if α could not be reached, fewer where they would take long.
    progress
        Is told how many parts of how many are done.

    Examples
    --------
    >>> qrels = {"q1": {"a": 1}, "q2": {"b": 1}}
    >>> runs = {"A": [("q1", "a", 1.0), ("q2", "b", 1.0)], "B": [("q1", "b", 1.0), ("q2", "b", 1.0)]}
    >>> compare_streamed(qrels, runs, "RR", test="sign")["RR"]["A", "B"].wins
    1
    """
    names = None if baseline is None else [baseline] if isinstance(baseline, str) else list(baseline)
    question = Streamed(test, correction, alpha, prior_tests, samples, seed)
    return question.compare(qrels, runs, measures, names, compat=compat, threads=threads, engine=engine, progress=progress)


@dataclass(frozen=True)
class Streamed:
    """Options of :func:`compare_streamed`."""

    test: str = "auto"
    correction: str = "auto"
    alpha: float = 0.05
    prior_tests: int = 0
    samples: int | None = None
    seed: int = 0

    def compare(
        self,
        qrels: Any,
        runs: Any,
        measures: str | Measure | Iterable[str | Measure],
        baselines: list[str] | None,
        *,
        compat: Compat = "trec_eval-10",
        threads: int | None = None,
        engine: Any = None,
        progress: Callable[[int, int], None] | None = None,
        choose: Callable[[list[str], Sequence[str], Sequence[str]], Sequence[str] | None] | None = None,
    ) -> Comparisons:
        """Compare runs; ``choose`` finds the names of baselines among the systems and the paths of their runs."""
        plan, parsed = SumTest.of(self.test, self.correction), tuple(parse_measures(measures))
        check_sums(parsed)
        sums: PairSums | None = None
        with opened(engine, threads) as spreading:
            files = RunFiles(qrels, runs, list(parsed), compat, spreading or Threads(threads))
            judgments = files.qrels
            number = len(files.inputs)
            pairs = len(make_pairs(number, list(range(min(len(baselines or ()), number))) or None))
            rows = len(parsed) * (number + pairs * (plan.kind == "bootstrap"))
            least = plan.samples(pairs, len(parsed), self.prior_tests, self.alpha, self.samples)
            draws = affordable(least, len(judgments.topics), rows, threads, asked=self.samples is not None)

            def design() -> PairDesign:
                """The systems by their names, which are known when every run has had a topic."""
                systems = tuple(files.names[row] for row in name_order(files.names))
                paths = [run.name for run in files.inputs]
                chosen = choose(baselines, files.names, paths) if baselines and choose is not None else baselines
                return PairDesign(parsed, systems, numbers_of(systems, chosen), plan.kind, draws, self.seed)

            while files.unread:
                alignment, sums = Alignment(judgments, parsed, number), None
                with files.attempt():
                    for run, part in files.read(progress, keep=True):
                        if part.values is not None:
                            alignment.add(run, part.numbers, part.values)
                        block = alignment.ready()
                        if block is not None:
                            sums = _plus(sums, _summed(block, judgments, design(), files, threads))
        remarks = files.means("judged").remarks
        for block in alignment.rest():
            sums = _plus(sums, _summed(block, judgments, design(), files, threads))
        if sums is None:
            raise StatisticsError("a comparison needs at least 1 topic, got 0")
        lengths = [part.counts["shortest"] for part in files.sums if part.counts["shortest"]]
        sums = replace(
            sums,
            length=max(part.length for part in files.sums),
            highest=highest_of(judgments),
            lengths=(min(lengths, default=0), max(part.counts["longest"] for part in files.sums)),
        )
        return compare_sums(
            sums,
            test=self.test,
            correction=self.correction,
            alpha=self.alpha,
            prior_tests=self.prior_tests,
            recall_bases=[bases_among(each, judgments.recall_base) if each.uses_recall_base else None for each in parsed],
            remarks=remarks,
            notes=(NOT_COUNTED,) if is_kept() else (),
        )


Block = tuple["NDArray[np.int64]", "NDArray[np.float64]"]


class Alignment:
    """Values of topics that wait until all runs have them.

    A block that is ready has numbers of topics, ascending, and their values [measure, run, topic].
    """

    def __init__(self, qrels: Qrels, measures: Sequence[Measure], runs: int) -> None:
        self.qrels, self.measures, self.runs = qrels, measures, runs
        self._arrived = np.zeros(len(qrels.topics), dtype=np.int32)
        self._waiting: list[list[Block]] = [[] for _ in range(runs)]
        self._ready = self._held = 0

    def add(self, run: int, numbers: NDArray[np.int64], values: NDArray[np.float64]) -> None:
        """Take the values [measure, topic] of a part of a run."""
        self._arrived[numbers] += 1
        self._ready += int(np.count_nonzero(self._arrived[numbers] == self.runs))
        self._held += len(numbers)
        self._waiting[run].append((numbers, values))

    def ready(self) -> Block | None:
        """The topics that all runs have; ``None`` while they are few among those that wait, as looking for them takes time."""
        if not self._ready or 4 * self._ready * self.runs < self._held:
            return None
        columns = []
        for run, waiting in enumerate(self._waiting):
            numbers, values = _joined(waiting, len(self.measures))
            done = self._arrived[numbers] == self.runs
            some = np.flatnonzero(done)
            some = some[np.argsort(numbers[some], kind="stable")]
            columns.append((numbers[some], values[:, some]))
            self._waiting[run] = [(numbers[~done], values[:, ~done])]
        self._held -= self._ready * self.runs
        self._ready = 0
        self._arrived[columns[0][0]] = 0
        self._arrived[columns[0][0]] -= 1  # added up
        return columns[0][0], np.stack([values for _, values in columns], axis=1)

    def rest(self) -> Iterator[Block]:
        """All other judged topics, some at a time: a run that does not have one has an empty list there."""
        columns = []
        for waiting in self._waiting:
            numbers, values = _joined(waiting, len(self.measures))
            order = np.argsort(numbers, kind="stable")
            columns.append((numbers[order], values[:, order]))
        left = np.flatnonzero(self._arrived >= 0)
        highest = highest_of(self.qrels)
        for start in range(0, len(left), CHUNK):
            numbers = left[start : start + CHUNK]
            empty = empty_values(self.qrels, numbers, self.measures, highest)[: len(self.measures)]
            table = np.repeat(empty[:, None], self.runs, axis=1)
            for run, (there, values) in enumerate(columns):
                some = slice(*np.searchsorted(there, [numbers[0], numbers[-1] + 1]).tolist())
                table[:, run, np.searchsorted(numbers, there[some])] = values[:, some]
            yield numbers, table


def _joined(blocks: list[Block], measures: int) -> Block:
    if not blocks:
        return np.zeros(0, dtype=np.int64), np.zeros((measures, 0))
    return np.concatenate([numbers for numbers, _ in blocks]), np.concatenate([values for _, values in blocks], axis=1)


def _summed(block: Block, qrels: Qrels, design: PairDesign, files: RunFiles, threads: int | None) -> PairSums:
    numbers, values = block
    names = [to_bytes(qrels.topics[number]) for number in numbers.tolist()]
    return sums_of(np.ascontiguousarray(values[:, name_order(files.names)]), names, design, threads=threads)


def _plus(sums: PairSums | None, more: PairSums) -> PairSums:
    return more if sums is None else sums + more


def affordable(draws: int, topics: int, rows: int, threads: int | None, *, asked: bool) -> int:
    """The number of draws, or fewer if they would take long and nobody ``asked`` for them; more than a day is refused.

    ``rows`` are the sums that every draw has.
    """
    each = topics * (PER_TOPIC + rows * PER_ROW)
    fits = HELD // (8 * rows)
    if not asked:
        return min(max(min(draws, int(PATIENCE / each)), min(draws, FEWEST)), max(fits, 1)) if draws else 0
    seconds = draws * each / thread_count(threads)
    if seconds > LONGEST:
        raise StatisticsError(
            f"samples={draws} draws of {topics} topics would take about {seconds / LONGEST:.0f} days; use at most "
            f"samples={int(draws * LONGEST / seconds)}, or test='t'"
        )
    if draws > fits:
        raise StatisticsError(
            f"sums of samples={draws} draws for {rows} systems and pairs would take {8e-9 * rows * draws:.0f} GB; "
            f"name a baseline, or use at most samples={fits}"
        )
    return draws
