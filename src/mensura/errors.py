"""The exceptions of Mensura, as a tree.

::

    MensuraError
    ├── InputError       a file or a table that cannot be read
    │   ├── DuplicateError  a document that a topic has twice
    │   ├── EmptyError   a file or a table without a document
    │   ├── OverlapError  a run without a judged topic
    │   ├── IntakeError  several faults, of one or more inputs
    │   └── PlanError    a plan, or its lock, that cannot be used
    ├── MeasureError     an unknown measure, or an unknown parameter of a measure (also a ValueError)
    ├── DepthError       judged runs without the ranks or scores that a measure needs
    ├── ScaleError       a question about a scale, an order of runs or a statement without an answer
    ├── StatisticsError  values or options that a statistical method cannot use (also a ValueError)
    ├── RankingError     rankings that cannot be compared, or an invalid option of their comparison (also a ValueError)
    ├── LedgerError      a ledger of tests, or an export of one, that cannot be read or written
    ├── RecordError      a record of the origin of a result that cannot be read or reproduced
    └── TaskError        a task that the web server refused or stopped (mensura.web.jobs.workers)
        └── TooLongError

Every message says what is wrong, where, and what to do about it. The command line prints it and exits with 2. Errors of other
packages are turned into these at the boundary: those of files, of decompressors, of data frames, of SQLite, of the chart renderer.
What is not an error but should be known comes as :class:`MensuraWarning`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_NAMED = 12


class MensuraError(Exception):
    """Base of all errors that Mensura raises on purpose."""


class MensuraWarning(UserWarning):
    """A remark about the data that numbers come from: :attr:`mensura.Evaluation.remarks` has the same sentences.

    ``warnings.simplefilter("ignore", mensura.MensuraWarning)`` turns them off.
    """


class InputError(MensuraError):
    """Input that cannot be read.

    Parameters
    ----------
    problem
        The problem, and the way out.
    source
        Name of the file, or ``<stdin>``, ``<dict>``, ``<data frame>``.
    line
        The line, counted from 1.
    text
        The offending text.
    row
        The row of a table that has no lines, counted from 1.
    """

    def __init__(
        self,
        problem: str,
        *,
        source: str | None = None,
        line: int | None = None,
        text: str | None = None,
        row: int | None = None,
    ) -> None:
        self.problem = problem
        self.source = source
        self.line = line
        self.text = text
        self.row = row
        where = f"{source}:{line}: " if line is not None else f"{source}: " if source is not None else ""
        where += f"row {row}: " if row is not None else ""
        shown = "" if text is None else f"\n    {text}"
        super().__init__(f"{where}{problem}{shown}")


class DuplicateError(InputError):
    """A document that a topic has twice."""


class EmptyError(InputError):
    """A file or a table without a document."""


class OverlapError(InputError):
    """A run of which no topic is judged."""


class IntakeError(InputError):
    """Several faults of one or more files or other inputs.

    Attributes
    ----------
    faults
        The first faults of each input, each with source, line or row, and text.
    count
        Number of all faults.
    """

    def __init__(self, problem: str, *, faults: tuple[InputError, ...] = (), count: int = 0) -> None:
        super().__init__(problem)
        self.faults = faults
        self.count = count
        if faults:
            self.source, self.line, self.row = faults[0].source, faults[0].line, faults[0].row


class MeasureError(MensuraError, ValueError):
    """An unknown measure, or an unknown parameter of a measure."""


class DepthError(MensuraError):
    """Judged runs that were cut too early, or read without their scores, for a measure."""


class ScaleError(MensuraError):
    """A question about a scale, an order or a statement without an answer."""


class StatisticsError(MensuraError, ValueError):
    """Values that a test, an interval or a mean cannot be computed from, or an unknown method."""


class RankingError(MensuraError, ValueError):
    """An object that is not a ranking, or rankings that cannot be compared."""


class LedgerError(MensuraError):
    """A ledger that cannot be opened, read or written, or a file to import that is not an export of one."""


class PlanError(InputError):
    """A plan of an experiment that cannot be read, is not locked, or does not fit the comparison."""


class RecordError(MensuraError):
    """A record of the origin of a result that cannot be read or reproduced."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that an unknown one is nearest to; ``None`` if none is near, or two are equally near."""
    import difflib

    folded = {each.lower(): each for each in reversed(list(known))}
    near = difflib.get_close_matches(name.lower(), folded, n=2)
    likeness = [difflib.SequenceMatcher(None, each, name.lower()).ratio() for each in near]
    return folded[near[0]] if near and len({*likeness}) == len(likeness) else None


def suggest(name: str, known: Iterable[str]) -> str:
    """Return the end of a message about an unknown name: the nearest one, or the names that there are if none is nearest.

    Examples
    --------
    >>> suggest("sysa", ["sysA", "sysB"]), suggest("sysX", ["sysA", "sysB"])
    ("did you mean 'sysA'?", 'there are sysA, sysB')
    """
    names = list(known)
    near = nearest(name, names)
    if near is not None:
        return f"did you mean {near!r}?"
    return f"there are {', '.join(names[:MOST_NAMED])}{', …' if len(names) > MOST_NAMED else ''}"
