"""Folders: export, check, diff, find and apply."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import worldview as wv
from conftest import SAMPLES

PACKAGE = Path(__file__).resolve().parents[1]


def test_export_writes_what_is_asked_for(tmp_path: Path) -> None:
    files = wv.export(SAMPLES / "world.wdb", tmp_path, to=["glb", "png"])
    assert "exported 1 file" in files.messages
    assert {*files} == {path for path in tmp_path.rglob("*") if path.is_file()}
    assert {path.suffix for path in files} == {".glb", ".png", ".ndjson"}


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
    (hit, *_) = wv.find("apple", SAMPLES / "items.wdb", what="record")
    assert hit["text"] == "apple_dried"


def test_changes_go_there_and_back(tmp_path: Path) -> None:
    original, edited = tmp_path / "items.wdb", tmp_path / "edited.wdb"
    shutil.copy(SAMPLES / "items.wdb", original)
    before = wv.open(original)["apple_dried"]["uPurchasePrice"]
    changes = {"worldview_changes": 1, "changes": [{"set": "apple_dried/uPurchasePrice", "to": before + 1}]}
    assert "1 change" in wv.apply(original, changes, edited)
    assert wv.open(edited)["apple_dried"]["uPurchasePrice"] == before + 1
    edited.unlink()
    wv.apply(original, changes["changes"], edited)
    (difference,) = wv.diff(original, edited)
    assert difference["file"] == str(edited)
    assert difference["field"] == "uPurchasePrice" and difference["right"] == before + 1
    assert wv.diff(original, original) == []
    back = tmp_path / "back.wdb"
    wv.apply(edited, wv.changes(edited, original), back)
    assert back.read_bytes() == original.read_bytes()
    with pytest.raises(wv.Error, match="nothing"):
        wv.apply(original, {"worldview_changes": 1, "changes": [{"set": "nothing/here", "to": 1}]}, edited)


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
    (error,) = wv.check(missing).errors
    assert (error["path"], error["status"]) == (str(missing), "failed")
    # One bad file hides nothing of the others, and is named.
    shutil.copy(items, folder)
    hits = wv.find("apple_dried", folder)
    assert hits and [Path(error["path"]).name for error in hits.errors] == ["cut.wdb"]
    assert [Path(error["path"]).name for error in wv.check(folder).errors] == ["cut.wdb"]
    (tmp_path / "other").mkdir()
    shutil.copy(items, tmp_path / "other")
    (tmp_path / "other" / "cut.wdb").write_bytes(b"x")
    same = wv.diff(folder, tmp_path / "other")
    assert any(Path(error["path"]).name == "cut.wdb" for error in same.errors), same.errors


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
    done = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "worldview._worldview", "--ignore-disjoint-bases"],
        capture_output=True,
        text=True,
        check=False,
        cwd=PACKAGE / "tests",
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_public_name_has_a_docstring() -> None:
    for name in wv.__all__:
        item = getattr(wv, name)
        if isinstance(item, str):
            continue
        assert item.__doc__, name
        for member in vars(item) if isinstance(item, type) and item is not wv.Error else ():
            if not member.startswith("_"):
                assert getattr(item, member).__doc__, f"{name}.{member}"
    assert json.loads(wv.open(SAMPLES / "items.wdb").to_json())["format"] == "wdb"
