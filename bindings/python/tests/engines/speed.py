"""Measures rows per second of each engine on 1,053 generated levels with 3.1 million objects.

    python speed.py [ENGINE ...]

Without names, it measures `one` (a process with one thread), `all` (a process with all threads), `daft`, `spark` and `ray`, with
the recipes of ENGINES.md. Each runs in a process of its own: first a query over one level, for
the start, then the same over all levels three times, of which the best is printed. The query counts the rows and adds
up a column.
"""

import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import worldview as wv
from collection import SAMPLES, recipe

LEVELS, COPIES = 81, 13
COUNTS = [1486 + 37 * number for number in range(LEVELS)]
"""The objects of each level: as many as 81 real levels have together."""

Query = Callable[[str], tuple[int, int]]


def write(folder: Path) -> tuple[int, int]:
    """Writes the levels, packed as those of the game, and returns the number of objects and the sum of their x."""
    level = wv.open(SAMPLES / "harbour.wwd")
    image = bytes(level.image)
    (plane,) = (plane for plane in level.planes if plane.is_main)
    at = plane.header["objects_offset"]
    objects = []
    for _ in range(plane.header["num_objects"]):
        size = 284 + sum(struct.unpack_from("<4I", image, at + 4))
        objects.append(image[at : at + size])
        at += size
    header = 1524 + 160 * plane.index
    total = 0
    for number, count in enumerate(COUNTS):
        out = bytearray(image)
        struct.pack_into("<I", out, header + 128, count)
        struct.pack_into("<I", out, header + 140, len(out))
        for index in range(count):
            entry = bytearray(objects[index % len(objects)])
            struct.pack_into("<i", entry, 0, index)
            struct.pack_into("<2i", entry, 20, index * 37 % 6000 + number, index * 101 % 3000)
            total += index * 37 % 6000 + number
            out += entry
        struct.pack_into("<I", out, 8, 3)
        struct.pack_into("<I", out, 744, len(out) - 1524)
        packed = bytes(out[:1524]) + zlib.compress(bytes(out[1524:]), 6)
        for copy in range(COPIES):
            (folder / f"{copy:02}_{number:02}.wwd").write_bytes(packed)
    return sum(COUNTS) * COPIES, total * COPIES


def one_process(threads: int) -> Query:
    import pyarrow as pa
    import pyarrow.compute as pc

    def query(path: str) -> tuple[int, int]:
        rows = total = 0
        for batch in pa.RecordBatchReader.from_stream(wv.read_objects(path, threads=threads)):
            rows += batch.num_rows
            total += pc.sum(batch["x"]).as_py() or 0
        return rows, total

    return query


def with_daft() -> Query:
    import daft

    names = run("Daft")
    x = daft.col("x")

    def query(path: str) -> tuple[int, int]:
        found = names["Rows"](wv.tasks(path, columns=["x"])).read()
        done = found.agg(x.count().alias("rows"), x.sum().alias("total")).to_pydict()
        return done["rows"][0], done["total"][0]

    return query


def with_spark() -> Query:
    names = run("Spark")
    builder = names["SparkSession"].builder.master("local[2]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.driver.memory", "4g").getOrCreate()

    def query(path: str) -> tuple[int, int]:
        found = names["rows"](spark, wv.tasks(path, columns=["x"], signed=True))
        (done,) = found.selectExpr("count(x) as rows", "sum(x) as total").collect()
        return done.rows, done.total

    return query


def with_ray() -> Query:
    import ray
    from ray.data.aggregate import Count, Sum

    names = run("Ray Data")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=2 << 30)
    ray.data.DataContext.get_current().enable_progress_bars = False

    def query(path: str) -> tuple[int, int]:
        done = names["rows"](wv.tasks(path, columns=["x"])).aggregate(Count(), Sum("x"))
        return done["count()"], done["sum(x)"]

    return query


def run(engine: str) -> dict[str, Any]:
    """Returns what the recipe of an engine defines."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(recipe(engine)[0], names)  # noqa: S102
    return names


ENGINES: dict[str, Callable[[], Query]] = {
    "one": lambda: one_process(1),
    "all": lambda: one_process(0),
    "daft": with_daft,
    "spark": with_spark,
    "ray": with_ray,
}


def measure(engine: str, folder: str) -> None:
    """Prints what the queries return and how long they take."""
    start = time.perf_counter()
    query = ENGINES[engine]()
    query(str(next(Path(folder).iterdir())))
    first = time.perf_counter() - start
    times, results = [], []
    for _ in range(3):
        start = time.perf_counter()
        results.append(query(folder))
        times.append(time.perf_counter() - start)
    print(json.dumps({"first": first, "times": times, "results": results}))


def main(engines: list[str]) -> None:
    """Writes the levels, measures the engines, and prints a table."""
    folder = Path(tempfile.mkdtemp())
    try:
        rows, total = write(folder)
        size = sum(path.stat().st_size for path in folder.iterdir())
        cores = len(os.sched_getaffinity(0))
        print(f"{LEVELS * COPIES:,} levels, {size / 1e6:.1f} MB, {rows:,} objects; {cores} cores\n")
        print("| engine | first query | all levels | rows/s | load before |\n|---|---|---|---|---|")
        for engine in engines:
            load = os.getloadavg()[0]
            command = [sys.executable, __file__, "--measure", engine, str(folder)]
            done = subprocess.run(command, capture_output=True, check=False)
            if done.returncode != 0:
                sys.exit(f"{engine} failed:\n{done.stderr.decode()}")
            seen = json.loads(done.stdout.splitlines()[-1])
            assert all(result == [rows, total] for result in seen["results"]), (engine, seen["results"], rows, total)
            best = min(seen["times"])
            print(f"| {engine} | {seen['first']:.1f} s | {best:.2f} s | {rows / best:,.0f} | {load:.1f} |", flush=True)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measure(*sys.argv[2:4])
    else:
        main(sys.argv[1:] or list(ENGINES))
