"""N003 and N004: p-values against the statistics that they come from, and tables of analyses of variance."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from mensura.lint.readers.printed import NUMBER, Printed, Span, printed, show
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document
    from mensura.lint.readers.table import DocumentTable

SLACK = Fraction(1, 10**9)  # of a p-value, for the last digits of the distributions, which are irrational
STATISTIC = re.compile(
    r"(?<![\w.])(?:"
    r"(?P<t>t)\s?(?:[_ ]?\(\s?(?:df\s?=\s?)?(?P<t_df>\d{1,7}(?:\.\d{1,4})?)\s?\)|_\s?\{?\s?(?P<t_sub>\d{1,7}(?:\.\d{1,4})?)\s?\}?)"
    r"|(?P<F>F)\s?(?:_\s?)?[({]\s?(?P<F_one>\d{1,5}(?:\.\d{1,4})?)\s?,\s?(?P<F_two>\d{1,7}(?:\.\d{1,4})?)\s?[)}]"
    r"|(?P<chi>(?:χ|[Cc]hi|X)\s?[-\^]?\s?(?:2|²|squared?))\s?(?:\(\s?(?:df\s?=\s?)?(?P<chi_df>\d{1,5})\s?(?:,\s?[Nn]\s?=\s?[\d,]{1,9}\s?)?\)|_\s?\{?\s?(?P<chi_sub>\d{1,5})\s?\}?)"
    r"|(?P<r>r)\s?\(\s?(?P<r_df>\d{1,7}(?:\.\d{1,4})?)\s?\)"
    r"|(?P<q>q)\s?\(\s?(?P<q_one>\d{1,4})\s?,\s?(?P<q_two>\d{1,7})\s?\)"
    r"|(?P<z>[zZ])(?=\s?=)"
    r")\s?=\s?(?P<value>[-−+]?\s?\d{0,5}\.?\d+)(?!\d|\.\d|\s?%|\s?[×e])"
)
AFTER = re.compile(
    r"(?<![\w.])(?P<name>t|F|(?:χ|[Cc]hi|X)\s?[-\^]?\s?(?:2|²|squared?))\s?=\s?(?P<value>[-−+]?\d{0,5}\.?\d+)\s?(?:,|;|\(|and)\s?(?:with )?(?:d\.?f\.?|degrees of freedom)\s?=\s?"
    r"\(?(?P<one>\d{1,7}(?:\.\d{1,4})?)(?:\s?,\s?(?P<two>\d{1,7}(?:\.\d{1,4})?))?\)?"
)  # t = 2.31, df = 49
P = re.compile(
    r"(?<![\w@.])(?:p|P)(?P<word>[- ]?values?)?\s?(?P<relation>=|<|>|≤|≥|≪|of|is|was|(?(word):|(?!)))\s?(?P<value>(?:\d)?\.\d+|[01])(?:\s?(?:e|[×·]\s?10\s?\^?\s?[({]?)\s?(?P<power>[-−]\s?\d{1,3}))?(?!\d|\.\d|\s?%|\s?/\s?\d)"
)
GAP = 60  # characters between a statistic and its p-value
SHIFTED = re.compile(
    r"\b(?:TOST|equivalen\w+|non-?inferior\w*|superiority|minimal effects?|smallest effect|SESOI|Bayes\w*|boundary|bounds?|margin|null interval)\b",
    re.IGNORECASE,
)  # the null hypothesis is not that there is no difference
ADJUSTED = re.compile(
    r"\b(?:correct(?:ed|ion)|adjust(?:ed|ment)|Bonferroni|Holm|Tukey|FDR|Benjamini|permutation|randomi[sz]ation|bootstrap|exact)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Claim:
    """A p-value as it is printed: equal to, below or above a number."""

    relation: str
    number: Printed
    start: int
    end: int


def p_claim(match: re.Match[str]) -> Claim | None:
    """Return the p-value of a match of :data:`P`."""
    number = NUMBER.match(match["value"])
    if number is None:
        return None
    value = printed(number)
    if match["power"]:
        power = int(re.sub(r"\s", "", match["power"]).replace("−", "-"))
        if abs(power) > 300:  # noqa: PLR2004 - beyond every float
            return None
        value = Printed(0, 0, match[0], value.value * Fraction(10) ** power, value.decimals - power)
    relation = {"≪": "<", "≤": "<", "≥": ">", "of": "=", "is": "=", "was": "=", ":": "="}.get(match["relation"], match["relation"])
    return Claim(relation, value, match.start(), match.end())


def check_sentences(document: Document) -> Iterator[Hit]:
    """Yield p-values that do not follow from the statistic before them, one- or two-sided."""
    for sentence in document.having(
        "t(",
        "t (",
        "t_",
        "f(",
        "f (",
        "f_",
        "χ",
        "chi",
        "x2",
        "r(",
        "r (",
        "q(",
        "q (",
        "z =",
        "z=",
        "t =",
        "t=",
        "f =",
        "f=",
        also=("p",),
    ):
        text = sentence.normal
        claims = list(P.finditer(text))
        if SHIFTED.search(text):
            continue
        for match in (*STATISTIC.finditer(text), *AFTER.finditer(text)):
            following = next((each for each in claims if match.end() <= each.start() <= match.end() + GAP), None)
            if following is None or any(form.search(text, match.end(), following.start()) for form in (STATISTIC, AFTER)):
                continue
            claim = p_claim(following)
            statistic = _statistic(match) if match.re is STATISTIC else _statistic_before(match)
            if claim is None or statistic is None:
                continue
            problem = contradiction(statistic, claim, adjusted=ADJUSTED.search(text) is not None)
            if problem:
                yield Hit("N003", *sentence.span(*following.span()), f"{match[0]}: {problem}")


@dataclass(frozen=True, slots=True)
class TestStatistic:
    """A statistic of a test: its distribution, its degrees of freedom with what rounding allows, and its printed value."""

    kind: str
    degrees: tuple[Span, ...]
    value: Printed


def _freedom(number: Printed) -> Span:
    """Return degrees of freedom: those of Welch's test have decimals, which were rounded."""
    return number.span if number.decimals > 0 else Span(number.value, number.value)


