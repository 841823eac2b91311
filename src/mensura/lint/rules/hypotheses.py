"""P3 §2.6: hypotheses, and comparisons, that are chosen after the results."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mensura.lint.language import MENTION, clause, denied, hit_span
from mensura.lint.rule import FUHR, KERR, REUSE, Hit, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document

AFTERWARDS = Rule(
    code="M601",
    name="hypothesis-after-results",
    severity="warning",
    strict="error",
    consequence="a hypothesis that comes from the results cannot be tested by them: its p-value means little; call it exploratory",
    demand="hypotheses come before the experiment: write them into a plan, or test them on new topics",
    reason=(
        "The number of hypotheses, known beforehand, decides how tests are corrected. One that was found in the data fits them by "
        "construction (P3 §2.6)."
    ),
    references=(FUHR, KERR),
    wrong="After inspecting the results, we formulated the hypothesis that long queries gain most.",
    right="Before the experiment we stated the hypothesis that long queries gain most.",
    fix="Plan first (a plan with its hypotheses, locked before the runs are scored); mark the rest as exploratory.",
    debate="Exploration is how hypotheses are found, and is welcome under that name.",
)
PICKED = Rule(
    code="M602",
    name="comparison-picked-by-result",
    severity="warning",
    strict="error",
    consequence="comparing only what did best is one of many comparisons that could have been picked: its p-value is too small",
    demand="compare all that was tried, or what was planned: not only what did best",
    reason=(
        "To look first which system is best and then test only that one is to make all the tests and report one. The best published "
        "result of a collection is also picked by its result (P3 §2.5 and §2.6)."
    ),
    references=(FUHR, REUSE),
    wrong="We test only the difference to the best baseline.",
    right="We test the differences to all five baselines with Holm's correction.",
    fix="Test all pairs with Tukey's HSD, or all against a baseline named in the plan (mensura compare --baseline).",
)
RULES = (AFTERWARDS, PICKED)

LATE = re.compile(
    r"\b(?:after|once|having|upon|when|looking|seeing|inspecting)\b[^.;]{0,60}\b(?:results?|scores?|outcomes?|data|runs|numbers|figures|evaluation|experiments?|tables?)\b[^.;]{0,50}"
    r"(?:\b(?:formulat|refin|chang|add|adapt|adjust|deriv|develop|specif|stat|propos|rais|revis|extend|rewr[io]t|came up|set up|pos)\w*[^.;]{0,40}\b(?:hypothes[ei]s|conjectures?|research questions?)\b|\b(?:hypothesi[sz]ed|conjectured)\b)"
    r"|\b(?:formulat|stat|deriv|refin|adjust|chang|add|specif|develop|revis)\w*[^.;]{0,20}\b(?:hypothes[ei]s|research questions?)\b[^.;]{0,20}\b(?:after|once|in light of|based on|from)\b[^.;]{0,40}\b(?:results?|scores?|outcomes?|numbers|evaluation)\b"
    r"|\b(?:hypothes[ei]s|conjectures?|research questions?)\b[^.;]{0,60}\b(?:(?:was|were|is|are|been)\b[^.;]{0,25})?\b(?:formulat\w+|deriv\w+|add\w+|stat\w+|develop\w+|specif\w+|generat\w+|refin\w+|adapt\w+|adjust\w+|chang\w+|revis\w+|came|arose|emerged|form\w+|suggested|written)\b"
    r"[^.;]{0,40}\b(?:after (?:the |we |all |our |having |seeing |inspecting |looking |an |analysing |analyzing |running )|afterwards|post[- ]hoc|from (?:the |these |our )(?:\w+ )?(?:results?|data|scores|outcomes|observations|numbers)"
    r"|in (?:the )?light of (?:the |these |our )(?:results?|data|scores|outcomes)|by (?:the |these |our )(?:results?|data|scores|outcomes)|once the (?:results?|scores|runs))"
    r"|\b(?:in retrospect|with hindsight|a posteriori)\b[^.;]{0,60}\bhypothes\w+|\bpost[- ]hoc (?:hypothes\w+|conjectur\w+)|\b(?:based on|motivated by|given|in light of|prompted by|guided by|suggested by) (?:the|these|this|our) (?:\w+ )?(?:results?|observations?|findings?|outcomes?|numbers|scores)[^.;]{0,40}\bwe (?:now |therefore |then |next )?"
    r"(?:hypothesi[sz]e[d]?|formulate[d]?|test(?:ed)?) [^.;]{0,100}\b(?:same|significan\w+|confirm\w*|p [<=]|t-test|test\b)",
    re.IGNORECASE,
)
HONEST = re.compile(
    r"\b(?:explor\w+|before|prior to|in advance|pre-?regist\w+|new (?:\w+ )?(?:topics|collection|data|queries)|fresh|future|separate|different (?:collection|test)|unseen|another (?:collection|test set)|independent)\b",
    re.IGNORECASE,
)
BEST_TWO = re.compile(
    r"\b(?:best|top|highest[- ]scoring|winning)(?:[- ](?:performing|ranked|scoring))?\b[^.;]{0,60}\b(?:second|2nd|runner-?up)[^.;]{0,70}\b(?:significan\w+|t-?tests?|p-?values?|test(?:ed)?)\b"
    r"|\b(?:significan\w+|t-?tests?|p-?values?)\b[^.;]{0,80}\b(?:best|top)\b[^.;]{0,60}\b(?:second|2nd|runner-?up)\b"
    r"|\b(?:none of the |the )?best (?:systems?|runs?|models?|methods?)\b[^.;]{0,60}\bsignificantly\b[^.;]{0,40}\bsecond\b",
    re.IGNORECASE,
)
ONLY_BEST = re.compile(
    r"\b(?:test\w*|compar\w+|significan\w+|t-tests?)\b[^.;]{0,70}\b(?:only|solely|just|exclusively)\b[^.;]{0,50}\b(?:best|top|strongest|largest|highest|most promising|winning|better)\b"
    r"|\b(?:only|solely|just|exclusively)\b[^.;]{0,40}\b(?:test\w*|compar\w+|significan\w+)\b[^.;]{0,60}\b(?:best|top|strongest|largest|highest|most promising|winning)\b"
    r"|\b(?:only|solely|just|exclusively)\b[^.;]{0,20}\b(?:best|top|strongest|largest|highest|most promising|winning)\b[^.;]{0,50}\b(?:test|compar|significan)\w*"
    r"|\b(?:chose|chosen|pick\w*|select\w*|report\w*)\b[^.;]{0,30}\b(?:the one|those|that|the measures?|the metrics?|the collections?|the cut-?off|the topics|the baselines?) with (?:the )?(?:largest|best|highest|biggest|strongest|most favou?rable)\b"
    r"|\b(?:best|strongest|highest|most promising)[- ]?(?:performing|scoring)? (?:\w+ ){0,2}(?:run|system|baseline|variant|configuration|method|model|measure|metric)s?\b[^.;]{0,50}\b(?:only|alone)\b[^.;]{0,40}\b(?:test\w*|compar\w+|significan\w+)"
    r"|\b(?:outperform\w*|beat\w*|exceed\w*|surpass\w*|improv\w+|compar\w+|better)\b[^.;]{0,50}\bbest (?:previously |ever )?(?:published|reported|known)\b"
    r"|\b(?:report|show|give|list|present)\w* (?:only|just) (?:the )?(?:\w+ )?(?:significant|best|favou?rable|positive) (?:differences?|results?|comparisons?|runs?|measures?|variants?)\b"
    r"|\b(?:only|just) (?:report|show|give|list|present)\w* (?:\w+ ){0,4}(?:best|significant|favou?rable|positive) (?:\w+ )?(?:differences?|results?|comparisons?|runs?|measures?|variants?|systems?)\b"
    r"|\b(?:measure|metric|baseline|subset|cut-?off)s?\b[^.;]{0,30}\b(?:where|on which|for which|that) (?:our|the) (?:\w+ ){0,3}(?:differences?|gains?|improvements?) (?:is|was|were|are) (?:the )?(?:largest|highest|significant)\b[^.;]{0,40}\b(?:test|report|choose|chose|select|pick)\w*"
    r"|\b(?:chose|chosen|pick\w*|select\w*)\b[^.;]{0,50}\b(?:measures?|metrics?|baselines?|topics|cut-?offs?)\b[^.;]{0,30}\b(?:where|on which|for which|that)\b[^.;]{0,30}\b(?:largest|best|highest|significant|favou?r\w*)\b",
    re.IGNORECASE,
)


def check(document: Document) -> Iterator[Hit]:
    """Sentences that say in which order it was done."""
    for sentence in document.having("hypothes", "conjectur", "research question"):
        text = sentence.normal
        match = LATE.search(text)
        if match is not None and not HONEST.search(text) and not _denied(text, match):
            yield Hit("M601", *hit_span(sentence, match), match[0])
    for table in document.tables:
        names = [cell.text.lower() for cell in table.header]
        second = next((cell for cell in table.header if SECOND.search(cell.text)), None)
        if (
            second is not None
            and any("best" in name for name in names)
            and any(re.fullmatch(r"p|p[- ]?val\w*", name) for name in names)
        ):
            yield Hit("M602", *second.span, "best against second best")
    for sentence in document.having(
        "only", "solely", "just", "exclusively", "best", "alone", "largest", "favo", "highest", "significant", "second"
    ):
        text = sentence.normal
        two = BEST_TWO.search(text)
        if two is not None and not MENTIONED.search(text) and not MENTION.search(text):
            yield Hit("M602", *hit_span(sentence, two), two[0])
            continue
        match = ONLY_BEST.search(text)
        if match is not None and not HONEST.search(text) and not _denied(text, match):
            yield Hit("M602", *hit_span(sentence, match), match[0])


SECOND = re.compile(r"\b(?:second|2nd|runner-?up)\b", re.IGNORECASE)
MENTIONED = re.compile(
    r"\b(?:should|must not|mistakes?|incorrect|misleading|wrong|fallac\w+|HARKing|criticis\w+|criticiz\w+|would be|would|not enough|unfair|inflat\w+|bias\w*)\b"
)


def _denied(text: str, match: re.Match[str]) -> bool:
    """Return whether the statement is denied, or told as a mistake."""
    begin, _ = clause(text, match.start(), match.start() + 1)
    inside = re.search(r"\b(?:not|never|nor|neither|no) (?:only |just |solely )?", match[0])
    return bool(denied(text, begin, match.start()) or inside or MENTIONED.search(text) or MENTION.search(text))
