"""Reading judgments and runs for a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mensura.errors import InputError
from mensura.io.read import read_qrels, run_inputs
from mensura.io.reading import Order, Reading

if TYPE_CHECKING:
    from argparse import Namespace

    from mensura.judged import JudgedRuns


def judged_runs(arguments: Namespace) -> JudgedRuns:
    """The judged runs of a command that takes QRELS and RUNs, with a progress bar."""
    if [arguments.qrels, *arguments.runs].count("-") > 1:
        raise InputError("standard input can be read only once: give the other inputs as files", source="-")
    qrels = read_qrels(arguments.qrels)
    reading = Reading(qrels, run_inputs(arguments.runs), Order(compat=arguments.compat), arguments.threads)

    from mensura.cli.output import progress
    from mensura.judged import collect

    with progress("reading runs") as tell:
        return collect(reading, tell)
