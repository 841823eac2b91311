"""A study as text for a terminal, and as a folder of files: tables, charts, study.json."""

from __future__ import annotations

import platform
from dataclasses import asdict
from functools import partial
from importlib import metadata
from typing import TYPE_CHECKING, Any

from mensura.engines.threads import spread
from mensura.io.folders import Filled
from mensura.render.charts.draw import drawn
from mensura.render.charts.study import changed_decisions, changed_places, spacing_by_length, tau_by_length
from mensura.render.latex import as_latex
from mensura.render.numbers import absent, be, change, fixed, general, listing, percent, plain, whole
from mensura.render.tables import Table, View, as_markdown, as_text, csv_text, json_text
from mensura.render.text import encoded, wrap
from mensura.scales.facts import PER_TOPIC
from mensura.stats.results import plural
from mensura.study.names import safe_name, test_title
from mensura.study.paper_tables import tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from mensura.render.charts.draw import Description
    from mensura.render.tables import Format
    from mensura.study.cell import Cell
    from mensura.study.changes import Changes, MeanChange
    from mensura.study.experiment import Move, Places, Study
    from mensura.study.paper_tables import PaperTable

SAME = 5e-5  # a τ that is printed as 1.0000
MOVERS = 5  # systems that a sentence names
# How the values of each kind of column are written: for people, and in csv, where the published tables have so many decimals too.
KINDS: dict[str, tuple[Format, Format]] = {
    "text": (str, str),
    "count": (partial(fixed, decimals=0), partial(plain, decimals=0)),
    "tau": (fixed, partial(plain, decimals=4)),
    "percent": (partial(fixed, decimals=2), partial(plain, decimals=2)),
    "change": (change, partial(change, ascii_only=True)),
    "rate": (partial(fixed, decimals=5), partial(plain, decimals=5)),
}


# ── for a terminal ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def as_terminal_text(study: Study) -> str:
    """One line per measure, then sentences."""
    length = study.lengths[-1]
    labels, moved = study.labels, [move.measure for move in study.moves]
    way = "unq" if "unq" in study.ties else study.ties[0]
    cells = {(cell.label, cell.length): cell for cell in study.cells}
    table = Table(
        ["measure", *(f"τ@{n}" for n in study.lengths), "changed", "moved"],
        [
            (
                label,
                *(cells[label, n].tau[way] for n in study.lengths),
                cells[label, length].changed / 100,
                moved.count(label),
            )
            for label in labels
        ],
        formats=[None, *[fixed] * len(study.lengths), percent],
    )
    grades = "binary" if study.grades == (0, 1) else f"grades {study.grades[0]} to {study.grades[-1]}"
    return (
        f"{study.name}: {plural(len(study.systems), 'system')}, {plural(len(study.topics), 'topic')}, {grades}\n\n"
        f"{as_text(table)}\n"
        f"τ: between leaderboards by the measure and on its interval scale. At length {length}, changed: decisions of tests\n"
        "that change on the interval scale, per significant one; moved: systems whose rank changes.\n\n"
        + "".join(f"{wrap('- ' + sentence, '  ')}\n" for sentence in sentences(study))
    )


def sentences(study: Study) -> list[str]:
    """The results of a study at its longest length, in sentences."""
    cells = [cell for cell in study.cells if cell.length == study.lengths[-1]]
    moves, places, broken, changes = study.moves, study.places, study.broken, study.changes
    return [
        *_distances(study, cells),
        *_decisions(study, cells, changes),
        *surrogate_sentence(study),
        *_places(study, cells, moves, places),
        *_checks(study, broken),
    ]


def _distances(study: Study, cells: Sequence[Cell]) -> Iterator[str]:
    taus = {cell.label: tau for cell in cells if (tau := cell.tau.get("unq")) is not None and not absent(tau)}
    interval = [label for label, tau in taus.items() if tau > 1 - SAME]
    if interval:
        yield f"{listing(interval)} {'gives' if len(interval) == 1 else 'give'} the same leaderboard on the interval scale (τ = 1)."
    far = sorted((tau, label) for label, tau in taus.items() if label not in interval)[:3]
    if far:
        yield f"Farthest from interval on {study.name}: {listing([f'{label} (τ = {fixed(tau, 3)})' for tau, label in far])}."


def _decisions(study: Study, cells: Sequence[Cell], changes: Mapping[int, Changes]) -> Iterator[str]:
    decisions = [each for cell in cells for each in cell.decisions.values()]
    if decisions:
        sig, lost, new = (sum(counts) for counts in zip(*((each.sig, each.s2ns, each.ns2s) for each in decisions), strict=True))
        proportion = f" ({percent(lost + new, sig)})" if sig else ""
        yield (
            f"Of {plural(sig, 'significant difference')} ({plural(len(cells), 'measure')}, {plural(len(study.tests), 'test')}, "
            f"α = {general(study.alpha)}), {lost} {be(lost)} no longer significant on the interval scale "
            f"and {new} {be(new)} new{proportion}."
        )
        yield from change_sentences(changes[study.lengths[-1]])