def _degrees(*texts: str) -> tuple[Span, ...]:
    return tuple(_freedom(printed(match)) for text in texts if (match := NUMBER.match(text)) is not None)


def _statistic(match: re.Match[str]) -> TestStatistic | None:
    number = NUMBER.match(match["value"].replace(" ", ""))
    if number is None:
        return None
    value = printed(number)
    for kind, names in (("t", ("t_df", "t_sub")), ("chi", ("chi_df", "chi_sub")), ("r", ("r_df",))):
        if match[kind]:
            return TestStatistic(kind, _degrees(next(match[name] for name in names if match[name])), value)
    if match["F"]:
        return TestStatistic("F", _degrees(match["F_one"], match["F_two"]), value)
    if match["q"]:
        return TestStatistic("q", _degrees(match["q_one"], match["q_two"]), value)
    return TestStatistic("z", (), value)


def _statistic_before(match: re.Match[str]) -> TestStatistic | None:
    """Return the statistic of a match of :data:`AFTER`; nothing if its degrees of freedom are not as many as it has."""
    number = NUMBER.match(match["value"])
    kind = match["name"] if match["name"] in "tF" else "chi"
    degrees = _degrees(*(match[name] for name in ("one", "two") if match[name]))
    return TestStatistic(kind, degrees, printed(number)) if number is not None and len(degrees) == 1 + (kind == "F") else None


def _tail(kind: str, degrees: tuple[float, ...], value: float) -> float:
    """Return the probability of a value as large as this, on one side."""
    from scipy import special

    match kind:
        case "t":
            return float(special.stdtr(degrees[0], -value))
        case "z":
            return float(special.ndtr(-value))
        case "r":
            return float(special.stdtr(degrees[0], -value * (degrees[0] / (1 - value * value)) ** 0.5))
        case "F":
            return float(special.fdtrc(degrees[0], degrees[1], value))
        case "chi":
            return float(special.chdtrc(degrees[0], value))
        case _:
            from scipy import stats  # as dear as linting a megabyte

            return float(stats.studentized_range.sf(value, degrees[0], degrees[1]))


