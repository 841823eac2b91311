"""A language server: findings as diagnostics while a text is written, explanations on hover, and a quick fix for digits."""

from __future__ import annotations

import asyncio
import json
import os
import re
from decimal import ROUND_HALF_EVEN, Decimal
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls import uris
from pygls.lsp.server import LanguageServer

from mensura.errors import MensuraError
from mensura.lint.engine import Options, internal, lint_text
from mensura.lint.explanation import explain
from mensura.lint.grouping import spot
from mensura.lint.rules import CATALOGUE
from mensura.lint.settings import find_settings
from mensura.lint.sources import KINDS, Library
from mensura.lint.topics import allowed

if TYPE_CHECKING:
    from collections.abc import Callable

    from pygls.workspace import TextDocument

    from mensura.lint.rule import Finding, Spot

LEVELS = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}
LANGUAGES = {
    "latex": "latex", "tex": "latex", "markdown": "markdown", "quarto": "markdown", "python": "python", "toml": "plan", "yaml": "experiment",
}  # fmt: skip
PAUSE = 0.2  # seconds without a key before a text is checked
NUMBER = re.compile(r"\d*\.\d+")
TOPICS = re.compile(r"over (\d+) topics")


class Pending:
    """Checks of texts that are being written: one begins when nothing was typed for a moment, so that questions are answered between."""

    def __init__(self) -> None:
        self.timers: dict[str, asyncio.TimerHandle] = {}

    def put(self, uri: str, check: Callable[[str], None]) -> None:
        """Check a text in a moment, instead of what was to be checked of it."""
        self.drop(uri)
        self.timers[uri] = asyncio.get_running_loop().call_later(PAUSE, self._check, uri, check)

    def drop(self, uri: str) -> None:
        """Leave out a check that has not begun."""
        timer = self.timers.pop(uri, None)
        if timer is not None:
            timer.cancel()

    def _check(self, uri: str, check: Callable[[str], None]) -> None:
        del self.timers[uri]
        check(uri)


class Published:
    """The diagnostics that an editor has: of open texts, of the files that they include, and of cells of notebooks."""

    def __init__(self, server: LanguageServer) -> None:
        self.server = server
        self.sent: dict[str, list[types.Diagnostic]] = {}
        self.parts: dict[str, set[str]] = {}  # of each open text, the files that it includes
        self.pending = Pending()

    def publish(self, uri: str, messages: list[types.Diagnostic], version: int | None = None) -> None:
        """Send the diagnostics of a file or a cell."""
        self.sent[uri] = messages
        self.server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=uri, version=version, diagnostics=messages)
        )

    def check(self, uri: str) -> None:
        """Send the diagnostics of an open text, and of the files that it includes unless they are open."""
        document = self.server.workspace.get_text_document(uri)
        by_file = diagnostics(document, self.server.workspace.get_text_document)
        self.publish(uri, by_file.pop(uri, []), document.version)
        closed = {other for other in by_file if other not in self.parts}
        for other in self.parts.get(uri, set()) - closed:
            self.publish(other, [])
        self.parts[uri] = closed
        for other in sorted(closed):
            self.publish(other, by_file[other])

    def check_notebook(self, uri: str) -> None:
        """Send the diagnostics of all cells of a notebook."""
        notebook = self.server.workspace.get_notebook_document(notebook_uri=uri)
        if notebook is not None:
            cells = [(cell.kind, self.server.workspace.get_text_document(cell.document)) for cell in notebook.cells]
            for cell, messages in in_cells(uri, cells).items():
                self.publish(cell, messages)

    def forget(self, *addresses: str) -> None:
        """Take the diagnostics of files or cells back."""
        for uri in addresses:
            self.pending.drop(uri)
            self.publish(uri, [])
            del self.sent[uri]


