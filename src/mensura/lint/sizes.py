"""Numbers of topics that a text states, and what they are for."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

TRAINED, TOLD, EVALUATED = range(3)  # what topics are for, as far as a text says

NOUN = r"topics|queries|questions|requests|information needs|preguntas|consultas|perguntas|requêtes|domande|Fragen|Anfragen|запрос\w{0,2}|вопрос\w{0,2}"
USERS = r"users|sessions|playlists"
JUDGED = r"test|eval(?:uation)?|dev|validation|held[- ]?out|gold(?:en)?|ground[- ]truth|judged|labell?ed|annotated|benchmark|QA|Q&A"
SAMPLES = r"samples|examples|cases|instances|pairs|items|prompts|claims|tweets|records|entries|rows|problems"
NOT_BETWEEN = (
    r"(?!(?:of|and|or|per|to|by|from|on|over|in|for|with|at|as|is|are|than|if|times|percent|documents?|docs|passages?|papers?|relevant|results?|words|tokens|more|fewer|less|hits?"
    r"|epochs?|minutes?|seconds?|hours?|ms|candidates?|judge?ments)\b)"
)
COUNTED = re.compile(
    r"(?<![\w.,$€^@-])(?P<count>\d(?:\d|,\s?(?=\d{3}))*)\s*(?P<k>[kK])?\+?"
    rf"(?:\s+(?:{NOT_BETWEEN}[^\W\d][\w'’()/-]* ){{0,3}}(?:{NOUN}|(?P<users>{USERS})|(?P<samples>(?:{JUDGED})[- ](?:{SAMPLES})))\b"
    r"|[- ](?:query|topic|question) (?:benchmark|suite|test|set|evaluation|sample|collection)\b)"
)
PRINTED = re.compile(  # as programs print it: "Queries evaluated: 200", num_queries=50, and trec_eval's "num_q all 50"
    r"\bnum_q['\"]?\s*(?:all\s|:)\s*(?P<trec>\d{1,6})(?:\.0)?\b"
    rf"|(?<![A-Za-z])(?:(?:[Tt]opics|[Qq]ueries|[Qq]uestions|(?:[Tt]otal|{JUDGED.replace('test', '[Tt]est')}) (?:{SAMPLES}))"
    r"(?:[ _](?:evaluated|loaded|used|judged|scored|tested|processed|count|total|length))?(?: in (?:the )?(?:\w+ ){1,3})?|(?:[Qq]uery|[Qq]uestion|[Tt]opic)[ _][Cc]ount)"
    r"['\"`*)]{0,3}\s?(?:[:=|]|- )\s{0,3}\**(?P<named>\d{2,6})\b(?![.,]\d|\s?%)"
    r"|(?<![\w.])[nN]\s?=\s?(?P<n>[1-9]\d{1,6})(?![\w.,]\d|\w|[ -](?:boot|resampl|permut|seed|run|tree|doc|chunk|passage|candidate|epoch|iteration|gram))"
)
SPLIT = re.compile(  # train/val/test rows: 3,174 / 396 / 398
    r"\btrain(?:ing)?\s?/\s?(?:val\w*|dev)\s?/\s?test\b[^\d\n]{0,40}\d[\d,]*\s?/\s?(?P<dev>\d[\d,]*)\s?/\s?(?P<test>\d[\d,]*)",
    re.IGNORECASE,
)
SHARE = re.compile(r"(?P<share>\d{1,2}(?:\.\d)?)\s?(?:\\?%|per ?cent) of (?:the |all |our |these )*$")
YEAR = re.compile(r"(?:19|20)\d\d")
CUES = (
    "num_q", "topics", "queries", "questions", "requests", "information needs", "users", "sessions", "playlists", "query ", "topic ", "question ",
    "samples", "examples", " cases", " pairs", "n =", "n=", "preguntas", "consultas", "perguntas", "requêtes", "domande", "fragen", "запрос", "вопрос",
    "query_count", "train/",
)  # fmt: skip
PURPOSE = re.compile(  # words that tell what topics are for
    r"(?P<train>\btrain(?:ing|ed|s)?\b|\bfine-?tun\w+|\bpre-?train\w*|\btuning\b)"
    r"|\btest(?:s|ed|ing)?\b|\bdev(?:elopment)?\b|\bvalidat\w+|\beval\w*|\bheld[- ]?out\b|\bbenchmark\w*|\bjudged\b|\bannotated\b|\blabell?ed\b|\bgold\w*"
    r"|\bground[- ]truth\b|\bqrels\b|\bassess\w*|\bmeasured\b|\bscored\b|\baverag\w+|\bmean\b|\bresults?\b|\bsampled?\b|\bsubset\b|\bsubsample\w*"
    r"|\b(?:over|across|on)(?= (?:\w+ ){0,2}$)",
    re.IGNORECASE,
)
NO_SET = re.compile(
    r"\s?(?:/\s?(?:s|sec|second|m|min|minute|h|hour|day|user|topic|doc\w*|passage)\b|per\b|each\b|a(?:n| single)? (?:second|minute|hour|day|month|topic|user|document)\b|(?:in|within) \d)"
)
SOME = re.compile(r"\b(?:top|first|every|at least|fewer than|less than|each of|per)[- ]$", re.IGNORECASE)
BEFORE, AFTER = 60, 30  # characters around a number in which its purpose stands


class Size(NamedTuple):
    """A number of topics, and what they are for: ``TRAINED`` on, ``TOLD`` of, or ``EVALUATED``."""

    topics: int
    use: int = TOLD
    users: bool = False


@lru_cache(4096)
def sizes(text: str) -> tuple[Size, ...]:
    """Return the numbers of topics or users that a text states."""
    stated = []
    for match in COUNTED.finditer(text):
        if (
            YEAR.fullmatch(match["count"])
            or NO_SET.match(text, match.end())
            or SOME.search(text[max(0, match.start() - 12) : match.start()])
        ):
            continue
        share = SHARE.search(text, max(0, match.start() - 25), match.start())
        count = round(_count(match) * float(share["share"]) / 100) if share is not None else _count(match)
        stated.append(Size(count, _purpose(text, match), match["users"] is not None))
    if "num_q" in text or ":" in text or "=" in text or "|" in text:
        for match in PRINTED.finditer(text):
            before = PURPOSE.search(text[max(0, match.start() - AFTER) : match.end()])
            trained = before is not None and before["train"] is not None
            use = TOLD if match["n"] else TRAINED if trained else EVALUATED
            stated.append(Size(int(match["trec"] or match["named"] or match["n"]), use))
        for match in SPLIT.finditer(text):
            stated += [Size(int(match[name].replace(",", "")), EVALUATED) for name in ("dev", "test")]
    return tuple(size for size in stated if size.topics > 1)


def _count(match: re.Match[str]) -> int:
    return int(re.sub(r"\D", "", match["count"])[:9]) * (1000 if match["k"] else 1)


def _purpose(text: str, match: re.Match[str]) -> int:
    """The purpose of the counted topics: by a word among theirs, by the first after them, or the last before them in their clause."""
    after = re.split(r"[.;:,|()]|\band\b|\d", text[match.end() : match.end() + AFTER], maxsplit=1)[0]
    before = re.split(r"[.;|)]|\d", text[max(0, match.start() - BEFORE) : match.start()])[-1]
    for stretch, last in ((match[0], True), (after, False), (before, True)):
        words = list(PURPOSE.finditer(stretch))
        if words:
            return TRAINED if words[-last]["train"] else EVALUATED
    return TOLD


@lru_cache(4096)
def stated_counts(text: str) -> frozenset[int]:
    """Return the numbers of topics that a text states; numbers of users are not among them."""
    return frozenset(
        _count(match)
        for match in COUNTED.finditer(text)
        if not (match["users"] or match["samples"] or YEAR.fullmatch(match["count"]))
    ) - {0, 1}
