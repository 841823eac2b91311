"""Small changes of a module: its mutants."""

from __future__ import annotations

import ast
import copy
import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    lines: range  # of the statement that it is in
    span: tuple[int, int]  # in bytes
    before: str
    after: str
    nth: int
    called: bool  # inside a function, so that nothing of it runs when the module is imported

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
    data = text.encode()
    starts = [0]
    for line in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    seen: dict[tuple[str, str, str], int] = {}
    listed: list[Mutant] = []

    def visit(node: ast.AST, where: str, lines: range, alone: set[int], *, called: bool) -> None:
        alone = alone | left_alone(node)
        if id(node) in alone:
            return
        if isinstance(node, ast.stmt):
            lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            where = f"{where}.{node.name}" if where else node.name
        for other in changes(node):
            assert isinstance(node, ast.expr | ast.stmt)  # noqa: S101 - only these are changed
            assert node.end_lineno is not None  # noqa: S101 - the parser sets it
            assert node.end_col_offset is not None  # noqa: S101 - the parser sets it
            span = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
            before, after = data[span[0] : span[1]].decode(), ast.unparse(ast.fix_missing_locations(other))
            if isinstance(node, ast.expr):
                after = f"({after})"
            key = (where, before, after)
            seen[key] = seen.get(key, 0) + 1
            listed.append(Mutant(where or "module", lines, span, before, after, seen[key], called))
        body = node.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else []
        for child in ast.iter_child_nodes(node):
            visit(child, where, lines, alone, called=called or child in body)

    visit(ast.parse(text), "", range(1), set(), called=False)
    return listed


def changed(text: str, mutant: Mutant) -> str:
    """The module with a change in it; the lines after it keep their numbers."""
    data = text.encode()
    blank = "\n" * mutant.before.count("\n")
    after = f"{mutant.after[:-1]}{blank})" if mutant.after.endswith(")") else mutant.after + blank
    return (data[: mutant.span[0]] + after.encode() + data[mutant.span[1] :]).decode()


def difference(text: str, mutant: Mutant) -> str:
    """The lines that a mutant changes, before and after."""
    lines = difflib.unified_diff(text.splitlines(), changed(text, mutant).splitlines(), n=0, lineterm="")
    return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")) and line != "+")
