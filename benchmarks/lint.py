"""Times lint on a megabyte of LaTeX, on texts made to be hard for patterns, and counts right and wrong findings in labelled texts.

The LaTeX is drawn at random: sentences of many forms with the words of the field, citations, formulas, comments and tables, so that
no line repeats. The labelled texts (tests/lint/labelled.jsonl) were written apart from the rules.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from pathlib import Path

from common.report import Bar, bars, table
from mensura.lint.engine import Options, lint_text

LABELLED = Path(__file__).resolve().parents[1] / "tests" / "lint" / "labelled.jsonl"
SIZE = 1_000_000
SECONDS, PRECISION, RECALL = 1.0, 0.95, 0.9

NOUNS = (
    "query expansion",
    "the inverted index",
    "a dense retriever",
    "pseudo-relevance feedback",
    "the cross-encoder",
    "term weighting",
    "the collection",
    "a learned sparse model",
    "passage retrieval",
    "the assessor",
    "stemming",
    "the user model",
    "click data",
    "the pool",
    "a test collection",
)
VERBS = ("improves", "changes", "describes", "reduces", "extends", "depends on", "is compared with", "is combined with", "explains")
MEASURES = ("nDCG@10", "P@10", "RBP", "MAP", "MRR@10", "Recall@100", "ERR@20", "bpref")
FORMS = (
    "{noun} {verb} {other}~\\cite{{{key}}}.",
    "As shown in Section~\\ref{{sec:{key}}}, {noun} {verb} {other} when $k_1 = {small}$ and $b = {value}$.",
    "For {count} topics, {measure} of {noun} is {value}, while {other} has {value2} \\emph{{on average}}.",
    "We argue that {noun} {verb} {other}; however, {noun2} is left for future work.",
    "The difference in {measure} is {sign} ($p {relation} {small}$).",
    "{noun} {verb} {other} by {percent}\\% in terms of \\textbf{{{measure}}}~\\citep[see][p.~{count}]{{{key}}}. % TODO check {key}",
    "Let $q$ be a query and $d \\in D$ a document; then $s(q, d) = \\sum_{{t \\in q}} w_t \\cdot f_{{t,d}}$ {verb} {other}.",
    "It has been reported that {noun} {verb} {other}, ``a finding of {key}'', in {count} of {count2} cases.",
    "Results with and without {noun} differ little (e.g. {value} vs. {value2}), i.e. {other} {verb} {noun2}.",
)


def latex(size: int, seed: int) -> str:
    """A paper of many sections, sentences and tables."""
    rng = random.Random(seed)
    parts = ["\\documentclass{article}\n\\begin{document}\n"]
    length = 0
    while length < size:
        kind = rng.random()
        if kind < 0.04:
            part = f"\n\\section{{{rng.choice(NOUNS).title()} and {rng.choice(NOUNS)}}}\n\\label{{sec:{rng.getrandbits(24):x}}}\n"
        elif kind < 0.07:
            part = _table(rng)
        else:
            part = "\n".join(_sentence(rng) for _ in range(rng.randint(3, 9))) + "\n\n"
        parts.append(part)
        length += len(part)
    return "".join(parts) + "\\end{document}\n"


def _sentence(rng: random.Random) -> str:
    words = {
        "noun": rng.choice(NOUNS),
        "noun2": rng.choice(NOUNS),
        "other": rng.choice(NOUNS),
        "verb": rng.choice(VERBS),
        "measure": rng.choice(MEASURES),
        "key": f"{rng.choice(('smith', 'jones', 'li', 'garcia', 'mueller'))}{rng.randint(1990, 2024)}",
        "count": rng.randint(2, 400),
        "count2": rng.randint(2, 400),
        "value": f"{rng.random():.{rng.randint(2, 4)}f}",
        "value2": f"{rng.random():.{rng.randint(2, 4)}f}",
        "small": f"{rng.random() / 10:.3f}",
        "percent": f"{rng.random() * 30:.1f}",
        "sign": rng.choice(("significant", "not significant", "small", "statistically significant")),
        "relation": rng.choice("<="),
    }
    text = rng.choice(FORMS).format(**words)
    return text[0].upper() + text[1:]


def _table(rng: random.Random) -> str:
    names = rng.sample(MEASURES, 3)
    rows = "\n".join(
        f"{rng.choice(NOUNS)} {number} & {rng.random():.3f} & \\textbf{{{rng.random():.4f}}} "
        f"& {rng.random():.3f}$^{{\\dagger}}$ \\\\"
        for number in range(rng.randint(4, 12))
    )
    return (
        f"\\begin{{table}}[t]\n\\caption{{{_sentence(rng)}}}\n\\begin{{tabular}}{{lrrr}}\n"
        f"\\toprule\nRun & {' & '.join(names)} \\\\\n\\midrule\n"
        f"{rows}\n\\bottomrule\n\\end{{tabular}}\n\\end{{table}}\n\n"
    )


def hard_texts(size: int) -> dict[str, str]:
    """Texts that make careless patterns slow."""
    return {
        "one long line of words": "significant improvement of our results " * (size // 39),
        "one long word": "a" * size,
        "unbalanced braces": "\\textbf{" * (size // 8),
        "open environments": "\\begin{verbatim}\n\\begin{tabular}{l}\n" * (size // 36),
        "open quotations": "``our experiments " * (size // 18),
        "numbers": "0.1234 & " * (size // 9),
        "percentages": "12.4% better than 95% " * (size // 22),
        "full stops": "." * size,
        "stars and bars": "|*_`[" * (size // 5),
        "blanks": " " * size,
    }


def timed(text: str, kind: str, repeat: int) -> tuple[float, float, int]:
    """The shortest of several times, by the clock and of the processor, and the number of findings."""
    times, processor = [], []
    count = 0
    for _ in range(repeat):
        started, used = time.perf_counter(), time.process_time()
        count = len(lint_text(text, kind, "paper", Options()))
        times.append(time.perf_counter() - started)
        processor.append(time.process_time() - used)
    return min(times), min(processor), count


def labelled() -> list[Bar]:
    """Precision and recall over pairs of a text and a code, for each set of labelled texts and for all."""
    counts: dict[str, list[int]] = {}
    for line in LABELLED.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        found = {finding.code for finding in lint_text(row["text"], row["kind"], "text", Options())}
        wanted = set(row["codes"])
        for name in (f"set {row['set']}", "all"):
            right, extra, missed, texts = counts.setdefault(name, [0, 0, 0, 0])
            counts[name] = [right + len(found & wanted), extra + len(found - wanted), missed + len(wanted - found), texts + 1]
    rows, found_bars = [], []
    for name, (right, extra, missed, texts) in sorted(counts.items()):
        precision, recall = right / (right + extra), right / (right + missed)
        rows.append([name, *map(str, (texts, right, extra, missed)), f"{precision:.3f}", f"{recall:.3f}"])
        found_bars += [Bar(f"precision, {name}", precision, "≥", PRECISION), Bar(f"recall, {name}", recall, "≥", RECALL)]
    print(
        "labelled texts, with the rules as they are now\n"
        + table(["", "texts", "right", "extra", "missed", "precision", "recall"], rows)
    )
    return found_bars


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description="Times lint and counts right and wrong findings.")
    parser.add_argument(
        "--repeat", type=int, default=3, help="how often a text is linted; the shortest counts (default: %(default)s)"
    )
    arguments = parser.parse_args()
    paper = latex(SIZE, 8)
    seconds, processor, count = timed(paper, "latex", arguments.repeat)
    rows = [["a paper", f"{len(paper) / 1e6:.2f}", f"{seconds:.2f}", f"{processor:.2f}", str(count)]]
    # One thread that computes: on a quiet machine both times are the same, and on a busy one the clock measures the others.
    found = [Bar("1 MB of LaTeX, processor", processor / (len(paper) / 1e6), "≤", SECONDS, " s")]
    for name, text in hard_texts(SIZE).items():
        for kind in ("latex", "markdown"):
            seconds, processor, count = timed(text, kind, 1)
            rows.append([f"{name} ({kind})", f"{len(text) / 1e6:.2f}", f"{seconds:.2f}", f"{processor:.2f}", str(count)])
    print(table(["", "MB", "seconds", "of the processor", "findings"], rows) + "\n")
    found += labelled()
    print(f"\n{bars(found)}")
    sys.exit(not all(bar.met for bar in found))


if __name__ == "__main__":
    main()
