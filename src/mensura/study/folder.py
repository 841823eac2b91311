"""A study as a folder of files: tables, pictures, study.json."""

from __future__ import annotations

import json
import math
import platform
from dataclasses import asdict
from importlib import metadata
from typing import TYPE_CHECKING, Any

import mensura
from mensura.engines.threads import spread
from mensura.io.writing import make_folder, write_whole
from mensura.render.charts.draw import draw
from mensura.render.charts.study import changed_decisions, changed_places, spacing_by_length, tau_by_length
from mensura.study.names import test_title
from mensura.study.paper_tables import as_csv, as_latex, as_markdown, tables
from mensura.study.summary import both_places, sentences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from mensura.render.charts.draw import Description
    from mensura.study.experiment import Study


def write_study(
    study: Study,
    folder: Path,
    *,
    inputs: Mapping[str, str] | None = None,
    parameters: Mapping[str, Any] | None = None,
    record: Mapping[str, Any] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Path]:
    """Writes all files of a study, each whole or not at all; study.json comes last.

    ``inputs`` are digests of the files that the study was made from, ``parameters`` what else it was called with, and ``record``
    tells how it came about.
    """
    files: dict[str, bytes] = {}
    for table in tables(study):
        files[f"{table.name}.csv"] = as_csv(table).encode()
        files[f"{table.name}.tex"] = as_latex(table).encode()
        files[f"{table.name}.md"] = as_markdown(table).encode()
    drawn = {folder / "figures" / f"{name}.svg": picture for name, picture in pictures(study)}
    files["summary.txt"] = ("\n".join(sentences(study)) + "\n").encode()
    document = as_json(study, inputs or {}, parameters or {})
    last = json_text(document if record is None else {**document, "record": dict(record)})
    make_folder(folder / "figures")
    for name, content in files.items():
        write_whole(content, folder / name)
    for done, _ in enumerate(spread(lambda path: draw(drawn[path], path), drawn), start=1):
        if progress is not None:
            progress(done, len(drawn))
    write_whole(last, folder / "study.json")
    written = [*(folder / name for name in files), *drawn, folder / "study.json"]
    for path in written:  # what a killed study left of a file that it was writing
        for rest in path.parent.glob(f".{path.name}.*"):
            rest.unlink(missing_ok=True)
    return written


def pictures(study: Study) -> Iterator[tuple[str, Description]]:
    """The pictures of a study by their names."""
    for label in study.labels:
        cells = [study.cell(label, length) for length in study.lengths]
        safe = "".join(c if c.isalnum() or c in "_-" else "_" for c in label)
        yield f"values_{safe}", spacing_by_length(label, study.name, [(cell.length, cell.possible, cell.seen) for cell in cells])
    rows = [(cell.label, cell.length, way, tau) for cell in study.cells for way, tau in cell.tau.items()]
    yield "tau", tau_by_length(study.name, rows)
    length = study.lengths[-1]
    longest = [study.cell(label, length) for label in study.labels]
    if study.tests:
        counts = [
            (cell.label, test_title(test), found.sig, found.s2ns, found.ns2s)
            for cell in longest
            for test, found in cell.decisions.items()
        ]
        yield "decisions", changed_decisions(f"{study.track(length)}: decisions that change", counts)
    places = []
    for cell in longest:
        before, after = both_places(cell)
        places += [(cell.label, *row) for row in zip(study.systems, before.tolist(), after.tolist(), strict=True)]
    yield "places", changed_places(f"{study.track(length)}: places that change", places)


def as_json(study: Study, inputs: Mapping[str, str], parameters: Mapping[str, Any]) -> dict[str, Any]:
    """All of a study, and what it was made from and with. Timings are in a file of their own: they are never the same twice."""
    return {
        "name": study.name,
        "inputs": dict(inputs),
        "judged_runs": study.digest,
        "versions": versions(),
        "seed": study.seed,
        "parameters": {
            "measures": [str(measure) for measure in study.measures],
            "lengths": study.lengths,
            "tests": study.tests,
            "ties": study.ties,
            "alpha": study.alpha,
            "rel": study.rel,
            **parameters,
        },
        "timings": "timings.json",
        "systems": study.systems,
        "topics": study.topics,
        "grades": study.grades,
        "system_pairs": study.system_pairs,
        "summary": sentences(study),
        "tables": {table.name: [dict(zip(table.header, row, strict=True)) for row in table.rows] for table in tables(study)},
        "between_measures": [
            {"length": length, "pair": list(pair), "tau": _finite(before), "tau_on_interval_scales": _finite(after)}
            for length in study.lengths
            for pair, (before, after) in study.between(length).items()
        ],
        "cells": [_finite(asdict(cell)) for cell in study.cells],
    }


def versions() -> dict[str, str]:
    """The versions that a result may depend on."""
    packages = {name: metadata.version(name) for name in ("numpy", "scipy", "vl-convert-python")}
    return {"mensura": mensura.__version__, "python": platform.python_version(), **packages}


def _finite(value: Any) -> Any:
    """JSON has no NaN."""
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def json_text(document: Any) -> bytes:
    """A JSON document as it is written."""
    return (json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8", "surrogateescape")
