"""Assignments: what they change, what they read back, and what is refused. Each saved file is read by the command, too."""

import pickle
import shutil
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import worldview as wv
from conftest import SAMPLES, shown, worldview

ITEMS, LEVEL, WORLD, PACK = (SAMPLES / name for name in ("items.wdb", "harbour.wwd", "world.wdb", "wdbpack.bin"))


def changed(original: Path, edited: Path) -> dict[str, tuple[object, object]]:
    """Returns what the command finds different: the old and the new value of each field."""
    return {f"{one['place']}/{one['field']}": (one["left"], one["right"]) for one in wv.diff(original, edited)}


def test_fields_of_a_table_are_assigned(tmp_path: Path) -> None:
    table, out = wv.open(ITEMS, kind="table"), tmp_path / "new.wdb"
    before = ITEMS.read_bytes()
    apple = table["apple_dried"]
    apple["uPurchasePrice"] = np.uint16(10)
    assert apple["uPurchasePrice"] == 10 and table["apple_dried"].to_dict()["uPurchasePrice"] == 10
    # Everything shows the new value, and arrays that were taken before keep theirs.
    assert list(table.column("uPurchasePrice"))[apple.index] == 10
    assert pl.DataFrame(table)["uPurchasePrice"][apple.index] == 10 == table.rows()[apple.index]["uPurchasePrice"]
    table["apple_dried"]["uPurchasePrice"] = 11
    table["anchor_pin"]["sHelpStringId"] = "$help_new"
    assert table["anchor_pin"]["sHelpStringId"] == "$help_new" and "2 changes" in table.save(out)
    assert changed(ITEMS, out) == {
        "apple_dried/uPurchasePrice": (6, 11),
        "anchor_pin/sHelpStringId": (wv.open(ITEMS)["anchor_pin"]["sHelpStringId"], "$help_new"),
    }
    assert ITEMS.read_bytes() == before and bytes(table.data) == out.read_bytes()


def test_reading_and_assigning_in_turns_is_one_edit_each(tmp_path: Path) -> None:
    table, out = wv.open(ITEMS, kind="table"), tmp_path / "new.wdb"
    for record in table.values():
        record["uPurchasePrice"] = record["uPurchasePrice"] + 1
    table.save(out)
    old, new = wv.open(ITEMS, kind="table"), wv.open(out, kind="table")
    assert [price + 1 for price in old.column("uPurchasePrice")] == list(new.column("uPurchasePrice"))


def test_edits_of_all_objects_are_those_of_one_list(tmp_path: Path) -> None:
    path = SAMPLES / "harbour.wwd"
    level = wv.open(path)
    objects = level.main_plane.objects()
    changes = []
    for o in objects:
        x, rect = o["x"], [o[f"move_rect_{side}"] for side in ("left", "top", "right", "bottom")]
        changes.append({"set": f"plane:Action/object:{o['object']}/x", "to": x + 64})
        changes.append({"set": f"plane:Action/object:{o['object']}/move_rect", "to": [7, *rect[1:]]})
        # Each assignment sees those before it.
        o["x"] += 60
        o["x"] += 4
        o["move_rect_left"] = 6
        o["move_rect_left"] += 1
        assert (o["x"], o["move_rect_left"]) == (x + 64, 7)
        assert [o[f"move_rect_{side}"] for side in ("top", "right", "bottom")] == rect[1:]
    assert len(objects) > 30
    assert objects[0].to_dict()["x"] == objects[0]["x"]
    level.save(tmp_path / "one.wwd")
    wv.apply(path, changes, tmp_path / "other.wwd")
    assert (tmp_path / "one.wwd").read_bytes() == (tmp_path / "other.wwd").read_bytes()
    for value, exception in ((2**31, ValueError), ("far", TypeError), (0.5, TypeError)):
        with pytest.raises(exception, match="x"):
            objects[0]["x"] = value
    with pytest.raises((TypeError, wv.Error)):
        objects[0]["name_len"] = 3


def test_an_edit_costs_no_more_than_a_line_of_a_list() -> None:
    level, table = wv.open(LEVEL, kind="level"), wv.open(ITEMS, kind="table")
    objects = level.objects()
    for o in objects:
        o["x"] += 64
        o["move_rect_left"] += 1
        assert o["x"] + o["move_rect_left"] > 0
    for record in table.values():
        record["uPurchasePrice"] += 1
        record["uPurchasePrice"] += 1
    # Numbers are checked alone. What reads them all makes the file once.
    assert level._reads == table._reads == 0
    assert objects["x"] == level.objects()["x"] and level.objects()[0]["x"] == objects[0]["x"] and level._reads == 1
    assert sum(table.column("uPurchasePrice")) == sum(record["uPurchasePrice"] for record in table.values())
    assert table._reads == 1
    # Only the whole file decides about a text.
    objects[0]["logic"], table[0]["sHelpStringId"] = "Key", "$help_new"
    assert table[0]["sHelpStringId"] == "$help_new" and level._reads == table._reads == 2


