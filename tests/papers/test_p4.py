"""P4, row by row."""

from __future__ import annotations

from tests.papers.rows import Row, parametrized, show
from tests.papers.test_p3 import FILES

STATEMENTS = """
from fractions import Fraction
from mensura.scales import meaningful
from mensura.scales.meaning.statements import (
    CoefficientOfVariation, GeometricMean, HarmonicMean, Mean, Median, Mode, Quantile, ScaleValue, Significant,
    StandardDeviation, Value
)

def verdict(statement, scale, data=None):
    return meaningful(statement, scale, data).meaningful

def on_all(statement):
    return [verdict(statement, scale) for scale in ("nominal", "ordinal", "interval", "ratio")]
"""
PEOPLE = STATEMENTS + "people = {'people': [1, 1, 1, 1, 1, 4, 4, 4, 3, 2]}\nothers = {'people': [17] * 5 + [13] * 3 + [-10, 23]}\n"
WINERIES = STATEMENTS + (
    "wineries = {'X': [6, 6, 12, 17, 32], 'Y': [3, 3, 3, 12, 50]}\n"
    "squared = {name: [value**2 for value in values] for name, values in wineries.items()}\n"
)
TEMPERATURES = STATEMENTS + (
    "celsius = {'Paris': [2, 2, 4, 8, 36], 'Rome': [1, 2, 4, 15, 34]}\n"
    "fahrenheit = {name: [Fraction(9, 5) * value + 32 for value in values] for name, values in celsius.items()}\n"
)
CITIES = STATEMENTS + (
    "today = {'Rome': [20], 'Oslo': [10], 'Rome then': [12], 'Oslo then': [7]}\n"
    "twice = (Value('Rome') - Value('Oslo')).equals(2 * (Value('Rome then') - Value('Oslo then')))\n"
)
# S[N, K] of §IV-D: one topic for each triple [r, n, RB], evaluated by set-based P, R and F1.
UNIVERSE = """
from fractions import Fraction
from mensura import evaluate

def universe(lengths, bases):
    qrels, run = {}, {}
    for n in lengths:
        for base in bases:
            for r in range(min(n, base) + 1):
                topic = f"[{r}, {n}, {base}]"
                qrels[topic] = {f"relevant{i}": 1 for i in range(base)}
                documents = [f"relevant{i}" for i in range(r)] + [f"other{i}" for i in range(n - r)]
                run[topic] = {document: -rank for rank, document in enumerate(documents)}
    return evaluate(qrels, {"all": run}, ["P", "R", "F"])

def image(measure, scores):
    return " ".join(str(Fraction(value).limit_denominator(999)) for value in sorted(set(scores[measure].values[0].round(12))))

def values(topic, scores):
    at = scores["P"].topics.index(topic)
    return " ".join(str(Fraction(scores[measure].values[0, at]).limit_denominator(999)) for measure in "PRF")
"""
ALL_RUNS = "from itertools import product\nfrom mensura import interval_scale, parse_measure, JudgedRuns\n"
TREC8 = """
from mensura import judge, parse_measure
from mensura.stats import kendall
from mensura.study import study
judged = judge("$T8/qrels.txt", "$T8/runs/*.gz", depth=30, compat="trec_eval-9")
"""
TIES = "mensura scale 'DCG(gains={1: 0.25, 2: 0.4, 3: 0.4, 4: 0.7})@1' --grades 0,1,2,3,4"

# Tables 2 and 3, T08: τ of a measure with its ranked version at 5, 10, 20 and 30; distinct values (unq), mid-ranks.
TAUS = {
    "P": ("1.0000 1.0000 1.0000 1.0000", "0.9680 0.9392 0.9043 0.8978"),
    "RBP(p=0.5)": ("1.0000 1.0000 1.0000 1.0000", "1.0000 1.0000 1.0000 1.0000"),
    "RR": ("0.9211 0.8466 0.7677 0.7329", "0.9694 0.9713 0.9736 0.9743"),
    "RBP(p=0.3)": ("0.9522 0.9500 0.9498 0.9498", "0.9522 0.9500 0.9498 0.9498"),
    "RBP(p=0.8)": ("0.9605 0.9527 0.9498 0.9508", "0.9605 0.9527 0.9498 0.9508"),
    "DCG(base=2)": ("0.9759 0.9553 0.9334 0.9128", "0.9622 0.9462 0.9276 0.9094"),
    "DCG(base=10)": ("1.0000 1.0000 0.9537 0.9261", "0.9680 0.9392 0.9045 0.8931"),
    "R": ("0.8145 0.8030 0.7943 0.7948", "0.7973 0.7725 0.7809 0.7625"),
    "AP": ("0.8219 0.8240 0.8195 0.8364", "0.8208 0.8214 0.8161 0.8401"),
    "nDCG(base=2)": ("0.9759 0.9541 0.9285 0.9072", "0.9622 0.9450 0.9227 0.9038"),
    "nDCG(base=10)": ("1.0000 0.9965 0.9452 0.9147", "0.9680 0.9362 0.8970 0.8851"),
}
# Tables 5 and 6, T08_30: Sig/S2NS/NS2S by sign, rank-sum, signed-rank, t, kruskal, friedman, anova, anova-topics.
DECISIONS = {
    "P": "5153/0/0 4276/0/0 5644/0/0 5633/0/0 1740/0/0 2595/0/0 1923/0/0 3362/0/0",
    "RBP(p=0.5)": "4724/0/0 4302/0/0 5108/0/0 5091/0/0 1678/0/0 2228/0/0 1942/0/0 2860/0/0",
    "RR": "4074/0/0 3951/0/0 4578/479/362 4582/903/454 1500/0/0 1813/0/0 1691/288/162 2232/514/130",
    "RBP(p=0.3)": "4724/0/0 4302/0/0 5027/29/110 4801/70/360 1678/0/0 2228/0/0 1728/19/233 2431/8/437",
    "RBP(p=0.8)": "5105/0/0 4375/0/0 5508/165/114 5425/221/123 1781/0/0 2589/0/0 2183/202/43 3473/256/20",
    "DCG(base=2)": "5227/0/0 4425/0/0 5743/260/147 5664/408/161 1812/0/0 2706/0/0 2123/633/59 3608/603/25",
    "DCG(base=10)": "5095/0/0 4307/0/0 5663/260/127 5636/370/132 1750/0/0 2637/0/0 1958/749/36 3437/622/40",
    "R": "5153/0/0 3494/14/796 5434/185/395 5073/303/863 1417/28/351 2595/0/0 406/0/1517 2437/47/972",
    "AP": "5234/0/0 4067/25/385 5659/239/171 5156/335/566 1593/19/225 2706/0/0 389/3/949 2506/170/563",
    "nDCG(base=2)": "5227/0/0 4420/49/54 5726/245/149 5623/384/178 1827/34/19 2706/0/0 2158/668/59 3641/633/22",
    "nDCG(base=10)": "5095/0/0 4312/52/47 5632/250/148 5579/370/189 1782/50/18 2637/0/0 2008/812/49 3476/669/48",
}
# What P4 prints where that is not the same.
PUBLISHED = {
    "RBP(p=0.5)": "one-way ANOVA 1945/0/0, two-way ANOVA 2861/0/0",
    "RR": "two-way ANOVA 2233/511/131",
    "RBP(p=0.3)": "one-way ANOVA 1730/18/233, two-way ANOVA 2432/8/437",
    "RBP(p=0.8)": "one-way ANOVA 2183/200/44, two-way ANOVA 3474/257/20",
    "DCG(base=2)": "one-way ANOVA 2125/633/59, two-way ANOVA 3609/601/25",
    "DCG(base=10)": "one-way ANOVA 1958/747/37, two-way ANOVA 3438/623/41",
    "R": "one-way ANOVA 409/0/1514, two-way ANOVA 2440/47/969",
    "AP": "sign test 5233/0/0, signed rank 5659/242/169, t-test 5156/339/559, one-way ANOVA 391/3/955, two-way ANOVA 2508/171/560",
    "nDCG(base=2)": "one-way ANOVA 2159/667/59, two-way ANOVA 3642/631/22",
    "nDCG(base=10)": "one-way ANOVA 2012/814/50, two-way ANOVA 3478/670/48",
}

IN_DOUBLES = (
    "P4 adds AP up in doubles, so that equal fractions are different values: it prints .8243, .8197, .8377 at 10, 20, 30 "
    "(unq) and .8213 at 10 (mid-ranks)."
)
CRITICAL = "P4 prints {}: its critical value of Tukey's HSD is slightly off (6.2425265 for 129 systems in R, SciPy and Mensura)"
OFF = "P4 prints {}: its critical value is slightly off"
AP_RANKS = "P4 prints {}: it ranks AP in doubles, and its critical value is slightly off"


def table_2_and_3(name):
    """The row of a measure in Tables 2 and 3."""
    return Row(
        "§VIII-A, Tables 2 and 3",
        f"T08: τ of {name} with its ranked version"
        + (", at 5, 10, 20, 30, by distinct values and mid-ranks" if name == "P" else ""),
        TREC8 + f'cells = study(judged, ["{name}"], [5, 10, 20, 30], ["sign"]).cells\n'
        '[" ".join(f"{cell.tau[ties]:.4f}" for cell in cells) for ties in ("unq", "mid")]',
        TAUS[name],
        erratum=IN_DOUBLES if name == "AP" else "",
        needs="trec8",
        slow=True,
    )


