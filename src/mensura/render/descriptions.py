"""A collection described: for a terminal, as Markdown for a paper's appendix, csv and JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mensura.render.numbers import general, percent, whole
from mensura.render.tables import Table, View, as_markdown, as_text, json_text, records_csv
from mensura.stats.results import plural

if TYPE_CHECKING:
    from collections.abc import Callable

    from mensura.evaluation.description import Description, Quartiles

SHOWN = 30  # runs that a table names one by one


def _spread(counts: Quartiles) -> list[float]:
    return [counts.least, counts.lower, counts.median, counts.upper, counts.greatest, counts.mean]


def tables(about: Description) -> list[Table]:
    """Return the judgments, and the runs if there are any, as tables."""
    spread = [general] * 6
    topics = Table(
        ["per topic", "least", "lower quartile", "median", "upper quartile", "greatest", "mean"],
        [["judged documents", *_spread(about.judged)], ["relevant documents", *_spread(about.relevant)]],
        formats=[None, *spread],
    )
    grades = Table(
        ["grade", "judgments", "proportion"],
        [[str(grade), number, number / max(about.judgments, 1)] for grade, number in enumerate(about.grades)],
        formats=[None, whole, percent],
    )
    if not about.runs:
        return [topics, grades]
    depths = [depth for depth, _ in about.runs[0].unjudged]
    shared = [depth for depth, _ in about.overlap]
    runs = Table(
        [
            *("run", "topics", "missing", "not judged", "shortest", "median", "longest", "tied"),
            *(f"unjudged@{depth}" for depth in depths),
            *(f"overlap@{depth}" for depth in shared),
        ],
        [
            [
                *(
                    run.system,
                    run.topics,
                    run.missing,
                    run.extra,
                    run.lengths.least,
                    run.lengths.median,
                    run.lengths.greatest,
                    run.tied,
                ),
                *(proportion for _, proportion in run.unjudged),
                *(proportion for _, proportion in run.overlap),
            ]
            for run in about.runs[:SHOWN]
        ],
        formats=[None, *[general] * 7, *[percent] * (len(depths) + len(shared))],
    )
    return [topics, grades, runs]


def _sentences(about: Description) -> list[str]:
    judgments = f"{whole(about.judgments)} {'judgment' if about.judgments == 1 else 'judgments'}"
    lines = [f"{about.name}: {plural(len(about.topics), 'topic')}, {judgments}, {plural(len(about.runs), 'run')}"]
    if about.without_relevant:
        number = plural(len(about.without_relevant), "topic")
        lines.append(f"{number} without relevant documents: {', '.join(about.without_relevant)}")
    if about.overlap:
        means = ", ".join(f"{percent(mean)} of the first {depth}" for depth, mean in about.overlap)
        lines.append(f"Documents that two runs share, in the mean: {means}")
    if len(about.runs) > SHOWN:
        lines.append(f"The table shows the first {SHOWN} runs; json contains all of them.")
    return lines


def _text(about: Description) -> str:
    first, *rest = _sentences(about)
    return "\n".join([first + "\n", *map(as_text, tables(about)), *(line + "\n" for line in rest)])


def _markdown(about: Description) -> str:
    first, *rest = _sentences(about)
    return "\n".join([f"{first}\n", *map(as_markdown, tables(about)), *(line + "\n" for line in rest)])


def description_view(about: Description) -> View:
    """The tables below the first sentence, the others after them."""
    first, *rest = _sentences(about)
    return View(first, tables(about), sentences=rest)


LAYOUTS: dict[str, Callable[[Description], str]] = {
    "table": _text,
    "markdown": _markdown,
    "csv": lambda about: records_csv(list(about.rows())),
    "json": lambda about: json_text(about.to_dict()),
}
