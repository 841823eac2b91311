"""trec_eval's own regression files: the same lines for every measure that we have."""

from __future__ import annotations

import pytest

from tests.cli.running import mensura

COMMANDS = {
    "out.test": ("qrels.test", "results.test"),
    "out.test.a": ("qrels.test", "results.test", "-m", "all_trec"),
    "out.test.aq": ("qrels.test", "results.test", "-m", "all_trec", "-q"),
    "out.test.aqc": ("qrels.test", "results.trunc", "-m", "all_trec", "-q"),
    "out.test.aql": ("qrels.rel_level", "results.test", "-m", "all_trec", "-q", "-l", "2"),
}


@pytest.mark.parametrize("expected", COMMANDS)
def test_lines_of_trec_eval(data, expected):
    folder = data / "trec_eval"
    qrels, run, *options = COMMANDS[expected]
    ours = mensura("evaluate", folder / qrels, folder / run, "--format", "trec_eval", *options).stdout.splitlines()
    theirs = (folder / expected).read_text().splitlines()
    if expected == "out.test":
        assert ours == theirs
    assert len(ours) > 25
    assert not set(ours) - set(theirs)
    names = {line.split("\t")[0] for line in ours}
    assert [line for line in theirs if line.split("\t")[0] in names] == sorted(
        (line for line in ours), key=lambda line: [t.split("\t")[:2] for t in theirs].index(line.split("\t")[:2])
    )


def test_comments_in_judgments_change_nothing(data):
    """qrels.test.with-comments is qrels.test with comment lines."""
    folder = data / "trec_eval"
    plain = mensura("evaluate", folder / "qrels.test", folder / "results.test", "--format", "csv", "-q").stdout
    assert (
        mensura("evaluate", folder / "qrels.test.with-comments", folder / "results.test", "--format", "csv", "-q").stdout == plain
    )
