"""Simulated campaigns: laws that make their truth true, and files that say the same as the arrays."""

from __future__ import annotations

import dataclasses
import json
from decimal import Decimal

import numpy as np
import pytest
from scipy import stats

from mensura import AP, RR, MensuraError, judge
from mensura.study import Design, simulate
from mensura.study.files import qrels_text, run_text, write_campaign
from mensura.study.likeness import design_like, moments

SMALL = Design(systems=6, topics=15, documents=80, relevant=10, depth=40, pool=12, tie=0.1, missing=0.08, grades=2)


def test_files_and_arrays_are_the_same_campaign(tmp_path):
    campaign = simulate(SMALL, seed=5)
    qrels, runs = write_campaign(campaign, tmp_path)
    read, made = judge(qrels, runs), campaign.judged()
    assert read.systems == made.systems
    # qrels list topics in the order of their first line, and so do the arrays
    assert read.topics == made.topics
    assert np.array_equal(np.maximum(read.grades, -1), made.grades)
    assert np.array_equal(read.recall_base, made.recall_base)
    assert np.array_equal(read.missing, made.missing)
    assert np.array_equal(read.retrieved, made.retrieved)


@pytest.mark.parametrize(
    "changes", [{}, {"documents": 1001, "depth": 1001, "tie": 0.0}, {"documents": 1, "depth": 1, "grades": 12}]
)
def test_lines_as_python_formats_them(changes):
    campaign = simulate(dataclasses.replace(SMALL, **changes), seed=5)
    width = len(str(campaign.design.documents - 1))
    lines = [
        f"{topic} Q0 t{topic}d{campaign.ranked[0, at, rank]:0{width}} {rank + 1} {Decimal(int(score)).scaleb(-6):f} sys1\n"
        for at, topic in enumerate(campaign.topics)
        for rank, score in enumerate(campaign.scores[0, at])
        if campaign.returned[0, at]
    ]
    assert run_text(campaign, 0).decode() == "".join(lines)
    judgments = [
        f"{campaign.topics[at]} 0 t{campaign.topics[at]}d{document:0{width}} {campaign.relevance[at, document]}\n"
        for at, document in np.argwhere(campaign.pooled).tolist()
    ]
    assert qrels_text(campaign).decode() == "".join(judgments)


def test_it_has_what_real_campaigns_have(tmp_path):
    campaign = simulate(SMALL, seed=5)
    judged = campaign.judged()
    assert judged.missing.any()
    assert (judged.grades[~judged.missing] == -1).any()  # not judged
    assert judged.max_grade == 2
    assert (np.diff(campaign.scores, axis=2) == 0).any()  # ties
    assert (np.diff(campaign.scores, axis=2) <= 0).all()
    tied = np.diff(campaign.scores, axis=2) == 0
    assert (np.diff(campaign.ranked, axis=2)[tied] < 0).all()  # trec_eval's order: the higher id first
    relevant = judged.relevant()
    assert relevant.std() > 0


def test_the_same_seed_gives_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        write_campaign(simulate(SMALL, seed=5), tmp_path / name)
    files = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*") if path.is_file())
    assert len(files) == 9  # with the manifest
    assert all((tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes() for file in files)
    write_campaign(simulate(SMALL, seed=6), tmp_path / "three")
    assert (tmp_path / "one" / "qrels.txt").read_bytes() != (tmp_path / "three" / "qrels.txt").read_bytes()


def test_the_truth_is_written(tmp_path):
    campaign = simulate(SMALL, seed=5)
    write_campaign(campaign, tmp_path)
    truth = json.loads((tmp_path / "truth.json").read_bytes())
    assert truth["quality"] == dict(zip(campaign.names, campaign.qualities.tolist(), strict=True))
    assert [len(group) for group in truth["equal"]] == [2, 2, 2]
    assert Design(**truth["design"]) == SMALL
    assert [topic["relevant_judged"] for topic in truth["topics"]] == campaign.judged().relevant().tolist()
    assert all(topic["relevant"] >= topic["relevant_judged"] for topic in truth["topics"])
    assert len(truth["missing"]) == (~campaign.returned).sum()


@pytest.mark.parametrize("measure", [AP() @ 20, RR() @ 20])
def test_a_better_system_is_better_and_equal_ones_are_equal(measure):
    """Means over many topics: equal systems within what chance allows, better ones beyond it."""
    design = Design(systems=6, topics=1500, equal=2, quality_spread=0.4, documents=120, depth=30, pool=30)
    campaign = simulate(design, seed=2)
    values = measure.score(campaign.judged())
    for one in range(6):
        for other in range(one):
            gap = campaign.qualities[one] - campaign.qualities[other]
            test = stats.ttest_rel(values[one], values[other])
            if gap == 0:
                assert test.pvalue > 1e-4
            else:
                assert np.sign(test.statistic) == np.sign(gap)
                assert test.pvalue < 1e-6


def test_raising_quality_raises_every_relevant_document():
    """The coupling behind the claim: with the same noise, no prefix of a better system holds fewer relevant documents."""
    low = Design(systems=2, topics=40, equal=2, interaction=0.0, tie=0.0, grades=3, missing=0.0, pool=100, quality=1.0)
    high = dataclasses.replace(low, quality=1.4)
    worse, better = (simulate(design, seed=9) for design in (low, high))
    assert np.array_equal(worse.relevance, better.relevance)
    topics = np.arange(40)[None, :, None]
    for grade in (1, 2, 3):
        counts = [np.cumsum(campaign.relevance[topics, campaign.ranked] >= grade, axis=2) for campaign in (worse, better)]
        assert (counts[1] >= counts[0]).all()


def test_a_design_like_a_campaign_has_its_moments():
    given = Design(systems=20, topics=60, documents=150, relevant=15, depth=50, pool=20, quality=2.2, topic_spread=0.8, grades=2)
    judged = simulate(given, seed=11).judged()
    found = design_like(judged)
    assert (found.systems, found.topics, found.grades, found.depth) == (20, 60, 2, 50)
    assert found.missing == pytest.approx(float(judged.missing.mean()))
    target, got = moments(judged), moments(simulate(found, seed=77).judged())
    assert got.mean == pytest.approx(target.mean, rel=0.25)
    assert got.topics == pytest.approx(target.topics, rel=0.4)
    assert got.rest == pytest.approx(target.rest, rel=0.25)
    assert got.systems == pytest.approx(target.systems, rel=0.5)


def test_nonsense_is_refused():
    with pytest.raises(MensuraError, match="agreement=1"):
        Design(agreement=1.0)
    with pytest.raises(MensuraError, match="only 10 documents"):
        Design(documents=10)
    with pytest.raises(MensuraError, match="seed=-1"):
        simulate(seed=-1)
    with pytest.raises(MensuraError, match="at least 2 runs"):
        design_like(simulate(Design(systems=1, equal=1), seed=1).judged())
