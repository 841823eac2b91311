"""The command line: one file per command.

The parser is argparse's and tables are drawn here (``text.py``): importing Typer and Rich would cost a tenth of a second at every
call, which is more than evaluating a run takes.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

# command: what it does. Each lives in a module of its own with configure(parser) and run(arguments).
COMMANDS = {
    "evaluate": "compute measures for runs",
    "compare": "test which systems differ, and by how much",
    "meaning": "which statements of a leaderboard survive every transformation of the scale",
    "report": "write one page with everything: leaderboard, groups, pairs, scales, topics, methods",
    "study": "how far measures are from interval scales on a collection, and which decisions that changes",
    "simulate": "make a campaign, judgments and runs, of which the truth is known",
    "scale": "show the interval scale of a measure, and where runs and values stand on it",
    "properties": "what is proven about the scale of a measure, with counterexamples",
    "order": "the partial order of judged runs, and the steps between two of them",
    "rankings": "compare two rankings: distances, correlations, overlap, and the curves of point and area",
    "adm": "are scores good estimates of relevance? The average distance measure, document by document and by system",
    "measures": "list the measures and the facts about them",
    "plan": "write down what will be tested, lock it, and check that it has not changed",
    "ledger": "the tests that were made on each collection: list them, export them, import those of others",
    "record": "show how a result or a run was made, and write such a header into a run",
    "reproduce": "make a result again from its record, and say what is the same",
    "lint": "find common mistakes in papers, notebooks, results, runs and plans",
    "explain": "what a rule of lint finds, why, and what to do",
    "serve": "serve the web page: see rankings move, scales stretch and statements break",
    "demo": "a first look: simulate a small campaign, evaluate it, and say what its numbers mean",
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


def make_parser(wanted: str | None, *, alone: bool = False) -> ArgumentParser:
    """The parser, with the options of the command that is wanted: only its module is imported. ``alone``: with no other command."""
    import argparse
    import importlib

    parser = argparse.ArgumentParser(
        prog="mensura",
        description="Information retrieval evaluation that knows what its numbers mean.",
        epilog="mensura COMMAND --help tells more about a command. A first look: mensura demo",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    for name, what in COMMANDS.items():
        if alone and name != wanted:
            continue
        command = commands.add_parser(name, help=what, formatter_class=argparse.RawDescriptionHelpFormatter)
        if name == wanted:
            importlib.import_module(f"mensura.cli.commands.{name}").configure(command)
    return parser


def parse(words: list[str]) -> Namespace:
    """The arguments of a command."""
    wanted = next((word for word in words if not word.startswith("-")), None)
    return make_parser(wanted, alone=words[0] == wanted if wanted in COMMANDS else False).parse_args(words)


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
