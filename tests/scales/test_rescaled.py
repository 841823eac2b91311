"""Values on other scales, by name."""

from __future__ import annotations

import numpy as np
import pytest

from mensura import JudgedRuns, ScaleError, compare, parse_measure, score
from mensura.render.comparisons import leaderboard
from mensura.scales.meaning.dominance import leaderboard as board_of
from mensura.scales.ranks import Ranks
from mensura.scales.rescaled import SCALE_NAMES, TITLES, rescale, scales_named, standardised
from mensura.stats.compared import Comparison
from mensura.study import study
from tests.cli.running import mensura

VALUES = np.array([[0.1, 0.5, 0.3], [0.2, 0.5, 0.3], [0.6, 0.5, 0.9]])
CODES = np.unique(VALUES, return_inverse=True)[1].reshape(VALUES.shape)


def test_z_scores_by_hand():
    """Topic 1: mean 0.3, deviations −0.2, −0.1, 0.3, variance 0.14 / 2 = 0.07. Topic 2: all alike."""
    z = standardised(VALUES, "z-score", CODES)
    assert z[:, 0] == pytest.approx(np.array([-0.2, -0.1, 0.3]) / 0.07**0.5)
    assert z[:, 1].tolist() == [0, 0, 0]
    assert z[:, 2] == pytest.approx([-1 / 3**0.5, -1 / 3**0.5, 2 / 3**0.5])
    assert standardised(VALUES, "linear", CODES) == pytest.approx(0.15 * z + 0.5)


def test_linear_scores_are_cut():
    values = np.zeros((40, 1))
    values[0] = 1.0  # z = 39 / √40 > 6, and 0.15·z + 0.5 > 1
    assert standardised(values, "linear", values.astype(np.int64))[0, 0] == 1


def test_uniform_scores_by_hand():
    """Topic 3: two systems tie below the third: each beats half of two of three, the third beats two and half of itself."""
    uniform = standardised(VALUES, "uniform", CODES)
    assert uniform[:, 0] == pytest.approx([1 / 6, 3 / 6, 5 / 6])
    assert uniform[:, 1] == pytest.approx([0.5] * 3)
    assert uniform[:, 2] == pytest.approx([1 / 3, 1 / 3, 5 / 6])


def test_uniform_scores_see_ties_as_numbers():
    """1/3 + 1/6 and 1/2 as sums of precisions: AP of 001001 and of … tie as fractions, whatever the doubles say."""
    runs = np.array([[[1, 0, 0, 0, 0, 0]], [[0, 1, 0, 1, 0, 0]]], dtype=np.int8)  # ½ + 2/4 = 1
    judged = JudgedRuns.from_grades(runs, np.array([[9, 3]]))
    measure = parse_measure("AP@6")
    values = rescale(measure, judged, measure.score(judged), "uniform").values
    assert values[:, 0].tolist() == [0.5, 0.5]


def test_names():
    assert scales_named("both") == ("original", "interval")
    assert scales_named("original,interval,z-score", "observed") == ("original", "observed", "z-score")
    assert scales_named(["interval"], "all") == ("interval",)
    assert set(TITLES) == set(SCALE_NAMES) - {"original"}
    with pytest.raises(ScaleError, match="unknown scale 'log'; use both, or some of original, interval"):
        scales_named("log")
    with pytest.raises(ScaleError, match="unknown universe 'every'; use one of all"):
        scales_named("interval", "every")


@pytest.fixture(scope="module")
def evaluation():
    rng = np.random.default_rng(3)
    runs = (rng.random((5, 12, 20)) < rng.random((5, 1, 1))).astype(np.int8)
    return score(JudgedRuns.from_grades(runs, np.full((12, 2), 30)), ["AP@20"])


def test_scales_side_by_side(evaluation):
    names = ("original", "interval", "attainable", "observed", "independent", "z-score", "linear", "uniform")
    comparisons = compare(evaluation, scale=names, test="t", width=0.05)
    assert tuple(each.scale for each in comparisons) == names
    assert comparisons[0].outcome.p[0] != comparisons[5].outcome.p[0]
    assert "observed runs" in comparisons[3].name
    assert any("mid-p" in remark for remark in comparisons[3].remarks)
    z, linear = comparisons[5], comparisons[6]
    assert linear.outcome.p == pytest.approx(z.outcome.p, abs=1e-2)  # a linear function of z but for the cut


