"""How notebooks show what is opened."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from itertools import islice
from typing import Any

from ._worldview import Archive, Directory, Level, Picture, Record, Rows, Table, Texture

ROWS = 10
"""How many rows of a table are shown."""


def _grid(title: str, columns: Iterable[str], rows: Iterable[Iterable[Any]], count: int = 0) -> str:
    """Returns an HTML table of the rows, or of the first ones of `count`."""
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    cells = (
        "".join(f"<td>{'' if value is None else escape(str(value))}</td>" for value in row)
        for row in islice(rows, ROWS if count else None)
    )
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    more = f"<p>… {count - ROWS} more</p>" if count > ROWS else ""
    return f"<p>{escape(title)}</p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _table(table: Table) -> str:
    rows = ([record.name, *record.values()] for record in map(table.__getitem__, range(len(table))))
    return _grid(repr(table), ["record", *(field.name for field in table.fields)], rows, len(table))


def _record(record: Record) -> str:
    return _grid(repr(record), ["field", "value"], record.items())


def _rows(rows: Rows) -> str:
    return _grid(f"{len(rows)} rows", rows.columns, (row.values() for row in rows), len(rows))


def _members(archive: Archive | Directory) -> str:
    names = archive.keys()
    return _grid(repr(archive), ["name"], ([name] for name in names), len(names))


def install() -> None:
    """Adds the methods that notebooks and IPython look for."""
    for shown, html in ((Table, _table), (Record, _record), (Rows, _rows), (Archive, _members), (Directory, _members)):
        setattr(shown, "_repr_html_", html)
    for shown in (Level, Picture, Texture):
        setattr(shown, "_repr_png_", shown.to_png)
    # What IPython completes after `table["`.
    for shown in (Table, Record, Archive, Directory):
        setattr(shown, "_ipython_key_completions_", shown.keys)
