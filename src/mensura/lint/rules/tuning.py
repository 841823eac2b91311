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

TOPICS = r"(?:sets?|topics?|quer(?:y|ies)|data(?: ?set)?|collections?|splits?|judge?ments|qrels|questions|part|portion|requests|pairs|labels|environment|users)"
# Topics of the evaluation, and what is measured on them: "the 50 test topics", "its test split", "test".
DETERMINED = r"(?:(?:the|our|their|its|all|these|those|each|every|both|same|complete|full|whole|entire|very|respective|actual|final|official|two|three|four|hidden|blind|held-out|local|of|\d+\+?) )*"
TEST = rf"{DETERMINED}(?:(?:relevance )?judge?ments (?:of|for) {DETERMINED})?(?:(?:test|eval(?:uation)?|local (?:test|evaluation)|benchmark|gold(?:en)?|ground[- ]truth)(?:[- ]{TOPICS}| fold)\b|(?:test|ground[- ]truth)(?=\s?[.,;)]|$))"
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
BEST_OR_MOST = re.compile(
    r"\b(?:tried|trying|testing|experiment|var(?:y|ied)|sw(?:eep|ept)|grid|explored|best|optim|highest|peak|top|winner|maxim|mejor|miglior|melhor|meilleur)",
    re.IGNORECASE,
)
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
    r"\b(?:set to|kept|keep|chosen|chose|choose|selected|select|picked|retained|adopted|adopt|(?:we|is|are|was|were) (?:\w+ )?(?:used?|report(?:ed)?)|used below|report\w*|is the (?:one|value)|are (?:the ones|those))\b",
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
ABSENT = re.compile(
    r"\b(?:no|not|without|lack of|absence of|instead of)\b[^.;,]{0,40}?\b(?:validation|development|dev|held[- ]out|tuning|training|separate)\b[^.;,]{0,20}",
    re.IGNORECASE,
)
APART = re.compile(
    rf"\b(?:{OTHER_SET}|literature|disjoint|vice versa|other (?:collection|topics|half)|transfer\w*)\b", re.IGNORECASE
)
ELSEWHERE = re.compile(
    rf"\b(?:cross[- ]?valid\w*|validation|dev|development|train\w*|held[- ]out|folds?|unseen|earlier|previous|literature|transfer\w*|(?:other|another|different|separate|disjoint) (?:\w+ )?{TOPICS})\b",
    re.IGNORECASE,
)
SEPARATE = re.compile(r"\bdisjoint|\bseparate from|\bother than|\bcheating\b|\bnever\b", re.IGNORECASE)
ADVICE = re.compile(r"\b(?:if|when(?:ever)?|do not|don't|never) you\b|^(?:do not|don't|never)\b", re.IGNORECASE)
ANY_TEST = re.compile(
    rf"\bground[- ]truth\b|\b(?:test|eval(?:uation)?|benchmark|gold(?:en)?)[- ]+(?:{TOPICS}|set|fold|{MEASURE.pattern}|scores?|performance|results?|accuracy|loss|error|RMSE)\b|\btest(?=\s?[.,;)]|$)",
    re.IGNORECASE,
)
HINT = re.compile(
    r"\b(?:test|eval(?:uation)?|benchmark|gold(?:en)?|truth)[-\s.,;)]|\btest[.,;)]|\b(?:same|very|identical)\b|over-?fit|\b(?:[Tt]un|[Oo]ptimi|[Gg]rid)|\bthese \d",
    re.IGNORECASE,
)
# Values of a parameter that were compared, and the best of them, which is used then: where a text names no topics to choose it on,
# these were the topics of its results.
TRIED = re.compile(
    r"\b(?:tried|trying|test(?:ed|ing)(?= (?:\w+ ){0,3}(?:values|combinations|settings|weights?|configurations|parameters?|thresholds?|prompts|sizes|variants|numbers))|experiment(?:ed|ing) with|vary(?:ing)?|varied|sweep\w*|swept|grid[- ]?search\w*"
    r"|search(?:ed|ing) (?:for|between|over)|explor(?:ed|ing)|compar(?:ed|ing) (?:\w+ )?(?:values|settings|sizes)|probamos|probado|provat[oiae]|testés?|getestet|probiert|variiert|testamos)\b",
    re.IGNORECASE,
)
WINS = re.compile(
    rf"\b(?:best|optimal|optimum|highest|peak(?:s|ed)?|top|winner|mejor(?:es)?|miglior[ei]?|melhor(?:es)?|meilleure?s?|beste[nrs]?)\b[ -](?:[\w-]+ ){{0,2}}?(?:{MEASURE.pattern}|results?|performance|performing|performed|trade-?off|compromise|parameters?|configurations?|combinations?|settings?|values?|weights?|choice|resultados?|risultat[oi]|résultats?|Ergebnisse?|Konfiguration|Werte?|Einstellung(?:en)?|configura\w+|valeurs?|valor(?:es|i)?|valore)(?!\w)"
    r"|\b(?:works?|worked|perform(?:s|ed)?|did|scored?) (?:the )?best\b|\bbest one\b|\boptimal (?:k|b|k1|alpha|lambda|mu)\b|\bmaximi[sz]\w+\b|\bbest with\b",
    re.IGNORECASE,
)
SETTLED = re.compile(r"\b(?:chose|chosen|select(?:ed)?|pick(?:ed)?|decided|settled|kept|adopted|fixed)\b", re.IGNORECASE)
DECIDED = re.compile(
    r"\b(?:we|I|and|then|thus|therefore|hence|so|was|were|is|are|have|has|been) (?:\w+ly |then |therefore |thus |finally |hence )?(?:cho(?:se|sen)|choose|select(?:ed)?|pick(?:ed)?|decided|settled|kept|keep|adopt(?:ed)?|fixed|used?|set)\b|\b(?:due to|because of|since) (?:\w+ ){0,4}(?:highest|best)\b"
    r"|\bto (?:find|determine|identify|obtain|get|reach) (?:the|an?|those|which) (?:\w+ ){0,2}?(?:best|optimal)\b|\bbest (?:[\w-]+ ){0,3}(?:was|were|is|are|used|uses|=)\b|\bsearch\w* for the best\b|\bin (?:the following|all (?:\w+ )?(?:runs|experiments))\b",
    re.IGNORECASE,
)
NOT_OURS = re.compile(
    r"\b(?:should|could|can|needs?|fit|would|will|may|might|must|future|plan(?:ned)? to|you|your|how to|TODO|usually|typically|in general|suggest\w*|recommended|default\w*|runtime|latency|speed|memory|throughput|documents? with|terms with|cost|train\w*|loss|perplexity)\b|\?$",
    re.IGNORECASE,
)
SWEPT_COLUMN = re.compile(
    r"[$\\*` ]*(?:alpha|beta|gamma|lambda|mu|k_?1|b|[αβγλμ]|w(?:eight)?|threshold|chunk[ _]size|temperature|(?:rrf|bm25|dense|sparse|fusion|semantic|lexical|hybrid)[ _-]?(?:weight|k|alpha))[$*` ]*(?:\([^)]*\))?",
    re.IGNORECASE,
)
LEAST_VALUES = 3
DEVELOPED = re.compile(  # topics to choose on, anywhere in a text
    r"\bcross[- ]?valid|\bvalidation\b|\bheld[- ]?out\b|\bdev(?:elopment)? (?:sets?|topics|queries|questions|split|data|part|judge?ments|collection)\b|\bdev\b|\b\w+-fold\b|\bfolds\b|\btun(?:ing|ed on) (?:the )?(?:set|queries|topics|train|questions|split)"
    r"|\b(?:train|training) (?:topics|queries|questions|qrels|judge?ments|collection)\b|\bsensitivity\b|\bunseen\b|\btransfer",
    re.IGNORECASE,
)
REPORTED_BEST = re.compile(
    r"\b(?:report\w*|show\w*|present\w*|list(?:ed|s)?|give[ns]?|numbers|results|values|scores)\b(?:(?!\bbold|\bunderlin|\bhighlight)[^.;]){0,30}\b(?:best|highest|maximum)\b (?:\w+ )?(?:results?|scores?|values?|runs?|performances?|ones?|numbers?)\b[^.;]{0,25}\b(?:among|of|over|across|from|in|for|when)\b[^.;]{0,30}?"
    r"(?:\bvarying\b|\b(?:different|all|various|several|tested|tried|repeated|\d+|two|three|four|five|ten|twenty)\b (?:[\w-]+ ){0,2}?(?:runs|seeds|experiments|trials|repetitions|values|percentages|settings|configurations|epochs|checkpoints|parameters|thresholds|restarts))",
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
        *CUES,
        also=(" test", "evaluat", "report", "result", "overfit", "over-fit", "same", "very", "show", "truth", "gold", "benchmark"),
    ):
        if HINT.search(sentence.text) is None:
            continue
        text = flat(sentence.normal)
        match = (_on_test(text) if ANY_TEST.search(text) else None) or _on_the_same(text)
        if match is not None and not excused(text, *match.span()) and not SEPARATE.search(text) and not ADVICE.search(text):
            yield Hit("M502", *hit_span(sentence, match), match[0].replace("·", "."))
    for sentence in document.matching(BEST_OR_MOST):
        text = flat(sentence.normal)
        match = REPORTED_BEST.search(text) or _swept(document, text)
        if match is not None and not excused(text, *match.span()) and not ELSEWHERE.search(ABSENT.sub("", text)):
            yield Hit("M502", *hit_span(sentence, match), match[0].replace("·", "."))
            return
    yield from _swept_in_table(document)