ONE = Span(Fraction(1), Fraction(1))
SIDES = {  # factors of the tail
    "t": {"one-sided": Fraction(1), "two-sided": Fraction(2)},
    "z": {"one-sided": Fraction(1), "two-sided": Fraction(2)},
    "r": {"one-sided": Fraction(1), "two-sided": Fraction(2)},
    "F": {"": Fraction(1)},
    "chi": {"": Fraction(1)},
    "q": {"": Fraction(1)},
}


def p_spans(statistic: TestStatistic) -> dict[str, Span]:
    """Return the p-values that a printed statistic may have, by the sides of the test."""
    span = statistic.value.span if statistic.value.value >= 0 else statistic.value.span.mirrored()
    low, high = float(max(span.low, Fraction(0))), float(span.high)
    if any(degree.low < 1 for degree in statistic.degrees) or (statistic.kind == "r" and high >= 1):
        return {}
    possible = [tuple(map(float, each)) for each in itertools.product(*({degree.low, degree.high} for degree in statistic.degrees))]
    small = min(_tail(statistic.kind, degrees, high) for degrees in possible)
    large = max(_tail(statistic.kind, degrees, low) for degrees in possible)
    if not (0 <= small <= large <= 1):
        return {}
    sides = dict(SIDES[statistic.kind])
    if statistic.degrees[:1] == (ONE,) and statistic.kind in {"chi", "F"}:  # the square of z or t, whose test may be one-sided
        sides["one-sided"] = Fraction(1, 2)
    spans = {
        name: Span(Fraction(small) * factor * (1 - SLACK), min(Fraction(large) * factor * (1 + SLACK), Fraction(1)))
        for name, factor in sides.items()
    }
    if "one-sided" in spans:  # in the direction that was not expected
        spans["other side"] = Span(1 - spans["one-sided"].high, 1 - spans["one-sided"].low)
    return spans


def contradiction(statistic: TestStatistic, claim: Claim, *, adjusted: bool = False) -> str:
    """Return why a p-value cannot come from a statistic; nothing if it can."""
    spans = p_spans(statistic)
    if not spans or claim.number.value > 1:
        return ""
    shown = "; ".join(f"{_p(span)}{' ' + name if name else ''}" for name, span in spans.items() if name != "other side")
    lowest, highest = min(span.low for span in spans.values()), max(span.high for span in spans.values())
    number = claim.number
    if claim.relation == "=":
        wide = Span(max(number.span.low, Fraction(0)), number.span.high)
        if any(span.meets(wide) for span in spans.values()) or (adjusted and number.span.high >= lowest):
            return ""
        return f"p = {number.plain} is printed, but the statistic gives p = {shown}"
    if claim.relation == "<":
        return "" if lowest < number.value else f"p < {number.plain} is printed, but the statistic gives p = {shown}"
    if adjusted or highest > number.value:
        return ""
    return f"p > {number.plain} is printed, but the statistic gives p = {shown}"


def _p(span: Span) -> str:
    middle = (span.low + span.high) / 2
    if middle < Fraction(1, 10**4):
        return f"{float(middle):.3g}".replace("-", "−")
    return show(middle, 4 if middle < Fraction(1, 100) else 3)


SOURCES = {
    "ss": re.compile(r"SS|sums? of sq\w*\.?|sum sq\w*\.?|type \w+ SS", re.IGNORECASE),
    "df": re.compile(r"d\.?f\.?|DOF|degrees of freedom|Σ?ν", re.IGNORECASE),
    "ms": re.compile(r"MS|means? sq\w*\.?|mean of squares", re.IGNORECASE),
    "f": re.compile(r"F(?:[- ](?:value|stat\w*|ratio))?", re.IGNORECASE),
    "p": re.compile(r"p|p[- ]?values?|Pr ?\(? ?> ?F ?\)?|sig\.?|Prob ?> ?F", re.IGNORECASE),
}
ERROR = re.compile(r"\b(?:error|residuals?|within)\b", re.IGNORECASE)
TOTAL = re.compile(r"\b(?:corrected )?total\b", re.IGNORECASE)


