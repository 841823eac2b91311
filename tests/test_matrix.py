"""Every measure at every door: it runs, or it refuses with one sentence; and a number is the same wherever it is shown.

A row is a measure with its parameters (:func:`tests.matrix.measures`), a column a command, a format, a page or a function. A
measure that is registered, or gets a parameter, is in the matrix by itself.
"""

from __future__ import annotations

import json
import math
import re
import traceback
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

import mensura
from mensura.errors import MensuraError
from mensura.measures import REGISTRY
from mensura.measures.base import Measure as Base
from mensura.measures.distance import ADM
from tests import matrix
from tests.cli.running import call
from tests.matrix import INCOMPLETE, LENGTH, Campaign, Refusal, Site, measures

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mensura.measures.base import Measure
    from tests.matrix import Numbers


def never(measure: Measure) -> bool:
    return False


def without_scale(measure: Measure) -> bool:
    """Measures without an interval scale of their own: they depend on more than the grades of a run of one length."""
    return obstructed(measure) or measure.cutoff is None or measure.uses_recall_base


def obstructed(measure: Measure) -> bool:
    """Depends on more than grades."""
    return measure.scale_obstacle is not None


def median(measure: Measure) -> bool:
    """Measures that are not means of all topics, which comparisons and statements about leaderboards are about."""
    return measure.aggregation == "median" or type(measure.on_topics).defined is not Base.defined


def not_for_study(measure: Measure) -> bool:
    other_mean = median(measure) or measure.averages != "values"  # which ranks do not have
    return obstructed(measure) or other_mean or measure.cutoff is not None or measure.uses_recall_base


def not_adm(measure: Measure) -> bool:
    return not isinstance(measure, ADM)


@dataclass(frozen=True)
class Column:
    """A door: how it is asked, what it shows, which measures it may refuse, how many it is asked at once."""

    ask: Callable[[Any, list[str]], dict[str, Numbers]]
    shows: str
    may_refuse: Callable[[Measure], bool] = never
    at_once: int = 200


COLUMNS = {
    "evaluate csv": Column(matrix.evaluate_csv, "aggregates"),
    "evaluate csv per topic": Column(matrix.evaluate_csv_topics, "values"),
    "evaluate json": Column(matrix.evaluate_json, "aggregates"),
    "evaluate json per topic": Column(matrix.evaluate_json_topics, "values"),
    "evaluate table": Column(matrix.evaluate_table, "aggregates"),
    "evaluate table per topic": Column(matrix.evaluate_table_topics, "aggregates"),
    "evaluate trec_eval": Column(matrix.evaluate_trec_eval, "aggregates"),
    "evaluate --interval": Column(matrix.evaluate_interval, "aggregates", without_scale, 1),
    "compare csv": Column(matrix.compare_csv, "means", median),
    "compare json": Column(matrix.compare_json, "means", median),
    "compare table": Column(matrix.compare_table, "means", median),
    "compare --scale interval": Column(matrix.compare_interval, "mean ranks", without_scale, 1),
    "meaning pairs": Column(matrix.meaning, "means", median, at_once=50),
    "meaning": Column(matrix.meaning_counts, "order", median, at_once=50),
    "report": Column(matrix.report, "means", median, at_once=40),
    "study": Column(matrix.study, "", not_for_study, 1),
    "scale": Column(matrix.scale, "steps", without_scale, 1),
    "properties": Column(matrix.properties, "", obstructed, 1),
    "measures json": Column(matrix.facts, "direction"),
    "measures table": Column(matrix.facts_table, ""),
    "adm": Column(matrix.adm, "means"),
    "Python score": Column(matrix.python_score, "aggregates"),
    "Python compare": Column(matrix.python_compare, "means", median),
    "Python leaderboard": Column(matrix.python_leaderboard, "means", median),
    "Python interval_scale": Column(matrix.python_interval, "steps", without_scale, 1),
    "web evaluation": Column(Site.leaderboard, "aggregates", at_once=20),
    "web comparison": Column(Site.comparison, "means", median, at_once=1),
    "web scale": Column(Site.scale, "steps", without_scale, 1),
    "web properties": Column(Site.properties, "", obstructed, 1),
    "web adm": Column(Site.adm, "mean of one", not_adm, 1),
}
SLOW = {"report", "properties", "web comparison", "web properties"}  # on binary data, asked about measures without parameters only


