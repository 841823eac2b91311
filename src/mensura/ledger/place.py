"""Where the ledger is, and whether there is one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from mensura.io.writing import user_path

if TYPE_CHECKING:
    from pathlib import Path


def ledger_path() -> Path | None:
    """The file: what MENSURA_LEDGER names, else one in the user's data folder; ``None`` if MENSURA_LEDGER is ``off``."""
    return user_path("data", "MENSURA_LEDGER", "ledger.sqlite")


def is_kept() -> bool:
    """Should tests be counted that nobody asked to count?

    Yes once there is a ledger: somebody wanted one, and a ledger that misses tests is worth little. And yes if MENSURA_LEDGER
    names a file. Otherwise nothing is written into anybody's home.
    """
    path = ledger_path()
    return path is not None and ("MENSURA_LEDGER" in os.environ or path.exists())
