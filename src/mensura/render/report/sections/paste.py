"""Text to paste into a paper: methods, table, bibliography; and the files of the report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mensura.render.html import Element, subscript
from mensura.render.latex import as_latex
from mensura.render.numbers import NOTHING, clean
from mensura.render.papers import paper_table
from mensura.render.report.bibtex import bibtex, plain
from mensura.render.report.methods import pasted
from mensura.render.tables import Table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mensura.render.report.measure_works import Reference
    from mensura.render.report.measured import PageValues
    from mensura.render.report.methods import Sentence


def methods(shown: PageValues) -> list[Any]:
    """The paragraph, to read and to paste, with its references."""
    sentences, references = shown.sentences, shown.bibliography
    prose = _prose(sentences, references)
    items = []
    for entry in references:
        doi = dict(entry.fields).get("doi")
        link = [" ", Element("a", [f"doi:{doi}"], {"href": f"https://doi.org/{doi}", "rel": "noreferrer"})] if doi else []
        items.append(Element("li", [plain(entry), *link], {"id": f"ref-{entry.key}"}))
    return [
        Element("p", list(map(subscript, prose)), {"class": "prose"}),
        Element("h3", ["References"]),
        Element("ol", items, {"class": "references"}),
        _block("methods-markdown", "Methods paragraph, Markdown", pasted(sentences, "markdown")),
        _block("methods-latex", "Methods paragraph, LaTeX", pasted(sentences, "latex")),
    ]


def _prose(sentences: Iterable[Sentence], references: Iterable[Reference]) -> list[Any]:
    """The methods paragraph as a reader sees it, with numbers for references."""
    number = {entry.key: str(at) for at, entry in enumerate(references, start=1)}
    parts: list[Any] = []
    for sentence in sentences:
        for part in sentence:
            if isinstance(part, str):
                parts.append(part)
            elif part:
                links = [Element("a", [number[entry.key]], {"href": f"#ref-{entry.key}"}) for entry in part]
                parts += ["\u00a0[", links[0], *(piece for link in links[1:] for piece in (", ", link)), "]"]
        parts.append(" ")
    return parts


def tables(shown: PageValues) -> list[Any]:
    """The table and the bibliography for LaTeX."""
    latex = as_latex(paper_table(shown.each, intervals=True))
    return [
        _block("table-latex", "Leaderboard, LaTeX with booktabs", latex),
        _block("bibtex", "References, BibTeX", bibtex(shown.bibliography)),
    ]


def files(shown: PageValues) -> list[Any]:
    """The files of the report, with their digests."""
    sources = [*([("judgments", shown.report.qrels)] if shown.report.qrels else []), *(("run", run) for run in shown.report.runs)]
    if not sources:
        return []
    names = [clean(source.name) for _, source in sources]
    rows = [(name, kind, Element("code", [source.digest or NOTHING])) for name, (kind, source) in zip(names, sources, strict=True)]
    return [Table(["file", "kind", "SHA-256"], rows, "lll", caption="Files of this report", kind="files")]


def _block(name: str, title: str, text: str) -> Element:
    pre = Element("pre", [Element("code", [text])], {"id": name, "tabindex": "0", "aria-labelledby": f"{name}-title"})
    return Element("div", [Element("h3", [title], {"id": f"{name}-title"}), pre], {"class": "paste", "data-paste": name})
