"""P2, row by row."""

from __future__ import annotations

from tests.papers.rows import Row, parametrized, show

VALUES = """
from mensura import evaluate, read_run
def values(qrels, runs, *measures):
    named = [read_run({"q": scores}, name=name) for name, scores in runs.items()]
    return {name: [round(x, 4) for x in means.values()] for name, means in evaluate({"q": qrels}, named, measures).means().items()}
"""
LISTS = """
from mensura import ADM, judge, read_qrels, read_run
from mensura.adm import distances
def one(qrels, run, measure, topic="q"):
    return distances(judge(read_qrels(qrels), [read_run(run, name="r")], scores=True), "r", topic, measure)
"""
FOUR = 'grades = {"a": 3, "b": 2, "c": 1, "d": 0}\n'
BORDER = """
urs = "ADM(srs='given', urs={0: 0, 1: 0.3, 2: 0.6, 3: 0.8})"
grades = {"d1": 3, "d2": 2, "d3": 1}
systems = {
    "IRS1": {"d1": 0.6, "d2": 0.5, "d3": 0.5},
    "IRS2": {"d1": 0.6, "d2": 0.45, "d3": 0.45},
    "IRS3": {"d1": 0.6, "d2": 0.478, "d3": 0.5},
}
retrieved = {name: {d: s for d, s in scores.items() if s >= 0.5} for name, scores in systems.items()}
"""
THOUSAND = """
from mensura import evaluate, read_run
levels = [3] * 15 + [2] * 15 + [1] * 20 + [0] * 950
grades = {f"d{number:03}": grade for number, grade in enumerate(levels)}
def run(name, power, reverse=False):
    documents = sorted(grades, reverse=reverse)
    return read_run({"q": {d: (1 - rank / 999) ** power for rank, d in enumerate(documents)}}, name=name)
def means(runs, *measures):
    return {s: [round(x, 4) for x in m.values()] for s, m in evaluate({"q": grades}, runs, measures).means().items()}
"""
NOT_THERE = "on DL, because NTCIR-4's runs are not public"
CORRELATIONS = "mensura adm $DL/qrels.txt '$DL/runs/*.gz' --correlations -f csv --cutoffs"
CORRELATIONS_TREC8 = "mensura adm $T8/qrels.txt '$T8/runs/*.gz' --correlations -f csv --cutoffs"

