"""Errors of tests as tables, a picture, and a few neutral sentences."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from mensura.io.writing import make_folder, write_whole
from mensura.render.charts.draw import draw
from mensura.render.charts.errors import error_rates
from mensura.study.folder import json_text, versions
from mensura.study.names import test_title
from mensura.study.paper_tables import PaperTable, as_csv, as_latex, as_markdown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from mensura.study.truth import Difference, Rate, Truth

CERTAIN = 3.0
"""Standard errors beyond which a difference is called one: about one in four hundred is no more than chance."""


def truth_table(truth: Truth) -> PaperTable:
    """The errors of each test, measure and scale."""
    kinds = ("type_1", "family", "type_2", "wrong_way")
    header = ("measure", "length", "test", "scale", *(name for kind in kinds for name in (kind, f"{kind}_se")))
    rows = []
    for found in truth.errors:
        rates = [getattr(found, kind) for kind in kinds]
        numbers = [f"{number:.5f}" for rate in rates for number in (rate.rate, rate.error)]
        rows.append((found.label, str(found.length), test_title(found.test), found.scale, *numbers))
    caption = (
        f"Errors of tests in {truth.campaigns} simulated campaigns, α = {truth.alpha:g}, with Monte-Carlo standard errors (se)"
    )
    return PaperTable("truth", caption, header, tuple(rows), left=4)


def difference_table(truth: Truth) -> PaperTable:
    """Interval scale minus original."""
    header = ("measure", "length", "test", "type_1", "type_1_se", "type_2", "type_2_se")
    rows = []
    for found in truth.differences:
        numbers = [f"{number:+.5f}" for rate in (found.type_1, found.type_2) for number in (rate.rate, rate.error)]
        rows.append((found.label, str(found.length), test_title(found.test), *(number.replace("+", "") for number in numbers)))
    caption = f"Errors on the interval scale minus errors with the measure itself, {truth.campaigns} simulated campaigns"
    return PaperTable("differences", caption, header, tuple(rows), left=3)


def verdict(truth: Truth) -> list[str]:
    """What came out, for either side."""
    first = {kind: [f for f in truth.differences if _sign(getattr(f, kind)) != 0] for kind in ("type_1", "type_2")}
    pairs = f"{truth.equal_pairs} pairs of equal systems and {truth.different_pairs} of different ones"
    said = [f"{truth.campaigns} campaigns of {truth.design.systems} systems and {truth.design.topics} topics; {pairs} in each."]
    for kind, title in (("type_1", "Type I errors"), ("type_2", "Type II errors")):
        changed = first[kind]
        fewer = [f for f in changed if _sign(getattr(f, kind)) < 0]
        more = [f for f in changed if _sign(getattr(f, kind)) > 0]
        rest = len(truth.differences) - len(changed)
        said.append(
            f"{title}: fewer on the interval scale in {len(fewer)} of {len(truth.differences)} cases (measure and test), more in "
            f"{len(more)}, and no difference beyond {CERTAIN:g} Monte-Carlo standard errors in {rest}."
        )
        said += [f"{title} change most by {_case(f, kind)}." for f in _largest(changed, kind)]
    said.append(
        "This holds for campaigns drawn from this design, where quality is a shift of scores. Whether a measure should be put on "
        "its interval scale before testing is under debate, and is not decided by it."
    )
    return said


def _largest(found: Sequence[Difference], kind: str) -> list[Difference]:
    return sorted(found, key=lambda f: -abs(getattr(f, kind).rate))[:1]


def _case(found: Difference, kind: str) -> str:
    rate: Rate = getattr(found, kind)
    return f"{100 * rate.rate:+.2f} ± {100 * rate.error:.2f} points ({found.label}@{found.length}, {test_title(found.test)})"


def _sign(rate: Rate) -> int:
    if abs(rate.rate) <= CERTAIN * rate.error:
        return 0
    return 1 if rate.rate > 0 else -1


def write_truth(truth: Truth, folder: Path, *, inputs: Mapping[str, str] | None = None) -> None:
    """Writes tables, a picture, and truth.json."""
    make_folder(folder / "figures")
    for table in (truth_table(truth), difference_table(truth)):
        write_whole(as_csv(table).encode(), folder / f"{table.name}.csv")
        write_whole(as_latex(table).encode(), folder / f"{table.name}.tex")
        write_whole(as_markdown(table).encode(), folder / f"{table.name}.md")
    rows = [
        (f"{found.label}@{found.length}", test_title(found.test), found.scale, kind, rate.rate, rate.error)
        for found in truth.errors
        for kind, rate in (("Type I", found.type_1), ("Type II", found.type_2))
    ]
    draw(
        error_rates(f"Errors of tests in {truth.campaigns} simulated campaigns", rows, truth.alpha),
        folder / "figures" / "truth.svg",
    )
    document: dict[str, Any] = {
        "inputs": dict(inputs or {}),
        "versions": versions(),
        "seed": truth.seed,
        "design": asdict(truth.design),
        "campaigns": truth.campaigns,
        "alpha": truth.alpha,
        "equal_pairs": truth.equal_pairs,
        "different_pairs": truth.different_pairs,
        "summary": verdict(truth),
        "errors": [asdict(found) for found in truth.errors],
        "differences": [asdict(found) for found in truth.differences],
    }
    write_whole(json_text(document), folder / "truth.json")
