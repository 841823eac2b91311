"""trec_eval's names in its order, without the measures that they stand for: asking whether a name is trec_eval's imports none."""

from __future__ import annotations

import re

ORDER = (
    *("runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall"),
    *("P", "relstring", "recall", "infAP", "gm_bpref", "Rprec_mult", "utility", "11pt_avg", "binG", "G", "dcg", "ndcg", "ndcg_rel"),
    *("Rndcg", "ndcg_cut", "map_cut", "relative_P", "success", "set_P", "set_relative_P", "set_recall", "set_map", "set_F"),
    *("num_nonrel_judged_ret", "rbp", "rbp_resid", "unj"),
)
OFFICIAL = ORDER[:12]
SETS = {
    "official": OFFICIAL,
    "set": ("runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "utility", *(name for name in ORDER if name.startswith("set_"))),
    "all_trec": tuple(name for name in ORDER if name != "dcg"),
}
ABOUT_RUNS = ("runid", "num_q", "relstring")
"""Lines of trec_eval's output that are not measures."""
OWN = {"P", "recall", "success"}
"""Names that are series of cut-offs in trec_eval's layout only; elsewhere they are Mensura's or ranx'."""
PARAMETERS = re.compile(r"[._][-\d.,=p]+")


def stem_of(name: str) -> str | None:
    """Return the longest of trec_eval's names that a name begins with, where parameters may follow after a dot or a line."""
    known = [each for each in ORDER if name.startswith(each) and (name == each or PARAMETERS.fullmatch(name, len(each)))]
    return max(known, key=len, default=None)
