"""What the engines share, without an engine."""

import subprocess
import sys
from pathlib import Path

import collection
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
import worldview as wv
from collection import SAMPLES, frame
from conftest import Collection
from worldview import _tasks


def rows(paths, kind: str, task_bytes: int = 1 << 20, **options) -> pa.Table:
    job, files = _tasks.plan(paths, kind, **options)
    tasks = _tasks.split(files, task_bytes)
    return pa.Table.from_batches([batch for task in tasks for batch in job.read(task)], job.schema)


def test_files_are_split_by_bytes_in_order() -> None:
    split = lambda *sizes: _tasks.split([(str(index), size) for index, size in enumerate(sizes)], 1600)
    assert split() == []
    # Each file counts 100 bytes more, for opening it.
    assert split(700, 700, 1) == [["0", "1"], ["2"]]
    assert split(5000, 1, 1) == [["0"], ["1", "2"]]
    assert split(1, 5000, 1) == [["0"], ["1"], ["2"]]
    assert split(*[0] * 20) == [[str(index) for index in range(16)], [str(index) for index in range(16, 20)]]


def test_one_process_reads_what_was_written(files: Collection) -> None:
    """The rows that the other tests compare with are right themselves."""
    objects = pl.DataFrame(files.objects)
    counts = list(collection.OBJECTS.values())
    written = sum(counts[number % 3] for number in range(collection.LEVELS))
    assert objects.height == written + collection.REZ * collection.OBJECTS["harbour.wwd"]
    first = objects.filter((pl.col("row") == 0) & ~pl.col("file").str.contains(".rez/", literal=True))
    assert dict(first.select("file", "x").iter_rows()) == files.places
    assert files.items.num_rows == collection.TABLES // 2 * 40
    scales = pl.DataFrame(files.values).filter((pl.col("record") == "bell_jelly_a") & (pl.col("field") == "fScale"))
    texts = dict(scales.select("file", "value").iter_rows())
    for number, digits in collection.DIGITS.items():
        assert texts[str(files.folder / "tables" / f"bestiary{number}.wdb")] == digits


def test_tasks_read_what_one_process_reads(files: Collection) -> None:
    assert rows(files.folder, "objects").equals(files.objects)
    assert rows(files.folder, "records", sheet="ITEM").equals(files.items)
    assert rows(files.folder, "records").equals(files.values)


@pytest.mark.parametrize("kind", ["objects", "records", "meshes"])
def test_a_broken_file_is_one_row(files: Collection, kind: str) -> None:
    (error,) = rows(files.folder, kind, is_errors=True).to_pylist()
    assert error["file"] == str(files.folder / "broken.wwd")
    assert (error["offset"], error["space"]) == (2000, "file")
    assert "zlib stream" in error["error"] and error["file"] not in error["error"]


def test_errors_are_those_of_one_process(tmp_path: Path) -> None:
    for name, size in {"items.wdb": 2000, "wdbpack.bin": 1700, "harbour.rez": 120_000, "world.wdb": 90_000}.items():
        (tmp_path / name).write_bytes((SAMPLES / name).read_bytes()[:size])
    (tmp_path / "notes.txt").write_text("no asset")
    (tmp_path / "fine.wwd").write_bytes((SAMPLES / "garden.wwd").read_bytes())
    stream = wv.read_objects(tmp_path)
    pa.table(stream)
    errors = rows(tmp_path, "objects", is_errors=True).to_pylist()
    assert len(errors) >= 4
    assert [(error["file"], error["error"]) for error in errors] == stream.errors
    odd = tmp_path / "a: b" / "broken.wwd"
    odd.parent.mkdir()
    odd.write_bytes((SAMPLES / "harbour.wwd").read_bytes()[:2000])
    (error,) = rows(odd, "objects", is_errors=True).to_pylist()
    assert error["error"].startswith("packed main block at offset 2000")
    (error,) = rows(tmp_path / "missing.wwd", "objects", is_errors=True).to_pylist()
    assert "No such file" in error["error"]


def test_meshes_have_the_arrays_of_their_models() -> None:
    database = wv.open(SAMPLES / "world.wdb")
    found = rows(SAMPLES / "world.wdb", "meshes")
    count = 0
    for row in found.to_pylist():
        roi = database.models[row["model"]].rois[row["roi_index"]]
        mesh = roi.lods[row["lod"]].meshes[row["mesh"]]
        geometry = mesh.decode()
        for name in ("positions", "normals", "uvs", "indices"):
            assert row[name] == np.asarray(getattr(geometry, name)).ravel().tolist()
        assert (row["roi"], row["material"], row["texture"]) == (
            roi.name,
            mesh.material["name"],
            mesh.material["texture"],
        )
        count += 1
    models = database.models.values()
    assert count == sum(len(lod.meshes) for model in models for roi in model.rois for lod in roi.lods) > 0


def test_a_table_with_other_fields_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.wdb").write_bytes((SAMPLES / "items.wdb").read_bytes())
    (tmp_path / "b.wdb").write_bytes((SAMPLES / "bestiary.wdb").read_bytes().replace(b"Bestiary", b"Item\0\0\0\0"))
    ((_, message),) = [(path, message) for path, message in _errors(tmp_path) if path.endswith("b.wdb")]
    assert "other fields" in message
    assert frame(rows(tmp_path, "records", sheet="Item")).height == 40


def _errors(folder: Path) -> list[tuple[str, str]]:
    stream = wv.read_records(folder, sheet="Item")
    pa.table(stream)
    errors = rows(folder, "records", sheet="Item", is_errors=True).to_pylist()
    assert [(error["file"], error["error"]) for error in errors] == stream.errors
    return stream.errors


def test_wrong_questions_are_refused() -> None:
    with pytest.raises(ValueError, match="kind is objects"):
        _tasks.plan(SAMPLES, "tiles")
    with pytest.raises(ValueError, match="no tables of the sheet 'Nothing'"):
        _tasks.plan(SAMPLES, "records", sheet="Nothing")


def test_the_package_imports_no_engine() -> None:
    code = "import sys, worldview; print([m for m in ('daft', 'pyspark', 'ray', 'pyarrow') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout.strip() == "[]"
