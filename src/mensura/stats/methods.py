"""The facts about every test: what it assumes, and where it is from."""

from __future__ import annotations

from mensura.errors import StatisticsError
from mensura.stats.results import Method

_TUKEY = "Tukey 1953; Hochberg and Tamhane 1987"

SIGN = Method(
    name="sign",
    title="sign test",
    scale="ordinal",
    paired=True,
    across=False,
    reference="Arbuthnot 1710; Gibbons and Chakraborti 2011, §5.4",
)
RANK_SUM = Method(
    name="rank-sum",
    title="Wilcoxon's rank sum test",
    scale="ordinal",
    paired=False,
    across=True,
    reference="Wilcoxon 1945; Mann and Whitney 1947",
)
SIGNED_RANK = Method(
    name="signed-rank",
    title="Wilcoxon's signed rank test",
    scale="interval",
    paired=True,
    across=True,
    reference="Wilcoxon 1945",
)
STUDENT = Method(name="t", title="paired t-test", scale="interval", paired=True, across=True, reference="Student 1908")
RANDOMISATION = Method(
    name="randomisation",
    title="paired randomisation test",
    scale="interval",
    paired=True,
    across=True,
    random=True,
    reference="Fisher 1935; Smucker et al. 2007",
)
BOOTSTRAP = Method(
    name="bootstrap",
    title="bootstrap test",
    scale="interval",
    paired=True,
    across=True,
    random=True,
    reference="Efron and Tibshirani 1993, §16.4; Sakai 2006",
)
ONE_WAY = Method(
    name="anova",
    title="one-way ANOVA with Tukey's HSD",
    scale="interval",
    paired=False,
    across=True,
    family="tukey",
    reference=f"Fisher 1925; {_TUKEY}",
)
TWO_WAY = Method(
    name="anova-topics",
    title="two-way ANOVA (topic + system) with Tukey's HSD",
    scale="interval",
    paired=True,
    across=True,
    family="tukey",
    reference=f"Tague-Sutcliffe and Blustein 1995; {_TUKEY}",
)
KRUSKAL = Method(
    name="kruskal",
    title="Kruskal-Wallis test with Tukey's HSD",
    scale="ordinal",
    paired=False,
    across=True,
    family="tukey",
    reference=f"Kruskal and Wallis 1952; {_TUKEY}",
)
FRIEDMAN = Method(
    name="friedman",
    title="Friedman's test with Tukey's HSD",
    scale="ordinal",
    paired=True,
    across=False,
    family="tukey",
    reference=f"Friedman 1937; {_TUKEY}",
)
RANDOMISED_TUKEY = Method(
    name="randomised-tukey",
    title="randomised Tukey HSD test",
    scale="interval",
    paired=True,
    across=True,
    family="maxT",
    random=True,
    reference="Carterette 2012; Sakai 2014",
)
DUNNETT = Method(
    name="dunnett",
    title="Dunnett's test",
    scale="interval",
    paired=True,
    across=True,
    family="dunnett",
    reference="Dunnett 1955",
)
NEMENYI = Method(
    name="nemenyi",
    title="Nemenyi's test",
    scale="ordinal",
    paired=True,
    across=False,
    family="tukey",
    reference="Nemenyi 1963; Demšar 2006",
)

METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        *(SIGN, RANK_SUM, SIGNED_RANK, STUDENT, RANDOMISATION, BOOTSTRAP),
        *(ONE_WAY, TWO_WAY, KRUSKAL, FRIEDMAN, RANDOMISED_TUKEY, DUNNETT, NEMENYI),
    )
}


def find_method(name: str) -> Method:
    """The facts about a test, by its name."""
    if name not in METHODS:
        raise StatisticsError(f"there is no test {name!r}: use one of {', '.join(METHODS)}")
    return METHODS[name]
