"""What can go wrong, as a tree.

::

    MensuraError
    ├── InputError       a file or table says something that cannot be read: where, what, and what to do
    │   └── PlanError    a plan, or its lock, that cannot be used as it is
    ├── MeasureError     a measure that nobody knows, or a parameter that it does not have
    ├── DepthError       a measure needs more ranks, or scores, than the judged runs kept
    ├── ScaleError       a question about a scale, an order of runs or a statement that has no answer as it was asked
    ├── StatisticsError  values, or a question about them, that a statistical method has no answer for
    ├── RankingError     rankings that cannot be compared, or an option of a comparison that makes no sense
    ├── LedgerError      a ledger of tests that cannot be read or written, or an export that is none
    └── RecordError      a record of how a result came about that cannot be read or followed

Every message says what is wrong, where, and what to do about it. The command line prints it and exits with 2.
"""

from __future__ import annotations


class MensuraError(Exception):
    """The root of all errors that Mensura raises on purpose."""


class InputError(MensuraError):
    """Input that cannot be read.

    Parameters
    ----------
    problem
        What is wrong, and what to do.
    source
        The file, or what stands for it (``<stdin>``, ``<dict>``).
    line
        The line, counted from 1.
    text
        The offending text.
    """

    def __init__(self, problem: str, *, source: str | None = None, line: int | None = None, text: str | None = None) -> None:
        self.problem = problem
        self.source = source
        self.line = line
        self.text = text
        where = f"{source}:{line}: " if line is not None else f"{source}: " if source is not None else ""
        shown = "" if text is None else f"\n    {text}"
        super().__init__(f"{where}{problem}{shown}")


class MeasureError(MensuraError, ValueError):
    """A name that is no measure, or a parameter that the measure does not take."""


class DepthError(MensuraError):
    """Judged runs that were cut too early, or without their scores, for the measure asked of them."""


class ScaleError(MensuraError):
    """What was asked of a scale, an order or a statement cannot be had; the message says what can."""


class StatisticsError(MensuraError, ValueError):
    """Values that a test, an interval or a mean cannot be computed from, or a method that nobody knows."""


class RankingError(MensuraError, ValueError):
    """Something that is no ranking, or a comparison that cannot be made."""


class LedgerError(MensuraError):
    """A ledger that cannot be opened, read or written, or something to import that is no export of one."""


class PlanError(InputError):
    """A plan of an experiment that cannot be read, is not locked, or does not fit what is to be compared."""


class RecordError(MensuraError):
    """A record of how a result came about that cannot be read or followed."""
