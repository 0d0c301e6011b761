"""What opened files do in Python: `with`, pickles, notebooks, and the exceptions of mistakes."""

import io
import json
import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest
import worldview as wv
from conftest import SAMPLES

ITEMS, LEVEL, PACK = SAMPLES / "items.wdb", SAMPLES / "harbour.wwd", SAMPLES / "wdbpack.bin"


def test_files_and_bytes_are_opened_like_paths() -> None:
    expected = wv.open(ITEMS).to_dict()
    with ITEMS.open("rb") as file:
        assert wv.open(file, kind="table").to_dict() == expected
    # Without a name, nothing says which sheet the table is.
    data = io.BytesIO(ITEMS.read_bytes())
    assert wv.open(data, name="items.wdb").to_dict() == expected
    with wv.open(LEVEL, kind="level") as level:
        assert level.name == "Harbour - Level 1"
    with SAMPLES.parent.joinpath("README.md").open(encoding="utf-8") as text, pytest.raises(TypeError, match="a text file"):
        wv.open(text)


def test_a_file_of_another_kind_is_an_error() -> None:
    with pytest.raises(wv.Error, match="is of the kind level, not table"):
        wv.open(LEVEL, kind="table")
    with pytest.raises(ValueError, match="not 'tabel'"):
        wv.open(LEVEL, kind="tabel")  # type: ignore[call-overload]


def test_what_was_opened_by_its_path_can_be_pickled() -> None:
    with wv.open(PACK) as pack:
        table = pack["r_lamps.wdb"]
    again = pickle.loads(pickle.dumps(table))
    assert again.to_dict() == table.to_dict() and repr(again) == repr(table)
    for record in (table[-1], wv.open(ITEMS / "apple_dried")):
        again = pickle.loads(pickle.dumps(record))
        assert again.to_dict() == record.to_dict() and repr(again) == repr(record)
    plane = wv.open(LEVEL).planes[1]
    again = pickle.loads(pickle.dumps(plane))
    assert again.index == 1 and again.name == plane.name and bytes(again.tiles) == bytes(plane.tiles)
    items, level, world = wv.open(ITEMS), wv.open(LEVEL), wv.open(SAMPLES / "world.wdb")
    assert pickle.loads(pickle.dumps(items.fields)) == items.fields
    for rows in (items.rows(["uPurchasePrice"]), items.rows(), level.objects(), level.main_plane.objects(), level.tile_attributes()):
        again = pickle.loads(pickle.dumps(rows))
        assert again.columns == rows.columns and [row.to_dict() for row in again] == [row.to_dict() for row in rows]
    for model in (world.models["windmill"], world.worlds[0].placements[-1].model):
        again = pickle.loads(pickle.dumps(model))
        assert again.name == model.name and again.to_glb() == model.to_glb()
    with pytest.raises(TypeError, match="opened by its path"):
        pickle.dumps(wv.open(ITEMS.read_bytes()))
    with pytest.raises(TypeError, match="of a stream"):
        pickle.dumps(next(wv.read_objects(LEVEL)))


def test_the_same_record_is_equal_and_can_be_a_key() -> None:
    table, level = wv.open(ITEMS), wv.open(LEVEL)
    assert table["apple_dried"] == table[1] and table[0] != table[1] and table[0] != wv.open(ITEMS)[0]
    assert {table["apple_dried"]: 1}[table[1]] == 1 and len(set(table.fields)) == len(table.fields)
    assert level.planes[0] == level.planes[0] and len({*level.planes, *level.planes}) == len(level.planes)


def test_names_that_are_not_there_say_what_is_meant() -> None:
    table, pack, archive = wv.open(ITEMS), wv.open(PACK), wv.open(SAMPLES / "harbour.rez")
    for missing in (
        lambda: table["apple_dreid"],
        lambda: table.column("uPurchasePrise"),
        lambda: table[0]["uPurchasePrise"],
        lambda: table.rows(["uPurchasePrise"]),
        lambda: wv.open(LEVEL).objects()["logick"],
        lambda: wv.open(SAMPLES / "world.wdb").models["windmil"],
        lambda: pack["r_lamp.wdb"],
        lambda: archive["LEVEL1/WORLDS/WORLD.WWX"],
    ):
        with pytest.raises(KeyError, match="did you mean"):
            missing()
    for path in (SAMPLES / "nosuch.wdb", PACK / "nosuch.wdb"):
        with pytest.raises(FileNotFoundError):
            wv.open(path)