@pytest.mark.parametrize("scale", ["observed", "independent", "uniform"])
def test_what_is_beaten_does_not_depend_on_the_direction(scale):
    """RR = 1 / MFR on lists of one length with a relevant document, so both measures put runs into one order, best first."""
    rng = np.random.default_rng(7)
    first = rng.integers(0, 10, (4, 9))
    judged = JudgedRuns.from_grades((np.arange(10) == first[:, :, None]).astype(np.int8), np.full((9, 2), 5))
    rank, reciprocal = compare(score(judged, ["MFR@10", "RR@10"]), scale=scale, test="t", width=0.01)
    assert rank.mean == pytest.approx(reciprocal.mean, abs=1e-9)
    assert rank.places.tolist() == reciprocal.places.tolist()
    assert rank.better.tolist() == reciprocal.better.tolist()
    assert rank.direction == "higher"
    assert Comparison.from_json(rank.to_json()).direction == "higher"
    first_table, second_table = (leaderboard(each).header for each in (rank, reciprocal))
    assert first_table == second_table


def test_mid_p_of_ranks_is_higher_for_better_runs():
    judged = JudgedRuns.from_grades([[[1, 0, 0]], [[0, 1, 0]], [[0, 0, 1]]], [[9, 9]])
    rank, reciprocal = (each.on_interval_scale(universe="observed") for each in score(judged, ["MFR@3", "RR@3"]).scores)
    assert rank.middle == pytest.approx(reciprocal.middle)
    assert (np.diff(rank.middle[:, 0]) < 0).all()
    assert (rank.low <= rank.middle).all()
    assert (rank.middle <= rank.high).all()
    exact = score(judged, ["MFR@3"]).scores[0].on_interval_scale()
    assert (exact.direction, rank.direction) == ("lower", "higher")
    saved = rank.to_dict() | {"version": 1} | {name: (1 - getattr(rank, name)).tolist() for name in ("middle", "low", "high")}
    assert Ranks.from_dict(saved).middle == pytest.approx(rank.middle)


def test_statements_see_mid_p_in_the_direction_of_the_measure():
    """A leaderboard asks for bounds of ranks, which fall with quality if lower is better."""
    rng = np.random.default_rng(7)
    runs = (np.arange(10) == rng.integers(0, 10, (4, 9, 1))).astype(np.int8)
    judged = JudgedRuns.from_grades(runs, np.full((9, 2), 5))
    boards = [board_of(parse_measure(name), judged, universe="observed", width=0.01) for name in ("MFR@10", "RR@10")]
    assert boards[0].bounds == pytest.approx(1 - boards[1].bounds[::-1], abs=1e-9)


def test_a_study_compares_orders_of_systems():
    """τ of the two scales is 1 where they order the systems alike, whichever end is the better one."""
    rng = np.random.default_rng(7)
    runs = (np.arange(10) == rng.integers(0, 10, (4, 9, 1))).astype(np.int8)
    judged = JudgedRuns.from_grades(runs, np.full((9, 2), 5))
    found = study(judged, ["MFR", "RR"], [10], tests=["t"], scale="uniform")
    taus = {cell.label: cell.tau["unq"] for cell in found.cells}
    assert taus["MFR"] > 0
    places = found.places
    assert places["MFR", 10][1].tolist() == places["RR", 10][1].tolist()


def test_tests_on_signs_do_not_see_the_scale(evaluation):
    """Mid-p keeps the order within topics, so the sign test says the same on every scale that keeps it."""
    for scale in ("interval", "uniform", "z-score"):
        first, second = compare(evaluation, scale=("original", scale), test="sign")
        assert first.outcome.p == pytest.approx(second.outcome.p)


def test_compare_from_the_command_line(tmp_path):
    mensura("simulate", "-o", tmp_path, "--systems", "4", "--topics", "8", "--documents", "60", "--seed", "2")
    inputs = (tmp_path / "qrels.txt", str(tmp_path / "runs" / "*.txt"), "-m", "AP@100")
    shown = mensura("compare", *inputs, "--scale", "original,interval,observed,z-score", "--width", "0.05").stdout
    for part in ("AP@100 (interval scale)", "AP@100 (proportion of observed runs beaten)", "AP@100 (z-scores)", "by z-scores"):
        assert part in " ".join(shown.split())
    assert "observed runs" in mensura("compare", *inputs, "--universe", "observed", "--width", "0.05").stdout
    assert "unknown scale 'log'" in mensura("compare", *inputs, "--scale", "log", status=2).stderr
