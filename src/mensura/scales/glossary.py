"""The words of measurement theory, a sentence or two each, for ``mensura explain`` (P0 §2, P4 §III)."""

from __future__ import annotations

TERMS: dict[str, str] = {
    "relational structure": (
        "A set of things and relations between them: all judged runs, and “is at least as good as”. Numbers with ≤ are another one."
    ),
    "homomorphism": (
        "A map from one relational structure to another that keeps the relations: if run s is at least as good as r, the "
        "number of s is at least the number of r."
    ),
    "scale": (
        "A homomorphism from things to numbers. P@10 is one: it maps a run to its number of relevant documents over 10. A "
        "measure is the number that it assigns."
    ),
    "representation": (
        "The question whether there is a scale at all: a representation theorem names the properties of the things (the "
        "axioms) under which there is one."
    ),
    "uniqueness": (
        "The question which other scales there are: a uniqueness theorem says how they differ. Lengths in metres and in "
        "feet differ by a factor, temperatures in °C and in °F by a factor and a zero."
    ),
    "permissible transformation": (
        "The way from one scale of the same things to another: increasing functions (ordinal), x ↦ αx + β (interval), x ↦ "
        "αx (ratio)."
    ),
    "meaningful": (
        "A statement is meaningful if every permissible transformation leaves it true, or leaves it false. “The mean of A "
        "is higher” is meaningful on an interval scale; on an ordinal one it depends on the data (mensura meaning)."
    ),
    "difference structure": (
        "Things whose differences are in an order that fits together: turning a difference round turns its place, and "
        "differences add up (P0, Definition 1). With solvability it has an interval scale (Theorem 1)."
    ),
    "solvability": (
        "Between any two things there are things as far apart as any smaller difference says, so that the things are "
        "equally spaced. Most measures fail here: between AP of 1/10 and 1/9 there is no run (mensura properties)."
    ),
    "interval scale": (
        "A scale on which equal differences are equal: values are equally spaced, and means can be compared. mensura "
        "evaluate --interval ranks values of any measure on one."
    ),
    "dominance": (
        "The sorted values of one system are at least those of another, place by place: its mean is higher on every scale."
    ),
    "stretch index": (
        "By how much a scale must be bent to reverse a statement about two means: some part must be stretched that many "
        "times more than another. ∞ is dominance."
    ),
}
"""Terms in the order in which they build on one another."""


def find_term(word: str) -> str | None:
    """The term that a word names, in any case and with - or _ for a blank."""
    name = " ".join(word.lower().replace("-", " ").replace("_", " ").split())
    return next((term for term in TERMS if name in {term, f"{term}s", term.removesuffix(" transformation")}), None)
