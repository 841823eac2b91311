"""The interval scale of a measure: φ(m) = |{x ∈ M(REL^N) : x ≤ m}|, the rank of a value among all distinct ones (P4 §VI, Eq. 2).

P4 enumerates REL^N. Here values are counted without enumeration wherever the measure has a decomposition; see `counting`. Ties
are exact, never "close": two runs tie if and only if their values are equal as numbers. Doubles cannot decide that: they split
equal sums of fractions (857 instead of 810 values of AP at N = 10) and merge different ones.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mensura.errors import ScaleError
from mensura.io.reading import Compat
from mensura.judged.runs import JudgedRuns
from mensura.measures.base import Measure, check_obstacle, check_scale_length, no_cutoff
from mensura.measures.decomposition import TopicDecomposition
from mensura.measures.geometric import with_rel
from mensura.measures.names import parse_measure
from mensura.result import Shown
from mensura.scales.counting.additive import IndependentParts
from mensura.scales.counting.bracket import Bracket
from mensura.scales.counting.brackets import bracket_of
from mensura.scales.counting.choose import Spreading, choose
from mensura.scales.counting.enumeration import EnumeratedValues, Function
from mensura.scales.counting.machines import Needs, attainable_runs
from mensura.scales.counting.protocol import Counting, Number, Runs
from mensura.scales.counting.streams import Progress
from mensura.scales.counting.weights import RATIONAL
from mensura.scales.facts import BINARY

if TYPE_CHECKING:
    from mensura.render.tables import View

Ties = Literal["unq", "mid", "min", "max"]
RecallBase = int | Mapping[int, int]
RankArray = NDArray[np.int64] | NDArray[np.float64] | NDArray[np.object_]
UNJUDGED = -1
"""Grade of a document without judgment, and of a rank after the end of a list."""
SCHANUEL = "Schanuel's conjecture"
LARGEST_INT64 = 2**63 - 1
LARGEST_HALF = 2**52
"""Up to here a double holds every half."""


@dataclass(frozen=True, repr=False)
class IntervalScale(Shown):
    """The interval scale of a measure over judged runs of one length.

    A measure that divides by the recall base has the scale of its numerator, one for all topics: across topics a surrogate (P4
    §VI-C). With `recall_base` the scale is that of one topic, over the runs that can occur there: at most that many documents
    of each grade.
    """

    length: int
    grades: tuple[int, ...]
    recall_base: tuple[int, ...] | None
    """Number of documents of each grade above the lowest; None: all runs of REL^N."""
    counting: Counting
    name: str = "the measure"
    """The measure."""

    @property
    def steps(self) -> int:
        """The number of steps: φ of the largest value."""
        return self.counting.steps

    @property
    def method(self) -> str:
        """The way in which the values are counted."""
        return self.counting.method

    @property
    def exact(self) -> bool:
        """Whether ranks are exact: those of a function in doubles are not, and where only `bracket` gives bounds there are none."""
        return self.counting.exact

    @property
    def counted(self) -> bool:
        """Whether `rank` gives ranks, exact or to the rounding of doubles; if not, only `bracket` gives bounds."""
        return self.counting.exact or isinstance(self.counting, EnumeratedValues)

    @property
    def assumes(self) -> str | None:
        """Conjecture that exact ranks rest on, for logarithms: that no unknown relation between them makes two sums equal."""
        roots = {part.root for part in self.counting.parts} if isinstance(self.counting, IndependentParts) else set()
        return SCHANUEL if roots - {RATIONAL} else None

    @property
    def is_equispaced(self) -> bool:
        """Whether the measure already is an interval scale here, that is φ up to an affine map."""
        return self.counting.is_equispaced

    @cached_property
    def runs(self) -> int:
        """The number of judged runs that the scale is about."""
        return attainable_runs(self.length, len(self.grades), self.recall_base)

    def view(self) -> "View":
        """Number of steps, how they were counted, and the first and last values."""
        from mensura.render.intervals import scale_view

        return scale_view(self)

    def charts(self) -> Mapping[str, Callable[[], dict[str, Any]]]:
        """``spacing``: the values beside equally spaced steps."""
        from mensura.render.charts.scale import scale_chart

        return {"spacing": lambda: scale_chart(self, self.name)}

    def __repr__(self) -> str:
        steps = f"{self.steps} steps" if self.counted else "bounds only"
        return f"IntervalScale({self.name}: length {self.length}, grades {', '.join(map(str, self.grades))}, {steps})"

    def rank(self, runs: ArrayLike, ties: Ties = "unq") -> RankArray:
        """φ of judged runs [..., ranks] of grades; grades below 0 (not judged) count as 0, short runs are padded with 0.

        For a measure that tells them from documents that were judged 0 (bpref, DCG with a gain for grade 0), they count as −1, and
        short runs are padded with −1.

        `ties`: "unq", the default, counts distinct values and is the only one that gives equally spaced ranks. The others rank
        all runs, ties and all: "min" and "max" give the least and greatest of the ranks that tied runs share, "mid" their mean
        (P4 §VI and Table 3; not scaled). Integers come as int64, or as Python's own where these do not fit; mid-ranks as
        doubles, or as Fractions where halves do not fit.
        """
        if ties == "unq":
            rows, where, shape = self._rows(runs)
            return _integers(self.counting.rank(rows), where, shape)
        below, up_to = self.runs_up_to(runs)
        match ties:
            case "min":
                return below + 1
            case "max":
                return up_to
            case "mid":
                return mid_ranks(below, up_to)
        msg = f"ties must be 'unq', 'mid', 'min' or 'max', not {ties!r}"
        raise ScaleError(msg)

    def runs_up_to(self, runs: ArrayLike) -> tuple[RankArray, RankArray]:
        """Numbers of runs with a smaller value than each of the judged runs, and with a value not larger."""
        rows, where, shape = self._rows(runs)
        counts = self.counting.runs_up_to(rows)
        less, not_larger = ([count[which] for count in counts] for which in (0, 1))
        return _integers(less, where, shape), _integers(not_larger, where, shape)

    def rank_values(self, values: Number | Sequence[Number] | NDArray[Any]) -> RankArray:
        """φ of values that are numbers: how many attainable values are not larger.

        A Fraction or an integer is taken as it is. A float is a value that was rounded, so it stands for the one attainable
        value within the rounding error of N additions; if there is none it is taken as it is, and if there are several it
        cannot be ranked: that is an error.
        """
        array = np.asarray(values, dtype=object)
        numbers = array.ravel().tolist()
        strange = [number for number in numbers if not np.isfinite(float(number))]
        if strange:
            msg = f"{strange[0]} has no place on a scale"
            raise ScaleError(msg)
        exact = [Fraction(number) for number in numbers]
        doubt = [
            abs(x) * (self.length + 8) / 2**52 if isinstance(number, float) else 0 for number, x in zip(numbers, exact, strict=True)
        ]
        counts = self.counting.count([x + sign * d for sign in (-1, 1) for x, d in zip(exact, doubt, strict=True)])
        below, ranks = counts[: len(numbers)], counts[len(numbers) :]
        for number, less, rank in zip(numbers, below, ranks, strict=True):
            if isinstance(number, float) and rank - less > 1:
                msg = (
                    f"{number!r} stands for any of {rank - less} values that doubles do not tell apart; give the run, or a Fraction"
                )
                raise ScaleError(msg)
        return _integers(ranks, np.arange(len(ranks)), array.shape)

    def inverse(self, rank: int) -> Number:
        """The value at a step: a Fraction where it is rational, else the nearest double."""
        if not 1 <= rank <= self.steps:
            msg = f"there is no step {rank}; the scale has steps 1 to {self.steps}"
            raise ScaleError(msg)
        return self.counting.value(rank)

    def spacing(self) -> NDArray[np.float64]:
        """All values in increasing order, as doubles: what the steps 1, 2, 3 … stand for."""
        return self.counting.values()

    def bracket(self, runs: ArrayLike, width: float = 1e-4) -> Bracket:
        """Certified bounds, at most `width` apart, of φ / steps; for lengths and grades beyond exact ranks."""
        rows, where, shape = self._rows(runs)
        return bracket_of(self.counting, rows, width, self.recall_base).take(where, shape)

    def _rows(self, runs: ArrayLike) -> tuple[Runs, NDArray[np.int64], tuple[int, ...]]:
        """Judged runs as different rows of indices into the grades, which row each run is, and the shape of ``runs``."""
        array = np.asarray(runs)
        if array.ndim == 0 or array.dtype.kind not in "iu":
            msg = f"judged runs are arrays of whole grades, not {array.dtype} of shape {array.shape}"
            raise ScaleError(msg)
        if array.shape[-1] > self.length:
            ranks = "1 rank" if self.length == 1 else f"{self.length} ranks"
            msg = f"expected runs of at most {ranks}, got {array.shape[-1]}; leave out the grades after rank {self.length}"
            raise ScaleError(msg)
        flat = np.maximum(array.reshape(-1, array.shape[-1]), self.grades[0])
        levels = np.searchsorted(self.grades, flat)
        strange = np.asarray(self.grades)[np.minimum(levels, len(self.grades) - 1)] != flat
        if strange.any():
            way_out = "; write 1 for relevant documents, 0 for others" if self.grades == BINARY else ""
            known = ", ".join(map(str, self.grades))
            msg = f"grade {flat[strange][0]} is not one of the grades {known} of this scale{way_out}"
            raise ScaleError(msg)
        padded = np.zeros((len(flat), self.length), dtype=np.uint8)
        padded[:, : flat.shape[1]] = levels
        _, first, where = np.unique(padded.view(f"V{self.length}").ravel(), return_index=True, return_inverse=True)
        rows = padded[first]
        if self.recall_base is not None:
            used = (rows[:, :, None] == np.arange(1, len(self.grades))).sum(axis=1)
            if (used > np.array(self.recall_base)).any():
                msg = f"a run has more documents of a grade than the recall base {self.recall_base} holds"
                raise ScaleError(msg)
        return rows, where.reshape(-1), array.shape[:-1]


def mid_ranks(below: RankArray, up_to: RankArray) -> RankArray:
    """Mean of the ranks that tied runs share, exact: doubles, or Fractions where halves do not fit."""
    if up_to.dtype != object and up_to.max(initial=0) < LARGEST_HALF:
        return np.asarray((below + up_to + 1) / 2)
    pairs = zip(below.ravel().tolist(), up_to.ravel().tolist(), strict=True)
    return np.array([Fraction(less + most + 1, 2) for less, most in pairs], dtype=object).reshape(up_to.shape)


def _integers(numbers: Sequence[int], where: NDArray[np.int64], shape: tuple[int, ...]) -> RankArray:
    kind = np.int64 if max(numbers, default=0) <= LARGEST_INT64 else object
    return np.array(numbers, dtype=kind)[where].reshape(shape)


def interval_scale(
    measure: Measure | str | TopicDecomposition | Function,
    length: int | None = None,
    grades: Sequence[int] = (0, 1),
    *,
    recall_base: RecallBase | None = None,
    progress: Progress | None = None,
    compat: Compat = "trec_eval-10",
    engine: Any = None,
) -> IntervalScale:
    """Return the interval scale of a measure for judged runs of a length over some grades.

    Parameters
    ----------
    measure
        A measure or its name, a decomposition, or a function from judged runs (one per row) to their values, which is enumerated.
    length
        The number of ranks N; the measure's cut-off by default.
    grades
        The grades REL that a document may have. A measure that only asks whether a document is relevant has the scale of 0 and 1.
    recall_base
        The number of relevant documents, or for more than two grades the number per grade: the scale over the runs that can occur
        for such a topic. By default all runs of REL^N count, and a measure that is divided by the recall base has the scale of its
        numerator, one for all topics: a surrogate (P4 §VI-C). Measures that depend on it in another way (Rprec, IPrec11, Acorr,
        bpref) have a scale for each topic only, and need it; bpref needs the number of judged documents of grade 0 too, as in
        ``{0: 20, 1: 9}``.
    progress
        Called with the proportion of a long sweep that is done.
    compat
        The rounding of levels of recall of ``trec_eval-10`` or of ``trec_eval-9``, for interpolated precision.
    engine
        ``"threads"``, ``"dask"``, the address of a Dask scheduler, or a ``Client``, for scales that take minutes or hours to count:
        up to 2⁴⁰ runs in place of 2³⁶. What is counted is kept, so that an interrupted count can be resumed.

    Examples
    --------
    >>> scale = interval_scale("DCG(base=2)@4")
    >>> scale.steps
    12
    >>> scale.rank([[1, 0, 0, 1], [0, 0, 0, 1]]).tolist()
    [6, 2]
    """
    measure = parse_measure(measure) if isinstance(measure, str) else measure
    name = scale_name(measure) if isinstance(measure, Measure) else "the measure"
    ranks = length if length is not None else getattr(measure, "cutoff", None)
    if ranks is not None:
        check_scale_length(ranks)
    if isinstance(measure, Measure):
        measure, length, grades = resolve(measure, length, tuple(grades), recall_base, compat)
    return scale_of(name, measure, length, grades, recall_base=recall_base, spreading=Spreading(progress, engine))


def scale_of(
    name: str,
    counted: TopicDecomposition | Function,
    length: int | None,
    grades: Sequence[int],
    *,
    recall_base: RecallBase | None = None,
    spreading: Spreading | None = None,
) -> IntervalScale:
    """Return the scale that is counted from what :func:`resolve` gives."""
    order = tuple(sorted(set(grades)))
    if length is None or length < 1 or len(order) < len(BINARY) or order[0] not in {0, UNJUDGED} or len(order) != len(grades):
        msg = f"a scale needs a length of at least 1 and different grades from 0 up, not length {length} and grades {tuple(grades)}"
        raise ScaleError(msg)
    needs = _needs(recall_base, order, length)
    return IntervalScale(length, order, needs, choose(counted, length, order, needs, spreading or Spreading()), name)


def scale_name(measure: Measure) -> str:
    """The measure, or its numerator if the scale is about that."""
    return f"numerator of {measure}" if measure.uses_recall_base and not measure.on_topics.scale_per_topic else str(measure)


def resolve(
    measure: Measure,
    length: int | None,
    grades: tuple[int, ...],
    recall_base: RecallBase | None,
    compat: Compat = "trec_eval-10",
) -> tuple[TopicDecomposition | Function, int, tuple[int, ...]]:
    """Return what a scale is counted from: the measure's decomposition (or the measure as a function), the length, the grades.

    A measure that asks only whether a document is relevant has the scale of 0 and 1, whatever its ``rel`` calls relevant.
    """
    measure = measure.on_topics
    check_obstacle(measure)
    ranks = measure.cutoff if length is None else length
    if ranks is None:
        raise ScaleError(no_cutoff(measure))
    if measure.cutoff is not None and measure.cutoff != ranks:
        raise ScaleError(f"{measure} looks at {measure.cutoff} ranks, so its scale is that of length {measure.cutoff}, not {ranks}")
    if not measure.graded:
        grades = grades if len(grades) <= len(BINARY) else BINARY
        if getattr(measure, "rel", 1) != 1:
            measure = with_rel(measure, 1)
    symbols = (UNJUDGED, *grades) if measure.tells_unjudged else grades
    if measure.scale_per_topic:
        decomposition = measure.decompose_topic(ranks, symbols, _topic_counts(measure, grades, recall_base), compat)
    else:
        decomposition = measure.decompose(ranks, symbols)
    return decomposition or _values(measure, grades, recall_base), ranks, symbols


def _topic_counts(measure: Measure, grades: tuple[int, ...], recall_base: RecallBase | None) -> Mapping[int, int]:
    """The number of judged documents of each grade of a topic, for a measure that depends on it not just by a factor."""
    if recall_base is None:
        counts = ",".join(f"{grade}:9" for grade in (grades if measure.tells_unjudged else grades[1:]))
        raise ScaleError(
            f"{measure} depends on the number of relevant documents, not just as a factor, so each topic has a scale of its own; "
            f"give the recall base, e.g. --recall-base {counts} or recall_base={{{counts.replace(':', ': ').replace(',', ', ')}}}"
        )
    if isinstance(recall_base, int):
        recall_base = {grades[1]: recall_base} if len(grades) == len(BINARY) else {}
    if measure.tells_unjudged and 0 not in recall_base:
        number = recall_base.get(grades[1], 9)
        raise ScaleError(
            f"{measure} depends on the number of judged documents that are not relevant too; "
            f"name it too, e.g. --recall-base 0:20,1:{number} or recall_base={{0: 20, 1: {number}}}"
        )
    return recall_base


def _values(measure: Measure, grades: tuple[int, ...], recall_base: RecallBase | None) -> Function:
    """The measure as a function of judged runs."""
    if measure.uses_recall_base:
        recall_base = _topic_counts(measure, grades, recall_base)
    counts = np.zeros(max(grades) + 1, dtype=np.int64)
    if not measure.uses_recall_base:
        counts[max(grades)] = 1  # the highest grade of the scale, which a few runs may not contain
    for grade, number in (recall_base if isinstance(recall_base, Mapping) else {grades[1]: recall_base or 0}).items():
        counts[grade] = number

    def values(runs: NDArray[np.int8]) -> NDArray[np.float64]:
        return measure.score(JudgedRuns.from_grades(runs[:, None, :], counts[None, :]))[:, 0]

    return values


def _needs(recall_base: RecallBase | None, grades: tuple[int, ...], length: int) -> Needs:
    """Number of documents of each grade above the lowest that a run can contain."""
    if recall_base is None:
        return None
    if isinstance(recall_base, int):
        if len(grades) > len(BINARY):
            msg = f"with the grades {grades} the recall base is a number for each of {grades[1:]}"
            raise ScaleError(msg)
        recall_base = {grades[1]: recall_base}
    if set(recall_base) - set(grades) or min(recall_base.values(), default=0) < 0:
        msg = f"the recall base {dict(recall_base)} does not fit the grades {grades}"
        raise ScaleError(msg)
    return tuple(min(length, recall_base.get(grade, 0)) for grade in grades[1:])
