"""Text that is safe to show, and numbers as a reader sees them."""

from __future__ import annotations

import math
import re

from mensura.stats.groups import letters

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")
SMALLEST_P = 0.0001


def clean(name: str) -> str:
    r"""A name without bytes that no text can hold and without control characters: these are written as \\x00 or \\udc80."""
    text = name.encode("utf-8", "backslashreplace").decode("utf-8")
    return CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def shown(value: float, decimals: int, *, sign: bool = False) -> str:
    """A number with so many decimals, a true minus sign, and a dash for what is none."""
    if math.isnan(value):
        return "–"
    text = f"{value:+.{decimals}f}" if sign else f"{value:.{decimals}f}"
    if not text.strip("+-0."):  # −0.00 is 0.00
        text = text.lstrip("+-")
    return text.replace("-", "−")


def p_value(p: float) -> str:
    """A p-value for a table."""
    return f"{p:.4f}" if p >= SMALLEST_P else "<0.0001"


def whole(number: int) -> str:
    """A large whole number, its digits in threes (with thin, unbreakable spaces)."""
    return f"{number:,}".replace(",", "\u202f")


def share(part: int, of: int) -> str:
    """A part in per cent."""
    return f"{100 * part / of:.1f}\u00a0%" if of else "–"


def group_names(groups: tuple[tuple[int, ...], ...]) -> dict[int, str]:
    """The letters of the groups that each system is in: groups are stretches of the ranking, so the first and the last say all."""
    names: dict[int, list[str]] = {}
    for at, group in enumerate(groups):
        for system in group:
            names.setdefault(system, []).append(letters(at))
    return {system: found[0] if len(found) == 1 else f"{found[0]}–{found[-1]}" for system, found in names.items()}


def the(title: str) -> str:
    """The title of a test in a sentence: “the sign test”, but “Friedman's test” and “one-way ANOVA”."""
    return title if "'s test" in title or "'s signed" in title or "'s rank" in title or "ANOVA" in title else f"the {title}"


def listing(words: list[str]) -> str:
    """A, B and C."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""
