"""Kinds of false alarms and of misses that were seen in texts by others, each written anew."""

from __future__ import annotations

import pytest

from tests.lint.linting import codes

ACRONYMS = (
    r"\acrodef{MRR}[MRR]{Mean Reciprocal Rank} \acrodef{ERR}[ERR]{Expected Reciprocal Rank} "
    r"\acrodef{MAP}[MAP]{Mean Average Precision} "
)
FALSE = {
    "a standard tokenizer": "Documents pass through a standard tokenizer and a stemmer before they are indexed.",
    "a stop list that is described": "We remove the words of a custom stoplist, the 40 most frequent words of the corpus.",
    "a common setting": "A common setting of language models is to smooth with the whole collection.",
    "the latest version of a page": "Read the latest version of this page before you download the files.",
    "parameters and their values": "We use BM25 with default parameters: k1 = 1.2 and b = 0.75.",
    "what proved unavailable": "The data proved unavailable, and the score proved constant.",
    "no proof": "The results do not prove anything. 这不是证明。",
    "the Associated Press": "| source | kappa |\n|---|---|\n| AP | 0.74 |\n| LA/FT | 0.55 |\n\nPrecision of retrieval.",
    "a nature that is proprietary": "The proprietary nature of the datasets limits its use in our experiments.",
    "single items that are not available": "Features of a source code and report pair are not available in it.",
    "data that nobody has": "We use judgments of a model, as human-annotated gold data is unavailable.",
    "a private part of a public collection": "We report the score of each model on the private test dataset.",
    "a search engine that is named": "We evaluate on queries issued to a public search engine, Qwant.",
    "defaults of a named version": "We use Terrier with default parameters. All runs were made with Terrier 5.7.",
    "defaults of code that is published": (
        "We rank with the default parameters of Anserini. Our code is available at https://github.com/someone/something."
    ),
    "a condition on a default": "All other runs are made as when the option is left at its default.",
    "people in an unpaired test": "nDCG@10 of 50 topics. The novices and experts of both systems differ by Welch's t-test.",
    "defaults, and the values in the next sentence": "BM25 is used with default parameters. These are k1 = 0.9 and b = 0.4.",
    "defaults of a program that is published": (
        "We run BM25 with default parameters. The code is at https://github.com/someone/something."
    ),
    "p as a parameter": "We sample with p=0.99 and a temperature of 0.7; nDCG@10 is measured on the dev queries.",
    "p that was rounded away": "The penalty is p=0.0 in all runs, and recall is measured at 1000.",
    "a definition of an acronym": ACRONYMS + r"\acrodef{SSD}[s.s.d.]{statistically significantly different} We index the corpus.",
    "a classifier's split": "The tweets were split 80/20 into training and test data with stratified sampling of the classes.",
    "held-out queries as a name": "Figure 2 shows recall on the held-out queries of the campaign.",
    "two-fold as a number": "The contribution is two-fold, and we describe both parts in the next section.",
    "Tukey by an acronym": (
        r"\acrodef{THSD}[THSD]{Tukey Honestly Significant Difference} A dagger marks significant "
        r"differences ($p < 0.05$, \acl{THSD}); effect sizes are in Table 2."
    ),
    "grammatically correct": "Tokens need not be grammatically correct for a test of the parser.",
    "a geometric mean": "The geometric mean average precision of the run is 0.12.",
    "a column of precision": "| run | P | R |\n|---|---|---|\n| bm25 | 0.31 | 0.52 |\n| ours | 0.34 | 0.55 |\n",
    "sums of squares": (
        "| source | SS | df | nDCG@10 |\n|---|---|---|---|\n| topics | 12.3456 | 49 | |\n| systems | 1.2345 | 9 | |\n"
    ),
    "p-values beside limits": (
        "| pair of runs by nDCG@10 | Lower | Upper | p-value (Holm) |\n|---|---|---|---|\n| a, b | 0.01 | 0.07 | 0.012 |\n"
    ),
    "too few pairs to test": (
        "Twelve pairs show the trend but are too small a sample for significance testing; recall at 10 is 0.4."
    ),
    "a collection as it is distributed": "The dataset is divided in three sets: training, validation, and test; nDCG is used.",
    "a tool that splits": "The function performs the train-test split and writes files that the recommender reads.",
    "each partition": "For each partition, we split the histories into training and test users; nDCG is averaged.",
    "a row for each user": (
        "| user | nDCG@10 | RMSE |\n|---|---|---|\n| 4077 | 0.990854 | 0.598986 |\n| 4100 | 0.065191 | 0.6 |\n\nTREC-COVID."
    ),
    "marks of another kind": (
        "| pair | base (P@1) | ours |\n|---|---|---|\n| EN | 0.83 | 0.87** |\n| DE | 0.94 | 0.96* |\n\n"
        "Effect-size markers, not statistical significance. No significance test was made."
    ),
    "playlists of a recommender": (
        "We set 10,000 playlists aside, on which all recommendations are evaluated.\n\n"
        "| model of 400 topics | NDCG | R-prec |\n|---|---|---|\n| a | 0.2731 | 0.1544 |\n"
    ),
    "thousands of queries in a column": (
        "LongEval.\n\n| month | nDCG@10 | queries |\n|---|---|---|\n| May | 0.1279 | 24,142 |\n| June | 0.1311 | 9,870 |\n"
    ),
    "a share of scores": "Only 31.5 % of the nDCG scores of the hybrid are worse than the baseline; of the other, 24 % fall short.",
    "6980 queries": "On the 6980 queries of MS MARCO, recall at 1000 is 0.8573.",
    "a table of MS MARCO": "| MS MARCO dev | Recall@1000 |\n|---|---|\n| BM25 | 0.8573 |\n| ours | 0.9121 |\n",
    "performance that is kept": "With eight bits per weight, the model keeps 97.2 % of the performance.",
    "differences to another paper, in rows": (
        "| run | MRR loss | x | y | z |\n|---|---|---|---|---|\n| A | | 39.8 | 38.7 | 43.1 |\n"
        "| diff. to A in [3] | | +16.2 | +13.3 | +9.5 |\n"
        "| B | | 34.2 | 33.0 | 37.9 |\n| diff. to B in [4] | | −0.9 | −0.9 | −0.8 |\n"
    ),
    "a change of ranks beside two scores": (
        "| id | rank before | rank after | rank delta | score | weight |\n|---|---|---|---|---|---|\n"
        "| d3 | 4 | 2 | 2 | 1.0 | 0.675 |\n| d7 | 3 | 4 | -1 | 0.31 | 0.576 |\n| d9 | 6 | 5 | 1 | 0.2 | 0.41 |\n"
    ),
    "differences beside p-values": (
        "| pair | delta | raw p | adj p (Holm) | d |\n|---|---|---|---|---|\n| a, b | +0.0431 | 0.0001 | 0.0002 | 0.4 |\n"
        "| c, b | −0.0062 | 0.195 | 0.223 | 0.1 |\n| d, b | +0.0250 | 0.0001 | 0.0002 | 0.3 |\n"
    ),
    "the best system of each collection": (
        "nDCG\n\n| collection | a | b | c |\n|---|---|---|---|\n"
        "| one | 0.63 | 0.69 | **0.70** |\n| two | **0.41** | 0.37 | 0.40 |\n"
        "| three | 0.24 | **0.43** | 0.42 |\n| four | 0.23 | 0.26 | **0.27** |\n"
    ),
    "a target beside the authors' column": (
        "| measure | old | **new** | target |\n|---|---|---|---|\n| recall@5 | 0.44 | **0.64** | 0.75 |\n"
        "| recall@10 | 0.54 | **0.74** | 0.75 |\n"
        "| recall@20 | 0.61 | **0.79** | 0.80 |\n"
    ),
    "losses in brackets": (
        "| item | 2019 | 2018 | change (%) |\n|---|---|---|---|\n| one | 1.58 | (8.36) | 118.9 |\n| two | 2.85 | 3.51 | (18.8) |\n"
    ),
    "another thing that falls": "The system reduces the costs by 75.4% and raises the use of the processor from 3.26% to 27.32%.",
    "ratios of parameters": "The windows were 224/56=0.740/0.812, 256/64=0.748/0.817 and 400/100=0.720/0.799 by recall.",
    "a rate in brackets after an arrow": "Wrong answers fall from 87.4% → 4.4% (nearly all are refused: 90.8% of them).",
    "nothing of nothing": "The judge counted 0/0=1.0, 2/2=1.0 and 3/4=0.75 for these answers.",
    "a list that is right": (
        "| run | P@5 | nDCG@10 |\n|---|---|---|\n| BM25 | 0.452 | 0.412 |\n| QL | 0.463 | 0.409 |\n| RM3 | 0.471 | 0.433 |\n\n"
        "BM25 and RM3 have an nDCG@10 of 0.412 and 0.433, respectively. QL has a P@5 and an nDCG@10 of 0.46 and 0.41, respectively."
    ),
    "the best of some": (
        "| run | P@5 | nDCG@10 |\n|---|---|---|\n| BM25 | 0.452 | 0.412 |\n| QL | 0.463 | 0.439 |\n| RM3 | 0.471 | 0.433 |\n\n"
        "RM3 achieves the highest P@5. RM3 achieves the highest nDCG@10 among the methods with feedback. QL has the best nDCG@10."
    ),
    "ERR of one run": "In the second example ERR rises more than in the first, and AP and ERR are compared as integers.",
    "stars with a footnote": (
        "| run | P@5 | nDCG@10 |\n|---|---|---|\n| a | 0.29 | 0.34 |\n| b | 0.25* | 0.30* |\n| c | 0.22* | 0.27* |\n\n"
        "`*` These runs rerank 100 documents only."
    ),
    "data that may be missing": "Choose the synthetic source when real data is unavailable; we evaluate on both.",
    "it has proven itself": "We use an SVM, which has proven itself in many studies.",
    "a theorem": r"\begin{theorem} x \end{theorem} We prove that the order is total.",
    "values of systems in brackets": "By nDCG@10 the fused run is first (43.1%), beating the dense run (42.7%) and Okapi (36.2%).",
    "a system at a value": "It exceeds the best baseline (Okapi at 61%) by 4 pp, and one tool is at 71.2% recall, well behind.",
    "from a value to another": "Without titles, recall at 5 falls 98% → 61%, and that of the other system 86% → 41%.",
    "a target": "Plan: recall improvement (target >80% recall at 500).",
    "values beside the names of measures": "Reranked: 24 of 299, up to rank 100. Top-5: Acc 96.3% | R@5 97.0% | mean 96.7%.",
    "halves of the data": "Recall@50 improves on both halves and Recall@500 does not.",
    "times more of something else": "Function words carry 1.4 times more bias than content words.",
    "a share of the relevant text": "| measure | meaning |\n|---|---|\n| Recall@K | % of context relevant found in the first K |\n",
    "a column of intervals": "| variant | Δ recall@10 (95% CI) |\n|---|---|\n| no titles | 0.02 [0.01, 0.03] |\n",
    "a range of a gain": "| step | expected effect on recall@100 |\n|---|---|\n| second query | +2-3% |\n| titles | +1 |\n",
    "a share of the gain": "One epoch is enough for 95% of the final increase in performance.",
    "a regulariser of the loss": "The method adds a loss regularizer to the model; 22.6% of harmful answers remain.",
    "models that are not ours": "The small model is competitive with proprietary models, which are evaluated by their makers.",
    "topics without judgments": "Use this for queries where gold labels are unavailable.",
    "another collection in a house": "The broadcaster maintains an in-house collection of tags, which is for browsing.",
    "a tool in a house": "An in-house data processing toolbox is described, which was developed for physicists.",
    "data that people have": "Modern assistants are grounded with private data, and the choice of an index is hard.",
    "a closed model of a domain": "The domain model is closed. Search fails where local models are unavailable.",
    "tests that are not of significance": "In 43,065 controlled tests names matter (p < 0.001, d = 0.4, Wilcoxon), as in 28 pairs.",
    "a star at a count": (
        "The gap is significant (t-test, p = 0.01, d = 0.5).\n\n| part | queries |\n|---|---|\n| code | 41 |\n| text | 16* |\n\n"
        "*15 were skipped."
    ),
    "a corpus that is kept apart": "Queries and corpus are separate so that the evaluation doesn't train on test data.",
    "queries of others that are held out": "Fill in the parameters and use this for held-out queries of the organisers.",
    "unless data prove": "Advanced retrieval is deferred unless the data proves that it helps.",
    "an acceptance test": "This is the acceptance test proving that the retrieval pipeline runs end to end.",
    "a fraction below percentages": (
        "| 60 queries | now | goal |\n|---|---|---|\n| nDCG@20 | 0.165 | 0.25 |\n| pool recall | 83.0% | 90% |\n"
    ),
    "classes, not topics": "| task | model | F1 |\n|---|---|---|\n| 1 | A | 82.23 |\n| 2 | B | 76.03 |\n",
    "many users": "Recall@12 is 0.0041 over all 413K users.",
    "a recommender by its name": "| model | nDCG@10 |\n|---|---|\n| Title2Rec | 0.0837 |\n| Word2Rec | 0.0963 |\n",
    "sessions": "The evaluation over 1000 sessions gives an nDCG@20 of 0.1518; 25 queries were read by hand.",
    "the size of a sample is planned": (
        "A paired bootstrap puts the gain of 0.025 nDCG@10 at p = 0.09. By a power analysis, 311 queries would show it."
    ),
    "percentages in a list of values": "Per lesion, lower and upper lobe:\n- lobe: mAP 91.8% | R@1 90.6% | fallback 290\n",
    "thousands": r"Control: 1{,}080 comparisons show larger effects ($p < 10^{-8}$, Cohen's $d = 0.37$).",
    "hundreds of thousands of users": "Over 413,000 users, recall at 12 is 0.004155.",
    "a row of relative changes": (
        "22,363 users.\n\n| model | HR@10 | Recall@10 |\n|---|---|---|\n| A | 0.5097 | 0.3453 |\n| B | 41% | 52% |\n"
    ),
    "a value that is a range": "At a threshold of 0.9, recall drops to 22–58%.",
    "a warning about private data": "This is for the public benchmark; do not enable logs of prompts on a private corpus.",
    "defaults beside the code": "This is the best we can attain with default settings.\n\n```python\nrank(topics, k=10)\n```\n",
    "a question about a measure": "What is Mean Average Precision? It is used for detectors; bounding boxes are compared.",
    "average precision of boxes": "Mean Average Precision is used to evaluate object detection models such as YOLO.",
    "p-values of classifiers": (
        "Accuracy of two classifiers.\n\n| a | b | p-value |\n|---|---|---|\n| 1 | 2 | 0.04 |\n| 1 | 3 | 0.20 |\n"
    ),
    "tests of a program": "Right now the tests prove that the objects fit together.",
    "a difference of nothing": "On 49 topics, all values of nDCG@10 came back to ±0.0000.",
    "a loss on the test set": "Empirically determine the loss on the test set.",
}


