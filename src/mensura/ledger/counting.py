"""The path of the ledger, whether one is kept, and entering tests in it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from mensura.errors import LedgerError
from mensura.io.writing import user_path
from mensura.ledger.entries import Collection
from mensura.ledger.store import Ledger

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from mensura.io.columns import Qrels
    from mensura.ledger.entries import Entry


def ledger_path() -> Path | None:
    """Path that MENSURA_LEDGER names, else one in the user's data folder; ``None`` if MENSURA_LEDGER is ``off``."""
    return user_path("data", "MENSURA_LEDGER", "ledger.sqlite")


def is_kept() -> bool:
    """Tell whether tests are counted that nobody asked to count.

    They are once there is a ledger: somebody asked for one, and a ledger that misses tests is worth little. They are too if
    MENSURA_LEDGER names a file. Otherwise nothing is written into anybody's home.
    """
    path = ledger_path()
    return path is not None and ("MENSURA_LEDGER" in os.environ or path.exists())


def count_tests(qrels: Qrels | None, entries: Callable[[Collection], Iterable[Entry]], *, asked: bool = False) -> int:
    """Enter tests on a collection where a ledger is kept, or if it is ``asked`` for.

    Returns the number of other tests that were made on the collection before; 0 if nothing is counted. ``entries`` is called
    only if it is. Judged runs without judgments (``None``) belong to no collection.
    """
    path = ledger_path()
    if asked and path is None:
        raise LedgerError("prior tests are counted in a ledger, and MENSURA_LEDGER turns it off; give their number, or name a file")
    if asked and qrels is None:
        raise LedgerError("prior tests are counted by collection, and these judged runs have no judgments; give their number")
    if qrels is None or path is None or not (asked or is_kept()):
        return 0
    collection = Collection.of(qrels)
    with Ledger(path) as ledger:
        return ledger.enter(collection, entries(collection))
