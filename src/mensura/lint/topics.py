"""Numbers of topics: those that a text states, and those of well-known collections."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document
    from mensura.lint.readers.table import DocumentTable


def _named(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![a-z0-9])(?:{pattern})(?![a-z0-9]|[ _-](?:\w+ )?sub-?(?:set|sample))", re.IGNORECASE)  # all of it


def _deep_learning(year: str) -> str:
    """The pattern of the names of TREC's Deep Learning track of a year: DL'19, TREC 2019 Deep Learning track, Deep Learning track of TREC 2019."""
    of_year, track = f"[- ,'’]*(?:20)?{year}", r"(?:deep[- ]learning|dl)(?:[- ]track)?"
    return rf"(?:trec[- ]?)?{track}{of_year}(?:-?(?:psg|passage|doc))?|trec{of_year}[- ]{track}|(?:20)?{year}[- ]trec[- ]{track}|{track} (?:of|at|from|in) (?:the )?trec{of_year}"


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
        (r"ms[- ]?marco(?:[- ]?v[12])?(?:[- ]?(?:passage|psg))*|tripclick|mmarco|mr\. ?tydi|miracl", 6980),
        (r"cord-?19|trec[- ]robust|trec[- ]?common[- ]core|washington post|ohsumed", 50),
        (r"clueweb(?:[- ]?(?:09|12|22))?(?:[- ]?(?:cat)?[- ]?b)?|web[- ]track", 200),
        (r"npl collection|cacm|cisi|medline|time collection", 93),
        (r"(?-i:Quora|quora(?=[/-]))", 10000),
        (r"cqadupstack|beir|mteb", 13145),
        (r"nano-?beir", 649),
        (r"trec[- ]?cast|ikat", 173),
        (r"longeval", 882),
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
    "common core", "dev (small)",
)  # fmt: skip
# A model that is named for the data that it was trained on: cross-encoder/ms-marco-MiniLM-L-6-v2, monot5-base-msmarco.
MODEL = re.compile(
    r"(?<![\w./-])(?=[\w./-]*(?:MiniLM|TinyBERT|BERT|[a-z]T5|electra|mpnet|encoder|colbert|splade|contriever|tas-?b|\bance\b|dpr|cocondenser|castorini/))"
    r"(?=[\w./-]*(?:ms-?marco|nq|fever|quora))[\w./-]+",
    re.IGNORECASE,
)
LONG = 2_000  # characters
AROUND = 60  # characters of a name

COUNTED = re.compile(
    r"(?<![\d.,])(?P<count>\d(?:\d|,\s?(?=\d{3}))*)\s*(?P<k>[kK])?\+?(?:\s+(?:[A-Za-z-]+ ){0,3}"
    r"(?:topics|queries|questions|requests|information needs|(?P<users>users|sessions|playlists))\b"
    r"|[- ](?:query|topic|question) (?:benchmark|suite|test|set|evaluation|sample|collection)\b)"
)
PRINTED = re.compile(  # as programs print it: "Queries evaluated: 200", and trec_eval's "num_q all 50"
    r"\bnum_q\s+all\s+(?P<trec>\d{1,6})\b"
    r"|\b(?:[Nn]umber of |[Nn]um(?:ber)?[_ ])?(?:[Tt]est |[Ee]val(?:uation)? )?(?:[Tt]opics|[Qq]ueries|[Qq]uestions)(?: (?:evaluated|loaded|used|judged))?\s?[:=]\s?(?P<named>\d{2,6})\b(?![.,]\d)"
)
COLUMN = re.compile(r"num_?q|(?:#|n_|num_|number of )?\s?(?:topics|queries|questions)", re.IGNORECASE)
YEAR = re.compile(r"(?:19|20)\d\d")
CUES = (
    "num_q", "topics", "queries", "questions", "requests", "information needs", "users", "sessions", "playlists", "query ", "topic ", "question ",
)  # fmt: skip
RECOMMENDS = re.compile(
    r"recommender|\brecommendations?\b(?!:)|recommending|collaborative filtering|\bitems\b|\bplaylists?\b|click-through|session-based|(?-i:[a-z0-9]Rec\b)",
    re.IGNORECASE,
)


def allowed(topics: int) -> int:
    """Decimals that a mean over so many topics may have: one document of ten moves it by 1 / (10 · topics)."""
    return max(3, len(str(topics)))


@lru_cache(4096)
def stated_counts(text: str) -> frozenset[int]:
    """Return the numbers of topics that a text states; numbers of users are not among them."""
    return frozenset(
        _count(match) for match in COUNTED.finditer(text) if not match["users"] and not YEAR.fullmatch(match["count"])
    ) - {0, 1}


@lru_cache(4096)
def collection_counts(text: str) -> frozenset[int]:
    """Return the numbers of topics of the collections that a text names, where a name stands for one collection."""
    names = _names(text)
    return frozenset(count for pattern, counts in COLLECTIONS if pattern.search(names) for count in counts)


@lru_cache(512)
def collections_in(text: str) -> frozenset[int]:
    """Return the well-known collections that a text names, by their places in the list of them."""
    names = _names(text)
    return frozenset(number for number, (pattern, _) in enumerate((*COLLECTIONS, *ABOUT)) if pattern.search(names))


@lru_cache(64)
def _names(text: str) -> str:
    """Return a short text as it is, and of a long one the stretches in which a collection may be named."""
    if len(text) <= LONG:
        return MODEL.sub(" ", text)
    low = text.lower()
    low = low if len(low) == len(text) else text
    places = []
    for part in PARTS:
        at = low.find(part)
        while at >= 0:
            places.append(at)
            at = low.find(part, at + AROUND)
    stretches: list[list[int]] = []
    for at in sorted(places):
        if stretches and at - AROUND <= stretches[-1][1]:
            stretches[-1][1] = at + 2 * AROUND
        else:
            stretches.append([max(0, at - AROUND), at + 2 * AROUND])
    return MODEL.sub(" ", " ; ".join(text[start:end] for start, end in stretches))


def counted(text: str) -> Iterator[int]:
    """Yield the numbers of topics or users that a text states."""
    yield from (_count(match) for match in COUNTED.finditer(text) if not YEAR.fullmatch(match["count"]))
    if "num_q" in text or ":" in text or "=" in text:
        yield from (int(match["trec"] or match["named"]) for match in PRINTED.finditer(text))


def _count(match: re.Match[str]) -> int:
    return int(re.sub(r"\D", "", match["count"])[:9]) * (1000 if match["k"] else 1)


def known_topics(text: str) -> int:
    """Return the number of topics of the largest collection that a text names, 0 if it names none."""
    names = _names(text)
    about = (size for pattern, size in ABOUT if pattern.search(names))
    return max([*collection_counts(text), *about], default=0)


def stated_topics(document: Document) -> int:
    """Return the largest number of topics that a document speaks of, in words or by the name of a collection; 0 if it states none."""
    sizes = [size for sentence in document.having(*CUES) for size in counted(sentence.normal)]
    sizes += [size for table in document.tables for size in (*counted(table.caption), *_in_columns(table))]
    sizes.append(_main_collection(document.text))
    return max(sizes, default=0)


def _main_collection(text: str) -> int:
    """Return the number of topics of the collection that a text names most often: a model may be named for the data that it was trained on."""
    mentions: dict[int, int] = {}
    text = _names(text)
    for pattern, size in (*((pattern, max(counts)) for pattern, counts in COLLECTIONS), *ABOUT):
        count = sum(1 for _ in pattern.finditer(text))
        if count:
            mentions[size] = max(mentions.get(size, 0), count)
    return max(mentions, key=lambda size: (mentions[size], size), default=0)


def table_topics(table: DocumentTable) -> int:
    """Return the number of topics that a table states of itself: in its caption, its headers or its labels."""
    if table.topics:
        return table.topics
    names = " | ".join([table.caption, *(cell.text for cell in (*table.header, *table.labels))])
    return max([*counted(names), *_in_columns(table), known_topics(names)], default=0)


def _in_columns(table: DocumentTable) -> Iterator[int]:
    """Yield the numbers of topics in a column for them."""
    columns = {column for column, cell in enumerate(table.header) if COLUMN.fullmatch(cell.text.strip())}
    for _, column, cell in table.body() if columns else ():
        if column in columns and re.fullmatch(r"\d+(?:\.0+)?|\d{1,3}(?:,\d{3})+", cell.text):
            yield int(cell.text.replace(",", "").partition(".")[0])


def topics_of(document: Document, table: DocumentTable, *texts: str) -> frozenset[int]:
    """Return the numbers of topics that the cells below some headers may have: from the headers, the caption, or the whole text.

    The nearest statement counts; nothing is known if the text states several numbers.
    """
    for text in (" ; ".join(texts), table.caption):
        counts = stated_counts(text) or collection_counts(text)
        if counts:
            return counts
    counts = frozenset(count for sentence in document.having(*CUES) for count in stated_counts(sentence.normal))
    return counts if len(counts) == 1 else frozenset()
