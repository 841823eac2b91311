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
    rf"|\b(?:if you (?:\w+ )?)?(?:want|need|obtain|get|interested in|access to|request\w*)\b[^.;]{{0,25}}\b{THINGS}\b[^.;]{{0,40}}\b(?:write|send|drop)\b[^.;]{{0,20}}\be?-?mail\b|\b{THINGS}\b[^.;]{{0,30}}\b(?:available|shared|requested|obtained|sent)\b[^.;]{{0,20}}\b(?:by|via|per) (?:e-?mail|mailing)\b"
    rf"|\bneither\b[^.;]{{0,40}}\b{KEPT}\b[^.;]{{0,40}}\b(?:is|are|were|can be) (?:publicly |openly )?(?:available|public|released|shared|published)\b|\b(?:confidentiality|non-disclosure) agreements?\b"
    rf"|\bnot in a position to (?:share|publish|release|disclose)\b|\b(?:{THINGS}|questions|annotations?)\b[^.;]{{0,40}}\b(?:shared|given|sent|made available|provided|available)\b[^.;]{{0,40}}\b(?:when|if) asked\b|\b(?:{THINGS}|questions)\b[^.;]{{0,40}}\b(?:available|shared|provided|sent|given)\b[^.;]{{0,20}}\b(?:up)?on (?:demand|enquiry|inquiry)\b"
    rf"|\b(?:code|data|data ?sets?|implementation)\b\W{{0,5}}(?:is |are |will be )?(?:(?:made )?available|released|published|coming|to be released)? ?(?<=[a-z:] )soon\b|\b{KEPT}\b[^.;]{{0,40}}\b(?:cannot|can not|may not|must not) be (?:re-?distributed|passed on|given|handed out)"
    rf"|\b(?:prompts?|{KEPT})\b (?:is|are|was|were) not (?:disclosed|published|shared|released)\b|\b(?:{KEPT}|topics|prompts)\b[^.;]{{0,30}}\bnot (?:included|part of|contained)\b[^.;]{{0,60}}\b(?:because|due|owing|for)\b[^.;]{{0,30}}\b(?:licen[sc]\w*|privacy|confiden\w*|clients?|customers?|legal|proprietary|NDA)\b"
    rf"|\b{THINGS}\b[^.;]{{0,80}}\bnot possible (?:for us )?to (?:share|publish|release|disclose)\b"
    rf"|\b{THINGS}\b[^.;]{{0,40}}\b(?:cannot|can not|could not|will not|may not|must not) be (?:shared|released|published|disclosed|made (?:public|available)|distributed|open-?sourced)"
    rf"|\b{KEPT}\b (?:is|are|was|were) (?:\w+ )?(?:proprietary|confidential|private|internal)\b"
    rf"|\b{KEPT}\b(?:(?! where | if | when | that | whose | which )[^.;]){{0,30}}\b(?:is|are) not (?:yet )?(?:(?:publicly|openly|freely) (?:available|accessible|released|shared)|public\b|released\b|shared\b)"
    rf"|\b(?:the|our|this|these|both|all) (?:[\w-]+ ){{0,2}}{KEPT} (?:is|are|was|were) (?:not (?:yet )?|un)available\b(?! (?:in|for|at|from)\b)"
    rf"|\b(?:non-disclosure|NDA)\b|\b(?:we|I|it|which|they|authors|company|provider|owner)\b (?:do|does|did|can|could|may|will) not (?:release|share|publish|disclose|open-source) (?:\w+ ){{0,3}}{THINGS}|\b(?:unable|not able|not allowed|not permitted) to (?:release|share|publish|disclose)\b|\b(?:will be|to be) (?:released|made (?:publicly )?available|published|open-?sourced|shared)\b[^.;]{{0,40}}\b(?:(?:up)?on|after|following) (?:the )?(?:paper's )?(?:acceptance|publication)\b|\b(?:will|shall) (?:release|publish|open-source|share) (?:\w+ ){{0,4}}(?:(?:up)?on|after|following) (?:acceptance|publication)",
    re.IGNORECASE,
)
OWNED = re.compile(
    rf"\b(?:proprietary|in-house|company-internal|confidential|commercially sensitive|non-public) (?:(?!(?:of|in|and|or|for|the|models?)\b)[\w-]+ ){{0,3}}(?:{KEPT}|search logs?|search engine|index|platform|test bed)\b(?! (?:processing|structure|representation|tool\w*|format|pipeline))"
    r"|\b(?:private|internal) (?!(?:validation|test|leader\w*|LB|split)\b)(?:[\w-]+ ){0,1}(?:data ?sets?|data|(?:query |search )?logs?|collections?|corpus|test bed)\b(?! (?:structure|representation|processing))",
    re.IGNORECASE,
)
OWNERS = (
    "search engine",
    "marketplace",
    "commerce",
    "company",
    "retailer",
    "hospital",
    "bank",
    "web shop",
    "webshop",
    "publisher",
    "operator",
    "provider",
)
UNNAMED = re.compile(  # data of somebody whose name is not told
    r"\b(?:data ?sets?|data|(?:search |query |click(?:-through)? |transaction |session )?logs?|queries|(?:search )?sessions|corpus|collection|interactions|transactions)\b[^.;()]{0,50}\b(?:from|of|issued to|submitted to|posed to|provided by|owned by|collected by) (?:a|an|one) (?:[\w-]+ ){0,4}?"
    r"(?:search engine|marketplace|e-?commerce (?:\w+ )?(?:sites?|platform|company|website|retailer|search engine|service)|company|retailer|hospital|bank|web ?shop|publisher|operator|(?:service|content|news|telecom\w*|job) provider)\b(?! (?:called|named|like)|,? (?:[A-Z]|\())",
)
USED = re.compile(
    r"\b(?:we|our|I|experiments?)\b[^.;]{0,80}\b(?:evaluat\w+|test(?:ed)?|train\w*|us(?:e|es|ed|ing)|conduct\w*|collect\w*|sampled?|experiment\w*|report\w*|perform\w*|obtain\w*|on a|issued)\b|\b(?:evaluated|experiments?|tested|conducted|trained|collected)\b",
    re.IGNORECASE,
)
EVALUATED = re.compile(
    r"\b(?:we|our|us|I|experiments?|evaluat\w+|benchmark(?:s|ed)?|trained|tested|measured|test (?:quer(?:y|ies)|topics|set))\b",
    re.IGNORECASE,
)
DEFAULTS = re.compile(
    r"\b(?:default|out-of-the-box) (?:hyper-?)?(?:parameters?|settings?|configurations?|parameter (?:values|settings)|options|hyper-?parameters)\b"
    r"|\b(?:with|us(?:e[sd]?|ing)|at|to|on|under|keep|kept|left) (?:(?:its|their|the|all) )*(?:[\w'’]+ )?default values\b"
    r"|\b(?:its|their) standard (?:parameters?|settings?|configuration)\b|\b(?:used|run|ran|taken|applied|employed) (?:directly )?out[- ]of[- ]the[- ]box\b"
    r"|\bwith all (?:options|settings|parameters) (?:left )?unchanged\b"
    r"|\b(?:the )?defaults (?:provided|given|suggested|supplied) by\b|\bdefaults of [A-Z]"
    r"|\b(?:left|kept|set) (?:at|to) (?:their |its |the )?(?:\w+['’]s )?(?:defaults?|default values)\b|\bwith (?:its |their |all )?defaults\b",
    re.IGNORECASE,
)
WITHHELD = re.compile(
    r"\b(?:details|parameters|settings|hyper-?parameters|configuration|set-?up|description)\b[^.;]{0,50}\b(?:omit\w*|skip\w*|left out|not (?:given|reported|listed|described))\b[^.;]{0,40}(?:\b(?:space|brevity|lack|reasons|length|page)\b)?"
    r"|\b(?:for|due to|because of) (?:reasons of |lack of |the )?(?:space|brevity|page limit\w*)\b[^.;]{0,40}\bomit\w*[^.;]{0,40}\b(?:details|parameters|settings|hyper-?parameters|configuration|description)\b"
    r"|\b(?:prompts?|parameters|settings|details)\b[^.;]{0,20}\b(?:cannot|can not|could not) be (?:given|shown|listed|printed|reproduced)\b[^.;]{0,30}\b(?:length|space|page)"
    r"|\b(?:its|their|the|whose) (?:\w+ )?versions? (?:number )?(?:was|were|is|are|has|have) (?:not|never|no longer) (?:been )?(?:recorded|known|noted|written down|documented)\b"
    r"|\b(?:random )?seeds? (?:was|were|is|are) (?:not (?:fixed|set|recorded|controlled)|left unset)\b|\bwithout (?:fixing|setting) (?:a |the )?(?:random )?seeds?\b"
    r"|\b(?:parameters|hyper-?parameters|weights|thresholds?|learning rates?|dropout|batch size|values|depth) (?:was|were|is|are) (?:set|tuned|adjusted|chosen) (?:\w+ )?(?:empirically|manually|by hand|heuristically|by trial and error)\b",
    re.IGNORECASE,
)
NAMED = re.compile(
    r"\b[a-zα-ωA-Z]\w{0,12}\s?=\s?[-−]?\d|\bhttps?:|\bversion \d|\bv?\d+\.\d+(?:\.\d+)?\b|\bgit(?:hub|lab)?\b|\bzenodo\b|\bdoi\b|\bappendix\b|\bsupplement\w*|\b(?:listed|given|reported|described|documented) in (?:Table|Section|Sec|the appendix|App)"
    r"|\b(?:Table|Section|Appendix)\s?\d?[^.;]{0,20}\b(?:lists|gives|documents|reports)|\brepositor(?:y|ies)",
    re.IGNORECASE,
)
VALUES = re.compile(  # in a sentence beside, whose other decimals may be results
    r"\b[a-zα-ωA-Z]\w{0,12}\s?=\s?[-−]?\d|\bversions? \d|\bv\d+\.\d|\bgit(?:hub|lab)\b|\bappendix\b|\b(?:[kb]_?\d?|mu|lambda|[μλ]) (?:is|of|to) \d|\b(?:listed|given|reported|described|documented|values) in (?:Table|Section|Sec|the appendix|App)"
    r"|\b(?:Table|Section|Appendix)\s?\d?[^.;]{0,20}\b(?:lists|gives|documents|reports)",
    re.IGNORECASE,
)
WRITTEN = re.compile(  # code of one's own, beside an address
    r"\b(?:our|my|this (?:paper|work|thesis|project|study)(?:['’]s)?) (?:[\w-]+ ){0,3}(?:code|repositor\w+|implementation|scripts|software|experiments?)\b"
    r"|\b(?:code|scripts?|implementation|data|resources|materials?|runs|experiments|software|everything)\b[^.;]{0,60}\b(?:available|released|published|found|accessible|hosted|shared|provided|open-?sourced?)\b|\b(?:code|scripts?|data|software)(?::| (?:is|are) (?:at|on|in)\b)|\bwe (?:\w+ )?(?:release|publish|share|provide|make)\b",
    re.IGNORECASE,
)
CONDITION = re.compile(r"\b(?:if|when|whenever|where|unless|until|whether)\b[^.;,]{0,60}$", re.IGNORECASE)
ADDRESS = 200  # characters around an address


