"""Programs that divide their data once, and those that choose by what they call test data."""

import pytest

from tests.lint.linting import codes

RANKS = "from metrics import ndcg_at_k\n"
REPORTS = "print('nDCG@10', ndcg_at_k(model, test, qrels))\n"

SPLITS = {
    "a function of a library": "train, test = train_test_split(pairs, test_size=0.2)\n",
    "a function of its own": "train, valid, test = stratified_train_val_test_split(frame, seed=1)\n",
    "by query": "train, test = split_by_query(examples, seed=seed)\n",
    "two slices": "n = int(0.8 * len(users))\ntrain = users[:n]\ntest = users[n:]\n",
    "sets of slices": "split_index = int(len(ids) * SHARE)\ntrain = set(ids[:split_index])\ntest = set(ids[split_index:])\n",
    "the first tenth": "n = len(users) // 10\ntest = users[:n]\ntrain = users[n + 1 :]\n",
    "a mask": "mask = rand(len(frame)) < 0.8\ntrain = frame[mask]\ntest = frame[~mask]\n",
    "what is left": "train = frame.sample(frac=0.8)\ntest = frame.drop(train.index)\n",
    "drawn queries": "test = set(random.sample(ids, 100))\ntrain = [each for each in ids if each not in test]\n",
    "a coin for each query": (
        "test, train = [], []\nfor each in ids:\n    if random.random() < test_size:\n        test.append(each)\n"
        "    else:\n        train.append(each)\n"
    ),
    "one fold of several": "test = read('letor/Fold1/test.txt')\n",
}
WHOLE = {
    "folds": "for train, test in KFold(5).split(ids):\n    fit(train)\n",
    "many splits": "for seed in range(20):\n    train, test = train_test_split(pairs, random_state=seed)\n",
    "a function that is repeated": (
        "def run(seed):\n    train, test = train_test_split(pairs, random_state=seed)\n    return fit(train)\n"
        "for seed in range(20):\n    run(seed)\n"
    ),
    "all folds": "tests = [read('letor/Fold1/test.txt'), read('letor/Fold2/test.txt')]\ntest = tests[0]\n",
    "by time": "train, test = temporal_split(ratings)\n",
    "a part for validation, beside other test data": "train, valid = train_test_split(pairs)\ntest = read('test.tsv')\n",
    "texts that are cut": "test = splitter.split_documents(pages)\n",
    "the first few": "test = read('test.tsv')\nsample = test[:10]\n",
}


@pytest.mark.parametrize("case", SPLITS)
def test_one_split(case):
    assert "M501" in codes(RANKS + SPLITS[case] + REPORTS, "python")
    assert "M501" not in codes(SPLITS[case] + "print('accuracy', model.score(test))\n", "python")


@pytest.mark.parametrize("case", WHOLE)
def test_no_split(case):
    assert "M501" not in codes(RANKS + WHOLE[case] + REPORTS, "python")


CHOSEN = {
    "the best epoch": (
        "best = 0\nfor epoch in range(20):\n    fit(model, train)\n    hit, mrr = evaluate(model, {data})\n"
        "    if mrr >= best:\n        best = mrr\nprint('recall@20', best)\n"
    ),
    "of each measure": (
        "best_result = [0, 0]\nfor epoch in range(20):\n    hit, ndcg = evaluate(model, {data})\n"
        "    if hit >= best_result[0]:\n        best_result[0] = hit\n"
    ),
    "of a list": (
        "scores = []\nfor alpha in alphas:\n    ndcg = ndcg_score(y_{data}, model(alpha, X_{data}))\n    scores.append(ndcg)\n"
        "best_alpha = np.argmax(scores)\n"
    ),
    "a study": (
        "def objective(trial):\n    model = fit(trial, X_train)\n    ndcg = ndcg_score(y_{data}, model.predict(X_{data}))\n"
        "    return ndcg\n"
        "study.optimize(objective, n_trials=100)\n"
    ),
}


@pytest.mark.parametrize("case", CHOSEN)
def test_chosen_by_test_data(case):
    start = "import random\nqueries = read('queries.tsv')\n"
    assert "M502" in codes(start + CHOSEN[case].format(data="test"), "python")
    assert "M502" not in codes(start + CHOSEN[case].format(data="valid"), "python")


def test_the_longest_is_not_chosen_by_a_measure():
    code = "queries = read('test.tsv')\ntest_lengths = [len(query) for query in queries]\nmax_length = max(test_lengths)\n"
    assert "M502" not in codes(code, "python")
