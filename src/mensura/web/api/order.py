"""The partial order of judged runs."""

from functools import cache
from typing import Annotated, Literal

import numpy as np
from fastapi import APIRouter, Query

from mensura.errors import ScaleError
from mensura.judged.runs import JudgedRuns
from mensura.measures.names import parse_measure
from mensura.render.orders import pair_facts
from mensura.scales.order.hasse import RunOrder
from mensura.scales.order.runs import parse_run, show_run
from mensura.web.api.common import REFUSALS, TWO, Digits, Model
from mensura.web.api.scales import countable_names

router = APIRouter(prefix="/api/order", tags=["order"], responses=REFUSALS)

MOST_RANKS = 6
IMPATIENT = "RBP(p=0.5)"  # prefers 1100 to 1011, unlike RBP with its default (P4 §IV-B)


class Node(Model):
    """A run and its position in the diagram."""

    run: str
    x: float
    y: int
    relevant: int


class Diagram(Model):
    """All runs of a length. An edge leads from a run to one that covers it."""

    length: int
    runs: int
    covers: int
    comparable_pairs: int
    incomparable_pairs: int
    longest_chain: int
    nodes: list[Node]
    edges: list[Annotated[list[str], TWO]]


class ChainStep(Model):
    """A swap of a rank and the next, or a replacement at the last rank; and the run that it leads to."""

    kind: Literal["replacement", "swap"]
    rank: int
    run: str


class MeasureValues(Model):
    """The values of a measure for two runs."""

    measure: str
    first: float
    second: float
    higher_is_better: bool
    better: Literal["first", "second", "neither"]


class RunPair(Model):
    """The relation of two runs. Steps lead from the smaller to the larger one."""

    first: str
    second: str
    relation: Literal["less", "equal", "greater", "incomparable"]
    difference: list[int] | None
    distance: int | None
    steps: list[ChainStep] | None
    measures: list[MeasureValues]


@router.get("")
async def draw_order(length: Annotated[int, Query(ge=1, le=MOST_RANKS)] = 4) -> Diagram:
    """Return the Hasse diagram of all binary runs of a length."""
    return _diagram(length)


@cache
def _diagram(length: int) -> Diagram:
    order = RunOrder(length)
    nodes = [Node(run=show_run(run), x=x, y=y, relevant=sum(run)) for run, (x, y) in order.layout().items()]
    return Diagram(
        length=length,
        runs=order.size,
        covers=order.cover_count,
        comparable_pairs=order.comparable_pairs,
        incomparable_pairs=order.incomparable_pairs,
        longest_chain=order.tallest,
        nodes=sorted(nodes, key=lambda node: (-node.y, node.x)),
        edges=[[show_run(low), show_run(high)] for low, high in order.covers()],
    )


@router.get("/pair")
async def compare_runs(first: Digits, second: Digits) -> RunPair:
    """Return the relation of two runs, the steps between them, and their values by each measure."""
    one, other = parse_run(first), parse_run(second)
    if max(len(one), len(other)) > MOST_RANKS:
        raise ScaleError(
            f"expected runs of at most {MOST_RANKS} ranks, got {max(len(one), len(other))}; mensura order compares longer ones"
        )
    return RunPair(**pair_facts(one, other), measures=[_values(name, one, other) for name in (*countable_names(), IMPATIENT)])


def _values(name: str, one: tuple[int, ...], other: tuple[int, ...]) -> MeasureValues:
    """Return the values of two runs. The recall base is their length, so that measures of recall have one."""
    measure = parse_measure(name) @ len(one)
    top = max(1, *one, *other)
    base = np.zeros((1, top + 1), dtype=np.int64)
    base[0, 1:] = len(one)
    values = measure.score(JudgedRuns.from_grades(np.array([[one], [other]]), base))[:, 0].tolist()
    higher = measure.direction == "higher"
    gap = (values[0] - values[1]) * (1 if higher else -1)
    near = abs(gap) <= 1e-12 * max(map(abs, values))  # the same sum, added up in another order
    better: Literal["first", "second", "neither"] = "neither" if near else "first" if gap > 0 else "second"
    return MeasureValues(measure=str(measure), first=values[0], second=values[1], higher_is_better=higher, better=better)
