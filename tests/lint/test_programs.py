"""Programs as other people write them: names of measures in lists and commands, tests by hand, sweeps, and results in comments."""

from __future__ import annotations

import json

import pytest

from tests.lint.linting import codes

REPORTED = {
    "loguru": (
        ("from loguru import logger\nscore = evaluate(queries)\nlogger.info('MRR@10 {}', score)\n"),
        ["M101"],
    ),
    "a dictionary for wandb": (
        ("import wandb\nwandb.log({'val/mrr': total, 'queries': n})\n"),
        ["M101"],
    ),
    "mlflow": (
        ("mlflow.log_metric('mrr_at_10', outcome)\nqrels\n"),
        ["M101"],
    ),
    "keys with a cut-off": (
        ("for k in cutoffs:\n    scores[f'MRR@{k}'] = np.mean(values[k])\nqrels\n"),
        ["M101"],
    ),
    "a name with a cut-off": (
        ("for k in cutoffs:\n    print(f'MRR@{k}: {scores[k]:.3f} on {len(queries)} queries')\n"),
        ["M101"],
    ),
    "columns of a table": (
        ("table.add_column('MRR')\ntable.add_column('MAP')\nqrels\n"),
        ["M101", "M201"],
    ),
    "a row of CSV": (
        ("writer.writerow(['run', 'MRR@10', 'Recall@10'])\nqrels\n"),
        ["M101"],
    ),
    "fields of CSV": (
        ("out = csv.DictWriter(file, fieldnames=['run', 'mrr', 'seconds'])\nqrels\n"),
        ["M101"],
    ),
    "columns of a data frame": (
        ("frame = pd.DataFrame(rows, columns=['System', 'MAP', 'MRR'])\nqrels\n"),
        ["M101", "M201"],
    ),
    "a list with other names": (
        ("METRICS = ['recall', 'ndcg', 'map', 'mrr', 'coverage']\nqueries = load()\n"),
        ["M101", "M201"],
    ),
    "two measures": (
        ("for measure in ['ndcg@10', 'mrr@10']:\n    compare(measure, queries)\n"),
        ["M101"],
    ),
    "the default of an option": (
        ("parser.add_argument('--metrics', nargs='+', default=['map', 'recip_rank', 'ndcg_cut_10'])\nqrels\n"),
        ["M101", "M201"],
    ),
    "what a user may choose": (
        ("parser.add_argument('--metric', choices=['map', 'mrr', 'ndcg'])\nqrels\n"),
        [],
    ),
    "what a program accepts": (
        ("if metric in ('map', 'mrr', 'ndcg'):\n    pass\nqrels\n"),
        [],
    ),
    "names for readers": (
        ("NAMES = {'ndcg_cut_10': 'nDCG', 'map_cut_100': 'MAP', 'recip_rank': 'MRR'}\nqrels\n"),
        ["M101", "M201"],
    ),
    "functions by their names": (
        ("from metrics import mrr, ndcg, recall\nFUNCTIONS = {'mrr': mrr, 'ndcg': ndcg, 'recall': recall}\nqrels\n"),
        [],
    ),
    "a command in words": (
        ("subprocess.run(['trec_eval', '-m', 'map', '-m', 'P.10', qrels, run])\n"),
        ["M201"],
    ),
    "a command in a string": (
        ("os.system(f'./trec_eval -c -m recip_rank {qrels} {run} > out.txt')\n"),
        ["M101"],
    ),
    "a command that is put together": (
        ("command = TREC_EVAL + ' -q -m map ' + qrels + ' ' + run  # trec_eval\n"),
        ["M201"],
    ),
    "the output of a command": (
        (
            "for line in os.popen('./trec_eval ' + qrels + ' ' + run):\n"
            "    if line.startswith('map'):\n"
            "        best = float(line.split()[2])\n"
        ),
        ["M201"],
    ),
    "a command in the documentation": (
        ("'''Usage: trec_eval -m map qrels run'''\nx = 1\n"),
        [],
    ),
    "the command of pyserini": (
        ("cmd = f'python -m pyserini.eval.trec_eval -c -M 10 -m recip_rank {qrels} {run}'\n"),
        ["M101"],
    ),
    "results in comments": (
        ("# k1=0.9: MAP = 0.2453\n# k1=1.2: MAP = 0.2461\nsearch(queries)\n"),
        ["M201"],
    ),
    "results in a dictionary": (
        ("results = {'MRR': [0.312, 0.344], 'runs': ['bm25', 'dense']}\nqueries\n"),
        ["M101"],
    ),
    "results in names": (
        ("map_bm25 = 0.2453\nmap_dense = 0.2567\nqueries\n"),
        ["M201"],
    ),
    "a target": (
        ("TARGETS = {'mrr': 0.75}\nqueries\n"),
        [],
    ),
    "an example": (
        ("# e.g. MRR = 0.833\nqueries\n"),
        [],
    ),
    "the title of a chart": (
        ("plt.title('MRR@10')\nqrels\n"),
        ["M101"],
    ),
    "a formatted value with a default": (
        ("rows.append([f\"{a.get('mrr', 0.0):.3f}\"])\nqrels\n"),
        ["M101"],
    ),
    "in other words": (
        ("show_line('RECIPROCAL RANK:', first)\nqrels\n"),
        ["M101"],
    ),
    "of one topic, in a loop": (
        ("for query in queries:\n    print('reciprocal rank:', first)\n"),
        [],
    ),
    "strings that are added": (
        ("print('MRR: ' + str(value)); qrels\n"),
        ["M101"],
    ),
    "a template": (
        ("print('Mean Reciprocal Rank: %.3f' % value); qrels\n"),
        ["M101"],
    ),
    "a dictionary of several measures": (
        ("def evaluate(queries):\n    return {'mrr': mrr, 'ndcg': ndcg}\n"),
        ["M101"],
    ),
    "a dictionary of one topic": (
        ("def score_query(query):\n    return {'mrr': mrr, 'ndcg': ndcg}\n"),
        [],
    ),
}