@pytest.mark.parametrize("case", FALSE)
def test_what_looked_like_a_mistake_is_left_alone(case):
    text = FALSE[case]
    assert codes(text, "latex" if "\\" in text else "markdown") == []


MISSED = {
    "we prove that": ("M001", "We prove that our ranker is better on both collections."),
    "to prove that": ("M001", "We run a second experiment to prove that expansion helps."),
    "trec_eval's name": ("M101", r"The runs are compared by recip\_rank, which is 0.61 for the best."),
    "a column AP": ("M201", "| run | AP | P@10 |\n|---|---|---|\n| bm25 | 0.21 | 0.41 |\n| ours | 0.25 | 0.44 |\n"),
    "AP of a system": ("M201", "Our best run has an AP of 0.31 over all topics."),
    "a table that a shell printed": (
        "M101",
        "```bash\n    name     map  recip_rank\n0   bm25  0.6377    0.6479\n1   ours  0.6413    0.6538\n```\n",
    ),
    "mAP": ("M201", "We reach mAP@10 = 0.42 on the second collection."),
    "a row map": ("M201", "| measure | bm25 | ours |\n|---|---|---|\n| map | 0.21 | 0.25 |\n| P_10 | 0.41 | 0.44 |\n"),
    "more successful": ("M401", "Users of the new interface were 69 % more successful than with the old one, by recall."),
    "twice as effective": ("M401", "Dense retrieval is twice as effective as BM25 on these queries."),
    "best against second best": (
        "M602",
        "A t-test shows that the best system is not significantly better than the second (p = 0.3, d = 0.1).",
    ),
    "best and second best in a table": (
        "M602",
        "| measure | best run | 2nd run | p-value |\n|---|---|---|---|\n| P@10 | A | B | 0.03 |\n| nDCG@10 | A | C | 0.2 |\n",
    ),
    "decimals of percentages": ("M301", "Over the 50 topics, BM25 reaches an nDCG@10 of 42.13 %."),
    "decimals of percentages in a table": (
        "M301",
        "50 topics.\n\n| run | nDCG@10 (%) |\n|---|---|\n| bm25 | 42.13 |\n| ours | 44.07 |\n",
    ),
    "columns of parts": ("M101", "| run | devMRR | testMRR |\n|---|---|---|\n| tf | 0.72 | 0.70 |\n| bm25 | 0.82 | 0.76 |\n"),
    "decimals of parts": ("M301", "| run | devMAP | testMAP |\n|---|---|---|\n| tf | 0.725217 | 0.708957 |\n"),
    "a subset with few queries": (
        "M301",
        "## Results (MS MARCO subset, 200 queries)\n\n| run | R@5 |\n|---|---|\n| bm25 | 0.7950 |\n",
    ),
    "Bpref in the caption": (
        "M301",
        (
            "\\begin{table}\\begin{tabular}{lc} run & Full \\\\ A & .5678 \\\\ B & .6361 \\\\ \\end{tabular}"
            "\\caption{Bpref scores for 40 queries.}\\end{table}"
        ),
    ),
    "a list below a heading": ("M201", "### Evaluation metrics\n\n- `NDCG@3`\n- `NDCG@10`\n- `MAP`\n\n## Models\n"),
    "a test set that guides": (
        "M502",
        "We use the test set scores to guide hyperparameter tuning and early stopping.",
    ),
    "ratings that are split": ("M501", "The observed ratings are randomly split into training (80 %) and test (20 %) sets."),
    "something that proves": ("M001", "The drop at higher cut-offs proves that more data would help the ranker."),
    "defaults of an unnamed version": ("M901", "We did not vary the parameters of BM25 but used the defaults provided by Xapian."),
    "percentages that the caption names": (
        "M301",
        (
            "\\begin{table}\\begin{tabular}{lcc} & Holidays & Oxford \\\\ A & 71.28 & 80.1 \\\\ B & 90.4 & 94.0 \\\\ \\end{tabular}"
            "\\caption{Results in percentage points of mean precision@1 for retrieval by image.}\\end{table}"
        ),
    ),
    "a float that nobody rounded": ("M301", "The run got Recall:0.24799999999999994 for the 40 questions."),
    "a number of queries beside a reranker": (
        "M301",
        (
            "30 questions about 30 files, reranked by cross-encoder/ms-marco-MiniLM-L-6-v2.\n\n"
            "| k | Recall | MRR |\n|---|---|---|\n| 1 | 0.5862 | 0.5862 |\n| 3 | 0.8276 | 0.6897 |\n"
        ),
    ),
    "a test in a chapter about images": (
        "M801",
        "Images are classified and compared. " * 13
        + "Precision@1 is better than precision@5 and precision@10. The difference is statistically significant (p < 0.001).",
    ),
    "a random split of the data": (
        "M501",
        "A random split of the data into training, validation, and test sets is used. The hybrid reaches a MAP of 0.58.",
    ),
    "a small collection beside a large one": (
        "M301",
        "| run | MS MARCO dev, Recall@1000 | TREC DL 2019, nDCG@10 |\n|---|---|---|\n| bm25 | 0.8573 | 0.5058 |\n",
    ),
    "a model that is named for a large collection": (
        "M301",
        "We use LongEval, with a reranker that was trained on MS MARCO. On LongEval, nDCG@10 is 0.4213.",
    ),
    "a list in the order of the systems": (
        "N008",
        (
            "| run | P@5 | nDCG@10 |\n|---|---|---|\n| BM25 | 0.452 | 0.412 |\n| QL | 0.463 | 0.409 |\n| RM3 | 0.471 | 0.433 |\n\n"
            "BM25 and RM3 have an nDCG@10 of 0.412 and 0.443, respectively."
        ),
    ),
    "a list in another order": (
        "N008",
        (
            "| run | P@5 | nDCG@10 |\n|---|---|---|\n| BM25 | 0.452 | 0.412 |\n| QL | 0.463 | 0.409 |\n| RM3 | 0.471 | 0.433 |\n\n"
            "BM25 and RM3 have an nDCG@10 of 0.433 and 0.412, respectively."
        ),
    ),
    "the best in the text": (
        "N007",
        (
            "| run | P@5 | nDCG@10 |\n|---|---|---|\n| BM25 | 0.452 | 0.412 |\n| QL | 0.463 | 0.439 |\n| RM3 | 0.471 | 0.433 |\n\n"
            "RM3 achieves the highest nDCG@10."
        ),
    ),
    "an arrow": ("N001", "- recall@10: 0.312 → 0.354 (+12.1%)\n"),
    "a speed-up": ("N001", "The latency drops from 120 ms to 40 ms (3.5x faster)."),
    "bold along rows": (
        "N007",
        (
            "Recall@100\n\n| collection | a | b | c |\n|---|---|---|---|\n| one | 0.235 | 0.307 | **0.313** |\n"
            "| two | **0.348** | 0.298 | 0.301 |\n| three | 0.962 | 0.987 | **0.989** |\n| four | 0.874 | **0.843** | 0.837 |\n"
        ),
    ),
    "a total": (
        "N015",
        (
            "| kind | one | two | three |\n|---|---|---|---|\n| a | 225 | 5 | 45 |\n| b | 420 | 7 | 60 |\n"
            "| c | 175 | 5 | 35 |\n| Total | 840 | 17 | 140 |\n"
        ),
    ),
    "a table that a program printed": (
        "M301",
        (
            "Results over 50 topics:\n\n```\n+------+---------+\n| run  | nDCG@10 |\n+------+---------+\n"
            "| bm25 | 0.4213  |\n| ours | 0.4411  |\n+------+---------+\n```\n"
        ),
    ),
    "a table in a figure": (
        "M301",
        (
            r"\begin{figure}\caption{Fifty topics.}\begin{tabular}{lr} run & nDCG@10 \\ \hline bm25 & "
            r"0.4213 \\ ours & 0.4411 \\ \end{tabular}\end{figure}"
        ),
    ),
    "raw floats in a table": (
        "M301",
        r"\begin{tabular}{lc} Engine & nDCG \\ simple & 0.04753607503607503 \\ stemmed & 0.44506854256854267 \\ \end{tabular}",
    ),
    "a benchmark of ten queries": (
        "M301",
        "A 10-query benchmark. We recommend B.\n\n| measure | A | B |\n|---|---|---|\n| nDCG@5 | 0.6290 | 0.8310 |\n",
    ),
    "development and held-out queries": (
        "M501",
        "Settings were picked on 113 development queries, and scores are reported on the 112 held-out ones.",
    ),
    "a split beside a bootstrap of the test": (
        "M501",
        "Half of the queries are for training, the others for testing. A paired bootstrap gives intervals.",
    ),
    "parameters that maximise the measure": (
        "M502",
        "For each collection, the parameter values that maximise the mean average precision were found by a grid search.",
    ),
    "a bare item of a list": ("M101", "Track at least:\n\n- `Recall@k`\n- `MRR`\n- the rank of the gold passage\n"),
    "mAP of images": ("M201", "Image retrieval with two encoders.\n\nR@1: 91.3%, R@5: 96.7%\nmAP: 91.9%\n"),
    "a corpus in a house": ("M901", "We evaluate retrieval on an in-house collection of support tickets."),
    "data sets that are not available": ("M901", "The training and evaluation datasets are NOT publicly available."),
    "a column whose name holds a shorter word": (
        "M301",
        "40 topics.\n\n| run | Strategy A (nDCG@10) | effectiveness against all |\n|---|---|---|\n| x | 0.5512 | 0.4417 |\n",
    ),
    "a measure with its cut-off": (
        "M101",
        "### mrr10\n\n| run | A | B |\n|---|---|---|\n| x | 0.41 | 0.52 |\n| y | 0.44 | 0.53 |\n",
    ),
    "five decimals below a heading": (
        "M301",
        "### ndcg10\n\n| run | A | B |\n|---|---|---|\n| x | 0.41213 | 0.52117 |\n| y | 0.44031 | 0.53308 |\n",
    ),
    "a table of metrics": ("M101", "| Metric | Meaning |\n|---|---|\n| Hit@k | any |\n| **MRR** | rank of the first |\n"),
    "metrics in backticks": ("M201", "Metrics `precision@k` and `map@k` with k = 10."),
    "raw floats on a page": ("M301", "| run | nDCG@10 |\n|---|---|\n| x | 0.04753607503607503 |\n| y | 0.44506854256854267 |\n"),
    "what is proven on the test set": ("M001", "This is what routing demonstrably proves on the held-out test set: it helps."),
    "proof as a verb": ("M001", "We add an experiment to proof the effectiveness of the encoder."),
    "a proof in Chinese": ("M001", "实验结果证明，扩展查询的方法优于基线。"),
    "a proof in German": ("M001", "Unsere Ergebnisse beweisen, dass die Erweiterung der Anfragen hilft."),
    "a proof in French": ("M001", "Les résultats sur Robust04 prouvent que l'expansion améliore la recherche."),
    "NDCG in capitals": ("M107", "A star marks an NDCG@5 above that of BM25 (p < 0.05, two-tailed paired t-test)."),
    "a p-value after as": ("M801", "The test finds the p value as 3.1e-6 for the two rankers."),
    "p-values that a program printed": ("M701", "MAP of run a vs b: p-value 0.014, a vs c: p-value 0.512, b vs c: p-value 0.003"),
    "columns of one- and two-sided p-values": (
        "M701",
        "Both p-values are given.\n\n| measure | p_1 | p_2 |\n|---|---|---|\n| nDCG | 0.13 | 0.26 |\n| P@5 | 0.01 | 0.02 |\n",
    ),
    "two systems that differ": ("M701", "Both Aurora and Borealis QE show statistically significant improvements to BM25."),
    "an unpaired test beside its measure": (
        "M703",
        "We measured nDCG@10 on 50 topics. The two systems were then compared with Welch's t-test.",
    ),
    "data of an unnamed company": ("M901", "We evaluate the vectors on a sample of click logs from a large online marketplace."),
    "queries of an unnamed search engine": ("M901", "Experiments on long queries issued to a commercial search engine show gains."),
    "defaults beside a link to somebody's library": (
        "M901",
        "We rank documents with the default parameters of Anserini (https://github.com/castorini/anserini). MAP rises to 0.25.",
    ),
    "defaults after a denial": ("M901", "We did not tune the ranker and used the defaults provided by Xapian."),
    "defaults beside a value of a measure": ("M901", "We grew forests in R with default parameters. Recall at ten rises by 0.12."),
    "contrasts": ("M701", "Three contrasts clear zero (p = 0.0001); two do not (p = 0.54 and 0.93); 95 % CIs are beside them."),
}


@pytest.mark.parametrize("case", MISSED)
def test_what_was_missed_is_found(case):
    code, text = MISSED[case]
    assert code in codes(text, "latex" if "\\" in text else "markdown")


def test_a_long_text_about_something_else_is_left_alone():
    filler = "The mice were weighed every day and kept in a dark room. " * 14
    claim = "We split the animals into a training set and a test set, and all five differences are significant (t-tests, p < 0.05)."
    assert codes(filler + claim, "markdown") == []
    assert "M701" in codes(filler + claim + " BM25 and the rerankers answer all queries.", "markdown")
