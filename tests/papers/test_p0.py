"""P0, row by row."""

from __future__ import annotations

from tests.papers.rows import Row, parametrized, show

ERR_EXAMPLE = "0000001110 0000010110 1101011011 1110011011"
AP_EXAMPLE = "0000000000 0100100001 0100100001 0100111001"
MASS_EXAMPLE = "0000000000 0000000011 0000000011 0000110000"
LOST = "the runs are ours, those of the paper are missing from its text"


def rises(measure, runs):
    """The command that shows M(s) − M(r), M(v) − M(u), and whether they are in the order of the intervals."""
    return f"mensura order {runs} -m '{measure}'"


SOLVABLE = """
from itertools import product
from mensura import JudgedRuns, parse_measure
judged = JudgedRuns.from_grades([[run] for run in product((0, 1), repeat=3)], [[0, 3]])
def solvable(name):
    values = {round(float(value), 9) for value in parse_measure(name).score(judged)[:, 0]}
    differences = {round(b - a, 9) for a in values for b in values if b >= a}
    return all(
        any(abs(a + step - x) < 1e-8 for x in values) and any(abs(b - step - x) < 1e-8 for x in values)
        for a in values for b in values for step in differences if b - a >= step - 1e-8
    )
[(name, solvable(name)) for name in ("RBP(p=0.5)", "P", "RBP(p=0.8)", "AP", "DCG", "ERR")]
"""

ALL_RUNS = """
from itertools import product
from mensura.scales.order.runs import *
runs = list(product((0, 1), repeat=4))
"""

