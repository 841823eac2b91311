"""The piece inside Spark: DataFrame.mapInArrow calls it, and the means are those of one machine to the bit.

pyspark is not among the development packages, for it takes 450 MB and a Java machine: ``pip install pyspark`` runs these tests.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile

import pyarrow as pa
import pytest

import mensura
from mensura import pieces
from tests.pieces.campaigns import campaign

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java"),
    pytest.mark.filterwarnings("ignore"),  # of pyspark itself
]
MEASURES = ["AP", "nDCG@10", "RR", "P@5"]


@pytest.fixture(scope="module")
def spark():
    sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    with tempfile.TemporaryDirectory() as folder:
        builder = sql.SparkSession.builder.master("local[2]").appName("mensura")
        settings = {
            "spark.ui.enabled": "false",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
            "spark.local.dir": folder,
            "spark.sql.warehouse.dir": folder,
            "spark.sql.shuffle.partitions": "3",
        }
        for name, value in settings.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        yield session
        session.stop()


def test_means_are_those_of_one_machine(spark):
    qrels, runs = campaign(11, topics=40)
    whole = mensura.evaluate(qrels, runs, MEASURES)
    partials = []
    for system, rows in runs.items():
        frame = spark.createDataFrame(rows, ["query_id", "doc_id", "score"]).repartition(3, "query_id")
        shared = spark.sparkContext.broadcast(mensura.read_qrels(qrels))

        def piece(batches, system=system, shared=shared):
            part = pieces.evaluate(batches, shared.value, MEASURES, system=system)
            yield pa.RecordBatch.from_pydict({"partial": [part.to_bytes()]})

        answer = frame.mapInArrow(piece, "partial binary").collect()
        assert len(answer) > 1
        partials += [pieces.Partial.from_bytes(bytes(row.partial)) for row in answer]
    merged = pieces.merge(partials, qrels, systems=list(runs))
    assert merged.means() == whole.means()
    assert json.dumps(merged.to_dict()) == json.dumps(whole.to_dict())
