"""``mensura explain``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = (
        "The findings of a rule of mensura lint, their reasons, objections, and the way out.\nWithout a code: all rules."
    )
    parser.epilog = "example: mensura explain M101"
    parser.add_argument("codes", metavar="CODE", nargs="*", help="code or name of a rule")


def run(arguments: Namespace) -> int:
    """Write explanations, or the list of rules."""
    from mensura.cli.shared.output import write
    from mensura.lint.explanation import explain, find_rule, index
    from mensura.render.text import wrap

    if not arguments.codes:
        write(index(), None)
        return 0
    pages = [explain(find_rule(code)) for code in arguments.codes]
    lines = []
    for page in pages:
        code = False
        for line in page.removeprefix("### ").splitlines():
            if line.startswith("```"):
                code = not code
            elif line:
                lines.append(f"    {line}" if code else wrap(line, "  " if line.startswith("- ") else ""))
            else:
                lines.append("")
        lines.append("")
    write("\n".join(lines[:-1]) + "\n", None)
    return 0
