"""What the modules for engines share: the files of each task, the columns, and the reading itself.

Everything here needs pyarrow, which each of the engines brings along.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, TypedDict
from urllib.parse import urlsplit, urlunsplit

import pyarrow as pa

import worldview as wv

TASK_BYTES = 32 << 20
"""How many bytes of files a task reads by default."""

FILE_COST = 64 << 10
"""The bytes that a task could read while it opens a file: a task has at most 512 files."""

BATCH_ROWS, BATCH_BYTES = 1 << 14, 64 << 20
"""Rows of small files are passed on together, up to one of these limits."""

_log = logging.getLogger("worldview")


class Options(TypedDict, total=False):
    """Options of `worldview.open`."""

    lossy: bool
    recover: bool
    max_inflate: int
    encoding: str
    schemas: str


def _text(name: str, nullable: bool = False) -> pa.Field:
    return pa.field(name, pa.string(), nullable)


VALUES = pa.schema(
    [
        _text("file"),
        _text("sheet", nullable=True),
        _text("record"),
        _text("field"),
        _text("value", nullable=True),
        pa.field("number", pa.float64()),
    ]
)
"""The columns of values of tables of any sheet: those of `worldview.read_records`."""

MESHES = pa.schema(
    [
        _text("file"),
        _text("model"),
        _text("roi"),
        pa.field("roi_index", pa.uint32(), False),
        pa.field("is_shared", pa.bool_(), False),
        pa.field("lod", pa.uint32(), False),
        pa.field("mesh", pa.uint32(), False),
        _text("material"),
        pa.field("red", pa.uint8(), False),
        pa.field("green", pa.uint8(), False),
        pa.field("blue", pa.uint8(), False),
        pa.field("opacity", pa.float32(), False),
        _text("texture", nullable=True),
        _text("shading"),
        pa.field("shines", pa.bool_(), False),
        pa.field("positions", pa.list_(pa.float32()), False),
        pa.field("normals", pa.list_(pa.float32()), False),
        pa.field("uvs", pa.list_(pa.float32()), False),
        pa.field("indices", pa.list_(pa.uint16()), False),
    ]
)
"""The columns of meshes of WORLD.WDB. Positions and normals have three numbers for each vertex, `uvs` two; `indices`
has three for each triangle."""

ERRORS = pa.schema(
    [
        _text("file"),
        _text("error"),
        _text("part", nullable=True),
        pa.field("index", pa.uint64()),
        pa.field("offset", pa.uint64()),
        _text("space", nullable=True),
    ]
)
"""The columns of errors: the file, the message, and the attributes of `worldview.Error`."""


class _Failure(Exception):
    """A part of a file whose rows are missing: its place, and why."""

    def __init__(self, file: str, error: Exception, opened: str) -> None:
        known = [getattr(error, name, None) for name in ("part", "index", "offset", "space")]
        # The message starts with what was opened, which has a column of its own.
        message = str(error).removeprefix(f"{opened}: ")
        if isinstance(error, wv.Error):
            message = message.removeprefix(f"{error.path}: ")
        super().__init__(file, message, *known)


@dataclass(frozen=True)
class Job:
    """What all tasks of a run do. It can be pickled, and the files of a task are given to `read`."""

    kind: str
    """`objects`, `records` (of a sheet), `values` (of all sheets) or `meshes`."""
    sheet: str | None = None
    is_errors: bool = False
    """Whether the errors are returned instead of the rows."""
    fetch: Callable[[str], bytes] | None = None
    """Returns the bytes of a URL."""
    options: Options = field(default_factory=Options)
    rows: pa.Schema = field(default_factory=lambda: pa.schema([]))
    """The columns of the rows, also where only errors are returned."""

    columns: tuple[str, ...] | None = None
    """The columns that are wanted, or None for all."""

    @property
    def schema(self) -> pa.Schema:
        """The columns that `read` returns."""
        schema = ERRORS if self.is_errors else self.rows
        return schema if self.columns is None else pa.schema([schema.field(name) for name in self.columns])

    def pick(self, columns: Sequence[str] | None) -> Job:
        """Returns the same with only these columns, which saves moving the others."""
        if columns is None:
            return self
        # In the order of the schema, by which Daft finds them. Rows cannot be counted without any column.
        names = tuple(name for name in self.schema.names if name in columns)
        return replace(self, columns=names or (self.schema.names[0],))

    def read(self, files: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Reads the rows of files, or their errors, in the order of the files."""
        batches = self._batches(files)
        return _gathered(batches if self.columns is None else (batch.select(self.columns) for batch in batches))

    def _batches(self, files: Sequence[str]) -> Iterator[pa.RecordBatch]:
        failures = []
        for result in (result for file in files for result in self._file(file)):
            if isinstance(result, _Failure):
                failures.append(result.args)
            elif not self.is_errors:
                yield result
        if failures and self.is_errors:
            yield pa.RecordBatch.from_arrays(
                [pa.array(values, column.type) for values, column in zip(zip(*failures), ERRORS)], schema=ERRORS
            )
        elif failures:
            _log.warning("files that cannot be read are in read_errors: %d, such as %s", len(failures), failures[0][:2])

    def _file(self, file: str) -> Iterator[pa.RecordBatch | _Failure]:
        shown = shown_url(file)
        opened = shown.rpartition("/")[2] if "://" in file else file
        try:
            if "://" in file:
                assert self.fetch is not None
                asset = wv.open(self.fetch(file), name=opened, **self.options)
            else:
                asset = wv.open(file, **self.options)
        # Object stores have exceptions of their own.
        except Exception as error:
            yield _Failure(shown, error, opened)
            return
        yield from self._part(shown, asset)

    def _part(self, file: str, asset: Any) -> Iterator[pa.RecordBatch | _Failure]:
        """Reads a part of a file, and everything nested in it."""
        place = "/".join([file, *asset.inside])
        try:
            for batch in self._rows(asset):
                files = pa.repeat(pa.scalar(place), batch.num_rows)
                yield pa.RecordBatch.from_arrays([files, *batch.columns], schema=self.rows)
            if isinstance(asset, wv.Database) and self.kind == "meshes":
                yield from self._models(place, asset)
        except (wv.Error, OSError, ValueError) as error:
            yield _Failure(place, error, asset.path)
        for key in _members(asset):
            try:
                member = asset[key]
            except (wv.Error, OSError) as error:
                inside = getattr(error, "path", "").removeprefix(asset.path)
                yield _Failure(file + inside if inside else place, error, asset.path)
            else:
                yield from self._part(file, member)

    def _rows(self, asset: Any) -> Iterable[pa.RecordBatch]:
        if isinstance(asset, wv.Level) and self.kind == "objects":
            return _stream(asset.objects())
        if isinstance(asset, wv.Table) and self.kind == "values":
            return _values(asset)
        if isinstance(asset, wv.Table) and self.kind == "records":
            if (asset.sheet or "").lower() == (self.sheet or "").lower():
                stream = _stream(asset)
                if not self.rows.names:
                    raise _Schema(stream.schema)
                if _types(stream.schema) != _types(self.rows)[1:]:
                    raise ValueError("the table has other fields than the first of its sheet")
                return stream
        return ()

    def _models(self, place: str, database: Any) -> Iterator[pa.RecordBatch | _Failure]:
        for name, model in database.models.items():
            try:
                yield _meshes(place, name, model)
            except wv.Error as error:
                yield _Failure(f"{place}/{name}", error, database.path)


