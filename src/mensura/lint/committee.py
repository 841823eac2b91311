"""For a program committee: what lint finds in each paper, by P3's ten points, with the places quoted.

The result for a paper is kept as json beside the pages; a paper that has not changed since is not read again.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from bisect import bisect_right
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from mensura.errors import InputError
from mensura.io.files import read_all, source
from mensura.lint.checklist import CHECKLIST, CLEAR, FOUND, UNKNOWN
from mensura.lint.engine import Options, internal, refuse, report
from mensura.lint.grouping import spot
from mensura.lint.language import MEASURE, affirmed, p_value
from mensura.lint.rules import CATALOGUE, check_document, effects, reproducibility, splits, testing
from mensura.lint.sources import BINARY, Library, Selection, gather, is_part, kind_of, read_binary, read_document, read_text
from mensura.lint.topics import stated_topics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from mensura.lint.readers.document import Document
    from mensura.lint.rule import Finding, Hit

PAPERS = {"latex", "markdown", "notebook", "rst", "typst", "html"} | BINARY
LONGEST_QUOTE = 240  # characters
MOST_PLACES = 6  # of a finding that are quoted
TITLE = re.compile(r"\\title\s*(?:\[[^\]]*\])?\{((?:[^{}]|\{[^{}]*\})*)\}|^#\s+(.+)$", re.MULTILINE)
VERSION = 3


class Evidence(NamedTuple):
    """Evidence about a point: whether a paper speaks of it, whether that answers the question with yes, and its words."""

    told: bool
    answer: bool
    quotes: tuple[str, ...] = ()


def papers(paths: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the papers among files and folders, and the sources of LaTeX without a beginning, which may be parts of them."""
    return _papers(gather(paths))


def _papers(gathered: Selection) -> tuple[list[str], list[str]]:
    names: list[str] = []
    parts: list[str] = []
    for file in gathered.files:
        try:
            kind = kind_of(file)
            if kind == "latex":
                (parts if is_part(read_text(file)) else names).append(file.name)
            elif kind in PAPERS:
                names.append(file.name)
        except InputError:
            names.append(file.name)  # its page says that it cannot be read
    return (sorted(names), sorted(parts)) if names else (sorted(parts), [])


