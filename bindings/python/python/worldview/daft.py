"""Levels, tables and models as data frames of Daft, on one machine or on a cluster of Ray.

Paths are paths, folders and patterns, as for `worldview.scan`, or URLs and patterns of any storage that Daft knows, such
as `s3://bucket/levels/**`. `io_config` has the access to it. Files from there are never stored on the disk.

A file that cannot be read yields no rows and does not stop the read; `read_errors` lists these files. `task_bytes` is
how many bytes of files a task reads. Other options are those of `worldview.open`: `lossy`, `recover`, `encoding`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import Unpack

from daft import DataFrame, Schema
from daft.daft import IOConfig, io_glob
from daft.file import open_file
from daft.io.pushdowns import Pushdowns
from daft.io.source import DataSource, DataSourceTask
from daft.recordbatch import RecordBatch

from . import Paths, _tasks
from ._tasks import TASK_BYTES, Job, Options

__all__ = ["read_errors", "read_meshes", "read_objects", "read_records"]


def read_objects(
    paths: Paths, *, io_config: IOConfig | None = None, task_bytes: int = TASK_BYTES, **options: Unpack[Options]
) -> DataFrame:
    """Returns the objects of levels, with the columns of `worldview.read_objects`."""
    return _read(paths, "objects", None, False, io_config, task_bytes, options)


def read_records(
    paths: Paths,
    *,
    sheet: str | None = None,
    io_config: IOConfig | None = None,
    task_bytes: int = TASK_BYTES,
    **options: Unpack[Options],
) -> DataFrame:
    """Returns the records of the tables of a sheet, or all values of all tables, as `worldview.read_records` does.

    Raises:
        ValueError: There is no table of the sheet. Its first one, which decides the columns, is searched for at once.
    """
    return _read(paths, "records", sheet, False, io_config, task_bytes, options)


def read_meshes(
    paths: Paths, *, io_config: IOConfig | None = None, task_bytes: int = TASK_BYTES, **options: Unpack[Options]
) -> DataFrame:
    """Returns the meshes of WORLD.WDB, one row each: where they are, their material, and lists of numbers."""
    return _read(paths, "meshes", None, False, io_config, task_bytes, options)


def read_errors(
    paths: Paths,
    *,
    kind: str = "objects",
    sheet: str | None = None,
    io_config: IOConfig | None = None,
    task_bytes: int = TASK_BYTES,
    **options: Unpack[Options],
) -> DataFrame:
    """Returns what the same reading of `objects`, `records` or `meshes` leaves out, one row each.

    The columns are `file`, `error` (the message), and `part`, `index`, `offset` and `space` as in `worldview.Error`. The
    files are read again for it.
    """
    return _read(paths, kind, sheet, True, io_config, task_bytes, options)


def _read(
    paths: Paths,
    kind: str,
    sheet: str | None,
    is_errors: bool,
    io_config: IOConfig | None,
    task_bytes: int,
    options: Options,
) -> DataFrame:
    find, fetch = partial(_find, io_config=io_config), partial(_fetch, io_config=io_config)
    job, files = _tasks.plan(paths, kind, sheet=sheet, is_errors=is_errors, options=options, find=find, fetch=fetch)
    return _Source(job, _tasks.split(files, task_bytes)).read()


def _find(url: str, io_config: IOConfig | None) -> list[tuple[str, int]]:
    """Returns the files of a URL or a pattern, with their sizes."""
    found = io_glob(url, io_config=io_config)
    return [(each["path"], each["size"] or 0) for each in found if each["type"] == "File"]


def _fetch(url: str, io_config: IOConfig | None) -> bytes:
    with open_file(url, "rb", buffering=0, io_config=io_config) as file:
        return file.read()


class _Source(DataSource):
    def __init__(self, job: Job, tasks: list[list[str]]) -> None:
        self._job, self._tasks = job, tasks

    @property
    def name(self) -> str:
        return f"worldview {self._job.kind}"

    @property
    def schema(self) -> Schema:
        return Schema.from_pyarrow_schema(self._job.schema)

    async def get_tasks(self, pushdowns: Pushdowns) -> AsyncIterator[DataSourceTask]:
        # Daft filters what it gets, so it needs the columns of filters, too.
        job = self._job.pick(None if pushdowns.filters is not None else pushdowns.columns)
        for files in self._tasks:
            yield _Task(job, files)


class _Task(DataSourceTask):
    def __init__(self, job: Job, files: list[str]) -> None:
        self._job, self._files = job, files

    @property
    def schema(self) -> Schema:
        return Schema.from_pyarrow_schema(self._job.schema)

    async def read(self) -> AsyncIterator[RecordBatch]:
        batches = self._job.read(self._files)
        # Daft reads several tasks at a time in one thread of Python.
        while (batch := await asyncio.to_thread(next, batches, None)) is not None:
            yield RecordBatch.from_arrow_record_batches([batch], batch.schema)
