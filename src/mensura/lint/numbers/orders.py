"""N019: claims about all measures, or all collections, against the tables beside them: ``A outperforms B on all metrics``, ``A is the best on every measure``."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from mensura.lint.numbers.known import MARK, Known, TableValue, masked, without_measures
from mensura.lint.numbers.marks import ASIDE, beats
from mensura.lint.numbers.repeated import BEFORE
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document, Sentence

KINDS = r"(?:metrics?|measures?|cut-?offs?|datasets?|data sets?|collections?|benchmarks?|corpora)"
ALL = re.compile(
    r"\b(?:across|on|in|for|over|by|under|at|with respect to|in terms of) (?:(?:all|every|each)(?: of)?|both)(?: (?:the|our|these|those|its))?"
    rf"(?: (?!other\b|remaining\b|but\b|non)[\w-]+){{0,2}}? (?P<of>{KINDS})\b|\bacross the board\b",
    re.IGNORECASE,
)
MEASURES = re.compile(r"metric|measure|cut", re.IGNORECASE)
ADVERBS = r"(?:(?:consistently|significantly|clearly|substantially|always|also|even|[a-z]+ly) ){0,2}"
BEATS = re.compile(
    rf"(?P<one>{MARK}),? {ADVERBS}(?:outperform(?:s|ed|ing)?|surpass(?:es|ed|ing)?|beats?|exceed(?:s|ed|ing)?|dominat(?:es?|ed)"
    rf"|(?:(?:is|are|was|were|performs?|performed|scores?|scored|ranks?|works?|worked) )?{ADVERBS}(?:better than|superior to|above|higher than|more effective than))"
    rf" (?:both )?(?:the )?(?:baselines? )?(?P<two>{MARK})(?: (?:baseline|model|method|run|system))?(?: and (?:the )?(?P<three>{MARK}))?"
)
RESULT = r"(?:[ -]?(?:performing|scoring|retrieval|overall|ranking)){0,2}(?: (?:systems?|runs?|models?|methods?|approach|configuration|retrievers?|rankers?|results?|scores?|values?|performance|effectiveness))?"
BEST = re.compile(
    rf"(?P<one>{MARK})(?: (?:model|method|run|system))? {ADVERBS}(?:(?:is|was|performs?|performed|achieve[sd]?|obtain(?:s|ed)|reach(?:es|ed)|gets|got|has|had|shows?|showed|yields?|yielded|gives?|delivers?|remains) "
    rf"{ADVERBS}(?:the )?(?:overall )?(?:best|highest|strongest|top){RESULT}|wins|won|leads|ranks first|ranked first) (?={ALL.pattern.replace('(?P<of>', '(?:')})"
    rf"|\b(?:best|highest|strongest|top){RESULT} (?:{ALL.pattern.replace('(?P<of>', '(?:')}) (?:is|was|are) (?:the )?(?:\w+ )?(?P<name>{MARK})",
    re.IGNORECASE,
)
NOT_ALL = re.compile(
    r"\b(?:nearly|almost|most|mostly|nor|not|no|never|neither|cannot|except\w*|but|however|although|though|while|whereas|unless|if|whether|would|could|should|might|may|expect\w*|hypothes\w+|comparable|similar\w*|equal\w*|or|tie[sd]?|second|third|worst|lowest"
    r"|among|amongst|besides|apart|other than|on average|averaged (?:over|across)|paper|papers|reported|prior|previous\w*|et al|earlier|claim\w*|trade-?offs?|initially|for (?:long|short|hard|easy|rare)|some|several|few|half|each other|respectively|family|families|than all|statistic\w*)\b|n't\b|\?",
    re.IGNORECASE,
)
LEAST = 2  # values that two systems have in common
MOST = 600  # characters of a sentence
BEYOND = 40  # characters behind a claim, which may restrict it
FARTHEST = 6000  # characters between a claim and its table
TABLE = re.compile(r"\bTab(?:le|\.)\s?(?P<number>[\dIVX]+)")
UNREAD = re.compile(r"(?:\d?\.\d{2,}\D{1,12}){5}")  # numbers of a table that was not read


def check(document: Document, known: Known) -> Iterator[Hit]:
    """Yield claims that one system is better than another, or than all, by all measures, where the next table has a value that says otherwise."""
    if not known.tables:
        return
    for sentence in document.having(" all ", " every ", " each ", " both ", "across the board"):
        match = ALL.search(sentence.normal)
        if match is not None and len(sentence.normal) <= MOST and not NOT_ALL.search(sentence.normal, 0, match.end() + BEYOND):
            for own, rivals in _claims(sentence.normal, known):
                several = match["of"] is not None and MEASURES.match(match["of"]) is None
                detail = _contradiction(sentence, own, rivals, known, several=several)
                if detail:
                    yield Hit("N019", *sentence.span(*match.span()), detail)
                    break


def _claims(text: str, known: Known) -> Iterator[tuple[str, list[str]]]:
    """Yield a system with another that it is said to beat, or with none if it is said to be the best."""
    text, places = masked(text, known.systems)
    named = [system for _, system in places]
    match = BEATS.search(text)
    if match is not None:
        names = [named[int(match[group][1:-1])] for group in ("one", "two", "three") if match[group]]
        before = text[: match.start()]
        if not BEFORE.search(before):
            yield from ((names[0], [other]) for other in names[1:])
        return
    match = BEST.search(text)
    if match is not None and len(named) == 1 and not BEFORE.search(text[: match.start("one")] if match["one"] else ""):
        yield named[0], []


def _pairs(known: Known, system: str, rivals: list[str]) -> dict[int, list[tuple[TableValue, TableValue]]]:
    """The values of a system with those of its rivals, or of all, by the same measures and headers, by the place of their table."""
    pairs: dict[int, list[tuple[TableValue, TableValue]]] = defaultdict(list)
    own = [entry for (name, _), entries in known.index.items() if name == system for entry in entries]
    others = [(name, key) for name, key in known.index if name != system and (not rivals or name in rivals)]
    for entry in own:
        for place in others:
            for other in known.index[place] if place[1] == entry.measure.key else ():
                if other.table is entry.table and other.context == entry.context:
                    pairs[entry.table.start].append((entry, other))
    return {start: both for start, both in pairs.items() if len({entry.cell for entry, _ in both}) >= LEAST}


def _contradiction(sentence: Sentence, system: str, rivals: list[str], known: Known, *, several: bool) -> str:
    """Return a contradiction if the last table before the sentence and the first after it, as far as there are any, have one each."""
    pairs = _pairs(known, system, rivals)
    last = known.document.sentences[max(known.document.number(sentence) - 1, 0)]
    numbers = {match["number"] for each in (last, sentence) for match in TABLE.finditer(each.normal)}
    after, before = [start for start in pairs if start > sentence.start], [start for start in pairs if start <= sentence.start]
    details = []
    for start in sorted({*sorted(after)[:1], *sorted(before)[-1:]}, key=lambda start: abs(start - sentence.start)):
        worse = [(own, other) for own, other in pairs[start] if beats(other.value, own.value) and not ASIDE.search(other.system)]
        if not worse or known.of_another(worse[0][0], sentence.normal) or _is_other_table(worse[0][0], numbers, sentence, known):
            return ""
        if several and len({_rest(own) for own, _ in pairs[start]}) < LEAST:
            return ""
        own, other = worse[0]
        values = f"{other.value.plain} by {own.measure.label}, more than {own.value.plain} of {own.system}"
        details.append(f"{other.system} has {values}, {known.place(own.cell)}")
    return details[0] if details else ""


def _rest(entry: TableValue) -> tuple[str, ...]:
    """Return what headers and labels say beside the measure: the collection."""
    return tuple(words for name in entry.context if (words := without_measures(name)))


def _is_other_table(entry: TableValue, numbers: set[str], sentence: Sentence, known: Known) -> bool:
    """Return whether a sentence may be about another table: one with another number, one far away, or one that was not read."""
    named = TABLE.search(entry.table.caption)
    low, high = sorted((sentence.start, entry.table.start))
    if numbers and named is not None:
        return named["number"] not in numbers
    between = known.document.plain[low:high]
    return bool(numbers) or high - low > FARTHEST or UNREAD.search(between) is not None
