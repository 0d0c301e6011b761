"""Builds models in Blender by the recipe and by importing their GLB, and compares the results.

    python check.py [WORLD.WDB]

Needs Blender's Python module (`pip install bpy`), and is not part of CI. At several times of each model, every object
that both have must be in the same place, with the same bounding box.
"""

import sys
import tempfile
import time
from pathlib import Path

import bpy
import numpy as np
import worldview as wv

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "recipes"))
import blender_model  # noqa: E402

SAMPLE = ROOT.parents[1] / "samples/world.wdb"


def corners(item: bpy.types.Object) -> np.ndarray | None:
    """Returns the smallest and largest coordinates of an object's mesh in the world, or None if it has none."""
    if item.type != "MESH" or not len(item.data.vertices):
        return None
    points = np.empty(len(item.data.vertices) * 3, dtype=np.float32)
    item.data.vertices.foreach_get("co", points)
    matrix = np.array(item.matrix_world)
    points = points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]
    return np.array([points.min(axis=0), points.max(axis=0)])


def places(frame: float) -> dict[str, list[np.ndarray]]:
    """Returns the corners of all visible objects at a frame, by the names of their objects in the file.

    Blender does not move objects while they are hidden, and the importer of GLB does not hide any.
    """
    bpy.context.scene.frame_set(int(frame), subframe=frame % 1)
    found: dict[str, list[np.ndarray]] = {}
    for item in bpy.context.scene.objects:
        box = None if item.hide_viewport else corners(item)
        if box is not None:
            found.setdefault(item.name.split(".")[0], []).append(box)
    return found


def key_frames(model: wv.Model) -> list[float]:
    """Returns some frames at which the model has keys, and with that the same pose in both."""
    times = {0.0}
    for node in model.nodes:
        for keys in (node.translations, node.rotations, node.scales):
            times.update(np.asarray(keys)[:, 0].tolist())
    return [time * blender_model.FRAMES_PER_SECOND / 1000 for time in sorted(times)[:8]]


def empty() -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = blender_model.FRAMES_PER_SECOND


def main() -> int:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else SAMPLE
    models = wv.open(path).models
    by_arrays = by_glb = 0.0
    compared = wrong = 0
    for name, model in models.items():
        frames = key_frames(model)
        empty()
        start = time.perf_counter()
        objects = blender_model.build(model)
        by_arrays += time.perf_counter() - start
        assert len(objects) == len(model.rois)
        built = [places(frame) for frame in frames]
        materials = len(bpy.data.materials)

        with tempfile.TemporaryDirectory() as folder:
            glb = Path(folder) / "model.glb"
            empty()
            start = time.perf_counter()
            glb.write_bytes(model.to_glb(lod="best"))
            bpy.ops.import_scene.gltf(filepath=str(glb))
            by_glb += time.perf_counter() - start
        imported = [places(frame) for frame in frames]
        for frame, ours, theirs in zip(frames, built, imported):
            for key in ours.keys() & theirs.keys():
                a, b = np.sort(np.array(ours[key]), axis=0), np.sort(np.array(theirs[key]), axis=0)
                compared += 1
                if a.shape != b.shape or not np.allclose(a, b, atol=2e-3):
                    wrong += 1
                    print(f"{name} frame {frame:.2f} {key}: {a.tolist()} against {b.tolist()}")
            if ours.keys() - theirs.keys():
                print(f"{name}: not in the GLB: {sorted(ours.keys() - theirs.keys())}")
                wrong += 1
        assert materials > 0 or not any(built)
    print(f"{len(models)} models, {compared} boxes compared, {wrong} wrong")
    print(f"arrays {by_arrays:.2f} s, GLB {by_glb:.2f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
