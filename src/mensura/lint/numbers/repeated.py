"""N008: a value in the text against the cell of the table that it repeats; N007: the best of a table in the text."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mensura.lint.numbers.changes import VAGUE
from mensura.lint.numbers.known import Known, TableValue, same, systems_in
from mensura.lint.numbers.marks import ASIDE
from mensura.lint.numbers.names import MeasureName, measures_in
from mensura.lint.readers.printed import NUMBER, Printed, in_range, printed
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document, Sentence

SAID = re.compile(
    r"\s?(?:scores?|values?)?\s?(?:(?:of|for) (?:the )?[\w+\-./]{1,25}(?: [\w+\-./]{1,20})? (?=is|was|=|:|reach|equals))?(?:of|is|was|=|:|reaches|reached|equals)\s?"
    r"|, (?:the )?[\w+\-./]{1,25}(?: [\w+\-./]{1,20})? (?:scores|reaches|obtains|achieves|attains|yields|gets|has) (?:a (?:value|score) of )?"
)
CHANGES = re.compile(
    r"\b(?:improv\w+|increas\w+|gain\w*|relative\w*|outperform\w*|better|worse|differ\w*|drop\w*|reduc\w+|decreas\w+)\b",
    re.IGNORECASE,
)
OF_MEASURE = re.compile(r" (?:scores? |values? )?(?:of|for) (?:the )?")
UNIT = re.compile(r"\s(?:in |for |of )?(?:terms of )?")
ALSO = re.compile(r" (?:on|for|in) (?:the )?[\w\-. ]{2,40}?,? (?:and|&) (?:an? )?")  # 0.51 on this and 0.48 on that
PLACE = re.compile(r" (?:on|for|in) (?:the )?[\w\-. ]{2,40}?(?=,| and | & |[.;:)]|$)")
CLAUSE = re.compile(
    r"[;—]|,(?! ?\d)|\b(?:while|whereas|but|although|compared|versus|vs|against|outperform\w*|surpass\w*|exceed\w*|beat\w*|over|than)\b",
    re.IGNORECASE,
)
ELSEWHERE = re.compile(
    r"\b(?:previous\w*|prior|reported|et al|published|original\w*|by|baseline of|best known|state[- ]of[- ]the[- ]art|earlier|would|could|should|might|if|instead|without|removing|ablat\w*|variant|validation|dev(?:elopment)?|train\w*|each|per|range\w*|between|average\w*|mean of|improv\w*|increas\w*|gain\w*|differ\w*|drop\w*|from|to|initial\w*|old\w*|version|v\d+|before|after|epochs?|steps?|checkpoint|iteration|seed|folds?|subset|samples?|first|second|target\w*|goal|expect\w*|aim\w*|threshold|required?|until|only (?:on|for|with)|when|where|k ?=|top|sub\w*|hard|easy|short|long)\b",
    re.IGNORECASE,
)
LEAD = re.compile(r"(?:On|In|For|With|Without|At|After|Before|Using|When|If|Among|Across|Over|By|Under)\b[^,]{1,80},")
OWN = re.compile(
    r"\bour (?:[\w-]+ ){0,2}(?:approach|method|model|system|framework|retriever|ranker|reranker|pipeline)\b|^\s?we (?:achieve|obtain|reach|report)",
    re.IGNORECASE,
)
BEFORE = re.compile(
    r"\b(?:tuned|fine-?tuned|hybrid|zero-shot|few-shot|distilled|vanilla|default|larger?|smaller?|base|multilingual|quanti[sz]ed|compressed|pruned|ensemble|modified|optimi[sz]ed|weighted|expanded|no|[\w-]+\+|with|of|on|over|using|via|per|like|as|and|or)\s$|[+/&-]\s?$",
    re.IGNORECASE,
)
AFTER = re.compile(
    r"\s?(?:[+/&]|(?:with (?!an? |the )|using|plus|on top|followed|fine-?tuned|trained|w/|and|or|variant|baseline with|large|small|base|v\d)\b)|-\w|\s?\(",
    re.IGNORECASE,
)
ANOTHER = re.compile(
    r"\b(?:previous\w*|prior|reported|et al|published|original\w*|validation|dev(?:elopment)?|train\w*|improv\w*|gain\w*|increas\w*|drop\w*|decreas\w*|differ\w*|from)\b",
    re.IGNORECASE,
)
HIGHEST = re.compile(
    r"\b(?:achieves?|achieved|has|had|obtains?|obtained|reaches|reached|yields?|yielded|gets|shows?|attains?|attained|delivers?|gives?)(?: by far)? the (?:overall )?(?:best|highest|strongest) (?:\w+ )?(?=[A-Za-z]\w*@|n?DCG|MAP|MRR|[Pp]recision|[Rr]ecall|RBP|F1)"
)
RESTRICTED = re.compile(
    r"\b(?:among|amongst|except|besides|apart|after|within|second|third|one of|single|only|between|on|for|when|where|if|with|without|than|of (?:the|all|our) \w+ (?:models|systems|runs|methods)|but|while|although|except|improv\w*|gain\w*|category|group|family|class|per|each|most|some|both|either|neither|not|previous\w*|reported|validation|dev|train\w*)\b",
    re.IGNORECASE,
)
ONE = r"\d{0,3}\.\d{1,4}\s?%?"
BETWEEN = re.compile(rf"\b(?:between|(?:rang|var)\w+ from) (?P<low>{ONE}) (?:and|to) (?P<high>{ONE})", re.IGNORECASE)
ALL = re.compile(
    r"\ball (?:of )?(?:the |our |\d+ |[a-z]+ )?(?:systems|runs|models|methods|rankers|retrievers|approaches|rows)\b", re.IGNORECASE
)
FEW = 3  # systems of a range
LIST = re.compile(rf"(?P<values>(?<![\w.]){ONE}(?:, {ONE})*,? (?:and|&) {ONE})(?:[^.;\d]{{0,60}})\brespectively\b", re.IGNORECASE)


def check(document: Document, known: Known) -> Iterator[Hit]:
    """Yield values of a system and a measure that are not those of the only cell for them."""
    if not known.tables:
        return
    yield from _repeated(document, known)
    for sentence in document.having("best", "highest", "strongest"):
        yield from _best(sentence, known)
    for sentence in document.having(" all ", also=("between", "from")):
        yield from _ranged(sentence, known)
    for sentence in document.having("respectively"):
        for value, detail in _respectively(sentence.normal, known):
            yield Hit("N008", *sentence.span(value.start, value.end), detail)


def _repeated(document: Document, known: Known) -> Iterator[Hit]:
    """Values of the text that are not those of their cells; none where the text has several for one cell, e.g. one for each query."""
    others: dict[TableValue, list[tuple[Sentence, SaidValue]]] = defaultdict(list)
    for sentence in document.having(
        "map", "ndcg", "mrr", "precision", "recall", "@", "f1", "rbp", "err", "bpref", "accuracy", "auc"
    ):
        for claim in statements(sentence.normal):
            entry = _meant(sentence.normal, claim, known)
            if entry is not None and not same(claim.value, entry.value):
                others[entry].append((sentence, claim))
    for entry, claims in others.items():
        if len({claim.value.value for _, claim in claims}) > 1:
            continue
        for sentence, claim in claims:
            if known.contradicts(claim.value, entry.value) and not known.of_another(entry, claim.words):
                cell = f"{entry.value.plain} for {entry.system} in the table, {known.place(entry.cell)}"
                yield Hit(
                    "N008", *sentence.span(claim.value.start, claim.value.end), f"{claim.value.plain} is printed here, but {cell}"
                )


@dataclass(frozen=True, slots=True)
class SaidValue:
    """A value of a measure in a sentence: the words that may name its system, and those that may name its collection."""

    measure: MeasureName
    value: Printed
    subject: str
    words: str


def statements(text: str) -> Iterator[SaidValue]:
    """Yield the values of a sentence that are said to be those of a measure: ``an nDCG@10 of 0.51``, ``0.51 nDCG@10``, ``(nDCG@10: 0.51)``."""
    names = measures_in(text)
    if not names:
        return
    last: tuple[MeasureName, Printed] | None = None
    for number in (printed(match) for match in NUMBER.finditer(text)):
        if (
            number.signed
            or (number.percent and CHANGES.search(text))
            or VAGUE.search(text[max(0, number.start - 24) : number.start])
            or in_range(text, number)
        ):
            last = None
            continue
        measure = _measure(text, names, number)
        if (
            measure is None
            and last is not None
            and ALSO.fullmatch(text[last[1].end : number.start])
            and PLACE.match(text[number.end :])
        ):
            measure = last[0]
        last = None if measure is None else (measure, number)
        if measure is None or not (number.decimals >= 2 or (number.decimals and number.value > 1)):  # noqa: PLR2004 - decimals of a score
            continue
        subject = _subject(text, min(measure.start, number.start), max(measure.end, number.end))
        place = PLACE.match(text[max(measure.end, number.end) :])
        if subject is not None:
            yield SaidValue(measure, number, subject, place[0] if place is not None else text)


def _measure(text: str, names: tuple[MeasureName, ...], number: Printed) -> MeasureName | None:
    """Return the measure whose value a number is: the one right before it, or right after it."""
    before = [name for name in names if name.end <= number.start]
    if before:
        between = text[before[-1].end : number.start]
        if SAID.fullmatch(between) or (between == " " and text[: before[-1].start].endswith("(")):
            return before[-1]
    after = [name for name in names if name.start >= number.end]
    return after[0] if after and UNIT.fullmatch(text[number.end : after[0].start]) else None


def _subject(text: str, start: int, end: int) -> str | None:
    """Return the words before a value, or all of its clause, that name what has the value; nothing if it may be about something else."""
    opening = text.rfind("(", 0, start)
    if opening >= 0 and text.find(")", opening, start) < 0:
        before = text[:opening].rstrip()
        return None if ELSEWHERE.search(before) or ELSEWHERE.search(text[opening:start]) else f"{before}("
    begin = max((match.end() for match in CLAUSE.finditer(text, 0, start)), default=0)
    stop = CLAUSE.search(text, end)
    clause = text[begin : stop.start() if stop is not None else len(text)]
    lead = LEAD.match(text)
    return None if ELSEWHERE.search(clause) or (lead is not None and ELSEWHERE.search(lead[0])) else clause


def _meant(text: str, claim: SaidValue, known: Known) -> TableValue | None:
    """Return the only cell that a claim may repeat."""
    systems = systems_in(claim.subject, known.systems)
    if claim.subject.endswith("("):  # the name before the bracket
        systems = [system for system in systems if claim.subject.endswith(f"{system}(")]
    elif not systems and known.ours is not None and OWN.search(claim.subject) and not systems_in(text, known.systems):
        systems = [known.ours]
    if len(systems) != 1 or _modified(claim.subject, systems[0]):
        return None
    return known.entry(systems[0], claim.measure.key, claim.words)


def _modified(subject: str, system: str) -> bool:
    """Return whether words beside the name of a system make it another one, as in ``tuned BM25`` or ``BM25 with RM3``."""
    subject = subject.removesuffix("(")
    match = re.search(rf"(?<![\w-]){re.escape(system)}", subject)
    if match is not None and any(OF_MEASURE.fullmatch(subject, name.end, match.start()) for name in measures_in(subject)):
        return AFTER.match(subject[match.end() :]) is not None
    return match is not None and (BEFORE.search(subject[: match.start()]) or AFTER.match(subject[match.end() :])) is not None


def _best(sentence: Sentence, known: Known) -> Iterator[Hit]:
    """A system that is said to have the highest value of a measure, where another row of the only table for both has a higher one."""
    text = sentence.normal
    match = HIGHEST.search(text)
    names = {name.key for name in measures_in(text)}
    if match is None or len(names) != 1 or RESTRICTED.search(text):
        return
    measure = next(iter(names))
    named = systems_in(text[: match.start()], known.systems)
    own = known.cell(named[0], measure) if len(named) == 1 and len(systems_in(text, known.systems)) == 1 else None
    rivals = {system: known.cell(system, measure) for system, key in known.index if key == measure}
    if own is None or any(cell is None for cell in rivals.values()) or any(ASIDE.search(system) for system in rivals):
        return
    best, cell = max(((system, cell) for system, cell in rivals.items() if cell is not None), key=lambda pair: pair[1].value)
    if cell.decimals == own.decimals and cell.percent == own.percent and cell.value > own.value:
        detail = f"{named[0]} is called the best here, with {own.plain} in the table, but {best} has {cell.plain}"
        yield Hit("N007", *sentence.span(*match.span()), detail)


def _ranged(sentence: Sentence, known: Known) -> Iterator[Hit]:
    """A range of all systems by a measure, where one end is right and the other is not that of the only column of the measure."""
    text = sentence.normal
    names = {name.key for name in measures_in(text)}
    matches = list(BETWEEN.finditer(text))
    if len(matches) != 1 or len(names) != 1 or not ALL.search(text) or ANOTHER.search(text.replace(matches[0][0], "")):
        return
    (match,), (measure,) = matches, names
    entries = [entry for (_, key), own in known.index.items() if key == measure for entry in own]
    if len(entries) < FEW or len({(id(entry.table), entry.context) for entry in entries}) > 1:
        return
    if any(ASIDE.search(entry.system) for entry in entries) or known.of_another(entries[0], text):
        return
    low, high = (printed(number) for name in ("low", "high") if (number := NUMBER.match(text, match.start(name))) is not None)
    least, most = (choose(entries, key=lambda entry: entry.value.value) for choose in (min, max))
    pairs = [(end, entry) for end, entry in ((low, least), (high, most)) if not same(end, entry.value)]
    if len(pairs) == 1 and known.contradicts(pairs[0][0], pairs[0][1].value):
        ((end, entry),) = pairs
        cell = f"{entry.value.plain} for {entry.system} in the table, {known.place(entry.cell)}"
        yield Hit("N008", *sentence.span(end.start, end.end), f"{end.plain} is printed as an end of the range, but {cell}")


def _respectively(text: str, known: Known) -> Iterator[tuple[Printed, str]]:
    """Lists such as ``BM25 and QL have an nDCG@10 of 0.41 and 0.43, respectively``, value by value."""
    lists = list(LIST.finditer(text))
    names = list(dict.fromkeys(name.key for name in measures_in(text)))
    if len(lists) != 1 or not names or ANOTHER.search(text):
        return
    values = [printed(match) for match in NUMBER.finditer(text, *lists[0].span("values"))]
    systems = sorted(systems_in(text, known.systems), key=text.find)
    if len(systems) == len(values) and len(names) == 1:
        places = [(system, names[0]) for system in systems]
    elif len(systems) == 1 and len(names) == len(values):
        places = [(systems[0], name) for name in names]
    else:
        return
    cells = [cell for place in places if (cell := known.cell(*place)) is not None]
    if len(cells) < len(values):
        return
    wrong = [at for at, (value, cell) in enumerate(zip(values, cells, strict=True)) if not same(value, cell)]
    if len(wrong) == 1 and len(values) > 1 and known.contradicts(values[wrong[0]], cells[wrong[0]]):
        at = wrong[0]
        yield values[at], f"{values[at].plain} is printed here, but {cells[at].plain} for {places[at][0]} in the table"
    if len(wrong) == 2 and same(values[wrong[0]], cells[wrong[1]]) and same(values[wrong[1]], cells[wrong[0]]):  # noqa: PLR2004 - two that changed places
        one, two = wrong
        yield (
            values[one],
            f"{values[one].plain} and {values[two].plain} are printed here, but {cells[one].plain} and {cells[two].plain} in the table",
        )
