"""Choosing an engine: nothing of Dask is imported before it is asked for."""

from __future__ import annotations

import os
from contextlib import closing, nullcontext
from typing import TYPE_CHECKING, Any

from mensura.errors import MensuraError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from mensura.engines.engine import Engine

NAMES = ("threads", "dask")
SCHEDULER = "MENSURA_SCHEDULER"


def open_engine(engine: Any = None, scheduler: str | None = None, threads: int | None = None) -> Engine | None:
    """Return the engine of a command or call, or ``None`` for the threads of this process.

    Parameters
    ----------
    engine
        ``None``, ``"threads"`` or ``"dask"``; in Python also the address of a scheduler, or a ``Client`` of Dask's.
    scheduler
        Address of a scheduler, by default that of the environment variable MENSURA_SCHEDULER. Without one, ``"dask"`` starts
        workers on this machine.
    threads
        Number of those workers.
    """
    if engine is None or engine == "threads":
        if scheduler is not None:
            raise MensuraError("--scheduler is the address of Dask's scheduler; use it with --engine dask")
        return None
    if isinstance(engine, str) and engine != "dask" and "://" not in engine:
        raise MensuraError(f"unknown engine {engine!r}; expected {' or '.join(NAMES)}, or in Python the address of a scheduler")
    try:
        from mensura.engines.dask import Dask
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in {"dask", "distributed"}:
            raise
        raise MensuraError("the engine dask needs Dask; pip install 'mensura[dask]'") from None
    if engine == "dask":
        return Dask(scheduler or os.environ.get(SCHEDULER) or None, workers=threads)
    return Dask(engine)


def opened(engine: Any, threads: int | None = None) -> AbstractContextManager[Engine | None]:
    """Open an engine by its name, and close it after the work; one that is open already stays so."""
    if hasattr(engine, "run") and hasattr(engine, "close") and hasattr(engine, "name"):
        return nullcontext(engine)
    spreading = open_engine(engine, threads=threads)
    return nullcontext() if spreading is None else closing(spreading)
