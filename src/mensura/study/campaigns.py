r"""Simulated campaigns: judgments and runs of which the truth is known.

System s scores document d of topic t by

.. math:: x_{std} = (q_s + \delta_t + \varepsilon_{st}) \, g_d + \sqrt{\rho} \, c_{td} + \sqrt{1 - \rho} \, e_{std}

with the quality q of the system, the easiness δ of the topic, their interaction ε, the gain g of the document's grade (0 if it is
not relevant, 1 for the highest grade), what all systems see in the document (c) and what only this one sees (e), all but q
and g normal. Scores are rounded, so that some tie. The first ranks of all systems are pooled and judged.

Two systems of the same quality have the same distribution on every topic: no measure, on no scale, can truly tell them apart. If
one has a higher quality, its relevant documents rise against the others for the same noise, and so every measure that rewards
this is higher in expectation, on its own scale and on any other that keeps the order.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mensura.engines.choice import opened
from mensura.engines.engine import Threads
from mensura.engines.threads import thread_count
from mensura.errors import MensuraError
from mensura.judged.runs import JudgedRuns

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

FINEST = 1e-6
"""Scores are multiples of this at least; so many decimals are written."""
MOST_MEMORY = 16_000_000_000
DRAWN_PER_HOUR = 50_000_000_000  # scores; 14 to 23 million a second were measured
MOST_DRAWN = 4 * DRAWN_PER_HOUR
SECONDS_PER_SCORE = 3600 / DRAWN_PER_HOUR
LEAST_PIECES = 32
SKIPPED = 1 << 16  # random numbers that are passed over at a time


@dataclass(frozen=True, kw_only=True)
class Design:
    """Parameters that a campaign is drawn from.

    Attributes
    ----------
    systems, topics, documents
        Their numbers; ``documents`` is the number per topic that a system can find.
    grades
        The highest grade.
    grade_ratio
        Number of documents of a grade, per document of the grade below it.
    relevant, relevant_spread
        The median number of relevant documents of a topic, and the standard deviation of its logarithm.
    quality, quality_spread
        The mean of the systems' qualities, and their standard deviation; qualities are evenly spaced.
    equal
        Number of systems of each quality.
    topic_spread, interaction
        The standard deviations of δ and ε.
    agreement
        ρ, from 0 to 1.
    tie
        Scores are rounded to multiples of this.
    depth, pool
        Number of documents that a system returns, and number of them that are judged.
    missing
        The probability that a system has nothing for a topic.
    """

    systems: int = 12
    topics: int = 50
    documents: int = 400
    grades: int = 1
    grade_ratio: float = 0.5
    relevant: float = 25.0
    relevant_spread: float = 0.8
    quality: float = 1.6
    quality_spread: float = 0.25
    equal: int = 2
    topic_spread: float = 0.5
    interaction: float = 0.35
    agreement: float = 0.3
    tie: float = 0.01
    depth: int = 100
    pool: int = 50
    missing: float = 0.005

    def __post_init__(self) -> None:
        whole = ("systems", "topics", "documents", "grades", "equal", "depth", "pool")
        wrong = [name for name in whole if getattr(self, name) < 1]
        wrong += [name for name in ("agreement", "missing") if not 0 <= getattr(self, name) < 1]
        wrong += [name for name in ("relevant", "grade_ratio") if not getattr(self, name) > 0]
        spreads = ("relevant_spread", "quality_spread", "topic_spread", "interaction", "tie")
        wrong += [name for name in spreads if not 0 <= getattr(self, name) < float("inf")]
        if wrong:
            raise MensuraError(f"{wrong[0]}={getattr(self, wrong[0])}: no campaign can be drawn from that")
        if self.depth > self.documents:
            raise MensuraError(f"depth={self.depth}: there are only {self.documents} documents per topic")
        if self.grades > 100:  # noqa: PLR2004 - grades are held in a byte
            raise MensuraError(f"grades={self.grades}: grades go up to 100")

    def check_cost(self) -> None:
        """Refuse a campaign that would take too much memory or too long, before anything is drawn."""
        listed = self.systems * self.topics * self.depth
        memory = 24 * listed + 2 * self.topics * self.documents + 40 * self.systems * self.documents
        drawn = self.systems * self.topics * self.documents
        if memory <= MOST_MEMORY and drawn <= MOST_DRAWN:
            return
        size = f"{self.systems} systems × {self.topics} topics × {self.documents} documents, {self.depth} of them returned"
        cost = f"{round(memory / 1e9, 1):g} GB of memory and {round(drawn / DRAWN_PER_HOUR, 1):g} hours"
        raise MensuraError(
            f"a campaign of {size}, needs about {cost}; at most {MOST_MEMORY / 1e9:g} GB and {MOST_DRAWN / DRAWN_PER_HOUR:g} hours "
            "are taken, so simulate fewer systems, topics or documents"
        )

    @cached_property
    def qualities(self) -> NDArray[np.float64]:
        """The quality of each system, best first; ``equal`` neighbours have the same."""
        levels = -(-self.systems // self.equal)
        even = np.linspace(1, -1, levels) if levels > 1 else np.zeros(1)
        steps = even / even.std() if levels > 1 else even
        return np.repeat(self.quality + self.quality_spread * steps, self.equal)[: self.systems]


@dataclass(frozen=True, eq=False)
class Campaign:
    """A campaign, as arrays.

    Attributes
    ----------
    design, seed
        What it was drawn from.
    qualities
        The true quality of each system, in the order of ``names``.
    names
        The systems' names, which say nothing about their quality.
    relevance
        int8 [topic, document]: the true grades.
    ranked
        int32 [system, topic, rank]: documents.
    scores
        int64 [system, topic, rank]: scores as multiples of a millionth.
    returned
        bool [system, topic]: False where a topic is missing.
    pooled
        bool [topic, document]: which documents were judged.
    easiness
        δ of each topic.
    """

    design: Design
    seed: int
    qualities: NDArray[np.float64]
    names: tuple[str, ...]
    relevance: NDArray[np.int8]
    ranked: NDArray[np.int32]
    scores: NDArray[np.int64]
    returned: NDArray[np.bool_]
    pooled: NDArray[np.bool_]
    easiness: NDArray[np.float64]

    @cached_property
    def topics(self) -> tuple[str, ...]:
        """The topics' names."""
        return tuple(str(number) for number in range(1, self.design.topics + 1))

    def judged(self, depth: int | None = None) -> JudgedRuns:
        """The judged runs, as :func:`mensura.judge` finds them in the campaign's files."""
        ranks = self.design.depth if depth is None else min(depth, self.design.depth)
        topics = np.arange(self.design.topics)[None, :, None]
        ranked = self.ranked[:, :, :ranks]
        grades = np.where(self.pooled[topics, ranked], self.relevance[topics, ranked], -1).astype(np.int8)
        grades[~self.returned] = -1
        levels = np.where(self.pooled, self.relevance, -1)
        base = np.stack([(levels == grade).sum(axis=1) for grade in range(self.design.grades + 1)], axis=1)
        return JudgedRuns(
            grades=grades,
            recall_base=base.astype(np.int64),
            retrieved=np.where(self.returned, self.design.depth, 0).astype(np.int32),
            ties=np.zeros(grades.shape[:2], dtype=np.int32),
            systems=self.names,
            topics=self.topics,
            extra=((),) * len(self.names),
            depth=depth,
        )

    def __repr__(self) -> str:
        return f"Campaign({len(self.names)} systems × {len(self.topics)} topics, seed {self.seed})"


