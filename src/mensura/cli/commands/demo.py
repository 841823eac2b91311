"""``mensura demo``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from mensura.evaluation.evaluation import Evaluation
    from mensura.stats.compared import Comparison

MEASURES = ("nDCG@10", "AP", "P@10", "RR", "ERR@20", "RBP(p=0.8)@20", "MFR@20")
COMPARED = "nDCG@10"


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = (
        "A first look, without any input: simulate a small campaign in a temporary folder, evaluate it, compare its systems,\n"
        "say which statements are meaningful, and hold them against the truth, which is known here."
    )
    parser.epilog = "example: mensura demo --keep campaign"
    parser.add_argument("--seed", type=int, default=8, help="random seed (default: %(default)s)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="folder for the judgments and runs (default: a temporary one)")


def run(arguments: Namespace) -> int:
    """Simulate, evaluate and compare, and print the commands for it."""
    import tempfile

    from mensura.errors import MensuraError
    from mensura.evaluation.evaluation import score
    from mensura.judged.entrance import judge
    from mensura.render.evaluations import as_table
    from mensura.stats.comparison import compare
    from mensura.study.example import example

    if arguments.seed < 0:
        raise MensuraError(f"--seed {arguments.seed}: a seed is a whole number of at least 0")
    campaign = example(arguments.seed)
    with tempfile.TemporaryDirectory(prefix="mensura-") as temporary:
        folder = arguments.keep or Path(temporary)
        qrels, runs = campaign.write(folder)
        evaluation = score(judge(qrels, runs), MEASURES)
    (comparison,) = compare(score(evaluation.judged, COMPARED))
    options = " ".join(f"-m '{measure}'" if "(" in measure else f"-m {measure}" for measure in MEASURES)
    files = "{0}/qrels.txt '{0}/runs/*.txt'".format(arguments.keep or Path("campaign"))
    sys.stdout.write(
        f"A simulated campaign: {len(runs)} systems, {len(evaluation.judged.topics)} topics, 4 grades, seed {arguments.seed}.\n\n"
        f"{as_table(evaluation, per_topic=False)}\n"
        f"{_differences(comparison)}{_meaning(evaluation)}{_truth(comparison, campaign.qualities)}\n"
        f"The same by hand:\n"
        f"  mensura demo --seed {arguments.seed} --keep {arguments.keep or 'campaign'}\n"
        f"  mensura compare {files} -m {COMPARED}\n"
        f"  mensura meaning {files} -m {COMPARED}\n"
        f"  mensura evaluate {files} {options}\n"
    )
    return 0


def _differences(comparison: Comparison) -> str:
    from mensura.render.text import wrap

    groups = [", ".join(comparison.systems[system] for system in group) for group in comparison.groups]
    pairs = len(comparison.outcome.pairs)
    text = (
        f"Significant? {int(comparison.significant.sum())} of {pairs} differences of {COMPARED} are, by the "
        f"{comparison.method.title} (α = {comparison.alpha:g}, corrected for all pairs); "
        f"not significantly different: {'; '.join(groups)}."
    )
    return f"{wrap(text, '  ')}\n"


def _meaning(evaluation: Evaluation) -> str:
    from mensura.measures.names import parse_measure
    from mensura.render.text import wrap
    from mensura.scales.meaning.dominance import leaderboard

    board = leaderboard(parse_measure(COMPARED), evaluation.judged)
    counts, every = board.counts(), board.survivors()["one scale"]
    text = (
        f'Meaningful? {every} of {sum(counts.values())} statements "the mean {COMPARED} of A is higher than that of B" are true '
        f"on every scale that orders the values of {COMPARED} in the same way, {counts['interval scale']} depend on how the scale "
        f"is spaced but hold on the interval scale too, and {counts['reversed']} are reversed there."
    )
    return f"{wrap(text, '  ')}\n"


def _truth(comparison: Comparison, qualities: dict[str, float]) -> str:
    import numpy as np

    from mensura.render.text import wrap

    truth = np.array([qualities[system] for system in comparison.systems])
    pairs = comparison.outcome.pairs
    right = np.sign(comparison.outcome.estimate) == np.sign(truth[pairs.first] - truth[pairs.second])
    best = comparison.systems[int(truth.argmax())]
    text = (
        f"True? The simulation knows: the best system is {best}. {int(right.sum())} of {len(pairs)} pairs are in the true order, "
        f"and {int((right & comparison.significant).sum())} of the {int(comparison.significant.sum())} significant ones."
    )
    return f"{wrap(text, '  ')}\n"
