"""Paths to documents: folders, kinds of files, the texts in them, and files that belong to one paper."""

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mensura.errors import InputError
from mensura.io.files import guarded, open_inflated, read_all, source
from mensura.io.read import TABLE_ENDINGS
from mensura.io.tables import table_kind
from mensura.lint.readers.document import spelled
from mensura.lint.readers.places import TextFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mensura.io.files import Source
    from mensura.lint.readers.document import Document

KINDS = {
    ".tex": "latex",
    ".ltx": "latex",
    ".latex": "latex",
    ".md": "markdown",
    ".markdown": "markdown",
    ".qmd": "markdown",
    ".rmd": "markdown",
    ".rst": "rst",
    ".typ": "typst",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".pdf": "pdf",
    ".docx": "docx",
    ".ipynb": "notebook",
    ".py": "python",
    ".toml": "plan",
    ".yaml": "experiment",
    ".yml": "experiment",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "csv",
}
TEXTS = {".txt", ".text", ".log", ".out", ""}  # endings of texts without markup, and of columns; they are read if they are named
DATA = {"plan", "experiment", "json", "csv"}  # kinds that are read if they are named, not if their folder is
BINARY = {"pdf", "docx"}
SOURCES = {"latex", "markdown", "rst", "typst"}  # kinds of texts that are typeset, with figures
FIGURE = re.compile(
    r"\\include(?:graphics|pdf)\*?\s{0,9}(?:\[[^\]]{0,400}\]\s{0,9}){0,2}\{([^{}\n]{1,300})\}|!\[[^\]\n]{0,300}\]\(([^)\s]{1,300}\.pdf)"
    r"|\bimage\(\s{0,9}\"([^\"\n]{1,300}\.pdf)\"|\b(?:image|figure)::[ ]{1,9}(\S{1,300}\.pdf)",
    re.IGNORECASE,
)
PASSED_OVER = {"node_modules", "build", "dist", "__pycache__", "venv", "site-packages"}
HEAD = 1 << 17  # bytes in which a file must show what it is
COLUMNS = {3: "trec_eval", 4: "qrels", 6: "run"}
LONGEST_LINE = 6  # columns; what follows the tag of a run is not read
MOST_LOOKS = 20  # lines that show what a file is
MOST_FILES = 20_000  # of a folder
LOOKS = (  # standard input has no ending
    ("pdf", re.compile(r"\s{0,9}%PDF-")),
    ("docx", re.compile(r"PK\x03\x04")),
    ("notebook", re.compile(r"\s*\{[^{]{0,200}\"(?:cells|nbformat|metadata)\"")),
    ("html", re.compile(r"\s*(?:<!doctype html|<html)", re.IGNORECASE)),
    (
        "python",
        re.compile(
            r"(?m)(?:\s*#[^\n]*\n)*\s*(?:import [\w.]+(?: as \w+)?(?:, [\w.]+)*\s*$|from [\w.]+ import \w|(?:def|class) \w+[(:])"
        ),
    ),
    ("typst", re.compile(r"(?s)\s*= \w|(?:.{0,2000}?\n)?#(?:set|show|let|import) \w")),
    ("latex", re.compile(r"(?s).{0,20000}?\\(?:documentclass|begin\{|section|cite|emph|textbf)")),
)


@dataclass(eq=False)
class Selection:
    """Files that are named, and those in folders that are named, each once; and the names that are refused.

    Attributes
    ----------
    inside
        Names of the files that were found in folders.
    missed
        The PDFs in folders, if nothing is installed that reads them.
    """

    files: list[Source] = field(default_factory=list)
    inside: set[str] = field(default_factory=set)
    refused: list[InputError] = field(default_factory=list)
    missed: list[Source] = field(default_factory=list)

    @property
    def written(self) -> bool:
        """Whether there are sources of papers among the files: then a page of a PDF may be a figure."""
        return any(_ending(file.name) in SOURCES for file in self.files)

    def may_be_figure(self, file: Source) -> bool:
        """Return whether a file is a PDF from a folder, and sources of papers are beside it."""
        return file.name in self.inside and _ending(file.name) == "pdf" and self.written


def gather(paths: Iterable[str]) -> Selection:
    """Return the files that are named, and those in the folders that are named; figures of papers in a folder are left out."""
    gathered = Selection()
    files: dict[str, Source] = {}
    for path in paths:
        folder = path != "-" and os.path.isdir(path)
        try:
            for name in _inside(path) if folder else [path]:
                file = _named(name)
                known = files.setdefault(file.name if file.path is None else os.path.abspath(file.name), file)
                if not folder:
                    gathered.inside.discard(known.name)
                elif known is file:
                    gathered.inside.add(file.name)
        except InputError as error:
            gathered.refused.append(error)
    gathered.files = list(files.values())
    _leave_figures(gathered)
    return gathered