def simulate(
    design: Design | None = None,
    *,
    seed: int = 0,
    threads: int | None = None,
    engine: Any = None,
    progress: Callable[[int, int], None] | None = None,
) -> Campaign:
    """Draw a campaign. The same design and seed give the same campaign, whatever works on it.

    Parameters
    ----------
    design, seed
        What to draw.
    threads, engine
        As in :func:`mensura.evaluate`: pieces of topics are ranked by threads, or by the workers of an engine.
    progress
        Called with the number of pieces done, and of all.

    Examples
    --------
    >>> campaign = simulate(Design(systems=4, topics=3), seed=8)
    >>> campaign
    Campaign(4 systems × 3 topics, seed 8)
    >>> campaign.judged().shape
    (4, 3)
    """
    design = design or Design()
    if seed < 0:
        raise MensuraError(f"seed={seed}: a seed is a whole number of at least 0")
    design.check_cost()
    rng = np.random.default_rng([seed, 8])
    order = rng.permutation(design.systems)
    easiness = design.topic_spread * rng.standard_normal(design.topics)
    shape = (design.systems, design.topics, design.depth)
    relevance = np.zeros((design.topics, design.documents), dtype=np.int8)
    pooled = np.zeros(relevance.shape, dtype=np.bool_)
    ranked, scores = np.empty(shape, dtype=np.int32), np.empty(shape, dtype=np.int64)
    returned = rng.random(shape[:2]) >= design.missing
    if engine is None and thread_count(threads) == 1:
        for topic in range(design.topics):
            relevance[topic] = _relevance(design, rng)
            ranked[:, topic], scores[:, topic] = _rank(design, relevance[topic], float(easiness[topic]), rng)
    else:
        _rank_pieces(design, _pieces(design, rng, relevance, easiness), ranked, scores, threads, engine, progress)
    for topic in range(design.topics):
        judged = ranked[returned[:, topic], topic, : design.pool]
        pooled[topic, judged.reshape(-1)] = True
    width = len(str(design.systems))
    names = tuple(f"sys{number:0{width}}" for number in range(1, design.systems + 1))
    return Campaign(
        design,
        seed,
        qualities=design.qualities[order],
        names=names,
        relevance=relevance,
        ranked=ranked[order],
        scores=scores[order],
        returned=returned[order],
        pooled=pooled,
        easiness=easiness,
    )