@pytest.fixture(scope="session")
def campaigns(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Campaign]:
    """A binary campaign, and one with grades 0 to 3."""
    return {highest: Campaign.simulate(tmp_path_factory.mktemp("matrix") / "campaign", highest) for highest in (1, 3)}


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    """The web page, without a network: the application runs in a loop of another thread, and requests are handed over to it."""
    import asyncio
    import threading

    import httpx

    from mensura.web.app import create_app
    from mensura.web.settings import Limits, Settings

    app = create_app(Settings(answering=1, evaluating=1, limits=Limits(seconds=600.0)))  # however busy the machine is
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    def wait(coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, loop).result()

    async def opened():
        life = app.router.lifespan_context(app)
        await life.__aenter__()
        return life, httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1", timeout=600)

    life, client = wait(opened())
    yield Site(lambda method, path, **options: wait(client.request(method, path, **options)))
    wait(client.aclose())
    wait(life.__aexit__(None, None, None))
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def cells(ask: Callable[[list[str]], dict[str, Numbers]], names: list[str]) -> dict[str, Numbers | Exception]:
    """The answers of a door about each measure; measures that it stumbles over are asked again in halves."""
    try:
        return dict(ask(names))
    except Exception as error:  # noqa: BLE001 - any other one is a fault that is reported
        if len(names) == 1:
            return {names[0]: error}
    half = len(names) // 2
    return cells(ask, names[:half]) | cells(ask, names[half:])


def close(shown: Any, value: float) -> bool:
    """Compare two numbers; text is rounded to the decimals that it has."""
    if math.isnan(value):
        return shown is None or str(shown).strip() in {"–", "nan"} or shown != shown  # noqa: PLR0124 - NaN
    if isinstance(shown, str):
        text = shown.replace("−", "-")
        decimals = len(text.partition(".")[2])
        return abs(float(text) - value) <= 0.5 * 10**-decimals * (1 + 1e-9)
    return math.isclose(shown, value, rel_tol=1e-12, abs_tol=1e-15)


def expected(campaign: Campaign, column: Column, name: str) -> Numbers:
    """The expected number of a cell."""
    if column.shows in {"means", "order"}:
        return campaign.means[name]
    if column.shows == "mean ranks":
        return matrix.mean_ranks(campaign, [name])[name]
    if column.shows == "direction":
        return {"better": mensura.parse_measure(name).direction}
    if column.shows == "steps":
        return matrix.python_interval(campaign, [name])[name]
    scores = campaign.evaluation[name]
    if column.shows == "aggregates":
        return dict(zip(scores.systems, scores.aggregate().tolist(), strict=True))
    if column.shows == "values":
        return {(row["system"], row["topic"]): row["value"] for row in scores.rows()}
    return {}


def fault(campaign: Campaign, column: Column, name: str, cell: Numbers | Exception | None) -> str | None:
    """The faults of a cell."""
    measure = mensura.parse_measure(name)
    if cell is None:
        empty = column.shows == "values" and not expected(campaign, column, name)  # a measure without a value for any topic
        return None if empty else "nothing is shown"
    if isinstance(cell, Refusal | MensuraError):
        text = str(cell)
        if not column.may_refuse(measure) and name not in INCOMPLETE:
            return f"refused: {text}"
        message = text.removeprefix("mensura: ").removesuffix("\n")
        return None if len(message) > 20 and "\n" not in message and "Traceback" not in message else f"no sentence: {text}"
    if isinstance(cell, Exception):
        return "".join(traceback.format_exception(cell))
    if name in INCOMPLETE:
        return None if column.shows in {"", "direction"} else "is computed, though it says too little"
    should = expected(campaign, column, name)
    if column.shows == "order":
        sign = 1 if measure.direction == "higher" else -1
        in_order = [sign * should[system] for system in cell]
        falling = all(first >= second - 1e-12 for first, second in pairwise(in_order))
        return None if falling and cell.keys() == should.keys() else f"is in the order of {in_order}"
    if column.shows == "mean of one":
        should = {system: campaign.means[name][system] for system in cell}
    if column.shows and cell.keys() != should.keys():
        return f"is about {sorted(cell)}, not {sorted(should)}"
    wrong = {
        key: (shown, should[key])
        for key, shown in cell.items()
        if column.shows and not (shown == should[key] if column.shows == "direction" else close(shown, should[key]))
    }
    return f"(shown, right): {dict(list(wrong.items())[:3])}" if wrong else None


def faults(column: str, campaign: Campaign, site: Site | None, names: list[str]) -> dict[str, str]:
    """The faults of a column."""
    door = COLUMNS[column]
    ask = (lambda some: door.ask(site, campaign, some)) if site is not None else (lambda some: door.ask(campaign, some))  # type: ignore[call-arg]
    answers: dict[str, Numbers | Exception] = {}
    # A refusal takes the answers of a whole command with it, so measures that may be refused are asked one at a time.
    alone = [name for name in names if name in INCOMPLETE or door.may_refuse(mensura.parse_measure(name))]
    together = [name for name in names if name not in alone]
    for start in range(0, len(together), door.at_once):
        answers |= cells(ask, together[start : start + door.at_once])
    for name in alone:
        answers |= cells(ask, [name])
    wrong = {name: fault(campaign, door, name, answers.get(name)) for name in names}
    return {name: text for name, text in wrong.items() if text is not None}


