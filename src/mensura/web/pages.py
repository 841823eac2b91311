"""The pages: plain HTML out of templates, the same for everybody. What they show, their scripts ask the API for."""

from __future__ import annotations

from functools import cache
from html import escape
from pathlib import Path
from string import Template

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

import mensura
from mensura.web.assets import assets, version

router = APIRouter(include_in_schema=False)

FOLDER = Path(__file__).parent / "templates"
PAGES = {
    "rankings": ("Rankings", "Move items and watch point, area and correlations follow"),
    "scales": ("Scales", "How far apart the values of a measure really are"),
    "order": ("Order", "Which run is better in every respect"),
    "meaning": ("Meaning", "Stretch the scale and see whether means keep their order"),
    "evaluate": ("Evaluate", "Your runs, or a simulated campaign, with tests"),
    "adm": ("ADM", "How far what a system says about relevance is from what users say"),
}


@cache
def page(name: str) -> str:
    """A page inside the layout."""
    title, what = PAGES.get(name, ("Mensura", ""))
    body = (FOLDER / f"{name}.html").read_text(encoding="utf-8")
    links = "".join(
        f'<li><a href="/{key}"{" aria-current=page" if key == name else ""}>{label}</a></li>' for key, (label, _) in PAGES.items()
    )
    script = f'<script type="module" src="/static/{version()}/{name}.js"></script>' if f"{name}.js" in assets() else ""
    layout = Template((FOLDER / "layout.html").read_text(encoding="utf-8"))
    return layout.substitute(
        title=escape(title),
        what=escape(what),
        body=body,
        links=links,
        static=f"/static/{version()}",
        script=script,
        version=mensura.__version__,
    )


@router.get("/")
async def home() -> Response:
    """The first page."""
    return HTMLResponse(page("home"), headers={"Cache-Control": "no-cache"})


@router.get("/api")
async def about_api() -> Response:
    """What the API offers, for people."""
    return HTMLResponse(page("api"), headers={"Cache-Control": "no-cache"})


@router.get("/favicon.ico")
async def icon() -> Response:
    """The picture in the tab."""
    return RedirectResponse(f"/static/{version()}/mensura.svg", 308)


@router.get("/static/{of}/{name}")
async def static(request: Request, of: str, name: str) -> Response:  # noqa: ARG001 - the version is there to change the address
    """A script, a style sheet or a picture."""
    if name == "vega.js":
        asset = await request.app.state.server.bundle.asset()
        return asset.response(request)
    if name not in assets():
        return lost(404)
    return assets()[name].response(request)


def lost(status: int) -> Response:
    """For an address that leads nowhere."""
    return HTMLResponse(page("lost"), status)


def _show(name: str) -> None:
    @router.get(f"/{name}", name=name)
    async def show() -> Response:
        return HTMLResponse(page(name), headers={"Cache-Control": "no-cache"})


for _name in PAGES:
    _show(_name)
