"""ranx: QRELS MEANS RUN… The means per system go to MEANS as json; the values per topic are computed, not written."""

import json
import sys
from pathlib import Path

from ranx import Qrels, Run, evaluate

NAMES = {"AP": "map", "P@10": "precision@10", "nDCG@10": "ndcg@10", "RR": "mrr", "R@1000": "recall@1000"}

qrels_path, means_path, *run_paths = sys.argv[1:]
qrels = Qrels.from_file(qrels_path, kind="trec")
means = {}
for path in run_paths:
    result = evaluate(qrels, Run.from_file(path, kind="trec"), list(NAMES.values()))
    means[Path(path).stem] = {ours: float(result[theirs]) for ours, theirs in NAMES.items()}
Path(means_path).write_text(json.dumps(means))
