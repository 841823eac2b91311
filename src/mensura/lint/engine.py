"""Files to findings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mensura.errors import InputError
from mensura.io.files import guarded, open_inflated, read_all, source
from mensura.lint.readers.document import Code
from mensura.lint.readers.places import PlaceMap, TextFile
from mensura.lint.rule import Finding, Hit
from mensura.lint.rules import CATALOGUE, check_document
from mensura.lint.suppress import apply, suppressions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from mensura.io.files import Source
    from mensura.lint.readers.document import Document
    from mensura.lint.readers.runs import Judgments
    from mensura.lint.rule import Profile

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
HEAD = 1 << 17  # bytes in which a file must show what it is
COLUMNS = {3: "trec_eval", 4: "qrels", 6: "run"}
LONGEST_DETAIL = 60  # characters; a message fits a line
ARITHMETIC = 300  # characters; both numbers and how one follows from the other
LONGEST_LINE = 6  # columns; what follows the tag of a run is not read


@dataclass(frozen=True, slots=True)
class Options:
    """The rules that apply (codes or their beginnings; all by default), and the profile."""

    profile: Profile = "neutral"
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def active(self) -> frozenset[str]:
        """Return the codes of the rules that apply."""
        for code in (*self.select, *self.ignore):
            if not any(known.startswith(code) for known in CATALOGUE):
                raise InputError(f"unknown rule {code!r}; mensura explain lists all")
        return frozenset(
            code
            for code in CATALOGUE
            if (not self.select or code.startswith(self.select)) and not (self.ignore and code.startswith(self.ignore))
        )


def lint(paths: Iterable[str], options: Options | None = None, tell: Callable[[int, int], None] | None = None) -> list[Finding]:
    """Return the findings in files, in the order of the files. Runs are checked against the judgments among the files, if any.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("paper.tex").write_text("Our experiments prove it.", encoding="utf-8")
    >>> [(finding.line, finding.column, finding.code) for finding in lint(["paper.tex"])]
    [(1, 5, 'M001')]
    """
    options = options or Options()
    options.active()  # an unknown code is an error even if there is nothing to find
    files = [source(path) for path in paths]
    for file in files:
        if file.pipe is not None and file.name != "<stdin>":
            raise InputError("is a pipe or a device; lint reads files, or standard input as -", source=file.name)
    kinds = [_kind(file) for file in files]
    findings: list[Finding] = []
    judgments: Judgments | None = None
    order = sorted(range(len(files)), key=lambda number: kinds[number] != "qrels")
    for done, number in enumerate(order):
        name, text = files[number].name, _read(files[number])
        if kinds[number] == "qrels":
            from mensura.lint.readers.runs import read_judgments

            judgments, hits = read_judgments(text, name)
            findings += report(PlaceMap.single(TextFile(name, text)), hits, options)
        else:
            findings += lint_text(text, kinds[number], name, options, judgments)
        if tell is not None:
            tell(done + 1, len(files))
    place = {file.name: number for number, file in enumerate(files)}
    return sorted(findings, key=lambda finding: (place[finding.path], finding.line, finding.column, finding.code))


def lint_text(text: str, kind: str, path: str, options: Options, judgments: Judgments | None = None) -> list[Finding]:
    """Return the findings in one text of a known kind."""
    match kind:
        case "latex":
            from mensura.lint.readers.latex import read_latex

            return lint_document(read_latex(text, path), options)
        case "markdown":
            from mensura.lint.readers.markdown import read_markdown

            return lint_document(read_markdown(text, path), options)
        case "notebook":
            from mensura.lint.readers.notebook import read_notebook

            return lint_document(read_notebook(text, path), options)
        case "python":
            from mensura.lint.readers.code import check_code

            hits = list(check_code([Code(0, text)]))
        case "plan":
            from mensura.lint.readers.plans import check_plan

            hits = list(check_plan(text, path))
        case "json":
            from mensura.lint.readers.results import check_json

            hits = list(check_json(text, path))
        case "csv":
            from mensura.lint.readers.results import check_csv

            hits = list(check_csv(text, path))
        case "trec_eval":
            from mensura.lint.readers.results import check_trec_eval

            hits = list(check_trec_eval(text))
        case _:
            from mensura.lint.readers.runs import check_run

            hits = list(check_run(text, path, judgments))
    return report(PlaceMap.single(TextFile(path, text)), hits, options)


def lint_document(document: Document, options: Options) -> list[Finding]:
    """Return the findings in a document, at their places in its files."""
    return report(document.places, check_document(document), options)


def _read(file: Source) -> str:
    data = read_all(file)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data:
        raise InputError("is not text in UTF-8 (it has bytes of UTF-16 or of a binary file); save it as UTF-8", source=file.name)
    return data.decode("utf-8", "surrogateescape").replace("\r\n", "\n")


def _kind(file: Source) -> str:
    """Return the kind of a file, by its ending or by the columns of its first line."""
    if file.endings and file.endings[-1] in KINDS:
        return KINDS[file.endings[-1]]
    with guarded(file), open_inflated(file) as stream:
        head = stream.read(HEAD).decode("utf-8", "surrogateescape")
    for line in head.split("\n"):
        if line.strip() and not line.startswith("#"):
            kind = COLUMNS.get(min(len(line.split()), LONGEST_LINE))
            if kind is not None:
                return kind
            break
    raise InputError(
        f"is not a kind of file that lint reads: {', '.join(KINDS)}, trec_eval's output (3 columns), judgments (4) or a run (6)",
        source=file.name,
    )


def report(places: PlaceMap, hits: Sequence[Hit], options: Options) -> list[Finding]:
    """Return the hits of active rules that are not suppressed, as findings in the files that they are in."""
    active = options.active()
    by_file: list[list[Hit]] = [[] for _ in places.files]
    for hit in hits:
        if hit.code in active:
            number, start, end = places.span(hit.start, hit.end)
            by_file[number].append(Hit(hit.code, start, end, hit.detail))
    findings = []
    for file, own in zip(places.files, by_file, strict=True):
        comments = suppressions(file.text, file.syntax, file.hidden) if file.comments is None else file.comments
        findings += [_finding(file, hit, options) for hit in apply(own, comments, active) if hit.code in active]
    return findings


def _finding(file: TextFile, hit: Hit, options: Options) -> Finding:
    rule = CATALOGUE[hit.code]
    start, end = file.lines.place(hit.start), file.lines.place(max(hit.end, hit.start))
    label = file.label(hit.start)
    detail = "; ".join(part for part in (" ".join(hit.detail.split()), label) if part)
    most = ARITHMETIC if hit.code[0] == "N" else LONGEST_DETAIL
    detail = detail if len(detail) <= most else detail[: most - 1] + "…"
    message = rule.message(options.profile)
    return Finding(
        file.path,
        start.line,
        start.column,
        end.line,
        end.column,
        hit.code,
        rule.name,
        rule.level(options.profile),
        f"{message} ({detail})" if detail else message,
        start.page,
    )