def table_5_and_6(name):
    """The row of a measure in Tables 5 and 6."""
    printed = PUBLISHED.get(name, "")
    return Row(
        f"§VIII-C, Table {6 if name in {'R', 'AP', 'nDCG(base=2)', 'nDCG(base=10)'} else 5}",
        f"T08_30: Sig/S2NS/NS2S of {name}" + (" by eight tests" if name == "P" else ""),
        TREC8 + 'tests = ["sign", "rank-sum", "signed-rank", "t", "kruskal", "friedman", "anova", "anova-topics"]\n'
        f'decisions = study(judged, ["{name}"], [30], tests).cells[0].decisions\n'
        '" ".join(f"{decisions[test].sig}/{decisions[test].s2ns}/{decisions[test].ns2s}" for test in tests)',
        (DECISIONS[name],),
        erratum={"AP": AP_RANKS, "RBP(p=0.5)": CRITICAL}.get(name, OFF).format(printed) if printed else "",
        needs="trec8",
        slow=True,
    )


def table_4(one, other, label, taus, erratum=""):
    """A row of Table 4."""
    return Row(
        "§VIII-B, Table 4",
        f"T08_30: τ between {one} and {other}"
        + (", and between their ranked versions" if one == "P" and other == "RBP(p=0.5)" else ""),
        TREC8 + f'found = study(judged, ["{one}", "{other}"], [30], ["sign"]).between(30)\n'
        '[(names, *(f"{tau:.4f}" for tau in taus)) for names, taus in found.items()]',
        (label, taus),
        erratum=erratum,
        needs="trec8",
        slow=True,
    )


