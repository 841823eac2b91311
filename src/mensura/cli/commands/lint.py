"""``mensura lint``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from mensura.cli.shared.options import add_output
from mensura.errors import InputError, MensuraError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable, Sequence

    from mensura.lint.engine import Options
    from mensura.lint.rule import Finding


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = (
        "Find common mistakes of IR evaluation in papers and pages (LaTeX, Markdown, reStructuredText,\n"
        "Typst, HTML, PDF, docx), notebooks, Python, plans (.toml), experiments (.yaml), results (csv,\n"
        "json, trec_eval's output), runs and judgments. Runs are checked against judgments that are\n"
        "named with them.\n\n"
        "A comment such as '% mensura: ignore M101' suppresses a rule on its line or, alone on a\n"
        "line, in the paragraph below; ignore-file does so in the whole file.\n\n"
        "Settings of a project are in [tool.mensura.lint] of pyproject.toml, or in [lint] of mensura.toml:\n"
        "profile, select, ignore, per-file-ignores, baseline. Options here replace them.\n\n"
        "Exit 1: an error or a warning was found; notes do not count."
    )
    parser.epilog = "example: mensura lint paper.tex notebooks/*.ipynb --profile strict"
    parser.add_argument("files", metavar="FILE", nargs="*", help="files, folders, or patterns like 'paper/*.tex'")
    add_output(parser, ("text", "json", "sarif", "github"))
    parser.add_argument(
        "--profile",
        choices=("neutral", "strict"),
        help="severity: consequences as warnings (neutral), or the commandments of P3 as errors (strict) (default: neutral)",
    )
    parser.add_argument(
        "--select",
        metavar="CODES",
        help="codes of the rules to check, or their beginnings, as in M1,D102 (default: all)",
    )
    parser.add_argument("--ignore", metavar="CODES", help="codes of rules to leave out, or their beginnings")
    parser.add_argument(
        "--statistics",
        action="store_true",
        help="number of findings and places of each rule, as text or json, instead of the findings",
    )
    parser.add_argument(
        "--baseline",
        metavar="FILE",
        help="file with known findings, which are not reported again; it is written if it does not exist",
    )
    parser.add_argument(
        "--summary",
        metavar="DIR",
        help="folder for a committee: a table of papers and P3's ten points, and a page with a checklist for each paper",
    )
    parser.add_argument("--lsp", action="store_true", help="language server on standard input and output (needs mensura[lsp])")
    parser.add_argument("--isolated", action="store_true", help="no settings from pyproject.toml and mensura.toml")


def run(arguments: Namespace) -> int:
    """Lint files and write the findings."""
    if arguments.lsp:
        return _serve()
    if not arguments.files:
        raise MensuraError("no files; name at least one, or use --lsp")
    from mensura import __version__
    from mensura.cli.shared.output import progress, write
    from mensura.lint import outputs
    from mensura.lint.engine import Options, lint
    from mensura.lint.settings import LintSettings, find_settings

    settings = LintSettings() if arguments.isolated else find_settings(os.curdir)
    options = Options(
        arguments.profile or settings.profile or "neutral",
        _codes(arguments.select, settings.select),
        _codes(arguments.ignore, settings.ignore),
        settings.per_file_ignores,
        settings.root,
        arguments.debug,
    )
    refused: list[InputError] = []
    files = _expanded(arguments.files, refused)
    if arguments.summary is not None:
        write(_summary(arguments, files, options, refused), arguments.output)
        return _told(refused, 0)
    with progress("checking files") as tell:
        findings: Sequence[Finding] = lint(files, options, tell, refused)
    findings = _unknown(findings, arguments.baseline or settings.baseline)
    match arguments.format:
        case "json" if arguments.statistics:
            text = outputs.statistics_json(findings)
        case "text" if arguments.statistics:
            text = outputs.statistics(findings)
        case form if arguments.statistics:
            raise MensuraError(f"--statistics are written as text or json, not as {form}")
        case "json":
            text = outputs.as_json(findings)
        case "sarif":
            text = outputs.as_sarif(findings, options.profile, __version__)
        case "github":
            text = outputs.as_github(findings)
        case _:
            text = outputs.as_text(findings)
    write(text, arguments.output)
    return _told(refused, int(any(finding.severity != "note" for finding in findings)))


def _summary(arguments: Namespace, files: list[str], options: Options, refused: list[InputError]) -> str:
    """Write the folder for a committee, and return its table."""
    from mensura.cli.shared.output import progress
    from mensura.lint.committee import summarise
    from mensura.lint.pages import index_json, index_text
    from mensura.render.tables import json_text

    if arguments.format not in {"text", "json"}:
        raise MensuraError(f"--summary is written as text or json, not as {arguments.format}; see the pages in its folder")
    with progress("reading papers") as tell:
        results, notes = summarise(files, arguments.summary, options, tell, refused)
    return json_text(index_json(results, notes)) if arguments.format == "json" else index_text(results, notes)


def _expanded(names: Iterable[str], refused: list[InputError]) -> list[str]:
    """Return the files of patterns; one without a file is refused, and the others are checked."""
    from mensura.io.files import expand

    paths: list[str] = []
    for name in names:
        try:
            paths += expand([name])
        except InputError as error:
            refused.append(error)
    if not paths:
        raise refused[0]
    return paths


def _told(refused: Sequence[InputError], status: int) -> int:
    """Return the status, or fail with the names that were refused now that the other files are reported."""
    if refused:
        raise MensuraError("\n".join(map(str, refused)))
    return status


def _serve() -> int:
    """Run the language server until the editor ends it."""
    try:
        from mensura.lint.server import make_server
    except ModuleNotFoundError as error:
        raise MensuraError(f"the language server needs the package {error.name}; pip install 'mensura[lsp]'") from None
    with os.fdopen(os.dup(0), "rb") as asked, os.fdopen(os.dup(1), "wb") as answered:  # the server closes what it is given
        make_server().start_io(asked, answered)
    return 0


def _unknown(findings: Sequence[Finding], baseline: str | None) -> Sequence[Finding]:
    """Return the findings that a baseline does not know; a baseline that does not exist is written, and knows all of them."""
    if baseline is None:
        return findings
    from mensura.cli.shared.output import write
    from mensura.io.files import read_all, source
    from mensura.lint.grouping import read_baseline, without_known, write_baseline

    folder = os.path.dirname(baseline)
    if not os.path.exists(baseline):
        write(write_baseline(findings, folder), Path(baseline))
        places = sum(1 + len(finding.spots) for finding in findings)
        what = "1 place is known" if places == 1 else f"{places} places are known"
        sys.stderr.write(f"mensura: note: wrote the baseline {baseline}: {what}, and only others are reported from now on\n")
        return []
    return without_known(findings, read_baseline(read_all(source(baseline)).decode("utf-8", "replace"), baseline), folder)


def _codes(text: str | None, default: tuple[str, ...]) -> tuple[str, ...]:
    return default if text is None else tuple(text.upper().replace(",", " ").split())
