"""From judged runs to a report."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.errors import MensuraError
from mensura.evaluation.evaluation import Evaluation, score
from mensura.report.scales import rank, scale_changes
from mensura.result import Shown
from mensura.scales.meaning.dominance import Leaderboard, leaderboard
from mensura.scales.ranks import Scales
from mensura.stats.comparison import compare

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.base import Measure
    from mensura.render.report.measure_works import Reference
    from mensura.render.report.measured import PageValues
    from mensura.render.report.methods import Sentence
    from mensura.render.tables import Table, View
    from mensura.report.scales import ScaleChange
    from mensura.stats.compared import Comparisons
    from mensura.stats.comparison import PriorTests

TITLE = "Retrieval evaluation"


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file that the report is computed from: its name, and the SHA-256 digest of its bytes if that is known."""

    name: str
    digest: str | None = None


@dataclass(frozen=True, eq=False)
class Report(Shown):
    """The comparison of systems by several measures: all parts of the page, as values.

    Attributes
    ----------
    title, date
        Title and date on the page. Without a date the page has none, so that the same input gives the same bytes.
    evaluation
        The scores, and the remarks about runs and judgments.
    comparisons
        Per measure: means, intervals, pairs and groups on the measure's own scale.
    scales
        Per measure: the changes on its interval scale.
    boards
        Per measure: the statements “A is better than B”, with those that survive every transformation of the scale.
    qrels, runs
        The files, with their digests, if they are known.
    seed
        Seed of tests that draw at random.
    """

    title: str
    date: str | None
    evaluation: Evaluation
    comparisons: Comparisons
    scales: tuple[ScaleChange, ...]
    boards: tuple[Leaderboard, ...]
    qrels: InputFile | None
    runs: tuple[InputFile, ...]
    seed: int

    @cached_property
    def _shown(self) -> PageValues:
        from mensura.render.report.measured import PageValues

        return PageValues(self)

    @property
    def findings(self) -> tuple[str, ...]:
        """The report in a sentence or two per measure."""
        return self._shown.findings

    @property
    def warnings(self) -> tuple[str, ...]:
        """Remarks that a reader must know before they believe a number."""
        return self._shown.warnings

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The methods paragraph, with citations."""
        return self._shown.sentences

    @property
    def bibliography(self) -> tuple[Reference, ...]:
        """The works of every measure, test and correction, once, in the order of the methods paragraph."""
        return self._shown.bibliography

    def view(self) -> View:
        """The leaderboard, the findings and the warnings."""
        named = [f"{measure}: {text}" for measure, text in zip(self.evaluation.measures, self.findings, strict=True)]
        return self.evaluation.view()._replace(title=self.title, sentences=named, remarks=self.warnings)

    def charts(self) -> Mapping[str, Callable[[], dict[str, Any]]]:
        """The charts of the comparison."""
        return self.comparisons.charts()

    def bibtex(self) -> str:
        """The bibliography for BibTeX."""
        from mensura.render.report.bibtex import bibtex

        return bibtex(self.bibliography)

    def methods(self, markup: str = "markdown") -> str:
        """The methods paragraph in ``markdown`` (citations as pandoc reads them) or ``latex``."""
        from mensura.render.report.methods import pasted

        return pasted(self.sentences, markup)

    def paper_tables(self, *, digits: int | None = None, intervals: bool = True) -> Sequence[Table]:
        """The leaderboard for a paper; see :meth:`mensura.Comparisons.paper_tables`."""
        return self.comparisons.paper_tables(digits=digits, intervals=intervals)

    def latex(self) -> str:
        """The leaderboard as a booktabs table."""
        from mensura.render.latex import as_latex

        return "\n".join(map(as_latex, self.paper_tables()))

    def html(self) -> str:
        """The page."""
        from mensura.render.report.page import page

        return page(self._shown)

    def __repr__(self) -> str:
        systems, topics = self.evaluation.judged.shape
        return f"Report({self.title!r}: {systems} systems × {topics} topics, {', '.join(map(str, self.evaluation.measures))})"


def report(
    judged: JudgedRuns | Evaluation,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    title: str = TITLE,
    date: str | None = None,
    test: str = "auto",
    correction: str = "auto",
    alpha: float = 0.05,
    prior_tests: PriorTests = 0,
    topics: str | None = None,
    samples: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    qrels_file: InputFile | None = None,
    run_files: Iterable[InputFile] = (),
    progress: Callable[[int, int], None] | None = None,
    engine: Any = None,
) -> Report:
    """Compare systems by several measures, on both scales, for a page.

    Parameters
    ----------
    judged
        Judged runs of at least 2 systems and 2 topics, from :func:`mensura.judge`; or the result of :func:`mensura.evaluate`.
    measures
        Measures or their names; by default those of the evaluation. The first one orders the leaderboard.
    title, date
        Title and date on the page.
    test, correction, alpha, prior_tests, samples, seed, threads, engine
        As in :func:`mensura.compare`.
    topics
        Topics that count: ``"judged"`` (the default) or ``"both"``, as in :func:`mensura.evaluate`.
    qrels_file, run_files
        The files that the judged runs are from, to be named in the report.
    progress
        Called with the number of steps done, and of all.

    Examples
    --------
    >>> from mensura import judge
    >>> runs = {"A": {"1": {"x": 2, "y": 1}, "2": {"x": 1}}, "B": {"1": {"y": 2, "x": 1}, "2": {"z": 1}}}
    >>> page = report(judge({"1": {"x": 1}, "2": {"x": 1}}, runs), "RR@5", samples=100)
    >>> page
    Report('Retrieval evaluation': 2 systems × 2 topics, RR@5)
    """
    from mensura.render.numbers import clean  # names are those that the page shows

    if isinstance(judged, Evaluation):
        measures = judged.measures if measures is None else measures
        topics = ("judged" if judged.scores[0].counted.all() else "both") if topics is None else topics
        judged = judged.judged
    if measures is None:
        raise MensuraError("a report on judged runs needs measures; name one, e.g. 'nDCG@10'")
    topics = "judged" if topics is None else topics
    named = dataclasses.replace(
        judged,
        systems=tuple(map(clean, judged.systems)),
        topics=tuple(map(clean, judged.topics)),
        extra=tuple(tuple(map(clean, names)) for names in judged.extra),
    )
    if topics not in {"judged", "both"}:
        raise MensuraError(f"topics={topics!r} is unknown in a report; use 'judged' or 'both'")
    named = named.by_name()  # as in a comparison
    evaluation = score(named, measures, "both" if topics == "both" else "judged")
    total = 1 + 2 * len(evaluation.scores)
    done = 0

    def tell() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, total)

    options: dict[str, Any] = {
        "test": test,
        "correction": correction,
        "alpha": alpha,
        "samples": samples,
        "seed": seed,
        "threads": threads,
        "engine": engine,
    }
    comparisons = compare(evaluation, prior_tests=prior_tests, **options)
    tell()
    ranked = []
    scales = Scales(named)
    for each in evaluation.scores:
        ranked.append(rank(each.measure, scales))
        tell()
    counted = np.flatnonzero(evaluation.scores[0].counted[0])
    boards = tuple(leaderboard(each.measure, named, topics=counted, scales=scales, exact=each.exact) for each in evaluation.scores)
    return Report(
        title=title,
        date=date,
        evaluation=evaluation,
        comparisons=comparisons,
        scales=scale_changes(evaluation, comparisons.comparisons, ranked, options, tell),
        boards=boards,
        qrels=qrels_file,
        runs=tuple(run_files),
        seed=seed,
    )
