"""Broken files: never a crash, never numbers. A strict oracle decides what is broken, and what the rest comes to."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from mensura import InputError, judge, read_qrels
from mensura.io import reading
from mensura.io.files import is_compressed, source
from tests.io import oracle
from tests.strategies import Campaign, Layout, campaigns, damaged, layouts, mutations

QRELS = {b"q": {b"a": 1, b"b": 0}, b"p": {b"a": 2}}
RUN = {b"q": {b"a": b"2", b"b": b"1"}, b"p": {b"a": b"1"}, b"x": {b"a": b"1"}}
CALM = Layout(seed=0, messy=False, scattered=False)


KNOWN = read_qrels({"q": {"a": 1, "b": 0}, "p": {"a": 2}})
GRADES = {b"q": {b"a": 1, b"b": 0}, b"p": {b"a": 2}}


def to_bytes(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")


def check(text: bytes, *, is_run: bool, folder: Path, threads: int = 1) -> None:
    """Reads a file as judgments or as a run and compares with the oracle."""
    path = folder / "file"
    path.write_bytes(text)
    expected = broken = None
    try:
        expected = oracle.read(text, is_run=is_run)
    except oracle.BrokenError as error:
        broken = error.lines or {None}
    if is_compressed(source(path)):
        expected, broken = None, {None}
    if is_run and expected is not None and not expected.keys() & GRADES.keys():
        with pytest.raises(InputError, match="no topic of this run is judged"):
            judge(KNOWN, [path], threads=threads)
    elif expected is None:
        with pytest.raises(InputError) as caught:
            judge(KNOWN, [path], threads=threads) if is_run else read_qrels(path)
        assert caught.value.source == str(path)
        assert caught.value.line in broken
    elif is_run:
        judged = judge(KNOWN, [path], scores=True, threads=threads)
        assert oracle.plain(judged) == oracle.judge(GRADES, expected)
        assert set(map(to_bytes, judged.extra[0])) == expected.keys() - GRADES.keys()
    else:
        read = read_qrels(path).to_dict()
        assert {to_bytes(topic): {to_bytes(doc): grade for doc, grade in docs.items()} for topic, docs in read.items()} == expected


def fuzz(campaign: Campaign, layout: Layout, mutation: list[tuple[int, int, int]], stretch: int, *, is_run: bool) -> None:
    text = layout.run(campaign.run) if is_run else layout.qrels(campaign.qrels)
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "STRETCH", stretch)
        check(damaged(text, mutation), is_run=is_run, folder=Path(folder), threads=2)


INPUTS = {
    "campaign": st.one_of(st.just(Campaign(QRELS, RUN)), campaigns()),
    "layout": layouts(),
    "stretch": st.sampled_from([1, 16, 40, 1 << 24]),
    "is_run": st.booleans(),
}
calm = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@given(mutation=mutations(), **INPUTS)
@settings(calm, max_examples=300)
@example(campaign=Campaign(QRELS, RUN), layout=CALM, mutation=[(3, 0, 0)], stretch=1, is_run=True)
@example(campaign=Campaign(QRELS, RUN), layout=CALM, mutation=[(3, 0, 0)], stretch=1, is_run=False)
@example(campaign=Campaign(QRELS, RUN), layout=CALM, mutation=[(2, 0, 15), (2, 0, 15)], stretch=1, is_run=True)
def test_damaged_files(campaign, layout, mutation, stretch, is_run):
    fuzz(campaign, layout, mutation, stretch, is_run=is_run)


@pytest.mark.slow
@given(several=st.lists(mutations(), min_size=10, max_size=10), **INPUTS)
@settings(calm, max_examples=1000)
def test_ten_thousand_damaged_files(campaign, layout, several, stretch, is_run):
    for mutation in several:
        fuzz(campaign, layout, mutation, stretch, is_run=is_run)


@given(text=st.binary(max_size=200), is_run=st.booleans())
@settings(calm, max_examples=300)
def test_any_bytes(text, is_run):
    with tempfile.TemporaryDirectory() as folder:
        check(text, is_run=is_run, folder=Path(folder))


ALPHABET = [b"q", b"a", b"1", b" ", b" ", b"\t", b"\n", b"\r\n", b"\r", b"#", b"0", b".", b"e", b"-", b"\x00", b"\xff"]


@given(pieces=st.lists(st.sampled_from(ALPHABET), max_size=60), is_run=st.booleans())
@settings(calm, max_examples=300)
def test_words_of_few_letters(pieces, is_run):
    with tempfile.TemporaryDirectory() as folder:
        check(b"".join(pieces), is_run=is_run, folder=Path(folder))


@pytest.mark.parametrize("is_run", [True, False])
def test_bytes_of_every_kind_at_every_place(is_run, tmp_path):
    text = CALM.run({b"q": {b"a": b"1.5"}}) if is_run else CALM.qrels({b"q": {b"a": 1}})
    for at in range(len(text)):
        for byte in (*range(0x22), *b"#+-.019Ee_", 0x7F, 0xFF):
            check(text[:at] + bytes([byte]) + text[at + 1 :], is_run=is_run, folder=tmp_path)
