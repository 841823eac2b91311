"""P3, row by row."""

from __future__ import annotations

from tests.papers.rows import Row, parametrized, show

# Files of small examples: write(A="10 01") writes qrels.txt and A.txt, one word of grades for each topic, top rank first.
FILES = """
import contextlib, io, shlex
from pathlib import Path
from mensura.cli import run_command

def mensura(line):
    printed = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        status = run_command(shlex.split(line))
    return printed.buffer.getvalue().decode() + f"exit {status}"

def write(**systems):
    judged = set()
    for name, topics in systems.items():
        lines = []
        for topic, grades in enumerate(topics.split(), start=1):
            for rank, grade in enumerate(grades, start=1):
                document = f"{grade}-{grades[:rank].count(grade)}"
                judged.add(f"{topic} 0 {document} {grade}")
                lines.append(f"{topic} Q0 {document} {rank} {-rank} {name}")
        Path(f"{name}.txt").write_text("\\n".join(lines) + "\\n")
    Path("qrels.txt").write_text("\\n".join(sorted(judged)) + "\\n")
"""

# P3 §2.1: three topics, the first relevant document at ranks 1, 2, 4 (A) and 2, 2, 2 (B).
RANKS = FILES + 'write(A="1000 0100 0001", B="0100 0100 0100")\n'
# P3 §2.1: a partly relevant document and a fully relevant one at ranks 1 and 5 (A), 2 and 3 (B).
STOPS = FILES + 'write(A="10002", B="01200")\n'
STATEMENTS = """
from mensura.scales import meaningful
from mensura.scales.meaning.statements import GeometricMean, HarmonicMean, Mean, Median, Significant
"""


def linted(text, line="lint paper.tex", right=""):
    """The Python of a row that lints a paper, and with it one that says it right."""
    files = f"Path('paper.tex').write_text({text!r})\n" + (f"Path('right.tex').write_text({right!r})\n" if right else "")
    return FILES + files + f"mensura({line + ' right.tex' * bool(right)!r})"


PLANNED = (
    FILES
    + """write(A="10 01 11 00 10", B="11 11 11 01 10", C="00 01 01 00 10")
mensura("plan new plan.toml --goal 'Is B better than A?' --qrels qrels.txt --run A.txt --run B.txt --system A --system B "
        "--baseline A --primary P@2 --test t")
text = Path("plan.toml").read_text()
mensura("plan lock plan.toml")
"""
)

