"""Data frames of Dask's, partition by partition: the evaluation of the whole, to the bit, whatever the partitions."""

from __future__ import annotations

import pandas as pd
import pytest

import mensura
from mensura import pieces
from mensura.errors import InputError
from tests.pieces.campaigns import campaign

frames = pytest.importorskip("dask.dataframe")
MEASURES = ["AP", "nDCG@10", "RR", "GM(AP)"]


def rows_of(rows, seed):
    """The rows of a run as a data frame, in any order."""
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "score"]).sample(frac=1, random_state=seed).reset_index(drop=True)


def judged(qrels):
    rows = [(topic, document, grade) for topic, grades in qrels.items() for document, grade in grades.items()]
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"]).sample(frac=1, random_state=0).reset_index(drop=True)


def dealt(frame, number):
    return frames.from_pandas(frame, npartitions=number, sort=False)


@pytest.mark.parametrize("number", [1, 5, 40])
def test_partitions_give_the_evaluation_of_the_whole(number):
    qrels, runs = campaign(5, topics=20)
    whole = mensura.evaluate(qrels, runs, MEASURES)
    partials = [
        part
        for system, rows in runs.items()
        for part in pieces.partitions(dealt(rows_of(rows, 1), number), qrels, MEASURES, system=system)
    ]
    merged = pieces.merge(partials, qrels)
    assert merged.means() == whole.means()
    assert merged.remarks == whole.remarks
    compared = mensura.compare(merged, test="sign")["AP"]
    assert compared.outcome.p.tolist() == mensura.compare(whole, test="sign")["AP"].outcome.p.tolist()


@pytest.mark.parametrize("number", [2, 30])
def test_judgments_are_partitioned_like_the_run(number):
    qrels, runs = campaign(6, topics=20)
    runs = {system: [row for row in rows if row[0] in qrels] for system, rows in runs.items()}
    partials = [
        part
        for system, rows in runs.items()
        for part in pieces.partitions(dealt(rows_of(rows, 2), 3), dealt(judged(qrels), number), MEASURES, system=system)
    ]
    assert pieces.merge(partials).means() == mensura.evaluate(qrels, runs, MEASURES).means()
    assert all(part.partitioned for part in partials)


def test_an_index_of_topics_needs_no_shuffle():
    qrels, runs = campaign(7, topics=20)
    by_topic = rows_of(runs["one"], 3).set_index("query_id").sort_index()
    frame = frames.from_pandas(by_topic, npartitions=4)
    assert frame.known_divisions
    merged = pieces.merge(pieces.partitions(frame, qrels, "AP"), qrels)
    assert merged.means()["run"] == mensura.evaluate(qrels, {"run": runs["one"]}, "AP").means()["run"]


def test_a_frame_is_a_run_too():
    """As a whole, in the memory of this process."""
    qrels, runs = campaign(8, topics=20)
    inputs = {system: dealt(rows_of(rows, 4), 5) for system, rows in runs.items()}
    assert mensura.evaluate(qrels, inputs, "AP").means() == mensura.evaluate(qrels, runs, "AP").means()
    assert len(mensura.compare(qrels, inputs, "AP", test="t").pairs()) == 1


def test_columns_that_are_not_known_are_refused():
    frame = dealt(pd.DataFrame({"a": ["q"], "b": ["d"]}), 1)
    with pytest.raises(InputError):
        pieces.partitions(frame, {"q": {"d": 1}}, "AP")


def test_workers_of_a_cluster_do_the_work(workers):
    distributed = pytest.importorskip("distributed")
    qrels, runs = campaign(9, topics=20)
    with distributed.Client(workers.address):
        partials = pieces.partitions(dealt(rows_of(runs["one"], 5), 6), qrels, MEASURES)
    assert pieces.merge(partials, qrels).means()["run"] == mensura.evaluate(qrels, {"run": runs["one"]}, MEASURES).means()["run"]
