"""Proportiond parts of the API: types, refusals, and the server's state."""

from typing import Annotated, Any

from fastapi import Depends, Request
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from mensura.web.server import Server

MOST_ITEMS = 2000
MOST_TOPICS = 5000


class Model(BaseModel):
    """A document of the API. Unknown keys are refused; numbers are finite."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, frozen=True)


class Problem(BaseModel):
    """A refusal: what is wrong, and what to do."""

    detail: str


REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "A request that cannot be read"},
    401: {"model": Problem, "description": "The server needs a token"},
    403: {"model": Problem, "description": "A request from a page of another site, or to a name that is not this server's"},
    413: {"model": Problem, "description": "Larger than the server accepts"},
    422: {"model": Problem, "description": "A question without an answer; the detail says why"},
    429: {"model": Problem, "description": "The server is busy; try again later"},
}

Description = dict[str, Any]
"""A chart as a Vega-Lite description, the same that ``mensura … --chart`` draws."""

Name = Annotated[str, StringConstraints(min_length=1, max_length=120)]
Measure = Annotated[str, StringConstraints(min_length=1, max_length=120)]
GradeList = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,2}(,[0-9]{1,2}){1,9}$"), Field(description="0,1 or 0,1,2 …")]
Digits = Annotated[
    str, StringConstraints(pattern=r"^[0-9]{1,100}$"), Field(description="one grade per rank, top rank first, e.g. 0110")
]
TWO = Field(min_length=2, max_length=2)
Numbers = Annotated[list[float], TWO]
"""A number for each of two things. A list, as programs read descriptions of tuples differently."""
Names = Annotated[list[Name], TWO]
Proportion = Annotated[float, Field(gt=0, lt=1)]


def state(request: Request) -> Server:
    """Return the server's state."""
    server: Server = request.app.state.server
    return server


State = Annotated[Server, Depends(state)]


def grades(text: str) -> tuple[int, ...]:
    """Parse grades."""
    return tuple(int(grade) for grade in text.split(","))
