"""Write ``__init__.pyi`` beside every lazy package: type checkers read there what ``_lazy.attach`` provides at run time.

python tools/stubs.py            # write them
python tools/stubs.py --check    # exit 1 if one is not as it would be written
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "src"


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
    for init in sorted(SOURCE.rglob("__init__.py")):
        text, path = stub(init), init.with_suffix(".pyi")
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
