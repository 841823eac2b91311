"""Programs: what the calls of the field's libraries, loops of tests, splits and printed digits say, read from the syntax tree."""

from __future__ import annotations

import ast
import json

import pytest

from mensura.lint.code.program import parse
from mensura.lint.engine import lint
from tests.lint.linting import codes

PT = "import pyterrier as pt\n"
RANX = "from ranx import Qrels, Run, compare, evaluate\n"
IRM = "import ir_measures\nfrom ir_measures import AP, ERR, RR, nDCG\n"
SCIPY = "from scipy import stats\nfrom scipy.stats import ttest_ind, ttest_rel\n"

MEASURES = {
    "PyTerrier, by keyword": (
        PT + "pt.Experiment([bm25], topics, qrels, eval_metrics=['map', 'recip_rank', 'P.10'])",
        ["M101", "M201"],
    ),
    "PyTerrier, by position": (PT + "pt.Experiment([bm25, pl2], topics, qrels, ['map', 'ndcg'])", ["M201"]),
    "PyTerrier, a list with a name": (
        PT + ("wanted = ['ndcg_cut_10', 'recip_rank']\npt.Experiment([bm25], topics, qrels, wanted)"),
        ["M101"],
    ),
    "measure objects": (
        PT + ("from pyterrier.measures import *\npt.Experiment([bm25], topics, qrels, [RR @ 10, nDCG @ 20])"),
        ["M101"],
    ),
    "measure objects with parameters": (
        IRM + "ir_measures.calc_aggregate([nDCG @ 10, AP(rel=2), ERR @ 20], qrels, run)",
        ["M102", "M201"],
    ),
    "ir_measures, other measures": (IRM + "ir_measures.calc_aggregate([nDCG @ 10], qrels, run)", []),
    "columns of a data frame": ("out = frame.groupby('run').agg(mrr=('mrr@20', 'mean'), n=('ndcg@20', 'mean'))", ["M101"]),
    "a dictionary of functions": ("qrels = read()\nout = frame.groupby('run').agg({'map': 'mean', 'P_10': 'max'})", ["M201"]),
    "a sum in a dictionary": ("row = {'mrr': totals['mrr@10'] / float(queries)}", ["M101"]),
    "a function for the mean": ("from metrics import map_at_k\nprint(map_at_k(run, qrels))", ["M201"]),
    "another column of a data frame": ("out = frame.groupby('map').agg(n=('ndcg@20', 'mean'), m=('mrr', 'max'))", []),
    "ranx": (RANX + "evaluate(qrels, run, ['mrr@100', 'ndcg@10'])", ["M101"]),
    "ranx, one measure": (RANX + "evaluate(qrels, run, 'map@1000')", ["M201"]),
    "pytrec_eval": ("import pytrec_eval\npytrec_eval.RelevanceEvaluator(qrels, {'map', 'ndcg_cut_5'})", ["M201"]),
    "BEIR": (
        ("from beir.retrieval.evaluation import EvaluateRetrieval\nretriever.evaluate_custom(qrels, results, ks, metric='mrr')"),
        ["M101"],
    ),
    "BEIR's second value, used": (
        ("import beir\nndcg, _map, recall, precision = retriever.evaluate(qrels, results, ks)\nprint(_map)"),
        ["M201"],
    ),
    "BEIR's second value, thrown away": (
        ("import beir\nndcg, _map, recall, p = retriever.evaluate(qrels, results, ks)\nprint(ndcg)"),
        [],
    ),
    "RecBole": (
        ("from recbole.config import Config\nConfig(model='BPR', config_dict={'metrics': ['Recall', 'MRR', 'NDCG'], 'topk': 10})"),
        ["M101"],
    ),
    "by hand": (
        (
            "for qid in qids:\n"
            "    for i, doc in enumerate(ranking[qid]):\n"
            "        if doc in relevant[qid]:\n"
            "            MRR += 1 / (i + 1)\n"
            "            break\n"
            ""
        ),
        ["M101"],
    ),
    "by hand, of a sum": ("rr_sum = sum(reciprocal_ranks)\nprint(sum(reciprocal_ranks) / len(qids))", ["M101"]),
    "by a function of its own": ("def mrr_at_k(hits, k):\n    return total(hits, k)\n\nprint(mrr_at_k(hits, 10))", ["M101"]),
    "mean of average precision": ("ap_scores = [score(query) for query in queries]\nprint(np.mean(ap_scores))", ["M201"]),
    "average precision of one topic": ("def average_precision(hits):\n    ap = 0.0\n    return ap / len(relevant)\n", []),
    "reciprocal rank of one topic": ("def reciprocal_rank(ranking, relevant):\n    return 1 / rank\n", []),
    "reciprocal rank fusion": (
        ("for run in runs:\n    for rank, doc in enumerate(run):\n        rrf_scores[doc] += 1 / (60 + rank)\n"),
        [],
    ),
    "a map that is not a measure": ("cells = list(map(str, rows))\nprint(np.mean(feature_map), attention_map.mean())", []),
    "object detection": ("def compute_map(boxes):\n    ...\n\nprint(compute_map(pred), bbox)", []),
    "errors": ("print(np.mean(err), errors.mean(), stderr.mean())", []),
    "collected, under names that do not tell": (
        (
            "for query in queries:\n"
            "    for i, label in enumerate(ranking[query]):\n"
            "        if label == 1:\n"
            "            scores.append(1.0 / (i + 1))\n"
            "            break\n"
            "print(sum(scores) / len(scores) if scores else 0.0)"
        ),
        ["M101"],
    ),
    "collected by way of a name": (
        (
            "for query, position in first_hits(qrels):\n"
            "    value = 1 / position if position else 0\n"
            "    values.append(value)\n"
            "summary = np.mean(values)"
        ),
        ["M101"],
    ),
    "weights by rank": (
        (
            "for query in queries:\n"
            "    for i, doc in enumerate(ranking[query]):\n"
            "        weights.append(1 / (i + 1))\n"
            "    share = sum(weights) / len(weights)\n"
        ),
        [],
    ),
    "a mean of the program's own": (
        "row['first'] = _mean(reciprocal_rank(run, qrels) for run in runs)\nrow['all'] = mean_of(average_precision(r) for r in a)",
        ["M101", "M201"],
    ),
    "methods that are named for the mean": (
        "scorer = Scorer(ranked_labels, queries)\nshow(scorer.MAP(), scorer.MRR())",
        ["M101", "M201"],
    ),
    "functions that are named for the mean": (
        (
            "class Scorer:\n"
            "    def MAP(self):\n"
            "        return sum(self.values) / len(self.queries)\n"
            "    def mean_reciprocal_rank(self):\n"
            "        return np.mean(self.firsts)\n"
        ),
        ["M101", "M201"],
    ),
    "a function of one topic that is named for the mean": (
        "def mrr(ranking, qrels):\n    return 1.0 / rank_of_first(ranking, qrels)\n",
        [],
    ),
    "measures in strings that are put together": (
        (
            "import pytrec_eval\n"
            "maps = 'map_cut.' + ','.join(str(k) for k in cutoffs)\n"
            "firsts = 'recip_rank'\n"
            "pytrec_eval.RelevanceEvaluator(qrels, {maps, firsts, 'ndcg_cut.10'})"
        ),
        ["M101", "M201"],
    ),
    "reported in a formatted string": (
        "first, gain = evaluate(run, qrels)\nprint(f'MRR@10: {first:.3f}, nDCG {gain:.3f}')",
        ["M101"],
    ),
    "reported by the name of the value": ("print(f'{scores[\"mrr\"]:.3f} on {qrels}')", ["M101"]),
    "reported after its name": ("print('MAP:', outcome, 'of', qrels)", ["M201"]),
    "reported by a template": (
        "logging.info('mrr = {:.3f}'.format(value)); print('MAP@%d: %.3f' % (k, value)); qrels",
        ["M101", "M201"],
    ),
    "a map that is printed": ("print('map:', queries); print(f'map {queries:.2f}')", []),
    "stored under its name": (
        "row = {'mrr': round(total / len(queries), 3)}\nrow['MAP'] = float(np.mean(values))",
        ["M101", "M201"],
    ),
    "stored, and nothing yet": ("row = {'mrr': 0.0, 'MAP': None, 'queries': []}", []),
    "a name that only begins like one": ("print(np.mean(rr_ndcg), np.mean(rr_frame.delta), qrels)", []),
    "Python 2": (
        (
            "try:\n"
            "    for query in queries:\n"
            "        mrr += 1.0 / rank  # the first\n"
            "except IOError, error:\n"
            "    print error\n"
            "print 'MRR', mrr / len(queries)  # all\n"
        ),
        ["M101"],
    ),
    "Python 2, over several lines": (
        (
            "for query in queries:\n"
            "    print 'query {}'.format(\n"
            "        query)\n"
            "    mrrs.append(1.0 / (rank + 1))\n"
            "print 'MRR', sum(mrrs) / float(len(mrrs))#5\n"
        ),
        ["M101"],
    ),
    "a line that is not Python": ("<<<<<<< ours\nfor query in queries:\n    mrr += 1 / rank\n=======\n", ["M101"]),
    "read by its name": ("best = table.loc[cutoff]['MAP']; first = results['mrr_at_10']; qrels", ["M101", "M201"]),
    "a test of a measure": ("def test_first(qrels):\n    assert evaluate(qrels)['mrr'] == 0.5\n", []),
    "a measure that a library offers": (
        ("class Ranking(BaseEvaluator):\n    def report(self, queries):\n        print(f'MRR@10: {self.mrr:.3f}')\n"),
        [],
    ),
    "another library's compare": ("from ranx import evaluate\nfrom mine import compare\ncompare(qrels, runs, ['map'])", []),
}


