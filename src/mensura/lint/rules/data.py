"""Runs and judgments: what changes numbers without a word."""

from __future__ import annotations

from mensura.lint.rule import FERRANTE, HOLES, TIES, TREC_EVAL, Rule

HEAD = "1 Q0 d1 1 9.0 run\n"
LIST = "".join(f"1 Q0 d{rank} {rank} {20 - rank}.0 run\n" for rank in range(1, 13))

DUPLICATE = Rule(
    code="D101",
    name="duplicate-document",
    severity="error",
    strict="error",
    consequence="the same document stands twice in a topic: a relevant one would count twice",
    demand="every document once per topic: remove the second",
    reason="Recall may exceed 1 and precision counts one document twice. Tools differ: some fail, some keep the first, some the last.",
    references=(TREC_EVAL,),
    wrong=f"{LIST}1 Q0 d3 13 0.5 run\n",
    right=LIST,
    fix="Keep the entry with the highest score; look for the cause, often passages that were not merged into documents.",
    ending=".run",
)
TIED = Rule(
    code="D102",
    name="ties-decide",
    severity="warning",
    strict="error",
    consequence="equal scores among the first ten: their order is the document id's, and another tool may choose another",
    demand="equal scores leave the order to chance: make the scores differ",
    reason=(
        "trec_eval orders equal scores by document id and ignores the rank column. Values depend on the names of documents then, "
        "and differ between tools (Cabanac et al.)."
    ),
    references=(TIES, TREC_EVAL),
    wrong="".join(f"1 Q0 d{rank} {rank} 1.0 run\n" for rank in range(1, 13)),
    right=LIST,
    fix="Write scores with enough digits, or break ties by a rule of your own before you write the run.",
    ending=".run",
)
UNJUDGED = Rule(
    code="D103",
    name="unjudged-at-the-top",
    severity="warning",
    strict="error",
    consequence="many of the first ten documents have no judgment and count as not relevant: the run may be better than it looks",
    demand="judge the first ten documents, or give bounds (Judged@10, RBP's residual)",
    reason="A run that did not contribute to the pool finds documents that nobody judged; measures take them for irrelevant.",
    references=(HOLES,),
    wrong="1 0 d1 1\n1 0 d2 0\n---\n" + LIST,
    right="".join(f"1 0 d{rank} {rank % 2}\n" for rank in range(1, 13)) + "---\n" + LIST,
    fix="Report Judged@10 beside the measure, use RBP with its residual, or judge what is missing.",
    ending=".run",
)
MISSING = Rule(
    code="D104",
    name="missing-topics",
    severity="warning",
    strict="error",
    consequence="judged topics are missing from the run: they count 0 here, and are left out by trec_eval without -c",
    demand="a run must have all judged topics, or say that it failed on some",
    reason="Leaving topics out raises a mean if they are hard. Compare means only over the same topics.",
    references=(TREC_EVAL,),
    wrong="1 0 d1 1\n2 0 d1 1\n---\n" + HEAD.replace("run", "run\n1 Q0 d2 2 8.0 run", 1),
    right="".join(f"1 0 d{rank} {rank % 2}\n" for rank in range(1, 13)) + "---\n" + LIST,
    fix="Complete the run, or state the number of topics and how missing ones count (mensura evaluate --topics).",
    ending=".run",
)
SHORT = Rule(
    code="D105",
    name="short-lists",
    severity="warning",
    strict="error",
    consequence="lists of fewer than ten documents, or far shorter than the others: the ranks below count as not relevant",
    demand="return as many documents for every topic: at least ten",
    reason="P@10 of five documents is at most .5. Lists of different lengths also have different scales (P4 §V).",
    references=(FERRANTE,),
    wrong=HEAD,
    right=LIST,
    fix="Retrieve more documents, or measure at a cut-off that all lists reach.",
    ending=".run",
)
RANKS = Rule(
    code="D106",
    name="ranks-and-scores-disagree",
    severity="warning",
    strict="error",
    consequence="the rank column and the scores give different orders: evaluation takes the scores",
    demand="ranks and scores must give one order",
    reason="trec_eval, and Mensura, rank by score and ignore the rank column. A run whose scores rise with the rank is evaluated upside down.",
    references=(TREC_EVAL,),
    wrong="".join(f"1 Q0 d{rank} {rank} {rank}.0 run\n" for rank in range(1, 13)),
    right=LIST,
    fix="Write scores that fall with the rank; negative distances, or 1/rank, will do.",
    ending=".run",
)
EXTRA = Rule(
    code="D107",
    name="topics-without-judgments",
    severity="note",
    strict="warning",
    consequence="the run has topics without judgments: they are left out",
    demand="a run should have the judged topics, and no others",
    reason="Wrong topic ids, or the wrong judgments, show first as topics that nobody judged.",
    references=(TREC_EVAL,),
    wrong="".join(f"1 0 d{rank} {rank % 2}\n" for rank in range(1, 13)) + "---\n" + LIST + LIST.replace("1 Q0", "2 Q0"),
    right="".join(f"1 0 d{rank} {rank % 2}\n" for rank in range(1, 13)) + "---\n" + LIST,
    fix="Check that runs and judgments belong together, and that topic ids are spelled alike.",
    ending=".run",
)
BARREN = Rule(
    code="D108",
    name="topics-without-relevant-documents",
    severity="note",
    strict="warning",
    consequence="topics without a relevant document give 0 to every system (or are undefined), and lower all means",
    demand="leave out topics without relevant documents, and say so",
    reason="AP, recall and nDCG divide by the number of relevant documents. Tools count such topics as 0 or drop them.",
    references=(TREC_EVAL,),
    wrong="1 0 d1 0\n1 0 d2 0\n2 0 d1 1\n",
    right="1 0 d1 0\n1 0 d2 1\n2 0 d1 1\n",
    fix="Remove the topic from the judgments, or state how it counts.",
    ending=".qrels",
)
CONTRADICTION = Rule(
    code="D109",
    name="judged-twice",
    severity="error",
    strict="error",
    consequence="a document is judged twice for a topic: which grade counts depends on the tool",
    demand="every document is judged once per topic: remove one of the lines",
    reason="Some tools take the first grade, some the last, some stop.",
    references=(TREC_EVAL,),
    wrong="1 0 d1 0\n1 0 d2 1\n1 0 d1 1\n",
    right="1 0 d1 0\n1 0 d2 1\n",
    fix="Decide which judgment holds, and keep that line only.",
    ending=".qrels",
)
TWO_TAGS = Rule(
    code="D110",
    name="two-tags",
    severity="warning",
    strict="error",
    consequence="lines of one run have different tags: two runs in one file are evaluated as one",
    demand="one file per run, with one tag on every line",
    reason="A run is named by the tag of its first line; tools ignore the others. Runs that were written into one file look like one.",
    references=(TREC_EVAL,),
    wrong=LIST.replace("d12 12 8.0 run", "d12 12 8.0 other"),
    right=LIST,
    fix="Split the file by its last column, or write one tag on all lines.",
    ending=".run",
)
WIDE = Rule(
    code="D111",
    name="columns-after-the-tag",
    severity="warning",
    strict="error",
    consequence="lines have more than six columns: those after the tag are not read",
    demand="six columns: topic, Q0, document, rank, score, tag",
    reason="A blank inside an id or a tag moves the columns: what is read as score may be something else.",
    references=(TREC_EVAL,),
    wrong=LIST.replace("d12 12 8.0 run", "d12 12 8.0 run 2"),
    right=LIST,
    fix="Remove the blanks from ids and tags, and what comes after the tag.",
    ending=".run",
)
SINGLE = Rule(
    code="D112",
    name="ties-in-single-precision",
    severity="note",
    strict="warning",
    consequence="scores among the first ten differ, but not as float32: trec_eval up to version 9 takes them as equal",
    demand="scores that differ as float32: official figures may have another order",
    reason="trec_eval 9 keeps scores as float32, about seven digits, and orders those that become equal by document id.",
    references=(TIES, TREC_EVAL),
    wrong=LIST.replace("19.0", "19.0000001", 1).replace("d2 2 18.0", "d2 2 19.0"),
    right=LIST,
    fix="Spread the scores, e.g. write 1/rank; mensura evaluate --compat trec_eval-9 gives the figure of trec_eval 9.",
    ending=".run",
)
IDENTICAL = Rule(
    code="D113",
    name="identical-runs",
    severity="warning",
    strict="error",
    consequence="two runs rank the same documents in the same order: one of them is a copy under another name",
    demand="every run once: leave one of the two out, or give the run that was meant",
    reason=(
        "A copy counts as a system of its own: it is a tie in every comparison, makes the family of tests larger, and gives its "
        "documents to a pool twice. Often a parameter had no effect, or a file was copied to the wrong name."
    ),
    references=(TREC_EVAL,),
    wrong=f"{LIST}---\n{LIST.replace(' run', ' other')}",
    right=f"{LIST}---\n{LIST.replace('d11', 'd13').replace(' run', ' other')}",
    fix="Check that the parameter that should differ is used, and name each run once.",
    ending=".run",
)
RULES = (DUPLICATE, TIED, UNJUDGED, MISSING, SHORT, RANKS, EXTRA, BARREN, CONTRADICTION, TWO_TAGS, WIDE, SINGLE, IDENTICAL)
