"""Comparisons as text: for a person, and for a machine."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from mensura.render.evaluations import none, number, quote
from mensura.render.evaluations import remark_lines as evaluation_lines
from mensura.render.text import BOLD, DIM, YELLOW, TextTable, paint, wrap
from mensura.stats.compared import EFFECTS
from mensura.stats.groups import letters
from mensura.stats.results import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mensura.evaluation.evaluation import Evaluation
    from mensura.plans import HypothesisVerdict
    from mensura.stats.compared import Comparison, Pair

ROLES = {"primary": "planned (primary)", "secondary": "planned (secondary)", "exploratory": "exploratory"}


def as_table(
    comparisons: Sequence[Comparison], evaluation: Evaluation, most: int, verdicts: Sequence[HypothesisVerdict] = ()
) -> str:
    """A leaderboard and the pairs of each measure; then hypotheses, what changed between scales, and the remarks."""
    parts = []
    for comparison in comparisons:
        parts += [_title(comparison), _leaderboard(comparison), _pairs(comparison, most)]
    if verdicts:
        parts.append("".join(wrap(f"Hypothesis: {verdict}.", "  ") + "\n" for verdict in verdicts))
    parts += [changes + "\n" for changes in _between_scales(comparisons)]
    sentences = [remark for comparison in comparisons for remark in comparison.remarks]
    sentences += [remark.coded for remark in evaluation.remarks]
    parts += [paint("! ", YELLOW) + wrap(text, "  ") + "\n" for text in dict.fromkeys(sentences)]
    return "\n".join(parts)


def _title(comparison: Comparison) -> str:
    method, omnibus = comparison.method, comparison.outcome.omnibus
    lines = [
        f"{comparison.name}: {plural(len(comparison.systems), 'system')}, {plural(len(comparison.topics), 'topic')}"
        + ("" if comparison.role is None else f"; {ROLES[comparison.role]}"),
        f"{method.title[0].upper()}{method.title[1:]}; {comparison.family}; α = {comparison.alpha:g}",
    ]
    if omnibus is not None:
        lines.append(
            f"All systems equal? {_p(omnibus.p)[1]} (statistic {omnibus.statistic:.4g}, "
            f"degrees of freedom {', '.join(f'{value:g}' for value in omnibus.degrees)})"
        )
    return paint(lines[0], BOLD) + "\n" + "".join(line + "\n" for line in lines[1:])


def _p(p: float) -> tuple[str, str]:
    """A p-value for a table, and for a sentence."""
    text = f"{p:.4f}" if p >= 0.0001 else "<0.0001"  # noqa: PLR2004
    return text, f"p = {text}" if p >= 0.0001 else "p < 0.0001"  # noqa: PLR2004


def _shown(value: float, decimals: int, *, sign: bool = False) -> str:
    if math.isnan(value):
        return "–"
    text = f"{value:+.{decimals}f}" if sign else f"{value:.{decimals}f}"
    return text.replace("-", "−")


def _span(low: float, high: float, decimals: int, *, sign: bool = False) -> str:
    return f"{_shown(low, decimals, sign=sign)} … {_shown(high, decimals, sign=sign)}"


def _leaderboard(comparison: Comparison) -> str:
    level = f"{100 * (1 - comparison.alpha):g} % interval"
    heading = "mean ↓" if comparison.measure.direction == "lower" else "mean"
    if comparison.groups:
        last, said = ["group"], _group_names(comparison)
    elif comparison.outcome.pairs.baseline is not None:
        last, said = ["against the baseline"], _verdicts(comparison)
    else:
        last, said = [], {}
    table = TextTable(["", "system", heading, level, *last], left=2)
    for place, system in enumerate(comparison.ranking, start=1):
        cells = [
            f"{place:>{len(str(len(comparison.systems)))}}",
            comparison.systems[system],
            _shown(comparison.mean[system], comparison.decimals),
            _span(comparison.low[system], comparison.high[system], comparison.decimals),
            *([said.get(system, "planned elsewhere")] if last else []),
        ]
        table.add(cells, [DIM, *[""] * (len(cells) - 1)])
    return str(table)


def _group_names(comparison: Comparison) -> dict[int, str]:
    """The letters of the groups that each system is in: the first and the last, as groups are stretches of the ranking."""
    names: dict[int, list[str]] = {}
    for at, group in enumerate(comparison.groups):
        for system in group:
            names.setdefault(system, []).append(letters(at))
    return {system: found[0] if len(found) == 1 else f"{found[0]}–{found[-1]}" for system, found in names.items()}


def _verdicts(comparison: Comparison) -> dict[int, str]:
    pairs = comparison.outcome.pairs
    verdicts = {pairs.baseline: "baseline"} if pairs.baseline is not None else {}
    better = 1 if comparison.measure.direction == "higher" else -1
    for at, system in enumerate(pairs.first.tolist()):
        if comparison.significant[at]:
            verdicts[system] = "better" if better * comparison.outcome.estimate[at] > 0 else "worse"
        else:
            verdicts[system] = "not different"
    return verdicts


def _pairs(comparison: Comparison, most: int) -> str:
    """Pairs in the order of the ranking, the better system first."""
    place = {comparison.systems[system]: at for at, system in enumerate(comparison.ranking)}
    found = [
        pair.swapped() if comparison.outcome.pairs.baseline is None and place[pair.first] > place[pair.second] else pair
        for pair in comparison.pairs()
    ]
    found.sort(key=lambda pair: (place[pair.first], place[pair.second]))
    kind = f"{100 * (1 - comparison.alpha):g} % interval" + (", all at once" if comparison.family.correction != "none" else "")
    table = TextTable(["pair", "difference", kind, "d_z", "+/=/−", "p", "corrected p"])
    for pair in found[:most]:
        table.add(_pair_cells(pair, comparison.pair_decimals), ["" if pair.corrected_p >= comparison.alpha else BOLD] * 7)
    total = int(comparison.significant.sum())
    summary = f"{total} of {plural(len(found), 'pair')} {'differs' if total == 1 else 'differ'} significantly."
    if 0 < most < len(found):
        summary += f" Shown: the first {most} in the order of the ranking; --pairs shows more, csv and json have all."
    return f"{table}\n{wrap(summary, '')}\n" if most > 0 else f"{wrap(summary, '')}\n"


def _pair_cells(pair: Pair, decimals: int) -> list[str]:
    return [
        f"{pair.first} − {pair.second}",
        _shown(pair.estimate, decimals, sign=True),
        _span(*pair.interval, decimals, sign=True),
        _shown(pair.d_z, 2, sign=True),
        f"{pair.wins}/{pair.ties}/{pair.losses}",
        _p(pair.p)[0],
        _p(pair.corrected_p)[0],
    ]


def _between_scales(comparisons: Sequence[Comparison]) -> list[str]:
    """How many pairs are significant on one scale only (P4 §VIII-C)."""
    lines = []
    for original in comparisons:
        for other in comparisons:
            if original.measure == other.measure and (original.scale, other.scale) == ("original", "interval"):
                lost = int((original.significant & ~other.significant).sum())
                won = int((~original.significant & other.significant).sum())
                total = int(original.significant.sum())
                share = f" ({100 * (lost + won) / total:.1f} %)" if total else ""
                lines.append(
                    wrap(
                        f"{original.measure}: {total} significant pairs on its own scale; on the interval scale {lost} of them are "
                        f"no longer significant and {won} others are{share}.",
                        "",
                    )
                )
    return lines


def systems_csv(comparisons: Sequence[Comparison]) -> str:
    """A line for each system: ``measure,scale,system,place,mean,low,high,groups``."""
    lines = ["measure,scale,system,place,mean,low,high,groups"]
    for comparison in comparisons:
        groups = {
            system: [letters(at) for at, group in enumerate(comparison.groups) if system in group] for system in comparison.ranking
        }
        for place, system in enumerate(comparison.ranking, start=1):
            values = (comparison.mean[system], comparison.low[system], comparison.high[system])
            lines.append(
                f"{quote(str(comparison.measure))},{comparison.scale},{quote(comparison.systems[system])},{place},"
                f"{','.join(number(float(value)) for value in values)},{' '.join(groups[system])}"
            )
    return "\n".join(lines) + "\n"


def pairs_csv(comparisons: Sequence[Comparison]) -> str:
    """A line for each pair."""
    planned = any(comparison.role is not None for comparison in comparisons)
    lines = [
        f"measure,scale,first,second,difference,low,high,statistic,p,corrected_p,significant,{','.join(EFFECTS)},wins,ties,losses"
        + (",role" if planned else "")
    ]
    for comparison in comparisons:
        start = f"{quote(str(comparison.measure))},{comparison.scale}"
        for row in pair_rows(comparison):
            cells = [quote(row["first"]), quote(row["second"])]
            cells += [number(row[key]) for key in ("difference", "low", "high", "statistic", "p", "corrected_p")]
            cells += ["1" if row["significant"] else "0", *(number(row[key]) for key in EFFECTS)]
            cells += [str(row[key]) for key in ("wins", "ties", "losses")] + ([comparison.role or ""] if planned else [])
            lines.append(f"{start},{','.join(cells)}")
    return "\n".join(lines) + "\n"


def pair_rows(comparison: Comparison) -> list[dict[str, Any]]:
    """Rows of the pairs, without the measure and the scale that they share."""
    return [{key: value for key, value in row.items() if key not in {"measure", "scale"}} for row in comparison.rows()]


def as_json(comparisons: Sequence[Comparison], evaluation: Evaluation, verdicts: Sequence[HypothesisVerdict] = ()) -> str:
    """Everything, with the remarks."""
    import json

    made: dict[str, Any] = {
        "comparisons": [document(comparison) for comparison in comparisons],
        "remarks": [{"code": remark.code, "kind": remark.kind, "text": remark.text} for remark in evaluation.remarks],
    }
    if verdicts:
        made["hypotheses"] = [
            {
                "better": verdict.hypothesis.better,
                "worse": verdict.hypothesis.worse,
                "measure": verdict.hypothesis.measure,
                "because": verdict.hypothesis.because,
                "says": verdict.says,
            }
            for verdict in verdicts
        ]
    return json.dumps(made, indent=1, ensure_ascii=False) + "\n"


def document(comparison: Comparison) -> dict[str, Any]:
    """A comparison as plain data."""
    method, omnibus, family = comparison.method, comparison.outcome.omnibus, comparison.family
    made: dict[str, Any] = {
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
        "decimals": comparison.decimals,
        "estimate_of": comparison.estimate_of,
        "systems": [
            {
                "system": comparison.systems[system],
                "place": place,
                "mean": none(float(comparison.mean[system])),
                "low": none(float(comparison.low[system])),
                "high": none(float(comparison.high[system])),
                "groups": [letters(at) for at, group in enumerate(comparison.groups) if system in group],
            }
            for place, system in enumerate(comparison.ranking, start=1)
        ],
        "pairs": [
            {key: none(value) if isinstance(value, float) else value for key, value in row.items()} for row in pair_rows(comparison)
        ],
        "remarks": list(comparison.remarks),
    }
    if comparison.role is not None:
        made["role"] = comparison.role
    if omnibus is not None:
        made["omnibus"] = {
            "statistic": none(omnibus.statistic),
            "degrees": list(omnibus.degrees),
            "p": omnibus.p,
            "eta_squared": none(omnibus.eta_squared),
            "omega_squared": none(omnibus.omega_squared),
        }
    return made


def remark_lines(comparisons: Sequence[Comparison], evaluation: Evaluation) -> str:
    """The remarks for standard error."""
    texts = dict.fromkeys(remark for comparison in comparisons for remark in comparison.remarks)
    return "".join(f"mensura: note: {text}\n" for text in texts) + evaluation_lines(evaluation)
