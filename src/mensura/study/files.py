"""A simulated campaign as files: judgments, runs, and the truth."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.io.folders import Filled

if TYPE_CHECKING:
    from pathlib import Path

    from mensura.study.campaigns import Campaign

MILLION = 10**6


def write_campaign(campaign: Campaign, folder: Path) -> tuple[Path, list[Path]]:
    """Write ``qrels.txt``, ``runs/<system>.txt`` and ``truth.json``; return the paths of judgments and runs."""
    names = [f"runs/{name}.txt" for name in campaign.names]
    own = Filled(folder, ("qrels.txt", *names, "truth.json"))
    qrels = own.write("qrels.txt", qrels_text(campaign).encode())
    runs = [own.write(name, run_text(campaign, system).encode()) for system, name in enumerate(names)]
    own.write("truth.json", (json.dumps(truth(campaign), indent=1) + "\n").encode())
    return qrels, runs


def documents(campaign: Campaign, topic: int) -> list[str]:
    """The ids of a topic's documents, whose order by bytes is that of their numbers."""
    width = len(str(campaign.design.documents - 1))
    return [f"t{campaign.topics[topic]}d{number:0{width}}" for number in range(campaign.design.documents)]


def qrels_text(campaign: Campaign) -> str:
    """The judgments of the pooled documents, in TREC's format."""
    lines = []
    for at, topic in enumerate(campaign.topics):
        names = documents(campaign, at)
        judged = np.flatnonzero(campaign.pooled[at]).tolist()
        lines += [f"{topic} 0 {names[document]} {campaign.relevance[at, document]}" for document in judged]
    return "\n".join(lines) + "\n"


def run_text(campaign: Campaign, system: int) -> str:
    """A run, in TREC's format."""
    lines = []
    for at, topic in enumerate(campaign.topics):
        if not campaign.returned[system, at]:
            continue
        names = documents(campaign, at)
        rows = zip(campaign.ranked[system, at].tolist(), campaign.scores[system, at].tolist(), strict=True)
        for rank, (document, score) in enumerate(rows, start=1):
            sign = "-" if score < 0 else ""
            whole, part = divmod(abs(score), MILLION)
            lines.append(f"{topic} Q0 {names[document]} {rank} {sign}{whole}.{part:06} {campaign.names[system]}")
    return "\n".join(lines) + "\n"


def truth(campaign: Campaign) -> dict[str, Any]:
    """The truth, which the other files do not contain: qualities of the systems, and parameters of the campaign."""
    from mensura import __version__

    groups: dict[float, list[str]] = {}
    for name, quality in zip(campaign.names, campaign.qualities.tolist(), strict=True):
        groups.setdefault(quality, []).append(name)
    judged = campaign.judged().relevant()
    return {
        "mensura": __version__,
        "seed": campaign.seed,
        "design": asdict(campaign.design),
        "quality": dict(zip(campaign.names, campaign.qualities.tolist(), strict=True)),
        "equal": [groups[quality] for quality in sorted(groups, reverse=True)],
        "topics": [
            {"topic": topic, "easiness": easiness, "relevant": relevant, "relevant_judged": in_pool}
            for topic, easiness, relevant, in_pool in zip(
                campaign.topics,
                campaign.easiness.tolist(),
                (campaign.relevance > 0).sum(axis=1).tolist(),
                judged.tolist(),
                strict=True,
            )
        ],
        "missing": [[campaign.names[system], campaign.topics[topic]] for system, topic in np.argwhere(~campaign.returned).tolist()],
    }
