"""Daft, on its own runner and on a Ray cluster, from a folder and from an object store."""

import json
import subprocess
import sys
from pathlib import Path

import collection
import daft
import polars as pl
import pyarrow as pa
import pytest
import worldview.daft as wd
from collection import SAMPLES, frame
from conftest import Collection
from daft.io import IOConfig, S3Config

TASK = 1 << 20


def test_rows_are_those_of_one_process(files: Collection) -> None:
    for expected, found in [
        (files.objects, wd.read_objects(files.folder, task_bytes=TASK)),
        (files.items, wd.read_records(files.folder, sheet="item", task_bytes=TASK)),
        (files.values, wd.read_records(files.folder, task_bytes=TASK)),
    ]:
        assert frame(found.to_arrow(), expected.schema).equals(frame(expected))
        assert all(column.dtype == daft.DataType.string() for column in found.schema() if column.name == "file")


def test_meshes(files: Collection) -> None:
    meshes = wd.read_meshes(str(files.folder / "**" / "WORLD.WDB"))
    one = wd.read_meshes(SAMPLES / "world.wdb").to_arrow()
    assert meshes.count_rows() == collection.DATABASES * one.num_rows > 0
    vertices = meshes.with_column("vertices", meshes["positions"].length() / 3).sum("vertices").to_pydict()
    assert vertices["vertices"] == [collection.DATABASES * sum(len(row) // 3 for row in one["positions"].to_pylist())]


def test_a_broken_file_is_one_row(files: Collection) -> None:
    errors = wd.read_errors(files.folder, task_bytes=TASK).to_pydict()
    assert errors["file"] == [str(files.folder / "broken.wwd")]
    assert errors["offset"] == [2000]


def test_queries_take_what_they_need(files: Collection) -> None:
    objects = wd.read_objects(files.folder, task_bytes=TASK)
    assert objects.select("x").limit(3).count_rows() == 3
    counts = objects.groupby("logic").agg(daft.col("x").count().alias("n")).to_arrow()
    assert sum(counts["n"].to_pylist()) == files.objects.num_rows
    assert objects.where(daft.col("plane_name") == "nowhere").count_rows() == 0
    expected = pl.DataFrame(files.objects).select("y", "file", "logic", "x")
    for found, rows in [
        (objects.select("y", "file", "logic", "x"), expected),
        (
            objects.where(daft.col("z") > 100).select("logic", "x"),
            pl.DataFrame(files.objects).filter(pl.col("z") > 100),
        ),
    ]:
        names = found.column_names
        assert pl.DataFrame(found.to_arrow()).sort(names).equals(rows.select(names).sort(names))
        assert rows.height > 0


def test_files_come_from_an_object_store(files: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    import boto3
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    try:
        url = f"http://{host}:{port}"
        keys = {"region_name": "us-east-1", "endpoint_url": url}
        store = boto3.client("s3", aws_access_key_id="a", aws_secret_access_key="b", **keys)
        store.create_bucket(Bucket="assets")
        names = ["levels0/0.wwd", "tables/items0.wdb", "tables/pack0.bin", "0.rez", "broken.wwd", "island0/WORLD.WDB"]
        for name in names:
            store.put_object(Bucket="assets", Key=f"all/{name}", Body=(files.folder / name).read_bytes())
        config = IOConfig(s3=S3Config(key_id="a", access_key="b", **keys))
        expected = [
            {**row, "file": row["file"].replace(str(files.folder), "s3://assets/all")}
            for row in files.objects.to_pylist()
            if row["file"].removeprefix(str(files.folder) + "/").startswith(tuple(names))
        ]
        found = wd.read_objects("s3://assets/all/**", io_config=config, task_bytes=TASK).to_pylist()
        assert sorted(found, key=repr) == sorted(expected, key=repr)
        assert len(found) == collection.OBJECTS["garden.wwd"] + collection.OBJECTS["harbour.wwd"]
        assert wd.read_records("s3://assets/all/**", sheet="Item", io_config=config).count_rows() == 40
        assert wd.read_meshes("s3://assets/all/**", io_config=config).count_rows() > 0
        errors = wd.read_errors("s3://assets/all/**", io_config=config).to_pydict()
        assert (errors["file"], errors["offset"]) == (["s3://assets/all/broken.wwd"], [2000])

        # Spark and Ray go through pyarrow.
        from worldview import _tasks

        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "a")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "b")
        job, listed = _tasks.plan(f"s3://assets/all?endpoint_override={url}&region=us-east-1", "objects")
        tasks = _tasks.split(listed, TASK)
        table = pa.Table.from_batches([batch for task in tasks for batch in job.read(task)])
        assert sorted(table.to_pylist(), key=repr) == sorted(expected, key=repr)
    finally:
        server.stop()


ON_RAY = """
import json, sys, daft, ray, worldview.daft as wd
ray.init(num_cpus=2, include_dashboard=False, object_store_memory=400 << 20)
daft.set_runner_ray()
objects = wd.read_objects(sys.argv[1], task_bytes=1 << 20)
errors = wd.read_errors(sys.argv[1], task_bytes=1 << 20).to_pydict()
objects.write_parquet(sys.argv[2])
print(json.dumps(errors))
"""


def test_the_same_on_ray(files: Collection, tmp_path: Path) -> None:
    """In a process of its own, because the runner is chosen once."""
    command = [sys.executable, "-c", ON_RAY, str(files.folder), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    import pyarrow.parquet as pq

    written = pq.read_table(tmp_path)
    assert frame(written.select(files.objects.schema.names), files.objects.schema).equals(frame(files.objects))
    errors = json.loads(done.stdout.splitlines()[-1])
    assert (errors["file"], errors["offset"]) == ([str(files.folder / "broken.wwd")], [2000])
