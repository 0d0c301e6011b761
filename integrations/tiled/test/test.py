"""Opens, edits and saves levels in Tiled by the extension `worldview`, and checks what was written.

    python integrations/tiled/test/test.py [LEVELS]      (a folder of WWD levels, besides the samples)

Needs Tiled, Xvfb and xdotool. Each level is opened and saved without an edit, as itself and as an export in each form, which
must give the same bytes. Then it is opened in the editor, where `drive.js` moves, removes and adds objects and paints tiles,
and both levels are compared as `worldview show` reads them. One sample is used for everything else that can happen.
"""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
WORLDVIEW = os.environ.get("WORLDVIEW", TARGET / "debug" / "worldview")
GAME = ROOT / "samples" / "harbour.rez"


class Home:
    """The folders of a user who installed the extension."""

    def __init__(self, folder, display):
        # Tiled, the command and the extension must each pass on such a name.
        self.folder = folder / "Übung 1"
        extensions = self.folder / "config" / "tiled" / "extensions"
        shutil.copytree(HERE.parent / "worldview", extensions / "worldview")
        shutil.copy(HERE / "drive.js", extensions)
        self.results = self.folder / "results"
        self.results.mkdir()
        self.environment = {
            **os.environ,
            "LC_ALL": "C.UTF-8",
            "DISPLAY": display,
            "XDG_CONFIG_HOME": str(self.folder / "config"),
            "XDG_CACHE_HOME": str(self.folder / "cache"),
            "RESULTS": str(self.results),
            "WORLDVIEW": str(WORLDVIEW),
        }

    def level(self, original, folder="level"):
        """Returns a copy of a level, which Tiled may replace."""
        path = self.folder / folder / f"{original.stem} – Überfahrt{original.suffix}"
        shutil.rmtree(path.parent, ignore_errors=True)
        path.parent.mkdir()
        shutil.copyfile(original, path)
        return path

    def convert(self, *arguments, **environment):
        """Runs Tiled's command line; returns whether it succeeded, and its messages."""
        environment = {**self.environment, "QT_QPA_PLATFORM": "offscreen", **environment}
        done = subprocess.run(["tiled", "--export-map", *map(str, arguments)], env=environment, capture_output=True, text=True)
        return done.returncode == 0, done.stderr

    def edit(self, plan, *levels, dialog=None, **environment):
        """Opens levels in the editor, where `drive.js` does the steps of `plan`, up to a dialog of Tiled.

        Returns what the extension said.
        """
        for old in self.results.glob("*.json"):
            old.unlink()
        environment = {**self.environment, "PLAN": plan, **environment}
        command = ["tiled", "--new-instance", *map(str, levels)]
        editor = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            deadline = time.monotonic() + 60
            search = ["xdotool", "search", "--name", dialog or "-"]
            while len(list(self.results.glob("done-*"))) < len(levels):
                assert time.monotonic() < deadline and editor.poll() is None, f"{plan}: Tiled did not finish"
                if dialog and subprocess.run(search, env=environment, capture_output=True).returncode == 0:
                    break
                time.sleep(0.2)
        finally:
            editor.kill()
            editor.wait()
        said = self.results / "said.json"
        return json.loads(said.read_text()) if said.exists() else []


