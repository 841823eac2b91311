"""``mensura demo``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

MEASURES = ("nDCG@10", "AP", "P@10", "RR", "ERR@20", "RBP(p=0.8)@20", "MFR@20")


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = "Simulate a small campaign in a temporary folder and evaluate it: a leaderboard without any input."
    parser.epilog = "example: mensura demo --keep campaign"
    parser.add_argument("--seed", type=int, default=8, help="the seed of the simulation (default: %(default)s)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the judgments and runs in this folder")


def run(arguments: Namespace) -> int:
    """Simulates, evaluates, and says how it was done."""
    import tempfile

    from mensura.cli.layouts import as_table
    from mensura.errors import MensuraError
    from mensura.evaluation import evaluate
    from mensura.study.simulate import simulate

    if arguments.seed < 0:
        raise MensuraError(f"--seed {arguments.seed}: a seed is a whole number of at least 0")
    campaign = simulate(arguments.seed)
    with tempfile.TemporaryDirectory(prefix="mensura-") as temporary:
        folder = arguments.keep or Path(temporary)
        qrels, runs = campaign.write(folder)
        evaluation = evaluate(qrels, runs, MEASURES)
    options = " ".join(f"-m '{measure}'" if "(" in measure else f"-m {measure}" for measure in MEASURES)
    place = arguments.keep or Path("campaign")
    sys.stdout.write(
        f"A simulated campaign: {len(runs)} systems, {len(evaluation.judged.topics)} topics, 4 grades, seed {arguments.seed}.\n\n"
        f"{as_table(evaluation, per_topic=False)}\n"
        f"The same by hand:\n"
        f"  mensura demo --seed {arguments.seed} --keep {place}\n"
        f"  mensura evaluate {place}/qrels.txt '{place}/runs/*.txt' {options}\n"
    )
    return 0
