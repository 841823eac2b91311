"""Which works a report cites."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mensura.report.works import WORKS, Entry

if TYPE_CHECKING:
    from mensura.measures.base import Measure
    from mensura.report.build import Report

_TUKEY = ("tukey1953problem", "hochberg1987multiple")
TESTS: dict[str, tuple[str, ...]] = {
    "sign": ("arbuthnot1710argument", "gibbons2011nonparametric"),
    "rank-sum": ("wilcoxon1945ranking", "mann1947test"),
    "signed-rank": ("wilcoxon1945ranking",),
    "t": ("student1908mean",),
    "randomisation": ("fisher1935design", "smucker2007comparison"),
    "bootstrap": ("efron1993bootstrap", "sakai2006bootstrap"),
    "anova": ("fisher1925methods", *_TUKEY),
    "anova-topics": ("tague1995trec3", *_TUKEY),
    "kruskal": ("kruskal1952ranks", *_TUKEY),
    "friedman": ("friedman1937ranks", *_TUKEY),
    "randomised-tukey": ("carterette2012multiple", "sakai2014reform"),
    "dunnett": ("dunnett1955control",),
    "nemenyi": ("nemenyi1963free", "demsar2006comparisons"),
}
CORRECTIONS: dict[str, tuple[str, ...]] = {
    "none": (),
    "bonferroni": ("dunn1961means",),
    "holm": ("holm1979simple",),
    "hochberg": ("hochberg1988sharper",),
    "bh": ("benjamini1995fdr",),
    "by": ("benjamini2001dependency",),
    "tukey": _TUKEY,
    "dunnett": ("dunnett1955control",),
    "maxT": ("westfall1993resampling",),
}
INTERVAL_SCALES = "ferrante2021meaningful"
T_INTERVAL = "student1908mean"
KENDALL = "kendall1945ties"


def measure_entries(measure: Measure) -> tuple[Entry, ...]:
    """Where a measure is from: works that are known, else the reference that the measure itself gives."""
    more = measure_entries(measure.on_topics) if measure.on_topics is not measure else ()
    if measure.works:
        return (*(WORKS[key] for key in measure.works), *more)
    if not measure.reference:
        return more
    key = "measure" + re.sub(r"[^a-z0-9]", "", measure.name.lower())
    return (Entry(key, "misc", "", "", "", (("note", measure.reference),)), *more)


def test_entries(name: str) -> tuple[Entry, ...]:
    """Where a test is from."""
    return tuple(WORKS[key] for key in TESTS[name])


def correction_entries(name: str) -> tuple[Entry, ...]:
    """Where a correction is from."""
    return tuple(WORKS[key] for key in CORRECTIONS[name])


def references(report: Report) -> tuple[Entry, ...]:
    """Everything that the methods paragraph cites, once, in its order."""
    from mensura.report.methods import sentences

    found: dict[str, Entry] = {}
    for sentence in sentences(report):
        for part in sentence:
            if not isinstance(part, str):
                found.update({entry.key: entry for entry in part.entries})
    return tuple(found.values())
