"""A simulated campaign as files: judgments, runs, and the truth."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura._core.rows import qrels_lines, run_lines
from mensura.io.folders import Filled

if TYPE_CHECKING:
    from pathlib import Path

    from mensura.study.campaigns import Campaign


def write_campaign(campaign: Campaign, folder: Path) -> tuple[Path, list[Path]]:
    """Write ``qrels.txt``, ``runs/<system>.txt`` and ``truth.json``; return the paths of judgments and runs."""
    names = [f"runs/{name}.txt" for name in campaign.names]
    own = Filled(folder, ("qrels.txt", *names, "truth.json"))
    qrels = own.write("qrels.txt", qrels_text(campaign))
    runs = [own.write(name, run_text(campaign, system)) for system, name in enumerate(names)]
    own.write("truth.json", (json.dumps(truth(campaign), indent=1) + "\n").encode())
    return qrels, runs


def qrels_text(campaign: Campaign) -> bytes:
    """The judgments of the pooled documents, in TREC's format."""
    return qrels_lines(_topics(campaign), campaign.pooled.view(np.uint8), campaign.relevance, _digits(campaign))


def run_text(campaign: Campaign, system: int) -> bytes:
    """A run, in TREC's format."""
    returned = np.ascontiguousarray(campaign.returned[system]).view(np.uint8)
    tag = campaign.names[system].encode()
    return run_lines(_topics(campaign), returned, campaign.ranked[system], campaign.scores[system], _digits(campaign), tag)


def _topics(campaign: Campaign) -> list[bytes]:
    return [topic.encode() for topic in campaign.topics]


def _digits(campaign: Campaign) -> int:
    """The number of digits of a document's id, so that the order of ids by bytes is that of their numbers."""
    return len(str(campaign.design.documents - 1))


def truth(campaign: Campaign) -> dict[str, Any]:
    """The truth, which the other files do not contain: qualities of the systems, and parameters of the campaign."""
    from mensura import __version__

    groups: dict[float, list[str]] = {}
    for name, quality in zip(campaign.names, campaign.qualities.tolist(), strict=True):
        groups.setdefault(quality, []).append(name)
    judged = campaign.judged().relevant()
    return {
        "version": 1,
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
