"""The registry of tests and corrections: the facts about each, from which choices, tables and lists are made.

It imports nothing heavy: the command line lists tests before NumPy is loaded. A test function is decorated with
:func:`implements`, beside its definition.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

from mensura.errors import StatisticsError
from mensura.result import Result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

ScaleType = Literal["ordinal", "interval", "ratio"]
Correction = Literal["none", "bonferroni", "holm", "hochberg", "bh", "by", "tukey", "dunnett", "maxT"]
IntervalMethod = Literal["bootstrap-t", "t", "anova", "bca", "randomised"]
INTERVAL_METHODS: tuple[IntervalMethod, ...] = ("bootstrap-t", "t", "anova", "bca", "randomised")
TUKEY = ("tukey1953problem", "hochberg1987multiple")
_TUKEY = "Tukey 1953; Hochberg and Tamhane 1987"


@dataclass(frozen=True, slots=True, kw_only=True)
class Method(Result):
    """The facts about a test.

    Attributes
    ----------
    name, title
        Its short name, and its name in a sentence.
    statistic, distribution
        The statistic of a pair, and what gives its p-value.
    scale
        The least that the values must be: of an ordinal or of an interval scale (P4 §III-E).
    paired
        Are values of the same topic compared with each other? If not, topics are treated as independent samples.
    across
        Are values of different topics compared with each other, or their differences?
    reference, works
        Who described it, where; and the keys of these works in a bibliography.
    family
        The family-wise correction that is part of the test, if there is one.
    other_families
        Family-wise corrections that fit the test beside its own.
    family_only
        Does the test have p-values of the whole family only?
    needs_baseline
        Does the test compare all systems with one?
    random
        Does the result depend on a seed?
    interval
        The method of the intervals of differences that fits the test.
    """

    name: str
    title: str
    statistic: str
    distribution: str
    scale: ScaleType
    paired: bool
    across: bool
    reference: str
    works: tuple[str, ...]
    family: Correction | None = None
    other_families: tuple[Correction, ...] = ()
    family_only: bool = False
    needs_baseline: bool = False
    random: bool = False
    interval: IntervalMethod = "t"

    @classmethod
    def from_dict(cls, document: dict[str, Any]) -> Self:
        """Return the registered test of this name."""
        registered: Any = find_method(document["name"])
        return registered


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionFacts:
    """The facts about a correction for many tests; ``stepwise`` ones need nothing but p-values."""

    title: str
    controls: str
    stepwise: bool
    works: tuple[str, ...] = ()


METHODS: dict[str, Method] = {}
"""All tests by name."""
FUNCTIONS: dict[str, Callable[..., Any]] = {}
"""The functions of the tests whose modules have been imported."""
DEFAULT_TEST = "bootstrap-t"
_FAMILY_WISE = "family-wise error rate"
CORRECTIONS: dict[Correction, CorrectionFacts] = {
    "none": CorrectionFacts(title="not corrected", controls="error rate of each test by itself", stepwise=True),
    "bonferroni": CorrectionFacts(title="Bonferroni", controls=_FAMILY_WISE, stepwise=True, works=("dunn1961means",)),
    "holm": CorrectionFacts(title="Holm", controls=_FAMILY_WISE, stepwise=True, works=("holm1979simple",)),
    "hochberg": CorrectionFacts(title="Hochberg", controls=_FAMILY_WISE, stepwise=True, works=("hochberg1988sharper",)),
    "bh": CorrectionFacts(title="Benjamini–Hochberg", controls="false discovery rate", stepwise=True, works=("benjamini1995fdr",)),
    "by": CorrectionFacts(
        title="Benjamini–Yekutieli", controls="false discovery rate", stepwise=True, works=("benjamini2001dependency",)
    ),
    "tukey": CorrectionFacts(title="Tukey", controls=_FAMILY_WISE, stepwise=False, works=TUKEY),
    "dunnett": CorrectionFacts(title="Dunnett", controls=_FAMILY_WISE, stepwise=False, works=("dunnett1955control",)),
    "maxT": CorrectionFacts(
        title="max-T", controls=_FAMILY_WISE, stepwise=False, works=("westfall1993resampling", "romano2005stepwise")
    ),
}
"""All corrections by name."""

F = TypeVar("F", bound="Callable[..., Any]")


def _known(method: Method) -> Method:
    METHODS[method.name] = method
    return method


def implements(method: Method) -> Callable[[F], F]:
    """Decorate the function of a test, ``function(values, *, baseline, …)``."""

    def remember(function: F) -> F:
        FUNCTIONS[method.name] = function
        return function

    return remember


SIGN = _known(
    Method(
        name="sign",
        title="sign test",
        statistic="wins; ties dropped",
        distribution="exact binomial",
        scale="ordinal",
        paired=True,
        across=False,
        reference="Arbuthnot 1710; Gibbons and Chakraborti 2011, §5.4",
        works=("arbuthnot1710argument", "gibbons2011nonparametric"),
    )
)
RANK_SUM = _known(
    Method(
        name="rank-sum",
        title="Wilcoxon's rank sum test",
        statistic="Mann and Whitney's U; topics as independent samples",
        distribution="exact up to 9 topics, then normal with continuity correction",
        scale="ordinal",
        paired=False,
        across=True,
        reference="Wilcoxon 1945; Mann and Whitney 1947",
        works=("wilcoxon1945ranking", "mann1947test"),
    )
)
SIGNED_RANK = _known(
    Method(
        name="signed-rank",
        title="Wilcoxon's signed rank test",
        statistic="Wilcoxon's W⁺; zero differences dropped",
        distribution="exact up to 100 differences, with ties; then normal, corrected for ties",
        scale="interval",
        paired=True,
        across=True,
        reference="Wilcoxon 1945",
        works=("wilcoxon1945ranking",),
    )
)
STUDENT = _known(
    Method(
        name="t",
        title="paired t-test",
        statistic="Student's t of the differences",
        distribution="t distribution",
        scale="interval",
        paired=True,
        across=True,
        other_families=("maxT",),
        reference="Student 1908",
        works=("student1908mean",),
    )
)
RANDOMISATION = _known(
    Method(
        name="randomisation",
        title="paired randomisation test",
        statistic="mean difference",
        distribution="all signs up to 20 differences, then random signs",
        scale="interval",
        paired=True,
        across=True,
        other_families=("maxT",),
        random=True,
        reference="Fisher 1935; Smucker et al. 2007",
        works=("fisher1935design", "smucker2007comparison"),
    )
)
BOOTSTRAP = _known(
    Method(
        name="bootstrap",
        title="bootstrap test",
        statistic="t of resampled topics",
        distribution="random",
        scale="interval",
        paired=True,
        across=True,
        random=True,
        interval="bootstrap-t",
        reference="Efron and Tibshirani 1993, §16.4; Sakai 2006",
        works=("efron1993bootstrap", "sakai2006bootstrap"),
    )
)
BOOTSTRAP_T = _known(
    Method(
        name="bootstrap-t",
        title="studentised bootstrap test",
        statistic="t of resampled topics, with a stabilised denominator",
        distribution="random; largest of all pairs",
        scale="interval",
        paired=True,
        across=True,
        family="maxT",
        random=True,
        interval="bootstrap-t",
        reference="Westfall and Young 1993; Romano and Wolf 2005; Tusher, Tibshirani and Chu 2001",
        works=("westfall1993resampling", "romano2005stepwise", "tusher2001sam"),
    )
)
ONE_WAY = _known(
    Method(
        name="anova",
        title="one-way ANOVA with Tukey's HSD",
        statistic="one-way; topics as independent samples",
        distribution="Tukey HSD",
        scale="interval",
        paired=False,
        across=True,
        family="tukey",
        interval="anova",
        reference=f"Fisher 1925; {_TUKEY}",
        works=("fisher1925methods", *TUKEY),
    )
)
TWO_WAY = _known(
    Method(
        name="anova-topics",
        title="two-way ANOVA (topic + system) with Tukey's HSD",
        statistic="additive model topic + system",
        distribution="Tukey HSD",
        scale="interval",
        paired=True,
        across=True,
        family="tukey",
        interval="anova",
        reference=f"Tague-Sutcliffe and Blustein 1995; {_TUKEY}",
        works=("tague1995trec3", *TUKEY),
    )
)
KRUSKAL = _known(
    Method(
        name="kruskal",
        title="Kruskal-Wallis test with Tukey's HSD",
        statistic="ranks of all values; topics as independent samples",
        distribution="Tukey HSD on mean ranks",
        scale="ordinal",
        paired=False,
        across=True,
        family="tukey",
        reference=f"Kruskal and Wallis 1952; {_TUKEY}",
        works=("kruskal1952ranks", *TUKEY),
    )
)
FRIEDMAN = _known(
    Method(
        name="friedman",
        title="Friedman's test with Tukey's HSD",
        statistic="ranks within topics",
        distribution="Tukey HSD on mean ranks",
        scale="ordinal",
        paired=True,
        across=False,
        family="tukey",
        reference=f"Friedman 1937; {_TUKEY}",
        works=("friedman1937ranks", *TUKEY),
    )
)
RANDOMISED_TUKEY = _known(
    Method(
        name="randomised-tukey",
        title="randomised Tukey HSD test",
        statistic="largest difference of two means",
        distribution="random shuffles within topics",
        scale="interval",
        paired=True,
        across=True,
        family="maxT",
        family_only=True,
        random=True,
        interval="randomised",
        reference="Carterette 2012; Sakai 2014",
        works=("carterette2012multiple", "sakai2014reform"),
    )
)
DUNNETT = _known(
    Method(
        name="dunnett",
        title="Dunnett's test",
        statistic="as `anova-topics`, against a baseline",
        distribution="Dunnett's distribution",
        scale="interval",
        paired=True,
        across=True,
        family="dunnett",
        needs_baseline=True,
        interval="anova",
        reference="Dunnett 1955",
        works=("dunnett1955control",),
    )
)
NEMENYI = _known(
    Method(
        name="nemenyi",
        title="Nemenyi's test",
        statistic="as `friedman`, without correction for ties",
        distribution="Tukey HSD on mean ranks",
        scale="ordinal",
        paired=True,
        across=False,
        family="tukey",
        reference="Nemenyi 1963; Demšar 2006",
        works=("nemenyi1963free", "demsar2006comparisons"),
    )
)


def names_of_tests(*, baseline: bool = True) -> tuple[str, ...]:
    """Names of all tests; without ``baseline``, of those that compare all pairs."""
    return tuple(name for name, method in METHODS.items() if baseline or not method.needs_baseline)


def names_of_corrections(*, baseline: bool = True) -> tuple[Correction, ...]:
    """Names of all corrections; without ``baseline``, of those that fit tests of all pairs."""
    alone = {method.family for method in METHODS.values() if method.needs_baseline}
    return tuple(name for name in CORRECTIONS if baseline or name not in alone)


OTHER_NAMES = {
    **dict.fromkeys(("student", "ttest", "t-test", "paired-t"), "t"),
    **dict.fromkeys(("wilcoxon", "signedrank", "signed_rank"), "signed-rank"),
    **dict.fromkeys(("fisher", "permutation", "randomization"), "randomisation"),
    **dict.fromkeys(("mann-whitney", "ranksum", "u"), "rank-sum"),
    **dict.fromkeys(("tukey-hsd", "hsd", "randomized-tukey"), "randomised-tukey"),
    "binomial": "sign",
}
OTHER_CORRECTIONS = {
    "fdr": "bh",
    "benjamini-hochberg": "bh",
    "benjamini-yekutieli": "by",
    "max-t": "maxT",
    "westfall-young": "maxT",
}


def find_method(name: str) -> Method:
    """Return the facts about a test, by its name."""
    if name not in METHODS:
        raise StatisticsError(unknown("test", name, METHODS, OTHER_NAMES))
    return METHODS[name]


def find_correction(name: str) -> Correction:
    """Return a correction by its name, in any case."""
    for known in CORRECTIONS:
        if isinstance(name, str) and name.lower() == known.lower():
            return known
    raise StatisticsError(unknown("correction", name, CORRECTIONS, OTHER_CORRECTIONS))


def unknown(what: str, name: object, known: Iterable[str], others: Mapping[str, str] | None = None) -> str:
    """Return the message about a name that is not known, with the nearest ones."""
    if not isinstance(name, str):
        return f"unknown {what} {name!r}; write its name, e.g. {next(iter(known))!r} (mensura compare --help lists all)"
    names = {each.lower(): each for each in known}
    other = (others or {}).get(name.lower())
    near = (
        [other.lower()]
        if other is not None
        else difflib.get_close_matches(name.lower(), names, n=2) or [each for each in names if name.lower().startswith(each)]
    )
    hint = f"; did you mean {' or '.join(repr(names[each]) for each in near[:2])}?" if near else ";"
    return f"unknown {what} {name!r}{hint} (mensura compare --help lists all)".replace("; (", " (")


def choose_test(test: str, correction: str) -> Method:
    """Return the test to use: for ``auto``, the default, or the one that a named correction belongs to."""
    if test != "auto":
        return find_method(test)
    chosen = "auto" if correction == "auto" else find_correction(correction)
    with_it = {"tukey": "anova-topics", "dunnett": "dunnett"}
    plain = chosen not in {"auto", "none"} and CORRECTIONS[chosen].stepwise  # type: ignore[index, unused-ignore]
    return METHODS[with_it.get(chosen, "t" if plain else DEFAULT_TEST)]


def _either(names: list[str]) -> str:
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def choose_correction(method: Method, name: str) -> Correction:
    """Return the correction to use: the test's own for ``auto``, else Holm's."""
    if name == "auto":
        return method.family or "holm"
    chosen = find_correction(name)
    if CORRECTIONS[chosen].stepwise:
        if method.family_only:
            raise StatisticsError(
                f"the {method.title} has p-values of the whole family, which are corrected by "
                f"{CORRECTIONS[method.family or 'none'].title} already; for {chosen}, use the test 't' or 'bootstrap'"
            )
        return chosen
    if chosen == method.family or chosen in method.other_families:
        return chosen
    fits = [each.name for each in METHODS.values() if each.paired and chosen in {each.family, *each.other_families}]
    raise StatisticsError(f"the correction {chosen!r} does not fit the {method.title}; use it with {_either(fits)}")