@pytest.mark.parametrize("case", MEASURES)
def test_measures_that_a_program_averages(case):
    code, expected = MEASURES[case]
    assert [found for found in codes(code, "python") if found in {"M101", "M102", "M201"}] == expected


TESTS = {
    "a loop": (
        SCIPY + ("for run in runs:\n    print(stats.ttest_rel(ndcg['bm25'], ndcg[run]), cohen_d(ndcg['bm25'], ndcg[run]))\n"),
        ["M701"],
    ),
    "repeated": (SCIPY + "ttest_rel(ndcg_a, ndcg_b)\nttest_rel(ndcg_a, ndcg_c)\neffect_size(ndcg_a)", ["M701"]),
    "one test of one pair": (SCIPY + "ttest_rel(ndcg_a, ndcg_b)\neffect_size(ndcg_a)", []),
    "two ways to test one pair": (
        SCIPY + ("if paired:\n    ttest_rel(ndcg_a, ndcg_b)\nelse:\n    stats.wilcoxon(ndcg_a, ndcg_b)\nhedges_g"),
        [],
    ),
    "a function that is called in a loop": (
        SCIPY
        + (
            "def better(a, b):\n"
            "    return ttest_rel(a, b).pvalue < 0.05\n"
            "\n"
            "for run in runs:\n"
            "    better(ndcg[run], ndcg['bm25'])\n"
            "cliffs_delta"
        ),
        ["M701"],
    ),
    "corrected": (
        SCIPY + ("ps = [ttest_rel(ndcg[a], ndcg[b]).pvalue for a, b in pairs]\nmultipletests(ps, method='holm')\ncohen_d"),
        [],
    ),
    "what is looped over": (SCIPY + "for value in ttest_rel(ndcg_a, ndcg_b):\n    print(value, effect_size)", []),
    "no effect size": (SCIPY + "print(ttest_rel(ndcg_a, ndcg_b).pvalue)", ["M801"]),
    "unpaired": (SCIPY + "print(ttest_ind(map_bm25, map_bert).pvalue, cohen_d(qrels))", ["M703"]),
    "not retrieval": (SCIPY + "for group in groups:\n    ttest_ind(heights[group], heights['control'])", []),
    "PyTerrier's baseline": (PT + "pt.Experiment([a, b, c], topics, qrels, ['ndcg_cut_10'], baseline=0)", ["M701"]),
    "PyTerrier's baseline, corrected": (
        PT + "pt.Experiment([a, b, c], topics, qrels, ['ndcg_cut_10'], baseline=0, correction='holm')",
        [],
    ),
    "PyTerrier's baseline, one test": (PT + "pt.Experiment([a, b], topics, qrels, ['ndcg_cut_10'], baseline=0)", []),
    "columns of a data frame": ("out = frame.groupby('run').agg(mrr=('mrr@20', 'mean'), n=('ndcg@20', 'mean'))", ["M101"]),
    "a dictionary of functions": ("qrels = read()\nout = frame.groupby('run').agg({'map': 'mean', 'P_10': 'max'})", ["M201"]),
    "a sum in a dictionary": ("row = {'mrr': totals['mrr@10'] / float(queries)}", ["M101"]),
    "a function for the mean": ("from metrics import map_at_k\nprint(map_at_k(run, qrels))", ["M201"]),
    "another column of a data frame": ("out = frame.groupby('map').agg(n=('ndcg@20', 'mean'), m=('mrr', 'max'))", []),
    "ranx": (RANX + "compare(qrels, runs=[a, b, c], metrics=['ndcg@10'], max_p=0.01)", ["M701"]),
    "ranx with Tukey's test": (RANX + "compare(qrels, runs=[a, b, c], metrics=['ndcg@10'], stat_test='tukey')", []),
}


