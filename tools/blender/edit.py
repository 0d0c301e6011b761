#!/usr/bin/env python3
"""Edits exported models in Blender and checks what comes back.

    edit.py WORLDVIEW [WORLD.WDB]

WORLDVIEW is the command, WORLD.WDB the sample by default. Needs Blender's Python module: pip install -r requirements.txt
Every model, part and world is imported and exported without an edit, with four sets of export options: that must change nothing.
Then the sample is edited; each edit must give exactly the changes that are listed here, or the error.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import bpy

SAMPLE = Path(__file__).parents[2] / "samples/world.wdb"
KEYS = {"export_force_sampling": False}
FLAVORS = [{}, KEYS, {"export_extras": True}, {"export_animations": False}]


def through_blender(source, target, code="", options={}):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=str(source))
    exec(code, {"bpy": bpy, "o": bpy.data.objects, "curve": curve})
    bpy.ops.export_scene.gltf(filepath=str(target), export_format="GLB", **options)


def curve(name, path, axis):
    """Returns the keys of an object in Blender's coordinates."""
    animation = bpy.data.objects[name].animation_data
    tracks = [strip for track in animation.nla_tracks for strip in track.strips]
    action, slot = (animation.action, animation.action_slot) if animation.action else (tracks[0].action, tracks[0].action_slot)
    bag = action.layers[0].strips[0].channelbag(slot)
    return next(c for c in bag.fcurves if c.data_path == path and c.array_index == axis)


class Sample:
    def __init__(self, command, file, folder):
        self.command, self.file, self.folder = command, file, folder
        self.run("export", file, "-o", folder / "export", "--to", "glb", "--overwrite", "always")
        self.export = folder / "export" / file.name

    def run(self, *args):
        return subprocess.run([self.command, *map(str, args)], capture_output=True, text=True)

    def apply(self, edits):
        """Returns the changes of edited files, given by their paths and what Blender does to them, and the messages."""
        edited = self.folder / "edited"
        shutil.rmtree(edited, ignore_errors=True)
        shutil.copytree(self.export, edited)
        for path, code, options in edits:
            through_blender(self.export / path, edited / path, code, options)
        done = self.run("apply", self.file, edited, "--dry-run")
        changes = json.loads(done.stdout)["changes"] if done.returncode == 0 else None
        return changes, done.stderr


