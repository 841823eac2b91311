"""The pages: HTML from templates, the same for everybody. Their scripts ask the API for what they show."""

from __future__ import annotations

import json
from functools import cache
from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, get_args

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

import mensura
from mensura.measures.distance import SRS, Documents
from mensura.render.charts.draw import THEME
from mensura.stats.methods import CORRECTIONS, METHODS
from mensura.web.api.scales import countable_names
from mensura.web.pages.assets import assets, version

if TYPE_CHECKING:
    from collections.abc import Iterable

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
    """Return a page inside the layout. Its controls are inert until its script has run."""
    title, what = PAGES.get(name, ("Mensura", ""))
    links = "".join(
        f'<li><a href="/{key}"{" aria-current=page" if key == name else ""}>{label}</a></li>' for key, (label, _) in PAGES.items()
    )
    has_script = f"{name}.js" in assets()
    return _template("layout").substitute(
        title=escape(title),
        what=escape(what),
        body=_template(name).substitute(_shared()),
        inert=" inert" if has_script else "",
        links=links,
        static=f"/static/{version()}",
        script=f'<script type="module" src="/static/{version()}/{name}.js"></script>' if has_script else "",
        version=mensura.__version__,
    )


def _template(name: str) -> Template:
    return Template((FOLDER / f"{name}.html").read_text(encoding="utf-8"))


@cache
def _shared() -> dict[str, str]:
    """Return the parts that pages share: options of lists, taken from the registries, and the form of an upload."""
    return {
        "tests": _options(["auto", *METHODS]),
        "corrections": _options(["auto", *CORRECTIONS]),
        "measures": _options(f"{name}@10" for name in countable_names()),
        "srs": _options(get_args(SRS)),
        "documents": _options(get_args(Documents)),
        "theme": escape(json.dumps(THEME)),
        "upload": _template("upload").template.rstrip(),
    }


def _options(names: Iterable[str]) -> str:
    return "".join(f"<option>{escape(name)}</option>" for name in names)


@router.get("/")
async def home() -> Response:
    """Return the first page."""
    return HTMLResponse(page("home"), headers={"Cache-Control": "no-cache"})


@router.get("/api")
async def about_api() -> Response:
    """Return the description of the API, for people."""
    return HTMLResponse(page("api"), headers={"Cache-Control": "no-cache"})


@router.get("/favicon.ico")
async def icon() -> Response:
    """Redirect to the icon."""
    return RedirectResponse(f"/static/{version()}/mensura.svg", 308)


@router.get("/static/{of}/{name}")
async def static(request: Request, of: str, name: str) -> Response:  # noqa: ARG001 - the version changes the address
    """Return a script, a style sheet or an image."""
    if name == "vega.js":
        asset = await request.app.state.server.bundle.asset()
        return asset.response(request)
    if name not in assets():
        return lost(404)
    return assets()[name].response(request)


def lost(status: int) -> Response:
    """Return the page for an unknown address."""
    return HTMLResponse(page("lost"), status)


def _show(name: str) -> None:
    @router.get(f"/{name}", name=name)
    async def show() -> Response:
        return HTMLResponse(page(name), headers={"Cache-Control": "no-cache"})


for _name in PAGES:
    _show(_name)
