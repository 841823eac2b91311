"""Count how far a command walks through the house: modules entered and package switches, imports apart.

Each command runs once to import what it needs and once more under a profiler, on four simulated systems.
A *module entered* is a module of Mensura of which a function runs.
A *package switch* is a call of a function of Mensura that follows, in its thread, one of another package.

    python tools/walk.py            # evaluate, compare, study, report
    python tools/walk.py compare    # some of them
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
import threading
from typing import TYPE_CHECKING

from mensura.cli import run_command

if TYPE_CHECKING:
    from types import FrameType

COMMANDS = {
    "evaluate": ["evaluate", "{qrels}", "{runs}", "-m", "AP"],
    "compare": ["compare", "{qrels}", "{runs}", "-m", "AP"],
    "study": ["study", "{qrels}", "{runs}", "-m", "AP", "--length", "5", "-o", "{folder}/study{turn}"],
    "report": ["report", "{qrels}", "{runs}", "-m", "AP@5", "-o", "{folder}/report{turn}.html"],
}


def walk(words: list[str]) -> tuple[set[str], int]:
    """Run a command under a profiler and return the modules that it entered and the number of package switches."""
    modules: set[str] = set()
    switches = 0
    place = threading.local()  # threads that read take turns in an order of their own, which is not counted

    def look(frame: FrameType, event: str, _: object) -> None:
        nonlocal switches
        name = frame.f_globals.get("__name__", "") if event == "call" else ""
        if not name.startswith("mensura"):
            return
        modules.add(name)
        package = ".".join(name.split(".")[:2])
        if package != getattr(place, "package", None):
            switches += 1
            place.package = package

    threading.setprofile(look)
    sys.setprofile(look)
    try:
        quietly(words)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return modules, switches


def quietly(words: list[str]) -> None:
    """Run a command and drop its output."""
    with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())), contextlib.redirect_stderr(io.StringIO()):
        status = run_command(words)
    if status:
        sys.exit(f"mensura {' '.join(words)} ended with {status}")


def main(names: list[str]) -> None:
    """Print both counts for each of the named commands."""
    os.environ["MENSURA_LEDGER"] = "off"
    with tempfile.TemporaryDirectory() as folder:
        quietly(["simulate", "--systems", "4", "--topics", "10", "--depth", "20", "-o", f"{folder}/campaign"])
        places = {"qrels": f"{folder}/campaign/qrels.txt", "runs": f"{folder}/campaign/runs/*", "folder": folder}
        print("command    modules  switches")
        for name in names or COMMANDS:
            for turn in range(2):
                words = [word.format(turn=turn, **places) for word in COMMANDS[name]]
                if turn == 0:
                    quietly(words)
                else:
                    modules, switches = walk(words)
                    print(f"{name:<9} {len(modules):8} {switches:9}")


if __name__ == "__main__":
    main(sys.argv[1:])
