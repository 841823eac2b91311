"""The one place that decides how a number is written: for people, in files that programs read, and in sentences.

For people: a fixed number of decimals, a true minus sign, an en dash where there is no number, and never a negative zero.
For programs: the shortest text that reads back as the same number, and nothing where there is none.
JSON's ``null`` for NaN is the business of :func:`mensura.result.encode`.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MINUS, NOTHING = "−", "–"
SMALLEST_P = 0.0001
LARGEST_FACTOR = 1e9
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")
NARROW, FIXED = "\u202f", "\u00a0"  # spaces that no line is broken at


# ── for people ───────────────────────────────────────────────────────────────────────────────────────────────────────────────


def fixed(value: float | None, decimals: int = 4, *, sign: bool = False) -> str:
    """Format ``value`` with ``decimals`` decimals, a true minus sign, ∞ for what has no bound, and an en dash for NaN.

    Examples
    --------
    >>> fixed(-0.126, 2), fixed(-0.001, 2), fixed(0.5, 2, sign=True), fixed(float("nan"), 2), fixed(float("-inf"), 2)
    ('−0.13', '0.00', '+0.50', '–', '−∞')
    """
    return NOTHING if absent(value) else _signed(f"{value:{'+' if sign else ''}.{decimals}f}")


def be(number: int) -> str:
    """The verb after a number of things."""
    return "is" if number == 1 else "are"


def general(value: float | None, digits: int = 6) -> str:
    """Format ``value`` with ``digits`` significant digits, as ``%g`` does, with a true minus sign."""
    return NOTHING if absent(value) else _signed(f"{value:.{digits}g}")


def times(factor: float | None) -> str:
    """Format a factor with four digits, ∞ where there is no bound; doubles do not know the digits of one above 1e9."""
    if factor is not None and math.isinf(factor):
        return "∞"
    return "> 1e9" if factor is not None and factor > LARGEST_FACTOR else general(factor, 4)


def span(bounds: tuple[float, float], decimals: int = 4, *, sign: bool = False) -> str:
    """Format an interval: its two ends with an ellipsis between them."""
    return f"{fixed(bounds[0], decimals, sign=sign)} … {fixed(bounds[1], decimals, sign=sign)}"


def p_value(p: float) -> str:
    """Format a p-value for a table."""
    return NOTHING if absent(p) else fixed(p, 4) if p >= SMALLEST_P else "<0.0001"


def p_equation(p: float) -> str:
    """Format a p-value for a sentence: ``p = 0.0123`` or ``p < 0.0001``."""
    return "p < 0.0001" if p < SMALLEST_P else f"p = {p_value(p)}"


def percent(part: float, of: float = 1.0, decimals: int = 1) -> str:
    """Format ``part`` of ``of`` in per cent; an en dash if ``of`` is 0."""
    return NOTHING if not of or absent(part) else f"{fixed(100 * part / of, decimals)}{FIXED}%"


def part_of(counts: tuple[int, int]) -> str:
    """Format a count with the percentage that it is of another: ``12 (40.0 %)``."""
    return f"{counts[0]} ({percent(*counts)})"


def named(cell: tuple[str, float] | None, decimals: int = 4) -> str:
    """Format a name with its value in parentheses; an en dash for ``None``."""
    return NOTHING if cell is None else f"{cell[0]} ({fixed(cell[1], decimals)})"


def level(alpha: float) -> str:
    """Format the level of confidence that belongs to a level of significance: ``95 %``."""
    return f"{100 * (1 - alpha):g}{FIXED}%"


def ci(alpha: float, kind: str = "single") -> str:
    r"""The heading of confidence intervals: their level, and their kind unless each holds by itself.

    Examples
    --------
    >>> ci(0.021, "simultaneous")
    'simultaneous 97.9\xa0% CI'
    """
    return f"{'' if kind == 'single' else f'{kind} '}{level(alpha)} CI"


def change(value: float | None, *, ascii_only: bool = False) -> str:
    """Format a change in per cent as P4's Table 4 has it: two decimals and always a sign; empty for NaN."""
    text = "" if absent(value) else fixed(value, 2, sign=True) + "%"
    text = text if not text or text[0] in "+−" else f"+{text}"
    return text.replace(MINUS, "-") if ascii_only else text


