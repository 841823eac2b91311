"""The command line: one file per command.

The parser is argparse's and tables are render's: importing Typer and Rich would cost a tenth of a second at every call, which is
more than evaluating a run takes.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import io
import os
import sys
from typing import TYPE_CHECKING, Any

from mensura import __version__

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable
    from typing import Never

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
    import signal

    gc.set_threshold(100_000, 20, 100)  # looking for garbage among what is being imported takes a tenth of a short call
    # Readers hold the interpreter's lock for microseconds at a time; they should not wait long for it while modules are being
    # imported.
    sys.setswitchinterval(0.0005)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # starting threads takes time, and no large matrix is multiplied here
    if "_ARGCOMPLETE" in os.environ:
        _complete(os.environ["COMP_LINE"].split()[1:])
    complete_streams()
    signal.signal(signal.SIGINT, _interrupt)
    try:
        status = run_command(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:  # `mensura … | head`: the reader has enough
        status = 0
        _silence()
    except SystemExit as stop:  # argparse's, after --help or a wrong option
        status = stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 2
    except OSError as error:
        stream = "cannot write to standard output" if error.filename is None else f"cannot open {error.filename}"
        status = _complain(f"{stream}: {error.strerror or error}")
        _silence()
    _leave(status)


def _leave(status: int) -> Never:
    """Run what is registered for the end, then end the process at once.

    Python would stop threads that still read after an error one by one, which aborts where no descriptor is left to load libgcc,
    and would free all memory first, which takes 4 ms. It does so where a profiler or a tracer waits for the end.
    """
    if sys.getprofile() is not None or sys.gettrace() is not None:
        sys.exit(status)
    if threading := sys.modules.get("threading"):
        threading._shutdown()  # noqa: SLF001 - waits for threads that are not daemons, as Python does
    atexit._run_exitfuncs()  # noqa: SLF001 - as multiprocessing does in its children
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):  # whatever could be said about it is said
            continue
    os._exit(status)


_interrupts: list[int] = []


def _interrupt(number: int, _frame: object) -> None:
    """Remember that the user has interrupted: extension modules that are being imported turn this into errors of their own."""
    _interrupts.append(number)
    raise KeyboardInterrupt


def _silence() -> None:
    """Let nothing be written any more to a standard output that takes nothing."""
    sys.stdout = io.StringIO()


def complete_streams() -> None:
    """Put something where a standard stream is closed, so that no file that is opened later takes its place.

    Nothing can be read from standard input then and nothing written to standard output; messages go nowhere.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, os.O_WRONLY if number == 2 else os.O_RDONLY)  # noqa: PLR2004 - number of stderr
            if descriptor != number:
                os.dup2(descriptor, number)
                os.close(descriptor)
            if number:
                setattr(sys, name, open(number, "w", encoding="utf-8", errors="backslashreplace", closefd=False))  # noqa: SIM115 - a standard stream
    if sys.stdout.errors == "strict" and hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # an encoding without τ


def run_command(words: list[str]) -> int:
    """Run one command and return its exit status.

    0: done; 1: the data say no; 2: bad usage, bad input or no way to write, with one clear message, and with the traceback after
    ``--debug``. Nothing foreign gets further than this: errors of the system, of encodings, of plugins.
    """
    from mensura.cli.shared.parsing import OutputError
    from mensura.errors import MensuraError

    debug = "--debug" in words
    try:
        with contextlib.redirect_stderr(Seen(sys.stderr)):
            return _dispatch([word for word in words if word != "--debug"], debug=debug)
    except SystemExit:
        raise
    except BaseException as error:  # a panic of a package in Rust is not an Exception
        if debug:
            import traceback

            traceback.print_exc()
        if isinstance(error, BrokenPipeError):
            raise
        if isinstance(error, KeyboardInterrupt) or _interrupts:
            _complain("interrupted")
            return 130
        if isinstance(error, OutputError):
            _silence()
        return _complain(str(error) if isinstance(error, MensuraError) else _sentence(error))


