"""Results of ADM as plain data and back."""

from __future__ import annotations

import json
from typing import Any

from mensura import ADM, AP
from mensura.adm import (
    Calibration,
    Correlations,
    Distances,
    Reliability,
    Stability,
    calibrate,
    correlations,
    distances,
    fewer_topics,
    reliability,
)
from tests.adm.campaign import campaign


def test_every_result_comes_back():
    judged = campaign()
    stable = fewer_topics(judged, [AP()], AP(), sizes=[2], samples=3)[0]
    results: dict[Any, Any] = {
        Calibration: calibrate(judged, ADM()),
        Correlations: correlations(judged, [ADM() @ 10]),
        Distances: distances(judged, judged.systems[0], judged.topics[0], ADM()),
        Reliability: reliability(judged, judged.systems[0], ADM()),
        Stability: stable,
    }
    for cls, result in results.items():
        again = cls.from_dict(json.loads(result.to_json()))
        assert again.to_dict() == result.to_dict()
    assert results[Calibration].best_fixed.tolist() == Calibration.from_json(results[Calibration].to_json()).best_fixed.tolist()
    for result in (results[Calibration], results[Correlations], results[Distances], stable):
        rows = list(result.rows())
        assert rows
        assert {tuple(row) for row in rows} == {tuple(rows[0])}