class _Schema(Exception):
    """Ends a search for a table with its columns."""


def plan(
    paths: wv.Paths,
    kind: str,
    *,
    sheet: str | None = None,
    is_errors: bool = False,
    options: Options | None = None,
    find: Callable[[str], list[tuple[str, int]]] | None = None,
    fetch: Callable[[str], bytes] | None = None,
) -> tuple[Job, list[tuple[str, int]]]:
    """Returns what to do, and the files with their sizes in bytes, for `split`.

    Args:
        paths: Paths, folders and patterns, as for `worldview.scan`, or URLs.
        kind: As for `Job`; `records` without a sheet means `values`.
        sheet: The name of a sheet, ignoring case. Its first table decides the columns, and is searched for here.
        is_errors: Whether the errors are returned instead of the rows.
        options: Options of `worldview.open`.
        find: Returns the files below a URL, with their sizes.
        fetch: Returns the bytes of a URL.

    Raises:
        ValueError: There is no such kind, or no table of the sheet.
    """
    if kind not in ("objects", "records", "values", "meshes"):
        raise ValueError(f"kind is objects, records or meshes, not {kind!r}")
    if kind == "records" and sheet is None:
        kind = "values"
    files: list[tuple[str, int]] = []
    for path in wv._texts(paths):
        files += (find or find_url)(path) if "://" in path else [(file, _size(file)) for file in wv._files(path)]
    job = Job(kind, sheet, is_errors, fetch or fetch_url, options or Options())
    return replace(job, rows=_schema(job, [file for file, _ in files])), files


