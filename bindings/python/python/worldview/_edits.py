"""Writes edited files."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory


def save(
    source: str,
    original: bytes,
    changes: str,
    path: Path | None,
    how: tuple[bool, int | None, str, str | None, bool, bool],
) -> str:
    """Applies recorded changes to a file, as `worldview.apply` does, and returns its messages."""
    from . import _applied

    is_bytes, max_inflate, encoding, schemas, overwrite, in_place = how
    if in_place is (path is not None):
        raise ValueError("save() takes a path, or in_place=True")
    if in_place and is_bytes:
        raise ValueError("what was opened from bytes has no file that could be replaced; give a path")
    with TemporaryDirectory() as name:
        folder = Path(name)
        if is_bytes:
            source = str(folder / os.path.basename(source))
            Path(source).write_bytes(original)
        elif Path(source).read_bytes() != original:
            raise ValueError(f"{source}: the file has changed since it was opened; open it again")
        if path is not None:
            target = path / os.path.basename(source) if path.is_dir() else path
            if not target.parent.is_dir():
                raise FileNotFoundError(f"{target.parent}: is not a folder")
            if target.exists():
                if os.path.samefile(target, source):
                    raise ValueError(f"{target}: is the original; in_place=True replaces it and keeps a backup")
                if not overwrite:
                    raise FileExistsError(f"{target}: exists; overwrite=True replaces it")
        options = {"encoding": encoding, "max_inflate": max_inflate, "in_place": in_place}
        if overwrite:
            options["overwrite"] = "always"
        if schemas is not None:
            options["schema"] = str(folder / "schemas.txt")
            (folder / "schemas.txt").write_text(schemas, encoding="utf-8")
        (folder / "changes.json").write_text(changes, encoding="utf-8")
        return _applied(source, folder / "changes.json", path, options)
