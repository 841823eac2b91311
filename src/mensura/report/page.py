"""The page: one HTML file with everything in it, which runs no script and loads nothing but what its policy names."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.render.charts.bundle import bundle
from mensura.render.markup import Markup, data, join, subscript, tag
from mensura.render.numbers import clean
from mensura.report.sections import groups, leaderboard, matrix, paste, proof, scales, topics
from mensura.stats.results import plural

if TYPE_CHECKING:
    from mensura.report.build import Report

MOST_VALUES = 300_000  # values on single topics that a page carries


def page(report: Report) -> str:
    """The whole page."""
    sections = (
        ("summary", "In short", _summary(report)),
        ("leaderboard", "Leaderboard", leaderboard.leaderboard(report)),
        ("groups", "Groups that do not differ", groups.groups(report)),
        ("pairs", "All pairs", matrix.matrix(report)),
        ("scales", "Original against interval scale", scales.scales(report)),
        ("transformation-proof", "What is transformation-proof", proof.proof(report)),
        ("by-topic", "By topic", topics.topics(report)),
        ("methods", "Methods and references", paste.methods(report)),
        ("tables", "Tables and BibTeX", paste.tables(report)),
        ("files", "Files", paste.files(report)),
    )
    kept = [(name, title, body) for name, title, body in sections if body]
    nav = tag("nav", tag("ul", *(tag("li", tag("a", title, href=f"#{name}")) for name, title, _ in kept)), aria_label="Contents")
    main = tag(
        "main", *(tag("section", tag("h2", title), body, id=name, aria_label=title) for name, title, body in kept), id="main"
    )
    style, script, library = _file("report.css"), _file("report.js"), bundle()
    head = join(
        [
            Markup('<meta charset="utf-8">'),
            Markup(f'<meta http-equiv="Content-Security-Policy" content="{_policy(style, script, library)}">'),
            Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
            Markup('<meta name="color-scheme" content="light dark">'),
            tag("title", clean(report.title)),
            Markup(f"<style>{style}</style>"),
        ]
    )
    body = join(
        [
            tag("a", "Skip to the content", href="#main", class_="skip"),
            _header(report),
            nav,
            main,
            tag("footer", tag("p", "Made with Mensura. This page loads nothing from anywhere.")),
            tag("script", data(_data(report)), type="application/json", id="data"),
            Markup(f'<script type="module">{library}</script>'),
            Markup(f'<script type="module">{script}</script>'),
        ]
    )
    return f'<!DOCTYPE html>\n<html lang="en">\n<head>{head}</head>\n<body>{body}</body>\n</html>\n'


def _file(name: str) -> str:
    return files("mensura.report").joinpath("static", name).read_text(encoding="utf-8")


def _policy(style: str, script: str, library: str) -> str:
    """Scripts and styles run if they are the very ones that were put in, by their digest; nothing is loaded from anywhere."""
    hashes = [f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in (library, script, style)]
    return (
        f"default-src 'none'; script-src {hashes[0]} {hashes[1]}; style-src {hashes[2]}; img-src data:; base-uri 'none'; "
        "form-action 'none'"
    )


def _header(report: Report) -> Markup:
    judged = report.evaluation.judged
    topics_ = len(report.comparisons[0].topics)
    what = f"{plural(len(judged.systems), 'system')}, {plural(topics_, 'topic')}; {', '.join(map(str, report.evaluation.measures))}"
    parts: list[object] = [tag("h1", clean(report.title)), tag("p", what, class_="lead")]
    if report.date:
        parts.append(tag("p", clean(report.date), class_="date"))
    return tag("header", *parts)


def _summary(report: Report) -> Markup:
    found = [
        item
        for measure, text in zip(report.evaluation.measures, report.findings, strict=True)
        for item in (tag("dt", str(measure)), tag("dd", subscript(text)))
    ]
    parts: list[object] = [tag("dl", *found, class_="findings")]
    if report.warnings:
        parts += [
            tag("h3", "Before you believe a number"),
            tag("ul", *(tag("li", text) for text in report.warnings), class_="warnings"),
        ]
    return join(parts)


def _data(report: Report) -> dict[str, Any]:
    """What the script needs: names, values per topic, and pairs in the order of the ranking."""
    evaluation = report.evaluation
    counted = evaluation.scores[0].counted[0]
    names = evaluation.judged.systems
    room = max(MOST_VALUES // max(int(counted.sum()) * len(evaluation.scores), 1), 2)
    kept = sorted(report.comparisons[0].ranking[:room])
    measures = []
    for scores, change in zip(evaluation.scores, report.scales, strict=True):
        own, interval, _ = matrix.ordered(change)
        upper = np.triu_indices(len(names), 1)
        measures.append(
            {
                "name": str(scores.measure),
                "higher": scores.measure.direction == "higher",
                "decimals": change.own.decimals,
                "ranking": change.own.ranking,
                "means": [float(f"{mean:.10g}") for mean in change.own.mean.tolist()],
                "p": _ten_thousandths(own[upper]),
                "intervalP": None if interval is None else _ten_thousandths(interval[upper]),
                "values": [[float(f"{value:.8g}") for value in scores.values[system, counted].tolist()] for system in kept],
            }
        )
    return {
        "systems": list(names),
        "kept": kept,
        "topics": list(report.comparisons[0].topics),
        "alpha": report.comparisons[0].alpha,
        "measures": measures,
    }


def _ten_thousandths(p: np.ndarray[Any, np.dtype[np.float64]]) -> list[int]:
    """P-values with the digits that are shown; −1 for those below 0.0001."""
    return [round(value * 10_000) if value >= 0.0001 else -1 for value in p.tolist()]  # noqa: PLR2004
