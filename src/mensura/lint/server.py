"""A language server: findings as diagnostics while a text is written, explanations on hover, and a quick fix for digits."""

from __future__ import annotations

import os
import re
from decimal import ROUND_HALF_EVEN, Decimal
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from mensura.errors import MensuraError
from mensura.lint.engine import Options, lint_text
from mensura.lint.explanation import explain
from mensura.lint.grouping import spot
from mensura.lint.rules import CATALOGUE
from mensura.lint.settings import find_settings
from mensura.lint.sources import KINDS
from mensura.lint.topics import allowed

if TYPE_CHECKING:
    from pygls.workspace import TextDocument

LEVELS = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}
LANGUAGES = {"latex": "latex", "tex": "latex", "markdown": "markdown", "quarto": "markdown", "python": "python", "toml": "plan"}
NUMBER = re.compile(r"\d*\.\d+")
TOPICS = re.compile(r"over (\d+) topics")


def make_server() -> LanguageServer:
    """Return a server that is not started yet."""
    from mensura import __version__

    server = LanguageServer("mensura", __version__)
    published: dict[str, list[types.Diagnostic]] = {}

    def check(uri: str) -> None:
        document = server.workspace.get_text_document(uri)
        published[uri] = diagnostics(document)
        server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=uri, version=document.version, diagnostics=published[uri])
        )

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        check(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        check(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        published.pop(uri, None)
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri=uri, diagnostics=[]))

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        here = [each for each in published.get(params.text_document.uri, []) if _holds(each.range, params.position)]
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

    return server


def diagnostics(document: TextDocument) -> list[types.Diagnostic]:
    """Return the findings in a text, each of their places on its own."""
    path = document.path or document.uri
    kind = KINDS.get(os.path.splitext(path)[1].lower()) or LANGUAGES.get(document.language_id or "")
    if kind not in {"latex", "markdown", "python", "plan", "rst", "typst", "html"}:
        return []
    try:
        settings = find_settings(os.path.dirname(path) or os.curdir)
        options = Options(settings.profile or "neutral", settings.select, settings.ignore, settings.per_file_ignores, settings.root)
        findings = lint_text(document.source.replace("\r\n", "\n"), kind, path, options)
    except MensuraError as error:  # a file that is being written need not be whole
        return [types.Diagnostic(_range(document, 1, 1, 1, 1), str(error), types.DiagnosticSeverity.Information, source="mensura")]
    return [
        types.Diagnostic(
            _range(document, place.line, place.column, place.end_line, place.end_column),
            finding.message if not place.detail else f"{CATALOGUE[finding.code].message(options.profile)} ({place.detail})",
            LEVELS[finding.severity],
            finding.code,
            source="mensura",
        )
        for finding in findings
        for place in (spot(finding), *finding.spots)
        if os.path.abspath(place.path) == os.path.abspath(path)
    ]


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
    places = allowed(int(topics[1]) if topics is not None else 0) - percent
    value = str(Decimal(match[0]).quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN))
    value = value.removeprefix("0") if match[0].startswith(".") else value
    if value == match[0]:
        return None
    before = start.character + len(text[: match.start()].encode("utf-16-le", "surrogatepass")) // 2
    span = types.Range(types.Position(start.line, before), types.Position(start.line, before + len(match[0])))
    edit = types.WorkspaceEdit({document.uri: [types.TextEdit(span, value)]})
    return types.CodeAction(f"Round to {value}", types.CodeActionKind.QuickFix, [diagnostic], is_preferred=True, edit=edit)
