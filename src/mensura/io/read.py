"""One way in: judgments and runs from files, dicts and data frames."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from mensura.io.columns import Qrels, Run
from mensura.io.files import Source, expand, source
from mensura.io.trec import parse_qrels, parse_run

TABLE_ENDINGS = {".csv", ".tsv", ".json", ".parquet"}


def read_qrels(qrels: str | os.PathLike[str] | Mapping[str, Mapping[str, int]] | Any) -> Qrels:
    """Read judgments.

    Parameters
    ----------
    qrels
        A path (TREC's format, csv, parquet, json or BEIR's tsv; plain, .gz or .zst; ``-`` for standard input), a dict
        {topic: {document: grade}}, or a data frame (pandas, polars, Arrow) with columns such as ``query_id``, ``doc_id``,
        ``relevance``.

    Examples
    --------
    >>> read_qrels({"q1": {"d1": 1, "d2": 0}})
    Qrels('<dict>': 1 topics, 2 judgments)
    """
    if isinstance(qrels, Qrels):
        return qrels
    if isinstance(qrels, str | os.PathLike | Source):
        origin = qrels if isinstance(qrels, Source) else source(qrels)
        if is_table(origin):
            from mensura.io.tables import qrels_from_file

            return qrels_from_file(origin)
        return parse_qrels(origin)
    from mensura.io.tables import qrels_from_object

    return qrels_from_object(qrels)


def read_run(run: str | os.PathLike[str] | Mapping[str, Mapping[str, float]] | Any, *, name: str | None = None) -> Run:
    """Read a whole run.

    To evaluate run files, pass their paths to :func:`mensura.evaluate` or :func:`mensura.judge`: they are then judged while they
    are read, which is faster and needs little memory.

    Parameters
    ----------
    run
        A path, a dict {topic: {document: score}}, or a data frame with columns such as ``query_id``, ``doc_id``, ``score``.
    name
        The system's name; by default the tag in the file, or the file's name.
    """
    if isinstance(run, Run):
        result = run
    elif isinstance(run, str | os.PathLike):
        result = read_source(source(run))
    else:
        from mensura.io.tables import run_from_object

        result = run_from_object(run)
    return result if name is None else Run(name, result.table)


def read_source(origin: Source) -> Run:
    """Read a run from a file of any format."""
    if is_table(origin):
        from mensura.io.tables import run_from_file

        return run_from_file(origin)
    return parse_run(origin)


def run_inputs(runs: Any) -> list[Source | Run]:
    """Return runs as :class:`mensura.io.reading.Reading` takes them: files in TREC's format are judged while they are read.

    One run, several, or a dict of them by name; a path may be a pattern.
    """
    if isinstance(runs, Mapping) and not _is_run(runs):
        return [read_run(run, name=str(name)) for name, run in runs.items()]
    if not isinstance(runs, list | tuple):
        runs = [runs]
    inputs: list[Source | Run] = []
    for run in runs:
        if isinstance(run, str | os.PathLike | Source):
            origins = [run] if isinstance(run, Source) else [source(path) for path in expand([run])]
            inputs += [read_source(origin) if is_table(origin) else origin for origin in origins]
        else:
            inputs.append(read_run(run))
    return inputs


def _is_run(table: Mapping[Any, Any]) -> bool:
    """Return whether this is {topic: {document: score}} rather than {system: run}."""
    first = next(iter(table.values()), None)
    return isinstance(first, Mapping) and not isinstance(next(iter(first.values()), None), Mapping)


def is_table(origin: Source) -> bool:
    """Return whether this is a csv, tsv, json or parquet file rather than one in TREC's format.

    A .tsv file is often TREC's format with tabs (MS MARCO's qrels are): it counts as a table only if its first line is a header.
    """
    ending = origin.endings[-1] if origin.endings else ""
    if ending not in TABLE_ENDINGS:
        return False
    if ending != ".tsv":
        return True
    from mensura.io.tables import has_header

    return has_header(origin, "\t")
