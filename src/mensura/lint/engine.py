"""Files to findings."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from mensura.errors import InputError
from mensura.io.files import Source, read_all
from mensura.lint.grouping import grouped
from mensura.lint.readers.document import Code
from mensura.lint.readers.places import PlaceMap, TextFile
from mensura.lint.rule import UNREADABLE, Finding, Findings, Hit
from mensura.lint.rules import CATALOGUE, check_document
from mensura.lint.settings import ignored
from mensura.lint.sources import BINARY, Library, Selection, gather, is_part, kind_of, read_binary, read_document, read_text
from mensura.lint.suppress import apply, suppressions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from mensura.io.columns import Qrels
    from mensura.lint.readers.document import Document
    from mensura.lint.readers.runs import RunFindings
    from mensura.lint.rule import Profile

LONGEST_DETAIL = 60  # characters; a message fits a line
ARITHMETIC = 300  # characters; both numbers and how one follows from the other


@dataclass(frozen=True, slots=True)
class Options:
    """The rules that apply (codes or their beginnings; all by default), the profile, and what a project ignores in some files.

    With ``debug`` the traceback of an internal error goes to standard error.

    Of several beginnings that fit a code the longest decides: ``select=("M1",)`` with ``ignore=("M101",)`` leaves M101 out, and
    ``select=("M101",)`` with ``ignore=("M1",)`` has it.
    """

    profile: Profile = "neutral"
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: dict[str, tuple[str, ...]] = field(default_factory=dict)
    root: str = ""
    debug: bool = False

    def active(self, path: str = "") -> frozenset[str]:
        """Return the codes of the rules that apply, in a file if one is named."""
        ignores = [code for codes in self.per_file_ignores.values() for code in codes]
        for code in (*self.select, *self.ignore, *ignores):
            if code != ALL and not any(known.startswith(code) for known in CATALOGUE):
                raise InputError(f"unknown rule {code!r}; mensura explain lists all")
        left_out = ignored(path, self.per_file_ignores, self.root) if path else ()
        return frozenset(
            code for code in CATALOGUE if _fit(code, self.select or (ALL,)) > _fit(code, self.ignore) and not _fit(code, left_out)
        )


ALL = "ALL"


def internal(error: Exception, path: str, options: Options) -> InputError:
    """Return the refusal of a file at which lint itself fails: the other files are checked nevertheless."""
    if options.debug:
        import traceback

        traceback.print_exception(error)
    if isinstance(error, RecursionError):
        return InputError("is nested too deeply", source=path)
    words = " ".join(f"{type(error).__name__}: {error}".split())
    return InputError(f"internal error: {words}; mensura lint --debug shows where, please report it", source=path)


def _fit(code: str, beginnings: tuple[str, ...]) -> int:
    """Return how much of a code its longest beginning fits; 0 if none does."""
    return max((1 if each == ALL else 1 + len(each) for each in beginnings if each == ALL or code.startswith(each)), default=0)


def lint(
    paths: Iterable[str],
    options: Options | None = None,
    tell: Callable[[int, int], None] | None = None,
    refused: list[InputError] | None = None,
) -> Findings:
    """Return the findings in files, in the order of the files: one for each document and rule, with all of its places.

    Pages and programs of a named folder are one document. Runs are checked against the judgments among the files, if any.
    Names that do not exist are added to ``refused``; without it the first of them is an error.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("paper.tex").write_text("Our experiments prove it.", encoding="utf-8")
    >>> [(finding.line, finding.column, finding.code) for finding in lint(["paper.tex"])]
    [(1, 5, 'M001')]
    """
    options = options or Options()
    options.active()  # an unknown code is an error even if there is nothing to find
    paths = list(paths)
    gathered = gather(paths)
    refuse(gathered, refused)
    files = gathered.files
    library = Library()
    for file in files:
        library.name(file)
    work = _Work(options, library, gathered)
    work.note_missed()
    order = {file.name: number for number, file in enumerate(files)}
    for done, file in enumerate(work.sorted(files)):
        work.check(file)
        if tell is not None:
            tell(done + 1, len(files))
    work.check_runs()
    findings = sorted(
        work.findings,
        key=lambda each: (order.get(each.path, len(order)), each.path, each.page, each.line, each.column, each.code),
    )
    return Findings(grouped(findings, [path for path in paths if path != "-" and os.path.isdir(path)]))


def refuse(gathered: Selection, refused: list[InputError] | None) -> None:
    """Note the names that are refused; raise the first if nobody takes note of them, or if there is nothing else."""
    if gathered.refused and (refused is None or not (gathered.files or gathered.missed)):
        raise gathered.refused[0]
    if refused is not None:
        refused += gathered.refused


@dataclass(eq=False)
class _Work:
    """Files under way: judgments come first, then papers, then the parts of papers that no paper included, and runs together."""

    options: Options
    library: Library
    gathered: Selection = field(default_factory=Selection)
    findings: list[Finding] = field(default_factory=list)
    judgments: Qrels | None = None
    runs: list[Source] = field(default_factory=list)
    kinds: dict[str, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    def sorted(self, files: list[Source]) -> list[Source]:
        """Return the files whose kind is known, in the order in which they are checked."""
        ranks: dict[str, int] = {}
        for file in files:
            try:
                kind = self.kinds[file.name] = kind_of(file)
                if kind == "latex" and len(files) > 1:
                    self.texts[file.name] = read_text(file)
            except InputError as error:
                self.refuse(file, error)
                continue
            ranks[file.name] = 0 if kind == "qrels" else 2 if kind == "latex" and is_part(self.texts.get(file.name, "")) else 1
        return sorted((file for file in files if file.name in ranks), key=lambda file: ranks[file.name])

    def check(self, file: Source) -> None:
        """Add the findings in a file, or that it cannot be read."""
        kind = self.kinds[file.name]
        if kind == "latex" and file.path is not None and os.path.realpath(file.name) in self.library.included:
            return
        try:
            if kind in BINARY:
                figure = self.gathered.may_be_figure(file)
                document = read_binary(read_all(file), kind, file.name, figure=figure)
                if not (figure and document.is_picture):
                    self.findings += lint_document(document, self.options)
                return
            if kind == "run":
                self.runs.append(file)
                return
            text = self.texts.pop(file.name, None) or _text_of(file)
            if kind == "qrels":
                from mensura.lint.readers.runs import read_judgments

                self.judgments, checked = read_judgments(file, text)
                self.take(file, text, checked)
            else:
                self.findings += lint_text(text, kind, file.name, self.options, library=self.library)
        except InputError as error:
            self.refuse(file, error)
        except Exception as error:  # noqa: BLE001 - a fault at one file leaves the others
            self.refuse(file, internal(error, file.name, self.options))

    def check_runs(self) -> None:
        """Add the findings in all runs, which are read together: two of them may be the same."""
        if not self.runs:
            return
        from mensura.lint.readers.runs import check_runs

        texts = []
        for file in list(self.runs):
            try:
                texts.append(_text_of(file))
            except InputError as error:
                self.refuse(file, error)
                self.runs.remove(file)
        try:
            results = list(check_runs(self.runs, texts, self.judgments))
        except Exception as error:  # noqa: BLE001 - a fault at one run leaves the others
            if len(self.runs) == 1:
                self.refuse(self.runs[0], internal(error, self.runs[0].name, self.options))
                return
            for file in self.runs:  # each alone
                work = _Work(self.options, self.library, judgments=self.judgments, runs=[file])
                work.check_runs()
                self.findings += work.findings
            return
        for file, text, checked in zip(self.runs, texts, results, strict=True):
            self.take(file, text, checked)

    def take(self, file: Source, text: str, checked: RunFindings) -> None:
        """Add the findings in a run or in judgments."""
        self.findings += report(PlaceMap.single(TextFile(file.name, text)), checked.hits, self.options)
        for fault in checked.faults:
            self.refuse(file, fault)

    def refuse(self, file: Source, error: InputError, *, sure: bool = True) -> None:
        """Add the finding that a file cannot be read: the others are checked nevertheless."""
        if UNREADABLE in self.options.active():
            place = TextFile(file.name, "\n" * ((error.line or 1) - 1))
            problem = error.problem if error.row is None else f"row {error.row}: {error.problem}"
            self.findings.append(_finding(place, Hit(UNREADABLE, len(place.text), len(place.text), problem, sure), self.options))

    def note_missed(self) -> None:
        """Add one note for all PDFs of folders, if nothing is installed that reads them."""
        if self.gathered.missed:
            count = len(self.gathered.missed)
            words = "this PDF is" if count == 1 else f"this and {count - 1} more PDFs are"
            problem = f"{words} passed over; reading needs pypdfium2: pip install 'mensura[pdf]'"
            self.refuse(self.gathered.missed[0], InputError(problem), sure=False)


def _text_of(file: Source) -> str:
    """Return the text of a file; that of a binary table is empty, so that its findings have no line."""
    return "" if file.endings[-1:] == (".parquet",) else read_text(file)


def lint_text(text: str, kind: str, path: str, options: Options, *, library: Library | None = None) -> list[Finding]:
    """Return the findings in one text of a known kind; parts of a paper are looked for in the library."""
    document = read_document(text, kind, path, library)
    if document is not None:
        return lint_document(document, options)
    match kind:
        case "python":
            from mensura.lint.readers.code import check_code, check_syntax

            folder = os.path.dirname(path)
            hits = list(check_code([Code(0, text)], None if library is None else lambda name: library.settings(folder, name)))
            hits = hits or list(check_syntax(text))
        case "plan":
            from mensura.lint.readers.plans import check_plan

            hits = list(check_plan(text, path))
        case "experiment":
            from mensura.lint.readers.experiments import check_experiment, check_yaml

            hits = list(check_experiment(text)) or list(check_yaml(text))
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
            from mensura.lint.readers.runs import check_runs

            work = _Work(options, Library())
            file = Source(path, data=text.encode("utf-8", "surrogateescape"))
            (checked,) = check_runs([file], [text], None)
            work.take(file, text, checked)
            return work.findings
    return report(PlaceMap.single(TextFile(path, text)), hits, options)


def lint_document(document: Document, options: Options) -> list[Finding]:
    """Return the findings in a document, at their places in its files."""
    return report(document.places, check_document(document), options)


def report(places: PlaceMap, hits: Sequence[Hit], options: Options, *, suppressible: bool = True) -> list[Finding]:
    """Return the hits of active rules as findings in the files that they are in, without those that a comment there suppresses."""
    by_file: list[list[Hit]] = [[] for _ in places.files]
    for hit in hits:
        number, start, end = places.span(hit.start, hit.end)
        by_file[number].append(replace(hit, start=start, end=end))
    findings = []
    for file, own in zip(places.files, by_file, strict=True):
        active = options.active(file.path)
        comments = suppressions(file.text, file.syntax, file.hidden) if file.comments is None else file.comments
        comments = comments if suppressible else []
        kept = apply([hit for hit in own if hit.code in active], comments, active)
        kept.sort(key=lambda hit: (hit.start, hit.code))
        findings += [replace(_finding(file, hit, options), document=places.files[0].path) for hit in kept if hit.code in active]
    return grouped(findings)


def _finding(file: TextFile, hit: Hit, options: Options) -> Finding:
    rule = CATALOGUE[hit.code]
    start, end = file.lines.place(hit.start), file.lines.place(max(hit.end, hit.start))
    label = file.label(hit.start)
    words = " ".join(hit.detail.split())
    words = words[1:].lstrip() if words.startswith("(") and words.count("(") > words.count(")") else words  # as in (+12.7%
    detail = "; ".join(part for part in (words, label) if part)
    most = ARITHMETIC if hit.code[0] in "NS" else LONGEST_DETAIL
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
        rule.level(options.profile) if hit.sure else "note",
        f"{message} ({detail})" if detail else message,
        start.page,
        detail,
    )
