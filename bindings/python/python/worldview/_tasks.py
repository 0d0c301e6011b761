"""Tasks for engines. This needs pyarrow, which each engine brings along."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Unpack

import pyarrow as pa

import worldview as wv

from . import _worldview

if TYPE_CHECKING:
    from ._worldview import _Columns, _Filters, _Reading

FILE_COST, URL_COST = 64 << 10, 1 << 20
"""The bytes that a task could read while it opens a file, and the size of a file that only a URL names."""

BATCH_ROWS, BATCH_BYTES = 1 << 14, 64 << 20
"""Rows of small files are passed on together, up to one of these limits."""

ERRORS = pa.schema([(name, pa.string() if kind is str else pa.int64()) for name, kind in wv.Errors.COLUMNS.items()])

_SIGNED = {
    pa.uint8(): pa.int16(),
    pa.uint16(): pa.int32(),
    pa.uint32(): pa.int64(),
    pa.uint64(): pa.decimal128(20, 0),
}

_log = logging.getLogger("worldview")


@dataclass(frozen=True)
class Task:
    """Files that one worker reads; it can be pickled.

    Attributes:
        files: The absolute paths, and the URLs.
        schema: The columns of the rows, a schema of pyarrow.
    """

    files: tuple[str, ...]
    schema: Any
    _rows: Any
    _what: tuple[str, str | None]
    _columns: Sequence[str] | None
    _filters: _Filters | None
    _fetch: Callable[[str], bytes] | None
    _options: _Reading

    def read(self) -> Iterator[Any]:
        """Reads the rows, in the order of the files. What cannot be read is left out, with a warning in the log."""
        sources = [source(file, self._fetch) for file in self.files]
        capsule = self._rows.__arrow_c_schema__()
        stream = _worldview._read(sources, self._what, (self._columns, self._filters), (1, "utf8"), self._options, capsule)
        rows = pa.RecordBatchReader.from_stream(stream)
        if self.schema.equals(ERRORS):
            for _ in rows:
                pass
            yield pa.RecordBatch.from_pylist([error.to_dict() for error in stream.errors], ERRORS)
            return
        yield from (batch.cast(self.schema) for batch in _joined(rows))
        if errors := stream.errors:
            _log.warning("%d files or parts cannot be read; the first: %s", len(errors), errors[0])


def tasks(
    paths: wv.Paths,
    *,
    rows: Literal["objects", "records", "meshes"] = "objects",
    sheet: str | None = None,
    columns: _Columns | None = None,
    filters: _Filters | None = None,
    signed: bool = False,
    errors: bool = False,
    fetch: Callable[[str], bytes] | None = None,
    task_bytes: int = 32 << 20,
    **options: Unpack[_Reading],
) -> list[Task]:
    """Splits files into tasks for the workers of an engine, such as Daft, Spark or Ray. This needs pyarrow.

    Args:
        paths: A path, a folder, a pattern, URLs, or several of them.
        rows: The rows of `read_objects`, `read_records` or `read_meshes`.
        sheet, columns, filters: As for these functions.
        signed: Widen unsigned integers to signed ones, for engines without them.
        errors: Read what cannot be read instead: a row for each `Error`, with its attributes.
        fetch: Returns the bytes of a URL. The workers call it, and this function until a file has rows, so it must be one that can be pickled.
        task_bytes: How many bytes of files a task reads at most, unless one file is larger.
        **options: `lossy`, `recover`, `max_inflate` and `encoding`, as for `open`.

    Returns:
        Tasks with `files`, `schema` and `read()`, which returns an iterator over record batches of pyarrow. The first rows
        decide the columns, so files are read here until there are some.

    Raises:
        ValueError: There are no such rows in the files, or no such column.
        FileNotFoundError: No file matches.
    """
    if rows not in ("objects", "records", "meshes"):
        raise ValueError(f"rows is objects, records or meshes, not {rows!r}")
    urls = [text for text in wv._texts(paths) if "://" in text]
    local = [text for text in wv._texts(paths) if "://" not in text]
    # Workers may run in another folder.
    files = [os.path.abspath(path) for path in (wv._files(local) if local or not urls else [])] + urls
    if urls and fetch is None:
        raise ValueError(f"{urls[0].partition('?')[0]}: a URL needs `fetch`, a function that returns its bytes")
    if isinstance(columns, str):
        raise TypeError("columns is a list of names")
    with suppress(wv.Error):
        wv.open(b"", **options)  # Wrong options are an error of this call, not of a worker.
    what = (rows, sheet)
    try:
        found = _schema(files, what, fetch, options)
    except ValueError:
        if not errors:
            raise
        found, columns = pa.schema([]), None
    for name in columns or ():
        if name not in found.names:
            raise ValueError(f"there is no column {name!r} in these rows")
    found = found if columns is None else pa.schema([found.field(name) for name in columns])
    schema = ERRORS if errors else pa.schema([_signed(column) for column in found]) if signed else found
    groups = split(map(_sized, files), task_bytes)
    return [Task(tuple(group), schema, found, what, columns, filters, fetch, options) for group in groups]


def split(files: Iterable[tuple[str, int]], task_bytes: int) -> list[list[str]]:
    """Splits files with their sizes into tasks of at most `task_bytes` bytes, in order. A larger file is a task of its own."""
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


def source(file: str, fetch: Callable[[str], bytes] | None) -> Any:
    """Returns what is read: a path, or the bytes of a URL, or why there are none. The query of a URL may have a password."""
    if "://" not in file:
        return file
    name = file.partition("?")[0]
    assert fetch is not None
    try:
        return name, bytes(fetch(file))
    # Each store has exceptions of its own.
    except Exception as error:
        return name, f"{type(error).__name__}: {error}"


def _sized(file: str) -> tuple[str, int]:
    try:
        return file, URL_COST if "://" in file else os.stat(file).st_size
    except OSError:
        return file, 0  # Reading it will report why.


def _schema(
    files: Sequence[str], what: tuple[str, str | None], fetch: Callable[[str], bytes] | None, options: _Reading
) -> pa.Schema:
    """Returns the columns of the first rows."""
    problem: Exception | None = None
    for file in files:
        try:
            return pa.schema(_worldview._read([source(file, fetch)], what, (None, None), (1, "utf8"), options, None))
        except (ValueError, wv.Error) as error:
            problem = problem or error
    raise ValueError(f"no such rows in {len(files)} files; the first: {problem}") from problem


def _signed(column: pa.Field) -> pa.Field:
    kind = column.type
    if pa.types.is_list(kind):
        return column.with_type(pa.list_(_signed(kind.value_field)))
    return column.with_type(_SIGNED.get(kind, kind))


def _joined(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Joins small batches."""
    waiting: list[pa.RecordBatch] = []
    rows = size = 0
    for batch in batches:
        waiting.append(batch)
        rows, size = rows + batch.num_rows, size + batch.nbytes
        if rows >= BATCH_ROWS or size >= BATCH_BYTES:
            yield pa.concat_batches(waiting)
            waiting, rows, size = [], 0, 0
    if rows:
        yield pa.concat_batches(waiting)
