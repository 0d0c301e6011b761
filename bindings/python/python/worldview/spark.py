"""Levels, tables and models as data frames of Spark.

```python
worldview.spark.register(spark)
objects = spark.read.format("worldview").option("kind", "objects").load("levels")
```

A path is a path, a folder or a pattern, as for `worldview.scan`, which all workers see; or the URL of a file or folder
in an object store that pyarrow knows, such as `s3://bucket/levels`. The options are:

- `kind`: `objects` (the default), `records` or `meshes`;
- `sheet`: for records, the name of a sheet; without it each value is a row;
- `errors`: `true` returns what cannot be read instead of the rows;
- `taskBytes`: how many bytes of files a partition has;
- `lossy`, `recover` and `encoding`: as for `worldview.open`.

Spark has no unsigned integers: `uint32` becomes `bigint`, and `uint64` `decimal(20, 0)`. It does not tell a source which
columns a query uses; `.schema("file string, x int")` says so, and is faster.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import StructType

from . import _tasks

__all__ = ["WorldviewDataSource", "register"]

_SIGNED = {
    pa.uint8(): pa.int16(),
    pa.uint16(): pa.int32(),
    pa.uint32(): pa.int64(),
    pa.uint64(): pa.decimal128(20, 0),
}


def register(spark: SparkSession) -> None:
    """Registers the data source `worldview` with a session."""
    spark.dataSource.register(WorldviewDataSource)


class WorldviewDataSource(DataSource):
    """The format `worldview` of `spark.read.format`."""

    @classmethod
    def name(cls) -> str:
        """Returns the name of the format."""
        return "worldview"

    def schema(self) -> StructType:
        """Returns the columns."""
        job, _ = self._plan()
        return from_arrow_schema(pa.schema([column.with_type(_signed(column.type)) for column in job.schema]))

    def reader(self, schema: StructType) -> DataSourceReader:
        """Returns the reader of these columns."""
        job, files = self._plan()
        task_bytes = int(self.options.get("taskBytes", _tasks.TASK_BYTES))
        return _Reader(job.pick(schema.fieldNames()), _tasks.split(files, task_bytes), schema)

    def _plan(self) -> tuple[_tasks.Job, list[tuple[str, int]]]:
        options: Any = {name: self.options[name] == "true" for name in ("lossy", "recover") if name in self.options}
        if "encoding" in self.options:
            options["encoding"] = self.options["encoding"]
        # Several paths are given as a list in JSON.
        paths = json.loads(self.options["paths"]) if "paths" in self.options else self.options["path"]
        return _tasks.plan(
            paths,
            self.options.get("kind", "objects"),
            sheet=self.options.get("sheet"),
            is_errors=self.options.get("errors") == "true",
            options=options,
        )


class _Files(InputPartition):
    def __init__(self, files: list[str]) -> None:
        self.files = files


class _Reader(DataSourceReader):
    def __init__(self, job: _tasks.Job, tasks: list[list[str]], schema: StructType) -> None:
        self._job, self._tasks, self._schema = job, tasks, schema

    def partitions(self) -> list[InputPartition]:
        return [_Files(files) for files in self._tasks]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        assert isinstance(partition, _Files)
        schema = to_arrow_schema(self._schema, timezone="UTC")
        for batch in self._job.read(partition.files):
            yield batch.select(schema.names).cast(schema)


def _signed(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_list(kind):
        return pa.list_(_signed(kind.value_type))
    return _SIGNED.get(kind, kind)