def make_server() -> LanguageServer:
    """Return a server that is not started yet."""
    from mensura import __version__

    cells = [types.NotebookCellLanguage(language="python"), types.NotebookCellLanguage(language="markdown")]
    selector = types.NotebookDocumentFilterWithNotebook(notebook="jupyter-notebook", cells=cells)
    server = LanguageServer("mensura", __version__, notebook_document_sync=types.NotebookDocumentSyncOptions([selector]))
    published = Published(server)
    _texts(server, published)
    _notebooks(server, published)
    _answers(server, published)
    return server


def _texts(server: LanguageServer, published: Published) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        published.check(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        published.pending.put(params.text_document.uri, published.check)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        published.forget(uri, *sorted(published.parts.pop(uri, ())))


def _notebooks(server: LanguageServer, published: Published) -> None:
    @server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenNotebookDocumentParams) -> None:
        published.check_notebook(params.notebook_document.uri)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeNotebookDocumentParams) -> None:
        published.pending.put(params.notebook_document.uri, published.check_notebook)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseNotebookDocumentParams) -> None:
        published.pending.drop(params.notebook_document.uri)
        published.forget(*(cell.uri for cell in params.cell_text_documents))


def _answers(server: LanguageServer, published: Published) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        here = [each for each in published.sent.get(params.text_document.uri, []) if _holds(each.range, params.position)]
        if not here:
            return None
        pages = [explain(CATALOGUE[code]) for code in dict.fromkeys(str(each.code) for each in here)]
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, "\n---\n".join(pages)), here[0].range)

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]))
    def fixes(params: types.CodeActionParams) -> list[types.CodeAction]:
        document = server.workspace.get_text_document(params.text_document.uri)
        actions = [
            rounded(document, each) for each in params.context.diagnostics if each.source == "mensura" and each.code == "M301"
        ]
        return [action for action in actions if action is not None]


def diagnostics(document: TextDocument, opened: Callable[[str], TextDocument]) -> dict[str, list[types.Diagnostic]]:
    """Return the findings in a text and in the files that it includes, by their addresses, each of their places on its own."""
    path = document.path or document.uri
    kind = KINDS.get(os.path.splitext(path)[1].lower()) or LANGUAGES.get(document.language_id or "")
    if kind not in {"latex", "markdown", "python", "plan", "experiment", "notebook", "rst", "typst", "html"}:
        return {}
    options = Options()
    try:
        options = _options(path)
        findings = lint_text(document.source.replace("\r\n", "\n"), kind, path, options, library=_library(path))
    except Exception as error:  # noqa: BLE001 - a file that is being written need not be whole
        error = error if isinstance(error, MensuraError) else internal(error, path, options)
        beginning = types.Range(types.Position(0, 0), types.Position(0, 0))
        return {document.uri: [types.Diagnostic(beginning, str(error), types.DiagnosticSeverity.Information, source="mensura")]}
    by_address: dict[str, list[types.Diagnostic]] = {}
    for finding in findings:
        for place in (spot(finding), *finding.spots):
            own = os.path.abspath(place.path) == os.path.abspath(path)
            uri = document.uri if own else uris.from_fs_path(os.path.abspath(place.path)) or document.uri
            where = _range(document if own else opened(uri), place.line, place.column, place.end_line, place.end_column)
            by_address.setdefault(uri, []).append(_diagnostic(finding, place, where, options))
    return by_address


def _library(path: str) -> Library:
    """The files that a text may include: those beside it, and below."""
    return Library({os.path.realpath(os.path.dirname(os.path.abspath(path)))})


def _options(path: str) -> Options:
    settings = find_settings(os.path.dirname(path) or os.curdir)
    return Options(settings.profile or "neutral", settings.select, settings.ignore, settings.per_file_ignores, settings.root)


def _diagnostic(finding: Finding, place: Spot, where: types.Range, options: Options) -> types.Diagnostic:
    message = finding.message if not place.detail else f"{CATALOGUE[finding.code].message(options.profile)} ({place.detail})"
    return types.Diagnostic(where, message, LEVELS[finding.severity], finding.code, source="mensura")


