"""Work on threads: the order of outcomes, errors at their place, and no thread left at work."""

from __future__ import annotations

import threading
import time
from functools import partial
from typing import Any

import pytest

from mensura.engines.engine import Threads
from mensura.engines.threads import InTurn, Spread, available_cores, spread, thread_count
from mensura.errors import MensuraError


class Interrupt(BaseException):
    """Something that is not an Exception, such as KeyboardInterrupt."""


def workers(before):
    """Threads that were not there before."""
    return set(threading.enumerate()) - before


@pytest.mark.parametrize("threads", [1, 2, 7, None])
@pytest.mark.parametrize("number", [0, 1, 2, 50])
def test_outcomes_come_in_the_order_of_the_pieces(threads, number):
    assert list(spread(lambda piece: piece**2, range(number), threads)) == [piece**2 for piece in range(number)]


def test_a_late_first_piece_does_not_change_the_order():
    """The first piece ends only when the last one has: with two threads the outcomes in between are ready before it."""
    last = threading.Event()

    def work(piece):
        if piece == 0:
            assert last.wait(60)
        if piece == 9:
            last.set()
        return piece

    assert list(spread(work, range(10), 2)) == list(range(10))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("error", [ValueError, Interrupt])
def test_an_error_is_raised_at_its_place(threads, error):
    def work(piece):
        if piece == 3:
            raise error(f"piece {piece}")
        return piece

    outcomes = spread(work, range(6), threads)
    before = []
    with pytest.raises(error, match="piece 3"):
        before.extend(outcomes)  # keeps what came before the error
    assert before == [0, 1, 2]
    assert list(outcomes) == []  # nothing comes after it


def test_the_first_error_in_order_is_raised_and_not_the_first_in_time():
    second = threading.Event()

    def work(piece):
        if piece == 0:
            assert second.wait(60)
            raise ValueError("first")
        second.set()
        raise ValueError("second")

    with pytest.raises(ValueError, match="first"):
        list(spread(work, range(2), 2))


def test_every_piece_may_raise_a_base_exception():
    """No deadlock: an outcome that is asked for is an error if its piece raised one, whatever it is."""

    def work(_):
        raise Interrupt

    running = Spread([lambda: work(None)] * 8, 2)
    for number in range(8):
        with pytest.raises(Interrupt):
            running.outcome(number)
    running.join()


def test_cancel_drops_what_has_not_begun():
    begun, go = threading.Event(), threading.Event()
    done = []

    def work(piece):
        begun.set()
        assert go.wait(60)
        done.append(piece)

    running = Spread([partial(work, piece) for piece in range(20)], 1)
    assert begun.wait(60)
    running.cancel()
    go.set()
    running.join()
    assert done == [0]
    assert len(running) == 20


def test_an_interrupt_leaves_no_thread_at_work():
    """Whoever asks for outcomes is interrupted: the pieces at work end, no other begins, and their threads are gone."""
    before = set(threading.enumerate())
    begun = []

    def work(piece):
        begun.append(piece)
        time.sleep(0.02)
        return piece

    outcomes: Any = spread(work, range(4000), 2)
    assert next(outcomes) == 0
    with pytest.raises(KeyboardInterrupt):
        outcomes.throw(KeyboardInterrupt)
    assert not workers(before)
    assert len(begun) < 4000  # all of them would take 40 seconds
    with pytest.raises(StopIteration):
        next(outcomes)


def test_nobody_asks_for_more():
    before = set(threading.enumerate())
    outcomes: Any = spread(lambda piece: piece, range(1000), 2)
    assert next(outcomes) == 0
    outcomes.close()
    assert not workers(before)


def test_one_thread_works_where_it_was_called():
    here = threading.get_ident()
    assert set(spread(lambda _: threading.get_ident(), range(5), 1)) == {here}
    assert list(spread(lambda _: threading.get_ident(), range(1), 8)) == [here]


def test_work_begins_before_outcomes_are_asked_for():
    begun = threading.Event()
    running = Spread([begun.set], 1)
    assert begun.wait(60)
    running.join()


def test_an_outcome_is_handed_over_once_and_forgotten():
    class Large:
        pass

    running = Spread([Large], 1)
    assert isinstance(running.outcome(0), Large)
    assert not running._outcomes


@pytest.mark.parametrize("threads", [0, -3])
def test_too_few_threads_are_refused(threads):
    with pytest.raises(MensuraError, match=f"threads={threads} is too few"):
        thread_count(threads)


def test_the_default_is_one_thread_per_core():
    assert thread_count(None) == available_cores() >= 1
    assert thread_count(5) == 5


@pytest.mark.parametrize("number", [1, 2])
def test_a_single_piece_is_done_by_the_thread_that_asks_for_it(number):
    running = Threads(2).run(lambda shared, piece: (shared * piece, threading.current_thread()), range(number), 7)
    outcomes = dict(running.finished())
    running.join()
    assert [outcomes[piece][0] for piece in range(number)] == [7 * piece for piece in range(number)]
    here = {thread is threading.current_thread() for _, thread in outcomes.values()}
    assert here == {number == 1}


def test_an_error_in_turn_cancels_the_rest():
    done = []

    def work(piece):
        if piece == 1:
            raise ValueError(f"piece {piece}")
        done.append(piece)
        return piece

    running = InTurn([partial(work, piece) for piece in range(4)])
    with pytest.raises(ValueError, match="piece 1"):
        list(running)
    assert list(running.finished()) == []
    assert done == [0]


def test_pieces_that_were_cancelled_are_not_done():
    running = InTurn([partial(pytest.fail, "a piece that was cancelled was done")])
    running.cancel()
    running.join()
    assert list(running) == []