ROWS: list[Row] = [
    # III-A, III-B scales
    Row(
        "§I",
        "reciprocal rank: all intervals between ranks have different lengths",
        "mensura properties RR@5 -f csv",
        ("equispaced,Refuted", "0 (00000), 1/5 (00001), 1/4 (00010)"),
    ),
    Row(
        "§III-A",
        "empirical and numerical relational systems: objects or numbers, and relations between them",
        "mensura explain 'relational structure'",
        ("judged runs", "Numbers with ≤"),
    ),
    Row(
        "§III-A",
        "a scale is a homomorphism: it keeps the relations",
        "mensura explain 'homomorphism'",
        ("keeps the relations", "at least the number of r"),
    ),
    Row(
        "§III-A",
        "the representation theorem: under which properties there is a scale",
        "mensura explain 'representation'",
        ("whether there is a scale at all", "axioms"),
    ),
    Row(
        "§III-A",
        "the uniqueness theorem: metres and yards are both scales of length",
        "mensura explain 'uniqueness'",
        ("how they differ", "factor"),
    ),
    Row(
        "§III-A",
        "permissible transformations, φ′ = αφ with α > 0 for length",
        "mensura explain 'permissible transformation'",
        ("x ↦ αx (ratio)",),
    ),
    Row(
        "§III-B1, Example 1",
        "nominal scale: Germany − Greece = Spain (4 − 3 = 1) has no meaning; with the other numbers 23 is Italy",
        STATEMENTS + "statement = (Value('Germany') - Value('Greece')).equals(Value('Spain'))\n"
        "one, other = {'Germany': [4], 'Greece': [3], 'Spain': [1]}, {'Germany': [13], 'Greece': [-10], 'Spain': [17]}\n"
        "(verdict(statement, 'nominal', one), statement.truth(one), statement.truth(other), statement.sides(other))",
        ("False, True, False", "23", "17"),
    ),
    Row(
        "§III-B2, Example 2",
        "ordinal scale: brut is not twice as sweet as extra brut, 12/6 = 2 but 144/36 = 4",
        STATEMENTS + "statement = (Value('brut') / Value('extra brut')).equals(2)\n"
        "one, other = {'brut': [12], 'extra brut': [6]}, {'brut': [144], 'extra brut': [36]}\n"
        "(verdict(statement, 'ordinal', one), *map(str, statement.sides(one) + statement.sides(other)))",
        ("(False, '2', '2', '4', '2')",),
    ),
    Row(
        "§III-B2, Example 2",
        "but the order of two wines is meaningful",
        STATEMENTS + "on_all(Value('brut') > Value('extra brut'))",
        ("[False, True, True, True]",),
    ),
    Row(
        "§III-B3, Example 3",
        "interval scale: 20 °C is not twice as hot as 10 °C, 68/50 = 1.36",
        STATEMENTS + "statement = (Value('warm') / Value('cold')).equals(2)\n"
        "one, other = {'warm': [20], 'cold': [10]}, {'warm': [68], 'cold': [50]}\n"
        "(verdict(statement, 'interval', one), float(statement.sides(one)[0]), float(statement.sides(other)[0]))",
        ("(False, 2.0, 1.36)",),
    ),
    Row(
        "§III-B3, Example 3",
        "equal differences are meaningful: 30 − 20 = 20 − 10 in Celsius, 86 − 68 = 68 − 50 in Fahrenheit",
        STATEMENTS + "statement = (Value('c') - Value('b')).equals(Value('b') - Value('a'))\n"
        "(on_all(statement), *map(str, statement.sides({'a': [10], 'b': [20], 'c': [30]}) + "
        "statement.sides({'a': [50], 'b': [68], 'c': [86]})))",
        ("[False, False, True, True], '10', '10', '18', '18'",),
    ),
    Row(
        "§III-B3",
        "and the ratio of intervals is invariant",
        STATEMENTS + "on_all(((Value('a') - Value('b')) / (Value('c') - Value('d'))).equals(1))",
        ("[False, False, True, True]",),
    ),
    Row(
        "§III-B4, Example 4",
        "ratio scale: kilometres to miles, 0.62 times",
        STATEMENTS + "statement = (Value('far') / Value('near')).equals(5)\n"
        "(on_all(statement), statement.truth({'near': [400], 'far': [2000]}), "
        "statement.truth({'near': [400 * Fraction('0.62')], 'far': [2000 * Fraction('0.62')]}))",
        ("[False, False, False, True], True, True",),
    ),
    # III-C admissible statistics
    Row("§III-C", "nominal scale: mode", STATEMENTS + "on_all(Mode('A').equals(Mode('B')))", ("[True, True, True, True]",)),
    Row(
        "§III-C",
        "ordinal scale: median and quantiles",
        STATEMENTS + "[on_all(Median('A') > Median('B')), on_all(Quantile('A', Fraction(1, 4)) > Quantile('B', Fraction(1, 4)))]",
        ("[[False, True, True, True], [False, True, True, True]]",),
    ),
    Row(
        "§III-C",
        "interval scale: mean and standard deviation",
        STATEMENTS + "[on_all(Mean('A') > Mean('B')), on_all(StandardDeviation('A') > StandardDeviation('B'))]",
        ("[[False, False, True, True], [False, False, True, True]]",),
    ),
    Row(
        "§III-C",
        "ratio scale: geometric and harmonic mean, coefficient of variation",
        STATEMENTS + "[on_all(kind('A') > kind('B')) for kind in (GeometricMean, HarmonicMean, CoefficientOfVariation)]",
        ("[[False, False, False, True], [False, False, False, True], [False, False, False, True]]",),
    ),
    # III-D meaningfulness
    Row(
        "§III-D",
        "“a mouse weighs more than an elephant” is meaningful, and false",
        STATEMENTS + "found = meaningful(Value('mouse') > Value('elephant'), 'ratio', {'mouse': [0.02], 'elephant': [5000]})\n"
        "(found.meaningful, found.truth)",
        ("(True, False)",),
    ),
    Row(
        "§III-D, Example 5",
        "“most people come from Spain” is meaningful on a nominal scale: the mode is 1, and 17",
        PEOPLE + "(verdict(Mode('people').equals(ScaleValue(1)), 'nominal', people), Mode('people').value(people), "
        "Mode('people').value(others))",
        ("(True, 1, 17)",),
    ),
    Row(
        "§III-D, Example 5",
        "“the lowest quartile consists of Spanish people” is not: 1 is Spain, 13 is Germany",
        PEOPLE + "quartile = Quantile('people', Fraction(1, 4))\n"
        "(verdict(quartile.equals(ScaleValue(1)), 'nominal', people), quartile.value(people), quartile.value(others))",
        ("(False, 1, 13)",),
    ),
    Row(
        "§III-D, Example 6",
        "two wineries: the medians 12 > 3 are meaningful on an ordinal scale, 144 > 9",
        WINERIES + "statement = Median('X') > Median('Y')\n"
        "(verdict(statement, 'ordinal', wineries), statement.sides(wineries), statement.sides(squared))",
        ("(True, (12, 3), (144, 9))",),
    ),
    Row(
        "§III-D, Example 6",
        "the means 14.6 > 14.2 are not: 305.8 < 534.2 of the squares",
        WINERIES + "statement = Mean('X') > Mean('Y')\n"
        "(verdict(statement, 'ordinal', wineries), *map(float, statement.sides(wineries) + statement.sides(squared)))",
        ("(False, 14.6, 14.2, 305.8, 534.2)",),
    ),
    Row(
        "§III-D, Example 7",
        "“twice the difference between Rome and Oslo” is meaningful on an interval scale",
        CITIES + "(verdict(twice, 'interval', today), verdict(twice, 'ordinal', today), *map(str, twice.sides(today)))",
        ("(True, False, '10', '10')",),
    ),
    Row(
        "§III-D, Example 7",
        "the median temperatures of Paris and Rome are the same: 4 = 4 °C, 39.2 = 39.2 °F",
        TEMPERATURES + "statement = Median('Paris').equals(Median('Rome'))\n"
        "(verdict(statement, 'interval', celsius), *map(float, statement.sides(celsius) + statement.sides(fahrenheit)))",
        ("(True, 4.0, 4.0, 39.2, 39.2)",),
    ),
    Row(
        "§III-D, Example 7",
        "the mean of Paris is lower: 10.4 < 11.2 °C, 50.72 < 52.16 °F",
        TEMPERATURES + "statement = Mean('Paris') < Mean('Rome')\n"
        "(verdict(statement, 'interval', celsius), *map(float, statement.sides(celsius) + statement.sides(fahrenheit)))",
        ("(True, 10.4, 11.2, 50.72, 52.16)",),
    ),
    Row(
        "§III-D, Example 7",
        "geometric means are not meaningful there: 5.40 > 5.27 °C, 46.74 < 48.17 °F",
        TEMPERATURES + "statement = GeometricMean('Paris') > GeometricMean('Rome')\n"
        "sides = [round(side, 2) for data in (celsius, fahrenheit) for side in statement.sides(data)]\n"
        "(verdict(statement, 'interval', celsius), *sides)",
        ("(False, 5.4, 5.27, 46.74, 48.17)",),
    ),
    Row(
        "§III-D, Example 8",
        "“Rome and Oslo are five times as distant as Rome and Padua” is meaningful: 1242.74 and 248.55 miles",
        STATEMENTS + "mile, statement = Fraction('1.609344'), (Value('Oslo') / Value('Padua')).equals(5)\n"
        "miles = {'Padua': [400 / mile], 'Oslo': [2000 / mile]}\n"
        "(verdict(statement, 'ratio', miles), statement.truth(miles), *(round(float(x), 2) for (x,) in miles.values()))",
        ("(True, True, 248.55, 1242.74)",),
        erratum="P4 puts the five before the larger distance.",
    ),
    Row(
        "§III-D, Example 8",
        "273 K is half as hot as 546 K; in Celsius the ratio is 0, in Fahrenheit .06",
        STATEMENTS + "ratio = Value('one') / Value('other')\n"
        "(on_all(ratio.equals(Fraction(1, 2))), *(round(float(ratio.value({'one': [a], 'other': [b]})), 2) "
        "for a, b in ((273, 546), (0, 273), (32, Fraction('523.4')))))",
        ("[False, False, False, True], 0.5, 0.0, 0.06",),
    ),
    # III-E tests
    Row(
        "§III-E",
        "sign, rank sum, Kruskal-Wallis and Friedman test require an ordinal scale",
        STATEMENTS + 'tests = ("sign", "Wilcoxon rank sum", "Kruskal-Wallis", "Friedman")\n'
        "{test: on_all(Significant('A', 'B', test)) for test in tests}",
        (
            "'sign': [False, True, True, True]",
            "'Wilcoxon rank sum': [False, True, True, True]",
            "'Kruskal-Wallis': [False, True, True, True]",
            "'Friedman': [False, True, True, True]",
        ),
    ),
    Row(
        "§III-E",
        "signed rank, Student's t and ANOVA require an interval scale",
        STATEMENTS + 'tests = ("Wilcoxon signed rank", "Student\'s t", "ANOVA")\n'
        "[on_all(Significant('A', 'B', test)) for test in tests]",
        ("[[False, False, True, True], [False, False, True, True], [False, False, True, True]]",),
    ),
    Row(
        "§III-E",
        "the sign test discards tied samples: 5 wins, 1 loss, 4 ties give 2·7/2^6",
        "from mensura.stats import sign_test\nsign_test([[1, 1, 1, 1, 1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1, 0, 0, 0, 0]]).p",
        ("[0.21875]",),
    ),
    Row(
        "§III-E",
        "so does the signed rank test: differences 1, 2, 3, 4, 5 and three ties give 2/2^5",
        "from mensura.stats import signed_rank\nsigned_rank([[1, 2, 3, 4, 5, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0]]).p",
        ("[0.0625]",),
    ),
    # IV-A, IV-B
    Row(
        "§IV-A",
        "GMAP needs a ratio scale, which AP lacks: refused unless forced",
        "from mensura import AP\nfrom mensura.errors import StatisticsError\nfrom mensura.stats import mean\n"
        'try:\n    mean([[0.2, 0.5]], "geometric", measure=AP())\nexcept StatisticsError as error:\n    answer = error\nanswer',
        ("ratio scale", "AP", "ordinal"),
    ),
    Row(
        "§IV-A",
        "MAP and GMAP may lead to different conclusions",
        FILES + 'write(A="10000 00001", B="01000 01000")\nmensura("evaluate qrels.txt A.txt B.txt -m AP -m \'GM(AP)\' -f csv")',
        ("A,AP,0.6,", "B,AP,0.5,", "A,GM(AP),0.447", "B,GM(AP),0.5"),
    ),
    Row(
        "§IV-A",
        "standardised scores, (mean − mean) / standard deviation, require an interval scale",
        STATEMENTS + "on_all((Mean('A') - Mean('B')) / StandardDeviation('A') > Fraction(1, 2))",
        ("[False, False, True, True]",),
    ),
    Row(
        "§IV-B",
        "precision, recall and F-measure are interval scales for a single topic",
        "mensura properties P@4 R@4 F@4 -f csv",
        ("P@4,4,equispaced,Proven", "5 values", "R@4,4,equispaced,Proven", "5 values", "F@4,4,equispaced,Proven", "5 values"),
    ),
    Row(
        "§IV-B",
        "RBP is an interval scale for p = 1/2",
        "mensura properties 'RBP(p=1/2)@4' -f csv",
        ("equispaced,Proven", "15 steps of 1/16"),
    ),
    Row(
        "§IV-B",
        "only there: not for p = .3 and p = .8",
        "mensura properties 'RBP(p=0.3)@4' 'RBP(p=0.8)@4' -f csv",
        ("equispaced,Refuted", "0 (0000), 189/10000 (0001), 63/1000 (0010)", "equispaced,Refuted", "64/625 (0001), 16/125 (0010)"),
    ),
    Row(
        "§IV-B",
        "AP is not an interval scale",
        "mensura properties AP@4 -f csv",
        ("equispaced,Refuted", "0 (0000), 1/4 (0001), 1/3 (0010)"),
    ),
    Row(
        "§IV-B",
        "generalised precision is an interval scale for evenly spaced gains, not for gains 1 and 5",
        "from mensura import parse_measure\nfrom mensura.scales import scale_facts\n"
        'names = [f"DCG(base=10, gains={{1: 1, 2: {high}}})@4" for high in (2, 5)]\n'
        "[scale_facts(parse_measure(name), None, (0, 1, 2)).type for name in names]",
        ("['interval', 'ordinal']",),
    ),
    Row(
        "§IV-B",
        "graded RBP is an interval scale for p = G/(G + 1): gains ½ and 1 have G = ½, p = 1/3",
        "mensura properties 'RBP(p=1/3, gains={1: 1/2, 2: 1})@4' --grades 0,1,2 -f csv",
        ("equispaced,Proven", "80 steps of 1/81"),
    ),
    Row(
        "§IV-B",
        "not only there: with p = 1/2 the values are equally spaced too",
        "mensura properties 'RBP(p=1/2, gains={1: 1/2, 2: 1})@4' --grades 0,1,2 -f csv",
        ("equispaced,Proven", "30 steps of 1/32"),
        erratum="P4 says “only for p = G/(G + 1)”; the values 0, 1/32, …, 30/32 are equally spaced too.",
    ),
    Row(
        "§IV-B",
        "graded RBP with p = .8 is not",
        "mensura properties 'RBP(p=0.8, gains={1: 1/2, 2: 1})@3' --grades 0,1,2 -f csv",
        ("equispaced,Refuted", "0 (000), 8/125 (001), 2/25 (010)"),
    ),
    Row(
        "§IV-B",
        "DCG is not an interval scale",
        "mensura properties 'DCG(base=2)@4' -f csv",
        ("equispaced,Refuted", "0 (0000), 0.5 (0001), 0.63093 (0010)"),
    ),
    Row(
        "§IV-B",
        "nor is ERR, here with three grades",
        "mensura properties ERR@3 --grades 0,1,2 -f csv",
        ("equispaced,Refuted", "0 (000), 1/12 (001), 1/8 (010)"),
    ),
    Row(
        "§IV-B, Figure 2",
        "the partial order of the 16 runs of length 4",
        "mensura order 4",
        ("16 runs", "20 covers", "110", "10 ", "1100  1101 ", "0100  1000 0101"),
    ),
    Row(
        "§IV-B, Figure 2",
        "the picture has all 16 runs",
        FILES + 'mensura("order 4 --chart hasse.svg")\n'
        'picture = Path("hasse.svg").read_text()\nsum(f">{run:04b}<" in picture for run in range(16))',
        ("16",),
        slow=True,
    ),
    Row(
        "§IV-B",
        "(1, 1, 0, 1) ⪯ (1, 1, 1, 0): one swap",
        "mensura order 1101 1110",
        ("1101 < 1110", "natural distance 1", "ranks 3 and 4"),
    ),
    Row("§IV-B", "(1, 1, 0, 0) ⪯ (1, 1, 1, 0)", "mensura order 1100 1110", ("1100 < 1110", "natural distance 2")),
    Row("§IV-B", "(1, 0, 1, 1) ⪯ (1, 1, 1, 0)", "mensura order 1011 1110", ("1011 < 1110", "natural distance 2")),
    Row("§IV-B", "(1, 1, 0, 0) and (1, 0, 1, 1) are not comparable", "mensura order 1100 1011", ("1100 and 1011", "incomparable")),
    Row(
        "§IV-B",
        "(1, 1, 0, 0) and (0, 1, 1, 1) are not comparable either",
        "mensura order 1100 0111",
        ("1100 and 0111", "incomparable"),
    ),
    Row(
        "§IV-B",
        "measures disagree on incomparable runs: of 1100 and 1011, RBP with p = ½ prefers the first, P, AP and DCG the second",
        ALL_RUNS + "runs = JudgedRuns.from_grades([[[1, 1, 0, 0]], [[1, 0, 1, 1]]], [[9, 4]])\n"
        'names = ("RBP(p=0.5)", "P", "AP", "DCG(base=2)")\n'
        '{name: parse_measure(f"{name}@4").score(runs)[:, 0].round(4).tolist() for name in names}',
        ("[0.75, 0.6875]", "[0.5, 0.75]", "[0.5, 0.6042]", "[2.0, 2.1309]"),
    ),
    Row(
        "§IV-B",
        "and agree on all 110 comparable pairs",
        ALL_RUNS + "from mensura.scales.order.runs import precedes\n"
        "runs = list(product((0, 1), repeat=4))\n"
        "pairs = [(a, b) for a in range(16) for b in range(16) if a != b and precedes(runs[a], runs[b])]\n"
        'names = ("P", "R", "AP", "RR", "RBP(p=0.3)", "RBP(p=0.5)", "RBP(p=0.8)", "DCG(base=2)")\n'
        'ranks = [interval_scale(f"{name}@4").rank(runs) for name in names]\n'
        "(len(pairs), all(rank[a] <= rank[b] for rank in ranks for a, b in pairs))",
        ("(110, True)",),
    ),
    Row(
        "§IV-B, Figure 3",
        "of the measures of Figure 3 only precision (recall) and RBP with p = ½ are equally spaced",
        ALL_RUNS + 'names = ("P", "R", "AP", "RR", "RBP(p=0.3)", "RBP(p=0.5)", "RBP(p=0.8)", "DCG(base=2)")\n'
        '[name for name in names if interval_scale(f"{name}@4").is_equispaced]',
        ("['P', 'R', 'RBP(p=0.5)']",),
    ),
    Row(
        "§IV-B, Figure 3a",
        "precision: five values for 16 runs",
        "mensura scale P@4 -f csv",
        (",4,5,True,1111,1.0,5,", "1110,0.75,4,", "1100,0.5,3,", "1000,0.25,2,", "0000,0.0,1,"),
    ),
    Row(
        "§IV-B, Figure 3b",
        "AP: 15 values; a quarter of its range, above .75 (3 of 4), is not used",
        "mensura scale AP@4 -f csv",
        (",4,15,True,1111,4.0,15,", "1110,3.0,14,", "1101,2.75,13,", "0001,0.25,2,"),
    ),
    Row(
        "§IV-B, Figure 3c",
        "RR: 5 values; the upper half of its range is not used",
        "mensura scale RR@4 -f csv",
        (",4,5,True,", "1111,1.0,5,", "0100,0.5,4,", "0010,0.3333", ",3,,", "0001,0.25,2,"),
    ),
    Row(
        "§IV-B, Figure 3d",
        "RBP with p = .3: 16 values, and nothing between .2919 and .7",
        "mensura scale 'RBP(p=0.3)@4' -f csv",
        (",4,16,True,1111,0.9919,16,", "1000,0.7,9,", "0111,0.2919,8,", "0001,0.0189,2,"),
        erratum="P4 says that half of the range is empty: .7 − .2919 = .4081 is two fifths of it.",
    ),
    Row(
        "§IV-B, Figure 3e",
        "RBP with p = .5: 16 values, from 0 to 15/16 in steps of 1/16",
        "mensura scale 'RBP(p=0.5)@4' -f csv",
        (",4,16,True,1111,0.9375,16,", "1000,0.5,9,", "0111,0.4375,8,", "0001,0.0625,2,"),
    ),
    Row(
        "§IV-B, Figure 3f",
        "RBP with p = .8 reaches .5904 only: it is normalised for infinite runs",
        "mensura scale 'RBP(p=0.8)@4' -f csv",
        (",4,16,True,1111,0.5904,16,", "1100,0.36,11,", "0001,0.1024,2,"),
    ),
    Row(
        "§IV-B, Figure 3",
        "the chart shows the unused range: RBP with p = .8 above .5904",
        "from mensura.render.charts.spacing import spacing\nfrom mensura.scales import properties\n"
        "from mensura import parse_measure\n"
        "names = ('P@4', 'RBP(p=0.8)@4', 'RR@4')\n"
        "rows = spacing([properties(parse_measure(name)) for name in names])['data']['values']\n"
        "[(name, round(max(row['share'] for row in rows if row['measure'] == name), 4)) for name in names]",
        ("('P@4', 1.0)", "('RBP(p=0.8)@4', 0.5904)", "('RR@4', 1.0)"),
    ),
    Row(
        "§IV-B, Figure 3",
        "RBP and DCG are symmetric about the middle, AP and RR are not",
        ALL_RUNS + "runs = list(product((0, 1), repeat=4))\nopposite = [[1 - grade for grade in run] for run in runs]\n\n"
        "def sums(scale):\n    return sorted(set((scale.rank(runs) + scale.rank(opposite)).tolist()))\n\n"
        '{name: sums(interval_scale(f"{name}@4")) for name in ("RBP(p=0.3)", "RBP(p=0.8)", "DCG(base=2)", "AP", "RR")}',
        ("'RBP(p=0.3)': [17]", "'RBP(p=0.8)': [17]", "'DCG(base=2)': [13]", "'AP': [15, 16]", "'RR': [6, 7, 8, 9]"),
    ),
    Row(
        "§IV-B",
        "unequal spacing: mean 4 and median 2 of a uniform variable on 0, 1, 2, 4, 13",
        STATEMENTS + "values = {'X': [0, 1, 2, 4, 13]}\n(str(Mean('X').value(values)), Median('X').value(values))",
        ("('4', 2)",),
    ),
    Row(
        "§IV-B, Example 9",
        "MRR of ranks 1 and 4 (A) and 2 and 2 (B): .625 and .5",
        FILES + 'write(A="1000 0001", B="0100 0100")\nmensura("evaluate qrels.txt A.txt B.txt -m RR -f csv")',
        ("A,RR,0.625,", "B,RR,0.5,"),
    ),
    Row(
        "§IV-B, Example 9",
        "the average ranks 2.5 and 2 give the opposite finding",
        FILES + 'write(A="1000 0001", B="0100 0100")\nmensura("evaluate qrels.txt A.txt B.txt -m MFR -f csv")',
        ("A,MFR,2.5,", "B,MFR,2.0,"),
    ),
    Row(
        "§IV-B, Example 9",
        "and so does the interval scale of RR: mean ranks 3.5 and 4",
        FILES + 'write(A="1000 0001", B="0100 0100")\nmensura("evaluate qrels.txt A.txt B.txt -m RR@4 --interval -f csv")',
        ("A,RR@4,0.625,2,3.5,", "B,RR@4,0.5,2,4.0,"),
    ),
    Row(
        "§IV-B, Table 1",
        "MAP of A, B, C and D: .5625, .5521, .1667, .1771",
        ALL_RUNS + "runs = [[[1, 1, 1, 0], [1, 0, 0, 1]], [[1, 1, 0, 1], [1, 0, 1, 0]],\n"
        "        [[0, 0, 1, 0], [0, 1, 0, 1]], [[0, 0, 0, 1], [0, 1, 1, 0]]]\n"
        'parse_measure("AP").score(JudgedRuns.from_grades(runs, [[9, 4]] * 2)).mean(axis=1).round(4).tolist()',
        ("[0.5625, 0.5521, 0.1667, 0.1771]",),
    ),
    Row(
        "§IV-B, Table 1",
        "on the interval scale of AP, A and B are equal, and C and D",
        ALL_RUNS + "runs = [[[1, 1, 1, 0], [1, 0, 0, 1]], [[1, 1, 0, 1], [1, 0, 1, 0]],\n"
        "        [[0, 0, 1, 0], [0, 1, 0, 1]], [[0, 0, 0, 1], [0, 1, 1, 0]]]\n"
        'interval_scale("AP@4").rank(runs).mean(axis=1).tolist()',
        ("[11.0, 11.0, 4.5, 4.5]",),
    ),
    Row(
        "§IV-B, Example 10",
        "runs 14 and 13 (1110, 1101) are farther apart than runs 10 and 9 (1010, 1001): 1/16 and 1/24",
        "mensura scale AP@4 --run 1110 --run 1101 --run 1010 --run 1001 -f csv",
        ("1110,3.0,14,", "1101,2.75,13,", "1010,1.6666", ",9,,", "1001,1.5,8,"),
        erratum="P4 says that 13 and 14 are much closer.",
    ),
    # IV-C
    Row(
        "§IV-C",
        "τ_b between the means of P and R on TREC-8 at 5, 10, 20, 30, 100 and 1000",
        "from mensura import evaluate\nfrom mensura.stats import kendall\ncuts = (5, 10, 20, 30, 100, 1000)\n"
        'names = [f"{name}@{cut}" for name in "PR" for cut in cuts]\n'
        'means = [scores.mean().round(8) for scores in evaluate("$T8/qrels.txt", "$T8/runs/*.gz", names, compat="trec_eval-9")]\n'
        "[round(kendall(p, r), 4) for p, r in zip(means[:6], means[6:])]",
        ("[0.8145, 0.803, 0.7943, 0.7948, 0.8286, 0.8767]",),
        erratum="P4 quotes .8588, which none of these cut-offs gives; its Table 4 has .7948 at 30.",
        needs="trec8",
        slow=True,
    ),
    Row(
        "§IV-C",
        "τ is .8588 at a cut-off of 263",
        "from mensura import evaluate\nfrom mensura.stats import kendall\n"
        'p, r = (scores.mean().round(8) for scores in evaluate("$T8/qrels.txt", "$T8/runs/*.gz", ["P@263", "R@263"], '
        'compat="trec_eval-9"))\n'
        "round(kendall(p, r), 4)",
        ("0.8588",),
        erratum="P4 does not name the cut-off.",
        needs="trec8",
        slow=True,
    ),
    Row(
        "§IV-C",
        "topic by topic, τ between P and R is 1 on all 50 topics",
        TREC8 + 'p, r = (parse_measure(name).score(judged) for name in ("P@30", "R@30"))\n'
        "[min(taus), max(taus)] if (taus := [round(kendall(p[:, topic], r[:, topic]), 12) for topic in range(50)]) else None",
        ("[1.0, 1.0]",),
        needs="trec8",
        slow=True,
    ),
    Row(
        "§IV-C, Example 11",
        "recall on three topics with 1, 2 and 3 relevant documents: three scales",
        UNIVERSE + "[image('R', universe([3], [base])) for base in (1, 2, 3)]",
        ("['0 1', '0 1/2 1', '0 1/3 2/3 1']",),
    ),
    Row(
        "§IV-C, Example 11", "the union is not equidistant", UNIVERSE + "image('R', universe([3], [1, 2, 3]))", ("0 1/3 1/2 2/3 1",)
    ),
    Row(
        "§IV-C, Example 11",
        "with a fourth topic that has six relevant documents it is",
        UNIVERSE + "image('R', universe([6], [1, 2, 3, 6]))",
        ("0 1/6 1/3 1/2 2/3 5/6 1",),
    ),
    Row(
        "§IV-C",
        "“A is better than B on average” is not meaningful with a scale per topic, even an interval scale",
        STATEMENTS
        + "[meaningful(Mean('A') > Mean('B'), 'interval', per_topic=per_topic).meaningful for per_topic in (False, True)]",
        ("[True, False]",),
    ),
    Row(
        "§IV-C",
        "nor is a significant difference, but for tests within topics",
        STATEMENTS + 'tests = ("sign", "Friedman", "Wilcoxon rank sum", "Student\'s t")\n'
        "[meaningful(Significant('A', 'B', test), 'interval', per_topic=True).meaningful for test in tests]",
        ("[True, True, False, False]",),
    ),
    # IV-D
    Row(
        "§IV-D",
        "S_{n,RB}: P, R and F1 are interval scales there, {0, 1/n, …, (n ∧ RB)/n} for P",
        UNIVERSE + "[image(measure, universe([4], [3])) for measure in 'PRF']",
        ("['0 1/4 1/2 3/4', '0 1/3 2/3 1', '0 2/7 4/7 6/7']",),
    ),
    Row(
        "§IV-D1",
        "P on S[1, K] and S[2, K]: {0, 1} and {0, 1/2, 1}, an interval scale",
        UNIVERSE + "[image('P', universe(range(1, n + 1), range(1, 5))) for n in (1, 2)]",
        ("['0 1', '0 1/2 1']",),
    ),
    Row(
        "§IV-D1",
        "S[2, 2] has nine runs",
        UNIVERSE + "sorted(universe([1, 2], [1, 2])['P'].topics)",
        ("['[0, 1, 1]', '[0, 1, 2]', '[0, 2, 1]', '[0, 2, 2]', '[1, 1, 1]', '[1, 1, 2]', '[1, 2, 1]', '[1, 2, 2]', '[2, 2, 2]']",),
    ),
    Row(
        "§IV-D1",
        "P on S[3, 1] and S[3, 2]: not equally spaced any more",
        UNIVERSE + "[image('P', universe([1, 2, 3], range(1, k + 1))) for k in (1, 2)]",
        ("['0 1/3 1/2 1', '0 1/3 1/2 2/3 1']",),
    ),
    Row(
        "§IV-D1",
        "the three smallest values of P on S[N, K]: 0, 1/N, 1/(N − 1)",
        UNIVERSE + "image('P', universe(range(1, 8), range(1, 4)))",
        ("0 1/7 1/6 1/5",),
    ),
    Row(
        "§IV-D",
        "on the command line: with n and RB fixed P, R and F are equally spaced, together they are not",
        "mensura properties P R F --lengths 1-4 --recall-bases 1-3",
        ("P: 7 values, not equally spaced: 0, 1/4, 1/3", "R: 5 values, not", "F: 10 values, not equally spaced: 0, 2/7, 1/3"),
    ),
    Row(
        "§VIII-B",
        "“A correlates with B more than C does” is meaningful on an ordinal scale for rank correlations",
        "mensura meaning --statement 'tau(A, B) > tau(C, B)' --statement 'pearson(A, B) > pearson(C, B)' -f csv",
        (
            '"tau(A, B) > tau(C, B)",,ordinal,,True',
            '"pearson(A, B) > pearson(C, B)",,ordinal,,False',
            '"pearson(A, B) > pearson(C, B)",,interval,,True',
        ),
    ),
    Row(
        "§IV-D2",
        "R on S[N, 1] and S[N, 2]: {0, 1} and {0, 1/2, 1}; on S[N, 3] not equally spaced",
        UNIVERSE + "[image('R', universe(range(1, 5), range(1, k + 1))) for k in (1, 2, 3)]",
        ("['0 1', '0 1/2 1', '0 1/3 1/2 2/3 1']",),
    ),
    Row(
        "§IV-D2",
        "P and R order [1, 2, 1] and [1, 1, 2] differently; F1 does not separate them",
        UNIVERSE + "scores = universe([1, 2], [1, 2])\n[values(topic, scores) for topic in ('[1, 2, 1]', '[1, 1, 2]')]",
        ("['1/2 1 2/3', '1 1/2 2/3']",),
    ),
    Row(
        "§IV-D3",
        "F1 = 2r/(n + RB), the harmonic mean of P and R: r = 1, n = 3, RB = 2",
        UNIVERSE + "values('[1, 3, 2]', universe([3], [2]))",
        ("1/3 1/2 2/5",),
    ),
    Row(
        "§IV-D3",
        "F1 on S[1, 1], S[2, 1], S[1, 2] and S[2, 2]: an interval scale on the first only",
        UNIVERSE + "[image('F', universe(range(1, n + 1), range(1, k + 1))) for n, k in ((1, 1), (2, 1), (1, 2), (2, 2))]",
        ("['0 1', '0 2/3 1', '0 2/3 1', '0 1/2 2/3 1']",),
    ),
    Row(
        "§IV-D3",
        "the three smallest values of F1 on S[N, K]: 0, 2/(N + K), 2/(N + K − 1)",
        UNIVERSE + "image('F', universe(range(1, 5), range(1, 4)))",
        ("0 2/7 1/3",),
    ),
    Row(
        "§IV-D4",
        "with mixed lengths and recall bases, τ between P, R and F1 is less than 1",
        UNIVERSE + "from mensura.stats import kendall\nscores = universe([1, 2], [1, 2])\n"
        "[round(kendall(scores[a].values[0], scores[b].values[0]), 3) for a, b in ('PR', 'PF', 'RF')]",
        ("[0.808, 0.927, 0.927]",),
    ),
    Row(
        "§IV-D4",
        "the way out for lengths: a cut-off; short lists are padded",
        FILES + 'write(A="11 1100000000")\nmensura("evaluate qrels.txt A.txt -m P -m P@10 -q -f csv")',
        ("A,1,P,1.0", "A,2,P,0.2", "A,1,P@10,0.2", "A,2,P@10,0.2"),
    ),
    Row(
        "§IV-C, §VI-B",
        "lists of different length have different scales: a remark on P without a cut-off",
        "mensura compare $T8/qrels.txt $T8/runs/READWARE2.gz $T8/runs/apl8p.gz -m P --test t",
        ("ordinal scale: its lists have 6 to 1000 documents", "e.g. P@10 [M104]", "READWARE2 (6)"),
        needs="trec8",
    ),
    Row(
        "§IV-D4",
        "P is a ratio scale on lists of one length, not even an interval scale on lists of 2 and 10",
        FILES + 'write(A="11 1100000000", B="11 01")\n'
        "from mensura import P, judge\n"
        "from mensura.scales.facts import facts_for\n"
        "[facts_for(P(), judge('qrels.txt', [name])).type for name in ('A.txt', 'B.txt')]",
        ("['ordinal', 'ratio']",),
    ),
    Row(
        "§VI-B",
        "a plan without a cut-off is a warning",
        "mensura explain M104",
        ("3 relevant documents of 6", "P@10 instead of P", "padded with documents that are not relevant"),
    ),
    Row(
        "§IV-D4",
        "the way out for recall bases: measures that do not depend on them",
        "from mensura import parse_measure\n"
        '[name for name in ("P", "R", "AP", "RBP", "DCG", "nDCG", "RR", "F") if not parse_measure(name).uses_recall_base]',
        ("['P', 'RBP', 'DCG', 'RR']",),
    ),
    # VI
    Row(
        "§VI, Eq. (2)",
        "φ of DCG with base 2, all runs of length 4",
        "mensura scale 'DCG(base=2)@4' -f csv",
        (
            ",4,12,True,1111,3.1309",
            ",12,,",
            "1110,2.6309",
            ",11,,",
            "1101,2.5,10,",
            "0111,2.1309",
            ",9,,",
            "1011,2.1309",
            ",9,,",
            "0001,0.5,2,",
            "0000,0.0,1,",
        ),
    ),
    Row(
        "§VI-A, Figures 4 and 3g",
        "the 16 runs of length 4 have 12 values of DCG, with φ(3.131) = 12 and φ(.5) = 2",
        "mensura scale 'DCG(base=2)@4' -f csv",
        (
            *(
                ",4,12,True,1111,3.1309",
                ",12,,",
                "1110,2.6309",
                ",11,,",
                "1101,2.5,10,",
                "0111,2.1309",
                ",9,,",
                "1011,2.1309",
                ",9,,",
            ),
            *("0001,0.5,2,", "0000,0.0,1,"),
        ),
    ),
    Row(
        "§VI-A, Figure 5",
        "the run (0, 0, 1, 1), (1, 0, 0, 1): 1.131 and 1.5 become 5 and 6",
        "mensura scale 'DCG(base=2)@4' --run 0011 --run 1001 -f csv",
        ("1001,1.5,6,", "0011,1.1309", ",5,,"),
    ),
    Row(
        "§VI, ties",
        "[0, .25, .4, .4, .7] without duplicates (unq): [1, 2, 3, 3, 4]",
        TIES + " --ties unq -f csv",
        ("4,0.7,4,", "2,0.4,3,", "3,0.4,3,", "1,0.25,2,", "0,0.0,1,"),
    ),
    Row(
        "§VI, ties",
        "mid-ranks: [1, 2, 3.5, 3.5, 5]",
        TIES + " --ties mid -f csv",
        ("4,0.7,5.0,", "2,0.4,3.5,", "3,0.4,3.5,", "1,0.25,2.0,", "0,0.0,1.0,"),
    ),
    Row(
        "§VI, ties",
        "min-ranks: [1, 2, 3, 3, 5]",
        TIES + " --ties min -f csv",
        ("4,0.7,5,", "2,0.4,3,", "3,0.4,3,", "1,0.25,2,", "0,0.0,1,"),
    ),
    Row(
        "§VI, ties",
        "max-ranks: [1, 2, 4, 4, 5]",
        TIES + " --ties max -f csv",
        ("4,0.7,5,", "2,0.4,4,", "3,0.4,4,", "1,0.25,2,", "0,0.0,1,"),
    ),
    Row(
        "§VI",
        "closed form for RBP with p = ½: φ(m) = 2^N·m + 1",
        "mensura scale 'RBP(p=0.5)@4' --value 0 --value 1/2 --value 15/16 -f csv",
        (",,0.0,1,", ",,0.5,9,", ",,0.9375,16,"),
        erratum="P4's 2^N·m is one below its own Eq. (2), which counts the value 0 too: φ(0) = 1.",
    ),
    Row(
        "§VI",
        "closed form for RR: φ(m) = N + 2 − 1/m, and φ(0) = 1",
        "mensura scale RR@4 --value 1 --value 1/2 --value 1/4 --value 0 -f csv",
        (",,1.0,5,", ",,0.5,4,", ",,0.25,2,", ",,0.0,1,"),
        erratum="P4's N + 1 − 1/m is one below its own Eq. (2), which counts the value 0 too.",
    ),
    Row(
        "§VI",
        "φ keeps the order of runs: it rises with the value, for every measure of the paper at length 8",
        ALL_RUNS + "runs = list(product((0, 1), repeat=8))\njudged = JudgedRuns.from_grades([[run] for run in runs], [[9, 8]])\n"
        'names = ("P", "R", "RR", "AP", "RBP(p=0.3)", "RBP(p=0.8)", "DCG(base=2)", "nDCG(base=10)")\n\n'
        "def kept(name):\n"
        '    values = parse_measure(f"{name}@8").score(judged)[:, 0].round(12)\n'
        '    pairs = sorted(zip(values, interval_scale(f"{name}@8").rank(runs)))\n'
        "    return all((a[0] < b[0]) == (a[1] < b[1]) for a, b in zip(pairs, pairs[1:]))\n\n"
        "[kept(name) for name in names].count(True)",
        ("8",),
    ),
    Row(
        "§VI-B",
        "DCG with base 2 has another scale for each length: 24 values at 5, 768 at 10, 24 576 at 15",
        ALL_RUNS + '[interval_scale(f"DCG(base=2)@{length}").steps for length in (5, 10, 15)]',
        ("[24, 768, 24576]",),
    ),
    Row(
        "§VI-C, Example 12",
        "recall at length 2 is mapped to 1, 2, 2, 3 for RB = 2 and for RB = 3",
        ALL_RUNS + "runs = [[0, 0], [0, 1], [1, 0], [1, 1]]\n"
        '[interval_scale("R@2", recall_base=base).rank(runs).tolist() for base in (2, 3)]',
        ("[[1, 2, 2, 3], [1, 2, 2, 3]]",),
    ),
    Row(
        "§VI-C, Example 12",
        "while the values are 0, ½, ½, 1 and 0, 1/3, 1/3, 2/3: the steps are stretched",
        ALL_RUNS + "judged = JudgedRuns.from_grades([[[0, 0]] * 2, [[0, 1]] * 2, [[1, 0]] * 2, [[1, 1]] * 2], [[9, 2], [9, 3]])\n"
        'parse_measure("R@2").score(judged).round(4).T.tolist()',
        ("[[0.0, 0.5, 0.5, 1.0], [0.0, 0.3333, 0.3333, 0.6667]]",),
    ),
    Row(
        "§VI-C",
        "one scale of AP for all topics of TREC-8 is a surrogate, with a remark",
        "mensura evaluate $T8/qrels.txt $T8/runs/READWARE2.gz $T8/runs/apl8p.gz -m AP@10 --interval",
        ("AP@10 for all topics is a surrogate", "44 different ones here", "gives each topic its own scale"),
        needs="trec8",
    ),
    Row(
        "§VI-C",
        "also in tests; DCG has one scale",
        "mensura compare $T8/qrels.txt $T8/runs/READWARE2.gz $T8/runs/apl8p.gz -m nDCG@10 -m DCG@10 --test t --scale interval",
        ("nDCG@10 for all topics is a surrogate", "DCG@10 has one for all topics [M105]"),
        needs="trec8",
    ),
    Row(
        "§VI-C",
        "the scale of AP at length 4 is that of its numerator",
        "mensura scale AP@4",
        ("numerator of AP@4", "surrogate for topics with different recall bases"),
    ),
    Row(
        "§VI-C",
        "P and R have one ranked version, DCG and nDCG too",
        ALL_RUNS + "runs = list(product((0, 1), repeat=8))\n"
        "[bool((interval_scale(a).rank(runs) == interval_scale(b).rank(runs)).all()) "
        'for a, b in (("P@8", "R@8"), ("DCG(base=2)@8", "nDCG(base=2)@8"), ("P@8", "DCG(base=2)@8"))]',
        ("[True, True, False]",),
    ),
    Row(
        "§VI-D",
        "without listing 2^30 runs (240 GB): DCG at length 30",
        "mensura scale 'DCG(base=2)@30' --run 110100000000000000000000000001 -f csv",
        (",30,805306368,True,110100000000000000000000000001,2.7037", ",15109004,,"),
    ),
    Row(
        "§VI-D",
        "length 40, “not feasible in practice”: RBP, DCG and RR",
        ALL_RUNS + '[interval_scale(f"{name}@40").steps for name in ("RBP(p=0.5)", "DCG(base=2)", "RR")]',
        ("[1099511627776, 824633720832, 41]",),
        erratum="P4 has 40 TByte for all runs of length 40; with one bit per digit it is 5 TByte.",
    ),
    Row(
        "§VI-D",
        "length 100, bounded: half of the ranks relevant",
        ALL_RUNS + 'bracket = interval_scale("DCG(base=2)@100").bracket([[1, 0] * 50], width=1e-3)\n'
        "(bool(0 < bracket.low[0] < bracket.high[0] < 1), bool(bracket.high[0] - bracket.low[0] <= 1e-3))",
        ("(True, True)",),
    ),
    Row("§VI-D", "four grades at length 30: 4^30 = 2^60 runs", "mensura order 30 --top 3", (f"{2**60} runs",), slow=True),
    Row(
        "§VI-D",
        "multi-graded relevance, left for future work there: nDCG with four grades at length 10",
        "mensura scale nDCG@10 --grades 0,1,2,3 --run 3102000000 -f csv",
        (",10,327680,True,3102000000,4.4922", ",43863,,"),
    ),
    # VII
    Row(
        "§VII",
        "the spaces of runs of length 5, 10, 20, 30: 32, 10^3, 10^6, 10^9",
        ALL_RUNS + '[interval_scale(f"P@{length}").runs for length in (5, 10, 20, 30)]',
        ("[32, 1024, 1048576, 1073741824]",),
    ),
    Row(
        "§VII",
        "T08: 129 runs, 50 topics, binary judgments",
        "mensura study $T8/qrels.txt '$T8/runs/*.gz' --compat trec_eval-9 -m P --lengths 5 --tests sign -o study",
        ("129 systems, 50 topics, binary", "P", "1.0000"),
        needs="trec8",
        slow=True,
    ),
    # VIII-A
    *map(table_2_and_3, TAUS),
    Row(
        "§VIII-A",
        "τ of RR at 30 with its ranked version is 1 within topics, .7329 over all",
        TREC8 + '(cell,) = study(judged, ["RR"], [30], ["sign"]).cells\n(cell.by_topic, round(cell.tau["unq"], 4))',
        ("{'unq': 1.0, 'mid': 1.0}, 0.7329",),
        needs="trec8",
    ),
    Row(
        "§VIII-A1, Figure 6",
        "P at length 5: of 32 runs, 1, 5, 10, 10, 5, 1 have the values 0, .2, .4, .6, .8, 1",
        ALL_RUNS + "from collections import Counter\n"
        'sorted(Counter(interval_scale("P@5").rank(list(product((0, 1), repeat=5))).tolist()).items())',
        ("[(1, 1), (2, 5), (3, 10), (4, 10), (5, 5), (6, 1)]",),
        erratum="P4 reads 20 %, 30 %, 30 %, 20 % off its axis: 5/32 = 15.6 % and 10/32 = 31.3 %.",
    ),
    Row(
        "§VIII-A1, Figure 6",
        "RBP with p = ½: a value of its own for each run, 2^N steps; P: N + 1",
        ALL_RUNS + '[[interval_scale(f"{name}@{length}").steps for length in (5, 10, 20, 30)] for name in ("RBP(p=0.5)", "P")]',
        ("[[32, 1024, 1048576, 1073741824], [6, 11, 21, 31]]",),
    ),
    Row(
        "§VIII-A1, Figure 6",
        "RR: always 5 values from .2 to 1, and 1, 6, 16, 26 below .2",
        ALL_RUNS + "from fractions import Fraction\n"
        '[int(interval_scale(f"RR@{length}").rank_values(Fraction(1, 5))) - 1 for length in (5, 10, 20, 30)] + '
        '[interval_scale("RR@30").steps - 26]',
        ("[1, 6, 16, 26, 5]",),
    ),
    Row(
        "§VIII-A1, Figure 7",
        "RBP with p = .8 reaches .672, .893, .988, .999 at lengths 5, 10, 20, 30",
        ALL_RUNS + "runs = JudgedRuns.from_grades([[[1] * 30]], [[9, 30]])\n"
        '[round(float(parse_measure(f"RBP(p=0.8)@{length}").score(runs)[0, 0]), 3) for length in (5, 10, 20, 30)]',
        ("[0.672, 0.893, 0.988, 0.999]",),
    ),
    Row(
        "§VIII-A1",
        "RBP with p = .3 and p = .5 order runs in the same way, p = .8 in another",
        ALL_RUNS + "runs = list(product((0, 1), repeat=10))\n"
        'half, low, high = (interval_scale(f"RBP(p={p})@10").rank(runs) for p in (0.5, 0.3, 0.8))\n'
        "(bool((half == low).all()), bool((half == high).all()))",
        ("(True, False)",),
    ),
    Row(
        "§VIII-A1, Figure 8",
        "DCG with base 10 counts relevant documents up to length 10: 11 equally spaced values",
        "mensura scale 'DCG(base=10)@10' --run 1110000000 -f json",
        ('"steps": 11,', '"interval": true', '"value": 3.0', '"rank": 4'),
    ),
    Row(
        "§VIII-A1, Figure 8",
        "and then no longer: 11 264 values at length 20",
        "mensura scale 'DCG(base=10)@20' --run 11100000000000000001 -f json",
        ('"steps": 11264', '"interval": false', '"rank": 609'),
    ),
    Row(
        "§VIII-A1",
        "DCG has ever more tied runs, RBP with p = .8 none: runs less values at lengths 5, 10, 20",
        ALL_RUNS
        + 'scales = [[interval_scale(f"{name}@{length}") for length in (5, 10, 20)] for name in ("DCG(base=2)", "RBP(p=0.8)")]\n'
        "[[(scale.runs - scale.steps) for scale in row] for row in scales]",
        ("[[8, 256, 262144], [0, 0, 0]]",),
    ),
    Row(
        "§VIII-A2",
        "all topics of T08 have at least 5 relevant documents, one has fewer than 10",
        "from mensura import read_qrels\nfrom mensura.evaluation.description import describe\n"
        'topics = describe(read_qrels("$T8/qrels.txt")).topics\n'
        "[sum(topic.relevant < number for topic in topics) for number in (5, 10)]",
        ("[0, 1]",),
        needs="trec8",
    ),
    Row(
        "§VIII-A2",
        "P and R of two runs have the same mean ranks on the interval scale",
        "mensura evaluate $T8/qrels.txt $T8/runs/READWARE2.gz $T8/runs/apl8p.gz -m R@30 -m P@30 --interval -f csv",
        (
            "READWARE2,R@30,0.3668",
            "20.06",
            "apl8p,R@30,0.2375",
            "12.24",
            "READWARE2,P@30,0.6353",
            "20.06",
            "apl8p,P@30,0.3746",
            "12.24",
        ),
        needs="trec8",
    ),
    Row(
        "§VIII-A3",
        "mid-ranks are not equally spaced: P at length 4 has 1, 3.5, 8.5, 13.5, 16",
        "mensura scale P@4 --ties mid -f csv",
        ("1111,1.0,16.0,", "1110,0.75,13.5,", "1100,0.5,8.5,", "1000,0.25,3.5,", "0000,0.0,1.0,"),
    ),
    # VIII-B
    table_4("P", "RBP(p=0.5)", "'P', 'RBP_p05'", "'0.7858', '0.7858'"),
    table_4("RBP(p=0.5)", "RBP(p=0.3)", "'RBP_p05', 'RBP_p03'", "'0.9498', '1.0000'"),
    table_4("RBP(p=0.5)", "RR", "'RBP_p05', 'RR'", "'0.8840', '0.6733'"),
    table_4("P", "RR", "'P', 'RR'", "'0.7151', '0.6322'"),
    table_4("R", "P", "'R', 'P'", "'0.7948', '1.0000'"),
    table_4("nDCG(base=2)", "DCG(base=2)", "'nDCG_b02', 'DCG_b02'", "'0.9804', '1.0000'"),
    table_4("nDCG(base=10)", "DCG(base=10)", "'nDCG_b10', 'DCG_b10'", "'0.9610', '1.0000'"),
    table_4("P", "DCG(base=10)", "'P', 'DCG_b10'", "'0.9866', '0.9243'"),
    Row(
        "§VIII-B, Table 4",
        "T08_30: AP and R, AP and P have the same τ on their interval scales",
        TREC8 + 'found = study(judged, ["AP", "R", "P"], [30], ["sign"]).between(30)\n'
        '{names: tuple(round(tau, 4) for tau in taus) for names, taus in found.items() if "AP" in names}',
        ("('R', 'AP'): (0.8859, 0.893)", "('AP', 'P'): (0.8244, 0.893)"),
        erratum="P4 prints .8932 for both ranked versions: it ranks AP in doubles.",
        needs="trec8",
        slow=True,
    ),
    Row(
        "§VIII-B1",
        "T08_30: .9498 for RBP with p = .3 and p = .5 is also τ of RBP with p = .3 and its ranked version",
        TREC8 + 'found = study(judged, ["RBP(p=0.5)", "RBP(p=0.3)"], [30], ["sign"])\n'
        '(f"{found.cells[1].tau[\'unq\']:.4f}", *(f"{tau:.4f}" for tau in found.between(30)["RBP_p05", "RBP_p03"]))',
        ("('0.9498', '0.9498', '1.0000')",),
        needs="trec8",
    ),
    Row(
        "§VIII-B1",
        "T08_30: the τ of RR with P, RBP and DCG is overestimated by 12 to 26 %",
        TREC8 + 'names = ["RR", "P", "RBP(p=0.3)", "RBP(p=0.5)", "RBP(p=0.8)", "DCG(base=2)", "DCG(base=10)"]\n'
        'found = study(judged, names, [30], ["sign"]).between(30)\n'
        'sorted(round(100 * (own - ranked) / own) for names, (own, ranked) in found.items() if "RR" in names)',
        ("[12, 18, 21, 22, 24, 26]",),
        needs="trec8",
    ),
    Row(
        "§VIII-B2",
        "T08_30: the τ of P and R is underestimated by 26 %, those of DCG and nDCG by 1 to 4 %",
        TREC8 + 'pairs = [("P", "R"), ("DCG(base=2)", "nDCG(base=2)"), ("DCG(base=10)", "nDCG(base=10)")]\n'
        'found = [study(judged, pair, [30], ["sign"]).between(30) for pair in pairs]\n'
        "[round(100 * (ranked - own) / own) for each in found for own, ranked in each.values()]",
        ("[26, 2, 4]",),
        needs="trec8",
    ),
    # VIII-C
    *map(table_5_and_6, DECISIONS),
    Row(
        "§VIII, Tables 2 to 6",
        "several tracks side by side and their mean: T08 and passages of Deep Learning 2021",
        "mensura study --collection $T8/qrels.txt '$T8/runs/*.gz' --collection $DL/qrels.txt '$DL/runs/*.gz' "
        "-m P RR AP --lengths 30 --rel 1 -o study",
        ("trec8: 129 systems", "dl21: 63 systems", "τ trec8_30", "τ dl21_30", "mean", "RR", "0.7344", "0.8073", "0.7709"),
        needs="dl21",
        slow=True,
    ),
    Row(
        "§VIII-C1",
        "1923 significantly different pairs by precision and one-way ANOVA on T08_30, on both scales",
        """
from mensura import compare, evaluate
evaluation = evaluate("$T8/qrels.txt", "$T8/runs/*.gz", "P@30", compat="trec_eval-9")
[len(compare(evaluation, test="anova", scale=scale)["P@30"].pairs().significant()) for scale in ("original", "interval")]
""",
        ("[1923, 1923]",),
        needs="trec8",
        slow=True,
    ),
    Row(
        "§VIII-C",
        "the overall change Δ% over the cells that can change, and three other averages, of T08_30",
        "mensura study $T8/qrels.txt '$T8/runs/*.gz' --compat trec_eval-9 --lengths 30 --ties unq -o study",
        (
            "25.1 ± 16.3 % is the mean over the 52 cells",
            "14.8 % over all 88",
            "7.8 % of all",
            "3.4 % of all 726\u202f528 decisions",
        ),
        needs="trec8",
        slow=True,
    ),
    Row(
        "§VIII-C",
        "S2NS and NS2S by groups of measures and tests, of T08_30",
        "mensura study $T8/qrels.txt '$T8/runs/*.gz' --compat trec_eval-9 --lengths 30 --ties unq -o study",
        ("11.2 and 4.9 %", "0.7 and 4.7 %", "10.0 and 46.1 %"),
        erratum="the published tables give 1.2 %, P4 says “around 2”",
        needs="trec8",
        slow=True,
    ),
    Row(
        "§VIII-C",
        "Δ% = (S2NS + NS2S)/Sig: 29.62 % for RR and the t-test",
        "mensura compare $T8/qrels.txt '$T8/runs/*.gz' --compat trec_eval-9 -m RR@30 "
        "--test t --correction none --scale both --pairs 0",
        ("4582 of 8256", "RR@30: 4582", "903", "454", "(29.6"),
        needs="trec8",
        slow=True,
    ),
    Row(
        "§VIII-C",
        "tests without adjustment find many more pairs: t-test of P@30, not corrected and with Holm's correction",
        TREC8 + "from mensura.stats import adjust, paired_t\n"
        'p = paired_t(parse_measure("P@30").score(judged)).p\n'
        '[int((adjust(p, how) <= 0.05).sum()) for how in ("none", "holm")]',
        ("[5633, 2901]",),
        needs="trec8",
        slow=True,
    ),
    Row(
        "§VIII-C1",
        "RR: over 90 % of all runs of length 30 have one of four values, 1, 1/2, 1/3, 1/4",
        ALL_RUNS + 'scale = interval_scale("RR@30")\n_, up_to = scale.runs_up_to([[0, 0, 0, 0, 1] + [0] * 25])\n'
        "1 - int(up_to[0]) / scale.runs",
        ("0.9375",),
    ),
    Row(
        "§VIII-C1",
        "RBP with p = .8 at length 20: the outer 20 % of the runs cover half of the range",
        ALL_RUNS + 'scale = interval_scale("RBP(p=0.8)@20")\n'
        "[round(float(scale.inverse(int(share * scale.steps))), 2) for share in (0.1, 0.9, 1)]",
        ("[0.27, 0.71, 0.99]",),
        slow=True,
    ),
    Row(
        "§VIII-C1",
        "DCG at length 20: the outer 10 % of the values cover half of the range",
        ALL_RUNS + 'scale = interval_scale("DCG(base=2)@20")\n'
        "[round(float(scale.inverse(int(share * scale.steps))), 2) for share in (0.05, 0.95, 1)]",
        ("[2.13, 5.68, 7.81]",),
        slow=True,
    ),
    # IX
    Row(
        "§IX",
        "meaningful statements: of 28 about a leaderboard, the interval scale reverses 1 by AP, none by P, 8 by RR",
        FILES + 'mensura("demo --keep campaign")\n'
        'mensura("meaning campaign/qrels.txt campaign/runs/*.txt -m AP@10 -m P@10 -m RR@10 -f json")',
        ("AP@10", '"reversed": 1', "P@10", '"reversed": 0', "RR@10", '"reversed": 8'),
    ),
    Row(
        "§IX, §IV-C",
        "a note on plans with measures that depend on the recall base",
        "mensura explain M105",
        ("another size on every topic", "§IV-C", "surrogate", "P@k, RBP, DCG@k"),
    ),
    Row(
        "§VIII-C2",
        "T08_30: ordinal tests of recall change too, but for the sign test and Friedman's: rank sum 23.18 %, signed rank 10.67 %, "
        "Kruskal-Wallis 26.75 %",
        TREC8 + 'tests = ["sign", "friedman", "rank-sum", "signed-rank", "kruskal"]\n'
        'found = study(judged, ["R"], [30], tests).cells[0].decisions\n'
        '" ".join(f"{100 * (found[test].s2ns + found[test].ns2s) / found[test].sig:.2f}" for test in tests)',
        ("0.00 0.00 23.18 10.67 26.75",),
        needs="trec8",
    ),
    Row(
        "§VIII-B2, §VIII-C2",
        "a note on plans that name nDCG: DCG could be better",
        FILES + "Path('plan.toml').write_text('primary = \"nDCG@10\"\\n')\n"
        "mensura('lint plan.toml --select M106') + mensura('explain M106')",
        ("M106", "1 to 4 %", "Name DCG@k"),
    ),
    Row(
        "§IX, §I",
        "a note on a paper that does not state its departure from the assumptions",
        FILES + "Path('paper.md').write_text('The run is better by nDCG@10 (t-test, p = 0.013, d = 0.4).')\n"
        "Path('right.md').write_text('The run is better by nDCG@10 (t-test, p = 0.013, d = 0.4), not an interval scale.')\n"
        "mensura('lint paper.md right.md --select M107')",
        ("paper.md", "M107", "1 note"),
    ),
    Row(
        "§IV-C",
        "a t-test of recall over topics with 44 recall bases compares different scales",
        "mensura compare $T8/qrels.txt $T8/runs/READWARE2.gz $T8/runs/apl8p.gz -m R@10 --test t",
        ("changes from topic to topic", "44 different ones here", "P@10 has one scale"),
        needs="trec8",
    ),
    Row(
        "§IX",
        "run length: lint finds lists that are too short",
        FILES + 'write(A="1 01 0001 1000", B="1111100000 1000000000 0000000000 0000000000")\n'
        'mensura("lint qrels.txt A.txt B.txt --select D105")',
        ("A.txt", "D105", "1 warning"),
    ),
    Row(
        "§IX",
        "recall base: of 8256 statements about T08 by AP at 30, 265 hold on every topic",
        "mensura meaning $T8/qrels.txt '$T8/runs/*.gz' -m AP@30 --no-interval",
        ("8256", "one scale per topic", "265"),
        needs="trec8",
        slow=True,
    ),
    Row(
        "§IX",
        "depart from the assumptions, but say so: a t-test of AP has a remark",
        "mensura compare $T8/qrels.txt $T8/runs/READWARE2.gz $T8/runs/apl8p.gz -m AP@30 --test t",
        ("READWARE2", "ordinal", "M103"),
        needs="trec8",
    ),
    Row(
        "§IX",
        "or comply: the test on the interval scale of 805 306 368 steps",
        "mensura compare $T8/qrels.txt $T8/runs/READWARE2.gz $T8/runs/apl8p.gz -m 'DCG(base=2)@30' --test t --scale interval",
        ("interval", "READWARE2 − apl8p", "+280669446", "40/0/10"),
        needs="trec8",
    ),
]


@parametrized(ROWS)
def test_row(row, tmp_path):
    show(row, tmp_path)
