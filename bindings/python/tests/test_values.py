"""Values, compared with the command's JSON and with bytes read by `struct`."""

import struct
from pathlib import Path

import numpy as np
import pytest
import worldview as wv
from conftest import NAMES, SAMPLES, shown
from PIL import Image


@pytest.mark.parametrize("name", NAMES)
def test_describe_is_what_the_command_shows(name: str) -> None:
    assert wv.open(SAMPLES / name).describe() == shown(SAMPLES / name)
    assert wv.open(SAMPLES / name).describe(full=True) == shown(SAMPLES / name, "--full")


@pytest.mark.parametrize("name", ["harbour.wwd", "cellar.wwd", "garden.wwd"])
def test_tiles_are_the_words_at_the_offsets_of_the_notes(name: str) -> None:
    level = wv.open(SAMPLES / name)
    image = bytes(level.image)
    (planes_at,) = struct.unpack_from("<I", image, 0x2E0)
    for plane in level.planes:
        header = planes_at + 160 * plane.index
        wide, high = struct.unpack_from("<2i", image, header + 96)
        (tiles_at,) = struct.unpack_from("<I", image, header + 132)
        words = struct.unpack_from(f"<{wide * high}I", image, tiles_at)
        tiles = np.asarray(plane.tiles)
        assert tiles.shape == (high, wide) and tiles.dtype == np.uint32
        assert tiles.reshape(-1).tolist() == list(words)
        assert plane.tiles[high - 1, wide - 1] == words[-1]


def test_tiles_of_a_plain_level_are_in_the_file_itself() -> None:
    plain = wv.open(SAMPLES / "garden.wwd")
    packed = wv.open(SAMPLES / "harbour.wwd")
    assert not plain.is_packed and packed.is_packed
    first = plain.planes[0]
    start = first.header["tiles_offset"]
    assert bytes(plain.data)[start : start + 4] == bytes(first.tiles)[:4]
    tiles = np.asarray(first.tiles)
    data = np.asarray(plain.data)
    address = lambda array: array.__array_interface__["data"][0]  # noqa: E731
    assert address(tiles) == address(data) + start, "no copy"


def test_objects_are_those_of_the_planes() -> None:
    level = wv.open(SAMPLES / "harbour.wwd")
    rows = list(level.objects())
    by_plane = [object for plane in level.planes for object in plane.objects()]
    described = [object for plane in shown(SAMPLES / "harbour.wwd")["planes"] for object in plane["objects"]]
    assert len(rows) == len(level.objects()) == len(by_plane) == len(described) > 0
    for row, object, expected in zip(rows, by_plane, described, strict=True):
        for field in ("object", "id", "x", "y", "z", "logic", "image_set"):
            assert row[field] == object[field] == expected[field]
        assert row["row"] == object["row"]
    objects = level.objects()
    assert objects["logic"] == [row["logic"] for row in rows]
    assert [row["row"] for row in objects[-2:]] == [row["row"] for row in rows[-2:]]
    before = objects["x"]
    objects[1:3][0]["x"] += 5
    assert objects["x"] == [before[0], before[1] + 5, *before[2:]]
    for plane in level.planes:
        assert [object["row"] for object in plane.objects()] == list(range(len(plane.objects())))


@pytest.mark.parametrize("name", ["items.wdb", "bestiary.wdb"])
def test_records_are_those_of_the_command(name: str) -> None:
    table = wv.open(SAMPLES / name)
    expected = {record["record"]: record for record in shown(SAMPLES / name)["records"]}
    assert list(table) == list(expected) and len(table) == len(expected)
    for record in table.values():
        for field in table.fields:
            value = expected[record.name][field.name]
            if field.type == "f32":
                assert record[field.name] == np.float32(value)
            elif field.type == "utf8":
                assert record[field.name] == value or isinstance(value, dict)
            else:
                assert record[field.name] == value, field
    for field in table.fields:
        column = table.column(field.name)
        assert list(column) == [record[field.name] for record in table.values()]
        if field.type != "utf8":
            assert np.asarray(column).dtype == {"i32": "i4", "u32": "u4", "f32": "f4", "u64": "u8"}[field.type]
    assert table.to_dict()[table.keys()[0]] == dict(table[0].items())


def test_a_table_is_a_mapping() -> None:
    table = wv.open(SAMPLES / "items.wdb")
    assert "apple_dried" in table and "pear" not in table and 3 not in table
    assert table["apple_dried"].index == table.keys().index("apple_dried")
    assert table[-1].name == table.keys()[-1]
    assert [record.name for record in table[1:-1:2]] == table.keys()[1:-1:2] and table[5:1] == []
    assert [record.index for record in table[::-3]] == list(range(len(table)))[::-3]
    assert table.get("pear") is None and table.get("pear", 5) == 5
    with pytest.raises(KeyError, match="pear"):
        table["pear"]
    with pytest.raises(IndexError, match="out of range"):
        table[10_000]
    match table["apple_dried"]:
        case {"uPurchasePrice": price}:
            assert price == wv.open(SAMPLES / "items.wdb/apple_dried")["uPurchasePrice"]
        case _:
            raise AssertionError("a record is a mapping")


