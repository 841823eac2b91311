"""Notebooks, Python, plans, results, runs and judgments."""

from __future__ import annotations

import json

import pytest

from mensura import evaluate, read_qrels, read_run
from mensura.errors import InputError
from mensura.io.files import Source
from mensura.lint.engine import Options, lint, lint_text
from mensura.lint.sources import kind_of
from tests.cli.running import mensura
from tests.lint.linting import codes


def found(*files):
    return [(finding.line, finding.code) for finding in lint(map(str, files))]


def notebook(*cells, **options):
    return json.dumps({"cells": [{"cell_type": kind, "source": source} for kind, source in cells], "nbformat": 4}, **options)


MEAN = "import numpy as np\nmrr = np.mean([1 / rank for rank in ranks])\n"
LOOP = "for run in runs:\n    t, p = ttest_rel(base, run)\n"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (MEAN, ["M101"]),
        ("print(df['recip_rank'].mean())", ["M101"]),
        ("statistics.fmean(rr)", ["M101"]),
        ("per_topic['ERR@20'].mean()", ["M102"]),
        (LOOP, ["M701", "M801"]),
        (LOOP + "print(multipletests(ps, method='holm'), cohens_d)", []),
        (LOOP + "# no holm correction and no effect size\n", ["M701", "M801"]),
        ("ps = [wilcoxon(ndcg[a], ndcg[b]).pvalue for a, b in pairs]\nci = bootstrap(x)", ["M701"]),
        ("ttest_rel(a, b)\neffect = (a - b).mean() / (a - b).std(ddof=1)", []),
        ("ttest_rel(mrr_a, mrr_b); ttest_rel(mrr_a, mrr_c); cohen(mrr_a, mrr_b)", ["M701"]),
        ("ttest_rel(a, b); ttest_rel(a, c); cohen(a, b)", []),  # of what, is not known
        ("train, test = train_test_split(topics)", ["M501"]),
        ("for seed in seeds:\n    train, test = train_test_split(topics, random_state=seed)", []),
        ("scores.mean(); np.mean(errors); np.mean(err)", []),
        ("np.median(rr)", []),
        ("%time mrr = np.mean(rr)", ["M101"]),
        ("for rr in all_rr:\n    %timeit -n 3 -r 2 np.mean(rr)", ["M101"]),
        ("took = %time np.mean(rr)", ["M101"]),
        ("%%time\nnp.mean(rr)", ["M101"]),
        ("%%timeit -n 3\nnp.mean(rr)", ["M101"]),
        ("%matplotlib inline\nnp.mean(rr)", ["M101"]),
    ],
)
def test_python(code, expected):
    assert codes(code, "python") == expected
    assert codes(notebook(("code", code.splitlines(keepends=True))), "notebook") == expected
    assert codes(f"We measure an nDCG@10 of 0.41.\n\n```python\n{code}\n```\n", "markdown") == expected
    assert codes(f"Call it so.\n\n```python\n{code}\n```\n", "markdown") == []  # an example on a page without a result


BROKEN = "def broken(:\n  np.mean(rr)"


def test_broken_programs_and_experiments_cannot_be_read():
    pytest.importorskip("yaml")
    for text, kind, line in ((BROKEN, "python", 1), ("def f(:", "python", 1), ("x = 1\nelse:", "python", 2)):
        (finding,) = lint_text(text, kind, "x", Options())
        assert (finding.code, finding.line, finding.severity) == ("S002", line, "error")
        assert "is not Python" in finding.message
    assert codes(notebook(("code", BROKEN)), "notebook") == []
    for whole in (
        "print 'mrr', np.mean(rr)",
        "try:\n  f()\nexcept ValueError, e:\n  pass",
        ">>> f(\n",
        "!ls\nx = 1\n",
        "%%bash\nls |",
        "",
    ):
        assert "S002" not in codes(whole, "python")
    (finding,) = lint_text("name: x\nmetrics: [MRR\nother: : y\n", "experiment", "x.yaml", Options())
    assert (finding.code, finding.line) == ("S002", 3)
    assert "is not YAML" in finding.message
    assert codes("name: !tag x\n---\nb: [1, 2]\n", "experiment") == []


