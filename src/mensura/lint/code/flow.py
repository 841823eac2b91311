"""Ways of values in a program: from an expression through names, attributes, keys, and functions of the program and their results.

The graph has a node for each expression (by its identity) and for each place that keeps values: a name of a function, an attribute or a
key by its name (whatever the object), and the result of a function. Branches and the order of statements do not matter.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from mensura.lint.code.program import Program, ProgramNode, name_of

if TYPE_CHECKING:
    from collections.abc import Iterable

Node = int | tuple[str, ...]

# Functions and methods whose result is their arguments or their object in another form, or a number computed from them.
CARRIERS = {
    "abs", "absolute", "add", "agg", "aggregate", "apply", "append", "array", "around", "asarray", "astype", "average", "chain", "clip", "column_stack",
    "concat", "concatenate", "copy", "cumsum", "deepcopy", "describe", "dict", "divide", "dropna", "enumerate", "explode", "fillna", "filter", "float",
    "flatten", "fmean", "from_dict", "from_records", "fromkeys", "fsum", "get", "groupby", "head", "hstack", "iloc", "int", "items", "iter", "iterrows",
    "itertuples", "item", "join", "list", "loc", "map", "max", "maximum", "mean", "median", "merge", "min", "minimum", "mul", "multiply", "nanmean", "nan_to_num",
    "nansum", "next", "numpy", "pivot", "pivot_table", "pop", "product", "DataFrame", "Series", "Counter", "OrderedDict", "defaultdict", "ravel", "rename",
    "replace", "reset_index", "reshape", "reversed", "round", "sample", "select", "set", "set_index", "setdefault", "slice", "sort_values", "sorted", "sort_index",
    "squeeze", "stack", "str", "format", "dumps", "sub", "subtract", "sum", "tail", "tensor", "to_dict", "to_frame", "to_list", "to_numpy", "tolist", "tqdm", "track", "transpose",
    "trange", "tuple", "unstack", "values", "vstack", "where", "zip",
}  # fmt: skip
MUTATORS = {"append", "add", "extend", "insert", "update", "appendleft", "push", "setdefault", "append_row"}
OWN = ("self", "cls")


def flow_of(program: Program) -> Flow:
    """Return the graph of a program, computed when a rule asks first."""
    if program.flow is None:
        program.flow = Flow(program)
    return program.flow


class Flow:
    """The graph of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.edges: dict[Node, list[Node]] = defaultdict(list)
        self.functions: dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]] = defaultdict(list)
        self.fields: dict[str, list[str]] = {}  # of classes
        self.bound: set[tuple[str, str]] = set()
        self.outer: dict[str, str] = {}
        self.kept: set[tuple[str, ...]] = set()  # attributes and keys that the program writes
        for place in program.places:
            self._declare(place)
        for place in program.places:
            self._connect(place)

    def reach(self, seeds: Iterable[Node], without: Iterable[Node] = ()) -> set[Node]:
        """Return all nodes that values of the seeds get to, with the seeds, on ways that avoid some nodes."""
        reached, closed = set(seeds), set(without)
        stack = list(reached)
        while stack:
            for node in self.edges.get(stack.pop(), ()):
                if node not in reached and node not in closed:
                    reached.add(node)
                    stack.append(node)
        return reached

    def variable(self, function: str, name: str) -> Node:
        """Return the node of a name: that of the innermost function that binds it."""
        seen = set()
        while function and (function, name) not in self.bound and function not in seen:
            seen.add(function)
            function = self.outer.get(function, "")
        return (function if (function, name) in self.bound else "", name)

    def callees(self, names: Iterable[str]) -> dict[int, set[str]]:
        """Return which of some functions a call by another name may call: ``test`` of ``for name, test in TESTS.items()``."""
        callees: dict[int, set[str]] = defaultdict(set)
        called = {id(call.node.func): call for call in self.program.calls}
        handed: dict[str, list[Node]] = {name: [] for name in names}
        for place in self.program.places:
            name = name_of(place.node)
            if name in handed and id(place.node) not in called:
                handed[name].append(id(place.node))
        for name, seeds in handed.items():
            for node in self.reach(seeds) if seeds else ():
                if isinstance(node, int) and node in called:
                    callees[id(called[node].node)].add(name)
        return callees

    def _declare(self, place: ProgramNode) -> None:
        node = place.node
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self.functions[node.name].append(node)
                self.outer.setdefault(node.name, place.function)
            case ast.ClassDef(name=name, body=body):
                self.fields[name] = [
                    each.target.id for each in body if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
                ]
                self.kept.update((".", field) for field in self.fields[name])
            case ast.Name(id=name, ctx=ast.Store()):
                self.bound.add((place.function, name))
            case ast.arg(arg=name):
                self.bound.add((place.function, name))
            case ast.Attribute(attr=name, ctx=ast.Store()):
                self.kept.add((".", name))
            case ast.Subscript(slice=ast.Constant(value=str(key)), ctx=ast.Store()):
                self.kept.add(("[", key))
            case ast.Dict(keys=keys):
                self.kept.update(("[", key.value) for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str))

    def _connect(self, place: ProgramNode) -> None:
        """Add the edges of a node: from its parts, and to the places that it keeps values in."""
        node = place.node
        if not self._read(place):
            for name in PARTS.get(type(node), ()):
                part = getattr(node, name)
                for each in part if isinstance(part, list) else [part]:
                    if each is not None:
                        self.edges[id(each)].append(id(node))
        connect = CONNECT.get(type(node))
        if connect is not None:
            getattr(self, connect)(node, place)

    def _read(self, place: ProgramNode) -> bool:
        """Connect a name, or an attribute or a key that the program writes, with where it is read."""
        match place.node:
            case ast.Name(id=name, ctx=ast.Load()):
                source = self.variable(place.function, name)
            case ast.Attribute(attr=name, ctx=ast.Load()) if (".", name) in self.kept:
                source = (".", name)
            case ast.Subscript(slice=ast.Constant(value=str(key)), ctx=ast.Load()) if ("[", key) in self.kept:
                source = ("[", key)
            case _:
                return False
        self.edges[source].append(id(place.node))
        return True

    def _assign(self, node: Any, place: ProgramNode) -> None:
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if node.value is not None:
                self._bind(target, node.value, place.function)

    def _with(self, node: Any, place: ProgramNode) -> None:
        for item in node.items:
            if item.optional_vars is not None:
                self._bind(item.optional_vars, item.context_expr, place.function)

    def _return(self, node: Any, place: ProgramNode) -> None:
        value = node.value
        if value is None:
            return
        self.edges[id(value)].append(("()", place.function))
        if isinstance(value, ast.Tuple):
            for at, each in enumerate(value.elts):
                self.edges[id(each)].append(("()", place.function, str(at)))
        else:
            self.edges[id(value)].append(("()", place.function, "*"))

    def _define(self, node: Any, _place: ProgramNode) -> None:
        """Connect the defaults of parameters."""
        arguments = node.args
        positional = [*arguments.posonlyargs, *arguments.args]
        defaults = zip(positional[len(positional) - len(arguments.defaults) :], arguments.defaults, strict=True)
        for argument, default in (*defaults, *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)):
            if default is not None:
                self.edges[id(default)].append((node.name, argument.arg))

    def _dict(self, node: Any, _place: ProgramNode) -> None:
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                self.edges[id(value)].append(("[", key.value))

    def _loop(self, node: Any, place: ProgramNode) -> None:
        for loop in getattr(node, "generators", [node]):
            self._each(loop.target, loop.iter, place.function)

    def _bind(self, target: ast.expr, value: ast.expr, function: str) -> None:
        """Connect a value with what it is assigned to, part by part if both have parts."""
        if isinstance(target, ast.Tuple | ast.List):
            if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts):
                for part, piece in zip(target.elts, value.elts, strict=True):
                    self._bind(part, piece, function)
                return
            name = name_of(value.func) if isinstance(value, ast.Call) else ""
            for at, part in enumerate(target.elts):
                if name in self.functions:
                    for kept in self._kept(part, function):
                        self.edges["()", name, str(at)].append(kept)
                        self.edges["()", name, "*"].append(kept)
                else:
                    self._keep(part, id(value), function)
            return
        self._keep(target, id(value), function)

    def _keep(self, target: ast.expr, source: Node, function: str) -> None:
        for kept in self._kept(target, function):
            self.edges[source].append(kept)

    def _kept(self, target: ast.expr, function: str) -> Iterable[Node]:
        """Yield the places that a target keeps its value in: a name, an attribute, a key and the object that has it."""
        match target:
            case ast.Name(id=name):
                yield self.variable(function, name)
            case ast.Attribute(attr=name):
                yield ".", name
            case ast.Subscript(value=value, slice=key):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield "[", key.value
                yield from self._kept(value, function)
            case ast.Call(func=ast.Attribute(value=value)):  # totals.setdefault(name, []).append(value)
                yield from self._kept(value, function)
            case ast.Starred(value=value):
                yield from self._kept(value, function)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                for part in parts:
                    yield from self._kept(part, function)

    def _each(self, target: ast.expr, values: ast.expr, function: str) -> None:
        """Connect what a loop goes through with its names."""
        if isinstance(target, ast.Tuple) and isinstance(values, ast.Call):
            name = name_of(values.func)
            if name == "enumerate" and values.args and target.elts:
                self._each(target.elts[-1], values.args[0], function)
                return
            if name == "zip" and len(values.args) == len(target.elts):
                for part, each in zip(target.elts, values.args, strict=True):
                    self._each(part, each, function)
                return
        if isinstance(target, ast.Tuple) and isinstance(values, ast.List | ast.Tuple):
            rows = [each.elts for each in values.elts if isinstance(each, ast.Tuple | ast.List)]
            if rows and all(len(row) == len(target.elts) for row in rows):
                for row in rows:
                    for part, each in zip(target.elts, row, strict=True):
                        self._keep(part, id(each), function)
                return
        self._keep(target, id(values), function)

    def _call(self, node: Any, place: ProgramNode) -> None:
        name, here = name_of(node.func), id(node)
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        if name in self.functions:
            self.edges["()", name].append(here)
            for defined in self.functions[name]:
                self._pass(node, defined)
        elif name in self.fields:
            self._build(node, name)
        elif isinstance(node.func, ast.Attribute):
            self.edges[id(node.func.value)].append(here)
        if name in CARRIERS and name not in self.functions:
            for argument in arguments:
                self.edges[id(argument)].append(here)
        if name in MUTATORS and isinstance(node.func, ast.Attribute):
            for argument in arguments:
                self._keep(node.func.value, id(argument), place.function)

    def _build(self, node: ast.Call, name: str) -> None:
        """Connect the arguments of a class of the program with its fields, and with the object."""
        named = [(keyword.arg or "", keyword.value) for keyword in node.keywords]
        for field, argument in (*named, *zip(self.fields[name], node.args, strict=False)):
            self.edges[id(argument)] += [(".", field), id(node)]
        for defined in self.functions.get("__init__", ()):
            self._pass(node, defined)

    def _pass(self, call: ast.Call, defined: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Connect the arguments of a call with the parameters of a function."""
        parameters = [*defined.args.posonlyargs, *defined.args.args]
        if parameters and parameters[0].arg in OWN:
            parameters = parameters[1:]
        for argument, parameter in zip(call.args, parameters, strict=False):
            self.edges[id(argument)].append((defined.name, parameter.arg))
        for keyword in call.keywords:
            if keyword.arg:
                self.edges[id(keyword.value)].append((defined.name, keyword.arg))


# The parts of an expression that its value has or is computed from.
PARTS = {
    ast.BinOp: ("left", "right"), ast.UnaryOp: ("operand",), ast.BoolOp: ("values",), ast.IfExp: ("body", "orelse"), ast.List: ("elts",), ast.Tuple: ("elts",),
    ast.Set: ("elts",), ast.Dict: ("values",), ast.ListComp: ("elt",), ast.SetComp: ("elt",), ast.GeneratorExp: ("elt",), ast.DictComp: ("value",),
    ast.Starred: ("value",), ast.Await: ("value",), ast.NamedExpr: ("value",), ast.Attribute: ("value",), ast.Subscript: ("value", "slice"),
}  # fmt: skip
CONNECT: dict[type[ast.AST], str] = {
    ast.Call: "_call",
    ast.Dict: "_dict",
    **dict.fromkeys((ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr), "_assign"),
    **dict.fromkeys((ast.For, ast.AsyncFor, ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp), "_loop"),
    **dict.fromkeys((ast.With, ast.AsyncWith), "_with"),
    **dict.fromkeys((ast.Return, ast.Yield, ast.YieldFrom), "_return"),
    **dict.fromkeys((ast.FunctionDef, ast.AsyncFunctionDef), "_define"),
}
