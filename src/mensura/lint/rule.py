"""A rule, its findings, and the literature that rules refer to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from mensura.result import Shown

if TYPE_CHECKING:
    from mensura.render.tables import View

Severity = Literal["error", "warning", "note"]
Profile = Literal["neutral", "strict"]


@dataclass(frozen=True, slots=True)
class Rule:
    """One checkable mistake.

    Attributes
    ----------
    code, name
        ``M`` and the last digit of the section of P3, ``D`` for runs and judgments, ``S`` for suppressions; and a name for people.
    severity, strict
        Its severity in the profile ``neutral``, and in ``strict``.
    consequence, demand
        The message in the profile ``neutral``, which states a consequence; and in ``strict``, which states a demand.
    reason, debate, references
        The reason, the objections to it, and the literature on both.
    wrong, right, ending
        Examples, and the ending of the file that they would be in.
    fix
        The way out.
    """

    code: str
    name: str
    severity: Severity
    strict: Severity
    consequence: str
    demand: str
    reason: str
    references: tuple[str, ...]
    wrong: str
    right: str
    fix: str
    debate: str = ""
    ending: str = ".md"

    def message(self, profile: Profile) -> str:
        """Return the sentence that a finding shows."""
        return self.demand if profile == "strict" else self.consequence

    def level(self, profile: Profile) -> Severity:
        """Return its severity in a profile."""
        return self.strict if profile == "strict" else self.severity


UNREADABLE = "S002"  # a file that cannot be read


@dataclass(frozen=True, slots=True)
class Hit:
    """A stretch of text where a rule applies: its offsets, the words there, and whether the evidence is sure (if not, it is a note)."""

    code: str
    start: int
    end: int
    detail: str = ""
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Spot:
    """Another place of a finding: its file, page (0: the file has none), lines and columns, and the words there."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    page: int = 0
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that a document breaks, as it is reported: the first place, and all others.

    Lines and columns count from 1, columns in characters. ``detail`` are the words at the first place.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    code: str
    name: str
    severity: Severity
    message: str
    page: int = 0  # of a PDF, on which lines count; 0 for files without pages
    detail: str = ""
    spots: tuple[Spot, ...] = ()
    document: str = ""  # the file that includes the file of the first place


class Findings(Shown, list[Finding]):
    """Findings, as a list that shows itself."""

    def view(self) -> View:
        """Place, code, severity and message of each finding."""
        from mensura.render.tables import Table, View

        rows = [(f"{each.path}:{each.line}:{each.column}", each.code, each.severity, each.message) for each in self]
        title = f"{len(self)} finding{'' if len(self) == 1 else 's'}"
        table = Table(["place", "code", "severity", "message"], rows, "llll", caption=title, label="findings")
        return View(title, [table] if rows else [])

    def __repr__(self) -> str:
        return f"Findings({len(self)})"


FUHR = "N. Fuhr: Some common mistakes in IR evaluation, and how they can be avoided. SIGIR Forum 51(3), 2017 (P3)"
FERRANTE = (
    "M. Ferrante, N. Ferro, N. Fuhr: Towards meaningful statements in IR evaluation: mapping evaluation measures to interval scales. "
    "IEEE Access 9, 2021 (P4)"
)
SAKAI = "T. Sakai: On Fuhr's guideline for IR evaluation. SIGIR Forum 54(1), 2020"
MOFFAT = "A. Moffat: Batch evaluation metrics in information retrieval: measures, scales, and meaning. IEEE Access 10, 2022"
ROBERTSON = "S. Robertson: A new interpretation of average precision. SIGIR 2008"
RBP = "A. Moffat, J. Zobel: Rank-biased precision for measurement of retrieval effectiveness. ACM TOIS 27(1), 2008"
GMAP = "S. Robertson: On GMAP: and other transformations. CIKM 2006"
RAO = "J. Rao, J. Lin, M. Efron: Reproducible experiments on lexical and temporal feedback for tweet search. ECIR 2015"
KERR = "N. Kerr: HARKing: hypothesizing after the results are known. Personality and Social Psychology Review 2(3), 1998"
CARTERETTE = "B. Carterette: Multiple testing in statistical analysis of systems-based information retrieval experiments. ACM TOIS 30(1), 2012"
REUSE = (
    "B. Carterette: The best published result is random: sequential testing and its effect on reported effectiveness. SIGIR 2015"
)
COHEN = "J. Cohen: The earth is round (p < .05). American Psychologist 49(12), 1994"
REFORM = "T. Sakai: Statistical reform in information retrieval? SIGIR Forum 48(1), 2014"
PRIMAD = "N. Ferro et al.: Increasing reproducibility in IR. SIGIR Forum 50(1), 2016"
TIES = "G. Cabanac et al.: Tie-breaking bias: effect of an uncontrolled parameter on information retrieval evaluation. CLEF 2010"
HOLES = "C. Buckley, E. Voorhees: Retrieval evaluation with incomplete information. SIGIR 2004"
TREC_EVAL = "E. Voorhees, D. Harman: TREC: experiment and evaluation in information retrieval. MIT Press, 2005"