def _refused(text: str, start: int, end: int) -> bool:
    """Return whether the words are denied: what comes before “and used” is another statement."""
    begin = max(text.rfind(joined, 0, start) for joined in (" and used ", " and kept ", " and left ", " and ran ")) + 1
    return excused(text[begin:], start - begin, end - begin)


def _publishes(document: Document) -> bool:
    """Return whether a text says where its own code is; a link to the code of a library is not that."""
    return any(
        WRITTEN.search(document.text, max(0, match.start() - ADDRESS), match.end() + ADDRESS)
        for match in PUBLISHED.finditer(document.text)
    )


def _version(document: Document, text: str) -> bool:
    """Return whether the version of a tool in the sentence is named somewhere."""
    words = [re.escape(word) for word in dict.fromkeys(re.findall(r"\b[A-Za-z][\w-]{2,}", text))]
    names = [word for word in words if re.search(r"[A-Z-]", word)] or words[:1]
    stated = rf"\b(?:{'|'.join(words)})\W{{0,3}}(?:version |v\.? ?|== ?)\d+\.\d|\b(?:{'|'.join(names)})\W{{0,2}} ?\d+\.\d"
    return bool(words) and re.search(stated, document.text) is not None


P_VALUE = re.compile(r"\bp\s?[<>=≤≥]\s?0?\.\d+", re.IGNORECASE)  # not the value of a parameter
PUBLISHED = re.compile(
    r"(?:github|gitlab|bitbucket|zenodo|osf|figshare|huggingface|anonymous\.4open)\.(?:com|org|io|co|science)|10\.5281/zenodo",
    re.IGNORECASE,
)
ACTED = re.compile(
    r"\b(?:we|our|I|(?:is|are|was|were) (?:\w+ )?(?:run|used|trained|applied|indexed|performed|left|kept|set|taken))\b",
    re.IGNORECASE,
)
OWN = re.compile(
    r"\b(?:(?:we|our|us|I)\b|the (?:first |corresponding )?authors?|this (?:work|paper|study)|experiments?|evaluat\w+|(?:was|were|is|are|be|been) )",
    re.IGNORECASE,
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
        "mail",
        "prompts",
        "included",
        "agreement",
        "possible",
        "position",
        "asked",
        "soon",
        "redistribut",
        "demand",
        "inquiry",
        "enquiry",
        *OWNERS,
    ):
        text = sentence.normal
        for pattern, own in ((CLOSED, OWN), (OWNED, EVALUATED), (UNNAMED, USED)):
            match = pattern.search(text)
            if match is not None and own.search(text) and not _open(text, match):
                yield Hit("M901", *hit_span(sentence, match), match[0])
                break
    for sentence in document.having(
        "omit", "skip", "left out", "not given", "not reported", "not listed", "not described", "seed", "empirically", "manually", "by hand",
        "heuristic", "trial", "version", "length", "cannot be",
    ):  # fmt: skip
        text = sentence.normal
        match = WITHHELD.search(text)
        if match is not None and not NAMED.search(text) and not MANUAL.search(text) and not excused(text, *match.span()):
            yield Hit("M901", *hit_span(sentence, match), match[0])
    yield from _defaults(document)


