"""Evaluations in pieces are those of one machine, to the last bit, however they are cut and in whatever order they arrive."""

from __future__ import annotations

import itertools
import json
import math
import pickle
import random
import subprocess
import sys
import warnings

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mensura
from mensura import pieces
from mensura.errors import InputError, MensuraError
from mensura.pieces.evaluating import order_of
from mensura.pieces.sums import exact_total, rounded
from tests.matrix import INCOMPLETE
from tests.matrix import measures as every_measure
from tests.pieces.campaigns import batch, campaign, cut

MEASURES = ["AP", "nDCG@10", "P@5", "RR", "ERR@10", "P", "GM(AP)", "Rprec", "bpref", "Judged@10"]


def in_pieces(qrels, runs, measures, seed, **options):
    """Partials of all runs, shuffled."""
    random_ = random.Random(seed)  # noqa: S311 - a seeded test
    partials = [
        pieces.evaluate(part, qrels, measures, system=system, **options)
        for system, rows in runs.items()
        for part in cut(rows, seed, random_.randint(1, 5))
    ]
    return random_.sample(partials, len(partials))


def document(evaluation):
    return json.dumps(evaluation.to_dict())


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), topics=st.sampled_from(["judged", "run", "both"]))
def test_any_partition_and_order_gives_the_same_bits(seed, topics):
    qrels, runs = campaign(seed)
    whole = mensura.evaluate(qrels, runs, MEASURES, topics=topics)
    partials = in_pieces(mensura.read_qrels(qrels), runs, MEASURES, seed)
    carried = [pieces.Partial.from_bytes(part.to_bytes()) for part in partials]
    for some in (partials, carried, pickle.loads(pickle.dumps(partials))):  # noqa: S301 - our own
        merged = pieces.merge(some, qrels, topics=topics, systems=list(runs))
        assert document(merged) == document(whole)
        assert merged.means() == whole.means()
        assert (merged.judged.retrieved == whole.judged.retrieved).all()
        assert (merged.judged.ties == whole.judged.ties).all()
    if topics != "both":
        means = pieces.merge_sums([part.sums() for part in partials], qrels, topics=topics, systems=list(runs))
        assert means.means() == whole.means()
        assert means.remarks == whole.remarks
        assert list(means.missing) == whole.judged.missing.sum(axis=1).tolist()


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_partitioned_judgments(seed):
    """Each piece has the judgments of its topics only; the oracle has them in the order of names, which is that of the result."""
    qrels, runs = campaign(seed)
    qrels = dict(sorted(qrels.items(), key=lambda item: item[0].encode()))
    highest = max(0, *(grade for grades in qrels.values() for grade in grades.values()))
    whole = mensura.evaluate(qrels, runs, MEASURES)
    random_ = random.Random(seed)  # noqa: S311 - a seeded test
    home = {topic: random_.randrange(3) for topic in [*qrels, "x0", "x1"]}
    partials = [
        pieces.evaluate(
            batch([row for row in rows if home[row[0]] == number]),
            part,
            MEASURES,
            system=system,
            partitioned=True,
            highest_grade=highest,
        )
        for number in range(3)
        if (part := {topic: grades for topic, grades in qrels.items() if home[topic] == number})
        for system, rows in runs.items()
    ]
    lost = [number for number in range(3) if not any(home[topic] == number for topic in qrels)]
    if any(home[row[0]] in lost for rows in runs.values() for row in rows):
        return  # rows of topics without judgments in a part that nobody evaluates
    assert document(pieces.merge(partials, systems=list(runs))) == document(whole)
    assert pieces.merge_sums([part.sums() for part in partials], systems=list(runs)).means() == whole.means()


@pytest.mark.parametrize("name", [name for name in every_measure() if name not in INCOMPLETE])
def test_every_measure_in_pieces_or_refused(name):
    qrels, runs = campaign(7, topics=30)
    try:
        order_of(mensura.parse_measures(name), "trec_eval-10")
    except MensuraError as error:
        assert "evaluate the runs as a whole" in str(error)  # noqa: PT017 - one that is refused has the way out
        return
    whole = mensura.evaluate(qrels, runs, name)
    merged = pieces.merge(in_pieces(mensura.read_qrels(qrels), runs, name, 3), qrels, systems=list(runs))
    assert document(merged) == document(whole)


def test_gains_depend_on_the_highest_grade_of_all_judgments():
    qrels = {"q1": {"a": 1}, "q2": {"b": 3}}
    run = {"q1": [("q1", "a", 1.0)], "q2": [("q2", "b", 1.0)]}
    parts = [pieces.evaluate(batch(run[q]), {q: qrels[q]}, "ERR@5", partitioned=True) for q in qrels]
    with pytest.raises(MensuraError, match="highest_grade=3"):
        pieces.merge(parts)
    parts = [pieces.evaluate(batch(run[q]), {q: qrels[q]}, "ERR@5", partitioned=True, highest_grade=3) for q in qrels]
    assert pieces.merge(parts).means() == mensura.evaluate(qrels, {"run": [*run["q1"], *run["q2"]]}, "ERR@5").means()


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300), max_size=40), st.randoms())
def test_exact_totals_are_those_of_fsum(values, random_):
    at = random_.randint(0, len(values))
    total = exact_total(np.array(values[at:])) + exact_total(np.array(values[:at]))
    assert rounded(total) == math.fsum(values)


