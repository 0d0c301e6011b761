"""Exceptions about files, and lists of them."""

from __future__ import annotations

import errno as _errno
import re
from functools import cache, partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars


__all__ = ["EditError", "Error", "Errors", "FileError", "FormatError", "MissingError"]


_NUMBER = re.compile(r" \(os error \d+\)")
"""What messages of the system end with in Rust."""


class Error(Exception):
    """A file, or a part of one, that cannot be read or written.

    Attributes:
        code: The code, as in the report of a command, such as `unreadable-damaged`; docs/json.md lists them.
        message: What is wrong, without the path.
        path: The file, and the members that lead to the part, joined by `/`.
        part: What is broken, such as `tiles_offset`; None if the file as a whole is.
        scope: What the part belongs to, such as `plane 1`, or None.
        index: The index of the part among its kind, or None.
        offset: The offset of the broken bytes, or None.
        space: What the offset counts in: `file`, or `image` for an unpacked level; or None.
    """

    code: str = "failed"
    message: str = ""
    path: str | None = None
    part: str | None = None
    scope: str | None = None
    index: int | None = None
    offset: int | None = None
    space: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Returns the attributes, a row of `Errors.to_frame`."""
        return {name: getattr(self, name) for name in Errors.COLUMNS}

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(error, text=str(self), errno=getattr(self, "errno", None), **self.to_dict()), ()


class FormatError(Error):
    """A file that is empty, broken or in no known format, or that exceeds a limit."""


class EditError(Error):
    """A change that does not fit the file, or something in an edited export that the file cannot have."""


class FileError(Error, OSError):
    """A file that the system cannot read or write. It is also a `PermissionError`, `IsADirectoryError` and so on."""


class MissingError(FileError, FileNotFoundError):
    """A file that does not exist, or a path that leads to nothing in its file."""


class Errors(list[Error]):
    """What failed, one exception for each file or part."""

    COLUMNS = {"path": str, "code": str, "message": str, "part": str, "scope": str, "index": int, "offset": int, "space": str}

    def to_frame(self) -> polars.DataFrame:
        """Returns the errors as a data frame of polars: a column for each attribute."""
        import polars

        return polars.DataFrame([error.to_dict() for error in self], schema=self.COLUMNS)


def error(
    path: str | None, message: str, code: str = "failed", text: str | None = None, errno: int | None = None, **more: Any
) -> Error:
    """Returns the exception of a code."""
    message, text = (_NUMBER.sub("", each) for each in (message, text or f"{path}: {message}"))
    made = _class(code, errno)(text)
    vars(made).update(code=code, message=message, path=path, **more)
    if isinstance(made, OSError):
        # Alone, it does not change the text.
        made.errno = errno or (_errno.ENOENT if code == "missing" else None)
    return made


# The codes that are neither about the bytes of a file nor about a change.
_GENERAL = ("failed", "fault", "too-deep", "no-inputs", "unreadable", "still-damaged", "no-backup", "changed-since")


def _class(code: str, errno: int | None) -> type[Error]:
    if code == "missing":
        return MissingError
    if code in ("system", "not-written"):
        return _system(type(OSError(errno, "")))
    if code.startswith("unreadable-") or code == "limit":
        return FormatError
    return Error if code in _GENERAL else EditError


@cache
def _system(kind: type[OSError]) -> type[Error]:
    """Returns the class of errors of a kind of the system."""
    if issubclass(FileError, kind):
        return FileError
    return type("FileError", (FileError, kind), {"__module__": "worldview", "__doc__": FileError.__doc__})
