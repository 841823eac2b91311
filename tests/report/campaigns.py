"""Reports for tests: simulated campaigns, and one whose names try to break out of the page."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from mensura import judge
from mensura.report import report
from mensura.study.example import example

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "a' onmouseover='alert(1)",
    "</script><script>alert(2)</script>",
    "</style>&amp;<!-- ]]> -->",
    r"50%_\{$x^2$}~#1&2",
    "javascript:alert(1)\u2028x",
    "\udc80ü–τ_b",
)


def judged(seed=8, systems=8, topics=30):
    with TemporaryDirectory() as folder:
        qrels, runs = example(seed, systems=systems, topics=topics).write(Path(folder))
        return judge(qrels, [str(run) for run in runs])


@cache
def small(**options):
    """Eight systems, thirty topics, three measures; options as report's."""
    return report(judged(), ["nDCG@10", "AP@10", "P@10"], samples=500, **options)


@cache
def large():
    """More systems than fit into a table of pairs, a measure that is better low, and one without an exact interval scale."""
    return report(judged(3, systems=14, topics=12), ["MFR@20", "AP", "RR@10"], samples=200)


@cache
def half_way():
    """Differences such as 0.25 with one decimal and values such as 1/32 with four, which are half-way between two numbers."""
    topics = [f"t{number}" for number in range(4)]
    qrels = {topic: {f"d{number}": number % 2 for number in range(8)} for topic in topics}
    ranks = [[(at >> place) % 3 + at % 2 for place in range(4)] for at in range(14)]
    runs = {
        f"s{at:02}": {
            topic: {f"d{(2 * number + hits) % 8 if number else hits % 8}": 9.0 - number for number in range(1 + hits)}
            for topic, hits in zip(topics, own, strict=True)
        }
        for at, own in enumerate(ranks)
    }
    return report(judge(qrels, runs), ["P@1", "P@64"], samples=100)


@cache
def html(make):
    """The page of one of these reports, made once."""
    return make().html()


@cache
def hostile():
    """Names of systems and topics that are markup, quotes, commands of LaTeX, and bytes that no text can hold."""
    qrels = {name: {"d1": 1, "d2": 0, "d3": 1} for name in HOSTILE}
    runs = {
        name: {topic: {"d1": (at + place) % 3, "d2": 1.5, "d3": (at * place) % 5} for place, topic in enumerate(HOSTILE)}
        for at, name in enumerate(HOSTILE)
    }
    return report(judge(qrels, runs), ["AP@3", "RR@3"], title=HOSTILE[0], date=HOSTILE[3], samples=100)
