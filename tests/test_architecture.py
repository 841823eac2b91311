"""The house: which package may import which, and no way round in circles. ``docs/architecture.md`` draws the same table."""

from __future__ import annotations

import ast
import importlib
import re
import sys
from collections import defaultdict
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "src"

# From left to right, one row a step: a package imports from its own row and the rows before it, never from a later one.
LAYERS = (
    ("errors", "_lazy"),
    ("result",),
    ("engines",),
    ("_core",),
    ("io",),
    ("judged",),
    ("measures",),
    ("scales",),
    ("evaluation", "pytrec_eval", "ir_measures"),
    ("rankings", "pieces"),
    ("ledger",),
    ("stats", "pyterrier"),
    ("record",),
    ("plans",),
    ("adm",),
    ("study",),
    ("report",),
    ("render",),
    ("lint",),
    ("web",),
    ("cli",),
    ("__main__",),
)
STEP = {package: step for step, row in enumerate(LAYERS) for package in row}
# A result asks render for its HTML, LaTeX and charts when a user does: the one way to the right, inside a function or for types.
DRAWN_BY = "render"
# An evaluation goes on to its comparison and its report when a user asks for it: evaluate(…).compare(…).
CHAINED = {"mensura.evaluation.evaluation": {"stats", "report"}}
APART = {"lint": {"cli", "web"}, "web": {"cli"}, "cli": {"__main__"}}  # applications: who may import them


def modules():
    """Modules of Mensura, and their files."""
    for path in sorted(SOURCE.rglob("*.py")):
        name = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
        yield name.removesuffix(".__init__"), path


MODULES = dict(modules())
NAMES = MODULES.keys() | {".".join(path.relative_to(SOURCE).with_suffix("").parts) for path in SOURCE.rglob("*.pyx")}


def imports(path):
    """(imported module, inside a function, for type checkers only) for each import of a module of Mensura."""

    def walk(node, *, inside, checking):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ImportFrom) and (child.module or "").startswith("mensura"):
                for name in child.names:
                    full = f"{child.module}.{name.name}"
                    yield (full if full in NAMES else child.module), inside, checking
            elif isinstance(child, ast.Import):
                yield from ((name.name, inside, checking) for name in child.names if name.name.split(".")[0] == "mensura")
            yield from walk(
                child,
                inside=inside or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda),
                checking=checking or (isinstance(child, ast.If) and getattr(child.test, "id", "") == "TYPE_CHECKING"),
            )

    return list(walk(ast.parse(path.read_text(encoding="utf-8")), inside=False, checking=False))


@pytest.fixture(scope="module", name="imported")
def imports_of_modules():
    """The imports of every module: in a fixture, because every worker imports this file."""
    return {name: imports(path) for name, path in MODULES.items()}


STILL_INSIDE = {
    "mensura.lint.committee → pathlib",
    "mensura.lint.engine → mensura.lint.readers.code",
    "mensura.lint.pages → io",
    "mensura.lint.readers.plans → mensura.errors",
}
"""Imports inside functions that save nothing and that nobody has moved yet; the list only gets shorter."""


def foreign_imports(path):
    """(imported module, inside a function) for each import of another package, without those for type checkers."""

    def walk(node, *, inside):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.If) and getattr(child.test, "id", "") == "TYPE_CHECKING":
                continue
            names = [name.name for name in child.names] if isinstance(child, ast.Import) else []
            if isinstance(child, ast.ImportFrom) and not child.level:
                names = [child.module]
            yield from ((name, inside) for name in names if name.split(".")[0] not in {"mensura", "__future__"})
            yield from walk(child, inside=inside or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda))

    return list(walk(ast.parse(path.read_text(encoding="utf-8")), inside=False))


def loaded_with(imported):
    """For each module, those of Mensura that are loaded when it is: what it imports at the top, and so on, with their packages."""
    direct = {
        name: {target for target, inside, checking in found if not inside and not checking} for name, found in imported.items()
    }
    everything = {}
    for name in direct:
        loaded, left = set(), [name]
        while left:
            module = left.pop()
            if module not in loaded:
                loaded.add(module)
                left += direct.get(module, ())
                left += [module.rpartition(".")[0]] if "." in module else []
        everything[name] = loaded
    return everything


