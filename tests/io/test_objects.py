"""Objects of Python's and of other tools, read as judgments and runs."""

from __future__ import annotations

import json
from collections import OrderedDict, UserDict, defaultdict

import ir_measures
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from mensura import InputError, MeasureError, evaluate, judge, read_qrels, read_run

QRELS = {"q1": {"d1": 2, "d2": 0}, "q2": {"d3": 1}}
RUN = {"q1": {"d2": 3.0, "d1": 2.0}, "q2": {"d3": 1.5}}
ROWS = [("q1", "d2", 3.0), ("q1", "d1", 2.0), ("q2", "d3", 1.5)]
TOPICS, DOCUMENTS, SCORES = (list(column) for column in zip(*ROWS, strict=True))
GRADES = [[[0, 2], [1, -1]]]


def grades(run, qrels=QRELS):
    return judge(qrels, run).grades.tolist()


def test_pyterrier_s_docno_is_the_document_and_docid_an_internal_number():
    frame = pd.DataFrame({"qid": TOPICS, "docid": [7, 8, 9], "docno": DOCUMENTS, "rank": [0, 1, 0], "score": SCORES, "query": "x"})
    assert read_run(frame).to_dict() == RUN
    assert evaluate(QRELS, frame, "nDCG@10").means()["run"]["nDCG@10"] > 0


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_two_candidates_for_a_role(make):
    same = make({"qid": TOPICS, "doc_id": DOCUMENTS, "pid": DOCUMENTS, "score": SCORES})
    assert read_run(same).to_dict() == RUN
    other = make({"qid": TOPICS, "doc_id": [1, 2, 3], "pid": DOCUMENTS, "score": SCORES})
    with pytest.raises(InputError, match=r"the columns doc_id and pid could both be the document, and they differ.*columns="):
        read_run(other)
    assert read_run(other, columns={"document": "pid"}).to_dict() == RUN


def test_columns_by_name():
    frame = pl.DataFrame({"a": TOPICS, "b": DOCUMENTS, "c": SCORES, "d": [1, 2, 1]})
    assert read_run(frame, columns={"topic": "a", "document": "b", "score": "c"}).to_dict() == RUN
    assert read_run(frame, columns={"topic": "a", "document": "b", "rank": "d"})["q1"] == {"d2": -1.0, "d1": -2.0}
    with pytest.raises(InputError, match="there is no such column among a, b, c, d"):
        read_run(frame, columns={"topic": "x"})
    with pytest.raises(InputError, match="names the role 'grade'"):
        read_run(frame, columns={"grade": "c"})


SHAPES = {
    "dict": RUN,
    "defaultdict": defaultdict(dict, RUN),
    "ordered": OrderedDict((topic, OrderedDict(documents)) for topic, documents in RUN.items()),
    "mapping": UserDict({topic: UserDict(documents) for topic, documents in RUN.items()}),
    "ranked lists": {topic: list(documents) for topic, documents in RUN.items()},
    "ranked tuples": {topic: tuple(documents) for topic, documents in RUN.items()},
    "ranked arrays": {topic: np.array(list(documents)) for topic, documents in RUN.items()},
    "pairs": {topic: list(documents.items()) for topic, documents in RUN.items()},
    "lists of pairs": {topic: [list(pair) for pair in documents.items()] for topic, documents in RUN.items()},
    "rows": ROWS,
    "rows as lists": [list(row) for row in ROWS],
    "records": [dict(zip(("docno", "qid", "score"), (doc, topic, score), strict=True)) for topic, doc, score in ROWS],
    "iterator": None,
    "ScoredDoc": [ir_measures.ScoredDoc(*row) for row in ROWS],
    "structured": np.array(ROWS, dtype=[("qid", "U2"), ("docno", "U2"), ("score", "f4")]),
    "array": np.array(ROWS, dtype=object),
    "float32": {topic: {doc: np.float32(score) for doc, score in documents.items()} for topic, documents in RUN.items()},
    "float64": {topic: {doc: np.float64(score) for doc, score in documents.items()} for topic, documents in RUN.items()},
    "rank and no score": pd.DataFrame({"qid": TOPICS, "docno": DOCUMENTS, "rank": [1, 2, 1]}),
    "an index": pd.DataFrame({"qid": TOPICS, "docno": DOCUMENTS, "score": SCORES}).set_index("qid"),
    "two indexes": pd.DataFrame({"qid": TOPICS, "docno": DOCUMENTS, "score": SCORES}).set_index(["qid", "docno"]),
    "a series": pd.DataFrame({"qid": TOPICS, "docno": DOCUMENTS, "score": SCORES}).set_index(["qid", "docno"])["score"],
    "objects": pd.DataFrame({"qid": TOPICS, "docno": DOCUMENTS, "score": SCORES}, dtype=object),
    "categories": pd.DataFrame({"qid": TOPICS, "docno": DOCUMENTS, "score": SCORES}).astype({"qid": "category"}),
    "enum": pl.DataFrame({"qid": TOPICS, "docno": DOCUMENTS, "score": SCORES}).with_columns(pl.col("docno").cast(pl.Categorical)),
}


