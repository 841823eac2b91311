"""``mensura reproduce``."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mensura.cli import parse
from mensura.cli.shared.options import add_output
from mensura.cli.shared.recording import RECORDED, inputs_of
from mensura.errors import RecordError
from mensura.io.digests import data_digest
from mensura.render.escapes import visible

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from mensura.record.reproduce import Checked, Recorded


@dataclass(frozen=True, slots=True)
class Reproduction:
    """The files that were checked, the difference of each result, and changes of software, platform and parameters."""

    checked: tuple[Checked, ...]
    results: tuple[tuple[str, str | None], ...]  # path, and how it differs
    changed: tuple[str, ...]

    @property
    def tampered(self) -> list[Checked]:
        """Files that have changed, or cannot be read again."""
        return [one for one in self.checked if one.state != "unchanged"]

    @property
    def same(self) -> bool:
        """Whether every input is unchanged, and every result the same to the bit."""
        return not self.tampered and all(difference is None for _, difference in self.results)


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = (
        "Reproduce a result from its record: check that its inputs and the result itself are unchanged, run the command\n"
        "in a temporary folder, and compare the results bit by bit. Exit 1 if anything differs."
    )
    parser.epilog = "examples: mensura reproduce leaderboard.csv\n          mensura reproduce leaderboard.csv.record.json -f json"
    parser.add_argument("record", type=Path, metavar="RECORD", help="record, or result that has one")
    parser.add_argument(
        "--trust-plugins", action="store_true", help="permission to run the plugins that the record names (look at them first)"
    )
    add_output(parser, ("table", "json"))


def run(arguments: Namespace) -> int:
    """Check the inputs, compute the result again, and compare."""
    from mensura.cli.shared.output import write
    from mensura.record.files import read_record
    from mensura.record.reproduce import check_inputs, stored_result, understand

    recorded = understand(read_record(arguments.record), arguments.record)
    options = _options(recorded, arguments.record, trust=arguments.trust_plugins)
    _check_list(recorded, options, arguments.record)
    stored = [stored_result(recorded, at) for at in range(len(recorded.results))]
    checked = (*check_inputs(recorded), *(state for state, _ in stored if state.state != "missing"))
    results: list[tuple[str, str | None]] = []
    changed: list[str] = []
    if all(one.state == "unchanged" for one in checked):
        results, changed = _again(recorded, options, [data for _, data in stored])
    outcome = Reproduction(checked, tuple(results), tuple(changed))
    write((_json if arguments.format == "json" else _table)(outcome), arguments.output)
    return 0 if outcome.same else 1


def _options(recorded: Recorded, place: Path, *, trust: bool) -> Namespace:
    """The options of the recorded command, which must be one of Mensura's own with arguments that it takes."""
    if recorded.command not in RECORDED:
        raise RecordError(
            f"{place}: {recorded.command!r} is not a command that can be reproduced; {', '.join(sorted(RECORDED))} are"
        )
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
            options = parse(list(recorded.arguments))
    except SystemExit:
        problem = said.getvalue().strip().splitlines()[-1:] or [""]
        raise RecordError(f"{place}: the arguments are not those of this Mensura: {problem[0]}") from None
    if options.command != recorded.command:
        raise RecordError(f"{place}: the arguments are not those of {recorded.command}")
    if getattr(options, "plugin", None) and not trust:
        files = ", ".join(map(str, options.plugin))
        raise RecordError(f"{place}: would run {files}: look at it, then say --trust-plugins")
    return options


def _check_list(recorded: Recorded, options: Namespace, place: Path) -> None:
    """Refuse a record whose list of inputs lacks a file that its command reads."""
    if not recorded.base.is_dir():
        raise RecordError(f"{place}: there is no folder {recorded.base}, from which the command was run")
    with contextlib.chdir(recorded.base):
        read = {os.path.normpath(path) for _, path in inputs_of(options)}
    listed = {os.path.normpath(one.path) for one in recorded.inputs}
    missing = sorted(read - listed)
    if missing:
        raise RecordError(f"{place}: does not list {missing[0]} among its inputs, which its command reads; it was altered")