@pytest.mark.parametrize("highest", [1, 3], ids=["binary", "graded"])
@pytest.mark.parametrize("column", COLUMNS)
def test_every_measure_runs_or_refuses_and_numbers_agree(column, highest, campaigns, request):
    site = request.getfixturevalue("site") if column.startswith("web") else None
    names = [name for name in measures() if "(" not in name] if highest == 1 and column in SLOW else measures()
    wrong = faults(column, campaigns[highest], site, names)
    assert not wrong, "\n".join(f"{name}: {text}" for name, text in wrong.items())


def test_one_answer_about_means_of_ranks(campaigns):
    """A measure that one door refuses the mean ranks of is refused by the others with the same sentence, as is a geometric mean."""
    campaign = campaigns[1]
    names = [name for name in measures() if without_scale(mensura.parse_measure(name)) and name not in INCOMPLETE]
    answers = {name: matrix.scale_doors(campaign, name) for name in names if not shared(mensura.parse_measure(name))}
    different = {name: answer for name, answer in answers.items() if len(set(answer.values())) > 1}
    assert not different
    wrong = {name for name, answer in answers.items() if not any(answer.values())}
    assert not wrong
    assert {"GM(P@5)", "GM(P)", "GM(AP@5)", "Median(RR@5)", "IPrec@0.2", "Utility", "AP"} <= answers.keys()


def shared(measure: Measure) -> bool:
    """A cut-off and an interval scale, on topics of one recall base at least: no door refuses these."""
    return measure.cutoff is not None and not obstructed(measure) and not median(measure)


def test_every_registered_measure_and_parameter_has_a_row():
    """A measure without a row cannot be: the rows come from the registry. A parameter without a value raises KeyError."""
    rows = {mensura.parse_measure(name) for name in measures()}
    assert {row.name for row in rows} >= set(REGISTRY)
    for name, cls in REGISTRY.items():
        parameters = {field for row in rows if row.name == name for field in row.parameters()}
        own = {field.name for field in fields(cls)} - {"cutoff"}
        assert parameters >= own - {"recall"}, name


def scale_types(campaign: Campaign, names: list[str]) -> dict[str, dict[str, str]]:
    """The type of scale of each measure, by every door that names one."""
    answers = {"properties": matrix.properties(campaign, names)}
    if campaign.grades == (0, 1):
        facts = json.loads(matrix.run("measures", *names, "-f", "json"))
        answers["measures"] = {row["measure"]: {"scale": row["scale"] or "nominal"} for row in facts}
    return {door: {name: cell["scale"] for name, cell in answer.items()} for door, answer in answers.items()}


@pytest.mark.parametrize("highest", [1, 3], ids=["binary", "graded"])
def test_one_answer_about_the_type_of_a_scale(campaigns, highest):
    """`properties` proves the scale that `measures` lists, and of which `compare` warns: a test that assumes an interval scale."""
    campaign = campaigns[highest]
    names = [name for name in measures() if (each := mensura.parse_measure(name)).cutoff == LENGTH and not obstructed(each)]
    proven, *others = scale_types(campaign, names).values()
    for other in others:  # rel=2 on binary runs is refused where a proof is asked for
        assert {name: other[name] for name in proven} == proven
    words = [word for name in names for word in ("-m", name)]
    text = call(["compare", str(campaign.qrels), *map(str, campaign.runs), *words, "--test", "t", "-f", "json"]).stderr
    (remark,) = re.findall(r"^mensura: note: (.*) \[M103\]$", text, re.MULTILINE)  # one, which names all measures
    warned = {name for name in names if re.search(rf"(?:but|for|,|and) {re.escape(name)}(?:,| and|\)| is on)", remark)}
    assert warned & proven.keys() == {name for name in proven if proven[name] not in {"interval", "ratio"}}


@pytest.mark.parametrize("highest", [1, 3], ids=["binary", "graded"])
def test_means_are_the_same_to_the_last_bit(campaigns, highest):
    """Systems that tie at one door tie at the others."""
    campaign = campaigns[highest]
    names = [name for name in measures() if name not in INCOMPLETE and "pool" not in name]
    means = [name for name in names if not median(mensura.parse_measure(name))]
    names = [name for name in names if not name.startswith("Accuracy")]  # whose mean may be that of no topic
    for door in (matrix.evaluate_csv, matrix.evaluate_json, matrix.python_score):
        assert door(campaign, names) == {
            name: dict(zip(campaign.evaluation[name].systems, campaign.evaluation[name].aggregate().tolist(), strict=True))
            for name in names
        }, door.__name__
    for door in (matrix.compare_csv, matrix.meaning):
        assert door(campaign, means) == {name: campaign.means[name] for name in means}, door.__name__
