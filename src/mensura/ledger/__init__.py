"""The ledger: every test that was made on a collection is counted, so that later ones can be corrected for it (P3 §2.7)."""

from __future__ import annotations

from mensura._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "counting": ("count_tests", "is_kept", "ledger_path"),
        "entries": ("Collection", "Entry"),
        "exchange": ("export", "merge"),
        "store": ("Ledger",),
    },
)
