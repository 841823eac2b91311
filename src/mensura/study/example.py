"""The campaign of the documentation and of ``mensura demo``: small, fixed, and of known quality.

Its numbers are quoted in many places, so it stays as it is; `campaigns` simulates others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mensura.io.writing import make_folder, write_whole

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Example:
    """Text of a campaign's files: judgments, and a run for each system; and the true quality of each."""

    qrels: str
    runs: dict[str, str]
    qualities: dict[str, float]

    def write(self, folder: Path) -> tuple[Path, list[Path]]:
        """Write ``qrels.txt`` and ``runs/<system>.txt``; return their paths."""
        make_folder(folder / "runs")
        write_whole(self.qrels.encode(), folder / "qrels.txt")
        paths = []
        for system, text in self.runs.items():
            paths.append(folder / "runs" / f"{system}.txt")
            write_whole(text.encode(), paths[-1])
        return folder / "qrels.txt", paths


def example(seed: int, systems: int = 8, topics: int = 30, documents: int = 400, depth: int = 100) -> Example:
    """Simulate the campaign.

    Each topic has its own difficulty and number of relevant documents (grades 0 to 3). A system scores a document by its grade
    times the system's quality, plus noise that grows with the topic's difficulty. The first 50 of each ranking are pooled and
    judged.
    """
    generator = np.random.default_rng(seed)
    quality = np.linspace(0.62, 0.38, systems)
    names = [f"sys{chr(ord('A') + number)}" for number in generator.permutation(systems)]
    judgments: list[str] = []
    lines: dict[str, list[str]] = {name: [] for name in sorted(names)}
    for topic in range(1, topics + 1):
        relevant = generator.beta(1, 16, documents) * generator.uniform(0.5, 1.5)
        grades = np.digitize(relevant, (0.12, 0.2, 0.3))
        noise = generator.gamma(6, 0.12)
        scores = quality[:, None] * grades + noise * generator.standard_normal((systems, documents))
        order = np.argsort(-scores, axis=1)[:, :depth]
        pool = np.unique(order[:, :50])
        judgments += [f"{topic} 0 doc{document:04} {grades[document]}" for document in pool]
        for name, ranked, values in zip(names, order, scores, strict=True):
            lines[name] += [
                f"{topic} Q0 doc{document:04} {rank} {values[document]:.6f} {name}" for rank, document in enumerate(ranked, start=1)
            ]
    qualities = dict(sorted(zip(names, quality.tolist(), strict=True)))
    return Example("\n".join(judgments) + "\n", {name: "\n".join(text) + "\n" for name, text in lines.items()}, qualities)


def demo(seed: int = 8) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, dict[str, float]]]]:
    """Return judgments and runs of the campaign of ``mensura demo`` as dicts, to try things out.

    Examples
    --------
    >>> qrels, runs = demo()
    >>> len(qrels), sorted(runs)[:3], qrels["1"]["doc0011"]
    (30, ['sysA', 'sysB', 'sysC'], 3)
    """
    campaign = example(seed)
    qrels: dict[str, dict[str, int]] = {}
    for topic, _, document, grade in map(str.split, campaign.qrels.splitlines()):
        qrels.setdefault(topic, {})[document] = int(grade)
    runs: dict[str, dict[str, dict[str, float]]] = {}
    for system, text in campaign.runs.items():
        for topic, _, document, _, score, _ in map(str.split, text.splitlines()):
            runs.setdefault(system, {}).setdefault(topic, {})[document] = float(score)
    return qrels, runs