def check_table(table: DocumentTable) -> Iterator[Hit]:
    """Yield the cells of an analysis of variance that do not follow from the others."""
    if not table.sure:
        return
    body = [row for row, kind in enumerate(table.kinds) if kind == "body"]
    if not body:
        return
    columns: dict[str, int] = {}
    for column in range(table.leads, table.width):
        name = (table.above(body[0], column) or ("",))[-1].strip(" .")
        for key, pattern in SOURCES.items():
            if pattern.fullmatch(name):
                columns.setdefault(key, column)
    if "df" in columns and len(columns.keys() & {"ss", "ms", "f"}) > 1:
        yield from _anova(table, body, columns)
    elif "p" in columns:
        yield from _tests(table, body, columns["p"])


# Headers of statistics, with their degrees of freedom or without.
STATISTICS = {
    "t": re.compile(r"t(?:[- ]?(?:value|stat\w*|score))?(?: ?\( ?(?:df ?= ?)?(?P<one>\d{1,5}) ?\))?"),
    "z": re.compile(r"[zZ](?:[- ]?(?:value|stat\w*|score))?"),
    "chi": re.compile(r"(?:χ|[Cc]hi|X)\W{0,2}(?:2|²|squared?)(?: ?\( ?(?:df ?= ?)?(?P<one>\d{1,5}) ?\))?"),
    "F": re.compile(r"F(?:[- ]?(?:value|stat\w*|ratio))?(?: ?\( ?(?P<one>\d{1,5}) ?, ?(?P<two>\d{1,7}) ?\))?"),
}
FREEDOM = re.compile(r"(?:d\.?f\.?|DOF|degrees of freedom) ?_?(?P<which>[12])?", re.IGNORECASE)
ENOUGH = 2  # rows that show how p follows


def _tests(table: DocumentTable, body: list[int], p_column: int) -> Iterator[Hit]:
    """One test a row: p-values that do not follow from the statistic and the degrees of freedom, where those of other rows do."""
    names = {column: (table.above(body[0], column) or ("",))[-1].strip(" .") for column in range(table.leads, table.width)}
    columns_of = [
        (kind, column, match)
        for column, name in names.items()
        for kind in STATISTICS
        if (match := STATISTICS[kind].fullmatch(name))
    ]
    if len(columns_of) != 1:
        return
    ((kind, column, header),) = columns_of
    count = {"z": 0, "F": 2}.get(kind, 1)
    said = _degrees(*(each for each in header.groupdict().values() if each))
    freedom = [other for other, name in names.items() if FREEDOM.fullmatch(name)]
    if not (said or len(freedom) == count):
        return
    words = " ".join([table.caption, *names.values()])
    if SHIFTED.search(words):
        return
    right, wrong = 0, []
    for row in body:
        cells = [table.grid[row][place] for place in (column, p_column, *freedom)]
        values = [None if cell is None else cell.value for cell in cells]
        claim = None if cells[1] is None else _claimed(cells[1].text)
        if claim is None or any(value is None for value in values):
            continue
        value, _, *degrees = (number for number in values if number is not None)
        problem = contradiction(
            TestStatistic(kind, said or tuple(map(_freedom, degrees)), value), claim, adjusted=ADJUSTED.search(words) is not None
        )
        if problem:
            wrong.append((row, f"{kind if kind != 'chi' else 'χ²'} = {value.plain}: {problem}"))
        elif claim.relation == "=":
            right += 1
    if right >= ENOUGH and len(wrong) <= right // 2:
        for row, detail in wrong:
            yield _cell(table, row, p_column, detail, "N003")


def _claimed(text: str) -> Claim | None:
    """Return the p-value of a cell."""
    match = P.fullmatch(f"p{text}" if text.lstrip()[:1] in set("<>≤≥=") else f"p = {text}".rstrip(" *†‡"))
    return None if match is None else p_claim(match)