def test_notebooks_of_version_3():
    frame = "<table><tr><th></th><th>map</th><th>P@5</th></tr><tr><td>a</td><td>0.3</td><td>0.4</td></tr></table>"
    cells = [
        {"cell_type": "markdown", "source": ["Our experiments prove it.\n"]},
        {"cell_type": "code", "input": MEAN.splitlines(keepends=True), "outputs": [{"output_type": "pyout", "html": [frame]}]},
    ]
    text = json.dumps({"nbformat": 3, "worksheets": [{"cells": cells}]}, indent=1)
    assert {"M001", "M101"} <= set(codes(text, "notebook"))
    with pytest.raises(InputError, match="is not a notebook: it has no cells"):
        lint_text('{"nbformat": 3}', "notebook", "x.ipynb", Options())


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("We report 6 runs in 2020.\n", "markdown"),
        ("On 50 topics our runs are better.\nThis is what we see here now.\n", "markdown"),
        ("# Results\n\nOur runs are good.\n", "markdown"),
        ("1 Q0 d1 1 2.0 t\n1 Q0 d2 2 1.0 t\n", "run"),
        ("1 Q0 d1 1 2.0 t of mine\n", "run"),
        ("1 0 d1 1\n", "qrels"),
        ("runid all mine\nmap all 0.3\n", "trec_eval"),
        ("import numpy as np\n\nmrr = np.mean(rr)\n", "python"),
        ("# a program\n\ndef f(x):\n    return '\\\\begin{x}'\n", "python"),
        ("import duties are high\n", "markdown"),
        ("= Results\n\nWe see.\n", "typst"),
        ("// a note\n#set page(width: 3cm)\n", "typst"),
        ("We say \\\\emph{so}.\n", "latex"),
    ],
)
def test_kinds_of_standard_input(text, kind):
    assert kind_of(Source("<stdin>", data=text.encode())) == kind


def test_files_without_a_known_ending(tmp_path):
    path = tmp_path / "notes.dat"
    path.write_text("There is not much to say.\n")
    assert "is not a kind of file" in mensura("lint", path, status=1).stdout
    path.write_text("1 Q0 d1 x y t\n1 2\n")  # a damaged run is one
    assert "S002" in mensura("lint", path, status=1).stdout
    assert "is not a kind of file" not in mensura("lint", path, status=1).stdout


@pytest.mark.parametrize("options", [{}, {"indent": 1}, {"indent": 1, "ensure_ascii": False}])
def test_places_in_a_notebook(options):
    text = notebook(
        ("markdown", ["# Ergebnisse – “A”\n", "\n", "Äußerst: our experiments prove it.\n"]),
        ("code", MEAN.splitlines(keepends=True)),
        **options,
    )
    lines = text.split("\n")
    marked = []
    for finding in lint_text(text, "notebook", "x.ipynb", Options()):
        assert finding.line == finding.end_line
        marked.append((finding.code, lines[finding.line - 1][finding.column - 1 : finding.end_column - 1]))
    assert sorted(marked) == [("M001", "experiments prove"), ("M101", "np.mean([1 / rank for rank in ranks])")]


def test_a_notebook_may_keep_a_cell_in_one_string():
    assert codes(notebook(("markdown", "Text.\nWe report MRR.\n"), ("code", "x = 1")), "notebook") == ["M101"]


def test_suppression_in_a_notebook():
    cell = "np.mean(rr)  # mensura: ignore M101\n"
    assert codes(notebook(("code", [cell])), "notebook") == []
    assert codes(notebook(("markdown", ["<!-- mensura: ignore-file M101 -->\n"]), ("code", ["np.mean(rr)\n"])), "notebook") == []
    assert codes(notebook(("markdown", ["<!-- mensura: ignore M101 -->\n"])), "notebook") == ["S001"]