def test_names_that_several_have_are_told_apart(tmp_path: Path) -> None:
    twice = ITEMS.read_bytes().replace(b"bread_rye".ljust(16, b"\0"), b"apple_dried".ljust(16, b"\0"), 1)
    table = wv.open(twice, name="items.wdb", kind="table")
    same = [record for record in table.values() if record.name == "apple_dried"]
    assert len(same) == 2
    for price, record in zip((8, 9), same):
        record["uPurchasePrice"] = price
    table.save(tmp_path / "items.wdb")
    again = wv.open(tmp_path / "items.wdb", kind="table")
    assert [again[record.index]["uPurchasePrice"] for record in same] == [8, 9]


def test_members_of_archives_are_edited_in_their_archive(tmp_path: Path) -> None:
    pack = wv.open(PACK, kind="archive")
    pack["r_lamps.wdb"]["lamp_gate"]["fHeight"] = 3.25
    assert pack["r_lamps.wdb"]["lamp_gate"]["fHeight"] == 3.25
    pack.save(tmp_path)
    assert changed(PACK, tmp_path / PACK.name).keys() == {"r_lamps.wdb/lamp_gate/fHeight"}
    record = wv.open(PACK / "r_lamps.wdb" / "lamp_gate")
    record["fHeight"] = 0.5
    record.save(tmp_path / "one.bin")
    assert shown(tmp_path / "one.bin" / "r_lamps.wdb")["records"][record.index]["fHeight"] == 0.5
    rez = wv.open(SAMPLES / "harbour.rez")
    level = rez["LEVEL1/WORLDS/WORLD.WWD"]
    level.objects()[0]["x"] = 801
    rez.save(tmp_path)
    assert wv.open(tmp_path / "harbour.rez/LEVEL1/WORLDS/WORLD.WWD").objects()[0]["x"] == 801


def test_objects_of_a_level_are_assigned(tmp_path: Path) -> None:
    level, out = wv.open(LEVEL, kind="level"), tmp_path / "new.wwd"
    plane = level.main_plane
    objects = plane.objects()
    # Those of a plane are rows of the level's.
    assert objects.columns == level.objects().columns
    assert pl.DataFrame(objects).equals(pl.DataFrame(level.objects()).filter(pl.col("plane") == plane.index))
    (row,) = (row for row in objects if row["object"] == "41")
    row["x"] = 5
    row["logic"] = "Größe"
    row["move_rect_left"] = -7
    row["move_rect_bottom"] = 8
    for seen in (row, objects[row["row"]], plane.objects()[row["row"]], dict(row.items())):
        assert [seen[name] for name in ("x", "logic", "move_rect_left", "move_rect_bottom")] == [5, "Größe", -7, 8]
    assert pl.DataFrame(objects).filter(pl.col("object") == "41")["x"].to_list() == [5]
    level.save(out)
    assert changed(LEVEL, out) == {
        "plane:Action/object:41/x": (5600, 5),
        "plane:Action/object:41/logic": ("FrontCandy", "Größe"),
        "plane:Action/object:41/move_rect": ([0, 0, 0, 0], [-7, 0, 0, 8]),
    }


def test_placements_are_assigned(tmp_path: Path) -> None:
    world, out = wv.open(WORLD, kind="database"), tmp_path / "world.wdb"
    boats = [one for one in world.worlds[0].placements if one.name == "boat"]
    # Several have this name.
    assert len(boats) > 2
    boats[1].location = np.array([1, 2.5, 3], dtype="f4")
    boats[2].is_visible = False
    assert boats[1].location == (1.0, 2.5, 3.0) and np.asarray(boats[1].matrix)[3, :3].tolist() == [1.0, 2.5, 3.0]
    assert boats[0].location != boats[1].location and not boats[2].is_visible
    glb = world.worlds[0].to_glb()
    world.save(out)
    assert {path: new for path, (_, new) in changed(WORLD, out).items()} == {
        "world:BAY/model:boat#1/location": [1.0, 2.5, 3.0],
        "world:BAY/model:boat#2/visible": 0,
    }
    assert wv.open(out).worlds[0].to_glb() == glb != wv.open(WORLD).worlds[0].to_glb()


