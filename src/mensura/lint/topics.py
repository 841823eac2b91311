"""Numbers of topics: those that a text names, and those of well-known test collections and data sets for recommendation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document
    from mensura.lint.readers.table import DocumentTable

# Collections with the number of their topics (or users) that are commonly evaluated. The first pattern that matches decides.
COLLECTIONS = tuple(
    (re.compile(rf"(?<![a-z0-9])(?:{pattern})(?![a-z0-9])", re.IGNORECASE), size)
    for pattern, size in (
        (r"trec[- ]?(?:deep[- ]learning|dl)[- ,']*(?:20)?19|(?:trec[- ]?)?dl[- ']?(?:20)?19|dl-?19-?(?:psg|passage|doc)?", 43),
        (r"trec[- ]?(?:deep[- ]learning|dl)[- ,']*(?:20)?20|(?:trec[- ]?)?dl[- ']?(?:20)?20|dl-?20-?(?:psg|passage|doc)?", 54),
        (r"(?:trec[- ]?)?(?:deep[- ]learning|dl)[- ,']*(?:20)?21", 53),
        (r"(?:trec[- ]?)?(?:deep[- ]learning|dl)[- ,']*(?:20)?22", 76),
        (r"(?:trec[- ]?)?(?:deep[- ]learning|dl)[- ,']*(?:20)?23", 82),
        (r"(?:trec[- ]?dl|trec deep learning(?: track)?)(?:[- ]hard)?(?![- ,']*(?:20)?\d\d)|dl[- ]hard", 97),
        (r"ms[- ]?marco[- ]?(?:v1[- ]?)?doc(?:ument)?s?", 5193),
        (r"ms[- ]?marco(?:[- ]?v[12])?(?:[- ]?(?:passage|dev|psg))*|tripclick|mmarco|mr\. ?tydi|miracl", 6980),
        (r"trec[- ]?covid|cord-?19", 50),
        (r"robust[- ]?(?:20)?0?4|trec[- ]robust|disks? ?4 ?(?:&|and) ?5", 249),
        (r"robust[- ]?(?:20)?0?5|core[- ]?(?:20)?1[78]|trec[- ]?common[- ]core|washington post|trec[- ]?[1-8]|wt2g|ohsumed", 50),
        (r"gov-?2|terabyte", 150),
        (r"wt10g", 100),
        (r"clueweb(?:[- ]?(?:09|12|22))?(?:[- ]?(?:cat)?[- ]?b)?|web[- ]track", 200),
        (r"vaswani|npl collection", 93),
        (r"cranfield", 225),
        (r"cacm", 52),
        (r"cisi", 76),
        (r"medline|time collection", 83),
        (r"nfcorpus", 323),
        (r"sci-?fact", 300),
        (r"fiqa(?:-?2018)?", 648),
        (r"arguana", 1406),
        (r"(?:webis-)?touch[eé](?:-?2020)?", 49),
        (r"quora", 10000),
        (r"dbpedia(?:-entity)?", 400),
        (r"sci-?docs", 1000),
        (r"climate-fever", 1535),
        (r"fever", 6666),
        (r"natural questions|nq", 3452),
        (r"hotpot-?qa", 7405),
        (r"bio-?asq", 500),
        (r"trec-news|signal-?1m", 57),
        (r"cqadupstack", 13145),
        (r"nano-?beir", 649),
        (r"beir", 13145),  # many collections, some of them large
        (r"mteb", 13145),
        (r"antique", 200),
        (r"trec[- ]?cast|ikat", 173),
        (r"longeval", 882),
        (r"mq-?2007", 1692),
        (r"mq-?2008", 784),
        (r"mslr(?:-?web)?-?[13]0k|web30k|istella(?:-s)?|yahoo!? ltrc?", 10000),
        (r"trec[- ]?tot|tip[- ]of[- ]the[- ]tongue", 150),
        (r"(?:movielens|ml)[- ]?100k", 943),
        (r"ml-latest-small|movielens[- ]latest[- ]small", 610),
        (r"(?:movielens|ml)(?:[- ]?(?:1|10|20|25|32)m)?", 6040),
        (r"hetrec2011-lastfm-2k|lastfm-?2k", 1892),
        (r"gowalla|yelp(?:-?20\d\d)?|amazon(?:[- ]?\w+)?|netflix|pinterest|tmall|taobao|foursquare|last\.?fm|douban|steam|tafeng|epinions|ciao|mind", 10000),
    )
)  # fmt: skip
COUNTED = re.compile(
    r"(?<![\d.])(\d(?:\d|,\s?(?=\d{3}))*)\s*(k)?\+?\s+(?:[A-Za-z-]+ ){0,3}(?:topics|queries|questions|requests|information needs|users)\b"
)
CUES = ("topics", "queries", "questions", "requests", "information needs", "users")
RECOMMENDS = re.compile(r"recommend|collaborative filtering|\bitems\b|click-through|session-based", re.IGNORECASE)


def allowed(topics: int) -> int:
    """Decimals that a mean over so many topics may have: one document of ten moves it by 1 / (10 · topics)."""
    return 3 + (topics >= 1_000) + (topics >= 10_000)  # noqa: PLR2004 - powers of ten


def known_topics(text: str) -> int:
    """Return the number of topics of the largest collection that a text names, 0 if it names none."""
    return max((size for pattern, size in COLLECTIONS if pattern.search(text)), default=0)


def counted(text: str) -> Iterator[int]:
    """Yield the numbers of topics that a text states."""
    for match in COUNTED.finditer(text):
        yield int(re.sub(r"\D", "", match[1])[:9]) * (1000 if match[2] else 1)


def stated_topics(document: Document) -> int:
    """Return the largest number of topics that a document speaks of, in words or by the name of a collection; 0 if it tells none."""
    sizes = [size for sentence in document.having(*CUES) for size in counted(sentence.normal)]
    sizes += [size for table in document.tables for size in counted(table.caption)]
    sizes.append(known_topics(document.text))
    return max(sizes, default=0)


def table_topics(table: DocumentTable) -> int:
    """Return the number of topics that a table tells of itself: the reader's, its caption's, its headers' and labels'."""
    if table.topics:
        return table.topics
    names = " | ".join([table.caption, *(cell.text for cell in (*table.header, *table.labels))])
    return max([*counted(names), known_topics(names)], default=0)
