"""Programs whose mistakes are spread over functions: a test in one, and its loop, or its measures, in another."""

from __future__ import annotations

import pytest

from tests.lint.linting import codes

SCIPY = "from scipy.stats import ttest_rel, wilcoxon, ttest_ind\n"

FAMILIES = {
    "a test that counts draws, called for each measure": (
        (
            "def flips(changes):\n"
            "    observed = abs(np.mean(changes))\n"
            "    more = 0\n"
            "    for _ in range(5000):\n"
            "        signs = rng.choice([-1, 1], size=len(changes))\n"
            "        if abs(np.mean(signs * changes)) >= observed:\n"
            "            more += 1\n"
            "    return more / 5000\n"
            "rows = {name: flips(ndcg[name] - baseline) for name in runs}\n"
            "print(rows, mean_diff)\n"
        ),
        ["M701"],
    ),
    "a share of draws that is no test": (
        (
            "def simulate(rate):\n"
            "    clicks = 0\n"
            "    for _ in range(5000):\n"
            "        if rng.random() < rate:\n"
            "            clicks += 1\n"
            "    return clicks / 5000\n"
            "print([simulate(ctr[query]) for query in queries])\n"
        ),
        [],
    ),
    "a function that returns the p-value": (
        (
            "from mine import compare_systems\n"
            "for run in runs:\n"
            "    p_value = compare_systems(ndcg[run], ndcg['bm25'])\n"
            "    print(run, p_value, mean_diff)\n"
        ),
        ["M701"],
    ),
    "a function that returns the p-value with others": (
        (
            "from mine import contrast\n"
            "for run in runs:\n"
            "    result = contrast(run, 'bm25', metric='ndcg@10')\n"
            "    print(run, result['p_value'], result['mean_diff'])\n"
        ),
        ["M701"],
    ),
    "a p-value that is read from a file": (
        ("for row in rows:\n    p_value = float(row['p_value'])\n    print(row['run'], p_value, ndcg, mean_diff)\n"),
        [],
    ),
    "a test that is handed on": (
        (
            SCIPY + "tests = {'t': ttest_rel, 'w': wilcoxon}\n"
            "for run in runs:\n    print(run, tests[kind](ndcg[run], ndcg['bm25']), cohen_d)\n"
        ),
        ["M701"],
    ),
    "a test that a pool repeats": (
        (
            SCIPY + "def contrast(name):\n    return ttest_rel(ndcg[name], ndcg['bm25']).pvalue\n"
            "print(pool.map(contrast, names), cohen_d)\n"
        ),
        ["M701"],
    ),
    "a test that a class repeats": (
        (
            SCIPY + "class Report:\n"
            "    def contrast(self, one, two):\n"
            "        return wilcoxon(self.scores[one], self.scores[two]).pvalue\n"
            "    def table(self):\n"
            "        return {run: self.contrast(run, 'bm25') for run in self.runs}\n"
            "ndcg, cohen_d\n"
        ),
        ["M701"],
    ),
    "a test in a function that two calls reach": (
        (
            "from statsmodels.stats.contingency_tables import mcnemar\n"
            "def main():\n"
            "    def contrast(one, two):\n"
            "        exact = mcnemar(table(one, two), exact=True)\n"
            "        return {'p_value': exact.pvalue, 'diff': one.mean() - two.mean()}\n"
            "    whole = contrast(baseline, system)\n"
            "    for level in levels:\n"
            "        parts[level] = contrast(baseline[level], system[level])\n"
        ),
        ["M701"],
    ),
    "all measures of repro_eval": (
        (
            "from repro_eval.Evaluator import RplEvaluator\n"
            "evaluator = RplEvaluator(qrels_orig_path=qrels)\n"
            "row = {'run': run, 'ttest': evaluator.ttest(), 'er': evaluator.er(), 'diff': delta}\n"
        ),
        ["M701"],
    ),
    "a level that is divided by the number of tests": (
        (SCIPY + "for run in runs:\n    print(run, ttest_rel(ndcg[run], ndcg['bm25']).pvalue < alpha / len(runs), cohen_d)\n"),
        [],
    ),
    "a correction of spelling": (
        (
            SCIPY
            + "corrected_query = correct(query)\nfor run in runs:\n    print(run, ttest_rel(ndcg[run], ndcg['bm25']), cohen_d)\n"
        ),
        ["M701"],
    ),
    "only the statistic": (
        (SCIPY + "for run in runs:\n    t, _ = ttest_rel(ndcg[run], ndcg['bm25'])\n    print(run, t)\n"),
        [],
    ),
    "the smoothing of a language model": (
        ("for term in query:\n    prob = (tf[term] + mu * p_c) / (length + mu)\n    score += log(prob)\nndcg\n"),
        [],
    ),
    "a share of topics in a loop": (
        ("for run in runs:\n    ranks = search(run, queries)\n    p1 = float((ranks == 1).mean())\n    print(run, p1)\n"),
        [],
    ),
    "the sign of a number": (("for query in queries:\n    embedded = torch.sign(encode(query))\nprint(p_value)\n"), []),
}


