"""Interval scales of measures, their proven properties, and the positions of runs."""

import dataclasses
import inspect
from functools import cache
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from mensura.errors import MeasureError
from mensura.measures.base import Measure as AnyMeasure
from mensura.measures.names import REGISTRY, parse_measure
from mensura.web.api.common import REFUSALS, Description, Digits, GradeList, Measure, Model, State, grades
from mensura.web.jobs import tasks

router = APIRouter(prefix="/api", tags=["scales"], responses=REFUSALS)

MOST_RANKS = 100
LENGTH = 5
Length = Annotated[int | None, Query(ge=1, le=MOST_RANKS, description="length of the runs, for a measure without a cut-off")]
Asked = Annotated[Measure, Query(description="a measure with a cut-off, e.g. AP@5", examples=["AP@5"])]
Grades = Annotated[GradeList, Query()]


class Parameter(Model):
    """A parameter of a measure and its default."""

    name: str
    default: str | None


class MeasureFamily(Model):
    """A measure without its cut-off."""

    name: str
    summary: str
    parameters: list[Parameter]
    graded: bool
    countable: bool = Field(description="whether its values can be counted without listing runs")


class Neighbour(Model):
    """A step of the scale: its value, and runs with it."""

    rank: str
    value: float
    exact: str
    runs: list[str]
    more: int


class RunPosition(Model):
    """The position of a run: value and rank, or certified bounds of rank / steps."""

    run: str
    rank: str | None
    value: float | None
    neighbours: list[Neighbour]
    low: float | None
    high: float | None
    of: str | None


class Scale(Model):
    """An interval scale. Whole numbers are text, as they may have thirty digits."""

    measure: str
    name: str = Field(description="the measure without parameters and cut-off")
    parameters: dict[str, str]
    length: int
    grades: list[int]
    steps: str | None
    runs: str
    method: str
    exact: bool
    assumes: str | None = Field(description="what exactness rests on beyond proof, for sums of logarithms")
    interval: bool | None
    numerator: bool
    run: RunPosition | None


class Answer(Model):
    """A question about a measure: yes, no or not known; why; and the runs of a counterexample."""

    key: str
    question: str
    holds: bool | None
    reason: str
    runs: list[str]


class ProvenProperties(Model):
    """Answers about a measure."""

    measure: str
    length: int
    scale: str
    properties: list[Answer]


class ScaleChart(Model):
    """A chart."""

    chart: Description


@router.get("/measures")
def list_measures() -> list[MeasureFamily]:
    """Return the measures, except those that need another one."""
    return _families()


@cache
def _families() -> list[MeasureFamily]:
    families = []
    for name, cls in sorted(REGISTRY.items(), key=lambda entry: entry[0].lower()):
        fields = [field for field in dataclasses.fields(cls) if field.name not in {"cutoff", "gains"}]
        if any(field.default is dataclasses.MISSING for field in fields):
            continue
        parameters = [Parameter(name=field.name, default=None if field.default is None else str(field.default)) for field in fields]
        measure = cls()
        summary = (inspect.getdoc(cls) or "").split("\n\n", 1)[0].replace("\n", " ")
        families.append(
            MeasureFamily(name=name, summary=summary, parameters=parameters, graded=measure.graded, countable=_countable(measure))
        )
    return families


def _countable(measure: AnyMeasure) -> bool:
    try:
        return (measure @ LENGTH).decompose(LENGTH, (0, 1)) is not None
    except MeasureError:  # the number after @ is not a cut-off
        return False


def countable_names() -> list[str]:
    """Return the names of the measures whose values can be counted."""
    return [family.name for family in _families() if family.countable]


def parse_question(text: str, length: int | None) -> tuple[AnyMeasure, int]:
    """Return a measure with its cut-off, and the length of the runs; without one, if a cut would make it another measure."""
    measure = parse_measure(text)
    ranks = measure.cutoff or length or LENGTH
    if ranks > MOST_RANKS:
        raise MeasureError(
            f"{measure} looks at {ranks} ranks, and this page counts scales of {MOST_RANKS} at most; use mensura scale"
        )
    try:
        return measure if measure.reads_past_lists else measure @ ranks, ranks
    except MeasureError:  # a level of recall, not of ranks, or no cut-off at all
        return measure, ranks


@router.get("/scale")
async def look_at_scale(
    server: State,
    measure: Asked,
    length: Length = None,
    grades_: Annotated[GradeList, Query(alias="grades")] = "0,1",
    run: Digits | None = None,
) -> Scale:
    """Return the interval scale of a measure, and the position of a run on it."""
    parsed, ranks = parse_question(measure, length)
    facts = await server.answer(tasks.look_at_scale, str(parsed), ranks, grades(grades_), run)
    parameters = {key: str(value) for key, value in parsed.parameters().items()}
    return Scale(name=parsed.name, parameters=parameters, **facts)


@router.get("/scale/chart")
async def draw_scale(
    server: State, measure: Asked, length: Length = None, grades_: Annotated[GradeList, Query(alias="grades")] = "0,1"
) -> ScaleChart:
    """Return the chart of ``mensura scale``: the values beside equally spaced steps, or their curve."""
    parsed, ranks = parse_question(measure, length)
    return ScaleChart(chart=await server.answer(tasks.draw_scale, str(parsed), ranks, grades(grades_)))


@router.get("/properties")
async def prove(
    server: State, measure: Asked, length: Length = None, grades_: Annotated[GradeList, Query(alias="grades")] = "0,1"
) -> ProvenProperties:
    """Prove or refute properties of the scale of a measure."""
    parsed, ranks = parse_question(measure, length)
    return ProvenProperties(**await server.answer(tasks.prove, str(parsed), ranks, grades(grades_)))