@pytest.mark.parametrize("case", TESTS)
def test_tests_of_significance(case):
    code, expected = TESTS[case]
    assert codes(code, "python") == expected


CHOICES = {
    "one split of topics": (
        PT + ("train, test = train_test_split(topics, test_size=50)\npt.Experiment([ltr], test, qrels, ['ndcg_cut_10'])"),
        ["M501"],
    ),
    "folds": (
        PT
        + (
            "train, test = train_test_split(topics)\n"
            "for a, b in KFold(5).split(topics):\n"
            "    pt.Experiment([ltr], b, qrels, ['ndcg_cut_10'])"
        ),
        [],
    ),
    "a classifier": (
        (
            "X_train, X_test, y_train, y_test = train_test_split(X, y)\n"
            "print(classifier.fit(X_train, y_train).score(X_test, y_test))"
        ),
        [],
    ),
    "a classifier beside retrieval": (
        PT + ("X_train, X_test = train_test_split(X)\npt.Experiment([bm25], topics, qrels, ['ndcg_cut_10'])"),
        [],
    ),
    "a grid on the topics of the experiment": (
        PT
        + (
            "best = pt.GridSearch(bm25, {bm25: {'c': [0.1]}}, topics, qrels, 'ndcg')\n"
            "pt.Experiment([best], topics, qrels, ['ndcg_cut_10'])"
        ),
        ["M502"],
    ),
    "a grid on other topics": (
        PT
        + (
            "best = pt.GridSearch(bm25, {bm25: {'c': [0.1]}}, dev_topics, qrels, 'ndcg')\n"
            "pt.Experiment([best], topics, qrels, ['ndcg_cut_10'])"
        ),
        [],
    ),
    "validation on test topics": (PT + "ltr.fit(train_topics, qrels, test_topics, qrels)", ["M502"]),
    "fusion on the judgments of the evaluation": (
        (
            "from ranx import evaluate, optimize_fusion\n"
            "optimize_fusion(qrels=qrels, runs=runs, metric='ndcg@10')\n"
            "evaluate(qrels, run, 'ndcg@10')"
        ),
        ["M502"],
    ),
}


