"""The report in short: what the data support, in a few sentences per measure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from mensura.render.numbers import listing, share, shown, the
from mensura.scales.meaning.dominance import EVERY_SCALE, VERDICTS
from mensura.stats.assumptions import scale_remark
from mensura.stats.results import plural

if TYPE_CHECKING:
    from mensura.report.build import Report
    from mensura.report.scales import ScaleChange
    from mensura.scales.meaning.dominance import Leaderboard
    from mensura.stats.comparison import Comparison

NAMED = 3


def findings(report: Report) -> tuple[str, ...]:
    """Per measure: who leads and from whom the leader cannot be told apart, what the interval scale changes, what is proof."""
    return tuple(
        " ".join(filter(None, (_leader(made), _scale(change), _proof(board))))
        for made, change, board in zip(report.comparisons, report.scales, report.boards, strict=True)
    )


def _leader(made: Comparison) -> str:
    """The best mean and how many systems do not differ from its system."""
    best = made.ranking[0]
    word = "highest" if made.measure.direction == "higher" else "lowest"
    first = int(best)
    different = np.nan_to_num(made.outcome.pairs.square(made.significant.astype(np.float64), 0.0)) > 0
    alike = [system for system in made.ranking[1:] if not different[first, system]]
    text = f"{made.systems[first]} has the {word} mean ({shown(float(made.mean[first]), made.decimals)})"
    if not alike:
        text += " and differs significantly from every other system."
    else:
        names = listing([made.systems[system] for system in alike]) if len(alike) <= NAMED else plural(len(alike), "other system")
        text += f", but does not differ significantly from {names}."
    pairs = len(made.outcome.pairs)
    found = int(made.significant.sum())
    return (
        f"{text} {found} of {plural(pairs, 'pair')} ({share(found, pairs)}) {'differs' if found == 1 else 'differ'} significantly."
    )


def _scale(change: ScaleChange) -> str:
    if change.same:
        return "Its values are equally spaced, so its interval scale changes nothing."
    if change.interval is None:
        return "No exact interval scale is available for it."
    if math.isnan(change.tau):
        return "On its interval scale, the means of all systems are equal, or are so already on its own."
    lost, gained = len(change.lost), len(change.gained)
    order = f"{_some(change.swapped, 'pair')} {'changes' if change.swapped == 1 else 'change'} order (τ_b = {change.tau:.3f})"
    return (
        f"On its interval scale {order}; {_some(lost, 'difference')} {'is' if lost == 1 else 'are'} no longer significant, and "
        f"{_some(gained, 'other')} {'becomes' if gained == 1 else 'become'} so."
    )


def _some(number: int, thing: str) -> str:
    return plural(number, thing) if number else f"no {thing}s"


def proof_count(board: Leaderboard) -> int:
    """How many statements survive every increasing transformation."""
    counts = board.counts()
    return sum(counts[verdict] for verdict in VERDICTS[: EVERY_SCALE + 1])


def _proof(board: Leaderboard) -> str:
    pairs = len(board.systems) * (len(board.systems) - 1) // 2
    safe = proof_count(board)
    return f"{share(safe, pairs)} of the statements “A is better than B” survive every increasing transformation of the measure."


def warnings(report: Report) -> tuple[str, ...]:
    """Remarks about runs and judgments, values without variation, and measures that are not on the scale that the test assumes."""
    made = report.comparisons
    texts = [remark.text for remark in report.evaluation.remarks]
    pairs = zip(made, report.scales, strict=True)
    ordinal = [str(each.measure) for each, change in pairs if scale_remark(each.method, change.facts, "original") is not None]
    if ordinal:
        title = the(made[0].method.title)
        texts.append(
            f"{title[0].upper()}{title[1:]} takes differences on different topics for comparable. The values of {listing(ordinal)} "
            "are not equally spaced, or are spaced differently on each topic: the report shows what changes on an interval scale"
        )
    return tuple(dict.fromkeys([*texts, *(remark for each in made for remark in each.outcome.remarks)]))
