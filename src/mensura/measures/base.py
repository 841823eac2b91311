"""Measures: small frozen values that print as their own names and know the facts about themselves."""

from __future__ import annotations

import dataclasses
import math
from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from mensura.errors import MeasureError, ScaleError
from mensura.judged.entrance import Needs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from fractions import Fraction

    import numpy as np
    from numpy.typing import NDArray

    from mensura.io.reading import Compat
    from mensura.judged.runs import JudgedRuns
    from mensura.measures.decomposition import Decomposition, TopicDecomposition
    from mensura.measures.reals import Exact

Direction = Literal["higher", "lower"]
Aggregation = Literal["mean", "sum", "geometric mean", "median"]
Gains = tuple[tuple[int, float], ...]

MOST_RANKS = 2**31 - 1
"""The longest list that can be: documents are counted with 32 bits."""
LARGEST_GAIN = 1e100
"""Greatest gain of a grade: squares of sums, as in variances, stay below 1e308, the largest floating-point numbers."""
LONGEST_SCALE = 10_000
"""Ranks: the time to count a scale grows with their square, and is seconds here; beyond, it would be hours, and gigabytes."""


@dataclass(frozen=True, kw_only=True)
class Measure:
    """A measure of effectiveness: a value for every system and topic.

    Measures are values: ``RBP(p=0.8) @ 20`` makes one, ``str()`` gives its name ``RBP(p=0.8)@20``, and
    :func:`mensura.parse_measure` takes the name back. Two measures with the same parameters are equal.

    To add one, derive a frozen dataclass whose fields are its parameters, write :meth:`score`, and decorate it with
    :func:`mensura.register`. It is then known by name everywhere.

    Parameters
    ----------
    cutoff
        Number of ranks that count; ``None`` for all. ``M @ k`` sets it.
    """

    cutoff: int | None = None

    name: ClassVar[str]
    """The name without parameters."""
    direction: ClassVar[Direction] = "higher"
    """Whether higher or lower values are better."""
    aggregation: ClassVar[Aggregation] = "mean"
    """The way from values of topics to one value of a system; counts are added up."""
    averages: ClassVar[str] = "values"
    """Name of the :meth:`transformed` values, whose arithmetic mean is taken."""
    uses_recall_base: ClassVar[bool] = False
    """Whether the value depends on the number of relevant documents."""
    uses_scores: ClassVar[bool] = False
    """Whether the value depends on the scores of the system, not just on their order."""
    from_documents: ClassVar[bool] = False
    """Whether the value is computed from the documents of the runs, without the grades of judged runs."""
    continuous: ClassVar[bool] = False
    """Whether judgments that are not whole numbers can be used as they are."""
    scale_obstacle: ClassVar[str | None] = None
    """Dependence of the value on more than the grades of a run and the recall base, as a sentence; ``None`` if there is none.

    A scale ranks a value among those of all judged runs, so a measure with an obstacle has none.
    """
    expects_ties: ClassVar[bool] = False
    """Whether it has an expected value over all orders of documents with equal scores (:mod:`mensura.measures.tied`)."""
    scale_per_topic: ClassVar[bool] = False
    """Whether the order of runs depends on the recall base: each topic has a scale of its own, from :meth:`decompose_topic`."""
    tells_unjudged: ClassVar[bool] = False
    """Whether a document without judgment counts otherwise than one that was judged not relevant; its grade is then −1."""
    by_rank: ClassVar[Measure | None] = None
    """The measure of ranks that this one takes the reciprocals of, if it does: their means may order systems differently."""
    without_recall_base: ClassVar[Measure | None] = None
    """The measure that this one divides by the recall base, if it has a name: DCG for nDCG, P for R."""
    uses_length: ClassVar[bool] = False
    """Whether a list of another length has another scale, as for P without a cut-off.

    Documents that are not relevant, added to the end of a list, then change its value.
    """
    open_ended: ClassVar[bool] = False
    """Whether the value depends on the longest list of all runs, as that of MFR without a cut-off does."""
    reads_past_lists: ClassVar[bool] = False
    """Whether ranks after the end of a list count, so that the measure with a cut-off at the list's length is another one."""
    reference: ClassVar[str] = ""
    """The publication that defines it."""
    works: ClassVar[tuple[str, ...]] = ()
    """Keys of the works that a report cites for it; without one, the report cites :attr:`reference`."""
    mistake: ClassVar[str | None] = None
    """Code of the rule of ``mensura lint`` about its mean (P3), if there is one."""
    always_shown: ClassVar[tuple[str, ...]] = ()
    """Parameters without which the name would say too little."""

    def __post_init__(self) -> None:
        if self.cutoff is not None and (
            not isinstance(self.cutoff, int) or isinstance(self.cutoff, bool) or not 1 <= self.cutoff <= MOST_RANKS
        ):
            raise MeasureError(
                f"{self.name}@{self.cutoff}: a cut-off is a whole number of ranks, at least 1 and at most {MOST_RANKS}"
            )
        rel = getattr(self, "rel", 1)
        if not isinstance(rel, int) or isinstance(rel, bool) or rel < 1:
            raise MeasureError(f"{self.name}: rel={rel!r} must be a grade of at least 1: the lowest that counts as relevant")

    @abstractmethod
    def score(self, judged: JudgedRuns) -> NDArray[np.float64]:
        """The values, [system, topic]."""

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Exact] | None:
        """The values of some ``rows`` (system · topics + topic) as exact numbers; ``None``: doubles are all that there is.

        :func:`mensura.measures.exact.order_codes` asks for them where the doubles of :meth:`score` cannot tell two values apart.
        """
        return None

    def least_gap(self, judged: JudgedRuns) -> float:
        """A bound: no two different values of the judged runs are nearer to each other. 0 if nothing is known."""
        return 0.0

    def condition(self, judged: JudgedRuns) -> float:
        """Factor by which a rounding error of one addition or parameter may be larger in the values."""
        return 1.0

    def decompose(self, length: int, grades: tuple[int, ...]) -> Decomposition | None:
        """Return the decomposition of values over judged runs of a length, to count them exactly; ``None``: only enumeration can.

        ``grades`` are the grades that a run may hold, rising from 0. What depends on the recall base alone is left out: a measure
        that is divided by it decomposes as its numerator.
        """
        return None

    def decompose_topic(
        self, length: int, grades: tuple[int, ...], counts: Mapping[int, int], compat: Compat
    ) -> TopicDecomposition | None:
        """Return the decomposition of values on a topic with ``counts`` judged documents of each grade, if they depend on them.

        For a measure whose :attr:`scale_per_topic` is true. ``counts`` are those of the topic, not of those that fit into a run.
        """
        return self.decompose(length, grades)

    @cached_property
    def on_topics(self) -> Measure:
        """The measure that gives the values of single topics: this one, or the one that it takes another kind of mean of."""
        return self

    @cached_property
    def graded(self) -> bool:
        """Whether the value depends on grades, not just on which documents are relevant."""
        return not hasattr(self, "rel")

    def open_score(self, judged: JudgedRuns) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the value of an open-ended measure in two parts, a and b: for a longest list of n ranks it is a + b (n + 1)."""
        raise NotImplementedError

    @cached_property
    def depth(self) -> int | None:
        """Number of ranks that :meth:`score` looks at; ``None`` for all."""
        return self.cutoff

    def transformed(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The values whose arithmetic mean over topics is taken: themselves, or logarithms for a geometric mean."""
        return values

    def restored(self, means: NDArray[np.float64]) -> NDArray[np.float64]:
        """Means of :meth:`transformed` values on the scale of the measure."""
        return means

    def averaged(self, values: NDArray[Any], counted: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The topics of each system whose values are averaged, bool [system, topic]: all that count, or those in the middle."""
        return counted

    def mean(self, values: NDArray[np.float64], counted: NDArray[np.bool_] | None = None) -> NDArray[np.float64]:
        """Mean over topics of each system, from its values [system, topic]; NaN for a system of which no topic is ``counted``.

        Sums are exact, so that the order of topics does not matter.
        """
        import numpy as np

        rows = self.transformed(values)
        chosen = self.averaged(values, np.ones(rows.shape, dtype=np.bool_) if counted is None else counted)
        kept = [row[which].tolist() for row, which in zip(rows, chosen, strict=True)]
        means = [math.fsum(each) / len(each) if each else math.nan for each in kept]
        return self.restored(np.array(means, dtype=np.float64))

    def defined(self, judged: JudgedRuns) -> NDArray[np.bool_] | None:
        """Lists that have a value, bool [system, topic]; the others are left out of means. ``None``: all have one."""
        return None

    def aggregate(self, values: NDArray[np.float64], counted: NDArray[np.bool_]) -> NDArray[np.float64]:
        """One value per system as trec_eval gives it: the mean, and for counts the sum over topics."""
        import numpy as np

        return np.where(counted, values, 0.0).sum(axis=1) if self.aggregation == "sum" else self.mean(values, counted)

    def needs(self) -> Needs:
        """Return the needs of the measure: ranks, scores."""
        return Needs(self.depth, self.uses_scores, continuous=self.continuous)

    @property
    def range(self) -> tuple[float, float]:
        """The smallest and the largest value that the measure can take."""
        return 0.0, 1.0

    def __matmul__(self, cutoff: int) -> Self:
        return dataclasses.replace(self, cutoff=cutoff)

    def __str__(self) -> str:
        parameters = ", ".join(f"{key}={written(value)}" for key, value in self.parameters().items())
        name = f"{self.name}({parameters})" if parameters else self.name
        return name if self.cutoff is None else f"{name}@{self.cutoff}"

    __repr__ = __str__

    def parameters(self) -> dict[str, Any]:
        """The parameters that a name shows: those that are not at their defaults, and those of ``always_shown``."""
        shown = {}
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if field.name != "cutoff" and (value != field.default or field.name in self.always_shown):
                mapping = isinstance(value, tuple) and all(isinstance(each, tuple) for each in value)  # frozen gains
                shown[field.name] = dict(value) if mapping else value
        return shown


def check_mean(measure: Measure) -> None:
    """Refuse a median, and a mean of some topics only: tests, intervals and interval scales are about means of all."""
    if type(measure.on_topics).defined is not Measure.defined:
        raise ScaleError(
            f"{measure} has no value for some lists and leaves their topics out of its mean, so means are of different topics; "
            "see them with mensura evaluate"
        )
    if measure.aggregation == "median":
        raise ScaleError(
            f"{measure} is a median, not a mean; take {measure.on_topics} itself, e.g. in compare with --test sign, "
            "and ask about medians with mensura meaning --statement 'median(A) > median(B)'"
        )


def check_mean_of_ranks(measure: Measure, values: str = "ranks on an interval scale") -> None:
    """Refuse a measure that averages transformed values: the zero of another scale is arbitrary, and its logarithm too.

    ``values`` are those on the other scale, whose mean is arithmetic.
    """
    check_mean(measure)
    if measure.averages != "values":
        raise ScaleError(f"{measure} is a {measure.aggregation}, which {values} do not have; take {measure.on_topics} itself there")


def check_obstacle(measure: Measure) -> None:
    """Refuse a measure whose value depends on more than the grades of a run and the recall base: it has no scale."""
    if measure.scale_obstacle is not None:
        raise ScaleError(f"{measure.on_topics} has no scale over judged runs: {measure.scale_obstacle}")


def check_cutoff(measure: Measure) -> None:
    """Refuse a measure whose ranks have no mean on one scale: lists of one length share a scale, so it has a cut-off.

    The cut-off comes last, as it is the only thing that another name would mend.
    """
    check_mean_of_ranks(measure)
    check_obstacle(measure)
    if measure.on_topics.cutoff is None:
        raise ScaleError(no_cutoff(measure))
    check_scale_length(measure.on_topics.cutoff)


def no_cutoff(measure: Measure) -> str:
    """The sentence that a measure has no cut-off, with a name that has one if the measure takes cut-offs."""
    cut = with_cutoff(measure, 30)
    way_out = "this one takes none, so use a measure that does, e.g. AP@30" if cut is None else f"name it, e.g. {cut}"
    return f"{measure} has no cut-off, and a scale is for runs of one length; {way_out}"


def with_cutoff(measure: Measure, cutoff: int) -> Measure | None:
    """The measure with a cut-off; ``None`` if it takes none, as IPrec, whose @ names a level of recall."""
    try:
        cut = measure @ cutoff
    except MeasureError:
        return None
    return None if cut.on_topics.cutoff is None else cut


def check_scale_length(ranks: int) -> None:
    """Refuse runs that are too long for a scale."""
    if ranks > LONGEST_SCALE:
        raise ScaleError(
            f"runs of {ranks} ranks are too long for a scale; it is counted for {LONGEST_SCALE} ranks at most, "
            "so use a smaller cut-off"
        )


def written(value: object) -> str:
    """Return a parameter as a name shows it: fractions as 1/2, everything else as Python writes it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{written(key)}: {written(each)}" for key, each in value.items()) + "}"
    if isinstance(value, tuple):
        return f"({', '.join(map(written, value))}{',' if len(value) == 1 else ''})"
    return str(value) if hasattr(value, "denominator") else repr(value)