def change_sentences(changes: Changes) -> Iterator[str]:
    """The averages of changed decisions, each with its name, and the means of P4's groups."""
    mean, everywhere = changes.changeable, changes.everywhere
    if mean.cells:
        yield (
            f"Changed decisions per significant pair (Δ%): {_with_half_width(mean)} % is the mean over the "
            f"{plural(mean.cells, 'cell')} (measure, test and track) that can change, which P4 reports; "
            f"{fixed(everywhere.delta, 1)} % over all {plural(everywhere.cells, 'cell')}; "
            f"{fixed(changes.pooled, 1)} % of all significant pairs taken together; "
            f"{fixed(changes.of_decisions, 1)} % of all {whole(changes.decisions)} decisions."
        )
        groups = [
            f"{name} {fixed(group.s2ns, 1)} and {fixed(group.ns2s, 1)} %" for name, group in changes.groups.items() if group.cells
        ]
        yield f"Means over these cells of lost (S2NS) and new differences (NS2S): {'; '.join(groups)}."


def _with_half_width(mean: MeanChange) -> str:
    return fixed(mean.delta, 1) if absent(mean.half_width) else f"{fixed(mean.delta, 1)} ± {fixed(mean.half_width, 1)}"


def surrogate_sentence(study: Study) -> Iterator[str]:
    """Measures whose common scale is a surrogate (P4 §VI-C, §VIII)."""
    pairs = [(label, measure) for label, measure in zip(study.labels, study.measures, strict=True) if measure.uses_recall_base]
    bound = [label for label, measure in pairs if not measure.on_topics.scale_per_topic]
    own = [label for label, measure in pairs if measure.on_topics.scale_per_topic]
    if own:
        has = "has" if len(own) == 1 else "have"
        yield f"{listing(own)} {has} an interval scale for each topic, and none for all (P4 VI-C): means are of rank / steps."
    if bound:
        depends = "depends" if len(bound) == 1 else "depend"
        yield (
            f"{listing(bound)} {depends} on the recall base: one scale for all topics is a surrogate, which shows tendencies and "
            f"not exact amounts (P4 VI-C); {PER_TOPIC} gives each topic its own scale."
        )


def _places(study: Study, cells: Sequence[Cell], moves: Sequence[Move], places: Places) -> Iterator[str]:
    if moves:
        top = [f"{move.system} by {move.measure}, {general(move.before)} → {general(move.after)}" for move in moves[:MOVERS]]
        yield f"Largest changes of rank: {'; '.join(top)}."
    leaders = []
    for cell in cells:
        before, after = (study.systems[int(ranks.argmin())] for ranks in places[cell.label, cell.length])
        if before != after:
            leaders.append(f"{cell.label}: {before} → {after}")
    if leaders:
        yield f"The best system changes: {'; '.join(leaders)}."
    else:
        yield "The best system is the same on both scales, by every measure."


def _checks(study: Study, broken: Sequence[tuple[str, int, str]]) -> Iterator[str]:
    for how, what in (("bounded", "Certified bounds"), ("estimated", "Estimates with error bars")):
        rough = [cell for cell in study.cells if cell.how == how]
        if rough:
            widest = general(max(cell.width for cell in rough), 1)
            named = listing([f"{cell.label} at {cell.length}" for cell in rough])
            yield f"{what}, {widest} of the scale apart, replace the exact ranks of {named}."
    exact = sum(1 for cell in study.cells for tau in cell.by_topic.values() if tau is not None)
    if broken:
        wrong = [f"{label} at {length} ({way})" for label, length, way in broken]
        yield f"WRONG: topic by topic τ is not 1 for {listing(wrong)}; report this, with the data."
    elif exact:
        yield f"Topic by topic, τ is 1 in all {exact} cases, as it must be."


# ── a folder ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def write_study(
    study: Study,
    folder: Path,
    *,
    inputs: Mapping[str, str],
    parameters: Mapping[str, Any],
    record: Mapping[str, Any] | None,
    progress: Callable[[int, int], None] | None,
) -> list[Path]:
    """Write all files of a study; :meth:`mensura.study.Study.write` has the parameters."""
    paper_tables = tables(study)
    summary = sentences(study)
    files = table_files(paper_tables) | {"summary.txt": encoded("\n".join(summary) + "\n")}
    figures = {f"figures/{name}.svg": description for name, description in charts(study)}
    document = as_document(study, paper_tables, summary, inputs, parameters)
    last = encoded(json_text(document if record is None else {**document, "record": dict(record)}))
    return write_files(folder, files, figures, last, progress)


