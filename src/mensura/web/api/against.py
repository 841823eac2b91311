"""Rankings against one reference, and relevance lists and runs against their ideal rankings."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Cookie, Query
from pydantic import Field

from mensura.errors import InputError
from mensura.rankings.ideal import against_ideal, judged_lists
from mensura.rankings.reference import against_reference
from mensura.render.against import HEADER, reference_rows
from mensura.render.charts.against import READABLE, reference_chart
from mensura.result import encode
from mensura.web.api.common import MOST_ITEMS, REFUSALS, Description, Model, Name, State
from mensura.web.api.rankings import Depth, Persistence, Ranked, Weight, ranking_of, weight_of
from mensura.web.jobs import tasks
from mensura.web.jobs.ideals import ideal_facts
from mensura.web.jobs.sessions import COOKIE, campaign_files

router = APIRouter(prefix="/api/rankings", tags=["rankings"], responses=REFUSALS)

Grades = Annotated[list[Annotated[int, Field(ge=0, le=127)]], Field(min_length=1, max_length=MOST_ITEMS)]
Counts = Annotated[list[Annotated[int, Field(ge=0, le=1_000_000)]], Field(min_length=1, max_length=127)]
Curve = list[float | None]


class NamedRanking(Model):
    """A ranking, best first, and its name; tied items are in a list."""

    name: Name
    items: Ranked


class NamedGrades(Model):
    """Grades of a ranking, from the first rank down, and its name."""

    name: Name
    grades: Grades


class ReferenceRequest(Model):
    """Up to eight rankings, and the reference that each is compared with."""

    reference: Ranked = Field(examples=[["a", "b", "c", "d"]])
    rankings: Annotated[list[NamedRanking], Field(min_length=1, max_length=READABLE)]
    name: Name = "the reference"
    h: Weight = "1"
    p: Persistence = 0.9
    k: Depth = 10


class IdealRequest(Model):
    """Up to eight relevance lists of one topic."""

    lists: Annotated[list[NamedGrades], Field(min_length=1, max_length=READABLE)]
    relevant: Counts | None = Field(
        default=None, description="number of documents of grade 1, 2, …; by default the largest number that any list contains"
    )
    h: Weight = "1"


class Line(Model):
    """A ranking: the cells of its row, where it loses and recovers, and its curves over ranks."""

    name: str
    cells: list[str]
    said: str = ""
    positions: Curve
    misplacements: Curve
    point: Curve
    area: Curve
    normalized_area: Curve
    a_corr: Curve
    relative_position: Curve = Field(default=[])


class AgainstResult(Model):
    """Rankings against a reference; of runs, also all systems and topics that can be chosen."""

    reference: str
    columns: list[str]
    lines: list[Line]
    systems: list[str] = Field(default=[])
    topics: list[str] = Field(default=[])
    chart: Description


@router.post("/reference")
async def compare_with_reference(question: ReferenceRequest) -> AgainstResult:
    """Return numbers and curves of up to eight rankings, each against the same reference."""
    return await asyncio.to_thread(_with_reference, question)


def _with_reference(question: ReferenceRequest) -> AgainstResult:
    _check_names([each.name for each in question.rankings])
    comparison = against_reference(
        {each.name: ranking_of(each.items) for each in question.rankings},
        ranking_of(question.reference),
        name=question.name,
        h=weight_of(question.h),
        p=question.p,
        k=question.k,
    )
    lines = [
        Line(
            name=name,
            cells=cells,
            positions=encode(comparison[name].pair.y / 2),
            misplacements=encode(comparison[name].misplacements),
            point=encode(comparison[name].point),
            area=encode(comparison[name].area),
            normalized_area=encode(comparison[name].normalized_area_curve),
            a_corr=encode(comparison[name].a_corr_curve),
        )
        for name, *cells in reference_rows(comparison)
    ]
    return AgainstResult(reference=question.name, columns=list(HEADER), lines=lines, chart=reference_chart(comparison))


@router.post("/ideal")
async def compare_with_ideal(question: IdealRequest) -> AgainstResult:
    """Return numbers and curves of up to eight relevance lists, each against the ideal order of the relevant documents."""
    return await asyncio.to_thread(_with_ideal, question)


def _with_ideal(question: IdealRequest) -> AgainstResult:
    _check_names([each.name for each in question.lists])
    judged = judged_lists({each.name: each.grades for each in question.lists}, question.relevant)
    curves = against_ideal(judged, h=weight_of(question.h))
    return AgainstResult(**ideal_facts(curves, "the ideal ranking"))


@router.get("/runs")
async def compare_runs_with_ideal(  # noqa: PLR0917 - FastAPI passes them by name
    server: State,
    topic: Annotated[Name | None, Query(description="a topic, or all for the mean curve; by default the first one")] = None,
    system: Annotated[list[Name], Query(max_length=READABLE, description="systems to draw; by default the first eight")] = [],  # noqa: B006 - FastAPI copies it
    depth: Annotated[int, Query(ge=1, le=10_000, description="number of ranks")] = 100,
    h: Annotated[Weight, Query()] = "1",
    demo: Annotated[
        int | None, Query(ge=0, le=1_000_000, description="seed of a simulated campaign; by default, your files are used")
    ] = None,
    visitor: Annotated[str | None, Cookie(alias=COOKIE, include_in_schema=False)] = None,
) -> AgainstResult:
    """Return numbers and curves of runs against the ideal rankings of their judgments."""
    files: tuple[tuple[str, str], ...] = ()
    if demo is None:
        session = server.sessions.get(visitor)
        if session is None:
            raise InputError("there are no files to compare; upload judgments and runs first, or use the demo")
        files = campaign_files(session)
    facts = await server.answer(tasks.compare_with_ideal, demo, files, topic, tuple(dict.fromkeys(system)), depth, weight_of(h))
    return AgainstResult(**facts)


def _check_names(names: list[str]) -> None:
    """Refuse a name that two rankings have."""
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two rankings are called {name!r}; give each a name of its own")