def freeze_gains(measure: Measure, gains: Mapping[int, float] | Gains | None, name: str = "gains") -> Gains | None:
    """Return the parameter ``name``, a number for each grade, as a sorted tuple of pairs, so that the measure can be hashed."""
    if gains is None:
        return None
    pairs = dict(gains)
    for grade, gain in pairs.items():
        number = isinstance(gain, int | float) or hasattr(gain, "denominator")
        if number and LARGEST_GAIN < gain < float("inf"):
            raise MeasureError(
                f"{measure.name}: {name}={written(pairs)} has a gain above {LARGEST_GAIN:g}, whose squares are too large for "
                "floating-point numbers; divide all gains by the largest"
            )
        if not isinstance(grade, int) or grade < 0 or not number or not 0 <= gain < float("inf"):
            raise MeasureError(
                f"{measure.name}: {name}={written(pairs)} must give a number of at least 0 for each grade, e.g. {{1: 1, 2: 3}}"
            )
    return tuple(sorted(pairs.items()))


def exact(number: float) -> Fraction:
    """The number that was written: 0.8 is 4/5, not the double nearest to it."""
    from fractions import Fraction

    return Fraction(str(number))


def exact_gains(grades: tuple[int, ...], gains: Mapping[int, float]) -> tuple[Fraction, ...]:
    """The gain of each grade, 0 where none is given."""
    return tuple(exact(gains.get(grade, 0)) for grade in grades)


