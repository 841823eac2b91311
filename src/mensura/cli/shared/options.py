"""Options that several commands share."""

from __future__ import annotations

import math
import os
from argparse import ArgumentTypeError
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import ArgumentParser


def add_output(parser: ArgumentParser, formats: tuple[str, ...] = ("table", "csv", "json")) -> None:
    """``--format`` and ``-o``."""
    parser.add_argument("-f", "--format", choices=formats, default=formats[0], help="format of the output (default: %(default)s)")
    add_file(parser)


def add_digits(parser: ArgumentParser) -> None:
    """``--digits``."""
    parser.add_argument(
        "--digits", type=natural, metavar="N", help="decimals of values in tables (default: as many as the topics support)"
    )


def add_file(parser: ArgumentParser) -> None:
    """``-o``."""
    parser.add_argument("-o", "--output", type=output_name, metavar="FILE", help="file to write (default: standard output, -)")


def add_chart(parser: ArgumentParser, what: str) -> None:
    """``--chart``, which draws ``what``."""
    parser.add_argument("--chart", type=file_name, metavar="FILE", help=f"chart of {what}, as .svg, .png, .pdf or .html")


def add_plugin(parser: ArgumentParser) -> None:
    """``--plugin``."""
    parser.add_argument(
        "--plugin",
        action="append",
        type=Path,
        metavar="FILE.py",
        default=[],
        help="Python file that registers measures of your own (repeat)",
    )


def add_inputs(parser: ArgumentParser, *, optional: bool = False) -> None:
    """The judgments, the runs, and how runs are ranked; ``optional`` for a command that answers without them too."""
    parser.add_argument(
        "qrels",
        metavar="QRELS",
        **({"nargs": "?"} if optional else {}),  # type: ignore[arg-type]
        help="judgments: TREC qrels, csv, json, parquet or BEIR's tsv; .gz and .zst too; - for standard input",
    )
    parser.add_argument(
        "runs", metavar="RUN", nargs="*" if optional else "+", help="runs, in the same formats, or patterns like 'runs/*.gz'"
    )
    add_skipping(parser)
    add_compat(parser)


def add_skipping(parser: ArgumentParser) -> None:
    """Add the option to leave out runs with faults."""
    parser.add_argument("--skip-bad-runs", action="store_true", help="evaluation without the runs that cannot be read")


def add_compat(parser: ArgumentParser) -> None:
    """``--compat``, ``--threads``, ``--engine`` and ``--scheduler``: how runs are ranked and read."""
    parser.add_argument(
        "--compat",
        choices=("trec_eval-10", "trec_eval-9"),
        default="trec_eval-10",
        help="scores as float64 and levels of recall rounded to the nearest document (trec_eval-10), or float32 and levels rounded "
        "up from a tenth (trec_eval-9, pytrec_eval) (default: %(default)s)",
    )
    parser.add_argument("--drop-self", action="store_true", help="lists without documents that are named like their topic")
    parser.add_argument("--threads", type=positive, metavar="N", help="threads that read runs (default: all cores)")
    add_engine(parser, "readers of the runs: this process, or workers of Dask (default: threads)")


def add_engine(parser: ArgumentParser, what: str) -> None:
    """``--engine`` and ``--scheduler``."""
    parser.add_argument("--engine", choices=("threads", "dask"), help=what)
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="Dask's scheduler, e.g. tcp://host:8786 (default: MENSURA_SCHEDULER, or workers on this machine)",
    )


def add_plan_only(parser: ArgumentParser) -> None:
    """``--plan-only``."""
    parser.add_argument("--plan-only", action="store_true", help="pieces of the work and their predicted time, without the work")


def add_ties(parser: ArgumentParser) -> None:
    """``--ties``."""
    parser.add_argument(
        "--ties",
        dest="tie_order",
        choices=("id", "rank", "expected"),
        default="id",
        help="order of equal scores: by document id, by the rank in the file, or expected values over all orders "
        "(default: %(default)s)",
    )


def add_measures(parser: ArgumentParser, default: tuple[str, ...]) -> None:
    """``-m`` and ``--rel``."""
    parser.add_argument(
        "-m",
        "--measure",
        dest="measures",
        action="append",
        metavar="MEASURE",
        default=[],
        help=f"measure such as AP, nDCG@10, RBP(p=0.8)@20 or map_cut_10 (repeat; default: {' '.join(default)})",
    )
    parser.add_argument(
        "-l",
        "--rel",
        type=positive,
        metavar="GRADE",
        help="lowest relevant grade, for measures that do not say rel= (default: 1)",
    )


def add_universe(parser: ArgumentParser) -> None:
    """``--universe`` and ``--width``: which runs interval scales are about, and how close bounds are."""
    parser.add_argument(
        "--universe",
        choices=("all", "attainable", "observed", "independent"),
        help="runs that an interval scale is about: all, those that each topic's recall base allows, runs like those of the "
        "collection, or the same with independent ranks (default: all)",
    )
    parser.add_argument(
        "--width",
        type=probability,
        metavar="W",
        help="greatest width of bounds where ranks are not exact, as a proportion of the scale (default: what a few seconds give)",
    )


def spread_measures(words: list[str]) -> list[str]:
    """Return ``-m A B C`` as ``-m A -m B -m C``: several measures can follow one ``-m``, up to the next option or file."""
    spread: list[str] = []
    after = 0  # words since the last -m
    for word in words:
        if word in {"-m", "--measure", "--measures"}:
            after = 1
        elif after == 1:
            after = 2
        elif after and (word.startswith("-") or _is_file(word)):
            after = 0
        elif after:
            spread.append("-m")
        spread.append(word)
    return spread


def _is_file(word: str) -> bool:

    from mensura.io.files import ENDINGS

    return any(c in word for c in "*?[/\\") or os.path.splitext(word)[1] in ENDINGS or os.path.exists(word)


def file_name(text: str) -> Path:
    """The path of a file or folder, which has a name."""
    if not text or "\0" in text:
        raise ValueError
    return Path(text)


def output_name(text: str) -> Path | None:
    """The path of a file; None for -, which is standard output."""
    return None if text == "-" else file_name(text)


file_name.__name__ = output_name.__name__ = "file name"


def finite(text: str) -> float:
    """A number that is neither infinite nor NaN."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError
    return number


finite.__name__ = "finite number"


def positive(text: str) -> int:
    """A whole number of at least 1."""
    return _at_least(1, text)


def natural(text: str) -> int:
    """A whole number of at least 0."""
    return _at_least(0, text)


def _at_least(least: int, text: str) -> int:
    """A whole number, with an error of argparse's that says what was expected."""
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if number < least:
        raise ArgumentTypeError(f"expected a whole number of at least {least}, got {text!r}")
    return number


def probability(text: str) -> float:
    """A number between 0 and 1."""
    number = float(text)
    if not 0 < number < 1:
        raise ValueError
    return number
