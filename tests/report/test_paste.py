"""Text for a paper: LaTeX that is well-formed, citations that are in the bibliography, works that exist where they are said to."""

from __future__ import annotations

import re
import shutil
import subprocess
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mensura import AP, Measure, parse_measure, register
from mensura.measures import REGISTRY
from mensura.render.escapes import SPECIAL, latex
from mensura.render.report.bibtex import authors, bibtex
from mensura.render.report.methods import measure_entries, runs_digest
from mensura.render.report.works import WORKS
from mensura.report import InputFile, report
from mensura.stats.methods import CORRECTIONS, METHODS

from .campaigns import hostile, judged, large, small

ENGINE = next((engine for engine in ("tectonic", "pdflatex") if shutil.which(engine)), None)
ENTRY = re.compile(r"@(\w+)\{(\w+),\n((?:  \w+ *= \{.*\},\n)+)\}\n")
CITED = re.compile(r"\\cite\{([^}]*)\}")
WORKS_OF = {cls.name: cls.works for cls in REGISTRY.values() if cls.works}


def parse(text):
    """Entries of a .bib file by key; everything must be an entry."""
    found = {match[2]: (match[1], dict(re.findall(r"  (\w+) *= \{(.*)\},\n", match[3]))) for match in ENTRY.finditer(text)}
    assert ENTRY.sub("", text).strip() == ""
    for _, fields in found.values():
        for value in fields.values():
            assert balanced(value), value
    return found


def balanced(text):
    depth = 0
    for char in re.sub(r"\\[{}]", "", text):
        depth += {"{": 1, "}": -1}.get(char, 0)
        if depth < 0:
            return False
    return depth == 0


REQUIRED = {
    "article": {"author", "title", "journal", "year"},
    "inproceedings": {"author", "title", "booktitle", "year"},
    "book": {"author", "title", "publisher", "year"},
    "phdthesis": {"author", "title", "school", "year"},
    "unpublished": {"author", "title", "note"},
}


def test_every_work_has_the_fields_that_bibtex_wants():
    found = parse(bibtex(tuple(WORKS.values())))
    assert set(found) == set(WORKS)
    for key, (kind, fields) in found.items():
        assert REQUIRED[kind] <= set(fields), key
        assert fields["year"] in key
        assert re.fullmatch(r"1[79]\d\d|20[012]\d", fields["year"])
        assert re.fullmatch(r"10\.\d{4,5}/\S+", fields.get("doi", "10.1000/x")), key


def test_every_measure_test_and_correction_has_its_works():
    own = {name: cls for name, cls in REGISTRY.items() if cls.__module__.startswith("mensura.")}
    assert {name for name, cls in own.items() if cls.reference and not cls.works} <= {"NumRel", "NumRelRet", "NumRet"}
    tested = [method.works for method in METHODS.values()] + [correction.works for correction in CORRECTIONS.values()]
    assert {key for keys in (*(cls.works for cls in own.values()), *tested) for key in keys} <= set(WORKS)
    assert all(method.works for method in METHODS.values())
    assert [name for name, facts in CORRECTIONS.items() if not facts.works] == ["none"]


@pytest.mark.parametrize("name", sorted(name for name, cls in REGISTRY.items() if cls.works))
def test_works_are_those_that_the_measure_names(name):
    """The reference that each measure gives by itself names the same people and years."""
    (reference,) = {cls.reference for cls in REGISTRY.values() if cls.name == name}
    for key in REGISTRY[name].works:
        assert WORKS[key].author.split(",")[0] in reference
        assert WORKS[key].year in reference or not re.search(r"\d{4}", reference)


@pytest.mark.parametrize("name", sorted(METHODS))
def test_works_are_those_that_the_test_names(name):
    for key in METHODS[name].works:
        surname = WORKS[key].author.split(",")[0]
        assert re.search(rf"{surname}.* {WORKS[key].year}", METHODS[name].reference)


@pytest.mark.parametrize("make", [small, large, hostile])
def test_what_is_cited_is_in_the_bibliography_and_nothing_else(make):
    made = make()
    keys = [key for group in CITED.findall(made.methods("latex")) for key in group.split(",")]
    assert list(dict.fromkeys(keys)) == list(parse(made.bibtex()))
    assert set(re.findall(r"@(\w+)[;\]]", made.methods())) == set(keys)


def test_a_measure_of_ones_own_is_cited_by_what_it_says():
    @register
    class Mine(Measure):
        name = "Mine"
        reference = "Doe & Roe, A measure, 2024"

        def score(self, judged):
            return (AP() @ 5).score(judged)

    assert [entry.kind for entry in measure_entries(parse_measure("Mine"))] == ["misc"]
    made = report(judged(systems=3, topics=5), ["Mine"], samples=20)
    assert parse(made.bibtex())["measuremine"] == ("misc", {"note": r"Doe \& Roe, A measure, 2024"})
    assert "No exact interval scale" in made.findings[0]
    (said,) = [text for text in made.warnings if "assumes an interval scale" in text]
    assert "nothing is proven about the spacing of its values" in said  # not that they are not equally spaced, which nobody knows
    assert made.html()


