"""Tasks for engines, without an engine: each is pickled on its way to a worker."""

import pickle
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import polars as pl
import pyarrow as pa
import pytest
import worldview as wv
from conftest import SAMPLES
from worldview import _tasks

LEVELS = SAMPLES / "*.wwd"


def read(tasks: list[_tasks.Task]) -> pa.Table:
    batches = [batch for task in tasks for batch in pickle.loads(pickle.dumps(task)).read()]
    return pa.Table.from_batches(batches, tasks[0].schema)


def test_files_are_split_by_bytes_in_order() -> None:
    split = lambda *sizes: _tasks.split([(str(index), size) for index, size in enumerate(sizes)], 1600)  # noqa: E731
    assert split() == []
    # Each file counts 100 bytes more, for opening it.
    assert split(700, 700, 1) == [["0", "1"], ["2"]]
    assert split(5000, 1, 1) == [["0"], ["1", "2"]]
    assert split(1, 5000, 1) == [["0"], ["1"], ["2"]]
    assert split(*[0] * 20) == [[str(index) for index in range(16)], [str(index) for index in range(16, 20)]]


def test_tasks_read_what_one_process_reads() -> None:
    for options, expected in (
        ({}, wv.read_objects(SAMPLES)),
        ({"columns": ["y", "file"]}, wv.read_objects(SAMPLES, columns=["y", "file"])),
        ({"rows": "records", "sheet": "ITEM"}, wv.read_records(SAMPLES, sheet="item")),
        ({"rows": "records"}, wv.read_records(SAMPLES)),
        ({"rows": "meshes"}, wv.read_meshes(SAMPLES)),
    ):
        tasks = wv.tasks(SAMPLES, task_bytes=100_000, **options)
        assert len(tasks) > 3 and read(tasks).equals(pa.table(expected)), options


def test_errors_are_those_of_one_process(tmp_path: Path) -> None:
    for name, size in {"items.wdb": 2000, "wdbpack.bin": 1700, "harbour.rez": 120_000, "world.wdb": 90_000}.items():
        (tmp_path / name).write_bytes((SAMPLES / name).read_bytes()[:size])
    (tmp_path / "notes.txt").write_text("no asset")
    (tmp_path / "fine.wwd").write_bytes((SAMPLES / "garden.wwd").read_bytes())
    stream = wv.read_objects(tmp_path)
    pa.table(stream)
    found = pl.DataFrame(read(wv.tasks(tmp_path, errors=True, task_bytes=1)))
    assert found.height >= 4 and found.equals(stream.errors.to_frame())
    # If there are no rows at all, there still are errors.
    (tmp_path / "fine.wwd").unlink()
    assert read(wv.tasks(tmp_path, errors=True)).num_rows == found.height
    with pytest.raises(ValueError, match="no such rows in 5 files; the first: .*harbour.rez"):
        wv.tasks(tmp_path)


def test_a_table_with_other_fields_is_an_error_in_any_task(tmp_path: Path) -> None:
    items, bestiary = ((SAMPLES / name).read_bytes() for name in ("items.wdb", "bestiary.wdb"))
    (tmp_path / "a.wdb").write_bytes(items)
    (tmp_path / "b.wdb").write_bytes(bestiary.replace(b"Bestiary", b"Item\0\0\0\0"))
    (tmp_path / "c.wdb").write_bytes(items)
    for size in (1, 1 << 20):
        assert read(wv.tasks(tmp_path, rows="records", sheet="Item", task_bytes=size)).num_rows == 80
        (error,) = read(wv.tasks(tmp_path, rows="records", sheet="Item", task_bytes=size, errors=True)).to_pylist()
        assert (error["path"], error["code"]) == (str(tmp_path / "b.wdb"), "failed")
        assert "columns differ" in error["message"]


def test_urls_are_fetched_where_they_are_read() -> None:
    store = {f"mem://all/{path.name}?key=1": path.read_bytes() for path in sorted(SAMPLES.glob("*.wwd"))}
    found, expected = read(wv.tasks(store, fetch=store.__getitem__)), pa.table(wv.read_objects(str(LEVELS)))
    assert found.drop(["file"]).equals(expected.drop(["file"]))
    names = [f"mem://all/{Path(file).name}" for file in expected["file"].to_pylist()]
    assert found["file"].to_pylist() == names
    urls = [*store, "mem://all/none.wwd?key=1"]
    (error,) = read(wv.tasks(urls, fetch=store.__getitem__, errors=True)).to_pylist()
    assert (error["path"], error["code"]) == ("mem://all/none.wwd", "system") and "KeyError" in error["message"]
    with pytest.raises(ValueError, match="mem://all/none.wwd: a URL needs `fetch`"):
        wv.tasks(urls[-1])


def test_numbers_can_be_signed() -> None:
    meshes = wv.tasks(SAMPLES / "world.wdb", rows="meshes", signed=True)
    kinds = dict(zip(meshes[0].schema.names, meshes[0].schema.types))
    assert (kinds["red"], kinds["lod"], kinds["indices"]) == (pa.int16(), pa.int64(), pa.list_(pa.field("item", pa.int32(), False)))
    plain = read(wv.tasks(SAMPLES / "world.wdb", rows="meshes"))
    assert read(meshes).to_pylist() == plain.to_pylist()
    wide = pa.record_batch({"id": pa.array([(1 << 64) - 1], pa.uint64())})
    assert wide.cast(pa.schema(map(_tasks._signed, wide.schema)))["id"].to_pylist() == [Decimal((1 << 64) - 1)]


def test_wrong_questions_are_refused() -> None:
    with pytest.raises(ValueError, match="rows is objects"):
        wv.tasks(SAMPLES, rows="tiles")
    with pytest.raises(ValueError, match="no such rows in .* the first: no tables of the sheet"):
        wv.tasks(SAMPLES, rows="records", sheet="Nothing")
    with pytest.raises(ValueError, match="no column 'wide'"):
        wv.tasks(SAMPLES, columns=["x", "wide"])


def test_the_package_imports_no_engine() -> None:
    code = "import sys, worldview; print([m for m in ('polars', 'pyarrow') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout.strip() == "[]"
