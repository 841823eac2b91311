"""Programs that choose a measure by one name, as an object or in a row, and means whose values come a long way."""

from __future__ import annotations

import pytest

from tests.lint.linting import codes

MEASURES = {
    "objects in a default": (
        ("from ir_measures import *\ndef score(run, qrels, measures: list = [nDCG@10, RR@10, AP]):\n    pass\n"),
        ["M101", "M201"],
    ),
    "names in a row of a tuple": ("for name in (f'ndcg@{k}', f'recall@{k}', 'rr@10'):\n    show(name, queries)\n", ["M101"]),
    "a column of rows": (
        ("CHARTS = [('ndcg@10', 'nDCG', 'gain.png'), ('mrr', 'MRR', 'first.png'), ('map', 'MAP', 'all.png')]\nqueries\n"),
        ["M101", "M201"],
    ),
    "rows of other things": ("PAIRS = [('map', 'keys'), ('filter', 'values')]\nqueries\n", []),
    "the measure of the best model": ("Arguments(metric_for_best_model='eval_dev_cosine_mrr@10', queries=queries)\n", ["M101"]),
    "a measure to stop by": ("EarlyStopping(monitor='val/mrr', mode='max'); queries\n", ["M101"]),
    "a loss to stop by": ("EarlyStopping(monitor='val_loss', mode='min'); queries\n", []),
    "an option": ("parser.add_argument('--metric', default='map')\nqrels, queries\n", ["M201"]),
    "a measure to optimise": ("search(recommender, metric_to_optimize='MAP', users=users)\n", ["M201"]),
    "a default of a program that runs": ("def search(queries, metric='recip_rank'):\n    pass\nsearch(load())\n", ["M101"]),
    "a default of a library": ("def search(queries, metric='recip_rank'):\n    pass\n", []),
    "a loss that is named for a map": ("train(loss_metric='feature_map', queries=queries)\n", []),
    "an evaluator whose results are printed": (
        (
            "from sentence_transformers.evaluation import InformationRetrievalEvaluator\n"
            "evaluator = InformationRetrievalEvaluator(queries, corpus, relevant)\n"
            "results = evaluator(model)\nprint(results)\n"
        ),
        ["M101", "M201"],
    ),
    "an evaluator with a depth": (
        (
            "from sentence_transformers.evaluation import InformationRetrievalEvaluator\n"
            "trainer.fit(evaluator=InformationRetrievalEvaluator(queries, corpus, relevant, mrr_at_k=[10]))\n"
        ),
        ["M101"],
    ),
    "an evaluator of a trainer": (
        (
            "from sentence_transformers.evaluation import InformationRetrievalEvaluator\n"
            "trainer.fit(evaluator=InformationRetrievalEvaluator(queries, corpus, relevant, mrr_at_k=[]))\n"
        ),
        [],
    ),
    "read from the results of trec_eval": (
        "import pytrec_eval\nrow = {'RR': round(summary['all']['recip_rank'], 3), 'AP': summary.get('map', 0)}\n",
        ["M101", "M201"],
    ),
    "a map that is read": ("projected = settings['map']; queries\n", []),
    "a switch": ("with_mrr = config.get('mrr', True); queries\n", []),
    "added up under its name": ("for query in queries:\n    totals['MRR@10'] += first(query)\n", ["M101"]),
    "a named field of a template": ("print('Best by MAP@{k}: {best}'.format(k=10, best=best)); queries\n", ["M201"]),
    "a template with a name": ("PAGE = '| MAP@{k} | {map} |'\nprint(PAGE.format(k=10, map=value)); queries\n", ["M201"]),
    "the label of an axis": ("axes.set(xlabel='Mean Average Precision'); queries\n", ["M201"]),
    "beside other measures": ("json.dump({'map': map_score, 'ndcg@10': gain}, out); queries\n", ["M201"]),
    "functions of a module, by name": ("import metrics\nKNOWN = {'map': metrics.first, 'ndcg@10': metrics.second}; queries\n", []),
    "in a comment, without a sign": ("# run 3: recall 0.812, MRR 0.8133\nqueries\n", ["M101"]),
    "values that a counter adds up": (
        (
            "from mine import average_precision\n"
            "sums = Counter()\n"
            "for query in queries:\n"
            "    for system, ranking in search(query).items():\n"
            "        value = average_precision(ranking, relevant[query])\n"
            "        sums[system] += value\n"
            "for system, value in sums.items():\n"
            "    out.write(f'{system} {value / len(queries)}')\n"
        ),
        ["M201"],
    ),
    "a function that is handed on": (
        (
            "def reciprocal_rank(ranking):\n    return first(ranking)\n"
            "KNOWN = {'first': reciprocal_rank, 'gain': ndcg}\n"
            "for name, function in KNOWN.items():\n"
            "    values = [function(ranking) for ranking in rankings]\n"
            "    print(name, sum(values) / len(values), queries)\n"
        ),
        ["M101"],
    ),
    "a function of one topic, without its name": (
        (
            "def at_first(ranking):\n"
            "    for rank, doc in enumerate(ranking, 1):\n        if doc in gold:\n            return 1 / rank\n"
            "scores = {query: at_first(search(query)) for query in queries}\n"
            "print(np.mean(list(scores.values())))\n"
        ),
        ["M101"],
    ),
    "features that are divided by their length": (
        (
            "features = {doc: 1.0 / (rank + 1) for rank, doc in enumerate(ranking)}\nvector = array(features)\n"
            "n = norm(vector)\nunit = vector / n; queries\n"
        ),
        [],
    ),
    "the average precision of a classifier": (
        (
            "from sklearn.metrics import average_precision_score\n"
            "areas = [average_precision_score(labels[fold], scores[fold]) for fold in parts]\n"
            "print(sum(areas) / len(areas), query_vectors)\n"
        ),
        [],
    ),
    "a loop of which all is commented out": (
        "for query in queries:\n#    search(query)\n'''done'''\nscore = model.mean_average_precision(queries)\nprint score\n",
        ["M201"],
    ),
}


@pytest.mark.parametrize("case", MEASURES)
def test_measures_that_are_chosen_or_come_a_long_way(case):
    code, expected = MEASURES[case]
    assert [found for found in codes(code, "python") if found in {"M101", "M201"}] == expected