def write_files(
    folder: Path,
    files: Mapping[str, bytes],
    figures: Mapping[str, Description],
    last: bytes,
    progress: Callable[[int, int], None] | None,
) -> list[Path]:
    """Write ``files``, draw ``figures``, and write ``last`` as study.json when all others are there."""
    own = Filled(folder, (*files, *figures, "study.json"))
    for name, content in files.items():
        own.write(name, content)
    images = []
    for image in spread(lambda name: drawn(figures[name], folder / name), figures):
        images.append(image)
        if progress is not None:
            progress(len(images), len(figures))
    for name, content in (*zip(figures, images, strict=True), ("study.json", last)):
        own.write(name, content)
    return [folder / name for name in (*files, *figures, "study.json")]


def table_files(paper_tables: Sequence[PaperTable]) -> dict[str, bytes]:
    """Tables as csv, LaTeX and Markdown, by file name."""
    files: dict[str, bytes] = {}
    for each in paper_tables:
        table = as_table(each)
        texts = {"csv": csv_text(each.header, csv_rows(each)), "tex": as_latex(table), "md": as_markdown(table)}
        files |= {f"{each.name}.{ending}": encoded(text) for ending, text in texts.items()}
    return files


def as_table(paper: PaperTable) -> Table:
    """A paper's table with the formats of its columns."""
    align = "".join("l" if kind == "text" else "r" for kind in paper.kinds)
    return Table(paper.header, paper.rows, align, [KINDS[kind][0] for kind in paper.kinds], paper.caption, paper.name)


def study_view(study: Study) -> View:
    """The findings, and the first table: τ between each measure and its interval scale."""
    table = as_table(tables(study)[0])
    return View(table.caption, [table], sentences=sentences(study))


def csv_rows(paper: PaperTable) -> list[list[str]]:
    """The cells of a paper's table as csv has them."""
    return [[KINDS[kind][1](value) for kind, value in zip(paper.kinds, row, strict=True)] for row in paper.rows]


def study_charts(study: Study) -> dict[str, Callable[[], Description]]:
    """The charts of a study, to be described when one is asked for; τ first."""
    described = dict(charts(study))
    names = sorted(described, key=lambda name: name.startswith("values_"))
    return {name: partial(described.__getitem__, name) for name in names}


def charts(study: Study) -> Iterator[tuple[str, Description]]:
    """The charts of a study by their names."""
    length, labels, places = study.lengths[-1], study.labels, study.places
    track, titles = study.track(length), dict(zip(study.tests, map(test_title, study.tests), strict=True))
    for label, name in zip(labels, map(safe_name, labels), strict=True):
        cells = [cell for cell in study.cells if cell.label == label]
        yield (
            f"values_{name}",
            spacing_by_length(label, study.name, [(cell.length, cell.possible, cell.seen) for cell in cells]),
        )
    rows = [(cell.label, cell.length, way, tau) for cell in study.cells for way, tau in cell.tau.items()]
    yield "tau", tau_by_length(study.name, rows)
    if study.tests:
        counts = [
            (cell.label, titles[test], decisions.sig, decisions.s2ns, decisions.ns2s)
            for cell in study.cells
            if cell.length == length
            for test, decisions in cell.decisions.items()
        ]
        yield "decisions", changed_decisions(f"{track}: decisions that change", counts)
    rows_of_systems = []
    for label in labels:
        before, after = places[label, length]
        rows_of_systems += [(label, *row) for row in zip(study.systems, before.tolist(), after.tolist(), strict=True)]
    yield "places", changed_places(f"{track}: ranks that change", rows_of_systems)


def as_document(
    study: Study,
    paper_tables: Sequence[PaperTable],
    summary: Sequence[str],
    inputs: Mapping[str, str],
    parameters: Mapping[str, Any],
) -> dict[str, Any]:
    """A study as plain data, with its inputs and options. Timings are in a file of their own: they are never the same twice."""
    pairs, changes = study.system_pairs, list(zip(map(study.track, study.changes), study.changes.values(), strict=True))
    between = list(zip(study.lengths, map(study.between, study.lengths), strict=True))
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
        "system_pairs": pairs,
        "summary": summary,
        "changes": {track: asdict(each) for track, each in changes},
        "tables": {each.name: [dict(zip(each.header, row, strict=True)) for row in csv_rows(each)] for each in paper_tables},
        "between_measures": [
            {"length": length, "pair": list(pair), "tau": before, "tau_on_interval_scales": after}
            for length, taus in between
            for pair, (before, after) in taus.items()
        ],
        "cells": [asdict(cell) for cell in study.cells],
    }


def versions() -> dict[str, str]:
    """The versions of packages that a result can depend on."""
    packages = {name: metadata.version(name) for name in ("mensura", "numpy", "scipy", "vl-convert-python")}
    return {"mensura": packages.pop("mensura"), "python": platform.python_version(), **packages}
