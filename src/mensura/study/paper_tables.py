"""The tables of P4, as rows, csv, LaTeX and Markdown."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mensura.study.names import test_title

if TYPE_CHECKING:
    from mensura.study.experiment import Study

NONE = ""
"""What a table shows where there is no number."""


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A table of texts with its caption."""

    name: str
    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: int = 1
    """How many columns hold text."""


def tables(study: Study) -> list[PaperTable]:
    """All tables of a study."""
    return [
        *(_correlations(study, f"table{number}", way) for number, way in ((2, "unq"), (3, "mid")) if way in study.ties),
        *([_pairs(study)] if len(study.measures) > 1 else []),
        *([_significance(study)] if study.tests else []),
    ]


def _number(value: float | None, digits: int = 4) -> str:
    return NONE if value is None or math.isnan(value) else f"{value:.{digits}f}"


def _correlations(study: Study, name: str, way: str) -> PaperTable:
    how = "distinct values ranked" if way == "unq" else "ties at the mean of their ranks"
    rows = tuple(
        (study.track(length), *(_number(study.cell(label, length).tau[way]) for label in study.labels)) for length in study.lengths
    )
    caption = f"Kendall's τ between each measure and its interval-scaled version ({how}), {study.name}"
    return PaperTable(name, caption, ("track", *study.labels), rows)


def _pairs(study: Study) -> PaperTable:
    header, columns = ["pair"], []
    for length in study.lengths:
        header += [f"{study.track(length)}_{part}" for part in ("msr", "rnkmsr", "delta")]
        columns.append(study.between(length))
    rows = []
    for one, other in columns[0]:
        cells = [f"{one} vs {other}"]
        for column in columns:
            before, after = column[one, other]
            change = 100 * (after - before) / abs(before) if before else math.nan
            delta = NONE if math.isnan(change) else f"{change:+.2f}%".replace("-0.00%", "+0.00%")
            cells += [_number(before), _number(after), delta]
        rows.append(tuple(cells))
    caption = f"Kendall's τ among measures (msr) and among their interval-scaled versions (rnkmsr), {study.name}"
    return PaperTable("table4", caption, tuple(header), tuple(rows))


def _significance(study: Study) -> PaperTable:
    header = ("measure", "test", "track", "system_pairs", "sig", "s2ns", "ns2s", "delta_percent")
    rows = []
    for label in study.labels:
        for test in study.tests:
            for length in study.lengths:
                found = study.cell(label, length).decisions[test]
                counts = (study.system_pairs, found.sig, found.s2ns, found.ns2s)
                rows.append((label, test_title(test), study.track(length), *map(str, counts), _number(found.delta, 2)))
    caption = (
        f"Pairs of systems that differ significantly (α = {study.alpha:g}) with the measure (sig), "
        f"no longer (s2ns) or newly (ns2s) on its interval scale, {study.name}"
    )
    return PaperTable("table5_6", caption, header, tuple(rows), left=3)


def as_csv(table: PaperTable) -> str:
    """With a header, as in the first line of the file."""
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.header)
    writer.writerows(table.rows)
    return text.getvalue()


def as_markdown(table: PaperTable) -> str:
    """A pipe table under its caption."""

    def line(cells: tuple[str, ...]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"

    rule = "|" + "".join("---|" if at < table.left else "---:|" for at in range(len(table.header))) + "\n"
    return f"{table.caption}\n\n{line(table.header)}{rule}{''.join(map(line, table.rows))}"


LATEX = str.maketrans(
    {
        **{character: f"\\{character}" for character in "&%$#_{}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "τ": r"$\tau$",
        "α": r"$\alpha$",
    }
)


def as_latex(table: PaperTable) -> str:
    """A ``tabular`` that needs no package."""
    columns = "l" * table.left + "r" * (len(table.header) - table.left)

    def line(cells: tuple[str, ...]) -> str:
        return " & ".join(cell.translate(LATEX) for cell in cells) + r" \\" + "\n"

    return (
        f"% {table.caption}\n\\begin{{tabular}}{{{columns}}}\n\\hline\n{line(table.header)}\\hline\n"
        f"{''.join(map(line, table.rows))}\\hline\n\\end{{tabular}}\n"
    )
