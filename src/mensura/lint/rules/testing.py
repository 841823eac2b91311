"""P3 §2.7: many tests without a correction, and collections that were used before."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mensura.lint.language import AFTER, affirmed, classifies, clause, denied, excused, hit_span, p_value
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
MARK = r"(?:\*{1,3}|∗|⋆|†|‡|daggers?|asterisks?|stars?|superscripts?|bold(?:face)?|△|▲|↑|underlin\w+)"
MARK_CUE = re.compile(r"[*∗⋆†‡△▲↑]|[Dd]agger|[Aa]sterisk|[Ss]tar|[Ss]uperscript|[Bb]old|[Uu]nderlin|[Ss]ymbol")
MARKED = re.compile(
    rf"(?:{MARK}|\b[Ss]ymbols?)[^.;]{{0,60}}(?:indicat|denot|mark|mean|show|signif|stand|represent|highlight)\w*[^.;]{{0,80}}\b(?:significan\w+|p\s?[<=≤]|t-test)"
    rf"|\bsignifican\w+[^.;]{{0,80}}\b(?:indicat|denot|mark|shown|highlight|flagg)\w*[^.;]{{0,30}}(?:{MARK})"
    rf"|(?:{MARK})\s?[:=(]?\s?(?:p\s?[<=≤]\s?0?\.\d+|(?:statistically )?significan\w+)",
    re.IGNORECASE,
)
MANY = re.compile(
    r"\b(?:both|two) (?:of )?(?:the )?(?:\w+ ){0,2}(?:baselines|collections|data ?sets|measures|metrics|tracks|benchmarks|competitors)\b"
    r"|\b(?:all|each|every|any|other|the (?:three|four|five|six|seven|eight|nine|ten|\d+))\s(?:of\s)?(?:the\s)?(?:other\s)?(?:\w+\s){0,3}"
    r"(?:baselines?|systems?|runs?|methods?|models?|measures?|metrics?|collections?|data ?sets?|pairs?|variants?|approaches|competitors|comparisons?|contrasts?|deltas?|tracks?|rankers?|differences|configurations|benchmarks)\b"
    r"|\b(?:three|four|five|six|seven|eight|nine|ten|twelve|twenty|[3-9]|\d{2,3}) (?:\w+ ){0,2}(?:baselines|systems|runs|measures|metrics|collections|data ?sets|competitors|variants|contrasts)\b"
    r"|\bpair-?wise\b|(?<![\d.,])\b(?:[1-9]\d{1,2}|[3-9]|three|four|five|six|seven|eight|nine|ten|twelve|twenty|many|several|multiple|hundreds of) (?!(?:\w+ ){0,2}(?:controlled|counterfactual) )(?:\w+ ){0,3}(?:t-tests|tests|comparisons|hypotheses|pairs of (?:\w+ )?(?:systems|runs|methods|models|rankers)|(?:systems?|runs?|methods?|models?) pairs)\b|\b(?:against|over|to|than|with) all\b|\bbetween all\b",
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
        match = MARKED.search(text) if MARK_CUE.search(text) else None
        if match is not None and not _told(text):
            yield Hit("M701", *hit_span(sentence, match), match[0])
        many = MANY.search(text) if _is_family(sentence) else None
        if many is not None:
            yield Hit("M701", *hit_span(sentence, many), many[0])
        strict = p_value(text) or re.search(r"\bstatistically significant", text, re.IGNORECASE)
        if strict is not None and not _told(text):
            claims.append((sentence, strict))
    for table in (
        document.tables if document.having(*TESTED) or any(SIGNIFICANCE.search(each.caption) for each in document.tables) else ()
    ):
        yield from _stars(table)
    if len(claims) >= MANY_SENTENCES:
        sentence, match = claims[0]
        yield Hit("M701", *hit_span(sentence, match), f"{len(claims)} statements of significance")


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
        r"\b(?:t-tests?|Wilcoxon|randomi[sz]ation tests?|permutation tests?|sign tests?|significance (?:tests?|testing)|statistical(?:ly)? (?:tests?|significan\w+)|p-?values?)",
        text,
        re.IGNORECASE,
    ) or p_value(text)
    if tested is None or _told(text) or re.search(r"\b(?:equivalence|topics? (?:is|are) tested)\b", text):
        return False
    begin, stop = clause(text, *tested.span())
    if re.search(r"\btoo (?:small|few|little)\b|\binsufficient\b|\bnot enough\b", text[begin : tested.start()], re.IGNORECASE):
        return False
    return not (denied(text, begin, tested.start()) or AFTER.search(text, tested.end(), stop))


P_COLUMN = re.compile(r"p|[pP][- ]?[vV]alues?|p-?val\.?")  # P is precision
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
SIGNIFICANCE = re.compile(r"significan|\bp\s?[<≤=]|p-?values?|t-tests?|wilcoxon|tukey", re.IGNORECASE)
STARRED = re.compile(r"\.\d+\s?%?\s?\)?\s?\^?\s?[({]?\s?(?:\*{1,3}|∗|⋆|†|‡|△|▲|(?<=\^)\s?[a-z]{1,4}\b)")


def _stars(table: DocumentTable) -> Iterator[Hit]:
    starred = [cell for row in table.rows[table.head :] for cell in row[1:] if STARRED.search(cell.text)]
    if starred and not re.search(
        r"\b(?:best|bold|reimplement\w*|taken from|as reported|copied|our own runs?|previously published|unjudged)\b",
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
EARLIER = re.compile(r"\b(?:as (?:in|before|our)|previous\w*|earlier|again|before|prior|last year)\b", re.IGNORECASE)
COUNTED = re.compile(
    r"\b(?:earlier|prior|previous|published|preceding|all|past|these) (?:\w+ ){0,3}tests?\b|\bsequential\w*|\btests? (?:made|published|reported) (?:earlier|before|so far|previously)|\bcorrect\w*[^.;]{0,40}\b(?:re-?use|earlier|previous|prior)\b",
    re.IGNORECASE,
)


def _reuse(document: Document) -> Iterator[Hit]:
    for sentence in document.having("reus", "re-us", "again", "same", "continue", "used"):
        text = sentence.normal
        match = AGAIN.search(text)
        if match is None or excused(text, *match.span()):
            continue
        if "same" in match[0].lower() and not EARLIER.search(text):
            continue
        claimed = any(
            (p_value(other.normal) or re.search(r"\bsignifican\w+|\bt-tests?\b", other.normal, re.IGNORECASE))
            and not _told(other.normal)
            for other in document.having("signific", "p <", "p<", "p =", "p=", "t-test")
        )
        counted = affirmed(document, COUNTED, ("test", "sequential", "correct"))
        if claimed and not counted:
            yield Hit("M702", *hit_span(sentence, match), match[0])
            return
