"""P4: scales that tests and means assume, and measures that have others. Found in plans and comparisons; M104 and M107 in texts too."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mensura.lint.language import denied, excused, flat, hit_span
from mensura.lint.rule import FERRANTE, MOFFAT, SAKAI, Hit, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document

PLAN = (
    'goal = "compare"\nsystems = ["a", "b"]\nprimary = "RBP(p=0.8)@10"\nhypotheses = ["a is better than b"]\ntest = "t"\n'
    'correction = "holm"\nalpha = 0.05\nsmallest_effect = 0.02\nfolds = 5\nseed = 1\nscale = "interval"\n'
)

ORDINAL_TEST = Rule(
    code="M103",
    name="interval-test-on-ordinal-scale",
    severity="warning",
    strict="error",
    consequence="the test assumes an interval scale, and the measure has none: on its interval scale other pairs may differ",
    demand="tests of differences need an interval scale: compare on it (--scale interval), or use a test for ordinal values",
    reason=(
        "Student's t, the signed rank test and analyses of variance add and subtract values, which an ordinal scale does not permit. On the "
        "interval scale decisions change: 25 ± 11 % of the significant ones, on average over the 156 cells of P4's tables 5 and 6 that can "
        "change at all; 15 % over all 264 cells (P4 §VIII-C). R, AP and nDCG have another scale for each recall base, and no common "
        "one (P4 §VI-C): their interval scale ranks numerators, a surrogate."
    ),
    references=(FERRANTE, SAKAI, MOFFAT),
    wrong=PLAN.replace("interval", "original"),
    right=PLAN,
    fix="mensura compare --scale interval, or --scale both to see what changes; or --test sign.",
    debate=(
        "Ferrante, Ferro and Fuhr demand it from measurement theory. Sakai and Moffat answer that tests are about numbers, whatever they stand "
        "for, and that t-tests hold up well in practice."
    ),
    ending=".toml",
)
LENGTHS = Rule(
    code="M104",
    name="lists-of-different-length",
    severity="warning",
    strict="error",
    consequence="the measure has another scale for each length of list: values of lists of different length cannot be compared",
    demand="a measure that is divided by the length of the list needs a cut-off",
    reason=(
        "Precision without a cut-off divides by the length of the list: 3 relevant documents of 6 are .5, 3 of 1000 are .003. Values of lists of "
        "different length are k/6 and k/1000, which are not equally spaced together: P is an interval scale for lists of one length, and not "
        "even for lengths up to 3 (P4 §IV-D). A mean over topics, or a test, mixes these scales (P4 §IV-C, §VI-B). F and Success without a "
        "cut-off ask about the whole list too. Of texts, those are found that say both: lists of different length, and their precision."
    ),
    references=(FERRANTE,),
    wrong=PLAN.replace("RBP(p=0.8)@10", "P"),
    right=PLAN.replace("RBP(p=0.8)@10", "P@10"),
    fix="Name a cut-off that all lists reach: P@10 instead of P. A shorter list is then padded with documents that are not relevant.",
    ending=".toml",
)
RECALL_BASE = Rule(
    code="M105",
    name="recall-base-averaged",
    severity="note",
    strict="error",
    consequence="the measure depends on the recall base: its steps have another size on every topic, and a mean mixes them",
    demand="do not average measures that depend on the recall base over topics with different recall bases",
    reason=(
        "Recall, AP and nDCG are divided by something of the recall base. Within a topic that changes nothing; over topics it does: with 1, 2 and "
        "3 relevant documents recall has the values 0, 1, then 0, ½, 1, then 0, ⅓, ⅔, 1, and together they are not equally spaced (P4 "
        "§IV-C, Example 11). No scale is common to them. The ranks of the numerator are a surrogate, which shows tendencies (P4 §VI-C). "
        "Plans are looked through for it, texts are not: nearly every paper averages such a measure."
    ),
    references=(FERRANTE,),
    wrong=PLAN.replace("RBP(p=0.8)@10", "R@10"),
    right=PLAN,
    fix="Use a measure without recall base (P@k, RBP, DCG@k), or say that the common scale is a surrogate.",
    debate="Topics with few relevant documents are harder; dividing by the recall base makes their values comparable for a user who wants all of them.",
    ending=".toml",
)
NORMALISED = Rule(
    code="M106",
    name="ndcg-where-dcg-would-do",
    severity="note",
    strict="error",
    consequence="nDCG is DCG divided by an ideal that changes with the recall base; DCG orders systems nearly alike, on one scale",
    demand="use DCG: it has one scale for all topics, and nDCG has not",
    reason=(
        "nDCG and DCG have the same ranked version. On TREC collections the correlation between them is underestimated by 1 to 4 %, so they are "
        "practically equivalent, and DCG avoids the bias of the recall base (P4 §VIII-B, §VIII-C). Plans are looked through for it, texts are not."
    ),
    references=(FERRANTE,),
    wrong=PLAN.replace("RBP(p=0.8)@10", "nDCG@10"),
    right=PLAN.replace("RBP(p=0.8)@10", "DCG@10"),
    fix="Name DCG@k; report nDCG@k beside it if readers expect it.",
    debate="nDCG is between 0 and 1 whatever the grades, and gives topics with few relevant documents the weight of the others.",
    ending=".toml",
)
UNSTATED = Rule(
    code="M107",
    name="scale-departure-not-stated",
    severity="note",
    strict="error",
    consequence="a test that assumes an interval scale, with a measure that has none, and no word about it: readers cannot weigh the result",
    demand="say that the test assumes an interval scale which the measure does not have, or test on the interval scale",
    reason=(
        "To depart from what a test assumes may be defensible, but the limits of the conclusion must be stated (P4 §I, §IX). On TREC-8, 4582 pairs "
        "of systems differ by RR@30 in a t-test, and on its interval scale 903 of these no longer do."
    ),
    references=(FERRANTE, SAKAI, MOFFAT),
    wrong="The new run is better than the baseline by nDCG@10 (paired t-test, p = 0.013, d = 0.4).",
    right="The new run is better than the baseline by nDCG@10 (paired t-test, p = 0.013, d = 0.4), although nDCG is not an interval scale.",
    fix="State the departure in a sentence, or use mensura compare --scale interval, or a test for ordinal values (--test sign).",
    debate="Sakai and Moffat hold that t-tests need no interval scale, and hold up well in practice.",
)
RULES = (ORDINAL_TEST, LENGTHS, RECALL_BASE, NORMALISED, UNSTATED)

TEST = re.compile(
    r"\b(?:t-? ?tests?|Student['’]?s t|ANOVA|analys[ie]s of variance|Tukey(?:['’]s)?|HSD|(?:Wilcoxon )?signed[- ]ranks?)\b",
    re.IGNORECASE,
)
CUES = ("test", "student", "anova", "variance", "tukey", "hsd", "signed")
ORDINAL = re.compile(
    r"\b(?:[nN]?DCG|(?:GM)?MAP|MRR|ERR|RBP|[Aa]verage [Pp]recision|[Rr]eciprocal [Rr]anks?|[Cc]umulat(?:ed|ive) [Gg]ain|(?:ndcg|mrr|map)(?=@|_cut|_at|\d))\b|\bndcg\b"
)
STATED = re.compile(
    r"\b(?:interval|ordinal|ratio|measurement)[- ]?scale[sd]?\b|\bscale (?:types?|assumptions?|propert\w+)\b", re.IGNORECASE
)


MADE = re.compile(
    r"\b(?:significan\w+|we|our|us|p\s?[<=≤]|p-?values?|perform\w*|appl(?:y|ied)|conduct\w*|report\w*|used|using|reveal\w*|show\w*|indicat\w*|denot\w*)(?!\w)",
    re.IGNORECASE,
)


VARYING = r"(?:different|differing|unequal|varying|variable|various|uneven|not the same)"
UNEQUAL = re.compile(
    rf"\b(?:result |ranked |retrieved )?(?:lists?|rankings?|runs?|result sets?|results)\b[^.;]{{0,25}}\b(?:of|with|have|has|having|in|are of) {VARYING} (?:lengths?|sizes?|depths?)\b|\b(?:result|ranked|ranking|list|run) (?:list )?(?:lengths?|depths?) (?:differ|var)\w*"
    rf"|\b(?:retriev|return)\w*\b[^.;]{{0,20}}\b(?:a )?{VARYING} numbers? of (?:documents|results|items|passages)\b"
    r"|\bsome (?:systems?|runs?|engines?|methods?)\b[^.;]{0,20}\b(?:retriev|return)\w*\b[^.;]{0,15}\d+[^.;]{0,25}\b(?:others?|the rest)\b[^.;]{0,20}\d+",
    re.IGNORECASE,
)
WHOLE_LIST = re.compile(r"(?<!average )\bprecision\b(?! ?@| at\b| ?\d|[- ]recall)(?! \(?P@)|\bset-based F1?\b", re.IGNORECASE)
EVENED = re.compile(
    r"\b(?:pad\w*|truncat\w*|cut[- ]?off|rank \d+|top[- ]?\d+|first \d+|P@\d+|@\d+|documents? lengths?|quer(?:y|ies) (?:of|lengths?))\b",
    re.IGNORECASE,
)
COMPARED = re.compile(
    r"\b(?:compar\w*|averag\w*|mean|test\w*|evaluat\w*|report\w*|comput\w*|measur\w*|rank(?:ed)? by|better|higher|lower)\b",
    re.IGNORECASE,
)


def _lengths(document: Document) -> Iterator[Hit]:
    """Precision of whole lists, which a text says are of different length."""
    for number, sentence in enumerate(document.sentences):
        if (
            "length" not in sentence.text
            and "number" not in sentence.text
            and "size" not in sentence.text
            and "others" not in sentence.text
        ):
            continue
        text = flat(sentence.normal)
        match = UNEQUAL.search(text)
        if match is None or excused(text, *match.span()) or EVENED.search(text):
            continue
        following = document.sentences[number + 1].normal if number + 1 < len(document.sentences) else ""
        for other in (text, following):
            named = WHOLE_LIST.search(other)
            if named is not None and COMPARED.search(other) and not EVENED.search(following) and not excused(other, *named.span()):
                yield Hit("M104", *hit_span(sentence, match), match[0].replace("·", "."))
                return


def check(document: Document) -> Iterator[Hit]:
    """Lists of different length, and tests that assume an interval scale."""
    yield from _lengths(document)
    yield from _departures(document)


def _departures(document: Document) -> Iterator[Hit]:
    """The first test that assumes an interval scale, in a text that names ordinal measures and never speaks of scales."""
    for sentence in document.having(*CUES):
        match = TEST.search(sentence.normal)
        if (
            match is not None
            and MADE.search(sentence.normal)
            and not denied(sentence.normal, 0, match.start())
            and not excused(sentence.normal, *match.span())
        ):
            if not STATED.search(document.text) and _is_ordinal(document):
                yield Hit("M107", *hit_span(sentence, match), match[0])
            return


def _is_ordinal(document: Document) -> bool:
    """Return whether a text, or the header of a table, names a measure that has no interval scale."""
    if ORDINAL.search(document.plain):
        return True
    return any(ORDINAL.search(cell.text) for table in document.tables for cell in table.header)
