"""Rows of a result as csv."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def csv_text(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A csv file with a header."""
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


def json_text(document: Any) -> str:
    """A JSON document."""
    import json

    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
