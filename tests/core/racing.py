"""A race that we make: two threads feed one judge at once. ThreadSanitizer must report it, or it would report nothing."""

import threading

from mensura._core.judge import Judge
from tests.core.judging import index


def race() -> None:
    """Feed one judge from two threads, which nobody may do."""
    judge = Judge(index(b"q 0 a 1\n"))
    lines = b"".join(b"q Q0 d%d 1 %d t\n" % (number, -number) for number in range(20_000))
    barrier = threading.Barrier(2)

    def feed() -> None:
        barrier.wait()
        judge.feed(lines)

    threads = [threading.Thread(target=feed) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    race()
