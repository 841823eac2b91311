"""P3 §2.5: tuning on the test topics."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mensura.lint.language import MEASURE, excused, flat, hit_span
from mensura.lint.rule import FUHR, RAO, Hit, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document

TUNED = Rule(
    code="M502",
    name="tuned-on-test",
    severity="warning",
    strict="error",
    consequence="what was tuned on the test topics looks better there than anywhere else; tune on others",
    demand="test topics are not for tuning: choose parameters on other topics",
    reason="The best of many variants on some topics is partly the luckiest. Topics for tuning must not be those for testing (P3 §2.5).",
    references=(FUHR, RAO),
    wrong="The parameter was tuned on the test topics.",
    right="The parameter was tuned on the training folds only.",
    fix="Tune inside each training fold (nested cross-validation) and test on the fold left out.",
)
RULES = (TUNED,)

TOPICS = r"(?:sets?|topics?|quer(?:y|ies)|data(?: ?set)?|collections?|splits?|judge?ments|qrels|questions|part|portion|requests)"
# Topics of the evaluation, and what is measured on them: "the 50 test topics", "its test split", "test".
DETERMINED = r"(?:(?:the|our|their|its|all|these|those|each|every|both|same|complete|full|whole|entire|very|respective|actual|final|official|two|three|four|hidden|blind|held-out|of|\d+) )*"
TEST = rf"{DETERMINED}(?:(?:relevance )?judge?ments (?:of|for) {DETERMINED})?(?:(?:test|evaluation)(?:[- ]{TOPICS}| fold)\b|test(?=\s?[.,;)]|$))"
# Between tuning and the topics: another set, or another thing that is done with them, is not passed over.
OTHER_SET = (
    r"cross[- ]?valid\w*|validation|dev|development|train\w*|held[- ]out|folds?|unseen|another|different|separate|earlier|previous"
)
GAP = (
    rf"(?:(?!\b(?:on(?! the basis)|against|evaluat\w+|tested|testing|report\w*|appl(?:y|ied)|results? (?:are|is|were|on)|measur\w+|compar\w+|assess\w*|before|then|transferr\w+|used|{OTHER_SET})\b)"
    r"[^.;]){0,80}?"
)
TUNE = r"(?:(?:fine-?)?tun(?:e[ds]?|ing)|(?:hyper-?)?optimi[sz](?:e[ds]?|ing|ation)|grid[- ]?search(?:ed|es|ing)?|calibrat(?:e[ds]?|ing|ion)|(?:hyper-?)?parameter (?:search|selection|estimation)|model selection|early stopping)"
CHOOSE = r"(?:select(?:s|ed|ing|ion)?|chosen|chose|choos\w+|pick(?:s|ed|ing)?|(?:is|are|was|were|be|been|we|and) set(?! (?:to|at|of|equal)\b)|determin\w+|fixed|adjust\w*|adapt(?:ed|ing)?|decided|fitted|learn(?:ed|t)|estimated|obtained|derived|maximi[sz]\w+)"
PARAMETER = re.compile(
    r"\b(?:(?:hyper-?)?parameters?|weights?|thresholds?|settings?|configurations?|checkpoints?|cut-?offs?|epochs?|prompts?|temperature|depths?|number of (?!topics|queries|documents)|alpha|beta|gamma|lambda|mu|k1|k_1|learning rate|smoothing|chunk sizes?|batch size|window"
    r"|values? (?:of|for) \S+|best[- ](?:\w+ ){0,2}(?:models?|runs?|systems?|variants?|methods?|rankers?|value))\b|[αβγλμ]|\b(?:b|k) (?:and|=)|\bvalues?\b(?=[^.;]{0,20}\b(?:chosen|select|tuned|set)\b)",
    re.IGNORECASE,
)
PREPOSITION = r"(?:on|using|with|over|with respect to|w·r·t·|against|according to|by means of)"
TUNED_ON = re.compile(
    rf"\b{TUNE}\b{GAP}\b{PREPOSITION} {TEST}|\b(?:tun\w+|optimi[sz]\w+) (?:\w+ ){{0,2}}for (?:the|each|every|both|all) (?:\w+ )?test (?:sets?|collections?|topics|queries)\b"
    rf"|\bus(?:e|es|ed|ing) {TEST}{GAP}\b(?:to|for|in) (?:\w+ ){{0,3}}(?:tun\w+|select\w*|choos\w*|optimi[sz]\w+|hyper-?parameters?|parameter|early stopping|set(?:ting)? the)"
    rf"|\b{TEST} (?:were|was|are|is) (?:also |both )?used (?:\w+ )?(?:for|to|in) (?:\w+ ){{0,3}}(?:tun\w+|select\w*|choos\w*|set(?:ting)? the|optimi[sz]\w+|hyper-?parameter)"
    r"|\b(?:oracle|best)[- ](?:parameters?|settings?) (?:on|for) (?:each|every|the) test\b",
    re.IGNORECASE,
)
CHOSEN_ON = re.compile(
    rf"\b{CHOOSE}\b{GAP}\b(?:on|using|over|with respect to|w·r·t·|according to|based on|by means of|with) {TEST}", re.IGNORECASE
)
CHECKED = re.compile(
    rf"\b(?:{CHOOSE}|{TUNE})\b(?: (?:\w+ )?)?(?:by|on|using|via|with|according to) (?:the )?(?:best |highest )?(?:test|evaluation)[- ](?:set )?(?:{MEASURE.pattern}|scores?|performance|results?|loss|error|RMSE)|\b{TUNE}\b[^.;]{{0,20}}\b(?:while|by) (?:watching|monitoring|looking at|inspecting|observing)\b[^.;]{{0,40}}\bon {TEST}"
    rf"|parameters?\b[^.;]{{0,20}}\b(?:com(?:e|es|ing)|came|stem|stems|stemm\w+|result|results|resulted) from\b[^.;]{{0,25}}\b(?:with|on|using) {TEST}"
    rf"|\b(?:checkpoints?|hyper-?parameters?)\b[^.;]{{0,20}}\b(?:based on|using|by) {TEST}"
    rf"|\b(?:adjust|chang|modif|refin|iterat|improv|tweak|re-?ran|re-?run|varied|increas)\w*\b[^.;]{{0,60}}\buntil\b[^.;]{{0,60}}\b{TEST}"
    rf"|\b(?:prompt engineering|iterat\w+|iteratively|tweak\w*|refin(?:e|ed|ing))\b{GAP}\b(?:on|against|using|with) {TEST}",
    re.IGNORECASE,
)
BEST = r"(?:best|highest|optimal|maximum|maximal|peak|top|lowest)"
BEST_ON = re.compile(
    rf"\b{BEST}\b(?:(?!\b(?:train\w*|dev|development|validation)\b)[^.;]){{0,50}}?\b(?:on|over|for) {TEST}|\b{BEST} test(?:[- ]set)?[- ](?:{MEASURE.pattern}|scores?|performance|results?|accuracy|loss|error)"
    rf"|\b{BEST} in our (?:evaluation|experiments) on {TEST}"
    rf"|\b(?:sw(?:ept|eep\w*)|tried|trying|var(?:y|ied)|experimented|grid[- ]search\w*)\b{GAP}\b(?:on|over|using) {TEST}",
    re.IGNORECASE,
)
BEST_OF = re.compile(
    rf"\b{BEST} of (?:the |our |all )?(?:\d+|ten|twenty|five|several|all) (?:checkpoints|epochs|settings|configurations|seeds|values|combinations)\b",
    re.IGNORECASE,
)
KEPT = re.compile(
    r"\b(?:kept|keep|chosen|chose|choose|selected|select|picked|retained|adopted|adopt|(?:we|is|are|was|were) (?:\w+ )?(?:used?|report(?:ed)?)|used below|report\w*|is the (?:one|value)|are (?:the ones|those))\b",
    re.IGNORECASE,
)
SAME = r"(?:same|very|identical) (?:\d+ )?(?:test |evaluation )?(?:topics|queries|questions|quer(?:y|ies) and judge?ments|collections?|data ?sets?|data|qrels|requests|users)"
USED_AGAIN = rf"{SAME}(?:,? (?:that|which|as|on|where|over|with|we|they|it|are|were|is|was|have been|also|later|used|in|for|the|then|and|both|our|being|reported|final)){{1,9}} (?:evaluat|report|test|measur|assess|result|effectiveness|score|comparison)\w*"
ON_THE_SAME = re.compile(
    rf"\b(?:{TUNE}|{CHOOSE})\b[^.;]{{0,80}}\b(?:on|using|with|over|for) (?:exactly )?(?:the )?{USED_AGAIN}"
    rf"|\b(?:the )?{SAME} (?:were|was|are|is|have been|has been|being) (?:\w+ )?used (?:\w+ )?(?:for|to|in) (?:\w+ ){{0,3}}(?:tun\w+|select\w*|optimi[sz]\w+)[^.;]{{0,40}}\b(?:and|as well as)\b[^.;]{{0,30}}\b(?:evaluat|test|report|measur|assess)\w*"
    rf"|\bus(?:e|ed|es|ing) (?:the )?{SAME}[^.;]{{0,20}} for (?:\w+ ){{0,3}}(?:tun\w+|select\w*|optimi[sz]\w+)[^.;]{{0,30}}\b(?:and|as well as)\b[^.;]{{0,30}}\b(?:evaluat|test|report|measur|assess)\w*"
    rf"|\b(?:tun(?:ed|ing)|optimi[sz](?:ed|ation|ing)),? (?:and|as well as) (?:(?:then|also|both|for|the|final) )*(?:evaluat|test|report|measur)\w*[^.;]{{0,30}}\b(?:on|with|using|over) (?:the |all |all the |these |those )?(?:{SAME}|\d+ (?:\w+ )?(?:topics|queries|questions))\b"
    rf"|\b(?:tuning|optimi[sz]ation) and (?:the )?(?:evaluation|testing|test) (?:both )?(?:us(?:e|ed)|(?:is|are|was|were) (?:both )?(?:done|made|performed|carried out|conducted|run)) (?:on |with |using )?(?:the )?{SAME}"
    r"|\bover-?fit\w*\b[^.;]{0,15}\b(?:the|those|these)\b [^.;]{0,30}\b(?:we|I) (?:have |had )?(?:tuned|optimi[sz]ed)\b",
    re.IGNORECASE,
)
NAMED_TWICE = re.compile(  # tuned on a collection, and evaluated on it
    r"\b(?:[Tt]un(?:ed|ing)|[Oo]ptimi[sz](?:ed|ing|ation)|[Gg]rid-?\s?search\w*)\b[^.;]{0,25} on (?:the )?(?:\d+ )?(?:(?:topics|queries) (?:of|from) )?(?P<name>[A-Z][\w'-]{2,}(?: ?[A-Z0-9][\w'-]*)?)(?![\w'-])"
    r"(?:(?!\b(?:other|vice versa|roles|swapped|trained|folds?)\b)[^.]){0,90}?\b(?:[Ee]valuat|[Tt]est|[Rr]eport|[Rr]esult|[Ss]how|[Mm]easur)\w*\b[^.;,]{0,25} (?:on|for) (?:the )?(?P=name)(?![\w'-])(?! ?(?:test|held))"
)
COUNTED_TWICE = re.compile(  # the best value for 50 topics, and the results of these 50 topics
    r"\b(?:all |the )(?P<count>\d+|fifty) (?P<topics>topics|queries|questions)\b[^.]{0,60}\b(?:best|optimal|highest)\b[^.]{0,60}\b(?:these|the same|those|all) (?P=count) (?P=topics)\b",
    re.IGNORECASE,
)
ABSENT = re.compile(
    r"\b(?:no|not|without|lack of|absence of|instead of)\b[^.;,]{0,40}?\b(?:validation|development|dev|held[- ]out|tuning|training|separate)\b[^.;,]{0,20}",
    re.IGNORECASE,
)
APART = re.compile(
    rf"\b(?:{OTHER_SET}|literature|disjoint|vice versa|other (?:collection|topics|half)|transfer\w*)\b", re.IGNORECASE
)
SEPARATE = re.compile(r"\bdisjoint|\bseparate from|\bother than|\bcheating\b|\bnever\b", re.IGNORECASE)
MAXIMISED = re.compile(  # on what is evaluated, if a text never speaks of other topics
    rf"\bparameters?\b[^.;]{{0,60}}\bmaximi[sz](?:e|es|ed|ing)\b (?:the )?(?:[\w-]+ )?(?:{MEASURE.pattern})|\bmaximi[sz](?:e|es|ed|ing)\b (?:the )?(?:[\w-]+ )?(?:{MEASURE.pattern})[^.;]{{0,60}}\bparameters?\b"
)
OTHER_TOPICS = re.compile(
    r"\bcross[- ]?valid|\btrain(?:ing)?\b|\bvalidation\b|\bheld[- ]?out\b|\bdevelopment\b|\bdev\b|\bfolds?\b|\btuning (?:set|queries|topics)|\bunseen\b|\bsweep|\btransfer",
    re.IGNORECASE,
)
EACH_COLLECTION = re.compile(
    rf"\b{TUNE}\b{GAP}\b(?:on|for) (?:each|every|both|all|the) (?:\w+ )?test collections?\b", re.IGNORECASE
)
ANY_TEST = re.compile(
    rf"\b(?:test|evaluation)[- ]+(?:{TOPICS}|set|fold|{MEASURE.pattern}|scores?|performance|results?|accuracy|loss|error|RMSE)\b|\btest(?=\s?[.,;)]|$)",
    re.IGNORECASE,
)
HINT = re.compile(
    r"\b(?:test|evaluation)[-\s]|\btest[.,;)]|\b(?:same|very|identical)\b|over-?fit|\b(?:[Tt]un|[Oo]ptimi|[Gg]rid)|\bthese \d",
    re.IGNORECASE,
)
CUES = (
    "tun", "optim", "search", "calibrat", "parameter", "model selection", "stopping", "select", "chos", "choos", "pick", " set ", "determin",
    "fixed", "adjust", "adapt", "decided", "fitted", "learned", "estimated", "maximi", "best", "highest", "oracle", "checkpoint", "used ", "use ",
    "using", "until", "prompt", "iterat", "tweak", "refin", "swept", "sweep", "tried", "trying", "vary", "varied", "experimented", "peak", "top",
    "lowest", "learnt", "obtained", "derived", "values",
)  # fmt: skip


def check(document: Document) -> Iterator[Hit]:
    """Parameters that were chosen on the topics of the evaluation."""
    for sentence in document.having(
        *CUES, also=(" test", "evaluat", "report", "result", "overfit", "over-fit", "same", "very", "show")
    ):
        if HINT.search(sentence.text) is None:
            continue
        text = flat(sentence.normal)
        match = (_on_test(text) if ANY_TEST.search(text) else None) or _on_the_same(document, text)
        if match is not None and not excused(text, *match.span()) and not SEPARATE.search(text):
            yield Hit("M502", *hit_span(sentence, match), match[0].replace("·", "."))
    for sentence in document.having("maximi"):
        match = MAXIMISED.search(sentence.normal)
        if match is not None and not excused(sentence.normal, *match.span()) and not document.mentions(OTHER_TOPICS, prose=True):
            yield Hit("M502", *hit_span(sentence, match), match[0])
            break


def _on_test(text: str) -> re.Match[str] | None:
    """Return the words that say that something was tuned, or chosen as the best, on test topics."""
    match = TUNED_ON.search(text) or CHECKED.search(text)
    if match is not None:
        return match
    if PARAMETER.search(text) is None:
        return None
    match = CHOSEN_ON.search(text)
    if match is None and KEPT.search(text) and not APART.search(ABSENT.sub("", text)):
        match = BEST_ON.search(text)
        if match is None and re.search(rf"\b{TEST}", text, re.IGNORECASE):
            match = BEST_OF.search(text)
    return match


def _on_the_same(document: Document, text: str) -> re.Match[str] | None:
    """Return the words that say that topics for tuning are those of the evaluation."""
    if APART.search(ABSENT.sub("", text)):
        return None
    match = ON_THE_SAME.search(text) or NAMED_TWICE.search(text) or COUNTED_TWICE.search(text)
    if match is None:
        match = EACH_COLLECTION.search(text)
        return None if match is None or document.mentions(OTHER_TOPICS, prose=True) else match
    return match
