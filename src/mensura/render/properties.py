"""Answers about the scale of a measure, as words and as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mensura.render.tables import Table, View
from mensura.scales.order.runs import show_run
from mensura.scales.order.verdicts import (
    NotEquispaced,
    NotIntervalLike,
    NotMonotone,
    Refuted,
    UnequalSteps,
    holds,
    reason,
)
from mensura.scales.proofs import QUESTIONS

if TYPE_CHECKING:
    from mensura.scales.order.verdicts import Answer
    from mensura.scales.proofs import Properties


def properties_view(properties: Properties) -> View:
    """Each property with the answer, and its proof or counterexample."""
    title = f"{properties.measure} on runs of length {properties.length}, grades {', '.join(map(str, properties.grades))}"
    answers = properties.answers()
    words = {True: "yes", False: "no", None: "not known"}
    rows = [(QUESTIONS[name], words[holds(answer)]) for name, answer in answers.items()]
    table = Table(["property", "holds"], rows, "ll", caption=title, label="properties")
    return View(title, [table], sentences=[f"{QUESTIONS[name]}: {reason(answer)}" for name, answer in answers.items()])


def answer_facts(answer: Answer) -> dict[str, Any]:
    """Return an answer as plain data, with the runs of a counterexample."""
    facts: dict[str, Any] = {"holds": holds(answer), "reason": reason(answer)}
    if isinstance(answer, Refuted):
        match answer.counterexample:
            case NotMonotone(before=before, after=after):
                runs = [before, after]
            case NotEquispaced(runs=three):
                runs = [*three]
            case NotIntervalLike(larger=larger, smaller=smaller) | UnequalSteps(first=larger, second=smaller):
                runs = [*larger, *smaller]
            case _:
                runs = []
        facts["runs"] = [show_run(run) for run in runs]
    return facts
