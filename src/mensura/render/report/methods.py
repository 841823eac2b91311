"""The methods paragraph of a report, sentence by sentence: the same sentences for LaTeX, Markdown and HTML."""

from __future__ import annotations

import hashlib
import platform
import re
from importlib.metadata import version
from typing import TYPE_CHECKING

from mensura.render.escapes import paragraph
from mensura.render.numbers import clean, listing, the, whole
from mensura.render.report.measure_works import Reference
from mensura.render.report.works import WORKS
from mensura.stats.methods import CORRECTIONS
from mensura.stats.results import plural

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mensura.measures.base import Measure
    from mensura.render.report.measured import PageValues
    from mensura.report.build import Report

SHORT = 16  # hexadecimal digits of a digest: more than enough to tell files apart; the page lists them in full
ORDERS = {
    "trec_eval-10": "by decreasing score, compared as 64-bit floating-point numbers (the order of trec_eval 10)",
    "trec_eval-9": "by decreasing score, compared as 32-bit floating-point numbers (the order of trec_eval 9 and earlier)",
}
INTERVAL_SCALES = "ferrante2021meaningful"
T_INTERVAL = "student1908mean"
KENDALL = "kendall1945ties"
Cite = tuple[Reference, ...]
"""Works that are cited at this point of a sentence."""
Sentence = list["str | Cite"]
PROOF: Sentence = [
    (
        "A statement that one system has a better mean than another is called transformation-proof if the sorted values of the one "
        "are at least as good as those of the other, position by position, and better in one: it then holds for every increasing "
        "transformation of the measure that is the same for all topics."
    )
]


def methods(shown: PageValues) -> tuple[Sentence, ...]:
    """State exactly what was done."""
    sentences: list[Sentence] = [_data(shown), _order(shown), _measures(shown), _means(shown), _tests(shown), _scales(shown)]
    return tuple(sentence for sentence in (*sentences, PROOF, _software()) if sentence)


def cited(sentences: Iterable[Sentence]) -> tuple[Reference, ...]:
    """The works that sentences cite, once, in their order."""
    works = [entry for sentence in sentences for part in sentence if not isinstance(part, str) for entry in part]
    return tuple({entry.key: entry for entry in works}.values())


def pasted(sentences: Iterable[Sentence], markup: str) -> str:
    """The paragraph in ``markdown`` (citations as pandoc reads them) or ``latex``."""
    keyed = [[part if isinstance(part, str) else tuple(entry.key for entry in part) for part in sentence] for sentence in sentences]
    return paragraph(keyed, markup)


def runs_digest(report: Report) -> str | None:
    """The digest of all runs: SHA-256 over the sorted digests of the files; None if one of them is not known."""
    digests = [run.digest for run in report.runs]
    if not digests or None in digests:
        return None
    return hashlib.sha256("\n".join(sorted(digest for digest in digests if digest)).encode()).hexdigest()


def _data(shown: PageValues) -> Sentence:
    judged = shown.report.evaluation.judged
    counted = shown.measured[0].topics
    which = (
        "all judged topics" if counted == len(judged.topics) else f"those of {len(judged.topics)} judged topics that every run has"
    )
    missing = "counts as an empty list" if counted == len(judged.topics) else "does not count"
    runs, (systems, topics) = runs_digest(shown.report), (plural(len(judged.systems), "system"), plural(counted, "topic"))
    text = f"We evaluated {systems} on {topics} ({which}; a topic that is missing from a run {missing})"
    known = []
    if shown.report.qrels is not None:
        digest = f" (SHA-256 {shown.report.qrels.digest[:SHORT]}…)" if shown.report.qrels.digest else ""
        known.append(f"The judgments are {clean(shown.report.qrels.name)}{digest}.")
    if runs:
        known.append(f"The SHA-256 digest of the sorted digests of the run files is {runs[:SHORT]}….")
    return [" ".join([f"{text}.", *known])]


def _order(shown: PageValues) -> Sentence:
    judged = shown.report.evaluation.judged
    length = judged.length
    depths = [scores.measure.depth or length for scores in shown.report.evaluation.scores]
    tied = int(((judged.ties > 0) & (judged.ties <= max(depths)) & shown.report.evaluation.scores[0].counted).sum())
    text = f"Documents were ranked {ORDERS[judged.compat]}, and documents with equal scores by decreasing document identifier"
    if tied:
        lists = len(judged.systems) * shown.measured[0].topics
        text += f"; that rule orders documents of different grade in the top {max(depths)} of {tied} of {lists} ranked lists"
    return [f"{text}. Documents without a judgment count as not relevant."]


