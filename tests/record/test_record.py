"""Records: what they say, and where they are."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from blake3 import blake3
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura import __version__
from mensura.errors import RecordError
from mensura.record import FORMAT, Record, embed, read_record, record, strip
from mensura.record.files import write_records
from mensura.record.reproduce import changes, describe_difference, understand


def test_all_parts_of_primad(tmp_path, monkeypatch):
    monkeypatch.delenv("MENSURA_ACTOR", raising=False)
    monkeypatch.setenv("MENSURA_GOAL", "Which is better?")
    file = tmp_path / "qrels.txt"
    file.write_text("1 0 d 1\n", encoding="utf-8")
    made = record(["evaluate", str(file)], [("judgments", file)], {"compat": "trec_eval-10"}).to_dict()
    assert list(made) == ["format", "platform", "research goal", "implementation", "method", "actor", "data"]
    assert made["research goal"] == "Which is better?"
    assert made["actor"] is None  # never guessed
    assert made["implementation"]["version"] == __version__
    assert made["data"]["inputs"] == [{"role": "judgments", "path": str(file), "blake3": blake3(file.read_bytes()).hexdigest()}]
    assert made["platform"]["cores"] >= 1
    assert "numpy" in made["platform"]["libraries"]
    text = json.dumps(made)
    assert os.environ.get("USER", "\0") not in text.replace(str(tmp_path), "")
    monkeypatch.setenv("MENSURA_ACTOR", "Team 3")
    assert record(["evaluate"]).to_dict()["actor"] == "Team 3"
    assert record(["evaluate"], actor="Team 4").to_dict()["actor"] == "Team 4"


TEXT = st.text(st.characters(exclude_categories=("Cs",))) | st.sampled_from(["record", ', "record": {"format"', "\n}\n"])
json_values = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=10,
)


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(TEXT.filter(lambda key: key != "record"), json_values, min_size=1, max_size=4),
    json_values,
    st.sampled_from([None, 1]),
)
def test_a_record_goes_into_json_and_comes_out_again(document, what, indent):
    text = (json.dumps(document, indent=indent, ensure_ascii=False) + "\n").encode()
    made = embed(text, {"format": FORMAT, "what": what})
    assert json.loads(made) == document | {"record": {"format": FORMAT, "what": what}}
    assert strip(made) == text
    assert embed(made, {}) is None  # not twice


@pytest.mark.parametrize("text", [b"[\n 1\n]\n", b"[1]\n", b"{}\n", b"a,b\n1,2\n", b"", b'{"a": 1}'])
def test_other_texts_stay_as_they_are(text):
    assert embed(text, {}) is None
    assert strip(text) == text


def test_records_of_two_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("out").mkdir()
    Path("out/ä.json").write_text('{\n "a": 1\n}\n', encoding="utf-8")
    Path("out/図.svg").write_text("<svg/>", encoding="utf-8")
    write_records(record(["scale"]), [Path("out/ä.json"), Path("out/図.svg")])
    assert sorted(path.name for path in Path("out").iterdir()) == ["ä.json", "図.svg", "図.svg.record.json"]
    inside, beside = read_record(Path("out/ä.json")), read_record(Path("out/図.svg"))
    assert inside == beside == read_record(Path("out/図.svg.record.json"))
    assert inside["data"]["folder"] == ".."
    assert inside["data"]["results"][0] == {"path": "out/ä.json", "blake3": blake3(b'{\n "a": 1\n}\n').hexdigest()}


def test_files_without_a_record(tmp_path):
    with pytest.raises(RecordError, match="could not be read"):
        read_record(tmp_path / "none")
    (tmp_path / "x.csv").write_text("a,b\n", encoding="utf-8")
    with pytest.raises(RecordError, match=r"none beside it \(x.csv.record.json\)"):
        read_record(tmp_path / "x.csv")
    (tmp_path / "x.json").write_text("{}", encoding="utf-8")
    with pytest.raises(RecordError, match="contains no 'mensura record 1'"):
        read_record(tmp_path / "x.json")


@pytest.mark.parametrize(
    "change",
    [
        lambda made: made.pop("method"),
        lambda made: made["method"].update(arguments=["evaluate", 7]),
        lambda made: made["method"].update(arguments=["scale"]),
        lambda made: made["method"].update(arguments=[]),
        lambda made: made["data"].update(results=[]),
        lambda made: made["data"]["results"][0].update(blake3="abc"),
        lambda made: made["data"].update(inputs=[{"path": "x"}]),
        lambda made: made["data"].update(folder=None),
        lambda made: made["data"]["parameters"].update(prior_tests="auto; rm"),
        lambda made: made.update(platform=7),
    ],
)
def test_records_that_are_not_whole(change):
    made = record(["evaluate"], parameters={"prior_tests": 3}).with_results([("x", "blake3:" + "0" * 64)], ".").to_dict()
    assert understand(made, Path("x.json")).parameters == {"prior_tests": 3}
    change(made)
    with pytest.raises(RecordError):
        understand(made, Path("x.json"))


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (b"a,0.25\nb,1e-3\n", b"a,0.5\nb,0.001\n", "1 of 2 numbers differ, by at most 0.25"),
        (b"a 1.0", b"a 1", "the same numbers, written in another way"),
        (b"a,1\nb,2\n", b"a,1\nc,2\n", "line 2 was 'b,2' and is 'c,2'"),
        (b"a,1\n", b"a,1\nb,2\n", "line 2 was '' and is 'b,2'"),
        (b'{"x": null}', b'{"x": 3}', "not only numbers differ; line 1"),
        (b"1e999", b"5", "1 of 1 numbers differ, by at most inf"),
    ],
)
def test_differences_are_described(before, after, said):
    assert said in describe_difference(before, after)


def test_changes_are_listed():
    before = {"python": "3.11", "libraries": {"numpy": "2.0"}, "commit": None}
    after = {"python": "3.11", "libraries": {"numpy": "2.1", "scipy": "1"}, "commit": "abc"}
    assert list(changes(before, after)) == ["commit: nothing → abc", "libraries: numpy: 2.0 → 2.1", "libraries: scipy: nothing → 1"]


def test_a_record_comes_back_from_plain_data():
    made = record(["scale", "AP@5"], parameters={"length": None}, goal="why").with_results([("a.csv", "blake3:" + "0" * 64)], "..")
    assert Record.from_json(made.to_json()) == made
    with pytest.raises(RecordError, match="got a document without 'data'"):
        Record.from_dict({})
