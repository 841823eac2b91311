"""P3 §2.10: proof by experiment."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mensura.lint.language import MEASURE, MENTION, RETRIEVES, clause, excused, hit_span
from mensura.lint.rule import FUHR, Hit, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Document

PROOF = Rule(
    code="M001",
    name="proof-by-experiment",
    severity="warning",
    strict="error",
    consequence="an experiment is evidence for the data that were used; it does not prove what holds for all",
    demand="experiments do not prove: say what they show, and on which data",
    reason=(
        "A proof is of statements that hold always. Experiments show what happened on one or a few collections, as tests of a program "
        "show that it worked in those cases (P3 §2.10)."
    ),
    references=(FUHR,),
    wrong="Our experiments prove that dense retrieval is superior.",
    right="On both collections, our experiments show higher nDCG@10 for dense retrieval.",
    fix="Write “show”, “suggest” or “are evidence that”, and name the collections.",
    debate="In everyday English “prove” may mean no more than “show”; in a scientific text it need not be left to the reader to guess.",
)
RULES = (PROOF,)

FOREIGN = re.compile(  # in other languages: results or experiments, and the verb
    r"(?:实验|實驗|结果|結果|评测|評測)[^。；;，,]{0,12}(?<!不)(?<!未)(?:证明|證明)"
    r"|\b(?:(?:Experimente?|Ergebnisse|Versuche?|Evaluation|Evaluierung|Auswertung|Messungen)\b[^.;,]{0,60}\b(?:beweis(?:en|t)|bewiesen)"
    r"|(?:exp[ée]riences|exp[ée]rimentations|r[ée]sultats|[ée]valuations?)\b[^.;,]{0,60}\b(?:prouvent|prouve|ont prouv[ée])"
    r"|(?:experimentos|resultados|evaluaci[óo]n|avalia[çc][ãa]o)\b[^.;,]{0,60}\b(?:prueban|prueba que|probaron que|provam|provaram)"
    r"|(?:esperimenti|risultati|valutazione)\b[^.;,]{0,60}\b(?:provano|prova che|hanno provato)"
    r"|(?:эксперимент\w*|результат\w*)\b[^.;,]{0,60}\b(?:доказыва(?:ет|ют)|доказал\w*))\b",
    re.IGNORECASE,
)
WORD = re.compile(  # not "improve"
    r"\b(?:[Pp](?:rov(?:e[nsd]?|ing|ent|ano?|ato|am|aram)|roofs?|ROV(?:E[NSD]?|ING)|ROOFS?|rouv\w+|rueban?|robaron)|beyond (?:\w+ ){0,2}doubt|beweis(?:en|t)|bewiesen|доказ\w+)\b|证明|證明"
)
SUBJECT = r"(?:experiment\w*|results?|evaluations?|findings?|evidence|stud(?:y|ies)|data|analys[ei]s|tests?|tables?|figures?|comparisons?|improvements?|numbers|observations?|this|these|which|runs?|gains?|simulations?|measurements?|scores?|outcomes?|trials?|ablations?|benchmarks?)"
ADVERB = r"(?:\w+ly |now |also |thus |hence |again |finally |once more |beyond (?:any )?doubt )"
IDIOM = r"(?! (?:nothing|little|hardly|nobody|no one|none|neither|itself|themselves|its worth|to be|to|useful|effective|difficult|hard|helpful|successful|robust|competitive|challenging|crucial|beneficial|sufficient|insufficient|elusive|popular|valuable|essential|fruitful|strong|reliable|less|more|most|very|too|quite|especially|particularly|constant|(?:un|in|im)?\w+(?:able|ible|ive)\b|a (?:strong|hard|tough|useful|valuable))\b)"
PROVES = re.compile(
    rf"\b{SUBJECT}(?: \d+)?(?: (?:on|in|of|from|with|at|for|over|presented|reported|shown) [^.;,]{{1,60}}?)?,? {ADVERB}{{0,2}}(?:have |has |had |do |does |can |could |will |would )?{ADVERB}{{0,2}}(?:prove[ds]?|proven|proving)\b{IDIOM}"
    rf"|\b(?:experimentally|empirically|statistically) (?:\w+ )?prove[nsd]?\b|\bprove[nsd]? (?:experimentally|empirically|statistically|by (?:our |these |the |an |extensive )?(?:\w+ )?experiments?)\b|\bproving (?:experimentally|empirically)\b"
    rf"|\b(?:empirical|experimental|statistical|conclusive|clear|final|definitive|irrefutable) proofs?\b|\b(?:is|are|gives?|provides?|deliver\w*|offer\w*|constitutes?|serve\w* as|giving|providing) (?:\w+ ){{0,2}}proof (?:that|of|for)\b(?! concept)|\bproof (?:that|of) (?:our|the) (?:\w+ )?(?:superiority|effectiveness|method|approach|model)\b"
    rf"|\bwe (?:\w+ly |have )?prove[nds]? (?:on|with|in|by|through|via|using) (?:[\w-]+ ){{0,3}}(?:experiments?|collections?|data ?sets?|benchmarks?|runs|user stud(?:y|ies)|simulations?)\b"
    rf"|\b{SUBJECT}\b[^.;,]{{0,40}}\band (?:\w+ly )?prove[sd]? (?:that|the|our)\b|^\W*Proof: |\b{SUBJECT} (?:is|are|was|were) (?:the|a|our) (?:\w+ )?proof\b(?![- ]of[- ]concept)"
    r"|\bproof enough (?:that|of|for)\b|\b(?:establish|show|demonstrat|confirm|indicat)\w*\b[^.;,]{0,12}\bbeyond (?:any |all |a |reasonable )*doubt\b"
    rf"|\bprove[dn] (?:by|through|in|with) (?:the |our |these |this |an |extensive |all )*(?:[\w-]+ ){{0,2}}(?:experiments?|results?|evaluations?|user stud(?:y|ies)|benchmarks?|ablations?|measurements?)\b|\bhypothes[ie]s\b(?: \w+)?[^.;,]{{0,12}}\b(?:is|are|was|were|has been|have been) (?:\w+ )?prove[dn]\b(?! (?:wrong|false|incorrect))"
    rf"|, (?:thereby |thus |hence |clearly |conclusively )*proving (?:that|the|our|its)\b"
    rf"|\bdemonstrabl[ey] prove[sdn]?\b|\bprove[sdn]? (?:on|with|over) (?:the |our |a |an |this |both |all )*(?:[\w-]+ ){{0,2}}(?:test (?:sets?|collections?|queries|data)|collections|data ?sets?|benchmarks)\b",
    re.IGNORECASE,
)
CLAIMED = re.compile(
    r"\b(?:we|I|us) (?:\w+ly |have |can |also |now |thus )*prove[nd]? (?:that|the|our|its|how|this)\b|\b(?:to|can|will|could|would|we) proof (?:that|the|our|its|how)\b(?!-)|\b(?:to|can|will|could) prove (?:that|the (?:\w+ )?(?:superiority|effectiveness|benefit|advantage|usefulness|hypothesis|validity|importance|quality)|our|its)\b|\bprove[sdn]? the (?:\w+ )?(?:superiority|effectiveness|benefits?|advantages?|usefulness|validity) of\b",
    re.IGNORECASE,
)
THEORY = re.compile(
    r"\\begin\s?\{(?:theorem|lemma|proof|proposition|corollary)\*?\}|\b(?:Theorem|Lemma|Proposition|Corollary)\s?(?:~|\d|\\ref|\()"
)
FORMAL = re.compile(
    r"\b(?:theorems?|lemmas?|corollar\w+|propositions?|formal(?:ly)?|mathematical\w*|analytical\w*|by induction|axioms?|NP-|upper bound|lower bound|convergence|theoretical(?:ly)?|derivation|logic|proof sketch|q\.?e\.?d|optimality|equation|hard(?:ness)?|NP|(?:time|space|computational|polynomial|worst-case|sample|query) complexity|estimators?|bounds?|invarian\w+|converge[sd]?|monoton\w+|zero-knowledge|correctness)\b",
    re.IGNORECASE,
)


THAT = re.compile(
    r"\b(?:proves|proved|is proved|is proven|was proven|was proved|been proven|been proved) that\b|\bprov(?:es|ed) (?:that )?(?:our|the) (?:assumption|hypothesis|claim|superiority)\b"
)
SEEN = re.compile(
    r"\b(?:experiment\w*|empirical\w*|evaluat\w*|benchmark\w*|results?|test collections?|data ?sets?|measured|observed|divergence|accuracy|drop\w*|scores?)\b|\d\.\d|\.\d\d",
    re.IGNORECASE,
)


SHORT = 40  # characters of “Proof: nDCG@10 is …”
RECORDED = re.compile(
    r"\b(?:records?|logs?|tests?|checks?|hash\w*|certificates?|signatures?|argument|section|reduction)\b", re.IGNORECASE
)


def _observed(text: str) -> re.Match[str] | None:
    """Return the words by which something that was seen or measured, whatever it is called, proves a statement."""
    match = THAT.search(text)
    begin = 0 if match is None or "is p" in match[0] or "was p" in match[0] else clause(text, *match.span())[0]
    subject = text[begin : match.start()] if match is not None else ""
    if match is None or not (MEASURE.search(subject) or SEEN.search(subject)) or RECORDED.search(subject):
        return None
    return (
        None
        if re.search(r"\b(?:[A-Z]\w+ (?:et al|\[\d|\()|[Aa]uthors?|in \[\d|they|he|she|who)\b[^.;]{0,30}$", text[: match.start()])
        else match
    )


ASKED = re.compile(r"\b(?:unless|until|if|whether|once|when|before)\b[^.;]{0,40}$", re.IGNORECASE)  # not yet proven
PROGRAM = re.compile(  # what a program does
    r"\b(?:acceptance|unit|integration|regression|smoke|end-to-end|e2e|automated) tests?\b|\b(?:mutants?|mutations?|pytest|wiring|machinery|byte-?identical\w*|fixtures?|bugs?|registry|parent state|code path)\b",
    re.IGNORECASE,
)


def check(document: Document) -> Iterator[Hit]:
    """Sentences in which an experiment proves something."""
    for sentence in document.matching(WORD):
        text = sentence.normal
        proven = PROVES.search(text)
        match = proven or CLAIMED.search(text) or FOREIGN.search(text)
        if match is None:
            match = _observed(text)
        if match is None or FORMAL.search(text):
            continue
        text = re.sub(r"\bour claim\b", lambda claim: "_" * len(claim[0]), text)
        that = text.find(" that ", match.start())  # what is said to be proven may be a denial
        end = len(text) if that < 0 else max(that, match.end())
        if excused(text[:end], *match.span()) or MENTION.search(text):
            continue
        if proven is None and document.mentions(THEORY):
            continue
        if ASKED.search(text[: match.start()]) or PROGRAM.search(text):
            continue
        if re.match(r"tests?\b", match[0], re.IGNORECASE) and not (
            RETRIEVES.search(text) or re.search(r"\bdata ?sets?|\bcollections?\b|\bexperiment", text)
        ):
            continue
        if match[0].strip(" *_>-").lower().startswith("proof:") and not MEASURE.search(text[:SHORT]):
            continue
        verb = re.search(r"pro(?:v\w+|ofs?)", match[0], re.IGNORECASE)
        inside = re.sub(r"\bno doubt\b", "", match[0][: verb.start()], flags=re.IGNORECASE) if verb is not None else ""
        if re.search(r"\b(?:not|never|no|cannot|neither|nor|hardly)\b|n't\b", inside):
            continue
        yield Hit("M001", *hit_span(sentence, match), match[0])
