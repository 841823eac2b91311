"""The ledger: what counts as a test, and what comes before it."""

from __future__ import annotations

import json
import sqlite3
import stat
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura.errors import LedgerError
from mensura.ledger import Ledger, export, is_kept, ledger_path, merge, store

from .writer import COLLECTION, entry

OTHER = replace(COLLECTION, digest="1" * 64, name="Müller/ヒ.qrels")


@pytest.fixture
def ledger(tmp_path):
    with Ledger(tmp_path / "häuser" / "台帳.sqlite") as made:
        yield made


def elsewhere(made):
    return replace(made, collection=OTHER.digest)


def test_earlier_tests_are_counted_but_not_those_of_other_collections(ledger):
    assert ledger.enter(COLLECTION, [entry("a", 1), entry("a", 2)]) == 0
    assert ledger.enter(OTHER, [elsewhere(entry("a", 1))]) == 0
    assert ledger.enter(COLLECTION, [entry("b", 1)]) == 2
    assert ledger.enter(COLLECTION, [entry("c", 1), entry("a", 1)]) == 2  # a1 is not before itself


def test_a_test_made_again_is_no_other_test(ledger):
    first = [entry("a", 1), entry("a", 2)]
    assert ledger.enter(COLLECTION, first) == 0
    assert ledger.enter(COLLECTION, [entry("b", 1)]) == 2
    assert ledger.enter(COLLECTION, first) == 0  # as the first time: later tests are not earlier ones
    assert ledger.enter(COLLECTION, [entry("b", 1)]) == 2
    assert len(ledger.entries()) == 3


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sets(st.integers(0, 9), min_size=1), min_size=1, max_size=12))
def test_the_count_is_what_a_list_would_count(tmp_path_factory, batches):
    """Against a plain list of (time, test)."""
    made: dict[int, int] = {}
    with Ledger(tmp_path_factory.mktemp("ledger") / "ledger.sqlite") as ledger:
        for time, batch in enumerate(batches):
            for number in batch:
                made.setdefault(number, time)
            last = max(made[number] for number in batch)
            expected = sum(at <= last and number not in batch for number, at in made.items())
            assert ledger.enter(COLLECTION, [entry("x", number) for number in batch]) == expected


def test_times_are_utc_and_never_go_back(ledger, monkeypatch):
    ledger.enter(COLLECTION, [entry("a", 1)])

    class Clock(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime(2001, 1, 1, tzinfo=UTC)

    monkeypatch.setattr(store, "datetime", Clock)
    assert ledger.enter(COLLECTION, [entry("a", 2)]) == 1
    first, second = (datetime.fromisoformat(one.time) for one in ledger.entries())
    assert first.utcoffset() == second.utcoffset() == timedelta(0)
    assert second - first == timedelta(microseconds=1)
    assert abs(datetime.now(UTC) - first) < timedelta(minutes=5)


def test_exports_are_merged_without_counting_twice(tmp_path):
    with Ledger(tmp_path / "one") as one, Ledger(tmp_path / "two") as two, Ledger(tmp_path / "all") as both:
        one.enter(COLLECTION, [entry("a", 1), entry("a", 2)])
        two.enter(COLLECTION, [entry("a", 2), entry("b", 1)])
        two.enter(OTHER, [elsewhere(entry("a", 1))])
        texts = [("one", export(one)), ("two", export(two))]
        assert merge(both, texts) == (5, 4)
        assert merge(both, texts) == (5, 0)
        times = {row.id: row.time for row in both.entries()}
        assert times[entry("a", 2).id] == one.entries()[0].time  # the earlier of the two
        assert merge(one, texts) == (5, 2)
        assert merge(two, texts) == (5, 1)
        assert export(one) == export(two) == export(both)
        assert [(row[0], row[1]) for row in both.collections()] == [(COLLECTION, 3), (OTHER, 1)]


def test_times_of_other_zones_are_sorted_in_time(tmp_path, ledger):
    ledger.enter(COLLECTION, [entry("a", 1)])
    document = json.loads(export(ledger))
    (row,) = document["tests"]
    zone = timezone(timedelta(hours=9))
    row["made"] = (datetime.fromisoformat(row["made"]) - timedelta(hours=1)).astimezone(zone).isoformat()
    merge(ledger, [("tokyo", json.dumps(document))])
    (stored,) = ledger.entries()
    assert stored.time == datetime.fromisoformat(row["made"]).astimezone(UTC).isoformat(timespec="microseconds")


def broken(document, change):
    made = json.loads(document)
    change(made)
    return json.dumps(made)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.update(format="mensura ledger 9"), "not an export of a ledger"),
        (lambda d: d.update(tests=None), "no list of tests"),
        (lambda d: d["tests"][1].update(measure="P@10"), "test 2 was altered"),
        (lambda d: d["tests"][0].update(made="yesterday"), "test 1 was made at 'yesterday'"),
        (lambda d: d["tests"][0].update(made="2026-01-01T00:00:00"), "with its zone"),
        (lambda d: d["tests"][0].pop("draws"), "test 1 must have the texts"),
        (lambda d: d["tests"][0].update(more="1"), "and nothing else"),
        (lambda d: d["tests"].append(7), "test 3 must have"),
        (lambda d: d["collections"].clear(), "a collection that is not listed"),
        (lambda d: d["collections"][0].update(topics="50"), "collection 1 must have"),
    ],
)
def test_a_wrong_export_changes_nothing(tmp_path, ledger, change, message):
    with Ledger(tmp_path / "other") as other:
        other.enter(COLLECTION, [entry("a", 1), entry("a", 2)])
        right = export(other)
    with pytest.raises(LedgerError, match=message):
        merge(ledger, [("right", right), ("wrong", broken(right, change))])
    assert ledger.entries() == []


