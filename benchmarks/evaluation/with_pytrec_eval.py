"""pytrec_eval: QRELS MEANS RUN… The means per system go to MEANS as json; the values per topic are computed, not written."""

import json
import sys
from pathlib import Path

import pytrec_eval

NAMES = {"AP": "map", "P@10": "P_10", "nDCG@10": "ndcg_cut_10", "RR": "recip_rank", "R@1000": "recall_1000"}
ASKED = {"map", "P.10", "ndcg_cut.10", "recip_rank", "recall.1000"}

qrels_path, means_path, *run_paths = map(Path, sys.argv[1:])
with qrels_path.open() as lines:
    evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(lines), ASKED)
means = {}
for path in run_paths:
    with path.open() as lines:
        values = evaluator.evaluate(pytrec_eval.parse_run(lines))
    means[path.stem] = {ours: sum(topic[theirs] for topic in values.values()) / len(values) for ours, theirs in NAMES.items()}
means_path.write_text(json.dumps(means))
