"""The recipes of ENGINES.md, as they stand there, on 200 files with a broken one among them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from collection import SAMPLES, recipe, write

CHECKS = {
    "Daft": """
import daft, os, pyarrow as pa, worldview as wv
def collected(tasks): return Rows(tasks).read().to_arrow()
SIGNED = False
def counted(tasks): return dict(Rows(tasks).read().groupby("code").agg(daft.col("path").count()).to_arrow().to_pandas().values.tolist())
# From a store in memory.
store = {f"memory://all/{path.name}": path.read_bytes() for path in __import__("pathlib").Path("many").rglob("*.wwd")}
found = collected(wv.tasks(store, fetch=store.__getitem__))
stored = {pathless(row) for row in found.to_pylist()}
assert stored == {pathless(row) for row in pa.table(wv.read_objects(os.path.abspath("many"))).to_pylist()}
lost = Rows(wv.tasks([*store, "memory://all/none.wwd"], fetch=store.__getitem__, errors=True)).read().to_pydict()
assert sorted(zip(lost["path"], lost["code"])) == [
    ("memory://all/broken.wwd", "unreadable-damaged"), ("memory://all/none.wwd", "system")], lost
""",
    "Spark": """
import worldview as wv
spark = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false").getOrCreate()
SIGNED = True
def collected(tasks): return rows(spark, tasks).toArrow()
def counted(tasks): return dict(map(tuple, rows(spark, tasks).groupBy("code").count().collect()))
""",
    "Ray Data": """
import worldview as wv
ray.init(num_cpus=2, include_dashboard=False, object_store_memory=300 << 20)
SIGNED = False
def collected(tasks): return pa.concat_tables(ray.get(rows(tasks).to_arrow_refs()))
def counted(tasks): return {row["code"]: row["count()"] for row in rows(tasks).groupby("code").count().take_all()}
""",
}
"""What the results of each engine need."""

BEFORE = """
def pathless(row): return (row["file"].rpartition("/")[2], *(str(row[name]) for name in row if name != "file"))
"""

AFTER = """
import os, polars as pl, pyarrow as pa, worldview as wv
def frame(table): return pl.DataFrame(pa.table(table)).sort("file", *({"object", "plane", "record"} & {*table.schema.names}))
for kind, expected in (
    (dict(rows="objects"), wv.read_objects(os.path.abspath("many"))),
    (dict(rows="objects", columns=["file", "x", "object", "plane"]), wv.read_objects(os.path.abspath("many"), columns=["file", "x", "object", "plane"])),
    (dict(rows="records", sheet="item"), wv.read_records(os.path.abspath("many"), sheet="item")),
):
    tasks = wv.tasks("many", signed=SIGNED, task_bytes=1 << 20, **kind)
    assert len(tasks) > 4
    found, expected = collected(tasks), pa.table(expected)
    assert frame(found.select(expected.schema.names).cast(expected.schema)).equals(frame(expected)), kind
    assert counted(wv.tasks("many", signed=SIGNED, errors=True, **kind)) == {"unreadable-damaged": 1}
print("right")
"""


@pytest.mark.parametrize("engine", CHECKS)
def test_a_recipe_reads_what_one_process_reads(engine: str, tmp_path: Path) -> None:
    code, example = recipe(engine)
    assert sum(bool(line.strip()) for line in code.splitlines()) <= 15
    write(tmp_path / "many")
    (tmp_path / "samples").symlink_to(SAMPLES)
    # The driver and the workers of Spark run the same Python.
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable}
    for name, text in (("recipe", f"{BEFORE}{code}{CHECKS[engine]}{AFTER}"), ("example", f"{code}{example}")):
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        command = [sys.executable, f"{name}.py"]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        assert name == "example" or done.stdout.endswith("right\n")
