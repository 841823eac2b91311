"""Comparisons as text: for people, and for programs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.render.advice import advice_text
from mensura.render.evaluations import remark_lines as evaluation_lines
from mensura.render.latex import as_latex
from mensura.render.numbers import (
    differing,
    fixed,
    general,
    group_letters,
    group_names,
    level,
    listing,
    p_equation,
    p_value,
    percent,
    span,
    whole,
)
from mensura.render.tables import Table, as_text, csv_text, json_text, strong_rows
from mensura.render.text import BOLD, YELLOW, paint, wrap
from mensura.result import encode
from mensura.scales.rescaled import TITLES
from mensura.stats.effect_sizes import WITH_INTERVALS
from mensura.stats.results import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mensura.evaluation.evaluation import Evaluation
    from mensura.plans.hypotheses import HypothesisVerdict
    from mensura.stats.advice import Advice
    from mensura.stats.compared import Comparison, Pair

ROLES = {"primary": "planned (primary)", "secondary": "planned (secondary)", "exploratory": "exploratory"}
SCALE = "[M103]"
EFFECTS = ("d_z", "glass", "hedges", "cliff", "residual")


# ── for people ───────────────────────────────────────────────────────────────────────────────────────────────────────────────


def as_table(
    comparisons: Sequence[Comparison],
    evaluation: Evaluation,
    most: int,
    verdicts: Sequence[HypothesisVerdict] = (),
    advice: Sequence[Advice] = (),
) -> str:
    """A leaderboard and the pairs of each measure; then hypotheses, changes between scales, advice, and the remarks."""
    comparisons = tuple(comparisons)
    parts = []
    for comparison in comparisons:
        ranking, pairs = comparison.ranking, comparison.pairs()
        parts += [_title(comparison), as_text(leaderboard(comparison, ranking)), _pairs(comparison, ranking, pairs, most)]
    if verdicts:
        parts.append("".join(wrap(f"Hypothesis: {_hypothesis(verdict)}.", "  ") + "\n" for verdict in verdicts))
    parts += [changes + "\n" for changes in _between_scales(comparisons)]
    parts += [text for text in [advice_text(advice)] if text]
    sentences = spoken(comparisons)
    sentences += [remark.coded for remark in evaluation.remarks]
    parts += [paint("! ", YELLOW) + wrap(text, "  ") + "\n" for text in dict.fromkeys(sentences)]
    return "\n".join(parts)


def spoken(comparisons: Sequence[Comparison]) -> list[str]:
    """The remarks of all comparisons, each once: one on an interval scale names the measures that it also holds for."""
    scales = [(str(each.measure), remark) for each in comparisons for remark in each.remarks if SCALE in remark]
    others = list(dict.fromkeys(measure for measure, _ in scales if measure != scales[0][0]))
    sentences: list[str] = []
    for remark in (remark for each in comparisons for remark in each.remarks):
        if SCALE not in remark:
            sentences.append(remark)
        elif remark == scales[0][1]:
            sentences.append(remark.replace(SCALE, f"(the same for {listing(others)}) {SCALE}") if others else remark)
    return list(dict.fromkeys(sentences))


def _title(comparison: Comparison) -> str:
    method, family, omnibus = comparison.method, str(comparison.family), comparison.outcome.omnibus
    systems, topics = plural(len(comparison.systems), "system"), plural(len(comparison.topics), "topic")
    lines = [
        f"{comparison.name}: {systems}, {topics}" + ("" if comparison.role is None else f"; {ROLES[comparison.role]}"),
        f"{method.title[0].upper()}{method.title[1:]}; {family}; {drawn(comparison)}α = {general(comparison.alpha)}",
    ]
    if omnibus is not None:
        lines.append(
            f"All systems equal? {p_equation(omnibus.p)} (statistic {general(omnibus.statistic, 4)}, "
            f"degrees of freedom {', '.join(map(general, omnibus.degrees))})"
        )
    return paint(lines[0], BOLD) + "\n" + "".join(line + "\n" for line in lines[1:])


def drawn(comparison: Comparison) -> str:
    """The number of draws behind the p-values, for a line about the test; empty without any."""
    draws = comparison.outcome.draws
    return "" if draws is None else f"{whole(draws)} draws; "


def leaderboard(comparison: Comparison, ranking: Sequence[int]) -> Table:
    """Systems in the order of ``ranking`` with their means, intervals, and groups or verdicts."""
    heading = "mean ↓" if comparison.measure.direction == "lower" else "mean"
    if comparison.groups:
        last, texts = ["group"], group_names(comparison.groups)
    elif comparison.outcome.pairs.baselines:
        last, texts = ["against the baseline"], _verdicts(comparison)
    else:
        last, texts = [], {}
    digits, decimals, places = len(str(len(comparison.systems))), comparison.decimals, comparison.places.tolist()
    return Table(
        ["", "system", heading, f"{level(comparison.alpha)} CI", *last],
        [
            (
                f"{places[system]:>{digits}}",
                comparison.systems[system],
                comparison.mean[system],
                (comparison.low[system], comparison.high[system]),
                *([texts.get(system, "planned elsewhere")] if last else []),
            )
            for system in ranking
        ],
        align="llrrl",
        formats=[None, None, partial(fixed, decimals=decimals), partial(span, decimals=decimals)],
        dim=1,
    )


def _verdicts(comparison: Comparison) -> dict[int, str]:
    """The verdict on each system against the baseline; against several, one for each, in their order."""
    pairs = comparison.outcome.pairs
    words: dict[int, list[str]] = {}
    rows = zip(
        pairs.first.tolist(), pairs.second.tolist(), comparison.significant.tolist(), comparison.better.tolist(), strict=True
    )
    for system, baseline, significant, better in rows:
        verdict = "not significantly different" if not significant else "better" if better > 0 else "worse"
        against = f" ({comparison.systems[baseline]})" if len(pairs.baselines) > 1 else ""
        words.setdefault(system, []).append(f"{verdict}{against}")
    for baseline in pairs.baselines:
        words[baseline] = ["baseline", *words.get(baseline, [])]
    return {system: ", ".join(texts) for system, texts in words.items()}


def _pairs(comparison: Comparison, ranking: Sequence[int], pairs: Sequence[Pair], most: int) -> str:
    """Pairs in the order of the ranking, the better system first."""
    estimates, decimals, significant = comparison.estimate_of, comparison.pair_decimals, int(comparison.significant.sum())
    place = {comparison.systems[system]: at for at, system in enumerate(ranking)}
    if not comparison.outcome.pairs.baselines:
        pairs = [pair.swapped() if place[pair.first] > place[pair.second] else pair for pair in pairs]
    pairs = sorted(pairs, key=lambda pair: (place[pair.first], place[pair.second]))
    kind = "" if comparison.interval_kind == "single" else f"{comparison.interval_kind} "
    difference = "difference" if estimates == "values" else f"difference of {estimates}"
    header = ["pair", difference, f"{kind}{level(comparison.alpha)} CI", "d_z", "+/=/−", "p", "corrected p"]
    table = Table(
        header,
        [
            (
                f"{pair.first} − {pair.second}",
                pair.estimate,
                pair.interval,
                pair.d_z,
                f"{pair.wins}/{pair.ties}/{pair.losses}",
                pair.p,
                pair.corrected_p,
            )
            for pair in pairs[:most]
        ],
        formats=[
            None,
            partial(fixed, decimals=decimals, sign=True),
            partial(span, decimals=decimals, sign=True),
            partial(fixed, decimals=2, sign=True),
            None,
            p_value,
            p_value,
        ],
        strong=strong_rows((at for at, pair in enumerate(pairs[:most]) if pair.corrected_p < comparison.alpha), len(header)),
    )
    summary = f"{differing(significant, len(pairs))}."
    if 0 < most < len(pairs):
        summary += (
            f" Shown: the first {most} in the order of the ranking; use --pairs N to show more; csv and json contain all pairs."
        )
    return f"{as_text(table)}\n{wrap(summary, '')}\n" if most > 0 else f"{wrap(summary, '')}\n"


def _hypothesis(verdict: HypothesisVerdict) -> str:
    hypothesis, pair = verdict.hypothesis, verdict.pair
    numbers = f"{fixed(pair.estimate, sign=True)}, CI {span(pair.interval, sign=True)}, corrected {p_equation(pair.corrected_p)}"
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
                    wrap(
                        f"{original.measure}: {total} significant pairs on its own scale; {_elsewhere(other)} {lost} of them are "
                        f"no longer significant and {won} others are{proportion}.",
                        "",
                    )
                )
    return lines


def as_latex_table(comparisons: Sequence[Comparison]) -> str:
    """The leaderboard for a paper, best by the first measure first: per measure mean, interval, and groups that do not differ."""
    first = comparisons[0]
    ranking, test, tests = first.ranking, first.method.title, first.family.size
    above, header, formats, align = [("", 2)], ["", "system"], [], "rl"
    columns: list[Sequence[Any]] = [first.places[ranking].tolist(), [first.systems[system] for system in ranking]]
    for each in comparisons:
        above.append((f"{each.measure} ↓" if each.measure.direction == "lower" else str(each.measure), 3))
        header += ["mean", f"{level(each.alpha)} CI", "group"]
        align += "rcl"
        number = partial(fixed, decimals=each.decimals)
        formats += [number, partial(_bracket, number), None]
        names = group_names(each.groups)
        bounds = np.stack([each.low, each.high], axis=1)
        columns += [each.mean[ranking].tolist(), bounds[ranking].tolist(), [names[system] for system in ranking]]
    caption = (
        f"Means over {len(first.topics)} topics with {level(first.alpha)} confidence intervals; within a measure, systems that "
        f"share a group letter do not differ significantly ({test}, corrected for {tests} tests, "
        f"α = {general(first.alpha)})."
    )
    rows = list(zip(*columns, strict=True))
    return as_latex(Table(header, rows, align, [None, None, *formats], caption, "leaderboard", above, names=1))


def _bracket(number: Any, bounds: tuple[float, float]) -> str:
    return f"[{number(bounds[0])}, {number(bounds[1])}]"


# ── for programs ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def systems_csv(comparisons: Sequence[Comparison]) -> str:
    """A line for each system: ``measure,scale,system,place,mean,low,high,groups``."""
    rows = [
        (name, comparison.scale, *row[:-1], " ".join(row[-1]))
        for name, comparison in ((str(comparison.measure), comparison) for comparison in comparisons)
        for row in _system_rows(comparison)
    ]
    return csv_text(("measure", "scale", "system", "place", "mean", "low", "high", "groups"), rows)


def _system_rows(comparison: Comparison) -> list[tuple[str, int, float, float, float, list[str]]]:
    groups, places = group_letters(comparison.groups), comparison.places.tolist()
    values = np.stack([comparison.mean, comparison.low, comparison.high], axis=1).tolist()
    return [(comparison.systems[system], places[system], *values[system], groups.get(system, [])) for system in comparison.ranking]


def pairs_csv(comparisons: Sequence[Comparison]) -> str:
    """A line for each pair."""
    planned = any(comparison.role is not None for comparison in comparisons)
    header: tuple[str, ...] = ("measure", "scale", *PAIR, *(("role",) if planned else ()))
    rows = [
        (
            name,
            comparison.scale,
            *(int(value) if isinstance(value, bool) else value for value in row),
            *((comparison.role,) if planned else ()),
        )
        for name, comparison in ((str(comparison.measure), comparison) for comparison in comparisons)
        for row in _pair_rows(comparison)
    ]
    return csv_text(header, rows)


PAIR = (
    *("first", "second", "difference", "low", "high", "statistic", "p", "corrected_p", "significant", "direction"),
    *(*EFFECTS, "wins", "ties", "losses"),
    *(f"{name}_{end}" for name in WITH_INTERVALS for end in ("low", "high")),
)


def _pair_rows(comparison: Comparison) -> list[tuple[Any, ...]]:
    """A row for each pair, under the header ``PAIR``."""
    outcome, size = comparison.outcome, comparison.effects
    numbers = (
        outcome.estimate,
        comparison.pair_low,
        comparison.pair_high,
        outcome.statistic,
        outcome.p,
        comparison.corrected_p,
        comparison.significant,
        outcome.direction,
        *(getattr(size, name) for name in EFFECTS),
        size.wins,
        size.ties,
        size.losses,
        *(bound for name in WITH_INTERVALS for bound in size.interval(name, level=1 - comparison.alpha)),
    )
    systems = comparison.systems
    first = [systems[system] for system in outcome.pairs.first.tolist()]
    second = [systems[system] for system in outcome.pairs.second.tolist()]
    return list(zip(first, second, *(column.tolist() for column in numbers), strict=True))


def as_json(
    comparisons: Sequence[Comparison],
    evaluation: Evaluation,
    verdicts: Sequence[HypothesisVerdict] = (),
    advice: Sequence[Advice] = (),
) -> str:
    """Everything, with the remarks."""
    plain: dict[str, Any] = {
        "comparisons": [document(comparison) for comparison in comparisons],
        "advice": [each.to_dict() for each in advice],
        "remarks": [{"code": remark.code, "kind": remark.kind, "text": remark.text} for remark in evaluation.remarks],
    }
    if verdicts:
        plain["hypotheses"] = [
            {
                "better": verdict.hypothesis.better,
                "worse": verdict.hypothesis.worse,
                "measure": verdict.hypothesis.measure,
                "because": verdict.hypothesis.because,
                "says": verdict.says,
            }
            for verdict in verdicts
        ]
    return json_text(plain)


def document(comparison: Comparison) -> dict[str, Any]:
    """A comparison as plain data, which JSON can hold."""
    method, omnibus, family = comparison.method, comparison.outcome.omnibus, comparison.family
    plain: dict[str, Any] = {
        "measure": str(comparison.measure),
        "scale": comparison.scale,
        "higher_is_better": comparison.measure.direction == "higher",
        "topics": len(comparison.topics),
        "test": {
            "name": method.name,
            "title": method.title,
            "assumes": method.scale,
            "paired": method.paired,
            "reference": method.reference,
        },
        "family": {
            "correction": family.correction,
            "controls": family.controls,
            "pairs": family.pairs,
            "measures": family.measures,
            "prior_tests": family.prior_tests,
            "size": family.size,
        }
        | ({"left_out": family.left_out} if family.left_out else {}),
        "alpha": comparison.alpha,
        "interval": comparison.interval_method,
        "interval_kind": comparison.interval_kind,
        "draws": comparison.outcome.draws,
        "decimals": comparison.decimals,
        "estimate_of": comparison.estimate_of,
        "systems": [
            dict(zip(("system", "place", "mean", "low", "high", "groups"), row, strict=True)) for row in _system_rows(comparison)
        ],
        "pairs": [dict(zip(PAIR, row, strict=True)) for row in _pair_rows(comparison)],
        "remarks": comparison.remarks,
    }
    if comparison.role is not None:
        plain["role"] = comparison.role
    if omnibus is not None:
        plain["omnibus"] = {
            "statistic": omnibus.statistic,
            "degrees": omnibus.degrees,
            "p": omnibus.p,
            "eta_squared": omnibus.eta_squared,
            "omega_squared": omnibus.omega_squared,
        }
    encoded: dict[str, Any] = encode(plain)
    return encoded


def remark_lines(comparisons: Sequence[Comparison], evaluation: Evaluation) -> str:
    """The remarks for standard error."""
    texts = dict.fromkeys(spoken(comparisons))
    return "".join(f"mensura: note: {text}\n" for text in texts) + evaluation_lines(evaluation)
