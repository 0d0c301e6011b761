"""Spark, on a local cluster of two workers, one of which is killed."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import collection
import pyarrow as pa
import pytest
import worldview.spark as ws
from collection import SAMPLES, frame
from conftest import Collection
from pyspark.sql import DataFrame, SparkSession

TASK = str(1 << 20)


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
    session = builder.config("spark.sql.shuffle.partitions", "2").config("spark.executor.memory", "1g").getOrCreate()
    ws.register(session)
    yield session
    session.stop()


def read(spark: SparkSession, path: Path | str, **options: str) -> DataFrame:
    return spark.read.format("worldview").options(taskBytes=TASK, **options).load(str(path))


def test_rows_are_those_of_one_process(files: Collection, spark: SparkSession) -> None:
    for expected, found in [
        (files.objects, read(spark, files.folder)),
        (files.items, read(spark, files.folder, kind="records", sheet="item")),
        (files.values, read(spark, files.folder, kind="records")),
    ]:
        assert found.rdd.getNumPartitions() > 2
        assert frame(found.toArrow(), expected.schema).equals(frame(expected))


def test_meshes_and_errors(files: Collection, spark: SparkSession) -> None:
    meshes = read(spark, files.folder / "island*" / "WORLD.WDB", kind="meshes")
    one = read(spark, SAMPLES / "world.wdb", kind="meshes")
    assert meshes.count() == collection.DATABASES * one.count() > 0
    assert one.selectExpr("size(positions) % 3 = 0 as whole").distinct().collect()[0].whole
    (error,) = read(spark, files.folder, errors="true").collect()
    assert (error.file, error.offset) == (str(files.folder / "broken.wwd"), 2000)


def test_several_paths_and_chosen_columns(files: Collection, spark: SparkSession) -> None:
    paths = [str(files.folder / "levels0"), str(files.folder / "levels1")]
    reader = spark.read.format("worldview")
    assert reader.load(paths).select("file").distinct().count() == collection.LEVELS // 4
    narrow = reader.schema("x long not null, file string not null").load(paths[0])
    assert narrow.columns == ["x", "file"] and narrow.count() > 0


def test_a_killed_worker_changes_nothing(files: Collection, spark: SparkSession, tmp_path: Path) -> None:
    marks = str(tmp_path)

    def slow(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import uuid

        # Python is started by a daemon, and that by the worker.
        status = Path(f"/proc/{os.getppid()}/stat").read_text()
        worker = status.rpartition(")")[2].split()[1]
        for batch in batches:
            (Path(marks) / f"{worker}.{uuid.uuid4()}").touch()
            time.sleep(0.2)
            yield batch

    def done() -> list[str]:
        return [name.partition(".")[0] for name in os.listdir(marks)]

    found = read(spark, files.folder)
    result: list[Any] = []
    run = threading.Thread(target=lambda: result.append(found.mapInArrow(slow, found.schema).toArrow()))
    run.start()
    while run.is_alive() and (len(set(done())) < 2 or len(done()) < 6):
        time.sleep(0.02)
    victim, before = done()[0], len(done())
    assert victim.isdigit() and "java" in Path(f"/proc/{victim}/cmdline").read_text()
    assert "Executor" in Path(f"/proc/{victim}/cmdline").read_text()
    os.kill(int(victim), signal.SIGKILL)
    run.join()
    assert len(done()) > before + 3, "the worker was killed after the run"
    assert frame(result[0], files.objects.schema).equals(frame(files.objects))
