"""Well-known collections, and how many topics are evaluated on each of them."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable


def _named(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![a-z0-9])(?:{pattern})(?![a-z0-9]|[ _-](?:\w+ )?sub-?(?:set|sample))", re.IGNORECASE)  # all of it


def _deep_learning(year: str) -> str:
    """The pattern of the names of TREC's Deep Learning track of a year: DL'19, TREC 2019 Deep Learning track, Deep Learning track of TREC 2019."""
    of_year, track = f"[- ,'’]*(?:20)?{year}", r"(?:deep[- ]learning|dl)(?:[- ]track)?"
    return rf"(?:trec[- ]?)?{track}{of_year}(?:-?(?:psg|passage|doc))?|trec{of_year}[- ]{track}|(?:20)?{year}[- ]trec[- ]{track}|{track} (?:of|at|from|in) (?:the )?trec{of_year}"


LANGUAGE = r"[ /:,(-]{1,3}(?:v1\.0[ /-])?"  # between the name of a collection and that of its language
MIRACL = (
    ("bn|bengali", 411), ("de|german", 305), ("en|english", 799), ("es|spanish", 648), ("fa|persian", 632), ("fi|finnish", 1271), ("fr|french", 343),
    ("hi|hindi", 350), ("id|indonesian", 960), ("ja|japanese", 860), ("ko|korean", 213), ("ru|russian", 1252), ("sw|swahili", 482), ("te|telugu", 828),
    ("th|thai", 733), ("yo|yoruba", 119), ("zh|chinese", 393),
)  # fmt: skip
# The number of topics that are evaluated on a collection; two where some evaluations leave topics out.
COLLECTIONS = tuple(
    (_named(pattern), frozenset(counts))
    for pattern, *counts in (
        (_deep_learning("19"), 43),
        (_deep_learning("20"), 45, 54),
        (_deep_learning("21"), 53, 57),
        (_deep_learning("22"), 76),
        (_deep_learning("23"), 82),
        (r"(?:trec[- ]?)?dl[- ]?hard", 50),
        (r"ms[- ]?marco[- ]?(?:v1[- ]?)?doc(?:ument)?s?[^.;|]{0,20}\bdev", 5193),
        (r"ms[- ]?marco\b[^.;|]{0,20}\bdev|dev \(small\)|marco dev", 6980),
        (r"trec[- ]?covid", 50),
        (r"robust[- ]?(?:20)?04|trec (?:2004 )?robust|disks? ?4 ?(?:&|and) ?5", 249, 250),
        (r"robust[- ]?(?:20)?05|core[- ]?(?:20)?1[78]|trec[- ]?[1-8]|wt2g", 50),
        (r"gov-?2|terabyte", 149, 150),
        (r"wt10g", 100),
        (r"vaswani", 93),
        (r"cranfield", 225),
        (r"nfcorpus", 323),
        (r"sci-?fact", 300),
        (r"fiqa(?:-?2018)?", 648),
        (r"arguana", 1406),
        (r"(?:webis-)?touch[eé](?:-?2020)?", 49),
        (r"dbpedia(?:-entity)?", 400),
        (r"sci-?docs", 1000),
        (r"climate-fever", 1535),
        (r"(?<!climate-)(?-i:FEVER|fever(?=[/-]))", 6666),
        (r"(?-i:Natural Questions|NQ|nq(?=[/-]))", 3452),
        (r"hotpot-?qa", 7405),
        (r"bio-?asq", 500),
        (r"trec-?news", 57),
        (r"signal-?1m", 97),
        (r"antique", 200),
    )
)  # fmt: skip
# Names that stand for several collections or sizes: about as many topics (or users) as the largest of them has.
ABOUT = tuple(
    (_named(pattern), size)
    for pattern, size in (
        (r"(?:trec[- ]?)?(?:dl|deep[- ]learning)(?:[- ]track)?[- ,'’]*(?:20)?(?:19|20) ?(?:and|&|/|,|\+) ?['’]?(?:20)?(?:19|2[0-3])", 97),
        (r"(?<!19[- ])(?<!2[0-3][- ])(?:trec[- ]?dl|trec[- ]deep[- ]learning(?: track)?)(?!(?:[- ]track)?[- ,'’]*(?:20)?(?:19|2[0-3])(?!\d))", 97),
        (r"ms[- ]?marco[- ]?(?:v1[- ]?)?doc(?:ument)?s?", 5193),
        (r"ms[- ]?marco(?:[- ]?v[12])?(?:[- ]?(?:passage|psg))*|tripclick|mmarco|mr\. ?tydi", 6980),
        *((rf"miracl(?={LANGUAGE}(?:{names})\b)", size) for names, size in MIRACL),
        (rf"miracl(?!{LANGUAGE}(?:{'|'.join(names for names, _ in MIRACL)})\b)", 2896),
        (r"cord-?19|trec[- ]robust|trec[- ]?common[- ]core|washington post|ohsumed", 50),
        (r"clueweb(?:[- ]?(?:09|12|22))?(?:[- ]?(?:cat)?[- ]?b)?|web[- ]track", 200),
        (r"npl collection|cacm|cisi|medline|time collection", 93),
        (r"(?-i:Quora|quora(?=[/-]))", 10000),
        (r"cqadupstack", 13145),
        (r"beir|mteb", 13145),
        (r"nano-?beir", 649),
        (r"trec[- ]?cast|ikat", 173),
        (r"(?<!202[5-9] )(?-i:LongEval|LONGEVAL)(?![- '’]*(?:20)?2[5-9])", 923),
        (r"checkthat", 1446),
        (r"squad", 10570),
        (r"trivia-?qa", 11313),
        (r"musique", 2417),
        (r"2wiki(?:multihop(?:qa)?)?", 12576),
        (r"multi-?hop-?rag", 2556),
        (r"qasper", 1451),
        (r"pubmed-?qa", 1000),
        (r"finance-?bench", 150),
        (r"longmemeval|cosqa", 500),
        (r"codesearchnet", 99),
        (r"mq-?2007", 1692),
        (r"mq-?2008", 784),
        (r"mslr(?:-?web)?-?[13]0k|web30k|istella(?:-s)?|yahoo!? ltrc?", 10000),
        (r"trec[- ]?tot|tip[- ]of[- ]the[- ]tongue", 150),
        (r"(?:movielens|ml)[- ]?100k", 943),
        (r"ml-latest-small|movielens[- ]latest[- ]small", 610),
        (r"movielens(?:[- ]?(?:1|10|20|25|32)m)?|ml[- ]?(?:1|10|20|25|32)m", 6040),
        (r"hetrec2011-lastfm-2k|lastfm-?2k", 1892),
        (r"gowalla|yelp(?:-?20\d\d)?|amazon(?:[- ]?\w+)?|netflix|pinterest|tmall|taobao|foursquare|last\.?fm|douban|(?-i:Steam)|tafeng|epinions|(?-i:MIND)", 10000),
    )
)  # fmt: skip
KNOWN = (*COLLECTIONS, *((pattern, frozenset({size})) for pattern, size in ABOUT))
BENCHMARKS = frozenset(number for number, (pattern, _) in enumerate(KNOWN) if any(map(pattern.search, ("BEIR", "MTEB"))))
# Parts of all these names, one of which is in each of them: a long text is looked through for these, and patterns see what is around.
PARTS = (
    "marco", "covid", "robust", "trec", "wt2g", "gov2", "gov-2", "terabyte", "wt10g", "vaswani", "cranfield", "nfcorpus",
    "scif", "sci-f", "scid", "sci-d", "fiqa", "arguana", "touch", "dbpedia", "fever", "nq", "hotpot", "asq", "signal1m",
    "signal-1m", "antique", "tripclick", "tydi", "miracl", "cord19", "cord-19", "ohsumed", "clueweb", "web30k", "web-track",
    "cacm", "cisi", "medline", "quora", "cqadupstack", "beir", "mteb", "ikat", "longeval", "mq2", "mq-2", "mslr", "istella",
    "yahoo", "tip-of", "movielens", "ml-", "ml1", "ml2", "ml3", "lastfm", "last.fm", "gowalla", "yelp", "amazon", "netflix",
    "pinterest", "tmall", "taobao", "foursquare", "douban", "steam", "tafeng", "epinions", "mind", "disk", "core1", "core2",
    "core-1", "core-2", "deep-learning", "dl1", "dl2", "dl-1", "dl-2", "dl-'", "dl'", "dl’", "dl,", "dl-hard", "dlhard",
    "common-core", "core 1", "core 2", "deep learning", "dl 1", "dl 2", "dl '", "dl ’", "dl hard", "web track",
    "npl collection", "time collection", "natural questions", "washington post", "tip of", "ml 1", "ml 2", "ml 3",
    "common core", "dev (small)", "checkthat", "squad", "trivia", "musique", "2wiki", "multihop", "multi-hop", "qasper", "pubmed",
    "finance", "longmemeval", "cosqa", "codesearchnet",
)  # fmt: skip
# A model that is named for the data that it was trained on: cross-encoder/ms-marco-MiniLM-L-6-v2, monot5-base-msmarco.
MODEL = re.compile(
    r"(?<![\w./-])(?=[\w./-]*(?:MiniLM|TinyBERT|BERT|[a-z]T5|electra|mpnet|encoder|colbert|splade|contriever|tas-?b|\bance\b|dpr|cocondenser|castorini/|[-_]t5|doc2query|roberta|distil|reranker|retriever|[-_](?:base|small|large)\b))"
    r"(?=[\w./-]*(?:ms-?marco|nq|fever|quora))[\w./-]+",
    re.IGNORECASE,
)
STYLE = re.compile(
    r"[-‐](?:style|like|trained|format)\b|[ _/-]+(?:\w+[ _/-]+){0,2}?train(?:ing|ed)?\b", re.IGNORECASE
)  # after a name
TRAINED = re.compile(  # before a name: the data of a model, not those of an evaluation
    r"\b(?:pre-?|fine-?)?(?:train|tun)(?:ed|ing)\b(?:(?!\b(?:and|evaluat|test|dev|then)\w*)[^.;|()\n]){0,40}$", re.IGNORECASE
)
LONG = 2_000  # characters
AROUND = 60  # characters of a name
BETWEEN = " ; "  # stretches of a long text


class Mention(NamedTuple):
    """A collection that a text names: where, its place in the list of them, and the numbers of topics that it may have."""

    start: int
    number: int
    counts: frozenset[int]


def mentioned(text: str) -> list[Mention]:
    """Return the collections that a text names, in its order; the data that a model was trained on are none."""
    return _mentioned(text) if len(text) <= LONG else _between(text, _stretches(text))


@lru_cache(4096)
def _mentioned(text: str) -> list[Mention]:
    return _between(text, [(0, len(text))])


def _between(text: str, stretches: list[tuple[int, int]]) -> list[Mention]:
    """Return the collections that stretches of a text name."""
    names = BETWEEN.join(text[start:end] for start, end in stretches).replace("_", "-")
    names = MODEL.sub(lambda match: " " * len(match[0]), names)
    places = list(accumulate((end - start + len(BETWEEN) for start, end in stretches), initial=0))

    def place(at: int) -> int:
        number = bisect_right(places, at) - 1
        return stretches[number][0] + at - places[number]

    return sorted(
        Mention(place(match.start()), number, counts)
        for number, (pattern, counts) in enumerate(KNOWN if names else ())
        for match in pattern.finditer(names)
        if not STYLE.match(names, match.end()) and not TRAINED.search(names, max(0, match.start() - AROUND), match.start())
    )


def _stretches(text: str) -> list[tuple[int, int]]:
    """Return the stretches of a long text in which a collection may be named."""
    low = text.lower()
    low = (low if len(low) == len(text) else text).replace("_", "-")
    places = []
    for part in PARTS:
        at = low.find(part)
        while at >= 0:
            places.append(at)
            at = low.find(part, at + AROUND)
    stretches: list[tuple[int, int]] = []
    for at in sorted(places):
        begin, end = max(0, at - AROUND), at + 2 * AROUND
        if stretches and begin <= stretches[-1][1]:
            stretches[-1] = stretches[-1][0], end
        else:
            stretches.append((begin, end))
    return stretches


def named(mentions: Iterable[Mention]) -> list[Mention]:
    """Return the mentions that tell a number of topics: a benchmark of several collections tells nothing beside one of these."""
    mentions = list(mentions)
    return (
        [each for each in mentions if each.number not in BENCHMARKS]
        if any(each.number not in BENCHMARKS for each in mentions)
        else mentions
    )


def collection_counts(text: str) -> frozenset[int]:
    """Return the numbers of topics of the collections that a text names, where a name stands for one collection."""
    return frozenset(count for each in mentioned(text) if each.number < len(COLLECTIONS) for count in each.counts)


def collections_in(text: str) -> frozenset[int]:
    """Return the well-known collections that a text names, by their places in the list of them."""
    return frozenset(each.number for each in mentioned(text))


def known_topics(text: str) -> int:
    """Return the number of topics of the largest collection that a text names, 0 if it names none."""
    return max((max(each.counts) for each in named(mentioned(text))), default=0)
