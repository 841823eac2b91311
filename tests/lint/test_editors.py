"""Lint in editors and before commits: a language server by a scripted client, the action's own commands, and pre-commit."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = "Ünsere 😀 experiments prove it.\n\nOver 50 topics, the nDCG@10 is 0.4213.\n"


class Client:
    """A client that speaks the protocol over pipes."""

    def __init__(self, folder):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "mensura", "lint", "--lsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
        )
        self.number = 0

    def send(self, method, params, *, answered=True):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if answered:
            self.number += 1
            message["id"] = self.number
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()
        return self.wait(lambda answer: answer.get("id") == self.number)["result"] if answered else None

    def wait(self, fits):
        while True:
            size = 0
            while (line := self.process.stdout.readline()) not in (b"\r\n", b""):
                if line.lower().startswith(b"content-length"):
                    size = int(line.split(b":")[1])
            assert size, "the server has ended"
            answer = json.loads(self.process.stdout.read(size))
            if fits(answer):
                return answer

    def published(self):
        return self.wait(lambda answer: answer.get("method") == "textDocument/publishDiagnostics")["params"]

    def diagnostics(self):
        return self.published()["diagnostics"]


def test_a_text_is_checked_when_nobody_types():
    pytest.importorskip("pygls")
    from mensura.lint.server import Pending

    async def typing():
        checked = []
        both = asyncio.Event()

        def check(uri):
            checked.append(uri)
            if len(checked) > 1:
                both.set()

        pending = Pending()
        for _ in range(20):
            pending.put("a", check)
        pending.put("c", check)
        pending.drop("c")
        pending.put("b", check)
        assert checked == []
        await both.wait()
        assert pending.timers == {}
        return checked

    assert asyncio.run(typing()) == ["a", "b"]


@pytest.fixture
def client(tmp_path):
    client = Client(tmp_path)
    result = client.send("initialize", {"processId": None, "rootUri": tmp_path.as_uri(), "capabilities": {}})
    assert result["capabilities"]["hoverProvider"]
    client.send("initialized", {}, answered=False)
    yield client
    client.send("shutdown", None)
    client.send("exit", None, answered=False)
    assert client.process.wait(20) == 0
    client.process.stdin.close()
    client.process.stdout.close()


def test_the_language_server(client, tmp_path):
    uri = (tmp_path / "page.md").as_uri()
    document = {"uri": uri, "languageId": "markdown", "version": 1, "text": PAGE}
    client.send("textDocument/didOpen", {"textDocument": document}, answered=False)
    proof, digits = client.diagnostics()
    assert (proof["code"], proof["range"]["start"]) == ("M001", {"line": 0, "character": 10})  # the emoji has two units
    assert (digits["code"], digits["severity"]) == ("M301", 2)
    place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 12}}
    assert "### M001 proof-by-experiment" in client.send("textDocument/hover", place)["contents"]["value"]
    assert client.send("textDocument/hover", {**place, "position": {"line": 1, "character": 0}}) is None
    context = {"textDocument": {"uri": uri}, "range": digits["range"], "context": {"diagnostics": [proof, digits]}}
    (action,) = client.send("textDocument/codeAction", context)
    (edit,) = action["edit"]["changes"][uri]
    assert (action["title"], edit["newText"]) == ("Round to 0.421", "0.421")
    lines = PAGE.split("\n")
    start, end = (edit["range"][name]["character"] for name in ("start", "end"))
    lines[2] = lines[2][:start] + edit["newText"] + lines[2][end:]
    change = {
        "textDocument": {"uri": uri, "version": 2},
        "contentChanges": [{"text": "\n".join(lines).replace("prove", "suggest")}],
    }
    client.send("textDocument/didChange", change, answered=False)
    assert client.diagnostics() == []
    client.send("textDocument/didClose", {"textDocument": {"uri": uri}}, answered=False)
    assert client.diagnostics() == []


def test_a_program_a_setting_and_a_file_of_another_kind(client, tmp_path):
    (tmp_path / "mensura.toml").write_text('[lint]\nignore = ["M201"]\n')
    program = "import pyterrier as pt\npt.Experiment([bm25], topics, qrels, ['map', 'recip_rank'])\n"
    for name, text, expected in (("run.py", program, ["M101"]), ("notes.xyz", PAGE, []), ("broken.toml", "[", [None])):
        document = {"uri": (tmp_path / name).as_uri(), "languageId": "", "version": 1, "text": text}
        client.send("textDocument/didOpen", {"textDocument": document}, answered=False)
        assert [each.get("code") for each in client.diagnostics()] == expected


def test_findings_in_files_that_a_paper_includes(client, tmp_path):
    (tmp_path / "results.tex").write_text("Nothing here.\n\nOur experiments prove that it works.\n")
    paper = "\\documentclass{article}\\begin{document}\nWe report MRR@10.\n\\input{results}\n\\end{document}\n"
    uri = (tmp_path / "paper.tex").as_uri()
    document = {"uri": uri, "languageId": "latex", "version": 1, "text": paper}
    client.send("textDocument/didOpen", {"textDocument": document}, answered=False)
    own = client.published()
    assert (own["uri"], [each["code"] for each in own["diagnostics"]]) == (uri, ["M101"])
    part = client.published()
    (proof,) = part["diagnostics"]
    assert (part["uri"], proof["code"], proof["range"]["start"]["line"]) == ((tmp_path / "results.tex").as_uri(), "M001", 2)
    change = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": paper.replace("\\input{results}", "")}]}
    client.send("textDocument/didChange", change, answered=False)
    assert len(client.published()["diagnostics"]) == 1
    assert client.published() == {"uri": part["uri"], "diagnostics": []}  # the paper does not include it any more


def test_findings_in_the_cells_of_a_notebook(client, tmp_path):
    uri = (tmp_path / "study.ipynb").as_uri()
    code = "from scipy.stats import ttest_rel\nrun = 'a \\\"b\\\" ü'; best = np.mean(reciprocal_ranks)\n"
    texts = {f"{uri}#1": ("markdown", "Our experiments prove it."), f"{uri}#2": ("python", code)}
    cells = [{"kind": 1 if language == "markdown" else 2, "document": cell} for cell, (language, _) in texts.items()]
    notebook = {"uri": uri, "notebookType": "jupyter-notebook", "version": 1, "cells": cells}
    documents = [{"uri": cell, "languageId": language, "version": 1, "text": text} for cell, (language, text) in texts.items()]
    client.send("notebookDocument/didOpen", {"notebookDocument": notebook, "cellTextDocuments": documents}, answered=False)
    first, second = client.published(), client.published()
    assert [each["code"] for each in first["diagnostics"]] == ["M001"]
    (mean,) = second["diagnostics"]
    line = code.split("\n")[1]
    assert (second["uri"], mean["code"]) == (f"{uri}#2", "M101")
    assert mean["range"]["start"] == {"line": 1, "character": line.index("np.mean")}
    assert mean["range"]["end"] == {"line": 1, "character": len(line)}
    place = {"textDocument": {"uri": f"{uri}#2"}, "position": mean["range"]["start"]}
    assert "### M101" in client.send("textDocument/hover", place)["contents"]["value"]
    closing = {"notebookDocument": {"uri": uri}, "cellTextDocuments": [{"uri": cell} for cell in texts]}
    client.send("notebookDocument/didClose", closing, answered=False)
    assert [client.published()["diagnostics"] for _ in texts] == [[], []]


def test_the_commands_of_the_action(tmp_path):
    """The steps that a runner takes, without the installation."""
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    script = "\n".join(line[8:] for line in text.partition("run: |\n")[2].splitlines())
    (tmp_path / "a b").mkdir()
    (tmp_path / "a b" / "page.md").write_text("Our experiments prove it.\n")
    (tmp_path / "page.md").write_text("Our experiments prove it.\n")
    binaries = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-e", "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PATH": binaries, "FILES": "page.md\n", "ARGUMENTS": "--profile strict"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("::error file=page.md,line=1,col=5,endLine=1,endColumn=22,title=M001 proof-by-experiment::")


def test_what_the_hook_and_the_action_name_exists():
    hook = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    assert re.search(r"^- id: mensura-lint$", hook, re.MULTILINE)
    page = (ROOT / "docs" / "lint.md").read_text(encoding="utf-8")
    assert "id: mensura-lint" in page
    assert set(
        re.findall(r"^  (\w+):$", (ROOT / "action.yml").read_text().partition("inputs:")[2].partition("runs:")[0], re.MULTILINE)
    ) == {
        "files",
        "arguments",
        "package",
    }


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("git") is None, reason="pre-commit clones with git")
def test_a_run_of_pre_commit(tmp_path):
    """The hook from a clone of this repository, in a project with one mistake; it builds and installs Mensura."""
    pytest.importorskip("pre_commit")
    clone, project = tmp_path / "mensura", tmp_path / "project"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    for name in (".pre-commit-hooks.yaml",):
        shutil.copy(ROOT / name, clone / name)
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run([*git, "add", "-A"], cwd=clone, check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "hook"], cwd=clone, check=True)
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=clone, check=True, capture_output=True, text=True).stdout.strip()
    project.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    (project / ".pre-commit-config.yaml").write_text(f"repos:\n- repo: {clone}\n  rev: {head}\n  hooks:\n  - id: mensura-lint\n")
    (project / "paper.md").write_text("Our experiments prove it.\n")
    subprocess.run(["git", "add", "-A"], cwd=project, check=True)
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "run", "--all-files"],
        cwd=project,
        env={**os.environ, "PRE_COMMIT_HOME": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "paper.md:1:5: M001" in done.stdout
