"""python3 run.py FORMAT FILE RUNS: reads a file with the Python code that Kaitai generated, once to warm up and then
RUNS times, and prints a line of JSON. FORMAT is wwd, wdb or world."""

import json
import sys
import time
from pathlib import Path

TARGET = Path(__file__).resolve().parent.parent.parent / "target" / "kaitai"
sys.path[:0] = [str(TARGET / "bits"), str(TARGET / "python")]
sys.dont_write_bytecode = True

from kaitaistruct import KaitaiStream, BytesIO  # noqa: E402


# The numbers of an object of a level, and its members that are lists.
NUMBERS = """id name_len logic_len image_set_len animation_len x y z i add_flags dynamic_flags draw_flags user_flags score points
powerup damage smarts health user1 user2 user3 user4 user5 user6 user7 user8 min_x min_y max_x max_y speed_x speed_y tweak_x tweak_y
counter speed width height direction face_dir time_delay frame_delay object_type hit_type_flags move_res_x move_res_y""".split()
RECTS = ["move_rect", "hit_rect", "attack_rect", "clip_rect", "user_rect1", "user_rect2"]


def wwd(level):
    total = 0
    block = level.main_block
    for plane in block.planes:
        total += sum(plane.tiles or ())
        total += sum(map(wwd_object, plane.objects or ()))
    if block.attributes:
        total += sum(map(wwd_attribute, block.attributes.records))
    return total


def wwd_object(part):
    return sum(getattr(part, name) for name in NUMBERS) + sum(sum(getattr(part, name)) for name in RECTS)


def wwd_attribute(record):
    head = record.kind + record.reserved + record.width + record.height
    if record.kind == 1:
        return head + record.attribute
    return head + (record.outside + record.inside + sum(record.rect) if record.kind == 2 else sum(record.pixels))


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
    total += sum(sum(model.location) + sum(model.direction) + sum(model.up) + model.visible for model in models)
    total += sum(map(world_texture, file.global_textures.textures)) + world_parts(file.global_parts)
    # Each blob once, however many references it has.
    for part in {(part.offset, part.length): part for part in parts}.values():
        total += world_parts(part.blob)
    for model in {(model.offset, model.length): model for model in models}.values():
        total += world_model(model.blob)
    return total


def world_texture(texture):
    total = 0
    for image in texture.images:
        total += image.width + image.height + image.color_count + sum(image.palette) + sum(image.pixels)
    return total


def world_parts(parts):
    return sum(world_lods(part.lods) for part in parts.parts) + sum(map(world_texture, parts.texture_list.textures))


def world_lods(lods):
    return sum(world_lod(lod.content) for lod in lods.lods if hasattr(lod, "content"))


def world_lod(lod):
    pools = sum(lod.positions) + sum(lod.normals) + sum(lod.uvs)
    return pools + sum(sum(mesh.corners) + sum(mesh.uv_indices) for mesh in lod.meshes)


def world_model(model):
    return world_node(model.root_node) + world_roi(model.root) + sum(map(world_texture, model.texture_list.textures))


def world_node(node):
    lists = (node.translations, node.rotations, node.scales)
    moves = sum(key.time_and_flags + sum(key.value) for keys in lists for key in keys.keys)
    return moves + sum(key.time_and_flags + key.value for key in node.morphs) + sum(map(world_node, node.children))


def world_roi(roi):
    lods = world_lods(roi.lods) if hasattr(roi, "lods") else 0
    return sum(roi.center) + roi.radius + sum(roi.minimum) + sum(roi.maximum) + lods + sum(map(world_roi, roi.children))


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
