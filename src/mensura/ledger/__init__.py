"""The ledger: every test that was made on a collection is counted, so that later ones can be corrected for it (P3 §2.7)."""

from mensura.ledger.entries import Collection, Entry, entries_of
from mensura.ledger.exchange import export, merge
from mensura.ledger.place import is_kept, ledger_path
from mensura.ledger.store import Ledger

__all__ = ["Collection", "Entry", "Ledger", "entries_of", "export", "is_kept", "ledger_path", "merge"]
