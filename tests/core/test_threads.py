"""Kernels called by many threads at once, with what they share, give the answers of a single thread.

On an interpreter without the global lock nothing but the kernels themselves keeps the threads apart.
"""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import numpy as np
import pytest

from mensura._core import columns, distinct, paired, pairs, rankings, rows
from tests.core.judging import PADDING, feed, index, outcome

THREADS = 8
TIMES = 5
SUFFIX = Path(columns.__file__).suffix
CORE = [f"mensura._core.{path.name.partition('.')[0]}" for path in Path(columns.__file__).parent.glob(f"*{SUFFIX}")]


def at_once(job):
    """The answers of many threads that begin together and repeat the job."""
    barrier = Barrier(THREADS)

    def thread(number):
        barrier.wait()
        return [job(number) for _ in range(TIMES)]

    with ThreadPoolExecutor(THREADS) as pool:
        return [answer for answers in pool.map(thread, range(THREADS)) for answer in answers]


def lines(seed: int) -> tuple[bytes, bytes]:
    """Judgments and a run of 20 topics with 300 documents each, with ties."""
    rng = np.random.default_rng(seed)
    qrels = b"".join(b"%d 0 d%d %d\n" % (t, d, rng.integers(4)) for t in range(20) for d in rng.choice(900, 200, replace=False))
    run = b"".join(b"%d Q0 d%d 0 %.2f tag\n" % (t, d, rng.random()) for t in range(20) for d in rng.choice(900, 300, replace=False))
    return qrels, run


def test_judging_with_the_same_judgments():
    qrels, run = lines(1)
    judgments = index(qrels)
    expected = outcome(feed(judgments, run))
    assert len(expected) == 20
    assert all(answer == expected for answer in at_once(lambda _: outcome(feed(judgments, run[:5000], run[5000:]))))


def test_reading_the_same_text():
    text = lines(2)[1] + PADDING

    def read(_):
        read_columns = columns.Columns(text, is_run=True)
        return read_columns.topics.as_list(), [bytes(column) for column in read_columns.take()]

    expected = read(0)
    assert all(answer == expected for answer in at_once(read))


def test_counting_and_ranking_the_same_arrays():
    rng = np.random.default_rng(3)
    left, right = np.unique(rng.integers(0, 10**6, 3000)), np.unique(rng.integers(0, 10**6, 3000))
    x, y, weight = 2 * np.arange(1, 301), 2 * (1 + rng.permutation(300)), rng.random(300)  # twice the positions
    keys = [b"%d" % i for i in range(300)]

    def count(_):
        merged = np.empty(len(left) + len(right), dtype=np.int64)
        size = distinct.merge(left, right, 0, merged)
        smaller, equal = np.empty(300, dtype=np.int64), np.empty(300, dtype=np.int64)
        rankings.count_before(x, y, smaller, equal)
        grid, shift = pairs.make_grid(left)
        return (
            *(merged[:size].tobytes(), smaller.tobytes(), equal.tobytes(), np.asarray(grid).tobytes(), shift),
            *(rankings.discordant_weight(y, weight), rows.join_rows(b"a,", keys, b",", weight)),
        )

    expected = count(0)
    assert all(answer == expected for answer in at_once(count))


def test_threads_fill_their_own_rows_of_one_array():
    rng = np.random.default_rng(4)
    values, weights = rng.random((THREADS, 100)), rng.random((100, 64))
    sums = np.zeros((THREADS, 64))
    at_once(lambda number: paired.weighted_sums(values, weights, number, number + 1, sums))
    assert np.allclose(sums, values @ weights, rtol=1e-13, atol=0)


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="needs an interpreter without the global lock")
def test_no_module_asks_for_the_global_lock():
    code = f"import sys, {', '.join(CORE)}; sys.exit(sys._is_gil_enabled())"
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)
