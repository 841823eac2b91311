"""Records: how a result came about, and making it again (P3 §2.9)."""

from __future__ import annotations

from mensura._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "files": ("FORMAT", "embed", "read_record", "strip", "write_records"),
        "primad": ("Input", "Record", "record"),
    },
)
