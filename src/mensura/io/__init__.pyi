from mensura.io.columns import Qrels as Qrels
from mensura.io.columns import Run as Run
from mensura.io.digests import collection_digest as collection_digest
from mensura.io.digests import content_digest as content_digest
from mensura.io.metadata import read_metadata as read_metadata
from mensura.io.metadata import with_metadata as with_metadata
from mensura.io.read import read_qrels as read_qrels
from mensura.io.read import read_run as read_run

__all__ = [
    "Qrels",
    "Run",
    "collection_digest",
    "content_digest",
    "read_metadata",
    "read_qrels",
    "read_run",
    "with_metadata",
]
