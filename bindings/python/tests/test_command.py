"""Folders: export, check, diff, find and apply."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import stub
import worldview as wv
from conftest import SAMPLES

PACKAGE = Path(__file__).resolve().parents[1]


def test_export_writes_what_is_asked_for(tmp_path: Path) -> None:
    files = wv.export(SAMPLES / "world.wdb", tmp_path, to=["glb", "png"])
    assert [(Path(one["path"]).name, one["status"]) for one in files.inputs] == [("world.wdb", "ok")]
    assert files.report["exported"]["databases"] == 1 and files.errors == []
    assert {*files} == {path for path in tmp_path.rglob("*") if path.is_file()}
    assert {path.suffix for path in files} == {".glb", ".png", ".ndjson"}


def test_merged_outputs_are_returned(tmp_path: Path) -> None:
    files = wv.export([SAMPLES / "items.wdb", SAMPLES / "wdbpack.bin"], tmp_path, to="parquet", merge="sheet")
    assert {*tmp_path.glob("*.parquet")} == {path for path in files if path.suffix == ".parquet"} != set()


def test_an_export_that_mostly_fails_is_counted_by_code(tmp_path: Path) -> None:
    files, others, out = tmp_path / "files", tmp_path / "others", tmp_path / "out"
    files.mkdir()
    others.mkdir()
    items = (SAMPLES / "items.wdb").read_bytes()
    for kind, count, content in (
        ("good", 531, items),
        ("empty", 330, b""),
        ("noise", 330, b"no table at all"),
        ("cut", 330, items[:20]),
    ):
        for number in range(count):
            (files / f"{kind}{number}.wdb").write_bytes(content)
    # In a folder, files of other kinds are skipped.
    unknown = [others / f"{number}.dat" for number in range(330)]
    for path in unknown:
        path.write_bytes(b"no known format")
    recipe = [sys.executable, PACKAGE / "recipes" / "export_codes.py", out, files, *unknown]
    done = subprocess.run(recipe, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    best, *failed, written = done.stdout.splitlines()
    codes = ("unreadable-damaged", "unreadable-empty", "unreadable-truncated", "unreadable-unknown")
    assert best == "   531 ok" and sorted(failed) == [f"   330 failed {code}" for code in codes]
    assert written == f"{sum(path.is_file() for path in out.rglob('*'))} files written"
    assert len(list(out.rglob("*.csv"))) == 531


def test_options_are_those_of_the_verb(tmp_path: Path) -> None:
    items, out = SAMPLES / "items.wdb", tmp_path / "out"
    for options, error, text in (
        ({"too": "csv"}, TypeError, "unknown option `too`; did you mean `to`?"),
        ({"max_dept": 3}, TypeError, "did you mean `max_depth`"),
        ({"format": "json"}, TypeError, "unknown option `format`"),
        ({"scale": "8"}, ValueError, "option `scale`: expected a number"),
        ({"scale": 0}, ValueError, "option `scale`: 0 is not in 1..=4096"),
        ({"scale": object()}, TypeError, "option `scale`"),
        ({"to": ["cvs"]}, ValueError, "option `to`"),
        ({"game": tmp_path / "none.rez"}, ValueError, "option `game`: No such file"),
        ({"merge": "sheet"}, ValueError, "option `merge`: needs --to parquet"),
        ({"only": "nothing_like_this"}, ValueError, "option `only`: nothing in these inputs matches"),
    ):
        with pytest.raises(error, match=re.escape(text)):
            wv.export(items, out, **options)
    assert wv.export(items, out, to="csv", sheet=True, only=None, threads=1, dry_run=True).report["dry_run"] is True
    assert not list(tmp_path.rglob("*.csv"))
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(wv.Error, match="file: cannot be written to"):
        wv.export(items, tmp_path / "file")


def test_what_fails_is_in_the_report(tmp_path: Path) -> None:
    exported = wv.export([tmp_path / "missing.wdb", SAMPLES / "items.wdb"], tmp_path / "out", to="csv")
    (error,) = exported.errors
    assert isinstance(error, FileNotFoundError) and (error.path, error.code) == (str(tmp_path / "missing.wdb"), "missing")
    assert [one["status"] for one in exported.inputs] == ["failed", "ok"] and exported
    folder = tmp_path / "files"
    folder.mkdir()
    for number in range(30):
        (folder / f"{number}.wdb").write_bytes(b"")
    with pytest.raises(wv.FormatError, match="and 20 more") as caught:
        wv.find("apple", folder)
    assert wv.find("apple", folder, allow="unreadable-empty").errors[0].code == "unreadable-empty"
    assert len(str(caught.value).splitlines()) == 11


def test_what_is_refused_can_be_left_out(tmp_path: Path) -> None:
    original, sheet, edited = SAMPLES / "items.wdb", tmp_path / "few.csv", tmp_path / "edited.wdb"
    sheet.write_text("record,uPurchasePrice\napple_dried,7\nbread_rye,many\n")
    with pytest.raises(wv.Error, match="many"):
        wv.apply(original, sheet, edited)
    assert not edited.exists()
    messages = wv.apply(original, sheet, edited, skip_refused=True)
    assert "many" in messages and "1 change" in messages
    assert wv.open(edited)["apple_dried"]["uPurchasePrice"] == 7
    with pytest.raises(ValueError, match="folder"):
        wv.changes(SAMPLES, SAMPLES)


def test_check_and_find_return_lines(tmp_path: Path) -> None:
    files = wv.check(SAMPLES)
    assert len(files) >= 9 and all(file["fatal"] == 0 for file in files)
    broken = tmp_path / "-items.wdb"
    broken.write_bytes((SAMPLES / "items.wdb").read_bytes()[:-4])
    (tmp_path / "noise.wwd").write_bytes(b"no level")
    file, failed = wv.check(tmp_path)
    assert failed["path"].endswith("noise.wwd") and failed["findings"][0]["code"].startswith("unreadable-")
    assert file["fatal"] > 0 and file["findings"]
    assert wv.find("no such text", SAMPLES) == []
    (hit, *_) = wv.find("apple", SAMPLES / "items.wdb", in_="names")
    assert hit["text"] == "apple_dried"


def test_changes_go_there_and_back(tmp_path: Path) -> None:
    original, edited = tmp_path / "items.wdb", tmp_path / "edited.wdb"
    shutil.copy(SAMPLES / "items.wdb", original)
    before = wv.open(original)["apple_dried"]["uPurchasePrice"]
    changes = {"worldview_changes": 1, "changes": [{"set": "apple_dried/uPurchasePrice", "to": before + 1}]}
    assert "1 change" in wv.apply(original, changes, edited)
    assert wv.open(edited)["apple_dried"]["uPurchasePrice"] == before + 1
    edited.unlink()
    wv.apply(original, [{"set": "apple_dried/uPurchasePrice", "to": np.uint32(before + 1)}], edited)
    (difference,) = wv.diff(original, edited)
    assert difference["file"] == str(edited)
    assert difference["field"] == "uPurchasePrice" and difference["right"] == before + 1
    assert wv.diff(original, original) == []
    back = tmp_path / "back.wdb"
    wv.apply(edited, wv.changes(edited, original), back)
    assert back.read_bytes() == original.read_bytes()
    with pytest.raises(wv.Error, match="nothing"):
        wv.apply(original, {"worldview_changes": 1, "changes": [{"set": "nothing/here", "to": 1}]}, edited)
    # What lies between is the package's own.
    with pytest.raises(wv.Error, match="^changes: .*`sett`, expected one of"):
        wv.apply(original, [{"sett": "nothing/here"}], edited)
    with pytest.raises(TypeError, match="type set$"):
        wv.apply(original, [{"set": "apple_dried/uPurchasePrice", "to": {1}}], edited)


def test_files_are_built_repaired_and_restored(tmp_path: Path) -> None:
    wv.export(SAMPLES / "items.wdb", tmp_path / "out", to="json")
    assert wv.build(tmp_path / "out" / "items.wdb", tmp_path / "items.wdb") == ""
    assert (tmp_path / "items.wdb").read_bytes() == (SAMPLES / "items.wdb").read_bytes()
    with pytest.raises(FileNotFoundError, match="lamps"):
        wv.build(tmp_path / "lamps.csv", tmp_path / "lamps.wdb")
    # A common extractor overwrites the header.
    damaged = bytearray((SAMPLES / "items.wdb").read_bytes())
    damaged[:8] = b"\0" * 8
    (tmp_path / "damaged.wdb").write_bytes(damaged)
    assert wv.repair(tmp_path / "damaged.wdb", tmp_path / "whole.wdb") == [tmp_path / "whole.wdb"]
    assert (tmp_path / "whole.wdb").read_bytes() == (SAMPLES / "items.wdb").read_bytes()
    assert wv.repair(tmp_path / "whole.wdb", tmp_path / "other.wdb") == []
    with wv.open(tmp_path / "items.wdb") as table:
        table["apple_dried"]["uPurchasePrice"] = 99
        table.save(in_place=True)
    assert "restored from items.wdb.bak" in wv.restore(tmp_path / "items.wdb")
    assert (tmp_path / "items.wdb").read_bytes() == (SAMPLES / "items.wdb").read_bytes()
    with pytest.raises(wv.Error, match="has no backup"):
        wv.restore(tmp_path / "whole.wdb")
    with pytest.raises(ValueError, match="nothing to write: a table can be exported as csv"):
        wv.export(SAMPLES / "items.wdb", tmp_path / "none", to="glb")


def test_a_failure_is_not_an_empty_list(tmp_path: Path) -> None:
    items, level = SAMPLES / "items.wdb", SAMPLES / "harbour.wwd"
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "cut.wdb").write_bytes(items.read_bytes()[:20])
    missing, broken, wrong = tmp_path / "missing.wdb", folder / "cut.wdb", level
    for bad, exception in ((missing, FileNotFoundError), (broken, wv.Error), (wrong, wv.Error)):
        for call in (wv.diff, wv.changes):
            with pytest.raises(exception, match=bad.name):
                call(items, bad)
        if bad is not wrong:
            with pytest.raises(exception, match=bad.name):
                wv.find("apple", bad)
    # One bad file hides nothing of the others, and is named.
    shutil.copy(items, folder)
    hits = wv.find("apple_dried", folder)
    assert hits and [Path(error.path).name for error in hits.errors] == ["cut.wdb"]
    assert [Path(error.path).name for error in wv.check(folder).errors] == ["cut.wdb"]
    (tmp_path / "other").mkdir()
    shutil.copy(items, tmp_path / "other")
    (tmp_path / "other" / "cut.wdb").write_bytes(b"x")
    same = wv.diff(folder, tmp_path / "other")
    assert any(Path(error.path).name == "cut.wdb" for error in same.errors), same.errors


def test_sniff_knows_bytes() -> None:
    assert wv.sniff((SAMPLES / "harbour.wwd").read_bytes()) == "wwd"
    assert wv.sniff(b"") is None


def test_the_readme_is_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (PACKAGE / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    assert len(blocks) >= 5
    monkeypatch.chdir(tmp_path)
    shutil.copytree(SAMPLES, tmp_path / "samples")
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), names)  # noqa: S102


def test_the_stubs_are_those_of_the_module() -> None:
    # `python tests/stub.py` writes it.
    assert stub.written(text := stub.STUB.read_text(encoding="utf-8")) == text
    done = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "worldview._worldview", "--ignore-disjoint-bases"],
        capture_output=True,
        text=True,
        check=False,
        cwd=PACKAGE / "tests",
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_public_name_has_a_docstring() -> None:
    for name in (name for name in dir(wv) if not name.startswith("_") and name != "annotations"):
        item = getattr(wv, name)
        assert item.__doc__, name
        for member in vars(item) if isinstance(item, type) and item is not wv.Error else ():
            if not member.startswith("_"):
                assert getattr(item, member).__doc__, f"{name}.{member}"
    assert json.loads(wv.open(SAMPLES / "items.wdb").to_json())["format"] == "wdb"
