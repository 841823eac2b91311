"""``mensura study --truth``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mensura.render.text import TextTable, wrap
from mensura.study.names import test_title

if TYPE_CHECKING:
    from argparse import Namespace

    from mensura.judged.runs import JudgedRuns
    from mensura.study.truth import Rate, Truth


def run_truth(arguments: Namespace, judged: JudgedRuns | None) -> int:
    """Simulates campaigns, counts errors, and writes them."""
    from dataclasses import replace

    from mensura.cli.commands.study import digests
    from mensura.cli.shared.output import progress, write
    from mensura.io.writing import make_folder
    from mensura.study.likeness import design_like
    from mensura.study.truth import find_truth
    from mensura.study.verdict import write_truth

    design = None
    if judged is not None:
        with progress("fitting campaigns") as tell:
            design = design_like(judged, progress=tell)
        design = replace(design, equal=min(4, max(2, design.systems // 2)))
    make_folder(arguments.output / "work")
    with progress("simulating campaigns") as tell:
        truth = find_truth(
            design,
            arguments.measures or None,
            arguments.lengths or (10,),
            arguments.tests,
            campaigns=arguments.campaigns,
            alpha=arguments.alpha,
            seed=arguments.seed,
            work=arguments.output / "work",
            progress=tell,
        )
    write_truth(truth, arguments.output, inputs=digests(arguments) if judged is not None else None)
    write(f"{as_text(truth)}\nTables, a picture and truth.json are in {arguments.output}.\n", None)
    return 0


def as_text(truth: Truth) -> str:
    """Errors side by side, then sentences."""
    from mensura.study.verdict import verdict

    table = TextTable(["measure", "test", "Type I", "on scale", "difference", "Type II", "on scale", "difference"], left=2)
    last = None
    for at, found in enumerate(truth.differences):
        one, other = truth.errors[2 * at : 2 * at + 2]
        if last not in {None, (found.label, found.length)}:
            table.line()
        last = (found.label, found.length)
        cells = [one.type_1, other.type_1, found.type_1, one.type_2, other.type_2, found.type_2]
        shown = [_signed(rate) if number in {2, 5} else _share(rate) for number, rate in enumerate(cells)]
        table.add([f"{found.label}@{found.length}", test_title(found.test), *shown])
    said = "".join(f"{wrap('- ' + sentence, '  ')}\n" for sentence in verdict(truth))
    return f"Errors in percent of pairs, ± Monte-Carlo standard error; α = {truth.alpha:g}\n\n{table}\n{said}"


def _share(rate: Rate) -> str:
    return f"{100 * rate.rate:.2f} ± {100 * rate.error:.2f}"


def _signed(rate: Rate) -> str:
    return "0" if rate.rate == rate.error == 0 else f"{100 * rate.rate:+.2f} ± {100 * rate.error:.2f}"
