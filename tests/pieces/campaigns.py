"""Random campaigns, and their runs in pieces."""

from __future__ import annotations

import random

import pyarrow as pa


def campaign(seed, *, systems=("one", "two"), topics=12, documents=15, grades=3):
    """Judgments and rows of runs: ties, missing and unjudged topics, documents without judgment, lists of different length."""
    random_ = random.Random(seed)  # noqa: S311 - a seeded test
    names = [f"t{number}" for number in range(topics)]
    qrels = {
        topic: {f"d{document}": random_.randint(-1, grades) for document in random_.sample(range(documents), random_.randint(1, 8))}
        for topic in names
    }
    runs = {}
    for system in systems:
        chosen = [topic for topic in names if random_.random() < 0.9] or names[:1]
        chosen += [f"x{number}" for number in range(random_.randint(0, 2))]
        runs[system] = [
            (topic, f"d{document}", float(random_.randint(0, 5)))
            for topic in chosen
            for document in random_.sample(range(documents), random_.randint(1, documents))
        ]
    return qrels, runs


def batch(rows):
    """Rows as an Arrow record batch."""
    topic, document, score = zip(*rows, strict=True) if rows else ((), (), ())
    return pa.record_batch(
        {
            "query_id": pa.array(topic, pa.string()),
            "doc_id": pa.array(document, pa.string()),
            "score": pa.array(score, pa.float64()),
        }
    )


def cut(rows, seed, pieces):
    """The rows of a run in pieces cut between topics, each a list of batches cut anywhere, in any order."""
    random_ = random.Random(seed)  # noqa: S311 - a seeded test
    home = {topic: random_.randrange(pieces) for topic, _, _ in rows}
    shuffled = random_.sample(rows, len(rows))
    parts = []
    for number in range(pieces):
        part = [row for row in shuffled if home[row[0]] == number]
        at = random_.randint(0, len(part))
        parts.append([batch(part[:at]), batch(part[at:])])
    return parts
