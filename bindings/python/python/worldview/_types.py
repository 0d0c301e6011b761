"""Types of arguments and results, for type checkers."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypedDict

if TYPE_CHECKING:
    from typing_extensions import Buffer


class _Readable(Protocol):
    def read(self) -> bytes: ...


Source: TypeAlias = "str | PathLike[str] | Buffer | _Readable"
"""What `open` takes: a path, bytes, or a binary file."""

# Not any sequence of texts, for a text is one, too.
Columns = list[str] | tuple[str, ...]
"""Names of columns."""

Kind = Literal["level", "table", "archive", "picture", "database", "textures"]
"""The kinds of parts."""

Strings = Literal["utf8", "view"]
"""How Arrow stores texts."""

Change = TypedDict(
    "Change",
    {
        "set": str,
        "add": str,
        "remove": str,
        "rename": str,
        "move": str,
        "to": Any,
        "from": Any,
        "fields": dict[str, Any],
        "data": Any,
        "like": str,
        "before": str,
        "after": str,
        "was_before": str,
        "was_after": str,
    },
    total=False,
)
"""A change for `apply`; docs/json.md describes it."""


class Changes(TypedDict):
    """What `changes` returns."""

    worldview_changes: int
    changes: Sequence[Change]


class Hit(TypedDict):
    """What `find` found."""

    path: str
    place: str
    what: str
    text: str
    offset: int
    space: str
