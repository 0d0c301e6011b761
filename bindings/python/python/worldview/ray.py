"""Levels, tables and models as data sets of Ray Data.

A path is a path, a folder or a pattern, as for `worldview.scan`, which all nodes see; or the URL of a file or folder in
an object store that pyarrow knows, such as `s3://bucket/levels`. Files from there are never stored on the disk.

A file that cannot be read yields no rows and does not stop the read; `read_errors` lists these files. `task_bytes` is
how many bytes of files a task reads at most. Other options are those of `worldview.open`: `lossy`, `recover`, `encoding`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Unpack

import pyarrow as pa
from ray.data import Dataset, Datasource, ReadTask, read_datasource
from ray.data.block import BlockMetadata

from . import Paths, _tasks
from ._tasks import TASK_BYTES, Job, Options

__all__ = ["read_errors", "read_meshes", "read_objects", "read_records"]


def read_objects(paths: Paths, *, task_bytes: int = TASK_BYTES, **options: Unpack[Options]) -> Dataset:
    """Returns the objects of levels, with the columns of `worldview.read_objects`."""
    return _read(paths, "objects", None, False, task_bytes, options)


def read_records(
    paths: Paths, *, sheet: str | None = None, task_bytes: int = TASK_BYTES, **options: Unpack[Options]
) -> Dataset:
    """Returns the records of the tables of a sheet, or all values of all tables, as `worldview.read_records` does.

    Raises:
        ValueError: There is no table of the sheet. Its first one, which decides the columns, is searched for at once.
    """
    return _read(paths, "records", sheet, False, task_bytes, options)


def read_meshes(paths: Paths, *, task_bytes: int = TASK_BYTES, **options: Unpack[Options]) -> Dataset:
    """Returns the meshes of WORLD.WDB, one row each: where they are, their material, and lists of numbers."""
    return _read(paths, "meshes", None, False, task_bytes, options)


def read_errors(
    paths: Paths,
    *,
    kind: str = "objects",
    sheet: str | None = None,
    task_bytes: int = TASK_BYTES,
    **options: Unpack[Options],
) -> Dataset:
    """Returns what the same reading of `objects`, `records` or `meshes` leaves out, one row each.

    The columns are `file`, `error` (the message), and `part`, `index`, `offset` and `space` as in `worldview.Error`. The
    files are read again for it.
    """
    return _read(paths, kind, sheet, True, task_bytes, options)


def _read(paths: Paths, kind: str, sheet: str | None, is_errors: bool, task_bytes: int, options: Options) -> Dataset:
    job, files = _tasks.plan(paths, kind, sheet=sheet, is_errors=is_errors, options=options)
    return read_datasource(_Source(job, files, task_bytes))


class _Source(Datasource):
    def __init__(self, job: Job, files: list[tuple[str, int]], task_bytes: int) -> None:
        super().__init__()
        # Where Ray keeps the columns that are wanted.
        self._projection_map = None
        self._job, self._files, self._task_bytes = job, files, task_bytes

    def get_name(self) -> str:
        return f"Worldview{self._job.kind.title()}"

    def supports_projection_pushdown(self) -> bool:
        return True

    def estimate_inmemory_data_size(self) -> int | None:
        return None

    def get_read_tasks(
        self, parallelism: int, per_task_row_limit: int | None = None, data_context: Any = None
    ) -> list[ReadTask]:
        job = self._job.pick(self._get_data_columns())
        # Ray asks for 200 tasks by default, even if they are tiny.
        even = max(8 << 20, sum(size for _, size in self._files) // parallelism)
        tasks = _tasks.split(self._files, min(self._task_bytes, even))
        return [
            ReadTask(
                partial(_blocks, job, files),
                BlockMetadata(num_rows=None, size_bytes=None, input_files=tuple(files), exec_stats=None),
                schema=job.schema,
                per_task_row_limit=per_task_row_limit,
            )
            for files in tasks
        ]


def _blocks(job: Job, files: list[str]) -> Iterator[pa.Table]:
    # Without rows, Ray would know no columns.
    yield job.schema.empty_table()
    for batch in job.read(files):
        yield pa.Table.from_batches([batch])