def counted_relevant(length: int, rel: int, divisor: int = 1) -> Decomposition:
    """A measure that is the number of relevant documents, divided."""
    from fractions import Fraction

    from mensura.measures.decomposition import Counted

    return Counted("relevant", tuple(Fraction(number, divisor) for number in range(length + 1)), length, rel)


def without_relevant(length: int, grades: tuple[int, ...]) -> Decomposition:
    """A measure on a topic without relevant documents: 0 for every run."""
    from fractions import Fraction

    from mensura.measures.decomposition import ByRank

    return ByRank(((Fraction(0),) * len(grades),) * length)


def overridden(measure: Measure, method: str, by: str) -> bool:
    """Whether a class overrides ``method`` after the last one that defines ``by``, which computes the same in another way."""
    ancestors = type(measure).__mro__
    first, second = (next(at for at, cls in enumerate(ancestors) if name in vars(cls)) for name in (method, by))
    return first < second


def per_row(rows: NDArray[np.int64], per_topic: NDArray[Any]) -> list[int]:
    """Numbers of topics, for each of some rows."""
    chosen: list[int] = per_topic[rows % len(per_topic)].tolist()
    return chosen


def quotients(numerators: Iterable[int | Fraction], denominators: Iterable[int | Fraction]) -> list[Fraction]:
    """Exact quotients, 0 where the denominator is 0."""
    from fractions import Fraction

    pairs = zip(numerators, denominators, strict=True)
    return [Fraction(over, under) if under else Fraction(0) for over, under in pairs]


def whole_scores(measure: Measure, judged: JudgedRuns, rows: NDArray[np.int64]) -> list[Fraction]:
    """The values of a measure that are whole numbers, which doubles hold exactly."""
    from fractions import Fraction

    return [Fraction(value) for value in measure.score(judged).ravel()[rows].tolist()]


def divide(values: NDArray[np.float64], by: NDArray[Any]) -> NDArray[np.float64]:
    """Values / by, and 0 where ``by`` is 0: a topic without relevant documents counts 0."""
    import numpy as np

    by = np.broadcast_to(by, values.shape).astype(np.float64)
    quotient = np.zeros(values.shape)
    np.divide(values, by, out=quotient, where=by != 0)
    return quotient