def _defaults(document: Document) -> Iterator[Hit]:
    """Sentences about defaults of which nobody says what they are."""
    sentences = document.sentences
    for number, sentence in enumerate(sentences):
        match = (
            DEFAULTS.search(sentence.normal)
            if "efault" in sentence.text or "box" in sentence.text or "standard" in sentence.text or "unchanged" in sentence.text
            else None
        )
        if (
            match is None
            or _refused(sentence.normal, *match.span())
            or not ACTED.search(sentence.normal)
            or MANUAL.search(sentence.normal)
        ):
            continue
        if document.code or _publishes(document):
            return  # whoever wants to know a default can look it up in the code
        near = sentences[max(0, number - 1) : number + 2]  # the values may follow
        if CONDITION.search(sentence.normal[: match.start()]) or _version(document, sentence.normal):
            continue
        if not NAMED.search(P_VALUE.sub("", sentence.normal)) and not any(
            VALUES.search(P_VALUE.sub("", each.normal)) for each in near
        ):
            yield Hit("M901", *hit_span(sentence, match), match[0])


MANUAL = re.compile(  # of a tool
    r"\byou (?:may|can|should|must|want)\b|\b(?:arguments?|syntax|factory|missing)\b|\bdefault hyper-?parameters are set for\b|\bif (?:using|you use|this flag|the flag|no |not )|\bchecking will be\b|\bthis (?:flag|option|creates|class|method)\b|\b(?:flag|option) is (?:specified|set|given)\b|\bin this case\b",
    re.IGNORECASE,
)
POLITE = re.compile(r"\bif (?:you|anyone|readers) (?:\w+ )?(?:want|need|like|wish|(?:is|are) interested)\w*", re.IGNORECASE)


