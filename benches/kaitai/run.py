"""python3 run.py FORMAT FILE RUNS: reads a file with the Python code that Kaitai generated, once to warm up and then
RUNS times, and prints a line of JSON. FORMAT is wwd, wdb or world."""

import json
import sys
import time
from pathlib import Path

TARGET = Path(__file__).resolve().parent.parent.parent / "target" / "kaitai"
sys.path[:0] = [str(TARGET), str(TARGET / "python")]
sys.dont_write_bytecode = True

from kaitaistruct import KaitaiStream, BytesIO  # noqa: E402


def wwd(level):
    total = 0
    for plane in level.planes:
        total += sum(plane.tiles)
        total += sum(map(wwd_object, plane.objects or ()))
    if level.attributes:
        total += sum(map(wwd_attribute, level.attributes.records))
    return total


def wwd_object(part):
    head = part.id + sum(part.lengths) + sum(part.place) + sum(part.flags) + sum(part.numbers)
    middle = sum(part.rects) + sum(part.user) + sum(part.bounds) + sum(part.speeds)
    return head + middle + sum(part.size) + sum(part.turns) + sum(part.types) + sum(part.steps)


def wwd_attribute(record):
    head = record.kind + record.reserved + record.width + record.height + sum(record.words)
    return head + (sum(record.pixels) if record.kind == 3 else 0)


def wdb(table):
    total = 0
    for entry in table.entries:
        if not entry.is_section:
            for value in entry.record.values:
                total += value if isinstance(value, int) else len(value.value)
    return total


def world(file):
    parts = [part for scene in file.worlds for part in scene.parts]
    models = [model for scene in file.worlds for model in scene.models]
    total = sum(reference.length + reference.offset for reference in parts + models)
    total += sum(sum(model.place) + model.visible for model in models)
    total += sum(map(world_texture, file.textures.textures)) + world_parts(file.parts)
    # Each blob once, however many references it has.
    for part in {(part.offset, part.length): part for part in parts}.values():
        total += world_parts(part.blob)
    for model in {(model.offset, model.length): model for model in models}.values():
        total += world_model(model.blob)
    return total


def world_texture(texture):
    total = 0
    for image in texture.images:
        total += image.width + image.height + image.colors + sum(image.palette) + sum(image.pixels)
    return total


def world_parts(parts):
    return sum(world_lods(part.lods) for part in parts.parts) + sum(map(world_texture, parts.textures.textures))


def world_lods(lods):
    return sum(world_lod(lod.content) for lod in lods.lods if hasattr(lod, "content"))


def world_lod(lod):
    pools = sum(lod.positions) + sum(lod.normals) + sum(lod.uvs)
    return pools + sum(sum(mesh.corners) + sum(mesh.uv_indices) for mesh in lod.meshes)


def world_model(model):
    return world_node(model.root_node) + world_roi(model.root) + sum(map(world_texture, model.textures.textures))


def world_node(node):
    moves = sum(node.translations.words) + sum(node.rotations.words) + sum(node.scales.words)
    return moves + sum(key.time + key.visible for key in node.morphs) + sum(map(world_node, node.children))


def world_roi(roi):
    lods = world_lods(roi.lods) if hasattr(roi, "lods") else 0
    return sum(roi.bounds) + lods + sum(map(world_roi, roi.children))


def main():
    name, path, runs = sys.argv[1:]
    reader = getattr(__import__(name), name.capitalize())
    data = Path(path).read_bytes()
    seconds = []
    for _ in range(int(runs) + 1):
        start = time.perf_counter()
        found = globals()[name](reader(KaitaiStream(BytesIO(data)))) & 0xFFFFFFFF
        seconds.append(time.perf_counter() - start)
    # Discard the warm-up.
    seconds = sorted(seconds[1:])
    line = {
        "reader": "Kaitai in Python",
        "format": name,
        "bytes": len(data),
        "digest": found,
        "seconds_min": seconds[0],
        "seconds_median": seconds[len(seconds) // 2],
    }
    print(json.dumps(line, separators=(",", ":")))


main()
