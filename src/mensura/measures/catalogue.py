"""All measures that Mensura has: importing this module registers those of every file of the package."""

from __future__ import annotations

import importlib
import pkgutil

import mensura.measures
from mensura.measures.registry import REGISTRY

__all__ = ["REGISTRY"]

APART = {"catalogue", "names", "needs", "trec_eval"}  # they ask for measures, and define none

for _module in pkgutil.iter_modules(mensura.measures.__path__):
    if _module.name not in APART:
        importlib.import_module(f"mensura.measures.{_module.name}")
