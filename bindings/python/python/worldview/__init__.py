"""Reads the data files of Final Fantasy XIII, Claw, Gruntz and LEGO Island as arrays and data frames.

`open` opens one file, `scan` many. Arrays are `memoryview` objects, which `numpy.asarray` takes without a copy; rows
follow the Arrow PyCapsule interface, which polars, pyarrow, pandas and DuckDB take. `export`, `check`, `diff`, `find`
and `apply` do what the commands of the same names do.
"""

from __future__ import annotations

import glob as _glob
import json as _json
import os as _os
import sys as _sys
from collections.abc import Callable as _Callable
from collections.abc import Iterable as _Iterable
from collections.abc import Mapping as _Mapping
from collections.abc import Sequence as _Sequence
from pathlib import Path as _Path
from tempfile import TemporaryDirectory as _TemporaryDirectory
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any
from typing import Literal as _Literal
from typing import TypeVar as _TypeVar
from typing import Unpack as _Unpack
from typing import overload as _overload

from . import _notebook, _worldview
from ._errors import *
from ._errors import error as _error
from ._worldview import *
from ._worldview import __version__ as __version__

if _TYPE_CHECKING:
    from ._tasks import Task as Task
    from ._tasks import tasks as tasks

_PathLike = str | _os.PathLike[str]
Paths = _PathLike | _Iterable[_PathLike]

Opened = Level | Table | Record | Archive | Directory | Picture | Database | Textures | Data
"""What a path can lead to."""

_KINDS = {"level", "table", "record", "archive", "picture", "database", "textures", "data"}

_notebook.install()

# Not `Table`: polars takes a mapping as one of columns, and would not ask for its rows.
for _class in (Record, Row, Archive, Directory):
    _Mapping.register(_class)


_T = _TypeVar("_T")


class Results(list[_T]):
    """What verbs such as `check`, `find`, `diff` and `export` return: a list, and what became of each file.

    Attributes:
        report: What `--report` of the command writes; docs/json.md describes it.
        inputs: A dictionary for each file: its `path`, its `status` (`ok`, `partial` or `failed`), and the `outputs` that were
            written.
        errors: The exceptions of the files that failed, completely or in part.
        messages: What else is worth knowing, such as what was left out; one line each.
    """

    def __init__(self, results: _Iterable[_T], report: dict[str, _Any], messages: str = "") -> None:
        super().__init__(results)
        self.report, self.messages = report, messages

    @property
    def inputs(self) -> list[dict[str, _Any]]:
        """What became of each file."""
        inputs: list[dict[str, _Any]] = self.report["inputs"]
        return inputs

    @property
    def errors(self) -> Errors:
        """The exceptions of the files that failed, completely or in part."""
        failed = (one for one in self.inputs if one["status"] != "ok")
        names = ("path", "message", "code", "offset", "space")
        return Errors(_error(**{name: one[name] for name in names if name in one}) for one in failed)


Exported = Results[_Path]
"""The files that `export` wrote, and what became of each file that it was given."""


