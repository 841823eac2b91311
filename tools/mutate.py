"""Change a module in small ways, one at a time, and see whether its tests notice.

    python tools/mutate.py src/mensura/stats/families.py
    python tools/mutate.py src/mensura/stats/digits.py --tests tests/stats/test_digits.py tests/cli/test_evaluate.py

A change that no test notices is a survivor: add a test, or, if the program does the same with it, list it with the reason in
``tests/mutants.json``. Results are kept in ``.mutants/``; a change that was noticed is not tried again until the module changes.
Each change is tried in a fork of this process, which has imported NumPy, SciPy and pytest already but nothing of Mensura.
"""

from __future__ import annotations

import argparse
import ast
import copy
import hashlib
import importlib.abc
import importlib.util
import json
import os
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from importlib.machinery import ModuleSpec

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src"
EQUIVALENT = ROOT / "tests" / "mutants.json"
KEPT = ROOT / ".mutants"

COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


@dataclass(frozen=True)
class Mutant:
    """A changed piece of a module."""

    where: str
    line: int
    before: str
    after: str
    span: tuple[int, int]
    nth: int

    @property
    def key(self) -> str:
        """A name that stays while lines move."""
        return f"{self.where}: {' '.join(self.before.split())} → {' '.join(self.after.split())}" + f" #{self.nth}" * (self.nth > 1)