@pytest.mark.parametrize("name", SHAPES)
def test_every_shape_of_a_run(name):
    shape = iter(ROWS) if name == "iterator" else SHAPES[name]
    assert grades(shape) == GRADES


@pytest.mark.parametrize("name", [name for name in SHAPES if name != "iterator"])
def test_every_shape_in_a_dict_of_systems_and_in_a_list(name):
    assert judge(QRELS, {"a": SHAPES[name], "b": RUN}).systems == ("a", "b")
    if name not in {"rows", "ScoredDoc"}:  # a list of tuples is one run
        assert judge(QRELS, [SHAPES[name], RUN]).systems == ("run", "run2")


@pytest.mark.parametrize(
    "qrels",
    [
        {"q1": {"d1": 2, "d2": 0}, "q2": {"d3": np.int64(1)}},
        [("q1", "d1", 2), ("q1", "d2", 0), ("q2", "d3", 1)],
        [ir_measures.Qrel("q1", "d1", 2), ir_measures.Qrel("q1", "d2", 0), ir_measures.Qrel("q2", "d3", 1)],
        iter([("q1", "d1", 2), ("q1", "d2", 0), ("q2", "d3", 1)]),
        {"q1": [("d1", 2), ("d2", 0)], "q2": [("d3", 1)]},
    ],
)
def test_every_shape_of_judgments(qrels):
    assert read_qrels(qrels).to_dict() == QRELS


def test_a_reader_of_arrow_s():
    reader = pa.table({"qid": TOPICS, "docno": DOCUMENTS, "score": SCORES}).to_reader()
    assert grades(reader) == GRADES


def test_objects_of_duckdb_and_hugging_face():
    """Each where it is installed."""
    frame = pd.DataFrame({"qid": TOPICS, "docno": DOCUMENTS, "score": SCORES})
    duckdb = pytest.importorskip("duckdb", reason="pip install duckdb to read its relations")
    connection = duckdb.connect()
    connection.register("run", frame)
    assert grades(connection.sql("select * from run")) == GRADES
    datasets = pytest.importorskip("datasets")
    assert grades(datasets.Dataset.from_pandas(frame)) == GRADES
    assert grades(datasets.Dataset.from_pandas(frame).to_iterable_dataset()) == GRADES
    assert grades(datasets.DatasetDict({"test": datasets.Dataset.from_pandas(frame)})) == GRADES


def test_an_error_names_the_run():
    with pytest.raises(InputError, match=r"^<dict 'empty'>: is empty"):
        judge(QRELS, {"mine": RUN, "empty": {}})
    with pytest.raises(InputError, match=r"^<dict 'broken'>: the score of topic 'q1', document 'd1' is nan"):
        judge(QRELS, {"mine": RUN, "broken": {"q1": {"d1": float("nan")}}})


def test_rows_of_two_fields():
    for rows in (np.array([[1.0, 2.0]]), [("q1", "d1")]):
        with pytest.raises(InputError, match="rows have 2 fields; each must be"):
            read_run(rows)
    with pytest.raises(InputError, match="rows differ in length"):
        read_run([{"qid": "q", "docno": "d", "score": 1.0}, {"qid": "q"}])


def test_sets_of_relevant_documents():
    assert read_qrels({"q": {"a", "b"}, "p": frozenset("c")}).to_dict() == {"q": {"a": 1, "b": 1}, "p": {"c": 1}}
    with pytest.raises(InputError, match=r"a list of documents; the shape must be"):
        read_qrels({"q": ["a", "b"]})


def test_whole_numbers_are_their_text():
    run = {1: {10: 2.0, -11: 1.0}, 2: {2**63: 1.0}}
    assert read_run(run).to_dict() == {"1": {"10": 2.0, "-11": 1.0}, "2": {str(2**63): 1.0}}
    assert judge({"1": {"-11": 3}}, run).grades.tolist() == [[[-1, 3]]]
    assert judge({"1": {"-11": 3}}, run).extra == (("2",),)
    least = -(2**63)
    assert read_run({0: {least: 1.0}}).to_dict() == {"0": {str(least): 1.0}}


def test_a_document_as_text_and_as_a_number_is_one_document():
    with pytest.raises(InputError, match="document '1' is listed twice for topic 'q'"):
        judge({"q": {"1": 1}}, {"q": {1: 1.0, "1": 2.0}})
    with pytest.raises(InputError, match="topic '1' occurs twice"):
        judge({"q": {"1": 1}, "1": {"x": 1}}, {1: {"x": 1.0}, "1": {"y": 2.0}})