def test_text_that_is_no_json(ledger):
    with pytest.raises(LedgerError, match="x: is not valid JSON"):
        merge(ledger, [("x", "{")])


def test_a_file_that_is_no_ledger(tmp_path):
    path = tmp_path / "ledger.sqlite"
    path.write_bytes(b"not a database, but quite long enough to be one" * 100)
    with pytest.raises(LedgerError, match="is not a ledger, or damaged"):
        Ledger(path)
    assert path.read_bytes().startswith(b"not a database")


def test_a_damaged_ledger(tmp_path):
    path = tmp_path / "ledger.sqlite"
    with Ledger(path) as ledger:
        ledger.enter(COLLECTION, [entry("a", number) for number in range(500)])
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(data)
    with pytest.raises(LedgerError, match="damaged"), Ledger(path) as ledger:
        ledger.entries()


def test_another_database_is_left_alone(tmp_path):
    path = tmp_path / "mail.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE mail (text)")
    connection.commit()
    connection.close()
    before = path.read_bytes()
    with pytest.raises(LedgerError, match="an SQLite file, but not a ledger"):
        Ledger(path)
    assert path.read_bytes() == before


def test_a_ledger_of_a_later_version(tmp_path):
    path = tmp_path / "ledger.sqlite"
    Ledger(path).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 9")
    connection.close()
    with pytest.raises(LedgerError, match="version 9"):
        Ledger(path)


def test_a_ledger_of_version_1_is_brought_up_to_date(tmp_path):
    """Version 1 had no column for the tests of an entry."""
    path = tmp_path / "ledger.sqlite"
    with Ledger(path) as ledger:
        ledger.enter(COLLECTION, [entry("old", 1), entry("old", 2)])
    connection = sqlite3.connect(path)
    connection.execute("DROP INDEX by_collection")
    connection.execute("CREATE INDEX by_collection ON test (collection, made)")
    connection.execute("ALTER TABLE test DROP COLUMN tests")
    connection.execute("PRAGMA user_version = 1")
    connection.close()
    with Ledger(path) as ledger:
        assert ledger.enter(COLLECTION, [entry("new", 1)]) == 2
        assert [each.tests for each in ledger.entries()] == [1, 1, 1]


def test_an_entry_may_stand_for_many_tests(tmp_path):
    many = replace(entry("study", 0), first_run="", second_run="", company="all", tests=28)
    with Ledger(tmp_path / "ledger.sqlite") as ledger, Ledger(tmp_path / "other.sqlite") as other:
        assert ledger.enter(COLLECTION, [many]) == 0
        assert ledger.enter(COLLECTION, [entry("later", 1)]) == 28
        assert ledger.enter(COLLECTION, [many]) == 0  # made again, it has none before it
        assert ledger.collections()[0][1] == 29
        assert merge(other, [("mine", export(ledger))]) == (29, 29)
        assert merge(other, [("mine", export(ledger))]) == (29, 0)
        assert export(other) == export(ledger)


@pytest.mark.parametrize("tests", [0, -3, "28", 2.0, True])
def test_a_number_of_tests_must_be_one(tmp_path, tests):
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        ledger.enter(COLLECTION, [entry("a", 1)])
        document = json.loads(export(ledger))
        document["tests"][0]["tests"] = tests
        with pytest.raises(LedgerError, match="test 1 must have"):
            merge(ledger, [("wrong", json.dumps(document))])


def test_a_ledger_that_another_process_makes_meanwhile(tmp_path, monkeypatch):
    """Between the two questions whether a file is a ledger, another process may have made it one."""
    path = tmp_path / "ledger.sqlite"
    ask = Ledger._number
    first = []

    def number(self, pragma):
        answer = ask(self, pragma)
        if not first:
            first.append(pragma)
            with monkeypatch.context() as other:
                other.setattr(Ledger, "_number", ask)
                Ledger(path).close()
        return answer

    monkeypatch.setattr(Ledger, "_number", number)
    with Ledger(path) as ledger:
        assert ledger.collections() == []


def test_a_folder_that_cannot_be_written(tmp_path):
    folder = tmp_path / "closed"
    folder.mkdir()
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        (folder / "probe").touch()
    except OSError:
        with pytest.raises(LedgerError, match="MENSURA_LEDGER names another file"):
            Ledger(folder / "ledger.sqlite")
    else:
        pytest.skip("this user may write everywhere")
    finally:
        folder.chmod(stat.S_IRWXU)


def test_a_ledger_that_is_a_folder(tmp_path):
    with pytest.raises(LedgerError, match="unable to open database file; make it"):
        Ledger(tmp_path)


def test_a_folder_that_is_a_file(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(LedgerError, match="cannot make its folder"):
        Ledger(tmp_path / "file" / "ledger.sqlite")


def test_where_it_is(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("MENSURA_LEDGER", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert ledger_path() == tmp_path / "data" / "mensura" / "ledger.sqlite"
    assert not is_kept()  # nobody asked for one
    Ledger(ledger_path()).close()
    assert is_kept()
    monkeypatch.setenv("MENSURA_LEDGER", "off")
    assert ledger_path() is None
    assert not is_kept()
    monkeypatch.setenv("MENSURA_LEDGER", "~/tests.sqlite")
    assert ledger_path() == tmp_path / "tests.sqlite"
    assert is_kept()
