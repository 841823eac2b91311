"""The command line: one file per command.

The parser is argparse's and tables are render's: importing Typer and Rich would cost a tenth of a second at every call, which is
more than evaluating a run takes.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

# Commands by group, and their subjects as noun phrases. Each has a module of its own with configure(parser) and run(arguments).
GROUPS = {
    "evaluate and compare": {
        "evaluate": "values of measures for runs, as means and per topic",
        "compare": "significant differences between systems, and their size",
        "meaning": "statements that survive every transformation of the scale",
        "report": "one page with everything: leaderboard, pairs, scales, topics",
        "describe": "a collection as a paper should describe it",
        "validate": "choose among variants of a system by cross-validation",
    },
    "measures and scales": {
        "measures": "all measures and the facts about them",
        "scale": "the interval scale of a measure, and ranks on it",
        "properties": "proofs and counterexamples about the scale of a measure",
        "order": "the partial order of judged runs",
        "rankings": "distances and correlations between rankings, and their curves",
        "adm": "scores as estimates of relevance: the average distance measure",
        "study": "measures against their interval scales on whole collections",
        "simulate": "a campaign, judgments and runs, with known truth",
    },
    "papers and plans": {
        "plan": "tests planned and locked before the data are looked at",
        "ledger": "all tests made on a collection: list, export, import",
        "record": "provenance of a result or a run, and headers of runs",
        "reproduce": "a result computed again from its record, and compared",
        "lint": "common mistakes in papers, notebooks, results, runs and plans",
        "explain": "a rule of lint: its reasons, and the way out",
    },
    "pages, first look, housekeeping": {
        "serve": "the web page: rankings, scales, orders, statements, evaluations",
        "demo": "a first look at a small simulated campaign",
        "cache": "files that Mensura keeps to be faster the next time",
    },
}
COMMANDS = {name: subject for group in GROUPS.values() for name, subject in group.items()}


def main() -> None:
    """Run ``mensura`` with the arguments of this process, and exit with its status."""
    import gc
    import os

    gc.set_threshold(100_000, 20, 100)  # looking for garbage among what is being imported takes a tenth of a short call
    # Readers hold the interpreter's lock for microseconds at a time; they should not wait long for it while modules are being
    # imported.
    sys.setswitchinterval(0.0005)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # starting threads takes time, and no large matrix is multiplied here
    if "_ARGCOMPLETE" in os.environ:
        _complete(os.environ["COMP_LINE"].split()[1:])
    try:
        status = run_command(sys.argv[1:])
    except BrokenPipeError:  # `mensura … | head`: the reader has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
    sys.exit(status)


def run_command(words: list[str]) -> int:
    """Run one command and return its exit status.

    0: done; 1: the data say no; 2: bad usage or bad input, with one clear message.
    """
    from mensura.errors import MensuraError

    try:
        return _dispatch(words)
    except MensuraError as error:
        sys.stderr.write(f"mensura: {error}\n")
    except MemoryError:
        sys.stderr.write("mensura: there is not enough memory for this input\n")
    except KeyboardInterrupt:
        return 130
    return 2


def make_parser(command: str | None, *, alone: bool = False) -> ArgumentParser:
    """Return the parser with the options of one command, whose module alone is imported; ``alone``: without other commands."""
    import argparse
    import importlib

    from mensura.cli.shared.parsing import Parser

    parser = Parser(
        prog="mensura",
        usage="mensura [-h] [--version] COMMAND …",
        description="Information retrieval evaluation that knows what its numbers mean.",
        epilog=_list_of_commands(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    commands = parser.add_subparsers(prog="mensura", metavar="COMMAND", dest="command", help=argparse.SUPPRESS)
    for name in COMMANDS:
        if alone and name != command:
            continue
        subparser = commands.add_parser(name, formatter_class=argparse.RawDescriptionHelpFormatter)
        if name == command:
            importlib.import_module(f"mensura.cli.commands.{name}").configure(subparser)
    return parser


def _list_of_commands() -> str:
    """The end of the help: all commands by group."""
    lines = []
    for title, commands in GROUPS.items():
        lines += [f"{title}:", *(f"  {name:<10}  {subject}" for name, subject in commands.items()), ""]
    return "\n".join([*lines, "mensura COMMAND --help describes a command. A first look: mensura demo"])


def _complete(words: list[str]) -> None:
    """Answer a shell that asks how the line can go on, and exit."""
    import argcomplete

    argcomplete.autocomplete(make_parser(next((word for word in words if word in COMMANDS), None)))


def parse(words: list[str]) -> Namespace:
    """Return the arguments of a command."""
    command = next((word for word in words if not word.startswith("-")), None)
    return make_parser(command, alone=words[0] == command if command in COMMANDS else False).parse_args(words)


def _dispatch(words: list[str]) -> int:
    from mensura.cli.shared.options import spread_measures

    words = spread_measures(words)
    arguments = parse(words)
    if arguments.version:
        from mensura import __version__

        sys.stdout.write(f"mensura {__version__}\n")
        return 0
    if arguments.command is None:
        make_parser(None).print_help()
        return 2
    from mensura.io.stored import protecting_inputs

    with protecting_inputs():
        return _run(arguments, words)


def _run(arguments: Namespace, words: list[str]) -> int:
    import importlib

    run = importlib.import_module(f"mensura.cli.commands.{arguments.command}").run
    status: int
    if getattr(arguments, "output", None) is None and getattr(arguments, "chart", None) is None:
        status = run(arguments)
    else:
        from mensura.cli.shared.recording import is_recorded, run_recorded

        status = run_recorded(run, arguments, words) if is_recorded(arguments) else run(arguments)
    return status