ARROW = {
    "string": pa.string(),
    "large_string": pa.large_string(),
    "string_view": pa.string_view(),
    "binary": pa.binary(),
    "dictionary": pa.dictionary(pa.int8(), pa.string()),
    "wide dictionary": pa.dictionary(pa.int64(), pa.large_string()),
}


def typed(values, kind):
    if pa.types.is_dictionary(kind):
        return pa.array(values).cast(kind.value_type).dictionary_encode().cast(kind)
    return pa.array(values).cast(kind)


@pytest.mark.parametrize("kind", ARROW)
@pytest.mark.parametrize("number", [pa.float32(), pa.float64(), pa.int8(), pa.uint16(), pa.int64(), pa.uint64()])
def test_every_type_of_arrow(kind, number):
    long = "a document whose id is longer than the twelve bytes of a view".replace(" ", "-")
    topics, documents = ["p", "p", "topic-of-some-length"], ["x", long, "é"]
    rows = pa.table({
        "qid": typed(topics, ARROW[kind]),
        "docno": typed(documents, ARROW[kind]),
        "score": pa.array([3, 2, 1]).cast(number),
    })  # fmt: skip
    expected = {"p": {"x": 3.0, long: 2.0}, "topic-of-some-length": {"é": 1.0}}
    assert read_run(rows).to_dict() == expected
    assert read_run(pa.concat_tables([rows, rows.slice(0, 0)])).to_dict() == expected
    assert read_run(rows.slice(1, 1)).to_dict() == {"p": {long: 2.0}}
    assert read_run(pa.concat_tables([rows.slice(0, 1), rows.slice(1, 2)])).to_dict() == expected


@pytest.mark.parametrize(
    "number", [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()]
)
def test_identifiers_that_are_numbers_in_arrow(number):
    rows = pa.table(
        {"qid": pa.array([1, 1, 12]).cast(number), "docno": pa.array([7, 100, 7]).cast(number), "score": [1.0, 2.0, 3.0]}
    )
    assert read_run(rows).to_dict() == {"1": {"7": 1.0, "100": 2.0}, "12": {"7": 3.0}}


@pytest.mark.parametrize("column", ["qid", "docno", "score"])
@pytest.mark.parametrize("make", [pl.DataFrame, pa.table])
def test_holes_are_refused_with_their_row(make, column):
    table = {"qid": ["q"] * 3, "docno": ["a", "b", "c"], "score": [3.0, 2.0, 1.0]}
    table[column][1] = None
    with pytest.raises(InputError, match="<data frame>: row 2: "):
        read_run(make(table))


def test_interleaved_topics_in_a_frame():
    frame = pl.DataFrame({"qid": ["q1", "q2", "q1"], "docno": ["d2", "d3", "d1"], "score": [3.0, 1.5, 2.0]})
    assert grades(frame) == GRADES


@pytest.mark.parametrize(
    ("runs", "says"),
    [
        ({}, "expected at least one run, got none"),
        ([], "expected at least one run, got none"),
        ({"x": {}}, "is empty"),
        ({"x": {}, "y": RUN}, "is empty"),
        ({"x": {"q1": [("d", 1.0, 2.0)]}}, "expected documents or pairs of document and score"),
        ({"q1": {"d1": "high"}}, "finite number"),
        ({"q1": 7}, "contains int"),
        ([7], "cannot read a int"),
        (iter([7]), "cannot read rows of int"),
    ],
)
def test_what_is_not_a_run(runs, says):
    with pytest.raises(InputError, match=says):
        judge(QRELS, runs)


def test_a_run_of_ms_marco(write):
    path = write("run.tsv", b"q1\td2\t1\nq1\td1\t2\nq2\td3\t1\n")
    assert grades(path) == GRADES
    assert read_run(path).name == "run"


def test_json_lines(write):
    objects = [{"query_id": topic, "doc_id": document, "score": score} for topic, document, score in ROWS]
    lines = "\n\n".join(map(json.dumps, objects)).encode()
    assert read_run(write("mine.jsonl", lines)).to_dict() == RUN
    with pytest.raises(InputError, match=r"mine\.jsonl:2: is not valid JSON"):
        read_run(write("mine.jsonl", lines.replace(b"\n\n", b"\n{\n")))
    with pytest.raises(InputError, match=r"mine\.jsonl:2: 'score' is missing"):
        read_run(write("mine.jsonl", b'{"qid": "q", "docno": "d", "score": 1}\n{"qid": "q", "docno": "e"}'))


