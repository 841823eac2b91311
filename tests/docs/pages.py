"""Pages that can be run: the commands, the Python and the files that a Markdown page shows.

``python tests/docs/pages.py PAGE…`` runs pages and writes what their commands and their Python print into them.
Read the difference before you keep it.

What is run, in the order of the page and in one folder per page:

- a ``console`` block: every line that begins with ``$`` is a command, what follows is what it prints;
- a ``python`` block with ``>>>``: a doctest; names live on in later blocks of the page;
- a ``{code-block}`` with a ``:caption:``: a file of that name;
- a ``text layers`` block: the packages in the order of ``tests/test_architecture.py``;
- a ``text options COMMAND`` block: the options of a command, as ``tests/docs/options.py`` lists them.

Blocks of other kinds (``sh``, ``text``, …) are not run.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import os
import re
import shlex
import subprocess
import sys
import tempfile
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mensura

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.cli.running import call
from tests.docs.options import listing as options

if TYPE_CHECKING:
    from collections.abc import Iterator

QUOTED = re.compile(r"'[^']*'|\"[^\"$`\\\\]*\"")
SIMPLE = re.compile(
    r"(?P<names>(?:[A-Z_]+=\S+ +)*)mensura (?P<words>[^|>*?$`~;&<(){}\[\]#!\\]*)"
    r"(?:(?<!\d)> *(?P<file>[\w./-]+) *|\|(?P<rest>[^|].*))?",
    re.DOTALL,
)
FENCE = re.compile(r"^(?P<fence>`{3,})(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=fence)[ \t]*$", re.MULTILINE | re.DOTALL)
CAPTION = re.compile(r"^:caption: (.+)\n", re.MULTILINE)
OPTIONS = re.compile(r"\A(?::[\w-]+:.*\n)+\n?")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    kind: str
    body: str
    line: int
    span: tuple[int, int]


@dataclass(frozen=True)
class Step:
    """Something that was run: what the page says and what came out."""

    line: int
    what: str
    expected: str
    got: str

    @property
    def same(self) -> bool:
        """Compare an output with the page. Help texts may be laid out as another version of Python lays them out."""
        if "--help" in self.what:
            return plain_help(self.expected) == plain_help(self.got)
        return self.expected == self.got


def plain_help(text: str) -> str:
    """A help text as every version of Python would print it: ``-m X, --measure X`` is ``-m, --measure X`` from 3.13 on."""
    words = " ".join(text.split())
    return re.sub(r"(-\w) (\S+|\{[^}]*\}), (--[\w-]+) \2", r"\1, \3 \2", words)


def blocks(text: str) -> Iterator[Block]:
    """The blocks of a page."""
    for match in FENCE.finditer(text):
        line = text.count("\n", 0, match.start("body")) + 1
        yield Block(match["info"].strip(), match["body"], line, match.span("body"))


def commands(block: Block) -> Iterator[tuple[int, str, str]]:
    """Line, command and expected output. A command goes on behind a backslash at the end of its line."""
    lines = block.body.splitlines()
    at = 0
    while at < len(lines):
        if not lines[at].startswith("$ "):
            raise ValueError(f"line {block.line + at}: a console block begins with a command: {lines[at]!r}")
        start = at
        while lines[at].endswith("\\"):
            at += 1
        command = "\n".join(lines[start : at + 1])[2:]
        at += 1
        output = at
        while at < len(lines) and not lines[at].startswith("$ "):
            at += 1
        yield block.line + start, command, "".join(line + "\n" for line in lines[output:at])


@dataclass
class Session:
    """A folder in which a page is run."""

    folder: Path
    names: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        programs = self.folder / ".bin"
        programs.mkdir()
        for program, words in (("mensura", "-m mensura"), ("python", "")):
            (programs / program).write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {words} "$@"\n', encoding="utf-8")
            (programs / program).chmod(0o755)
        self.environment = os.environ | {
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(Path(mensura.__file__).parents[1]),
            "COLUMNS": "80",
            "MENSURA_LEDGER": "off",
            "LC_ALL": "C.UTF-8",
            "NO_COLOR": "1",
            "PYTHONUTF8": "1",
        }

    def run(self, block: Block) -> list[Step]:
        """The outcome of a block."""
        if block.kind == "console":
            return [Step(line, command, expected, self.shell(command)) for line, command, expected in commands(block)]
        if block.kind == "python":
            return self.python(block)
        if block.kind == "text layers":
            return [Step(block.line, "the layers", block.body, layers())]
        if block.kind.startswith("text options "):
            return [Step(block.line, block.kind, block.body, options(block.kind.split()[-1]))]
        caption = CAPTION.search(block.body) if block.kind.startswith("{code-block}") else None
        if caption is not None:
            (self.folder / caption[1]).write_text(OPTIONS.sub("", block.body), encoding="utf-8")
        return []

    def shell(self, command: str) -> str:
        """The output of a command, on standard output and on standard error.

        ``mensura …``, alone, into a file or into a pipe, runs in this process; a shell runs all else.
        """
        line = command.replace("\\\n", "  ")
        simple = SIMPLE.fullmatch(QUOTED.sub(lambda text: "_" * len(text[0]), line))
        if simple is None:
            return self.process(command)
        words = shlex.split(line[slice(*simple.span("words"))])
        names = dict(name.split("=", 1) for name in simple["names"].split())
        alone = simple["file"] is None and simple["rest"] is None
        done = call(words, cwd=self.folder, env=self.environment | names, together=alone)
        if alone:
            return done.stdout
        if simple["file"] is not None:
            (self.folder / simple["file"]).write_text(done.stdout, encoding="utf-8", errors="surrogateescape", newline="")
            return done.stderr
        return done.stderr + self.process(line[slice(*simple.span("rest"))], done.stdout)

    def process(self, command: str, stdin: str = "") -> str:
        """The output of a shell."""
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=self.folder,
            env=self.environment,
            input=stdin.encode("utf-8", "surrogateescape"),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=600,
            check=False,
        )
        return done.stdout.decode()

    def python(self, block: Block) -> list[Step]:
        """A block with ``>>>`` as a doctest, step by step."""
        steps: list[Step] = []
        for example in doctest.DocTestParser().get_examples(block.body):
            got: list[str] = []
            test = doctest.DocTest([example], self.names, "page", None, block.line - 1, None)
            runner = Collector(got)
            with contextlib.chdir(self.folder):
                runner.run(test, out=got.append, clear_globs=False)
            self.names.update(test.globs)
            steps.append(Step(block.line + example.lineno, example.source, example.want, got[0]))
        return steps


def layers() -> str:
    """The packages of Mensura, one row a step, each with the first line of its docstring."""
    from tests.test_architecture import LAYERS, MODULES

    lines = []
    for number, row in enumerate(LAYERS, start=1):
        for name in row:
            text = ast.get_docstring(ast.parse(MODULES[f"mensura.{name}"].read_text(encoding="utf-8"))) or ""
            lines.append(f"{number:2}  {name:11} {text.splitlines()[0]}\n")
    return "".join(lines)


class Collector(doctest.DocTestRunner):
    """Keeps what an example gave, right or wrong."""

    def __init__(self, got: list[str]) -> None:
        super().__init__(verbose=False)
        self.got = got

    def report_success(self, out: Any, test: Any, example: doctest.Example, got: str) -> None:
        self.got.append(example.want)

    def report_failure(self, out: Any, test: Any, example: Any, got: str) -> None:
        self.got.append(re.sub(r"\A(Traceback \(.*\):\n)(?:  .*\n)+", r"\1", got))

    def report_unexpected_exception(self, out: Any, test: Any, example: Any, exc_info: Any) -> None:
        self.got.append("Traceback (most recent call last):\n" + "".join(traceback.format_exception_only(exc_info[1])))


def run_page(text: str, folder: Path) -> Iterator[tuple[Block, list[Step]]]:
    """Runs a page, block by block."""
    session = Session(folder)
    for block in blocks(text):
        yield block, session.run(block)


def refreshed(block: Block, steps: list[Step]) -> str:
    """The body of a block with what its commands and its Python print now."""
    if block.kind.startswith("text "):
        return steps[0].got
    if block.kind == "console":
        return "".join(f"$ {step.what}\n{step.expected if step.same else step.got}" for step in steps)
    body = ""
    left = iter(steps)
    for part in doctest.DocTestParser().parse(block.body):
        if isinstance(part, str):
            body += part
            continue
        lines = part.source.splitlines()
        body += f">>> {lines[0]}\n" + "".join(f"... {line}".rstrip() + "\n" for line in lines[1:]) + next(left).got
    return body


def refresh(page: Path) -> int:
    """Writes what the steps of a page print now into the page; gives back how many have changed."""
    text = page.read_text(encoding="utf-8")
    made, at, changed = "", 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for block, steps in run_page(text, Path(folder)):
            wrong = sum(not step.same for step in steps)
            if wrong:
                made += text[at : block.span[0]] + refreshed(block, steps)
                at = block.span[1]
                changed += wrong
    page.write_text(made + text[at:], encoding="utf-8")
    return changed


if __name__ == "__main__":
    for name in sys.argv[1:]:
        sys.stdout.write(f"{name}: {refresh(Path(name))} changed\n")
