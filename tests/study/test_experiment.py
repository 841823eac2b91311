"""A study against brute force: every run enumerated, every value a fraction, every test by SciPy."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from mensura import JudgedRuns, MensuraError
from mensura.render.latex import as_latex
from mensura.render.studies import as_table, sentences
from mensura.render.tables import as_markdown
from mensura.study import Design, simulate, study
from mensura.study.cell import least_tau
from mensura.study.names import label, pairs_of, study_measures
from mensura.study.paper_tables import tables

LENGTH = 6


@pytest.fixture(scope="module")
def judged():
    return simulate(Design(systems=7, topics=12, documents=60, relevant=8, depth=30, pool=10), seed=3).judged()


def precision(run):
    return Fraction(sum(run), len(run))


def reciprocal_rank(run):
    return next((Fraction(1, rank) for rank, hit in enumerate(run, 1) if hit), Fraction(0))


def average_precision(run):
    return sum((Fraction(sum(run[:rank]), rank) for rank, hit in enumerate(run, 1) if hit), Fraction(0))


def rbp(run):
    return sum(Fraction(1, 5) * Fraction(4, 5) ** at * hit for at, hit in enumerate(run))


BY_HAND = {"P": precision, "RR": reciprocal_rank, "AP": average_precision, "RBP(p=0.8)": rbp}


@pytest.fixture(scope="module")
def found(judged):
    return study(judged, BY_HAND, [LENGTH], ["sign", "t", "signed-rank", "anova-topics"])


def ranked(judged, value):
    """Ranks of all judged runs by brute force: among distinct values, and mid-ranks among all runs."""
    everything = sorted(value(run) for run in itertools.product((0, 1), repeat=LENGTH))
    distinct = sorted(set(everything))
    hits = (judged.grades[:, :, :LENGTH] >= 1).astype(int)
    unq, mid = np.empty(judged.shape), np.empty(judged.shape)
    for at in np.ndindex(judged.shape):
        mine = value(tuple(hits[at].tolist()))
        unq[at] = distinct.index(mine) + 1
        mid[at] = everything.index(mine) + (1 + everything.count(mine)) / 2
    return unq, mid


@pytest.mark.parametrize("name", BY_HAND)
def test_tau_is_that_of_brute_force(found, judged, name):
    (measure,) = study_measures([name])
    values = (measure @ LENGTH).score(judged)
    cell = found.cell(label(measure), LENGTH)
    for way, ranks in zip(("unq", "mid"), ranked(judged, BY_HAND[name]), strict=True):
        expected = stats.kendalltau(values.mean(axis=1).round(8), ranks.mean(axis=1).round(8)).statistic
        assert cell.tau[way] == pytest.approx(expected, abs=1e-12)
        assert cell.by_topic[way] == 1.0
    assert cell.ranked == pytest.approx(ranked(judged, BY_HAND[name])[0].mean(axis=1), abs=1e-8)


@pytest.mark.parametrize("name", BY_HAND)
def test_decisions_are_those_of_scipy(found, judged, name):
    (measure,) = study_measures([name])
    values = (measure @ LENGTH).score(judged)
    unq, _ = ranked(judged, BY_HAND[name])
    cell = found.cell(label(measure), LENGTH)

    def different(array):
        pairs = itertools.combinations(array, 2)
        return np.array([stats.ttest_rel(one, other).pvalue < 0.05 for one, other in pairs])

    before, after = different(values), different(unq)
    decided = cell.decisions["t"]
    assert (decided.sig, decided.s2ns, decided.ns2s) == (before.sum(), (before & ~after).sum(), (~before & after).sum())

    def signs(array):
        pairs = [((one > other).sum(), (one < other).sum()) for one, other in itertools.combinations(array, 2)]
        return sum(wins + losses > 0 and stats.binomtest(int(wins), int(wins + losses)).pvalue < 0.05 for wins, losses in pairs)

    assert cell.decisions["sign"].sig == signs(unq)
    assert (cell.decisions["sign"].s2ns, cell.decisions["sign"].ns2s) == (0, 0)


def test_between_measures(found, judged):
    (one, other) = (measure @ LENGTH for measure in study_measures(["AP", "RR"]))
    before, after = found.between(LENGTH)["AP", "RR"]
    expected = stats.kendalltau(*(m.score(judged).mean(axis=1).round(8) for m in (one, other))).statistic
    assert before == pytest.approx(expected, abs=1e-12)
    ranks = [ranked(judged, BY_HAND[name])[0].mean(axis=1).round(8) for name in ("AP", "RR")]
    assert after == pytest.approx(stats.kendalltau(*ranks).statistic, abs=1e-12)


def test_the_curve_of_values_is_that_of_all_runs(found):
    """P4, Figure 6: at length 6, 6 runs in 64 have one relevant document, 1 has none."""
    everything = [float(precision(run)) for run in itertools.product((0, 1), repeat=LENGTH)]
    expected = set()
    for value in everything:
        below, up_to = sum(other < value for other in everything), sum(other <= value for other in everything)
        expected |= {(round(below / 64, 6), round(value, 6)), (round(up_to / 64, 6), round(value, 6))}
    assert found.cell("P", LENGTH).possible == tuple(sorted(expected))
    assert (round(7 / 64, 6), round(1 / 6, 6)) in expected


def test_a_changed_order_within_a_topic_is_seen():
    values = np.array([[0.1, 0.5], [0.2, 0.5], [0.3, 0.7]])
    assert least_tau(values, np.array([[1, 2], [2, 2], [3, 3]])) == 1.0
    assert least_tau(values, np.array([[2, 2], [1, 2], [3, 3]])) == pytest.approx(1 / 3)
    assert least_tau(values, np.array([[1, 2], [2, 2], [3, 2]])) == 0.0  # a tie that the measure does not have
    assert least_tau(values, np.array([[1, 2], [2, 3], [3, 4]])) < 1.0


def test_grades_are_kept_unless_asked_otherwise():
    graded = simulate(Design(systems=5, topics=10, grades=3), seed=1).judged()
    whole = study(graded, ["P", "DCG(base=2)"], [5], ["t"])
    assert whole.grades == (0, 1, 2, 3)
    assert whole.cell("DCG_b02", 5).exact
    two = study(graded, ["P", "DCG(base=2)"], [5], ["t"], rel=2)
    assert two.grades == (0, 1)
    assert two.cell("DCG_b02", 5).steps == 24  # FACTS: the steps of binary DCG_2 at length 5
    relevant = (graded.grades[:, :, :5] >= 2).mean(axis=(1, 2))
    assert two.cell("P", 5).means == pytest.approx(relevant, abs=1e-8)
    with pytest.raises(MensuraError, match="expected 1 to 3"):
        study(graded, ["P"], [5], ["t"], rel=4)


def test_bounds_stand_for_ranks_that_cannot_be_counted():
    graded = simulate(Design(systems=4, topics=8, grades=3), seed=1).judged()
    found = study(graded, ["DCG(base=2)"], [40], ["t"])
    (cell,) = found.cells
    assert not cell.exact
    assert 0 < cell.width < 1e-4
    assert cell.tau["unq"] is not None
    assert cell.tau["mid"] is None
    assert any("Certified bounds" in said for said in sentences(found))
    assert {table.name for table in tables(found)} == {"table2", "table3", "table5_6", "changes"}


def test_steps_are_kept_and_made_anew_when_something_changes(judged, tmp_path):
    options = {"measures": ["P", "RR"], "lengths": [3, 5], "tests": ["t"], "work": tmp_path}
    first = study(judged, **options)
    assert all(seconds is not None for seconds in first.seconds.values())
    assert len(list(tmp_path.glob("*.step"))) == 4
    again = study(judged, **options)
    assert again.cells == first.cells
    assert list(again.seconds.values()) == [None] * 4
    next(tmp_path.glob("*.step")).write_text("{")  # what is not a step is made again
    assert sum(seconds is not None for seconds in study(judged, **options).seconds.values()) == 1
    other = study(judged, **(options | {"alpha": 0.01}))
    assert None not in other.seconds.values()
    assert len(list(tmp_path.glob("*.step"))) == 4


def test_a_step_with_another_number_is_not_believed(judged, tmp_path):
    options = {"measures": ["P"], "lengths": [3], "tests": ["t"], "work": tmp_path}
    first = study(judged, **options)
    step = next(tmp_path.glob("*.step"))
    content = step.read_bytes()
    assert b'"length": 3' in content
    step.write_bytes(content.replace(b'"length": 3', b'"length": 4'))
    again = study(judged, **options)
    assert again.cells == first.cells
    assert None not in again.seconds.values()
    assert step.read_bytes() == content


def test_only_steps_of_its_own_are_removed(judged, tmp_path):
    options = {"measures": ["P"], "lengths": [3], "tests": ["t"], "work": tmp_path / "work"}
    (tmp_path / "work" / "folder").mkdir(parents=True)
    foreign = [tmp_path / "work" / name for name in ("thesis.tex", ".work.swp", "old-0123456789abcdef.step", "folder/x")]
    for path in foreign:
        path.write_text("mine")
    study(judged, **options)
    study(judged, **(options | {"alpha": 0.01}))
    assert all(path.read_text() == "mine" for path in foreign)
    assert len(list((tmp_path / "work").glob("*.step"))) == 2
    (tmp_path / "link").symlink_to("work")
    with pytest.raises(MensuraError, match="is a link"):
        study(judged, **(options | {"work": tmp_path / "link"}))


def test_names_are_those_of_the_paper():
    measures = study_measures(None)
    names = "P RBP_p05 RR RBP_p03 RBP_p08 DCG_b02 DCG_b10 R AP nDCG_b02 nDCG_b10"
    assert " ".join(map(label, measures)) == names
    pairs = pairs_of(measures, [label(measure) for measure in measures])
    assert len(pairs) == 55
    assert ("RBP_p03", "RR") in pairs
    assert ("AP", "P") in pairs
    assert ("R", "AP") in pairs


def test_nonsense_is_refused(judged):
    with pytest.raises(MensuraError, match="name AP, and 10 as a length"):
        study(judged, ["AP@10"])
    with pytest.raises(MensuraError, match=r"ADM has no interval scale that a study could compare it with: .* srs='rank' does not"):
        study(judged, ["ADM"])
    with pytest.raises(MensuraError, match="Dunnett's test compares with a baseline"):
        study(judged, ["AP"], tests=["dunnett"])
    with pytest.raises(MensuraError, match="'unq' or 'mid'"):
        study(judged, ["AP"], ties=["max"])
    with pytest.raises(MensuraError, match="lengths of at least 1"):
        study(judged, ["AP"], [])
    with pytest.raises(MensuraError, match="at least 2 systems and 2 topics"):
        study(JudgedRuns.from_grades(np.zeros((1, 3, 5), dtype=np.int8), [[1, 1]] * 3), ["P"], [5])


def test_texts(found):
    (table2, *_, significance, _) = tables(found)
    assert as_markdown(as_table(table2)).splitlines()[2:4] == ["| track | P | RR | AP | RBP_p08 |", "|---|---:|---:|---:|---:|"]
    latex = as_latex(as_table(significance))
    assert latex.count(r"\\") == latex.count(r"\begin{tabular}") * (len(significance.rows) + 1)
    assert r"RBP\_p08 & Student's t Test & collection\_06" in latex
    for move in found.moves:
        assert move.before != move.after
    assert any("same leaderboard" in said for said in sentences(found))
