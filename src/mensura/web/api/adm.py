"""The average distance measure, document by document."""

from typing import Annotated

from fastapi import APIRouter, Cookie, Query
from pydantic import Field

from mensura.errors import InputError
from mensura.web.api.common import REFUSALS, Description, Measure, Model, Name, State
from mensura.web.jobs import tasks
from mensura.web.jobs.sessions import COOKIE, campaign_files

router = APIRouter(prefix="/api/adm", tags=["adm"], responses=REFUSALS)


class PlaneDocument(Model):
    """A document: the system's score and SRS, the users' grade and URS, and their distance."""

    rank: int | None
    grade: int | None
    score: float | None
    srs: float
    urs: float
    distance: float


class Level(Model):
    """The documents of one URS, and their median SRS."""

    urs: float
    documents: int
    srs: float


class Plane(Model):
    """A list in the plane of URS and SRS."""

    measure: str
    system: str
    topic: str
    value: float
    mean: float = Field(description="over all topics")
    systems: list[str]
    topics: list[str]
    documents: list[PlaneDocument]
    medians: list[Level]
    chart: Description


@router.get("")
async def draw_plane(  # noqa: PLR0917 - FastAPI passes them by name
    server: State,
    measure: Measure = "ADM",
    system: Name | None = None,
    topic: Name | None = None,
    demo: Annotated[
        int | None, Query(ge=0, le=1_000_000, description="seed of a simulated campaign; by default, your files are used")
    ] = None,
    visitor: Annotated[str | None, Cookie(alias=COOKIE, include_in_schema=False)] = None,
) -> Plane:
    """Return SRS and URS of the documents of a system on a topic, from the files of the session or a simulated campaign."""
    files: tuple[tuple[str, str], ...] = ()
    if demo is None:
        session = server.sessions.get(visitor)
        if session is None:
            raise InputError("there are no files to draw; upload judgments and runs on the page Evaluate first, or use the demo")
        files = campaign_files(session)
    return Plane(**await server.answer(tasks.draw_plane, demo, files, measure, system, topic))
