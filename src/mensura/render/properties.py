"""Answers about the scale of a measure, as words and as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mensura.scales.order.runs import show_run
from mensura.scales.order.verdicts import (
    NoCounterexample,
    NotEquispaced,
    NotIntervalLike,
    NotMonotone,
    Proven,
    Refuted,
    UnequalSteps,
    holds,
)

if TYPE_CHECKING:
    from mensura.scales.order.verdicts import Answer


def reason(answer: Answer) -> str:
    """Return the proof of an answer, its counterexample, or the runs among which none is."""
    match answer:
        case Proven(by):
            return by
        case NoCounterexample(searched):
            return searched
    return str(answer.counterexample)


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