def changes(node: ast.AST) -> Iterator[ast.AST]:  # noqa: C901 - a table of cases
    """Changed copies of a node itself, not of its parts."""

    def copied(**fields: object) -> ast.AST:
        other = copy.copy(node)
        for name, value in fields.items():
            setattr(other, name, value)
        return other

    match node:
        case ast.Compare(ops=ops):
            for number, operator in enumerate(ops):
                for other in COMPARED[type(operator)]:
                    yield copied(ops=[*ops[:number], other(), *ops[number + 1 :]])
        case ast.BinOp(op=operator) if type(operator) in COMPUTED:
            yield copied(op=COMPUTED[type(operator)]())
        case ast.BoolOp(op=operator):
            yield copied(op=ast.Or() if isinstance(operator, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert(), operand=operand):
            yield operand
        case ast.Constant(value=bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(value=int() | float() as value):
            yield ast.Constant(value + 1)
        case ast.Constant(value=str() as value):
            yield ast.Constant(f"{value}?")
        case ast.IfExp(test=test):
            yield copied(test=ast.UnaryOp(ast.Not(), test))
        case ast.Return(value=value) if value is not None and not (isinstance(value, ast.Constant) and value.value is None):
            yield ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Raise() | ast.Continue() | ast.Break():
            yield ast.Pass()


def left_alone(node: ast.AST) -> set[int]:
    """Parts of a node that are not changed: annotations, decorators, docstrings, texts of errors, what only type checkers see."""
    parts: list[ast.AST | None] = []
    match node:
        case ast.Module() | ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                parts.append(first)
            if not isinstance(node, ast.Module):
                parts += node.decorator_list
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                parts.append(node.returns)
        case ast.arg() | ast.AnnAssign():
            parts.append(node.annotation)
        case ast.Raise(exc=ast.Call(args=arguments)):
            parts += arguments
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            parts.append(node)
        case ast.JoinedStr() | ast.Import() | ast.ImportFrom():  # positions inside f-strings are wrong before Python 3.12
            parts.append(node)
    return {id(part) for part in parts if part is not None}


def mutants(text: str) -> list[Mutant]:
    """All changes of a module."""
    lines = [0]
    for line in text.encode().splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    data = text.encode()
    seen: dict[tuple[str, str, str], int] = {}
    listed: list[Mutant] = []

    def visit(node: ast.AST, where: str, alone: set[int]) -> None:
        alone = alone | left_alone(node)
        if id(node) in alone:
            return
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            where = f"{where}.{node.name}" if where else node.name
        for other in changes(node):
            assert isinstance(node, ast.expr | ast.stmt)  # noqa: S101 - only these are changed
            assert node.end_lineno is not None  # noqa: S101 - the parser sets it
            assert node.end_col_offset is not None  # noqa: S101 - the parser sets it
            span = lines[node.lineno - 1] + node.col_offset, lines[node.end_lineno - 1] + node.end_col_offset
            before, after = data[span[0] : span[1]].decode(), ast.unparse(ast.fix_missing_locations(other))
            if isinstance(node, ast.expr):
                after = f"({after})"
            key = (where, before, after)
            seen[key] = seen.get(key, 0) + 1
            listed.append(Mutant(where or "module", node.lineno, before, after, span, seen[key]))
        for child in ast.iter_child_nodes(node):
            visit(child, where, alone)

    visit(ast.parse(text), "", set())
    return listed


def changed(text: str, mutant: Mutant) -> str:
    """The module with a change in it."""
    data = text.encode()
    return (data[: mutant.span[0]] + mutant.after.encode() + data[mutant.span[1] :]).decode()


class Finder(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Imports one module from a text instead of its file."""

    def __init__(self, name: str, path: Path, text: str) -> None:
        self.name, self.path, self.text = name, path, text

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:  # noqa: ARG002 - importlib's
        if fullname != self.name:
            return None
        spec = importlib.util.spec_from_file_location(fullname, self.path, loader=self)
        assert spec is not None  # noqa: S101 - a loader was given
        return spec

    def get_source(self, fullname: str) -> str:  # noqa: ARG002 - importlib's
        return self.text


def attempt(name: str, path: Path, text: str, tests: Sequence[str], seconds: int) -> int:
    """Run the tests with a text as the module, in a fork; return the fork's process id."""
    child = os.fork()
    if child:
        return child
    import pytest

    signal.alarm(seconds)  # a change may loop for ever; the signal ends the process
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 1)
    os.dup2(sink, 2)
    sys.dont_write_bytecode = True
    sys.meta_path.insert(0, Finder(name, path, text))
    sys.path[:0] = [str(SOURCE), str(ROOT)]
    os.chdir(ROOT)
    options = ["-x", "-q", "-p", "no:cacheprovider", "-m", "not slow", "--hypothesis-seed=0"]
    status = 2
    try:
        # Hypothesis is imported before pytest could rewrite its assertions, which pytest warns of
        status = int(pytest.main([*options, "-W", "ignore::pytest.PytestAssertRewriteWarning", *tests]))
    finally:
        os._exit(status)


def preload() -> None:
    """Import what tests import that is not Mensura's: forks need not do it again."""
    for module in ("numpy", "scipy.stats", "scipy.special", "pytest", "hypothesis", "hypothesis.extra.numpy", "argparse", "csv"):
        importlib.import_module(module)


def default_tests(path: Path) -> list[str]:
    """Tests of a module: the file of its name first, then its package's."""
    package = ROOT / "tests" / path.relative_to(SOURCE / "mensura").parts[0]
    own = sorted(package.rglob(f"test_{path.stem}.py"))
    return [str(test) for test in [*own, package] if test.exists()]


class Trials:
    """Trials of a module's mutants, and what came of those of earlier runs."""

    def __init__(self, path: Path, tests: Sequence[str], processes: int) -> None:
        self.path, self.tests, self.processes = path, tests, processes
        self.text = path.read_text(encoding="utf-8")
        self.name = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
        self.file = KEPT / f"{self.name}.json"
        self.digest = hashlib.sha256(self.text.encode()).hexdigest()
        kept = json.loads(self.file.read_text()) if self.file.exists() else {}
        self.noticed: set[str] = set(kept.get("noticed", ())) if kept.get("module") == self.digest else set()

    def unchanged(self) -> float:
        """Seconds that the tests take with the module as it is; they must pass."""
        started = time.monotonic()
        _, status = os.waitpid(attempt(self.name, self.path, self.text, self.tests, 3600), 0)
        if status:
            sys.exit(f"the tests fail with {self.path} as it is: {' '.join(self.tests)}")
        return time.monotonic() - started

    def survivors(self, listed: Sequence[Mutant], seconds: int) -> list[Mutant]:
        """Try mutants and return those that no test noticed."""
        waiting = [mutant for mutant in listed if mutant.key not in self.noticed]
        running: dict[int, Mutant] = {}
        survived: list[Mutant] = []
        done = len(listed) - len(waiting)
        while waiting or running:
            while waiting and len(running) < self.processes:
                mutant = waiting.pop(0)
                running[attempt(self.name, self.path, changed(self.text, mutant), self.tests, seconds)] = mutant
            child, status = os.wait()
            mutant = running.pop(child)
            done += 1
            if status:
                self.noticed.add(mutant.key)
                self.keep()
            else:
                survived.append(mutant)
                print(f"\nsurvived, {self.path}:{mutant.line}: {mutant.key}", *difference(self.text, mutant), sep="\n")
            if sys.stderr.isatty():
                print(f"\r{done} of {len(listed)}", end="", file=sys.stderr)
        return survived

    def keep(self) -> None:
        """Write down what was noticed, so that an interrupted run can be resumed."""
        KEPT.mkdir(exist_ok=True)
        self.file.write_text(json.dumps({"module": self.digest, "noticed": sorted(self.noticed)}, ensure_ascii=False, indent=1))


def difference(text: str, mutant: Mutant) -> list[str]:
    """The lines that a mutant changes, before and after."""
    import difflib

    lines = difflib.unified_diff(text.splitlines(), changed(text, mutant).splitlines(), n=0, lineterm="")
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]


def main() -> int:
    """Mutate a module; exit 1 if a change survives that is not listed as equivalent."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, metavar="FILE", help="a module below src/mensura")
    parser.add_argument("--tests", nargs="+", metavar="PATH", help="tests to run (default: those of the module and its package)")
    parser.add_argument("--processes", type=int, default=2, metavar="N", help="trials at the same time (default: %(default)s)")
    parser.add_argument("--list", action="store_true", help="print the changes without trying them")
    arguments = parser.parse_args()
    path = arguments.file.resolve()
    trials = Trials(path, arguments.tests or default_tests(path), arguments.processes)
    known = json.loads(EQUIVALENT.read_text(encoding="utf-8")) if EQUIVALENT.exists() else {}
    equivalent: dict[str, str] = known.get(path.relative_to(ROOT).as_posix(), {})
    listed = mutants(trials.text)
    gone = equivalent.keys() - {mutant.key for mutant in listed}
    if gone:
        print("tests/mutants.json lists changes that the module no longer has:", *sorted(gone), sep="\n  ")
    listed = [mutant for mutant in listed if mutant.key not in equivalent]
    if arguments.list:
        print(*(f"{mutant.line}: {mutant.key}" for mutant in listed), sep="\n")
        return 0
    preload()
    seconds = trials.unchanged()
    survived = trials.survivors(listed, 60 + int(10 * seconds))
    print(f"{path.name}: {len(listed)} changes, {len(survived)} survived, {len(equivalent)} are equivalent")
    return 1 if survived or gone else 0


if __name__ == "__main__":
    sys.exit(main())
