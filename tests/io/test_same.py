"""All ways to read the same data give the same judged runs, and those of the oracle."""

from __future__ import annotations

import gzip
import tempfile
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mensura import judge, read_qrels, read_run
from mensura.io import reading
from tests.io import oracle
from tests.strategies import campaigns, layouts

FRAMES = (pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table)


def text_of(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")


def is_text(name: bytes) -> bool:
    """Data frames of Arrow and polars hold text, not bytes."""
    try:
        name.decode()
    except UnicodeDecodeError:
        return False
    return True


def rows(table):
    return [(text_of(topic), text_of(doc), value) for topic, docs in table.items() for doc, value in docs.items()]


def columns(table, name):
    topic, doc, value = zip(*rows(table), strict=True)
    return {"query_id": list(topic), "doc_id": list(doc), name: list(value)}


def nested(table):
    return {text_of(topic): {text_of(doc): value for doc, value in docs.items()} for topic, docs in table.items()}


@given(
    campaign=campaigns(),
    ours=layouts(),
    theirs=layouts(),
    order=st.tuples(st.one_of(st.none(), st.integers(1, 5)), st.sampled_from(["trec_eval-10", "trec_eval-9"])),
    stretch=st.integers(1, 100),
)
@settings(deadline=None, max_examples=80)
def test_every_way_in_gives_the_same(campaign, ours, theirs, order, stretch):
    depth, compat = order
    assume(campaign.run.keys() & campaign.qrels.keys())  # without a common topic, it is an error
    qrels_text, run_text = ours.qrels(campaign.qrels), theirs.run(campaign.run)
    run = {topic: {doc: float(score) for doc, score in docs.items()} for topic, docs in campaign.run.items()}
    assert oracle.read(run_text, is_run=True) == run
    assert oracle.read(qrels_text, is_run=False) == campaign.qrels
    expected = oracle.judge(campaign.qrels, run, depth=depth, single=compat == "trec_eval-9")
    extra = sorted(text_of(topic) for topic in run.keys() - campaign.qrels.keys())
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        folder = Path(name)
        (folder / "qrels").write_bytes(qrels_text)
        (folder / "qrels.gz").write_bytes(gzip.compress(qrels_text))
        (folder / "run").write_bytes(run_text)
        (folder / "run.gz").write_bytes(gzip.compress(run_text))
        qrels = [read_qrels(folder / "qrels"), read_qrels(folder / "qrels.gz"), read_qrels(nested(campaign.qrels))]
        lists = {topic: list(docs.items()) for topic, docs in nested(run).items()}
        runs = [folder / "run", folder / "run.gz", read_run(folder / "run"), read_run(nested(run))]
        runs += [nested(run), lists, rows(run)]
        if all(is_text(cell) for table in (campaign.qrels, run) for topic, docs in table.items() for cell in (topic, *docs)):
            qrels += [read_qrels(make(columns(campaign.qrels, "rel"))) for make in FRAMES]
            runs += [read_run(make(columns(run, "score"))) for make in FRAMES]
        patch.setattr(reading, "STRETCH", stretch)
        patch.setattr(reading, "ROWS", stretch // 10 + 1)
        for grades, scores, threads in [
            *((one, runs[0], 1) for one in qrels),
            (qrels[0], runs[0], 2),
            *((qrels[0], one, 2) for one in runs),
        ]:
            judged = judge(grades, {"run": scores}, depth=depth, compat=compat, scores=True, threads=threads)
            assert oracle.plain(judged) == expected
            assert sorted(judged.extra[0]) == extra


@given(campaign=campaigns(), layout=layouts())
@settings(deadline=None, max_examples=50)
def test_tables_go_back_to_dicts(campaign, layout):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "qrels").write_bytes(layout.qrels(campaign.qrels))
        (folder / "run").write_bytes(layout.run(campaign.run))
        assert read_qrels(folder / "qrels").to_dict() == nested(campaign.qrels)
        assert read_run(folder / "run").to_dict() == nested(
            {topic: {doc: float(score) for doc, score in docs.items()} for topic, docs in campaign.run.items()}
        )
