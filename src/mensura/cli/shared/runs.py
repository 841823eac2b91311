"""Reading judgments and runs for a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mensura.errors import InputError
from mensura.io.read import read_qrels, run_inputs
from mensura.io.reading import Order, Reading

if TYPE_CHECKING:
    from argparse import Namespace

    from mensura.judged.runs import JudgedRuns


def order_for(arguments: Namespace, planned: tuple[str, ...] = ()) -> Order:
    """How the runs of a command are ranked, and whether their scores are kept.

    Only ADM, or somebody's own measure (plug-ins are loaded before), can ask for scores. Names are looked up here only if there may
    be one: as a rule, reading begins before the measures are even imported.
    """
    names = [*arguments.measures, *planned]
    if not arguments.plugin and not any("adm" in name.lower() for name in names):
        return Order(compat=arguments.compat)
    from mensura.measures.names import parse_measures

    return Order(compat=arguments.compat, keep_scores=any(measure.uses_scores for measure in parse_measures(names)))


def check_stdin(arguments: Namespace) -> None:
    """Standard input can be one of the inputs."""
    if [arguments.qrels, *arguments.runs].count("-") > 1:
        raise InputError("standard input can be read only once: give the other inputs as files", source="-")


def judged_runs(arguments: Namespace) -> JudgedRuns:
    """The judged runs of a command that takes QRELS and RUNs, with a progress bar."""
    check_stdin(arguments)
    qrels = read_qrels(arguments.qrels)
    reading = Reading(qrels, run_inputs(arguments.runs), order_for(arguments), arguments.threads)

    from mensura.cli.shared.output import progress
    from mensura.judged.runs import collect

    with progress("reading runs") as tell:
        return collect(reading, tell)
