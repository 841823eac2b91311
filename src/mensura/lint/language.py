"""Words that rules share: measures, negations, and talk about mistakes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mensura.lint.readers.document import Document, Sentence

# Measures of effectiveness, as prose and tables name them.
MEASURE = re.compile(
    r"\b(?:MAP|MRR|ERR|AP|GMAP|RR|[nN]?DCG|NDCG|RBP|bpref|infAP|Rprec|R-prec(?:ision)?|P|R|F1|Recall|Precision|Success|S|Hits?|HR|Acc|[Mm]rr|Ndcg|[Mm]ap|hit|hr|p|r)@\s?\d+"
    r"|\b(?:(?:(?:train|dev|val|test)(?:All)?)?(?:MAP|MRR|[nN]DCG)\d{0,4}|ERR|GMAP|RBP|bpref|infAP|R-?prec|Bpref|F1|[Hh]it[ -]?[Rr]ates?|(?:AP|RR) scores?)\b"
    r"|\b[Mm]ean (?:[Aa]verage [Pp]recision|[Rr]eciprocal [Rr]ank)\b|\b[Ee]xpected [Rr]eciprocal [Rr]ank\b"
    r"|\b(?:[Aa]verage |[Ii]nterpolated )?[Pp]recision\b|\b[Rr]ecall\b|\b[Ee]ffectiveness\b"
    r"|\b(?:map|ndcg\d{0,4}|mrr\d{1,4}|recip_rank|ndcg_cut_\d+|P_\d+|recall_\d+)\b"
)
CLASSIFIES = re.compile(r"classif|\baccurac(?:y|ies)\b|\bmacro[-_ ]?f1|confusion matri|\bsentiment\b", re.IGNORECASE)
RETRIEVES = re.compile(
    r"retriev|\brank(?:ing|ings|ed|er|ers)?\b|\bsearch(?:es|ing)?\b|\bqueries\b|\btopics\b|\brelevance\b|recommend|\bTREC\b|\bn?DCG\b|\bMAP\b|\bMRR\b|\bP@\d|\bprecision ?@|\bBM25\b|qrels",
    re.IGNORECASE,
)
# Words that deny all that follows in their clause, and words that deny only the next few: without stemming, something else may hold.
DENIES = re.compile(r"\b(?:not(?! (?:only|just|merely))|never|neither|nor|none|cannot|hardly)\b|n't\b", re.IGNORECASE)
NEAR = re.compile(
    r"\b(?:no|without|rather than|instead of|in place of|avoid(?:s|ed|ing)?|refrain(?:s|ed|ing)? from|omit(?:s|ted|ting)?|abandon(?:s|ed|ing)?|replac(?:e|es|ed|ing)|unlike"
    r"|stop(?:s|ped)? (?:using|reporting|computing)|forgo|forgoes|forwent|skip(?:s|ped)?|leav(?:e|es|ing) out|left out|decline to (?:give|report))\s+(?:[\w'’-]+,?\s+){0,3}$",
    re.IGNORECASE,
)
MENTION = re.compile(
    r"\b(?:should (?:not|never|be avoided|be replaced|be dropped)|must not|shall not|ought not|mistakes?|misleading|inappropriate"
    r"|criticis\w+|criticiz\w+|critique[sd]?|flaw(?:s|ed)?|discourag\w+|warn(?:s|ed|ing)? (?:against|that|about)|argue[sd]? (?:against|that)"
    r"|fallac\w+|pitfalls?|bad practice|meaningless|problematic|invalid|unsound|is not (?:a proof|an interval|appropriate|permissible|meaningful)"
    r"|are not (?:appropriate|permissible|meaningful)|ordinal|debate[sd]?|controvers\w+|would (?:be|have been)|do not constitute|Fuhr"
    r"|claims? (?:that|like|such as)|(?:many|some|most|other|sometimes) (?:authors|papers|researchers|articles)|authors (?:often|frequently|sometimes|who)|phrases?|reviewers?|frowned upon|asks? authors|what if|(?:argu|advis|decid|warn)\w* against|caution(?:s|ed)?|object(?:s|ed) to|abuse|misuse[sd]?)\b",
    re.IGNORECASE,
)
OTHERS = re.compile(  # results of somebody else
    r"\b(?:et al\.?,?|(?<!the )authors|(?:[Tt]heir|[Oo]riginal|[A-Z]{2}\w+) paper)(?: ?[\[(][^\])]{1,30}[\])])?,? (?:\w+ly )?(?:show|report|find|claim|conclude|state|note|observe|achieve|obtain|test|use|appl(?:y|ie)|perform|conduct|compare)(?:ed|s|d)?\b|\bet al\.?,?(?: ?[\[(][^\])]{1,30}[\])])? found\b|\b(?:showed|reported|found|claimed) by\b"
)
IN_A_PAPER = re.compile(
    r"^\s*In (?:the|an?) (?:\w+ )?(?:study|paper|work|experiment|article) (?:by|of) [A-Z]|^\s*(?:In|By|According to) (?:\w+ ){0,2}[\[(][^\])]{1,30}[\])]|\bhad been (?:\w+ )?significant|^\s*[A-Z][a-z]+ (?:compared|tested|reported|found|showed)\b[^;]{0,60} in (?=(?:19|20)\d\d)|^\s*(?:\[\d+\]|In [A-Z]\w+ et al)"
)


def of_others(text: str, match: re.Match[str]) -> bool:
    """Return whether a p-value is that of an earlier paper."""
    other = OTHERS.search(text, 0, match.start()) or IN_A_PAPER.search(text)
    return (
        other is not None
        and re.search(r"\b(?:we|our|ours|us)\b", text[min(other.end(), match.start()) : match.start()], re.IGNORECASE) is None
    )


CLAUSE = re.compile(
    r"[;:—]| – |\(|\)|,(?= (?:but|while|whereas|so|yet|which|since|because|although|though|we|our|the|this|these|it|they|and (?:we|our|the|it|so|this)"
    r"|with|where|after|however|then|hence|thus)\b)|\b(?:but|whereas|although|though|because|however)\b"
)


P_VALUE = re.compile(
    r"(?<![\w@])(?:p|P(?=[- ]?val|\s?<|\s=\s?0?\.0\d))(?:[- ]?values?\s?(?::|as|at|to be|equals?(?: to)?)?|(?:[- ]?values?)?\s?(?:[<=≤>≪]|of|below|under|(?:less|smaller|lower) than|is|was))\s?(?P<value>10\s?\^?\s?[-−]|1e|0?\.\d+|\d\.\d+\s?(?:×|e))"
)
LIKELY = 0.5  # RBP's p is higher, p-values worth a sentence are lower
SAMPLING = re.compile(
    r"\b(?:top-?[pk]|nucleus|dropout|bernoulli|binomial|persistence|patience|probabilit\w+|minkowski|norm|sampling|parameters?)\b",
    re.IGNORECASE,
)


SETTING = re.compile(
    r"\b(?:dropout|nucleus|top-?p|persistence|patience|bernoulli|minkowski|norm|probabilit\w+|mutation|crossover|masking|restart|damping|teleport\w*|parameter p)\b(?:(?!\b(?:signific\w*|tests?)\b)[^.;()]){0,30}$",
    re.IGNORECASE,
)
LIKELIHOOD = re.compile(r"\)? (?:is|was|denotes|as) the (?:probability|chance|persistence|parameter)")


def p_value(text: str) -> re.Match[str] | None:
    """Return the first p-value; the persistence of RBP, which is also called p, does not count."""
    for match in P_VALUE.finditer(text):
        number = match["value"]
        if re.search(r"RBP\W{0,3}(?:with |of |at |for )?\W{0,3}$", text[: match.start()]):
            continue
        before = text[max(0, match.start() - 40) : match.start()]
        if "=" in match[0] and (SETTING.search(before) or LIKELIHOOD.match(text, match.end())):
            continue
        value = float(number) if re.fullmatch(r"0?\.\d+", number) else 0.0
        named = re.search(r"val", match[0], re.IGNORECASE) is not None
        if (
            value >= LIKELY
            and not named
            and ("RBP" in text or SAMPLING.search(text) or not re.search(r"signific|test", text, re.IGNORECASE))
        ):
            continue
        if not named and re.fullmatch(r"0?\.0", number) and re.match(r"(?!\d)", text[match.end() :]):
            continue  # rounded away, or a setting
        return match
    return None


STOPS = re.compile(
    r"(?<=\d)\.(?=\d)|\b(?:vs|w\.r\.t|r\.t|e\.g|i\.e|cf|resp|approx|incl|al)\.(?!$)|(?<=\bw)\.(?=r\.)|(?<=[ei])\.(?=[ge]\.)",
    re.IGNORECASE,
)


def flat(text: str) -> str:
    """Return a sentence, as long as it is, without the full stops of numbers and abbreviations, at which patterns would end."""
    return STOPS.sub(lambda match: match[0].replace(".", "·"), text)


def clause(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the clause around a stretch of a sentence."""
    begin, stop = 0, len(text)
    for match in CLAUSE.finditer(text):
        if match.end() <= start:
            begin = match.end()
        elif match.start() >= end:
            stop = match.start()
            break
    return begin, stop