ROWS: list[Row] = [
    # 1 Introduction
    Row(
        "abstract",
        "comparing means on an ordinal scale is not permissible: a change of scale reverses it",
        """
from mensura.scales import meaningful
from mensura.scales.meaning.statements import Mean
ap = {"A": [0.25, 1.0], "B": [0.5, 0.5]}
{scale: meaningful(Mean("A") > Mean("B"), scale, ap).meaningful for scale in ("ordinal", "interval", "ratio")}
""",
        ("{'ordinal': False, 'interval': True, 'ratio': True}",),
    ),
    Row(
        "§1",
        "Stevens' four types of scales, each with more properties than the one before",
        """
from mensura.scales.types import INTERVAL, NOMINAL, ORDINAL, RATIO
NOMINAL < ORDINAL < INTERVAL < RATIO, [scale.name for scale in (NOMINAL, ORDINAL, INTERVAL, RATIO)]
""",
        ("True", "['nominal', 'ordinal', 'interval', 'ratio']"),
    ),
    Row(
        "§1, (iii)",
        "an interval scale preserves equal differences: only affine maps are permissible",
        """
from mensura.scales.types import INTERVAL, RATIO
from mensura.scales.meaning.transformations import Affine, Increasing
bent = Increasing.of({0: 0, 1: 1, 2: 5})
[INTERVAL.permits(Affine(2, 3)), INTERVAL.permits(bent), RATIO.permits(Affine(2, 3)), RATIO.permits(Affine(2, 0))]
""",
        ("[True, False, False, True]",),
    ),
    Row(
        "§1, (ii)",
        "an ordinal scale has medians but not means",
        """
from mensura.scales import meaningful
from mensura.scales.meaning.statements import Mean, Median
[meaningful(statistic("A") > statistic("B"), "ordinal").meaningful for statistic in (Median, Mean)]
""",
        ("[True, False]",),
    ),
    Row(
        "§1",
        "variances need an interval scale",
        """
from mensura.scales import meaningful
from mensura.scales.meaning.statements import StandardDeviation
wider = StandardDeviation("A") > StandardDeviation("B")
[meaningful(wider, scale).meaningful for scale in ("nominal", "ordinal", "interval", "ratio")]
""",
        ("[False, False, True, True]",),
    ),
    Row(
        "§1, Robertson",
        "AP is not on an interval scale: its values are not equally spaced",
        "mensura properties AP@10 -f csv",
        ("equispaced,Refuted", "1/10 (0000000001), 1/9 (0000000010)"),
    ),
    Row(
        "§1",
        "strong top-heaviness: RBP with p = 1/2 is on an interval scale",
        "mensura properties 'RBP(p=0.5)@10' -f csv",
        ("equispaced,Proven", "1023", "1/1024"),
    ),
    Row(
        "§1",
        "and its value is the position of a run in the total order",
        "mensura scale 'RBP(p=0.5)@4' --run 1000 --run 0111 --run 1111 -f csv",
        ("1111,0.9375,16", "1000,0.5,9", "0111,0.4375,8"),
    ),
    Row(
        "§1",
        "RBP with another p is not",
        "mensura properties 'RBP(p=0.8)@10' 'RBP(p=0.3)@10' -f csv",
        ("RBP(p=0.8)@10,10,equispaced,Refuted", "0.0268435 (0000000001), 0.0335544", "RBP(p=0.3)@10,10,equispaced,Refuted"),
    ),
    Row(
        "§1",
        "DCG is not",
        "mensura properties 'DCG(base=2)@10' -f csv",
        ("equispaced,Refuted", "0.30103 (0000000001), 0.315465 (0000000010)"),
    ),
    Row(
        "§1",
        "ERR is not",
        "mensura properties ERR@10 -f csv",
        ("equispaced,Refuted", "1/20 (0000000001), 1/18 (0000000010)"),
    ),
    Row(
        "§1",
        "strong top-heaviness puts 1000 above 0111",
        "mensura order 4 -f csv",
        ("1000,4,1,8,", "0111,6,3,7,"),
    ),
    Row(
        "§1",
        "weak top-heaviness does not order 1000 and 0111",
        "mensura order 1000 0111",
        ("1000 and 0111 are incomparable",),
    ),
    Row(
        "§1",
        "weak top-heaviness: no measure is on an interval scale; one step raises it by different amounts",
        """
from mensura import JudgedRuns, parse_measure
from mensura.scales.order.hasse import RunOrder
steps = list(RunOrder(4).covers())
low, high = ([[run] for run in ends] for ends in zip(*steps))
def sizes(name):
    score = parse_measure(name).score
    return len(set((score(JudgedRuns.from_grades(high, [[0, 4]])) - score(JudgedRuns.from_grades(low, [[0, 4]]))).round(9)[:, 0]))
{name: sizes(name) for name in ("RBP(p=0.5)", "RBP(p=0.8)", "AP", "DCG", "ERR")}
""",
        ("{'RBP(p=0.5)': 3, 'RBP(p=0.8)': 4, 'AP': 7, 'DCG': 4, 'ERR': 9}",),
    ),
    # 2.1 and 2.2
    Row(
        "§2.1",
        "a measure is a homomorphism: 0100 is below 1010, and so is its number",
        """
from mensura import JudgedRuns, parse_measure
judged = JudgedRuns.from_grades([[[0, 1, 0, 0]], [[1, 0, 1, 0]]], [[0, 2]])
[parse_measure(name).score(judged)[:, 0].round(4).tolist() for name in ("AP", "RBP(p=0.5)", "ERR", "P")]
""",
        ("[[0.25, 0.8333], [0.25, 0.625], [0.25, 0.5833], [0.25, 0.5]]",),
    ),
    Row(
        "§2.2, Def. 1",
        "solvability holds for RBP with p = 1/2 and P only",
        SOLVABLE,
        ("('RBP(p=0.5)', True), ('P', True), ('RBP(p=0.8)', False), ('AP', False), ('DCG', False), ('ERR', False)",),
    ),
    Row(
        "§2.2, Def. 1 iii",
        "differences add up along a chain: Δ_ca = Δ_ba + Δ_cb",
        ALL_RUNS
        + """
chains = [(a, b, c) for a in runs for b in runs if precedes(a, b) for c in runs if precedes(b, c)]
added = [tuple(x + y for x, y in zip(difference(a, b), difference(b, c))) == difference(a, c) for a, b, c in chains]
len(added), all(added)
""",
        ("(672, True)",),
    ),
    Row(
        "§2.2",
        "the interval of a run and itself is null",
        "mensura order 0110 0110",
        ("(0, 0, 0, 0)", "distance 0"),
    ),
    Row(
        "§2.2, Theorem 1",
        "representation: ranks among the values, for AP 15 steps of 4 ranks",
        "mensura scale AP@4 --run 0001 --run 0010 --run 0100 --run 1111 -f csv",
        ("AP@4,4,15,True,1111,4.0,15", "0100,0.5,4", "0010,0.3333333333333333,3", "0001,0.25,2"),
    ),
    # 2.3 Posets
    Row(
        "§2.3",
        "the partial order is reflexive, antisymmetric and transitive",
        ALL_RUNS
        + """
reflexive = all(precedes(a, a) for a in runs)
antisymmetric = all(a == b for a in runs for b in runs if precedes(a, b) and precedes(b, a))
transitive = all(precedes(a, c) for a in runs for b in runs if precedes(a, b) for c in runs if precedes(b, c))
reflexive, antisymmetric, transitive, sum(precedes(a, b) for a in runs for b in runs)
""",
        ("(True, True, True, 126)",),
    ),
    Row(
        "§2.3",
        "comparable and incomparable runs: 110 and 10 pairs of 4 ranks",
        "mensura order 4 -f json",
        ('"runs": 16', '"comparable_pairs": 110', '"incomparable_pairs": 10'),
    ),
    Row(
        "§2.3",
        "a closed interval: the runs between 0100 and 1010",
        ALL_RUNS
        + """
["".join(map(str, u)) for u in runs if precedes((0, 1, 0, 0), u) and precedes(u, (1, 0, 1, 0))]
""",
        ("['0100', '0101', '0110', '1000', '1001', '1010']",),
    ),
    Row(
        "§2.3",
        "covers: 1010 is covered by 1100 and 1011, with no run between",
        "mensura order 4 -f csv",
        ("1010,6,2,10,1100 1011",),
    ),
    Row(
        "§2.3",
        "the Hasse diagram: 16 runs, 20 covers",
        """
from mensura.render.charts.hasse import hasse
lines, boxes, *_ = (layer["data"]["values"] for layer in hasse(4)["layer"])
len(lines), len(boxes), all(line["y"] + 1 == line["y2"] for line in lines)
""",
        ("(20, 16, True)",),
    ),
    Row(
        "§2.3",
        "all maximal chains have the same length, 10 for 4 ranks",
        """
from mensura.scales.order.runs import chains
lengths = [len(chain) for chain in chains((0, 0, 0, 0), (1, 1, 1, 1))]
len(lengths), set(lengths)
""",
        ("(12, {10})",),
    ),
    Row(
        "§2.3",
        "the length of a chain is its number of runs less 1",
        "mensura order 0000 0110 -f csv",
        ("replacement,4,0001", "swap,3,0010", "swap,2,0100", "replacement,4,0101", "swap,3,0110"),
    ),
    Row(
        "§2.3",
        "the rank function ρ: 0 for the smallest run, 1 more for every cover",
        ALL_RUNS
        + """
height((0, 0, 0, 0)), height((1, 1, 1, 1)), {height(above) - height(run) for run in runs for above in covers(run)}
""",
        ("(0, 10, {1})",),
    ),
    Row(
        "§2.3",
        "the natural distance of an interval is ρ(t) − ρ(s)",
        ALL_RUNS
        + """
(height((1, 0, 1, 0)), height((0, 1, 0, 0)), natural_distance((0, 1, 0, 0), (1, 0, 1, 0)))
""",
        ("(6, 3, 3)",),
    ),
    # 3.1 Preliminary definitions
    Row(
        "§3.1",
        "REL^N is {0, 1}^N: 2^10 judged runs of length 10",
        "mensura order 10 -f json",
        ('"runs": 1024', '"longest_chain": 55'),
    ),
    Row(
        "§3.1",
        "a judged run, and its recall base",
        """
from mensura import judge, read_qrels, read_run
run = read_run({"t": {"d3": 4.0, "d1": 3.0, "d9": 2.0, "d2": 1.0}}, name="r")
judged = judge(read_qrels({"t": {"d1": 1, "d2": 1, "d3": 0, "d4": 1}}), [run])
judged.grades[0, 0].tolist(), judged.relevant().tolist()
""",
        ("([0, 1, -1, 1], [3])",),
    ),
    Row(
        "§3.1",
        "a run is a ranked list without duplicates: a document that is retrieved twice is refused",
        """
from pathlib import Path
from mensura import MensuraError, judge, read_qrels
Path("twice.run").write_text("t Q0 d1 1 2.0 r\\nt Q0 d1 2 1.0 r\\n")
def reading():
    try:
        return judge(read_qrels({"t": {"d1": 1}}), ["twice.run"])
    except MensuraError as error:
        return f"refused: {error}"
reading()
""",
        ("refused: ", "twice.run:2", "d1"),
    ),
    # 3.2 Ordering between intervals
    Row(
        "§3.2, replacement",
        "AP, RBP, DCG and ERR do not decrease when a more relevant document replaces another",
        "mensura properties AP@10 'RBP(p=0.8)@10' 'DCG(base=2)@10' ERR@10 -f csv",
        (
            "AP@10,10,replacement,Proven",
            "RBP(p=0.8)@10,10,replacement,Proven",
            "DCG(base=2)@10,10,replacement,Proven",
            "ERR@10,10,replacement,Proven",
        ),
    ),
    Row(
        "§3.2, swap",
        "AP, RBP, DCG and ERR do not decrease when a more relevant document is swapped up",
        "mensura properties AP@10 'RBP(p=0.8)@10' 'DCG(base=2)@10' ERR@10 -f csv",
        (
            "AP@10,10,swap,Proven",
            "RBP(p=0.8)@10,10,swap,Proven",
            "DCG(base=2)@10,10,swap,Proven",
            "ERR@10,10,swap,Proven",
        ),
    ),
    Row(
        "§3.2, replacement",
        "ADM by rank violates it, with a counterexample",
        "mensura properties \"ADM(srs='rank', retrieved=10)@10\" -f csv",
        ("replacement,Refuted", "0000000000", "0000001000", "33/50", "16/25"),
    ),
    Row(
        "§3.2, Eq. 1",
        "r ≤ s if every prefix of s contains at least as many relevant documents",
        ALL_RUNS
        + """
prefix_counts((0, 1, 0, 0)), prefix_counts((1, 0, 1, 0)), compare((0, 1, 0, 0), (1, 0, 1, 0)), compare((1, 1, 0, 0), (1, 0, 1, 1))
""",
        ("((0, 1, 1, 1), (1, 1, 2, 2), 'less', 'incomparable')",),
    ),
    Row(
        "§3.2, first example",
        "from 0000 to 0110, cumulative sums (0, 1, 2, 2) count swaps and, at the last rank, replacements",
        """
from collections import Counter
from mensura.scales.order.runs import chain, prefix_counts
steps = Counter((step.kind, step.rank) for step in chain((0, 0, 0, 0), (0, 1, 1, 0)))
prefix_counts((0, 1, 1, 0)), steps["replacement", 4], steps["swap", 2], steps["swap", 3]
""",
        ("((0, 1, 2, 2), 2, 1, 2)",),
    ),
    Row(
        "§3.2, first example",
        "a swap at depth i moves a document from rank i + 1 up to rank i",
        "mensura order 0001 0010 -f csv",
        ("swap,3,0010",),
        erratum="the paper says from i − 1 to i, but its own counts (0, 1, 2, 2) are those of swaps from i + 1 to i",
    ),
    Row(
        "§3.2, second example",
        "from r = 0100 to s = 1010 by way of v = 1000 and w = 1001",
        "mensura order 0100 1010 -f csv",
        ("swap,1,1000", "replacement,4,1001", "swap,3,1010"),
    ),
    Row(
        "§3.2, second example",
        "S − R = (1, 0, 1, 1): a swap at ranks 1 and 3, a replacement at rank 4",
        ALL_RUNS
        + """
steps_at((0, 1, 0, 0), (1, 0, 1, 0))
""",
        ("(1, 0, 1, 1)",),
    ),
    Row(
        "§3.2, third example",
        "S − R of two runs of length 10; its last entry is the number of replacements",
        """
from mensura.scales.order.runs import chain, parse_run, steps_at
r, s = parse_run("0000010010"), parse_run("0100100001")
steps_at(r, s), sum(step.kind == "replacement" for step in chain(r, s)), sum(s) - sum(r)
""",
        ("((0, 1, 1, 1, 2, 1, 1, 1, 0, 1), 1, 1)",),
    ),
    Row(
        "§3.2, third example",
        "T = Δ_sr = (0, 1, 2, 3, 5, 6, 7, 8, 8, 9)",
        "mensura order 0000010010 0100100001",
        ("(0, 1, 2, 3, 5, 6, 7, 8, 8, 9)", "distance 9"),
    ),
    Row(
        "§3.2, Def. 2",
        "Δ_sr[i] = Σ_{j≤i} (i − j + 1)(s[j] − r[j]), for all comparable runs of 4 ranks",
        ALL_RUNS
        + """
pairs = [(r, s) for r in runs for s in runs if precedes(r, s)]
formula = [tuple(sum((i - j) * (s[j] - r[j]) for j in range(i)) for i in range(1, 5)) for r, s in pairs]
len(pairs), [difference(r, s) for r, s in pairs] == formula
""",
        ("(126, True)",),
    ),
    Row(
        "§3.2, Def. 2",
        "Δ_sr is defined for r ≤ s only: the interval from 1010 down to 0100 is refused",
        "mensura order 1010 0100 0010 0100",
        ("[1010, 0100]",),
        status=2,
    ),
    Row(
        "§3.2, Def. 2",
        "Δ_sr has no negative entry, and is 0 everywhere for r = s only",
        ALL_RUNS
        + """
deltas = [(difference(r, s), r == s) for r in runs for s in runs if precedes(r, s)]
min(min(delta) for delta, _ in deltas), all((sum(delta) == 0) == same for delta, same in deltas)
""",
        ("(0, True)",),
    ),
    Row(
        "§3.2, Def. 3, example",
        "Δ_vu = (0, 0, 1, 2, 4, 5, 6, 6, 6, 6)",
        "mensura order 1001011100 1011101000",
        ("(0, 0, 1, 2, 4, 5, 6, 6, 6, 6)", "distance 6"),
    ),
    Row(
        "§3.2, Def. 3, example",
        "the difference between s and r is greater than that between v and u",
        "mensura order 0000010010 0100100001 1001011100 1011101000",
        ("The first interval is larger.", "0, 1, 2, 3, 5, 6, 7, 8, 8, 9", "0, 0, 1, 2, 4, 5, 6, 6, 6, 6"),
    ),
    Row(
        "§3.2, Def. 3",
        "the order of intervals is partial",
        "mensura order 0000 0011 0100 1000",
        ("The intervals are incomparable.", "0, 0, 1, 3", "1, 1, 1, 1"),
    ),
    Row(
        "§3.2",
        "any convex combination of the entries of Δ, taken as a length, keeps the order of comparable intervals",
        ALL_RUNS
        + """
intervals = [(r, s) for r in runs for s in runs if precedes(r, s)]
ordered = [(a, b) for a in intervals for b in intervals if interval_precedes(a, b)]
def length(interval, weights):
    return sum(weight * entry for weight, entry in zip(weights, difference(*interval)))
convex = ((1, 0, 0, 0), (0, 0, 0, 1), (0.25,) * 4, (0.5, 0.25, 0.25, 0))
kept = [all(length(a, w) <= length(b, w) for a, b in ordered) for w in convex]
len(ordered), kept
""",
        ("[True, True, True, True]",),
    ),
    Row(
        "§3.2",
        "a convex combination as a length, on the command line: ¼ of every entry of Δ",
        "mensura order 0100 1000 0010 0100 --weights 1/4,1/4,1/4,1/4",
        ("The first interval is larger.", "(1, 1, 1, 1)       1", "(0, 1, 1, 1)    0.75"),
    ),
    Row(
        "§3.2",
        "two combinations may order intervals that are not comparable in opposite ways",
        ALL_RUNS
        + """
first, second = difference((0, 0, 0, 0), (0, 0, 1, 1)), difference((0, 1, 0, 0), (1, 0, 0, 0))
first[0] - second[0], first[-1] - second[-1]
""",
        ("(-1, 2)",),
    ),
    Row(
        "§3.2",
        "the last entry of Δ is the natural distance, the length of every maximal chain",
        """
from mensura.scales.order.runs import chains, difference
r, s = (0, 1, 0, 0), (1, 0, 1, 0)
difference(r, s)[-1], [len(chain) for chain in chains(r, s)]
""",
        ("(3, [3, 3, 3])",),
    ),
    Row(
        "§3.2, last example",
        "the natural distance of a swap at the top and of one at the bottom is 1",
        """
from mensura.scales.order.runs import natural_distance, parse_run
top = natural_distance(parse_run("0100000000"), parse_run("1000000000"))
top, natural_distance(parse_run("0000000001"), parse_run("0000000010"))
""",
        ("(1, 1)",),
    ),
    Row(
        "§3.2, last example",
        "Δ distinguishes them: (1, …, 1) and (0, …, 0, 1, 1)",
        "mensura order 0100000000 1000000000 0000000001 0000000010",
        ("The first interval is larger.", "1, 1, 1, 1, 1, 1, 1, 1, 1, 1", "0, 0, 0, 0, 0, 0, 0, 0, 1, 1"),
    ),
    Row(
        "§3.2",
        "interval-like is less than an interval scale: RBP with p = 1/2 is both, with p = 0.3 interval-like only",
        "mensura properties 'RBP(p=0.5)@10' 'RBP(p=0.3)@10' -f csv",
        (
            "RBP(p=0.5)@10,10,equispaced,Proven",
            "RBP(p=0.5)@10,10,interval_like,Proven",
            "RBP(p=0.3)@10,10,equispaced,Refuted",
            "RBP(p=0.3)@10,10,interval_like,Proven",
        ),
    ),
    Row(
        "§1",
        "both: P@10 is on an interval scale on neither",
        "mensura properties 'RBP(p=0.5)@10' P@10 -f csv",
        (
            "RBP(p=0.5)@10,10,strong,Proven",
            "RBP(p=0.5)@10,10,weak,Refuted",
            "P@10,10,strong,Refuted",
            "P@10,10,weak,Refuted",
        ),
    ),
    Row(
        "§2.1",
        "relational structure, homomorphism, scale, representation and uniqueness, in a sentence each",
        "mensura explain measurement",
        ("relational structure:", "homomorphism:", "scale:", "representation:", "uniqueness:", "solvability:"),
    ),
    Row(
        "§2.2, Def. 1, Theorem 1",
        "a difference structure has an interval scale; without solvability, as 0, 1, 3, it is not one",
        """
from mensura.scales.order.structures import broken_axiom, represented
def differences(values):
    return [[b - a for b in values] for a in values]
represented(differences([5, 7, 9])), represented(differences([0, 1, 3])), broken_axiom(differences([0, 1, 3]))[0]
""",
        ("([0, 1, 2], None, 4)",),
    ),
    # 3.3 Interval-like scale measures
    Row(
        "§3.3, ERR example",
        "Δ_sr ≤ Δ_vu: both intervals are one swap, at ranks 6 and 3",
        f"mensura order {ERR_EXAMPLE}",
        ("The first interval is smaller.", "0, 0, 0, 0, 0, 1, 1, 1, 1, 1", "0, 0, 1, 1, 1, 1, 1, 1, 1, 1"),
    ),
    Row(
        "§3.3, ERR example",
        "r ≤ s ≤ u ≤ v",
        f"""
from mensura.scales.order.runs import parse_run, precedes
runs = [parse_run(run) for run in "{ERR_EXAMPLE}".split()]
[precedes(low, high) for low, high in zip(runs, runs[1:])]
""",
        ("[True, True, True]",),
    ),
    Row("§3.3, ERR example", "ERR does not agree", rises("ERR@10", ERR_EXAMPLE), ("0.0119048", "0.0104167", "no")),
    Row("§3.3, ERR example", "RBP agrees", rises("RBP(p=0.8)@10", ERR_EXAMPLE), ("0.0131072", "0.0256", "yes")),
    Row("§3.3, ERR example", "AP agrees", rises("AP@10", ERR_EXAMPLE), ("0.0238095", "0.25", "yes")),
    Row("§3.3, ERR example", "DCG agrees", rises("DCG(base=2)@10", ERR_EXAMPLE), ("0.0306456", "0.13093", "yes")),
    Row(
        "§3.3, AP example",
        "Δ_sr ≥ Δ_us, strictly at some rank",
        f"mensura order {AP_EXAMPLE}",
        ("The first interval is larger.", "0, 1, 2, 3, 5, 7, 9, 11, 13, 16", "0, 0, 0, 0, 0, 1, 3, 5, 7, 9"),
    ),
    Row("§3.3, AP example", "AP does not agree: 1.2 < 1.2714", rises("AP@10", AP_EXAMPLE), ("1.2", "1.27143", "no")),
    Row("§3.3, AP example", "RBP agrees", rises("RBP(p=0.8)@10", AP_EXAMPLE), ("0.268764", "0.117965", "yes")),
    Row("§3.3, AP example", "ERR agrees", rises("ERR@10", AP_EXAMPLE), ("0.3125", "0.0203869", "yes")),
    Row("§3.3, AP example", "DCG agrees", rises("DCG(base=2)@10", AP_EXAMPLE), ("1.73171", "0.74306", "yes")),
    Row(
        "§3.3, example of unequal mass",
        "Δ_sr ≤ Δ_us where s holds two relevant documents more than r, and u as many as s; " + LOST,
        f"mensura order {MASS_EXAMPLE}",
        ("The first interval is smaller.", "0, 0, 0, 0, 0, 0, 0, 0, 1, 3", "0, 0, 0, 0, 1, 3, 5, 7, 8, 8"),
    ),
    Row(
        "§3.3, example of unequal mass", "DCG does not agree", rises("DCG(base=2)@10", MASS_EXAMPLE), ("0.616495", "0.201034", "no")
    ),
    Row(
        "§3.3, example of unequal mass",
        "RBP does not agree for p > 0.85, and agrees for smaller p",
        """
from mensura import JudgedRuns, RBP
r, s, u = ([0] * 10, [0] * 8 + [1, 1], [0] * 4 + [1, 1] + [0] * 4)
judged = JudgedRuns.from_grades([[r], [s], [u]], [[0, 10]])
def agrees(p):
    low, middle, high = RBP(p=p).score(judged)[:, 0]
    return bool(middle - low <= high - middle)
{p: agrees(p) for p in (0.5, 0.8, 0.84, 0.86, 0.95)}
""",
        ("{0.5: True, 0.8: True, 0.84: True, 0.86: False, 0.95: False}",),
    ),
    Row(
        "§3.3",
        "RBP is not interval-like on all intervals for p > 1/2",
        "mensura properties 'RBP(p=0.8)@10' -f csv",
        ("interval_like,Refuted", "[0000000001, 0000000010]", "0.00671089 < 0.0268435"),
    ),
    Row(
        "§3.3",
        "RBP is interval-like for every p where both ends contain equally many relevant documents",
        "mensura properties 'RBP(p=0.3)@10' 'RBP(p=0.8)@10' 'RBP(p=0.95)@10' -f csv",
        (
            "RBP(p=0.3)@10,10,interval_like_equal_mass,Proven",
            "RBP(p=0.8)@10,10,interval_like_equal_mass,Proven",
            "RBP(p=0.95)@10,10,interval_like_equal_mass,Proven",
        ),
    ),
    Row(
        "§3.3",
        "so is DCG with the discount log2(i + 1)",
        "mensura properties DCG@10 -f csv",
        ("DCG@10,10,interval_like,Refuted", "DCG@10,10,interval_like_equal_mass,Proven"),
    ),
    Row(
        "§3.3",
        "DCG with the original discount, which P0 cites, is not interval-like even there",
        "mensura properties 'DCG(base=2)@4' -f csv",
        ("interval_like_equal_mass,Refuted", "[0100, 1000]", "[0010, 0100]", "(1, 1, 1, 1) ≥ (0, 1, 1, 1)", "0 < 0.36907"),
        erratum="the paper says that it is, but the weights 1, 1, 0.63 are not convex",
    ),
    Row(
        "§3.3",
        "AP is not interval-like, even there",
        "mensura properties AP@10 -f csv",
        ("interval_like,Refuted", "1/2 < 1", "interval_like_equal_mass,Refuted", "1/6 < 1/3"),
    ),
    Row(
        "§3.3",
        "ERR is not interval-like, even there",
        "mensura properties ERR@10 -f csv",
        ("interval_like,Refuted", "1/8 < 1/4", "interval_like_equal_mass,Refuted", "1/24 < 1/12"),
    ),
    Row(
        "§3.3",
        "how often the order of intervals is violated, for 7 ranks: AP 11.7 %, ERR 7.1 %",
        """
from mensura import parse_measure
from mensura.scales.order.intervals import census
from mensura.scales.order.values import Subject
def share(name):
    counts = census(Subject(parse_measure(name), 7))
    return f"{name} {counts.violated / counts.compared:.1%} of {counts.compared}"
[share("AP"), share("ERR")]
""",
        ("AP 11.7% of 15304376", "ERR 7.1% of 15304376"),
    ),
    Row(
        "§3.3",
        "ERR shows the strongest discordance, AP comes next",
        """
from mensura import parse_measure
from mensura.scales.order.intervals import census
from mensura.scales.order.values import Subject
def violated(name, equal_mass):
    return census(Subject(parse_measure(name), 7), equal_mass=equal_mass).violated
[(name, violated(name, False), violated(name, True)) for name in ("ERR", "AP", "RBP(p=0.8)", "DCG")]
""",
        ("('ERR', 1081934, 51361), ('AP', 1787213, 44744), ('RBP(p=0.8)', 772277, 0), ('DCG', 1215523, 0)",),
        erratum="this holds for intervals whose ends contain equally many relevant documents; of all intervals AP violates more",
    ),
    # 4 Conclusions
    Row(
        "§4",
        "the measures are on an ordinal scale",
        "mensura properties AP@10 ERR@10 'DCG(base=2)@10' -f json",
        ("ordinal", "ordinal", "ordinal"),
    ),
    Row(
        "§4, future work",
        "means on real data: of 8256 pairs of systems by AP@10, 290 + 35 + 3196 survive every one scale, 723 others are reversed",
        "mensura meaning $T8/qrels.txt '$T8/runs/*.gz' -m AP@10 -f csv",
        ("one scale per topic,290", "one scale per recall base,35", "one scale,3196", "reversed,723"),
        needs="trec8",
        slow=True,
    ),
]


@parametrized(ROWS)
def test_row(row, tmp_path):
    show(row, tmp_path)
