from mensura.ledger.counting import count_tests as count_tests
from mensura.ledger.counting import is_kept as is_kept
from mensura.ledger.counting import ledger_path as ledger_path
from mensura.ledger.entries import Collection as Collection
from mensura.ledger.entries import Entry as Entry
from mensura.ledger.exchange import export as export
from mensura.ledger.exchange import merge as merge
from mensura.ledger.store import Ledger as Ledger

__all__ = [
    "Collection",
    "Entry",
    "Ledger",
    "count_tests",
    "export",
    "is_kept",
    "ledger_path",
    "merge",
]
