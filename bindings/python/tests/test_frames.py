"""Data frames of four libraries, compared with the CSV of the command."""

import csv
import io
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import worldview as wv
import worldview.polars as wp
from conftest import SAMPLES, worldview


def test_every_library_takes_a_table(tmp_path: Path) -> None:
    done = worldview("export", str(SAMPLES / "items.wdb"), "-o", str(tmp_path), "--to", "csv")
    assert done.returncode == 0, done.stderr
    (written,) = tmp_path.rglob("records.csv")
    expected = list(csv.DictReader(io.StringIO(written.read_text(encoding="utf-8-sig"))))
    items = wv.open(SAMPLES / "items.wdb")
    frames = {
        "polars": pl.DataFrame(items).to_dicts(),
        "pyarrow": pa.table(items).to_pylist(),
        "pandas": pd.DataFrame.from_arrow(items).to_dict("records"),
        "duckdb": duckdb.sql("select * from items").to_arrow_table().to_pylist(),
        "rows": list(items.rows()),
    }
    for library, rows in frames.items():
        assert len(rows) == len(expected), library
        for row, cells in zip(rows, expected, strict=True):
            assert row["record"] == cells["record"]
            assert str(row["uPurchasePrice"]) == cells["uPurchasePrice"], library


def test_columns_can_be_chosen() -> None:
    table = wv.open(SAMPLES / "items.wdb")
    assert table.rows(["uPurchasePrice"]).columns == ["record", "uPurchasePrice"]
    with pytest.raises(KeyError, match="nonsense"):
        table.rows(["nonsense"])


def test_a_frame_outlives_the_file() -> None:
    frame = pl.DataFrame(wv.open(SAMPLES / "harbour.wwd").objects())
    assert frame.height == len(wv.open(SAMPLES / "harbour.wwd").objects())


def test_streams_have_the_rows_of_all_files() -> None:
    levels = [found.unwrap() for found in wv.scan(SAMPLES, kind="level")]
    frame = pl.DataFrame(wv.read_objects(SAMPLES))
    assert frame.height == sum(len(level.objects()) for level in levels)
    counts = dict(frame.group_by("file").len().iter_rows())
    for level in levels:
        objects = len(level.objects())
        assert counts.get("/".join([level.path, *level.inside]), 0) == objects


def test_filters_choose_rows() -> None:
    whole = pa.table(wv.read_objects(SAMPLES)).to_pylist()
    conditions = {"==": "__eq__", "!=": "__ne__", "<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__"}
    filters: list[tuple[str, str, Any]]
    for operator, method in conditions.items():
        for column, value in [("logic", "FrontCandy"), ("x", 800), ("file", whole[-1]["file"])]:
            filters = [(column, operator, value), ("y", ">", 100.5)]
            rows = pa.table(wv.read_objects(SAMPLES, filters=filters)).to_pylist()
            assert rows == [row for row in whole if getattr(row[column], method)(value) and row["y"] > 100.5], filters
    some = ["FrontCandy", "Officer"]
    for operator, is_in in [("in", True), ("not in", False)]:
        # What is compared need not be read.
        rows = pa.table(wv.read_objects(SAMPLES, columns=["x"], strings="dictionary", filters=[("logic", operator, some)]))
        assert rows.to_pylist() == [{"x": row["x"]} for row in whole if (row["logic"] in some) is is_in]
        (task,) = wv.tasks(SAMPLES, columns=["x"], filters=[("logic", operator, some)])
        assert pa.Table.from_batches(task.read()).to_pylist() == rows.to_pylist()
    prices = pl.DataFrame(wv.read_records(SAMPLES, sheet="Item", filters=[("uPurchasePrice", ">", 50)]))
    assert prices.equals(pl.DataFrame(wv.read_records(SAMPLES, sheet="Item")).filter(pl.col("uPurchasePrice") > 50))
    assert pa.table(wv.read_objects(SAMPLES, filters=[("x", "==", 1 << 40)])).num_rows == 0
    for wrong, why in [(("logi", "==", "Key"), "no column"), (("x", ">", "a"), "cannot be compared"), (("x", "~", 5), "operator")]:
        with pytest.raises(ValueError, match=why):
            wv.read_objects(SAMPLES, filters=[wrong])
    for wrong in [("x", 5), ("x", "in", 5), ("x", "==", None)]:
        with pytest.raises(TypeError, match="filter|compared"):
            wv.read_objects(SAMPLES, filters=[wrong])