@_overload
def open(source: _worldview._Source, *, kind: _Literal["level"], **options: _Unpack[_worldview._Opening]) -> Level: ...
@_overload
def open(source: _worldview._Source, *, kind: _Literal["table"], **options: _Unpack[_worldview._Opening]) -> Table: ...
@_overload
def open(source: _worldview._Source, *, kind: _Literal["archive"], **options: _Unpack[_worldview._Opening]) -> Archive | Directory: ...
@_overload
def open(source: _worldview._Source, *, kind: _Literal["picture"], **options: _Unpack[_worldview._Opening]) -> Picture: ...
@_overload
def open(source: _worldview._Source, *, kind: _Literal["database"], **options: _Unpack[_worldview._Opening]) -> Database: ...
@_overload
def open(source: _worldview._Source, *, kind: _Literal["textures"], **options: _Unpack[_worldview._Opening]) -> Textures: ...
@_overload
def open(source: _worldview._Source, *, kind: None = None, **options: _Unpack[_worldview._Opening]) -> Opened: ...
def open(
    source: _worldview._Source,
    *,
    kind: str | None = None,
    name: str | None = None,
    lossy: bool = False,
    recover: bool = False,
    mmap: bool = False,
    max_inflate: int | None = None,
    encoding: str | None = None,
    schemas: _PathLike | None = None,
) -> Opened:
    """Opens a file, a part of one, or bytes.

    Args:
        source: A path, which may continue inside an archive, as in `pack.bin/r_quest.wdb`; bytes; or a binary file, which is
            read to its end.
        kind: What it has to be: `level`, `table`, `archive`, `picture`, `database` or `textures`. Type checkers know the class then.
        name: For bytes, the name of their file: some formats and field names are recognized by it.
        lossy: Open as much as possible of a broken file, and list the rest in `findings`.
        recover: Open archives whose header was overwritten.
        mmap: Map a file of 1 MiB or more instead of reading it. It must not change while anything refers to it.
        max_inflate: The maximum size that a packed level may inflate to, in bytes.
        encoding: The code page of names: a label of the Encoding Standard, by default `windows-1252`.
        schemas: Field names for tables that have none, as `worldview schema` writes them: a path, or the text itself.

    Raises:
        FileNotFoundError: There is no such file, or nothing in it has this path.
        OSError: The file cannot be read.
        Error: The format is unknown, the file is broken, or it is of another kind.
    """
    if kind is not None and kind not in _KINDS:
        raise ValueError(f"kind is one of {', '.join(sorted(_KINDS))}, not {kind!r}")
    if hasattr(source, "read"):
        name = name or _os.path.basename(str(getattr(source, "name", "bytes")))
        source = source.read()
        if isinstance(source, str):
            raise TypeError("open() takes a binary file, as `open(path, 'rb')` returns it, not a text file")
    keywords = {
        "lossy": lossy,
        "recover": recover,
        "mmap": mmap,
        "max_inflate": max_inflate,
        "encoding": encoding,
        "schemas": _schemas(schemas),
    }
    opened = _worldview._open(source, name, keywords)
    found = "record" if isinstance(opened, Record) else opened.kind
    if kind not in (None, found):
        shown = name or (source if isinstance(source, (str, _os.PathLike)) else "bytes")
        raise _error(str(shown), f"is of the kind {found}, not {kind}")
    return opened


def _schemas(schemas: _PathLike | None) -> str | None:
    """Returns the text of a file of schemas, or the text itself."""
    if schemas is None or isinstance(schemas, str) and ("\n" in schemas or not _os.path.exists(schemas)):
        return schemas
    return _Path(schemas).read_text(encoding="utf-8")


@_overload
def scan(paths: Paths, *, kind: _Literal["level"], **options: _Unpack[_worldview._Scanning]) -> Scan[Level]: ...
@_overload
def scan(paths: Paths, *, kind: _Literal["table"], **options: _Unpack[_worldview._Scanning]) -> Scan[Table]: ...
@_overload
def scan(paths: Paths, *, kind: _Literal["archive"], **options: _Unpack[_worldview._Scanning]) -> Scan[Archive | Directory]: ...
@_overload
def scan(paths: Paths, *, kind: _Literal["picture"], **options: _Unpack[_worldview._Scanning]) -> Scan[Picture]: ...
@_overload
def scan(paths: Paths, *, kind: _Literal["database"], **options: _Unpack[_worldview._Scanning]) -> Scan[Database]: ...
@_overload
def scan(paths: Paths, *, kind: _Literal["textures"], **options: _Unpack[_worldview._Scanning]) -> Scan[Textures]: ...
@_overload
def scan(paths: Paths, *, kind: None = None, **options: _Unpack[_worldview._Scanning]) -> Scan[_Any]: ...
def scan(
    paths: Paths,
    *,
    kind: _worldview._Kind | None = None,
    threads: int = 0,
    lossy: bool = False,
    recover: bool = False,
    mmap: bool = False,
    encoding: str | None = None,
) -> Scan[_Any]:
    """Opens many files, and everything nested in them, on several threads.

    Args:
        paths: A path, a folder, a pattern such as `game/**`, or several of them.
        kind: Only parts of this kind: `level`, `table`, `archive`, `picture`, `database` or `textures`.
        threads: The number of threads; 0 uses all of the machine.
        lossy, recover, mmap, encoding: As for `open`.

    Returns:
        An iterator over `Found`, in the order of the files. If a part cannot be opened, its `error` is set and the scan
        continues; `unwrap()` raises it.

    Raises:
        ValueError: There is no such kind.
        FileNotFoundError: No file matches.
    """
    keywords = {"lossy": lossy, "recover": recover, "mmap": mmap, "encoding": encoding}
    return _worldview._scan(_files(paths), kind, threads, keywords)


