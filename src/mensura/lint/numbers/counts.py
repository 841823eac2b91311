"""N013 and N015: proportions of counts in per cent, and parts against their total."""

from __future__ import annotations

import itertools
import re
from fractions import Fraction
from typing import TYPE_CHECKING

from mensura.lint.readers.printed import NUMBER, Printed, printed, show
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document
    from mensura.lint.readers.table import DocumentTable, TableCell

COUNT = r"(?:\d{1,3}(?:,\d{3})+|\d{1,9})"
OF = r"\s?(?:/|of|out of)\s?(?:the |all |our |a total of )?"
PERCENT = r"\d{1,3}(?:\.\d+)?\s?(?:%|percent\b|per cent\b)"
PROPORTION = re.compile(
    rf"(?<![\w.,/@^+−-])(?P<part>{COUNT}){OF}(?P<whole>{COUNT})(?![\d,]\d|\.\d|/)(?P<words>(?: [A-Za-z-]+){{0,4}}) ?[(=] ?(?P<percent>{PERCENT})(?=\)|$|[ ,;.](?!\d))"
    rf"|(?<![\w.,+−-])(?P<percent_>{PERCENT})(?: of (?:the |all |our )?[A-Za-z-]+(?: [A-Za-z-]+)?)? ?\((?P<part_>{COUNT}){OF}(?P<whole_>{COUNT})(?P<words_>(?: [A-Za-z-]+){{0,3}})\)"
    rf"|\b[Oo]f (?:the |our |all )?(?P<whole__>{COUNT}) [A-Za-z-]+(?: [A-Za-z-]+)?, (?:only )?(?P<part__>{COUNT}) ?\((?P<percent__>{PERCENT})\)"
    rf"|\b(?P<whole___>{COUNT}) [A-Za-z-]+(?: [A-Za-z-]+)?, (?:out )?of (?:which|these|them|whom),? (?:only )?(?P<part___>{COUNT}) ?\((?P<percent___>{PERCENT})\)"
    rf"|(?<![\w.,/@^+−-])(?P<part____>{COUNT}){OF}(?P<whole____>{COUNT})(?![\d,]\d|\.\d|/)(?: [A-Za-z-]+){{1,5}}, (?:i\.e\.,? |or |that is,? |which is )(?P<percent____>{PERCENT})(?=$|[ ,;.)](?!\d))"
)
ALTERNATIVES = ("", "_", "__", "___", "____")  # endings of the names of the groups
NUMBERED = re.compile(
    r"\b(?:top|rank|step|epoch|page|table|figure|section|version|fold|round|batch|phase|level|week|day|chapter|line|about|around|nearly|almost|roughly|approximately)\s?$|[~≈<>]\s?$",
    re.IGNORECASE,
)
SLIP = 12  # points in which a wrong percentage may differ from the right one: beyond, something else may be meant


def check_sentences(document: Document) -> Iterator[Hit]:
    """Yield percentages that are not those of the counts beside them, and parts that do not add up."""
    for sentence in document.having("%", "percent", "per cent"):
        for start, end, detail in proportions(sentence.normal):
            yield Hit("N013", *sentence.span(start, end), detail)
    for sentence in document.having("train", also=("test",)):
        for start, end, detail in (*_shares(sentence.normal), *_splits(sentence.normal)):
            yield Hit("N015", *sentence.span(start, end), detail)


