"""``mensura explain``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from mensura.measures.base import Measure

THEORY = "measurement"
"""The word that explains all terms."""


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = (
        "A rule of mensura lint (its findings, reasons, objections, and the way out), a measure (its scale and the rules about\n"
        "it), or a term of measurement theory. Without a word: all rules."
    )
    parser.epilog = "examples: mensura explain M101\n          mensura explain MRR\n          mensura explain measurement"
    parser.add_argument("words", metavar="WORD", nargs="*", help="code or name of a rule, measure, or term such as homomorphism")
    parser.add_argument("--checklist", action="store_true", help="P3's ten points as a list to tick off, in Markdown")


def run(arguments: Namespace) -> int:
    """Write explanations, or the list of rules."""
    from mensura.cli.shared.output import write
    from mensura.lint.explanation import index

    if arguments.checklist:
        from mensura.lint.checklist import checklist

        write(checklist(), None)
        return 0
    if not arguments.words:
        write(index(), None)
        return 0
    write("\n".join(map(_explained, arguments.words)), None)
    return 0


def _explained(word: str) -> str:
    """The page of a rule, a term or a measure."""
    from mensura.errors import MeasureError, MensuraError, nearest
    from mensura.lint.explanation import explain, find_rule
    from mensura.lint.rules import CATALOGUE
    from mensura.measures.names import parse_measure
    from mensura.measures.registry import HOMES
    from mensura.scales.glossary import TERMS, find_term

    try:
        return _page(explain(find_rule(word)))
    except MensuraError:
        term = find_term(word)
        if word.lower() == THEORY or term is not None:
            return _terms([term] if term is not None else [*TERMS])
        try:
            return _measure(word, parse_measure(word))
        except MeasureError:
            near = nearest(word, [*CATALOGUE, *(rule.name for rule in CATALOGUE.values()), *TERMS, *HOMES])
            way_out = (
                f"mensura explain lists the rules, mensura measures the measures, and mensura explain {THEORY} the terms"
                if near is None
                else f"did you mean {near!r}?"
            )
            raise MensuraError(f"unknown rule, measure or term {word!r}; {way_out}") from None


def _page(page: str) -> str:
    """Markdown for a terminal."""
    from mensura.render.text import wrap

    lines, code = [], False
    for line in page.removeprefix("### ").splitlines():
        if line.startswith("```"):
            code = not code
        elif line:
            lines.append(f"    {line}" if code else wrap(line, "  " if line.startswith("- ") else ""))
        else:
            lines.append("")
    return "\n".join(lines) + "\n"


def _terms(terms: list[str]) -> str:
    from mensura.render.text import BOLD, paint, wrap
    from mensura.scales.glossary import TERMS

    return "".join(f"{wrap(f'{paint(term, BOLD)}: {TERMS[term]}', '  ')}\n" for term in terms)


def _measure(word: str, measure: Measure) -> str:
    """The scale of a measure and the rules about it, and commands that say more."""
    from mensura.lint.rules import CATALOGUE
    from mensura.render.text import BOLD, paint, wrap
    from mensura.scales.facts import scale_facts

    facts = scale_facts(measure)
    summary = (type(measure).__doc__ or "").strip().split("\n\n", 1)[0].replace("\n", " ")
    name = str(measure)
    title = paint(name, BOLD) if word == name else f"{paint(word, BOLD)} is {name} here, averaged over topics"
    lines = [
        f"{title}: {' '.join(summary.split())}",
        f"Scale, on binary runs of length {facts.length}: {facts.type}, because {facts.reason}.",
    ]
    if facts.proof:
        lines.append(f"{facts.proof[0].upper()}{facts.proof[1:]}.")
    if measure.uses_recall_base:
        lines.append(
            "It depends on the recall base: every recall base has a scale of its own, and there is no common one (P4 §VI-C)."
        )
    if measure.mistake is not None:
        rule = CATALOGUE[measure.mistake]
        lines.append(f"{rule.code} {rule.name}: {rule.consequence}. mensura explain {rule.code} has the debate.")
    if facts.type == "ordinal":
        rule = CATALOGUE["M103"]
        lines.append(f"{rule.code} {rule.name}: {rule.consequence}. mensura explain {rule.code} has the debate.")
    lines.append(f"More: mensura measures {name}, mensura properties {name}@{facts.length}, mensura scale {name}@{facts.length}.")
    return "".join(f"{wrap(line, '  ')}\n" for line in lines)
