"""The errors of tests on simulated campaigns: tables, a chart, and a few neutral sentences."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from mensura.io.folders import Filled
from mensura.render.charts.draw import drawn
from mensura.render.charts.errors import error_rates
from mensura.render.numbers import general, with_error
from mensura.render.studies import table_files, versions
from mensura.render.tables import Table, as_text, json_text
from mensura.render.text import encoded, wrap
from mensura.study.names import test_title
from mensura.study.paper_tables import PaperTable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from mensura.study.paper_tables import Value
    from mensura.study.truth import Difference, Rate, Truth

CERTAIN = 3.0
"""Standard errors beyond which a difference is called one: about one in four hundred is due to chance alone."""
FIGURE = "figures/truth.svg"
KINDS = ("type_1", "family", "type_2", "wrong_way")


def truth_table(truth: Truth) -> PaperTable:
    """The errors of each test, measure and scale."""
    header = ("measure", "length", "test", "scale", *(name for kind in KINDS for name in (kind, f"{kind}_se")))
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (each.label, str(each.length), test_title(each.test), each.scale, *_rates([getattr(each, kind) for kind in KINDS]))
        for each in truth.errors
    )
    caption = (
        f"Errors of tests in {truth.campaigns} simulated campaigns, α = {general(truth.alpha)}, "
        "with Monte-Carlo standard errors (se)"
    )
    return PaperTable("truth", caption, header, rows, (*["text"] * 4, *["rate"] * 2 * len(KINDS)))


def difference_table(truth: Truth) -> PaperTable:
    """Interval scale minus original."""
    header = ("measure", "length", "test", "type_1", "type_1_se", "type_2", "type_2_se")
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (each.label, str(each.length), test_title(each.test), *_rates([each.type_1, each.type_2])) for each in truth.differences
    )
    caption = f"Errors on the interval scale minus errors with the measure itself, {truth.campaigns} simulated campaigns"
    return PaperTable("differences", caption, header, rows, (*["text"] * 3, *["rate"] * 4))


def _rates(rates: Sequence[Rate]) -> list[float]:
    return [number for rate in rates for number in (rate.rate, rate.error)]


def as_terminal_text(truth: Truth) -> str:
    """Errors side by side, then sentences."""
    rows, rules = [], []
    for at, (each, (one, other)) in enumerate(zip(truth.differences, zip(*[iter(truth.errors)] * 2, strict=True), strict=True)):
        cells = [(one.type_1, other.type_1, each.type_1), (one.type_2, other.type_2, each.type_2)]
        shown = [
            with_error(rate.rate, rate.error, sign=rate is difference)
            for original, interval, difference in cells
            for rate in (original, interval, difference)
        ]
        rows.append((f"{each.label}@{each.length}", test_title(each.test), *shown))
        if at and rows[at][0] != rows[at - 1][0]:
            rules.append(at - 1)
    header = ["measure", "test", "Type I", "on scale", "difference", "Type II", "on scale", "difference"]
    sentences = "".join(f"{wrap('- ' + sentence, '  ')}\n" for sentence in verdict(truth))
    head = f"Errors in per cent of pairs, ± Monte-Carlo standard error; α = {general(truth.alpha)}"
    return f"{head}\n\n{as_text(Table(header, rows, 'll', rules=rules))}\n{sentences}"


def verdict(truth: Truth) -> list[str]:
    """The result in sentences that take no side."""
    pairs = f"{truth.equal_pairs} pairs of equal systems and {truth.different_pairs} of different ones"
    sentences = [
        f"{truth.campaigns} campaigns of {truth.design.systems} systems and {truth.design.topics} topics; {pairs} in each."
    ]
    for kind, title in (("type_1", "Type I errors"), ("type_2", "Type II errors")):
        signs = [_sign(getattr(each, kind)) for each in truth.differences]
        sentences.append(
            f"{title}: fewer on the interval scale in {signs.count(-1)} of {len(signs)} cases (measure and test), more in "
            f"{signs.count(1)}, and no difference beyond {general(CERTAIN)} Monte-Carlo standard errors in {signs.count(0)}."
        )
        changed = [each for each, sign in zip(truth.differences, signs, strict=True) if sign]
        if changed:
            largest = max(changed, key=lambda each: abs(getattr(each, kind).rate))
            sentences.append(f"{title} change most by {_case(largest, kind)}.")
    sentences.append(
        "This holds for campaigns drawn from this design, where quality is a shift of scores. Whether a measure should be put on "
        "its interval scale before testing is under debate, and is not decided by it."
    )
    return sentences


def _case(difference: Difference, kind: str) -> str:
    rate: Rate = getattr(difference, kind)
    points = with_error(rate.rate, rate.error, sign=True)
    return f"{points} points ({difference.label}@{difference.length}, {test_title(difference.test)})"


def _sign(rate: Rate) -> int:
    if abs(rate.rate) <= CERTAIN * rate.error:
        return 0
    return 1 if rate.rate > 0 else -1


def write_truth(truth: Truth, folder: Path, inputs: Mapping[str, str]) -> None:
    """Write tables, a chart, and truth.json."""
    files = table_files((truth_table(truth), difference_table(truth)))
    own = Filled(folder, (*files, FIGURE, "truth.json"))
    for name, content in files.items():
        own.write(name, content)
    rows = [
        (f"{each.label}@{each.length}", test_title(each.test), each.scale, kind, rate.rate, rate.error)
        for each in truth.errors
        for kind, rate in (("Type I", each.type_1), ("Type II", each.type_2))
    ]
    chart = error_rates(f"Errors of tests in {truth.campaigns} simulated campaigns", rows, truth.alpha)
    own.write(FIGURE, drawn(chart, folder / FIGURE))
    document: dict[str, Any] = {
        "inputs": dict(inputs),
        "versions": versions(),
        "seed": truth.seed,
        "design": asdict(truth.design),
        "campaigns": truth.campaigns,
        "alpha": truth.alpha,
        "equal_pairs": truth.equal_pairs,
        "different_pairs": truth.different_pairs,
        "summary": verdict(truth),
        "errors": [asdict(each) for each in truth.errors],
        "differences": [asdict(each) for each in truth.differences],
    }
    own.write("truth.json", encoded(json_text(document)))
