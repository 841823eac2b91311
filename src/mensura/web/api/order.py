"""The partial order of judged runs."""

from functools import cache
from typing import Annotated, Literal

from fastapi import APIRouter, Query

from mensura.errors import ScaleError
from mensura.measures.names import parse_measure
from mensura.render.orders import pair_facts
from mensura.scales.order.hasse import RunOrder
from mensura.scales.order.runs import parse_run, show_run
from mensura.web.api.common import REFUSALS, TWO, Digits, Model, Numbers
from mensura.web.api.scales import countable_names

router = APIRouter(prefix="/api/order", tags=["order"], responses=REFUSALS)

MOST_RANKS = 6
MOST_GRADES = 4
MOST_DRAWN = 256
IMPATIENT = "RBP(p=0.5)"  # prefers 1100 to 1011, unlike RBP with its default (P4 §IV-B)


class Node(Model):
    """A run and its position in the diagram."""

    run: str
    x: float
    y: int
    relevance: int


class Diagram(Model):
    """All runs of a length over some grades. An edge leads from a run to one that covers it, by way of its bends [x, y]."""

    length: int
    top: int
    runs: int
    covers: int
    comparable_pairs: int | None
    incomparable_pairs: int | None
    shortest_chain: int
    longest_chain: int
    nodes: list[Node]
    edges: list[Annotated[list[str], TWO]]
    bends: list[list[Numbers]]


class ChainStep(Model):
    """A swap of a rank and a lower one, or a replacement at a rank; and the run that it leads to."""

    kind: Literal["replacement", "swap"]
    rank: int
    lower: int | None
    run: str


class More(Model):
    """A prefix in which one of two incomparable runs has more documents of a grade or higher: P(rel=grade)@rank prefers it."""

    run: str
    rank: int
    grade: int
    counts: Annotated[list[int], TWO]


class MeasureValues(Model):
    """The values of a measure for two runs, and whether they respect the order of the runs; None for incomparable runs.

    A value that the measure divides by something of the recall base is the value before that.
    """

    measure: str
    values: Annotated[list[float], TWO]
    before_recall_base: bool
    higher_is_better: bool
    better: Literal["first", "second", "neither"]
    respects: bool | None


class RunPair(Model):
    """The relation of two runs. Steps lead from the smaller to the larger one.

    There is a difference vector for each grade, and a natural distance for binary runs only.
    """

    first: str
    second: str
    relation: Literal["less", "equal", "greater", "incomparable"]
    differences: list[list[int]] | None
    distance: int | None
    chain_lengths: list[int] | None
    steps: list[ChainStep] | None
    more: list[More] | None
    measures: list[MeasureValues]


@router.get("")
async def draw_order(
    length: Annotated[int, Query(ge=1, le=MOST_RANKS)] = 4, top: Annotated[int, Query(ge=1, le=MOST_GRADES)] = 1
) -> Diagram:
    """Return the Hasse diagram of all runs of a length over the grades 0 to ``top``."""
    if RunOrder(length, top).size > MOST_DRAWN:
        raise ScaleError(f"{RunOrder(length, top).size} runs are too many to draw, at most {MOST_DRAWN}; choose shorter runs")
    return _diagram(length, top)


@cache
def _diagram(length: int, top: int) -> Diagram:
    order = RunOrder(length, top)
    places, bends = order.layout()
    nodes = [Node(run=show_run(run), x=x, y=y, relevance=sum(run)) for run, (x, y) in places.items()]
    return Diagram(
        length=length,
        top=top,
        runs=order.size,
        covers=order.cover_count,
        comparable_pairs=order.comparable_pairs,
        incomparable_pairs=order.incomparable_pairs,
        shortest_chain=order.shortest_chain,
        longest_chain=order.longest_chain,
        nodes=sorted(nodes, key=lambda node: (-node.y, node.x)),
        edges=[[show_run(low), show_run(high)] for low, high in bends],
        bends=[[[x, y] for x, y in between] for between in bends.values()],
    )


@router.get("/pair")
async def compare_runs(first: Digits, second: Digits) -> RunPair:
    """Return the relation of two runs, the steps between them, and their values by each measure."""
    one, other = parse_run(first), parse_run(second)
    if max(len(one), len(other)) > MOST_RANKS:
        raise ScaleError(
            f"expected runs of at most {MOST_RANKS} ranks, got {max(len(one), len(other))}; mensura order compares longer ones"
        )
    top = max(*one, *other)
    names = [*countable_names(), IMPATIENT, *(f"P(rel={grade})" for grade in range(2, min(top, MOST_GRADES) + 1))]
    measures = [parse_measure(name) @ len(one) for name in names]
    facts = pair_facts(one, other, measures)
    for measure, values in zip(measures, facts["measures"], strict=True):
        values["higher_is_better"] = measure.direction == "higher"
    return RunPair(**facts)
