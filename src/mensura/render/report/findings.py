"""The report in short: the statements that the data support, in a few sentences per measure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mensura.evaluation.remarks import remark_sentences
from mensura.render.advice import advice_sentences
from mensura.render.comparisons import spoken
from mensura.render.numbers import be, fixed, listing, percent
from mensura.render.report.sections.proof import proof_count
from mensura.stats.results import plural

if TYPE_CHECKING:
    from mensura.render.charts.matrix import PairMatrix
    from mensura.render.report.measured import Measured, PageValues
    from mensura.report.scales import ScaleChange


NAMED = 3  # systems that a sentence names


def findings(shown: PageValues) -> tuple[str, ...]:
    """Per measure: the leader and the systems that do not differ from it, changes on the interval scale, the proven part."""
    leaders = list(map(_leader, shown.measured, shown.matrices))
    proofs = [_proof(proof_count(counts), board.unequal) for counts, board in zip(shown.verdicts, shown.report.boards, strict=True)]
    known = {each.measure: " ".join(advice_sentences(each)) for each in shown.report.comparisons.advice}
    return tuple(
        f"{text} {_scale(change)} {proof} {known.get(each.name, '')}".rstrip()
        for text, each, change, proof in zip(leaders, shown.measured, shown.report.scales, proofs, strict=True)
    )


def _proof(proven: int, pairs: int) -> str:
    """Say how many statements about pairs with different means are transformation-proof."""
    if not pairs:
        return "All means are equal, so there is no statement “A is better than B”."
    return (
        f"{percent(proven, pairs)} of the statements “A is better than B” about different means survive every increasing "
        "transformation of the measure that is the same for all topics."
    )


def _leader(each: Measured, matrix: PairMatrix) -> str:
    """Say which system leads, from which ones it does not differ significantly, and how many pairs differ."""
    first = [each.names[system] for system in each.ranking if each.place[system] == 1]
    rest = zip(matrix.systems[1:], matrix.p[0, 1:].tolist(), strict=True)
    alike = [name for name, p in rest if not p < matrix.alpha and name not in first]
    word, mean = "highest" if each.higher else "lowest", fixed(each.mean[each.ranking[0]], each.decimals)
    text = f"{each.systems[0]} has the {word} mean ({mean})"
    if len(first) > 1:
        shared = listing(first) if len(first) <= NAMED else f"{len(first)} systems"
        return f"{shared} share the {word} mean ({mean}). {each.differing}."
    if alike:
        names = listing(alike) if len(alike) <= NAMED else f"{len(alike)} other systems"
        text += f", but does not differ significantly from {names}."
    else:
        text += " and differs significantly from every other system."
    return f"{text} {each.differing}."


def _scale(change: ScaleChange) -> str:
    if change.same:
        return "Its values are equally spaced, so its interval scale changes nothing."
    if change.interval is None:
        return "No exact interval scale is available for it."
    if math.isnan(change.tau):
        return "On its interval scale, the means of all systems are equal, or are so already on its own."
    lost, gained = len(change.lost), len(change.gained)
    pairs = plural(change.swapped, "pair") if change.swapped else "no pairs"
    differences = plural(lost, "difference") if lost else "no differences"
    others = plural(gained, "other") if gained else "no others"
    return (
        f"On its interval scale{', a surrogate across topics,' if change.facts.per_topic else ''} "
        f"{pairs} {'changes' if change.swapped == 1 else 'change'} order (τ_b = {fixed(change.tau, 3)}); "
        f"{differences} {be(lost)} no longer significant, and {others} "
        f"{'becomes' if gained == 1 else 'become'} so."
    )


def warnings(shown: PageValues) -> tuple[str, ...]:
    """Remarks about runs and judgments, and what the test assumes that a measure does not meet, as ``mensura compare`` has them."""
    return tuple(dict.fromkeys([*remark_sentences(shown.report.evaluation.remarks), *spoken(shown.each)]))