@pytest.mark.parametrize("threads", [1, 2])
def test_records_of_a_sheet_or_values_of_all(threads: int) -> None:
    one = pl.DataFrame(wv.read_records(SAMPLES, sheet="item", threads=threads))
    assert one.drop("file").equals(pl.DataFrame(wv.open(SAMPLES / "items.wdb")))
    values = pl.DataFrame(wv.read_records(SAMPLES, threads=threads))
    assert values.columns == ["file", "sheet", "record", "field", "value", "number"]
    tables = [found.unwrap() for found in wv.scan(SAMPLES, kind="table", threads=threads)]
    assert values.height == sum(len(table) * len(table.fields) for table in tables)
    price = values.filter((pl.col("record") == "apple_dried") & (pl.col("field") == "uPurchasePrice"))
    expected = wv.open(SAMPLES / "items.wdb")["apple_dried"]["uPurchasePrice"]
    assert price["number"].to_list() == [float(expected)] and price["value"].to_list() == [str(expected)]


def test_texts_can_be_stored_once() -> None:
    stream = wv.read_objects(SAMPLES, strings="dictionary")
    texts, plain = pa.table(stream), pa.table(wv.read_objects(SAMPLES))
    assert texts.schema.field("logic").type == pa.dictionary(pa.int32(), pa.string())
    assert texts.to_pylist() == plain.to_pylist() and texts["file"].nbytes < plain["file"].nbytes / 5
    frame = pl.DataFrame(wv.read_objects(SAMPLES, strings="dictionary"))
    assert frame["logic"].dtype == pl.Categorical
    keys = frame.filter(pl.col("logic") == "FrontCandy")
    assert keys.height == plain["logic"].to_pylist().count("FrontCandy") > 0
    (rows, *_) = wv.read_objects(SAMPLES / "harbour.wwd", strings="dictionary")
    assert rows[0]["logic"] == plain["logic"][0].as_py() and rows["file"] == [str(SAMPLES / "harbour.wwd")] * len(rows)


def test_strings_can_be_views() -> None:
    views = pa.table(wv.read_objects(SAMPLES, strings="view"))
    plain = pa.table(wv.read_objects(SAMPLES))
    assert views.schema.field("logic").type == pa.string_view()
    assert views["logic"].to_pylist() == plain["logic"].to_pylist()


def test_a_stream_lists_what_it_could_not_read(tmp_path: Path) -> None:
    (tmp_path / "broken.wwd").write_bytes((SAMPLES / "harbour.wwd").read_bytes()[:2000])
    (tmp_path / "fine.wwd").write_bytes((SAMPLES / "garden.wwd").read_bytes())
    stream = wv.read_objects(tmp_path)
    assert pl.DataFrame(stream)["file"].unique().to_list() == [str(tmp_path / "fine.wwd")]
    (error,) = stream.errors
    assert isinstance(error, wv.FormatError) and error.path == str(tmp_path / "broken.wwd")
    assert (error.code, error.offset, error.space) == ("unreadable-damaged", 2000, "file")
    # The same from everything that reads many files, and in a frame.
    scan = wv.scan(tmp_path)
    (found,) = (found for found in scan if found.error)
    for errors in (stream.errors, scan.errors):
        assert [(str(one), one.to_dict()) for one in errors] == [(str(error), found.error.to_dict())]
        assert errors.to_frame().group_by("code").len().rows() == [("unreadable-damaged", 1)]
    for errors in (wv.find("x", tmp_path).errors, wv.export(tmp_path, tmp_path.with_name("out"), to="csv").errors):
        assert [(one.path, one.code, one.offset, one.space) for one in errors] == [(error.path, error.code, 2000, "file")]
    assert wv.check(tmp_path / "fine.wwd").errors.to_frame().columns == errors.to_frame().columns
    with pytest.raises(wv.FormatError, match="broken.wwd"):
        wv.read_objects(tmp_path / "broken.wwd")
    with pytest.raises(ValueError, match="already been consumed"):
        pl.DataFrame(stream)
    with pytest.raises(ValueError, match="no tables in 2 files"):
        wv.read_records(tmp_path)


def test_only_the_columns_that_are_asked_for_are_read() -> None:
    whole = pl.DataFrame(wv.read_objects(SAMPLES))
    for columns in (["x", "file", "logic"], ["move_rect_top"], ["metadata", "plane_name", "object"]):
        stream = wv.read_objects(SAMPLES, columns=columns)
        assert stream.columns == columns and pl.DataFrame(stream).equals(whole.select(columns))
    records = pl.DataFrame(wv.read_records(SAMPLES, sheet="item"))
    columns = ["uPurchasePrice", "record", "file"]
    assert pl.DataFrame(wv.read_records(SAMPLES, sheet="item", columns=columns)).equals(records.select(columns))
    values = wv.read_records(SAMPLES, columns=["number"])
    assert pl.DataFrame(values).equals(pl.DataFrame(wv.read_records(SAMPLES)).select("number"))
    with pytest.raises(ValueError, match='no column "nonsense"'):
        wv.read_objects(SAMPLES, columns=["x", "nonsense"])