def _swept_in_table(document: Document) -> Iterator[Hit]:
    """Yield the parameter whose values a table compares by a measure, if the text says which of them is the best and names no topics for that."""
    for table in document.tables:
        columns = [column for column, cell in enumerate(table.header) if SWEPT_COLUMN.fullmatch(cell.text.strip())]
        if not columns or document.mentions(DEVELOPED) or not any(MEASURE.search(cell.text) for cell in table.header):
            continue
        name = table.header[columns[0]]
        values = {row[columns[0]].text for row in table.rows[table.head :] if len(row) > columns[0] and row[columns[0]].is_number}
        if len(values) < LEAST_VALUES:
            continue
        word = re.compile(rf"(?<!\w){re.escape(name.text.strip(' $*`'))}(?!\w)|\b(?:sweep|weights?|values?|grid)\b", re.IGNORECASE)
        if any(
            word.search(each.normal)
            and WINS.search(each.normal)
            and not NOT_OURS.search(each.normal)
            and not excused(each.normal, 0, 1)
            for each in document.matching(BEST_OR_MOST)
        ):
            yield Hit("M502", *name.span, name.text)
            return


def _swept(document: Document, text: str) -> re.Match[str] | None:
    """Return the words for the best of values that were compared, if no topics are named to compare them on."""
    if document.mentions(DEVELOPED) or not document.mentions(MEASURE) or PARAMETER.search(text) is None or NOT_OURS.search(text):
        return None
    tried, best = TRIED.search(text), WINS.search(text)
    return best if best and (tried or DECIDED.search(text)) else tried if tried and SETTLED.search(text) else None


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


def _on_the_same(text: str) -> re.Match[str] | None:
    """Return the words that say that topics for tuning are those of the evaluation."""
    if APART.search(ABSENT.sub("", text)):
        return None
    return ON_THE_SAME.search(text) or NAMED_TWICE.search(text)
