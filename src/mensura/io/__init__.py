"""Reading judgments and runs: files, standard input, dicts, data frames. Nothing here imports NumPy until it is needed."""

from __future__ import annotations

from mensura._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "columns": ("Qrels", "Run"),
        "digests": ("collection_digest", "content_digest"),
        "metadata": ("read_metadata", "with_metadata"),
        "read": ("read_qrels", "read_run"),
    },
)
