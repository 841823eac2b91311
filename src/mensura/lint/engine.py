"""Files to findings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mensura.errors import InputError
from mensura.io.files import read_all, source
from mensura.lint.document import Code, Document
from mensura.lint.rule import Finding, Hit
from mensura.lint.rules import CATALOGUE, TEXT
from mensura.lint.suppress import Lines, Suppression, apply, suppressions

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mensura.lint.rule import Profile
    from mensura.lint.runs import Judgments

KINDS = {
    ".tex": "latex",
    ".ltx": "latex",
    ".latex": "latex",
    ".md": "markdown",
    ".markdown": "markdown",
    ".qmd": "markdown",
    ".rmd": "markdown",
    ".ipynb": "notebook",
    ".py": "python",
    ".toml": "plan",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "csv",
}
COLUMNS = {3: "trec_eval", 4: "qrels", 6: "run"}


@dataclass(frozen=True, slots=True)
class Options:
    """Which rules apply (codes or their beginnings; all by default), and in which profile."""

    profile: Profile = "neutral"
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def active(self) -> frozenset[str]:
        """The codes of the rules that apply."""
        for code in (*self.select, *self.ignore):
            if not any(known.startswith(code) for known in CATALOGUE):
                raise InputError(f"there is no rule {code!r}: mensura explain lists them")
        return frozenset(
            code
            for code in CATALOGUE
            if (not self.select or code.startswith(self.select)) and not (self.ignore and code.startswith(self.ignore))
        )


def lint(paths: Iterable[str], options: Options | None = None) -> list[Finding]:
    """The findings in files, in the order of the files. Runs are checked against the judgments among the files, if there are any.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("paper.tex").write_text("Our experiments prove it.", encoding="utf-8")
    >>> [(finding.line, finding.column, finding.code) for finding in lint(["paper.tex"])]
    [(1, 5, 'M001')]
    """
    options = options or Options()
    texts = [(path, _read(path)) for path in paths]
    kinds = [_kind(path, text) for path, text in texts]
    found: list[Finding] = []
    judgments: Judgments | None = None
    for (path, text), kind in zip(texts, kinds, strict=True):
        if kind == "qrels":
            from mensura.lint.runs import read_judgments

            judgments, hits = read_judgments(text, path)
            found += report(path, text, hits, suppressions(text, "other"), options)
    for (path, text), kind in zip(texts, kinds, strict=True):
        if kind != "qrels":
            found += lint_text(text, kind, path, options, judgments)
    order = {path: number for number, (path, _) in enumerate(texts)}
    return sorted(found, key=lambda finding: (order[finding.path], finding.line, finding.column, finding.code))


def lint_text(text: str, kind: str, path: str, options: Options, judgments: Judgments | None = None) -> list[Finding]:
    """The findings in one text of a known kind."""
    match kind:
        case "latex":
            from mensura.lint.latex import read_latex

            document = read_latex(text)
            return report(path, text, _document_hits(document), suppressions(text, "latex"), options)
        case "markdown":
            from mensura.lint.markdown import code_spans, read_markdown

            document = read_markdown(text)
            return report(path, text, _document_hits(document), suppressions(text, "markdown", code_spans(text)), options)
        case "notebook":
            return _notebook(text, path, options)
        case "python":
            from mensura.lint.code import check_code

            return report(path, text, list(check_code([Code(0, text)])), suppressions(text, "other"), options)
        case "plan":
            from mensura.lint.plans import check_plan

            hits = list(check_plan(text, path))
        case "json":
            from mensura.lint.results import check_json

            hits = list(check_json(text, path))
        case "csv":
            from mensura.lint.results import check_csv

            hits = list(check_csv(text, path))
        case "trec_eval":
            from mensura.lint.results import check_trec_eval

            hits = list(check_trec_eval(text))
        case _:
            from mensura.lint.runs import check_run

            hits = list(check_run(text, path, judgments))
    return report(path, text, hits, suppressions(text, "other"), options)


def _read(path: str) -> str:
    return read_all(source(path)).decode("utf-8", "surrogateescape").replace("\r\n", "\n")


def _kind(path: str, text: str) -> str:
    """By its ending, or by the columns of its first line."""
    ending = re.search(r"(\.\w+)(?:\.gz|\.zst)?$", path.lower())
    if ending is not None and ending[1] in KINDS:
        return KINDS[ending[1]]
    for line in text[:100_000].split("\n"):
        if line.strip() and not line.startswith("#"):
            kind = COLUMNS.get(len(line.split()))
            if kind is not None:
                return kind
            break
    raise InputError(
        f"is nothing that lint reads: {', '.join(KINDS)}, trec_eval's output (3 columns), judgments (4) or a run (6)", source=path
    )


def _document_hits(document: Document) -> list[Hit]:
    hits = [hit for family in TEXT for hit in family.check(document)]
    if document.code:
        from mensura.lint.code import check_code

        hits += check_code(document.code)
    return hits


def _notebook(text: str, path: str, options: Options) -> list[Finding]:
    """Cells of prose as one page, cells of code as one program, and all places as places in the file."""
    from mensura.lint.code import check_code
    from mensura.lint.markdown import code_spans, read_markdown
    from mensura.lint.notebook import read_notebook

    cells = read_notebook(text, path)
    hits: list[Hit] = []
    comments: list[Suppression] = []
    for kind, gap, syntax in (("markdown", "\n\n", "markdown"), ("code", "\n", "other")):
        chosen = [cell for cell in cells if cell.kind == kind]
        starts, at = [], 0
        for cell in chosen:
            starts.append(at)
            at += len(cell.source) + len(gap)
        joined = gap.join(cell.source for cell in chosen)

        def place(offset: int, chosen: list = chosen, starts: list[int] = starts) -> int:  # type: ignore[type-arg]
            from bisect import bisect_right

            number = max(bisect_right(starts, offset) - 1, 0)
            return chosen[number].place(offset - starts[number]) if chosen else 0

        if kind == "markdown":
            made = _document_hits(read_markdown(joined))
            found = suppressions(joined, syntax, code_spans(joined))
        else:
            made = list(check_code([Code(start, cell.source) for start, cell in zip(starts, chosen, strict=True)]))
            found = suppressions(joined, syntax)
        for hit in made:
            number = next(
                (cell.number for cell, start in zip(reversed(chosen), reversed(starts), strict=True) if start <= hit.start), 0
            )
            start = place(hit.start)
            hits.append(Hit(hit.code, start, max(place(hit.end - 1) + 1, start), f"{hit.detail}; cell {number}"))
        for comment in found:
            low, high = comment.covers
            comment.covers = (place(low), place(min(high, max(len(joined) - 1, 0))) + 1)
            comment.start, comment.end = place(comment.start), place(comment.end - 1) + 1
        comments += found
    return report(path, text, hits, comments, options)


def report(path: str, text: str, hits: Sequence[Hit], comments: list[Suppression], options: Options) -> list[Finding]:
    """Hits that are asked for and not suppressed, as findings."""
    active = options.active()
    kept = apply([hit for hit in hits if hit.code in active], comments, active)
    places = Lines(text)
    made = []
    for hit in kept:
        if hit.code not in active:
            continue
        rule = CATALOGUE[hit.code]
        line, column = places.at(hit.start)
        end_line, end_column = places.at(max(hit.end, hit.start))
        message = rule.message(options.profile)
        detail = " ".join(hit.detail.split())
        detail = detail if len(detail) <= 60 else detail[:59] + "…"  # noqa: PLR2004
        made.append(
            Finding(
                path,
                line,
                column,
                end_line,
                end_column,
                hit.code,
                rule.name,
                rule.level(options.profile),
                f"{message} ({detail})" if detail else message,
            )
        )
    return made