@pytest.mark.parametrize("case", CHOICES)
def test_splits_and_tuning(case):
    code, expected = CHOICES[case]
    assert codes(code, "python") == expected


RATIOS = {
    "of two means": ("change = (ndcg_new - ndcg_old) / ndcg_old * 100; qrels", ["M401"]),
    "guarded against zero": ("change = (scores['mrr'] - old_mrr) / max(old_mrr, 1e-9); qrels", ["M401"]),
    "less one": ("print('nDCG rises by %.1f%%' % (100 * (ndcg_new / ndcg_old - 1))); qrels", ["M401"]),
    "one less": ("drop = 1 - recall_after / recall_before; qrels", ["M401"]),
    "a difference": ("change = ndcg_new - ndcg_old; share = ndcg_new / total; qrels", []),
    "of seconds": ("change = (time_ndcg - time_old) / time_old; qrels", []),
    "kappa": ("kappa = 1 - (p1 - p0) / (1 - p0); qrels", []),
}


@pytest.mark.parametrize("case", RATIOS)
def test_relative_changes_of_means(case):
    code, expected = RATIOS[case]
    assert [found for found in codes(code, "python") if found == "M401"] == expected


DIGITS = {
    "PyTerrier's round, few topics": (
        PT + ("d = pt.get_dataset('vaswani')\npt.Experiment([a], t, q, ['ndcg'], round={'ndcg': 4})"),
        ["M301"],
    ),
    "PyTerrier's round, enough": (PT + "d = pt.get_dataset('vaswani')\npt.Experiment([a], t, q, ['ndcg'], round={'ndcg': 3})", []),
    "a format, few topics": (PT + "d = pt.get_dataset('irds:trec-covid')\nprint(f'{mean_ndcg:.5f}')", ["M301"]),
    "a format, many topics": (PT + "d = pt.get_dataset('irds:msmarco-passage/dev/small')\nprint(f'{mean_ndcg:.4f}')", []),
    "a format of something else": (PT + "d = pt.get_dataset('irds:trec-covid')\nprint(f'{seconds:.5f} {loss:.6f}')", []),
    "a format, topics not known": ("print(f'{mean_ndcg:.4f}')", []),
    "round()": (PT + "dataset = 'trec-covid'\nprint(round(mean_ndcg, 4))", ["M301"]),
    "round() of NumPy and of a data frame": (
        PT + "dataset = 'trec-covid'\nprint(np.round(ndcg, decimals=4)); table = frame[['nDCG@10']].round(4)",
        ["M301"],
    ),
    "three decimals of a data frame": (PT + "dataset = 'trec-covid'\ntable = frame[['nDCG@10']].round(3)", []),
    "a format after the name": (PT + "dataset = 'trec-covid'\nprint(f'nDCG@10: {value:.4f}')", ["M301"]),
    "a template": (PT + "dataset = 'trec-covid'\nprint('nDCG@10: %.4f' % value)", ["M301"]),
    "str.format": (PT + "dataset = 'trec-covid'\nprint('nDCG@10: {:.4f}'.format(value))", ["M301"]),
}


