"""Settings of a project: ``[tool.mensura.lint]`` in pyproject.toml, or ``[lint]`` in mensura.toml."""

from __future__ import annotations

import fnmatch
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from mensura.errors import InputError

if TYPE_CHECKING:
    from mensura.lint.rule import Profile

FILES = (("mensura.toml", ("lint",)), ("pyproject.toml", ("tool", "mensura", "lint")))
KEYS = ("profile", "select", "ignore", "per-file-ignores", "baseline")


@dataclass(frozen=True)
class LintSettings:
    """Settings of lint in a project, and the folder of the file that has them."""

    profile: Profile | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: dict[str, tuple[str, ...]] = field(default_factory=dict)
    baseline: str | None = None
    root: str = ""


def find_settings(folder: str) -> LintSettings:
    """Return the settings that hold in a folder: those of the nearest file in it or above it that has some."""
    here = os.path.abspath(folder)
    while True:
        for name, keys in FILES:
            path = os.path.join(here, name)
            if os.path.isfile(path):
                table = _table(path, keys)
                if table is not None:
                    return _settings(table, path)
        above = os.path.dirname(here)
        if above == here:
            return LintSettings()
        here = above


def _table(path: str, keys: tuple[str, ...]) -> dict[str, Any] | None:
    """Return a table of a TOML file, or ``None`` if it has none."""
    import tomllib

    try:
        with open(path, "rb") as stream:
            table: Any = tomllib.load(stream)
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", source=path) from error
    for key in keys:
        table = table.get(key) if isinstance(table, dict) else None
    return table if isinstance(table, dict) else None


def _settings(table: dict[str, Any], path: str) -> LintSettings:
    unknown = sorted(table.keys() - set(KEYS))
    if unknown:
        raise InputError(f"unknown keys of lint: {', '.join(unknown)}; use {', '.join(KEYS)}", source=path)
    profile = table.get("profile")
    if profile not in (None, "neutral", "strict"):
        raise InputError(f"unknown profile {profile!r}; use neutral or strict", source=path)
    ignores = table.get("per-file-ignores", {})
    if not isinstance(ignores, dict):
        raise InputError('per-file-ignores is not a table; write "notebooks/*" = ["M301"]', source=path)
    root = os.path.dirname(path)
    baseline = table.get("baseline")
    return LintSettings(
        cast("Profile | None", profile),
        _codes(table.get("select", []), "select", path),
        _codes(table.get("ignore", []), "ignore", path),
        {str(pattern): _codes(codes, "per-file-ignores", path) for pattern, codes in ignores.items()},
        os.path.join(root, str(baseline)) if baseline is not None else None,
        root,
    )


def _codes(value: Any, key: str, path: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(code, str) for code in value):
        raise InputError(f'{key} is not a list of codes; write {key} = ["M1", "M301"]', source=path)
    return tuple(code.upper() for code in value)


def ignored(path: str, settings: dict[str, tuple[str, ...]], root: str = "") -> tuple[str, ...]:
    """Return the codes that a project ignores in a file: patterns are of the path below the project, or of the name."""
    if not settings:
        return ()
    full = os.path.abspath(path)
    below = os.path.relpath(full, root or os.getcwd()).replace(os.sep, "/")
    names = (below, os.path.basename(full))
    return tuple(
        code for pattern, codes in settings.items() if any(fnmatch.fnmatch(name, pattern) for name in names) for code in codes
    )