def split(files: Iterable[tuple[str, int]], task_bytes: int = TASK_BYTES) -> list[list[str]]:
    """Splits files with their sizes into tasks of at most `task_bytes` bytes, in order. A larger file is a task of its
    own."""
    tasks: list[list[str]] = []
    used = task_bytes
    for file, size in files:
        cost = size + min(FILE_COST, task_bytes // 16)
        if used + cost > task_bytes:
            tasks.append([])
            used = 0
        tasks[-1].append(file)
        used += cost
    return tasks


def find_url(url: str) -> list[tuple[str, int]]:
    """Returns the files of a folder or of one file in an object store that pyarrow knows, with their sizes."""
    from pyarrow import fs

    system, path = fs.FileSystem.from_uri(url)
    info = system.get_file_info(path)
    if info.type == fs.FileType.File:
        return [(url, info.size)]
    parts = urlsplit(url)
    base = parts.path.rstrip("/")
    found = sorted(system.get_file_info(fs.FileSelector(path, recursive=True)), key=lambda info: info.path)
    below = [(info.path[len(path.rstrip("/")) :], info.size) for info in found if info.type == fs.FileType.File]
    return [(urlunsplit(parts._replace(path=base + file)), size) for file, size in below]


def fetch_url(url: str) -> bytes:
    """Returns the bytes of a file in an object store that pyarrow knows."""
    from pyarrow import fs

    system, path = fs.FileSystem.from_uri(url)
    with system.open_input_file(path) as file:
        return file.read()


def shown_url(url: str) -> str:
    """Returns a URL without its query, which may have a password."""
    return url.partition("?")[0] if "://" in url else url


def _size(file: str) -> int:
    try:
        return os.stat(file).st_size
    except OSError:
        return 0  # Reading it will report why.


def _schema(job: Job, files: list[str]) -> pa.Schema:
    """Returns the columns of all rows. Only those of a sheet need a look into files."""
    if job.kind == "objects":
        # All levels have the same columns, even this one without planes.
        header = bytearray(1524)
        header[0:4] = header[736:740] = (1524).to_bytes(4, "little")
        return _with_file(_stream(wv.open(bytes(header), name="empty.wwd").objects()).schema)
    if job.kind != "records":
        return VALUES if job.kind == "values" else MESHES
    try:
        for file in files:
            for _ in job._file(file):
                pass
    except _Schema as found:
        return _with_file(found.args[0])
    raise ValueError(f"there are no tables of the sheet {job.sheet!r} in {len(files)} files")


def _with_file(schema: pa.Schema) -> pa.Schema:
    return pa.schema([_text("file"), *schema])


def _types(schema: pa.Schema) -> list[tuple[str, pa.DataType]]:
    return [(column.name, column.type) for column in schema]


def _stream(rows: Any) -> pa.RecordBatchReader:
    return pa.RecordBatchReader.from_stream(rows)


def _members(asset: Any) -> Sequence[Any]:
    if isinstance(asset, wv.Archive):
        return range(len(asset))
    return asset.files() if isinstance(asset, wv.Directory) else ()


def _gathered(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Joins small batches."""
    waiting: list[pa.RecordBatch] = []
    rows = size = 0
    for batch in batches:
        waiting.append(batch)
        rows, size = rows + batch.num_rows, size + batch.nbytes
        if rows >= BATCH_ROWS or size >= BATCH_BYTES:
            yield _joined(waiting)
            waiting, rows, size = [], 0, 0
    if rows:
        yield _joined(waiting)


def _joined(batches: list[pa.RecordBatch]) -> pa.RecordBatch:
    return batches[0] if len(batches) == 1 else pa.concat_batches(batches)


def _values(table: Any) -> Iterator[pa.RecordBatch]:
    """Returns the values of a table, one row each, as `worldview.read_records` does without a sheet."""
    for records in _stream(table):
        step = max(1, BATCH_ROWS // records.num_columns)
        for start in range(0, records.num_rows, step):
            batch = records.slice(start, step)
            rows, fields = batch.num_rows, batch.num_columns - 1
            # From one column after the other to one row after the other.
            order = pa.array([column * rows + row for row in range(rows) for column in range(fields)], pa.int64())
            texts, numbers = zip(*(_cells(column) for column in batch.columns[1:]))
            yield pa.record_batch(
                [
                    pa.repeat(pa.scalar(table.sheet, pa.string()), rows * fields),
                    batch.column(0).take(pa.array([row for row in range(rows) for _ in range(fields)], pa.int64())),
                    pa.array(batch.schema.names[1:] * rows, pa.string()),
                    pa.concat_arrays(texts).take(order),
                    pa.concat_arrays(numbers).take(order),
                ],
                names=VALUES.names[1:],
            )


def _cells(column: pa.Array) -> tuple[pa.Array, pa.Array]:
    """Returns the values of a column as text and as numbers."""
    if pa.types.is_string(column.type):
        return column, pa.nulls(len(column), pa.float64())
    texts = column.cast(pa.string())
    if pa.types.is_floating(column.type):
        texts = pa.array([_digits(text) for text in texts.to_pylist()], pa.string())
    return texts, column.cast(pa.float64(), safe=False)


def _digits(number: str) -> str:
    """Returns the shortest digits of a number without an exponent, as the native code writes them."""
    if number in ("nan", "inf", "-inf"):
        return number.replace("nan", "NaN")
    return f"{Decimal(number):f}".removesuffix(".0")


def _meshes(file: str, name: str, model: Any) -> pa.RecordBatch:
    """Returns the meshes of a model, one row each."""
    rows = []
    for roi in model.rois:
        for level, lod in enumerate(roi.lods):
            for index, mesh in enumerate(lod.meshes):
                material, geometry = mesh.material, mesh.decode()
                arrays = (geometry.positions, geometry.normals, geometry.uvs, geometry.indices)
                rows.append(
                    (
                        *(file, name, roi.name, roi.index, roi.is_shared, level, index),
                        *(material["name"], *material["color"], material["opacity"], material["texture"]),
                        *(material["shading"], material["shines"]),
                        *(array.tobytes() for array in arrays),
                    )
                )
    columns = zip(*rows) if rows else [()] * len(MESHES)
    return pa.RecordBatch.from_arrays(
        [_lists(values, each.type) if pa.types.is_list(each.type) else pa.array(values, each.type)
         for values, each in zip(columns, MESHES)],
        schema=MESHES,
    )  # fmt: skip


def _lists(values: Sequence[bytes], kind: pa.ListType) -> pa.Array:
    """Returns lists of numbers from their bytes, without an object for each number."""
    width = kind.value_type.bit_width // 8
    offsets = [0]
    for value in values:
        offsets.append(offsets[-1] + len(value) // width)
    numbers = pa.Array.from_buffers(kind.value_type, offsets[-1], [None, pa.py_buffer(b"".join(values))])
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), numbers, type=kind)
