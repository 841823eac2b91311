"""The pages of a committee: a table of papers and P3's ten points, and a page for each paper, as Markdown and as HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import markupsafe

from mensura.lint.checklist import CHECKLIST, CLEAR, FOUND, UNKNOWN, Point
from mensura.render.escapes import markdown, markdown_cell, visible
from mensura.render.tables import Table, as_text, csv_text

if TYPE_CHECKING:
    from collections.abc import Iterator

SIGNS = {FOUND: "●", CLEAR: "○", UNKNOWN: "·"}
LEGEND = "● found, ○ not found, · cannot be told"
NOTE = (
    "What lint finds is a reason to look, not a verdict: each place is quoted, and every point has objections (mensura explain CODE). "
    "“Not found” means that the paper speaks of the point and lint finds no mistake; “cannot be told” that lint reads nothing about it, or that one of its rules is left out."
)
STYLE = """
:root { color-scheme: light dark; --line: #8886; --soft: #8882; --found: #b3400f; --clear: #2d6a3f; }
@media (prefers-color-scheme: dark) { :root { --found: #ff9a66; --clear: #7fd095; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; } th, td { padding: .3rem .5rem; border-bottom: 1px solid var(--line); text-align: center; }
th:first-child, td:first-child { text-align: left; } thead th { position: sticky; top: 0; background: Canvas; font-weight: 600; }
tbody tr:hover { background: var(--soft); }
.found { color: var(--found); font-weight: 600; } .not-found { color: var(--clear); }
blockquote { margin: .3rem 0 .3rem 1rem; padding-left: .7rem; border-left: 3px solid var(--line); }
.where { opacity: .75; font-size: .9rem; } fieldset { border: 1px solid var(--line); border-radius: .4rem; margin: .8rem 0; }
label { margin-right: 1.2rem; } textarea { width: 100%; box-sizing: border-box; font: inherit; } .wide { overflow-x: auto; }
"""


def all_pages(results: list[dict[str, Any]], notes: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the path and the text of every page; ``notes`` name the files that were passed over."""
    yield "index.md", index_markdown(results, notes)
    yield "index.html", index_html(results, notes)
    yield "index.csv", index_csv(results)
    for result in results:
        yield f"papers/{result['slug']}.md", paper_markdown(result)
        yield f"papers/{result['slug']}.html", paper_html(result)


def index_text(results: list[dict[str, Any]], notes: list[str]) -> str:
    """Return the table for a terminal."""
    header = ["paper", *(point.section[2:] for point in CHECKLIST), "numbers"]
    rows = [[result["slug"][:40], *map(SIGNS.__getitem__, _verdicts(result)), len(result["numbers"]) or ""] for result in results]
    lines = [f"Points 1 to 10 of P3 §2: {LEGEND}.", *(f"Passed over: {note}." for note in notes)]
    return as_text(Table(header, rows)) + "\n" + "".join(f"{line}\n" for line in lines)


def _verdicts(result: dict[str, Any]) -> list[str]:
    return [result["points"][point.section]["verdict"] for point in CHECKLIST]


def index_csv(results: list[dict[str, Any]]) -> str:
    """Return the table as csv: one row for each paper."""
    header = ["paper", "title", *(f"P3 {point.section}" for point in CHECKLIST), "numbers", "problem"]
    return csv_text(
        header,
        [
            [result["slug"], visible(result["title"]), *_verdicts(result), len(result["numbers"]), visible(result["problem"])]
            for result in results
        ],
    )


def index_json(results: list[dict[str, Any]], notes: list[str]) -> dict[str, Any]:
    """Return the table for programs."""
    papers = [
        {
            "paper": result["slug"],
            "path": result["path"],
            "title": result["title"],
            "points": {point.section: verdict for point, verdict in zip(CHECKLIST, _verdicts(result), strict=True)},
            "numbers": len(result["numbers"]),
            "problem": result["problem"],
        }
        for result in results
    ]
    return {"papers": papers, "passed_over": notes}


def index_markdown(results: list[dict[str, Any]], notes: list[str]) -> str:
    """Return the table as Markdown, with links to the papers' pages."""
    lines = [
        "# Papers and the ten points of P3",
        "",
        f"{len(results)} papers. {LEGEND}. {NOTE}",
        "",
        "| paper | " + " | ".join(point.section for point in CHECKLIST) + " | numbers |",
        "|---" * (len(CHECKLIST) + 2) + "|",
    ]
    for result in results:
        signs = " | ".join(map(SIGNS.__getitem__, _verdicts(result)))
        lines.append(
            f"| [{markdown_cell(result['title'])}](papers/{result['slug']}.md) | {signs} | {len(result['numbers']) or ''} |"
        )
    lines += ["", *(f"- {point.section}: {point.question}" for point in CHECKLIST), ""]
    lines += [f"Passed over: {markdown(note)}.\n" for note in notes]
    return "\n".join(lines)


def paper_markdown(result: dict[str, Any]) -> str:
    """Return the page of a paper as Markdown: each point with its places, then the checklist, filled in as far as it can be."""
    lines = [f"# {_plain(result['title'])}", "", _plain(result["path"]), "", NOTE, ""]
    if result["problem"]:
        lines += [f"Not read: {_plain(result['problem'])}.", ""]
    for point in CHECKLIST:
        state = result["points"][point.section]
        lines += [f"## {point.section}: {state['verdict']}", "", point.question, ""]
        for finding in state["findings"]:
            lines += _finding_lines(finding)
    if result["numbers"]:
        lines += ["## Numbers that do not fit each other", ""]
        for finding in result["numbers"]:
            lines += _finding_lines(finding)
    lines += ["## Checklist for the authors", "", "Filled in as far as the text could be read; please correct it.", ""]
    for number, point in enumerate(CHECKLIST, start=1):
        state = result["points"][point.section]
        ticks = " ".join(f"[{'x' if state['answer'] == answer else ' '}] {answer}" for answer in ("yes", "no", "not applicable"))
        lines.append(f"{number}. {point.question} {ticks}")
        lines += [f"   - read: {_plain(quote)}" for quote in state["quotes"]]
        lines.append("   - comment:")
    return "\n".join([*lines, ""])


def _finding_lines(finding: dict[str, Any]) -> list[str]:
    lines = [f"- **{finding['code']} {finding['name']}**: {finding['message']}."]
    for place in finding["places"]:
        lines.append(f"  - {_where(place)}: {_plain(place['words'])}")
        if place["quote"]:
            lines.append(f"    > {_plain(place['quote'])}")
    rest = finding["count"] - len(finding["places"])
    return [*lines, *([f"  - and {rest} more"] if rest else []), ""]


def _where(place: dict[str, Any]) -> str:
    page = f"page {place['page']}, " if place["page"] else ""
    return f"{page}line {place['line']}"


def _plain(text: str) -> str:
    """A text of one line without characters that mean something in Markdown."""
    return markdown(" ".join(text.split()))


def escape(text: str) -> str:
    """A text without characters that mean something in HTML, or that nobody sees."""
    return str(markupsafe.escape(visible(text, "\n")))


def index_html(results: list[dict[str, Any]], notes: list[str]) -> str:
    """Return the table as a page."""
    head = "".join(f'<th scope="col" title="{escape(point.question)}">{point.section}</th>' for point in CHECKLIST)
    rows = []
    for result in results:
        cells = "".join(
            f'<td class="{_class(verdict)}" title="{verdict}"><span aria-hidden="true">{SIGNS[verdict]}</span></td>'
            for verdict in _verdicts(result)
        )
        link = f'<a href="papers/{escape(result["slug"])}.html">{escape(result["title"])}</a>'
        rows.append(f'<tr><th scope="row">{link}</th>{cells}<td>{len(result["numbers"]) or ""}</td></tr>')
    questions = "".join(f"<li>{point.section}: {escape(point.question)}</li>" for point in CHECKLIST)
    body = (
        f"<h1>Papers and the ten points of P3</h1><p>{len(results)} papers. {LEGEND}. {NOTE}</p>"
        f'<div class="wide"><table><thead><tr><th scope="col">paper</th>{head}<th scope="col">numbers</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div><ul>{questions}</ul>"
        + "".join(f"<p>Passed over: {escape(note)}.</p>" for note in notes)
    )
    return _page("Papers and the ten points of P3", body)


def paper_html(result: dict[str, Any]) -> str:
    """Return the page of a paper, with the checklist as a form."""
    parts = [
        f'<p><a href="../index.html">All papers</a></p><h1>{escape(result["title"])}</h1>',
        f"<p><code>{escape(result['path'])}</code></p><p>{NOTE}</p>",
    ]
    if result["problem"]:
        parts.append(f"<p><strong>Not read: {escape(result['problem'])}.</strong></p>")
    for point in CHECKLIST:
        state = result["points"][point.section]
        parts.append(
            f'<h2>{point.section}: <span class="{_class(state["verdict"])}">{state["verdict"]}</span></h2><p>{escape(point.question)}</p>'
        )
        parts += map(_finding_html, state["findings"])
    if result["numbers"]:
        parts.append("<h2>Numbers that do not fit each other</h2>")
        parts += map(_finding_html, result["numbers"])
    parts.append("<h2>Checklist for the authors</h2><p>Filled in as far as the text could be read; please correct it.</p><form>")
    parts += [_question(number, point, result["points"][point.section]) for number, point in enumerate(CHECKLIST, start=1)]
    return _page(result["title"], "".join([*parts, "</form>"]))


def _question(number: int, point: Point, state: dict[str, Any]) -> str:
    choices = "".join(
        f'<label><input type="radio" name="q{number}" value="{answer}"{" checked" if state["answer"] == answer else ""}> {answer}</label>'
        for answer in ("yes", "no", "not applicable")
    )
    quotes = "".join(f"<blockquote>{escape(quote)}</blockquote>" for quote in state["quotes"])
    return (
        f"<fieldset><legend>{number}. {escape(point.question)}</legend>{choices}{quotes}"
        f'<p class="where">Left to you: {escape(point.unseen)}.</p><textarea rows="2" aria-label="Comment on point {number}"></textarea></fieldset>'
    )


def _finding_html(finding: dict[str, Any]) -> str:
    places = "".join(
        f'<li><span class="where">{_where(place)}:</span> {escape(place["words"])}'
        + (f"<blockquote>{escape(place['quote'])}</blockquote>" if place["quote"] else "")
        + "</li>"
        for place in finding["places"]
    )
    rest = finding["count"] - len(finding["places"])
    more = f"<li>and {rest} more</li>" if rest else ""
    return (
        f"<p><strong>{finding['code']} {escape(finding['name'])}</strong>: {escape(finding['message'])}.</p><ul>{places}{more}</ul>"
    )


def _class(verdict: str) -> str:
    return verdict.replace(" ", "-")


def _page(title: str, body: str) -> str:
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; form-action 'none'\">"
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>\n<body><main>{body}</main></body></html>\n"
    )
