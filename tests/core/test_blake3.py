"""BLAKE3 of the core against the blake3 package, which is another implementation: every kernel that this processor has."""

from __future__ import annotations

import pickle
import random
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura._core.blake3 import ALIGNED, LANES, Blake3

blake3 = pytest.importorskip("blake3", reason="pip install blake3 to compare with it").blake3

DATA = random.Random(3).randbytes(5 * ALIGNED + 4097)  # noqa: S311 - bytes of a test
# The lengths of BLAKE3's test_vectors.json, whose bytes are 0, 1, …, 250, 0, …
OFFICIAL = (
    *(0, 1, 2, 3, 4, 5, 6, 7, 8, 63, 64, 65, 127, 128, 129, 1023, 1024, 1025, 2048, 2049, 3072, 3073, 4096, 4097, 5120, 5121),
    *(6144, 6145, 7168, 7169, 8192, 8193, 16384, 31744, 102400),
)
kernels = pytest.mark.parametrize("lanes", LANES)


def digest(data: bytes | memoryview, lanes: int = 0) -> str:
    """Return the digest of bytes that come at once."""
    computed = Blake3(lanes=lanes)
    computed.update(data)
    return computed.hexdigest()


def stretch(data: bytes, start: int, stop: int, lanes: int = 0) -> Blake3:
    """Return the digest of a stretch of bytes."""
    computed = Blake3(start, lanes)
    computed.update(data[start:stop])
    return computed


def test_the_digests_of_the_specification() -> None:
    """From test_vectors.json: of nothing, of the byte 0, and of 102 400 bytes."""
    text = bytes(range(251)) * 408
    assert digest(b"") == "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"
    assert digest(text[:1]) == "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213"
    assert digest(text[:102400]) == "bc3e3d41a1146b069abffad3c0d44860cf664390afce4d9661f7902e7943e085"


@kernels
def test_official_lengths(lanes: int) -> None:
    text = bytes(range(251)) * 408
    assert [digest(text[:length], lanes) for length in OFFICIAL] == [blake3(text[:length]).hexdigest() for length in OFFICIAL]


@kernels
def test_every_number_of_chunks(lanes: int) -> None:
    """Whole chunks, and one byte less and more: every shape of a tree up to a batch and a half, and around subtrees."""
    chunks = [*range(1, 50), 63, 64, 65, 127, 128, 129, *range(250, 262), 511, 512, 513, 767, 768, 1023, 1024, 1025, 1280]
    lengths = [1024 * count + more for count in chunks for more in (-1, 0, 1)]
    wrong = [length for length in lengths if digest(DATA[:length], lanes) != blake3(DATA[:length]).hexdigest()]
    assert wrong == []


@kernels
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_any_length_split_and_alignment(lanes: int, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, 64), "offset")
    length = data.draw(st.integers(0, 1200) | st.integers(0, 200_000) | st.integers(0, len(DATA) - 64), "length")
    cuts = sorted(data.draw(st.lists(st.integers(0, length), max_size=8), "cuts"))
    view = memoryview(DATA)[offset : offset + length]
    computed = Blake3(lanes=lanes)
    for start, stop in zip([0, *cuts], [*cuts, length], strict=True):
        computed.update(view[start:stop])
    assert computed.length == length
    assert computed.hexdigest() == blake3(bytes(view)).hexdigest()


@kernels
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_stretches_that_are_joined(lanes: int, data: st.DataObject) -> None:
    """Any cuts at multiples of 256 KiB, any end, joined from the left or in pairs, and carried between processes or not."""
    length = data.draw(st.integers(0, len(DATA)) | st.sampled_from([ALIGNED, 2 * ALIGNED, 4 * ALIGNED, 5 * ALIGNED]), "length")
    cuts = sorted(data.draw(st.sets(st.integers(1, 5)), "cuts"))
    bounds = [0, *(cut * ALIGNED for cut in cuts if cut * ALIGNED <= length), length]
    pieces = [stretch(DATA, start, stop, lanes) for start, stop in pairwise(bounds)]
    if data.draw(st.booleans(), "carried"):
        pieces = pickle.loads(pickle.dumps(pieces))  # noqa: S301 - our own bytes
    if len(pieces) > 2 and data.draw(st.booleans(), "in pairs"):
        pieces[1].append(pieces.pop(2))
    first, *others = pieces
    for other in others:
        first.append(other)
    assert first.length == length
    assert first.hexdigest() == blake3(DATA[:length]).hexdigest()


def test_bytes_after_stretches_that_were_joined() -> None:
    first = stretch(DATA, 0, ALIGNED)
    first.append(stretch(DATA, ALIGNED, 2 * ALIGNED + 5000))
    first.update(DATA[2 * ALIGNED + 5000 :])
    assert first.hexdigest() == blake3(DATA).hexdigest()


def test_threads_hash_stretches_at_the_same_time() -> None:
    bounds = [*range(0, 5 * ALIGNED + 1, ALIGNED), len(DATA)]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(20):
            first, *others = pool.map(lambda ends: stretch(DATA, *ends), pairwise(bounds))
            for other in others:
                first.append(other)
            assert first.hexdigest() == blake3(DATA).hexdigest()


def test_a_digest_is_finished_once() -> None:
    computed = stretch(DATA, 0, 2000)
    assert computed.hexdigest() == computed.hexdigest() == blake3(DATA[:2000]).hexdigest()
    for refused in (lambda: computed.update(b"x"), lambda: computed.append(Blake3(ALIGNED)), lambda: pickle.dumps(computed)):
        with pytest.raises(ValueError, match="finished"):
            refused()


@pytest.mark.parametrize("start", [-ALIGNED, 1, 1024, ALIGNED - 1])
def test_stretches_begin_at_subtrees(start: int) -> None:
    with pytest.raises(ValueError, match="multiple of 262144 bytes"):
        Blake3(start)


def test_a_gap_is_refused() -> None:
    for stop, start in ((ALIGNED, 2 * ALIGNED), (100, ALIGNED), (0, ALIGNED)):
        with pytest.raises(ValueError, match="do not follow"):
            stretch(DATA, 0, stop).append(Blake3(start))
    alone = Blake3()
    with pytest.raises(ValueError, match="do not follow"):
        alone.append(alone)
    with pytest.raises(ValueError, match="are missing"):
        stretch(DATA, ALIGNED, 2 * ALIGNED).hexdigest()


def test_kernels_that_the_processor_lacks_are_refused() -> None:
    with pytest.raises(ValueError, match="no kernel of 3 lanes"):
        Blake3(lanes=3)
