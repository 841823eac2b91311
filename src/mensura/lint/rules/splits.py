"""P3 §2.5: one split into topics for training and for testing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mensura.lint.language import affirmed, excused, flat, hit_span
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
RULES = (ONE_SPLIT,)

DATA = r"(?:topics?|queries|query set|data|data ?sets?|collections?|judge?ments?|qrels|questions|instances|samples|examples|corpus|requests|query log|benchmark)"
SPLIT = re.compile(
    rf"\b(?:split|divid\w+|partition\w*|separat\w+)\b[^.;]{{0,90}}\b(?:train\w*|tuning|development|dev)\b[^.;]{{0,50}}\b(?:test\w*|evaluation|held[- ]out|hold-?out)\b"
    rf"|\b(?:train\w*)[ /-]+(?:and |/ ?)?test(?:ing)? (?:split|partition)\b|\b(?:hold-?out|held[- ]out) (?:test )?(?:set|method|sample|topics|queries|data|evaluation|validation|strategy|split)\b"
    rf"|\b\d{{2}}\s?%?\s?[/:–-]\s?\d{{1,2}}\s?%?(?:\s?[/:–-]\s?\d{{1,2}}\s?%?)? (?:train\w*|random|data|split)\b"
    rf"|\b(?:odd|first|even|half|\d+\s?%?)[^.;]{{0,40}}\b{DATA}\b[^.;]{{0,40}}\b(?:train\w*|tun\w+|learn\w+|fit\w*)\b[^.;]{{0,60}}\b(?:test\w*|evaluat\w+)\b"
    rf"|\b{DATA}\b[^.;]{{0,50}}\bfor (?:training|learning|tuning)\b[^.;]{{0,70}}\bfor (?:test\w*|evaluation)\b"
    rf"|\b(?:set|put) aside\b[^.;]{{0,60}}\b(?:test\w*|evaluation|held[- ]out)\b|\b(?:reserv|withh[eo]ld|keep|kept)\w*\b[^.;]{{0,60}}\b(?:for|as) (?:a |the )?(?:final )?(?:test\w*|evaluation)\b"
    rf"|\b\d+ (?:development|dev|training|train|tuning) (?:queries|topics|questions)\b[^.;]{{0,80}}\b\d+ (?:\w+ ){{0,2}}(?:held[- ]out|test|remaining)\b"
    rf"|\bremaining (?:\w+ ){{0,3}}(?:{DATA} )?(?:\w+ ){{0,2}}for (?:test\w*|evaluation)\b"
    rf"|\btrain\w* on[^.;]{{1,40}}\b(?:half|first|odd|even|\d+\s?%|\d+ (?:of|topics|queries))[^.;]{{0,40}}\b(?:test|evaluat)\w*"
    rf"|\b(?:odd|even)\b[^.;]{{0,40}}\b{DATA}\b[^.;]{{0,40}}\bestimat\w+[^.;]{{0,60}}\b(?:test\w*|evaluat\w*|assess\w*|measur\w*)\b",
    re.IGNORECASE,
)
LEARN = r"(?:train\w*|learn\w*|fit(?:ting|ted)?|fine-?tun\w*|tun(?:e[ds]?|ing))"
JUDGE = r"(?:final run|results?|test\w*|evaluat\w*|measur\w*|assess\w*|comput\w*|report\w*)"
PART = r"(?:\d[\d,]*(?:·\d+)?\s?(?:%|percent|per cent)?|half|third|quarter|fifth|tenth|two[- ]thirds|first|some)"
PARTS = re.compile(  # parts of the data, told one by one
    rf"\b{PART}\b[^.;]{{0,60}}\b(?:as|for|form\w*|go(?:es)? (?:in)?to|went (?:in)?to|serv\w+|constitut\w+|ma[dk]e up|belong\w*|to)\b (?:as |for )?(?:the |a |our )?{LEARN}\b[^.]{{0,110}}\b(?:rest|remain\w*|others?)\b[^.]{{0,60}}"
    rf"|\b(?:rest|remain\w*|others?)\b[^.]{{0,40}}\b(?:for|as|to) (?:the )?{LEARN}\b"
    rf"|\b(?:kept?|set|put|left|held)\b[^.;]{{0,30}}\b(?:apart|aside|back|out)\b[^.]{{0,100}}\b{LEARN}\b|\b{PART}\b[^.;]{{0,60}}\b(?:held[- ]out|withheld|left out|set aside|put aside|kept apart)\b[^.]{{0,60}}\b{JUDGE}"
    rf"|\b{LEARN}\b[^.;]{{0,60}}\bon [Tt]opics \d+\s?(?:[-–]+|to)\s?\d+\b[^.;]{{0,60}}\b{JUDGE}\b"
    rf"|\brandom\b[^.;]{{0,20}}\b{PART}\b[^.;]{{0,60}}\b(?:never|not) (?:been )?(?:seen|used|shown)\b[^.;]{{0,25}}\btrain"
    r"|\btest[_ -]?size (?:of |= ?)?(?:0?·\d+|\d+\s?%)",
    re.IGNORECASE,
)
TOPIC = rf"(?:{DATA}|ratings|interactions|users|sessions|playlists|pairs)"
REST = re.compile(  # the other part
    rf"\b(?:rest(?= of (?:the |our |all )?{TOPIC}\b| (?:for|as|to|is|are|was|were|forms?|serve[sd]?)\b|\s?[,.;)]|$)"
    rf"|remain(?:ing|der|ed)(?= (?:\w+ ){{0,2}}{TOPIC}\b| (?:two )?(?:\d+|thirds?|half|part|ones|for|were|was|are|is|forms?|serve[sd]?)\b|\s?[,.)]|$)"
    r"|others(?= (?:for|were|are|form|as|to|serve[sd]?)\b|\s?[,.)]|$)|other (?:\d+|half|third|part|ones)\b|last \d+|second half|one half|two[- ]thirds)",
    re.IGNORECASE,
)
QUANTITY = re.compile(rf"\b(?:{PART}|one half|1/[2-9]|2/3|3/4|\d+ (?:of|with)|half of)(?!\w)", re.IGNORECASE)
UNEVEN = re.compile(  # parts of something else, or other collections
    r"\b(?:other|remaining) (?:\w+ )?(?:collections|data ?sets|benchmarks|domains|languages|tracks|corpora|methods|systems|baselines|models|parameters|features|measures|metrics)\b"
    r"|\b(?:judges|assessors|annotators|participants|users|students|workers|crowd\w*) (?:were|was|are|had been) (?:\w+ )?(?:trained|instructed)|\bin turn\b|\bzero-shot\b|\bpre-?train\w*|\bfirst (?:we|author|stage|step|phase)\b|\bround\b",
    re.IGNORECASE,
)
PIECES = re.compile(
    rf"\b(?:{DATA}|ratings|interactions|users|sessions|playlists|pairs|half|third|rest|remaining|ones|\d+)\b", re.IGNORECASE
)
SIZES = re.compile(
    r"\d\s?(?:%|k)?\s(?:for )?train\w*\s?[/,|·+-]{1,2}\s?(?:[\d.,]+\s?(?:%|k)?\s?(?:for )?(?:val\w*|dev\w*)\s?[/,|·+-]{1,2}\s?)?[\d.,]+\s?(?:%|k)?\s?(?:for )?test|\b(?:single|one|simple) hold-?out\b|\bhold-?out of \d"
    r"|\brandom\w*\b[^.;]{0,25}\d\s?%[^.;]{0,60}\b(?:removed|excluded|hidden|masked|withheld|taken out)\b[^.;]{0,15}\b(?:before|from|during) (?:the )?train",
    re.IGNORECASE,
)
RANDOM = re.compile(
    r"\bfirst \d+\b|\b(?:random\w*|shuffl\w*|sampl\w*|never|not|we|I|our)\b|\b[Tt]opics \d+\s?[-–]|test[_ -]?size|\b\d+\s?%|\bthirds?\b|\bhal(?:f|ves)\b|\b\d+ (?:go|form|make|serve|are)",
    re.IGNORECASE,
)
THIS_YEAR = re.compile(  # the holdout of a campaign, although the topics of other years could be used as well
    r"\b(?:decided|chose|chosen|opted|preferred|choose)\b[^.;]{0,60}\b(?:this|the (?:current|present|latest|last)) year's (?:[\w-]+ ){0,2}(?:collections?|topics|queries|data|test set|qrels)\b[^.;]{0,40}\b(?:to|for) (?:the |our )?(?:evaluat|test|assess|measur)\w*"
    r"|\b(?:evaluat|test|assess)\w*\b[^.;]{0,40}\b(?:we|I) (?:decided|chose|opted|preferred)\b[^.;]{0,30}\b(?:(?:test )?(?:collection|topics|queries|data|qrels) of (?:this|the current|the present) year|this year's (?:[\w-]+ ){0,2}(?:collection|topics|queries|data|qrels))",
    re.IGNORECASE,
)
ONLINE = re.compile(  # users who are divided among systems, and votes
    r"\b(?:traffic|visitors|votes?|voted|rated|preferred|impressions|A/B|interleav\w*|workload|reward|sessions (?:were|are)|clicks?|mobile|users (?:were|are|saw|see|got)|in favou?r of)\b",
    re.IGNORECASE,
)
TOO_DEAR = r"(?! (?:allows|lets|would|could|might)\b)(?![^.;]{0,40}\b(?:too (?:expensive|costly|slow|long)|infeasible|not feasible|not possible|impossible|out of scope|future work)\b)"
REPEATED = re.compile(
    r"(?:\bcross[- ]?valid\w+|\bfolds\b|\b(?:each|every) (?:fold|partition|split)\b|\b(?!two-fold\b|twofold\b)(?:[kKnN]|\d+|three|four|five|six|ten)-fold\b|\btwo-fold cross|\bleave[- ]one[- ]\w+|(?<![/:·\d-])\b(?:different|repeated|several|many|multiple|various|three|four|five|ten|twenty|hundred|\d+) (?:\w+ )?(?:re-?)?(?:splits|partitions|holdouts)\b|\bboth directions\b|\bvice versa\b|\bin turn\b|\b(?:mean|average\w*) over \d+ (?:random )?\w+"
    r"|\broles? (?:of|are|were) (?:\w+ ){0,4}(?:swapped|switched|exchanged)|\bswap\w* (?:the )?(?:roles|halves)|\bbootstrap\w* (?:splits?|partitions?|holdouts?)\b|\bnested\b|\bresampl\w+|\bmonte carlo\b)\b"
    + TOO_DEAR,
    re.IGNORECASE,
)
SOURCE = re.compile(
    r"\b(?:official|standard|original|given|publicly available) (?:[\w-]+ ){0,3}(?:data ?sets?|collections?|corpus|corpora|logs?|topics|queries|ratings)\b",
    re.IGNORECASE,
)
OFFICIAL = re.compile(
    r"\b(?:lab|track|task|challenge|organi[sz]ers?|campaign) (?:distribut|provid|releas|keep|offer|defin)\w*\b|\b(?:official|standard|provided|predefined|pre-defined|original|organi[sz]ers|canonical|given|released|track's|publicly available|leave-one-out|chronological|temporal|time-based|by (?:date|time))\b"
    r"|\b(?:MS ?MARCO|BEIR|NQ|TREC|MTEB|DEAP)(?:'s)? (?:train|dev|test)\w*",
    re.IGNORECASE,
)
VALIDATION = re.compile(
    r"\bseparate test (?:set|queries|topics)\b|\b(?:training|train) and (?:a )?(?:validation|development|dev)\b(?![^.;]{0,40}\btest)",
    re.IGNORECASE,
)
ELSEWHERE = re.compile(
    r"\bpersist\w*\b[^.;]{0,30}\b(?:train|test)|"
    r"\btraining (?:time|costs?|loss|speed)\b|\b(?:sentences?|passages?|chunks?|tokens?|documents? (?:were|are) (?:split|divided)|words?|shards?|segments?|terms|time|workload)\b[^.;]{0,30}\binto\b|\binto (?:passages|sentences|chunks|tokens|segments|shards)",
    re.IGNORECASE,
)
RETRIEVAL = re.compile(
    r"\b(?:topics?|quer(?:y|ies)|qrels|judge?ments?|questions?|requests|retriev\w+|(?:re-?)?rank(?:er|ing|ers)?|users|playlists|recommend\w*|ratings|interactions|LTR|learning to rank)\b",
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


def _split(text: str) -> re.Match[str] | None:
    """Return the words that split topics into parts for training and for testing."""
    match = SPLIT.search(text)
    if (
        match is not None
        and ONLINE.search(text)
        and not re.search(r"\b(?:train|tun(?:ed|ing)|test|held|hold|learn)", text, re.IGNORECASE)
    ):
        return None
    if match is None:
        match = SIZES.search(text)
        if match is not None:
            return match if re.search(r"\b(?:random\w*|split|we|I|our|hold-?out)\b", text, re.IGNORECASE) else None
    if match is None:
        match = _in_parts(text)
    if match is None:
        match = PARTS.search(text)
        if match is not None and not (RANDOM.search(text) and re.search(rf"\b{JUDGE}\b", text, re.IGNORECASE)):
            return None
    return match


def _in_parts(text: str) -> re.Match[str] | None:
    """Return the word for the second part of some topics, if one part is for learning and the other for measuring."""
    learned, judged = re.search(rf"\b{LEARN}\b", text, re.IGNORECASE), re.search(rf"\b{JUDGE}\b", text, re.IGNORECASE)
    if learned is None or judged is None or UNEVEN.search(text) or not PIECES.search(text):
        return None
    rest = next(iter([*REST.finditer(text)][-1:]), None)
    return rest if rest is not None and QUANTITY.search(text[: rest.start()]) and RANDOM.search(text) else None


def _about_topics(document: Document, text: str, match: re.Match[str]) -> bool:
    """Return whether topics of a retrieval experiment are split: a classifier's samples, or a set that is only named, are not."""
    if CLASSES.search(text) and not re.search(r"\b(?:topics|queries|qrels)\b", text):
        return False
    if NAMED_SET.fullmatch(match[0]) and not MADE.search(text[: match.start()]):
        return False
    if RETRIEVAL.search(text):
        return True
    return WHOLE.search(text) is not None and not CLASSES.search(text) and document.mentions(RANKED)


def check(document: Document) -> Iterator[Hit]:
    """A split that is made once, anywhere in a text that never speaks of folds."""
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
        "fit",
        "estimat",
        "random",
        "saw",
        also=(
            "test",
            "result",
            "last",
            "before train",
            "holdout",
            "evaluat",
            "hold",
            "held",
            "split",
            "measur",
            "assess",
            "comput",
            "rest",
            "remain",
            "other",
        ),
    ):
        text = flat(sentence.normal)
        match = _split(text)
        if match is None or ELSEWHERE.search(text) or excused(text, *match.span()):
            continue
        if OFFICIAL.search(SOURCE.sub("", text) if WHOLE.search(text) else text):
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
    for sentence in document.having("year"):
        match = THIS_YEAR.search(sentence.normal)
        if match is not None and not excused(sentence.normal, *match.span()):
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
            "turn",
            "vice",
            "over",
        ),
    ):
        sentence, match = matches[0]
        yield Hit("M501", *hit_span(sentence, match), match[0].replace("·", "."))