@pytest.mark.parametrize("case", REPORTED)
def test_measures_that_a_program_reports(case):
    code, expected = REPORTED[case]
    assert [found for found in codes(code, "python") if found in {"M101", "M201"}] == expected


FAMILIES = {
    "a test under another name": (
        (
            "from scipy.stats import wilcoxon as signed_ranks\n"
            "for run in others:\n"
            "    print(signed_ranks(ndcg[run], ndcg['bm25']), mean_diff)\n"
        ),
        ["M701"],
    ),
    "a test that normality chooses": (
        (
            "from scipy import stats\n"
            "if stats.shapiro(gain).pvalue > 0.05:\n"
            "    p = stats.ttest_rel(ndcg_a, ndcg_b).pvalue\n"
            "else:\n"
            "    p = stats.wilcoxon(gain).pvalue\n"
            "print(p, mean_diff)\n"
        ),
        [],
    ),
    "a permutation test of the program, in a loop": (
        (
            "def permutation_test(a, b):\n"
            "    count = 0\n"
            "    for _ in range(1000):\n"
            "        count += flip(a, b)\n"
            "    return (count + 1) / 1001\n"
            "\n"
            "for run in runs:\n"
            "    print(run, permutation_test(ndcg[run], ndcg['bm25']), 'difference')\n"
        ),
        ["M701"],
    ),
    "p-values computed in a loop": (
        (
            "for a in systems:\n"
            "    for b in systems:\n"
            "        draws = flips(ndcg[a], ndcg[b])\n"
            "        p_value = np.mean(np.abs(draws) >= abs(observed))\n"
            "        print(a, b, p_value, mean_diff)\n"
        ),
        ["M701"],
    ),
    "a permutation test, once": (
        (
            "def permutation_test(a, b):\n"
            "    return (count(a, b) + 1) / 1001\n"
            "\n"
            "print(permutation_test(ndcg_a, ndcg_b), mean_diff)\n"
        ),
        [],
    ),
    "a test of another module": (
        (
            "from stats_helpers import paired_t_test\n"
            "for metric in ['ndcg', 'recall']:\n"
            "    p_value = paired_t_test(a[metric], b[metric])\n"
            "    print(metric, p_value, delta_mean)\n"
            "queries\n"
        ),
        ["M701"],
    ),
    "a level of significance in a loop": (
        ("for row in comparisons:\n    row['mark'] = '*' if row['p_value'] < 0.05 else ''\nndcg\nmean_diff\n"),
        ["M701"],
    ),
    "a column of p-values": (
        ("significant = frame['p_value'] < 0.05\nndcg; mean_diff\n"),
        [],
    ),
    "a level of significance, once": (
        ("if result.p_value < 0.05:\n    print('significant', ndcg, mean_diff)\n"),
        [],
    ),
    "a test that is applied": (
        ("from scipy.stats import ttest_rel\ntable.apply(lambda row: ttest_rel(ndcg[row.a], ndcg[row.b]).pvalue)\ncohen_d\n"),
        ["M701"],
    ),
    "two tests of one pair": (
        ("from scipy import stats\nt = stats.ttest_rel(ndcg_a, ndcg_b)\nw = stats.wilcoxon(ndcg_a - ndcg_b)\ncohen_d\n"),
        [],
    ),
    "a test with two callers that nobody calls": (
        (
            "from scipy import stats\n"
            "def test(a, b):\n"
            "    return stats.ttest_rel(a, b)\n"
            "def of_frames(one, two):\n"
            "    return test(one.ndcg, two.ndcg)\n"
            "def of_runs(x, y):\n"
            "    return test(x, y)\n"
            "cohen_d\n"
        ),
        [],
    ),
    "McNemar's test with a correction for continuity": (
        (
            "from statsmodels.stats.contingency_tables import mcnemar\n"
            "for k in ['k1', 'k3', 'k5']:\n"
            "    result = mcnemar(table(k), correction=True)\n"
            "    print(retrieval, result.pvalue, mean_diff)\n"
        ),
        ["M701"],
    ),
    "a test for each of two measures": (
        (
            "from scipy.stats import ttest_rel\n"
            "def compare(name):\n"
            "    return ttest_rel(a[name], b[name])\n"
            "print(compare('ndcg'), compare('recall'), mean_diff); queries\n"
        ),
        ["M701"],
    ),
    "a test that main calls twice": (
        (
            "from scipy.stats import wilcoxon\n"
            "def test(x, y):\n"
            "    return wilcoxon(x, y).pvalue\n"
            "def main():\n"
            "    test(ndcg_a, ndcg_b)\n"
            "    test(ndcg_a, ndcg_c)\n"
            "cohen_d\n"
        ),
        ["M701"],
    ),
    "permutation tests, corrected": (
        (
            "def permutation_test(a, b):\n"
            "    return (count(a, b) + 1) / 1001\n"
            "ps = [permutation_test(ndcg[a], ndcg[b]) for a, b in pairs]\n"
            "holm(ps); mean_diff\n"
        ),
        [],
    ),
    "not retrieval": (
        (
            "def permutation_test(a, b):\n"
            "    return (count(a, b) + 1) / 1001\n"
            "for g in groups:\n"
            "    permutation_test(height[g], height['x'])\n"
        ),
        [],
    ),
}


