"""Broken files, lifetimes and threads."""

import gc
import pickle
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import worldview as wv
from conftest import NAMES, SAMPLES


def touch(asset: object) -> None:
    """Looks at everything that an asset has."""
    asset.describe()
    asset.findings
    match asset:
        case wv.Level():
            for plane in asset.planes:
                np.asarray(plane.tiles).sum()
                plane.image_sets
                plane.objects()
            len(asset.objects()), len(asset.tile_attributes())
        case wv.Table():
            for field in asset.fields:
                asset.column(field.name)
            len(asset.rows()), len(asset.string_arrays()), asset.to_dict()
        case wv.Archive():
            for index in range(len(asset)):
                touch_quietly(asset, index)
        case wv.Directory():
            for path in asset.files():
                touch_quietly(asset, path)
        case wv.Picture():
            asset.rgba(), asset.to_png()
        case wv.Textures():
            [(texture.rgb(), texture.to_png()) for texture in asset.textures]
        case wv.Database():
            asset.parts, [texture.rgb() for texture in asset.textures]
            for model in asset.models.values():
                try:
                    for roi in model.rois:
                        for lod in roi.lods:
                            for mesh in lod.meshes:
                                mesh.material, mesh.texture, mesh.decode()
                    model.pose(10.0)
                except wv.Error:
                    pass


def touch_quietly(holder: object, key: object) -> None:
    try:
        member = holder[key]
        if not isinstance(member, wv.Data):
            touch(member)
    except wv.Error:
        pass


@pytest.mark.parametrize("lossy", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_broken_files_are_errors_or_findings(name: str, lossy: bool) -> None:
    whole = (SAMPLES / name).read_bytes()
    chance = random.Random(f"{name} {lossy}")
    for _ in range(30):
        broken = bytearray(whole)
        if chance.random() < 0.4:
            del broken[chance.randrange(len(broken)) :]
        for _ in range(chance.randrange(1, 6)):
            if broken:
                # Headers and directories are where it hurts.
                at = min(chance.randrange(len(broken)), chance.randrange(len(broken)))
                broken[at] = chance.choice([0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)])
        try:
            touch(wv.open(bytes(broken), name=name, lossy=lossy))
        except wv.Error as error:
            assert name in str(error) and error.path.startswith(name)
            assert error.part is None or isinstance(error.offset, int)


def test_errors_say_what_and_where() -> None:
    with pytest.raises(wv.Error, match=r"offset") as caught:
        wv.open((SAMPLES / "garden.wwd").read_bytes()[:3000], name="garden.wwd")
    assert caught.value.offset is not None and caught.value.part and caught.value.space == "file"
    with pytest.raises(FileNotFoundError):
        wv.open("no/such/file.wwd")
    with pytest.raises(IsADirectoryError):
        wv.open(SAMPLES)
    with pytest.raises(FileNotFoundError, match="nothing: no member or record"):
        wv.open(SAMPLES / "items.wdb" / "nothing")
    with pytest.raises(ValueError, match="not 'tables'|not \"tables\""):
        wv.scan(SAMPLES, kind="tables")
    with pytest.raises(TypeError, match="names or indices, not float"):
        wv.open(SAMPLES / "items.wdb")[1.5]
    with pytest.raises(wv.Error, match="not in a known format"):
        wv.open(b"what is this?", name="notes.txt")
    with pytest.raises(TypeError, match="path or bytes"):
        wv.open(5)


