"""Averages of changed decisions: against P4's published tables, by hand, and as a law."""

from __future__ import annotations

import csv
import math

import pytest

from mensura.measures.names import parse_measure
from mensura.render.studies import change_sentences, sentences
from mensura.scales.facts import scale_facts
from mensura.study import DecisionCell, Decisions, Design, decision_cells, simulate, study, summarise_changes, tables
from mensura.study.names import MEASURES, TITLES, label

INTERVAL, ORDINAL = "tests of an interval scale", "tests of an ordinal scale"


def cell(measure, test, *decisions, pairs=100):
    parsed = parse_measure(measure)
    return DecisionCell(parsed, test, pairs, Decisions(*decisions), scale_facts(parsed).equally_spaced)


@pytest.fixture(scope="module")
def published(data):
    """The 264 cells of P4's Tables 5 and 6."""
    path = data.parent / "golden" / "table5_6_significance.csv"
    if not path.is_file():
        pytest.skip(f"the published tables are not there: {path}")
    measures = {label(parse_measure(name)): f"{name}@30" for name in MEASURES}
    tests = {title: name for name, title in TITLES.items()}
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    counts = ("sig", "s2ns", "ns2s")
    return [
        cell(measures[row["measure"]], tests[row["test"]], *(int(row[name]) for name in counts), pairs=int(row["system_pairs"]))
        for row in rows
    ]


def test_p4s_headline_from_its_own_tables(published):
    """P4 §VIII-C: 25 % ± 11 %, 11 being the half-width of the 95 % interval: 1.96 · 68.33 / √156."""
    changes = summarise_changes(published)
    assert (changes.changeable.cells, changes.everywhere.cells) == (156, 264)
    assert changes.changeable.delta == pytest.approx(25.05, abs=0.005)
    assert changes.changeable.half_width == pytest.approx(10.72, abs=0.005)
    assert changes.everywhere.delta == pytest.approx(14.80, abs=0.005)


def test_p4s_groups_from_its_own_tables(published):
    """P4 §VIII-C: 13/5, 2/4 and 10/45 %. Its tables give 1.2 where it says 2, and 44.1 where it says 45."""
    groups = summarise_changes(published).groups
    assert {name: (round(group.s2ns, 1), round(group.ns2s, 1), group.cells) for name, group in groups.items()} == {
        f"without recall base, {INTERVAL}": (12.6, 5.2, 60),
        f"with recall base, {ORDINAL}": (1.2, 4.2, 48),
        f"with recall base, {INTERVAL}": (9.6, 44.1, 48),
    }


def test_the_track_t08_alone(published):
    """T08_30 is every third row: 7.8 % pooled, 3.4 % of 8256 × 88 decisions."""
    changes = summarise_changes(published[::3])
    assert changes.decisions == 8256 * 88
    assert changes.pooled == pytest.approx(7.77, abs=0.005)
    assert changes.of_decisions == pytest.approx(3.39, abs=0.005)


def test_averages_by_hand():
    cells = [
        cell("P@10", "t", 50, 0, 0),  # equally spaced: cannot change
        cell("RR@10", "sign", 50, 0, 0),  # the order stays: cannot change
        cell("RR@10", "t", 40, 10, 2),  # 25 % and 5 %
        cell("AP@10", "sign", 20, 1, 1),  # 5 % and 5 %
        cell("AP@10", "t", 10, 1, 4),  # 10 % and 40 %
        cell("nDCG@10", "t", 0, 0, 3),  # no Δ%
    ]
    changes = summarise_changes(cells)
    assert (changes.changeable.cells, changes.changeable.s2ns, changes.changeable.ns2s) == pytest.approx((3, 40 / 3, 50 / 3))
    assert changes.changeable.delta == pytest.approx(30)
    assert changes.changeable.half_width == pytest.approx(1.959964 * 20 / 3**0.5)  # of 30, 10 and 50
    assert (changes.everywhere.cells, changes.everywhere.delta) == pytest.approx((5, 18))
    assert changes.pooled == pytest.approx(100 * 22 / 170)
    assert changes.of_decisions == pytest.approx(100 * 22 / 600)
    assert {name: group.cells for name, group in changes.groups.items()} == {
        f"without recall base, {INTERVAL}": 1,
        f"with recall base, {ORDINAL}": 1,
        f"with recall base, {INTERVAL}": 1,
    }


@pytest.mark.parametrize("grades", [1, 3])
def test_cells_that_cannot_change_do_not(grades):
    judged = simulate(Design(systems=8, topics=20, documents=80, relevant=10, depth=30, pool=20, grades=grades), seed=5).judged()
    result = study(judged, lengths=[5, 10])
    still = [each for length in (5, 10) for each in decision_cells(result, length) if not each.changeable]
    assert len(still) >= 2 * 2 * (8 + 8 + 5 * 4) // 2
    assert all(each.decisions.s2ns == each.decisions.ns2s == 0 for each in still)


def test_no_significant_pair_is_no_average():
    changes = summarise_changes([cell("AP@10", "t", 0, 0, 0)])
    assert (changes.changeable.cells, changes.of_decisions) == (0, 0)
    assert math.isnan(changes.changeable.delta)
    assert math.isnan(changes.pooled)


def test_sentences_agree_with_their_numbers():
    """One cell, one lost difference."""
    text = " ".join(change_sentences(summarise_changes([cell("AP@10", "t", 10, 1, 4), cell("P@10", "t", 10, 0, 0)])))
    assert "50.0 % is the mean over the 1 cell (measure, test and track) that can change" in text
    assert "25.0 % over all 2 cells" in text
    assert text.endswith("lost (S2NS) and new differences (NS2S): with recall base, tests of an interval scale 10.0 and 40.0 %.")
    judged = simulate(Design(systems=3, topics=15, documents=60, relevant=8, depth=10, pool=10), seed=1).judged()
    text = " ".join(sentences(study(judged, ["RR"], [5], ["t"])))
    counts = "1 is no longer significant on the interval scale and 0 are new (100.0\N{NO-BREAK SPACE}%)"
    assert f"Of 1 significant difference (1 measure, 1 test, α = 0.05), {counts}." in text


def test_the_table_of_a_study_has_the_four_averages():
    judged = simulate(Design(systems=6, topics=15, documents=60, relevant=8, depth=30, pool=10), seed=3).judged()
    result = study(judged, ["P", "RR", "AP"], [5, 10], ["t", "sign"])
    table = tables(result)[-1]
    assert table.name == "changes"
    changes = summarise_changes(decision_cells(result, 10))
    rows = {row[1]: row[5] for row in table.rows if row[0] == "collection_10"}
    assert rows["mean over cells that can change"] == changes.changeable.delta
    assert rows["mean over all cells"] == changes.everywhere.delta
    assert rows["of all significant pairs"] == changes.pooled
    assert rows["of all decisions"] == changes.of_decisions