def _named(name: str) -> Source:
    """Return a file, or standard input."""
    file = source(name)
    if file.pipe is not None and file.name != "<stdin>":
        raise InputError("is a pipe or a device; lint reads files, or standard input as -", source=file.name)
    return file


def _leave_figures(gathered: Selection) -> None:
    """Leave out the PDFs of folders that a paper includes or is typeset to, and all of them if nothing reads them."""
    pdfs = [file for file in gathered.files if file.name in gathered.inside and _ending(file.name) == "pdf"]
    if not pdfs:
        return
    papers = [file for file in gathered.files if _ending(file.name) in SOURCES and file.path is not None]
    typeset = {os.path.splitext(os.path.abspath(file.name))[0] for file in papers}
    included = [pair for file in papers for pair in _figures(file)]

    def is_figure(file: Source) -> bool:
        path, _ = os.path.splitext(os.path.abspath(file.name))
        name = os.path.basename(path)
        return path in typeset or any(name == figure and path.startswith(folder + os.sep) for folder, figure in included)

    left = {file.name for file in pdfs if is_figure(file)}
    if not _reads_pdf():
        gathered.missed = [file for file in pdfs if file.name not in left]
        left |= {file.name for file in gathered.missed}
    gathered.files = [file for file in gathered.files if file.name not in left]


def _figures(file: Source) -> Iterator[tuple[str, str]]:
    """Yield the folder of a source and the name of each figure that it includes, without its folder and ending."""
    try:
        text = read_text(file)
    except InputError:
        return  # reported when it is its turn
    folder = os.path.dirname(os.path.abspath(file.name))
    for match in FIGURE.finditer(text):
        name = os.path.basename(next(group for group in match.groups() if group).strip())
        yield folder, name[: -len(".pdf")] if name.lower().endswith(".pdf") else name


def _reads_pdf() -> bool:
    try:
        import pypdfium2  # noqa: F401 - whether it is there
    except ImportError:
        return False
    return True


def _ending(name: str) -> str:
    """Return the kind that the ending of a name stands for; nothing if it is unknown."""
    return KINDS.get(os.path.splitext(name)[1].lower(), "")


def _inside(folder: str) -> list[str]:
    """Return the papers, notebooks and programs in a folder, in order."""
    names: list[str] = []
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in PASSED_OVER)
        for name in sorted(files):
            kind = _ending(name)
            if kind and kind not in DATA and not name.startswith(".") and os.path.isfile(os.path.join(here, name)):
                names.append(os.path.join(here, name))
        if len(names) > MOST_FILES:
            raise InputError(f"contains more than {MOST_FILES} files that lint reads; name a part of them", source=folder)
    if not names:
        raise InputError("contains no file that lint reads; name files, or another folder", source=folder)
    return names


def kind_of(file: Source) -> str:
    """Return the kind of a file, by its ending or by its beginning."""
    if file.endings and file.endings[-1] in TABLE_ENDINGS and (kind := table_kind(file)) is not None:
        return kind
    if file.endings and file.endings[-1] in KINDS:
        return KINDS[file.endings[-1]]
    with guarded(file), open_inflated(file) as stream:
        head = stream.read(HEAD).decode("utf-8", "surrogateescape")
    if file.name == "<stdin>":
        kind = next((kind for kind, look in LOOKS if look.match(head)), None)
        if kind is not None:
            return kind
    kind = _columns_of(head, strict=file.name == "<stdin>")
    if kind is not None:
        return kind
    if file.name == "<stdin>":
        return "markdown"
    if os.path.splitext(file.name)[1].lower() in TEXTS:
        return "text"
    raise InputError(
        f"is not a kind of file that lint reads: {', '.join(KINDS)}, .txt, trec_eval's output (3 columns), judgments (4) or a run (6)",
        source=file.name,
    )


def _columns_of(head: str, *, strict: bool) -> str | None:
    """Return the kind of columns that the first lines of a file have, with numbers where they belong.

    The first line of a damaged file, which is named for what it is (not ``strict``), has the fixed word of its second column, and no line ends
    a sentence.
    """
    lines = [line.split() for line in head.split("\n") if line.strip() and not line.startswith("#")][:MOST_LOOKS]
    kinds = Counter(COLUMNS.get(min(len(words), LONGEST_LINE)) for words in lines if _is_data(words))
    kind, count = kinds.most_common(1)[0] if kinds else (None, 0)
    if kind is not None and 2 * count > len(lines):
        return kind
    said = any(re.search(r"[^\W\d]{2}[.!?,;:]$", words[-1]) for words in lines)
    known = bool(lines) and (lines[0][0] == "runid" or (lines[0][1:2] and lines[0][1].upper() in {"Q0", "0", "ALL"}))
    return COLUMNS.get(min(len(lines[0]), LONGEST_LINE)) if known and not (strict or said) else None