@pytest.mark.parametrize(
    ("fails", "code"),
    [
        (lambda: wv.open((SAMPLES / "garden.wwd").read_bytes()[:3000], name="garden.wwd"), "unreadable-truncated"),
        (lambda: wv.open(b"what is this?", name="notes.txt"), "unreadable-unknown"),
        (lambda: wv.open(b"", name="empty.wdb"), "unreadable-empty"),
        (lambda: wv.open("no/such/file.wwd"), "missing"),
        (lambda: wv.open(SAMPLES / "items.wdb" / "nothing"), "missing"),
        (lambda: wv.open(SAMPLES), "system"),
        (lambda: wv.open(SAMPLES / "harbour.wwd", max_inflate=100), "limit"),
        (lambda: wv.find("x", "no/such/file.wwd"), "missing"),
        (lambda: wv.apply(SAMPLES / "items.wdb", [{"set": "nothing/here", "to": 1}], "no.wdb"), "not-found"),
    ],
)
def test_errors_have_the_codes_of_reports(fails: Callable[[], object], code: str) -> None:
    with pytest.raises(wv.Error) as caught:
        fails()
    error = caught.value
    kinds = {"missing": FileNotFoundError, "system": IsADirectoryError, "not-found": wv.EditError}
    assert error.code == code and isinstance(error, kinds.get(code, wv.FormatError))
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.to_dict()) == (type(error), str(error), error.to_dict())


def test_arrays_keep_their_bytes() -> None:
    expected = bytes(wv.open(SAMPLES / "garden.wwd").planes[0].tiles)
    tiles = np.asarray(wv.open(SAMPLES / "garden.wwd").planes[0].tiles)
    mesh = next(iter(wv.open(SAMPLES / "world.wdb").models.values())).rois[0]
    gc.collect()
    filler = [bytearray(1 << 20) for _ in range(20)]
    del filler
    assert tiles.tobytes() == expected
    assert mesh.name
    assert not tiles.flags.writeable
    with pytest.raises(TypeError, match="read-only"):
        wv.open(SAMPLES / "garden.wwd").data[0] = 1


def test_nothing_is_leaked() -> None:
    import resource

    def peak() -> int:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    # Unlike `bytes`, this is copied.
    data = bytearray((SAMPLES / "world.wdb").read_bytes() + bytes(4 << 20))
    for _ in range(20):
        np.asarray(wv.open(data, name="world.wdb").data)
    before = peak()
    for _ in range(200):
        np.asarray(wv.open(data, name="world.wdb").data)
    assert peak() - before < 100_000, "200 files of 4 MiB would be 800 MB"


def test_threads_share_a_file() -> None:
    world = wv.open(SAMPLES / "world.wdb")
    expected = {name: model.to_glb() for name, model in wv.open(SAMPLES / "world.wdb").models.items()}

    def work(_: int) -> dict[str, bytes]:
        return {name: model.to_glb() for name, model in world.models.items()}

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, range(4))) == [expected] * 4


def test_ctrl_c_ends_a_command(tmp_path: Path) -> None:
    for number in range(400):
        (tmp_path / f"{number:03}.wwd").write_bytes((SAMPLES / "harbour.wwd").read_bytes())
    code = f"import worldview as wv\nprint('started', flush=True)\nwv.export({str(tmp_path)!r}, {str(tmp_path / 'out')!r})"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdout.readline() == b"started\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert b"KeyboardInterrupt" in errors
    assert len(list((tmp_path / "out").iterdir())) < 400


def test_a_scan_can_be_left(tmp_path: Path) -> None:
    for number in range(300):
        (tmp_path / f"{number:03}.wwd").write_bytes((SAMPLES / "garden.wwd").read_bytes())
    scan = wv.scan(tmp_path)
    assert next(scan).path.endswith("000.wwd")
    scan.close()
    del scan
    stream = wv.read_objects(tmp_path)
    del stream
    gc.collect()
    paths = [found.path for found in wv.scan(tmp_path)]
    assert paths == sorted(paths) and len(paths) == 300


def test_mapped_files_are_the_same(tmp_path: Path) -> None:
    large = tmp_path / "world.wdb"
    # Smaller files are read.
    large.write_bytes((SAMPLES / "world.wdb").read_bytes() + bytes(1 << 20))
    read, mapped = wv.open(large), wv.open(large, mmap=True)
    assert str(large) in Path("/proc/self/maps").read_text()
    assert bytes(read.data) == bytes(mapped.data) and read.describe() == mapped.describe()
