"""One way in: judgments and runs from whatever holds them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from mensura.io.columns import Qrels, Run
from mensura.io.files import Source, source
from mensura.io.trec import parse_qrels, parse_run

if TYPE_CHECKING:
    from collections.abc import Mapping

TABLE_ENDINGS = {".csv", ".tsv", ".json", ".parquet"}


def read_qrels(qrels: str | os.PathLike[str] | Mapping[str, Mapping[str, int]] | Any) -> Qrels:
    """Reads judgments.

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
    if isinstance(qrels, str | os.PathLike):
        origin = source(qrels)
        if is_table(origin):
            from mensura.io.tables import qrels_from_file

            return qrels_from_file(origin)
        return parse_qrels(origin)
    from mensura.io.tables import qrels_from_object

    return qrels_from_object(qrels)


def read_run(run: str | os.PathLike[str] | Mapping[str, Mapping[str, float]] | Any, *, name: str | None = None) -> Run:
    """Reads a run, all of it.

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
        made = run
    elif isinstance(run, str | os.PathLike):
        made = read_source(source(run))
    else:
        from mensura.io.tables import run_from_object

        made = run_from_object(run)
    return made if name is None else Run(name, made.table)


def read_source(origin: Source) -> Run:
    """A run from a file, whatever its format."""
    if is_table(origin):
        from mensura.io.tables import run_from_file

        return run_from_file(origin)
    return parse_run(origin)


def run_input(run: Run | str | os.PathLike[str]) -> Source | Run:
    """A run as :class:`mensura.io.reading.Reading` takes it: TREC files are left to be judged while they are read."""
    if isinstance(run, str | os.PathLike):
        origin = source(run)
        return read_source(origin) if is_table(origin) else origin
    return read_run(run)


def is_table(origin: Source) -> bool:
    """Is this a csv, tsv, json or parquet file, rather than one in TREC's format?

    A .tsv file is often TREC's format with tabs (MS MARCO's qrels are): it counts as a table only if its first line is a header.
    """
    ending = origin.endings[-1] if origin.endings else ""
    if ending not in TABLE_ENDINGS:
        return False
    if ending != ".tsv":
        return True
    from mensura.io.tables import has_header

    return has_header(origin, "\t")
