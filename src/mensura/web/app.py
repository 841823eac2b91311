"""The application: the API, the pages, and the middleware before them."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

import mensura
from mensura.errors import MensuraError
from mensura.web.api import adm, against, evaluate, meaning, order, rankings, scales
from mensura.web.guard import Guard, problem
from mensura.web.jobs.workers import BusyError
from mensura.web.pages import routes
from mensura.web.server import Server
from mensura.web.settings import Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request
    from starlette.responses import Response

ABOUT = """Everything that the pages of `mensura serve` show. The functions of the library compute the answers, as on the command
line; charts are Vega-Lite descriptions."""


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return the application of a server."""
    settings = settings or Settings()

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        server = Server(settings)
        app.state.server = server
        server.start()
        try:
            yield
        finally:
            server.stop()

    app = FastAPI(
        title="Mensura",
        version=mensura.__version__,
        description=ABOUT,
        lifespan=life,
        docs_url=None,  # Swagger's page loads scripts of another site; /api shows the same
        redoc_url=None,
    )
    app.add_middleware(Guard, settings=settings)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(MensuraError, _refused)
    app.add_exception_handler(BusyError, _busy)
    app.add_exception_handler(HTTPException, _failed)
    for part in (rankings, against, scales, order, meaning, evaluate, adm, routes):
        app.include_router(part.router)
    return app


async def _invalid(request: Request, error: Exception) -> Response:  # noqa: ARG001 - Starlette passes it
    """Refuse a request that does not fit its description. The input itself is not repeated, as it may be anything."""
    faults = error.errors() if isinstance(error, RequestValidationError) else []
    texts = [f"{'.'.join(str(part) for part in fault['loc'][1:]) or 'request'}: {fault['msg']}" for fault in faults[:5]]
    text = "; ".join(texts).encode("utf-8", "replace").decode()
    return problem(422, text)


async def _refused(request: Request, error: Exception) -> Response:  # noqa: ARG001 - Starlette passes it
    return problem(422, str(error).encode("utf-8", "backslashreplace").decode())


async def _busy(request: Request, error: Exception) -> Response:  # noqa: ARG001 - Starlette passes it
    return problem(429, "the server is busy; try again later", {"Retry-After": "5"})


async def _failed(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for these only
    if request.url.path.startswith("/api/"):
        return problem(error.status_code, str(error.detail), dict(error.headers or {}))
    return routes.lost(error.status_code)
