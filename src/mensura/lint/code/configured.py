"""Settings that a program reads from a file: the names of measures under a key of YAML or JSON.

Only one key matters, and its lines: YAML is read as it is, without a parser of all of it.
"""

from __future__ import annotations

import ast
import json
import re
from typing import TYPE_CHECKING

from mensura.lint.code.program import Program, name_of, strings

if TYPE_CHECKING:
    from collections.abc import Iterator

LOADERS = {"safe_load", "load", "full_load", "unsafe_load", "loads"}
ENDINGS = (".yaml", ".yml", ".json")
ITEM = re.compile(r"[ \t]*-[ \t]+(?:metric:[ \t]*)?(?P<name>[^\n#]*)|[ \t]*metric:[ \t]*(?P<inner>[^\n#]*)|[ \t]*(?:#[^\n]*)?")
NAME = re.compile(r"[A-Za-z][\w@.-]*")


def configured(program: Program, node: ast.expr) -> list[str]:
    """Return the names in ``config["metrics"]`` or ``config.get("metrics")``, where the program loads ``config`` from a file that it names."""
    match node:
        case ast.Subscript(value=base, slice=ast.Constant(value=str(key))):
            pass
        case ast.Call(func=ast.Attribute(attr="get", value=base), args=[ast.Constant(value=str(key)), *_]):
            pass
        case _:
            return []
    while isinstance(base, ast.Subscript):
        base = base.value
    text = _loaded(program, base)
    if text is None:
        return []
    return list(_under(_parsed(text), key)) if text.lstrip().startswith(("{", "[")) else _listed(text, key)


def _loaded(program: Program, node: ast.expr) -> str | None:
    """Return the text of the only file that an expression is loaded from."""
    call = program.resolved(node)
    if program.settings is None or not isinstance(call, ast.Call) or name_of(call.func) not in LOADERS or not call.args:
        return None
    opened = call.args[0]
    if isinstance(opened, ast.Name):
        opened = program.opened.get(opened.id) or program.assigned.get(opened.id) or opened
    parts = [
        opened,
        *(program.assigned[each.id] for each in ast.walk(opened) if isinstance(each, ast.Name) and each.id in program.assigned),
    ]
    paths = {path for part in parts for path in strings(part) if path.lower().endswith(ENDINGS)}
    return program.settings(paths.pop()) if len(paths) == 1 else None


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _under(value: object, key: str) -> Iterator[str]:
    """Yield the strings under a key, wherever it is."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name == key:
                yield from (each for each in (inner if isinstance(inner, list) else [inner]) if isinstance(each, str))
            else:
                yield from _under(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from _under(inner, key)


def _listed(text: str, key: str) -> list[str]:
    """Return the names under the only key of this name in YAML."""
    matches = list(re.finditer(rf"^[ ]*{re.escape(key)}[ ]*:[ ]*(?P<value>[^\n#]*)", text, re.MULTILINE))
    return [name[0] for name in names_of(text, matches[0])] if len(matches) == 1 else []


def names_of(text: str, match: re.Match[str]) -> Iterator[re.Match[str]]:
    """Yield the names of a value of YAML: of a scalar, of a list in brackets (over several lines), or of lines with a dash."""
    value = match["value"].strip()
    if value:
        end = match.end()
        if value.startswith("[") and "]" not in value:
            close = text.find("]", end)
            end = close if close >= 0 else end
        yield from NAME.finditer(text, match.start("value"), end)
        return
    at = match.end() + 1
    while at < len(text):
        stop = text.find("\n", at)
        stop = len(text) if stop < 0 else stop
        item = ITEM.fullmatch(text, at, stop)
        if item is None:
            return
        for group in ("name", "inner"):
            if item[group] is not None:
                yield from NAME.finditer(text, *item.span(group))
        at = stop + 1
