"""P3 §2.6: hypotheses, and comparisons, that are chosen after the results."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mensura.lint.language import MENTION, clause, denied, flat, hit_span
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
HYPOTHESIS = r"(?:hypothes[ei]s|conjectures?|research questions?|\bH\d\w?\b|\bRQ\s?-?\d\b)"
RESULT = r"(?:results?|scores?|outcomes?|numbers|figures?|findings?|observations?|evaluations?|experiments?|analys[ei]s|runs?|tables?|plots?|means|data)"
BORN = r"(?:re-?formulat\w+|formulat\w+|form(?:ed|ing)|modif\w+|restat\w+|pos(?:e|ed|ing)|rais\w+|ask(?:ed|ing)|emerg\w+|ar(?:ose|ising|isen)|came? up|c[ao]me (?:from|out)|became|generat\w+|deriv\w+|develop\w+|refin\w+|adapt\w+|adjust\w+|narrow\w+|restrict\w+|revis\w+|rewr\w+|rephras\w+|chang(?:ed|ing)|add(?:ed|ing)|suggested itself|put forward|built|made)"
LATER = re.compile(  # where it came from, and when
    rf"\b(?:look(?:ing|ed)? at|seeing|having seen|we saw|saw|inspecting|inspection of|analy[sz]ing|given|from|out of|based on|in (?:the )?light of|guided by)\b[^.;]{{0,30}}\b{RESULT}\b[^.]{{0,60}}\b{BORN}\b[^.]{{0,40}}{HYPOTHESIS}"
    rf"|\b{RESULT}\b[^.;]{{0,30}}\b(?:led|leads|brought|made) us to\b[^.;]{{0,20}}{HYPOTHESIS}[^.]{{0,120}}\b(?:test|same|confirm|verif|significan)\w*"
    rf"|{HYPOTHESIS} (?:was|were|has been|have been|is|are) (?:\w+ )?(?:adapted|adjusted|changed|fitted|tailored|aligned) to (?:the |our |these )?(?:\w+ )?{RESULT}\b"
    rf"|\b(?:from|out of) (?:the|this|these|that|our) (?:\w+ )?{RESULT},? (?:our|the|a|another|this) (?:\w+ )?{HYPOTHESIS} (?:was |has been |were )?{BORN}"
    rf"|{HYPOTHESIS}[^.;]{{0,50}}\b{BORN}\b[^.;]{{0,40}}\b(?:in (?:the )?light of|after|once|when|because|since|as soon as|following|to (?:fit|match|agree with|reflect))\b[^.;]{{0,40}}(?:\b(?:noticed|saw|seen|observed|showed|available|came in|came back|came out|known|looked|inspected|computed|unblinding)\b|\b(?:fit|match|agree with|reflect) (?:what|the|our|these)\b)"
    rf"|{HYPOTHESIS}[^.]{{0,70}}\b(?:not|never|n't) (?:be )?(?:supported|confirmed|borne out|hold|significant)\b[^.]{{0,60}}\b(?:modif|chang|restrict|narrow|reformul|revis|replac|adapt|adjust)\w*[^.]{{0,120}}\b(?:again|same|significan\w+|now)\b"
    rf"|\b(?:as (?:can be|is|was) seen|as (?:the |our |these )?{RESULT} show|table \d+ shows|figure \d+ shows)\b[^.]{{0,120}}\b(?:hence|therefore|thus|so)\b[^.;]{{0,20}}{HYPOTHESIS}[^.]{{0,120}}\b(?:significan|confirm|p\s?[<=])"
    rf"|\b(?:post[- ]hoc|a posteriori|in hindsight|in retrospect|with hindsight|afterwards)\b[^.]{{0,110}}\b(?:hypothes\w+|conjectur\w+)\b[^.]{{0,110}}\b(?:verif|test|confirm|significan|p\s?[<=])"
    rf"|\b(?:seeing|saw|seen|noticed|noticing|since|after|because|when|once)\b[^.]{{0,80}}\b(?:chang|switch|replac)\w*[^.;]{{0,20}}\bprimary (?:measure|metric|end-?point|outcome)\b"
    rf"|{HYPOTHESIS}[^.;]{{0,30}}\b(?:reflect|summari[sz]e|restate|follow from|follow)\w*\b[^.;]{{0,25}}\b(?:findings|results|observations|scores)\b[^.]{{0,80}}\b(?:test|confirm|verif|significan)\w*"
    rf"|\b(?:no|without (?:a|any)) (?:\w+ )?hypothes[ei]s (?:in|at) the (?:beginning|start|outset)\b[^.]{{0,40}}\bbut\b[^.]{{0,60}}\b{RESULT}\b",
    re.IGNORECASE,
)
# A hypothesis, words for results that were seen, its birth, and its test: together, in any order.
SEEN = re.compile(
    r"\b(?:saw|seen|seeing|notic\w+|read(?:ing)?|look(?:ed|ing)|having (?:evaluated|run|seen|tested|measured)|after (?:the |all |these |our )?(?:experiments?|evaluations?|runs|results)|motivated by|prompted by|because of the|data pointed|results? pointed)\b|\b(?:scores?|results?|numbers?|differences?) (?:of|in|for)\b[^.;]{0,25}\b(?:tables?|figures?)\b"
    r"|\bnot (?:been )?(?:fixed|stated|planned|formulated|written down|specified|registered|part of (?:our|the) (?:plan|study|design))\b",
    re.IGNORECASE,
)
BIRTH = re.compile(
    rf"\b(?:{BORN}|includ(?:ed|ing)|occurred to|ask(?:ed)? ourselves|turned (?:around|into)|reversed|wording|stated|state|hypothesi[sz]ed|conjectured|result(?:s|ed)? from|stem\w* from|chosen|worded|inverted)\b",
    re.IGNORECASE,
)
TRIED = re.compile(
    r"\b(?:confirm\w*|significan\w*|t-?tests?|tested (?:this|it|them|again)|same (?:runs|topics|data|queries|judge?ments)|verif\w*|p\s?[<=]|not (?:been )?(?:fixed|stated|planned|formulated|specified)|fits? the (?:outcome|results?|data)|opposite direction|which (?:research questions|hypotheses) they|was chosen after|after the experiments?)",
    re.IGNORECASE,
)
LATER_ON = re.compile(
    r"\b(?:beginning|outset|above|initial\w*|originally|participants|experts|literature|leave|left|further|no support|raise[sd]?|next|follow-?up|would|other (?:group|users|topics|participants)|new)\b",
    re.IGNORECASE,
)
ADVANCE = re.compile(
    r"\bnot\b[^.;]{0,40}\b(?:in advance|before(?:hand)?|a priori|part of (?:our|the) (?:plan|study))\b", re.IGNORECASE
)


NEAR = 60  # characters


def _born_late(text: str) -> re.Match[str] | None:
    """Return the word for a hypothesis, or for a question, that was born when results had been seen, and tested by them."""
    named = re.search(rf"{HYPOTHESIS}|\bhypothes\w+|\bconjectured\b", text, re.IGNORECASE)
    if named is None or LATER_ON.search(text):
        return None
    near = text[max(0, named.start() - NEAR) : named.end() + NEAR]
    return named if SEEN.search(text) and BIRTH.search(near) and TRIED.search(text) else None


HONEST = re.compile(
    r"\b(?:explor\w+|before|prior to|in advance|pre-?regist\w+|new (?:\w+ )?(?:topics|collection|data|queries)|fresh|future|separate|different (?:collection|test)|unseen|another (?:collection|test set)|independent)\b",
    re.IGNORECASE,
)
BEST_TWO = re.compile(
    r"\b(?:best|top|highest(?:[- ]scoring)?|winning)(?:[- ](?:performing|ranked|scoring))?\b[^.;]{0,60}\b(?:second|2nd|runner-?up)[^.;]{0,70}\b(?:significan\w+|t-?tests?|p-?values?|test(?:ed)?)\b"
    r"|\b(?:significan\w+|t-?tests?|p-?values?)\b[^.;]{0,80}\b(?:best|top(?:[- ]scoring)?|highest)\b[^.;]{0,60}\b(?:second|2nd|runner-?up)\b"
    r"|\b(?:none of the |the )?best (?:systems?|runs?|models?|methods?)\b[^.;]{0,60}\bsignificantly\b[^.;]{0,40}\bsecond\b",
    re.IGNORECASE,
)
ONLY_BEST = re.compile(
    r"\b(?:test\w*(?! (?:sets?|split|data|queries|topics)\b)|compar\w+|significan\w+|t-tests?)\b[^.;]{0,70}\b(?:only|solely|just|exclusively)\b[^.;]{0,50}\b(?:best|top|strongest|largest|highest|most promising|winning|better)\b"
    r"|\b(?:only|solely|just|exclusively)\b[^.;]{0,40}\b(?:test\w*(?! (?:sets?|split|data|queries|topics)\b)|compar\w+|significan\w+)\b[^.;]{0,60}\b(?:best|top|strongest|largest|highest|most promising|winning)\b"
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


SYSTEM = r"(?:runs?|systems?|models?|variants?|configurations?|methods?|rerankers?|rankers?|baselines?|approach(?:es)?|submissions?|engines?|settings?|combinations?)"
TESTING = r"(?:(?:statistical(?:ly)? )?significan\w*|t-?tests?|p-?values?|p\s?[<=]|tested|testing|tests?|Wilcoxon|compared|comparisons?|compare)"
SINGLE = re.compile(
    rf"\b{TESTING}\b[^.;]{{0,90}}\b(?:best|top|winn\w+|strongest|highest)\b[^.;]{{0,70}}\b(?:only|exclusively|and nothing else|alone)\b(?! (?:the first|those|few|\d))"
    rf"|\b(?:only|just|solely) (?:for )?(?:the )?(?:winn\w+|best|top)\b[^.;]{{0,60}}\b(?:was|were|is|are)\b[^.;]{{0,20}}\btest\w*\b"
    rf"|\bonly (?:for )?the (?:most (?:effective|successful|promising|precise)|winning|leading) {SYSTEM}\b[^.;]{{0,40}}\b(?:test|compar|significan)\w*"
    rf"|\bonly (?:show|report|present|list|give|discuss|include)\w* (?:the |those )?(?:comparisons|differences|measures|metrics|results|{SYSTEM}|topics|collections) (?:where|for which|in which|on which|that|with)\b[^.;]{{0,40}}\b(?:significan\w+|best|positive|favou?rable)\b"
    rf"|\b{TESTING}\b[^.;]{{0,40}}\b(?:limited|restricted|confined)\b to (?:the )?(?:\w+ ){{0,2}}(?:best|top|winn\w+|strongest|highest|largest)\b"
    rf"|\b(?:determin|identif|select|find|found|look|saw|see|check|establish)\w*\b[^.;]{{0,50}}\b{SYSTEM} (?:\w+ )?(?:perform\w*|work\w*|score[sd]?|did|does|was|is) (?:the )?best\b[^.;]{{0,60}}\b(?:compar|test)\w*[^.;]{{0,30}}\b(?:only|this one|that one|alone)\b"
    rf"|\bbest (?:\w+ )?(?:result|run|system|score|value)s? (?:that (?:was|were|has been|have been) )?(?:ever |previously |so far |yet |hitherto )*(?:published|reported|known)\b[^.;]{{0,60}}\b(?:significan|better|outperform|improve|beat|exceed)\w*"
    rf"|\bbest of (?:our|the|these|all|those) (?:(?!which)\w+ ){{0,2}}{SYSTEM}\b[^.;]{{0,70}}\b(?:significan\w*|t-?tests?|p\s?[<=]|Wilcoxon)"
    rf"|\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|several|many|all) (?:\w+ )?{SYSTEM}\b[^.]{{0,40}}\bfor the best\b[^.]{{0,70}}\b(?:significan\w*|t-?test|p\s?[<=])"
    rf"|\b(?:since|as|because) [^,;.]{{0,40}}\b(?:highest|best|largest|strongest|greatest)\b[^,;.]{{0,50}}, [^.;]{{0,70}}\b(?:t-?tests?|significance tests?)\b"
    rf"|\b(?:insignificant|non-?significant|not significant) (?:differences|results|comparisons|values|improvements) (?:are|were) (?:omitted|left out|not shown|dropped|hidden|excluded|removed)"
    rf"|\b(?:we|I) (?:show|report|present|list|give|discuss)\w* (?:only )?(?:the (?:\w+ )?|those )(?:measures |metrics |ones |collections |topics )?(?:for|on|in) which\b[^.;]{{0,40}}\b(?:significan\w*|wins?|best|improv\w*|outperform\w*)"
    rf"|\b(?:strongest|best) (?:competitor|baseline|system|method|opponent|rival)\b[^.;]{{0,60}}\b(?:so|hence|therefore|thus)\b[^.;]{{0,40}}\b(?:test|compar)\w*"
    rf"|\btests?\b[^.;]{{0,25}}\b(?:ranks?|places?|positions?) (?:one|1) and (?:(?:ranks?|places?|positions?) )?(?:two|2)\b|\bp-?values?\b[^.;]{{0,20}}\bonly\b[^.;]{{0,25}}\b(?:largest|biggest|best|highest|greatest)\b"
    rf"|\bonly (?:those |the )?(?:comparisons|differences|measures|results|{SYSTEM}|topics|metrics) (?:are|were|is|was) (?:shown|reported|listed|given|presented|discussed)[^.;]{{0,40}}\b(?:significan\w+|best|positive|favou?rable)\b"
    rf"|\b(?:measures|metrics|topics|queries|collections|data ?sets|baselines)\b (?:on|for|in|with) which\b[^.;]{{0,50}}\b(?:greatest|largest|biggest|most|highest|significant)\b[^.;]{{0,40}}\b(?:(?:were|was|are|is) (?:then )?(?:select|chosen|pick|report|present|shown|test|kept|list)\w*)",
    re.IGNORECASE,
)
ALL = re.compile(
    r"\b(?:all (?:\w+ )?(?:differences|pairs|comparisons|runs|systems|baselines) (?:were|was|are|is)|Tukey\w*|HSD|Holm|Bonferroni|correct(?:ed|ion)|not only|development|dev|validation|training|in our plan|planned|plan)\b",
    re.IGNORECASE,
)
OBJECTS = re.compile(
    r"\b(?:documents?|terms?|passages?|candidates?|users?|tokens?|features?|words?|chunks?|pages|items|sentences|snippets|answers?|(?:top|best) (?:result|hit))\b",
    re.IGNORECASE,
)
STATISTICAL = re.compile(
    rf"\b(?:{SYSTEM}|measures?|metrics?|differences?|comparisons?|significance|t-?tests?|statistical\w*)\b", re.IGNORECASE
)


def check(document: Document) -> Iterator[Hit]:
    """Sentences that say in which order it was done."""
    for sentence in document.having("hypothes", "conjectur", "research question", "primary", "h1", "h2", "h3", "h4", "h5", "rq"):
        match = _formed_late(flat(sentence.normal))
        if match is not None:
            yield Hit("M601", *hit_span(sentence, match), match[0].replace("·", "."))
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
        "only", "solely", "just", "exclusively", "best", "alone", "largest", "favo", "highest", "significant", "second", "runner", "top",
        "winn", "limited", "strongest", "rank", "insignificant", "wins", "restricted", "confined", "greatest",
    ):  # fmt: skip
        match = _picked(flat(sentence.normal))
        if match is not None:
            yield Hit("M602", *hit_span(sentence, match), match[0].replace("·", "."))


def _formed_late(text: str) -> re.Match[str] | None:
    """Return the words that say that a hypothesis came after the results by which it is tested."""
    match = LATE.search(text)
    if match is None or _denied(text, match):
        match = LATER.search(text)
        if match is not None and denied(text, clause(text, match.start(), match.start() + 1)[0], match.start()):
            return None
        match = match or _born_late(text)
    if HONEST.search(ADVANCE.sub("", text)) or WRONG.search(text) or ASIDE.search(text):
        return None
    return match


def _picked(text: str) -> re.Match[str] | None:
    """Return the words that say that a comparison was picked by its result."""
    match = BEST_TWO.search(text)
    if match is not None and not MENTIONED.search(text) and not MENTION.search(text) and not ALL.search(text):
        return match
    match = ONLY_BEST.search(text)
    if match is not None and ((OBJECTS.search(match[0]) and not STATISTICAL.search(text)) or TRAINED.search(text)):
        match = None
    if match is None and not ALL.search(text):
        match = SINGLE.search(text)
    if match is None or HONEST.search(text) or _denied(text, match) or UNTESTED.search(match[0]) or BY_PEOPLE.search(text):
        return None
    return match


WRONG = re.compile(r"\b(?:should not|must not|mistakes?|misleading|wrong|HARKing|would be|fallac\w+|avoid\w*)\b", re.IGNORECASE)
ASIDE = re.compile(
    r"\b(?:(?:stated|formulated|given|listed|introduced|presented|described) (?:in|at) (?:Section|Sect|Chapter|Sec|the (?:introduction|beginning))|could|tempted|null|not tested|are not tested|avoid\w*)\b",
    re.IGNORECASE,
)
TRAINED = re.compile(r"\b(?:training|development|dev|validation) (?:topics|queries|set|data|split|folds?)\b", re.IGNORECASE)
BY_PEOPLE = re.compile(
    r"\b(?:users|participants|assessors|judges|annotators|subjects) (?:\w+ )?(?:compared?|selected?|chose|rated|tested)\b|\bA/B\b",
    re.IGNORECASE,
)
UNTESTED = re.compile(r"\bonly\b[^.;]{0,30}\b(?:checkpoints?|documents?|terms?|passages?|candidates?)\b", re.IGNORECASE)
SECOND = re.compile(r"\b(?:second|2nd|runner-?up)\b", re.IGNORECASE)
MENTIONED = re.compile(
    r"\b(?:should|must not|mistakes?|incorrect|misleading|wrong|fallac\w+|HARKing|criticis\w+|criticiz\w+|would be|would|not enough|unfair|inflat\w+|bias\w*)\b"
)


def _denied(text: str, match: re.Match[str]) -> bool:
    """Return whether the statement is denied, or told as a mistake."""
    begin, _ = clause(text, match.start(), match.start() + 1)
    inside = re.search(r"\b(?:not|never|nor|neither|no) (?:only |just |solely )?", match[0])
    return bool(denied(text, begin, match.start()) or inside or MENTIONED.search(text) or MENTION.search(text))
