"""One door to comparisons: from judgments and runs, from an evaluation, from a table; one object over all measures."""

from __future__ import annotations

import dataclasses
import pickle
import warnings

import numpy as np
import pytest

import mensura
from mensura import Comparisons, MensuraError, MensuraWarning, StatisticsError, compare, evaluate
from mensura.stats import METHODS, Pair, Pairs, Standing, paired_t
from mensura.study.example import example
from tests.cli.running import mensura as command

MEASURES = ["nDCG@10", "AP", "MFR@20"]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return example(8, systems=5, topics=20).write(tmp_path_factory.mktemp("campaign"))


@pytest.fixture(scope="module")
def compared(files):
    return quietly(compare, *files, MEASURES, test="t")


def quietly(function, *arguments, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MensuraWarning)
        return function(*arguments, **options)


def as_dicts(qrels, runs):
    """The files as nested dicts."""
    judged = {}
    for topic, _, document, grade in map(str.split, qrels.read_text().splitlines()):
        judged.setdefault(topic, {})[document] = int(grade)
    tables = {}
    for path in runs:
        for topic, _, document, _, score, tag in map(str.split, path.read_text().splitlines()):
            tables.setdefault(tag, {}).setdefault(topic, {})[document] = float(score)
    return judged, tables


def test_files_dicts_frames_evaluations_and_tables_give_the_same_numbers(files, compared):
    evaluation = quietly(evaluate, *files, MEASURES)
    assert compare(evaluation, test="t") == compared
    assert evaluation.compare(test="t") == compared
    assert quietly(compare, *as_dicts(*files), MEASURES, test="t") == compared
    for table in (evaluation.to_pandas(), evaluation.to_polars()):
        again = compare(table, test="t")
        for one, other in zip(compared, again, strict=True):
            assert str(one.measure) == str(other.measure)
            assert other.corrected_p == pytest.approx(one.corrected_p, rel=1e-9)
            assert other.mean == pytest.approx(one.mean, rel=1e-12)


def test_the_numbers_are_those_of_the_test_itself(files, compared):
    scores = quietly(evaluate, *files, "AP")["AP"]
    assert compared["AP"].outcome.p == pytest.approx(paired_t(scores.values).p, rel=1e-12)  # topics are added up in another order


def test_measures_choose_from_an_evaluation(files, compared):
    evaluation = quietly(evaluate, *files, MEASURES)
    (one,) = compare(evaluation, measures="map", test="t")
    assert str(one.measure) == "AP"
    assert one.outcome.p.tolist() == compared["AP"].outcome.p.tolist()
    assert len(compare(evaluation.to_pandas(), measures=["AP", "nDCG@10"], test="t")) == 2


def test_a_warning_is_about_the_line_of_the_caller(files):
    qrels, runs = as_dicts(*files)
    del runs["sysA"]["1"]
    with pytest.warns(MensuraWarning, match="sysA") as caught:
        comparison = compare(qrels, runs, "AP", test="t")
    assert {warning.filename for warning in caught} == {__file__}
    assert "sysA" in str(comparison)


def test_a_sequence_of_measures_scales_pairs_and_systems(compared):
    assert compared["ndcg_cut_10"] is compared[0]
    pair = compared["AP"]["sysA", "sysB"]
    assert isinstance(pair, Pair)
    assert (pair.measure, pair.scale, pair.first) == ("AP", "original", "sysA")
    with pytest.raises(KeyError, match="did you mean 'AP'"):
        compared["AP@1"]
    with pytest.raises(KeyError, match="unknown system 'sysa'; did you mean 'sysA'"):
        compared["AP"]["sysa", "sysB"]
    with pytest.raises(KeyError, match="AP was not compared on the scale 'interval'; there are original"):
        compared["AP", "interval"]


def test_a_scale_by_name(files):
    both = quietly(compare, *files, ["P@10", "RR@10"], scale="both", test="t")
    assert len(both) == 4
    assert both["RR@10"].scale == "original"
    assert both["RR@10", "interval"].scale == "interval"
    assert {pair.scale for pair in both.pairs()} == {"original", "interval"}