# The file, what is done to it in Blender, the export options, and the expected changes or part of the error.
# Blender's coordinates: x = -x, y = -z and z = y of the game.
EDITS = [
    ("models/grove.glb", "o['fir2'].location.z += 0.5", {}, {"blob:grove/node:fir2/translation:0/value": [2.6, 0.4, 1.2]}),
    ("models/grove.glb", "o['fir1'].location = (1, 2, 3)", {}, {"blob:grove/node:fir1/translation:0/value": [-1.0, 3.0, -2.0]}),
    ("models/grove.glb", "o['oak1'].scale = (2, 2, 2)", {}, {"blob:grove/node:oak1/scale:0/value": [2.0, 2.0, 2.0]}),
    (
        "models/bay.glb",
        "o['sea'].rotation_mode = 'XYZ'; o['sea'].rotation_euler.z = 3.14159265 / 2",
        {},
        {"+blob:bay/node:sea/rotation:0": [0.7071, 0.0, 0.7071, 0.0]},
    ),
    (
        "models/balloon.glb",
        "for a in range(3): k = curve('basket', 'location', a).keyframe_points[1]; k.co[1] = (1, 2, 3)[a]",
        KEYS,
        {"blob:balloon/node:basket/translation:4000/value": [-1.0, 3.0, -2.0]},
    ),
    (
        "models/balloon.glb",
        "for a in range(3): k = curve('basket', 'location', a).keyframe_points[1]; k.co[1] = (1, 2, 3)[a]",
        {},
        {"blob:balloon/node:basket/translation:4000/value": [-1.0, 3.0, -2.0]},
    ),
    (
        "models/balloon.glb",
        "for a in range(3): k = curve('basket', 'location', a).keyframe_points.insert(48, (0, 0, 5)[a]); k.interpolation = 'LINEAR'",
        KEYS,
        {"+blob:balloon/node:basket/translation:2000": [0.0, 5.0, 0.0]},
    ),
    (
        "models/balloon.glb",
        "for a in range(3): k = curve('basket', 'location', a).keyframe_points.insert(48, (0, 0, 5)[a]); k.interpolation = 'LINEAR'",
        {},
        {"+blob:balloon/node:basket/translation:2000": [0.0, 5.0, 0.0]},
    ),
    (
        "models/balloon.glb",
        "for a in range(3): p = curve('basket', 'location', a).keyframe_points; p.remove(p[1])",
        KEYS,
        {"-blob:balloon/node:basket/translation:4000": None},
    ),
    (
        "models/grove.glb",
        "for f, z in (0, 0), (24, 1), (48, 0):\n o['fir1'].location.z = z; o['fir1'].keyframe_insert('location', frame=f)\n"
        "for a in range(3):\n  for k in curve('fir1', 'location', a).keyframe_points: k.interpolation = 'LINEAR'",
        KEYS,
        {
            "+blob:grove/node:fir1/translation:1000": [0.0, 1.0, 0.0],
            "+blob:grove/node:fir1/translation:2000": [0.0, 0.0, 0.0],
        },
    ),
    (
        "models/boat.glb",
        "q = (0.5, 0.5, 0.5, 0.5)\n"
        "for a in range(4): curve('sail', 'rotation_quaternion', a).keyframe_points[1].co[1] = q[a]",
        KEYS,
        {"blob:boat/node:sail/rotation:1500/value": [0.5, -0.5, 0.5, -0.5]},
    ),
    ("models/table.glb", "all = o['table'].data.vertices; at = all[0].co.copy()\nfor v in all:\n  if v.co == at: v.co.z += 2", {}, "positions"),
    ("models/pier.glb", "o['pier'].data.materials['post'].node_tree.nodes['Principled BSDF'].inputs[0].default_value = (1, 0, 0, 1)", {}, "color"),
    ("models/windmill.glb", "o['sails LOD1'].location.z += 1", {}, "positions"),
    ("models/car.glb", "o['car'].location.x = 3", {}, "node:car: the model stands where its references place it"),
    ("models/car.glb", "o['wheel1 LOD2'].location.x = 3", {}, "roi:wheel1: its levels are those of a part"),
    ("models/car.glb", "o['body LOD2'].name = 'Suzanne'", {}, "the model has no object of this name"),
    ("parts/Fir.glb", "o['Fir'].location.z = 1", {}, "positions"),
    ("worlds/BAY.glb", "o['boat.001'].location.x = -2.5", {}, {"world:BAY/model:boat#1/location": [2.5, 0.0, -25.0]}),
    (
        "worlds/BAY.glb",
        "bpy.data.objects.remove(o['boat.001']); o['boat.003'].location.x = 4",
        {},
        {"world:BAY/model:boat#3/location": [-4.0, 0.0, 14.0]},
    ),
    (
        "worlds/BAY.glb",
        "o['boat.003'].rotation_mode = 'XYZ'; o['boat.003'].rotation_euler.z = 3.14159265 / 2",
        {},
        {"world:BAY/model:boat#3/direction": [-1.0, 0.0, 0.0]},
    ),
    ("worlds/BAY.glb", "o['boat'].scale.x = 2", {}, "does not fit: a placement has no scale"),
    ("worlds/BAY.glb", "o['sail.001'].location.z = 2", {}, "edit the GLB of the model"),
    ("worlds/BAY.glb", "o['land'].data.vertices[0].co.z += 2", {}, "edit the GLB of the model"),
    ("worlds/BAY.glb", "o['pier'].name = 'Suzanne'", {}, "the world has no such object"),
]


def told(changes):
    """Returns changes by path: the value that is set or added, or None for what goes."""
    out = {}
    for change in changes:
        if "set" in change:
            out[change["set"]] = change["to"]
        elif "add" in change:
            out["+" + change["add"]] = change["fields"]["value"]
        else:
            out["-" + change["remove"]] = None
    return out


def is_near(a, b):
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        return all(abs(a - b) < 2e-4 for a, b in zip(a, b))
    return a == b


def main():
    command, file = sys.argv[1], Path(sys.argv[2] if len(sys.argv) > 2 else SAMPLE)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        sample = Sample(command, file, Path(folder))
        all_files = sorted(path.relative_to(sample.export) for path in sample.export.rglob("*.glb"))
        for options in FLAVORS:
            changes, said = sample.apply([(path, "", options) for path in all_files])
            if changes != []:
                failed += 1
                print(f"FAILED without an edit, {options}: {changes} {said}")
            else:
                print(f"no change: {len(all_files)} files, {options}")
        for path, code, options, expected in EDITS if file == SAMPLE else []:
            changes, said = sample.apply([(path, code, options)])
            if isinstance(expected, dict):
                found = told(changes or [])
                is_right = found.keys() == expected.keys() and all(is_near(found[key], expected[key]) for key in expected)
            elif expected in ("positions", "color"):
                found = told(changes or [])
                words = {"positions": ("/position", "/normal", "/radius", "/minimum", "/maximum"), "color": ("/color",)}
                is_right = bool(found) and all(any(word in key for word in words[expected]) for key in found)
            else:
                found, is_right = changes, changes is None and expected in said
            failed += not is_right
            print("as expected" if is_right else "FAILED", path, code.split("\n")[0], options)
            if not is_right:
                print("   ", json.dumps(found)[:1500], said)
    print(f"{failed} failed")
    sys.exit(failed > 0)


main()
