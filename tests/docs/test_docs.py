"""The examples of the documentation, executed."""

from __future__ import annotations

import doctest
import importlib
import json
import pkgutil
import pydoc
import re
import subprocess
import sys
from pathlib import Path

import pytest

import mensura
from mensura import parse_measure
from mensura.cli import COMMANDS
from mensura.measures import REGISTRY
from tests.docs.pages import blocks, run_page

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))]
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(mensura.__path__, "mensura.")
    if not module.name.startswith("mensura._core") and not module.name.endswith("__main__")
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_shows_what_happens(page, tmp_path):
    for _, steps in run_page(page.read_text(encoding="utf-8"), tmp_path):
        for step in steps:
            assert step.same, f"{page.name}:{step.line}: {step.what}\nshown:\n{step.expected}\nprinted:\n{step.got}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_all_python_on_a_page_is_run(page):
    for block in blocks(page.read_text(encoding="utf-8")):
        assert block.kind != "python" or ">>> " in block.body, f"{page.name}:{block.line}: Python that nobody runs"
        assert block.kind != "bash", f"{page.name}:{block.line}: write sh (not run) or console (run)"


@pytest.mark.parametrize("module", MODULES)
def test_docstrings_show_what_happens(module, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert doctest.testmod(importlib.import_module(module)).failed == 0


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_the_options_of_every_command_are_listed(command):
    words = f"```text options {command}\n" if command else "$ mensura --help\n"
    assert words in (DOCS / "cli.md").read_text(encoding="utf-8")


def documented():
    """Names that the pages document, and the objects that they lead to."""
    text = "\n".join(page.read_text(encoding="utf-8") for page in DOCS.glob("*.md"))
    names = re.findall(r"(?:auto(?:class|function|exception|module|method)|py:data):: +(mensura[\w.]*)", text)
    for module, members in re.findall(r"automodule:: (mensura[\w.]+)\n +:members: ([^\n]+)", text):
        names += [f"{module}.{name.strip()}" for name in members.split(",")]
    return {name: pydoc.locate(name) for name in names}


def test_the_reference_and_what_can_be_imported_agree():
    objects = documented()
    assert not [name for name, found in objects.items() if found is None], "documented, but not there"
    known = set(map(id, objects.values()))
    public = json.loads((ROOT / "tests" / "public.json").read_text(encoding="utf-8"))
    missing = [
        f"{package}.{name}"
        for package, names in public.items()
        for name in names
        if id(getattr(importlib.import_module(package), name)) not in known
    ]
    assert not missing, "public, but not documented"


def test_every_measure_is_in_the_catalogue():
    text = (DOCS / "measures.md").read_text(encoding="utf-8")
    shown = {getattr(mensura, name) for name in re.findall(r"^\.\. autoclass:: mensura\.(\w+)", text, re.MULTILINE)}
    known = {cls for cls in REGISTRY.values() if cls.__module__.startswith("mensura.")}
    assert shown == known


def rows_of_names():
    """Rows of the tables of names: Mensura's name in the first column, names of other tools in the others."""
    for line in (DOCS / "names.md").read_text(encoding="utf-8").splitlines():
        cells = [re.findall(r"`([^`]+)`", cell) for cell in line.strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 4:
            yield cells[0][0], [name for cell in cells[1:] for name in cell]


@pytest.mark.parametrize(("own", "others"), list(rows_of_names()))
def test_names_of_other_tools_are_understood(own, others):
    assert str(parse_measure(own)) == own
    assert {name: str(parse_measure(name)) for name in others} == dict.fromkeys(others, own)


def test_tables_of_names_are_found():
    assert len(list(rows_of_names())) > 15


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page):
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text)
    lost = [target for target in targets if "://" not in target and not (page.parent / target).exists()]
    assert not lost


@pytest.mark.slow
def test_the_pages_build_without_a_warning(tmp_path):
    for package in ("sphinx", "myst_nb", "furo"):
        pytest.importorskip(package, reason="needs the extra docs")
    words = [
        sys.executable,
        "-m",
        "sphinx",
        "-q",
        "-W",
        "--keep-going",
        "-b",
        "html",
        "-d",
        tmp_path / "trees",
        DOCS,
        tmp_path / "html",
    ]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
