"""Records of commands that write files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mensura.io.digests import labelled_digest
from mensura.io.files import expand, is_regular
from mensura.io.stored import taking_digests
from mensura.io.writing import is_kept, syncing_meanwhile

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

    from mensura.io.stored import Digest, State

# Commands whose files have records and that can be made again from them, with those of their arguments that name input files.
_EVALUATING = ("qrels", "runs", "plugin")
FILES: dict[str, tuple[str, ...]] = {
    "adm": ("qrels", "runs"),
    "compare": (*_EVALUATING, "plan"),
    "evaluate": _EVALUATING,
    "meaning": _EVALUATING,
    "measures": ("plugin",),
    "order": (),
    "properties": ("plugin",),
    "rankings": ("rankings",),
    "report": _EVALUATING,
    "scale": (),
}
RECORDED = frozenset(FILES)
ROLES = {"qrels": "judgments", "runs": "run", "rankings": "ranking"}
WRITTEN = ("output", "chart")
NO_PARAMETERS = {
    "command",
    "version",
    "threads",
    "engine",
    "scheduler",
    *WRITTEN,
}  # what the record says elsewhere, or what changes no result
OFF = {"0", "off", "no", "none"}


def is_recorded(arguments: Namespace) -> bool:
    """Return whether this command writes a file that should have a record; MENSURA_RECORD=off says no."""
    asked = os.environ.get("MENSURA_RECORD", "").strip().lower() not in OFF
    return asked and arguments.command in RECORDED and any(getattr(arguments, name, None) is not None for name in WRITTEN)


def run_recorded(run: Callable[[Namespace], int], arguments: Namespace, words: list[str]) -> int:
    """Run a command and write the record of its files. The digests of its inputs are taken while they are read."""
    inputs = inputs_of(arguments)
    with taking_digests() as taken:
        with syncing_meanwhile():
            status = run(arguments)
        results = [Path(path) for name in WRITTEN if (path := getattr(arguments, name, None)) is not None]
        if status != 0 or not all(map(is_kept, results)):
            return status
        shown = [_shown(path) for _, path in inputs]
        digests = dict(zip(shown, [_digest(path, taken) for _, path in inputs], strict=True))
    inputs = [(role, name) for (role, _), name in zip(inputs, shown, strict=True)]
    from mensura.record.files import write_records
    from mensura.record.primad import record

    goal, actor = _from_plan(arguments)
    command = _expanded(words, arguments, {*shown})
    write_records(record(command, inputs, _parameters(arguments), goal=goal, actor=actor, digests=digests), results)
    return status


def _digest(path: str, taken: dict[str, tuple[State, Digest]]) -> str | None:
    """The digest of what was read, or of a file that was not read as an input is; none of what can be read only once."""
    if path in taken and taken[path][1].value is not None:
        return taken[path][1].value
    return labelled_digest(path) if path != "-" and (is_regular(path) or _is_remote(path)) else None


def _is_remote(path: str) -> bool:
    if "://" not in path:
        return False
    from mensura.io.remote import is_remote

    return is_remote(path)


def _shown(path: str) -> str:
    """The name of an input in a record: an address without its secrets."""
    if "://" not in path:
        return path
    from mensura.io.remote import shown_address

    return shown_address(path)


def inputs_of(arguments: Namespace) -> list[tuple[str, str]]:
    """The files that a command reads, patterns spelled out."""
    names = FILES[arguments.command]
    values = [getattr(arguments, name) for name in names]
    paths = [expand(value if isinstance(value, list) else [value]) if value is not None else [] for value in values]
    inputs = [(ROLES.get(name, name), path) for name, some in zip(names, paths, strict=True) for path in some]
    if getattr(arguments, "plan", None) is not None:
        from mensura.plans.lock import lock_path

        inputs.append(("lock of the plan", os.fspath(lock_path(arguments.plan))))
    return inputs


def _expanded(words: list[str], arguments: Namespace, inputs: set[str]) -> list[str]:
    """The words of the command, with patterns of files replaced by what they match now, and without the engine."""
    words = _without(words, ("--engine", "--scheduler"))
    names = {"runs", "rankings"} & {*FILES[arguments.command]}
    patterns = {os.fspath(word) for name in names for word in getattr(arguments, name)}
    patterns -= inputs  # files that were named one by one
    return [_shown(expanded) for word in words for expanded in (expand([word]) if word in patterns else [word])]


def _without(words: list[str], options: tuple[str, ...]) -> list[str]:
    """The words of a command without some options and their values: those that change no result, and name other machines."""
    left = []
    rest = iter(words)
    for word in rest:
        if word in options:
            next(rest, None)
        elif not word.startswith(tuple(f"{option}=" for option in options)):
            left.append(word)
    return left


def _parameters(arguments: Namespace) -> dict[str, Any]:
    """Every option with its value."""
    return {
        name: value if isinstance(value, bool | int | float | str | list | None) else os.fspath(value)
        for name, value in sorted(vars(arguments).items())
        if name not in NO_PARAMETERS and name not in FILES[arguments.command]
    }


def _from_plan(arguments: Namespace) -> tuple[str | None, str | None]:
    if getattr(arguments, "plan", None) is None:
        return None, None
    from mensura.plans.reading import read_plan

    plan = read_plan(arguments.plan)
    return plan.goal, plan.actor
