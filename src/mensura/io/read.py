"""One way in: judgments and runs from files, dicts, data frames and other tools' objects."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeGuard

from mensura.engines.engine import TriedError
from mensura.errors import InputError
from mensura.io.columns import Qrels, Run, system_name
from mensura.io.files import PART, Parts, Source, expand, folder_files, source
from mensura.io.intake import Faults, intake_error
from mensura.io.trec import parse_qrels, parse_run

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TABLE_ENDINGS = {".csv", ".tsv", ".json", ".jsonl", ".parquet"}
IRDS = "irds:"


def read_qrels(
    qrels: str | os.PathLike[str] | Mapping[str, Mapping[str, int]] | Any, *, columns: Mapping[str, Any] | None = None
) -> Qrels:
    """Read judgments.

    Parameters
    ----------
    qrels
        A path (TREC's format, csv, parquet, json, JSON lines or BEIR's tsv; plain, .gz or .zst; ``-`` for standard input), a dict
        {topic: {document: grade}}, rows of (topic, document, grade), a data frame (pandas, polars, Arrow, DuckDB, Hugging Face)
        with columns such as ``query_id``, ``doc_id``, ``relevance``, or ``irds:`` and the name of a dataset of ir_datasets.
    columns
        Names of columns, where they are not known or ambiguous: {"topic": …, "document": …, "grade": …}.

    Examples
    --------
    >>> read_qrels({"q1": {"d1": 1, "d2": 0}})
    Qrels('<dict>': 1 topics, 2 judgments)
    """
    if isinstance(qrels, Qrels):
        return qrels
    if isinstance(qrels, str | os.PathLike | Source):
        if isinstance(qrels, str) and qrels.startswith(IRDS):
            return read_qrels(_dataset(qrels))
        origin = qrels if isinstance(qrels, Source) else source(qrels)
        if is_table(origin):
            from mensura.io.tables import qrels_from_file

            return qrels_from_file(origin, columns)
        with _all_of(origin, is_run=False):
            return parse_qrels(origin)
    from mensura.io.objects import checked_qrels, object_table

    return checked_qrels(object_table(qrels, graded=True, columns=columns))


def read_run(
    run: str | os.PathLike[str] | Mapping[str, Mapping[str, float]] | Any,
    *,
    name: str | None = None,
    columns: Mapping[str, Any] | None = None,
) -> Run:
    """Read a whole run.

    To evaluate run files, pass their paths to :func:`mensura.evaluate` or :func:`mensura.judge`: they are then judged while they
    are read, which is faster and needs little memory.

    Parameters
    ----------
    run
        A path, a dict {topic: {document: score}}, a dict {topic: [document, …]} in the order of ranks, rows of (topic, document,
        score), or a data frame with columns such as ``query_id``, ``doc_id``, ``score``.
    name
        The system's name; by default the tag in the file, or the file's name.
    columns
        Names of columns, where they are not known or ambiguous: {"topic": …, "document": …, "score" or "rank": …}.
    """
    if isinstance(run, Run):
        result = run
    elif isinstance(run, str | os.PathLike | Source):
        if isinstance(run, str) and run.startswith(IRDS):
            return read_run(_dataset(run), name=run.removeprefix(IRDS) if name is None else name)
        stored = read_source(run if isinstance(run, Source) else source(run), columns)
        result = Run(stored.name, stored.table)  # a frame is looked through now, not when somebody asks for its rows
    else:
        from mensura.io.objects import object_table

        result = Run(_own_name(run), object_table(run, graded=False, columns=columns))
    return result if name is None else Run(system_name(name), result.held)


@contextmanager
def _all_of(origin: Source, *, is_run: bool) -> Iterator[None]:
    """Turn an error about a line into one about all lines that have a fault."""
    try:
        yield
    except InputError as error:
        raise intake_error([Faults.of(error, [origin], is_run=is_run)], skippable=False) from None


def _own_name(run: Any) -> str:
    """The name that an object of ranx or of ir_datasets carries, or ``run``."""
    own = None if hasattr(run, "reset_index") else getattr(run, "name", None)  # a series of pandas is called as its column
    return own if isinstance(own, str) and own else "run"


def _dataset(name: str) -> Any:
    """Return a dataset of ir_datasets."""
    try:
        import ir_datasets
    except ImportError:
        raise InputError("datasets need ir_datasets; pip install 'mensura[ir_datasets]'", source=name) from None
    try:
        return ir_datasets.load(name.removeprefix(IRDS))
    except KeyError:
        raise InputError("ir_datasets does not know this dataset", source=name) from None


def read_source(origin: Source, columns: Mapping[str, Any] | None = None) -> Run:
    """Read a run from a file of any format."""
    if is_table(origin, is_run=True):
        from mensura.io.tables import run_from_file

        return run_from_file(origin, columns)
    with _all_of(origin, is_run=True):
        return parse_run(origin)


def run_inputs(runs: Any, *, lazy: bool = False, faults: list[InputError] | None = None) -> list[Source | Parts | Run]:
    """Return runs as :class:`mensura.io.reading.Reading` takes them: files in TREC's format are judged while they are read.

    One run, several, or a dict of them by name; a path may be a pattern. With ``lazy``, other files stay files too. With
    ``faults``, a run that cannot be read is left out and its error is added there.
    """
    inputs: list[Source | Parts | Run] = []
    if isinstance(runs, Mapping) and not _is_run(runs):
        for name, run in runs.items():
            with _noted(faults):
                inputs.append(_named(run, system_name(name)))
    elif isinstance(runs, list | tuple) and not _is_rows(runs):
        inputs = _several(runs, faults, lazy=lazy)
    else:
        inputs = _several([runs], faults, lazy=lazy)
    if not inputs and not faults:
        raise InputError("expected at least one run, got none")
    return inputs


@contextmanager
def _noted(faults: list[InputError] | None) -> Iterator[None]:
    """Add an error to the faults; without a list of them, raise it."""
    try:
        yield
    except InputError as error:
        if faults is None or isinstance(error.__cause__, TriedError):  # other files of this storage would not be read either
            raise
        faults.append(error)


def _several(runs: Iterable[Any], faults: list[InputError] | None, *, lazy: bool) -> list[Source | Parts | Run]:
    inputs: list[Source | Parts | Run] = []
    unnamed = 0
    for run in _in_parts(runs):
        with _noted(faults):
            if isinstance(run, Parts):
                inputs.append(run)
            elif isinstance(run, Source):
                inputs.append(_file(run, lazy=lazy))
            elif is_path(run):
                inputs.append(_parts(run) or _file(source(run), lazy=lazy))
            else:
                held = _held(run)
                unnamed += held.name == "run" and held is not run
                inputs.append(held if unnamed < 2 or held.name != "run" else Run(f"run{unnamed}", held.held))  # noqa: PLR2004 - from the second on
    return inputs


def is_path(run: object) -> TypeGuard[str | os.PathLike[str]]:
    """Return whether this names a file."""
    return isinstance(run, str | os.PathLike) and not (isinstance(run, str) and run.startswith(IRDS))


def _in_parts(runs: Iterable[Any]) -> Iterator[Any]:
    """Yield runs, with patterns replaced by files, and several files of one folder that are called parts by the run they are."""
    named = [each for run in runs for each in (expand([run]) if is_path(run) else [run])]
    folders: dict[str, list[str]] = {}
    for path in named:
        if isinstance(path, str) and os.path.basename(path).startswith(PART):
            folders.setdefault(os.path.dirname(path), []).append(path)
    done = set()
    for run in named:
        folder = os.path.dirname(run) if isinstance(run, str) else ""
        parts = folders.get(folder, []) if isinstance(run, str) and os.path.basename(run).startswith(PART) else []
        if len(parts) < 2:  # noqa: PLR2004 - one part is a file
            yield run
        elif folder not in done:
            done.add(folder)
            yield Parts(folder or ".", tuple(map(source, parts)))


def _parts(path: str | os.PathLike[str]) -> Parts | None:
    """Return the parts in a folder, or ``None`` for a file and for a folder without any."""
    folder = os.fspath(path)
    parts = folder_files(folder, PART)
    return Parts(folder.rstrip("/"), tuple(map(source, parts))) if parts else None


def _file(origin: Source, *, lazy: bool) -> Source | Run:
    return read_source(origin) if not lazy and is_table(origin, is_run=True) else origin


def _named(run: Any, name: str) -> Run:
    held = _held(run, name)
    return Run(name, held.held)


def _held(run: Any, name: str | None = None) -> Run:
    """Return a run that is judged where it is, if it is a dict or a frame, and else one in columns; errors tell its name."""
    if isinstance(run, str | os.PathLike | Source | Run):
        return read_run(run)
    from mensura.io.checks import Checks
    from mensura.io.objects import DICT, HeldLists, by_topic, held_object, is_frame, named_source

    if not isinstance(run, Mapping) or any(is_frame(each) for each in run.values()):
        return Run(_own_name(run), held_object(run, graded=False, name=name))
    where = named_source(DICT, name)
    return Run("run", HeldLists(where, by_topic(run, Checks(where, graded=False))))


def _is_rows(runs: Any) -> bool:
    """Return whether this is one run as rows of (topic, document, score), not a list of runs."""
    if not runs or isinstance(runs[0], str | os.PathLike | Source | Run):
        return False
    from mensura.io.objects import is_rows

    return is_rows(runs)


def _is_run(table: Mapping[Any, Any]) -> bool:
    """Return whether this is {topic: documents} rather than {system: run}: the first that is not empty decides."""
    for content in table.values():
        if isinstance(content, Mapping):
            for each in content.values():
                return not isinstance(each, Mapping | list | tuple | set | frozenset) and not getattr(each, "ndim", 0)
        elif isinstance(content, list | tuple):
            if content:
                return not (isinstance(content[0], tuple | list | Mapping) and len(content[0]) > 2)  # noqa: PLR2004 - rows of a run, not pairs of a topic
        elif hasattr(content, "ndim") and not hasattr(content, "columns"):
            levels = getattr(getattr(content, "index", None), "nlevels", 1)  # a series of pandas may be a whole run
            return content.ndim == 1 and levels == 1 and getattr(content.dtype, "names", None) is None
        else:
            return isinstance(content, int | float)  # nothing that a run could be read from: by_topic says what is wrong
    return bool(table)


def files_of(run: object) -> list[Source]:
    """Return the files of a run that are in TREC's format: the reader of a table has listed its faults."""
    files = (run,) if isinstance(run, Source) else run.origins if isinstance(run, Parts) else ()
    return [file for file in files if not is_table(file, is_run=True)]


def is_table(origin: Source, *, is_run: bool = False) -> bool:
    """Return whether this is a csv, tsv, json, JSON lines or parquet file rather than one in TREC's format.

    A .tsv file is often TREC's format with tabs (MS MARCO's qrels are): it counts as a table only if its first line is a header, or
    of three columns in a run of MS MARCO's (topic, document, rank).
    """
    ending = origin.endings[-1] if origin.endings else ""
    if ending not in TABLE_ENDINGS:
        return False
    if ending != ".tsv":
        return True
    from mensura.io.tables import has_header, is_ranked

    return has_header(origin, "\t") or (is_run and is_ranked(origin))
