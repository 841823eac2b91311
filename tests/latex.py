"""Papers in LaTeX that tests compile: the classes that are tried, and the boxes that are too wide in them."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import pytest

ENGINE = shutil.which("pdflatex")
PACKAGES = r"\usepackage[utf8]{inputenc}\usepackage[T1]{fontenc}\usepackage{booktabs}"
CLASSES = {
    "one column": r"\documentclass{article}" + PACKAGES,
    "two columns": r"\documentclass[twocolumn]{article}" + PACKAGES,
    "ACM": r"\documentclass[sigconf,nonacm]{acmart}\title{A}\renewcommand\shortauthors{B}",  # has booktabs and its own fonts
    "IEEE": r"\documentclass[conference]{IEEEtran}" + PACKAGES,
}
NEEDS_LATEX = pytest.mark.skipif(ENGINE is None, reason="pdflatex is not here")


def head_of(pages: str) -> str:
    """Return the beginning of a paper of a class; skip the test where the class, or one of its packages, is missing."""
    if pages in {"ACM", "IEEE"} and not compiles(pages):
        pytest.skip(f"the class of {pages} does not compile here: install texlive-publishers, -fonts-recommended and -latex-extra")
    return CLASSES[pages]


@cache
def compiles(pages: str) -> bool:
    """Whether an empty paper of a class compiles here; Debian has acmart and IEEEtran in texlive-publishers."""
    with tempfile.TemporaryDirectory() as folder:
        return latex(rf"{CLASSES[pages]}\begin{{document}}\dag{{}} \textless{{}}\end{{document}}", Path(folder)).returncode == 0


def latex(text: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """Compile a paper in a folder."""
    (folder / "paper.tex").write_text(f"{text}\n", encoding="utf-8")
    words = [ENGINE or "", "-draftmode", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    return subprocess.run(words, cwd=folder, capture_output=True, check=False)


def too_wide(texts: dict[str, str], head: str, folder: Path) -> dict[str, float]:
    """Points by which boxes of texts are too wide, where it is more than five. All are in one paper, on pages of their own."""
    parts = [f"\\typeout{{==={name}===}}\n{text}\n\\clearpage\n" for name, text in texts.items()]
    done = latex(f"{head}\\begin{{document}}\n{''.join(parts)}\\end{{document}}", folder)
    said = done.stdout.decode("utf-8", "replace")
    assert done.returncode == 0, said[-2000:]
    of_each = dict(re.findall(r"===(.+?)===\n(.*?)(?====|\Z)", said, re.DOTALL))
    assert of_each.keys() == texts.keys()
    widest = {
        name: max(map(float, re.findall(r"Overfull \\hbox \(([\d.]+)pt too wide\)", log)), default=0.0)
        for name, log in of_each.items()
    }
    return {name: points for name, points in widest.items() if points > 5}