def test_pairs_are_a_sequence_and_a_table(compared):
    pairs = compared.pairs()
    assert isinstance(pairs, Pairs)
    assert len(pairs) == 30
    assert pairs[0] == compared[0].pairs()[0]
    assert pairs[10] == pairs[-20] == compared["AP"].pairs()[0]
    assert list(pairs[8:12]) == [pairs[at] for at in (8, 9, 10, 11)]
    assert pairs[::-1][0] == pairs[29]
    assert [pair.corrected_p for pair in pairs] == [p for each in compared for p in each.corrected_p.tolist()]
    assert pairs.significant() == tuple(pair for pair in pairs if pair.corrected_p < 0.05)
    assert pairs.to_pandas().shape[0] == pairs.to_polars().shape[0] == 30
    assert pairs[8:12].to_pandas()["measure"].tolist() == ["nDCG@10", "nDCG@10", "AP", "AP"]
    assert pairs[3] in pairs
    with pytest.raises(IndexError):
        pairs[30]


def test_the_leaderboard_is_a_sequence_and_a_table(compared):
    board = compared.leaderboard()
    assert len(board) == 15
    assert isinstance(board[0], Standing)
    for at, comparison in enumerate(compared):
        part = board[5 * at : 5 * at + 5]
        assert [each.system for each in part] == [comparison.systems[system] for system in comparison.ranking]
        assert [each.place for each in part] == sorted(comparison.places.tolist())
        assert [each.mean for each in part] == comparison.mean[comparison.ranking].tolist()
    long, wide = board.to_pandas(), board.to_pandas(wide=True)
    assert long.shape == (15, 9)
    assert wide.columns.tolist() == ["system", *MEASURES]
    assert wide.set_index("system").loc["sysB", "AP"] == compared["AP"].mean[compared["AP"].systems.index("sysB")]
    assert board.to_polars(wide=True).shape == (5, 4)


def test_verdicts_against_baselines_are_those_of_the_pairs(files):
    compared = quietly(compare, *files, ["AP", "MFR@20"], baseline=["sysA", "sysE"], test="t", correction="none")
    for comparison in compared:
        better = 1 if str(comparison.measure) == "AP" else -1
        for standing in comparison.leaderboard():
            assert (standing.verdicts[0] == "baseline") == (standing.system in {"sysA", "sysE"})
            for verdict in standing.verdicts:
                if "(" in verdict:
                    words, other = verdict.rstrip(")").split(" (")
                    pair = comparison[standing.system, other]
                    sign = np.sign(pair.estimate) * better if pair.significant else 0
                    assert words == {1: "better", -1: "worse", 0: "not significantly different"}[int(sign)]
        assert {pair.second for pair in comparison.pairs()} == {"sysA", "sysE"}
        with pytest.raises(KeyError, match="sysB and sysC were not compared; the baselines are sysA, sysE"):
            comparison["sysB", "sysC"]


def test_results_are_equal_by_content_and_hashed_accordingly(files, compared):
    copy = pickle.loads(pickle.dumps(compared))  # noqa: S301 - made on the line itself
    assert copy == compared
    assert copy.evaluation == compared.evaluation
    assert copy.pairs() == compared.pairs()
    assert hash(copy) == hash(compared)
    assert Comparisons.from_json(compared.to_json()) == compared
    assert compared != quietly(compare, *files, MEASURES, test="sign")
    assert compared != 1
    other = quietly(evaluate, *files, ["AP"])
    assert other["AP"] == compared.evaluation["AP"]
    assert other != compared.evaluation


def test_a_pair_without_variation_equals_itself():
    table = {"A": {"1": 0.5, "2": 0.5}, "B": {"1": 0.5, "2": 0.5}}
    one, other = (compare(table, test="t")[0].pairs()[0] for _ in range(2))
    assert one == other
    assert np.isnan(one.d_z) or one.d_z == 0


def test_everything_is_frozen(compared):
    for thing in (compared, compared[0], compared.pairs(), compared.leaderboard()[0], compared.pairs()[0]):
        with pytest.raises(AttributeError):
            setattr(thing, dataclasses.fields(thing)[0].name, ())


