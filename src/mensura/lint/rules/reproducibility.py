"""P3 §2.9: what others cannot repeat."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mensura.lint.language import excused, hit_span
from mensura.lint.rule import FUHR, PRIMAD, Hit, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document

UNREPEATABLE = Rule(
    code="M901",
    name="not-reproducible",
    severity="warning",
    strict="error",
    consequence="others cannot repeat this: the data, the code, a version or a parameter is missing",
    demand="others must be able to repeat this: publish code and data, name versions and parameters",
    reason=(
        "To repeat an experiment one needs the goal, the method with all its details, and the data with the parameters. Code that must be asked "
        "for, data that cannot be had, defaults of an unnamed version: each of them stops a reproduction (P3 §2.9, PRIMAD)."
    ),
    references=(FUHR, PRIMAD),
    wrong="We use Lucene with default parameters.",
    right="We use Lucene 9.7 with BM25 (k1 = 0.9, b = 0.4).",
    fix="Publish code, runs and data where they stay (a repository with an archive), and write versions, parameters and seeds down.",
    debate="Data of users often cannot be shared. Then give the statistics that describe them, and repeat the experiment on a public collection.",
)
RULES = (UNREPEATABLE,)

THINGS = r"(?:code|source code|data|data ?sets?|implementation|software|scripts?|models?|runs?|collections?|queries|(?:query )?logs?|judge?ments?|materials?|resources)"
KEPT = r"(?:code|source code|data|data ?sets?|implementation|software|collections?|corpus|corpora|(?:query )?logs?|judge?ments?)"
CLOSED = re.compile(
    rf"\bavailable (?:up)?on (?:\w+ )?request\b|\b{THINGS}\b[^.;]{{0,80}}\b(?:up)?on (?:\w+ )?request\b|\b(?:contact|e-?mail|ask) the authors? for (?:the )?{THINGS}"
    rf"|\b{THINGS}\b[^.;]{{0,40}}\b(?:cannot|can not|could not|will not|may not|must not) be (?:shared|released|published|disclosed|made (?:public|available)|distributed|open-?sourced)"
    rf"|\b{KEPT}\b (?:is|are|was|were) (?:\w+ )?(?:proprietary|confidential|unavailable|private|internal)\b"
    rf"|\b{KEPT}\b(?:(?! where | if | when | that | whose )[^.;]){{0,30}}\b(?:is|are) (?:not|un)\s?(?:publicly |yet )?(?:available|public|released|shared)"
    rf"|\b(?:non-disclosure|NDA)\b|\b(?:do|can|could|may) not (?:release|share|publish|disclose|open-source) (?:\w+ ){{0,3}}{THINGS}|\b(?:unable|not able|not allowed|not permitted) to (?:release|share|publish|disclose)\b|\b(?:will be|to be) (?:released|made (?:publicly )?available|published|open-?sourced|shared)\b[^.;]{{0,40}}\b(?:up)?on (?:acceptance|publication)\b|\b(?:will|shall) (?:release|publish|open-source|share) (?:\w+ ){{0,4}}(?:up)?on (?:acceptance|publication)",
    re.IGNORECASE,
)
OWNED = re.compile(
    rf"\b(?:proprietary|in-house|company-internal|confidential|commercially sensitive|non-public) (?:[\w-]+ ){{0,3}}(?:{KEPT}|search logs?|search engine|index|platform|test bed)\b(?! (?:processing|structure|representation|tool\w*|format|pipeline))"
    r"|\b(?:private|internal) (?:[\w-]+ ){0,1}(?:data ?sets?|data|(?:query |search )?logs?|collections?|corpus|test bed)\b(?! (?:structure|representation|processing))",
    re.IGNORECASE,
)
EVALUATED = re.compile(
    r"\b(?:we|our|us|I|experiments?|evaluat\w+|benchmark(?:s|ed)?|trained|tested|measured|test (?:quer(?:y|ies)|topics|set))\b",
    re.IGNORECASE,
)
DEFAULTS = re.compile(
    r"\b(?:default|out-of-the-box) (?:hyper-?)?(?:parameters?|settings?|configurations?|values|parameter (?:values|settings)|options|hyper-?parameters)\b"
    r"|\b(?:the )?defaults (?:provided|given|suggested|supplied) by\b|\bdefaults of [A-Z]"
    r"|\b(?:left|kept|set) (?:at|to) (?:their |its |the )?(?:defaults?|default values)\b|\bwith (?:its |their |all )?defaults\b",
    re.IGNORECASE,
)
WITHHELD = re.compile(
    r"\b(?:details|parameters|settings|hyper-?parameters|configuration|set-?up|description)\b[^.;]{0,50}\b(?:omit\w*|skip\w*|left out|not (?:given|reported|listed|described))\b[^.;]{0,40}(?:\b(?:space|brevity|lack|reasons|length|page)\b)?"
    r"|\b(?:for|due to|because of) (?:reasons of |lack of |the )?(?:space|brevity|page limit\w*)\b[^.;]{0,40}\bomit\w*[^.;]{0,40}\b(?:details|parameters|settings|hyper-?parameters|configuration|description)\b"
    r"|\b(?:random )?seeds? (?:was|were|is|are) (?:not (?:fixed|set|recorded|controlled)|left unset)\b|\bwithout (?:fixing|setting) (?:a |the )?(?:random )?seeds?\b"
    r"|\b(?:parameters|hyper-?parameters|weights|thresholds?) (?:was|were|is|are) (?:set|tuned|adjusted|chosen) (?:empirically|manually|by hand|heuristically|by trial and error)\b",
    re.IGNORECASE,
)
NAMED = re.compile(
    r"\b[a-zα-ωA-Z]\w{0,12}\s?=\s?[-−]?\d|\bhttps?:|\bversion \d|\bv?\d+\.\d+(?:\.\d+)?\b|\bgit(?:hub|lab)?\b|\bzenodo\b|\bdoi\b|\bappendix\b|\bsupplement\w*|\b(?:listed|given|reported|described|documented) in (?:Table|Section|Sec|the appendix|App)"
    r"|\b(?:Table|Section|Appendix)\s?\d?[^.;]{0,20}\b(?:lists|gives|documents|reports)|\brepositor(?:y|ies)",
    re.IGNORECASE,
)
P_VALUE = re.compile(r"\bp\s?[<>=≤≥]\s?0?\.\d+", re.IGNORECASE)  # not the value of a parameter
PUBLISHED = re.compile(
    r"(?:github|gitlab|bitbucket|zenodo|osf|figshare|huggingface|anonymous\.4open)\.(?:com|org|io|co|science)|\\url\{|doi\.org",
    re.IGNORECASE,
)
ACTED = re.compile(
    r"\b(?:we|our|I|(?:is|are|was|were) (?:\w+ )?(?:run|used|trained|applied|indexed|performed|left|kept|set|taken))\b",
    re.IGNORECASE,
)
OWN = re.compile(
    r"\b(?:we|our|us|the authors|I|this (?:work|paper|study)|experiments?|evaluat\w+|(?:was|were|is|are|be|been) )", re.IGNORECASE
)


def check(document: Document) -> Iterator[Hit]:
    """Sentences about data, code, versions and parameters that are kept back."""
    for sentence in document.having(
        "request",
        "contact",
        "shared",
        "released",
        "available",
        "proprietary",
        "in-house",
        "internal",
        "confidential",
        "commercially",
        "non-public",
        "closed",
        "private",
        "acceptance",
        "publication",
        "disclose",
        "public",
        "share",
        "release",
        "nda",
    ):
        text = sentence.normal
        for pattern, own in ((CLOSED, OWN), (OWNED, EVALUATED)):
            match = pattern.search(text)
            if match is not None and own.search(text) and not _open(text, match):
                yield Hit("M901", *hit_span(sentence, match), match[0])
                break
    for sentence in document.having(
        "omit", "skip", "left out", "not given", "not reported", "not listed", "not described", "seed", "empirically", "manually", "by hand",
        "heuristic", "trial",
    ):  # fmt: skip
        text = sentence.normal
        match = WITHHELD.search(text)
        if match is not None and not NAMED.search(text) and not excused(text, *match.span()):
            yield Hit("M901", *hit_span(sentence, match), match[0])
    sentences = document.sentences
    for number, sentence in enumerate(sentences):
        match = DEFAULTS.search(sentence.normal) if "efault" in sentence.text or "box" in sentence.text else None
        if match is None or excused(sentence.normal, *match.span()) or not ACTED.search(sentence.normal):
            continue
        if PUBLISHED.search(document.text) or document.code:
            return  # whoever wants to know a default can look it up in the code
        near = sentences[max(0, number - 1) : number + 2]  # the values may follow
        if not any(NAMED.search(P_VALUE.sub("", each.normal)) for each in near):
            yield Hit("M901", *hit_span(sentence, match), match[0])


def _open(text: str, match: re.Match[str]) -> bool:
    """Return whether it is open after all, or somebody else's."""
    if re.search(
        r"\b(?:no|not|without|never|rather than|instead of|unlike|if|when|whenever|where|unless|in case|avoid\w*)\b[^.;]{0,30}$|\b(?:do not|don['’]t|never) (?!\w+ed\b)[^.;]{0,60}$",
        text[: match.start()],
        re.IGNORECASE,
    ):
        return True
    return (
        re.search(
            r"\b(?:should (?:be|not)|many (?:authors|papers)|mistake|too often|hinder\w*|hamper\w*|prevent\w*|impossible|we also (?:repeat|release|report)|public counterpart|synthetic (?:version|copy)|alongside a public)\b",
            text,
            re.IGNORECASE,
        )
        is not None
    )