def _measures(shown: PageValues) -> Sentence:
    parts: Sentence = ["Effectiveness was measured by "]
    measures = [scores.measure for scores in shown.report.evaluation.scores]
    names = [each.name for each in shown.measured]
    for at, (measure, name) in enumerate(zip(measures, names, strict=True)):
        if at:
            parts.append(" and " if at == len(measures) - 1 else ", ")
        direction = " (lower is better)" if measure.direction == "lower" else ""
        rel = getattr(measure, "rel", 1)
        relevant = f" (relevant from grade {rel})" if rel > 1 else ""
        parts += [f"{name}{direction}{relevant}", measure_entries(measure)]
    return [*parts, "."]


def _means(shown: PageValues) -> Sentence:
    level = shown.measured[0].level
    return [
        f"Systems are ordered by their means over topics, each with its own {level} confidence interval from Student’s t",
        (WORKS[T_INTERVAL],),
        ", and with no more decimals than one relevant document, and that interval, support.",
    ]


def _tests(shown: PageValues) -> Sentence:
    first = shown.each[0]
    family, method, alpha = first.family, first.method, shown.measured[0].alpha
    pairs, size, measures = plural(family.pairs, "pair"), plural(family.size, "test"), plural(family.measures, "measure")
    controls, shares = family.controls, family.shares
    earlier = f" + {plural(family.prior_tests, 'earlier test')} on the collection" if family.prior_tests else ""
    draws = first.outcome.draws
    drawn = "" if draws is None else f", {whole(draws)} random draws, seed {shown.report.seed}"
    compared = "The 1 pair of systems was" if family.pairs == 1 else f"All {pairs} of systems were"
    parts: Sentence = [f"{compared} compared with {the(method.title)}"]
    parts += [works(method.works), f" (two-sided{drawn})"]
    if family.correction == "none":
        return [*parts, f"; p-values were not corrected for the {size} made; α = {alpha}."]
    correction = CORRECTIONS[family.correction]
    parts += [f"; p-values were corrected ({correction.title}", works(correction.works)]
    if shares > 1:
        over = (" over these tests", " over earlier ones") if family.joint else (" over pairs", " over the rest")
        parts += [f"{over[0]}, Bonferroni", works(CORRECTIONS["bonferroni"].works), over[1]]
    return [*parts, f") for {size} ({pairs} × {measures}{earlier}), controlling the {controls} at α = {alpha}."]


def _scales(shown: PageValues) -> Sentence:
    every = list(zip((each.name for each in shown.measured), shown.report.scales, strict=True))
    used = [(name, change.ranked.steps) for name, change in every if change.known and change.ranked.steps is not None]
    if not used:
        return []
    without = [name for name, change in every if not change.known]
    steps = ", ".join([f"{whole(number)} steps for {name}" for name, number in used])
    missing = f" No exact interval scale was available for {', '.join(without)}." if without else ""
    bound = [name for name, change in every if change.known and change.facts.per_topic]
    if bound:
        missing += f" The scale of {listing(bound)} is a surrogate, as the recall base differs between topics."
    what = (
        "Every comparison was repeated on the interval scale of its measure, where a value is replaced by its rank among all "
        "distinct values that the measure (before it is divided by a recall base) takes over judged runs of its length"
    )
    return [
        what,
        (WORKS[INTERVAL_SCALES],),
        f" ({steps}); orders of systems are compared by Kendall’s τ_b",
        (WORKS[KENDALL],),
        f" of their means.{missing}",
    ]


def _software() -> Sentence:
    text = (
        f"Computed with Mensura {version('mensura')} (Python {platform.python_version()}, NumPy {version('numpy')}, "
        f"SciPy {version('scipy')})."
    )
    return [text]


def measure_entries(measure: Measure) -> tuple[Reference, ...]:
    """The works of a measure: known ones, else the reference that the measure itself gives."""
    more = measure_entries(measure.on_topics) if measure.on_topics is not measure else ()
    if measure.works:
        return (*works(measure.works), *more)
    if not measure.reference:
        return more
    key = "measure" + re.sub(r"[^a-z0-9]", "", measure.name.lower())
    return (Reference(key, "misc", "", "", "", (("note", measure.reference),)), *more)


def works(keys: Iterable[str]) -> tuple[Reference, ...]:
    """The works with these keys."""
    return tuple([WORKS[key] for key in keys])
