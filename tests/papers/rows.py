"""Rows: what a paper says, the command or the Python that shows it here, and what must come out.

Each ``test_p*.py`` has a list of rows. :func:`show` runs one; ``docs/papers.md`` is written from the same lists by
``python -m tests.papers.page``.
"""

from __future__ import annotations

import contextlib
import io
import os
import shlex
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.running import mensura

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


@dataclass(frozen=True)
class Row:
    """One statement of a paper.

    Attributes
    ----------
    where
        The place in the paper: ``§3, Eq. 3``.
    what
        What is defined, shown or recommended there.
    run
        A command line that begins with ``mensura``, or Python statements of which the last is an expression.
    shows
        Fragments of the output, in their order; of the paper's own numbers where it has any.
    erratum
        What is wrong in the paper, and why: the fragments are then the corrected ones.
    needs
        A folder of the real data that the row reads, ``trec8`` or ``dl21``; the row is skipped where that is missing. The run names
        it as ``$T8`` or ``$DL``.
    slow
        Whether the row takes longer than a few seconds.
    status
        The exit status that is expected of a command.
    """

    where: str
    what: str
    run: str
    shows: tuple[str, ...]
    erratum: str = ""
    needs: str = ""
    slow: bool = False
    status: int = 0


def parametrized(rows):
    """Return the mark that makes one test of each row."""
    cases = [pytest.param(row, id=f"{row.where}: {row.what}"[:90], marks=[pytest.mark.slow] if row.slow else []) for row in rows]
    assert len({case.id for case in cases}) == len(cases), "two rows have the same name"
    return pytest.mark.parametrize("row", cases)


def show(row, folder):
    """Run a row in a folder and return what it prints; every fragment must occur, in order."""
    if row.needs and not (DATA / row.needs).is_dir():
        pytest.skip(f"the real data are not there: {DATA / row.needs}")
    run = row.run.replace("$T8", str(DATA / "trec8")).replace("$DL", str(DATA / "dl21"))
    if run.startswith("mensura "):
        done = mensura(*shlex.split(run)[1:], status=row.status, cwd=folder, env=os.environ | {"COLUMNS": "200"})
        text = done.stdout if row.status == 0 else done.stdout + done.stderr
    else:
        text = executed(run, folder)
    at = 0
    for fragment in row.shows:
        place = text.find(fragment, at)
        assert place >= 0, f"{fragment!r} is not in the output (after {at} characters):\n{text}"
        at = place + len(fragment)
    return text


def executed(code, folder):
    """Run Python statements and return what they print, and the value of the last one."""
    *before, last = code.strip().splitlines()
    names: dict[str, object] = {}
    printed = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(printed):
        exec("\n".join(before), names)  # noqa: S102 - rows of this folder
        value = eval(last, names)  # noqa: S307 - rows of this folder
    return printed.getvalue() + ("" if value is None else str(value))
