"""Uploads, and evaluations of them: each is a job that can be watched and cancelled."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Cookie, HTTPException, Path, Query, Request, Response
from fastapi.responses import FileResponse
from pydantic import Field

from mensura.measures.needs import DEFAULT_MEASURES
from mensura.stats.families import TITLES
from mensura.stats.methods import METHODS
from mensura.web.api.common import REFUSALS, TWO, Measure, Model, Name, Problem, Share, State
from mensura.web.jobs import Job
from mensura.web.server import Server
from mensura.web.sessions import COOKIE, Session, StoredFile, campaign_files, place
from mensura.web.uploads import store

UNKNOWN: dict[int | str, dict[str, Any]] = {404: {"model": Problem, "description": "Not of this session, or gone"}}
RUNNING: dict[int | str, dict[str, Any]] = {409: {"model": Problem, "description": "An evaluation of this session goes on"}}

router = APIRouter(prefix="/api", tags=["evaluate"], responses=REFUSALS)

Visitor = Annotated[str | None, Cookie(alias=COOKIE, include_in_schema=False)]
Key = Annotated[str, Path(pattern=r"^[\w-]{1,64}$")]
BINARY = {
    "requestBody": {"required": True, "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}
}


class File(Model):
    """An uploaded file."""

    id: str
    kind: Literal["qrels", "run"]
    name: str
    size: int
    inflated: int

    @classmethod
    def of(cls, file: StoredFile) -> "File":
        """What its owner may know."""
        return cls(id=file.id, kind=file.kind, name=file.name, size=file.size, inflated=file.inflated)


class Compare(Model):
    """How systems are compared, by the first measure."""

    test: Annotated[str, Field(max_length=40, json_schema_extra={"enum": ["auto", *METHODS]})] = "auto"
    correction: Annotated[str, Field(max_length=40, json_schema_extra={"enum": ["auto", *TITLES]})] = "auto"
    baseline: Name | None = None
    scale: Literal["original", "interval"] = Field(
        default="original", description="values of the measure, or ranks on its interval scale"
    )
    alpha: Share = 0.05


class Question(Model):
    """What to evaluate: the files of the session, or a simulated campaign."""

    demo: Annotated[int, Field(ge=0, le=1_000_000)] | None = Field(default=None, description="the seed of a simulated campaign")
    measures: Annotated[list[Measure], Field(min_length=1, max_length=20)] = Field(default=list(DEFAULT_MEASURES))
    topics: Literal["judged", "both"] = "judged"
    compat: Literal["trec_eval-10", "trec_eval-9"] = "trec_eval-10"
    compare: Compare | None = Compare()
    report: bool = Field(default=False, description="write the page of mensura report, too")


class Row(Model):
    """A system of the leaderboard."""

    place: int
    system: str
    means: list[float | None]
    best: list[bool]


class Result(Model):
    """A leaderboard, best first by the first measure; and what ``mensura compare --format json`` says about it."""

    systems: int
    topics: int
    counted: Annotated[list[int], TWO]
    measures: list[dict[str, Any]]
    decimals: list[int] = Field(description="of the means of each measure, so many are supported by the number of topics")
    rows: list[Row]
    remarks: list[str]
    comparison: dict[str, Any] | None


class Evaluation(Model):
    """An evaluation and how far it is."""

    id: str
    state: Literal["waiting", "running", "done", "failed", "cancelled"]
    stage: str
    done: int
    total: int
    error: str | None
    report: bool = Field(description="is there a report to fetch?")
    result: Result | None

    @classmethod
    def of(cls, job: Job) -> "Evaluation":
        """As it is now."""
        result = None if job.result is None else Result(**job.result)
        return cls(
            id=job.id,
            state=job.state,
            stage=job.stage,
            done=job.done,
            total=job.total,
            error=job.error,
            report=job.report is not None and job.state == "done",
            result=result,
        )


def _session(server: Server, visitor: str | None, request: Request, response: Response) -> Session:
    """The visitor's session, begun if there is none."""
    session = server.sessions.get(visitor)
    if session is None:
        session = server.sessions.begin()
        secure = request.url.scheme == "https"
        response.set_cookie(COOKIE, session.id, httponly=True, samesite="strict", secure=secure)
    return session


