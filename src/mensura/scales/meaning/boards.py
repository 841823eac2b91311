"""The meaning of an evaluation: verdicts about the statements “A has a better mean than B”, measure by measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, overload

from mensura.errors import suggest
from mensura.measures.names import parse_measure
from mensura.result import Result
from mensura.scales.meaning.dominance import Leaderboard, leaderboard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.base import Measure
    from mensura.render.tables import View


@dataclass(frozen=True, eq=False, repr=False)
class Meaning(Result, Sequence[Leaderboard]):
    """Verdicts about statements by several measures: a sequence, whose members are also known by the names of their measures.

    ``meaning["AP"]`` is the :class:`Leaderboard` of a measure.
    """

    measures: tuple[str, ...]
    boards: tuple[Leaderboard, ...]

    readers: ClassVar[Mapping[str, Callable[[Any], Any]]] = {"boards": lambda each: tuple(map(Leaderboard.from_dict, each))}

    @overload
    def __getitem__(self, key: int | str) -> Leaderboard: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Leaderboard, ...]: ...
    def __getitem__(self, key: int | str | slice) -> Leaderboard | tuple[Leaderboard, ...]:
        if not isinstance(key, str):
            return self.boards[key]
        name = str(parse_measure(key))
        if name not in self.measures:
            raise KeyError(f"there is no verdict about {key}; {suggest(name, self.measures)}")
        return self.boards[self.measures.index(name)]

    def __iter__(self) -> Iterator[Leaderboard]:
        return iter(self.boards)

    def __len__(self) -> int:
        return len(self.boards)

    def rows(self) -> Iterable[dict[str, Any]]:
        """Rows of measure, better system, worse system and verdict."""
        return [{"measure": name, **row} for name, board in zip(self.measures, self.boards, strict=True) for row in board.rows()]

    def view(self) -> View:
        """Number of statements with each verdict, and what survives."""
        from mensura.render.meanings import meaning_view

        return meaning_view(list(zip(self.measures, self.boards, strict=True)))

    def charts(self) -> Mapping[str, Callable[[], dict[str, Any]]]:
        """``surviving``: statements by verdict and stretch."""
        from mensura.render.charts.survival import surviving

        return {
            "surviving": lambda: surviving([(name, board.counts()) for name, board in zip(self.measures, self.boards, strict=True)])
        }

    def __repr__(self) -> str:
        safe = ", ".join(
            f"{name}: {board.survivors()['one scale']} of {board.unequal} statements"
            for name, board in zip(self.measures, self.boards, strict=True)
        )
        return f"Meaning(true on every scale by {safe})"


def meaning_of(judged: JudgedRuns, measures: Sequence[Measure], **options: Any) -> Meaning:
    """Return the verdicts by each measure; options as for :func:`mensura.scales.leaderboard`."""
    return Meaning(tuple(map(str, measures)), tuple(leaderboard(measure, judged, **options) for measure in measures))
