"""P3 §2.7: many tests without a correction, and collections that were used before."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mensura.lint.language import AFTER, MEASURE, affirmed, classifies, clause, denied, excused, flat, hit_span, of_others, p_value
from mensura.lint.rule import CARTERETTE, FUHR, REUSE, Hit, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document, Sentence
    from mensura.lint.readers.table import DocumentTable

UNCORRECTED = Rule(
    code="M701",
    name="tests-without-correction",
    severity="warning",
    strict="error",
    consequence="several tests without a correction: with twenty of them, one false alarm is to be expected; name the correction",
    demand="several tests need a correction: use Holm's, Tukey's HSD or another, and name it",
    reason=(
        "Each test at α = .05 has its own chance of a false alarm; twenty tests of nothing find one difference on average. The family of "
        "tests (pairs × measures × collections) must be corrected as a whole (P3 §2.7)."
    ),
    references=(FUHR, CARTERETTE),
    wrong="A dagger marks significant differences to each of the five baselines (paired t-test, p < 0.05); effect sizes are in Table 3.",
    right="A dagger marks significant differences to each of the five baselines (t-test, Holm-corrected, p < 0.05); effect sizes are in Table 3.",
    fix="mensura compare corrects for all pairs and measures by default; write which correction, and for how many tests.",
    debate="Which tests make a family is a matter of judgment: strongly correlated measures of one comparison need less correction.",
)
REUSED = Rule(
    code="M702",
    name="collection-reuse",
    severity="warning",
    strict="error",
    consequence="earlier tests on the same collection belong to the family too: without them, p-values are too small",
    demand="count the tests made earlier on this collection, and correct for them",
    reason=(
        "Many groups, or one group many times, testing on one collection make random winners likely. At the least, add the known earlier "
        "tests to your own and correct for the sum (P3 §2.7, after Carterette)."
    ),
    references=(FUHR, REUSE),
    wrong="We reuse the topics of our earlier studies; the gain is statistically significant (d = 0.4).",
    right="We reuse the topics of our earlier studies; the gain is significant after correction for the 14 earlier tests (d = 0.4).",
    fix="mensura compare --prior-tests N corrects for tests made earlier on this collection.",
)
UNPAIRED = Rule(
    code="M703",
    name="unpaired-test",
    severity="warning",
    strict="error",
    consequence="the systems were tested on the same topics, and the test ignores that: differences between topics hide those between systems",
    demand="scores of the same topics are paired: use a paired test",
    reason=(
        "Topics differ more than systems do. An unpaired test (Welch's or Student's for independent samples, the rank-sum test) counts the "
        "variance between topics as noise and misses most differences; a paired one takes the difference on each topic."
    ),
    references=(CARTERETTE,),
    wrong="from scipy.stats import ttest_ind\n\nndcg_a, ndcg_b = per_topic(run_a, qrels), per_topic(run_b, qrels)\nprint(cohen_d(ndcg_a, ndcg_b), ttest_ind(ndcg_a, ndcg_b).pvalue)\n",
    right="from scipy.stats import ttest_rel\n\nndcg_a, ndcg_b = per_topic(run_a, qrels), per_topic(run_b, qrels)\nprint(cohen_d(ndcg_a, ndcg_b), ttest_rel(ndcg_a, ndcg_b).pvalue)\n",
    fix="Use ttest_rel or wilcoxon, or mensura compare, which pairs by topic.",
    ending=".py",
)
RULES = (UNCORRECTED, REUSED, UNPAIRED)

CORRECTED = re.compile(
    r"\b(?:Bonferroni|Holm|Hochberg|Hommel|Tukey|HSD|Benjamini|Yekutieli|FDR|false discovery|[SŠ]id[aá]k|Dunnett|Nemenyi|Scheff[eé]|Newman-?Keuls|family-?\s?wise|max-?T|Westfall"
    r"|multiplicity|multiple (?:comparison|testing|hypothes[ie]s|test)\w*[^.;]{0,20}(?:correct|adjust|control)\w*"
    r"|(?:correct|adjust)(?:ed|ing|ion|ions|s|ment|ments)?\b[^.;]{0,40}\b(?:multiple|comparisons?|tests|testing|p-?values?|family|significance levels?|alpha)|correct(?:s|ed|ing|ions?)? for (?:every|all|each|both|many|several|\d+)\b|(?:corrected|adjusted) (?:p|for)\b|p-?values? (?:are|were|is) (?:corrected|adjusted))",
    re.IGNORECASE,
)
CORRECTION_CUES = (
    "bonferroni",
    "holm",
    "hochberg",
    "hommel",
    "tukey",
    "hsd",
    "benjamini",
    "yekutieli",
    "fdr",
    "discovery",
    "dák",
    "dak",
    "dunnett",
    "nemenyi",
    "scheff",
    "keuls",
    "wise",
    "maxt",
    "max-t",
    "westfall",
    "multipl",
    "correct",
    "adjust",
)
MARK = r"(?:\*{1,3}|∗|⋆|†|‡|daggers?|asterisks?|stars?|superscripts?|bold(?:face)?|△|▲|↑|underlin\w+|(?:cells|values|numbers|entries|rows) (?:in|with|on) (?:a )?(?:green|red|blue|gr[ea]y|italics?|colou?r\w*)|shad(?:ed|ing)|green|colou?red)"
MARK_CUE = re.compile(
    r"[*∗⋆†‡△▲↑]|[Dd]agger|[Aa]sterisk|[Ss]tar|[Ss]uperscript|[Bb]old|[Uu]nderlin|[Ss]ymbol|[Gg]reen|[Cc]olou?r|[Ss]had|[Ii]talic| in red| in gr"
)
MARKED = re.compile(
    rf"(?:{MARK}|\b[Ss]ymbols?)[^.;]{{0,60}}(?:indicat|denot|mark|mean|show|signif|stand|represent|highlight)\w*[^.;]{{0,80}}\b(?:significan\w+|p\s?[<=≤]|t-test)"
    rf"|\bsignifican\w+[^.;]{{0,80}}\b(?:indicat|denot|mark|shown|highlight|flagg)\w*[^.;]{{0,30}}(?:{MARK})"
    rf"|(?:{MARK})\s?[:=(]?\s?(?:p\s?[<=≤]\s?0?\.\d+|(?:statistically )?significan\w+)",
    re.IGNORECASE,
)
MANY = re.compile(
    r"\b(?:both|two) (?:of )?(?:the )?(?:\w+ ){0,2}(?:baselines|collections|data ?sets|measures|metrics|tracks|benchmarks|competitors)\b"
    r"|\b(?:all|each|every|any|other|the (?:three|four|five|six|seven|eight|nine|ten|\d+))\s(?:of\s)?(?:the\s)?(?:other\s)?(?:\w+\s){0,3}"
    r"(?:baselines?|systems?|runs?|methods?|models?|measures?|metrics?|collections?|data ?sets?|pairs?|variants?|approaches|competitors|comparisons?|contrasts?|deltas?|tracks?|rankers?|differences|configurations|benchmarks|improvements|gains|increases|categories|languages|domains|(?:query|question) types|cut-?offs)\b"
    r"|\b(?:three|four|five|six|seven|eight|nine|ten|twelve|twenty|[3-9]|\d{2,3}) (?:\w+ ){0,2}(?:baselines|systems|runs|measures|metrics|collections|data ?sets|competitors|variants|contrasts|(?:query |question )?(?:categories|types)|languages|domains)\b"
    r"|\bin (?:all|most|both) (?:of )?(?:the )?cases\b|\bpair-?wise\b|(?<![\d.,])\b(?:[1-9]\d{1,2}|[3-9]|three|four|five|six|seven|eight|nine|ten|twelve|twenty|many|several|multiple|hundreds of) (?!(?:\w+ ){0,2}(?:controlled|counterfactual) )(?:\w+ ){0,3}(?:t-tests|tests|comparisons|hypotheses|pairs of (?:\w+ )?(?:systems|runs|methods|models|rankers)|(?:systems?|runs?|methods?|models?) pairs)\b|\b(?:against|over|to|than|with) all\b|\bbetween all\b",
    re.IGNORECASE,
)
REFUSED = re.compile(
    r"\b(?:no|without|not|none|neither)\b[^.;]{0,40}\b(?:Bonferroni|Holm|(?:multiple[- ](?:comparison|testing)s?|family-?wise|post-?hoc)? ?(?:correct(?:ion|ions|ed)|adjust(?:ment|ments|ed)))\b[^.;]{0,60}"
    r"|\b(?:correction|adjustment)s?\b[^.;]{0,40}\b(?:was|were|is|are|has been|have been) (?:\w+ )?(?:not|never|omitted|deemed unnecessary|unnecessary|left out)\b"
    r"|\buncorrected (?:p|tests?|significance|t-tests?|paired)\b|\bp-?values? (?:are|were) (?:left )?(?:uncorrected|unadjusted|not (?:corrected|adjusted))",
    re.IGNORECASE,
)
STATISTICAL = re.compile(
    r"\b(?:multipl\w+|comparisons?|tests?|testing|p-?values?|significan\w+|family|bonferroni|holm|p [<=])\b", re.IGNORECASE
)
MANY_SENTENCES = 3  # sentences about significance that make a family


def check(document: Document) -> Iterator[Hit]:
    """Marks, families and refusals; then collections that are used again."""
    corrected = affirmed(document, CORRECTED, CORRECTION_CUES) or any(CORRECTED.search(table.caption) for table in document.tables)
    if not corrected:
        hit = next(_families(document), None)
        if hit is not None and not classifies(document):
            yield hit
    yield from _reuse(document)
    yield from _unpaired(document)


UNPAIRED_TEST = re.compile(
    r"\b(?:unpaired|independent[- ]samples?|(?:independent )?two[- ]samples?|independent)(?:,? (?:two-tailed|two-sided|Student['’]?s?))* (?:t-?\s?tests?|version of the t-?test|tests? of (?:means|significance))\b|\bt-?tests? (?:for|of|with|on|assuming) (?:two )?(?:independent samples?|unequal variances?|unpaired)\b"
    r"|\bunpaired (?:version|variant|form)\b|\bas independent samples\b|\bWelch(?:['’]s|s)?(?:[- ]t\b|[- ]tests?\b| two-sample)|\bt-?test\b[^.;]{0,20}\bunequal variances?\b|\bttest_?ind\b|\bMann[-–— ]Whitney|\bWilcoxon[-–— ](?:Mann|rank[- ]sum)|\brank[- ]sum\b|\bU[- ]tests?\b|\bKruskal[-–— ]Wallis|\bone-way (?:analysis of variance|ANOVA)\b(?! with repeated)",
    re.IGNORECASE,
)
SAME_TOPICS = re.compile(
    r"\b(?:per|over|across|by|on|for|of) (?:the |all |these |all the |each of the )?(?:same )?(?:\d+ |fifty |hundred )?(?:test )?(?:topics?|quer(?:y|ies)|questions)\b|\b(?:per|by|topic|query|question)-?(?:topic|query|question|level|wise)\b|\bsame (?:\d+ )?(?:test )?(?:topics|queries|questions)\b|\b\d+ (?:test |\w+ )?(?:topics|queries|questions)\b|\b\d+ (?:AP|nDCG|RR|P@\d+|recall|precision) values\b|\b(?:topics|queries|questions) (?:are|were) (?:the same|identical)\b",
    re.IGNORECASE,
)
SYSTEMS = re.compile(
    r"\b(?:both|two|three|four|all|the|our) (?:\w+ )?(?:systems?|rankers?|runs|engines|retrievers?|models|methods|rankings|approaches)\b|\bSystem [A-Z\d]\b|\bvs\b|\bBM25\b|\bbaselines?\b|\bthan\b|\bcompar\w+",
    re.IGNORECASE,
)
PEOPLE = re.compile(
    r"\b(?:users?|participants?|subjects|novices|experts|students|groups? of|annotators|assessors|sessions?|A/B|clicks?|click-through|traffic|mobile|lengths?|difficult\w*|times?|ages?|non-?relevant|AUC|different (?:topics|queries|questions)|(?:title|verbose|short|long|easy|hard)[- ](?:only )?(?:topics|queries)|between (?:the )?(?:topics|queries|quer(?:y|ies) types?)|languages|categories|clusters|types of)\b",
    re.IGNORECASE,
)
PAIRED = re.compile(
    r"(?<!un)\bpaired\b|\bwithin[- ]subjects?|\brepeated[- ]measures|\bpost[- ]?hoc\b|\bDunn\b|\btopic (?:and|as|effect)|\bin contrast to\b|\bFriedman\b|\bNemenyi\b|\binstead\b",
    re.IGNORECASE,
)


def _unpaired(document: Document) -> Iterator[Hit]:
    """A test of independent samples, in a sentence that says that systems were measured on the same topics."""
    for sentence in document.having(
        "independent",
        "unpaired",
        "two-sample",
        "two sample",
        "welch",
        "unequal",
        "ttest",
        "whitney",
        "rank-sum",
        "rank sum",
        "ranksum",
        "u test",
        "u-test",
        "wallis",
        "one-way",
    ):
        text = flat(sentence.normal)
        match = UNPAIRED_TEST.search(text)
        near = max(0, match.start() - 40) if match is not None else 0
        if (
            match is None
            or excused(text[near:], match.start() - near, match.end() - near)
            or PEOPLE.search(text)
            or PAIRED.search(text)
            or _told(text)
        ):
            continue
        place = document.number(sentence)
        around = " ".join(flat(each.normal) for each in document.sentences[max(0, place - 1) : place + 2])
        if (
            (SAME_TOPICS.search(text) and (MEASURE.search(text) or re.search(r"\bAP\b", text) or SYSTEMS.search(text)))
            or (MEASURE.search(text) and SYSTEMS.search(text))
            or (  # the measure and the topics may stand in a sentence beside
                SYSTEMS.search(text)
                and MEASURE.search(around)
                and SAME_TOPICS.search(around)
                and not (PEOPLE.search(around) or PAIRED.search(around))
            )
        ):
            yield Hit("M703", *hit_span(sentence, match), match[0])
            return


def _families(document: Document) -> Iterator[Hit]:
    for sentence in document.having("correct", "adjust", "bonferroni", "holm"):
        match = REFUSED.search(sentence.normal)
        if match is not None and STATISTICAL.search(sentence.normal) and not _told(sentence.normal):
            yield Hit("M701", *hit_span(sentence, match), match[0])
    claims = []
    for sentence in document.having(
        "p <", "p<", "p =", "p=", "p ≤", "p-val", "p -val", "p val", "statistical", "-test", " test", "significan", "wilcoxon"
    ):
        text = sentence.normal
        yield from _family(sentence)
        strict = p_value(text) or re.search(r"\bstatistically significant", text, re.IGNORECASE)
        if strict is not None and CORRELATED.search(text):
            continue
        if strict is not None and not _told(text):
            claims.append((sentence, strict))
            yield from _also(document, sentence)
    for table in (
        document.tables
        if document.having(*TESTED) or any(SIGNIFICANCE.search(text) for each in document.tables for text in _titles(each))
        else ()
    ):
        yield from _stars(table)
    if len(claims) >= MANY_SENTENCES:
        sentence, match = claims[0]
        yield Hit("M701", *hit_span(sentence, match), f"{len(claims)} statements of significance")


def _family(sentence: Sentence) -> Iterator[Hit]:
    """Marks of significance, and several tests, in a sentence."""
    text = sentence.normal
    match = MARKED.search(text) if MARK_CUE.search(text) else None
    if match is not None and not _told(text):
        yield Hit("M701", *hit_span(sentence, match), match[0])
    if _is_family(sentence):
        for match in (MANY.search(text), _several(text)):
            if match is not None:
                yield Hit("M701", *hit_span(sentence, match), match[0].replace("·", "."))


# Systems one after the other that something is better than; marks with a meaning each; p-values one after the other.
NAME = r"(?-i:[A-Z0-9][\w@+.·-]*(?: ?\([^()]{1,12}\))?)"
ENUMERATED = re.compile(
    rf"\b(?:to|than|over|against|from|between|outperform\w*|beat\w*|with|vs·)\b (?:both )?(?:the (?:baselines|systems|runs|models) )?{NAME}(?:, {NAME})+,? (?:and|or|&) {NAME}|\bbetween {NAME} and {NAME}(?:,| and)(?: and)?(?: between)? {NAME} and {NAME}"
    rf"|\b(?:for|in|on|of|by) (?:{MEASURE.pattern})(?:, (?:{MEASURE.pattern}))+,? (?:and|or|&) (?:{MEASURE.pattern})"
    rf"|\bboth {NAME}(?: {NAME})* and {NAME}(?: {NAME})* (?:\w+ly )?(?:show|achiev|yield|are|were|outperform|improv|obtain|beat|exceed|bring|give)",
    re.IGNORECASE,
)
MARKS = re.compile(
    r"(?:[†‡§¶∗⋆△▲*]|\^?\b[a-d](?=\s?[:=]))\s?[:=]?\s?[^†‡§¶∗⋆△▲*.;]{0,60}\b(?:baseline|better|than|over|BM25|significan\w*)\b[^†‡§¶∗⋆△▲*.;]{0,40}[†‡§¶△▲]"
)
LISTED_P = re.compile(r"\bp-?values?\b[^.;]{0,80}\b(?:are|were|of|:)\s?0?·\d+(?:,? (?:and )?0?·\d+){2,}", re.IGNORECASE)
EXACT = re.compile(r"\bp(?:[- ]values?)?\s?[:=<]?\s?0?·\d+", re.IGNORECASE)
THREE = 3  # p-values in a sentence


def _several(text: str) -> re.Match[str] | None:
    """Return the words by which a sentence lists several comparisons."""
    text = flat(text)
    listed = (
        LISTED_P.search(text)
        or (ENUMERATED.search(text) if re.search(r"\bsignifican|\bdiffer", text, re.IGNORECASE) else None)
        or MARKS.search(text)
    )
    if listed is not None:
        return listed
    values = list(EXACT.finditer(text))
    if len(values) >= THREE and len({match[0] for match in values}) > 1 and not STARS.search(text):
        return values[0]
    return None


STARS = re.compile(r"[*∗⋆†‡]")  # levels of one mark
CORRELATED = re.compile(r"\b(?:correlat\w+|Kendall\w*|Spearman\w*|Pearson\w*)\b|[τρ]\s?=|\b(?:tau|rho)\s?=", re.IGNORECASE)
ALSO = re.compile(
    r"\b(?:this|the same|it|which) (?:is (?:valid|true|the case)|holds(?: true)?|applies)\b[^.;]{0,20}\b(?:for|in|on|to|across) (?:both|all|each|every|the other|any)\b",
    re.IGNORECASE,
)


def _also(document: Document, sentence: Sentence) -> Iterator[Hit]:
    """A sentence after a claim of significance that extends it to other systems."""
    place = document.number(sentence)
    for other in document.sentences[place + 1 : place + 2]:
        match = ALSO.search(other.normal)
        if match is not None and not _told(other.normal):
            yield Hit("M701", *hit_span(other, match), match[0])


def _told(text: str) -> bool:
    return (
        re.search(
            r"\b(?:should|must not|mistake|misleading|criticis|criticiz|warn|argue|would|only one|a single|one planned|one (?:pre-?planned )?(?:comparison|test|hypothesis))\b",
            text,
            re.IGNORECASE,
        )
        is not None
    )


def _is_family(sentence: Sentence) -> bool:
    """Return whether the sentence says that many tests were made."""
    text = sentence.normal
    tested = re.search(
        r"\b(?:t-tests?|Wilcoxon|randomi[sz]ation tests?|permutation tests?|sign(?:ed)?[- ](?:ranks? )?tests?|Mann[-–]Whitney|McNemar\S*|bootstrap tests?|significance (?:tests?|testing)|statistical(?:ly)? (?:tests?|significan\w+)|p-?values?|significant(?:ly)?\b[^.;]{0,25}\b(?:at|with) (?:the |a )?(?:\d|0?\.0|p\b|level|α)|significance was tested)",
        text,
        re.IGNORECASE,
    ) or p_value(text)
    if (
        tested is None
        or of_others(text, tested)
        or CORRELATED.search(text)
        or _told(text)
        or re.search(r"\b(?:equivalence|topics? (?:is|are) tested)\b", text)
    ):
        return False
    begin, stop = clause(text, *tested.span())
    if re.search(r"\btoo (?:small|few|little)\b|\binsufficient\b|\bnot enough\b", text[begin : tested.start()], re.IGNORECASE):
        return False
    return not (denied(text, begin, tested.start()) or AFTER.search(text, tested.end(), stop))


def _titles(table: DocumentTable) -> list[str]:
    return [table.caption, *(cell.text for cell in table.header if P_COLUMN.fullmatch(cell.text) and "s" in cell.text)]


P_COLUMN = re.compile(r"(?:p(?:_\d)?|[pP][- ]?[vV]alues?|p-?val\.?)(?: \(?(?:vs\.?|against|to|over) .{1,20})?")  # P is precision
TESTED = (
    "significan",
    "p <",
    "p<",
    "p-value",
    "p value",
    "t-test",
    "wilcoxon",
    "tukey",
    "anova",
    "permutation test",
    "bootstrap test",
    "randomisation test",
    "randomization test",
)
SIGNIFICANCE = re.compile(r"significan|^p vs\b|\bp\s?[<≤=]|p-?values?|t-tests?|wilcoxon|tukey", re.IGNORECASE)
STARRED = re.compile(r"\.\d+\s?%?\s?\)?\s?\^?\s?[({]?\s?(?:\*{1,3}|∗|⋆|†|‡|△|▲|(?<=\^)\s?[a-z]{1,4}\b)")


def _stars(table: DocumentTable) -> Iterator[Hit]:
    starred = [cell for row in table.rows[table.head :] for cell in row[1:] if STARRED.search(cell.text)]
    if starred and not re.search(
        r"\b(?:best|bold|reimplement\w*|taken from|as reported|copied|our own runs?|previously published|unjudged|not (?:statistical(?:ly)? )?significan\w+|effect[- ]size mark\w+)\b",
        table.caption,
        re.IGNORECASE,
    ):
        cell = starred[0]
        yield Hit("M701", cell.start, cell.start + len(cell.text), f"{len(starred)} marked cells" if starred[1:] else cell.text)
        return
    names = [cell for cell in table.header if P_COLUMN.fullmatch(cell.text)]
    if names and len(table.rows) - table.head > 1:
        yield Hit("M701", names[0].start, names[0].start + len(names[0].text), f"{len(table.rows) - table.head} p-values")


AGAIN = re.compile(
    r"\b(?:re-?us(?:e|es|ed|ing)|once again (?:use|evaluate)|again (?:use|used|evaluate\w*|test\w*)|(?:use|used|using|evaluat\w+ on|test\w* on) (?:again )?(?:the |exactly the )?same|continue to use|use\w* (?:before|previously|in (?:our|all|many|dozens of|countless) (?:\w+ )?(?:papers|studies|work|experiments|publications)))\b"
    r"[^.;]{0,60}\b(?:collections?|topics|test sets?|benchmarks?|queries|qrels|judge?ments|Robust ?04|TREC-?\d*|MS ?MARCO|BEIR)\b"
    r"|\b(?:collections?|topics|test sets?|benchmarks?|queries|Robust ?04|TREC-?\d*|MS ?MARCO|BEIR)\b[^.;]{0,60}\b(?:(?:has|have) (?:already )?been (?:re-?)?used|(?:was|were|is|are) (?:already |also )?(?:re-?used|used (?:again|before|previously|for years|in (?:our|all|many|dozens|countless|previous|earlier))))\b",
    re.IGNORECASE,
)
TOPICS = r"(?:collections?|topics|test sets?|benchmarks?|queries|qrels|judge?ments|questions|Robust ?0\d|TREC-?\w*|MS ?MARCO|BEIR|Cranfield|CLEF|GOV2|ClueWeb\w*)"
PAPERS = (
    r"(?:papers?|stud(?:y|ies)|work|experiments?|publications?|reports?|articles?|thesis|chapters?|submissions?|participations?)"
)
SINCE = re.compile(  # who tested there before, and where
    rf"\b(?:as|like) (?:in|with|we did in|we did for) (?:all |many )?(?:our|my|the|its) (?:\w+ )?(?:previous|earlier|former|prior|last|past|preceding) (?:[\w-]+ )?{PAPERS}\b[^.;]{{0,50}}\b(?:use|test|evaluate|employ|take)\w*\b[^.;]{{0,40}}\b{TOPICS}\b"
    rf"|\b(?:use|us(?:ed|ing)|employ\w*|keep\w* (?:on )?using|stick to|test\w* on|evaluat\w+ on)\b[^.;]{{0,40}}\b{TOPICS}\b[^.;]{{0,20}}\bas (?:(?:we did|we have done) in\b|(?:before |already )?in (?:(?:all |our |my )+(?:previous|earlier|former|prior)|\[\d))"
    rf"|\b(?:second|third|fourth|fifth|sixth|\d+th|yet another|another|one more) (?:time|{PAPERS})\b[^.;]{{0,40}}\b(?:same|these|this) (?:\d+ )?{TOPICS}\b"
    rf"|\b{TOPICS}\b[^.;]{{0,30}}\b(?:on|for|in) which (?:hundreds|dozens|many|countless|numerous|several) (?:of )?(?:papers|studies|groups|systems|researchers)\b[^.;]{{0,30}}\btest"
    rf"|\b(?:like|as) (?:many|hundreds of|countless|most|other|several) (?:\w+ )?(?:groups|papers|researchers|authors|others|studies)(?: before us| did| have done)?\b[^.;]{{0,20}}\b(?:we )?(?:test|evaluat)\w*\b[^.;]{{0,20}}\b{TOPICS}\b"
    rf"|\btests? (?:was|were|have been) (?:\w+ )?(?:repeated|run again|made again)\b[^.;]{{0,40}}\b(?:same|these) {TOPICS}\b[^.;]{{0,70}}\buntil\b"
    rf"|\b(?:last year|in 20\d\d|previously|earlier|before)\b[^.]{{0,60}}\btested\b[^.]{{0,40}}\bon (?:these|the same|those) {TOPICS}\b[^.]{{0,90}}\b(?:same {TOPICS}|again|this year|now)\b"
    rf"|\b{TOPICS}\b[^.;]{{0,40}}\b(?:was|were|have been|has been) (?:already |previously )?used (?:already )?(?:for|in)\b[^.;]{{0,40}}\b(?:our|my) (?:earlier|previous|former|prior|own)\b"
    rf"|\b{TOPICS}\b (?:are|is) (?:the same as |those of |that of )(?:in |the one in |those of )?(?:our|my) (?:\w+ )?{PAPERS}\b"
    rf"|\b{TOPICS}\b[^.;]{{0,20}}\b(?:that|which) (?:have )?already (?:served|been used|used)\b[^.;]{{0,20}}\bfor (?:the )?(?:\w+ )?tests?\b|\b{TOPICS}\b[^.;]{{0,20}}\b(?:is|are|was|were) (?:recycled|re-?cycled)\b",
    re.IGNORECASE,
)
ONCE_MORE = re.compile(
    r"\b(?:again|once more|same|identical|re-?us\w*|repeat\w*|every year|everybody|everyone|like in|(?:had|have|has) been used)\b",
    re.IGNORECASE,
)
PAST = re.compile(  # of the authors, or told in years
    rf"\b(?:our|my) (?:(?!experiments?\b|work\b)\w+ ){{0,2}}(?:{PAPERS})\b(?<!our experiments)(?<!our work)|\b(?:last|past|first) (?:\w+ )?(?:years?|submission|rounds?)\b|\bin (?:\w+ )?{PAPERS} before\b|\bsince (?:19|20)\d\d\b"
    r"|\bevery year\b|\bChapter \d|\bfor \d+ years\b|\b(?:have|has|had) been used by (?:everybody|everyone|all)",
    re.IGNORECASE,
)
TOLD_TEST = re.compile(
    r"\b(?:correct\w*|Holm|Bonferroni|counted|differ(?:s|ent)?|instead|metrics|measures|code|hyper-?parameters|in this paper|participants|new (?:topics|collection|queries))\b",
    re.IGNORECASE,
)


def _once_more(text: str) -> re.Match[str] | None:
    """Return the topics that a sentence says are used again, after a paper or in a year that it names."""
    topics = re.search(rf"\b(?:{TOPICS}|evaluation data|test set)\b", text, re.IGNORECASE)
    return (
        topics
        if topics is not None
        and ONCE_MORE.search(text)
        and PAST.search(text)
        and not TOLD_TEST.search(text)
        and TESTED_ON.search(text)
        else None
    )


TESTED_ON = re.compile(r"\b(?:significan\w*|t-?tests?|tests?|p\s?[<=]|use[sd]?|serv\w+|take|takes|taken)\b", re.IGNORECASE)
SIGNIFICANT = re.compile(
    r"\bstatistical\w* significan|\bsignifican(?:t|tly|ce)\b(?! (?:more |less )?(?:fast|slow|speed|reduc|memory|time|cost|effort|number|amount|amounts))|\bt-?tests?\b",
    re.IGNORECASE,
)
SERVED = re.compile(
    r"\b(?:sessions?|modules?|suggest\w*|caches?|cached|ind(?:ex|ices)|prompts?|autocomplet\w*|hyper-?parameters|without (?:any |a )?(?:tests?|significance))\b",
    re.IGNORECASE,
)
EARLIER = re.compile(  # tests of the authors themselves, or of everybody
    r"\b(?:as (?:before|(?:in )?our)|again|before|last year|(?:our|my|we)\b[^.;]{0,30}\b(?:previous\w*|earlier|prior))\b",
    re.IGNORECASE,
)
COUNTED = re.compile(
    r"\b(?:earlier|prior|previous|published|preceding|all|past|these) (?:\w+ ){0,3}tests?\b|\bsequential\w*|\btests? (?:made|published|reported) (?:earlier|before|so far|previously)|\bcorrect\w*[^.;]{0,40}\b(?:re-?use|earlier|previous|prior)\b",
    re.IGNORECASE,
)


def _reuse(document: Document) -> Iterator[Hit]:
    for sentence in document.having(
        "reus",
        "re-us",
        "again",
        "same",
        "continue",
        "use",
        "using",
        "test",
        "recycl",
        "those of",
        "served",
        "evaluat",
        "identical",
        "every",
    ):
        text = flat(sentence.normal)
        match = AGAIN.search(text)
        if match is not None and ("same" in match[0].lower() and not EARLIER.search(text)):
            match = None
        match = match or SINCE.search(text) or _once_more(text)
        if match is None or excused(text, *match.span()) or SERVED.search(text):
            continue
        claimed = any(
            (p_value(other.normal) or SIGNIFICANT.search(other.normal)) and not _told(other.normal)
            for other in document.having("signific", "p <", "p<", "p =", "p=", "t-test")
        )
        counted = affirmed(document, COUNTED, ("test", "sequential", "correct"))
        if claimed and not counted:
            yield Hit("M702", *hit_span(sentence, match), match[0].replace("·", "."))
            return
