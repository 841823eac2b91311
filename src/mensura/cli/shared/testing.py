"""Options of a comparison: those that ``mensura compare`` and ``mensura report`` share, with names from the registry of tests."""

from __future__ import annotations

from argparse import ArgumentTypeError
from typing import TYPE_CHECKING

from mensura.cli.shared.options import positive, probability
from mensura.errors import StatisticsError
from mensura.stats.methods import DEFAULT_TEST, find_correction, find_method, names_of_corrections, names_of_tests

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Callable


def known_test(text: str) -> str:
    """A test that there is, or auto."""
    return text if text == "auto" else find_method(text).name


def known_test_of_all_pairs(text: str) -> str:
    """A test that compares all pairs, or auto."""
    if text != "auto" and find_method(text).needs_baseline:
        raise StatisticsError(f"{find_method(text).title} compares with a baseline; use mensura compare with --baseline")
    return known_test(text)


def known_correction(text: str) -> str:
    """A correction that there is, or auto."""
    return text if text == "auto" else find_correction(text)


def explained(check: Callable[[str], str]) -> Callable[[str], str]:
    """Let argparse show what a check says about a word."""

    def checked(text: str) -> str:
        try:
            return check(text)
        except StatisticsError as error:
            raise ArgumentTypeError(str(error)) from None

    return checked


def add_testing(parser: ArgumentParser, *, baseline: bool = True) -> None:
    """Add the options of a comparison that a report has too; without ``baseline``, for all pairs only."""
    tests, corrections = names_of_tests(baseline=baseline), names_of_corrections(baseline=baseline)
    parser.add_argument(
        "--test",
        type=explained(known_test if baseline else known_test_of_all_pairs),
        default="auto",
        metavar="TEST",
        help=f"test: {', '.join(tests)} (default: {DEFAULT_TEST})",
    )
    parser.add_argument(
        "--correction",
        type=explained(known_correction),
        default="auto",
        metavar="CORRECTION",
        help=f"correction for multiple tests: {', '.join(corrections)} (default: the test's own, else holm)",
    )
    parser.add_argument("--alpha", type=probability, default=0.05, help="level of significance (default: %(default)s)")
    parser.add_argument(
        "--samples",
        type=positive,
        metavar="N",
        help="number of random draws (default: 10000, more to reach α, fewer for very many pairs)",
    )
    parser.add_argument("--seed", type=int, default=0, help="random seed (default: %(default)s)")
    parser.add_argument(
        "--topics",
        choices=("judged", "both"),
        default="judged",
        help="topics that count: all judged ones, or those that every run has (default: %(default)s)",
    )
