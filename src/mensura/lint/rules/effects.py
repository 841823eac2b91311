"""P3 §2.8: p-values without effect sizes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mensura.lint.language import affirmed, classifies, excused, hit_span, of_others, p_value
from mensura.lint.rule import COHEN, FUHR, REFORM, Hit, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document, Sentence

NO_EFFECT = Rule(
    code="M801",
    name="p-without-effect-size",
    severity="warning",
    strict="error",
    consequence="a p-value says that there is a difference, not that it matters; give an effect size or an interval beside it",
    demand="no p-value without an effect size: give it, or the interval of the difference",
    reason=(
        "With enough topics any difference becomes significant. A reader needs its size, in units of its variation or as an interval "
        "(P3 §2.8)."
    ),
    references=(FUHR, COHEN, REFORM),
    wrong="Our run is better than BM25 (paired t-test, p = 0.012).",
    right="Our run is better than BM25 (paired t-test, p = 0.012, d = 0.37, 95 % CI of the difference: 0.01 to 0.07).",
    fix="mensura compare prints d_z, the interval and wins, ties and losses beside every p-value.",
    debate="For P@10 and other transparent measures the plain difference is itself a size that readers understand.",
)
RULES = (NO_EFFECT,)

TEST = r"(?:t-tests?|Wilcoxon|randomi[sz]ation tests?|permutation tests?|sign(?:ed)?[- ](?:rank )?tests?|ANOVA|bootstrap tests?|Tukey\S{0,4} HSD|α\s?=\s?0?\.\d+|null hypothesis)"
TESTED = re.compile(
    rf"\bsignificant(?:ly)?\b[^.;]{{0,100}}{TEST}|{TEST}[^.;]{{0,100}}\b(?:significant(?:ly)?|reject\w*)\b|\breject\w*[^.;]{{0,30}}null hypothesis",
    re.IGNORECASE,
)
CLAIM = re.compile(
    rf"\bwith \d\d\s?% confidence\b[^.;]{{0,80}}{TEST}"
    r"|\bstatistically significan(?:t|tly|ce)\b|\b(?:at|with) (?:the )?(?:p|0?\.0\d+|\d%)[- ](?:significance )?level\b",
    re.IGNORECASE,
)
EFFECT = re.compile(
    r"\beffect sizes?\b|\bCohen|\bHedges|\bGlass'?s?\b|\bCliff|(?<![\w@])(?:d|g|d_?z|δ|Δ|η\s?\^?\s?2?|ω\s?\^?\s?2?|A_?12|r_?rb)\s?=\s?[-−+]?\d?\.\d|\bconfidence intervals?\b|\bCIs?\b|\bcredible intervals?\b|\d\s?±\s?\d|\bstandardi[sz]ed (?:mean )?differences?\b"
    r"|\bodds ratio\b|\beta[- ]squared\b|\bomega[- ]squared\b|\bd_z\b|\bHDI\b|\bη²|\bω²|\bwins, ties\b|\bwins? (?:on |in |for )?\d+\b[^.;]{0,50}\b(?:loses?|loss(?:es)?|lost)\b|\beta squared\b|\bpartial eta\b|\b9[059]\s?% interval\b|\binterval of the difference\b|\bcommon[- ]language effect\b|\bA_?12\b|\bprobability of superiority\b|\bpower anal\w+|\b[89]\d\s?% power\b",
    re.IGNORECASE,
)
CUES = (
    "effect",
    "cohen",
    "hedges",
    "glass",
    "cliff",
    "d =",
    "d=",
    "g =",
    "g=",
    "δ",
    "Δ",
    "η",
    "ω",
    "interval",
    "ci",
    "±",
    "standardi",
    "odds",
    "squared",
    "d_z",
    "hdi",
    "wins",
    "superiority",
    "power",
    "a_12",
    "a12",
    "dz",
    "d_",
)
EFFECT_COLUMN = re.compile(
    r"^d(?:_?z)?$|effect|\bCIs?\b|interval|η|ω|Cohen|Hedges|^g$|Cliff|±|^std|^s\.?d\.?$|difference|^Δ|τ|ρ|\b(?:tau|rho|kendall|spearman|pearson|correlation)\b|^lower|^upper|^low$|^high$|^ll$|^ul$",
    re.IGNORECASE,
)
P_COLUMN = re.compile(r"p(?:_\d| \(.{1,20}\))?|[pP][- ]?[vV]alues?(?: \(.{1,20}\))?|p-?val\.?")
TOLD = re.compile(
    r"\b(?:should|must|mistake|misleading|criticis\w+|criticiz\w+|argue[sd]?|the p-value is defined|would|if|reject\w* (?:when|whenever)|threshold|convention\w*|says nothing|do not|does not|cannot|never|no p-values?|without p-values?|instead of|rather than)\b",
    re.IGNORECASE,
)


def _claims(document: Document) -> list[tuple[Sentence, re.Match[str]]]:
    """Return the sentences with a p-value or a claim of significance."""
    matches = []
    for sentence in document.having(
        "p <",
        "p<",
        "p =",
        "p=",
        "p ≤",
        "p≤",
        "p ≪",
        "p≪",
        "p >",
        "p>",
        "p-val",
        "p -val",  # $p$-value
        "p val",
        "p of",
        "statistically",
        "level",
        "p  ",
        "significan",
        "null hyp",
        "% confidence",
    ):
        text = sentence.normal
        match = p_value(text)
        if match is None:
            claim = CLAIM.search(text)
            match = claim if claim is not None and not excused(text, *claim.span()) else None
        if match is not None and (of_others(text, match) or CORRELATED.search(text)):
            continue
        if match is not None and not TOLD.search(text):
            matches.append((sentence, match))
        elif match is None:
            claim = TESTED.search(text)
            if claim is not None and not TOLD.search(text) and not excused(text, *claim.span()):
                matches.append((sentence, claim))
    return matches


CORRELATED = re.compile(  # the correlation is the size of the effect; r of a rank test is too
    r"\b(?:correlat\w+|Kendall\w*|Spearman\w*|Pearson\w*|kappa)\b|\b(?:tau|rho|r)\b(?:_\w+)?\s?(?:=|of|is) ?[-−]?0?\.\d|[τρκ]\s?=",
    re.IGNORECASE,
)


def check(document: Document) -> Iterator[Hit]:
    """The first p-value of a text that gives no effect size and no interval anywhere."""
    matches = _claims(document)
    columns = [
        cell
        for table in document.tables
        if table.head < len(table.rows) and not any(EFFECT_COLUMN.search(cell.text) for cell in table.header)
        for cell in table.header
        if P_COLUMN.fullmatch(cell.text) and ("_" not in cell.text or document.having("p-value", "p value"))
    ]
    if not (matches or columns) or classifies(document):
        return
    if affirmed(document, EFFECT, CUES) or any(EFFECT.search(table.caption) for table in document.tables):
        return
    if any(
        "±" in cell.text or EFFECT_COLUMN.search(cell.text) for table in document.tables for row in table.rows for cell in row[:99]
    ):
        return
    if matches:
        sentence, match = matches[0]
        more = f"{match[0]} and {len(matches) - 1} more" if matches[1:] else match[0]
        yield Hit("M801", *hit_span(sentence, match), more)
    else:
        yield Hit("M801", columns[0].start, columns[0].start + len(columns[0].text), "a column of p-values")
