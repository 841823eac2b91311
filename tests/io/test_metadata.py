"""ir_metadata in the headers of runs. The format is that of ir_metadata.org, schema 0.1."""

from __future__ import annotations

import gzip

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura import evaluate, read_run
from mensura.errors import InputError
from mensura.io.metadata import read_metadata, with_metadata

RUN = "1 Q0 d1 1 2.5 tag\n1 Q0 d2 2 1.5 tag\n"
# As repro_eval writes it: a blank behind #, and one at the end of every line.
HEADER = """\
# ir_metadata.start
# schema-version: 0.1 \n\
# tag: tag \n\
# platform: \n\
#   hardware: \n\
#     cpu: \n\
#       number of cores: 16 \n\
#   software: \n\
#     libraries: \n\
#       python: \n\
#       - numpy==1.15.4 \n\
# research goal: \n\
#   evaluation: \n\
#     baseline: \n\
#     - bm25 \n\
# ir_metadata.end
"""
METADATA = {
    "schema-version": 0.1,
    "tag": "tag",
    "platform": {"hardware": {"cpu": {"number of cores": 16}}, "software": {"libraries": {"python": ["numpy==1.15.4"]}}},
    "research goal": {"evaluation": {"baseline": ["bm25"]}},
}


@pytest.mark.parametrize("change", [str, lambda text: "# made by hand\n\n" + text, lambda text: text.replace("\n", "\r\n")])
def test_a_header_is_read(write, change):
    assert read_metadata(write("run", change(HEADER + RUN))) == METADATA
    assert read_metadata(write("run.gz", gzip.compress((HEADER + RUN).encode()))) == METADATA
    assert read_metadata(write("run", HEADER.replace("# ", "#").replace("#ir", "# ir") + RUN)) == METADATA


@pytest.mark.parametrize("text", [RUN, "# a comment\n" + RUN, RUN + HEADER, ""])
def test_a_run_without_a_header(write, text):
    assert read_metadata(write("run", text)) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# ir_metadata.start\n# tag: x\n" + RUN, "a start and no end"),
        ("# ir_metadata.start\n# tag: [x\n# ir_metadata.end\n" + RUN, "is not valid YAML"),
        ("# ir_metadata.start\n# 7\n# ir_metadata.end\n" + RUN, "is not a mapping"),
        ("# ir_metadata.start\n# plattform: x\n# ir_metadata.end\n" + RUN, "no part 'plattform'"),
        ("# ir_metadata.start\n# tag: !!python/object/apply:os.system [x]\n# ir_metadata.end\n" + RUN, "is not valid YAML"),
    ],
)
def test_a_wrong_header(write, text, message):
    with pytest.raises(InputError, match=message):
        read_metadata(write("run", text))


def test_a_header_changes_no_number(write):
    qrels = {"1": {"d2": 1}}
    plain = write("plain", RUN)
    annotated = write("annotated", with_metadata(plain, METADATA))
    assert evaluate(qrels, [annotated], "RR").means() == evaluate(qrels, [plain], "RR").means()
    assert read_metadata(annotated) == METADATA
    again = write("again", with_metadata(annotated, METADATA | {"actor": {"name": "Grace Höpper"}}))
    assert read_metadata(again) == METADATA | {"actor": {"name": "Grace Höpper"}}
    assert again.read_bytes().endswith(b"# ir_metadata.end\n" + RUN.encode())
    assert again.read_bytes().count(b"ir_metadata.start") == 1
    assert read_run(again).to_dict() == read_run(plain).to_dict()


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from(["platform", "method", "actor", "data"]), values, min_size=1))
def test_whatever_is_written_is_read_by_yaml(tmp_path_factory, metadata):
    path = tmp_path_factory.mktemp("runs") / "run"
    path.write_text(RUN, encoding="utf-8")
    path.write_bytes(with_metadata(path, metadata))
    read_run(path)  # still a run
    lines = path.read_bytes().decode().split("# ir_metadata.end\n")[0].split("\n")[1:-1]
    assert all(line.startswith("# ") for line in lines)
    assert yaml.safe_load("\n".join(line[2:] for line in lines)) == metadata