@pytest.mark.parametrize("case", DIGITS)
def test_digits_that_are_printed(case):
    code, expected = DIGITS[case]
    assert codes(code, "python") == expected


@pytest.mark.parametrize(
    ("source", "line", "python"),
    [
        ("%pip install python-terrier\nx = 1", 2, "x = 1"),
        ("!ls\nfor a in b:\n    %time f(a)\n", 2, "for a in b:\n    if 1:\n        f(a)"),
        ("files = !ls *.gz\nprint(files)", 2, "print(files)"),
        ("with a:\n    !nvidia-smi\n", 1, "with a:\n    pass"),
        ("%%time\nx = 1", 2, "x = 1"),
        ("?df\nx = 1", 2, "x = 1"),
        (">>> x = 1\n>>> y = 2\n3", 2, "y = 2"),
        ("    >>> if x:\n    ...     y = 2\n    3", 1, "if x:\n    y = 2"),
    ],
)
def test_lines_of_ipython_and_of_consoles_are_read_over(source, line, python):
    """The Python between them is read, at its own lines."""
    statements = [node for node in ast.walk(parse(source)) if isinstance(node, ast.stmt) and node.lineno == line]
    assert python in [ast.unparse(node) for node in statements]


def test_a_cell_of_another_language_is_not_python():
    assert parse("%%bash\nls") is None
    assert parse("%%html\n<b>x</b>") is None


def test_cells_of_a_notebook_are_one_program():
    cells = [
        "%pip install python-terrier",
        PT,
        "!ls\nmeasures = ['recip_rank']",
        "%%time\npt.Experiment([bm25], topics, qrels, measures)",
    ]
    text = json.dumps({"cells": [{"cell_type": "code", "source": cell} for cell in cells], "nbformat": 4})
    assert codes(text, "notebook") == ["M101"]


def test_scores_that_a_notebook_printed_with_the_number_of_queries():
    """trec_eval's lines, and lines of a name and a value."""
    for text in ("num_q\tall\t45\nP_10\tall\t0.4911\n", "Queries evaluated: 200\nnDCG@10: 0.2716\n"):
        output = {"output_type": "stream", "name": "stdout", "text": [text]}
        cells = [{"cell_type": "code", "source": "x = 1", "outputs": [output]}]
        assert codes(json.dumps({"cells": cells, "nbformat": 4}), "notebook") == ["M301"]
    output = {"output_type": "stream", "name": "stdout", "text": ["nDCG@10: 0.2716\n"]}
    cells = [{"cell_type": "code", "source": "x = 1", "outputs": [output]}]
    assert codes(json.dumps({"cells": cells, "nbformat": 4}), "notebook") == []


