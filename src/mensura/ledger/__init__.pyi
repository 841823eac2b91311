from mensura.ledger.entries import Collection as Collection
from mensura.ledger.entries import Entry as Entry
from mensura.ledger.entries import entries_of as entries_of
from mensura.ledger.exchange import export as export
from mensura.ledger.exchange import merge as merge
from mensura.ledger.place import is_kept as is_kept
from mensura.ledger.place import ledger_path as ledger_path
from mensura.ledger.store import Ledger as Ledger

__all__ = [
    "Collection",
    "Entry",
    "Ledger",
    "entries_of",
    "export",
    "is_kept",
    "ledger_path",
    "merge",
]
