"""Make the golden campaign and what others compute from it: ``python -m tests.golden.make``.

``campaign/`` is small enough to be carried by the project, so that its tests mean something where no TREC data are: judgments
with grades 0 to 3 and runs by ``mensura simulate``, values per topic by trec_eval (pytrec_eval), tests of significance by R.
Needs pytrec_eval and Rscript (R 4.2.2 made the file that is here). Read the difference before you keep it.
"""

from __future__ import annotations

import csv
import subprocess
from pathlib import Path

FOLDER = Path(__file__).parent / "campaign"
SIMULATED = (
    *("--systems", "6", "--topics", "15", "--documents", "80", "--grades", "3", "--relevant", "9", "--depth", "25"),
    *("--pool", "15", "--missing", "0.02", "--tie", "0.1", "--seed", "1999"),
)
NAMES = (
    *("map", "map_cut_5", "map_cut_10", "P_5", "P_10", "recall_5", "recall_10", "ndcg", "ndcg_cut_5", "ndcg_cut_10", "recip_rank"),
    *("Rprec", "bpref", "infAP", "success_1", "success_5", "num_ret", "num_rel", "num_rel_ret", "set_P", "set_recall", "set_F"),
    *("11pt_avg", "iprec_at_recall_0.00", "iprec_at_recall_0.20", "iprec_at_recall_0.50", "iprec_at_recall_1.00"),
)


def trec_eval() -> None:
    """Write trec_eval's values for every system and judged topic; a topic that a run lacks counts 0, as with trec_eval -c."""
    import pytrec_eval

    qrels: dict[str, dict[str, int]] = {}
    for line in (FOLDER / "qrels.txt").read_text().splitlines():
        topic, _, document, grade = line.split()
        qrels.setdefault(topic, {})[document] = int(grade)
    families = {name.rsplit("_", 1)[0] if name.rsplit("_", 1)[-1].replace(".", "").isdigit() else name for name in NAMES}
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, families)
    with (FOLDER / "trec_eval.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["system", "topic", *NAMES])
        for path in sorted((FOLDER / "runs").iterdir()):
            run: dict[str, dict[str, float]] = {}
            for line in path.read_text().splitlines():
                topic, _, document, _, score, _ = line.split()
                run.setdefault(topic, {})[document] = float(score)
            values = evaluator.evaluate(run)
            for topic, grades in qrels.items():
                empty = dict.fromkeys(NAMES, 0.0) | {"num_rel": float(sum(grade > 0 for grade in grades.values()))}
                writer.writerow([path.stem, topic, *(repr(values.get(topic, empty)[name]) for name in NAMES)])


def significance() -> None:
    """Write what R says about trec_eval's values."""
    with (FOLDER / "trec_eval.csv").open("rb") as values, (FOLDER / "significance.csv").open("wb") as file:
        subprocess.run(["Rscript", "--vanilla", FOLDER / "significance.R"], stdin=values, stdout=file, check=True)


if __name__ == "__main__":
    from tests.cli.running import mensura

    mensura("simulate", "-o", FOLDER, *SIMULATED)
    trec_eval()
    significance()
