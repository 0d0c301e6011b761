"""The report of every verb follows the schema in docs, and documents begin with it."""

import json
from pathlib import Path

import jsonschema
import pytest
from conftest import worldview

ROOT = Path(__file__).parents[3]
SCHEMA = json.loads((ROOT / "docs" / "report.schema.json").read_text())
SAMPLES = ROOT / "samples"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Good and broken files, and an edited sheet of which a row is missing and another one is wrong."""
    files = tmp_path / "files"
    files.mkdir()
    items = (SAMPLES / "items.wdb").read_bytes()
    (files / "items.wdb").write_bytes(items)
    (files / "damaged.wdb").write_bytes(b"\xff" * 8 + items[8:])
    (files / "cut.wwd").write_bytes((SAMPLES / "harbour.wwd").read_bytes()[:-300])
    (files / "empty.wdb").write_bytes(b"")
    (files / "noise.wwd").write_bytes(b"no level")
    (files / "readme.txt").write_bytes(b"text")
    (tmp_path / "few.csv").write_text("record,uPurchasePrice\napple_dried,7\nbread_rye,many\n")
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ["info", "files"],
        ["list", "files"],
        ["check", "files"],
        ["find", "apple", "files"],
        ["find", "apple", "files", "--format", "csv"],
        ["diff", "files", str(SAMPLES)],
        ["diff", "files", str(SAMPLES), "--format", "ndjson"],
        ["show", "files"],
        ["schema", "files"],
        ["export", "files", "-o", "out"],
        ["set", "files/items.wdb", "apple_dried/uPurchasePrice=9", "-o", "set.wdb"],
        ["set", "files/items.wdb", "apple_dried/uNothing=9", "-o", "no.wdb"],
        ["apply", "files/items.wdb", "few.csv", "-o", "applied.wdb"],
        ["apply", "files/items.wdb", "few.csv", "-o", "rest.wdb", "--skip-refused"],
        ["repair", "files", "-o", "repaired"],
        ["restore", "files/items.wdb"],
        ["changes", "invert", "few.csv"],
    ],
)
def test_every_verb_follows_the_schema(words: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    worldview(*words, "--report", "report.json")
    report = json.loads(Path("report.json").read_text())
    jsonschema.Draft202012Validator(SCHEMA).validate(report)
    assert report["verb"] == words[0]
    paths = [entry["path"] for entry in report["inputs"]]
    assert len(paths) == len(set(paths)) == report["totals"]["files"]
    # A comparison does not read what only one side has, and only tables have a schema.
    if words[1] == "files" and words[0] not in ("diff", "schema"):
        broken = {Path(entry["path"]).name for entry in report["inputs"] if entry["status"] == "failed"}
        assert {"empty.wdb", "noise.wwd"} <= broken
    if "--format" not in words and words[0] not in ("show", "schema", "restore", "changes"):
        # What a document begins with is the same, but for files that the first run has already written.
        document = json.loads(worldview(*words, "--format", "json").stdout)
        assert {name: document[name] for name in ("version", "verb")} == {"version": 4, "verb": words[0]}
        assert [entry["path"] for entry in document["inputs"]] == paths


@pytest.mark.parametrize("layout", ["folders", "flat"])
def test_manifests_follow_the_schema(layout: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    worldview("export", "files", "-o", "out", "--layout", layout, "--merge", "sheet", "--to", "csv,parquet")
    texts = [line for path in Path("out").rglob("manifest.ndjson") for line in path.read_text().splitlines()]
    schema = {"$ref": "#/$defs/manifest", "$defs": SCHEMA["$defs"]}
    for text in texts:
        jsonschema.Draft202012Validator(schema).validate(json.loads(text))
    statuses = {json.loads(text)["source"]: json.loads(text)["status"] for text in texts}
    assert statuses["files/items.wdb"] == "ok" and statuses["files/cut.wwd"] == "partial"
    assert statuses["files/noise.wwd"] == "failed"
