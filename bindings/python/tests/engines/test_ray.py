"""Ray Data, on a cluster of two nodes, one of which is killed."""

import os
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import collection
import polars as pl
import pyarrow as pa
import pytest
import ray
import worldview.ray as wr
from collection import frame
from conftest import Collection
from ray.cluster_utils import Cluster

TASK = 1 << 20


class Nodes:
    """A head without processors, and two nodes with one each."""

    def __init__(self) -> None:
        memory = {"object_store_memory": 300 << 20}
        head = {"num_cpus": 0, "include_dashboard": False, **memory}
        self.cluster = Cluster(initialize_head=True, head_node_args=head)
        self.nodes = [self.cluster.add_node(num_cpus=1, **memory) for _ in range(2)]
        ray.init(address=self.cluster.address, log_to_driver=False)


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    started = Nodes()
    yield started
    ray.shutdown()
    started.cluster.shutdown()


def table(dataset: ray.data.Dataset) -> pa.Table:
    return pa.concat_tables(ray.get(dataset.to_arrow_refs()))


def test_rows_are_those_of_one_process(files: Collection, nodes: Nodes) -> None:
    for expected, found in [
        (files.objects, wr.read_objects(files.folder, task_bytes=TASK)),
        (files.items, wr.read_records(files.folder, sheet="item", task_bytes=TASK)),
        (files.values, wr.read_records(files.folder, task_bytes=TASK)),
    ]:
        rows = table(found)
        assert rows.schema.equals(expected.schema)
        assert frame(rows).equals(frame(expected))


def test_strings_can_be_grouped(files: Collection, nodes: Nodes) -> None:
    counts = wr.read_objects(files.folder).groupby("logic").count().take_all()
    assert sum(row["count()"] for row in counts) == files.objects.num_rows


def test_columns_can_be_chosen(files: Collection, nodes: Nodes) -> None:
    names = ["y", "file", "logic", "x"]
    rows = table(wr.read_objects(files.folder).select_columns(names))
    expected = pl.DataFrame(files.objects).select(names).sort(names)
    assert pl.DataFrame(rows.select(names)).sort(names).equals(expected)


def test_meshes_and_errors(files: Collection, nodes: Nodes) -> None:
    meshes = wr.read_meshes(str(files.folder / "island*" / "WORLD.WDB"))
    assert meshes.count() > 0 and meshes.count() % collection.DATABASES == 0
    (error,) = wr.read_errors(files.folder, task_bytes=TASK).take_all()
    assert (error["file"], error["offset"]) == (str(files.folder / "broken.wwd"), 2000)


def test_a_killed_node_changes_nothing(files: Collection, nodes: Nodes, tmp_path: Path) -> None:
    marks = str(tmp_path)

    def slow(batch: pa.Table) -> pa.Table:
        node = ray.get_runtime_context().get_node_id()
        (Path(marks) / f"{node}.{uuid.uuid4()}").touch()
        time.sleep(0.2)
        return batch

    def done() -> list[str]:
        return [name.partition(".")[0] for name in os.listdir(marks)]

    victim = nodes.nodes[1]
    killed_at: list[int] = []

    def kill() -> None:
        while done().count(victim.node_id) < 3 and not stop.is_set():
            time.sleep(0.02)
        killed_at.append(len(done()))
        nodes.cluster.remove_node(victim, allow_graceful=False)

    stop = threading.Event()
    killer = threading.Thread(target=kill)
    killer.start()
    try:
        dataset = wr.read_objects(files.folder, task_bytes=TASK).map_batches(
            slow, batch_format="pyarrow", batch_size=None
        )
        rows = table(dataset)
    finally:
        stop.set()
        killer.join()
    after = done()
    assert after.count(victim.node_id) >= 3
    assert len(after) > killed_at[0] + 3, "the node was killed after the run"
    assert frame(rows).equals(frame(files.objects))
