"""A study as text for a terminal."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mensura.render.text import TextTable, wrap
from mensura.study.summary import changed, moves, sentences

if TYPE_CHECKING:
    from mensura.study.experiment import Study


def as_text(study: Study) -> str:
    """One line per measure, then sentences."""
    length = study.lengths[-1]
    header = ["measure", *(f"τ@{n}" for n in study.lengths), "changed", "moved"]
    table = TextTable(header)
    moved = [move.measure for move in moves(study, length)]
    way = "unq" if "unq" in study.ties else study.ties[0]
    for label in study.labels:
        taus = [study.cell(label, n).tau[way] for n in study.lengths]
        share = changed(study.cell(label, length))
        cells = ["–" if tau is None or math.isnan(tau) else f"{tau:.4f}" for tau in taus]
        table.add([label, *cells, "–" if math.isnan(share) else f"{share:.1f} %", str(moved.count(label))])
    grades = "binary" if len(study.grades) == 2 else f"grades {study.grades[0]} to {study.grades[-1]}"  # noqa: PLR2004
    return (
        f"{study.name}: {len(study.systems)} systems, {len(study.topics)} topics, {grades}\n\n{table}\n"
        f"τ: between leaderboards by the measure and on its interval scale. At length {length}, changed: decisions of tests\n"
        "on the interval scale that are others, per significant one; moved: systems in another place.\n\n"
        + "".join(f"{wrap('- ' + sentence, '  ')}\n" for sentence in sentences(study))
    )