@pytest.mark.parametrize("case", FAMILIES)
def test_families_of_tests(case):
    code, expected = FAMILIES[case]
    assert [found for found in codes(code, "python") if found == "M701"] == expected


SIZES = {
    "differences that nobody sees": ("differences = a - b\nprint(wilcoxon(differences).pvalue)\n", ["M801"]),
    "a difference in a text": ("print(f'difference: {(a - b).mean():.3f}, p = {wilcoxon(a, b).pvalue:.3f}')\n", []),
    "a difference under a key": ("row = {'diff': (a - b).mean(), 'p': wilcoxon(a, b).pvalue}\n", []),
    "a difference in print": ("print('Difference:', (a - b).mean(), 'p', wilcoxon(a, b).pvalue)\n", []),
    "a difference with a name": ("mean_diff = np.mean(a - b)\nreturned = mean_diff, wilcoxon(a, b).pvalue\n", []),
}


@pytest.mark.parametrize("case", SIZES)
def test_sizes_beside_p_values(case):
    code, expected = SIZES[case]
    assert codes(f"from scipy.stats import wilcoxon\na, b = ndcg\n{code}", "python") == expected


SWEEPS = {
    "the best of a grid": (
        (
            "best, chosen = 0, None\n"
            "for k1 in [0.6, 0.9, 1.2]:\n"
            "    for b in [0.3, 0.75]:\n"
            "        ndcg = evaluate(search(queries, k1, b), qrels)\n"
            "        if ndcg > best:\n"
            "            best, chosen = ndcg, (k1, b)\n"
            "print(chosen)\n"
        ),
        ["M502"],
    ),
    "the maximum of what was collected": (
        (
            "rows = []\n"
            "for alpha in np.arange(0, 1.1, 0.1):\n"
            "    rows.append((alpha, mean_recall(fuse(queries, alpha))))\n"
            "best = max(rows, key=lambda row: row[1])\n"
            "qrels\n"
        ),
        ["M502"],
    ),
    "a grid on development queries": (
        (
            "best = 0\n"
            "for k1 in [0.6, 0.9, 1.2]:\n"
            "    ndcg = evaluate(search(dev_queries, k1), qrels)\n"
            "    if ndcg > best:\n"
            "        best = ndcg\n"
        ),
        [],
    ),
    "a product of values": (
        (
            "for k1, b in itertools.product(k1_values, b_values):\n"
            "    score = np.mean([ndcg_at_k(search(q, k1, b), 10) for q in queries])\n"
            "    if score > best_score:\n"
            "        best_score = score\n"
            "qrels\n"
        ),
        ["M502"],
    ),
    "the last row of a sorted frame": (
        (
            "for weight in [0.1, 0.5, 0.9]:\n"
            "    results.append({'weight': weight, 'ndcg': ndcg(run(queries, weight))})\n"
            "df = pd.DataFrame(results)\n"
            "best_row = df.sort_values('ndcg').iloc[-1]\n"
            "qrels\n"
        ),
        ["M502"],
    ),
    "the best epoch on test data": (
        (
            "for epoch in range(30):\n"
            "    fit(train_data)\n"
            "    hr, ndcg = evaluate(model, test_ratings)\n"
            "    if ndcg > best_ndcg:\n"
            "        best_ndcg = ndcg\n"
            "users\n"
            "recommender\n"
        ),
        ["M502"],
    ),
    "the best epoch on validation data": (
        (
            "for epoch in range(30):\n"
            "    fit(train_data)\n"
            "    ndcg = evaluate(model, valid_ratings)\n"
            "    if ndcg > best_ndcg:\n"
            "        best_ndcg = ndcg\n"
            "print(evaluate(model, test_ratings)); recommender\n"
        ),
        [],
    ),
    "a grid without a choice": (
        ("for k1 in [0.6, 0.9]:\n    print(k1, ndcg(search(queries, k1), qrels))\n"),
        [],
    ),
}


