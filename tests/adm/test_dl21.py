"""The figures of docs/adm.md about the Deep Learning track 2021 and TREC-8, computed again."""

from __future__ import annotations

import pytest

from mensura import ADM
from mensura.adm import calibrate, correlations
from tests.adm import page


@pytest.fixture(scope="module")
def folder(data):
    return data / "dl21"


@pytest.mark.parametrize(("cells", "columns"), [(page.correlation_cells, 6), (page.stability_cells, 5)])
def test_tables_of_measures(folder, cells, columns):
    shown = page.rows(columns)
    assert len(shown) >= 5
    found = cells(folder, list(shown))
    assert {name: row[-len(found[name]) :] for name, row in shown.items()} == found


@pytest.mark.slow
def test_the_table_of_trec8(data):
    shown = page.rows(4)
    assert len(shown) == 12
    assert shown == page.baseline_cells(data / "trec8", list(shown))


def test_the_table_of_normalisations(folder):
    found = page.calibration_cells(folder)
    shown = {name: row for name, row in page.rows(1).items() if name in found}
    assert len(shown) == 9
    assert shown == {name: found[name] for name in shown}


def test_deviations_of_means(folder):
    """“.047 and .019 here”: from scores and from ranks."""
    found = correlations(page.judged(folder), [])
    assert [round(float(each), 3) for each in found.spread[-2:]] == [0.047, 0.019]


def test_one_constant_beats_the_linear_srs_of_every_system(folder):
    found = calibrate(page.judged(folder), ADM(documents="retrieved-assessed"))
    constant = found.fitted[-1]
    assert len(constant) == 63
    assert (constant > found.fixed[0]).all()
    assert 0 < (found.fitted.max(axis=0) - constant).mean() < 0.01
    mean = dict(zip(found.names, found.fixed.mean(axis=1), strict=True))
    assert mean["linear by run"] > mean["linear"]
    assert mean["logistic by run"] > mean["logistic"]
