"""Processes that compute: they are stopped, limited and replaced."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from mensura.errors import MensuraError
from mensura.web.jobs.workers import BusyError, StoppedError, TaskError, TooLongError, Workers

MEMORY = 4 << 30


def process_number(tell):
    return os.getpid()


def sleep(tell, seconds):
    tell("sleeping", 1, 2)
    time.sleep(seconds)
    return "slept"


def eat(tell):
    return len(bytearray(MEMORY))


def die(tell):
    os._exit(3)


def refuse(tell):
    raise MensuraError("no, because")


def fail(tell):
    raise ZeroDivisionError


async def using(story, number=1, waiting=8):
    workers = Workers(number, MEMORY, waiting)
    try:
        await story(workers)
    finally:
        workers.close()


def run(story, **options):
    """In a thread: where a browser is driven, the main thread has a loop of its own."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: asyncio.run(using(story, **options))).result()


def test_a_process_is_used_again():
    async def story(workers):
        first = await workers.run(process_number, limit=120)
        assert first != os.getpid()
        assert await workers.run(process_number, limit=120) == first

    run(story)


def test_what_a_process_remembers_can_be_dropped():
    async def story(workers):
        first = await workers.run(process_number, limit=120)
        workers.renew()
        assert await workers.run(process_number, limit=120) != first
        assert await asyncio.gather(*(workers.run(sleep, 0, limit=120) for _ in range(3))) == ["slept"] * 3

    run(story)


@pytest.mark.parametrize(
    ("task", "error"), [(eat, TaskError), (die, TaskError), (refuse, TaskError), (fail, RuntimeError)], ids=lambda it: it.__name__
)
def test_what_goes_wrong_is_told_and_the_next_task_is_done(task, error):
    async def story(workers):
        with pytest.raises(error) as caught:
            await workers.run(task, limit=120)
        words = {"eat": "memory", "die": "died", "refuse": "no, because", "fail": "ZeroDivisionError"}
        assert words[task.__name__] in str(caught.value)
        assert await workers.run(sleep, 0, limit=120) == "slept"

    run(story)


def test_time_is_limited():
    async def story(workers):
        first = await workers.run(process_number, limit=120)
        with pytest.raises(TooLongError):
            await workers.run(sleep, 60, limit=0.2)
        assert await workers.run(process_number, limit=120) != first
        with pytest.raises(ProcessLookupError):
            os.kill(first, 0)

    run(story)


def test_a_task_can_be_stopped_and_tells_how_far_it_is():
    async def story(workers):
        stop, told = threading.Event(), []

        def tell(*what):
            told.append(what)
            stop.set()

        with pytest.raises(StoppedError):
            await workers.run(sleep, 60, limit=60, tell=tell, stop=stop)
        assert told == [("sleeping", 1, 2)]

    run(story)


def test_a_task_that_nobody_waits_for_any_more_ends():
    async def story(workers):
        first = await workers.run(process_number, limit=120)
        begun = asyncio.Event()
        loop = asyncio.get_running_loop()
        task = asyncio.create_task(workers.run(sleep, 60, limit=120, tell=lambda *_: loop.call_soon_threadsafe(begun.set)))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await workers.run(process_number, limit=120) != first

    run(story)


def test_only_so_many_may_wait():
    async def story(workers):
        stop = threading.Event()
        tasks = [asyncio.create_task(workers.run(sleep, 60, limit=120, stop=stop)) for _ in range(2)]
        await asyncio.sleep(0)  # both tasks have begun: one computes, one waits
        assert workers.waiting == 1
        with pytest.raises(BusyError):
            await workers.run(sleep, 0, limit=120)
        stop.set()
        assert {type(end) for end in await asyncio.gather(*tasks, return_exceptions=True)} == {StoppedError}
        assert await workers.run(sleep, 0, limit=120) == "slept"

    run(story, waiting=1)
