"""What all parts of the API share: how they find the server's state, and how they say what is wrong."""

from typing import Annotated, Any

from fastapi import Depends, Request
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from mensura.web.server import Server

MOST_ITEMS = 2000
MOST_TOPICS = 5000


class Model(BaseModel):
    """A document of the API. What nobody knows is refused; numbers are finite."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, frozen=True)


class Problem(BaseModel):
    """What is wrong, and what to do."""

    detail: str


REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "A request that cannot be read"},
    401: {"model": Problem, "description": "The server asks for a token"},
    403: {"model": Problem, "description": "A request by way of another site, or to a name that is not this server's"},
    413: {"model": Problem, "description": "More than the server takes"},
    422: {"model": Problem, "description": "A question that has no answer as it was asked: says why"},
    429: {"model": Problem, "description": "The server has enough to do: try again later"},
}

Description = dict[str, Any]
"""A chart, as a Vega-Lite description: the same as ``mensura … --chart`` draws."""

Name = Annotated[str, StringConstraints(min_length=1, max_length=120)]
Measure = Annotated[str, StringConstraints(min_length=1, max_length=120)]
GradeList = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,2}(,[0-9]{1,2}){1,9}$"), Field(description="0,1 or 0,1,2 …")]
Digits = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,100}$"), Field(description="grades from the first rank down: 0110")]
TWO = Field(min_length=2, max_length=2)
Numbers = Annotated[list[float], TWO]
"""One for each of two things: lists, since descriptions of tuples are read differently by different programs."""
Names = Annotated[list[Name], TWO]
Share = Annotated[float, Field(gt=0, lt=1)]


def state(request: Request) -> Server:
    """The server's state."""
    server: Server = request.app.state.server
    return server


State = Annotated[Server, Depends(state)]


def grades(text: str) -> tuple[int, ...]:
    """Grades as numbers."""
    return tuple(int(grade) for grade in text.split(","))
