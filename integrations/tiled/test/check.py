"""Opens exported Tiled maps with programs by other people: pytmx, pytiled_parser and, if it is installed, Tiled.

    pip install -r integrations/tiled/test/requirements.txt
    python integrations/tiled/test/check.py OUT        (a folder that `worldview export` wrote)

Tiled (`tiled`, headless) loads each `.tmx` and `.tmj` and saves it again; global tile ids must come back as they were.
Its `tmxrasterizer` draws each map.
"""

import base64
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
import zlib

import pytiled_parser
import pytmx


def cells(path):
    """The bytes of every layer."""
    found = []
    for data in ElementTree.parse(path).iter("data"):
        for part in data.findall("chunk") or [data]:
            if data.get("encoding") == "base64":
                found.append(zlib.decompress(base64.b64decode(part.text.strip())))
            else:
                numbers = [int(number) for number in (part.text or "").split(",") if number.strip()]
                found.append(b"".join(number.to_bytes(4, "little") for number in numbers))
    return found


def counts(path):
    """First gid and number of tiles of every tileset."""
    return [(s.get("firstgid"), s.get("tilecount")) for s in ElementTree.parse(path).iter("tileset")]


def check(path):
    root = ElementTree.parse(path).getroot()
    objects = sum(1 for _ in root.iterfind("objectgroup/object"))
    tiled_map = pytmx.TiledMap(str(path))
    # It lists the collision shapes of tiles as layers too.
    groups = [layer for layer in tiled_map.layers if isinstance(layer, pytmx.TiledObjectGroup)]
    layers = [layer for layer in groups if "plane" in layer.properties]
    assert sum(map(len, layers)) == objects, "pytmx finds other objects"
    parsed = pytiled_parser.parse_map(path)
    layers = [layer for layer in parsed.layers if isinstance(layer, pytiled_parser.ObjectLayer)]
    assert sum(len(layer.tiled_objects) for layer in layers) == objects, "pytiled_parser finds other objects"
    if shutil.which("tiled"):
        saved_again(path, path, objects)
    if shutil.which("tmxrasterizer"):
        with tempfile.TemporaryDirectory() as folder:
            picture = pathlib.Path(folder) / "map.png"
            run("tmxrasterizer", "--size", "512", path, picture)
            assert picture.read_bytes().startswith(b"\x89PNG"), "tmxrasterizer draws nothing"


def check_json(path):
    tmx = path.with_suffix(".tmx")
    if shutil.which("tiled") and tmx.exists():
        saved_again(path, tmx, sum(1 for _ in ElementTree.parse(tmx).getroot().iterfind("objectgroup/object")))


def saved_again(path, tmx, objects):
    """Compares a map that Tiled loads and saves with the `.tmx` that was exported."""
    with tempfile.TemporaryDirectory() as folder:
        # Beside the map, so that its pictures are found.
        saved = path.with_name(pathlib.Path(folder).name + ".tmx")
        try:
            run("tiled", "--export-map", "tmx", path, saved)
            assert counts(saved) == counts(tmx), "Tiled renumbers tiles"
            assert cells(saved) == cells(tmx), "Tiled saves other cells"
            kept = sum(1 for _ in ElementTree.parse(saved).getroot().iterfind("objectgroup/object"))
            assert kept == objects, "Tiled saves other objects"
        finally:
            saved.unlink(missing_ok=True)


def run(*command):
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    subprocess.run(list(map(str, command)), env=environment, check=True, capture_output=True)


def main():
    maps = sorted(path for folder in sys.argv[1:] for path in pathlib.Path(folder).rglob("*.tm[xj]"))
    failed = 0
    for path in maps:
        try:
            (check_json if path.suffix == ".tmj" else check)(path)
        except Exception as error:
            failed += 1
            print(f"{path}: {type(error).__name__}: {error}")
    print(f"{len(maps)} maps, {failed} failed, {sum(path.stat().st_size for path in maps):,} bytes")
    return 1 if failed or not maps else 0


if __name__ == "__main__":
    sys.exit(main())