@pytest.mark.parametrize("case", FAMILIES)
def test_families_of_tests_across_functions(case):
    code, expected = FAMILIES[case]
    assert [found for found in codes(code, "python") if found == "M701"] == expected


SHOWN = {
    "printed, in a program that compares baselines": (
        (SCIPY + "_, p = wilcoxon(baseline, better)\nprint('%s significantly different with p = %f' % (name, p))\n"),
        ["M801"],
    ),
    "written by another function": (
        (
            SCIPY + "def contrast(one, two):\n    return ttest_rel(one, two).pvalue\n"
            "out.write('\\t'.join([str(contrast(ndcg_a, ndcg_b))]))\n"
        ),
        ["M801"],
    ),
    "a permutation test": (
        ("p_value = (np.sum(null >= observed) + 1) / (draws + 1)\nprint('ndcg', p_value)\n"),
        ["M801"],
    ),
    "returned by a function that nobody calls": (
        SCIPY + "def contrast(ndcg_a, ndcg_b):\n    return ttest_rel(ndcg_a, ndcg_b)\n",
        [],
    ),
    "with the gap": (SCIPY + "print({'gap': ndcg_a.mean() - ndcg_b.mean(), 'p': ttest_rel(ndcg_a, ndcg_b).pvalue})\n", []),
}


@pytest.mark.parametrize("case", SHOWN)
def test_p_values_that_are_shown_without_a_size(case):
    code, expected = SHOWN[case]
    assert codes(code, "python") == expected


GROUPS = {
    "runs on the same topics": ("print(ttest_ind(ndcg['bm25'], ndcg['dense']), cohen_d)\n", ["M703"]),
    "topics of a mask and the others": ("print(ttest_ind(ndcg[length > 5], ndcg[length <= 5]), cohen_d)\n", []),
    "topics that pass a filter": ("short = [ndcg[q] for q in queries if len(q) < 5]\nprint(ttest_ind(short, rest), cohen_d)\n", []),
    "groups of users": ("print(ttest_ind(ndcg_male, ndcg_female), cohen_d)\n", []),
}


@pytest.mark.parametrize("case", GROUPS)
def test_unpaired_tests_of_what_can_be_paired(case):
    code, expected = GROUPS[case]
    assert codes(SCIPY + code, "python") == expected


