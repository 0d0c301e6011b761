"""A folder of 1,000 files made from the samples, and what is known about them without reading them."""

import struct
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import worldview as wv

SAMPLES = Path(__file__).resolve().parents[4] / "samples"

LEVELS, TABLES, ARCHIVES, REZ, DATABASES = 640, 300, 54, 2, 3
OBJECTS = {"garden.wwd": 18, "harbour.wwd": 41, "cellar.wwd": 12}
"""The objects of each sample, as its header counts them."""

KEYS = ["file", "plane", "object", "record", "field", "model", "roi_index", "lod", "mesh"]
"""What identifies a row."""


def write(folder: Path) -> dict[str, int]:
    """Writes the files, and returns the x coordinate of the first object of each level."""
    places = {}
    images = {name: bytes(wv.open(SAMPLES / name).image) for name in OBJECTS}
    for number in range(LEVELS):
        name = list(OBJECTS)[number % 3]
        image = bytearray(images[name])
        (plane,) = (plane for plane in wv.open(SAMPLES / name).planes if plane.is_main)
        struct.pack_into("<i", image, plane.header["objects_offset"] + 20, number)
        path = folder / f"levels{number % 8}" / f"{number}.wwd"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(image)
        places[str(path)] = number
    (folder / "tables").mkdir()
    for number in range(TABLES):
        sample = SAMPLES / ("items.wdb", "bestiary.wdb")[number % 2]
        path = folder / "tables" / f"{sample.stem}{number}.wdb"
        if number in SCALES:
            changes = [{"set": "bell_jelly_a/fScale", "to": SCALES[number]}]
            wv.apply(sample, {"worldview_changes": 1, "changes": changes}, path)
        else:
            path.write_bytes(sample.read_bytes())
    for number in range(ARCHIVES):
        (folder / "tables" / f"pack{number}.bin").write_bytes((SAMPLES / "wdbpack.bin").read_bytes())
    for number in range(REZ):
        (folder / f"{number}.rez").write_bytes((SAMPLES / "harbour.rez").read_bytes())
    for number in range(DATABASES):
        path = folder / f"island{number}" / "WORLD.WDB"
        path.parent.mkdir()
        path.write_bytes((SAMPLES / "world.wdb").read_bytes())
    # A packed level that is cut within its zlib stream.
    (folder / "broken.wwd").write_bytes((SAMPLES / "harbour.wwd").read_bytes()[:2000])
    return places


SCALES = {1: 1e20, 3: 1e-7, 5: -0.0, 7: 16777216.0, 9: 0.1, 11: 3.4e38}
"""The scale of a record, for some tables."""

DIGITS = {1: "1" + "0" * 20, 3: "0.0000001", 5: "-0", 7: "16777216", 9: "0.1", 11: "34" + "0" * 37}
"""These scales as text: the fewest digits, without an exponent."""


def frame(rows: Any, schema: pa.Schema | None = None) -> pl.DataFrame:
    """Returns rows in an order that does not depend on the engine, with the types of `schema`."""
    table = pa.table(rows)
    result = pl.DataFrame(table.cast(schema) if schema else table)
    keys = [name for name in KEYS if name in result.columns]
    # The order of fields of equal names is that of the file.
    return result.sort(keys, maintain_order=True)
