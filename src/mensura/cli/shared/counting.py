"""Counting tests in the ledger."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from mensura.errors import LedgerError
from mensura.ledger.entries import Collection
from mensura.ledger.place import is_kept, ledger_path
from mensura.ledger.store import Ledger

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

    from mensura.io.columns import Qrels
    from mensura.ledger.entries import Entry


def prior_tests(arguments: Namespace, qrels: Qrels | None, entries: Callable[[Collection], list[Entry]]) -> int | Callable[[], int]:
    """What ``--prior-tests`` says: a number, or what the ledger counts once the tests have been made.

    The number is written back into the arguments, so that a record holds it.
    """
    automatic = arguments.prior_tests == "auto"
    path = ledger_path()
    if automatic and path is None:
        raise LedgerError("--prior-tests auto counts in a ledger, and MENSURA_LEDGER turns that off: give a number, or a file")
    if qrels is None or path is None or not (automatic or is_kept()):
        return int(arguments.prior_tests)

    def count() -> int:
        collection = Collection.of(qrels)
        try:
            with Ledger(path) as ledger:
                before = ledger.enter(collection, entries(collection))
        except LedgerError as error:
            if automatic:
                raise
            sys.stderr.write(f"mensura: note: these tests were not counted: {error}\n")  # nobody asked for it this time
            return int(arguments.prior_tests)
        if automatic:
            arguments.prior_tests = before
        return int(arguments.prior_tests)

    return count
