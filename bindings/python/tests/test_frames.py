"""Data frames of four libraries, compared with the CSV of the command."""

import csv
import io
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import worldview as wv
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
    with pytest.raises(wv.Error, match="nonsense"):
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
    ((path, message),) = stream.errors
    assert path.endswith("broken.wwd") and message
    with pytest.raises(ValueError, match="already been consumed"):
        pl.DataFrame(stream)
    with pytest.raises(ValueError, match="no tables in 2 files"):
        wv.read_records(tmp_path)
