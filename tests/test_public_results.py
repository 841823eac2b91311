"""Every result that users get, made by real calls: it shows itself, survives JSON, and is a data frame or refuses to be one."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path

import pytest

import mensura
from mensura import adm, pieces, plans, rankings, scales, stats
from mensura.errors import MensuraError
from mensura.evaluation.description import describe
from mensura.plans.families import compare_as_planned, families
from mensura.record import record
from mensura.result import Result
from mensura.study.example import example

PUBLIC = json.loads((Path(__file__).parent / "public.json").read_text(encoding="utf-8"))
VALUES = [[0.5, 0.7, 0.9, 0.6, 0.0], [0.4, 0.5, 0.9, 0.7, 0.0], [0.1, 0.5, 0.3, 0.2, 0.4]]
HYPOTHESIS = '\n[[hypotheses]]\nbetter = "sysA"\nworse = "sysB"\nmeasure = "P@10"\n'


def classes():
    """The public classes that derive from Result, and those that their fields have."""
    for name, names in PUBLIC.items():
        for each in names:
            getattr(importlib.import_module(name), each)
    found = list(Result.__subclasses__())
    for each in found:
        found += each.__subclasses__()
    return {each.__name__ for each in found if each.__module__.startswith("mensura.")}


GARBAGE = re.compile(
    rf"\\x0a|\b(array|Input|{'|'.join(classes())})\(|\bnan\b|<(function|class|mensura|built-in)|object at|\bdtype\b"
)
LESS = {"Evaluation", "Comparisons", "Scores"}  # a saved one is without the judged runs, and shows fewer decimals, or no advice
ASKED_FOR = {"Pairs", "Standings"}  # of a comparison, which is what is read back


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """One result of each class, by name; more where some are special."""
    folder = tmp_path_factory.mktemp("campaign")
    qrels, runs = example(8, systems=4, topics=12).write(folder)
    judged = mensura.judge(qrels, runs, scores=True)
    evaluation = mensura.score(judged, ["AP@10", "P@10", "GM(AP)"])
    comparisons = mensura.compare(evaluation, samples=50)
    based = mensura.compare(evaluation, samples=50, baseline="sysA")
    tested = stats.run_test("anova", VALUES)
    (folder / "plan.toml").write_text(plans.template(systems=("sysA", "sysB"), primary=["P@10"], test="t") + HYPOTHESIS)
    plan, lock = plans.lock_plan(folder / "plan.toml")
    average, distance = mensura.parse_measures(["AP@10", "ADM@10"])
    described = describe(mensura.read_qrels(qrels), judged)
    choice = stats.validate(evaluation["P@10"], repeats=2)
    lists = ["a", "b", "c", "d"], ["b", "a", "e", "c"]
    every = [
        evaluation,
        *evaluation.scores,
        *mensura.evaluate({"1": {"a": 1, "b": 0}, "2": {"a": 1}}, {"x": {"1": {"b": 1.0, "c": 1.0}}}, ["AP", "P@5"]).remarks,
        scored_table(folder),
        evaluation["AP@10"].on_interval_scale(),
        comparisons,
        *comparisons,
        comparisons.leaderboard(),
        comparisons.pairs(),
        *comparisons.leaderboard()[:1],
        *comparisons.pairs()[:1],
        comparisons[0].effects,
        comparisons[0].family,
        comparisons[0].method,
        comparisons[0].outcome,
        comparisons[0].outcome.pairs,
        *comparisons.advice,
        *based.advice,
        *based.advice[1].pairs,
        *based.advice[1].systems,
        based.advice[0].fit,
        tested,
        tested.omnibus,
        stats.run_test("friedman", VALUES).omnibus,
        stats.effects([[0.5, 0.5], [0.5, 0.5]]),
        stats.difference_intervals(VALUES),
        stats.wilson_interval(3, 10),
        stats.correlate(VALUES, VALUES[::-1]),
        choice,
        choice.validation,
        described,
        described.judged,
        described.topics[0],
        described.runs[0],
        scales.scale_facts(average),
        *(scales.properties(mensura.parse_measure(name)) for name in ("AP@3", "RBP(p=0.5)@3", "DCG@3")),
        scales.leaderboard(average, judged),
        evaluation.meaning(),
        rankings.compare(*lists),
        rankings.compare(*lists).rbo,
        rankings.matrix({"a": lists[0], "b": lists[0][::-1]}),
        rankings.against_ideal(judged),
        *rankings.AXIOMS,
        pieces.means(qrels, runs, ["AP@10"]),
        record(["scale", "AP@5"], inputs=[("qrels", qrels)], parameters={"length": None, "depth": 5}),
        lock,
        *lock.runs[:1],
        *plans.check_plan(folder / "plan.toml")[1],
        *plan.hypotheses,
        *plans.verdicts(plan, compare_as_planned(plan, families(plan, judged, ()), 0, {})),
        adm.calibrate(judged, distance),
        adm.claims(judged, distance),
        adm.correlations(judged, [distance, average]),
        adm.distances(judged, "sysA", judged.topics[0], distance),
        adm.fused(judged, distance)[0],
        adm.reliability(judged, "sysA", distance),
        *adm.fewer_topics(judged, [distance], average),
        adm.thresholds(judged, distance),
    ]
    by_class: dict[str, list[Result]] = {}
    for each in every:
        by_class.setdefault(type(each).__name__, []).append(each)
    return by_class


def scored_table(folder):
    path = folder / "scores.csv"
    path.write_text("system,topic,AP\na,1,0.5\na,2,1\nb,1,0.25\nb,2,0\n")
    return mensura.read_scores(path)


@pytest.mark.parametrize("name", sorted(classes()))
def test_a_result_shows_itself_survives_json_and_is_a_frame_or_refuses(name, results):
    for result in results[name]:
        texts = {"text": str(result), "html": result._repr_html_(), "latex": result.to_latex(), "markdown": result.to_markdown()}
        texts["typst"] = result.to_typst()
        for kind, text in texts.items():
            assert text.strip(), kind
            assert not GARBAGE.search(text), f"{kind}: {text}"
        if name in ASKED_FOR:
            with pytest.raises(MensuraError, match="not read back; save the comparison"):
                type(result).from_json(result.to_json())
        else:
            again = type(result).from_json(result.to_json())
            assert again == result
            assert again.to_json() == result.to_json()
            assert str(again) == str(result) or name in LESS
        for frame in (result.to_pandas, result.to_polars):
            if type(result).rows is not Result.rows:
                assert len(frame()) == len(list(result.rows()))
            else:
                with pytest.raises(MensuraError, match="has no rows for a data frame; use to_dict"):
                    frame()