def _anova(table: DocumentTable, body: list[int], columns: dict[str, int]) -> Iterator[Hit]:
    numbers: dict[int, dict[str, Printed]] = {}
    for row in body:
        cells = {key: table.grid[row][column] for key, column in columns.items()}
        numbers[row] = {key: cell.value for key, cell in cells.items() if cell is not None and cell.value is not None}
    errors = [row for row in body if ERROR.search(" ".join(table.left(row)))]
    for row in body:
        here = numbers[row]
        if {"ss", "df", "ms"} <= here.keys() and here["df"].value > 0 and here["df"].decimals == 0:
            quotient = here["ss"].span.scaled(1 / here["df"].value)
            if not quotient.meets(here["ms"].span):
                exact = here["ss"].value / here["df"].value
                yield _cell(
                    table,
                    row,
                    columns["ms"],
                    f"{here['ms'].plain} is printed, but {here['ss'].plain} / {here['df'].plain} = {show(exact, here['ms'].decimals)}",
                )
        if len(errors) == 1 and row != errors[0] and {"ms", "f"} <= here.keys():
            noise = numbers[errors[0]].get("ms")
            if noise is not None and noise.span.low > 0:
                ratio = here["ms"].span / noise.span
                if not ratio.meets(here["f"].span):
                    exact = here["ms"].value / noise.value
                    yield _cell(
                        table,
                        row,
                        columns["f"],
                        f"F = {here['f'].plain} is printed, but {here['ms'].plain} / {noise.plain} = {show(exact, here['f'].decimals)}",
                    )
        yield from _f_to_p(table, row, columns, here, numbers[errors[0]] if len(errors) == 1 else {})
    yield from _totals(table, body, columns, numbers)


def _f_to_p(
    table: DocumentTable, row: int, columns: dict[str, int], here: dict[str, Printed], error: dict[str, Printed]
) -> Iterator[Hit]:
    if not ({"f", "p", "df"} <= here.keys() and "df" in error and here["f"].value > 0):
        return
    cell = table.grid[row][columns["p"]]
    if cell is None:
        return
    relation = "<" if re.match(r"\s*[<≤]", cell.text) else ">" if re.match(r"\s*[>≥]", cell.text) else "="
    statistic = TestStatistic("F", (_freedom(here["df"]), _freedom(error["df"])), here["f"])
    problem = contradiction(statistic, Claim(relation, here["p"], 0, 0))
    if problem:
        yield _cell(table, row, columns["p"], f"F({here['df'].plain}, {error['df'].plain}) = {here['f'].plain}: {problem}")


def _totals(
    table: DocumentTable, body: list[int], columns: dict[str, int], numbers: dict[int, dict[str, Printed]]
) -> Iterator[Hit]:
    totals = [row for row in body if TOTAL.search(" ".join(table.left(row)))]
    if (
        len(totals) != 1
        or totals[0] != body[-1]
        or re.search(r"corrected|\bmodel\b|intercept", " ".join(label for row in body for label in table.left(row)), re.IGNORECASE)
    ):
        return
    partial = "ss" in columns and any(
        re.search(r"\btype\b", name, re.IGNORECASE) for name in (table.caption, *table.above(body[0], columns["ss"]))
    )
    for key in ("df",) if partial else ("ss", "df"):  # sums of squares of type II and III need not add up
        parts = [numbers[row].get(key) for row in body[:-1]]
        total = numbers[totals[0]].get(key)
        if total is None or any(part is None for part in parts) or len(parts) < 2:  # noqa: PLR2004 - a source and the error
            continue
        spans = [part.span for part in parts if part is not None]
        together = Span(sum((span.low for span in spans), Fraction(0)), sum((span.high for span in spans), Fraction(0)))
        if not together.meets(total.span):
            exact = sum((part.value for part in parts if part is not None), Fraction(0))
            words = " + ".join(part.plain for part in parts if part is not None)
            yield _cell(table, totals[0], columns[key], f"{total.plain} is printed, but {words} = {show(exact, total.decimals)}")


def _cell(table: DocumentTable, row: int, column: int, detail: str, code: str = "N004") -> Hit:
    cell = table.grid[row][column]
    start, end = cell.span if cell is not None else (table.start, table.start + 1)
    return Hit(code, start, end, detail)
