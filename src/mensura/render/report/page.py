"""The page: one HTML file with everything in it; its policy names the scripts and styles that run, and nothing is loaded."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.render.charts.draw import bundle
from mensura.render.html import Element, data, html, subscript
from mensura.render.numbers import SMALLEST_P, clean, last_digits
from mensura.render.report.sections import paste
from mensura.render.report.sections.by_topic import by_topic
from mensura.render.report.sections.changes import changes
from mensura.render.report.sections.leaderboard import groups, leaderboard
from mensura.render.report.sections.pairs import pairs
from mensura.render.report.sections.proof import proof

if TYPE_CHECKING:
    from mensura.render.report.measured import PageValues

MOST_VALUES = 300_000  # values on single topics that a page carries


def page(shown: PageValues) -> str:
    """Return the whole page."""
    sections = (
        ("summary", "In short", _summary(shown)),
        ("leaderboard", "Leaderboard", leaderboard(shown)),
        ("groups", "Groups that do not differ", groups(shown)),
        ("pairs", "All pairs", pairs(shown)),
        ("scales", "Original against interval scale", changes(shown)),
        ("transformation-proof", "What is transformation-proof", proof(shown)),
        ("by-topic", "By topic", by_topic(shown)),
        ("methods", "Methods and references", paste.methods(shown)),
        ("tables", "Tables and BibTeX", paste.tables(shown)),
        ("files", "Files", paste.files(shown)),
    )
    kept = [section for section in sections if section[2]]
    links = [Element("li", [Element("a", [title], {"href": f"#{name}"})]) for name, title, _ in kept]
    main = [Element("section", [Element("h2", [title]), *parts], {"id": name, "aria-label": title}) for name, title, parts in kept]
    values, style = _data(shown), _file("report", "static", "report.css")
    script = _file("static", "numbers.js") + _file("report", "static", "report.js")
    title, date, library = clean(shown.report.title), clean(shown.report.date or ""), bundle()
    body = [
        Element("a", ["Skip to the content"], {"href": "#main", "class": "skip"}),
        _header(shown, title, date),
        Element("nav", [Element("ul", links)], {"aria-label": "Contents"}),
        Element("main", main, {"id": "main"}),
        Element("footer", [Element("p", ["Made with Mensura. This page loads nothing from anywhere."])]),
    ]
    policy = _policy(style, script, library)
    written = html(body) + html(Element("script", [data(values)], {"type": "application/json", "id": "data"}))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">'
        f"{html(Element('title', [title]))}<style>{style}</style></head>\n<body>{written}"
        f'<script type="module">{library}</script><script type="module">{script}</script></body>\n</html>\n'
    )


def _file(*path: str) -> str:
    return files("mensura.render").joinpath(*path).read_text(encoding="utf-8")


def _policy(style: str, script: str, library: str) -> str:
    """Scripts and styles run if they are the very ones that were put in, by their digest; nothing is loaded from anywhere."""
    hashes = [f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in (library, script, style)]
    return (
        f"default-src 'none'; script-src {hashes[0]} {hashes[1]}; style-src {hashes[2]}; img-src data:; base-uri 'none'; "
        "form-action 'none'"
    )


def _header(shown: PageValues, title: str, date: str) -> Element:
    first = shown.measured[0]
    what = f"{len(first.names)} systems, {first.topics} topics; {', '.join(each.name for each in shown.measured)}"
    dated = [Element("p", [date], {"class": "date"})] if date else []
    return Element("header", [Element("h1", [title]), Element("p", [what], {"class": "lead"}), *dated])


def _summary(shown: PageValues) -> list[Any]:
    texts = [subscript(text) for text in shown.findings]
    items = [
        item
        for each, text in zip(shown.measured, texts, strict=True)
        for item in (Element("dt", [each.name]), Element("dd", [text]))
    ]
    parts = [Element("dl", items, {"class": "findings"})]
    if shown.warnings:
        warnings = [Element("li", [text]) for text in shown.warnings]
        parts += [Element("h3", ["Before you believe a number"]), Element("ul", warnings, {"class": "warnings"})]
    return parts


def _data(shown: PageValues) -> dict[str, Any]:
    """Data of the script: names, values per topic, and pairs in the order of the ranking."""
    first, scored = shown.measured[0], shown.report.evaluation.scores
    counted = scored[0].counted[0]
    room = max(MOST_VALUES // max(int(counted.sum()) * len(scored), 1), 2)
    kept = sorted(first.ranking[:room])
    upper = np.triu_indices(len(first.names), 1)
    values = [scores.values[np.ix_(kept, counted)].tolist() for scores in scored]  # all digits: the script takes differences
    measures = []
    for at, (each, matrix) in enumerate(zip(shown.measured, shown.matrices, strict=True)):
        measures.append(
            {
                "name": each.name,
                "higher": each.higher,
                "decimals": matrix.decimals,
                "ranking": each.ranking,
                "differences": last_digits(matrix.differences[upper].tolist(), matrix.decimals),
                "p": _p_values(matrix.p[upper]),
                "intervalP": None if matrix.interval_p is None else _p_values(matrix.interval_p[upper]),
                "values": values[at],
            }
        )
    return {
        "systems": list(first.names),
        "kept": kept,
        "topics": [
            shown.report.evaluation.judged.topics[at]
            for at in np.flatnonzero(shown.report.evaluation.scores[0].counted[0]).tolist()
        ],
        "alpha": shown.each[0].alpha,
        "measures": measures,
    }


def _p_values(p: np.ndarray[Any, np.dtype[np.float64]]) -> list[int | None]:
    """P-values in the four decimals that are shown; 0 for those below 0.0001."""
    return last_digits([0.0 if value < SMALLEST_P else value for value in p.tolist()], 4)
