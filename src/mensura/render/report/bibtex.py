"""A bibliography as BibTeX, and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mensura.render.escapes import latex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mensura.render.report.measure_works import Reference


def bibtex(entries: Sequence[Reference]) -> str:
    """Entries as a .bib file; titles are braced, so that no style changes their capitals."""
    lines = []
    for entry in entries:
        lines.append(f"@{entry.kind}{{{entry.key},")
        for name, value in (("author", entry.author), ("title", entry.title), ("year", entry.year), *entry.fields):
            if value:
                text = value if name == "doi" else latex(value)
                lines.append(f"  {name:<9} = {{{'{' + text + '}' if name == 'title' else text}}},")
        lines += ["}", ""]
    return "\n".join(lines)


def plain(entry: Reference) -> str:
    """An entry as a reader sees it: authors, year, title, venue. The DOI comes apart from it."""
    fields = dict(entry.fields)
    if not entry.title:
        return fields.get("note", "")
    venue = (
        fields.get("journal")
        or fields.get("booktitle")
        or fields.get("publisher")
        or fields.get("school")
        or fields.get("note", "")
    )
    if "series" in fields:
        venue += f", {fields['series']}"
    if "volume" in fields:
        venue += f" {fields['volume']}" + (f"({fields['number']})" if "number" in fields else "")
    if "pages" in fields:
        venue += f", {fields['pages']}"
    if "edition" in fields:
        venue += f", {fields['edition']} edition"
    return f"{authors(entry.author)} ({entry.year}). {entry.title.rstrip('.')}{'' if entry.title.endswith('?') else '.'} {venue}."


def authors(text: str) -> str:
    """“Buckley, Chris and Voorhees, Ellen M.” as “C. Buckley and E. M. Voorhees”."""
    names = []
    for author in text.split(" and "):
        parts = [part.strip() for part in author.split(",")]
        initials = " ".join(f"{word[0]}." for word in parts[-1].split()) if len(parts) > 1 else ""
        names.append(" ".join(filter(None, (initials, parts[0], *parts[1:-1]))))
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
