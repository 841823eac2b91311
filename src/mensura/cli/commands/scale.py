"""``mensura scale``."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from mensura.cli.shared.options import add_chart, add_engine, add_output, add_plan_only, positive
from mensura.errors import ScaleError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from mensura.measures.base import Measure
    from mensura.scales.interval import IntervalScale

UNJUDGED = -1
VERDICTS = {
    True: "yes, on its own order of runs: the values are equally spaced",
    False: "no: the values are not equally spaced",
    None: "not known",
}
LISTED = 256  # so many runs are all listed when none is named


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = (
        "The interval scale of a measure: the rank of a value among all values that the measure takes over runs of a length.\n"
        "Counted exactly, without enumerating the runs; where that cannot be done, certified bounds are given and called so."
    )
    parser.epilog = (
        "examples: mensura scale 'DCG(base=2)@4'\n"
        "          mensura scale AP@30 --run 110100000000000000000000000000\n"
        "          mensura scale nDCG@10 --grades 0,1,2,3 --run 3102 --chart ndcg.svg\n"
        "          mensura scale AP@38 --engine dask --plan-only"
    )
    parser.add_argument(
        "measure", metavar="MEASURE", help="measure with a cut-off, such as AP@30; the cut-off is the length of the runs"
    )
    parser.add_argument("--length", type=positive, metavar="N", help="length of the runs, for a measure without a cut-off")
    parser.add_argument("--grades", metavar="0,1,…", default="0,1", help="grades that a document can have (default: %(default)s)")
    parser.add_argument(
        "--run",
        dest="runs",
        action="append",
        metavar="GRADES",
        default=[],
        help="judged run to rank, one digit per document, - if it was not judged: 0110 (repeat)",
    )
    parser.add_argument(
        "--value",
        dest="values",
        action="append",
        metavar="X",
        default=[],
        help="value to rank, a decimal number or a fraction 5/6 (repeat)",
    )
    parser.add_argument(
        "--recall-base",
        metavar="N",
        help="number of relevant documents of a topic, or for grades 1:N,2:M: the scale of its runs (default: all runs)",
    )
    parser.add_argument(
        "--ties",
        choices=("unq", "mid", "min", "max"),
        default="unq",
        help="ranks of distinct values (unq), or of all runs with ties (default: %(default)s)",
    )
    parser.add_argument(
        "--width", type=float, default=1e-4, metavar="W", help="width of bounds, where ranks cannot be counted (default: 1e-4)"
    )
    add_engine(parser, "counters of a scale that takes minutes or hours: this process, or workers of Dask; both resume")
    add_plan_only(parser)
    add_chart(parser, "the scale")
    add_output(parser)


def run(arguments: Namespace) -> int:
    """Counts, ranks, and writes."""
    from mensura.cli.shared.output import progress, write
    from mensura.cli.shared.runs import engine_of
    from mensura.measures.names import parse_measure
    from mensura.render.charts.draw import draw
    from mensura.scales.interval import interval_scale

    measure = parse_measure(arguments.measure)
    grades = _grades(arguments.grades)
    with progress("counting values") as tell, engine_of(arguments) as workers:
        told = None if tell is None else (lambda share: tell(int(1000 * share), 1000))
        base = _recall_base(arguments.recall_base)
        engine = workers or arguments.engine
        scale = interval_scale(measure, arguments.length, grades, recall_base=base, progress=told, engine=engine)
        if arguments.plan_only:
            write(_plan(scale), arguments.output)
            return 0
        facts = _facts(scale, measure, arguments)
    write({"table": _table, "csv": _csv, "json": _json}[arguments.format](facts), arguments.output)
    if arguments.chart is not None:
        from mensura.render.charts.scale import scale_chart

        draw(scale_chart(scale, str(measure)), arguments.chart)
    return 0


def _plan(scale: IntervalScale) -> str:
    """The pieces of a sweep, and the time that they take by a sample of them."""
    from mensura.engines.threads import available_cores
    from mensura.render.numbers import duration, whole
    from mensura.scales.counting.sweep import SweptValues

    if not isinstance(scale.counting, SweptValues):
        return f"{scale.name} over runs of length {scale.length}: counted at once (by: {scale.method})\n"
    plan = scale.counting.plan()
    cores = available_cores()
    return (
        f"{scale.name} over runs of length {scale.length}: a sweep over {whole(plan.sums)} sums\n"
        f"pieces    {plan.pieces}, of which {plan.kept} are kept from an interrupted count\n"
        f"time      {duration(plan.seconds)} of one core, by a sample of the sums on this machine\n"
        f"          {duration(plan.seconds / cores)} on the {cores} cores of this machine, if nothing else runs there\n"
    )


def _grades(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(grade) for grade in text.split(","))
    except ValueError:
        raise ScaleError(f"--grades {text}: grades are whole numbers with commas between them, as in 0,1,2") from None


def _recall_base(text: str | None) -> int | dict[int, int] | None:
    if text is None:
        return None
    try:
        if ":" not in text:
            return int(text)
        return {int(grade): int(number) for grade, number in (pair.split(":") for pair in text.split(","))}
    except ValueError:
        raise ScaleError(f"--recall-base {text}: write a number, or for several grades 1:20,2:5") from None


def _digits(text: str) -> list[int]:
    if not text.replace("-", "0").isdecimal():
        raise ScaleError(f"--run {text}: write one digit for each document, as in 0110, or - if it was not judged")
    return [UNJUDGED if digit == "-" else int(digit) for digit in text]


def _facts(scale: IntervalScale, measure: Measure, arguments: Namespace) -> dict[str, Any]:
    """All there is to say, as in the JSON output."""
    runs = [_digits(text) for text in arguments.runs]
    if not runs and not arguments.values and scale.runs <= LISTED and scale.recall_base is None:
        runs = [list(grades) for grades in itertools.product(scale.grades, repeat=scale.length)]
    facts: dict[str, Any] = {
        "measure": str(measure),
        "length": scale.length,
        "grades": list(scale.grades),
        "steps": _steps(scale, asked=bool(runs)),
        "method": scale.method,
        "exact": scale.exact,
        "assumes": scale.assumes,
        "counted": scale.counted,
        "interval": scale.is_equispaced if scale.counted else None,
        "numerator": measure.uses_recall_base and not measure.on_topics.scale_per_topic,
        "surrogate": measure.uses_recall_base and scale.recall_base is None,
        "recall_base": _recall_base(arguments.recall_base),
        "runs": _ranked(scale, runs, arguments) if runs else [],
    }
    if arguments.values:
        numbers = [_number(text) for text in arguments.values]
        ranks = scale.rank_values(numbers).tolist()
        facts["values"] = [{"value": float(number), "rank": rank} for number, rank in zip(numbers, ranks, strict=True)]
    return facts


def _steps(scale: IntervalScale, *, asked: bool) -> int | None:
    """The number of steps, or None if nobody can count them and it is only about bounds for some runs."""
    try:
        return scale.steps
    except ScaleError:
        if scale.counted or not asked:
            raise
        return None


def _number(text: str) -> Any:
    from fractions import Fraction

    try:
        return Fraction(text) if "/" in text else float(text)
    except (ValueError, ZeroDivisionError):
        raise ScaleError(f"--value {text}: write a decimal number or a fraction such as 5/6") from None


def _ranked(scale: IntervalScale, runs: list[list[int]], arguments: Namespace) -> list[dict[str, Any]]:
    """Value and rank of each run, the highest first; bounds where there are no exact ranks."""
    width = max(map(len, runs))
    padded = [run + [scale.grades[0]] * (width - len(run)) for run in runs]
    names = ["".join("-" if grade < 0 else str(grade) for grade in run) for run in runs]
    if not scale.counted:
        bracket = scale.bracket(padded, arguments.width)
        bounds = zip(names, bracket.low.tolist(), bracket.high.tolist(), strict=True)
        return [
            {"run": name, "value": None, "rank": None, "low": low, "high": high, "of": bracket.of} for name, low, high in bounds
        ]
    steps = scale.rank(padded).tolist()
    ranks = steps if arguments.ties == "unq" else scale.rank(padded, arguments.ties).tolist()
    values = {step: float(scale.inverse(step)) for step in set(steps)}
    rows = sorted(zip(steps, names, ranks, strict=True), key=lambda row: (-row[0], row[1]))
    return [
        {"run": name, "value": values[step], "rank": float(rank) if arguments.ties == "mid" else rank} for step, name, rank in rows
    ]


def _json(facts: dict[str, Any]) -> str:
    from mensura.render.tables import json_text

    return json_text(facts)


def _csv(facts: dict[str, Any]) -> str:
    from mensura.render.tables import csv_text

    columns = ("measure", "length", "steps", "exact", "run", "value", "rank", "low", "high")
    rows = [facts | row for row in [*facts["runs"], *facts.get("values", [])]]
    return csv_text(columns, [[row.get(column) for column in columns] for row in rows])


def _table(facts: dict[str, Any]) -> str:
    from functools import partial

    from mensura.render.numbers import fixed, general, whole
    from mensura.render.tables import Table, as_text

    what = "numerator of " if facts["numerator"] else ""
    grades = ", ".join("not judged" if grade < 0 else str(grade) for grade in facts["grades"])
    lines = [
        f"{what}{facts['measure']} over runs of length {facts['length']}, grades {grades}{_topic(facts['recall_base'])}",
        f"steps     {whole(facts['steps'])}   (counted by: {facts['method']})" if facts["steps"] else "steps     too many to count",
        f"ranks     {_certainty(facts)}",
        "interval  " + VERDICTS[facts["interval"]],
    ]
    if facts["surrogate"]:
        lines.append("surrogate for topics with different recall bases (P4 VI-C); --recall-base N is the scale of one topic")
    parts = ["\n".join(lines) + "\n"]
    if facts["runs"] and facts["counted"]:
        rows = [(row["run"], row["value"], row["rank"]) for row in facts["runs"]]
        parts.append(as_text(Table(["run", "value", "rank"], rows, formats=[None, general, whole])))
    elif facts["runs"]:
        bound = partial(fixed, decimals=6)
        rows = [(row["run"], row["low"], row["high"]) for row in facts["runs"]]
        table = Table(["run", "low", "high"], rows, formats=[None, bound, bound])
        parts.append(f"{_bounds(facts['runs'][0]['of'])}\n\n{as_text(table)}")
    if facts.get("values"):
        values = [(row["value"], row["rank"]) for row in facts["values"]]
        parts.append(as_text(Table(["value", "rank"], values, "", [partial(general, digits=10), whole])))
    return "\n".join(parts)


def _certainty(facts: dict[str, Any]) -> str:
    if facts["exact"]:
        rests = "" if facts["assumes"] is None else f" (sums of different logarithms differ if {facts['assumes']} is true)"
        return f"exact{rests}"
    return "to the rounding of doubles" if facts["counted"] else "only bounds: there are too many values to count them"


def _topic(base: int | dict[int, int] | None) -> str:
    """The recall base, after a comma."""
    if isinstance(base, dict):
        return ", recall base " + ", ".join(f"{grade}: {number}" for grade, number in base.items())
    return "" if base is None else f", recall base {base}"


def _bounds(of: str) -> str:
    if of == "values":
        return "Certified bounds of rank / steps:"
    return "Certified bounds of the proportion of all runs with no larger value (ties counted; this is not the rank among values):"
