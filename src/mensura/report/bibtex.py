"""A bibliography as BibTeX, and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mensura.render.escapes import latex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mensura.report.works import Entry


def bibtex(entries: Sequence[Entry]) -> str:
    """Entries as a .bib file; titles are braced, so that no style changes their capitals."""
    return "\n".join(map(_entry, entries))


def _entry(entry: Entry) -> str:
    fields = [("author", entry.author), ("title", entry.title), ("year", entry.year), *entry.fields]
    lines = []
    for name, value in fields:
        if value:
            text = value if name == "doi" else latex(value)
            lines.append(f"  {name:<9} = {{{'{' + text + '}' if name == 'title' else text}}},")
    return "\n".join([f"@{entry.kind}{{{entry.key},", *lines, "}\n"])


def plain(entry: Entry) -> str:
    """An entry as a reader sees it: authors, year, title, where. The DOI comes apart from it."""
    fields = dict(entry.fields)
    if not entry.title:
        return fields.get("note", "")
    place = (
        fields.get("journal")
        or fields.get("booktitle")
        or fields.get("publisher")
        or fields.get("school")
        or fields.get("note", "")
    )
    if "series" in fields:
        place += f", {fields['series']}"
    if "volume" in fields:
        place += f" {fields['volume']}" + (f"({fields['number']})" if "number" in fields else "")
    if "pages" in fields:
        place += f", {fields['pages']}"
    if "edition" in fields:
        place += f", {fields['edition']} edition"
    return f"{authors(entry.author)} ({entry.year}). {entry.title.rstrip('.')}{'' if entry.title.endswith('?') else '.'} {place}."


def authors(text: str) -> str:
    """“Buckley, Chris and Voorhees, Ellen M.” as “C. Buckley and E. M. Voorhees”."""
    names = []
    for author in text.split(" and "):
        parts = [part.strip() for part in author.split(",")]
        given = " ".join(f"{word[0]}." for word in parts[-1].split()) if len(parts) > 1 else ""
        names.append(" ".join(filter(None, (given, parts[0], *parts[1:-1]))))
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
