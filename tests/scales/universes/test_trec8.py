"""Mid-p of the runs of TREC-8 and of the deep learning track of 2021, against figures that were computed by other programs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mensura import judge, parse_measure
from mensura.scales.universes.proportions import proportions

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
TREC8, DL21 = DATA / "trec8", DATA / "dl21"
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not TREC8.is_dir(), reason="the runs of TREC-8 are not here")]


def runs_of(folder, depth):
    return judge(folder / "qrels.txt", str(folder / "runs" / "*.gz"), depth=depth)


@pytest.mark.parametrize(
    ("universe", "width", "share", "tolerance"),
    [
        ("all", None, 1.0, 0.0005),
        ("attainable", 0.01, 0.840, 0.001),
        ("independent", 0.01, 0.301, 0.001),
        ("observed", 0.03, 0.014, 0.002),
    ],
)
def test_runs_in_the_outermost_thousandth(universe, width, share, tolerance):
    """AP@1000: another program found 100, 84.0, 30.1 and 1.4 % of the 6450 runs and topics there."""
    middle = proportions(parse_measure("AP@1000"), runs_of(TREC8, 1000), universe, width).middle
    assert ((middle <= 0.001) | (middle >= 0.999)).mean() == pytest.approx(share, abs=tolerance)


def test_average_precision_at_one_hundred():
    """Sampling of REL^100 by another program: means over topics within .4520 … .4523, and .01378 … .01381."""
    judged = runs_of(TREC8, 100)
    found = proportions(parse_measure("AP@100"), judged, "all", 0.003)
    for system, low, high in (("READWARE2", 0.4520, 0.4523), ("AntHoc1", 0.01378, 0.01381)):
        at = judged.systems.index(system)
        assert found.low[at].mean() <= high
        assert found.high[at].mean() >= low
    assert (found.high - found.low).max() <= 0.003


@pytest.mark.skipif(not DL21.is_dir(), reason="the runs of the deep learning track are not here")
def test_expected_reciprocal_rank_with_four_grades():
    """2·10⁶ samples by another program: .5388 and .6395, ± .002."""
    judged = runs_of(DL21, 20)
    found = proportions(parse_measure("ERR@20"), judged, "all", 0.004)
    for system, mean in (("p_unicoil0", 0.5388), ("ihsm_colbert64", 0.6395)):
        assert np.mean(found.middle[judged.systems.index(system)]) == pytest.approx(mean, abs=0.004)