@router.get("/files")
async def list_files(server: State, visitor: Visitor = None) -> list[File]:
    """What this session has uploaded."""
    session = server.sessions.get(visitor)
    return [] if session is None else [File.of(file) for file in session.files.values()]


@router.post("/files", status_code=201, openapi_extra=BINARY)
async def upload(  # noqa: PLR0917 - FastAPI gives them by name
    server: State,
    request: Request,
    response: Response,
    kind: Annotated[Literal["qrels", "run"], Query()],
    name: Annotated[str, Query(min_length=1, max_length=1000, description="what the file is called")],
    visitor: Visitor = None,
) -> File:
    """Uploads judgments or a run; the body is the file as it is, plain, .gz or .zst. It is deleted when the session ends."""
    session = _session(server, visitor, request, response)
    return File.of(await store(server, session, kind, name, request.stream()))


@router.delete("/files/{file}", status_code=204, responses=UNKNOWN)
async def forget_file(server: State, file: Key, visitor: Visitor = None) -> None:
    """Deletes a file."""
    session = server.sessions.get(visitor)
    stored = None if session is None else session.files.pop(file, None)
    if stored is None:
        raise HTTPException(404, "there is no such file in this session")
    stored.path.unlink(missing_ok=True)


@router.delete("/session", status_code=204)
async def end_session(server: State, response: Response, visitor: Visitor = None) -> None:
    """Ends the session: evaluations stop, files are deleted."""
    if visitor is not None:
        await server.forget(visitor)
    response.delete_cookie(COOKIE)


@router.post("/evaluations", status_code=202, responses=RUNNING)
async def start(server: State, question: Question, request: Request, response: Response, visitor: Visitor = None) -> Evaluation:
    """Begins an evaluation."""
    session = _session(server, visitor, request, response)
    if any(job.active for job in server.jobs.of(session.id)):
        raise HTTPException(409, "an evaluation of yours goes on: wait for it, or cancel it")
    asked = {
        "seed": question.demo,
        "files": campaign_files(session) if question.demo is None else (),
        "report": str(place(session.folder, "report.html")) if question.report else None,
        "measures": question.measures,
        "topics": question.topics,
        "compat": question.compat,
        "compare": None if question.compare is None else question.compare.model_dump(),
    }
    return Evaluation.of(server.jobs.start(session.id, asked))


@router.get("/evaluations/{evaluation}", responses=UNKNOWN)
async def look(server: State, evaluation: Key, visitor: Visitor = None) -> Evaluation:
    """How far an evaluation is, and its result when it is done."""
    return Evaluation.of(_job(server, evaluation, visitor))


@router.get(
    "/evaluations/{evaluation}/report",
    responses=UNKNOWN | {200: {"content": {"text/html": {}}, "description": "A page that needs nothing else"}},
    response_class=FileResponse,
)
async def fetch_report(server: State, evaluation: Key, visitor: Visitor = None) -> FileResponse:
    """The report of an evaluation, to be saved: one page that needs no server."""
    job = _job(server, evaluation, visitor)
    if job.report is None or job.state != "done":
        raise HTTPException(404, "this evaluation has no report, or not yet")
    return FileResponse(job.report, media_type="text/html", filename="report.html")


@router.delete("/evaluations/{evaluation}", responses=UNKNOWN)
async def cancel(server: State, evaluation: Key, visitor: Visitor = None) -> Evaluation:
    """Cancels an evaluation."""
    job = _job(server, evaluation, visitor)
    server.jobs.cancel(job)
    return Evaluation.of(job)


def _job(server: Server, key: str, visitor: str | None) -> Job:
    session = server.sessions.get(visitor)
    job = server.jobs.all.get(key)
    if session is None or job is None or job.session != session.id:
        raise HTTPException(404, "there is no such evaluation in this session: it may have ended")
    return job