AFTER = re.compile(
    r"\b(?:(?:is|are|was|were|will be|be|been|being) (?:\w+ly )?(?:not|never|avoided|omitted|dropped|replaced|left out|abandoned|given up|withheld)"
    r"|(?:do|does|did|has|have|had|can|could) not|cannot|nowhere|never)\b",
    re.IGNORECASE,
)


def denied(text: str, begin: int, start: int) -> bool:
    """Return whether the clause denies the words at ``start``."""
    return DENIES.search(text, begin, start) is not None or NEAR.search(text[max(begin, start - 60) : start]) is not None


def excused(text: str, start: int, end: int) -> bool:
    """Return whether the words are denied in their clause, discussed as a mistake in their sentence, or those of others."""
    begin, stop = clause(text, start, end)
    if denied(text, begin, start) or AFTER.search(text, end, stop):
        return True
    if text[max(begin - 1, 0) : begin] == "(":  # a bracket's content may be denied before it
        outer, _ = clause(text, begin - 1, begin)
        if denied(text, outer, begin - 1):
            return True
    if OTHERS.search(text, 0, start):
        return True
    return MENTION.search(text) is not None


def affirmed(document: Document, pattern: re.Pattern[str], cues: Iterable[str]) -> bool:
    """Return whether the document says this somewhere, in prose or in a caption, without denying it."""
    for sentence in document.having(*cues):
        for match in pattern.finditer(sentence.normal):
            begin, stop = clause(sentence.normal, *match.span())
            refused = denied(sentence.normal, begin, match.start()) or AFTER.search(sentence.normal, match.end(), stop)
            if not refused and not AFTER.search(match[0]):
                return True
    return any(pattern.search(cell.text) for table in document.tables for cell in table.header)


def classifies(document: Document) -> bool:
    """Return whether a text is about classes and never about retrieval."""
    return CLASSIFIES.search(document.text) is not None and RETRIEVES.search(document.text) is None


def hit_span(sentence: Sentence, match: re.Match[str], group: int | str = 0) -> tuple[int, int]:
    """Return the span in the file of a match in the normal text of a sentence."""
    return sentence.span(*match.span(group))
