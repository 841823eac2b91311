"""The style of names and prose in the source: rules that a program can check (CONTRIBUTING.md has the others)."""

from __future__ import annotations

import ast
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "mensura"
PACKAGES = [*sorted(path.name for path in SOURCE.iterdir() if path.is_dir() and path.name != "__pycache__"), "."]
QUESTIONS = {"What", "How", "Which", "Where", "Who", "Whose", "When", "Why"} | {
    *("Is", "Are", "Was", "Were", "Does", "Do", "Has", "Have", "Can", "May", "Must", "Should"),
}
VAGUE = {"found", "made", "wanted", "given"}
PHRASES = re.compile(
    r"(?<![Tt]here )\b(?:is|are|was|were) no (?!longer|more|less|later|worse|better|larger|smaller|longer|deeper|further)\w+"
    r"|how-manieth|[Ww]hat stands|\bstands? behind|behind the end|, all at once|[Nn]ot told apart|\bfor one[:.;)]"
    r"|\btied behind\b|\bwhich is no\b|\b(?:goes|go) on\b|\bgives? back\b",
)


def sources(package):
    """Python files of a package; of the top for a dot."""
    return sorted(SOURCE.glob("*.py") if package == "." else (SOURCE / package).rglob("*.py"))


@pytest.mark.parametrize("package", [*PACKAGES, "../../tests", "../../benchmarks", "../../tools"])
def test_docstrings_state_what_a_thing_is(package):
    wrong = []
    for path in sources(package):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                text = ast.get_docstring(node) or "-"
                if text.split()[0].strip("“\"'") in QUESTIONS:
                    wrong.append(f"{path.resolve().relative_to(ROOT)}:{getattr(node, 'lineno', 1)}: {text.splitlines()[0]}")
    assert not wrong, "\n".join(wrong)


def test_docstrings_of_the_compiled_core_state_what_a_thing_is():
    docstrings = [
        (path.name, match[1], match[0])
        for path in SOURCE.rglob("*.pyx")
        for match in re.finditer(r'^ *"""(\w+)[^\n]*', path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert len(docstrings) > 200
    assert [each for each in docstrings if each[1] in QUESTIONS] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_variables_say_what_they_hold(package):
    wrong = []
    for path in sources(package):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) if name in VAGUE:
                    wrong.append(f"{path.relative_to(SOURCE)}:{node.lineno}: {name}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("package", PACKAGES)
def test_prose_is_plain(package):
    wrong = []
    for path in sources(package):
        with path.open("rb") as file:
            for token in tokenize.tokenize(file.readline):
                if token.type in {tokenize.STRING, tokenize.COMMENT}:
                    wrong += [
                        f"{path.relative_to(SOURCE)}:{token.start[0]}: {phrase[0]}" for phrase in PHRASES.finditer(token.string)
                    ]
    assert not wrong, "\n".join(wrong)


def comments(text):
    """Comments and docstrings of Cython, which the tokens of Python are not enough for; code has no such phrases."""
    return re.sub(r'(?<!["\w])"[^"\n]*"(?!")', "", text)


def test_prose_of_the_compiled_core_is_plain():
    paths = [path for form in ("*.pyx", "*.pxd") for path in SOURCE.rglob(form)]
    assert len(paths) > 20
    wrong = [
        f"{path.relative_to(SOURCE)}: {phrase[0]}"
        for path in paths
        for phrase in PHRASES.finditer(comments(path.read_text(encoding="utf-8")))
    ]
    assert not wrong, "\n".join(wrong)


def test_prose_of_the_docs_is_plain():
    """Code and output in fences are left out: they are those of the commands."""
    wrong = []
    for path in [*(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]:
        if path.name in {"lint.md", "changelog.md"}:  # sentences of papers that a rule is about
            continue
        text = re.sub(r"^(`{3,}).*?^\1", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        wrong += [f"{path.name}: {phrase[0]}" for phrase in PHRASES.finditer(re.sub(r"`[^`]*`|“[^”]*”|\"[^\"]*\"", "", text))]
    assert not wrong, "\n".join(wrong)


def test_every_suppression_has_a_reason():
    wrong = []
    for path in SOURCE.rglob("*.py"):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if "# noqa" in line and not re.search(r"# noqa: [A-Z0-9, ]+ - \w+( \S+){2}", line):
                wrong.append(f"{path.relative_to(SOURCE)}:{number}")
    assert not wrong, "\n".join(wrong)
