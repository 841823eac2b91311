"""P3 §2.5: one split, and tuning on the test topics."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mensura.lint.language import MEASURE, affirmed, excused, hit_span
from mensura.lint.rule import FUHR, RAO, Hit, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document

ONE_SPLIT = Rule(
    code="M501",
    name="one-split",
    severity="warning",
    strict="error",
    consequence="results of one split depend on the split: another one may order the systems differently; cross-validate",
    demand="one split is not enough: cross-validate",
    reason=(
        "With one split into training and test topics, the split decides much of the result; halves of one collection have differed by a "
        "fifth, and significance came and went with the split (P3 §2.5, after Rao et al.)."
    ),
    references=(FUHR, RAO),
    wrong="We split the topics into a training set and a test set.",
    right="We use five-fold cross-validation over topics, repeated ten times.",
    fix="Cross-validate over topics (cross_validate), and report how much the folds differ.",
    debate="A fixed split keeps results of different groups comparable and test topics secret; that is why campaigns use it.",
)
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
RULES = (ONE_SPLIT, TUNED)

DATA = r"(?:topics?|queries|query set|data|data ?sets?|collections?|judge?ments?|qrels|questions|instances|samples|examples|corpus|requests|query log|benchmark)"
SPLIT = re.compile(
    rf"\b(?:split|divid\w+|partition\w*|separat\w+)\b[^.;]{{0,90}}\b(?:train\w*|tuning|development|dev)\b[^.;]{{0,50}}\b(?:test\w*|evaluation|held[- ]out|hold-?out)\b"
    rf"|\b(?:train\w*)[ /-]+(?:and |/ ?)?test(?:ing)? (?:split|partition)\b|\b(?:hold-?out|held[- ]out) (?:test )?(?:set|method|sample|topics|queries|data|evaluation)\b"
    rf"|\b\d{{2}}\s?%?\s?[/:–-]\s?\d{{1,2}}\s?%?(?:\s?[/:–-]\s?\d{{1,2}}\s?%?)? (?:train\w*|random|data|split)\b"
    rf"|\b(?:odd|first|even|half|\d+\s?%?)[^.;]{{0,40}}\b{DATA}\b[^.;]{{0,40}}\b(?:train\w*|tun\w+|learn\w+|fit\w*)\b[^.;]{{0,60}}\b(?:test\w*|evaluat\w+)\b"
    rf"|\b{DATA}\b[^.;]{{0,50}}\bfor (?:training|learning|tuning)\b[^.;]{{0,70}}\bfor (?:test\w*|evaluation)\b"
    rf"|\b(?:set|put) aside\b[^.;]{{0,60}}\b(?:test\w*|evaluation|held[- ]out)\b|\b(?:reserv|withh[eo]ld|keep|kept)\w*\b[^.;]{{0,60}}\b(?:for|as) (?:a |the )?(?:final )?(?:test\w*|evaluation)\b"
    rf"|\b\d+ (?:development|dev|training|train|tuning) (?:queries|topics|questions)\b[^.;]{{0,80}}\b\d+ (?:\w+ ){{0,2}}(?:held[- ]out|test|remaining)\b"
    rf"|\bremaining (?:\w+ ){{0,3}}(?:{DATA} )?(?:\w+ ){{0,2}}for (?:test\w*|evaluation)\b"
    rf"|\btrain\w* on[^.;]{{1,40}}\b(?:half|first|odd|even|\d+\s?%|\d+ (?:of|topics|queries))[^.;]{{0,40}}\b(?:test|evaluat)\w*",
    re.IGNORECASE,
)
REPEATED = re.compile(
    r"\bcross[- ]?valid\w+|\bfolds\b|\b(?:each|every) (?:fold|partition|split)\b|\b(?!two-fold\b|twofold\b)(?:[kKnN]|\d+|three|four|five|six|ten)-fold\b|\btwo-fold cross|\bleave[- ]one[- ]\w+|\b(?:random|different|repeated|several|many|multiple|\d+) (?:random )?(?:re-?)?(?:splits|partitions|holdouts)\b|\bboth directions\b"
    r"|\broles? (?:of|are|were) (?:\w+ ){0,4}(?:swapped|switched|exchanged)|\bswap\w* (?:the )?(?:roles|halves)|\bbootstrap\w* (?:splits?|partitions?|holdouts?)\b|\bnested\b|\bresampl\w+|\bmonte carlo\b",
    re.IGNORECASE,
)
OFFICIAL = re.compile(
    r"\b(?:official|standard|provided|predefined|pre-defined|original|organi[sz]ers|canonical|given|released|track's|publicly available|leave-one-out|chronological|temporal|time-based|by (?:date|time))\b"
    r"|\b(?:MS ?MARCO|BEIR|NQ|TREC|MTEB|DEAP)(?:'s)? (?:train|dev|test)\w*",
    re.IGNORECASE,
)
VALIDATION = re.compile(
    r"\bseparate test (?:set|queries|topics)\b|\b(?:training|train) and (?:a )?(?:validation|development|dev)\b(?![^.;]{0,40}\btest)",
    re.IGNORECASE,
)
ELSEWHERE = re.compile(
    r"\btraining (?:time|costs?|loss|speed)\b|\b(?:sentences?|passages?|chunks?|tokens?|documents? (?:were|are) (?:split|divided)|words?|shards?|segments?|terms|time|workload)\b[^.;]{0,30}\binto\b|\binto (?:passages|sentences|chunks|tokens|segments|shards)",
    re.IGNORECASE,
)
ON_TEST = re.compile(
    r"\b(?:tun\w+|optimi[sz]\w+|select\w*|chosen|chose|choos\w+|set|fitted|calibrat\w+|pick\w*|determin\w+|optimal|best (?:value|setting|parameter|configuration)s?)\b[^.;]{0,60}"
    r"\b(?:on|using|over|with respect to|for)\b (?:the |our |all )?(?:same |complete |full |whole |entire )?(?:50 |\d+ )?(?:test|evaluation)[- ](?:set|topics|queries|data|collection|split|judge?ments|qrels|questions)\b"
    r"|\b(?:oracle|best)[- ](?:parameters?|settings?|values?) (?:on|for) (?:each|every|the) test\b|\b(?:early stopping|checkpoints?|hyper-?parameters?)\b[^.;]{0,40}\b(?:on|using) (?:the )?test (?:set|topics|queries|data)\b"
    r"|\b(?:test (?:topics|set|queries|data)) (?:were|was|are|is) (?:also )?used (?:for|to) (?:tun\w+|select\w*|choos\w*|set\w*|optimi[sz]\w+)"
    r"|\bus(?:e|es|ed|ing) (?:the |our )?test (?:topics|set|queries|data)\b[^.;]{0,30}\b(?:to|for) (?:\w+ ){0,2}(?:tun\w+|select\w*|choos\w*|optimi[sz]\w+|(?:hyper-?)?parameters?|early stopping)",
    re.IGNORECASE,
)


TUNING = (
    "tun",
    "optim",
    "select",
    "chos",
    "choos",
    " set ",
    "fitted",
    "calibrat",
    "pick",
    "determin",
    "best",
    "oracle",
    "stopping",
    "checkpoint",
    "hyper",
    "used ",
    "use ",
    "using",
)


CHOSEN = re.compile(
    r"\b(?:parameters?|values?|thresholds?|weights?|settings?|configurations?|checkpoints?|cut-?offs?)\b", re.IGNORECASE
)
MAXIMISED = re.compile(  # on what is evaluated, if a text never speaks of other topics
    rf"\bparameters?\b[^.;]{{0,60}}\bmaximi[sz](?:e|es|ed|ing)\b (?:the )?(?:[\w-]+ )?(?:{MEASURE.pattern})|\bmaximi[sz](?:e|es|ed|ing)\b (?:the )?(?:[\w-]+ )?(?:{MEASURE.pattern})[^.;]{{0,60}}\bparameters?\b"
)
OTHER_TOPICS = re.compile(
    r"\bcross[- ]?valid|\btrain(?:ing)?\b|\bvalidation\b|\bheld[- ]?out\b|\bdevelopment\b|\bdev\b|\bfolds?\b|\btuning (?:set|queries|topics)|\bunseen\b|\bsweep|\btransfer",
    re.IGNORECASE,
)
RETRIEVAL = re.compile(
    r"\b(?:topics?|quer(?:y|ies)|qrels|judge?ments?|questions|requests|retriev\w+|rank(?:er|ing|ers)?|users|ratings|interactions|LTR|learning to rank)\b",
    re.IGNORECASE,
)
CLASSES = re.compile(
    r"\b(?:classif\w+|sentiment|stratified|class(?:es)?|labels?|accuracy|F1|tweets?|images?|persons?|subjects?|samples)\b",
    re.IGNORECASE,
)
DESCRIBED = re.compile(  # a collection as it is distributed, or a tool
    r"\b(?:data ?sets?|collections?|corpus|corpora|benchmarks?|distribution) (?:is|are) (?:already |pre-?|further )?(?:divided|split|partitioned|separated)\b"
    r"|\b(?:script|function|command|module|flag|option|argument)\b[^.;]{0,60}\b(?:performs?|creates?|does|makes?|handles?|splits?|runs?)\b",
    re.IGNORECASE,
)
NAMED_SET = re.compile(r"\b(?:hold-?out|held[- ]out) (?:test )?(?:set|topics|queries|data)\b", re.IGNORECASE)
MADE = re.compile(
    r"\b(?:split|divid\w*|partition\w*|separat\w*|reserv\w*|set aside|kept|keep|withh[eo]ld|used|we use|train\w*|random\w*|\d+\s?%)\b",
    re.IGNORECASE,
)


RANKED = re.compile(
    r"\b(?:MAP|MRR|n?DCG|NDCG)\b|\b(?:MAP|MRR|NDCG|nDCG|Recall|HR|Hits?|P)@\s?[\dkK]|\b[Mm]ean (?:[Aa]verage [Pp]|[Rr]eciprocal [Rr])"
)
WHOLE = re.compile(
    r"\b(?:we|I) (?:\w+ )?(?:split|divide|partition)|\brandom(?:ly)? (?:split|divided|partitioned)|\b(?:data|data ?set|corpus|playlists|ratings|interactions) (?:was|were|is|are) (?:\w+ )?(?:split|divided|partitioned)",
    re.IGNORECASE,
)


def _about_topics(document: Document, text: str, match: re.Match[str]) -> bool:
    """Return whether topics of a retrieval experiment are split: a classifier's samples, or a set that is only named, are not."""
    if CLASSES.search(text) and not re.search(r"\b(?:topics|queries|qrels)\b", text):
        return False
    if NAMED_SET.fullmatch(match[0]) and not MADE.search(text[: match.start()]):
        return False
    if RETRIEVAL.search(text):
        return True
    return WHOLE.search(text) is not None and not CLASSES.search(text) and RANKED.search(document.text) is not None


