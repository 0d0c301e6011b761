"""Measures the package on a folder of real files.

    python tests/speed.py FOLDER

Each figure is the fastest of several runs, beside the time that only reading the same files takes. Not part of CI.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
import worldview as wv
import worldview.polars as wp


def fastest(work: Callable[[], object], runs: int = 7) -> float:
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def show(what: str, ours: float, least: float) -> None:
    print(f"{what:60} {ours * 1e6:12.1f} us   {least * 1e6:12.1f} us to read   {ours / least:6.2f}x")


def main() -> None:
    files = [path for path in sorted(Path(sys.argv[1]).rglob("*")) if path.is_file()]
    levels, tables, plain = [], [], []
    for found in wv.scan(files):
        if found.error is None and not found.asset.inside:
            if found.asset.kind == "level":
                levels.append(found.path)
                if not found.asset.is_packed:
                    plain.append(found.path)
            elif found.asset.kind == "table":
                tables.append(found.path)

    def grids(path: str, **options: bool) -> None:
        for plane in wv.open(path, **options).planes:
            np.asarray(plane.tiles)

    def read(paths: list[str]) -> None:
        for path in paths:
            with open(path, "rb") as file:
                file.read()

    for path in plain[:1]:
        size = Path(path).stat().st_size
        show(f"open and the grids of a plain level of {size} bytes", fastest(lambda: grids(path), 200), fastest(lambda: read([path]), 200))
        show("the same, mapped", fastest(lambda: grids(path, mmap=True), 200), fastest(lambda: read([path]), 200))
        data = Path(path).read_bytes()
        show("the same, from bytes", fastest(lambda: grids(data), 200), fastest(lambda: read([path]), 200))
    for threads in (1, 2):
        if levels:
            rows = pa.table(wv.read_objects(levels)).num_rows
            ours = fastest(lambda: pa.table(wv.read_objects(levels, threads=threads)))
            show(f"{rows} objects of {len(levels)} levels to Arrow, {threads} threads", ours, fastest(lambda: read(levels)))
    if tables:
        opened = lambda: [pa.table(wv.open(path)) for path in tables]  # noqa: E731
        show(f"{len(tables)} tables to Arrow", fastest(opened), fastest(lambda: read(tables)))
        values = lambda: pa.table(wv.read_records(files))  # noqa: E731
        show(f"the values of the tables in {len(files)} files to Arrow", fastest(values), fastest(lambda: read(files)))
    if levels:
        first = lambda: wp.scan_objects(levels).head(1).collect()  # noqa: E731
        show(f"the first row of a lazy frame over {len(levels)} levels", fastest(first), fastest(lambda: read(levels[:1])))
        edits(max(levels, key=lambda path: len(wv.open(path, kind="level").objects())))


def edits(path: str) -> None:
    """Moves each object of a level, by assignments and by one list of changes."""
    with TemporaryDirectory() as folder:

        def assigned() -> None:
            level = wv.open(path, kind="level")
            for row in level.main_plane.objects():
                row["x"] += 64
            level.save(Path(folder, "one.wwd"), overwrite=True)

        def listed() -> None:
            plane = wv.open(path, kind="level").main_plane
            place = f"plane:{plane.name}/object:"
            changes = [{"set": f"{place}{row['object']}/x", "to": row["x"] + 64} for row in plane.objects()]
            wv.apply(path, changes, Path(folder, "other.wwd"), overwrite="always")

        count, ours, least = len(wv.open(path, kind="level").main_plane.objects()), fastest(assigned, 3), fastest(listed, 3)
        print(f"{f'{count} edits of a level':60} {ours:12.2f} s    {least:12.2f} s as a list   {ours / least:6.2f}x")


if __name__ == "__main__":
    main()
