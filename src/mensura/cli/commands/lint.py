"""``mensura lint``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mensura.cli.shared.options import add_output

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = (
        "Find common mistakes of IR evaluation in LaTeX, Markdown, notebooks, Python, plans\n"
        "(.toml), results (csv, json, trec_eval's output), runs and judgments. Runs are checked\n"
        "against judgments that are named with them.\n\n"
        "A comment such as '% mensura: ignore M101' suppresses a rule on its line or, alone on a\n"
        "line, in the paragraph below; ignore-file does so in the whole file.\n\n"
        "Exit 1: an error or a warning was found; notes do not count."
    )
    parser.epilog = "example: mensura lint paper.tex notebooks/*.ipynb --profile strict"
    parser.add_argument("files", metavar="FILE", nargs="+", help="files, or patterns like 'paper/*.tex'")
    add_output(parser, ("text", "json", "sarif"))
    parser.add_argument(
        "--profile",
        choices=("neutral", "strict"),
        default="neutral",
        help="severity: consequences as warnings (neutral), or the commandments of P3 as errors (strict) (default: %(default)s)",
    )
    parser.add_argument(
        "--select",
        metavar="CODES",
        default="",
        help="codes of the rules to check, or their beginnings, as in M1,D102 (default: all)",
    )
    parser.add_argument("--ignore", metavar="CODES", default="", help="codes of rules to leave out, or their beginnings")


def run(arguments: Namespace) -> int:
    """Lint files and write the findings."""
    from mensura import __version__
    from mensura.cli.shared.output import progress, write
    from mensura.io.files import expand
    from mensura.lint import outputs
    from mensura.lint.engine import Options, lint

    options = Options(arguments.profile, _codes(arguments.select), _codes(arguments.ignore))
    with progress("checking files") as tell:
        findings = lint(expand(arguments.files), options, tell)
    match arguments.format:
        case "json":
            text = outputs.as_json(findings)
        case "sarif":
            text = outputs.as_sarif(findings, arguments.profile, __version__)
        case _:
            text = outputs.as_text(findings)
    write(text, arguments.output)
    return int(any(finding.severity != "note" for finding in findings))


def _codes(text: str) -> tuple[str, ...]:
    return tuple(text.upper().replace(",", " ").split())
