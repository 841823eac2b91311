"""Tasks of a Dask cluster: names that are digests of their work, the work on a worker, and sentences for what can go wrong."""

from __future__ import annotations

import contextlib
import hashlib
import pickle
import time
from concurrent.futures import CancelledError
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from distributed import KilledWorker
from distributed.client import FutureCancelledError

from mensura.engines.engine import retried
from mensura.errors import MensuraError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from distributed import Client, Future

Piece = TypeVar("Piece")
Shared = TypeVar("Shared")
Outcome = TypeVar("Outcome")

KEPT = 1 << 23  # bytes of shared data that the scheduler keeps, so that a worker can have them again
BETWEEN = 2.0  # seconds between two looks at the workers
LOST = "the connection to Dask's scheduler at {address} was lost; nothing was written, so run the command again when it is back"
DROPPED = (
    "workers were lost with the {size:.0f} MB that all of them need, most likely for lack of memory; give them more of it "
    "(dask worker --memory-limit), or name the judgments as a file that workers can read"
)


class Dispatch(Generic[Shared, Piece, Outcome]):
    """Work on pieces with the data that they share, under names that are digests of all of it."""

    def __init__(self, work: Callable[[Shared, Piece], Outcome], pieces: Sequence[Piece], shared: Shared) -> None:
        self.work = work
        self.pieces = pieces
        self.shared = shared
        self._data = pickle.dumps(shared, protocol=5)
        self._head = hashlib.sha256(self._data)
        self.size = len(self._data)
        self.scattered = self.size > KEPT
        self._name = self._head.hexdigest()[:32]
        self._head.update(repr((version(), work.__module__, work.__qualname__)).encode())

    def common(self, client: Client, attempt: int = 0, workers: Sequence[str] | None = None) -> Future[Any]:
        """The shared data on the cluster, on some workers first. A worker has them once, from the scheduler or another worker."""
        if not self.scattered:
            key = f"mensura-shared-{self._name}-{attempt}"
            return client.submit(pickle.loads, self._data, key=key, workers=workers, allow_other_workers=workers is not None)
        [future] = client.scatter([self.shared], workers=workers, broadcast=True, hash=False)
        return future

    def submit(
        self, client: Client, common: Future[Any], group: range, attempt: int = 0, workers: Sequence[str] | None = None
    ) -> Future[Any]:
        """Send a group of pieces; ``workers`` are those that do it, as long as one of them is there."""
        some = [self.pieces[number] for number in group]
        name = self._head.copy()
        name.update(pickle.dumps(some, protocol=5))
        key = f"mensura-{self.work.__name__}-{name.hexdigest()[:32]}-{attempt}"
        where: Any = {"workers": workers, "allow_other_workers": workers is not None}
        return client.submit(do_pieces, version(), self.work, common, some, key=key, retries=2, **where)


@contextlib.contextmanager
def explained(client: Client, address: str, job: Dispatch[Any, Any, Any]) -> Iterator[None]:
    """Turn errors of Dask's about the outcome of a task into sentences."""
    try:
        yield
    except KilledWorker as error:
        raise MensuraError(
            f"a piece of the work ended {error.allowed_failures + 1} workers one after the other, most likely for lack of "
            "memory; give the workers more of it (dask worker --memory-limit), or files with fewer topics"
        ) from None
    except (CancelledError, FutureCancelledError):
        lost = DROPPED if job.scattered and client.status == "running" else LOST
        raise MensuraError(lost.format(address=address, size=job.size / 1e6)) from None
    except MensuraError:
        raise
    except OSError as error:
        raise MensuraError(f"{LOST.format(address=address)} ({type(error).__name__}: {error})") from None
    except Exception as error:
        raise MensuraError(f"a worker of {address} failed: {type(error).__name__}: {error}") from error


def version() -> str:
    """The version of Mensura in this process."""
    import mensura

    return mensura.__version__


def wrong_version(worker: str, installed: object) -> str:
    """The sentence about a worker of another version."""
    return (
        f"the worker {worker} has Mensura {installed}, and this is {version()}; results of two versions are not mixed, "
        f"so install {version()} there"
    )


def do_pieces(expected: str, work: Callable[[Shared, Piece], Outcome], shared: Shared, pieces: list[Piece]) -> Any:
    """Work on a group of pieces: the seconds that it took, and outcomes.

    An error of Mensura's is an outcome: it would be the same on every other worker.
    """
    started = time.perf_counter()
    if version() != expected:  # a worker that came after the others had been asked
        return 0.0, [MensuraError(wrong_version("that joined", version())), *[None] * (len(pieces) - 1)]
    outcomes: list[Any] = []
    for piece in pieces:
        try:
            outcomes.append(retried(partial(work, shared, piece)))
        except MensuraError as error:
            error.__cause__ = error.__context__ = None  # causes of other packages may not be picklable
            outcomes += [error, *[None] * (len(pieces) - len(outcomes) - 1)]
            break
    return time.perf_counter() - started, outcomes