def test_archives_open_their_members() -> None:
    pack = wv.open(SAMPLES / "wdbpack.bin")
    assert [member.file_name for member in pack.values()] == list(pack)
    for name in pack:
        member = pack[name]
        again = wv.open(SAMPLES / "wdbpack.bin" / name)
        assert member.inside == [name] == again.inside and bytes(member.data) == bytes(again.data)
    rez = wv.open(SAMPLES / "harbour.rez")
    assert "level1/worlds/world.wwd" in rez and "LEVEL9" not in rez
    for path in rez.files():
        assert bytes(rez[path].data) == bytes(wv.open(SAMPLES / "harbour.rez" / path).data)
    below = rez["level1"]
    assert below.inside == ["LEVEL1"] and "LEVEL1" in repr(below)
    assert [name for name, _ in rez.items()] == rez.keys() and rez.get("nothing", 5) == 5
    assert all(bytes(below[path].data) == bytes(rez[f"LEVEL1/{path}"].data) for path in below.files())


def test_pictures_have_the_pixels_of_their_png(tmp_path: Path) -> None:
    rez = wv.open(SAMPLES / "harbour.rez")
    palette = rez["LEVEL1/PALETTES/MAIN.PAL"].data
    pictures = 0
    for path in rez.files():
        picture = rez[path]
        if picture.kind != "picture":
            continue
        target = tmp_path / "picture.png"
        target.write_bytes(picture.to_png(palette))
        with Image.open(target) as image:
            expected = np.asarray(image.convert("RGBA"))
        rgba = np.asarray(picture.rgba(rez["LEVEL1/PALETTES/MAIN.PAL"]))
        assert rgba.shape == (picture.height, picture.width, 4)
        own = np.asarray(picture.rgba())
        assert (np.asarray(picture) == own).all() and (np.asarray(Image.fromarray(picture)) == own).all()
        opaque = rgba[..., 3] == 255
        assert (expected[opaque] == rgba[opaque]).all() and (expected[..., 3] == rgba[..., 3]).all()
        pictures += 1
    assert pictures > 10
    # The game finds the palette by the path of the picture.
    path = next(path for path in rez.files() if path.endswith(".PID"))
    assert bytes(rez.palette_of(path)) == bytes(palette) == bytes(rez["LEVEL1"].palette_of(path.partition("/")[2]))
    with pytest.raises(KeyError, match="did you mean"):
        rez.palette_of(path + "X")


def test_meshes_are_those_of_the_file() -> None:
    world = wv.open(SAMPLES / "world.wdb")
    raw = bytes(world.data)
    seen = set()
    for model in world.models.values():
        for roi in model.rois:
            for lod in roi.lods:
                for mesh in lod.meshes:
                    geometry = mesh.decode()
                    positions, indices = np.asarray(geometry.positions), np.asarray(geometry.indices)
                    assert positions.shape == (mesh.vertices, 3) == np.asarray(geometry.normals).shape
                    assert np.asarray(geometry.uvs).shape == (mesh.vertices, 2)
                    assert indices.shape == (mesh.triangles, 3) and indices.max() < mesh.vertices
                    # Each position is stored somewhere in the file as three floats.
                    assert positions[0].tobytes() in raw and positions[-1].tobytes() in raw
                    texture = mesh.material["texture"]
                    if texture is not None and mesh.texture is not None:
                        assert mesh.texture.name.lower() == texture.lower()
                        seen.add(texture)
    assert seen, "the sample has textured meshes"


def test_textures_have_the_pixels_of_their_png(tmp_path: Path) -> None:
    file = wv.open(SAMPLES / "pennant.tex", kind="textures")
    assert repr(file).endswith(f"pennant.tex, {len(file.textures)} textures>") and file.kind == "textures"
    for texture in wv.open(SAMPLES / "world.wdb").textures + file.textures:
        target = tmp_path / "texture.png"
        target.write_bytes(texture.to_png())
        with Image.open(target) as image:
            assert (np.asarray(image.convert("RGB")) == np.asarray(texture.rgb())).all()
        assert (np.asarray(Image.fromarray(texture)) == np.asarray(texture)).all()
        assert (np.asarray(texture) == np.asarray(texture.rgb())).all()
        pixels = np.asarray(texture.pixels())
        assert (np.asarray(texture.palette)[pixels] == np.asarray(texture.rgb())).all()


def test_a_pose_moves_objects_as_their_keys_say() -> None:
    world = wv.open(SAMPLES / "world.wdb")
    moved = 0
    for model in world.models.values():
        for node in model.nodes:
            keys = np.asarray(node.translations)
            if node.roi is None or node.parent is None or not len(keys):
                continue
            matrices, visible = model.pose(float(keys[0, 0]))
            assert len(visible) == len(model.rois)
            above = np.asarray(matrices)[model.nodes[node.parent].roi]
            local = np.asarray(matrices)[node.roi] @ np.linalg.inv(above)
            assert np.allclose(local[3, :3], keys[0, 1:], atol=1e-5)
            moved += 1
    assert moved > 0, "the sample has animations"


def test_worlds_place_models() -> None:
    world = wv.open(SAMPLES / "world.wdb")
    expected = shown(SAMPLES / "world.wdb")["worlds"]
    assert [each.name for each in world.worlds] == [each["name"] for each in expected]
    for placed, references in zip(world.worlds, expected, strict=True):
        for placement, reference in zip(placed.placements, references["models"], strict=True):
            assert placement.name == reference["name"]
            assert placement.location == pytest.approx(reference["location"])
            assert np.allclose(np.asarray(placement.matrix)[3, :3], reference["location"])
        assert placed.to_glb()[:4] == b"glTF"
