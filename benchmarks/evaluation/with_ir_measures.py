"""ir_measures: QRELS MEANS RUN… The means per system go to MEANS as json; the values per topic are computed, not written."""

import json
import sys
from collections import defaultdict
from pathlib import Path

import ir_measures

NAMES = ("AP", "P@10", "nDCG@10", "RR", "R@1000")

qrels_path, means_path, *run_paths = sys.argv[1:]
measures = [ir_measures.parse_measure(name) for name in NAMES]
evaluator = ir_measures.evaluator(measures, ir_measures.read_trec_qrels(qrels_path))
means = {}
for path in run_paths:
    values = defaultdict(list)
    for metric in evaluator.iter_calc(ir_measures.read_trec_run(path)):
        values[str(metric.measure)].append(metric.value)
    means[Path(path).stem] = {name: sum(values[name]) / len(values[name]) for name in NAMES}
Path(means_path).write_text(json.dumps(means))
