"""P1, row by row."""

from __future__ import annotations

from tests.papers.rows import Row, parametrized, show

EXAMPLE = """
from mensura.rankings import compare
a, b = ["d2", "d1", "d4", "d3"], ["d1", "d4", "d2", "d3"]
"""
FILES = """
from pathlib import Path
from mensura.cli import run_command
Path("a.txt").write_text("d2\\nd1\\nd4\\nd3\\n")
Path("b.txt").write_text("d1\\nd4\\nd2\\nd3\\n")
"""
ALL_ORDERS = """
from itertools import permutations
from mensura.rankings import compare
ideal = list("abcde")
orders = [list(order) for order in permutations(ideal)]
"""
AXIOMS = """
from mensura.rankings import AXIOMS, find_counterexamples
from mensura.rankings.axioms import strict_rankings
distances = {axioms.name: axioms.distance for axioms in AXIOMS}
def broken(name):
    return [axiom for axiom, example in find_counterexamples(distances[name], strict_rankings("abcd")).items() if example]
"""
RUN = """
import json
from pathlib import Path
from mensura.cli import run_command
Path("qrels.txt").write_text("q 0 a 2\\nq 0 b 1\\n")
Path("run.txt").write_text("q Q0 c 1 4 r\\nq Q0 a 2 3 r\\nq Q0 d 3 2 r\\nq Q0 b 4 1 r\\n")
"""
IDEAL = """
from mensura import JudgedRuns
from mensura.rankings import against_ideal
"""

