"""Reading on the workers of an engine: parts of runs are judged there, and put together here."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mensura._core.names import hash_key
from mensura._core.parts import thaw
from mensura.engines.threads import thread_count
from mensura.errors import EmptyError, InputError
from mensura.io.columns import Qrels, Run, to_text
from mensura.io.files import Parts, Source
from mensura.io.intake import Intake
from mensura.io.parts import caught_part, note_digest, parts_of, read_input
from mensura.io.read import is_table
from mensura.io.reading import JudgedRun, Order, Reading, judge_run, scattered
from mensura.io.shuffling import Shuffle, judged_blocks
from mensura.io.trec import Fault, raise_fault

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mensura._core.judge import Judge
    from mensura.engines.engine import Engine
    from mensura.io.intake import Faults
    from mensura.io.parts import Hashed, RunPart
    from mensura.io.slices import QrelsSlice


class SpreadReading(Reading):
    """Runs that the workers of an engine read."""

    def __init__(
        self,
        qrels: Qrels,
        runs: Sequence[Source | Parts | Run],
        order: Order,
        engine: Engine,
        carried: Qrels | QrelsSlice,
        *,
        faults: Sequence[Faults] = (),
        skip: bool = False,
    ) -> None:
        self.qrels = qrels
        self.order = order
        self.runs = tuple(runs)
        self.faults = tuple(faults)
        self.skip = skip
        self._engine = engine
        self._workers = thread_count(None)
        self._shared = carried, replace(order, key=hash_key())
        parts = [parts_of(run) for run in runs]
        self._counts = list(map(len, parts))
        pairs = [pair for some in parts for pair in some]
        pieces = [part for _, part in pairs]
        outcomes = engine.run(caught_part, pieces, self._shared, [part.seconds for part in pieces])
        self._pieces = (self._arrived(origin, *outcome) for (origin, _), outcome in zip(pairs, outcomes, strict=True))

    def _arrived(self, origin: Source | None, frozen: tuple[Any, ...] | InputError, hashed: Hashed) -> Judge | InputError:
        if isinstance(frozen, InputError):
            return frozen
        note_digest(origin, hashed)
        return thaw(self.order.judge(self.qrels), frozen)

    def _finish(self, run: Source | Parts | Run, judges: list[Judge]) -> JudgedRun:
        if isinstance(run, Run):
            return super()._finish(run, judges)
        pairs = parts_of(run)
        for (origin, _), judge in zip(pairs, judges, strict=True):
            if judge.fault and judge.fault != Fault.SCATTERED_TOPIC and origin is not None:
                raise_fault(origin, judge.fault, judge.fault_at, is_run=True)
        apart = any(judge.fault for judge in judges) or scattered(judges)
        if apart and len(pairs) > 1:
            return self._shuffled(run, pairs)
        if isinstance(run, Source) and not is_table(run, is_run=True):
            return super()._finish(run, judges)
        tag = next((judge.tag for judge in judges if judge.tag is not None), None)
        intake = Intake.of(judges)
        if apart:
            whole = read_input(run)
            judges = [piece() for piece in judge_run(self.qrels, whole, self.order, 1)]
            intake = Intake.of(judges, whole.table)
        extra = tuple(to_text(topic) for judge in judges for topic in judge.extra)
        return self._named(run, tag, judges, extra, intake)

    def _named(
        self, run: Source | Parts, tag: bytes | None, judges: list[Judge], extra: tuple[str, ...], intake: Intake
    ) -> JudgedRun:
        if not extra and not any(judge.count for judge in judges):
            raise EmptyError("is empty; expected at least one document", source=run.name)
        return JudgedRun(run.stem if tag is None else to_text(tag), run.name, run.stem, tuple(judges), extra, intake)

    def _shuffled(self, run: Source | Parts, pairs: list[tuple[Source | None, RunPart]]) -> JudgedRun:
        """Judge a run whose topics are in several parts, after a shuffle by topic."""
        judges, several = [], []
        shuffle = Shuffle(pairs)
        for frozen, gathered in shuffle.run(self._engine, judged_blocks, self._shared):
            several.append(gathered)
            if frozen is not None:
                judges.append(thaw(self.order.judge(self.qrels), frozen))
        shuffle.check(several)
        tags = tuple(dict.fromkeys(tag for _, tag in sorted(pair for each in several for pair in each.tags)))
        intake = replace(
            Intake.of(judges),
            tags=tuple(map(to_text, tags[:2])) if len(tags) > 1 else (),
            wide=any(each.wide for each in several),
        )
        extra = tuple(name for _, name in sorted(pair for each in several for pair in each.extra))
        return self._named(run, tags[0] if tags else None, judges, extra, intake)