@pytest.mark.parametrize("case", SWEEPS)
def test_the_best_of_many_settings(case):
    code, expected = SWEEPS[case]
    assert [found for found in codes(code, "python") if found == "M502"] == expected


CHANGES = {
    "a difference with a name": (
        ("gain = ndcg_new - ndcg_old\nprint(100 * (gain / ndcg_old)); qrels\n"),
        ["M401"],
    ),
    "a function for the change": (
        (
            "def improvement(new, old):\n"
            "    return (new - old) / old * 100\n"
            "print(improvement(scores['ndcg@10'], base['ndcg@10'])); qrels\n"
        ),
        ["M401"],
    ),
    "a loop over measures": (
        ("for m in ['ndcg@10', 'recall@100']:\n    table[m] = (ours[m] - bm25[m]) / bm25[m]\nqrels\n"),
        ["M401"],
    ),
    "a function for seconds": (
        ("def improvement(new, old):\n    return (new - old) / old * 100\nprint(improvement(seconds['a'], seconds['b'])); qrels\n"),
        [],
    ),
}


@pytest.mark.parametrize("case", CHANGES)
def test_changes_of_measures(case):
    code, expected = CHANGES[case]
    assert [found for found in codes(code, "python") if found == "M401"] == expected


PRINTED = {
    "six decimals": (
        ("print(f'nDCG@10: {value:.6f}'); queries\n"),
        ["M301"],
    ),
    "six decimals in a file": (
        ("row = {'ndcg': round(value, 6)}; queries\n"),
        [],
    ),
    "four decimals, few queries": (
        ("NUM_QUERIES = 50\nprint(f'nDCG@10: {value:.4f}'); queries\n"),
        ["M301"],
    ),
    "four decimals, queries not counted": (
        ("print(f'nDCG@10: {value:.4f}'); queries\n"),
        [],
    ),
}


@pytest.mark.parametrize("case", PRINTED)
def test_digits(case):
    code, expected = PRINTED[case]
    assert [found for found in codes(code, "python") if found == "M301"] == expected


def test_commands_of_a_notebook():
    cells = [
        "!trec_eval -m map -m P.10 qrels.txt run.txt",
        "%%bash\nfor run in runs/*; do\n  trec_eval -m recip_rank qrels.txt $run\ndone",
    ]
    text = json.dumps({"cells": [{"cell_type": "code", "source": cell} for cell in cells], "nbformat": 4})
    assert codes(text, "notebook") == ["M101", "M201"]


LEFT_ALONE = {
    "the mean of precision, beside that of recall": "print(frame['avg_precision'].mean(), frame['avg_recall'].mean(), recommender)",
    "metric learning": "def curve(matches, r):\n    return order(mean_average_precision_at_r(matches, r))\n",
    "names of all measures of a library": "LABELS = {'precision': 'P', 'mrr': 'MRR', 'map': 'MAP', 'f1': 'F1'}\nqrels\n",
    "definitions": "ABOUT = {'mrr': 'Reciprocal rank of the first result, averaged', 'p@10': 'Share', 'map@10': 'AP'}\nqrels\n",
    "a factory of measures": "make = TopMetricFactory('mrr', first_rank)\nqueries\n",
    "percentiles": "print(f'p50 {percentile(times):.9f}'); queries\n",
}


@pytest.mark.parametrize("case", LEFT_ALONE)
def test_programs_that_are_left_alone(case):
    assert codes(LEFT_ALONE[case], "python") == []
