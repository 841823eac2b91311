"""Packages whose names are imported when they are first used, so that ``import mensura`` and short commands stay quick."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def attach(
    package: str, homes: Mapping[str, Sequence[str]], subpackages: Sequence[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` of a package.

    Parameters
    ----------
    package
        Its name.
    homes
        Modules inside it, and the public names that each of them defines.
    subpackages
        Packages inside it that are reachable as attributes.
    """
    home = {name: f"{package}.{module}" for module, names in homes.items() for name in names}

    def get(name: str) -> Any:
        if name in home:
            return getattr(importlib.import_module(home[name]), name)
        if name in subpackages:
            return importlib.import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    names = sorted(home)
    return get, lambda: sorted([*names, *subpackages]), names