def test_the_paragraph_says_what_was_done():
    sources = {
        "qrels_file": InputFile("my_qrels.txt", "ab" * 32),
        "run_files": (InputFile("a", "01" * 32), InputFile("b", "23" * 32)),
    }
    made = report(judged(), ["AP@10", "P(rel=2)@5"], test="t", correction="holm", alpha=0.01, prior_tests=7, **sources)
    text = made.methods()
    for words in (
        "8 systems on 30 topics",
        "my\\_qrels.txt (SHA-256 abababababababab…)",
        f"of the run files is {runs_digest(made)[:16]}…",
        "compared as 64-bit floating-point numbers",
        "AP\\@10 [@harman1993trec2; @buckley2000stability] and P(rel=2)\\@5 (relevant from grade 2) [@kent1955machine]",
        "99\u00a0% confidence interval",
        "All 28 pairs of systems were compared with the paired t-test [@student1908mean] (two-sided)",
        "corrected (Holm [@holm1979simple]) for 63 tests (28 pairs × 2 measures + 7 earlier tests on the collection)",
        "family-wise error rate at α = 0.01",
        "810 steps for AP\\@10",
    ):
        assert words in text
    assert "random draws" not in text
    assert "10\u202f000 random draws, seed 3" in report(judged(systems=2, topics=3), "AP@5", seed=3).methods()


@pytest.mark.parametrize("test", METHODS)
def test_every_test_has_a_paragraph(test):
    if test == "dunnett":  # compares with a baseline
        return
    made = report(judged(systems=3, topics=6), "P@5", test=test, samples=20)
    assert METHODS[test].title in made.methods().replace("\\", "")
    assert "the Friedman's" not in made.methods()
    assert parse(made.bibtex())


@given(st.text(st.characters(codec="utf-8"), max_size=40))
def test_no_character_is_left_that_latex_takes_for_a_command(text):
    made = re.sub(r"\{\\[`'^~\"]\{(?:\w|\\[ij])\}\}|\{\\[vc] (?:\w|\\[ij])\}", "", latex(text))
    for command in sorted(SPECIAL.values(), key=len, reverse=True):
        made = made.replace(command, "")
    assert not set(made) & set("&%$#_{}~^\\")
    assert balanced(latex(text))


def test_accents_as_bibtex_reads_them():
    assert latex("Järvelin, Demšar, Schütze") == r"J{\"{a}}rvelin, Dem{\v s}ar, Sch{\"{u}}tze"
    assert latex(unicodedata.normalize("NFD", "é")) == r"{\'{e}}"


def test_authors_as_a_reader_sees_them():
    assert authors("Buckley, Chris and Voorhees, Ellen M.") == "C. Buckley and E. M. Voorhees"
    assert authors("Student") == "Student"
    assert authors("Kent, Allen and Luehrs, Jr., Fred U.") == "A. Kent and F. U. Luehrs Jr."


@pytest.mark.parametrize("make", [small, large, hostile])
def test_rows_of_the_latex_table_fit_its_columns(make):
    made = make()
    text = made.latex()
    assert balanced(text)
    first, ranking = made.comparisons[0], made.comparisons[0].ranking
    for at, block in enumerate(re.split(r"\\begin\{tabular\}", text)[1:]):
        (columns,) = re.match(r"\{(\w+)\}", block).groups()
        body = block.split("\\midrule\n")[1].split("\\bottomrule")[0].strip().splitlines()
        assert len(body) == len(made.evaluation.judged.systems)
        for line, system in zip(body, ranking, strict=True):
            assert line.endswith(r" \\")
            cells = re.split(r"(?<!\\)&", line.removesuffix(r"\\"))
            assert len(cells) == len(columns)
            assert cells[0].replace(r"\allowbreak{}", "").strip().rstrip("}").endswith(latex(first.systems[system]).rstrip("}"))
            mean = re.search(r"[\d.]+", cells[1].replace(r"\phantom{0}", ""))[0]
            assert at or mean == f"{first.mean[system]:.{first.decimals}f}"


def test_a_long_table_is_several_floats():
    assert report(judged(systems=26, topics=4), "P@5", samples=20, test="t").latex().count(r"\begin{table}") == 1
    assert report(_many(), "P@5", samples=20, test="t").latex().count(r"\begin{table}") == 2
    assert small().latex().startswith("% needs \\usepackage{booktabs}\n")


def _many():
    from mensura import judge

    runs = {f"run{number}": {"1": {"a": 1.0, "b": float(number % 3)}, "2": {"a": 1.0}} for number in range(50)}
    return judge({"1": {"a": 1}, "2": {"a": 1}}, runs)


@pytest.mark.skipif(ENGINE is None, reason="neither tectonic nor pdflatex is here")
@pytest.mark.parametrize("options", ["", "[twocolumn]"])
@pytest.mark.parametrize("make", [small, large, hostile])
def test_latex_compiles_and_fits(make, options, tmp_path):
    made = make()
    (tmp_path / "refs.bib").write_text(made.bibtex(), encoding="utf-8")
    text = (
        f"\\documentclass{options}{{article}}"
        "\\usepackage[utf8]{inputenc}\\usepackage[T1]{fontenc}\\usepackage{booktabs}\\begin{document}\\sloppy\n"
        f"{made.methods('latex')}\n{made.latex()}\n\\bibliographystyle{{plain}}\\bibliography{{refs}}\\end{{document}}\n"
    )
    (tmp_path / "paper.tex").write_text(text, encoding="utf-8")
    words = [ENGINE, "paper.tex"] if ENGINE == "tectonic" else [ENGINE, "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    wide = re.findall(r"Overfull \\hbox \(([\d.]+)pt too wide\)", done.stdout)
    assert max(map(float, wide), default=0) <= 5, text