def proportions(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the percentages of a text that are not the ratio of the two counts beside them."""
    for match in PROPORTION.finditer(text):
        tail = next(each for each in ALTERNATIVES if match["part" + each])
        part, whole = (int(match[name + tail].replace(",", "")) for name in ("part", "whole"))
        start = match.start("percent" + tail)
        number = NUMBER.match(text, start)
        if number is None or not 0 < part <= whole or whole == 1 or NUMBERED.search(text[: match.start()]):
            continue
        value = printed(number)
        exact = Fraction(100 * part, whole)
        if value.span.contains(exact) or value.span.contains(100 - exact) or abs(value.value - exact) > SLIP:
            continue
        if any(value.span.contains(Fraction(100 * one, two)) for one, two in _pairs(text) if (one, two) != (part, whole)):
            continue  # of two other counts
        yield (
            start,
            match.end("percent" + tail),
            f"{value.plain} is printed, but {part} / {whole} = {show(exact, max(value.decimals, 1))} %",
        )


def _pairs(text: str) -> Iterator[tuple[int, int]]:
    """Yield the counts of a text in pairs, the smaller first."""
    counts = sorted({int(match[0].replace(",", "")) for match in WHOLE_NUMBER.finditer(text)} - {0})
    return itertools.combinations(counts, 2) if len(counts) <= MOST else iter(())


LABELLED = re.compile(r"[A-Za-z][\w ]{0,20}: \d")  # a count in a cell, after the name of who counted
WHOLE_NUMBER = re.compile(rf"(?<![\w.,]){COUNT}(?![\w%]|[.,]\d|\s?%)")
MOST = 8  # counts of a sentence whose pairs are alternatives
ROLES = {"train": "train", "dev": "dev", "val": "dev", "tes": "test"}
SHARE = re.compile(
    r"(?<![\w.])(?P<share>\d{1,2}(?:\.\d+)?)\s?% (?:of (?:the |all |our )?\w+ )?(?:(?:is|are|was|were) )?(?:used )?(?:for |as |to )?(?:the )?(?P<role>train\w*|dev\w*|valid\w*|test\w*)",
    re.IGNORECASE,
)
RATIO = re.compile(
    r"(?<![\w./:-])(?P<one>\d{1,2})\s?%?\s?(?P<mark>[/:–-])\s?(?P<two>\d{1,2})\s?%?\s?(?P=mark)\s?(?P<three>\d{1,2})\s?%?(?![\w./:–-])(?=[^.;]{0,40}\bsplit|[^.;]{0,30}\btrain)",
    re.IGNORECASE,
)
SPLIT = re.compile(
    r"\b(?:split(?: into)?|divided?|partitioned|separated|contains?|comprises?|consists? of|in total|there are|of the|we use)\b",
    re.IGNORECASE,
)
PARTING = re.compile(r"\b(?:split|divided?|partitioned|separated)\b", re.IGNORECASE)
PARTED = re.compile(
    rf"(?<![\w.,/])(?P<count>{COUNT})(?![\d,]\d|\.\d|\s?%|/)(?: [a-z-]+){{0,2}}? (?:(?:are |were )?(?:used )?(?:for|as) )?(?:the )?(?P<role>train\w*|dev\w*|valid\w*|test\w*)",
    re.IGNORECASE,
)
WHOLE = 100


def _role(word: str) -> str:
    return next(role for start, role in ROLES.items() if word.lower().startswith(start))


def _shares(text: str) -> Iterator[tuple[int, int, str]]:
    """Parts of the data in per cent: for training, development and test, which add up to 100."""
    for match in RATIO.finditer(text):
        parts = [int(match[name]) for name in ("one", "two", "three")]
        if sum(parts) != WHOLE and 85 < sum(parts) < 120 and min(parts) >= 5:  # noqa: PLR2004 - percentages and not another ratio
            yield *match.span(), f"{' + '.join(map(str, parts))} = {sum(parts)}, not 100"
    shares = {_role(match["role"]): match for match in SHARE.finditer(text)}
    if len(shares) == 3 and len(list(SHARE.finditer(text))) == 3:  # noqa: PLR2004 - training and development and test
        total = sum((Fraction(match["share"]) for match in shares.values()), Fraction(0))
        if abs(total - WHOLE) > 1 and 85 < total < 120:  # noqa: PLR2004 - the same limits as above
            first, last = min(match.start() for match in shares.values()), max(match.end() for match in shares.values())
            yield first, last, f"{' + '.join(match['share'] for match in shares.values())} = {show(total, 0)}, not 100"


def _splits(text: str) -> Iterator[tuple[int, int, str]]:
    """Counts of the parts of a collection after the count of all."""
    if not SPLIT.search(text):
        return
    matches = list(PARTED.finditer(text))
    parts = {_role(match["role"]): int(match["count"].replace(",", "")) for match in matches}
    if not matches or len(parts) < (2 if PARTING.search(text) else len(set(ROLES.values()))) or len(matches) != len(parts):
        return
    totals = list(re.finditer(rf"(?<![\w.,/]){COUNT}(?![\w%]|[.,]\d|\s?%|/)", text[: matches[0].start()]))
    if len(totals) != 1 or len(list(re.finditer(COUNT, text))) != len(parts) + 1:
        return
    total, together = int(totals[0][0].replace(",", "")), sum(parts.values())
    if together != total and 10 * abs(together - total) <= total:
        words = " + ".join(match["count"] for match in matches)
        yield *totals[0].span(), f"{totals[0][0]} is printed, but {words} = {together}"


TOTAL = re.compile(r"(?:grand )?totals?|sum|Σ|∑", re.IGNORECASE)
NOT_ADDED = re.compile(
    r"uniq|distinct|differ|users?|items?|terms?|vocab|tokens?|words?|avg|average|mean|ratio|rate|min|max|median|%|per\b|length|time|entit|authors?|classes|labels?|rank|\w/\w",
    re.IGNORECASE,
)
INTEGER = re.compile(COUNT)


def check_table(table: DocumentTable) -> Iterator[Hit]:
    """Yield proportions in cells, and totals of counts that are not the sums of their lines where the other totals are."""
    for row in table.rows:
        for cell in row:
            if "%" in cell.text and (cell.text[0].isdigit() or LABELLED.match(cell.text)):
                yield from (Hit("N013", *cell.span, detail) for _, _, detail in proportions(cell.text))
    body = [row for row, kind in enumerate(table.kinds) if kind == "body"]
    if not table.sure or not body:
        return
    columns = list(range(table.leads, table.width))
    cells = {(row, column): cell for row, column, cell in table.body()}
    names = {column: table.above(body[0], column) for column in columns}
    labels = {row: table.left(row) for row in body}
    yield from _shares_of_counts(cells, body, columns, labels)
    yield from _totals(cells, body, columns, names, labels)
    yield from _totals({(column, row): cell for (row, column), cell in cells.items()}, columns, body, labels, names)


def _shares_of_counts(
    cells: dict[tuple[int, int], TableCell], lines: list[int], places: list[int], labels: dict[int, tuple[str, ...]]
) -> Iterator[Hit]:
    """Percentages of a column that are the shares of the counts in the column before, where those of the other lines are."""
    for column, shares in itertools.pairwise(places):
        counts = {line: count for line in lines if (count := _integer(cells.get((line, column)))) is not None}
        percents = {
            line: cell for line in counts if (cell := cells.get((line, shares))) is not None and cell.value and "%" in cell.text
        }
        parts = [line for line in percents if not (labels[line] and TOTAL.fullmatch(labels[line][-1].strip()))]
        if len(percents) != len(counts) or len(parts) < 3:  # noqa: PLR2004 - two that show what the shares are of, and one more
            continue
        whole = sum(counts[line] for line in parts)
        totals = {counts[line] for line in counts if line not in parts} | {whole}
        right, wrong = 0, []
        for line in parts if whole and totals == {whole} else ():
            share = percents[line].value
            exact = Fraction(100 * counts[line], whole)
            if share is None or share.span.contains(exact):
                right += share is not None and counts[line] > 0
            else:
                wrong.append((percents[line], share, f"{counts[line]} / {whole} = {show(exact, max(share.decimals, 1))} %"))
        if len(wrong) == 1 and right > 1 and not _has_whole([(counts[line], percents[line].value) for line in parts]):
            cell, share, formula = wrong[0]
            yield Hit("N013", *cell.span, f"{share.plain} is printed, but {formula}")


def _has_whole(shares: list[tuple[int, Printed | None]]) -> bool:
    """Return whether there is a number that all counts are the printed shares of, though it is not their sum."""
    spans = [(count, share.span) for count, share in shares if share is not None and share.span.low > 0]
    low = max((100 * count / span.high for count, span in spans), default=Fraction(0))
    high = min((100 * count / span.low for count, span in spans), default=Fraction(0))
    return low <= high


def _totals(
    cells: dict[tuple[int, int], TableCell],
    lines: list[int],
    places: list[int],
    names: dict[int, tuple[str, ...]],
    labels: dict[int, tuple[str, ...]],
) -> Iterator[Hit]:
    """Totals that are further from the sum of their parts than rounding, as of millions, can bring them."""
    totals = [place for place in places if names[place] and TOTAL.fullmatch(names[place][-1].strip())]
    if len(totals) != 1 or totals[0] != places[-1] or len(places) < 3:  # noqa: PLR2004 - two parts and their total
        return
    right, wrong = 0, []
    for line in lines:
        values = [number for place in places if (number := _amount(cells.get((line, place)))) is not None]
        if len(values) != len(places):
            continue
        together = sum((value.value for value in values[:-1]), Fraction(0))
        gap, rounding = abs(together - values[-1].value), max(value.unit for value in values) * len(values) / 2
        whole = all(not value.decimals for value in values)
        if gap == 0 or (gap <= rounding and not whole):
            right += len([value for value in values[:-1] if value.value]) > 1
        elif gap > rounding and not NOT_ADDED.search(
            " ".join((*labels[line], *(name for place in places for name in names[place])))
        ):
            wrong.append(
                (line, values, show(together, max(value.decimals for value in values)), whole or 10 * gap <= values[-1].value)
            )
    if right >= 2 and len(wrong) == 1 and wrong[0][-1]:  # noqa: PLR2004 - two totals show what a total is here
        line, values, together_, _ = wrong[0]
        words = " + ".join(value.plain.replace(",", "") for value in values[:-1])
        yield Hit(
            "N015", *cells[line, totals[0]].span, f"{values[-1].plain.replace(',', '')} is printed, but {words} = {together_}"
        )


def _amount(cell: TableCell | None) -> Printed | None:
    """Return the number that a cell consists of."""
    match = None if cell is None else NUMBER.fullmatch(cell.text.strip())
    return None if match is None or match["unit"] or match["sign"] else printed(match)


def _integer(cell: TableCell | None) -> int | None:
    text = "" if cell is None else cell.text.strip()
    return int(text.replace(",", "")) if INTEGER.fullmatch(text) else None