def test_a_dict_of_scores_that_a_notebook_shows():
    text = "{'recall_at_10': 0.19753,\n 'mrr_at_10': 0.05291250244953948}"
    output = {"output_type": "execute_result", "data": {"text/plain": [text]}}
    cells = [{"cell_type": "code", "source": "scores", "outputs": [output]}]
    assert codes(json.dumps({"cells": cells, "nbformat": 4}), "notebook") == ["M101", "M301"]


EXPERIMENTS = {
    "elliot": (
        "experiment:\n  evaluation:\n    cutoffs: [10]\n    simple_metrics: [nDCG, MRR, MAP]\n    paired_ttest: True\n",
        ["M101", "M201", "M701"],
    ),
    "elliot, other measures": ("experiment:\n  evaluation:\n    cutoffs: [10]\n    simple_metrics: [nDCG, Recall]\n", []),
    "elliot, lines with dashes": (
        "experiment:\n  top_k: 10\n  evaluation:\n    complex_metrics:\n    - metric: ERR@10\n    simple_metrics:\n    - MRR\n",
        ["M101", "M102"],
    ),
    "RecBole": ("metrics: ['Recall', 'MRR',\n  'NDCG']\ntopk: [10]\nvalid_metric: MAP@10  # the best\n", ["M101", "M201"]),
    "settings of something else": ("metrics: [map, mrr]\nport: 80\n", []),
}


@pytest.mark.parametrize("case", EXPERIMENTS)
def test_experiments_of_recommenders(case):
    text, expected = EXPERIMENTS[case]
    assert codes(text, "experiment") == expected


YAML = "import yaml\nfrom ranx import evaluate\n"
LOADED = {
    "with open": "with open('eval.yaml') as file:\n    config = yaml.safe_load(file)\nevaluate(qrels, run, config['metrics'])\n",
    "open": "config = yaml.safe_load(open('eval.yaml'))\nnames = config['evaluation']['metrics']\nevaluate(qrels, run, names)\n",
    "a path with a name": (
        "PATH = 'eval.yaml'\nconfig = yaml.safe_load(Path(PATH).read_text())\nevaluate(qrels, run, config.get('metrics', []))\n"
    ),
    "json": "import json\nconfig = json.load(open('eval.json'))\nevaluate(qrels, run, config['metrics'])\n",
}


@pytest.mark.parametrize("case", LOADED)
def test_measures_of_a_configuration_that_a_call_names(case, tmp_path):
    (tmp_path / "src").mkdir()
    program = tmp_path / "src" / "run.py"
    program.write_text(YAML + LOADED[case], encoding="utf-8")
    (tmp_path / "src" / "eval.yaml").write_text(
        "evaluation:\n  metrics:\n    - mrr@10\n    - ndcg@10\n  depth: 100\n", encoding="utf-8"
    )
    (tmp_path / "src" / "eval.json").write_text('{"evaluation": {"metrics": ["mrr@10", "ndcg@10"]}}', encoding="utf-8")
    (finding,) = lint([str(program)])
    assert (finding.code, finding.detail) == ("M101", "mrr@10")
    (tmp_path / "src" / "eval.yaml").write_text("metrics: [ndcg@10, recall@100]\nother: mrr@10\n", encoding="utf-8")
    (tmp_path / "src" / "eval.json").write_text('{"metrics": "ndcg@10", "other": "mrr"}', encoding="utf-8")
    assert lint([str(program)]) == []


def test_a_configuration_elsewhere_is_not_read(tmp_path):
    """Files above the folder that was named are not read, and a file that is missing says nothing."""
    (tmp_path / "src").mkdir()
    program = tmp_path / "src" / "run.py"
    (tmp_path / "eval.yaml").write_text("metrics: [mrr@10]\n", encoding="utf-8")
    for path in ("../eval.yaml", str(tmp_path / "eval.yaml"), "missing.yaml", "eval.yaml"):
        program.write_text(
            f"{YAML}config = yaml.safe_load(open({path!r}))\nevaluate(qrels, run, config['metrics'])\n", encoding="utf-8"
        )
        assert lint([str(program)]) == []
    (tmp_path / "main.py").write_text("import src.run\n", encoding="utf-8")
    assert [finding.code for finding in lint([str(tmp_path)])] == ["M101"]  # the folder that was named
