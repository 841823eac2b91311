"""P3's ten points as a checklist for authors and reviewers: the question, the rules that look for it, and what they cannot see."""

from __future__ import annotations

from typing import NamedTuple

FOUND, CLEAR, UNKNOWN = "found", "not found", "cannot be told"  # verdicts on a point


class Point(NamedTuple):
    """One of P3's ten points.

    ``section`` is its section of P3; ``codes`` are the rules of lint that look for it; ``unseen`` is left to the reader;
    ``command`` is the help that Mensura gives.
    """

    section: str
    question: str
    codes: tuple[str, ...]
    unseen: str
    command: str


CHECKLIST = (
    Point(
        "2.1",
        "Are reciprocal ranks left unaveraged, or is the mean rank reported beside MRR and ERR?",
        ("M101", "M102"),
        "whether the conclusion holds by mean rank too",
        "mensura evaluate -m RR -m MFR",
    ),
    Point(
        "2.2",
        "Does the measure describe the users of the system, and is its choice explained?",
        ("M201",),
        "who the users are, and where they stop reading",
        "mensura measures, mensura properties MEASURE",
    ),
    Point(
        "2.3",
        "Do values have no more digits than the topics support?",
        ("M301",),
        "the number of topics, where the text does not say it",
        "mensura evaluate (honest digits), mensura compare (intervals)",
    ),
    Point(
        "2.4",
        "Are means compared by differences, not by per cent of improvement?",
        ("M401",),
        "whether differences grow with the level, so that a ratio of geometric means fits",
        "mensura compare, GM(M)",
    ),
    Point(
        "2.5",
        "Are parameters chosen by cross-validation, on other topics than those reported?",
        ("M501", "M502"),
        "the code that chose the parameters",
        "mensura validate",
    ),
    Point(
        "2.6",
        "Were the hypotheses written down before the experiment?",
        ("M601", "M602"),
        "when they were written; a locked plan proves it",
        "mensura plan",
    ),
    Point(
        "2.7",
        "Are all tests counted and corrected for, earlier ones on the collection included?",
        ("M701", "M702", "M703"),
        "the tests that the text does not mention",
        "mensura compare --prior-tests auto, mensura ledger",
    ),
    Point(
        "2.8",
        "Is there an effect size, or an interval of the difference, beside each p-value?",
        ("M801",),
        "whether the effect matters to anybody",
        "mensura compare",
    ),
    Point(
        "2.9",
        "Are code, data, versions and parameters published, and the collection described?",
        ("M901",),
        "whether the published code gives the published numbers",
        "mensura describe, mensura record, mensura reproduce",
    ),
    Point(
        "2.10",
        "Does the text say what the experiment shows and on which data, instead of what it proves?",
        ("M001",),
        "whether the collection represents the claim",
        "mensura meaning",
    ),
)


def checklist() -> str:
    """Return the checklist as Markdown, a box to tick for each point."""
    lines = ["# Checklist for an evaluation (after Fuhr 2017, P3)", ""]
    for number, point in enumerate(CHECKLIST, start=1):
        lines += [
            f"- [ ] {number}. {point.question} (P3 §{point.section})",
            f"  - mensura lint looks for it: {', '.join(point.codes)}",
            f"  - left to you: {point.unseen}",
            f"  - help: {point.command}",
        ]
    return "\n".join(lines) + "\n"