def read_objects(
    paths: Paths,
    *,
    columns: _worldview._Columns | None = None,
    filters: _worldview._Filters | None = None,
    threads: int = 0,
    strings: _worldview._Strings = "utf8",
    lossy: bool = False,
    recover: bool = False,
    mmap: bool = False,
    encoding: str | None = None,
) -> Stream:
    """Reads the objects of many levels as rows with the column `file` before those of `Level.objects`.

    Args:
        paths: A path, a folder, a pattern such as `levels/**`, or several of them.
        columns: The columns that are wanted, in this order. Others are not decoded.
        filters: Conditions that rows must all meet, as tuples of a column, an operator and a value: `[("logic", "==", "Key"), ("x", ">",
            800)]`. The operators are `==`, `!=`, `<`, `<=`, `>`, `>=`, and `in` and `not in` with a list of values. No condition holds for
            a missing value. What is compared need not be among `columns`.
        threads: The number of threads; 0 uses all of the machine.
        strings: `dictionary` stores each text of a batch once, `view` has string views instead of `utf8`.
        lossy, recover, mmap, encoding: As for `open`.

    Returns:
        A stream that data frame libraries take once. Its `errors` has the files that cannot be read.

    Raises:
        ValueError: There is no level in the files, no such column, or a filter has an unknown operator or a value
            that the column cannot be compared with.
        TypeError: A filter is not a tuple of column, operator and value.
        Error: None of the files can be read.
    """
    keywords = {"lossy": lossy, "recover": recover, "mmap": mmap, "encoding": encoding}
    return _worldview._read(_files(paths), ("objects", None), (columns, filters), (threads, strings), keywords, None)


def read_records(
    paths: Paths,
    *,
    sheet: str | None = None,
    columns: _worldview._Columns | None = None,
    filters: _worldview._Filters | None = None,
    threads: int = 0,
    strings: _worldview._Strings = "utf8",
    lossy: bool = False,
    recover: bool = False,
    mmap: bool = False,
) -> Stream:
    """Reads the records of many tables as rows.

    Args:
        paths: A path, a folder, a pattern such as `game/**/*.wdb`, or several of them.
        sheet: The name of a sheet, ignoring case. Its fields are the columns, after `file` and `record`. A table with
            other fields than the first is listed in `errors`. Without it, each value is a row of its own, with the
            columns `file`, `sheet`, `record`, `field`, `value` (as text) and `number`.
        columns, filters, threads, strings, lossy, recover, mmap: As for `read_objects`.

    Returns:
        A stream that data frame libraries take once. Its `errors` has the files that cannot be read.

    Raises:
        ValueError: There is no such table in the files, no such column, or a filter has an unknown operator or a value
            that the column cannot be compared with.
        TypeError: A filter is not a tuple of column, operator and value.
        Error: None of the files can be read.
    """
    keywords = {"lossy": lossy, "recover": recover, "mmap": mmap}
    return _worldview._read(_files(paths), ("records", sheet), (columns, filters), (threads, strings), keywords, None)


def read_meshes(
    paths: Paths,
    *,
    columns: _worldview._Columns | None = None,
    filters: _worldview._Filters | None = None,
    threads: int = 0,
    strings: _worldview._Strings = "utf8",
    lossy: bool = False,
    mmap: bool = False,
    encoding: str | None = None,
) -> Stream:
    """Reads the meshes of the models of WORLD.WDB as rows: `file`, `model`, `roi`, `roi_index`, `is_shared`, `lod`, `mesh`, the
    material, and the lists `positions` and `normals` (three numbers for each vertex), `uvs` (two) and `indices` (three for
    each triangle).

    Args:
        paths: A path, a folder, a pattern such as `game/**`, or several of them.
        columns, filters, threads, strings, lossy, mmap, encoding: As for `read_objects`.

    Returns:
        A stream that data frame libraries take once. Its `errors` has the files and models that cannot be read.

    Raises:
        ValueError: There is no WORLD.WDB in the files, no such column, or a filter has an unknown operator or a value
            that the column cannot be compared with.
        TypeError: A filter is not a tuple of column, operator and value.
        Error: None of the files can be read.
    """
    keywords = {"lossy": lossy, "mmap": mmap, "encoding": encoding}
    return _worldview._read(_files(paths), ("meshes", None), (columns, filters), (threads, strings), keywords, None)


