"""Pairs of texts: one that makes a mistake in a form that was missed, and a neighbour that looks like it and makes none."""

from __future__ import annotations

import pytest

from mensura.io.files import Source
from mensura.lint.sources import kind_of
from tests.lint.linting import codes

TABLE = "| run | {} | P@10 |\n|---|---|---|\n| a | 0.31 | 0.42 |\n| b | 0.35 | 0.44 |\n"
LONG = "| data | run | group | measure | value |\n|---|---|---|---|---|\n| x | a | f | {0} | 0.12 |\n| x | a | m | {0} | 0.14 |\n"
PAIRS = {
    "a condition in the name": ("M101", TABLE.format("RR(rel=2)@10"), TABLE.format("R(rel=2)@10")),
    "a condition in the name of AP": ("M201", TABLE.format("AP(rel=2)@100"), TABLE.format("P(rel=2)@100")),
    "capitals of a program": ("M101", TABLE.format("Dev Set Mrr@10"), TABLE.format("Dev Set Ndcg@10")),
    "a value in backticks": ("M101", "- Latency: `3.1` ms\n- MRR@10: `0.77`\n", "- Latency: `3.1` ms\n- Hits@10: `0.77`\n"),
    "values of a table in backticks": (
        "M301",
        "50 topics.\n\n| run | nDCG@10 |\n|---|---|\n| a | `0.4131` |\n| b | `0.4256` |\n",
        "50 topics.\n\n| run | nDCG@10 |\n|---|---|\n| a | `0.413` |\n| b | `0.426` |\n",
    ),
    "a comma in a value": (
        "M101",
        "Im Durchschnitt der Anfragen liegt MRR@5 bei 0,65.",
        "Im Durchschnitt der Anfragen liegt die Latenz bei 0,65 Sekunden.",
    ),
    "the head of a table in prose": (
        "M101",
        "Split Lang MRR@1 MRR@5 run MRR@5 other",
        "The list of measures has MRR@1, and Fuhr warns.",
    ),
    "a measure that is explained and not named": (
        "M101",
        "The score of a query is the inverse of the rank of its translation. The averages are 0.82 and 0.57.",
        "The weight of a term is the inverse of its frequency. The averages of nDCG@10 are 0.82 and 0.57.",
    ),
    "an average of averages": (
        "M201",
        "The average of the average precision scores was between 0.69 and 0.72.",
        "The average of the precision scores at rank 5 was between 0.69 and 0.72.",
    ),
    "a value in each row": (
        "M101",
        LONG.format("MRR"),
        LONG.format("RBP"),
    ),
    "a block of results": (
        "M101",
        "## Results\n\n```\nMRR@100: 0.31\nNDCG@100: 0.38\n```\n",
        "The output will look like this:\n\n```\nMRR@100: 0.31\nNDCG@100: 0.38\n```\n",
    ),
    "not boxes in images": (
        "M201",
        "Retrieval of images.\n\n| run | mAP |\n|---|---|\n| a | 0.31 |\n| b | 0.35 |\n",
        "Object detection with YOLO.\n\n| run | mAP |\n|---|---|\n| a | 0.31 |\n| b | 0.35 |\n",
    ),
    "what improves, in any words": (
        "M401",
        "The labelled benchmark shows an 18% improvement in top-10 search relevance.",
        "The labelled benchmark shows an 18% improvement in query latency by search.",
    ),
    "the gain itself": (
        "M401",
        "The 2.9% improvement in Recall@5 shows that the vocabulary gap is bridged.",
        "The 2.9% of the queries that Recall@5 shows to be hard have a vocabulary gap.",
    ),
    "signs beside measures": (
        "M401",
        "All values have risen: P@5 +68.8%, nDCG@5 +91.4%.",
        "All values have risen to percentages: P@5 68.8%, nDCG@5 91.4%.",
    ),
    "times of a measure": (
        "M401",
        "The stage brings a 15.5x improvement in P@1.",
        "The stage brings a 15.5x improvement in speed.",
    ),
    "a measure of texts": (
        "M401",
        "Retrieval gives an average +40.7% improvement in ROUGE-1.",
        "Retrieval gives an average improvement in ROUGE-1 of 0.06.",
    ),
    "named relative": (
        "M401",
        "With GPT-4 it gains 16.0% absolute over the pipeline, a relative improvement of 26.1%.",
        "With GPT-4 it gains 16.0% absolute over the pipeline.",
    ),
    "relative beside an absolute gain": (
        "M401",
        "It leads by 0.028 (0.332 against 0.305), a 9% relative margin.",
        "It leads by 0.028 (0.332 against 0.305), a 9% smaller footprint.",
    ),
    "a range of gains": (
        "M401",
        "Fusion of runs yielded improvements ranging from 10% to over 60% compared to the best system.",
        "Fusion of runs yielded a recall ranging from 10% to over 60% depending on the system.",
    ),
    "another language": (
        "M401",
        "Der zweite Lauf verbessert nDCG@10 deutlich, und zwar um 12 %.",
        "Der zweite Lauf hat bei nDCG@10 einen Wert von 42 %.",
    ),
    "a column of percentages": (
        "M401",
        "| run | Recall@10 | Relative gain |\n|---|---|---|\n| a | 0.40 | |\n| b | 0.44 | 10% |\n",
        "| run | Recall@10 | Judged |\n|---|---|---|\n| a | 0.40 | 97% |\n| b | 0.44 | 96% |\n",
    ),
    "a column against another run": (
        "M401",
        "| run | Recall@10 | vs BM25 |\n|---|---|---|\n| BM25 | 0.40 | 100% |\n| b | 0.44 | 110% |\n",
        "| run | Recall@10 | memory vs BM25 |\n|---|---|---|\n| BM25 | 0.40 | 100% |\n| b | 0.44 | 110% |\n",
    ),
    "what is nearest": (
        "M401",
        "The number of documents stays the same, and nDCG@10 falls by 5%.",
        "The number of tokens falls by 34%, and the effectiveness stays the same.",
    ),
    "two levels": (
        "M401",
        "Recall@1 drops by nearly 64% when names are standardised.",
        "Recall@1 drops from nearly 100% to 36% when names are standardised.",
    ),
    "what others expect": (
        "M401",
        "The pool of lyrics lifts recall by 2%.",
        "The pool of lyrics is expected to lift recall by 2%.",
    ),
    "not money": ("M101", "MRR rises from 0.31 to 0.35 with the reranker.", "MRR rises to 9.95 dollars of recurring revenue."),
}


