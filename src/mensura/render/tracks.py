"""Studies of several collections side by side, as P4's Tables 2 to 6 have them: text for a terminal, and a folder of files."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from mensura.render.numbers import fixed, listing, percent
from mensura.render.studies import (
    as_document,
    change_sentences,
    charts,
    csv_rows,
    sentences,
    surrogate_sentence,
    table_files,
    versions,
    write_files,
)
from mensura.render.tables import Table, as_text, json_text
from mensura.render.text import encoded, wrap
from mensura.stats.results import plural
from mensura.study.changes import summarise_changes
from mensura.study.names import safe_name
from mensura.study.paper_tables import check_alike, mean_of, tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from mensura.study.changes import Changes
    from mensura.study.experiment import Study


def as_terminal_text(studies: Sequence[Study]) -> str:
    """A line per measure with a column per track at the longest length, then sentences about all tracks."""
    first = studies[0]
    length = first.lengths[-1]
    names = [study.track(length) for study in studies]
    way = "unq" if "unq" in first.ties else first.ties[0]
    rows = []
    for label in first.labels:
        cells = [study.cell(label, length) for study in studies]
        taus, changed = [cell.tau[way] for cell in cells], [cell.changed for cell in cells]
        rows.append((label, *taus, mean_of(taus), *(each / 100 for each in changed), mean_of(changed) / 100))
    table = Table(
        ["measure", *(f"τ {name}" for name in names), "mean", *(f"changed {name}" for name in names), "mean"],
        rows,
        formats=[None, *[fixed] * (len(names) + 1), *[percent] * (len(names) + 1)],
    )
    return (
        f"{_described(studies)}\n\n{as_text(table)}\n"
        "τ: between leaderboards by the measure and on its interval scale. changed: decisions of tests that change on the\n"
        "interval scale, per significant one.\n\n" + "".join(f"{wrap('- ' + said, '  ')}\n" for said in together(studies))
    )


def _described(studies: Sequence[Study]) -> str:
    return "\n".join(
        f"{study.name}: {plural(len(study.systems), 'system')}, {plural(len(study.topics), 'topic')}, "
        + ("binary" if study.grades == (0, 1) else f"grades {study.grades[0]} to {study.grades[-1]}")
        for study in studies
    )


def together(studies: Sequence[Study]) -> list[str]:
    """Sentences about all tracks of the longest length."""
    changes = all_changes(studies, studies[0].lengths[-1])
    return [
        *_farthest(studies),
        *(change_sentences(changes) if changes is not None else ()),
        *surrogate_sentence(studies[0]),
        *(f"WRONG: topic by topic τ is not 1 on {study.name}; report this, with the data." for study in studies if study.broken),
    ]


def all_changes(studies: Sequence[Study], length: int) -> Changes | None:
    """Averages of changed decisions over all collections at a length; ``None`` without tests."""
    cells = [cell for study in studies for cell in study.decided[length]]
    return summarise_changes(cells) if cells else None


def _farthest(studies: Sequence[Study]) -> Iterator[str]:
    length = studies[0].lengths[-1]
    means = {label: mean_of([study.cell(label, length).tau.get("unq") for study in studies]) for label in studies[0].labels}
    far = sorted((tau, label) for label, tau in means.items() if fixed(tau) not in {fixed(1.0), fixed(None)})[:3]
    if far:
        tracks, named = (
            listing([study.track(length) for study in studies]),
            [f"{label} (τ = {fixed(tau, 3)})" for tau, label in far],
        )
        yield f"Farthest from interval, on average over {tracks}: {listing(named)}."


def write_tracks(
    studies: Sequence[Study],
    folder: Path,
    *,
    inputs: Mapping[str, Mapping[str, str]],
    parameters: Mapping[str, Any],
    record: Mapping[str, Any] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Path]:
    """Write the tables of several studies side by side, their charts, and one study.json.

    Parameters
    ----------
    studies
        Studies with the same measures, lengths and tests.
    folder
        Where to write.
    inputs
        For each collection's name, digests of the files that were studied.
    parameters, record, progress
        As in :meth:`mensura.study.Study.write`.
    """
    check_alike(studies)
    paper_tables = tables(*studies)
    summary = together(studies)
    each = {study.name: sentences(study) for study in studies}
    parts = ["\n".join(summary), *(f"{name}\n" + "\n".join(said) for name, said in each.items())]
    files = table_files(paper_tables) | {"summary.txt": encoded("\n\n".join(parts) + "\n")}
    figures = {
        f"figures/{safe_name(study.name)}/{name}.svg": description for study in studies for name, description in charts(study)
    }
    changes = {f"all_{length:02}": all_changes(studies, length) for length in studies[0].lengths}
    document: dict[str, Any] = {
        "names": list(each),
        "versions": versions(),
        "summary": summary,
        "changes": {track: asdict(change) for track, change in changes.items() if change is not None},
        "tables": {table.name: [dict(zip(table.header, row, strict=True)) for row in csv_rows(table)] for table in paper_tables},
        "collections": [as_document(study, (), each[study.name], inputs.get(study.name, {}), parameters) for study in studies],
        **({} if record is None else {"record": dict(record)}),
    }
    return write_files(folder, files, figures, encoded(json_text(document)), progress)
