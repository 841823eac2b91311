"""Two rankings compared: every number and curve of ``mensura rankings``."""

import asyncio
from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import Field, StringConstraints

from mensura.rankings.comparison import compare
from mensura.render.charts.rankings import rankings_chart
from mensura.render.rankings import number_rows
from mensura.result import encode
from mensura.web.api.common import MOST_ITEMS, REFUSALS, TWO, Description, Model, Names

router = APIRouter(prefix="/api/rankings", tags=["rankings"], responses=REFUSALS)

SHORT = 200  # items
Item = Annotated[str, StringConstraints(min_length=1, max_length=120)]
Tied = Annotated[list[Item], Field(min_length=1, max_length=MOST_ITEMS)]
Ranked = Annotated[list[Item | Tied], Field(min_length=1, max_length=MOST_ITEMS)]

Weight = Annotated[
    Literal["1", "1/i"] | Annotated[float, Field(gt=0, le=1000)],
    Field(description="weight of rank i in the area: a constant of at least 1, 1/i, or p below 1 for (1−p)p^(i−1)"),
]
Persistence = Annotated[float, Field(ge=0.01, le=0.999, description="persistence of rank-biased overlap")]
Depth = Annotated[int, Field(ge=1, le=MOST_ITEMS, description="depth of the top-k overlap")]


class RankingRequest(Model):
    """Two rankings, best first; tied items are in a list."""

    first: Ranked = Field(examples=[["d2", "d1", "d4", "d3"]])
    second: Ranked = Field(examples=[["d1", "d4", "d2", "d3"]])
    names: Names = Field(default=["first", "second"])
    h: Weight = "1"
    p: Persistence = 0.9
    k: Depth = 10
    rbo_ties: Literal["a", "b", "w"] = "a"


class Number(Model):
    """One number: its name in the library, in words, its value, and as the command line prints it."""

    key: str
    label: str
    value: float | None
    text: str
    most: float | None = None


class RankingResult(Model):
    """Numbers and curves of two rankings. Curves run over the ranks of the first."""

    items: int
    shared: int
    tied: Annotated[list[bool], TWO]
    numbers: list[Number]
    ranked: list[str]
    positions: list[float]
    misplacements: list[float]
    footrule: list[float]
    kendall: list[float]
    point: list[float]
    area: list[float]
    normalized_area_curve: list[float | None]
    a_corr_curve: list[float | None]
    chart: Description


def ranking_of(groups: list[str | list[str]]) -> list[str | frozenset[str]]:
    """Return a ranking as the library takes it."""
    return [frozenset(group) if isinstance(group, list) else group for group in groups]


def weight_of(h: str | float) -> str | float:
    """Return a weight as the library takes it."""
    return 1.0 if h == "1" else h


@router.post("")
async def compare_rankings(question: RankingRequest) -> RankingResult:
    """Return distances, correlations and overlap of two rankings, and their curves."""
    if len(question.first) + len(question.second) <= SHORT:  # faster than a thread
        return answer(question)
    return await asyncio.to_thread(answer, question)


def answer(question: RankingRequest) -> RankingResult:
    """Compare the rankings of a request."""
    comparison = compare(
        ranking_of(question.first),
        ranking_of(question.second),
        h=weight_of(question.h),
        p=question.p,
        rbo_ties=question.rbo_ties,
        k=question.k,
    )
    return RankingResult(
        items=len(comparison.pair),
        shared=comparison.pair.shared,
        tied=[comparison.pair.left.tied, comparison.pair.right.tied],
        numbers=[Number(**row) for row in number_rows(comparison, question.k)],
        ranked=[str(item) for item in comparison.pair.items],
        positions=(comparison.pair.y / 2).tolist(),
        misplacements=comparison.misplacements.tolist(),
        footrule=comparison.footrule.tolist(),
        kendall=comparison.kendall.tolist(),
        point=comparison.point.tolist(),
        area=comparison.area.tolist(),
        normalized_area_curve=encode(comparison.normalized_area_curve),
        a_corr_curve=encode(comparison.a_corr_curve),
        chart=rankings_chart(comparison, (question.names[0], question.names[1])),
    )