class Seen:
    """Standard error, with names in it that cannot move the cursor or hide anything. ``whole`` is the stream itself."""

    def __init__(self, stream: Any) -> None:
        self.whole = stream

    def write(self, text: str) -> int:
        """Write text."""
        from mensura.render.escapes import for_terminal

        self.whole.write(text if text.isascii() and text.replace("\n", "").isprintable() else for_terminal(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.whole, name)


def _complain(sentence: str) -> int:
    """Write an error, if anybody listens."""
    with contextlib.suppress(OSError, ValueError):
        Seen(sys.stderr).write(f"mensura: {sentence}\n")
        sys.stderr.flush()
    return 2


def _sentence(error: BaseException) -> str:
    """Return the sentence for an error that is not ours."""
    text = " ".join(str(error).split())
    if isinstance(error, MemoryError) or "array is too big" in text or "Maximum allowed dimension exceeded" in text:
        return "there is not enough memory for this input"
    if isinstance(error, RecursionError):
        return "the input is nested too deeply"
    if isinstance(error, UnicodeError):
        return f"a text cannot be read or written as UTF-8: {getattr(error, 'reason', text)}"
    if isinstance(error, OSError):
        return f"{'' if error.filename is None else f'{error.filename}: '}{error.strerror or text}"
    return f"internal error: {type(error).__name__}: {text}; mensura --debug shows where, please report it"


def make_parser(command: str | None, *, alone: bool = False) -> ArgumentParser:
    """Return the parser with the options of one command, whose module alone is imported; ``alone``: without other commands."""
    import argparse

    from mensura.cli.shared.parsing import Parser

    parser = Parser(
        prog="mensura",
        usage="mensura [-h] [--version] COMMAND …",
        description="Information retrieval evaluation that knows what its numbers mean.",
        epilog=_list_of_commands(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
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
    """Answer a shell that asks for completions of the line, and exit."""
    import argcomplete

    argcomplete.autocomplete(make_parser(next((word for word in words if word in COMMANDS), None)))


def parse(words: list[str]) -> Namespace:
    """Return the arguments of a command."""
    command = next((word for word in words if not word.startswith("-")), None)
    return make_parser(command, alone=words[0] == command if command in COMMANDS else False).parse_args(words)


def _dispatch(words: list[str], *, debug: bool) -> int:
    from mensura.cli.shared.options import spread_measures

    words = spread_measures(words)
    arguments = parse(words)
    arguments.debug = debug
    if arguments.version:
        from mensura.cli.shared.parsing import printing

        with printing():
            sys.stdout.write(f"mensura {__version__}\n")
            sys.stdout.flush()
        return 0
    if arguments.command is None:
        make_parser(None).print_help()
        return 2
    from mensura.errors import MensuraError
    from mensura.io.stored import protecting_inputs

    with protecting_inputs():
        try:
            return _run(arguments, words)
        except SystemExit as stop:
            raise MensuraError(f"a plugin ended the program (SystemExit: {stop.code}); remove sys.exit() from it") from stop


def _run(arguments: Namespace, words: list[str]) -> int:

    _prepare(arguments)
    run: Callable[[Namespace], int] = importlib.import_module(f"mensura.cli.commands.{arguments.command}").run
    if getattr(arguments, "output", None) is None and getattr(arguments, "chart", None) is None:
        return run(arguments)
    from mensura.cli.shared.recording import is_recorded, run_recorded
    from mensura.io.writing import syncing_folders_once

    with syncing_folders_once():
        return run_recorded(run, arguments, words) if is_recorded(arguments) else run(arguments)


def _prepare(arguments: Namespace) -> None:
    """Refuse a chart that cannot be drawn before any work is done for it, and load the plugins: for every command that has them."""
    if getattr(arguments, "chart", None) is not None:
        from mensura.render.charts.draw import check_format

        check_format(arguments.chart)
    if getattr(arguments, "plugin", None):
        from mensura.cli.shared.output import load_plugins

        load_plugins(arguments.plugin)
