"""Messages: an unknown choice gets a suggestion, an error names what it expected, and words agree with numbers."""

from __future__ import annotations

import pytest

from tests.cli.running import mensura


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """One topic with one relevant document, one run that finds it and one that does not."""
    folder = tmp_path_factory.mktemp("messages")
    (folder / "qrels.txt").write_text("1 0 a 1\n")
    for name, documents in (("x", "ab"), ("y", "ba")):
        lines = [f"1 Q0 {document} {rank} {-rank} {name}\n" for rank, document in enumerate(documents, start=1)]
        (folder / f"{name}.txt").write_text("".join(lines))
    return folder


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("compare", "qrels.txt", "x.txt", "y.txt", "--scale", "intervall"), "unknown scale 'intervall'; did you mean 'interval'?"),
        (("explain", "interval-scal"), "did you mean 'interval scale'?"),
        (("explain", "nDGC"), "did you mean 'nDCG'?"),
        (("explain", "mean-reciprocal-rnk"), "did you mean 'mean-reciprocal-rank'?"),
        (("evaluate", "qrels.txt", "x.txt", "--digits", "-1"), "expected a whole number of at least 0, got '-1'"),
        (("evaluate", "qrels.txt", "x.txt", "-m", "nDCG(dcg='exp')@5"), "nDCG: unknown dcg='exp'; use 'log2' (linear gain) or"),
        (("scale", "AP@5", "--run", "111111"), "expected runs of at most 5 ranks, got 6; leave out the grades after rank 5"),
        (("compare", "qrels.txt", "x.txt", "y.txt", "--baseline", "z"), "unknown baseline 'z'; there are x, y"),
        (("adm", "qrels.txt", "x.txt", "y.txt", "--system", "z"), "unknown system 'z'; there are x, y"),
    ],
)
def test_errors_say_what_was_expected(files, words, message):
    assert message in " ".join(mensura(*words, status=2, cwd=files).stderr.split())


@pytest.mark.parametrize(
    ("words", "said", "unsaid"),
    [
        (("meaning", "qrels.txt", "x.txt", "-m", "P@1"), "about 0 pairs of 1 system on 1 topic", "1 systems"),
        (("describe", "qrels.txt", "x.txt"), "qrels.txt: 1 topic, 1 judgment, 1 run", "1 topics"),
        (("evaluate", "qrels.txt", "x.txt"), "Means over 1 of 1 topic, 1 run", "1 topics"),
        (("order", "1"), "2 runs, 1 cover,", "1 covers"),
    ],
)
def test_words_agree_with_numbers(files, words, said, unsaid):
    shown = " ".join(mensura(*words, cwd=files).stdout.split())
    assert said in shown
    assert unsaid not in shown


def test_one_pair_is_shown_and_one_was_compared(tmp_path):
    mensura("simulate", "-o", tmp_path / "c", "--systems", "3", "--equal", "1", "--topics", "5", "--documents", "40")
    runs = [tmp_path / "c" / "runs" / f"sys{number}.txt" for number in (1, 2, 3)]
    shown = mensura("compare", tmp_path / "c" / "qrels.txt", *runs, "-m", "P@5", "--pairs", "1").stdout
    assert "Shown: the first 1 pair in the order of the ranking" in " ".join(shown.split())
    mensura("report", tmp_path / "c" / "qrels.txt", *runs[:2], "-m", "P@5", "-o", tmp_path / "r.html")
    assert "The 1 pair of systems was compared" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_a_list_in_which_everything_is_tied():
    assert "a=b=c" in mensura("rankings", "a=b=c", "a,b,c").stdout
