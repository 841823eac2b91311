"""The measures by name."""

from __future__ import annotations

from typing import TypeVar

from mensura.errors import MeasureError
from mensura.measures.base import Measure

REGISTRY: dict[str, type[Measure]] = {}

M = TypeVar("M", bound=type[Measure])


def register(cls: M) -> M:
    """Make a measure known by its name, everywhere; decorates its class.

    A name can be registered again only by a class of the same place (a module that is loaded twice), never by another.
    """
    known = REGISTRY.get(cls.name)
    if known is not None and (known.__module__, known.__qualname__) != (cls.__module__, cls.__qualname__):
        raise MeasureError(f"there is a measure {cls.name} already; choose another name")
    REGISTRY[cls.name] = cls
    return cls