ROWS: list[Row] = [
    # 1 Introduction
    Row(
        "abstract",
        "leaderboards by AP and by R-precision on TREC-8: Kendall's τ 0.92",
        """
from mensura import evaluate
from mensura.rankings import compare, leaderboard
scores = evaluate("$T8/qrels.txt", ["$T8/runs/*.gz"], ["AP", "Rprec"])
boards = [leaderboard(scores[name]) for name in ("AP", "Rprec")]
comparison = compare(*boards)
f"{len(comparison.pair)} systems, tau_b {comparison.tau_b:.4f}, A-corr {comparison.a_corr:.4f}, rho {comparison.spearman:.4f}"
""",
        ("129 systems", "tau_b 0.9219"),
        needs="trec8",
        slow=True,
    ),
    Row(
        "§1",
        "the correlation with the ideal ranking as a measure: 1 for the ideal run, 0 for one that finds nothing",
        """
from mensura import evaluate, read_run
qrels = {"q": {"a": 2, "b": 1, "c": 0, "d": 0}}
lists = {"ideal": "abcd", "good": "bacd", "poor": "cadb", "none": "cdxy"}
runs = [read_run({"q": {item: 9.0 - rank for rank, item in enumerate(order)}}, name=name) for name, order in lists.items()]
{system: round(means["Acorr@4"], 4) for system, means in evaluate(qrels, runs, ["Acorr@4"]).means().items()}
""",
        ("{'ideal': 1.0, 'good': 0.9375, 'poor': 0.6875, 'none': 0.0}",),
    ),
    Row(
        "§1",
        "the two standard distances: Spearman's footrule and Kendall's rank distance",
        FILES + 'run_command(["rankings", "a.txt", "b.txt", "-f", "csv", "-o", "o.csv"]) or Path("o.csv").read_text()\n',
        ("footrule,4", "kendall,2"),
    ),
    Row(
        "§1",
        "weightedness: footrule and Kendall do not distinguish swaps at the top and at the bottom",
        """
from mensura.rankings import compare
top, bottom = compare(list("abcdef"), list("bacdef")), compare(list("abcdef"), list("abcdfe"))
[(swap.footrule[-1].item(), swap.kendall[-1].item()) for swap in (top, bottom)]
""",
        ("[(2.0, 1.0), (2.0, 1.0)]",),
    ),
    Row(
        "§1",
        "nor do unweighted point and area (h = 1)",
        """
from mensura.rankings import compare
top, bottom = compare(list("abcdef"), list("bacdef")), compare(list("abcdef"), list("abcdfe"))
[(swap.area[-1].item(), round(swap.a_corr, 6)) for swap in (top, bottom)]
""",
        ("[(1.0, 0.971429), (1.0, 0.971429)]",),
    ),
    Row(
        "§1 and note 2, conjointness",
        "the definitions are for rankings of the same items; Mensura ties missing items after the end of a ranking",
        """
from mensura.rankings import compare
lists = compare(["a", "b", "c"], [{"b", "a"}, "d"])
lists.point.tolist(), lists.same_items, round(lists.a_corr, 4)
""",
        ("([0.5, 0.0, 1.0, 0.0], False, 0.85)",),
        erratum="the paper calls its measures non-conjoint, but they are defined for two permutations of one set",
    ),
    # 2 Methodological approach
    Row(
        "§2",
        "rankings are permutations without repetitions: an item that is ranked twice is refused",
        """
from mensura import RankingError
from mensura.rankings import compare
def comparison():
    try:
        return compare(["d1", "d2", "d1"], ["d1", "d2"])
    except RankingError as error:
        return f"refused: {error}"
comparison()
""",
        ("refused: ", "d1"),
    ),
    Row(
        "§2, Eq. 1",
        "F(k), the index in β of the k-th document of α: F(1) = 3, as document d2 is third in β",
        EXAMPLE + "comparison = compare(a, b)\n(comparison.misplacements + [1, 2, 3, 4]).tolist(), comparison.pair.items\n",
        ("([3.0, 1.0, 2.0, 4.0], ('d2', 'd1', 'd4', 'd3'))",),
    ),
    Row(
        "§2, Eq. 1",
        "F from the command line: the columns of positions in both rankings",
        FILES
        + 'run_command(["rankings", "a.txt", "b.txt", "--curves", "-f", "csv", "-o", "o.csv"]) or Path("o.csv").read_text()\n',
        ("1,d2,1.0,3.0", "2,d1,2.0,1.0", "3,d4,3.0,2.0", "4,d3,4.0,4.0"),
    ),
    Row("§2, Eq. 2", "the footrule S(i) at every rank i", EXAMPLE + "compare(a, b).footrule.tolist()\n", ("[2.0, 3.0, 4.0, 4.0]",)),
    Row(
        "§2, Eq. 2",
        "the footrule at the last rank is the sum of all misplacements: 12 at most for 5 items",
        ALL_ORDERS + "max(compare(order, ideal).footrule[-1].item() for order in orders)\n",
        ("12.0",),
    ),
    # 3 Point and area measures
    Row(
        "§3, Eq. 3",
        "the point measure P(i), the footrule without the absolute value",
        EXAMPLE + "compare(a, b).point.tolist()\n",
        ("[2.0, 1.0, 0.0, 0.0]",),
    ),
    Row(
        "§3",
        "positive and negative misplacements: a document too high, then others that recover the loss",
        EXAMPLE + "compare(a, b).misplacements.tolist()\n",
        ("[2.0, -1.0, -1.0, 0.0]",),
    ),
    Row(
        "§3",
        "with β the ideal ranking, F(k) > k: the document at rank k belongs further down",
        IDEAL + "against_ideal(JudgedRuns.from_grades([[[0, 1]]], [[5, 1]])).misplacements[0, 0].tolist()\n",
        ("[1.0, -1.0]",),
        erratum="the paper says that the document should have been ranked higher in β; but the run ranks it too high",
    ),
    Row(
        "§3",
        "P goes to 0 at the last rank, for all 120 orders of 5 items",
        ALL_ORDERS + "{compare(order, ideal).point[-1].item() for order in orders}, len(orders)\n",
        ("({0.0}, 120)",),
    ),
    Row(
        "§3",
        "P is never negative; its highest value for 5 items is 6",
        ALL_ORDERS
        + "points = [compare(order, ideal).point for order in orders]\n"
        + "min(p.min().item() for p in points), max(p.max().item() for p in points)\n",
        ("(0.0, 6.0)",),
    ),
    Row(
        "§3",
        "P(i) = 0 if and only if both rankings have the same items down to rank i",
        ALL_ORDERS
        + """
agrees = [
    (point == 0) == (set(order[:rank]) == set(ideal[:rank]))
    for order in orders
    for rank, point in enumerate(compare(order, ideal).point.tolist(), start=1)
]
len(agrees), all(agrees)
""",
        ("(600, True)",),
    ),
    Row(
        "§3",
        "P(i) is the distance at rank i, not before: equal points, different areas",
        """
from mensura.rankings import compare
late, early = compare(list("abdc"), list("abcd")), compare(list("badc"), list("abcd"))
[(comparison.point[2].item(), comparison.area[2].item()) for comparison in (late, early)]
""",
        ("[(1.0, 0.5), (1.0, 1.5)]",),
    ),
    Row(
        "§3, Eq. 4",
        "the area measure A(i), the trapezoids between adjacent points, P(0) = 0",
        EXAMPLE + "compare(a, b).area.tolist()\n",
        ("[1.0, 2.5, 3.0, 3.0]",),
    ),
    Row(
        "§3, Eq. 4",
        "all curves from the command line: misplacement, footrule, Kendall, point, area",
        FILES
        + 'run_command(["rankings", "a.txt", "b.txt", "--curves", "-f", "csv", "-o", "o.csv"]) or Path("o.csv").read_text()\n',
        ("2.0,2.0,0.0,2.0,1.0", "-1.0,3.0,1.0,1.0,2.5", "-1.0,4.0,2.0,0.0,3.0", "0.0,4.0,2.0,0.0,3.0"),
    ),
    Row(
        "§3, Eq. 4",
        "for h = 1 the area is half the sum of squared misplacements",
        ALL_ORDERS
        + """
comparisons = [compare(order, ideal) for order in orders]
areas, halves = [c.area[-1].item() for c in comparisons], [(c.misplacements**2).sum().item() / 2 for c in comparisons]
areas == halves, sum(areas)
""",
        ("(True, 1200.0)",),
    ),
    Row(
        "§3, h",
        "h may be another constant: all areas double, the normalised area stays",
        EXAMPLE + "c = compare(a, b, h=2)\nc.area.tolist(), c.worst_area, round(c.normalized_area, 9)\n",
        ("([2.0, 5.0, 6.0, 6.0], 20.0, 0.3)",),
    ),
    Row(
        "§3",
        "two and more rankings against one reference: areas 0, 1, 3 and 10",
        """
from mensura.rankings import matrix
rankings = [list(order) for order in ("abcd", "bacd", "cabd", "dcba")]
distances = matrix(rankings)
distances["area"][0].tolist(), distances["a_corr"][0].round(4).tolist()
""",
        ("([0.0, 1.0, 3.0, 10.0], [1.0, 0.9, 0.7, 0.0])",),
    ),
    Row(
        "§3",
        "several rankings against one reference by the command line: areas 1, 3, 10, A-corr 0.9, 0.7, 0",
        "mensura rankings b,a,c,d c,a,b,d d,c,b,a --reference a,b,c,d",
        (
            "against a,b,c,d: 4 items",
            "1          10  0.1000  0.9000",
            "3          10  0.3000  0.7000",
            "10          10  1.0000  0.0000",
        ),
    ),
    Row(
        "§3",
        "several rankings against one reference in one chart: the point curves of three rankings",
        """
from mensura.rankings import against_reference
from mensura.render.charts.against import reference_chart
chart = reference_chart(against_reference({name: list(name) for name in ("bacd", "cabd", "dcba")}, list("abcd")))
{name: [row["point"] for row in chart["data"]["values"] if row["system"] == name] for name in ("bacd", "cabd", "dcba")}
""",
        ("'bacd': [0.0, 1.0, 0.0, 0.0, 0.0]", "'cabd': [0.0, 2.0, 1.0, 0.0, 0.0]", "'dcba': [0.0, 3.0, 4.0, 3.0, 0.0]"),
    ),
    Row(
        "§3, a run and its ideal",
        "judgments a 2, b 1 and the run c a d b: F = 3 1 4 2",
        RUN
        + 'words = ["rankings", "run.txt", "qrels.txt", "--topic", "q"]\n'
        + 'run_command([*words, "--curves", "-f", "csv", "-o", "o.csv"]) or Path("o.csv").read_text()\n',
        (
            "r,q,1,3.0,2.0,2.0,1.0,1.0",
            "r,q,2,1.0,-1.0,1.0,2.5,0.625",
            "r,q,3,4.0,1.0,2.0,4.0,0.4444",
            "r,q,4,2.0,-2.0,0.0,5.0,0.3125,0.6875",
        ),
    ),
    Row(
        "§3, a run and its ideal",
        "where that run loses and recovers, and its A-corr",
        RUN + 'run_command(["rankings", "run.txt", "qrels.txt", "--topic", "q", "-o", "o.txt"]) or Path("o.txt").read_text()\n',
        ("0.3125  0.6875", "r loses at ranks 1, 3; it recovers at ranks 2, 4."),
    ),
    Row(
        "§3, a run and its ideal",
        "a run of TREC-8 on topic 401: ideal down to rank 5",
        "mensura rankings $T8/runs/apl8p.gz $T8/qrels.txt --topic 401 --depth 10",
        ("apl8p loses at ranks 6–8; it recovers at ranks 9–10.", "5    5      0    0", "6  301    295  295"),
        needs="trec8",
    ),
    Row(
        "§3, a run and its ideal",
        "the mean curves of two runs over the 50 topics of TREC-8, their A-corr at rank 100",
        "mensura rankings $T8/runs/apl8p.gz $T8/runs/READWARE2.gz $T8/qrels.txt --topic all --depth 100",
        ("mean over 50 topics, 100 ranks", "apl8p", "0.5420", "READWARE2", "0.7487"),
        needs="trec8",
    ),
    Row(
        "§3",
        "the same exchange of two relevance degrees, early or late: the curves of the area tell where",
        IDEAL
        + """
judged = JudgedRuns.from_grades([[[1, 2, 1, 0]], [[2, 1, 0, 1]]], [[4, 2, 1]])
against_ideal(judged).area[:, 0].tolist()
""",
        ("[[0.5, 1.0, 1.0, 1.0], [0.0, 0.0, 0.5, 1.0]]",),
    ),
    Row(
        "§3",
        "the reversed ranking alone is the worst, of all orders of 5 items",
        ALL_ORDERS
        + """
areas = {"".join(order): compare(ideal, order).area[-1].item() for order in orders}
max(areas.values()), [order for order, area in areas.items() if area == max(areas.values())]
""",
        ("(20.0, ['edcba'])",),
    ),
    Row(
        "§3",
        "it is the worst at every rank i",
        ALL_ORDERS
        + """
import numpy
areas = numpy.array([compare(order, ideal).area for order in orders])
areas.max(axis=0).tolist(), compare(ideal[::-1], ideal).area.tolist()
""",
        ("([2.0, 7.0, 13.0, 18.0, 20.0], [2.0, 7.0, 13.0, 18.0, 20.0])",),
    ),
    Row(
        "§3",
        "the largest area is n(n² − 1)/6: 10 for 4 items, 166 666 500 for 1000",
        """
from mensura.rankings import compare
[compare(range(n), range(n)[::-1]).worst_area for n in (4, 10, 1000)]
""",
        ("[10.0, 165.0, 166666500.0]",),
    ),
    Row(
        "§3, Eq. 5",
        "the normalised area nA = 3/10 of the example",
        FILES + 'run_command(["rankings", "a.txt", "b.txt", "-f", "csv", "-o", "o.csv"]) or Path("o.csv").read_text()\n',
        ("worst_area,10.0", "normalized_area,0.3"),
    ),
    Row(
        "§3, Eq. 5",
        "nA(i) and A-corr(i), normalised at every rank i: 1/1.5, 2.5/5, 3/8.5, 3/10",
        "mensura rankings d2,d1,d4,d3 d1,d4,d2,d3 --curves -f csv",
        (",0.666666", "0.5,0.5\n", ",0.352941", ",0.647058", ",0.3,0.7\n"),
    ),
    Row(
        "§3, Eq. 5",
        "nA = 0 for equal rankings and no others, 1 for inverse ones and no others",
        ALL_ORDERS
        + """
values = {"".join(order): compare(order, ideal).normalized_area for order in orders}
[order for order in values if values[order] == 0], [order for order in values if values[order] == 1]
""",
        ("(['abcde'], ['edcba'])",),
    ),
    Row(
        "§3, Eq. 5",
        "A-corr = 1 − nA = 0.7 of the example",
        FILES + 'run_command(["rankings", "a.txt", "b.txt", "-f", "csv", "-o", "o.csv"]) or Path("o.csv").read_text()\n',
        ("a_corr,0.7",),
    ),
    Row(
        "§3",
        "A-corr is Spearman's ρ on another scale, (1 + ρ)/2, for all orders of 5 items",
        ALL_ORDERS
        + """
comparisons = [compare(order, ideal) for order in orders]
{round(f.a_corr - (1 + f.spearman) / 2, 9) for f in comparisons}, len({round(f.a_corr, 9) for f in comparisons})
""",
        ("({0.0}, 21)",),
    ),
    Row(
        "§3",
        "normalised at every rank i: a run of grades 0 2 1 0 against its ideal 2 1 0 0",
        IDEAL
        + """
curves = against_ideal(JudgedRuns.from_grades([[[0, 2, 1, 0]]], [[5, 1, 1]]))
curves.point[0, 0].tolist(), curves.area[0, 0].tolist(), curves.normalized_area[0, 0].round(4).tolist()
""",
        ("([2.0, 1.0, 0.0, 0.0], [1.0, 2.5, 3.0, 3.0], [1.0, 0.625, 0.3333, 0.1875])",),
    ),
    Row(
        "§1 and §3",
        "Kendall's distance computed at each rank",
        EXAMPLE + "compare(a, b).kendall.tolist()\n",
        ("[0.0, 1.0, 2.0, 2.0]",),
    ),
    Row(
        "§1 and §3",
        "Kendall at rank i counts the pairs j < k ≤ i with F(j) > F(k), for all orders of 5 items",
        ALL_ORDERS
        + """
def inversions(f, i):
    return sum(f[j] > f[k] for k in range(i) for j in range(k))
curves = [(compare(order, ideal).kendall.tolist(), [ideal.index(item) for item in order]) for order in orders]
all(curve == [inversions(f, i) for i in range(1, 6)] for curve, f in curves), max(curve[-1] for curve, _ in curves)
""",
        ("(True, 10.0)",),
    ),
    # 4 Conclusions
    Row(
        "conclusions",
        "reflexivity, non-negativity and symmetry hold for the area; the triangle inequality does not",
        AXIOMS + 'broken("area"), broken("1 − A-corr")\n',
        ("(['triangle'], ['triangle'])",),
        erratum="the paper says that the area is a metric",
    ),
    Row(
        "conclusions",
        "the three areas of the counterexample",
        """
from mensura.rankings import compare
a, b, c = list("abc"), list("bac"), list("bca")
[compare(*pair).area[-1].item() for pair in ((a, b), (b, c), (a, c))]
""",
        ("[1.0, 1.0, 3.0]",),
        erratum="3 > 1 + 1, so that the area is not a metric",
    ),
    Row(
        "conclusions",
        "the square root of the area is a metric: a Euclidean distance",
        AXIOMS + 'broken("√area"), broken("√symmetric area")\n',
        ("([], [])",),
    ),
    Row(
        "conclusions",
        "footrule and Kendall's distance are metrics",
        AXIOMS + 'broken("footrule"), broken("kendall")\n',
        ("([], [])",),
    ),
    Row(
        "conclusions",
        "the point measure is not symmetric, and its last value is 0 for any two rankings",
        """
from mensura.rankings import compare
compare(list("abc"), list("bca")).point.tolist(), compare(list("bca"), list("abc")).point.tolist()
""",
        ("([2.0, 1.0, 0.0], [1.0, 2.0, 0.0])",),
        erratum="the paper says that the point measure is a metric",
    ),
    Row(
        "conclusions, h(i) = 1/i",
        "misplacements at the top count more: a swap at the top has area 3/4, one at the bottom 11/60",
        """
from mensura.rankings import compare
top, bottom = (compare(list("abcdef"), list(other), h="1/i") for other in ("bacdef", "abcdfe"))
round(top.area[-1].item(), 6), round(bottom.area[-1].item(), 6), top.a_corr < bottom.a_corr
""",
        ("(0.75, 0.183333, True)",),
    ),
    Row(
        "conclusions, h(i) = 1/i",
        "the weighted area of the example by the command line: 23/12 of 115/24",
        FILES
        + 'run_command(["rankings", "a.txt", "b.txt", "--h", "1/i", "-f", "csv", "-o", "o.csv"]) or Path("o.csv").read_text()\n',
        ("area,1.916666666", "worst_area,4.791666666"),
    ),
    Row(
        "conclusions, h(i) = 1/i",
        "the reversed ranking is the worst for these weights too",
        ALL_ORDERS
        + """
areas = {"".join(order): compare(order, ideal, h="1/i").area[-1].item() for order in orders}
max(areas, key=areas.get), abs(compare(ideal, orders[5], h="1/i").worst_area - max(areas.values())) < 1e-12
""",
        ("('edcba', True)",),
    ),
    Row(
        "conclusions, h(i) = 1/i",
        "the weighted area is not symmetric either",
        AXIOMS + 'broken("area, h = 1/i")\n',
        ("['symmetry', 'triangle']",),
        erratum="the paper expects a distance; with weights on the ranks of one ranking, neither symmetry nor the triangle holds",
    ),
    Row(
        "conclusions, h as patience",
        "h(i) = (1 − p)p^(i−1), as in rank-biased overlap, p = 0.9: swaps at the top and at the bottom",
        """
from mensura.rankings import compare, weights
top, bottom = (compare(list("abcdef"), list(other), h=0.9) for other in ("bacdef", "abcdfe"))
weights(0.9, 3).round(6).tolist(), round(top.area[-1].item(), 6), round(bottom.area[-1].item(), 6)
""",
        ("([0.1, 0.09, 0.081], 0.095, 0.062329)",),
    ),
    Row(
        "conclusions, [7]",
        "rank-biased overlap itself, extrapolated and with its bounds, p = 0.9",
        FILES + 'run_command(["rankings", "a.txt", "b.txt", "-f", "csv", "-o", "o.csv"]) or Path("o.csv").read_text()\n',
        ("rbo,0.855", "rbo_min,0.46137", "rbo_max,0.855"),
    ),
    Row(
        "conclusions",
        "A-corr as a measure of effectiveness: the measure Acorr@k is the end of the curve, here of two runs of TREC-8",
        """
import numpy
from mensura import judge, parse_measure, read_qrels
from mensura.rankings import against_ideal
judged = judge(read_qrels("$T8/qrels.txt"), ["$T8/runs/apl8p.gz", "$T8/runs/READWARE2.gz"])
curves = against_ideal(judged, depth=100)
values = parse_measure("Acorr@100").score(judged)
f"{values.shape} {numpy.abs(curves.a_corr[:, :, -1] - values).max() < 1e-12} {values.mean(axis=1).round(3).tolist()}"
""",
        ("(2, 50) True [0.542, 0.749]",),
        needs="trec8",
    ),
    Row(
        "conclusions",
        "the same by the command line: mensura evaluate -m Acorr@100 gives the ends of the mean curves",
        "mensura evaluate $T8/qrels.txt $T8/runs/apl8p.gz $T8/runs/READWARE2.gz -m Acorr@100 -f csv",
        ("apl8p,Acorr@100,0.5420", "READWARE2,Acorr@100,0.7487"),
        needs="trec8",
    ),
    Row(
        "conclusions, CRP",
        "cumulated relative position beside the curves of a run: c a d b has −2, −1, −1, 1",
        RUN
        + 'words = ["rankings", "run.txt", "qrels.txt", "--topic", "q", "-f", "json", "-o", "o.json"]\n'
        + 'run_command(words) or json.loads(Path("o.json").read_text())["systems"][0]["relative_position"]\n',
        ("[-2.0, -1.0, -1.0, 1.0]",),
    ),
    Row(
        "conclusions, CRP",
        "the point curve does not cross the x-axis, cumulated relative position does",
        IDEAL
        + """
curves = against_ideal(JudgedRuns.from_grades([[[1, 0, 2, 0, 1]]], [[5, 2, 1]]))
curves.point[0, 0].tolist(), curves.relative_position[0, 0].tolist()
""",
        ("([1.0, 3.0, 1.0, 2.0, 0.0], [-1.0, -3.0, -1.0, -1.0, 1.0])",),
    ),
    Row(
        "note 1",
        "the parameter h weights top and bottom differently: a weight for each rank",
        EXAMPLE + "compare(a, b, h=[4, 0, 0, 0]).area.tolist(), compare(a, b, h=[0, 0, 4, 0]).area.tolist()\n",
        ("([4.0, 4.0, 4.0, 4.0], [0.0, 0.0, 2.0, 2.0])",),
    ),
    Row(
        "note 2, [3]",
        "incomplete rankings: Kendall's distance with penalty ½ and the footrule over both lists (Fagin, Kumar and Sivakumar)",
        """
from mensura.rankings import compare
comparison = compare(["a", "b", "c"], ["a", "c", "d"])
comparison.footrule[-1].item(), comparison.kendall[-1].item(), len(comparison.pair)
""",
        ("(4.0, 2.0, 4)",),
    ),
    Row(
        "note 2",
        "lists without a common item are as far apart as can be: nA = 1",
        """
from mensura.rankings import compare
comparison = compare(["a", "b", "c"], ["x", "y", "z"])
comparison.normalized_area, comparison.a_corr
""",
        ("(1.0, 0.0)",),
    ),
    Row(
        "abstract",
        "the graphical view: one picture with the curves of footrule and point, and bars of misplacements",
        """
from mensura.rankings import compare
from mensura.render.charts.rankings import rankings_chart
curves, bars = rankings_chart(compare(["d2", "d1", "d4", "d3"], ["d1", "d4", "d2", "d3"]), ("a", "b"))["vconcat"]
line, zeros = (curves["layer"][number]["data"]["values"] for number in (1, 2))
values = {curve: [p["value"] for p in line if p["curve"] == curve] for curve in ("footrule S", "point P")}
values, [p["rank"] for p in zeros], [bar["moved"] for bar in bars["data"]["values"]]
""",
        ("[0.0, 2.0, 3.0, 4.0, 4.0]", "[0.0, 2.0, 1.0, 0.0, 0.0]", "[3, 4], [2.0, -1.0, -1.0]"),
    ),
]


@parametrized(ROWS)
def test_row(row, tmp_path):
    show(row, tmp_path)
