"""Many threads that read small stretches of the same files give the arrays of one thread.

``./dev sanitize thread`` runs this under ThreadSanitizer, which sees two threads at one place even where no value comes out wrong.
"""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from mensura import judge
from mensura.io import reading

TOPICS = 40
QRELS = "".join(f"q{topic} 0 d{doc} {(topic + doc) % 3}\n" for topic in range(TOPICS) for doc in range(0, 60, 2))


def run(seed: int, *, odd: bool) -> str:
    """A run with ties and, if it is odd, unjudged topics, two tags, columns after the tag, and topics in several places."""
    rng = np.random.default_rng(seed)
    lines = []
    for topic in [*rng.permutation(TOPICS + 3 * odd).tolist()]:
        for rank, doc in enumerate(rng.permutation(60)[: rng.integers(1, 50)].tolist()):
            tail = f"s{seed}b x" if odd and rng.random() < 0.1 else f"s{seed}"
            lines.append(f"q{topic} Q0 d{doc} {rank} {rng.integers(40) / 8} {tail}\n")
    if odd and seed % 2:
        lines = [*lines[::2], *lines[1::2]]
    return "".join(lines)


@pytest.fixture
def files(tmp_path):
    (tmp_path / "qrels.txt").write_text(QRELS)
    for seed in range(6):
        (tmp_path / f"{seed}.run").write_text(run(seed, odd=seed > 2))
    with gzip.open(tmp_path / "6.run.gz", "wt") as file:
        file.write(run(6, odd=False))
    return tmp_path


@pytest.mark.parametrize("stretch", [97, 1000])
def test_threads_on_small_stretches_agree_with_one_thread(files, stretch, monkeypatch):
    runs = sorted(files.glob("*.run*"))
    one = judge(files / "qrels.txt", runs, scores=True, threads=1)
    alone = [judge(files / "qrels.txt", path, scores=True, threads=1) for path in runs]
    monkeypatch.setattr(reading, "STRETCH", stretch)
    monkeypatch.setattr(reading, "CHUNK", 64, raising=False)
    for _ in range(3):
        many = judge(files / "qrels.txt", runs, scores=True, threads=8)
        for name in ("grades", "retrieved", "ties", "scores"):
            np.testing.assert_array_equal(getattr(many, name), getattr(one, name))
        assert many.intake == one.intake
        assert many.extra == one.extra
        for path, expected in zip(
            runs, alone, strict=True
        ):  # a file that is alone is cut into as many stretches as there are threads
            judged = judge(files / "qrels.txt", path, scores=True, threads=8)
            np.testing.assert_array_equal(judged.scores, expected.scores)
            assert {*judged.intake[0].tags} == {*expected.intake[0].tags}
