"""Edits exported maps with Tiled itself, and checks what comes back to the level.

    cargo build --release -p worldview-cli -p worldview-edit --examples
    python tools/tiled/edit.py LEVELS      (a folder of WWD levels)

Needs Tiled and Xvfb. Saves each map unedited through `tiled --export-map`, which must give no change. Then opens it in the
editor, where `edit.js` moves, removes and adds objects and paints tiles, and compares the level that the changes give with the
original, both as `worldview show` reads them.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", HERE.parent.parent / "target")) / "release"
WORLDVIEW = os.environ.get("WORLDVIEW", TARGET / "worldview")
PLANNER = os.environ.get("PLANNER", TARGET / "examples" / "tiled")
DISPLAY = ":77"


def run(*command, **environment):
    done = subprocess.run(list(map(str, command)), env={**os.environ, **environment}, capture_output=True, text=True)
    assert done.returncode == 0, f"{command[0]} failed: {done.stderr.strip()}"
    return done.stdout


def plan(level, path, *out):
    return json.loads(run(PLANNER, level, path, *out))["changes"]


def unedited(level, path):
    """Saves a map through both of Tiled's writers; returns how many maps were compared."""
    assert plan(level, path) == [], f"{path}: the export itself has changes"
    for kind in ["tmx", "json"]:
        saved = path.with_name(f"saved-{path.stem}.{kind}")
        run("tiled", "--export-map", kind, path, saved, QT_QPA_PLATFORM="offscreen")
        changes = plan(level, saved)
        assert changes == [], f"{saved}: {len(changes)} changes without an edit: {changes[:3]}"
    return 3


def edit(path, home):
    """Opens a map in the editor, which `edit.js` drives; returns what it did."""
    environment = {**os.environ, "DISPLAY": DISPLAY, "XDG_CONFIG_HOME": str(home)}
    editor = subprocess.Popen(["tiled", str(path)], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    saved = path.with_name(path.name + ".saved")
    try:
        deadline = time.monotonic() + 60
        while not saved.exists():
            assert time.monotonic() < deadline and editor.poll() is None, f"{path}: Tiled did not save"
            time.sleep(0.2)
    finally:
        editor.kill()
        editor.wait()
    return json.loads(path.with_name(path.name + ".edits").read_text())


def contents(level):
    """The tiles and objects of each plane, as `worldview show` reads them."""
    shown = json.loads(run(WORLDVIEW, "show", level, "--format", "json"))
    ignored = {"at", "object", "name_len", "logic_len", "image_set_len", "animation_len"}
    strip = lambda fields: {name: value for name, value in fields.items() if name not in ignored}
    return [
        {
            "name": plane["name"],
            "image_sets": plane["image_sets"],
            "tiles": [list(row) for row in plane["tiles"]],
            "objects": [strip(fields) for fields in plane["objects"]],
        }
        for plane in shown["planes"]
    ]


def expected(planes, did):
    """Does to the original what `edit.js` did in the editor."""
    plane = next(plane for plane in planes if plane["name"] == did["plane"])
    objects = plane["objects"]
    moved, removed = objects[0], objects[1]
    moved["x"] = round(did["moved"][0] + 7.4)
    moved["y"] = did["moved"][1] - 3
    free = max(fields["id"] for other in planes for fields in other["objects"]) + 1
    for nth, changes in enumerate(
        [
            {"name": "new point", "logic": "TreasurePowerup", "x": 101, "y": 200},
            # A tile stands on its place.
            {"name": "new tile", "x": 128 + did["tile"][0] // 2, "y": 256 - did["tile"][1] // 2, "score": 500},
        ]
    ):
        empty = {name: zero(value) for name, value in moved.items() if not name.endswith("_bytes") and name != "metadata"}
        objects.append({**empty, "id": free + nth, "i": -1, **changes})
    objects.remove(removed)
    x, y, word = did["painted"]
    plane["tiles"][y][x] = word
    x, y = did["erased"]
    plane["tiles"][y][x] = 0xFFFFFFFF
    return planes


def compare(what, found, wanted):
    if found == wanted:
        return
    pairs = zip(found, wanted, strict=False) if isinstance(wanted, list) else []
    pair = next((pair for pair in pairs if pair[0] != pair[1]), (len(found), len(wanted)))
    raise AssertionError(f"{what}: found {pair[0]}, expected {pair[1]}")


def zero(value):
    return [0] * len(value) if isinstance(value, list) else type(value)()


def main():
    levels = sorted(path for path in pathlib.Path(sys.argv[1]).iterdir() if path.suffix.lower() == ".wwd")
    compared = edited = failed = refused = 0
    screen = subprocess.Popen(["Xvfb", DISPLAY, "-screen", "0", "1280x800x24"], stderr=subprocess.DEVNULL)
    try:
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            extensions = folder / "home" / "tiled" / "extensions"
            extensions.mkdir(parents=True)
            shutil.copy(HERE / "edit.js", extensions)
            for level in levels:
                if subprocess.run([WORLDVIEW, "show", level], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
                    refused += 1
                    continue
                for kind, full in [(kind, full) for kind in ["tmx", "tmj"] for full in [[], ["--full"]]]:
                    out = folder / f"{kind}{''.join(full)}"
                    try:
                        run(WORLDVIEW, "export", level, "--to", kind, "-o", out, *full)
                        paths = sorted(path for path in out.rglob(f"map*.{kind}") if path.parent.name == level.name)
                        compared += sum(unedited(level, path) for path in paths)
                        path = next(path for path in paths if path.stem == "map")
                        did = edit(path, folder / "home")
                        plan(level, path, folder / "edited.wwd")
                        found, wanted = contents(folder / "edited.wwd"), expected(contents(level), did)
                        for plane, other in zip(found, wanted, strict=True):
                            for part in plane:
                                compare(f"{path}: {part} of {plane['name']}", plane[part], other[part])
                        edited += 1
                    except Exception as error:
                        failed += 1
                        print(f"{level.name} {kind} {full}: {type(error).__name__}: {error}")
    finally:
        screen.kill()
        screen.wait()
    print(f"{len(levels)} levels, {refused} of them unreadable; {compared} unedited maps without a change")
    print(f"{edited} maps edited in Tiled, {failed} failed")
    return 1 if failed or not levels else 0


if __name__ == "__main__":
    sys.exit(main())