@pytest.mark.parametrize("case", PAIRS)
def test_a_mistake_is_found_and_its_neighbour_is_not(case):
    code, wrong, right = PAIRS[case]
    kind = "latex" if "\\" in wrong else "markdown"
    assert code in codes(wrong, kind)
    assert code not in codes(right, kind)


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("study.txt", "# seconds between answers\n- - - all - - -\n# bow Recall: 0.51 | MRR: 0.46\n", "text"),
        ("log.txt", "Ablation of 19 nodes and 40 queries\nrun  F1  MRR\nfull  0.41  0.44\n", "text"),
        ("README", "The MRR of the run is 0.31.\n", "text"),
        ("a.txt", "1 Q0 d1 1 2.0 t\n1 Q0 d2 2 1.0 t\n", "run"),
        ("a.txt", "1 Q0 d1 x y t\n1 2\n", "run"),
        ("a.txt", "map all 0.3\nP_10 all 0.4\n", "trec_eval"),
    ],
)
def test_a_text_file_is_prose_unless_it_has_the_columns_of_data(name, text, kind):
    assert kind_of(Source(name, data=text.encode())) == kind


def test_a_text_file_is_read_with_what_a_program_printed_in_it():
    text = "measuring claims only (38):\n\nrun   Recall   MRR\npp    0.63   0.46\nbow   0.58   0.48\n"
    assert codes(text, "text") == ["M101"]
    assert codes(text.replace("MRR", "RBP"), "text") == []
