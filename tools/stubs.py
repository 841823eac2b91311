"""Write ``__init__.pyi`` beside every lazy package: type checkers read there what ``_lazy.attach`` provides at run time.

Before that, the lists of measures in ``mensura/__init__.py``, ``mensura/measures/__init__.py`` and
``mensura/measures/registry.py`` are written, between two comments, from the classes that are decorated with ``@register``: a new
measure is exported, and known by its name, without a second list.

python tools/stubs.py            # write them
python tools/stubs.py --check    # exit 1 if one is not as it would be written
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCE = Path(__file__).resolve().parents[1] / "src"


BEGIN, END = "# measures, written by tools/stubs.py", "# end of measures"


def measures() -> dict[str, dict[str, str]]:
    """Classes of measures and their names, by the module inside ``mensura.measures`` that registers them."""
    classes: dict[str, dict[str, str]] = {}
    for path in sorted((SOURCE / "mensura" / "measures").glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and "register" in {getattr(each, "id", "") for each in node.decorator_list}:
                (name,) = (
                    ast.literal_eval(each.value)
                    for each in node.body
                    if isinstance(each, ast.AnnAssign) and getattr(each.target, "id", "") == "name" and each.value is not None
                )
                classes.setdefault(path.stem, {})[node.name] = name
    return classes


def between(text: str, lines: list[str], indent: str) -> str:
    """Text with other lines between the two comments."""
    before, rest = text.split(f"{indent}{BEGIN}\n")
    _, after = rest.split(f"{indent}{END}\n")
    return "".join([before, f"{indent}{BEGIN}\n", *(f"{indent}{line}\n" for line in lines), f"{indent}{END}\n", after])


def homes(registry: Path) -> str:
    """Text of the registry with the modules of all measures, by their names."""
    lines = [f'"{name}": "{module}",' for module, classes in measures().items() for name in sorted(classes.values())]
    return between(registry.read_text(encoding="utf-8"), lines, " " * 4)


def listed(init: Path) -> str:
    """Text of a package with its list of measures."""
    text = init.read_text(encoding="utf-8")
    if BEGIN not in text:
        return text
    prefix = "measures." if init.parent.name == "mensura" else ""
    lines = []
    for module, names in measures().items():
        quoted = ", ".join(f'"{name}"' for name in sorted(names))
        lines.append(f'"{prefix}{module}": ({quoted}{"," if len(names) == 1 else ""}),')
    return between(text, lines, " " * 8)


def stub(init: Path) -> str | None:
    """Text of the stub for a package, or ``None`` if it is not lazy."""
    tree = ast.parse(init.read_text(encoding="utf-8"))
    call = next((node for node in ast.walk(tree) if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "attach"), None)
    if call is None:
        return None
    package = ".".join(init.parent.relative_to(SOURCE).parts)
    homes: dict[str, tuple[str, ...]] = ast.literal_eval(call.args[1])
    subpackages: tuple[str, ...] = next(map(ast.literal_eval, call.args[2:]), ())
    lines = [f"from {package}.{module} import {name} as {name}" for module, names in homes.items() for name in names]
    lines += [f"from {package} import {name} as {name}" for name in subpackages]
    names = sorted(name for each in homes.values() for name in each)
    text = "\n".join([*sorted(lines), "", "__all__ = [", *(f'    "{name}",' for name in names), "]", ""])
    return f"{text}\n__version__: str\n" if package == "mensura" else text


def main(arguments: list[str]) -> int:
    """Write the stubs, or check them."""
    different = []
    registry = SOURCE / "mensura" / "measures" / "registry.py"
    jobs: list[tuple[Path, Path, Callable[[Path], str | None]]] = [(registry, registry, homes)]
    for init in sorted(SOURCE.rglob("__init__.py")):
        jobs += [(init, init, listed), (init, init.with_suffix(".pyi"), stub)]
    for origin, path, make in jobs:
        text = make(origin)
        if text is None or (path.exists() and path.read_text(encoding="utf-8") == text):
            continue
        different.append(str(path.relative_to(SOURCE)))
        if "--check" not in arguments:
            path.write_text(text, encoding="utf-8")
    if different:
        print("\n".join(different))
    return int(bool(different) and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
