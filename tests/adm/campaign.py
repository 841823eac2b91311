"""A small simulated campaign with scores."""

from __future__ import annotations

from functools import cache

from mensura import judge
from mensura.study.example import example


@cache
def campaign():
    """Judged runs with scores: 8 systems, 12 topics, 4 grades, lists of 40."""
    made = example(3, topics=12, documents=120, depth=40)
    qrels: dict[str, dict[str, int]] = {}
    for line in made.qrels.splitlines():
        topic, _, document, grade = line.split()
        qrels.setdefault(topic, {})[document] = int(grade)
    runs: dict[str, dict[str, dict[str, float]]] = {}
    for name, text in made.runs.items():
        for line in text.splitlines():
            topic, _, document, _, score, _ = line.split()
            runs.setdefault(name, {}).setdefault(topic, {})[document] = float(score)
    return judge(qrels, runs, scores=True)
