"""Writes tests into a ledger, one at a time, and says so after each: ``python writer.py LEDGER NAME COUNT``."""

import os
import sys
from pathlib import Path

from mensura.ledger import Collection, Entry, Ledger

COLLECTION = Collection("0" * 64, "qrels.txt", 50, 1000)


def entry(name: str, number: int) -> Entry:
    """A test that no other writer makes."""
    return Entry(
        collection=COLLECTION.digest,
        topics="all",
        measure="AP",
        scale="original",
        test="t",
        draws="",
        company="",
        first_run=name,
        second_run=str(number),
        first=name,
        second=str(number),
    )


if __name__ == "__main__":
    path, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    with Ledger(path) as ledger:
        for number in range(count):
            made = entry(name, number)
            ledger.enter(COLLECTION, [made])
            os.write(1, f"{made.id}\n".encode())  # a kill must not find it in a buffer
