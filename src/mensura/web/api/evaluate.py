"""Uploads and evaluations of them; each evaluation is a job that can be watched and cancelled."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Cookie, HTTPException, Path, Query, Request, Response
from fastapi.responses import FileResponse
from pydantic import Field

from mensura.measures.needs import DEFAULT_MEASURES
from mensura.stats.methods import CORRECTIONS, METHODS
from mensura.web.api.common import REFUSALS, TWO, Measure, Model, Name, Problem, Proportion, State
from mensura.web.jobs.evaluations import Job
from mensura.web.jobs.sessions import COOKIE, Session, StoredFile, campaign_files, storage_path
from mensura.web.jobs.uploads import store
from mensura.web.server import Server

UNKNOWN: dict[int | str, dict[str, Any]] = {404: {"model": Problem, "description": "Not of this session, or gone"}}
RUNNING: dict[int | str, dict[str, Any]] = {409: {"model": Problem, "description": "An evaluation of this session is running"}}

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
        """Return the public facts about a file."""
        return cls(id=file.id, kind=file.kind, name=file.name, size=file.size, inflated=file.inflated)


class Compare(Model):
    """Options of the comparison by the first measure."""

    test: Annotated[str, Field(max_length=40, json_schema_extra={"enum": ["auto", *METHODS]})] = "auto"
    correction: Annotated[str, Field(max_length=40, json_schema_extra={"enum": ["auto", *CORRECTIONS]})] = "auto"
    baseline: Name | None = None
    scale: Literal["original", "interval"] = Field(
        default="original", description="values of the measure, or ranks on its interval scale"
    )
    alpha: Proportion = 0.05


class EvaluationRequest(Model):
    """A request to evaluate the files of the session, or a simulated campaign."""

    demo: Annotated[int, Field(ge=0, le=1_000_000)] | None = Field(default=None, description="seed of a simulated campaign")
    measures: Annotated[list[Measure], Field(min_length=1, max_length=20)] = Field(default=list(DEFAULT_MEASURES))
    topics: Literal["judged", "both"] = "judged"
    compat: Literal["trec_eval-10", "trec_eval-9"] = "trec_eval-10"
    compare: Compare | None = Compare()
    report: bool = Field(default=False, description="also write the page of mensura report")


class Row(Model):
    """A system of the leaderboard."""

    place: int
    system: str
    means: list[float | None]
    best: list[bool]


class EvaluationResult(Model):
    """A leaderboard, best first by the first measure, and the comparison of ``mensura compare --format json``."""

    systems: int
    topics: int
    counted: Annotated[list[int], TWO]
    measures: list[dict[str, Any]]
    decimals: list[int] = Field(description="decimals of each measure's means that the number of topics supports")
    rows: list[Row]
    remarks: list[str]
    comparison: dict[str, Any] | None


class EvaluationJob(Model):
    """An evaluation and its progress."""

    id: str
    state: Literal["waiting", "running", "done", "failed", "cancelled"]
    stage: str
    done: int
    total: int
    error: str | None
    report: bool = Field(description="whether there is a report to fetch")
    result: EvaluationResult | None

    @classmethod
    def of(cls, job: Job) -> "EvaluationJob":
        """Return the present state of a job."""
        result = None if job.result is None else EvaluationResult(**job.result)
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
    """Return the visitor's session; start one if necessary."""
    session = server.sessions.get(visitor)
    if session is None:
        session = server.sessions.begin()
        secure = request.url.scheme == "https"
        response.set_cookie(COOKIE, session.id, httponly=True, samesite="strict", secure=secure)
    return session


@router.get("/files")
async def list_files(server: State, visitor: Visitor = None) -> list[File]:
    """Return the files of this session."""
    session = server.sessions.get(visitor)
    return [] if session is None else [File.of(file) for file in session.files.values()]


@router.post("/files", status_code=201, openapi_extra=BINARY)
async def upload(  # noqa: PLR0917 - FastAPI passes them by name
    server: State,
    request: Request,
    response: Response,
    kind: Annotated[Literal["qrels", "run"], Query()],
    name: Annotated[str, Query(min_length=1, max_length=1000, description="name of the file")],
    visitor: Visitor = None,
) -> File:
    """Upload judgments or a run; the body is the file itself, plain, .gz or .zst. It is deleted when the session ends."""
    session = _session(server, visitor, request, response)
    return File.of(await store(server, session, kind, name, request.stream()))


@router.delete("/files/{file}", status_code=204, responses=UNKNOWN)
async def forget_file(server: State, file: Key, visitor: Visitor = None) -> None:
    """Delete a file."""
    session = server.sessions.get(visitor)
    stored = None if session is None else session.files.pop(file, None)
    if stored is None:
        raise HTTPException(404, "this session has no such file")
    stored.path.unlink(missing_ok=True)


@router.delete("/session", status_code=204)
async def end_session(server: State, response: Response, visitor: Visitor = None) -> None:
    """End the session: stop its evaluations and delete its files."""
    if visitor is not None:
        await server.forget(visitor)
    response.delete_cookie(COOKIE)


@router.post("/evaluations", status_code=202, responses=RUNNING)
async def start(
    server: State, question: EvaluationRequest, request: Request, response: Response, visitor: Visitor = None
) -> EvaluationJob:
    """Start an evaluation."""
    session = _session(server, visitor, request, response)
    if any(job.active for job in server.jobs.of(session.id)):
        raise HTTPException(409, "an evaluation is already running; wait for it or cancel it")
    task = {
        "seed": question.demo,
        "files": campaign_files(session) if question.demo is None else (),
        "report": str(storage_path(session.folder, "report.html")) if question.report else None,
        "measures": question.measures,
        "topics": question.topics,
        "compat": question.compat,
        "compare": None if question.compare is None else question.compare.model_dump(),
    }
    return EvaluationJob.of(server.jobs.start(session.id, task))


@router.get("/evaluations/{evaluation}", responses=UNKNOWN)
async def look(server: State, evaluation: Key, visitor: Visitor = None) -> EvaluationJob:
    """Return the progress of an evaluation, and its result when it is done."""
    return EvaluationJob.of(_job(server, evaluation, visitor))


@router.get(
    "/evaluations/{evaluation}/report",
    responses=UNKNOWN | {200: {"content": {"text/html": {}}, "description": "A page that works without the server"}},
    response_class=FileResponse,
)
async def fetch_report(server: State, evaluation: Key, visitor: Visitor = None) -> FileResponse:
    """Return the report of an evaluation as a file: one page that works without the server."""
    job = _job(server, evaluation, visitor)
    if job.report is None or job.state != "done":
        raise HTTPException(404, "this evaluation has no report, or is not done")
    return FileResponse(job.report, media_type="text/html", filename="report.html")


@router.delete("/evaluations/{evaluation}", responses=UNKNOWN)
async def cancel(server: State, evaluation: Key, visitor: Visitor = None) -> EvaluationJob:
    """Cancel an evaluation."""
    job = _job(server, evaluation, visitor)
    server.jobs.cancel(job)
    return EvaluationJob.of(job)


def _job(server: Server, key: str, visitor: str | None) -> Job:
    session = server.sessions.get(visitor)
    job = server.jobs.all.get(key)
    if session is None or job is None or job.session != session.id:
        raise HTTPException(404, "this session has no such evaluation; the session may have ended")
    return job
