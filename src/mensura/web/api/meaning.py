"""Values of two systems per topic, and their means when the scale is transformed."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import Field, StringConstraints, model_validator

from mensura.web.api.common import MOST_TOPICS, REFUSALS, TWO, Description, Measure, Model, Name, Names, Numbers, State
from mensura.web.jobs import tasks
from mensura.web.jobs.samples import read_samples, transform

router = APIRouter(prefix="/api/meaning", tags=["meaning"], responses=REFUSALS)

Finite = Annotated[float, Field(ge=-1e12, le=1e12)]
Values = Annotated[list[Finite], Field(min_length=1, max_length=MOST_TOPICS)]


class Samples(Model):
    """The values of two systems, topic by topic."""

    names: Names = Field(default=["A", "B"])
    values: Annotated[list[Values], TWO] = Field(examples=[[[6, 6, 12, 17, 32], [3, 3, 3, 12, 50]]])
    topics: Annotated[list[Name], Field(max_length=MOST_TOPICS)] | None = None
    higher: bool = Field(default=True, description="whether a higher value is better")

    @model_validator(mode="after")
    def _paired(self) -> "Samples":
        if len(self.values[0]) != len(self.values[1]) or (self.topics is not None and len(self.topics) != len(self.values[0])):
            raise ValueError("both systems need a value for each topic, and each topic a name if there are names")
        return self


class OneTopic(Model):
    """A topic whose scale alone changes the statement, where each topic has a scale of its own."""

    topic: str
    transformation: str
    means: Numbers


class MeaningVerdict(Model):
    """The verdict about the statement that one mean is better."""

    better: str
    worse: str
    means: Numbers
    equal: bool
    signs: list[int] = Field(description="topics on which the better system is better, worse, equal")
    survives: bool
    verdict: str
    meaning: str
    stretch: dict[str, float | None] = Field(
        description="by how much a scale must be bent to reverse the statement, on the values as they are: if all topics share one "
        "scale, and if each has its own; −1 for ∞, null for equal values"
    )
    knots: list[Numbers] | None = Field(description="an increasing function that changes the statement")
    changed_means: Numbers | None
    one_topic: OneTopic | None
    chart: Description


class TransformationRequest(Model):
    """Values, and an increasing function: linear between its knots, of slope 1 beyond them."""

    samples: Samples
    knots: Annotated[list[Annotated[list[Finite], TWO]], Field(min_length=1, max_length=64)]


class Moved(Model):
    """Values and means after a transformation. ``better`` is computed from exact means."""

    values: Annotated[list[list[float]], TWO]
    means: Numbers
    better: Literal["first", "second", "neither"]


class Text(Model):
    """Values as text, to be parsed."""

    text: Annotated[str, StringConstraints(max_length=500_000)]


@router.post("")
async def judge(server: State, samples: Samples) -> MeaningVerdict:
    """Judge whether the statement survives every increasing transformation; if not, return one that reverses it."""
    topics = samples.topics or [str(number) for number in range(1, len(samples.values[0]) + 1)]
    values = (tuple(samples.values[0]), tuple(samples.values[1]))
    return MeaningVerdict(**await server.answer(tasks.judge_means, tuple(samples.names), values, tuple(topics), samples.higher))


@router.post("/transformed")
def transform_means(question: TransformationRequest) -> Moved:
    """Return the values and means after a transformation."""
    samples = question.samples
    values, means = transform(samples.values, question.knots)
    first, second = means if samples.higher else (-means[0], -means[1])
    better: Literal["first", "second", "neither"] = "first" if first > second else "second" if first < second else "neither"
    return Moved(values=values, means=[float(mean) for mean in means], better=better)


@router.post("/read")
def read_values(text: Text) -> Samples:
    """Parse values: two columns, or three with topics; or the output of ``mensura evaluate -q -f csv``."""
    return Samples(**read_samples(text.text))


@router.get("/demo")
async def demo(
    server: State,
    first: Name = "sysD",
    second: Name = "sysH",
    measure: Measure = "AP@10",
    seed: Annotated[int, Query(ge=0, le=1_000_000)] = 8,
) -> Samples:
    """Return the values of two systems of the campaign that ``mensura demo`` simulates."""
    return Samples(**await server.answer(tasks.demo_samples, seed, measure, first, second))