def test_notebooks_show_tables_and_pictures() -> None:
    table, level = wv.open(ITEMS), wv.open(LEVEL)
    assert repr(table).endswith("items.wdb, 40 records>") and "3 planes" in repr(level)
    html = table._repr_html_()
    assert html.count("<tr>") == 11 and "apple_dried" in html and "… 30 more" in html
    assert "uPurchasePrice" in table["apple_dried"]._repr_html_() and "41 rows" in level.objects()._repr_html_()
    assert table._ipython_key_completions_() == table.keys()
    assert repr(wv.scan([ITEMS, LEVEL])) == "<worldview.Scan: 2 files>"
    assert repr(wv.read_objects(LEVEL, columns=["x", "y"])) == "<worldview.Stream: 2 columns>"
    assert [found.asset.kind for found in wv.scan(SAMPLES, kind="textures")] == ["textures"]
    world = wv.open(SAMPLES / "world.wdb")
    for shown in (level, world.textures[0]):
        assert shown._repr_png_().startswith(b"\x89PNG")


def test_mistakes_are_the_exceptions_of_python(tmp_path: Path) -> None:
    for mistake, error, text in (
        (lambda: wv.find("x", SAMPLES, nope=1), TypeError, "^unknown option `nope`$"),
        (lambda: wv.export(ITEMS, tmp_path, to="nonsense"), ValueError, "option `to`: expected .*csv"),
        (lambda: wv.find("x", tmp_path / "no.wwd"), FileNotFoundError, r"no\.wwd"),
        (lambda: wv.diff(ITEMS, tmp_path / "no.wwd"), FileNotFoundError, r"no\.wwd"),
        (lambda: wv.diff(tmp_path / "no.wwd", ITEMS), FileNotFoundError, r"no\.wwd"),
        (lambda: wv.export(tmp_path / "no.wwd", tmp_path / "out"), FileNotFoundError, r"no\.wwd"),
        (lambda: wv.check([tmp_path / "no.wwd", tmp_path / "no.wdb"]), FileNotFoundError, r"no\.wwd"),
        (lambda: wv.scan(tmp_path / "no.wwd"), FileNotFoundError, r"no\.wwd"),
        (lambda: wv.read_objects(str(tmp_path / "*.wwd")), FileNotFoundError, r"\*\.wwd"),
        (lambda: wv.read_records(tmp_path / "no.wdb"), FileNotFoundError, r"no\.wdb"),
        (lambda: wv.tasks(tmp_path / "no.wdb"), FileNotFoundError, r"no\.wdb"),
        (lambda: wv.read_objects(LEVEL, columns="x"), TypeError, "^expected a list of names"),
        (lambda: wv.open(ITEMS).rows("x"), TypeError, "^expected a list of names"),
        (lambda: wv.diff(ITEMS, LEVEL), wv.Error, "cannot be compared"),
        (lambda: wv.apply(ITEMS, [5], tmp_path / "new.wdb"), TypeError, "^a change is a dictionary"),
        (lambda: wv.open(LEVEL, encoding="klingon"), ValueError, 'not "klingon"$'),
        (lambda: wv.build(tmp_path / "no.csv", tmp_path / "new.wdb"), FileNotFoundError, "no.csv: No such file or directory$"),
    ):
        with pytest.raises(error, match=text):
            mistake()


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_mistakes_are_found_by_type_checkers(checker: str, tmp_path: Path) -> None:
    text = (Path(__file__).parent / "mistakes.py").read_text(encoding="utf-8")
    (tmp_path / "mistakes.py").write_text(text, encoding="utf-8")
    (tmp_path / "pyrightconfig.json").write_text(json.dumps({"typeCheckingMode": "strict"}), encoding="utf-8")
    arguments = {
        "mypy": ["--strict", "--no-error-summary", "mistakes.py"],
        "pyright": ["--pythonpath", sys.executable],
    }[checker]
    command = [sys.executable, "-m", checker, *arguments]
    found = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False).stdout
    lines = {int(number) for number in re.findall(r"mistakes\.py:(\d+):(?:\d+ -)? error: ", found)}
    marked = [number for number, line in enumerate(text.splitlines(), 1) if "# wrong" in line]
    assert sorted(lines) == marked and len(marked) == 31, found