def _tuned(document: Document) -> Iterator[Hit]:
    """Parameters that were chosen on the topics of the evaluation."""
    for sentence in document.having(*TUNING, also=("test", "evaluation")):
        text = sentence.normal
        match = ON_TEST.search(text)
        if match is not None and re.match("determin", match[0], re.IGNORECASE) and not CHOSEN.search(text):
            continue
        if match is not None and not excused(text, *match.span()) and not re.search(r"\bdisjoint|separate from|other than", text):
            yield Hit("M502", *hit_span(sentence, match), match[0])
    for sentence in document.having("maximi"):
        match = MAXIMISED.search(sentence.normal)
        if match is not None and not excused(sentence.normal, *match.span()) and not OTHER_TOPICS.search(document.plain):
            yield Hit("M502", *hit_span(sentence, match), match[0])
            break


def check(document: Document) -> Iterator[Hit]:
    """A split that is made once, anywhere in a text that never speaks of folds; and tuning on test topics."""
    yield from _tuned(document)
    matches = []
    for sentence in document.having(
        "split",
        "divid",
        "partition",
        "separat",
        "hold",
        "held",
        "train",
        "tun",
        "learn",
        "aside",
        "reserv",
        "withh",
        "keep",
        "kept",
        "remaining",
        also=("test", "evaluat", "hold", "held", "split"),
    ):
        text = sentence.normal
        match = SPLIT.search(text)
        if match is None or OFFICIAL.search(text) or ELSEWHERE.search(text) or excused(text, *match.span()):
            continue
        if DESCRIBED.search(text) and not re.search(r"\b(?:we|our|topics|queries|questions)\b", text, re.IGNORECASE):
            continue
        if (
            not _about_topics(document, text, match)
            or VALIDATION.search(text)
            or re.search(r"n['’]t\b|\bnot\b|\bnever\b", match[0])
        ):
            continue
        matches.append((sentence, match))
    if matches and not affirmed(
        document,
        REPEATED,
        (
            "fold",
            "valid",
            "leave",
            "split",
            "partition",
            "role",
            "swap",
            "bootstrap",
            "nested",
            "resampl",
            "direction",
            "monte",
            "holdouts",
        ),
    ):
        sentence, match = matches[0]
        yield Hit("M501", *hit_span(sentence, match), match[0])