def test_a_dict_that_changes_afterwards_is_not_read_again_as_another_run():
    run = {"q1": dict(RUN["q1"])}
    judged = judge(QRELS, run)
    run["q1"]["d9"] = 0.5
    with pytest.raises(InputError, match="contains other documents than when it was judged"):
        judged.documents()


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_frame_is_judged_where_it_is_or_gathered_and_the_grades_are_the_same(make):
    """Unusual input (scattered topics, several batches, other scripts, numbers as documents) is judged from columns."""
    together = {"qid": TOPICS, "docno": DOCUMENTS, "score": SCORES}
    scattered = {"qid": ["q1", "q2", "q1"], "docno": ["d2", "d3", "d1"], "score": [3.0, 1.5, 2.0]}
    assert grades(make(together)) == grades(make(scattered)) == GRADES
    qrels = {"1": {"10": 1, "11": 0}, "ü": {"é": 2, "e": 0}}
    numbers = make({"qid": [1, 1], "docno": [11, 10], "score": [2, 1]})
    assert grades(numbers, qrels) == [[[0, 1], [-1, -1]]]
    script = make({"qid": ["1", "ü", "ü"], "docno": ["10", "e", "é"], "score": [1.0, 2.0, 1.0]})
    assert grades(script, qrels) == [[[1, -1], [0, 2]]]


def test_batches_of_arrow_and_dictionaries_that_differ_between_them():
    batches = [
        pa.record_batch({"qid": pa.array(topics).dictionary_encode(), "docno": documents, "score": scores})
        for topics, documents, scores in ((["q1"], ["d2"], [3.0]), (["q1", "q2"], ["d1", "d3"], [2.0, 1.5]))
    ]
    table = pa.Table.from_batches(batches)
    assert grades(table) == GRADES
    assert grades([table.slice(0, 3), table]) == GRADES * 2
    assert read_run(table).to_dict() == RUN


@pytest.mark.parametrize("order", [[0, 1, 2], [0, 2, 1]])
def test_a_frame_with_a_fault_is_refused_with_its_row(order):
    rows = [("q1", "d2", 3.0), ("q1", "d2", 2.0), ("q2", "d3", 1.5)]
    topics, documents, scores = (list(column) for column in zip(*(rows[at] for at in order), strict=True))
    with pytest.raises(InputError, match="document 'd2' is listed twice for topic 'q1'"):
        judge(QRELS, pa.table({"qid": topics, "docno": documents, "score": scores}))
    with pytest.raises(
        InputError, match=r"row 2: the score of topic .*, document 'b' is (missing|nan): it must be a finite number"
    ):
        judge(QRELS, pa.table({"qid": topics, "docno": ["a", "b", "c"], "score": [1.0, None, 2.0]}))
    with pytest.raises(InputError, match="is empty"):
        judge(
            QRELS,
            pa.table({"qid": pa.array([], pa.string()), "docno": pa.array([], pa.string()), "score": pa.array([], pa.float64())}),
        )


def test_frames_are_judged_the_same_on_threads():
    table = pa.table({"qid": TOPICS, "docno": DOCUMENTS, "score": SCORES})
    assert judge(QRELS, [table] * 8, threads=2).grades.tolist() == GRADES * 8


def test_measures_of_ir_measures_are_measures():
    asked = [ir_measures.AP(rel=2), ir_measures.nDCG @ 10, ir_measures.P @ 5]
    assert list(evaluate(QRELS, RUN, asked).means()["run"]) == ["AP(rel=2)", "nDCG@10", "P@5"]
    assert list(evaluate(QRELS, RUN, ir_measures.RR).means()["run"]) == ["RR"]
    with pytest.raises(MeasureError, match="expected a measure or its name, got 7"):
        evaluate(QRELS, RUN, [7])


class Scored:
    """An object whose attributes are documents: the dict of its attributes shares its keys with those of others."""

    def __init__(self, count):
        for number in range(count):
            setattr(self, f"d{number}", float(-number))


@pytest.mark.parametrize("count", [1, 20, 31, 32, 33, 64, 200])
def test_dicts_of_every_make_have_the_same_documents(count):
    plain = {f"d{number}": float(-number) for number in range(count)}
    holes = {f"d{number}": float(-number) for number in range(2 * count)}
    for number in range(count, 2 * count):
        del holes[f"d{number}"]
    late = dict.fromkeys(range(3), 0.0) | plain  # its keys were of two kinds
    for number in range(3):
        del late[number]
    qrels = {"q": {f"d{number}": number % 3 for number in range(count)}}
    expected = judge(qrels, {"q": list(plain.items())}).grades.tolist()
    for documents in (plain, holes, late, vars(Scored(count)), dict(reversed(plain.items()))):
        assert judge(qrels, {"q": documents}).grades.tolist() == expected