def test_imports_inside_functions_save_something(imported):
    """An import inside a function is there to be late; one of a module that is loaded anyway only hides it from readers."""
    loaded, foreign = loaded_with(imported), {name: foreign_imports(path) for name, path in MODULES.items()}
    always = {*sys.builtin_module_names, "os", "io"}  # every interpreter has these
    useless = []
    for name, found in imported.items():
        useless += {f"{name} → {target}" for target, inside, _ in found if inside and target in loaded[name] - {"mensura"}}
        others = always | {target for each in loaded[name] for target, inside in foreign.get(each, ()) if not inside}
        useless += {f"{name} → {target}" for target, inside in foreign[name] if inside and target in others}
    useless = sorted({*useless} - STILL_INSIDE)
    assert not useless, "\n".join(useless)


def package(module):
    return module.split(".")[1] if "." in module else "mensura"


def test_every_package_has_its_step():
    assert {package(name) for name in MODULES} - {"mensura"} == STEP.keys() - {"_core"} | {"_core"}


def test_imports_go_to_the_left(imported):
    wrong = []
    for module, found in imported.items():
        for target, inside, checking in found:
            here, there = package(module), package(target)
            if "mensura" in {here, there}:
                if there == "mensura" and not inside and here not in {"cli", "web"}:
                    wrong.append(f"{module} imports the public names: import {target}'s own module instead")
                continue
            allowed = (inside or checking) and there in {DRAWN_BY, *CHAINED.get(module, ())}
            if STEP[there] > STEP[here] and not allowed:
                wrong.append(f"{module} → {target}")
            if there != here and here not in APART.get(there, {here}):
                wrong.append(f"{module} → {target}: {there} is an application apart")
    assert not wrong, "\n".join(wrong)


def test_no_module_is_imported_by_string():
    """A string hides an import from this test; lazy packages, the commands and the optional packages are the exceptions."""
    allowed = {"mensura._lazy", "mensura.cli", "mensura.result", "mensura.measures.names", "mensura.lint.rules"}
    wrong = [
        name
        for name, path in MODULES.items()
        if name not in allowed and re.search(r"import_module\(|__import__\(", path.read_text(encoding="utf-8"))
    ]
    assert not wrong


def test_no_circles(imported):
    graph = {
        name: {
            target
            for target, _, checking in found
            if not checking
            and target in MODULES
            and target != name
            and package(target) not in CHAINED.get(name, ())
            and not (package(target) == DRAWN_BY and package(name) != DRAWN_BY and STEP.get(package(name), 99) < STEP[DRAWN_BY])
        }
        for name, found in imported.items()
    }
    assert not circles(graph), "\n".join(" → ".join(circle) for circle in circles(graph))


def circles(graph):
    """Strongly connected parts of more than one module (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for target in graph[node]:
            if target not in index:
                visit(target)
                low[node] = min(low[node], low[target])
            elif target in stack:
                low[node] = min(low[node], index[target])
        if low[node] == index[node]:
            part = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(part) > 1:
                found.append(sorted(part))

    for node in graph:
        if node not in index:
            visit(node)
    return found


def test_no_module_is_shadowed_by_a_function():
    wrong = []
    for name, path in MODULES.items():
        if path.name == "__init__.py":
            public = getattr(importlib.import_module(name), "__all__", ())
            wrong += [f"{name}.{each}" for each in public if f"{name}.{each}" in MODULES]
    assert not wrong


def test_a_small_file_with_one_importer_is_part_of_it(imported):
    importers = defaultdict(set)
    for module, found in imported.items():
        for target, _, _ in found:
            importers[target].add(module)
    small = [
        name
        for name, path in MODULES.items()
        if path.name not in {"__init__.py", "__main__.py"}
        and len(path.read_text(encoding="utf-8").splitlines()) < 40
        and len(importers[name]) == 1
        and not name.startswith("mensura.lint.rules.")  # one file a rule
        and not name.startswith("mensura.cli.commands.")  # one file a command
    ]
    assert not small


def test_names_of_classes_are_told_apart():
    """A class name that several modules define is asked for by nobody else's code without looking twice."""
    homes = defaultdict(set)
    for name, path in MODULES.items():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                homes[node.name].add(name)
    assert not {name: sorted(places) for name, places in homes.items() if len(places) > 1}


@pytest.mark.parametrize("ceiling", [500])
def test_no_file_is_longer_than_its_ceiling(ceiling):
    core = [path for ending in ("pyx", "pxd", "h") for path in SOURCE.rglob(f"*.{ending}")]
    files = [*MODULES.values(), *core]
    assert not [path.name for path in files if len(path.read_text(encoding="utf-8").splitlines()) > ceiling]
    assert core
