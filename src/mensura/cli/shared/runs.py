"""Judgments and runs of a command."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import closing, nullcontext, suppress
from typing import TYPE_CHECKING, Any

from mensura.engines.choice import open_engine
from mensura.errors import MensuraError
from mensura.judged.entrance import begin, collect
from mensura.measures.needs import needs_of_names

if TYPE_CHECKING:
    from argparse import Namespace
    from contextlib import AbstractContextManager

    from mensura.engines.engine import Engine
    from mensura.io.reading import Reading
    from mensura.judged.entrance import Needs
    from mensura.judged.runs import JudgedRuns

LARGE = 1 << 22  # bytes of judgments that take as long to read as NumPy to import


def begin_reading(arguments: Namespace, engine: Engine | None, needs: Needs | None = None) -> Reading:
    """Begin to read the runs of a command that takes QRELS and RUNs: what its measures need of them, or ``needs``."""
    _import_ahead(arguments.qrels)
    if needs is None:
        needs = needs_of_names(arguments.measures, own_measures=bool(arguments.plugin))
    ties = getattr(arguments, "tie_order", "id")
    options: Any = {"compat": arguments.compat, "threads": arguments.threads, "ties": ties, "drop_self": arguments.drop_self}
    return begin(arguments.qrels, arguments.runs, needs, **options, engine=engine, skip_bad_runs=arguments.skip_bad_runs)


def engine_of(arguments: Namespace) -> AbstractContextManager[Engine | None]:
    """The engine of a command for work with measures after reading, closed at its end."""
    if arguments.engine == "dask" and getattr(arguments, "plugin", None):
        raise MensuraError("workers of Dask do not have the measures of --plugin; leave --engine out, or install them as a package")
    return command_engine(arguments)


def command_engine(arguments: Namespace) -> AbstractContextManager[Engine | None]:
    """The engine of a command, which reports to standard error, or ``None`` for the threads of this process; closed at its end."""
    engine: Any = open_engine(arguments.engine, arguments.scheduler, getattr(arguments, "threads", None))
    if engine is None:
        return nullcontext()
    engine.report = lambda text: sys.stderr.write(f"mensura: note: {text}\n")
    if engine.dashboard is not None:
        engine.report(f"the workers are shown at {engine.dashboard}")
    return closing(engine)


def _import_ahead(qrels: str) -> None:
    """Import NumPy on a thread of its own while many judgments are read: both take about as long, and reading needs no lock."""
    try:
        if os.stat(qrels).st_size < LARGE:
            return
    except (OSError, ValueError):  # said where it is read
        return

    def work() -> None:
        with suppress(ImportError):  # raised again where it is needed
            import numpy as np  # noqa: F401 - imported for those who need it later

    threading.Thread(target=work, daemon=True).start()


def finish_reading(reading: Reading) -> JudgedRuns:
    """Wait for the judged runs, with a progress bar."""
    from mensura.cli.shared.output import progress

    if any(getattr(run, "digest", None) is not None for run in reading.runs):  # a record will be written; the readers still run
        from mensura.record import files, primad  # noqa: F401 - imported for the record
    with progress("reading runs") as tell:
        return collect(reading, tell)


def judged_runs(arguments: Namespace, needs: Needs | None = None) -> JudgedRuns:
    """Read the judged runs of a command that has no remarks of its own on runs that were left out."""
    with command_engine(arguments) as engine:
        judged = finish_reading(begin_reading(arguments, engine, needs))
    if judged.left_out:
        from mensura.evaluation.remarks import left_out

        sys.stderr.write(f"mensura: note: {left_out(judged)}\n")
    return judged