ROWS: list[Row] = [
    # 2.1 MRR and ERR
    Row(
        "§2.1",
        "RR(r) = 1/r, between 0 and 1, 1 for a perfect result",
        "mensura scale RR@4 --run 1000 --run 0100 --run 0010 --run 0001 --run 0000 -f csv",
        ("1000,1.0,5,", "0100,0.5,4,", "0010,0.3333", ",3,,", "0001,0.25,2,", "0000,0.0,1,"),
    ),
    Row(
        "§2.1, example",
        "MRR of the first relevant document at 1, 2, 4 (A) and 2, 2, 2 (B)",
        RANKS + 'mensura("evaluate qrels.txt A.txt B.txt -m RR -f csv")',
        ("A,RR,0.58333", "B,RR,0.5,"),
    ),
    Row(
        "§2.1, example",
        "the mean rank says the opposite",
        RANKS + 'mensura("evaluate qrels.txt A.txt B.txt -m MFR -f csv")',
        ("A,MFR,2.3333", "B,MFR,2.0,"),
    ),
    Row(
        "§2.1, example",
        "a remark says so",
        RANKS + 'mensura("evaluate qrels.txt A.txt B.txt -m RR")',
        ("1 of 1", "MFR", "M101"),
    ),
    Row(
        "§2.1, example",
        "E(1/R) ≠ 1/E(R): 7/12 and 3/7",
        RANKS + 'from mensura import evaluate\nmeans = evaluate("qrels.txt", ["A.txt"], ["RR", "MFR"]).means()["A"]\n'
        '(round(means["RR"], 4), round(1 / means["MFR"], 4))',
        ("(0.5833, 0.4286)",),
    ),
    Row(
        "§2.1",
        "rank 1 to 2 is as far as rank 2 to infinity; on an interval scale 1 step and 999",
        "mensura scale RR@1000 --value 1 --value 1/2 --value 0 -f csv",
        (",,1.0,1001,", ",,0.5,1000,", ",,0.0,1,"),
    ),
    Row(
        "§2.1",
        "RR is not an interval scale",
        "mensura properties RR@5 -f csv",
        ("equispaced,Refuted", "0 (00000), 1/5 (00001), 1/4 (00010)"),
    ),
    Row("§2.1", "RR is an ordinal scale only", "mensura measures RR -f json", ('"scale": "ordinal"',)),
    Row(
        "§2.1",
        "one cannot compute the mean for an ordinal scale, only the median",
        STATEMENTS + '[meaningful(kind("A") > kind("B"), "ordinal").meaningful for kind in (Mean, Median)]',
        ("[False, True]",),
    ),
    Row(
        "§2.1",
        "the median produces ties: .5 for both systems of the example",
        RANKS + "from mensura import evaluate\nfrom mensura.stats import mean\n"
        'mean(evaluate("qrels.txt", ["A.txt", "B.txt"], "RR")["RR"].values, "median")',
        ("[0.5 0.5]",),
    ),
    Row(
        "§2.1",
        "the same on the command line",
        RANKS + "mensura(\"evaluate qrels.txt A.txt B.txt -m 'Median(MFR)' -m 'Median(RR)' -f csv\")",
        ("A,Median(MFR),2.0,", "B,Median(MFR),2.0,", "A,Median(RR),0.5,", "B,Median(RR),0.5,"),
    ),
    Row("§2.1", "MFR: the rank itself, higher values are worse", "mensura measures MFR -f json", ('"better": "lower"',)),
    Row(
        "§2.1",
        "MFR is equally spaced, and 1 is the ideal value",
        "mensura properties MFR@5 -f csv",
        ("equispaced,Proven", "6 values", "apart: 1"),
    ),
    Row("§2.1", "MFR is even a ratio scale", "mensura measures MFR@10 -f json", ('"scale": "ratio"',)),
    Row(
        "§2.1",
        "an MFR of x is the x-fold effort: ranks 1, 2, 4 are 2.33 times the ideal",
        FILES + 'write(A="1000 0100 0001", ideal="1000 1000 1000")\nmensura("evaluate qrels.txt A.txt ideal.txt -m MFR -f csv")',
        ("A,MFR,2.3333", "ideal,MFR,1.0,"),
    ),
    Row(
        "§2.1",
        "the harmonic mean of the RR values is the inverse of MFR",
        STATEMENTS + 'from fractions import Fraction as F\nHarmonicMean("A").value({"A": [F(1), F(1, 2), F(1, 4)]})',
        ("3/7",),
    ),
    Row(
        "§2.1",
        "neither t-test nor Wilcoxon is possible on an ordinal scale; the sign test is",
        STATEMENTS + 'tests = ("Student\'s t", "Wilcoxon signed rank", "sign")\n'
        '[meaningful(Significant("A", "B", test), "ordinal").meaningful for test in tests]',
        ("[False, False, True]",),
    ),
    Row(
        "§2.1",
        "a t-test of RR is made with a warning that names the interval scale",
        "mensura compare $T8/qrels.txt $T8/runs/READWARE2.gz $T8/runs/apl8p.gz -m RR@30 --test t",
        ("0.92", "0.77", "--scale interval", "M103"),
        needs="trec8",
    ),
    Row(
        "§2.1, ERR",
        "in the binary case the stopping probability is 1 for relevant documents: ERR is RR then",
        "from itertools import product\nfrom mensura import JudgedRuns, parse_measure\n"
        "runs = JudgedRuns.from_grades([[run] for run in product((0, 1), repeat=6)], [[9, 6]])\n"
        '(parse_measure("ERR(stop={1: 1})@6").score(runs) == parse_measure("RR@6").score(runs)).sum()',
        ("64",),
    ),
    Row(
        "§2.1, ERR",
        "ERR of stops .5 and 1 at ranks 1 and 5 (A), 2 and 3 (B): .6 and .417",
        STOPS + "mensura(\"evaluate qrels.txt A.txt B.txt -m 'ERR(stop={1: 1/2, 2: 1})@5' -f csv\")",
        ("A,", "0.6,", "B,", "0.41666"),
    ),
    Row(
        "§2.1, EFR",
        "EFR of the same: 3 and 2.5",
        STOPS + "mensura(\"evaluate qrels.txt A.txt B.txt -m 'EFR(stop={1: 1/2, 2: 1})@5' -f csv\")",
        ("A,", "3.0,", "B,", "2.5,"),
    ),
    Row(
        "§2.1, EFR",
        "the default stopping probability is grade / highest grade",
        STOPS + 'mensura("evaluate qrels.txt A.txt B.txt -m EFR@5 -f csv")',
        ("A,EFR@5,3.0,", "B,EFR@5,2.5,"),
    ),
    Row(
        "§2.1, EFR",
        "ERR and EFR order A and B differently, with a remark",
        STOPS + "mensura(\"evaluate qrels.txt A.txt B.txt -m 'ERR(stop={1: 1/2, 2: 1})@5'\")",
        ("1 of 1", "EFR", "M102"),
    ),
    Row(
        "§2.1, EFR",
        "EFR generalises MFR: they are equal for all binary runs of length 8",
        "from itertools import product\nfrom mensura import JudgedRuns, parse_measure\n"
        "runs = JudgedRuns.from_grades([[run] for run in product((0, 1), repeat=8)], [[9, 8]])\n"
        '(parse_measure("EFR@8").score(runs) == parse_measure("MFR@8").score(runs)).sum()',
        ("256",),
    ),
    Row(
        "§2.1, EFR",
        "so on TREC-8 the leaderboards by EFR and MFR are the same",
        "from mensura import evaluate\nfrom mensura.stats import kendall\n"
        'evaluation = evaluate("$T8/qrels.txt", "$T8/runs/*.gz", ["EFR@30", "MFR@30"])\n'
        "(len(evaluation.judged.systems), kendall(*(scores.mean() for scores in evaluation)))",
        ("(129, 1.0)",),
        needs="trec8",
        slow=True,
    ),
    Row(
        "§2.1, ERR",
        "ERR has the problem of RR: its values are not equally spaced",
        "mensura properties ERR@4 -f csv",
        ("equispaced,Refuted", "0 (0000), 1/8 (0001), 1/6 (0010)"),
    ),
    Row(
        "§2.1",
        "lint asks a paper with MRR and ERR for MFR and EFR",
        linted("Our run reaches an MRR of 0.38 and an ERR@20 of 0.21.\n", "lint paper.tex --select M1"),
        ("M101", "MFR", "M102", "EFR", "2 warnings"),
    ),
    Row(
        "§2.1",
        "the rule and its example: ranks 1, 2, 4 against 2, 2, 2",
        "mensura explain M101",
        ("1, 2, 4", "2, 2, 2", "§2.1", "MFR@k"),
    ),
    Row("§2.1", "the rule about ERR with P3's numbers", "mensura explain M102", (".6 to .417", "3 to 2.5", "EFR@k")),
    # 2.2 MAP
    Row(
        "§2.2",
        "MAP's user stops at each relevant document with equal probability: AP of 1011 is the mean of P at 1, 3 and 4",
        FILES + 'write(A="1011")\nmensura("evaluate qrels.txt A.txt -m AP -m P@1 -m P@3 -m P@4 -f csv")',
        ("A,AP,0.80555", "A,P@1,1.0,", "A,P@3,0.66666", "A,P@4,0.75,"),
    ),
    Row(
        "§2.2",
        "the earlier single number, precision at recall 0, .1, …, 1",
        FILES + 'write(A="1011")\nmensura("evaluate qrels.txt A.txt -m iprec_at_recall -m 11pt_avg -f trec_eval")',
        ("recall_0.00", "1.0000", "recall_0.50", "0.7500", "recall_1.00", "0.7500", "11pt_avg", "0.8636"),
    ),
    Row(
        "§2.2",
        "RBP: the proportion of users who stop at rank k is (1 − p)·p^(k−1)",
        "mensura scale 'RBP(p=0.8)@4' --run 1000 --run 0100 --run 0010 --run 0001 -f csv",
        ("1000,0.2,5,", "0100,0.16,4,", "0010,0.128,3,", "0001,0.1024,2,"),
    ),
    Row(
        "§2.2",
        "the largest possible value of RBP depends on p: 1 − .8^10",
        "mensura scale 'RBP(p=0.8)@10' --run 1111111111 -f csv",
        ("1111111111,0.8926258176,1024,",),
    ),
    Row(
        "§2.2",
        "and with p = .5: 1 − .5^10",
        "mensura scale 'RBP(p=0.5)@10' --run 1111111111 -f csv",
        ("1111111111,0.9990234375,1024,",),
    ),
    Row(
        "§2.2",
        "RBP has fewer significant differences than AP among 8256 pairs of TREC-8 (t-test, not corrected)",
        "mensura compare $T8/qrels.txt '$T8/runs/*.gz' -m AP -m 'RBP(p=0.8)' --test t --correction none --pairs 0",
        ("5982 of 8256", "5424 of 8256"),
        needs="trec8",
        slow=True,
    ),
    Row(
        "§2.2",
        "DCG deals with multivalued relevance: grades 3, 2, 1 at ranks 1, 2, 3 and the other way round",
        "mensura scale DCG@3 --grades 0,1,2,3 --run 321 --run 123 -f csv",
        ("321,4.7618", ",33,,", "123,3.7618", ",25,,"),
    ),
    Row(
        "§2.2",
        "using MAP might be theoretically correct: a note, not a warning",
        linted("The best run has a MAP of 0.31.\n"),
        ("M201", "RBP", "1 note", "exit 0"),
    ),
    Row(
        "§2.2",
        "“thou shalt not use MAP”: an error for who wants it strict",
        linted("The best run has a MAP of 0.31.\n", "lint paper.tex --profile strict"),
        ("M201", "RBP", "1 error", "exit 1"),
    ),
    # 2.3 precision of results
    Row(
        "§2.3",
        "one observation changes the last digit: three decimals for P@10 over 50 topics, four for 1000",
        "from mensura.stats import decimals_for_change\n(decimals_for_change(1 / 500), decimals_for_change(1 / 10_000))",
        ("(3, 4)",),
    ),
    Row(
        "§2.3",
        "four decimals create an illusion: two are shown of means over the 50 topics of TREC-8",
        "mensura evaluate $T8/qrels.txt $T8/runs/READWARE2.gz -m P@10 -m AP",
        ("READWARE2", " 0.79 ", " 0.47\n"),
        needs="trec8",
    ),
    Row(
        "§2.3",
        "standard software prints four decimals",
        "mensura evaluate $T8/qrels.txt $T8/runs/READWARE2.gz -m P@10 -m AP -f trec_eval",
        ("map", "0.4692", "P_10", "0.7880"),
        needs="trec8",
    ),
    Row(
        "§2.3",
        "Wilson's interval of P@10 = .7 over 50 queries, 500 observations: [.658, .739]",
        "from mensura.stats import wilson_interval\ninterval = wilson_interval(350, 500)\n"
        "(round(interval.low, 3), round(interval.high, 3))",
        ("(0.658, 0.739)",),
    ),
    Row(
        "§2.3",
        "over the 50 queries, the independent events, the interval is wider: P@10 of a run of TREC-8",
        "from mensura import evaluate\nfrom mensura.stats import mean_interval, wilson_interval\n"
        'values = evaluate("$T8/qrels.txt", ["$T8/runs/READWARE2.gz"], "P@10")["P@10"].values\n'
        "wilson, (low, high) = wilson_interval(394, 500), mean_interval(values)\n"
        "(values.sum() * 10, round(wilson.high - wilson.low, 3), round(float(high[0] - low[0]), 3))",
        ("394.0", "0.072, 0.117"),
        needs="trec8",
    ),
    Row(
        "§2.3",
        "bootstrap methods where there is no closed formula: BCa interval of the mean of 1, 2, 3, 4, 10",
        "from mensura.stats import bca_interval\n[end.round(2).tolist() for end in bca_interval([1, 2, 3, 4, 10], seed=1)]",
        ("[[2.0], [8.2]]",),
    ),
    Row(
        "§2.3",
        "every mean and every difference comes with its confidence interval",
        "mensura compare $T8/qrels.txt $T8/runs/READWARE2.gz $T8/runs/apl8p.gz -m P@10 --test t",
        ("READWARE2", "0.79", "0.73 … 0.85", "apl8p", "0.52", "0.42 … 0.61", "+0.27", "+0.18 … +0.37"),
        needs="trec8",
    ),
    Row(
        "§2.3",
        "lint finds four decimals of 50 topics",
        linted("On 50 topics, P@10 rises from 0.4120 to 0.4380.\n"),
        ("M301", "0.4120"),
    ),
    # 2.4 relative improvements
    Row(
        "§2.4, example",
        "B (.18, .54) is better than A (.2, .5) by the arithmetic mean",
        "from mensura.stats import mean\nmean([[0.2, 0.5], [0.18, 0.54]]).round(3)",
        ("[0.35 0.36]",),
    ),
    Row(
        "§2.4, example",
        "but loses 10 % on one query and gains 8 % on the other: −1 % on average",
        "from mensura.stats import mean\nchanges = [100 * (b / a - 1) for a, b in ((0.2, 0.18), (0.5, 0.54))]\n"
        "([round(change) for change in changes], mean([changes]).round(6))",
        ("([-10, 8], array([-1.]))",),
    ),
    Row(
        "§2.4",
        "E(X·K) ≠ E(X)·E(K): a ratio of means needs a ratio scale",
        STATEMENTS + 'statement = Mean("B") / Mean("A") > 1\n'
        '[meaningful(statement, scale).meaningful for scale in ("ordinal", "interval", "ratio")]',
        ("[False, False, True]",),
    ),
    Row(
        "§2.4",
        "absolute improvements are meaningful: E(X − Y) = E(X) − E(Y)",
        "from mensura.stats import effects, mean\na, b = mean([[0.2, 0.5], [0.18, 0.54]])\n"
        "(effects([[0.18, 0.54], [0.2, 0.5]]).difference.round(6), round(b - a, 6))",
        ("[0.01]", "0.01"),
    ),
    Row(
        "§2.4",
        "μ_G(X/Y) = μ_G(X)/μ_G(Y): the relative improvement of B over A by geometric means",
        "from mensura import P\nfrom mensura.stats import mean, relative_improvement\n"
        'a, b = mean([[0.2, 0.5], [0.18, 0.54]], "geometric", measure=P() @ 50)\n'
        "(round(relative_improvement([0.18, 0.54], [0.2, 0.5], measure=P() @ 50), 6), round(float(b / a) - 1, 6))",
        ("(-0.014099, -0.014099)",),
    ),
    Row(
        "§2.4",
        "the geometric mean can be applied to ratio scales only: it is refused for RR",
        "from mensura import RR\nfrom mensura.errors import StatisticsError\nfrom mensura.stats import mean\n"
        'try:\n    mean([[0.2, 0.5]], "geometric", measure=RR())\nexcept StatisticsError as error:\n    answer = error\nanswer',
        ("ratio scale", "RR", "ordinal"),
    ),
    Row(
        "§2.4",
        "GMAP: AP averaged by the geometric mean; √(1 · 1/4)",
        FILES + 'write(A="1000 0001")\nmensura("evaluate qrels.txt A.txt -m AP -m \'GM(AP)\' -f csv")',
        ("A,AP,0.625,", "A,GM(AP),0.5,"),
    ),
    Row(
        "§2.4",
        "differences that do not depend on the level: the arithmetic mean",
        "from mensura.stats import which_mean\nlevel = [1 / 8, 2 / 8, 3 / 8, 4 / 8, 5 / 8, 6 / 8]\n"
        "which_mean([level, [value + 1 / 16 for value in level]]).advice",
        ("arithmetic",),
    ),
    Row(
        "§2.4",
        "differences in proportion to the level: the geometric mean; a correlation analysis decides",
        "from mensura.stats import which_mean\nlevel = [1 / 8, 2 / 8, 3 / 8, 4 / 8, 5 / 8, 6 / 8]\n"
        "fit = which_mean([level, [value * 5 / 4 for value in level]])\n(fit.advice, fit.correlation, fit.proportional)",
        ("('geometric', 1.0, 0.0)",),
    ),
    Row(
        "§2.4",
        "if differences are absolute, the geometric mean puts more emphasis on weak results: (.1, .9) and (.2, .8)",
        "from mensura import P\nfrom mensura.stats import mean\nvalues = [[0.1, 0.9], [0.2, 0.8]]\n"
        '(mean(values), mean(values, "geometric", measure=P() @ 10).round(6))',
        ("[0.5, 0.5]", "[0.3, 0.4]"),
    ),
    Row(
        "§2.4",
        "lint asks a paper with a relative improvement for the difference",
        linted("Reranking improves nDCG@10 by 12.4\\%.\n"),
        ("M401", "difference", "12.4%"),
    ),
    Row("§2.4", "the rule and its example", "mensura explain M401", (".2 and .5", ".18 and .54", "2.9", "−10", "+8")),
    # 2.5 hold-out
    Row(
        "§2.5",
        "the result of a hold-out depends on the split: of twenty equal variants, single folds give .36 to .60",
        "import numpy as np\nfrom mensura.stats import cross_validate\n"
        "variants = np.random.default_rng(1).normal(0.5, 0.2, (20, 50))\n"
        "repr(cross_validate(variants, folds=5, repeats=10))",
        ("score=0.5185", "10 × 5 folds", "0.3638 to 0.6003"),
    ),
    Row(
        "§2.5",
        "choosing and testing on the same topics is optimistic: .5557 for variants of mean .5",
        "import numpy as np\nfrom mensura.stats import cross_validate\n"
        "variants = np.random.default_rng(1).normal(0.5, 0.2, (20, 50))\n"
        "found = cross_validate(variants, folds=5, repeats=10)\n(round(found.apparent, 4), round(found.optimism, 4))",
        ("(0.5557, 0.0372)",),
    ),
    Row(
        "§2.5",
        "tuning in an inner loop: no test topic takes part in training or in the choice",
        "import numpy as np\nfrom mensura.stats import cross_validate\nseen = []\n\n"
        "def train(topics):\n    seen.append(len(topics))\n    return np.arange(20).reshape(2, 10) / 20\n\n"
        "found = cross_validate(train, topics=10, folds=5, repeats=1)\n(found.chosen.tolist(), sorted(set(seen)))",
        ("[[1, 1, 1, 1, 1]]", "[6, 8, 10]"),
    ),
    Row(
        "§2.5",
        "a single split is a warning, five-fold cross-validation is not",
        linted(
            "We split the topics into a training set and a test set.\n",
            right="We use five-fold cross-validation over topics, repeated ten times.\n",
        ),
        ("paper.tex:1", "M501", "cross-validat", "1 warning"),
    ),
    Row(
        "§2.5",
        "the tuning set must be disjoint from the test set",
        linted("The parameter was tuned on the test topics.\n"),
        ("M502", "tuned on the test topics"),
    ),
    Row(
        "§2.5",
        "a comparison with the best published run is a choice by result",
        linted("We compare our run to the best published result on this collection only.\n"),
        ("M602", "best published"),
    ),
    Row(
        "§2.5",
        "after switching training and test set, the best variant is the worst",
        "from mensura.stats import cross_validate\n"
        "found = cross_validate([[1, 1, 0, 0], [0, 0, 1, 1]], folds=2, repeats=1)\n"
        "(found.chosen.tolist(), found.score, found.apparent)",
        ("([[1, 0]], 0.0, 0.5)",),
    ),
    # 2.6 hypotheses
    Row(
        "§2.6",
        "hypotheses are written down before: “we want to compare methods A and B using metric X”",
        PLANNED + "text",
        ('goal = "Is B better than A?"', 'systems = ["A", "B"]', 'primary = ["P@2"]', 'better = "B"', 'worse = "A"'),
    ),
    Row(
        "§2.6",
        "a plan is locked, and what has changed since is found",
        PLANNED + 'before = mensura("plan check plan.toml")\n'
        'Path("plan.toml").write_text(text.replace("P@2", "P@1"))\nbefore + mensura("plan check plan.toml")',
        ("plan.toml  unchanged", "exit 0", "plan.toml  changed", "exit 1"),
    ),
    Row(
        "§2.6",
        "what was not planned is exploratory, and a family of its own",
        PLANNED + 'mensura("compare qrels.txt A.txt B.txt C.txt -m P@1 --plan plan.toml --pairs 0")',
        ("primary", "1 pair × 1 measure", "exploratory", "2 pairs × 2 measures − 1 planned"),
    ),
    Row(
        "§2.6",
        "each hypothesis gets its answer",
        PLANNED + 'mensura("compare qrels.txt A.txt B.txt --plan plan.toml --pairs 0")',
        ("B is better than A by P@2", "undecided", "+0.3000", "0.0705"),
    ),
    Row(
        "§2.6",
        "a run that was changed after the lock is not compared as planned",
        PLANNED + 'Path("B.txt").write_text(Path("B.txt").read_text().replace("-1 B", "-0.5 B"))\n'
        'mensura("compare qrels.txt A.txt B.txt --plan plan.toml")',
        ("B.txt", "lock", "exit 1"),
    ),
    Row(
        "§2.6",
        "a hypothesis made from the results is a warning",
        linted("After inspecting the results, we formulated the hypothesis that long queries gain most.\n"),
        ("M601", "exploratory"),
    ),
    Row(
        "§2.6",
        "so is comparing with the best method found first",
        linted("We test only the difference to the best baseline.\n"),
        ("M602", "1 warning"),
    ),
    # 2.7 multiple hypotheses
    Row(
        "§2.7, example",
        "twenty tests at .05 find one difference where there is none",
        "mensura compare $T8/qrels.txt $T8/runs/READWARE2.gz $T8/runs/apl8p.gz --test t --correction none --pairs 0 "
        + " ".join(f"-m P@{k}" for k in range(1, 21)),
        ("1 pair × 20 measures", "20 tests", "0.05", " 1 ", "M701"),
        needs="trec8",
    ),
    Row(
        "§2.7, example",
        "Bonferroni: five metrics at the level .05 are tested with .01 each",
        'from mensura.stats import adjust\nadjust([0.01, 0.0099, 0.0101, 0.5, 1], "bonferroni") <= 0.05',
        ("[ True  True False False False]",),
    ),
    Row(
        "§2.7",
        "Bonferroni is conservative: Holm's steps reject at least as much",
        'from mensura.stats import adjust\n[adjust([0.01, 0.02, 0.03, 0.04], how).tolist() for how in ("bonferroni", "holm")]',
        ("[0.04, 0.08, 0.12, 0.16]", "[0.04, 0.06, 0.06, 0.06]"),
    ),
    Row(
        "§2.7",
        "the tests already published for a collection, plus one's own: a correction for the total",
        FILES + 'write(A="10 01 11 00 10", B="11 11 11 01 10", C="00 01 01 00 10")\n'
        'mensura("compare qrels.txt A.txt B.txt C.txt -m P@1 -m P@2 --test t --prior-tests 100 --pairs 0")',
        ("106 tests (3 pairs × 2 measures + 100 earlier)",),
    ),
    Row(
        "§2.7",
        "four p-values after 46 earlier tests: .01 is .5 then",
        'from mensura.stats import adjust\nadjust([0.01, 0.02, 0.03, 0.04], "bonferroni", prior_tests=46)',
        ("[0.5 1.  1.  1. ]",),
    ),
    Row(
        "§2.7",
        "the ledger counts the tests that were made on a collection, each once",
        FILES + "import os\nfrom unittest.mock import patch\n"
        'write(A="10 01 11 00 10", B="11 11 11 01 10", C="00 01 01 00 10")\n'
        'line = "compare qrels.txt A.txt B.txt C.txt -m {} --test t --prior-tests auto --pairs 0"\n'
        'with patch.dict(os.environ, MENSURA_LEDGER="ledger.sqlite"):\n'
        '    printed = [mensura(line.format(measure)) for measure in ("P@2", "AP", "P@2")]\n'
        '    printed.append(mensura("ledger list -f csv"))\n'
        '"".join(printed)',
        ("3 tests (3 pairs × 1 measure)", "6 tests (3 pairs × 1 measure + 3 earlier)", "3 tests (3 pairs × 1 measure)", ",5,15,6,"),
    ),
    Row(
        "§2.7",
        "the number of pairs grows quadratically: 129 runs of TREC-8 make 8256 tests",
        "mensura compare $T8/qrels.txt '$T8/runs/*.gz' -m P@10 --test t --pairs 0",
        ("8256 tests (8256 pairs × 1 measure)", "of 8256"),
        needs="trec8",
        slow=True,
    ),
    Row(
        "§2.7",
        "Tukey's test checks all pairwise differences; its critical value for the 129 runs and 50 topics of TREC-8",
        "from mensura.stats import studentized_range_isf\nround(studentized_range_isf(0.05, 129, 129 * 49), 4)",
        ("6.2425",),
    ),
    Row(
        "§2.7",
        "strongly correlated measures need not be tested each: P@4 and NumRelRet agree, P@4 and RR@4 do not",
        FILES + 'write(A="1000 1000", B="0110 0110", C="0011 0011")\n'
        'mensura("meaning qrels.txt A.txt B.txt C.txt -m P@4 -m NumRelRet@4 -m RR@4 --correlations --no-interval -f csv")',
        ("P@4,NumRelRet@4,1.0,1.0", "P@4,RR@4,-0.8"),
    ),
    Row(
        "§2.7",
        "with more than one metric, a further correction: Tukey's p-values of two measures are doubled",
        FILES + 'write(A="10 01 11 00 10", B="11 11 11 01 10", C="00 01 01 00 10")\n'
        'alone = mensura("compare qrels.txt A.txt B.txt C.txt -m P@2 --test anova-topics -f csv")\n'
        'both = mensura("compare qrels.txt A.txt B.txt C.txt -m P@1 -m P@2 --test anova-topics -f csv")\n'
        'p = [float(text.split("P@2,original,B,C,")[1].split(",")[5]) for text in (alone, both)]\n'
        "(round(p[0], 4), round(p[1], 4))",
        ("(0.015, 0.03)",),
    ),
    Row(
        "§2.7",
        "tests of five baselines without a correction are a warning",
        linted(
            "A dagger marks significant differences to each of the five baselines (paired t-test, p < 0.05); "
            "effect sizes are in Table 3.\n"
        ),
        ("M701", "correction"),
    ),
    Row(
        "§2.7",
        "so is a collection that is used again without counting the earlier tests",
        linted("We reuse the topics of our earlier studies; the gain is statistically significant (d = 0.4).\n"),
        ("M702", "reuse the topics"),
    ),
    # 2.8 effect sizes
    Row(
        "§2.8",
        "in large data sets a tiny difference is significant: d = .02 with p < .00001 for 100 000 queries",
        "import numpy as np\nfrom mensura.stats import effects, paired_t\n"
        "noise = np.random.default_rng(0).normal(0, 0.1, 100_000)\nvalues = [noise + 0.002, np.zeros(100_000)]\n"
        "(effects(values).d_z.round(2), paired_t(values).p < 0.00001)",
        ("[0.02]", "[ True]"),
    ),
    Row(
        "§2.8, example",
        "one more relevant document per five queries is .02 in P@10",
        FILES + 'write(A="1110000000 1110000000 1110000000 1110000000 1111000000", '
        'B="1110000000 1110000000 1110000000 1110000000 1110000000")\n'
        'mensura("evaluate qrels.txt A.txt B.txt -m P@10 -f csv")',
        ("A,P@10,0.32", "B,P@10,0.3"),
    ),
    Row(
        "§2.8, example",
        "compare says it in words",
        FILES + 'write(A="1000000000 1100000000 0000000000 1000000000 1000000000", B="1000000000 1000000000 0000000000 1000000000 '
        '1000000000")\nmensura("compare qrels.txt A.txt B.txt -m P@10 --test sign")',
        ("A against B: one more relevant document in the top 10 per five topics",),
    ),
    Row(
        "§2.8",
        "σ of the baseline: compare --baseline gives Glass's Δ",
        "mensura compare $T8/qrels.txt $T8/runs/READWARE2.gz $T8/runs/apl8p.gz -m P@10 --baseline apl8p --test t",
        ("READWARE2 − apl8p: Glass's Δ = +0.80, by the σ of the baseline",),
        needs="trec8",
    ),
    Row(
        "§2.3",
        "Wilson's interval of a system of TREC-8 beside the wider one over its 50 queries",
        "mensura compare $T8/qrels.txt $T8/runs/READWARE2.gz $T8/runs/apl8p.gz -m P@10 --test t",
        ("READWARE2: 95 % CI 0.730 … 0.846 over topics", "Wilson's interval, 0.750 … 0.822", "500 observations"),
        needs="trec8",
    ),
    Row(
        "§2.4",
        "compare says which mean fits, by a correlation analysis",
        "mensura compare $T8/qrels.txt $T8/runs/READWARE2.gz $T8/runs/apl8p.gz $T8/runs/AntHoc1.gz -m P@10 -m MFR@10 --test t",
        ("Reading P@10", "Mean that fits: arithmetic", "ρ = 0.39", "Reading MFR@10", "Mean that fits: geometric", "ρ = 0.78"),
        needs="trec8",
    ),
    Row(
        "§2.4",
        "constant differences do not correlate with the level, though their last bits do",
        "import numpy as np\nfrom mensura.stats import which_mean\nx = np.random.default_rng(0).uniform(0.1, 0.8, 40)\n"
        "which_mean([x, x + 0.1, x + 0.05]).correlation",
        ("0.0",),
    ),
    Row(
        "§2.4",
        "relative changes by geometric means, with an interval: mean first ranks of a run of TREC-8 are .68 of another's",
        "mensura compare $T8/qrels.txt $T8/runs/READWARE2.gz $T8/runs/apl8p.gz -m MFR@10 --test t",
        ("READWARE2 / apl8p: ratio of geometric means 0.684, 95 % CI 0.539 … 0.867",),
        needs="trec8",
    ),
    Row(
        "§2.5",
        "the best of several methods by cross-validation: honest and apparent value of five runs of TREC-8",
        "mensura validate $T8/qrels.txt '$T8/runs/CL99*.gz' -m P@10",
        ("5 variants, 50 topics, 5 folds", "honest", "0.7040", "apparent", "0.7120", "0.5400 … 0.8700", "CL99SDopt2", "80.0"),
        needs="trec8",
    ),
    Row(
        "§2.5",
        "the folds of a plan decide how a variant is chosen",
        PLANNED + "text = text.replace('# folds = 5', 'folds = 5')\nPath('plan.toml').write_text(text)\n"
        "mensura('validate qrels.txt A.txt B.txt --plan plan.toml --repeats 2')",
        ("2 variants, 5 topics, 5 folds, 2 repetitions", "B", "100.0"),
    ),
    Row(
        "§2.8",
        "Δ = (μ₁ − μ₂)/σ, σ of the baseline: .1 / √.07 for (.5, .7, .9) and (.4, .5, .9)",
        "from mensura.stats import effects\neffects([[0.5, 0.7, 0.9], [0.4, 0.5, 0.9]], baseline=1).glass.round(4)",
        ("[0.378]",),
    ),
    Row(
        "§2.8",
        "every pair comes with its difference, effect size and topics won, tied and lost",
        "mensura compare $T8/qrels.txt $T8/runs/READWARE2.gz $T8/runs/apl8p.gz -m P@10 --test t",
        ("d_z", "READWARE2 − apl8p", "+0.27", "+0.82", "38/4/8"),
        needs="trec8",
    ),
    Row(
        "§2.8",
        "a p-value without an effect size is a warning",
        linted("Our run is better than BM25 (paired t-test, p = 0.012).\n"),
        ("M801", "effect size", "p = 0.012"),
    ),
    # 2.9 reproducibility
    Row(
        "§2.9",
        "PRIMAD: a result has a record of platform, research goal, implementation, method, actor and data",
        FILES + 'write(A="10 01", B="11 11")\nmensura("evaluate qrels.txt A.txt B.txt -m AP -f csv -o means.csv")\n'
        'mensura("record show means.csv")',
        ('"platform"', '"research goal"', '"implementation"', '"method"', '"evaluate"', '"actor"', '"data"', '"blake3"'),
    ),
    Row(
        "§2.9",
        "the goal of a plan is the research goal of its results",
        PLANNED + 'mensura("compare qrels.txt A.txt B.txt --plan plan.toml -f json -o result.json")\n'
        'mensura("record show result.json")',
        ('"research goal": "Is B better than A?"',),
    ),
    Row(
        "§2.9",
        "a result is reproduced from its record",
        FILES + 'write(A="10 01", B="11 11")\nmensura("evaluate qrels.txt A.txt B.txt -m AP -f csv -o means.csv")\n'
        'mensura("reproduce means.csv")',
        ("inputs: 3", "means.csv: the same", "exit 0"),
    ),
    Row(
        "§2.9",
        "the header of a run names its method",
        FILES + 'write(A="10 01")\nPath("method.yaml").write_text("method:\\n  retrieval:\\n  - BM25\\n")\n'
        'mensura("record add A.txt --metadata method.yaml -o annotated.txt")\n'
        'mensura("record show annotated.txt") + mensura("evaluate qrels.txt annotated.txt -m AP -f csv")',
        ('"tag": "A"', '"method"', '"BM25"', "A,AP,0.75,2"),
    ),
    Row(
        "§2.9",
        "other data are noticed",
        FILES + 'write(A="10 01", B="11 11")\nmensura("evaluate qrels.txt A.txt B.txt -m AP -f csv -o means.csv")\n'
        'write(A="10 01", B="11 01")\nmensura("reproduce means.csv")',
        ("B.txt: changed", "exit 1"),
    ),
    Row(
        "§2.9",
        "extensive statistics of a collection: the judgments of TREC-8, by grade and by topic",
        "from mensura import read_qrels\nfrom mensura.evaluation.description import describe\n"
        'found = describe(read_qrels("$T8/qrels.txt"), name="TREC-8")\n'
        "(len(found.topics), found.judgments, found.grades, found.relevant.least, found.relevant.median, found.relevant.greatest)",
        ("(50, 86830, (82102, 4728), 6.0, 70.5, 347.0)",),
        needs="trec8",
    ),
    Row(
        "§2.9",
        "and of its runs: lengths of lists, ties, documents without judgment, overlap",
        "from mensura import judge, read_qrels\nfrom mensura.evaluation.description import describe\n"
        'files = ["$T8/runs/READWARE2.gz", "$T8/runs/apl8p.gz"]\n'
        'found = describe(read_qrels("$T8/qrels.txt"), judge("$T8/qrels.txt", files))\n'
        "[(run.system, run.lengths.least, run.lengths.greatest, run.tied) for run in found.runs] + [round(found.overlap[0][1], 3)]",
        ("('READWARE2', 6.0, 493.0, 0)", "('apl8p', 1000.0, 1000.0", "0.191"),
        needs="trec8",
    ),
    Row(
        "§2.9",
        "statistics of the test data to share: topics, judgments, relevant documents per topic",
        "mensura describe $T8/qrels.txt -f json",
        ('"judgments": 86830', "4728", '"relevant"', '"least": 6.0', '"median": 70.5', '"greatest": 347.0'),
        needs="trec8",
    ),
    Row(
        "§2.9",
        "a method without its details cannot be reproduced; with version and parameters it can",
        linted("We use Lucene with default parameters.\n", right="We use Lucene 9.7 with BM25 (k1 = 0.9, b = 0.4).\n"),
        ("paper.tex:1", "M901", "default parameters", "1 warning"),
    ),
    # 2.10 proof
    Row(
        "§2.10",
        "“our experiments prove” is a warning, what they show on named collections is not",
        linted(
            "Our experiments prove that dense retrieval is superior.\n",
            right="On both collections, our experiments show higher nDCG@10 for dense retrieval.\n",
        ),
        ("paper.tex:1", "M001", "experiments prove", "1 warning"),
    ),
    Row(
        "§2.10",
        "statements that hold in general are proven: RBP with p = ½ is equally spaced",
        "mensura properties 'RBP(p=0.5)@20' -f csv",
        ("equispaced,Proven", "1048575 steps of 1/1048576"),
    ),
    # 3
    Row(
        "§3",
        "each of the ten mistakes has its rules",
        "from mensura.lint import lint\nfrom pathlib import Path\n"
        'Path("paper.tex").write_text("""Our experiments prove that our method wins. The MRR is 0.38 and the MAP is 0.3121.\n'
        "On 50 topics, P@10 rises from 0.4120 to 0.4380, and nDCG@10 improves by 12.4\\\\%.\n"
        "We split the topics into a training set and a test set.\n"
        "After inspecting the results, we formulated the hypothesis that long queries gain most.\n"
        "The gain over each of the five baselines is significant (paired t-test, p < 0.05).\n"
        'We use Lucene with default parameters.""")\n'
        'sorted({finding.code[:2] for finding in lint(["paper.tex"]) if finding.code[0] == "M"})',
        ("['M0', 'M1', 'M2', 'M3', 'M4', 'M5', 'M6', 'M7', 'M8', 'M9']",),
    ),
]


@parametrized(ROWS)
def test_row(row, tmp_path):
    show(row, tmp_path)
