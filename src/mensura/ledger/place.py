"""Where the ledger is, and whether there is one."""

from __future__ import annotations

import os
import sys
from pathlib import Path

OFF = {"", "0", "off", "no", "none"}


def ledger_path() -> Path | None:
    """The file: what MENSURA_LEDGER names, else one in the user's data folder; ``None`` if MENSURA_LEDGER is ``off``."""
    chosen = os.environ.get("MENSURA_LEDGER")
    if chosen is not None:
        return None if chosen.strip().lower() in OFF else Path(chosen).expanduser()
    base = os.environ.get("XDG_DATA_HOME")
    if base and Path(base).is_absolute():
        return Path(base) / "mensura" / "ledger.sqlite"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", "~/AppData/Local")).expanduser() / "mensura" / "ledger.sqlite"
    folder = "~/Library/Application Support/mensura" if sys.platform == "darwin" else "~/.local/share/mensura"
    return Path(folder).expanduser() / "ledger.sqlite"


def is_kept() -> bool:
    """Should tests be counted that nobody asked to count?

    Yes once there is a ledger: somebody wanted one, and a ledger that misses tests is worth little. And yes if MENSURA_LEDGER
    names a file. Otherwise nothing is written into anybody's home.
    """
    path = ledger_path()
    return path is not None and ("MENSURA_LEDGER" in os.environ or path.exists())
