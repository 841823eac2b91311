"""A plan to fill in."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from mensura.stats.methods import DEFAULT_TEST

if TYPE_CHECKING:
    from collections.abc import Sequence

TEMPLATE = """\
# The plan of an experiment, written down before it is made.
# When it is filled in: mensura plan lock {name}
# Then: mensura compare QRELS RUN… --plan {name}
version = 1

# What the experiment is to find out, in a sentence or two.
goal = {goal}

# Who makes it. It goes into the records of results; leave it out to stay unnamed.
# actor = "…"

[data]
# Files, seen from the folder of this plan. Runs may be patterns. What is there when the plan is locked must not change any more;
# runs that are made later are welcome.
qrels = {qrels}
runs = {runs}
# Folds by which mensura validate chooses among the systems, if they are variants of one.
# folds = 5

[compare]
# The systems, by the tags of their runs. All pairs are planned, or, with a baseline, all pairs with it.
systems = {systems}
{baseline}
# What the conclusion will rest on: one measure, or very few.
primary = {primary}
# What is looked at besides. Each group is corrected by itself; everything else is exploratory.
secondary = {secondary}

# What is expected, and why. Repeat for more; a hypothesis is about planned systems and measures.
{hypothesis}
[analysis]
# A test and a correction of mensura compare; "auto" is the correction that belongs to the test, else Holm's.
test = {test}
correction = "auto"
# "original": values of the measure itself; "interval": their ranks on its interval scale.
scale = "original"
alpha = 0.05
# The smallest difference of means that would matter to anybody.
# smallest_effect = 0.02
# Of tests that draw at random.
samples = 10000
seed = 0
# Topics that count: "judged", or "both" for those that every run has. The order of "trec_eval-10" or "trec_eval-9".
topics = "judged"
compat = "trec_eval-10"
"""


def template(
    name: str = "plan.toml",
    *,
    goal: str = "Which of the two systems ranks better?",
    qrels: str = "qrels.txt",
    runs: Sequence[str] = ("runs/*.txt",),
    systems: Sequence[str] = ("one", "other"),
    baseline: str | None = None,
    primary: Sequence[str] = ("nDCG@10",),
    secondary: Sequence[str] = (),
    test: str = DEFAULT_TEST,
) -> str:
    """The text of a valid plan, with comments that say what to fill in.

    Examples
    --------
    >>> print(template(goal="Does stemming help?").splitlines()[6])
    goal = "Does stemming help?"
    """
    # One system against a baseline is what can be expected; otherwise nobody has said what is.
    expected = next((system for system in systems if system != baseline), None) if baseline is not None else None
    if expected is None:
        hypothesis = '# [[hypotheses]]\n# better = "…"\n# worse = "…"\n# because = "…"\n'
    else:
        hypothesis = f'[[hypotheses]]\nbetter = {_text(expected)}\nworse = {_text(baseline or "")}\n# because = "…"\n'
    return TEMPLATE.format(
        name=name,
        goal=_text(goal),
        qrels=_text(qrels),
        runs=_list(runs),
        systems=_list(systems),
        baseline=f"baseline = {_text(baseline)}" if baseline is not None else '# baseline = "…"',
        primary=_list(primary),
        secondary=_list(secondary),
        hypothesis=hypothesis,
        test=_text(test),
    )


def _text(value: str) -> str:
    """A basic string of TOML: JSON's escapes are a part of TOML's, but for the delete character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _list(values: Sequence[str]) -> str:
    return f"[{', '.join(map(_text, values))}]"