def test_what_cannot_be_stored_is_refused_at_once() -> None:
    table, level, world = wv.open(ITEMS), wv.open(LEVEL), wv.open(WORLD)
    apple, row, placement = table["apple_dried"], level.objects()[0], world.worlds[0].placements[0]
    for mistake, error, text in (
        (lambda: apple.__setitem__("uPurchasePrise", 1), KeyError, "did you mean uPurchasePrice"),
        (lambda: apple.__setitem__("uPurchasePrice", "ten"), TypeError, "apple_dried/uPurchasePrice"),
        (lambda: apple.__setitem__("uPurchasePrice", -1), ValueError, "does not fit"),
        (lambda: apple.__setitem__("uPurchasePrice", 10**40), ValueError, "too large"),
        (lambda: apple.__setitem__("uPurchasePrice", None), TypeError, "NoneType"),
        (lambda: row.__setitem__("z_coord", 1), KeyError, "z_coord"),
        (lambda: row.__setitem__("x", 1 << 31), ValueError, "does not fit"),
        (lambda: row.__setitem__("name", "дом"), ValueError, "windows-1252"),
        (lambda: row.__setitem__("plane_name", "x"), TypeError, "not stored in the object"),
        (lambda: row.__setitem__("id", 7), TypeError, "rename"),
        (lambda: setattr(placement, "location", (1, 2)), (TypeError, ValueError), "location"),
        (lambda: setattr(placement, "up", 3), TypeError, "up"),
        (lambda: setattr(placement, "location", (1, 2, float("nan"))), ValueError, "NaN"),
        (lambda: setattr(placement, "location", np.array([1, 2, np.inf], dtype="f4")), ValueError, "inf"),
    ):
        with pytest.raises(error, match=text):
            mistake()
    # Nothing of it was recorded.
    assert bytes(table.data) == ITEMS.read_bytes() and bytes(world.data) == WORLD.read_bytes()


def test_a_mutation_that_would_be_lost_is_an_error() -> None:
    table, level, world = wv.open(ITEMS), wv.open(LEVEL), wv.open(WORLD)
    mesh = world.models["windmill"].rois[1].lods[-1].meshes[0]
    for mutation in (
        lambda: table.__setitem__("apple_dried", {}),
        lambda: table.rows()[0].__setitem__("uPurchasePrice", 1),
        lambda: table.fields.append(None),
        lambda: table.column("uPurchasePrice").__setitem__(0, 1),
        lambda: level.header.__setitem__("name", "x"),
        lambda: level.planes.append(None),
        lambda: level.planes[0].header.__setitem__("flags", 0),
        lambda: level.planes[0].tiles.__setitem__((0, 0), 1),
        lambda: level.planes[0].image_sets.append("x"),
        lambda: setattr(level.planes[0], "name", "x"),
        lambda: world.models.__setitem__("x", None),
        lambda: world.worlds[0].placements.pop(),
        lambda: world.worlds[0].placements[0].location.__setitem__(0, 1.0),
        lambda: mesh.material.__setitem__("opacity", 0.5),
    ):
        with pytest.raises((TypeError, AttributeError)):
            mutation()
    table["apple_dried"]["uPurchasePrice"] = 7
    with pytest.raises(TypeError, match="not saved"):
        pickle.dumps(table)


def test_save_replaces_only_what_it_is_asked_to(tmp_path: Path) -> None:
    original, other = tmp_path / "items.wdb", tmp_path / "other.wdb"
    shutil.copy(ITEMS, original)
    other.write_bytes(b"kept")
    table = wv.open(original, kind="table")
    table["apple_dried"]["uPurchasePrice"] = 7
    for path, error, text in ((original, ValueError, "in_place"), (tmp_path, ValueError, "in_place"), (other, FileExistsError, "exists")):
        with pytest.raises(error, match=text):
            table.save(path)
    with pytest.raises(ValueError, match="in_place"):
        table.save(original, overwrite=True)
    with pytest.raises(ValueError, match="in_place"):
        table.save(other, in_place=True)
    assert original.read_bytes() == ITEMS.read_bytes() and other.read_bytes() == b"kept"
    table.save(other, overwrite=True)
    assert wv.open(other)["apple_dried"]["uPurchasePrice"] == 7
    table.save(in_place=True)
    assert original.read_bytes() == other.read_bytes()
    assert original.with_name("items.wdb.bak").read_bytes() == ITEMS.read_bytes()
    # The file goes on from there.
    assert table["apple_dried"]["uPurchasePrice"] == 7
    table["apple_dried"]["uPurchasePrice"] = 8
    table.save(in_place=True)
    assert changed(ITEMS, original) == {"apple_dried/uPurchasePrice": (6, 8)}
    table["apple_dried"]["uPurchasePrice"] = 9
    original.write_bytes(ITEMS.read_bytes())
    with pytest.raises(ValueError, match="changed since"):
        table.save(tmp_path / "late.wdb")
    assert not (tmp_path / "late.wdb").exists()


def test_bytes_and_schemas_are_saved_as_they_were_opened(tmp_path: Path) -> None:
    table = wv.open(ITEMS.read_bytes(), name="items.wdb", kind="table")
    table["apple_dried"]["uPurchasePrice"] = 7
    table.save(tmp_path / "new.wdb")
    assert changed(ITEMS, tmp_path / "new.wdb") == {"apple_dried/uPurchasePrice": (6, 7)}
    with pytest.raises(ValueError, match="opened from bytes"):
        table.save(in_place=True)
    schemas = worldview("schema", str(ITEMS), "--format", "schema").stdout.decode().replace("uPurchasePrice", "uCost")
    named = wv.open(ITEMS, kind="table", schemas=schemas)
    named["apple_dried"]["uCost"] = 9
    named.save(tmp_path / "named.wdb")
    assert wv.open(tmp_path / "named.wdb")["apple_dried"]["uPurchasePrice"] == 9
