"""Comparisons as people look at them, in a terminal and in a notebook."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mensura.evaluation.remarks import remark_sentences
from mensura.render.advice import advice_views
from mensura.render.numbers import (
    be,
    ci,
    fixed,
    general,
    group_ranges,
    listing,
    p_equation,
    p_value,
    percent,
    span,
    whole,
)
from mensura.render.papers import paper_table
from mensura.render.tables import Table, View, strong_rows
from mensura.render.views import view_text
from mensura.scales.rescaled import TITLES
from mensura.stats.results import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mensura.plans.hypotheses import HypothesisVerdict
    from mensura.stats.compared import Comparison, Comparisons
    from mensura.stats.listed import Pair, Pairs

ROLES = {"primary": "planned (primary)", "secondary": "planned (secondary)", "exploratory": "exploratory"}
SCALE = "[M103]"
MOST_PAIRS = 15
PAIR_HEADER = ("difference", "CI", "d_z", "+/=/−", "p", "corrected p")


def as_table(
    comparisons: Comparisons, most: int = MOST_PAIRS, verdicts: Sequence[HypothesisVerdict] = (), *, digits: int | None = None
) -> str:
    """The view of the command line, with ``most`` pairs of each measure."""
    more = "use --pairs N to show more; csv and json contain all pairs"
    return view_text(comparisons_view(comparisons, most, verdicts, digits=digits, more=more)) + "\n"


def comparisons_view(
    comparisons: Comparisons,
    most: int = MOST_PAIRS,
    verdicts: Sequence[HypothesisVerdict] = (),
    *,
    digits: int | None = None,
    more: str = "pairs() has all",
) -> View:
    """A leaderboard and the pairs of each measure; then hypotheses, changes between scales, advice, and the remarks."""
    every = comparisons.comparisons
    parts = [_part(comparison, most, digits, more) for comparison in every]
    if verdicts:
        parts.append(View("", lines=[f"Hypothesis: {_hypothesis(verdict)}." for verdict in verdicts]))
    parts += [View("", sentences=[changes]) for changes in _between_scales(every)]
    parts += advice_views(comparisons.advice)
    remarks = dict.fromkeys([*spoken(every), *remark_sentences(comparisons.remarks)])
    return View("", parts=parts, remarks=list(remarks))


def notebook_view(comparisons: Comparisons) -> View:
    """Systems × measures with their marks; below it, measure by measure, what a terminal shows."""
    view = comparisons_view(comparisons)
    if len(comparisons) == 1:
        return view
    table = paper_table(comparisons.comparisons)
    return view._replace(title=_about(comparisons.comparisons), tables=[table])


def comparison_view(comparison: Comparison) -> View:
    """The leaderboard and the first pairs of one measure, with its remarks."""
    return _part(comparison, MOST_PAIRS, None, "pairs() has all")._replace(remarks=comparison.remarks)


def standings_view(comparisons: Sequence[Comparison]) -> View:
    """Systems × measures; with a single measure, intervals and groups beside the means."""
    if len(comparisons) == 1:
        return View(_heading(comparisons[0]), [leaderboard(comparisons[0])])
    return View(_about(comparisons), [paper_table(comparisons)])


def pairs_view(pairs: Pairs) -> View:
    """A table of pairs, one after the other."""
    names = " and ".join(comparison.name for comparison in pairs.comparisons)
    rows = [(pair.measure, pair) for pair in pairs]
    decimals = max((comparison.pair_decimals for comparison in pairs.comparisons), default=0)
    return View(
        f"{plural(len(pairs), 'pair')} of systems by {names}",
        [_pair_table(rows, _interval(rows[0][1] if rows else None), decimals)],
    )


def pair_view(pair: Pair) -> View:
    """One pair."""
    name = pair.measure if pair.scale == "original" else f"{pair.measure} ({TITLES[pair.scale]})"
    return View(f"{pair.first} and {pair.second} by {name}", [_pair_table([("", pair)], _interval(pair), 4)])


def _interval(pair: Pair | None) -> str:
    """The heading of confidence intervals: their level, if there is a pair."""
    return "CI" if pair is None else ci(pair.alpha)


def remark_lines(comparisons: Comparisons) -> str:
    """The remarks for standard error."""
    texts = dict.fromkeys([*spoken(comparisons.comparisons), *remark_sentences(comparisons.remarks)])
    return "".join(f"mensura: note: {text}\n" for text in texts)


def spoken(comparisons: Sequence[Comparison]) -> list[str]:
    """The remarks of all comparisons, each once: one on an interval scale names the measures that it also holds for."""
    scales = [(str(each.measure.on_topics), remark) for each in comparisons for remark in each.remarks if SCALE in remark]
    others = list(dict.fromkeys(measure for measure, _ in scales if measure != scales[0][0]))
    sentences: list[str] = []
    for remark in (remark for each in comparisons for remark in each.remarks):
        if SCALE not in remark:
            sentences.append(remark)
        elif remark == scales[0][1]:
            sentences.append(remark.replace(SCALE, f"(the same for {listing(others)}) {SCALE}") if others else remark)
    return list(dict.fromkeys(sentences))


def _part(comparison: Comparison, most: int, digits: int | None, more: str) -> View:
    """One measure: the test, the leaderboard, and pairs in the order of the ranking, the better system first."""
    heading, method, family = _heading(comparison), comparison.method, str(comparison.family)
    shown, decimals, omnibus = comparison.first_pairs(most), comparison.pair_decimals, comparison.outcome.omnibus
    summary, tables = f"{comparison.differing}.", [leaderboard(comparison, digits)]
    lines = [f"{method.title[0].upper()}{method.title[1:]}; {family}; {drawn(comparison)}α = {general(comparison.alpha)}"]
    if omnibus is not None:
        lines.append(
            f"All systems equal? {p_equation(omnibus.p)} (statistic {general(omnibus.statistic, 4)}, "
            f"degrees of freedom {', '.join(map(general, omnibus.degrees))})"
        )
    interval = ci(comparison.alpha, comparison.interval_kind)
    if most > 0:
        tables.append(_pair_table([("", pair) for pair in shown], interval, decimals, comparison.estimate_of))
    if 0 < most < len(comparison.corrected_p):
        summary += f" Shown: the first {plural(most, 'pair')} in the order of the ranking; {more}."
    return View(heading, tables, sentences=[summary], lines=lines)


def _heading(comparison: Comparison) -> str:
    systems, topics = plural(len(comparison.systems), "system"), plural(comparison.outcome.topics, "topic")
    role = "" if comparison.role is None else f"; {ROLES[comparison.role]}"
    return f"{comparison.name}: {systems}, {topics}{role}"


def _about(comparisons: Sequence[Comparison]) -> str:
    first = comparisons[0]
    systems, topics = plural(len(first.systems), "system"), plural(first.outcome.topics, "topic")
    return f"{systems}, {topics}; {first.method.title}, {first.family}"


def drawn(comparison: Comparison) -> str:
    """The number of draws behind the p-values, for a line about the test; empty without any."""
    draws = comparison.outcome.draws
    return "" if draws is None else f"{whole(draws)} draws; "


def leaderboard(comparison: Comparison, digits: int | None = None) -> Table:
    """Systems, best first, with their means, intervals, and groups or verdicts."""
    heading = "mean ↓" if comparison.direction == "lower" else "mean"
    if comparison.groups:
        last, texts = ["group"], group_ranges(comparison.groups, comparison.group_names)
    elif comparison.outcome.pairs.baselines:
        last, texts = ["against the baseline"], {system: ", ".join(words) for system, words in comparison.verdicts.items()}
    else:
        last, texts = [], {}
    width, places = len(str(len(comparison.systems))), comparison.places.tolist()
    decimals = comparison.decimals if digits is None else digits
    return Table(
        ["", "system", heading, ci(comparison.alpha), *last],
        [
            (
                f"{places[system]:>{width}}",
                comparison.systems[system],
                comparison.mean[system],
                (comparison.low[system], comparison.high[system]),
                *([texts.get(system, "planned elsewhere")] if last else []),
            )
            for system in comparison.ranking
        ],
        align="llrrl",
        formats=[None, None, partial(_mean, decimals=decimals, steps=comparison.steps), partial(span, decimals=decimals)],
        caption="Means",
        label="means",
        dim=1,
        names=1,
    )


def _mean(value: float, decimals: int, steps: int | None) -> str:
    """A mean; one of ranks with the number of steps of their scale."""
    return fixed(value, decimals) if steps is None else f"{fixed(value, decimals)} of {whole(steps)} steps"


def _pair_table(rows: Sequence[tuple[str, Pair]], interval: str, decimals: int, estimates: str = "values") -> Table:
    """Pairs, each below the name of its measure where there is one."""
    named = any(name for name, _ in rows)
    difference = "difference" if estimates == "values" else f"difference of {estimates}"
    header = [*(["measure"] if named else []), "pair", difference, interval, *PAIR_HEADER[2:]]
    return Table(
        header,
        [
            (
                *([name] if named else []),
                f"{pair.first} − {pair.second}",
                pair.estimate,
                pair.interval,
                pair.d_z,
                f"{pair.wins}/{pair.ties}/{pair.losses}",
                pair.p,
                pair.corrected_p,
            )
            for name, pair in rows
        ],
        "ll" if named else "l",
        formats=[
            *([None] if named else []),
            None,
            partial(fixed, decimals=decimals, sign=True),
            partial(span, decimals=decimals, sign=True),
            partial(fixed, decimals=2, sign=True),
            None,
            p_value,
            p_value,
        ],
        strong=strong_rows((at for at, (_, pair) in enumerate(rows) if pair.significant), len(header)),
        caption="Pairs of systems",
        label="pairs",
        names=1 if named else 0,
    )


def _hypothesis(verdict: HypothesisVerdict) -> str:
    hypothesis, pair = verdict.hypothesis, verdict.pair
    interval = f"{_interval(pair)} {span(pair.interval, sign=True)}"
    numbers = f"{fixed(pair.estimate, sign=True)}, {interval}, corrected {p_equation(pair.corrected_p)}"
    return f"{hypothesis.better} is better than {hypothesis.worse} by {hypothesis.measure}: {verdict.says} ({numbers})"


def _elsewhere(comparison: Comparison) -> str:
    """The other scale, as it begins a clause."""
    return f"{'on the' if comparison.scale in {'interval', 'attainable'} else 'by'} {TITLES[comparison.scale]}"


def _between_scales(comparisons: Sequence[Comparison]) -> list[str]:
    """Numbers of pairs that are significant on one scale only (P4 §VIII-C)."""
    if len({comparison.scale for comparison in comparisons}) == 1:
        return []
    lines = []
    for original in comparisons:
        for other in comparisons:
            if original.measure == other.measure and original.scale == "original" != other.scale:
                lost = int((original.significant & ~other.significant).sum())
                won = int((~original.significant & other.significant).sum())
                total = int(original.significant.sum())
                proportion = f" ({percent(lost + won, total)})" if total else ""
                lines.append(
                    f"{original.measure}: {plural(total, 'significant pair')} on its own scale; {_elsewhere(other)} {lost} of them "
                    f"{be(lost)} no longer significant and {plural(won, 'other')} {be(won)}{proportion}."
                )
    return lines