PLAN = {
    "goal": '"better ranking"',
    "systems": '["a", "b"]',
    "primary_measure": '"P@10"',
    "hypotheses": '["a > b"]',
    "test": '"t"',
    "correction": '"holm"',
    "alpha": "0.05",
    "smallest_effect": "0.02",
    "folds": "5",
    "seed": "1",
}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, []),
        ({"goal": None}, ["M901"]),
        ({"seed": None}, ["M901"]),
        ({"hypotheses": "[]"}, ["M601"]),
        ({"correction": '"none"'}, ["M701"]),
        ({"smallest_effect": None}, ["M801"]),
        ({"smallest_effect": None, "smallest-effect-of-interest": "0.02"}, []),
        ({"folds": None}, []),
        ({"seed": "0"}, []),
        ({"folds": "1"}, ["M501"]),
        ({"systems": None}, ["M602"]),
        ({"primary_measure": '["RR", "ERR@20", "AP"]', "test": '"sign"'}, ["M101", "M102", "M105", "M201"]),
        ({"primary_measure": '"nDCG@10"'}, ["M103", "M106"]),
        ({"primary_measure": '"RBP(p=0.8)@10"'}, ["M103"]),
        ({"primary_measure": '"R@10"'}, ["M105"]),
        ({"primary_measure": '"P"'}, ["M104"]),
        ({"primary_measure": '["P@10", "DCG(base=10)@10"]'}, []),
        ({"primary_measure": '"RR@10"', "scale": '"interval"'}, []),
        ({"primary_measure": '"nobody knows"'}, []),
    ],
)
def test_plans(change, expected):
    lines = [f"{key} = {value}" for key, value in (PLAN | change).items() if value is not None]
    assert codes("\n".join(lines), "plan") == expected
    assert codes("[plan]\n" + "\n".join(lines), "plan") == expected


def test_a_finding_in_a_plan_is_where_the_key_is():
    plan = "\n".join(f"{key} = {value}" for key, value in (PLAN | {"correction": '"none"'}).items())
    (finding,) = lint_text(plan, "plan", "x", Options())
    assert (finding.line, finding.column, finding.end_column) == (6, 1, 11)


def test_what_evaluate_and_compare_write(tmp_path):
    mensura("demo", "--keep", tmp_path / "c")
    inputs = [tmp_path / "c" / "qrels.txt", str(tmp_path / "c" / "runs" / "*.txt")]
    for name, options, expected in (
        ("a.csv", ["evaluate", "-m", "RR", "AP", "P@10", "-f", "csv"], ["M101", "M201"]),
        ("b.csv", ["evaluate", "-m", "RR", "-f", "csv", "-q"], []),
        ("c.json", ["evaluate", "-m", "ERR@20", "nDCG@10", "-f", "json"], ["M102"]),
        ("d.txt", ["evaluate", "-m", "P@10", "RR", "-f", "trec_eval"], ["M101", "M301"]),
        ("e.csv", ["compare", "-m", "P@10", "-f", "csv"], []),
        ("f.json", ["compare", "-m", "P@10", "-f", "json", "--test", "t", "--correction", "none"], ["M701"]),
        ("g.json", ["compare", "-m", "P@10", "-f", "json"], []),
        ("h.json", ["compare", "-m", "RR@10", "-f", "json"], ["M101"]),
    ):
        command, *rest = options
        mensura(command, *inputs, *rest, "-o", tmp_path / name)
        assert sorted({code for _, code in found(tmp_path / name)}) == expected, name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("run,MRR,P@10\na,0.5,0.4\n", ["M101"]),
        ("a,b,p\nx,y,0.01\nx,z,0.02\n", ["M701", "M801"]),
        ("a,b,p,holm,cohen\nx,y,0.01,0.02,0.4\nx,z,0.02,0.02,0.3\n", []),
        ("a\tb\tp value\nx\ty\t0.01\n", ["M801"]),
        ("# mensura: ignore-file M101\nrun,MRR\na,0.5\n", []),
        ("run,P@10\na,0.41234567890123\n", []),
    ],
)
def test_tables_of_others(text, expected):
    assert codes(text, "csv") == expected


def test_the_output_of_trec_eval():
    text = "runid\tall\tx\nnum_q\tall\t50\nmap\tall\t0.2531\nrecip_rank\tall\t0.6123\n"
    assert codes(text, "trec_eval") == ["M101", "M201", "M301"]
    assert codes(text.replace("\t50\n", "\t6980\n"), "trec_eval") == ["M101", "M201"]


def run_lines(*documents, topic="1", tag="r"):
    return "".join(f"{topic} Q0 {name} {rank} {score} {tag}\n" for rank, (name, score) in enumerate(documents, start=1))