def test_meshes_are_those_of_the_models() -> None:
    frame = pl.DataFrame(wv.read_meshes(SAMPLES))
    rows = frame.rows(named=True)
    expected = [
        (name, roi, level, number, mesh)
        for name, model in wv.open(SAMPLES / "world.wdb").models.items()
        for roi in model.rois
        for level, lod in enumerate(roi.lods)
        for number, mesh in enumerate(lod.meshes)
    ]
    assert len(rows) == len(expected) > 100
    for row, (name, roi, level, number, mesh) in zip(rows, expected, strict=True):
        assert row["file"] == str(SAMPLES / "world.wdb")
        assert (row["model"], row["roi"], row["roi_index"], row["is_shared"]) == (name, roi.name, roi.index, roi.is_shared)
        assert (row["lod"], row["mesh"]) == (level, number)
        material, geometry = mesh.material, mesh.decode()
        assert (row["material"], row["red"], row["green"], row["blue"]) == (material["name"], *material["color"])
        assert all(row[key] == material[key] for key in ("texture", "shading", "shines", "opacity"))
        for key in ("positions", "normals", "uvs", "indices"):
            assert row[key] == np.asarray(getattr(geometry, key)).ravel().tolist()


def test_the_schema_that_is_asked_for_is_honored_or_refused() -> None:
    levels = wv.open(SAMPLES / "harbour.wwd").objects()
    own = pa.table(levels)
    wanted = [(field.name, {pa.string(): pa.large_string(), pa.binary(): pa.binary_view()}.get(field.type, field.type)) for field in own.schema]
    for rows in (levels, wv.read_objects(SAMPLES / "harbour.wwd", columns=own.schema.names)):
        capsule = rows.__arrow_c_stream__(pa.schema(wanted).__arrow_c_schema__())
        # No cast by pyarrow: the stream itself has these types.
        table = pa.RecordBatchReader._import_from_c_capsule(capsule).read_all()
        assert table.schema.field("logic").type == pa.large_string() and table.schema.field("metadata").type == pa.binary_view()
        assert table.to_pylist() == own.to_pylist()
    views = [(name, pa.string_view() if kind == pa.large_string() else kind) for name, kind in wanted]
    assert pa.table(levels, schema=pa.schema(views)).schema.field("name").type == pa.string_view()
    # Other types are the consumer's to convert.
    assert pa.table(levels, schema=pa.schema([(name, pa.int64() if name == "x" else kind) for name, kind in wanted]))["x"].to_pylist() == own["x"].to_pylist()
    for other in (wanted[:-1], wanted[::-1], [("y", pa.int32())]):
        with pytest.raises(ValueError, match="requested schema has the columns"):
            levels.__arrow_c_stream__(pa.schema(other).__arrow_c_schema__())
    # A refusal does not consume the rows.
    stream = wv.read_objects(SAMPLES / "harbour.wwd")
    with pytest.raises(ValueError, match="requested schema"):
        stream.__arrow_c_stream__(pa.schema([("y", pa.int32())]).__arrow_c_schema__())
    assert pl.DataFrame(stream).height == own.num_rows


def test_a_lazy_frame_reads_only_what_its_query_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str] | None] = []
    read = wv.read_objects
    monkeypatch.setattr(wv, "read_objects", lambda paths, **options: (asked.append(options["columns"]), read(paths, **options))[1])
    whole = pl.DataFrame(read(SAMPLES))
    lazy = wp.scan_objects(SAMPLES)
    assert lazy.collect().equals(whole)
    asked.clear()
    query = lazy.filter(pl.col("z") > 100).select("logic", (pl.col("x") + pl.col("y")).alias("sum"))
    assert query.collect().equals(whole.filter(pl.col("z") > 100).select("logic", (pl.col("x") + pl.col("y")).alias("sum")))
    assert query.collect(engine="streaming").height == query.collect().height
    assert {"logic", "x", "y", "z"} in [set(columns) for columns in asked if columns is not None]
    assert all(columns is None or set(columns) <= {"logic", "x", "y", "z"} for columns in asked)
    assert lazy.head(3).collect().equals(whole.head(3))
    assert lazy.select(pl.len()).collect().item() == whole.height
    assert lazy.group_by("file").len().collect().height == whole["file"].n_unique()
    records = wp.scan_records(SAMPLES, sheet="Item").select("record", "uPurchasePrice").collect()
    assert records.equals(pl.DataFrame(wv.open(SAMPLES / "items.wdb")).select("record", "uPurchasePrice"))
    assert wp.scan_meshes(SAMPLES).select("model").unique().collect().height > 5
    (tmp_path / "broken.wwd").write_bytes((SAMPLES / "harbour.wwd").read_bytes()[:2000])
    (tmp_path / "fine.wwd").write_bytes((SAMPLES / "garden.wwd").read_bytes())
    with pytest.warns(UserWarning, match="broken.wwd: "):
        assert wp.scan_objects(tmp_path).collect()["file"].unique().to_list() == [str(tmp_path / "fine.wwd")]