def in_cells(uri: str, cells: list[tuple[types.NotebookCellKind, TextDocument]]) -> dict[str, list[types.Diagnostic]]:
    """Return the findings in the cells of a notebook, which are one document, by the addresses of the cells."""
    by_address: dict[str, list[types.Diagnostic]] = {document.uri: [] for _, document in cells}
    lines = ['{"cells": [']
    places: list[tuple[TextDocument, int] | None] = [None]
    for number, (kind, document) in enumerate(cells):
        written = "markdown" if kind == types.NotebookCellKind.Markup else "code"
        lines.append(f'{"," if number else ""}{{"cell_type": "{written}", "source": [')
        places.append(None)
        source = document.source.replace("\r\n", "\n").splitlines(keepends=True)
        for at, line in enumerate(source):
            lines.append(json.dumps(line, ensure_ascii=False) + ("," if at + 1 < len(source) else ""))
            places.append((document, at))
        lines.append("]}")
        places.append(None)
    path = uris.to_fs_path(uri) or uri
    try:
        options = _options(path)
        findings = lint_text("\n".join([*lines, "]}"]), "notebook", path, options)
    except Exception:  # noqa: BLE001 - cells that are being written need not be whole
        return by_address
    for finding in findings:
        for place in (spot(finding), *finding.spots):
            start, end = (places[line - 1] if line <= len(places) else None for line in (place.line, place.end_line))
            if start is None:
                continue
            document, at = start
            last = at if end is None else end[1]
            columns = [
                _unescaped(lines[line - 1], column)
                for line, column in ((place.line, place.column), (place.end_line, place.end_column))
            ]
            where = _range(document, at + 1, columns[0], last + 1, columns[1])
            by_address[document.uri].append(_diagnostic(finding, place, where, options))
    return by_address


def _unescaped(line: str, column: int) -> int:
    """Return the column in a line of a cell of a column in the string that it is stored as, with quotes and escapes."""
    stored = line[1 : column - 1]
    while stored:
        try:
            return len(json.loads(f'"{stored}"')) + 1
        except ValueError:  # inside of an escape
            stored = stored[:-1]
    return 1


def _range(document: TextDocument, line: int, column: int, end_line: int, end_column: int) -> types.Range:
    return types.Range(_position(document, line, column), _position(document, end_line, end_column))


def _position(document: TextDocument, line: int, column: int) -> types.Position:
    """Return a place as editors count: lines and columns from 0, columns in units of UTF-16."""
    text = document.lines[line - 1] if line <= len(document.lines) else ""
    return types.Position(line - 1, len(text[: column - 1].encode("utf-16-le", "surrogatepass")) // 2)


def _holds(span: types.Range, position: types.Position) -> bool:
    start, end = span.start, span.end
    return (start.line, start.character) <= (position.line, position.character) <= (end.line, end.character)


def rounded(document: TextDocument, diagnostic: types.Diagnostic) -> types.CodeAction | None:
    """Return the fix of a number with too many decimals: the same number, rounded to those that the topics support."""
    start, end = diagnostic.range.start, diagnostic.range.end
    if start.line != end.line or start.line >= len(document.lines):
        return None
    units = document.lines[start.line].encode("utf-16-le", "surrogatepass")
    text = units[2 * start.character : 2 * end.character].decode("utf-16-le", "replace")
    match = NUMBER.search(text)
    if match is None:
        return None
    topics = TOPICS.search(diagnostic.message)
    percent = 2 * (Decimal(match[0]) > 1)
    shown = len(match[0].partition(".")[2])
    places = min(allowed(int(topics[1]) if topics is not None else 0) - percent, shown - 1)  # fewer than were too many
    value = str(Decimal(match[0]).quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN))
    value = value.removeprefix("0") if match[0].startswith(".") else value
    if value == match[0]:
        return None
    before = start.character + len(text[: match.start()].encode("utf-16-le", "surrogatepass")) // 2
    span = types.Range(types.Position(start.line, before), types.Position(start.line, before + len(match[0])))
    edit = types.WorkspaceEdit({document.uri: [types.TextEdit(span, value)]})
    return types.CodeAction(f"Round to {value}", types.CodeActionKind.QuickFix, [diagnostic], is_preferred=True, edit=edit)
