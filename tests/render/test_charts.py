"""The charts of a comparison come from one registry."""

from __future__ import annotations

import pytest

from mensura.cli import make_parser
from mensura.render.charts import comparison


def parse(name):
    return make_parser("compare", alone=True).parse_args(["compare", "qrels", "a", "b", "--picture", name])


def test_a_registered_chart_is_a_choice_of_the_command_line(monkeypatch, capsys):
    assert [parse(name).picture for name in comparison.CHARTS] == list(comparison.CHARTS)
    with pytest.raises(SystemExit):
        parse("new")
    assert "intervals" in capsys.readouterr().err
    monkeypatch.setattr(comparison, "CHARTS", dict(comparison.CHARTS))

    @comparison.chart("new", "nothing")
    def new(_):
        return {"mark": "point"}

    assert parse("new").picture == "new"
    assert comparison.describe([None], "new") == {"mark": "point"}
    assert comparison.describe([None, None], "new")["vconcat"] == [{"mark": "point"}] * 2
