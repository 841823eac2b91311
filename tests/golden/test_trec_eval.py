"""trec_eval's own regression files: every line of its output, in its order.

Left out are the files about judgments that Mensura does not read: preferences (``out.test.prefs``, ``out.test.qrels_prefs``),
several judgment groups (``out.test.qrels_jg``), and values standardised by a file of means and deviations (``out.test.aqZ``).
"""

from __future__ import annotations

import pytest

from tests.cli.running import mensura

PARAMETERS = (
    *("iprec_at_recall..10,.20,.25,.75,.50", "P.5,7,3", "recall.20,2000", "Rprec_mult.5.0,0.2,0.35", "utility.2,-1,0,0"),
    *("11pt_avg..25,.5,.75", "ndcg.1=3,2=9,4=4.5", "ndcg_cut.10,20,23.4", "success.2,5,20"),
)
COMMANDS = {  # as in trec_eval's Makefile, where -c is our default
    "out.test": ("qrels.test", "results.test"),
    "out.comment.test": ("qrels.comment.test", "results.comment.test", "--topics", "run"),
    "out.test.a": ("qrels.test", "results.test", "-m", "all_trec"),
    "out.test.aq": ("qrels.test", "results.test", "-m", "all_trec", "-q"),
    "out.test.aqc": ("qrels.test", "results.trunc", "-m", "all_trec", "-q"),
    "out.test.aqcM": ("qrels.test", "results.trunc", "-m", "all_trec", "-q", "-M100"),
    "out.test.aql": ("qrels.rel_level", "results.test", "-m", "all_trec", "-m", "relstring.20", "-q", "-l2"),
    "out.test.meas_params": ("qrels.test", "results.test", "-q", *(word for name in PARAMETERS for word in ("-m", name))),
}


@pytest.mark.parametrize("expected", COMMANDS)
def test_lines_of_trec_eval(data, expected):
    folder = data / "trec_eval"
    qrels, run, *options = COMMANDS[expected]
    ours = mensura("evaluate", folder / qrels, folder / run, "--format", "trec_eval", *options).stdout
    assert ours == (folder / expected).read_text()


def test_comments_in_judgments_change_nothing(data):
    """qrels.test.with-comments is qrels.test with comment lines."""
    folder = data / "trec_eval"
    plain = mensura("evaluate", folder / "qrels.test", folder / "results.test", "--format", "csv", "-q").stdout
    assert (
        mensura("evaluate", folder / "qrels.test.with-comments", folder / "results.test", "--format", "csv", "-q").stdout == plain
    )
