"""Lazy frames of polars: a query reads only the columns that it uses, file after file, on all threads.

    import polars as pl
    import worldview.polars as wp

    wp.scan_objects("levels").filter(pl.col("logic") == "Key").select("file", "x", "y").collect()

Rows are read when a query is collected, in batches, so a query with the streaming engine takes little memory. Files that
cannot be read are named in a `UserWarning`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import polars as pl
from polars.io.plugins import register_io_source

import worldview as wv

__all__ = ["scan_meshes", "scan_objects", "scan_records"]


def scan_objects(paths: wv.Paths, **options: Any) -> pl.LazyFrame:
    """Returns the objects of many levels, with the columns of `worldview.read_objects`, which takes the same options."""
    return _scan("objects", lambda columns: wv.read_objects(paths, columns=columns, **options))


def scan_records(paths: wv.Paths, *, sheet: str | None = None, **options: Any) -> pl.LazyFrame:
    """Returns the records of tables of a sheet, or the values of all tables, with the columns of `worldview.read_records`,
    which takes the same options. The first table of a sheet is read for the columns."""
    return _scan("records", lambda columns: wv.read_records(paths, sheet=sheet, columns=columns, **options))


def scan_meshes(paths: wv.Paths, **options: Any) -> pl.LazyFrame:
    """Returns the meshes of WORLD.WDB, with the columns of `worldview.read_meshes`, which takes the same options."""
    return _scan("meshes", lambda columns: wv.read_meshes(paths, columns=columns, **options))


def _scan(name: str, read: Callable[[list[str] | None], wv.Stream]) -> pl.LazyFrame:
    def source(
        with_columns: list[str] | None, predicate: pl.Expr | None, n_rows: int | None, batch_size: int | None
    ) -> Iterator[pl.DataFrame]:
        # Rows cannot be counted without any column.
        stream = read(with_columns if with_columns or with_columns is None else ["file"])
        left = n_rows
        for rows in stream:
            frame = pl.DataFrame(rows)
            if left is not None:
                frame = frame.head(left)
                left -= frame.height
            if predicate is not None:
                frame = frame.filter(predicate)
            yield frame
            if left == 0:
                return
        if errors := stream.errors:
            more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
            warnings.warn(f"{errors[0]}{more}", stacklevel=2)

    return register_io_source(source, schema=lambda: pl.Schema(read(None)), explain_name=f"worldview {name}")
