"""P3 §2.5: one split into topics for training and for testing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mensura.lint.language import AFTER, clause, denied, excused, flat, hit_span
from mensura.lint.rule import FUHR, RAO, Hit, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document, Sentence

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

# A split has two parts, one to learn from and one to measure on; each rule below needs words for both, or for the part that is kept back.
LEARN = (
    r"(?:(?:pre-?)?train\w*|tun(?:e[ds]?|ing)|learn\w*|fit(?:ting|ted)?|fine-?tun\w*|calibrat\w+|estimat\w+|dev(?:elopment|eloped)?"
    r"|entren\w+|entra[iî]n\w*|apprentissage|addestr\w+|trein\w+|lernen)"
)
JUDGE = r"(?:test\w*|evaluat\w*|held[- ]out|hold-?out|assess\w*|measur\w*|comput\w*|final run|results?|report\w*|prueba|évalu\w+|valutazion\w+|avalia\w+|Auswertung)"
TESTED = r"(?:test(?:s|ing)?(?![- ]collection)|evaluation|hold-?out|held[- ]out|prueba|teste|évaluation|valutazione|avaliação)"
PARTED = r"(?:(?:re-?)?split(?:s|ted|ting)?|(?:sub)?divid\w+|partition\w*|separat(?:ed?|es|ing)|broken? (?:down |up )?into|aufgeteilt|unterteilt|repart\w+|répart\w+|suddivi\w+|divis[eoai]\w*|divisé\w*|separad\w+)"
UNIT = (
    r"(?:topics?|queries|query (?:set|log)s?|qrels|judge?ments|questions?|requests|data(?: ?sets?)?|collections?|corpus|instances|samples|examples|benchmark|ratings|interactions"
    r"|users?|customers|sessions?|playlists|pairs|triples|logs?|reviews|consultas|preguntas|perguntas|domande|requêtes|Anfragen|datos|dados|dati|données|Daten)"
)
NUMBER = r"(?:(?<![\d-])\d[\d,]*(?:·\d+)?(?!\d))"
SHARE = rf"(?:{NUMBER}\s?(?:%|percent|per cent)(?! (?:bootstrap )?(?:CIs?|confidence|intervals?)\b)|\b(?:half|halves|a third|thirds?|quarter|fifth|tenth|1/[2-9]|2/3|3/4))"
SPLIT = re.compile(
    rf"\b{PARTED}\b[^.;]{{0,110}}\b{LEARN}\b[^.;]{{0,80}}\b{TESTED}\b|\b{PARTED}\b[^.;]{{0,90}}\b{TESTED}\b[^.;]{{0,60}}\b{LEARN}\b"
    rf"|\b{LEARN}[ /+&,-]{{1,3}}(?:(?:and|dev\w*|val\w*)[ /+&,-]{{1,3}}){{0,2}}{TESTED} (?:set )?(?:split|partition)\b|\btest[_ -]?size (?:of |= ?)?(?:0?·\d+|\d+\s?%)"
    rf"|\bonly\b[^.;]{{0,20}}\b(?:first fold|fold[ _-]?1)\b|\bfold[ _-]?1 only\b"
    r"|(?:划分|分为|分成|拆分|切分)[^。;]{0,40}(?:训练|验证)[^。;]{0,30}测试|训练集?[^。;]{0,20}测试集?[^。;]{0,20}(?:划分|比例|\d\s?[::]\s?\d)",
    re.IGNORECASE,
)
RATIO = re.compile(r"(?<![\w/:·.–-])([1-9]\d?)\s?%?\s?[/:–-]\s?([1-9]\d?)\s?%?(?:\s?[/:–-]\s?([1-9]\d?)\s?%?)?(?![\w/:·–-])")
ABOUT_RATIO = re.compile(r"\b(?:split|partition|hold-?out|train)|划分", re.IGNORECASE)
NEAR = 60  # characters
KEPT_BACK = re.compile(
    rf"(?:\b(?:held?|holding|kept?|keep|left|set|put|setting|leaving|withh[eo]ld\w*|reserv\w+|hidden|masked|removed|excluded)\b[^.;]{{0,40}}{SHARE}(?!\w)"
    rf"|{SHARE}[^.;]{{0,60}}\b(?:held?|kept?|left|set|put|withheld|reserved|hold|hidden|masked|removed|excluded)\b)[^.;]{{0,60}}\b(?:{TESTED}|{LEARN}|out|aside|apart|back|holdout)\b"
    rf"|\b(?:held?|kept?|keep|left|set|put|holding|setting|withh[eo]ld\w*|reserv\w+)\b (?:(?:out|aside|apart|back) )?(?:\w+ ){{0,2}}?{NUMBER} (?:[\w-]+ ){{0,3}}?{UNIT}[^.;]{{0,40}}\b(?:for|as) (?:\w+ ){{0,2}}?{TESTED}\b"
    rf"|\b{NUMBER} (?:[\w-]+ ){{0,3}}?{UNIT}\b[^.;]{{0,30}}\b(?:held[- ]out|reserved|set aside|put aside|withheld|kept (?:aside|apart|back))\b"
    rf"|\b(?:kept|put|left|held|set|reserved|withheld)\b[^.;]{{0,30}}\b{UNIT} (?:apart|aside|back|out)\b[^.]{{0,110}}\b(?:{LEARN}|{TESTED})\b|\breserved (?:[\w-]+ ){{0,3}}{UNIT} (?:\w+ ){{0,3}}(?:for|as) (?:\w+ ){{0,2}}?{TESTED}"
    rf"|\bhold-?out (?:of|with) {NUMBER}|\b(?:single|one|simple|a|random(?:i[sz]ed)?) hold-?out (?:set|method|validation|technique|strategy|split|evaluation|protocol)\b(?= (?:of|with|was|is|at))"
    rf"|\b(?:on|with) (?:a|the|our) held[- ]out (?:test )?(?:set|split|part|sample|subset) of (?:the )?(?:\w+ )?{NUMBER}"
    r"|\brandom\b[^.;]{0,20}\d\s?%[^.;]{0,60}\b(?:never|not) (?:been )?(?:seen|used|shown)\b[^.;]{0,25}\btrain",
    re.IGNORECASE,
)
SOME = rf"(?:{SHARE}|\b(?:first|odd|even|second|one half|[Tt]opics {NUMBER}\s?(?:[-–]+|to)\s?\d+)|\b{NUMBER}(?: of| with|(?= (?:[\w-]+ ){{0,2}}?{UNIT}\b)|(?= (?:go|for|were|was|are|is|which|form|make|served?|train|val|dev|test|held|reserved))))"
OTHER = rf"(?:\b(?:rest|remain(?:ing|der|ed)|others?(?! (?:collections|systems|methods|models|measures|metrics))|restantes?|rimanenti?|restants?|übrigen?)\b|{SOME})"
PARTS = re.compile(  # a part to learn from, and another to measure on: "80 for training ... 20 for testing", or the other way round
    rf"{SOME}[^.]{{0,70}}?\b{LEARN}\b[^.]{{0,90}}?{OTHER}[^.]{{0,70}}?\b{JUDGE}\b"
    rf"|\b{LEARN}\b[^.]{{0,60}}?{SOME}[^.]{{0,90}}?\b{JUDGE}\b[^.]{{0,60}}?{OTHER}"
    rf"|{SOME}[^.]{{0,70}}?\b{JUDGE}\b[^.]{{0,90}}?\b{LEARN}\b[^.]{{0,50}}?{OTHER}"
    rf"|{SOME}[^.]{{0,70}}?\b{LEARN}\b[^.]{{0,110}}?\b{JUDGE}\b[^.]{{0,60}}?{OTHER}"
    rf"|{SOME}[^.]{{0,70}}?\b{JUDGE}\b[^.]{{0,110}}?{OTHER}[^.]{{0,60}}?\b{LEARN}\b"
    rf"|\b{LEARN}\b[^.]{{0,60}}?{SOME}[^.]{{0,70}}?{OTHER}[^.]{{0,60}}?\b{JUDGE}\b",
    re.IGNORECASE,
)
CUT_UP = re.compile(  # words by which two numbers are parts of one whole
    rf"\b(?:random\w*|shuffl\w*|rest|remain\w*|others?|apart|aside|restantes?|rimanenti|half|halves|thirds?|odd|even|first|last|{PARTED})\b|\d\s?%|\b[Tt]opics \d|\bfor (?:the )?train\w*\b[^.]{{0,60}}\bfor (?:the )?(?:test|evaluat)"
    rf"|\d (?:\w+ ){{0,2}}?(?:train|tuning|dev)\w* (?:\w+ )?{UNIT}[^.]{{0,80}}\d (?:\w+ ){{0,2}}?(?:test (?:\w+ )?{UNIT}|held[- ]out)|\d\s?k? (?:for )?train(?:ing)?\b[^.]{{0,40}}\d\s?k? (?:for )?test\b",
    re.IGNORECASE,
)
UNEVEN = re.compile(  # parts of something else, or other collections
    r"\b(?:other|remaining) (?:\w+ )?(?:collections|data ?sets|benchmarks|domains|languages|tracks|corpora|methods|systems|baselines|models|parameters|features|measures|metrics)\b"
    r"|\b(?:judges|assessors|annotators|participants|students|workers|crowd\w*) (?:were|was|are|had been) (?:\w+ )?(?:trained|instructed)|\bin turn\b|\bzero-shot\b|\bpre-?train\w*|\bfirst (?:we|author|stage|step|phase|\d+ (?:epochs|steps|results|documents|ranks))\b|\bround\b"
    r"|\bepochs?\b[^.]{0,40}\bepochs?\b|\d+ (?:epochs|steps|iterations|hours|minutes|seconds)\b",
    re.IGNORECASE,
)
THIS_YEAR = re.compile(  # the holdout of a campaign, although the topics of other years could be used as well
    r"\b(?:decided|chose|chosen|opted|preferred|choose)\b[^.;]{0,60}\b(?:this|the (?:current|present|latest|last)) year's (?:[\w-]+ ){0,2}(?:collections?|topics|queries|data|test set|qrels)\b[^.;]{0,40}\b(?:to|for) (?:the |our )?(?:evaluat|test|assess|measur)\w*"
    r"|\b(?:evaluat|test|assess)\w*\b[^.;]{0,40}\b(?:we|I) (?:decided|chose|opted|preferred)\b[^.;]{0,30}\b(?:(?:test )?(?:collection|topics|queries|data|qrels) of (?:this|the current|the present) year|this year's (?:[\w-]+ ){0,2}(?:collection|topics|queries|data|qrels))",
    re.IGNORECASE,
)
ONLINE = re.compile(  # users who are divided among systems, and votes
    r"\b(?:traffic|visitors|votes?|voted|rated|preferred|impressions|A/B|interleav\w*|workload|reward|sessions (?:were|are)|mobile|users (?:were|are|saw|see|got)|in favou?r of)\b",
    re.IGNORECASE,
)
REPEATED = re.compile(
    r"\bcross[- ]?valid\w+|\bfolds\b|\b(?:each|every) (?:fold|partition|split)\b|\b(?!two-fold\b|twofold\b)(?:[kKnN]|\d+|three|four|five|six|ten)-fold\b(?! (?:increase|reduction|improvement|decrease|speed|faster|higher|more|larger|contribution))|\btwo-fold cross|\bleave[- ]one[- ]\w+(?! ablation)"
    r"|(?<![/:·\d-])\b(?:different|repeated|several|many|multiple|various|three|four|five|ten|twenty|hundred|\d+) (?:random |train\w* ?[/-] ?test |data |independent )?(?:re-?)?(?:splits|partitions|partitionings|holdouts)\b|\b(?:mean|average\w*) over \d+ (?:random )?(?:splits|partitions|holdouts|samples|draws|repetitions|divisions)"
    r"|\b(?:train|test|tun)\w*\b[^.;]{0,80}\b(?:both directions|vice versa|in turn)\b|\broles? (?:of|are|were) (?:\w+ ){0,4}(?:swapped|switched|exchanged)|\bswap\w* (?:the )?(?:roles|halves)|\b(?:bootstrap|resampl)\w* (?:splits?|partitions?|holdouts?|train\w*)\b"
    r"|\b(?:repeat\w*|re-?dr[ae]w\w*)\b[^.;]{0,40}\b(?:splits?|partition\w*|holdouts?)\b[^.;]{0,30}\b(?:times|\d+)|\b(?:splits?|partition\w*|holdouts?)\b[^.;]{0,60}\b(?:\d+|ten|five|twenty|several) times\b",
    re.IGNORECASE,
)
WISHED = re.compile(  # what was not done
    r"\b(?:too (?:expensive|costly|slow|long)|infeasible|not feasible|not possible|impossible|out of scope|future|should|(?:allows|lets|would|could|might)\b(?! be (?:sw|ex))|expensive)\b",
    re.IGNORECASE,
)
SOURCE = re.compile(
    r"\b(?:official|standard|original|given|publicly available) (?:(?!split|partition)[\w-]+ ){0,3}(?:data ?sets?|collections?|corpus|corpora|logs?|topics|queries|ratings)\b",
    re.IGNORECASE,
)
OFFICIAL = re.compile(
    r"\b(?:lab|track|task|challenge|organi[sz]ers?|campaign) (?:distribut|provid|releas|keep|offer|defin)\w*\b|\b(?:official|standard|provided|predefined|pre-defined|pre-split|original|organi[sz]ers|canonical|given (?:train\w*|test|splits?|partitions?)|released|track's|publicly available|same (?:data )?splits?"
    r"|leave-one-out|leave-last|chronological|temporal(?:ly)?|time-based|timestamps?|\d+ (?:days|weeks|months)|by (?:date|time)|most recent|(?:last|latest|final|first) (?:\w+ )?(?:items?|interactions?|clicks?|days?|weeks?|months?|years?|session))\b"
    r"|\b(?:MS ?MARCO|BEIR|NQ|Natural Questions|TREC|MTEB|DEAP|LETOR|MSLR|MQ200[78]|HotpotQA|SQuAD|LongEval)(?:[- ]?\w+)?(?:'s)?,? (?:\w+ )?(?:train|dev|test)\w*",
    re.IGNORECASE,
)
IN_TIME = re.compile(
    r"\bleave-(?:one|last)\b|\bchronolog|\btemporal (?:split|order)|\btime-based (?:split|order)", re.IGNORECASE
)  # in the sentences that explain a split
VALIDATION = re.compile(
    r"\bseparate test (?:set|queries|topics)\b|\b(?:training|train) and (?:a )?(?:validation|development|dev)\b(?![^.;]{0,40}\b(?:test|hold|held))|\btrain\w*\s?/\s?(?:val|dev)\w*\b(?!.*\b(?:test|hold|held))",
    re.IGNORECASE,
)
ELSEWHERE = re.compile(
    r"\bpersist\w*\b[^.;]{0,30}\b(?:train|test)|\btraining (?:time|costs?|loss|speed)\b|\b(?:sentences?|passages?|chunks?|tokens?|documents? (?:were|are) (?:split|divided)|words?|shards?|segments?|terms|time|workload)\b[^.;]{0,30}\binto\b"
    r"|\binto (?:passages|sentences|chunks|tokens|segments|shards|parts of speech)|\bsplit (?:has|have|had|lacks|contains?|only contains|is missing)\b|\b(?:splits|divides|partitions) (?:it|them|your)\b",
    re.IGNORECASE,
)
RETRIEVAL = re.compile(
    r"\b(?:topics?|quer(?:y|ies)|qrels|judge?ments?|questions?|requests|retriev\w+|(?:re-?)?rank(?:er|ing|ers)?|users|playlists|recommend\w*|ratings|interactions|sessions|LTR|learning to rank|consultas|preguntas|perguntas|domande|requêtes|Anfragen)\b|查询|问题|用户",
    re.IGNORECASE,
)
CLASSES = re.compile(
    r"\b(?:classif\w+|sentiment|stratified|class(?:es)?|labels?|accuracy|F1|tweets?|images?|persons?|subjects?|samples)\b",
    re.IGNORECASE,
)
DESCRIBED = re.compile(  # a collection as it is distributed, or a tool
    r"\b(?:data ?sets?|collections?|corpus|corpora|benchmarks?|distribution) (?:is|are) (?:already |pre-?|further )?(?:divided|split|partitioned|separated)\b"
    r"|\b(?:script|function|command|module|flag|option|argument|component|class|library|framework)\b[^.;]{0,80}\b(?:performs?|creates?|does|makes?|handles?|splits?|splitting|runs?|provides?)\b",
    re.IGNORECASE,
)
IN_GENERAL = re.compile(
    r"\b(?:typical(?:ly)?|usual(?:ly)?|in general|generally|common(?:ly)? (?:step|done|used)|e\.g\.|can be|may be|could|should|must|will be|you|your|such as \d|lead to overfitting|TODO|planned|plan to|requires?)\b",
    re.IGNORECASE,
)
OURS = re.compile(r"\b(?:we|our|I|topics|queries|questions|ratings)\b", re.IGNORECASE)
RANKED = re.compile(
    r"\b(?:MAP|MRR|n?DCG|NDCG|RMSE)\b|\b(?:MAP|MRR|NDCG|nDCG|Recall|Precision|HR|Hits?|P|R)@\s?[\dkK]|\b[Mm]ean (?:[Aa]verage [Pp]|[Rr]eciprocal [Rr])|\bhit rates?\b"
)
CUES = (
    "split", "divid", "partition", "separat", "hold", "held", "train", "tun", "learn", "aside", "reserv", "withh", "keep", "kept", "remain", "fit", "calibrat",
    "estimat", "random", "saw", "broken", "left", "fold", "aufgeteilt", "unterteilt", "repart", "répart", "divis", "separad", "entren", "addestr", "trein", "训练",
)  # fmt: skip
ALSO = (
    "test", "result", "last", "holdout", "evaluat", "hold", "held", "split", "measur", "assess", "comput", "rest", "remain", "other", "train", "fold", "prueba",
    "évalu", "valuta", "avalia", "reserved", "auswert", "测试",
)  # fmt: skip


def check(document: Document) -> Iterator[Hit]:
    """A split that is made once, anywhere in a text that never speaks of folds."""
    first = next(_splits(document), None)
    if first is not None and not _repeated(document):
        sentence, match = first
        yield Hit("M501", *hit_span(sentence, match), match[0].replace("·", "."))


def _splits(document: Document) -> Iterator[tuple[Sentence, re.Match[str]]]:
    for sentence in document.having(*CUES, also=ALSO):
        text = flat(sentence.normal)
        match = _split(text)
        if match is None or _harmless(text, match) or not _about_topics(document, text):
            continue
        number = document.number(sentence) + 1
        if not any(IN_TIME.search(after.normal) for after in document.sentences[number : number + 2]):
            yield sentence, match
    for sentence in document.having("year"):
        match = THIS_YEAR.search(sentence.normal)
        if match is not None and not excused(sentence.normal, *match.span()):
            yield sentence, match


def _split(text: str) -> re.Match[str] | None:
    """Return the words that split topics into parts for training and for testing."""
    match = SPLIT.search(text) or KEPT_BACK.search(text) or _ratio(text)
    if match is None and CUT_UP.search(text) and not UNEVEN.search(text) and re.search(rf"\b{UNIT}\b", text, re.IGNORECASE):
        match = PARTS.search(text)
    if (
        match is not None
        and ONLINE.search(text)
        and not re.search(r"\b(?:train|tun(?:ed|ing)|test|held|hold|learn)", text, re.IGNORECASE)
    ):
        return None
    return match


def _ratio(text: str) -> re.Match[str] | None:
    """Return shares of a whole, as in 70/10/20, in a sentence about parts to train on."""
    for match in RATIO.finditer(text):
        if sum(int(part) for part in match.groups("0")) in {10, 100} and ABOUT_RATIO.search(
            text, max(0, match.start() - NEAR), match.end() + NEAR
        ):
            return match
    return None


def _harmless(text: str, match: re.Match[str]) -> bool:
    """Return whether a split is denied, given by others, made by time, or none of topics."""
    return (
        excused(text, *match.span())
        or re.search(r"n['’]t\b|\bnot\b(?! (?:been )?(?:seen|used|shown))", match[0]) is not None
        or any(pattern.search(text) for pattern in (ELSEWHERE, VALIDATION, IN_GENERAL))
        or OFFICIAL.search(SOURCE.sub("", text)) is not None
        or (DESCRIBED.search(text) is not None and OURS.search(text) is None)
    )


def _about_topics(document: Document, text: str) -> bool:
    """Return whether topics of a retrieval experiment are split: the samples of a classifier are not."""
    if CLASSES.search(text):
        return re.search(r"\b(?:topics|queries|qrels)\b", text) is not None
    return RETRIEVAL.search(text) is not None or document.mentions(RANKED)


def _repeated(document: Document) -> bool:
    """Return whether a document says that it has made more than one split."""
    for sentence in document.matching(REPEATED):
        text = sentence.normal
        for match in REPEATED.finditer(text):
            begin, stop = clause(text, *match.span())
            if not (denied(text, begin, match.start()) or AFTER.search(text, match.start(), stop) or WISHED.search(text)):
                return True
    return any(REPEATED.search(cell.text) for table in document.tables for cell in table.header)
