"""Text to paste into a paper: methods, table, bibliography; and what the report was made from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mensura.render.markup import Markup, column, join, subscript, table, tag
from mensura.render.numbers import clean
from mensura.report.bibtex import plain
from mensura.report.methods import sentences

if TYPE_CHECKING:
    from mensura.report.build import Report


def methods(report: Report) -> Markup:
    """The paragraph, to read and to paste, with its references."""
    items = []
    for entry in report.bibliography:
        doi = dict(entry.fields).get("doi")
        link = [" ", tag("a", f"doi:{doi}", href=f"https://doi.org/{doi}", rel="noreferrer")] if doi else []
        items.append(tag("li", plain(entry), *link, id=f"ref-{entry.key}"))
    return join(
        [
            tag("p", _prose(report), class_="prose"),
            tag("h3", "References"),
            tag("ol", *items, class_="references"),
            _block("methods-markdown", "Methods paragraph, Markdown", report.methods()),
            _block("methods-latex", "Methods paragraph, LaTeX", report.methods("latex")),
        ]
    )


def _prose(report: Report) -> Markup:
    """The methods paragraph as a reader sees it, with numbers for references."""
    number = {entry.key: str(at) for at, entry in enumerate(report.bibliography, start=1)}
    parts: list[object] = []
    for sentence in sentences(report):
        for part in sentence:
            if isinstance(part, str):
                parts.append(part)
            elif part.entries:
                links = [tag("a", number[entry.key], href=f"#ref-{entry.key}") for entry in part.entries]
                parts.append("\u00a0[")
                for at, link in enumerate(links):
                    parts += [", ", link] if at else [link]
                parts.append("]")
        parts.append(" ")
    return subscript(join(parts))


def tables(report: Report) -> Markup:
    """The table and the bibliography for LaTeX."""
    return join(
        [
            _block("table-latex", "Leaderboard, LaTeX with booktabs", report.latex()),
            _block("bibtex", "References, BibTeX", report.bibtex()),
        ]
    )


def files(report: Report) -> Markup:
    """The files behind the report, with their digests."""
    sources = [*([("judgments", report.qrels)] if report.qrels else []), *(("run", run) for run in report.runs)]
    if not sources:
        return Markup("")
    rows = [[clean(source.name), kind, tag("code", source.digest or "–")] for kind, source in sources]
    head = [column(text, number=False) for text in ("file", "kind", "SHA-256")]
    return table("Files behind this report", [head], rows, left=3, class_="files")


def _block(name: str, title: str, text: str) -> Markup:
    return tag(
        "div",
        tag("h3", title, id=f"{name}-title"),
        tag("pre", tag("code", text), id=name, tabindex="0", aria_labelledby=f"{name}-title"),
        class_="paste",
        data_paste=name,
    )
