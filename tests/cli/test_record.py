"""``mensura record``."""

from __future__ import annotations

import json

import pytest

from .running import mensura

RUN = "1 Q0 d1 1 2.5 bm25\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "run.txt").write_text(RUN, encoding="utf-8")
    (tmp_path / "more.yaml").write_text("actor:\n  name: Ada\nmethod:\n  retrieval:\n  - bm25\n", encoding="utf-8")
    (tmp_path / "more.toml").write_text('[actor]\nname = "Grace"\n', encoding="utf-8")
    return tmp_path


def test_a_header_is_added_and_shown(folder):
    mensura("record", "add", "run.txt", "--metadata", "more.yaml", "-o", "new.txt", cwd=folder)
    made = json.loads(mensura("record", "show", "new.txt", cwd=folder).stdout)
    assert made == {"schema-version": 0.1, "tag": "bm25", "method": {"retrieval": ["bm25"]}, "actor": {"name": "Ada"}}
    mensura("record", "add", "new.txt", "--metadata", "more.toml", "-o", "newer.txt", cwd=folder)
    assert json.loads(mensura("record", "show", "newer.txt", cwd=folder).stdout) == made | {"actor": {"name": "Grace"}}
    assert (folder / "newer.txt").read_text(encoding="utf-8").endswith(RUN)


def test_the_record_of_a_result_is_shown(folder):
    mensura("scale", "AP@3", "-f", "csv", "-o", "scale.csv", cwd=folder)
    made = json.loads(mensura("record", "show", "scale.csv", cwd=folder).stdout)
    assert made["method"]["arguments"][:2] == ["scale", "AP@3"]


def test_errors(folder):
    assert "has no record" in mensura("record", "show", "run.txt", cwd=folder, status=2).stderr
    assert "no such file" in mensura("record", "show", "none.txt", cwd=folder, status=2).stderr
    words = ("record", "add", "run.txt", "--metadata")
    assert "could not be read" in mensura(*words, "none.yaml", cwd=folder, status=2).stderr
    (folder / "wrong.json").write_text('{"colour": 1}', encoding="utf-8")
    assert "no part 'colour'" in mensura(*words, "wrong.json", cwd=folder, status=2).stderr
    (folder / "wrong.json").write_text("{", encoding="utf-8")
    assert "is not valid JSON" in mensura(*words, "wrong.json", cwd=folder, status=2).stderr
    assert "pack it later" in mensura(*words, "more.yaml", "-o", "run.gz", cwd=folder, status=2).stderr