def export(paths: Paths, out: _PathLike, **options: _Unpack[_worldview._ExportOptions]) -> Exported:
    """Exports files and folders, as `worldview export` does.

    Args:
        paths: A path, a folder, or several of them. A path may continue inside an archive.
        out: The folder to write to.
        **options: Options of the command by name, with `_` for `-`: `to=["glb", "png"]`, `scale=8`, `game="CLAW.REZ"`,
            `overwrite="always"`. An option that can be given several times takes a list.

    Returns:
        The files that were written, or are there already. A file that fails does not raise: `inputs` has the `status` of
        each, `errors` the `code` and the `message` of those that failed.

    Raises:
        TypeError: There is no such option.
        ValueError: An option cannot have this value, or the files have no output of this kind.
        FileNotFoundError: None of the files exists.
        Error: The folder cannot be written to.
    """
    report, _, messages = _worldview._export(_texts(paths), out, _keywords(options))
    outputs = (output["path"] for one in report["inputs"] for output in one.get("outputs", ()))
    # Merged outputs belong to several inputs.
    merged = (file["file"] for file in report["files"])
    exported = Results((_Path(path) for path in dict.fromkeys([*outputs, *merged])), report, messages)
    if not exported and not exported.errors and report["inputs"]:
        to = options.get("to") or "anything"
        kinds = to if isinstance(to, str) else ", ".join(to)
        raise ValueError(messages or f"nothing in these files can be exported as {kinds}")
    return exported


def check(paths: Paths, **options: _Unpack[_worldview._CheckOptions]) -> Results[dict[str, _Any]]:
    """Checks files and folders, as `worldview check` does.

    Returns:
        A dictionary for each file: `path`, its `findings`, and the numbers of those that are `fatal`, `suspicious` and
        `curious`. That a file cannot be read is a fatal finding.

    Raises:
        FileNotFoundError: None of the files exists.
    """
    report, files, messages = _worldview._check(_texts(paths), _keywords(options))
    return Results(files, report, messages)


def find(pattern: str, paths: Paths, **options: _Unpack[_worldview._FindOptions]) -> Results[_worldview._Hit]:
    """Searches names and texts in files and folders, as `worldview find` does.

    Returns:
        A dictionary for each hit: `path`, `place`, `what`, `text`, `offset` and `space`. A `place` is a path for `apply`,
        as in `{"set": hit["place"], "to": 7}`. The `errors` of the list are the files that could not be searched.

    Raises:
        Error: No file could be searched.
    """
    report, hits, messages = _worldview._find(pattern, _texts(paths), _keywords(options))
    return Results(hits, report, messages)


def diff(left: _PathLike, right: _PathLike, **options: _Unpack[_worldview._DiffOptions]) -> Results[dict[str, _Any]]:
    """Compares two files or folders, as `worldview diff` does.

    Returns:
        A dictionary for each difference: `file` (of the right side), `place`, `change`, `field`, `left` and `right`. The
        list is empty if they are equal. Its `errors` are the files that could not be compared.

    Raises:
        Error: Nothing could be compared: a file is missing or broken, or the two have different formats.
    """
    report, files, messages = _worldview._diff(left, right, _keywords(options))
    differences = (
        {"file": file["right"] or file["left"], **difference}
        for file in files
        for difference in file["differences"] or [{"change": file["change"]}]
    )
    return Results(differences, report, messages)


def changes(left: _PathLike, right: _PathLike, **options: _Unpack[_worldview._DiffOptions]) -> _worldview._Changes:
    """Returns the changes that turn one file into another, for `apply`.

    Raises:
        Error: A file cannot be read, or changes cannot describe every difference. `allow=` names the codes of
            differences that may be left out.
    """
    return _worldview._changes(left, right, _keywords(options))[1]