def test_exact_totals_near_the_smallest_double():
    values = [5e-324, 2.2250738585072014e-308, -5e-324, 1e-310, 0.1]
    for some in itertools.permutations(values):
        assert rounded(exact_total(np.array(some))) == math.fsum(values)
    with pytest.raises(MensuraError, match="infinite or NaN"):
        exact_total(np.array([math.inf]))


def test_a_topic_in_two_pieces_is_refused():
    qrels = {"q": {"a": 1, "b": 1}}
    parts = [pieces.evaluate(batch([("q", name, 1.0)]), qrels, "AP") for name in "ab"]
    with pytest.raises(InputError, match="topic 'q' is in two pieces"):
        pieces.merge(parts, qrels)


def test_pieces_that_do_not_belong_together_are_refused():
    qrels = {"q": {"a": 1}, "r": {"a": 1}}
    one, two = (pieces.evaluate(batch([(topic, "a", 1.0)]), qrels, "AP") for topic in "qr")
    other = pieces.evaluate(batch([("r", "a", 1.0)]), qrels, "RR")
    with pytest.raises(MensuraError, match="different measures: AP, and RR"):
        pieces.merge([one, other], qrels)
    with pytest.raises(MensuraError, match=r"pass the judgments, merge\(partials, qrels\)"):
        pieces.merge([one, two])
    with pytest.raises(MensuraError, match="topic 'r' of a partial has no judgments here"):
        pieces.merge([one, two], {"q": {"a": 1}})
    with pytest.raises(MensuraError, match="expected at least one partial, got none"):
        pieces.merge([], qrels)
    single = pieces.evaluate(batch([("r", "a", 1.0)]), qrels, "AP", compat="trec_eval-9")
    with pytest.raises(MensuraError, match="different orders of ranks"):
        pieces.merge([one, single], qrels)
    with pytest.raises(MensuraError, match="not known from them"):
        pieces.merge_sums([one.sums()], qrels, topics="both")
    with pytest.raises(InputError, match="no topic of this run is judged"):
        pieces.merge([pieces.evaluate(batch([("z", "a", 1.0)]), qrels, "AP")], qrels)


def test_bytes_that_are_not_a_partial():
    good = pieces.evaluate(batch([("q", "a", 1.0)]), {"q": {"a": 1}}, "AP").to_bytes()
    for bad in (b"", b"x" * 20, good[:-1], good[:30], good.replace(b"mensura-partial-1", b"mensura-partial-9"), good + b"\0"):
        with pytest.raises(InputError, match="not a partial"):
            pieces.Partial.from_bytes(bad)


def test_medians_need_values():
    part = pieces.evaluate(batch([("q", "a", 1.0)]), {"q": {"a": 1}}, "Median(RR)")
    with pytest.raises(MensuraError, match="not computed from a sum"):
        part.sums()


def test_batches_of_several_kinds():
    qrels = {"1": {"a": 1}, "2": {"b": 1}}
    expected = mensura.evaluate(qrels, {"run": [("1", "a", 1.0), ("2", "c", 2.0), ("2", "b", 1.0)]}, "RR").means()
    table = pa.table({"qid": [1, 2, 2], "docno": pa.array(["a", "c", "b"]).dictionary_encode(), "rank": [0, 0, 1]})
    for some in (table, table.to_batches(), iter(table.to_batches()), table.slice(0, 3), [table.slice(0, 1), table.slice(1)]):
        assert pieces.merge([pieces.evaluate(some, qrels, "RR")], qrels).means() == expected
    with pytest.raises(InputError, match="the column docno has a type"):
        pieces.evaluate(pa.table({"qid": [1], "docno": [1.5], "score": [1.0]}), qrels, "RR")
    with pytest.raises(InputError, match="row 2: the score of topic '1', document 'b' is missing"):
        pieces.evaluate(pa.table({"qid": [1, 1], "docno": ["a", "b"], "score": [1.0, None]}), qrels, "RR")
    with pytest.raises(InputError, match="listed twice"):
        pieces.evaluate(batch([("1", "a", 1.0), ("1", "a", 2.0)]), qrels, "RR")


def test_an_empty_piece_counts_nothing():
    qrels = {"q": {"a": 1}}
    parts = [pieces.evaluate(some, qrels, "AP") for some in ([], [batch([])], [batch([("q", "a", 1.0)])])]
    assert pieces.merge(parts, qrels).means() == {"run": {"AP": 1.0}}


def test_remarks_come_as_warnings():
    qrels = {"q": {"a": 1}, "r": {"b": 1}}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        pieces.merge([pieces.evaluate(batch([("q", "a", 1.0)]), qrels, "AP")], qrels)
    assert [each for each in caught if "D104" in str(each.message)]


def test_no_engine_is_imported():
    code = (
        "import sys; from mensura import pieces; pieces.evaluate([('q', 'a', 1.0)], {'q': {'a': 1}}, 'AP');"
        "print([name for name in ('dask', 'distributed', 'pyspark', 'fsspec', 'pyarrow') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_means_show_themselves():
    qrels, runs = campaign(3)
    means = pieces.merge_sums([part.sums() for part in in_pieces(qrels, runs, ["AP", "RR"], 1)], qrels)
    assert "Means over 12 of 12 topics, 2 runs" in str(means)
    assert pieces.Means.from_dict(means.to_dict()).means() == means.means()