def _is_data(words: list[str]) -> bool:
    """Return whether the columns of a line that have to be numbers are some."""
    numbers = {3: (2,), 4: (3,)}.get(len(words), (3, 4))
    return len(words) in {3, 4} | {*range(6, 20)} and (all(_is_number(words[at]) for at in numbers) or words[0] == "runid")


def _is_number(word: str) -> bool:
    return re.fullmatch(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?(?:nan|inf)", word, re.IGNORECASE) is not None


def read_text(file: Source) -> str:
    """Return the text of a file."""
    data = read_all(file)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data:
        raise InputError("is not text in UTF-8 (it has bytes of UTF-16 or of a binary file); save it as UTF-8", source=file.name)
    return data.decode("utf-8", "surrogateescape").replace("\r\n", "\n")


@dataclass(eq=False)
class Library:
    """The files that papers may include: those below the folders of files that were named. It notes which were included."""

    roots: set[str] = field(default_factory=set)
    included: set[str] = field(default_factory=set)

    def name(self, file: Source) -> None:
        """Allow files beside a file, and below."""
        if file.path is not None:
            self.roots.add(os.path.realpath(os.path.dirname(os.path.abspath(file.name))))

    def load(self, folder: str, path: str) -> TextFile | None:
        """Return the text of a file that a paper in a folder includes, or ``None`` if it cannot be read."""
        if not path or os.path.isabs(path) or "\0" in path:
            return None
        for name in (path, f"{path}.tex"):
            full = os.path.normpath(os.path.join(folder, name))
            real = os.path.realpath(full)
            if not any(real.startswith(root + os.sep) for root in self.roots) or not os.path.isfile(real):
                continue
            if os.path.splitext(real)[1].lower() not in {".tex", ".ltx", ".tikz", ".inc", ".sty", ".cls"}:
                continue
            try:
                text = read_text(source(full))
            except InputError:
                return None
            self.included.add(real)
            return TextFile(full, text, "latex")
        return None

    def settings(self, folder: str, path: str) -> str | None:
        """Return the text of a file of settings that a program in a folder names, from there or from a folder above that was named."""
        if os.path.isabs(path) or "\0" in path:
            return None
        here = os.path.realpath(os.path.abspath(folder))
        for root in [here, *sorted((root for root in self.roots if here.startswith(root + os.sep)), reverse=True)]:
            real = os.path.realpath(os.path.join(root, path))
            if any(real.startswith(each + os.sep) for each in self.roots) and os.path.isfile(real):
                try:
                    return read_text(source(real))
                except InputError:
                    return None
        return None


def is_part(text: str) -> bool:
    """Return whether a LaTeX source may be a part of another: parts are read after the papers, which may include them."""
    return not re.search(r"\\document(?:class|style)\b|\\begin\{document\}", text) or "{subfiles}" in text


def read_document(text: str, kind: str, path: str, library: Library | None = None) -> Document | None:
    """Return a text of a kind as a document, or ``None`` if the kind is not one of documents."""
    document = _read(text, kind, path, library)
    return None if document is None else spelled(document)


def _read(text: str, kind: str, path: str, library: Library | None) -> Document | None:
    match kind:
        case "latex":
            from mensura.lint.readers.latex import read_latex

            folder = os.path.dirname(path)
            return read_latex(text, path, None if library is None else lambda name: library.load(folder, name))
        case "markdown":
            from mensura.lint.readers.markdown import read_markdown

            return read_markdown(text, path)
        case "text":
            from mensura.lint.readers.markdown import read_text_file

            return read_text_file(text, path)
        case "notebook":
            from mensura.lint.readers.notebook import read_notebook

            return read_notebook(text, path)
        case "html":
            from mensura.lint.readers.html import read_html

            return read_html(text, path)
        case "rst":
            from mensura.lint.readers.rst import read_rst

            return read_rst(text, path)
        case "typst":
            from mensura.lint.readers.typst import read_typst

            return read_typst(text, path)
        case _:
            return None


def read_binary(data: bytes, kind: str, path: str, *, figure: bool = False) -> Document:
    """Return the bytes of a PDF or of a Word file as a document; a PDF that may be a ``figure`` may be without text."""
    if kind == "pdf":
        from mensura.lint.readers.pdf import read_pdf

        return spelled(read_pdf(data, path, scanned=not figure))
    from mensura.lint.readers.docx import read_docx

    return spelled(read_docx(data, path))