def read_paper(options: Options, path: str, figures: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Return what lint finds in a paper, as plain data; one of ``figures`` may be a figure, and says so."""
    try:
        return _read(options, path, figure=path in figures)
    except InputError as error:
        return _unread(path, error.problem)
    except Exception as error:  # noqa: BLE001 - a fault at one paper leaves the others
        return _unread(path, internal(error, path, options).problem)


def _unread(path: str, problem: str) -> dict[str, Any]:
    unknown: dict[str, Any] = {
        point.section: {"verdict": UNKNOWN, "answer": "", "quotes": [], "findings": []} for point in CHECKLIST
    }
    title = os.path.basename(path)
    return {"path": path, "title": title, "problem": problem, "points": unknown, "numbers": [], "files": {}, "figure": False}


def _read(options: Options, path: str, *, figure: bool) -> dict[str, Any]:
    library = Library()
    file = source(path)
    library.name(file)
    kind = kind_of(file)
    document = (
        read_binary(read_all(file), kind, path, figure=figure)
        if kind in BINARY
        else read_document(read_text(file), kind, path, library)
    )
    assert document is not None  # noqa: S101 - only papers are named
    hits = check_document(document)
    quotes = dict(_quotes(document, hits))
    findings = [_plain(finding, quotes) for finding in report(document.places, hits, options, suppressible=False)]  # by its authors
    points: dict[str, Any] = {}
    active = options.active(path)
    for point in CHECKLIST:
        own = [finding for finding in findings if finding["code"] in point.codes]
        evidence = _evidence(point.section, document)
        checked = active.issuperset(point.codes)  # a rule that was left out may have found something
        verdict = FOUND if own else CLEAR if evidence.told and checked else UNKNOWN
        answer = "no" if own else "yes" if evidence.answer and checked else ""
        points[point.section] = {"verdict": verdict, "answer": answer, "quotes": list(evidence.quotes), "findings": own}
    titles = (match[1] or match[2] for match in TITLE.finditer(document.text) if match[1] or document.plain[match.start(2)] != " ")
    title = next(titles, "")  # a comment in a block of code looks like a heading, and is masked
    return {
        "path": path,
        "title": " ".join(re.sub(r"\\(?:[A-Za-z]+\*?|.)|[{}~]", " ", title).split()) or os.path.basename(path),
        "problem": "",
        "points": points,
        "numbers": [finding for finding in findings if finding["code"][0] == "N"],
        "files": {each.path: _digest_of(each.path) for each in document.places.files},
        "figure": figure and document.is_picture,
    }


def _digest_of(path: str) -> str:
    try:
        with open(path, "rb") as stream:
            return hashlib.sha256(stream.read()).hexdigest()
    except OSError:
        return ""


def _plain(finding: Finding, quotes: dict[tuple[str, str, int, int, int], str]) -> dict[str, Any]:
    places = [spot(finding), *finding.spots]
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity,
        "message": CATALOGUE[finding.code].consequence,
        "count": len(places),
        "places": [
            {
                "path": place.path,
                "page": place.page,
                "line": place.line,
                "words": place.detail,
                "quote": quotes.get((finding.code, place.path, place.page, place.line, place.column), ""),
            }
            for place in places[:MOST_PLACES]
        ],
    }


def _quotes(document: Document, hits: Iterable[Hit]) -> Iterator[tuple[tuple[str, str, int, int, int], str]]:
    """Yield the sentence, or the row of a table, of each hit, by its rule and place."""
    starts = [sentence.start for sentence in document.sentences]
    rows = sorted((row[0].start, " | ".join(cell.text for cell in row)) for table in document.tables for row in table.rows if row)
    for hit in hits:
        number, start, _ = document.places.span(hit.start, hit.end)
        file = document.places.files[number]
        place = file.lines.place(start)
        at = bisect_right(starts, hit.start) - 1
        sentence = document.sentences[at] if at >= 0 else None
        if sentence is not None and hit.start < sentence.start + len(sentence.text):
            quote = sentence.normal
        else:
            row = bisect_right(rows, (hit.start, "\uffff")) - 1
            quote = rows[row][1] if row >= 0 else " ".join(document.text[hit.start : hit.end].split())
        yield (hit.code, file.path, place.page, place.line, place.column), _short(quote)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1] + "…"


def _evidence(section: str, document: Document) -> Evidence:
    """Return what a paper says about a point of P3, for the question of the checklist."""
    match section:
        case "2.1" | "2.2" | "2.4":
            names = _measures(document)
            return Evidence(bool(names), answer=False, quotes=(f"Measures: {', '.join(names)}.",) if names else ())
        case "2.3":
            topics = stated_topics(document)
            return Evidence(
                bool(topics and _measures(document)), answer=False, quotes=(f"Topics: up to {topics}.",) if topics else ()
            )
        case "2.5":
            quotes = _saying(document, splits.REPEATED, ("fold", "valid", "splits", "leave"))
            told = quotes or _saying(document, splits.SPLIT, ("train", "split", "tun"))
            return Evidence(bool(told), bool(quotes), told)
        case "2.6":
            quotes = _saying(document, HYPOTHESES, ("hypothes", "regist", "research question"))
            return Evidence(bool(quotes), any(PLANNED.search(quote) for quote in quotes), quotes)
        case "2.7":
            quotes = _saying(document, testing.CORRECTED, testing.CORRECTION_CUES)
            tested = _tests(document)
            return Evidence(
                bool(tested),
                bool(quotes and tested and affirmed(document, testing.CORRECTED, testing.CORRECTION_CUES)),
                (*tested[:1], *quotes),
            )
        case "2.8":
            quotes = _saying(document, effects.EFFECT, effects.CUES)
            tested = _tests(document)
            return Evidence(bool(tested), bool(quotes and tested), (*tested[:1], *quotes))
        case "2.9":
            links = tuple(dict.fromkeys(match[0] for match in LINK.finditer(document.text)))[:3]
            return Evidence(bool(links), bool(reproducibility.PUBLISHED.search(" ".join(links))), links)
        case _:
            return Evidence(len(document.sentences) > 1, answer=False)


LINK = re.compile(r"https?://[\w./~%?=&#-]{6,120}")
HYPOTHESES = re.compile(r"\b(?:hypothes[ei]s|pre-?regist\w+|research questions?)\b", re.IGNORECASE)
PLANNED = re.compile(r"\b(?:pre-?regist\w+|before (?:the|we|any|our)|in advance|a priori|beforehand)\b", re.IGNORECASE)
TESTED = re.compile(
    r"\b(?:statistically significan\w+|t-? ?tests?|Wilcoxon|ANOVA|permutation test|randomi[sz]ation test|p-?values?)\b",
    re.IGNORECASE,
)


def _measures(document: Document) -> list[str]:
    cells = " | ".join(cell.text for table in document.tables for cell in (*table.header, *table.labels))
    names = {match[0] for text in (document.plain, cells) for match in MEASURE.finditer(text) if re.search(r"[A-Z@]", match[0][1:])}
    return sorted(names)[:12]


def _tests(document: Document) -> tuple[str, ...]:
    """Sentences about tests of significance."""
    return tuple(
        _short(sentence.normal)
        for sentence in document.having("signific", "t-test", "wilcoxon", "anova", "test", "p <", "p=", "p =", "p<")
        if TESTED.search(sentence.normal) or p_value(sentence.normal)
    )[:2]


def _saying(document: Document, pattern: re.Pattern[str], cues: Iterable[str]) -> tuple[str, ...]:
    """The first sentences that match a pattern."""
    return tuple(_short(sentence.normal) for sentence in document.having(*cues) if pattern.search(sentence.normal))[:2]


def slugs(paths: list[str]) -> dict[str, str]:
    """Return a short name for each paper, all different."""
    names: dict[str, str] = {}
    for path in paths:
        stem = re.sub(r"[^A-Za-z0-9._-]+", "-", os.path.splitext(os.path.basename(path))[0]).strip("-.") or "paper"
        taken = stem.lower() in {name.lower() for name in names.values()}
        names[path] = f"{stem}-{hashlib.sha256(path.encode('utf-8', 'surrogateescape')).hexdigest()[:6]}" if taken else stem
    return names


def summarise(
    paths: Iterable[str],
    folder: str,
    options: Options,
    tell: Callable[[int, int], None] | None = None,
    refused: list[InputError] | None = None,
) -> tuple[list[dict[str, Any]], list[str]]:
    """Read papers in parallel and write their pages into a folder; those that have not changed since they were read are not read again.

    Return the results, and a sentence for each file that was passed over.
    """
    from pathlib import Path

    from mensura import __version__
    from mensura.engines.processes import spread_processes
    from mensura.io.writing import write_whole
    from mensura.lint import pages

    gathered = gather(paths)
    refuse(gathered, refused)
    names, parts = _papers(gathered)
    figures = frozenset(file.name for file in gathered.files if gathered.may_be_figure(file))
    if not names:
        raise InputError("no papers among the files; name .tex, .md, .pdf, .docx or .ipynb files")
    short = slugs(names)
    stamp = hashlib.sha256(json.dumps([VERSION, __version__, sorted(options.active()), options.profile]).encode()).hexdigest()
    home = Path(folder)
    for part in (home, home / "data", home / "papers"):
        part.mkdir(parents=True, exist_ok=True)
    kept = {name: result for name in names if (result := _kept(home / "data" / f"{short[name]}.json", name, stamp)) is not None}
    fresh = [name for name in names if name not in kept]
    done = len(kept)
    for name, result in zip(fresh, spread_processes(partial(read_paper, options, figures=figures), fresh), strict=True):
        result["stamp"] = stamp
        kept[name] = result
        write_whole(
            json.dumps(result, indent=1, ensure_ascii=False).encode("utf-8", "surrogateescape"),
            home / "data" / f"{short[name]}.json",
            durable=False,
        )
        done += 1
        if tell is not None:
            tell(done, len(names))
    results = [{**kept[name], "slug": short[name]} for name in names if not kept[name]["figure"]]
    notes = _passed_over(gathered, parts, results)
    for path, text in pages.all_pages(results, notes):
        write_whole(text.encode("utf-8", "replace"), home / path, durable=False)
    return results, notes


def _passed_over(gathered: Selection, parts: Iterable[str], results: Iterable[dict[str, Any]]) -> list[str]:
    """Return a sentence for each file that is not in the table, although it may be a paper."""
    included = {os.path.realpath(path) for result in results for path in result["files"]}
    notes = [
        f"{part} has no \\documentclass, and no paper includes it; name it alone to read it as a paper"
        for part in parts
        if os.path.realpath(part) not in included
    ]
    return [*notes, *(f"{file.name} is a PDF; reading it needs pypdfium2: pip install 'mensura[pdf]'" for file in gathered.missed)]


def _kept(path: Any, name: str, stamp: str) -> dict[str, Any] | None:
    """Return the result of an earlier run, if the paper, its parts, the rules and the version are the same."""
    try:
        result: dict[str, Any] = json.loads(path.read_bytes().decode("utf-8", "surrogateescape"))
        same = result["stamp"] == stamp and result["path"] == name and result["files"] and isinstance(result["figure"], bool)
        return result if same and all(_digest_of(each) == digest for each, digest in result["files"].items()) else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