class CampaignPiece(NamedTuple):
    """Some topics: the number of the first, their grades and easiness, and the generator where their scores begin, for each."""

    first: int
    relevance: NDArray[np.int8]
    easiness: list[float]
    states: list[Any]


def _pieces(
    design: Design, rng: np.random.Generator, relevance: NDArray[np.int8], easiness: NDArray[np.float64]
) -> list[CampaignPiece]:
    """Topics in pieces.

    One stream of random numbers gives all topics, one after the other. It is run through here, in a sixth of the time that ranking
    takes, and its state at each topic goes with the piece.
    """
    size = topics_of_piece(design)
    skipped = np.empty(SKIPPED)
    states = []
    for topic in range(design.topics):
        relevance[topic] = _relevance(design, rng)
        states.append(rng.bit_generator.state)
        left = design.systems + design.documents + design.systems * design.documents
        while left:
            left -= len(rng.standard_normal(out=skipped[: min(left, SKIPPED)]))
    return [
        CampaignPiece(start, relevance[start : start + size], easiness[start : start + size].tolist(), states[start : start + size])
        for start in range(0, design.topics, size)
    ]


def _rank_pieces(  # noqa: PLR0917 - the arrays to fill, and who does it
    design: Design,
    pieces: Sequence[CampaignPiece],
    ranked: NDArray[np.int32],
    scores: NDArray[np.int64],
    threads: int | None,
    engine: Any,
    progress: Callable[[int, int], None] | None,
) -> None:
    """Rank the documents of all topics, piece by piece."""
    seconds = [len(piece.easiness) * design.systems * design.documents * SECONDS_PER_SCORE for piece in pieces]
    with opened(engine, threads) as spreading:
        running = (spreading or Threads(threads)).run(ranked_topics, pieces, design, seconds)
        for done, (number, outcome) in enumerate(running.finished(), start=1):
            some = slice(pieces[number].first, pieces[number].first + len(pieces[number].easiness))
            ranked[:, some], scores[:, some] = outcome
            if progress is not None:
                progress(done, len(pieces))
        running.join()


def topics_of_piece(design: Design) -> int:
    """Number of topics that are ranked in a second or less, so that there are enough pieces for many workers."""
    each = design.systems * design.documents * SECONDS_PER_SCORE
    return max(1, min(int(1 / each), -(-design.topics // LEAST_PIECES)))


def ranked_topics(design: Design, piece: CampaignPiece) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Rank the documents of some topics: [system, topic, rank]."""
    rng = np.random.default_rng(0)
    ranked = np.empty((design.systems, len(piece.states), design.depth), dtype=np.int32)
    scores = np.empty(ranked.shape, dtype=np.int64)
    for at, (grades, easiness, state) in enumerate(zip(piece.relevance, piece.easiness, piece.states, strict=True)):
        rng.bit_generator.state = state
        ranked[:, at], scores[:, at] = _rank(design, grades, easiness, rng)
    return ranked, scores


def predict_simulation(design: Design) -> tuple[int, float]:
    """Number of pieces of a simulation, and the seconds of one core that they take, by one topic of this machine."""
    design.check_cost()
    rng = np.random.default_rng([0, 8])
    grades = _relevance(design, rng)
    _rank(design, grades, 0.0, rng)
    started = time.perf_counter()
    _rank(design, grades, 0.0, rng)
    return -(-design.topics // topics_of_piece(design)), design.topics * (time.perf_counter() - started)


def _relevance(design: Design, rng: np.random.Generator) -> NDArray[np.int8]:
    """The grades of a topic's documents, in no order."""
    drawn = np.exp(np.log(design.relevant) + design.relevant_spread * rng.standard_normal())
    number = int(np.clip(np.rint(drawn), 1, design.documents // 2))
    shares = design.grade_ratio ** np.arange(design.grades)
    grades = np.zeros(design.documents, dtype=np.int8)
    grades[:number] = 1 + rng.choice(design.grades, number, p=shares / shares.sum())
    return rng.permutation(grades)


def _rank(
    design: Design, relevance: NDArray[np.int8], easiness: float, rng: np.random.Generator
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The documents of a topic as each system ranks them, and their scores in millionths."""
    systems, documents = design.systems, design.documents
    skill = design.qualities + easiness + design.interaction * rng.standard_normal(systems)
    common = np.sqrt(design.agreement) * rng.standard_normal(documents)
    own = np.sqrt(1 - design.agreement) * rng.standard_normal((systems, documents))
    exact = skill[:, None] * (relevance / design.grades) + common + own
    step = max(design.tie, FINEST)
    scores = np.rint(np.rint(exact / step) * step / FINEST).astype(np.int64)
    # Equal scores: the higher document id first, as trec_eval orders them.
    order = documents - 1 - np.argsort(-scores[:, ::-1], axis=1, kind="stable")[:, : design.depth]
    return order.astype(np.int32), np.take_along_axis(scores, order, axis=1)
