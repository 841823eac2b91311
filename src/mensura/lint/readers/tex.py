r"""LaTeX before masking: files that are included, macros and acronyms that are expanded, every character with its place.

The work is bounded: depth, number of expansions and length. A macro that would go beyond stays as it is written.
pylatexenc parses more of TeX, and takes 2.6 s of processor per MB (this reader with the masking: 0.1 s), more than lint may take in all.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mensura.lint.readers.places import Assembly, TextFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DEEPEST = 12  # macros in macros, files in files
FILES = 300
EXPANSIONS = 50_000
LONGEST_BODY = 2_000  # characters of a macro; longer ones are programs, not abbreviations
LONGEST_ARGUMENT = 10_000
FAILURES = 100  # groups that are not closed, after which no more are looked for

TOKEN = re.compile(
    r"""
    %[^\n]*
  | \\(?:
        (?P<escape>_)
      | (?P<hidden>begin[ ]?\{(?P<name>(?:verbatim|Verbatim|lstlisting|minted|comment|filecontents)\*?)\})
      | (?P<verb>(?:verb|lstinline)\*?(?P<mark>[^\w\s{*])[^\n]{0,300}?(?P=mark))
      | (?P<macro>[A-Za-z@]+)
      | .
    )
    """,
    re.VERBOSE,
)
IMPORTS = {"import", "subimport", "subincludefrom", "includefrom"}
INCLUDES = {"input", "include", "subfile", "subfileinclude", "InputIfFileExists", *IMPORTS}
DEFINES = {"def", "newcommand", "renewcommand", "providecommand", "DeclareRobustCommand", "newcommandx", "NewDocumentCommand"}
ACRONYMS = {"acrodef", "newacronym", "acro", "DeclareAcronym", "newglossaryentry", "acrodefplural", "acroplural", "newabbreviation"}
FORMS = {
    **dict.fromkeys(
        ("ac", "acs", "acp", "acsp", "Ac", "Acp", "gls", "glspl", "Gls", "Glspl", "acrshort", "acrshortpl", "iac"), "short"
    ),
    **dict.fromkeys(("acl", "aclp", "Acl", "Aclp", "acrlong", "acrlongpl", "Acrlong", "aclu"), "long"),
    **dict.fromkeys(("acf", "acfp", "Acf", "Acfp", "acrfull", "acrfullpl", "Acrfull", "acfi"), "full"),
}
UNSEEN = {
    *("sout", "xout", "st", "deleted", "todo", "missingfigure"),  # struck, or not for readers
    *("phantom", "hphantom", "vphantom"),
    *("enquote", "textquote", "blockquote", "textcquote", "blockcquote"),
}
CONDITION = re.compile(
    r"%[^\n]*|\\(?:(?P<kind>fi|else)(?![A-Za-z@])|(?:newif\s{0,3}\\if\w+|if(?:f|thenelse|toggle|bool\w*|def\w*|cs\w+|undef|str\w+|num\w+|dim\w+|blank"
    r"|inlist|packageloaded|classloaded|language)(?![A-Za-z@]))|(?P<other>if[A-Za-z@]*))"
)
LONGEST_KEY = 60  # characters of the key of an acronym
STACKED = {"makecell", "shortstack", "thead", "specialcell", "cellbreak", "Centerstack"}
GROUP = re.compile(r"\\.|[{}]", re.DOTALL)
NAME = re.compile(r"\s*\{?\s*\\(?P<name>[A-Za-z@]+)\s*\}?\s*(?:\[(?P<count>\d)\])?\s*(?:\[(?P<default>[^\[\]\n]{0,200})\])?\s*")
DEF = re.compile(r"\\(?P<name>[A-Za-z@]+)(?P<parameters>(?:#\d)*)\s*(?=\{)")
FIELD = re.compile(r"\b(short|long|name|description)\s*=\s*(?:\{(?P<braced>[^{}]{0,200})\}|(?P<bare>[^,{}]{1,200}))")
OPTIONAL = re.compile(r"\[([^\[\]\n]{0,200})\]")
BARE = re.compile(r"\s+([\w./-]{1,200})")
SPACES = re.compile(r"(?:[ \t]|\n(?![ \t]*\n))*")


@dataclass(frozen=True, slots=True)
class Macro:
    """A macro: how many arguments it takes, the default of an optional first one, and its text."""

    count: int
    default: str | None
    body: str


@dataclass(frozen=True, slots=True)
class Swap:
    """The text for a call that ends at ``end``, to be expanded ``again`` or not; with a path, the text of a file."""

    end: int
    text: str
    again: bool = False
    path: str = ""
    folder: str = ""  # in which that file looks for others


@dataclass(eq=False)
class Expander:
    """Files and macros of one document."""

    load: Callable[[str], TextFile | None] | None = None
    assembly: Assembly = field(default_factory=Assembly)
    macros: dict[str, Macro] = field(default_factory=dict)
    acronyms: dict[str, tuple[str, str]] = field(default_factory=dict)
    expansions: int = 0
    seen: set[str] = field(default_factory=set)  # files that were read
    asked: set[tuple[str, str]] = field(default_factory=set)  # folder and name of those that were asked for
    folders: list[str] = field(default_factory=lambda: [""])  # in which files are looked for, of \\import in \\import
    failures: int = 0
    unclosed: bool = False  # whether a condition has no end, so that others are not looked for

    def read(self, text: str, path: str, depth: int = 0) -> None:
        """Append a file, and the files that it includes."""
        number = len(self.assembly.files)
        self.assembly.files.append(TextFile(path, text, "latex"))
        self.seen.add(os.path.realpath(path))
        self.expand(text, number, None, depth)

    def expand(self, text: str, file: int, origin: int | None, depth: int) -> None:
        """Append a text of a file, or one that stands at ``origin`` because a macro was called there."""

        def add(start: int, end: int) -> None:
            if origin is None:
                self.assembly.add(text[start:end], file, start)
            else:
                self.assembly.add(text[start:end], file, origin, straight=False)

        at = position = 0
        lost: set[str] = set()  # environments that do not end, which are not looked for again
        while (match := TOKEN.search(text, position)) is not None:
            position = match.end()
            swap = None
            if match["escape"]:
                swap = Swap(match.end(), "_")
            elif match["hidden"]:
                position = _hidden(text, match, lost)
            elif match["macro"] is not None:
                swap = self._swap(text, match, depth)
            if swap is None:
                continue
            add(at, match.start())
            at = position = swap.end
            here = match.start() if origin is None else origin
            if swap.path:
                self._file(swap, file, here, depth)
            elif swap.again and depth < DEEPEST:
                self.expand(swap.text, file, here, depth + 1)
            else:
                self.assembly.add(swap.text, file, here, straight=False)
        add(at, len(text))

    def _swap(self, text: str, match: re.Match[str], depth: int) -> Swap | None:
        """Return the replacement of a macro's call, or ``None`` if it stays."""
        name, end = match["macro"], match.end()
        if name == "iffalse" or (name == "end" and text.startswith("{document}", end)):
            return self._skipped(text, name, end)
        if name in UNSEEN and (name not in self.macros or name == "todo"):
            words = self.argument(text, end + text.startswith("*", end), skip_optional=True)
            return None if words is None else Swap(words[1], re.sub(r"[^\n]", " ", text[end : words[1]]))
        if name in self.macros:
            return self._call(text, self.macros[name], end) if depth < DEEPEST and self.expansions < EXPANSIONS else None
        if name in DEFINES or name in ACRONYMS:
            stop = self._define(text, name, end) if name in DEFINES else self._acronym(text, name, end)
            return None if stop is None else Swap(stop, re.sub(r"[^\n]", " ", text[match.start() : stop]))
        if name in INCLUDES:
            return self._include(text, name, end, depth)
        if name in FORMS:
            key = self.argument(text, end + text.startswith("*", end))
            if key is None or len(key[0]) > LONGEST_KEY:
                return None
            short, full = self.acronyms.get(key[0].strip(), (key[0].strip(), key[0].strip()))
            return Swap(key[1], {"short": short, "long": full}.get(FORMS[name], f"{full} ({short})"))
        inner = self.argument(text, end, skip_optional=True) if name == "textsc" or name in STACKED else None
        if inner is None:
            return None
        if name in STACKED:
            return Swap(inner[1], inner[0].replace("\\\\", " "), again=True)
        return Swap(inner[1], inner[0].upper()) if inner[0].isascii() and inner[0].isalpha() and inner[0].islower() else None

    def _skipped(self, text: str, name: str, at: int) -> Swap | None:
        """Return blanks for what LaTeX does not read: the text after the end of the document, or that of a condition that is never true."""
        if name == "end":
            return Swap(len(text), "\\end{document}" + re.sub(r"[^\n]", " ", text[at + len("{document}") :]))
        depth = 1
        for match in CONDITION.finditer(text, at) if not self.unclosed else ():
            kind = match["kind"]
            depth += kind is None and match["other"] is not None
            depth -= kind == "fi"
            if not depth or (depth == 1 and kind == "else"):
                return Swap(match.end(), re.sub(r"[^\n]", " ", text[at : match.end()]))
        self.unclosed = True
        return None

    def _call(self, text: str, macro: Macro, at: int) -> Swap | None:
        """Return the text of a macro with its arguments."""
        self.expansions += 1
        arguments: list[str] = []
        if macro.default is not None:
            optional = OPTIONAL.match(text, at)
            arguments.append(optional[1] if optional is not None else macro.default)
            at = optional.end() if optional is not None else at
        while len(arguments) < macro.count:
            braced = self.argument(text, at)
            if braced is None:
                return None
            arguments.append(braced[0])
            at = braced[1]
        body = re.sub(r"#(\d)", lambda parameter: _nth(arguments, int(parameter[1])), macro.body)
        return Swap(at, body, again=True) if len(body) <= LONGEST_ARGUMENT else None

    def _include(self, text: str, name: str, end: int, depth: int) -> Swap | None:
        """Return the file that is included here, if it can be read."""
        first = self.argument(text, end)
        if first is None and name == "input" and (bare := BARE.match(text, end)) is not None:
            first = bare[1], bare.end()
        folder = self.folders[-1]
        other: tuple[str, int] | None = None
        if first is not None and name in IMPORTS:
            second = self.argument(text, first[1])
            inner = f"{first[0].strip().rstrip('/')}/".removeprefix("./")
            folder = folder + inner if name in {"subimport", "subincludefrom"} else inner
            first = second
        elif first is not None and name == "InputIfFileExists":
            before = self.argument(text, first[1])
            other = self.argument(text, before[1]) if before is not None else None
        if first is None or self.load is None or depth >= DEEPEST or len(self.assembly.files) >= FILES:
            return None
        file = self._loaded(folder, first[0].strip())
        if file is None:
            return None if other is None else Swap(other[1], other[0], again=True)
        at = (other or first)[1]
        if name in {"subfile", "subfileinclude"}:
            folder = f"{folder}{first[0].strip().rpartition('/')[0]}/".removeprefix("/")
        return Swap(at, file.text, path=file.path, folder=folder)

    def _loaded(self, folder: str, path: str) -> TextFile | None:
        """Return a file that was not read before, from the folder that is being imported or from that of the paper."""
        if self.load is None or (folder, path) in self.asked:
            return None
        self.asked.add((folder, path))
        for name in dict.fromkeys((folder + path, path)):
            file = self.load(name)
            if file is not None:
                known = os.path.realpath(file.path) in self.seen
                self.seen.add(os.path.realpath(file.path))
                return None if known else file
        return None

    def _file(self, swap: Swap, file: int, origin: int, depth: int) -> None:
        """Append an included file, on lines of its own."""
        number = len(self.assembly.files)
        self.assembly.files.append(TextFile(swap.path, swap.text, "latex"))
        self.assembly.add("\n", file, origin, straight=False)
        self.folders.append(swap.folder)
        self.expand(swap.text, number, None, depth + 1)
        self.folders.pop()
        self.assembly.add("\n", file, origin, straight=False)

    def argument(self, text: str, at: int, *, skip_optional: bool = False) -> tuple[str, int] | None:
        """Return the group in braces at an offset, after blanks, without its braces, and its end."""
        blank = SPACES.match(text, at)
        at = blank.end() if blank is not None else at
        if skip_optional and text.startswith("[", at):
            at = text.find("]", at, at + 200) + 1 or at
        if not text.startswith("{", at) or self.failures > FAILURES:
            return None
        end = group_end(text, at)
        self.failures += end is None
        return None if end is None else (text[at + 1 : end - 1], end)

    def _define(self, text: str, name: str, at: int) -> int | None:
        """Note a macro, and return the end of its definition."""
        at += text.startswith("*", at)
        if name == "def":
            match = DEF.match(text, at)
            count, default = len(match["parameters"]) // 2 if match is not None else 0, None
        else:
            match = NAME.match(text, at)
            count, default = int(match["count"] or 0) if match is not None else 0, match["default"] if match is not None else None
        body = self.argument(text, match.end()) if match is not None else None
        if match is None or body is None:
            return None
        if name == "NewDocumentCommand":
            body = self.argument(text, body[1])
            return body[1] if body is not None else None
        own = "\\" + match["name"]
        if len(body[0]) <= LONGEST_BODY and not re.search(re.escape(own) + r"(?![A-Za-z@])", body[0]):
            self.macros[match["name"]] = Macro(count, default, body[0])
        else:
            self.macros.pop(match["name"], None)
        return body[1]

    def _acronym(self, text: str, name: str, at: int) -> int | None:
        """Note an acronym, and return the end of its definition."""
        optional = re.compile(r"\s*\[[^\[\]]{0,300}\]").match(text, at)
        at = optional.end() if optional is not None else at
        key = self.argument(text, at)
        if key is None:
            return None
        at = key[1]
        label = re.compile(r"\s*\[([^\[\]]{0,100})\]").match(text, at)
        at = label.end() if label is not None else at
        first = self.argument(text, at)
        if first is None:
            return at if name != "acro" else None
        if name in {"DeclareAcronym", "newglossaryentry"}:
            fields = {field[1]: (field["braced"] or field["bare"] or "").strip() for field in FIELD.finditer(first[0])}
            short = fields.get("short") or fields.get("name") or key[0]
            self.acronyms[key[0].strip()] = short, fields.get("long") or fields.get("description") or short
            return first[1]
        if name in {"acrodefplural", "acroplural"}:
            return first[1]
        second = self.argument(text, first[1]) if name in {"newacronym", "newabbreviation"} else None
        if second is not None:
            self.acronyms[key[0].strip()] = first[0], second[0]
            return second[1]
        self.acronyms[key[0].strip()] = label[1] if label is not None else key[0], first[0]
        return first[1]


def _nth(arguments: list[str], number: int) -> str:
    return arguments[number - 1] if 0 < number <= len(arguments) else ""


def _hidden(text: str, opening: re.Match[str], lost: set[str]) -> int:
    """Return where an environment that is not read ends, or where its name does; ``lost`` ones do not end."""
    name = opening["name"]
    close = -1 if name in lost else text.find("\\end{" + name + "}", opening.end())
    if close < 0:
        lost.add(name)
    return close if close >= 0 else opening.end()


def group_end(text: str, at: int) -> int | None:
    """Return the end of the group that opens at an offset; groups that are too long have none."""
    depth = 0
    for match in GROUP.finditer(text, at, at + LONGEST_ARGUMENT):
        if match[0] == "{":
            depth += 1
        elif match[0] == "}":
            depth -= 1
            if not depth:
                return match.end()
    return None


def groups(text: str, at: int) -> Iterator[int]:
    """Yield the ends of the groups in braces and brackets that follow each other from an offset."""
    while text.startswith(("{", "["), at):
        end = group_end(text, at) if text[at] == "{" else text.find("]", at, at + 200) + 1
        if not end:
            return
        at = end
        yield at