def _open(text: str, match: re.Match[str]) -> bool:
    """Return whether it is open after all, or somebody else's."""
    if re.search(
        r"\b(?:no|not|without|never|rather than|instead of|unlike|if|when|whenever|where|unless|in case|avoid\w*)\b[^.;]{0,30}$|\b(?:if|when|whenever)\b[^.;,]{0,60}$|\b(?:do not|don['’]t|never) (?!\w+ed\b)[^.;]{0,60}$",
        POLITE.sub("", text[: match.start()]),
        re.IGNORECASE,
    ):
        return True
    return (
        PUBLISHED.search(text) is not None
        or re.search(
            r"\bhttps?:|\bpublic (?:copy|mirror|version)\b|\banonymi[sz]ed\b|\bbut we (?:publish|release|provide|share)\b|\b(?:archived|available|deposited|is|are) (?:on|at|in) (?:Zenodo|GitHub|GitLab|OSF|figshare)\b|\bnever leaves?\b",
            text,
            re.IGNORECASE,
        )
        is not None
        or re.search(
            r"\b(?:their|this approach|prior work|previous work|future work|next steps?|cop(?:y|ies) of (?:the|our|its)|not applicable|NA|should (?:be|not)|many (?:authors|papers)|mistake|too often|hinder\w*|hamper\w*|prevent\w*|impossible|we also (?:repeat|release|report)|public counterpart|synthetic (?:version|copy)|alongside a public)\b",
            text,
            re.IGNORECASE,
        )
        is not None
    )
