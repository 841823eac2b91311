"""The command line: one file per command.

The parser is argparse's and tables are render's: importing Typer and Rich would cost a tenth of a second at every call, which is
more than evaluating a run takes.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

# Commands, and their subjects as noun phrases. Each has a module of its own with configure(parser) and run(arguments).
COMMANDS = {
    "evaluate": "measures for runs, as means and per topic",
    "compare": "significant differences between systems, and their size",
    "meaning": "statements of a leaderboard that survive every transformation of the scale",
    "report": "one page with everything: leaderboard, groups, pairs, scales, topics, methods",
    "describe": "a collection as a paper should describe it: judgments, lists, ties, overlap of runs",
    "study": "distance of measures from interval scales on a collection, and the decisions that depend on it",
    "simulate": "a campaign, judgments and runs, with known truth",
    "scale": "the interval scale of a measure, and the ranks of runs and values on it",
    "properties": "proofs and counterexamples about the scale of a measure",
    "order": "the partial order of judged runs, and the steps between two of them",
    "rankings": "two rankings compared: distances, correlations, overlap, and the curves of point and area",
    "adm": "scores as estimates of relevance: the average distance measure, by document and by system",
    "measures": "all measures and the facts about them",
    "plan": "tests planned and locked before the data are looked at",
    "ledger": "all tests made on a collection: list, export, import",
    "record": "provenance of a result or a run, and headers of runs",
    "reproduce": "a result computed again from its record, and compared",
    "lint": "common mistakes in papers, notebooks, results, runs and plans",
    "explain": "a rule of lint: its reasons, and the way out",
    "serve": "the web page: rankings that move, scales that stretch, statements that break",
    "demo": "a first look: a small simulated campaign, evaluated, and the meaning of its numbers",
}


def main() -> None:
    """Run ``mensura`` with the arguments of this process, and exit with its status."""
    import gc
    import os

    gc.set_threshold(100_000, 20, 100)  # looking for garbage among what is being imported takes a tenth of a short call
    # Readers hold the interpreter's lock for microseconds at a time; they should not wait long for it while modules are being
    # imported.
    sys.setswitchinterval(0.0005)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # starting threads takes time, and no large matrix is multiplied here
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

    class Parser(argparse.ArgumentParser):
        """A parser that suggests near names instead of listing all of them."""

        def _check_value(self, action: argparse.Action, value: Any) -> None:
            if action.choices is not None and value not in action.choices:
                import difflib

                names = list(map(str, action.choices))
                near = difflib.get_close_matches(str(value), names, n=1) or [name for name in names if str(value).startswith(name)]
                hint = f"did you mean {near[0]!r}? (--help lists all)" if near else f"use one of {', '.join(names)}"
                raise argparse.ArgumentError(action, f"unknown value {value!r}; {hint}")

    parser = Parser(
        prog="mensura",
        description="Information retrieval evaluation that knows what its numbers mean.",
        epilog="mensura COMMAND --help describes a command. A first look: mensura demo",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    for name, what in COMMANDS.items():
        if alone and name != command:
            continue
        subparser = commands.add_parser(name, help=what, formatter_class=argparse.RawDescriptionHelpFormatter)
        if name == command:
            importlib.import_module(f"mensura.cli.commands.{name}").configure(subparser)
    return parser


def parse(words: list[str]) -> Namespace:
    """Return the arguments of a command."""
    command = next((word for word in words if not word.startswith("-")), None)
    return make_parser(command, alone=words[0] == command if command in COMMANDS else False).parse_args(words)


def _dispatch(words: list[str]) -> int:
    import importlib

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
    run = importlib.import_module(f"mensura.cli.commands.{arguments.command}").run
    status: int
    if getattr(arguments, "output", None) is None and getattr(arguments, "chart", None) is None:
        status = run(arguments)
    else:
        from mensura.cli.shared.recording import is_recorded, run_recorded

        status = run_recorded(run, arguments, words) if is_recorded(arguments) else run(arguments)
    return status
