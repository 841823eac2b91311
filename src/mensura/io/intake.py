"""Intake: every fault of every input in one error, runs that are left out, and what a reader should know about the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mensura._core.columns import Columns
from mensura._core.objects import repeated
from mensura.errors import DuplicateError, InputError, IntakeError, OverlapError
from mensura.io.columns import TopicTable, to_text
from mensura.io.files import Source, read_padded, shown
from mensura.io.trec import Fault, fault_sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mensura._core.judge import Judge
    from mensura.io.columns import Qrels

LISTED = 5  # faults of one input
LARGEST = 1 << 28  # bytes of a file whose faults are all looked for
SHOWN = 3  # topics of either side, where none is common


@dataclass(frozen=True, slots=True)
class Intake:
    """Facts about one run as it was read.

    ``tags`` are two different tags of its lines, ``wide`` says that lines have columns after the tag, ``crossed`` is the number of
    topics where rank and score of neighbouring lines disagree, ``near_ties`` that of topics where documents of different grade have
    equal scores as float32 only. Runs with the same ``fingerprint`` rank the same documents; workers of an engine compute it with
    the key of this process.
    """

    tags: tuple[str, ...] = ()
    wide: bool = False
    crossed: int = 0
    near_ties: int = 0
    fingerprint: int = 0

    @classmethod
    def of(cls, judges: Sequence[Judge], held: object = None) -> Intake:
        """Return the facts of a run; ``held`` are its rows, where it was read before it was judged."""
        prints = [judge.fingerprint for judge in judges if judge.width]
        tags = held.tags if isinstance(held, TopicTable) else [tag for judge in judges for tag in (judge.tag, judge.other_tag)]
        different = list(dict.fromkeys(tag for tag in tags if tag is not None))
        return cls(
            tags=tuple(map(to_text, different[:2])) if len(different) > 1 else (),
            wide=held.wide if isinstance(held, TopicTable) else any(judge.wide for judge in judges),
            crossed=sum(judge.crossed for judge in judges),
            near_ties=sum(judge.near_ties for judge in judges),
            fingerprint=sum(prints) % (1 << 64) if all(prints) else 0,
        )


@dataclass(frozen=True, slots=True)
class Faults:
    """The first faults of one input, and the number of all."""

    first: tuple[InputError, ...]
    count: int

    @classmethod
    def of(cls, error: InputError, origins: Iterable[Source] = (), *, is_run: bool = True) -> Faults:
        """Return all faults of the input that ``error`` is about: those of a file in TREC's format are looked for.

        Of a very large file only this one: the search takes three times the memory that the file has bytes.
        """
        if isinstance(error, IntakeError):
            return cls(error.faults, error.count)
        faulty = next((origin for origin in origins if origin.name == error.source), None)
        if error.line is None or faulty is None or (faulty.path is not None and faulty.path.stat().st_size > LARGEST):
            return cls((error,), 1)
        try:
            faults = file_faults(faulty, is_run=is_run)
        except InputError:  # the file ends in a fault of another kind, e.g. it is cut off
            return cls((error,), 1)
        return faults if faults.count else cls((error,), 1)

    @property
    def source(self) -> str:
        """Name of the input."""
        return self.first[0].source or "<input>"

    @property
    def sentence(self) -> str:
        """The first fault in one line, and the number of the others."""
        error = self.first[0]
        place = f" (line {error.line})" if error.line is not None else f" (row {error.row})" if error.row is not None else ""
        return f"{self.source}: {error.problem}{place}" + (f", and {self.count - 1} more" if self.count > 1 else "")


def file_faults(origin: Source, *, is_run: bool) -> Faults:
    """Return the faults of a file in TREC's format: lines that cannot be read, and documents that a topic has twice."""
    text = read_padded(origin)
    columns = Columns(text, is_run, decimal=not is_run, tolerant=True)
    places = [(at, fault) for fault, at in columns.faults]
    total = columns.fault_count
    if columns.count:
        topic, start, length, _ = columns.take()
        rows, again = repeated(text, topic, start, length, len(columns.topics))
        places += [(text.rfind(b"\n", 0, memoryview(start)[row]) + 1, int(Fault.DUPLICATE)) for row in rows]
        total += again
    errors, line, counted = [], 1, 0
    for at, fault in sorted(places)[:LISTED]:
        line += text.count(b"\n", counted, at)
        counted = at
        wrong = text[at : text.index(b"\n", at)]
        kind = DuplicateError if fault == Fault.DUPLICATE else InputError
        errors.append(kind(fault_sentence(fault, wrong, is_run=is_run), source=origin.name, line=line, text=shown(wrong)))
    return Faults(tuple(errors), total)


def intake_error(inputs: Iterable[Faults], *, skippable: bool, what: str = "file") -> InputError:
    """Return one error for the faults of all inputs; a single fault is its own error.

    ``skippable``: they are of runs, which can be left out. ``what`` the inputs are, if they are not objects without a name.
    """
    files = list(inputs)
    total = sum(faults.count for faults in files)
    if total == 1:
        return files[0].first[0]
    lines = []
    for faults in files:
        lines += ["  " + str(error).replace("\n", "\n  ") for error in faults.first]
        if faults.count > len(faults.first):
            lines.append(f"  {faults.source}: … and {faults.count - len(faults.first)} more")
    if any(faults.source.startswith("<") for faults in files):  # <dict>, <data frame>
        what = "input"
    where = f"1 {what}" if len(files) == 1 else f"{len(files)} {what}s"
    way_out = ", or leave these runs out with --skip-bad-runs (skip_bad_runs=True)" if skippable else ""
    return IntakeError(
        f"{total} faults in {where}; mend them{way_out}:\n" + "\n".join(lines),
        faults=tuple(error for faults in files for error in faults.first),
        count=total,
    )


def check_overlap(qrels: Qrels, lost: Sequence[tuple[str, Sequence[str | bytes]]]) -> None:
    """Refuse runs of which no topic is judged: (source, topics) of each."""
    for run, topics in lost:
        names = [topic if isinstance(topic, str) else to_text(topic) for topic in topics]
        raise OverlapError(
            f"no topic of this run is judged: it has {_some(names)}, and the judgments ({qrels.table.source}) have "
            f"{_some(qrels.topics)}; use the judgments that belong to the run",
            source=run,
        )


def _some(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names[:SHOWN])) + (", …" if len(names) > SHOWN else "")
