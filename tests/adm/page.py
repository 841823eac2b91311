"""The tables of docs/adm.md that are about real data: ``python -m tests.adm.page`` fills them in, a test compares them."""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path

import numpy as np

from mensura import AP, judge, parse_measure
from mensura.adm import calibrate, correlations, fewer_topics
from mensura.adm.calibration import INPUTS

PAGE = Path(__file__).parents[2] / "docs" / "adm.md"
ROW = re.compile(r"^\| `([^`]+)` \|(.*)\|$", re.MULTILINE)


def rows(columns: int) -> dict[str, list[str]]:
    """The rows of the table with so many columns of numbers."""
    found = [(name, [cell.strip() for cell in rest.split("|")]) for name, rest in ROW.findall(PAGE.read_text(encoding="utf-8"))]
    return {name: row for name, row in found if len(row) == columns}


def tau(value: float, digits: int = 3) -> str:
    """.829 and −.020."""
    shown = f"{abs(value):.{digits}f}"
    return ("−" if round(value, digits) < 0 else "") + (shown.removeprefix("0"))


@cache
def judged(folder: Path):
    return judge(folder / "qrels.txt", sorted((folder / "runs").iterdir()), scores=True)


def correlation_cells(folder: Path, names: list[str]) -> dict[str, list[str]]:
    """τ with AP and R-precision, relaxed and rigid."""
    found = correlations(judged(folder), [parse_measure(name) for name in names])
    at = {str(measure): number for number, measure in enumerate(found.measures)}
    return {name: [tau(each) for each in found.tau[at[name], :4]] for name in names}


def baseline_cells(folder: Path, names: list[str]) -> dict[str, list[str]]:
    """τ with AP and R-precision, the ADM of a system that says 0, and the number of systems below it."""
    found = correlations(judged(folder), [parse_measure(name) for name in names])
    at = {str(measure): number for number, measure in enumerate(found.measures)}
    return {
        name: [*(tau(each) for each in found.tau[at[name], :2]), tau(found.zero[at[name]]), str(found.below_zero[at[name]])]
        for name in names
    }


def stability_cells(folder: Path, names: list[str]) -> dict[str, list[str]]:
    """τ with all topics from 5, 10 and 25; between samples of 25; and from when on it is stable."""
    made = {}
    for found in fewer_topics(judged(folder), [parse_measure(name) for name in names], AP()):
        whole, apart = (dict(zip(found.sizes, each, strict=True)) for each in (found.whole, found.apart))
        made[str(found.measure)] = [*(tau(whole[size], 2) for size in (5, 10, 25)), tau(apart[25], 2), str(found.needed)]
    return made


def calibration_cells(folder: Path) -> dict[str, list[str]]:
    """Means over systems."""
    found = calibrate(judged(folder), parse_measure("ADM(documents='retrieved-assessed')"))
    means = dict(zip(found.names, found.fixed.mean(axis=1), strict=True))
    means |= {f"steps of {name}": float(value) for name, value in zip(INPUTS, found.fitted.mean(axis=1), strict=True)}
    means |= {"one SRS for all": means["steps of nothing"], "at most": float(np.mean(found.bound.max(axis=0)))}
    return {name: [tau(value)] for name, value in means.items()}


def refresh(folder: Path) -> None:
    """Writes the numbers into the page."""
    fresh = {6: correlation_cells(folder, list(rows(6))), 5: stability_cells(folder, list(rows(5))), 1: calibration_cells(folder)}

    def row(match: re.Match[str]) -> str:
        cells = match[2].split("|")
        made = fresh.get(len(cells), {}).get(match[1])
        return (
            match[0] if made is None else f"| `{match[1]}` |{'|'.join([*cells[: len(cells) - len(made)], ''])} {' | '.join(made)} |"
        )

    PAGE.write_text(ROW.sub(row, PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    refresh(Path(sys.argv[1]))