def _again(recorded: Recorded, options: Namespace, stored: list[bytes | None]) -> tuple[list[tuple[str, str | None]], list[str]]:
    """Run the command into a temporary folder; return how each result differs, and what has changed since."""
    from mensura.record.files import read_record, strip
    from mensura.record.reproduce import algorithm_of, changes, describe_difference

    with tempfile.TemporaryDirectory(prefix="mensura-") as folder:
        written = {
            name: Path(folder) / f"{name}{Path(value).suffix}"
            for name in ("output", "chart")
            if (value := getattr(options, name, None)) is not None
        }
        if len(written) != len(recorded.results):
            raise RecordError(f"the record names {len(recorded.results)} results, its command writes {len(written)}")
        _run(recorded, written)
        again = read_record(next(iter(written.values())))
        differences: list[tuple[str, str | None]] = []
        for (name, digest), path, before in zip(recorded.results, written.values(), stored, strict=True):
            data = strip(path.read_bytes())
            if data_digest(data, algorithm_of(digest)) == digest:
                differences.append((name, None))
            elif before is None:
                differences.append((name, "differs; the result itself is not there to compare with"))
            else:
                differences.append((name, describe_difference(before, data)))
    return differences, [
        *changes(recorded.implementation, again["implementation"]),
        *changes(recorded.platform, again["platform"]),
        *changes(recorded.parameters, again["data"]["parameters"]),
    ]


def _run(recorded: Recorded, written: dict[str, Path]) -> None:
    """The command in a process of its own: nothing but Mensura, nothing counted, nothing written but into the temporary folder."""
    overrides = [word for name, path in written.items() for word in (f"--{name}", str(path))]
    if "prior_tests" in recorded.parameters:  # a number, also where the ledger was asked for it
        overrides += ["--prior-tests", str(recorded.parameters["prior_tests"])]
    words = list(recorded.arguments)
    end = words.index("--") if "--" in words else len(words)
    environment = {name: value for name, value in os.environ.items() if name != "MENSURA_RECORD"}
    done = subprocess.run(  # noqa: S603 - the words were parsed by Mensura's own parser
        # -P: a folder that holds somebody's mensura.py or numpy.py must not be imported from
        [sys.executable, "-P", "-m", "mensura", *words[:end], *overrides, *words[end:]],
        cwd=recorded.base,
        env=environment | {"MENSURA_LEDGER": "off"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
    )
    if done.returncode != 0 or not all(path.is_file() for path in written.values()):
        said = done.stderr.decode("utf-8", "replace").strip()
        raise RecordError(f"the command could not be run again (exit {done.returncode}): {said}")


def _table(outcome: Reproduction) -> str:
    lines = [f"{one.role} {one.path}: {_state(one)}" for one in outcome.tampered]
    if lines:
        lines.append("The command was not run again, as its inputs have changed.")
    inputs = sum(one.role != "result" for one in outcome.checked)
    if not lines:
        lines.append(f"inputs: {inputs}, all unchanged")
    lines += [f"{path}: {'the same to the bit' if difference is None else difference}" for path, difference in outcome.results]
    if outcome.changed:
        lines += ["Changed since:", *(f"  {change}" for change in outcome.changed)]
    return visible("\n".join(lines), "\n") + "\n"  # a record can come from anybody


def _state(one: Checked) -> str:
    return "came through a pipe and cannot be read again" if one.state == "piped" else one.state


def _json(outcome: Reproduction) -> str:
    from mensura.render.tables import json_text

    document = {
        "same": outcome.same,
        "files": [{"role": one.role, "path": one.path, "state": one.state} for one in outcome.checked],
        "results": [{"path": path, "same": difference is None, "difference": difference} for path, difference in outcome.results],
        "changed": list(outcome.changed),
    }
    return json_text(document)