def run(*command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    assert done.returncode == 0, f"{command[0]} failed: {done.stderr.strip()}"
    return done.stdout


def contents(level):
    """The tiles and objects of each plane, as `worldview show` reads them."""
    shown = json.loads(run(WORLDVIEW, "show", level, "--format", "json"))
    ignored = {"at", "object", "name_len", "logic_len", "image_set_len", "animation_len"}
    return [
        {
            "name": plane["name"],
            "image_sets": plane["image_sets"],
            "tiles": [list(row) for row in plane["tiles"]],
            "objects": [{name: value for name, value in fields.items() if name not in ignored} for fields in plane["objects"]],
        }
        for plane in shown["planes"]
    ]


def expected(planes, did):
    """Does to the original what the step `edit` did in the editor."""
    plane = next(plane for plane in planes if plane["name"] == did["plane"])
    objects = plane["objects"]
    moved, removed = objects[0], objects[1]
    moved["x"] += 7
    moved["y"] -= 3
    empty = {name: zero(value) for name, value in moved.items() if not name.endswith("_bytes") and name != "metadata"}
    free = max(fields["id"] for other in planes for fields in other["objects"]) + 1
    objects.append({**empty, "id": free, "i": -1, "name": "new point", "logic": "TreasurePowerup", "x": 101, "y": 200})
    objects.remove(removed)
    x, y, word = did["painted"]
    plane["tiles"][y][x] = word
    x, y = did["erased"]
    plane["tiles"][y][x] = 0xFFFFFFFF
    return planes


def zero(value):
    return [0] * len(value) if isinstance(value, list) else type(value)()


def unedited(home, original):
    """Saves a level and its exports without an edit."""
    level = home.level(original)
    saved = level.with_name("saved.wwd")
    done, messages = home.convert("wwd", level, saved)
    assert done, messages
    assert saved.read_bytes() == original.read_bytes(), "other bytes without an edit"
    for kind, full in [(kind, full) for kind in ["tmx", "tmj"] for full in [[], ["--full"]]]:
        out = level.with_name(f"{kind}{''.join(full)}")
        run(WORLDVIEW, "export", level, "--to", kind, "-o", out, *full)
        for exported in sorted(out.rglob(f"map*.{kind}")):
            path = exported.with_name(f"again.{kind}")
            done, messages = home.convert("json" if kind == "tmj" else kind, exported, path)
            assert done, messages
            run(WORLDVIEW, "apply", level, path, "-o", saved, "--overwrite", "always")
            assert saved.read_bytes() == original.read_bytes(), f"{exported.name}: other bytes without an edit"
            path.unlink()


def edited(home, original, **environment):
    """Edits a level in the editor."""
    level = home.level(original)
    said = home.edit("edit save", level, **environment)
    assert not [line for line in said if line[0] != "log"], said
    found, wanted = contents(level), expected(contents(original), json.loads((home.results / "did.json").read_text()))
    for plane, other in zip(found, wanted, strict=True):
        for part in plane:
            pairs = zip(plane[part], other[part], strict=False)
            first = next((pair for pair in pairs if pair[0] != pair[1]), (len(plane[part]), len(other[part])))
            assert plane[part] == other[part], f"{part} of {plane['name']}: found {first[0]}, expected {first[1]}"
    backup = level.with_name(level.name + ".bak")
    assert backup.read_bytes() == original.read_bytes(), "the backup is not the original"


def erased(level, original):
    """How many columns of the main plane have other tiles than the original, all of which are empty."""
    found, wanted = (next(plane for plane in contents(path) if plane["objects"])["tiles"] for path in (level, original))
    columns = [column for column, old in zip(zip(*found), zip(*wanted), strict=True) if column != old]
    assert all(set(column) == {0xFFFFFFFF} for column in columns), "other edits than those of the test"
    return len(columns)


def cases(home, original):
    level = home.level(original)
    said = home.edit("text save save", level)
    shown = [text for kind, text in said if kind == "alert"]
    assert len(shown) == 1 and "without what a level does not have" in shown[0] and "object" in shown[0], said
    assert [text for kind, text in said if kind == "warn" and level.name in text], said
    assert level.read_bytes() == original.read_bytes(), "a text changes the level"

    level = home.level(original)
    said = home.edit("rotate save", level, dialog="Error Saving File")
    assert [text for kind, text in said if kind == "error" and "object 1" in text and "rotat" in text], said
    assert level.read_bytes() == original.read_bytes(), "a refused edit is written"

    level = home.level(original)
    home.edit("paint save paint save", level)
    assert erased(level, original) == 2, "the second Save does not count"
    names = sorted(path.name for path in level.parent.iterdir())
    assert names == [level.name, level.name + ".bak"], names

    level = home.level(original)
    home.edit("paint copy", level)
    copy = level.with_name(level.name + " copy.wwd")
    assert erased(copy, original) == 1 and level.read_bytes() == original.read_bytes(), "Save As"

    level = home.level(original)
    other = home.results / "other.wwd"
    run(WORLDVIEW, "set", original, "header/start_x=1", "-o", other, "--overwrite", "always")
    said = home.edit("replace paint save", level, dialog="Error Saving File")
    assert [text for kind, text in said if kind == "confirm" and "another program" in text], said
    assert level.read_bytes() == other.read_bytes(), "a level that another program changed is replaced without an answer"

    one, two = home.level(original, "one"), home.level(ROOT / "samples" / "cellar.wwd", "two")
    two = two.rename(two.with_name(one.name))
    home.edit("paint save", one, two)
    assert erased(one, original) == 1, "the first of two levels of one name"
    assert erased(two, ROOT / "samples" / "cellar.wwd") == 1, "the second of two levels of one name"

    level = home.level(original)
    broken, cut = level.with_name("broken.wwd"), level.with_name("cut.wwd")
    broken.write_bytes(original.read_bytes()[:1000])
    cut.write_bytes(original.read_bytes()[:-100])
    for source, target, environment, message in [
        (broken, "out.wwd", {}, "broken.wwd: "),
        (cut, "out.wwd", {}, "cut.wwd: opened only in part"),
        (level, "out.wwd", {"WORLDVIEW": "/nowhere/worldview"}, "the command /nowhere/worldview cannot be started"),
        (level, "new.tmx", {}, None),
    ]:
        done, messages = home.convert(source, level.with_name(target), **environment)
        written = level.with_name(target).exists()
        assert done == written == (target == "new.tmx"), f"{source.name}: {messages}"
        assert not message or message in messages, messages
    # A map that was not opened from a level becomes a new one.
    run(WORLDVIEW, "export", level, "--to", "tmx", "-o", level.with_name("out"))
    made = level.with_name("made.wwd")
    done, messages = home.convert(next(level.parent.rglob("map.tmx")), made)
    assert done, messages
    assert run(WORLDVIEW, "diff", level, made) == "", "the new level is another one"
    empty = level.with_name("empty.tmx")
    empty.write_text(
        '<map version="1.10" orientation="orthogonal" width="1" height="1" tilewidth="64" tileheight="64"><tileset firstgid="1" '
        'name="A" tilewidth="64" tileheight="64" tilecount="1" columns="1"><image source="a.png"/></tileset><layer id="1" name="Action" '
        'width="1" height="1"><data encoding="csv">1</data></layer></map>'
    )
    done, messages = home.convert(empty, level.with_name("empty.wwd"))
    assert not done and not level.with_name("empty.wwd").exists(), messages


def settings(home, original):
    """The file beside the extension, and folders in the cache that nobody has used for a month."""
    level = home.level(original)
    file = home.folder / "config" / "tiled" / "extensions" / "worldview" / "worldview.json"
    sessions = home.folder / "cache" / "worldview-tiled"
    shutil.rmtree(sessions, ignore_errors=True)
    file.write_text(json.dumps({"command": str(WORLDVIEW), "game": str(GAME)}))
    assert home.convert(level, level.with_name("out.wwd"), WORLDVIEW="")[0], "the command of the settings"
    [session] = sessions.iterdir()
    assert list(session.rglob("objects/*.png")), "the game of the settings"

    month = time.time() - 31 * 24 * 3600
    os.utime(session / "session.json", (month, month))
    (sessions / "notes").mkdir()
    other = home.level(original, "other")
    assert home.convert(other, other.with_name("out.wwd"))[0]
    assert not session.exists() and len(list(sessions.iterdir())) == 2, "old folders of sessions, and only those, are removed"

    file.write_text("{")
    done, messages = home.convert(level, level.with_name("new.wwd"))
    assert not done and "worldview.json is not JSON" in messages, messages
    file.unlink()


@contextlib.contextmanager
def screen():
    """Starts a server on a free display."""
    reader, writer = os.pipe()
    command = ["Xvfb", "-displayfd", str(writer), "-noreset", "-screen", "0", "1280x800x24"]
    server = subprocess.Popen(command, pass_fds=[writer], stderr=subprocess.DEVNULL)
    os.close(writer)
    try:
        with open(reader) as number:
            yield f":{number.readline().strip()}"
    finally:
        server.kill()
        server.wait()


def main():
    given = [path for folder in sys.argv[1:] for path in pathlib.Path(folder).iterdir()]
    samples = ROOT / "samples"
    failed = unreadable = compared = 0
    with tempfile.TemporaryDirectory() as folder, screen() as display:
        folder = pathlib.Path(folder)
        run(WORLDVIEW, "export", GAME, "--to", "members", "-o", folder / "game")
        levels = sorted(path for path in [*given, *samples.iterdir(), *(folder / "game").rglob("*")] if path.suffix.lower() == ".wwd")
        home = Home(folder, display)

        def attempt(what, check, *arguments, **environment):
            nonlocal failed
            try:
                check(home, *arguments, **environment)
            except Exception as error:
                failed += 1
                print(f"{what}: {type(error).__name__}: {error}")

        for level in levels:
            if subprocess.run([WORLDVIEW, "show", level], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
                unreadable += 1
                print(f"{level.name}: unreadable")
                continue
            compared += 1
            attempt(f"{level.name}, unedited", unedited, level)
            attempt(f"{level.name}, edited", edited, level)
            if folder in level.parents:
                attempt(f"{level.name}, with its pictures", edited, level, WORLDVIEW_GAME=str(GAME))
        attempt("cases", cases, samples / "harbour.wwd")
        attempt("settings", settings, samples / "harbour.wwd")
    print(f"{compared} levels, {unreadable} more unreadable; {failed} failures")
    return 1 if failed or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