def test_arrays_of_results_are_read_only(compared):
    comparison = compared[0]
    for array in (
        comparison.mean,
        comparison.corrected_p,
        comparison.outcome.p,
        comparison.effects.d_z,
        compared.evaluation["AP"].values,
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0.0
    given = np.array([[0.2, 0.4, 0.1], [0.3, 0.5, 0.5]])
    compare(given, test="t")
    given[0, 0] = 0.1  # what a user passes stays theirs


def test_a_pair_states_the_level_of_its_interval(compared):
    assert "95 % CI" in str(compared.pairs()[0]).replace("\u202f", " ").replace("\u00a0", " ")


def test_a_terminal_shows_what_the_command_line_shows(files, compared):
    qrels, runs = files
    words = [part for measure in MEASURES for part in ("-m", measure)]
    shown = command("compare", qrels, *runs, *words, "--test", "t").stdout
    assert str(compared).split() == shown.split()
    assert str(compared["AP"]) in str(compared) or all(line in str(compared) for line in str(compared["AP"]).splitlines()[:6])


def test_the_command_line_writes_the_tables_of_python(files, compared):
    qrels, runs = files
    words = [part for measure in MEASURES for part in ("-m", measure)]
    for form in ("latex", "markdown", "typst"):
        done = command("compare", qrels, *runs, *words, "--test", "t", "-f", form, "--digits", "3")
        assert done.returncode == 0
        assert done.stdout == getattr(compared, f"to_{form}")(digits=3)


def test_an_evaluation_goes_on(files):
    evaluation = quietly(evaluate, *files, ["AP@10", "P@10"])
    meaning = evaluation.meaning()
    assert len(meaning) == 2
    assert sum(meaning["AP@10"].counts().values()) == 10
    assert meaning == pickle.loads(pickle.dumps(meaning))  # noqa: S301 - made on the line itself
    assert len(meaning.to_pandas()) == 20
    report = evaluation.report(title="Chain", samples=50)
    assert report.title == "Chain"
    assert report.evaluation.measures == evaluation.measures
    assert evaluation.compare(baseline="sysA", test="t")["P@10"].outcome.pairs.baselines == (0,)


def test_topics_of_an_evaluation_go_on_too(files):
    qrels, runs = as_dicts(*files)
    del runs["sysA"]["1"]
    evaluation = quietly(evaluate, qrels, runs, ["P@10"], topics="both")
    assert evaluation.meaning()["P@10"].values.shape == (5, 19)
    assert len(evaluation.compare(test="t")[0].topics) == 19
    assert len(evaluation.report(samples=20).comparisons[0].topics) == 19
    assert len(quietly(compare, qrels, runs, "P@10", topics="both", test="t")[0].topics) == 19
    ragged = quietly(evaluate, qrels, runs, ["P@10"], topics="run")
    for method in (ragged.compare, ragged.meaning):
        with pytest.raises(MensuraError, match="topics='judged' or 'both'"):
            method()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"baseline": "sysa"}, "unknown baseline 'sysa'; did you mean 'sysA'?"),
        ({"baseline": 0}, "a baseline is the name of a system, got 0; write e.g. 'sysA'"),
        ({"test": "ttest"}, "unknown test 'ttest'; did you mean"),
        ({"correction": "hom"}, "unknown correction 'hom'; did you mean 'holm'"),
    ],
)
def test_errors_suggest_a_name(files, options, message):
    with pytest.raises(StatisticsError) as error:
        quietly(compare, *files, "AP", **options)
    assert message in str(error.value)


def test_errors_at_the_door(files):
    with pytest.raises(StatisticsError, match=r"compare\(qrels, runs, measures\) needs measures"):
        compare(*files)
    evaluation = quietly(evaluate, *files, "AP")
    with pytest.raises(StatisticsError, match="topics go with qrels and runs"):
        compare(evaluation, topics="both")
    with pytest.raises(KeyError, match="was not evaluated"):
        compare(evaluation, measures="P@10")


def test_parameters_have_the_same_names_everywhere():
    """A word that several public functions take means the same there: judgments first, then runs, then measures."""
    import inspect

    signatures = {name: list(inspect.signature(getattr(mensura, name)).parameters) for name in ("evaluate", "compare")}
    assert signatures["evaluate"][:3] == signatures["compare"][:3] == ["qrels", "runs", "measures"]
    assert {"topics", "compat", "threads"} <= set(signatures["evaluate"]) & set(signatures["compare"])
    assert "t" in METHODS