ROWS: list[Row] = [
    # 2 The average distance measure
    Row(
        "§2, Eq. 1",
        "ADM of a query: 1 less the mean distance between SRS 1, 2/3, 1/3, 0 and URS 7/8, 5/8, 3/8, 1/8",
        VALUES + FOUR + 'values(grades, {"mine": {"a": 10.0, "b": 7.0, "c": 4.0, "d": 1.0}}, "ADM")\n',
        ("{'mine': [0.9167]}",),
    ),
    Row(
        "§2, Eq. 1",
        "the distances of single documents",
        LISTS
        + """
measured = one({"q": {"a": 3, "b": 2, "c": 1, "d": 0}}, {"q": {"a": 10.0, "b": 7.0, "c": 4.0, "d": 1.0}}, ADM())
measured.srs.round(4).tolist(), measured.urs.tolist(), measured.distance.round(4).tolist()
""",
        ("([1.0, 0.6667, 0.3333, 0.0], [0.875, 0.625, 0.375, 0.125], [0.125, 0.0417, 0.0417, 0.125])",),
    ),
    Row(
        "§2, URS",
        "URS is any number from 0 to 1, 0 for totally nonrelevant: |.8 − .9|, |.5 − .55| and |.1 − 0|",
        VALUES + 'values({"a": 0.9, "b": 0.55, "c": 0.0}, {"mine": {"a": 0.8, "b": 0.5, "c": 0.1}}, "ADM(srs=\'given\')")\n',
        ("{'mine': [0.9167]}",),
    ),
    Row(
        "§2, URS",
        "measures of whole grades do not take such numbers, and say how to round them",
        VALUES
        + """
from mensura import MensuraError
def refused(*measures):
    try:
        return values({"a": 0.9, "b": 0.55}, {"mine": {"a": 0.8}}, *measures)
    except MensuraError as error:
        return str(error)
refused("AP"), refused("ADM", "P@5")
""",
        ("needs grades that are whole numbers", "rounded()", "needs grades that are whole numbers"),
    ),
    Row(
        "§2, Eq. 1",
        "the mean over all |D| documents of the database, the others having SRS and URS 0: 1 − (.1 + .05 + .1 + .4) / 1000",
        VALUES
        + 'values({"a": 0.9, "b": 0.55, "c": 0.4}, {"it": {"a": 0.8, "b": 0.5, "x": 0.1}}, "ADM(srs=\'given\', documents=1000)")\n',
        ("{'it': [0.9993]}",),
        erratum="the paper averages over “the queries”; it means the documents",
    ),
    Row(
        "§2",
        "ADM lies in [0, 1]: 1 for SRS = URS, 0 for the opposite",
        VALUES
        + """
systems = {"right": {"a": 1.0, "b": 0.0}, "wrong": {"a": 0.0, "b": 1.0}}
values({"a": 1, "b": 0}, systems, "ADM(srs='given', urs='ends')")
""",
        ("{'right': [1.0], 'wrong': [0.0]}",),
    ),
    Row(
        "§2",
        "ADM is the mean of ADM_q over queries",
        """
from mensura import evaluate, read_run
qrels = {"q1": {"a": 1, "b": 0}, "q2": {"a": 0, "b": 1}}
run = read_run({"q1": {"a": 1.0, "b": 0.5}, "q2": {"a": 0.5, "b": 0.0}}, name="mine")
scores = evaluate(qrels, [run], ["ADM(srs='given', urs='ends')"])
[list(table.values.tolist()) for table in scores], scores.means()
""",
        ("[[[0.75, 0.25]]]", "0.5"),
    ),
    Row(
        "§2, SRS",
        "SRS lies in [0, 1]: a system that claims to estimate relevance may not say 10",
        VALUES
        + """
from mensura import MensuraError
def claimed(score):
    try:
        return values({"a": 1}, {"mine": {"a": score}}, "ADM(srs='given')")
    except MensuraError as error:
        return f"refused: {error}"
claimed(0.75), claimed(10.0)
""",
        ("{'mine': [1.0]}", "refused: ", "10"),
    ),
    Row(
        "§2, Figure 1",
        "documents in the plane of URS and SRS, with distances along SRS",
        LISTS
        + """
measured = one({"q": {"a": 1, "b": 0}}, {"q": {"a": 0.4, "b": 0.2}}, ADM(srs="given", urs="ends"))
measured.distance.round(4).tolist(), round(measured.value, 4)
""",
        ("([0.6, 0.2], 0.6)",),
    ),
    Row(
        "§2, Figure 1",
        "the picture: a mark for each document, and the diagonal",
        LISTS
        + """
import json
from mensura.render.charts.adm import plane
judged = judge(read_qrels({"q": {"a": 3, "b": 0}}), [read_run({"q": {"a": 9.0, "b": 4.0, "x": 1.0}}, name="r")], scores=True)
chart = json.dumps(plane(judged, "r", "q", ADM()))
[f'"srs": {value}' in chart for value in (1.0, 0.375, 0.0, 0.5)]
""",
        ("[True, True, True, False]",),
    ),
    Row(
        "§2, ADM(2)(2)",
        "binary relevance and retrieval: distances are 0 or 1",
        LISTS
        + """
run = {"q": {"a": 1.0, "b": 0.0, "c": 1.0, "d": 0.0}}
measured = one({"q": {"a": 1, "b": 1, "c": 0, "d": 0}}, run, ADM(srs="given", urs="ends", levels=2))
sorted(zip(measured.urs.tolist(), measured.srs.tolist(), measured.distance.tolist())), measured.value
""",
        ("([(0.0, 0.0, 0.0), (0.0, 1.0, 1.0), (1.0, 0.0, 1.0), (1.0, 1.0, 0.0)], 0.5)",),
    ),
    Row(
        "§2, ADM(N)(M)",
        "categories of retrieval too: SRS moved to the nearest of the four URS",
        LISTS
        + """
measured = one({"q": {"a": 3, "b": 2, "c": 1, "d": 0}}, {"q": {"a": 10.0, "b": 7.0, "c": 4.0, "d": 1.0}}, ADM(step="nearest"))
measured.srs.tolist(), measured.value
""",
        ("([0.875, 0.625, 0.375, 0.125], 1.0)",),
    ),
    Row(
        "§2, ADM(N)(M)",
        "N and M can differ: four and two, SRS 3/4, 3/4, 1/4, 1/4",
        LISTS
        + """
measured = one({"q": {"a": 3, "b": 2, "c": 1, "d": 0}}, {"q": {"a": 10.0, "b": 7.0, "c": 4.0, "d": 1.0}}, ADM(step=2))
measured.srs.tolist(), measured.urs.tolist(), measured.value
""",
        ("([0.75, 0.75, 0.25, 0.25], [0.875, 0.625, 0.375, 0.125], 0.875)",),
    ),
    Row(
        "§2, ADM(M)",
        "M categories of retrieval and continuous relevance: three, SRS 5/6, 1/2, 1/6",
        LISTS
        + """
measured = one({"q": {"a": 0.9, "b": 0.5, "c": 0.2}}, {"q": {"a": 0.8, "b": 0.45, "c": 0.3}}, ADM(srs="given", step=3))
measured.srs.round(4).tolist(), measured.urs.tolist(), round(measured.value, 4)
""",
        ("([0.8333, 0.5, 0.1667], [0.9, 0.5, 0.2], 0.9667)",),
    ),
    Row(
        "§2, ADM(N)",
        "N categories of relevance, continuous retrieval: with N = 2 the URS are 1/4 and 3/4, with 4 those of §3",
        LISTS
        + """
qrels, run = {"q": {"a": 3, "b": 2, "c": 1, "d": 0}}, {"q": {"a": 10.0, "b": 7.0, "c": 4.0, "d": 1.0}}
[one(qrels, run, measure).urs.tolist() for measure in (ADM(), ADM(levels=2), ADM(levels=2, strict="rigid"))]
""",
        ("[[0.875, 0.625, 0.375, 0.125], [0.75, 0.75, 0.75, 0.25], [0.75, 0.75, 0.25, 0.25]]",),
    ),
    Row(
        "§2, ADM(Rank)",
        "of 1000 retrieved documents the 1st has SRS 1, the 2nd 0.999, the 1000th 0.001",
        LISTS
        + """
measured = one({"q": {"d0": 1}}, {"q": {f"d{rank}": -float(rank) for rank in range(1000)}}, ADM(srs="rank"))
measured.srs[[0, 1, 999]].tolist()
""",
        ("[1.0, 0.999, 0.001]",),
    ),
    Row(
        "§2, ADM(N)(Rank)",
        "by rank with four categories: SRS 1, 3/4, 1/2, 1/4",
        VALUES + FOUR + 'values(grades, {"mine": {"a": 10.0, "b": 7.0, "c": 4.0, "d": 1.0}}, "ADM(srs=\'rank\')")\n',
        ("{'mine': [0.875]}",),
    ),
    Row(
        "§2, note 2",
        "three categories may get 1, 0.5, 0 or 1, 0.6, 0: the value depends on it",
        VALUES
        + """
run = {"mine": {"a": 1.0, "b": 0.5, "c": 0.0}}
values({"a": 2, "b": 1, "c": 0}, run, "ADM(srs='given', urs='ends')", "ADM(srs='given', urs={0: 0, 1: 0.6, 2: 1})")
""",
        ("{'mine': [1.0, 0.9667]}",),
    ),
    Row(
        "§2, note 2",
        "collapsing the middle category, to either side, has the larger error",
        VALUES
        + """
run = {"mine": {"a": 1.0, "b": 0.5, "c": 0.0}}
binary = [f"ADM(srs='given', urs='ends', levels=2, strict='{strict}')" for strict in ("relaxed", "rigid")]
values({"a": 2, "b": 1, "c": 0}, run, *binary)
""",
        ("{'mine': [0.8333, 0.8333]}",),
    ),
    Row(
        "§2, Figure 2(a), Table 1(a)",
        "ADM of three systems that judge three documents in similar ways: .83, .83, .826",
        VALUES + BORDER + "values(grades, systems, urs)\n",
        ("{'IRS1': [0.8333], 'IRS2': [0.8333], 'IRS3': [0.826]}",),
    ),
    Row(
        "§2, Table 1(a)",
        "precision and recall at thresholds of 0.5 differ much: .67 / 1, 1 / .5, .5 / .5",
        VALUES + BORDER + 'values(grades, retrieved, "P(rel=2)", "R(rel=2)")\n',
        ("{'IRS1': [0.6667, 1.0], 'IRS2': [1.0, 0.5], 'IRS3': [0.5, 0.5]}",),
    ),
    Row(
        "§2, Table 1(a)",
        "the harmonic mean F of precision and recall: .8, .667, .5",
        VALUES + BORDER + 'values(grades, retrieved, "F(rel=2)")\n',
        ("{'IRS1': [0.8], 'IRS2': [0.6667], 'IRS3': [0.5]}",),
        erratum="the column E of the paper is (P + R)/2; van Rijsbergen's E is 1 − F: .2, .333, .5",
    ),
    Row(
        "§2, Table 1(a)",
        "P, R, E and ADM at thresholds of 0.5 on SRS and URS, from the same scores and numbers",
        LISTS
        + """
from mensura.adm import thresholds
urs = {"q": {"d1": 0.8, "d2": 0.6, "d3": 0.3}}
scores = {"IRS1": (0.6, 0.5, 0.5), "IRS2": (0.6, 0.45, 0.45), "IRS3": (0.6, 0.478, 0.5)}
runs = [read_run({"q": dict(zip(urs["q"], each))}, name=name) for name, each in scores.items()]
table = thresholds(judge(read_qrels(urs), runs, scores=True), ADM(srs="given"))
[[round(row[key], 3) for key in ("precision", "recall", "e", "middle", "adm")] for row in table.rows()]
""",
        ("[[0.667, 1.0, 0.2, 0.833, 0.833], [1.0, 0.5, 0.333, 0.75, 0.833], [0.5, 0.5, 0.5, 0.5, 0.826]]",),
        erratum="the column E is (P + R)/2, as above",
    ),
    Row(
        "§2, Table 1(b)",
        "both systems have the same P, R and E, and ADM 1 and .5",
        LISTS
        + """
from mensura.adm import thresholds
scores = {"IRS1": {"d1": 1.0, "d2": 0.0}, "IRS2": {"d1": 0.5, "d2": 0.49999}}
runs = [read_run({"q": each}, name=name) for name, each in scores.items()]
table = thresholds(judge(read_qrels({"q": {"d1": 1, "d2": 0}}), runs, scores=True), ADM(srs="given", urs="ends"))
[[round(row[key], 3) for key in ("precision", "recall", "e", "middle", "adm")] for row in table.rows()]
""",
        ("[[1.0, 1.0, 0.0, 1.0, 1.0], [1.0, 1.0, 0.0, 1.0, 0.5]]",),
    ),
    Row(
        "§2, Figure 2(b), Table 1(b)",
        "ADM of two systems that are equal at the thresholds: 1 and .5",
        VALUES
        + """
systems = {"IRS1": {"d1": 1.0, "d2": 0.0}, "IRS2": {"d1": 0.5, "d2": 0.49999}}
values({"d1": 1, "d2": 0}, systems, "ADM(srs='given', urs='ends')")
""",
        ("{'IRS1': [1.0], 'IRS2': [0.5]}",),
    ),
    Row(
        "§2, Table 1(b)",
        "precision, recall and F of both are 1",
        VALUES + 'values({"d1": 1, "d2": 0}, {"IRS1": {"d1": 1.0}, "IRS2": {"d1": 0.5}}, "P", "R", "F")\n',
        ("{'IRS1': [1.0, 1.0, 1.0], 'IRS2': [1.0, 1.0, 1.0]}",),
    ),
    Row(
        "§2",
        "small differences in SRS change ADM by no more than their mean: 0.01 each, across the threshold",
        VALUES
        + """
systems = {"above": {"d1": 0.505, "d2": 0.505}, "below": {"d1": 0.495, "d2": 0.495}}
values({"d1": 1, "d2": 1}, systems, "ADM(srs='given', urs='ends')")
""",
        ("{'above': [0.505], 'below': [0.495]}",),
    ),
    Row(
        "§2",
        "ADM varies less between queries than AP, precision and recall: standard deviations over 53 topics of DL",
        """
from mensura import evaluate
scores = evaluate("$DL/qrels.txt", ["$DL/runs/p_unicoil0.gz"], ["AP", "P@10", "R@100", "ADM", "ADM(srs='rank')"])
[round(table.values.std(ddof=1).item(), 3) for table in scores]
""",
        ("[0.177, 0.284, 0.186, 0.055, 0.043]",),
        needs="dl21",
    ),
    # 3 NTCIR data
    Row(
        "§3",
        "linear normalisation, negative scores too",
        LISTS
        + """
one({"q": {"a": 1}}, {"q": {"a": 30.0, "b": 5.0, "c": -20.0}}, ADM()).srs.tolist()
""",
        ("[1.0, 0.5, 0.0]",),
    ),
    Row(
        "§3",
        "normalisation by query and by run",
        LISTS
        + """
run = {"q": {"a": 4.0, "b": 2.0, "c": 0.0}, "r": {"a": 10.0, "b": 5.0, "c": 0.0}}
[one({"q": {"a": 1}, "r": {"a": 1}}, run, ADM(per=per)).srs.tolist() for per in ("topic", "run")]
""",
        ("[[1.0, 0.5, 0.0], [0.4, 0.2, 0.0]]",),
    ),
    Row(
        "§3",
        "four levels S, A, B, C are 7/8, 5/8, 3/8, 1/8: the middles of four equal parts of [0, 1]",
        LISTS + 'one({"q": {"a": 3}}, {"q": {"a": 1.0}}, ADM()).levels\n',
        ("(0.125, 0.375, 0.625, 0.875)",),
    ),
    Row(
        "§3, note 3",
        "outliers: the 6th and the 995th of 1000 scores become 1 and 0",
        LISTS
        + """
run = {"q": {f"d{rank:04}": 1001.0 - rank for rank in range(1, 1001)}}
srs = one({"q": {"d0001": 1}}, run, ADM(trim=5)).srs
srs[[0, 5, 6, 993, 994, 999]].round(5).tolist()
""",
        ("[1.0, 1.0, 0.99899, 0.00101, 0.0, 0.0]",),
        erratum="the paper takes the 5th; above it there are four scores, not five",
    ),
    Row(
        "§4.1, note 4",
        "documents without assessment count as C, not relevant",
        LISTS
        + """
measured = one({"q": {"a": 3, "b": 0}}, {"q": {"a": 3.0, "b": 2.0, "x": 1.0}}, ADM())
measured.grade.tolist(), measured.urs.tolist()
""",
        ("([3, 0, -1], [0.875, 0.125, 0.125])",),
    ),
    # 4.1 Unexpected results and problems
    Row(
        "§4, Table 2",
        "AP and R-precision agree (P2: τ .91): .829 on DL",
        f"{CORRELATIONS} 5",
        ("Rprec,", "0.828681"),
        needs="dl21",
    ),
    Row(
        "§4.1, Table 2",
        "ADM over whole lists has nothing to do with AP and R-precision (P2: .03, .05): −.089, −.020; " + NOT_THERE,
        f"{CORRELATIONS} 5",
        ("\nADM,", "-0.088581", "-0.020486"),
        needs="dl21",
    ),
    Row(
        "§4.1, Table 2",
        "ADM by rank agrees more (P2: .35, .37): .739, .615 in lists of 100",
        f"{CORRELATIONS} 5",
        ("\nADM(srs='rank'),", "0.738863", "0.614596"),
        needs="dl21",
    ),
    Row(
        "§4.1, Table 2",
        "ADM and ADM by rank hardly agree (P2: .25): −.182",
        f"{CORRELATIONS} 5",
        ("\nADM(srs='rank'),", "-0.18177"),
        needs="dl21",
    ),
    Row(
        "§2 and §4.1, TREC-8",
        "the same on TREC-8, lists of 1000: AP and R-precision .922, ADM −.107 and −.091, ADM by rank .883 and .875",
        f"{CORRELATIONS_TREC8} 5",
        ("\nRprec,", "0.921911", "\nADM,", "-0.106857", "-0.090507", "\nADM(srs='rank'),", "0.882723", "0.875143"),
        needs="trec8",
        slow=True,
    ),
    Row(
        "§2, TREC-8",
        "ADM evaluates as Rel-Ret, AP and R-precision do: by rank .810 with the number of relevant retrieved documents",
        f"{CORRELATIONS_TREC8} 5 -m NumRelRet",
        ("measure,mean,deviation,iqr,AP,Rprec,NumRelRet,ADM,ADM(srs='rank')", "\nADM(srs='rank'),", "0.81047"),
        needs="trec8",
        slow=True,
    ),
    Row(
        "§4.1, Figure 3",
        "median SRS within each category, for a topic and a system",
        "mensura adm $DL/qrels.txt $DL/runs/p_unicoil0.gz --topic 2082",
        (
            "0.8750         26      0.6497",
            "0.6250         10      0.3234",
            "0.3750         17      0.6503",
            "0.1250         47      0.2118",
        ),
        needs="dl21",
    ),
    Row(
        "§4.1, Figures 3 and 4",
        "URS as a step function, SRS of the documents of a level side by side",
        LISTS
        + """
measured = one({"q": {"a": 1, "b": 0, "c": 1, "d": 0}}, {"q": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}}, ADM())
measured.medians()
""",
        ("[(0.75, 2, 0.66666", "(0.25, 2, 0.33333"),
    ),
    Row(
        "§4.1",
        "about 15 S, 15 A and 20 B documents leave 950 of 1000 that are C or not assessed",
        THOUSAND
        + """
from mensura import ADM, judge, read_qrels
from mensura.adm import distances
measured = distances(judge(read_qrels({"q": grades}), [run("r", 1)], scores=True), "r", "q", ADM())
[(level, documents) for level, documents, _ in measured.medians()]
""",
        ("[(0.875, 15), (0.625, 15), (0.375, 20), (0.125, 950)]",),
        erratum="the paper calls the groups A, B and C, but C is among the remaining 950",
    ),
    Row(
        "§4.1",
        "a steep convex curve has a higher ADM than a linear one, and that than a concave one, for the same ranking",
        THOUSAND + 'means([run("convex", 4), run("linear", 1), run("concave", 0.25)], "ADM", "AP")\n',
        ("{'convex': [0.8295, 1.0], 'linear': [0.633, 1.0], 'concave': [0.3489, 1.0]}",),
    ),
    Row(
        "§4.1",
        "a reversed ranking with a steep curve has a higher ADM than a perfect one with a mild curve",
        THOUSAND + 'means([run("figure 4", 4, reverse=True), run("figure 3", 0.25)], "ADM", "AP")\n',
        ("{'figure 4': [0.782, 0.0259], 'figure 3': [0.3489, 1.0]}",),
    ),
    Row(
        "§4.1",
        "by rank all curves have the same slope: perfect and reversed rankings differ by less than 0.05",
        THOUSAND + 'means([run("perfect", 1), run("reversed", 1, reverse=True)], "ADM(srs=\'rank\')", "AP")\n',
        (
            "'perfect': [0.632",
            "1.0]",
            "'reversed': [0.585",
            "0.0259]",
        ),
    ),
    Row(
        "§4.1",
        "ADM depends on the documents that are not relevant: 3306 of 5300, each with a mean distance of .118",
        "mensura adm $DL/qrels.txt $DL/runs/p_unicoil0.gz -f csv",
        ("p_unicoil0,0.81051", "0.11797", "3306", "0.21911", "868", "0.32155", "731", "0.47854", "395"),
        needs="dl21",
    ),
    Row(
        "§4.1",
        "ADM spreads systems more from scores than from ranks (P2: standard deviations .16 and .07): .047 and .019",
        f"{CORRELATIONS} 5",
        ("\nADM,", "0.047104", "\nADM(srs='rank'),", "0.019476"),
        needs="dl21",
    ),
    Row(
        "§4.1",
        "the IQR has similar values: .058 and .026",
        f"{CORRELATIONS} 5",
        ("\nADM,", "0.0579", "\nADM(srs='rank'),", "0.0262"),
        needs="dl21",
    ),
    # 4.2 Correlations with standard measures
    Row(
        "§4.2, ADM[N]",
        "only the first N documents of a system, and of them those that were assessed",
        VALUES
        + """
grades = {"a": 3, "b": 2, "c": 1}
measures = [f"ADM(srs='rank', documents='{documents}')@3" for documents in ("retrieved", "retrieved-assessed")]
values(grades, {"mine": {"a": 4.0, "x": 3.0, "b": 2.0, "c": 1.0}}, *measures)
""",
        ("{'mine': [0.7083, 0.875]}",),
    ),
    Row(
        "§4.2, Table 3",
        "ADM by rank of the first 5, 10, 20, 50 documents with AP (P2: .747, .792, .8, .788): .636, .672, .699, .635",
        f"{CORRELATIONS} 5,10,20,50",
        (
            "ADM(srs='rank', documents='retrieved-assessed')@5\"",
            "0.636016",
            '@10"',
            "0.672303",
            '@20"',
            "0.698949",
            '@50"',
            "0.635408",
        ),
        needs="dl21",
    ),
    Row(
        "§4.2, Table 3",
        "with R-precision (P2: .755, .802, .816, .799): .521, .556, .603, .646",
        f"{CORRELATIONS} 5,10,20,50",
        (
            "ADM(srs='rank', documents='retrieved-assessed')@5\"",
            "0.520557",
            '@10"',
            "0.556125",
            '@20"',
            "0.60328",
            '@50"',
            "0.646335",
        ),
        needs="dl21",
    ),
    Row(
        "§4.2, Table 3",
        "with rigid AP the correlation is best at 20 documents, as in P2: .759, .782, .843, .827",
        f"{CORRELATIONS} 5,10,20,50",
        (
            "ADM(srs='rank', documents='retrieved-assessed')@5\"",
            "0.759315",
            '@10"',
            "0.781962",
            '@20"',
            "0.843454",
            '@50"',
            "0.827056",
        ),
        needs="dl21",
    ),
    Row(
        "§4.2, Table 3",
        "the drop after 100 documents (P2: .718 at 100, .129 at 200) is not there on TREC-8, lists of 1000: .835 and .798",
        f"{CORRELATIONS_TREC8} 100,200",
        ("retrieved-assessed')@100\"", "0.834565", "retrieved-assessed')@200\"", "0.798158"),
        needs="trec8",
        slow=True,
    ),
    Row(
        "§4.2, Table 4",
        "two levels, relaxed, at 5 and 10 documents (P2: .5 and .492, below four levels): .648 and .691, here not below",
        f"{CORRELATIONS} 5",
        ("levels=2, documents='retrieved-assessed')@5\"", "0.647963", "levels=2, documents='retrieved-assessed')@10\"", "0.69146"),
        needs="dl21",
    ),
    Row(
        "§4.2, Table 4",
        "two levels, rigid, at 5 and 10 documents (P2: .439 and .361): .630 and .664",
        f"{CORRELATIONS} 5",
        ("strict='rigid', documents='retrieved-assessed')@5\"", "0.629825", '@10"', "0.664103"),
        needs="dl21",
    ),
    # 5 Discussion
    Row(
        "§5",
        "fewer documents, four levels: τ of the ranking by the first 20 documents with that by all, and with AP",
        "mensura adm $DL/qrels.txt '$DL/runs/*.gz' --stability --samples 2 --cutoffs 20 -f csv",
        (
            "documents='retrieved-assessed')\",documents,20,0.77376",
            "0.69894",
            "documents='pool')\",documents,20,0.84024",
            "0.73169",
        ),
        needs="dl21",
        erratum="the paper says it of two levels, its Tables 3 and 4 of four",
    ),
    Row(
        "§5, pool",
        "the documents that any system has in its top N; SRS is 0 for what a system did not retrieve, at any rank",
        LISTS
        + """
grades = {"q": {"a": 1, "b": 1, "c": 0}}
scores = {"r": {"a": 1.0, "c": 0.5, "b": 0.25}, "s": {"b": 1.0, "c": 0.5}}
systems = [read_run({"q": scores[name]}, name=name) for name in scores]
from mensura import evaluate
means = evaluate(grades, systems, [ADM(srs="given", urs="ends", documents="pool") @ 1]).means()
{name: mean for name, values in means.items() for mean in values.values()}
""",
        ("{'r': 0.625, 's': 0.5}",),
    ),
    Row(
        "§5, pool",
        "it agrees well by rank on DL: .640, .660, .732, .849 with AP at 5, 10, 20, 50",
        f"{CORRELATIONS} 5,10,20,50",
        ("documents='pool')@5\"", "0.639528", '@10"', "0.66001", '@20"', "0.731694", '@50"', "0.849462"),
        needs="dl21",
    ),
    Row(
        "§5, pool",
        "it does not agree by rank on TREC-8: .246, .142, .039, .189",
        f"{CORRELATIONS_TREC8} 5,10,20,50",
        ("documents='pool')@5\"", "0.246425", '@10"', "0.141507", '@20"', "0.038526", '@50"', "0.188756"),
        needs="trec8",
        slow=True,
    ),
    Row(
        "§5, pool",
        "it does not avoid the paradox: a system with SRS 0 has .695 on TREC-8's pool of 20, and 125 of 129 are below",
        f"{CORRELATIONS_TREC8} 20",
        ("ADM(srs='rank', documents='pool')@20\"", "0.0385", "0.69541", ",125,"),
        needs="trec8",
        slow=True,
        erratum="the paper hopes that it does",
    ),
    Row(
        "§5, pool",
        "with URS 0 and 1 it even disagrees: −.199 with AP, and 127 of 129 systems are below the one that says 0",
        f"{CORRELATIONS_TREC8} 5 -m \"ADM(srs='rank', urs='ends', documents='pool')@20\"",
        ("ADM(srs='rank', urs='ends', documents='pool')@20\"", "-0.1994", ",127,"),
        needs="trec8",
        slow=True,
    ),
    Row(
        "§5, fewer topics",
        "the ranking by ADM from 10 of 53 topics: τ .74 with that from all, AP .76",
        "mensura adm $DL/qrels.txt '$DL/runs/*.gz' --stability --cutoffs 20 -f csv",
        ("AP,topics,10,0.76", "ADM,topics,10,0.738"),
        needs="dl21",
    ),
    Row(
        "§5, fusion",
        "fusion by SRS: the mean over systems, 0 for what one did not retrieve",
        LISTS
        + """
from mensura.adm import fuse
runs = {"r": {"a": 0.9, "b": 0.5}, "s": {"b": 0.7, "c": 0.4}}
judged = judge(read_qrels({"q": {"a": 1, "b": 1}}), [read_run({"q": each}, name=name) for name, each in runs.items()], scores=True)
{document: round(srs, 4) for document, srs in sorted(fuse(judged, ADM(srs="given"))["q"].items())}
""",
        ("{'a': 0.45, 'b': 0.6, 'c': 0.2}",),
    ),
    Row(
        "§5, fusion",
        "the fusion of DL's 63 systems has a higher ADM (.856) and AP (.533) than 62 of them; uogTrPCP has .877 and .050",
        "mensura adm $DL/qrels.txt '$DL/runs/*.gz' --fuse",
        ("uogTrPCP         0.8774  0.0501", "fused            0.8561  0.5329", "ielab-robertav2  0.8342  0.2629"),
        needs="dl21",
    ),
    Row(
        "§5, normalised SRS",
        "groups are asked for SRS from 0 to 1: a check of the scores of runs that claim it",
        LISTS
        + """
from mensura.adm import claims
runs = {"srs": {"a": 0.9, "b": 0.2}, "logits": {"a": 4.0, "b": -1.0}}
judged = judge(read_qrels({"q": {"a": 1, "b": 0}}), [read_run({"q": each}, name=name) for name, each in runs.items()], scores=True)
[row["verdict"] for row in claims(judged, ADM(urs="ends")).rows()]
""",
        ("['SRS; the linear normalisation is better: +0.150', 'not SRS: 2 scores are outside 0 to 1; normalise them']",),
    ),
    Row(
        "§5, paradox",
        "a system with SRS 0 for all documents: 1 less the mean URS, near 1 where few are relevant",
        VALUES
        + """
grades = {f"d{number}": int(number == 0) for number in range(100)}
zero = {"zero": dict.fromkeys(grades, 0.0)}
values(grades, zero, "ADM(srs='given', urs='ends')", "ADM(srs='given')")
""",
        ("{'zero': [0.99, 0.745]}",),
        erratum="the paper says ADM = 1; with the middles of L bins it is at most 1 − 1/(2L)",
    ),
    Row(
        "§5",
        "ADM depends on how SRS falls; AP and R-precision do not",
        THOUSAND + 'means([run("linear", 1), run("quadratic", 2)], "AP", "Rprec", "ADM")\n',
        ("{'linear': [1.0, 1.0, 0.633], 'quadratic': [1.0, 1.0, 0.7563]}",),
    ),
    Row(
        "§5",
        "the logistic transformation, for scores without bounds",
        LISTS + 'one({"q": {"a": 1}}, {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}, ADM(srs="logistic")).srs.round(4).tolist()\n',
        ("[0.7729, 0.5, 0.2271]",),
    ),
    Row(
        "§5",
        "normalisations that keep the rank leave AP as it is and change ADM",
        THOUSAND + 'means([run("r", 2)], "AP", "ADM", "ADM(srs=\'logistic\')", "ADM(trim=5)", "ADM(srs=\'rank\')")\n',
        ("{'r': [1.0, 0.7563, 0.6578, 0.7532, 0.632",),
    ),
    Row(
        "§5",
        "designers know their scores best: what the best monotone map of a system's scores gains",
        "mensura adm $DL/qrels.txt $DL/runs/p_unicoil0.gz --calibration -f csv",
        ("p_unicoil0,0.72218", "0.75664", "0.80210", "0.79926", "0.80340"),
        needs="dl21",
    ),
    Row(
        "§5, steps",
        "the perfect system has a step distribution: ADM = 1",
        VALUES + FOUR + 'values(grades, {"steps": {"a": 0.875, "b": 0.625, "c": 0.375, "d": 0.125}}, "ADM(srs=\'given\')")\n',
        ("{'steps': [1.0]}",),
    ),
    Row(
        "§5, steps (i)",
        "the level closest to SRS: collapsing may lead to larger distances",
        VALUES
        + 'values({"a": 2, "b": 1, "c": 0}, {"mine": {"a": 0.66, "b": 0.5, "c": 0.2}}, '
        + "\"ADM(srs='given')\", \"ADM(srs='given', step='nearest')\")\n",
        ("{'mine': [0.9311, 0.8889]}",),
    ),
    Row(
        "§5, steps (ii)",
        "as many documents at each level as a topic has on average",
        LISTS
        + """
qrels = {"q": {"a": 2, "b": 1, "c": 1, "d": 0}}
one(qrels, {"q": {"d": 9.0, "a": 8.0, "c": 3.0, "b": 2.0}}, ADM(step="expected")).srs.round(4).tolist()
""",
        ("[0.8333, 0.5, 0.5, 0.1667]",),
    ),
    Row(
        "§5, conclusion",
        "ADM of the first N documents by rank is graded precision while no SRS is below 7/8",
        "mensura scale \"ADM(srs='rank', retrieved=1000)@20\" --grades 0,1,2,3 --run 3210 -f json",
        ('"steps": 61', '"interval": true', '"value": 0.2095', '"rank": 7'),
    ),
]


@parametrized(ROWS)
def test_row(row, tmp_path):
    show(row, tmp_path)
