"""The data of ADM's charts."""

from __future__ import annotations

import numpy as np
import pytest

from mensura import AP, parse_measure
from mensura.adm import calibrate, distances, fewer_documents, fewer_topics
from mensura.measures.distance import ADM
from mensura.render.charts.adm import CLOSE, along, both, plane
from mensura.render.charts.adm_systems import reliability_chart, stability_chart
from mensura.render.charts.draw import draw
from tests.adm.campaign import campaign

NAMES = ["ADM", "ADM@12", "ADM(documents='assessed')", "ADM(documents='pool')@5", "ADM(step='expected')", "ADM(levels=2)@3"]


def values(layer):
    return layer["data"]["values"]


@pytest.mark.parametrize("name", NAMES)
def test_arrows_are_as_long_as_distances(name):
    judged, measure = campaign(), parse_measure(name)
    found = distances(judged, "sysA", "2", measure)
    _, levels, arrows, heads, points, right = plane(judged, "sysA", "2", measure)["layer"]
    assert len(values(points)) == len(found.rank)
    lengths = [abs(row["srs"] - row["urs"]) for row in values(arrows)]
    assert 1 - sum(lengths) / len(found.rank) == pytest.approx(found.value)
    assert values(heads) == values(arrows)
    assert len(values(arrows)) + len(values(right)) == len(found.rank)
    assert all(row["distance"] <= CLOSE for row in values(right))
    assert [row["y"] for row in values(levels)] == sorted(set(found.levels))
    gap = min(np.diff(sorted(set(found.levels))))
    assert all(abs(row["x"] - row["urs"]) < gap / 2 for row in values(points))  # levels do not run into each other
    assert all((row["sense"] == "scored too high") == (row["srs"] > row["urs"]) for row in values(arrows))


@pytest.mark.parametrize("name", NAMES)
def test_documents_by_level(name):
    judged, measure = campaign(), parse_measure(name)
    found = distances(judged, "sysA", "2", measure)
    steps, points, crosses = along(judged, "sysA", "2", measure)["layer"]
    assert [row["value"] for row in values(steps)[::2]] == sorted({row["value"] for row in values(steps)}, reverse=True)
    assert values(steps)[-1]["place"] == len(found.rank) + 0.5
    assert sorted(row["value"] for row in values(points)) == sorted(found.srs.tolist())
    assert [row["value"] for row in values(crosses)] == [median for _, _, median in found.medians()]


def test_all_pictures_can_be_drawn(tmp_path):
    judged, measure = campaign(), ADM(documents="retrieved-assessed")
    pictures = {
        "both": both(judged, "sysA", "2", measure),
        "reliability": reliability_chart(judged, calibrate(judged, measure), judged.systems),
        "stability": stability_chart(
            fewer_topics(judged, [AP(), measure], AP(), samples=10), fewer_documents(judged, [measure], AP(), (5, 40))
        ),
    }
    for name, description in pictures.items():
        draw(description, tmp_path / f"{name}.svg")
        assert (tmp_path / f"{name}.svg").read_text().startswith("<svg")