PICKED = {
    "the best two": (
        (
            "ranked = sorted(means.items(), key=lambda pair: pair[1], reverse=True)\n"
            "first, _ = ranked[0]\n"
            "second, _ = ranked[1]\n"
            "print(ttest_rel(ndcg[first], ndcg[second]), cohen_d)\n"
        ),
        ["M602"],
    ),
    "the best, in a function": (
        (
            "def contrast(one, two):\n"
            "    return ttest_rel(ndcg[one], ndcg[two]).pvalue\n"
            "best = max(means, key=means.get)\n"
            "print(contrast(best, 'bm25'), cohen_d)\n"
        ),
        ["M602"],
    ),
    "the first of a table in order": (
        "best = table.sort_values('ndcg', ascending=False).iloc[0]\nprint(wilcoxon(ndcg[best.name], ndcg['bm25']), cohen_d)\n",
        ["M602"],
    ),
    "the first of the topics": (
        "topics = sorted(ndcg)\nfirst = topics[0]\nprint(ttest_rel(ndcg_a[topics], ndcg_b[topics]), first, cohen_d)\n",
        [],
    ),
    "the newest file": (
        (
            "newest = max(paths, key=lambda path: path.stat().st_mtime)\nndcg = load(newest)\n"
            "print(ttest_rel(ndcg['a'], ndcg['b']), cohen_d)\n"
        ),
        [],
    ),
    "named before": ("print(ttest_rel(ndcg['dense'], ndcg['bm25']), cohen_d)\n", []),
}


@pytest.mark.parametrize("case", PICKED)
def test_systems_that_are_picked_by_their_results_and_tested(case):
    code, expected = PICKED[case]
    assert [found for found in codes(SCIPY + code, "python") if found == "M602"] == expected


CHANGES = {
    "of a function's arguments": (
        (
            "def shift(earlier, later):\n    return (earlier - later) / earlier\n"
            "print(shift(float(a['ndcg_cut_10']), float(b['ndcg_cut_10'])))\n"
        ),
        ["M401"],
    ),
    "of seconds": (
        "def shift(earlier, later):\n    return (earlier - later) / earlier\nprint(ndcg, shift(a['seconds'], b['seconds']))\n",
        [],
    ),
    "of results that an evaluation returns": (
        (
            "before = evaluate(model, queries, qrels)\n"
            "after = evaluate(tuned, queries, qrels)\n"
            "for name in names:\n"
            "    old, new = before[name], after[name]\n"
            "    print(name, f'{(new - old) / old * 100:.1f} %')\n"
        ),
        ["M401"],
    ),
    "of the measures that a loop goes through": (
        (
            "for name in ['mrr', 'hits@10']:\n"
            "    ours = best[name]\n"
            "    theirs = row[name]\n"
            "    change = ours - theirs\n"
            "    share = change / theirs * 100 if theirs else 0\n"
        ),
        ["M401"],
    ),
    "of an option's measure": (
        "def shift(old, new):\n    return new / old - 1\nprint(shift(a[args.metric], b[args.metric])); qrels\n",
        ["M401"],
    ),
    "of a column": ("table['ndcg'].pct_change()\n", ["M401"]),
    "of what is kept beside the measures": (
        "old = evaluate(a, qrels)\nnew = evaluate(b, qrels)\nprint((new['latency'] - old['latency']) / old['latency'])\n",
        [],
    ),
    "to the same range": ("scaled = (ndcg - ndcg.min()) / (ndcg.max() - ndcg.min())\n", []),
    "to the ideal": ("gain = 1 - ndcg / ideal_dcg\n", []),
    "a difference of two": ("print(new['ndcg'] - old['ndcg'])\n", []),
    "that a check tolerates": (
        "def check_regression(old, new):\n    return (old - new) / old < 0.1\ncheck_regression(a.ndcg, b.ndcg)\n",
        [],
    ),
    "of a chance": ("def model(c, x):\n    return (1 - c) / (1 + np.exp(-x))\nmodel(guess, ndcg)\n", []),
}


@pytest.mark.parametrize("case", CHANGES)
def test_relative_changes_wherever_the_values_come_from(case):
    code, expected = CHANGES[case]
    assert [found for found in codes(code, "python") if found == "M401"] == expected