def apply(
    path: _PathLike,
    changes: _Sequence[_worldview._Change] | _worldview._Changes | _PathLike,
    out: _PathLike,
    **options: _Unpack[_worldview._ApplyOptions],
) -> str:
    """Applies changes to a copy of a file, as `worldview apply` does.

    Args:
        path: The original, which is not touched.
        changes: A list of changes, such as `{"set": "apple/price", "to": 7}`; what `changes` returns; or the path of a
            file with changes or of an edited export.
        out: The file to write.
        **options: Options of the command.

    Returns:
        How many changes were made, and what is worth knowing, such as what was left out; one line each.

    Raises:
        Error: The changes do not fit the file. Nothing is written then, unless `skip_refused=True` leaves out those that
            do not fit.
    """
    with _TemporaryDirectory() as folder:
        if not isinstance(changes, str | _os.PathLike):
            if not isinstance(changes, _Mapping):
                changes = {"worldview_changes": 1, "changes": list(changes)}
            if not all(isinstance(change, _Mapping) for change in changes.get("changes", ())):
                raise TypeError('a change is a dictionary, such as {"set": "apple/price", "to": 7}')
            source = _Path(folder) / "changes.json"
            source.write_text(_json.dumps(changes, default=_plain), encoding="utf-8")
            changes = source
        try:
            return _applied(path, changes, out, _keywords(options))
        except Error as error:
            # The caller knows nothing of the file between.
            error.args = tuple(str(text).replace(str(_Path(folder) / "changes.json"), "changes") for text in error.args)
            raise


def _plain(value: _Any) -> _Any:
    """Returns a number or an array of NumPy as Python's."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"changes cannot have values of the type {type(value).__name__}")


def _applied(path: _PathLike, changes: _PathLike, out: _PathLike | None, options: dict[str, _Any]) -> str:
    _, done, messages = _worldview._apply(path, changes, out, options)
    return "\n".join(filter(None, (messages, done)))


def build(source: _PathLike, out: _PathLike, **options: _Unpack[_worldview._BuildOptions]) -> str:
    """Makes a file from an export, a document or a folder of members, as `worldview build` does.

    Returns:
        What is worth knowing, one line each; an empty text if there is nothing.

    Raises:
        Error: The source does not describe a file, or the new file cannot represent something in it. Nothing is written then,
            unless `skip_refused=True` leaves that out.
    """
    return _worldview._build(source, out, _keywords(options))[2]


def repair(paths: Paths, out: _PathLike, **options: _Unpack[_worldview._RepairOptions]) -> Results[_Path]:
    """Writes damaged files again as valid ones, as `worldview repair` does.

    Args:
        paths: The files and folders, which are not touched.
        out: The file to write, or a folder for several.

    Returns:
        The files that were written; files without such damage are not. The `errors` of the list are the files that cannot be
        repaired.

    Raises:
        Error: No file could be repaired.
    """
    report, _, messages = _worldview._repair(_texts(paths), out, _keywords(options))
    outputs = (_Path(output["path"]) for one in report["inputs"] for output in one.get("outputs", ()))
    return Results(outputs, report, messages)


def restore(path: _PathLike, **options: _Unpack[_worldview._RestoreOptions]) -> str:
    """Puts the newest backup of a file back, or undoes the last edit in place of a folder, as `worldview restore` does.

    Returns:
        What is worth knowing, one line each.

    Raises:
        Error: There is no backup, or a file was changed since.
    """
    return _worldview._restore(path, _keywords(options))[2]


def __getattr__(name: str) -> _Any:
    # Needs pyarrow, which takes a while to import.
    if name in ("tasks", "Task"):
        from . import _tasks

        return getattr(_tasks, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def main() -> None:
    """The command `worldview`, for the shell."""
    _sys.exit(run(*_sys.argv[1:]))


def _texts(paths: Paths) -> list[str]:
    if isinstance(paths, str | _os.PathLike):
        return [_os.fspath(paths)]
    return [_os.fspath(path) for path in paths]


def _files(paths: Paths) -> list[str]:
    """Returns the files of paths, folders and patterns, in order. Missing ones are among them, unless all are."""
    found: list[str] = []
    for text in _texts(paths):
        if _os.path.isdir(text):
            text = _os.path.join(_glob.escape(text), "**")
        elif _os.path.exists(text) or not _glob.has_magic(text):
            found.append(text)
            continue
        found += sorted(path for path in _glob.glob(text, recursive=True) if _os.path.isfile(path))
    if not any(map(_os.path.exists, found)):
        raise _error(", ".join(_texts(paths)), "no such file", "missing")
    return found


def _keywords(options: _Mapping[str, object]) -> dict[str, _Any]:
    """Returns options with paths as text."""
    return {name: _os.fspath(value) if isinstance(value, _os.PathLike) else value for name, value in options.items()}
