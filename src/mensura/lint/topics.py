"""The number of topics that belongs to the values at a place: one that is stated near them, or that of a well-known collection."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from mensura.lint.code.counts import counted
from mensura.lint.code.program import Program
from mensura.lint.known_collections import Mention, collection_counts, mentioned, named
from mensura.lint.printouts import sizes_in
from mensura.lint.sizes import CUES, EVALUATED, PURPOSE, TOLD, TRAINED, Size, sizes, stated_counts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mensura.lint.readers.document import Document
    from mensura.lint.readers.table import DocumentTable

COLUMN = re.compile(
    r"num_?q|(?:#|n_|num_|no\. of |number of |total )?\s?(?:(?:train(?:ing)?|test|dev|validation|eval(?:uation|uated)?|judged|gold)[ _])?"
    r"(?:topics|queries|questions|users|test cases|qa pairs|(?:total )?samples)(?: evaluated)?|(?:test|eval(?:uation)?) (?:set )?size",
    re.IGNORECASE,
)
WHOLE = re.compile(r"\d+(?:\.0+)?|\d{1,3}(?:,\d{3})+")
RECOMMENDS = re.compile(
    r"recommender|\brecommendations?\b(?!:)|recommending|collaborative filtering|\bitems\b|\bplaylists?\b|click-through|session-based|(?-i:[a-z0-9]Rec\b)",
    re.IGNORECASE,
)
HEADING = re.compile(
    r"^(?:[ ]{0,3}(?P<marks>\#{1,6})[ ]|\\(?P<part>part|chapter|section|subsection|subsubsection|paragraph)\b|(?P<equals>={1,5})[ ]|<h(?P<tag>[1-6])\b)",
    re.MULTILINE,
)
FEW = 50  # topics
SINGLE = re.compile(  # measures that a single document of a topic decides
    r"\b(?:hits?(?:[ _-]?(?:rate|ratio))?|success|HR|(?:P|precision|acc(?:uracy)?)(?=@1\b|_1\b)|recall|R(?=@\d)|m?rr|mean reciprocal rank|recip_rank)(?![a-z])",
    re.IGNORECASE,
)
PARTS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph")


class StatedTopics(NamedTuple):
    """The number of topics of an evaluation, 0 if it is not known, and whether the text states that they are evaluated."""

    topics: int = 0
    stated: bool = False


def allowed(topics: int, measure: str = "") -> int:
    """Decimals that a mean over so many topics may have: one document of ten moves it by 1 / (10 · topics).

    By a measure for which a single document decides about a topic, as for success, one moves it by 1 / topics: over fewer than fifty
    topics that is more than two units of the second decimal.
    """
    return 2 if 0 < topics < FEW and SINGLE.search(measure) else max(3, len(str(topics)))


def decide(stated: Iterable[Size], mentions: Iterable[Mention] = (), *, main: bool = False) -> StatedTopics:
    """Return the number of topics of an evaluation: the largest that may be it; of the collections only the ``main`` one, if asked for.

    Numbers of topics that are evaluated come before all others. If one of them is not that of a collection, it is one of a part of a
    collection, or of one's own: then the collections that are named say nothing. Topics to train on are none of an evaluation.
    """
    stated, mentions = list(stated), named(mentions)
    evaluated = {size.topics for size in stated if size.use == EVALUATED}
    if evaluated - {count for mention in mentions for count in mention.counts}:
        return StatedTopics(max(evaluated), stated=True)
    often = Counter(max(mention.counts) for mention in mentions)
    collections = sorted(often, key=lambda size: (often[size], size))[-1:] if main else list(often)
    return StatedTopics(
        max([*(size.topics for size in stated if size.use != TRAINED), *collections], default=0), stated=bool(evaluated)
    )


def in_text(text: str) -> StatedTopics:
    """Return the number of topics that a short text states, in words or by the names of collections."""
    return decide(sizes(text), mentioned(text))


def stated_topics(document: Document) -> int:
    """Return the number of topics of the evaluation in a document, 0 if it states none."""
    return topics_in(document).whole.topics


@lru_cache(1)
def topics_in(document: Document) -> TopicNumbers:
    """Return what a document states of its topics, read once for all rules."""
    return TopicNumbers(document)


@dataclass(eq=False)
class TopicNumbers:
    """The numbers of topics that a document states, and where."""

    document: Document

    @cached_property
    def statements(self) -> list[tuple[int, Size]]:
        """Places and numbers, in the order of the document."""
        stated = [(sentence.start, size) for sentence in self.document.having(*CUES) for size in sizes(sentence.normal)]
        for table in self.document.tables:
            stated += [(table.start, size) for size in (*sizes(table.caption), *(size for _, size in counts_in(table)))]
        stated += [(output.start, size) for output in self.document.outputs for size in sizes_in(output)]
        own = [block for block in self.document.code if not block.shown]
        stated += counted(Program(own)) if own else []
        return sorted(stated)

    @cached_property
    def sections(self) -> list[tuple[int, int, int]]:
        """Beginnings and ends of sections, and the place of the section that each is in; the whole document is the first."""
        end = len(self.document.text)
        sections, depths = [(0, end, -1)], [(0, 0)]  # of open sections: depth and place
        for match in HEADING.finditer(self.document.text):
            part = match["part"]
            depth = 1 + PARTS.index(part) if part else int(match["tag"] or len(match["marks"] or match["equals"]))
            while depths[-1][0] >= depth:
                _, number = depths.pop()
                sections[number] = sections[number][0], match.start(), sections[number][2]
            sections.append((match.start(), end, depths[-1][1]))
            depths.append((depth, len(sections) - 1))
        return sections

    @cached_property
    def mentions(self) -> list[Mention]:
        """The collections that the document names."""
        return mentioned(self.document.text)

    @cached_property
    def whole(self) -> StatedTopics:
        """The number that the whole document states."""
        return self._inside(0)

    def at(self, place: int) -> StatedTopics:
        """Return the number of topics of the values at a place: by the innermost section that states one that is evaluated.

        What sections inside of it state of other numbers, or of collections, may be that of the values too. Few topics are only stated
        if the document tells of no more anywhere.
        """
        number = bisect_right(self.sections, (place, len(self.document.text), len(self.sections))) - 1
        held = 0
        while number >= 0:
            known = self._inside(number)
            if known.stated:
                return (
                    StatedTopics(known.topics, known.topics >= FEW or self.most < FEW)
                    if known.topics >= held
                    else StatedTopics(held)
                )
            held = max(held, known.topics)
            number = self.sections[number][2]
        return StatedTopics(held)

    @cached_property
    def most(self) -> int:
        """The largest number of topics that the document tells of, or that a collection has that it names."""
        told = (size.topics for _, size in self.statements if size.use != TRAINED)
        return max([*told, *(count for mention in self.mentions for count in mention.counts)], default=0)

    @cached_property
    def _known(self) -> dict[int, StatedTopics]:
        return {}

    def _inside(self, number: int) -> StatedTopics:
        """Return what a section states, with those inside of it."""
        if number not in self._known:
            start, end, _ = self.sections[number]
            stated, mentions = self.statements, self.mentions
            self._known[number] = decide(
                (size for _, size in stated[bisect_left(stated, (start,)) : bisect_left(stated, (end,))]),
                mentions[bisect_left(mentions, (start,)) : bisect_left(mentions, (end,))],
                main=True,
            )
        return self._known[number]


def table_topics(table: DocumentTable) -> StatedTopics:
    """Return the number of topics that a table states of itself: in its caption, its headers or its labels."""
    if table.topics:
        return StatedTopics(table.topics, stated=True)
    names = " | ".join([table.caption, *(cell.text for cell in (*table.header, *table.labels))])
    own = [size._replace(use=EVALUATED) if size.use == TOLD else size for _, size in counts_in(table)]
    return decide([*sizes(names), *own], mentioned(names))


def counts_in(table: DocumentTable) -> Iterator[tuple[str, Size]]:
    """Yield the numbers of topics in the columns and rows of a table for them, with the name of the row or column that each is in."""
    if not any(COLUMN.fullmatch(cell.text.strip()) for cell in (*table.header, *table.labels)):
        return
    for row, column, cell in table.body():
        if WHOLE.fullmatch(cell.text):
            above, left = table.above(row, column), table.left(row)
            for own, others in ((above, left), (left, above)):
                if own and COLUMN.fullmatch(own[-1].strip()):
                    word = PURPOSE.search(" ; ".join((*own, *others)))
                    use = TOLD if word is None else TRAINED if word["train"] else EVALUATED
                    yield " ".join(others[-1:]), Size(int(cell.text.replace(",", "").partition(".")[0]), use)


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
