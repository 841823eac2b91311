"""P3's advice on reading a comparison: which mean fits, ratios, intervals of proportions, and differences in words.

- §2.3: Wilson's interval of a proportion, beside the wider one over topics, which are the independent events;
- §2.4: the mean that fits, from the correlation of differences with the level; relative changes from geometric means;
- §2.8: a difference as a number of documents; Glass's Δ, by the standard deviation of the baseline.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from mensura.measures.first import MFR
from mensura.measures.precision import P, Success
from mensura.pieces.sums import rounded
from mensura.result import Result
from mensura.stats.confidence import mean_half_width, mean_interval, wilson_interval
from mensura.stats.summary import Fit, Mean, which_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from mensura.evaluation.evaluation import Evaluation
    from mensura.evaluation.scores import Scores
    from mensura.measures.base import Measure
    from mensura.render.tables import View
    from mensura.stats.compared import Comparison
    from mensura.stats.summed import PairSums

LEAST_TOPICS = 3  # of a correlation
WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True, slots=True)
class PairAdvice(Result):
    """One pair of systems: the ratio of geometric means with its interval, Glass's Δ, and the difference in words.

    ``ratio`` is NaN where the measure is not on a ratio scale or a value is 0; ``glass`` is NaN without a baseline.
    """

    first: str
    second: str
    ratio: float
    low: float
    high: float
    glass: float
    words: str


@dataclass(frozen=True, slots=True)
class SystemAdvice(Result):
    """A proportion of one system, with Wilson's interval over documents and Student's interval over topics."""

    system: str
    proportion: float
    wilson: tuple[float, float]
    topics: tuple[float, float]
    observations: int


@dataclass(frozen=True)
class Advice(Result):
    """Advice on one measure of a comparison.

    Attributes
    ----------
    measure
        Its name.
    fit
        The mean that fits; ``None`` for fewer than three topics.
    mean
        The mean to use: that of ``fit``, or the median off interval scales, where no other mean is meaningful.
    scale
        The type of its scale on these runs.
    pairs
        The pairs with the baseline; without one, the best two systems.
    systems
        The best system, and the baseline, if the measure is a proportion of documents or topics.
    """

    measure: str
    fit: Fit | None
    mean: Mean
    scale: str
    pairs: tuple[PairAdvice, ...]
    systems: tuple[SystemAdvice, ...]

    readers: ClassVar = {
        "fit": lambda each: None if each is None else Fit.from_dict(each),
        "pairs": lambda each: tuple(map(PairAdvice.from_dict, each)),
        "systems": lambda each: tuple(map(SystemAdvice.from_dict, each)),
    }

    def rows(self) -> Iterable[dict[str, Any]]:
        """Rows of the pairs."""
        return [{"measure": self.measure, **asdict(pair)} for pair in self.pairs]

    def view(self) -> View:
        """The pairs, and all advice in sentences."""
        from mensura.render.advice import advice_view

        return advice_view(self)


def advise(evaluation: Evaluation, comparisons: Sequence[Comparison]) -> tuple[Advice, ...]:
    """Return the advice on each comparison of a measure on its own scale."""
    by_name: Mapping[str, Scores] = {scores.name: scores for scores in evaluation.scores}
    own = [comparison for comparison in comparisons if comparison.scale == "original"]
    return tuple(_advice(by_name[each.measure_name], each) for each in own if each.estimate_of == "values")


def _advice(scores: Scores, comparison: Comparison) -> Advice:
    measure, systems = scores.measure, comparison.systems
    chosen = [scores.topics.index(topic) for topic in comparison.topics]
    values = scores.values[np.ix_([scores.systems.index(system) for system in systems], chosen)]
    facts = scores.facts
    fit = which_mean(values) if values.shape[1] >= LEAST_TOPICS and len(values) > 1 else None
    pairs, baselines, ranking = comparison.outcome.pairs, comparison.outcome.pairs.baselines, comparison.ranking
    some = list(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)) if baselines else [tuple(ranking[:2])]
    sizes = dict(zip(some, comparison.effects.glass.tolist(), strict=True)) if baselines else {}
    ratio = facts is not None and facts.type == "ratio"
    advice = []
    for first, second in some:
        between = ratio_of_geometric_means(values[first], values[second]) if ratio else (math.nan,) * 3
        difference = float(comparison.mean[first] - comparison.mean[second])
        size = sizes.get((first, second), math.nan)
        advice.append(PairAdvice(systems[first], systems[second], *between, size, in_words(measure, difference)))
    fitting: Mean = "arithmetic" if fit is None else fit.advice
    if facts is not None and facts.type in {"ordinal", "nominal"}:
        fitting = "median"
    elif fitting == "geometric" and not ratio:
        fitting = "arithmetic"
    shown = dict.fromkeys([ranking[0], *baselines])
    return Advice(
        measure=comparison.measure_name,
        fit=fit,
        mean=fitting,
        scale="" if facts is None else facts.type,
        pairs=tuple(advice),
        systems=tuple(each for system in shown if (each := _proportion(measure, systems[system], values[system])) is not None),
    )


def advise_on_sums(sums: PairSums, comparisons: Sequence[Comparison]) -> tuple[Advice, ...]:
    """Advice on comparisons without values of topics: what sums tell, which is not the mean that fits."""
    advice = []
    for at, comparison in enumerate(comparisons):
        measure, systems, pairs, ranking = comparison.measure, sums.systems, sums.pairs, comparison.ranking
        some = list(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)) if pairs.baselines else [tuple(ranking[:2])]
        sizes = comparison.effects.glass.tolist() if pairs.baselines else [math.nan]
        words = [in_words(measure, float(comparison.mean[first] - comparison.mean[second])) for first, second in some]
        between = [
            PairAdvice(systems[first], systems[second], *((math.nan,) * 3), size, text)
            for (first, second), size, text in zip(some, sizes, words, strict=True)
        ]
        mean, deviation = sums.means(at), np.nan_to_num(sums.deviations(at))
        half = mean_half_width(deviation, sums.topics, 0.95)
        proportions = [
            proportion_of(
                measure,
                systems[one],
                rounded(sums.totals[at][one]),
                sums.topics,
                (float(mean[one] - half[one]), float(mean[one] + half[one])),
            )
            for one in dict.fromkeys([ranking[0], *pairs.baselines])
        ]
        known = tuple(each for each in proportions if each is not None)
        if comparison.estimate_of == "values" and (known or any(words) or pairs.baselines):
            advice.append(Advice(str(measure), None, "arithmetic", "", tuple(between), known))
    return tuple(advice)


def _proportion(measure: Measure, system: str, values: NDArray[np.float64]) -> SystemAdvice | None:
    """:func:`proportion_of` values of topics."""
    low, high = (float(bound[0]) for bound in mean_interval(values[None, :])) if len(values) > 1 else (math.nan, math.nan)
    return proportion_of(measure, system, float(values.sum()), len(values), (low, high))


def proportion_of(measure: Measure, system: str, total: float, topics: int, interval: tuple[float, float]) -> SystemAdvice | None:
    """Both intervals of a system, if the measure is a proportion of documents (P@k) or of topics (Success)."""
    if isinstance(measure, P) and measure.cutoff is not None:
        each = measure.cutoff
    elif isinstance(measure, Success):
        each = 1
    else:
        return None
    observations = each * topics
    wilson = wilson_interval(round(total * each, 6), observations)
    return SystemAdvice(system, total / topics, (wilson.low, wilson.high), interval, observations)


def ratio_of_geometric_means(values: ArrayLike, baseline: ArrayLike, *, level: float = 0.95) -> tuple[float, float, float]:
    """Return the ratio of the geometric means of two systems and its interval: Student's, of the mean log ratio, restored.

    NaN where a value is not positive: the ratio of that topic does not exist (P3 §2.4).

    Examples
    --------
    >>> [round(number, 4) for number in ratio_of_geometric_means([0.18, 0.54, 0.3], [0.2, 0.5, 0.3])]
    [0.9906, 0.7891, 1.2435]
    """
    new, old = np.asarray(values, dtype=np.float64), np.asarray(baseline, dtype=np.float64)
    if not ((new > 0).all() and (old > 0).all()):
        return math.nan, math.nan, math.nan
    logs = np.log(new / old)
    if len(logs) < 2:  # noqa: PLR2004 - a standard deviation
        return float(np.exp(logs.mean())), math.nan, math.nan
    low, high = (float(np.exp(bound[0])) for bound in mean_interval(logs[None, :], level=level))
    return float(np.exp(logs.mean())), low, high


def in_words(measure: Measure, difference: float) -> str:
    """Return a difference of means of a count in words, empty for other measures and for no difference (P3 §2.8).

    Examples
    --------
    >>> in_words(P() @ 10, 0.02)
    'one more relevant document in the top 10 per five topics'
    >>> in_words(P() @ 10, -0.25)
    '2.5 fewer relevant documents in the top 10 of each topic'
    """
    size = abs(difference)
    if measure.cutoff is None or size < 1e-12:  # noqa: PLR2004 - rounding of a mean
        return ""
    more = "more" if difference > 0 else "fewer"
    match measure:
        case P():
            return _per_topics(size * measure.cutoff, f"{more} relevant", "document", f"in the top {measure.cutoff}")
        case Success():
            return _per_topics(size, more, "topic", f"with a relevant document in the top {measure.cutoff}")
        case MFR():
            ranks = "rank" if f"{size:.2g}" == "1" else "ranks"
            return f"the first relevant document {size:.2g} {ranks} {'later' if difference > 0 else 'earlier'}"
    return ""


def _per_topics(number: float, adjective: str, noun: str, place: str) -> str:
    if number >= 1 - 1e-9:
        count = f"{number:.3g}"
        return f"{'one' if count == '1' else count} {adjective} {noun if count == '1' else noun + 's'} {place} of each topic"
    topics = 1 / number
    nearest = round(topics)
    exact = abs(topics - nearest) < 0.005 * topics  # as a mean of that many digits is read
    count = WORDS[nearest] if nearest < len(WORDS) else str(nearest)
    if nearest == 1:
        return f"about one {adjective} {noun} {place} of each topic"
    return f"one {adjective} {noun} {place} per {'' if exact else 'about '}{count} topics"