FULL = [(f"d{rank}", 30 - rank) for rank in range(1, 13)]
QRELS = "".join(f"1 0 d{rank} {rank % 2}\n" for rank in range(1, 13))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (run_lines(*FULL), []),
        (run_lines(*FULL, ("d2", 1)), [(13, "D101")]),
        (run_lines(*FULL[:3], ("t", FULL[2][1]), *FULL[3:]), [(4, "D102")]),  # t is not judged, d3 is relevant
        (run_lines(*FULL[:5]), [(1, "D105")]),
        (run_lines(*FULL) + run_lines(*FULL, topic="2"), [(13, "D107")]),
        (run_lines(*[(name, -score) for name, score in FULL]), [(1, "D106")]),
        (run_lines(*FULL[:8], *((f"u{rank}", 10 - rank) for rank in range(4))), [(9, "D103")]),
        ("# team: mensura\n" + run_lines(*FULL), []),
    ],
)
def test_runs_with_judgments(text, expected, write):
    assert found(write("q.qrels", QRELS), write("x.run", text)) == expected


def test_ties_without_judgments_are_told_for_the_first_ten(write):
    assert found(write("x.run", run_lines(*FULL[:11], ("z", FULL[10][1])))) == []
    assert found(write("x.run", run_lines(*FULL[:9], ("z", FULL[8][1]), *FULL[9:]))) == [(10, "D102")]


def test_missing_topics(write):
    assert found(write("q.qrels", QRELS + "2 0 d1 1\n"), write("x.run", run_lines(*FULL))) == [(1, "D104")]


def test_judgments(write):
    assert found(write("q.qrels", QRELS + "2 0 d1 0\n2 0 d2 -1\n")) == [(13, "D108")]
    assert found(write("q.qrels", QRELS + "2 0 d1 0\n2 0 d2 -1\n1 0 d1 0\n")) == [(15, "D109")]


def test_remarks_of_an_evaluation_and_findings_in_its_files_agree(write):
    """A remark is a finding in the file of its run."""
    qrels = write("q.qrels", QRELS + "2 0 d1 1\n")
    run = write("x.run", run_lines(FULL[0], ("t", FULL[0][1]), *FULL[2:]) + run_lines(*FULL, topic="3"))
    made = {remark.code for remark in evaluate(read_qrels(qrels), [read_run(run)], ["P@10"]).remarks}
    assert made == {"D102", "D103", "D104", "D107"}
    assert {code for _, code in found(qrels, run)} == made - {"D103"}  # one document of ten is not more than a tenth


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.bin", "nothing known\n", "not a kind of file that lint reads"),
        ("x.ipynb", "{}", "is not a notebook"),
        ("x.ipynb", "[1", "is not a notebook"),
        ("x.toml", "= 1", "is not valid TOML"),
        ("x.json", "{}", "not a result of mensura"),
        ("x.json", "{", "is not valid json"),
        ("x.run", "1 Q0 d 1 nan r\n", "is not a finite number"),
        ("x.run", "1 Q0 d 1 2.0 r\n1 Q0 d\n", "expected 6 columns"),
        ("x.qrels", "1 0 d high\n", "the grade 'high' is not a number"),
        ("x.csv", "", "is empty"),
        ("x.run", "1 Q0 d 1 2.0 r\n1 Q0 d\n", "2: this file cannot be read"),
        ("x.tex", "We prove it.\0", "is not text in UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_finding(name, content, message, write):
    """The other files are checked nevertheless."""
    bad, good = write(name, content), write("good.tex", "Our experiments prove it.")
    first, second = lint([str(bad), str(good)])
    assert (first.code, first.severity, second.code) == ("S002", "error", "M001")
    assert message in f"{first.line}: {first.message}"


def test_compressed_files_are_read(tmp_path):
    import gzip

    path = tmp_path / "x.run.gz"
    path.write_bytes(gzip.compress(run_lines(*FULL[:5]).encode()))
    assert found(path) == [(1, "D105")]


def test_trec8(data):
    """The 129 runs of TREC-8: no run has a document twice, and every finding is one of the rules for runs."""
    runs = sorted((data / "trec8" / "runs").iterdir())[:6]
    made = lint([str(data / "trec8" / "qrels.txt"), *map(str, runs)])
    assert {finding.code for finding in made} <= {"D102", "D103", "D104", "D105", "D106", "D107"}
