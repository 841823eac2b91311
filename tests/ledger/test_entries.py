"""The identity of a test: all that its p-value depends on, and nothing else."""

from __future__ import annotations

import gzip
import random

import pytest

from mensura import evaluate, read_qrels
from mensura.ledger import Collection
from mensura.stats import METHODS, entries_of, run_test
from mensura.study.example import example


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return example(8, systems=3, topics=6, documents=80, depth=20).write(tmp_path_factory.mktemp("campaign"))


def ids(qrels, runs, measures="P@10", topics="judged", **options):
    evaluation = evaluate(qrels, runs, measures, topics=topics)
    return {entry.id for entry in entries_of(evaluation, Collection.of(read_qrels(qrels)), **{"test": "t", **options})}


def test_a_test_for_each_pair_and_measure(files):
    qrels, runs = files
    assert len(ids(qrels, runs)) == 3
    assert len(ids(qrels, runs, ["P@10", "AP"])) == 6
    assert len(ids(qrels, runs, baseline="sysB")) == 2
    assert len(ids(qrels, runs, left_out={"P@10": [frozenset(("sysA", "sysC"))]})) == 2


def test_the_form_of_files_does_not_matter(files, tmp_path):
    qrels, runs = files
    shuffled = []
    for run in runs:
        lines = run.read_text(encoding="utf-8").splitlines()
        random.Random(1).shuffle(lines)  # noqa: S311
        shuffled.append(tmp_path / f"{run.stem}.gz")
        shuffled[-1].write_bytes(gzip.compress("\r\n".join(line.replace(" ", "\t") for line in lines).encode()))
    lines = sorted(qrels.read_text(encoding="utf-8").splitlines(), reverse=True)
    judgments = tmp_path / "qrels"
    judgments.write_text("\n".join(lines), encoding="utf-8")
    assert ids(judgments, shuffled[::-1]) == ids(qrels, runs)
    assert ids(read_qrels(qrels).to_dict(), runs) == ids(qrels, runs)
    # judged only as deep as the measure looks, or deeper because of another measure
    assert ids(qrels, runs) < ids(qrels, runs, ["P@10", "AP"])


def test_what_changes_the_p_value_makes_another_test(files, tmp_path):
    qrels, runs = files
    same = ids(qrels, runs)
    assert not same & ids(qrels, runs, "P@5")
    assert not same & ids(qrels, runs, test="sign")
    assert not same & ids(qrels, runs, scale="interval")
    more = tmp_path / "more.txt"
    more.write_text(qrels.read_text(encoding="utf-8") + "1 0 doc9999 0\n", encoding="utf-8")
    assert not same & ids(more, runs)  # other judgments, another collection
    other = tmp_path / "other.txt"
    lines = runs[0].read_text(encoding="utf-8").splitlines()
    other.write_text("\n".join(line for line in lines if not line.startswith("3 ")), encoding="utf-8")
    assert len(same & ids(qrels, [other, *runs[1:]])) == 1  # the pair without the changed run


def test_a_run_under_another_name_is_the_same_run(files, tmp_path):
    qrels, runs = files
    twin = tmp_path / "twin.txt"
    twin.write_text(runs[0].read_text(encoding="utf-8").replace("sysA", "twin"), encoding="utf-8")
    assert ids(qrels, [twin, *runs[1:]]) == ids(qrels, runs)
    assert len(ids(qrels, [twin, *runs])) == 4  # the three pairs, and the twins with each other


def test_draws_count_for_tests_that_draw(files):
    qrels, runs = files
    assert ids(qrels, runs, seed=1) == ids(qrels, runs, seed=2)
    assert not ids(qrels, runs, test="randomisation", seed=1) & ids(qrels, runs, test="randomisation", seed=2)
    assert not ids(qrels, runs, test="randomisation", samples=10) & ids(qrels, runs, test="randomisation")


@pytest.mark.parametrize("test", METHODS)
def test_company_counts_where_it_changes_the_p_value(files, test):
    """Against the tests themselves: the p-value of a pair changes if a third system joins it, or it does not."""
    qrels, runs = files
    baseline = "sysA" if test == "dunnett" else None
    evaluation = evaluate(qrels, runs, "AP")
    options = {"samples": 100} if METHODS[test].random else {}
    number = 0 if baseline else None
    three = run_test(test, evaluation["AP"].values, baseline=number, **options)
    two = run_test(test, evaluation["AP"].values[:2], baseline=number, **options)
    at = next(
        at
        for at, pair in enumerate(zip(three.pairs.first.tolist(), three.pairs.second.tolist(), strict=True))
        if set(pair) == {0, 1}
    )
    final = [one.p if one.family_p is None else one.family_p for one in (three, two)]
    changed = float(final[0][at]) != pytest.approx(float(final[1][0]), rel=1e-12)
    shared = ids(qrels, runs, "AP", test=test, baseline=baseline) & ids(qrels, runs[:2], "AP", test=test, baseline=baseline)
    assert len(shared) == (0 if changed else 1)