def with_error(rate: float, error: float, *, sign: bool = False) -> str:
    """Format a rate in per cent with its standard error; a plain 0 if both are 0 and a sign is asked for."""
    return "0" if sign and rate == error == 0 else f"{fixed(100 * rate, 2, sign=sign)} ± {fixed(100 * error, 2)}"


def whole(number: float | None) -> str:
    """Format a number with its digits in threes, by thin spaces that no line is broken at."""
    return NOTHING if absent(number) else _signed(f"{number:,}").replace(",", NARROW)


def duration(seconds: float) -> str:
    """Format seconds with two figures or so: ``0.4 s``, ``12 s``, ``3 min 20 s``, ``2 h 05 min``.

    Examples
    --------
    >>> duration(0.42), duration(200), duration(7500)
    ('0.4 s', '3 min 20 s', '2 h 05 min')
    """
    if seconds < 10:  # noqa: PLR2004 - one decimal is worth something
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if not minutes:
        return f"{rest} s"
    if minutes < 60:  # noqa: PLR2004 - minutes of an hour
        return f"{minutes} min {rest:02} s"
    return f"{minutes // 60} h {minutes % 60:02} min"


def group_ranges(groups: Sequence[Sequence[int]], names: Sequence[str]) -> dict[int, str]:
    """The groups of each system in short: letters that follow each other are a range, as in ``a–c, e``.

    Examples
    --------
    >>> group_ranges([(0, 1), (1,), (1, 2), (2,), (1,)], "abcde")
    {0: 'a', 1: 'a–c, e', 2: 'c–d'}
    """
    of_system: dict[int, list[tuple[int, int]]] = {}
    for number, group in enumerate(groups):
        for system in group:
            ranges = of_system.setdefault(system, [])
            if ranges and ranges[-1][1] == number - 1:
                ranges[-1] = (ranges[-1][0], number)
            else:
                ranges.append((number, number))
    return {
        system: ", ".join(names[first] if first == last else f"{names[first]}–{names[last]}" for first, last in ranges)
        for system, ranges in of_system.items()
    }


def absent(value: float | None) -> bool:
    """Return whether there is no number: ``None``, or NaN."""
    return value is None or math.isnan(value)


def _signed(text: str) -> str:
    """A true minus sign, and no sign before zero."""
    return text.lstrip("+-") if not text.strip("+-0.") else text.replace("-", MINUS).replace("inf", "∞")


# ── for programs ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def exact(value: object) -> str:
    """The shortest text that reads back as the same number; empty for NaN and ``None``; other values as text."""
    if isinstance(value, float):  # NumPy's double, too
        return "" if math.isnan(value) else repr(float(value))
    return "" if value is None else str(value)


def plain(value: float | None, decimals: int, *, sign: bool = False) -> str:
    """Format ``value`` with ``decimals`` decimals in ASCII; empty for NaN."""
    return "" if absent(value) else fixed(value, decimals, sign=sign).replace(MINUS, "-")


def last_digits(values: Iterable[float], decimals: int) -> list[int | None]:
    """Numbers as :func:`fixed` rounds them, in units of the last digit; ``None`` for NaN. A page with all pairs is smaller by them.

    Examples
    --------
    >>> last_digits([0.03125, -0.5, float("nan")], 4)
    [312, -5000, None]
    """
    return [None if absent(value) else int(f"{value:.{decimals}f}".replace(".", "")) for value in values]


def trec_eval_number(value: float, *, count: bool) -> str:
    """Format a value as trec_eval does: counts without decimals, others with four."""
    return f"{int(value)}" if count else f"{value:6.4f}"


# ── in sentences ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def clean(name: str) -> str:
    r"""Return a name with control characters and undecodable bytes written as \\x00 or \\udc80."""
    text = name.encode("utf-8", "backslashreplace").decode("utf-8")
    return CONTROL.sub(lambda char: f"\\x{ord(char[0]):02x}", text)


def the(title: str) -> str:
    """The title of a test in a sentence: “the sign test”, but “Friedman's test” and “one-way ANOVA”."""
    return title if "'s test" in title or "'s signed" in title or "'s rank" in title or "ANOVA" in title else f"the {title}"


def listing(words: Sequence[str]) -> str:
    """Join words as in “A, B and C”."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""
