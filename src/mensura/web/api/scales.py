"""Interval scales of measures, what is proven about them, and where runs stand."""

import dataclasses
import inspect
from functools import cache
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from mensura.errors import MeasureError
from mensura.measures import REGISTRY, parse_measure
from mensura.measures.base import Measure as AnyMeasure
from mensura.web import tasks
from mensura.web.api.common import REFUSALS, Description, Digits, GradeList, Measure, Model, State, grades

router = APIRouter(prefix="/api", tags=["scales"], responses=REFUSALS)

MOST_RANKS = 100
LENGTH = 5
Length = Annotated[int | None, Query(ge=1, le=MOST_RANKS, description="the length of runs, for a measure without a cut-off")]
Asked = Annotated[Measure, Query(description="a measure with a cut-off, as in AP@5", examples=["AP@5"])]
Grades = Annotated[GradeList, Query()]


class Parameter(Model):
    """A parameter of a measure and its default."""

    name: str
    default: str | None


class Family(Model):
    """A measure without its cut-off."""

    name: str
    summary: str
    parameters: list[Parameter]
    graded: bool
    countable: bool = Field(description="can its values be counted without listing runs?")


class Neighbour(Model):
    """A step of the scale: its value, and runs that stand there."""

    rank: str
    value: float
    exact: str
    runs: list[str]
    more: int


class Place(Model):
    """Where a run stands: value and rank, or certified bounds of rank / steps."""

    run: str
    rank: str | None
    value: float | None
    neighbours: list[Neighbour]
    low: float | None
    high: float | None
    of: str | None


class Scale(Model):
    """An interval scale. Whole numbers come as text, for they may have thirty digits."""

    measure: str
    name: str = Field(description="the measure without parameters and cut-off")
    parameters: dict[str, str]
    length: int
    grades: list[int]
    steps: str | None
    runs: str
    method: str
    exact: bool
    interval: bool | None
    numerator: bool
    run: Place | None


class Answer(Model):
    """A question about a measure: yes, no or not known; why; and the runs of a counterexample."""

    key: str
    question: str
    holds: bool | None
    reason: str
    runs: list[str]


class Properties(Model):
    """What is proven about a measure."""

    measure: str
    length: int
    scale: str
    properties: list[Answer]


class Chart(Model):
    """A chart."""

    chart: Description


@router.get("/measures")
def list_measures() -> list[Family]:
    """The measures, without those that need another one."""
    return _families()


@cache
def _families() -> list[Family]:
    made = []
    for name, cls in sorted(REGISTRY.items(), key=lambda entry: entry[0].lower()):
        fields = [field for field in dataclasses.fields(cls) if field.name not in {"cutoff", "gains"}]
        if any(field.default is dataclasses.MISSING for field in fields):
            continue
        parameters = [Parameter(name=field.name, default=None if field.default is None else str(field.default)) for field in fields]
        measure = cls()
        summary = (inspect.getdoc(cls) or "").split("\n\n", 1)[0].replace("\n", " ")
        made.append(Family(name=name, summary=summary, parameters=parameters, graded=measure.graded, countable=_countable(measure)))
    return made


def _countable(measure: AnyMeasure) -> bool:
    try:
        return (measure @ LENGTH).decompose(LENGTH, (0, 1)) is not None
    except MeasureError:  # the number behind @ is no cut-off
        return False


def asked(text: str, length: int | None) -> tuple[AnyMeasure, int]:
    """A measure and the length of the runs that it is about."""
    measure = parse_measure(text)
    ranks = min(measure.cutoff or length or LENGTH, MOST_RANKS)
    return measure @ ranks, ranks


@router.get("/scale")
async def look_at_scale(
    server: State,
    measure: Asked,
    length: Length = None,
    grades_: Annotated[GradeList, Query(alias="grades")] = "0,1",
    run: Digits | None = None,
) -> Scale:
    """The interval scale of a measure, and the place of a run on it."""
    found, ranks = asked(measure, length)
    facts = await server.answer(tasks.look_at_scale, str(found), ranks, grades(grades_), run)
    parameters = {key: str(value) for key, value in found.parameters().items()}
    return Scale(name=found.name, parameters=parameters, **facts)


@router.get("/scale/chart")
async def draw_scale(
    server: State, measure: Asked, length: Length = None, grades_: Annotated[GradeList, Query(alias="grades")] = "0,1"
) -> Chart:
    """The values beside equally spaced steps, or their curve: the chart of ``mensura scale``."""
    found, ranks = asked(measure, length)
    return Chart(chart=await server.answer(tasks.draw_scale, str(found), ranks, grades(grades_)))


@router.get("/properties")
async def prove(
    server: State, measure: Asked, length: Length = None, grades_: Annotated[GradeList, Query(alias="grades")] = "0,1"
) -> Properties:
    """What is proven or refuted about the scale of a measure."""
    found, ranks = asked(measure, length)
    return Properties(**await server.answer(tasks.prove, str(found), ranks, grades(grades_)))
