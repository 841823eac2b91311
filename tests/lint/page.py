"""Write the rules into docs/lint.md and docs/numbers.md: ``python -m tests.lint.page``.

``mensura explain CODE`` prints all about a rule; a page shows the lines in which the examples differ, and each debate, common fix
and source once.
"""

from __future__ import annotations

import difflib
import re
import sys
from collections import Counter
from pathlib import Path

from mensura.lint.rules import CATALOGUE

DOCS = Path(__file__).resolve().parents[2] / "docs"
BEGIN, END = "<!-- rules: written by python -m tests.lint.page -->", "<!-- end of rules -->"
COMMON, LONGEST = 3, 8  # rules that share a fix; lines of an example


def rules(page):
    """The rules of a page, mistakes first; the tenth point of P3 is M0."""
    chosen = [rule for rule in CATALOGUE.values() if (rule.code[0] == "N") == (page == "numbers.md")]
    return sorted(chosen, key=lambda rule: ("MDNS".index(rule.code[0]), rule.code.replace("M0", "M99")))


def short(reference):
    """A source in brief: P3, or Sakai 2020."""
    if paper := re.search(r"\((P\d)\)", reference):
        return paper[1]
    authors = [re.sub(r"^(?:\w\. ?)+", "", name) for name in reference.split(":")[0].split(", ")]
    names = " and ".join(filter(None, [", ".join(authors[:-1]), authors[-1]]))
    return f"{names} {re.findall(r'(?:19|20)[0-9]{2}', reference)[-1]}"


def changes(rule):
    """The lines in which the wrong and the right example differ, as a diff, if they are few."""
    lines = list(difflib.unified_diff(rule.wrong.splitlines(), rule.right.splitlines(), n=0, lineterm=""))[2:]
    lines = [line for line in lines if not line.startswith("@@")]
    return ["\n".join(["```diff", *lines, "```"])] if len(lines) <= LONGEST else []


def sentence(text):
    """A text with a capital, unless it begins with a name such as nDCG, and a full stop."""
    return f"{text[0].upper() if text.split()[0].islower() else text[0]}{text[1:]}."


def section(rule, debates, common, usual):
    """A rule as Markdown."""
    parts = [
        f"### {rule.code} {rule.name}",
        sentence(rule.consequence) + ("" if rule.code[0] == "N" else f" Neutral: {rule.severity}; strict: {rule.strict}."),
        rule.reason,
    ]
    if rule.debate:
        first = debates.setdefault(rule.debate, rule.code)
        parts.append(f"The debate: {rule.debate}" if first == rule.code else f"The debate: see {first}.")
    parts += changes(rule)
    fix = "" if common[rule.fix] >= COMMON else f"Fix: {rule.fix}"
    own = [reference for reference in rule.references if reference not in usual]
    sources = f"Sources: {'; '.join(map(short, own))}." if own else ""
    return "\n\n".join([*parts, *filter(None, [" ".join(filter(None, [fix, sources]))])])


def listing(page):
    """The rules of a page as Markdown, with what several share before and after them."""
    chosen = rules(page)
    debates = {}
    common = Counter(rule.fix for rule in chosen)
    shared = [f"Fix, unless a rule says otherwise: {fix}" for fix, times in common.items() if times >= COMMON]
    counted = Counter(reference for rule in chosen for reference in rule.references)
    usual = [reference for reference, times in counted.items() if times > 2 / 3 * len(chosen)]
    shared += [f"Source, unless a rule says otherwise: {short(reference)}." for reference in usual]
    references = sorted({reference for rule in chosen for reference in rule.references})
    sources = ["### Sources", "\n".join(f"- {reference}" for reference in references)]
    return "\n\n".join([BEGIN, *shared, *(section(rule, debates, common, usual) for rule in chosen), *sources, END])


def written(page):
    """A page as it should be."""
    text = (DOCS / page).read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    return before + listing(page) + rest.split(END)[1]


if __name__ == "__main__":
    for name in ("lint.md", "numbers.md"):
        (DOCS / name).write_text(written(name), encoding="utf-8")
        sys.stdout.write(f"{name}: {len(rules(name))} rules\n")
