"""The ledger: every test that was made on a collection is counted, so that later ones can be corrected for it (P3 §2.7)."""

from __future__ import annotations

from mensura._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "entries": ("Collection", "Entry", "entries_of"),
        "exchange": ("export", "merge"),
        "place": ("is_kept", "ledger_path"),
        "store": ("Ledger",),
    },
)
