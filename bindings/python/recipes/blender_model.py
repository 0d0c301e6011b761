"""Builds a model of WORLD.WDB in Blender from arrays: materials, levels of detail and animation.

    python blender_model.py WORLD.WDB MODEL OUT.blend      # with `pip install bpy`

In Blender's own Python, import this file and call `build`.
"""

import sys

import bpy
import numpy as np
import worldview as wv

# The file has x to the right, y up and z forward, left-handed. Blender has z up, and is right-handed.
TO_BLENDER = np.array([[-1, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]], dtype=float)
FRAMES_PER_SECOND = 24


def build(model: wv.Model) -> list[bpy.types.Object]:
    """Adds a model to the scene, and returns an object for each of its ROIs."""
    bpy.context.scene.render.fps = FRAMES_PER_SECOND
    materials: dict[object, bpy.types.Material] = {}
    objects = []
    for roi in model.rois:
        lods = [mesh for lod in roi.lods if (mesh := mesh_of(roi.name, lod, materials))] if roi.is_drawn else []
        item = bpy.data.objects.new(roi.name, lods[-1] if lods else None)
        bpy.context.collection.objects.link(item)
        item.rotation_mode = "QUATERNION"
        if roi.parent is not None:
            item.parent = objects[roi.parent]
        # The other levels are kept as meshes, so that `item.data = bpy.data.meshes[name]` shows one.
        item["lods"] = [mesh.name for mesh in lods]
        for mesh in lods:
            mesh.use_fake_user = True
        objects.append(item)
    animate(model, objects)
    return objects


def mesh_of(name: str, lod: wv.Lod, materials: dict[object, bpy.types.Material]) -> bpy.types.Mesh | None:
    """Returns the meshes of a level as one, with a material slot for each; None if nothing is in it."""
    parts = [(mesh, mesh.decode()) for mesh in lod.meshes]
    if not parts:
        return None
    positions = np.concatenate([np.asarray(part.positions) for _, part in parts]).astype(float)
    normals = np.concatenate([np.asarray(part.normals) for _, part in parts]).astype(float)
    uvs = np.concatenate([np.asarray(part.uvs) for _, part in parts])
    starts = np.cumsum([0] + [len(part.positions) for _, part in parts[:-1]])
    # The other handedness turns triangles around.
    triangles = [np.asarray(part.indices)[:, ::-1].astype(int) + at for (_, part), at in zip(parts, starts)]
    slots = np.concatenate([np.full(len(part), slot) for slot, part in enumerate(triangles)])
    corners = np.concatenate(triangles).reshape(-1)

    mesh = bpy.data.meshes.new(name)
    mesh.vertices.add(len(positions))
    mesh.vertices.foreach_set("co", (positions @ TO_BLENDER[:3, :3].T).astype(np.float32).reshape(-1))
    mesh.loops.add(len(corners))
    mesh.loops.foreach_set("vertex_index", corners.astype(np.int32))
    mesh.polygons.add(len(corners) // 3)
    mesh.polygons.foreach_set("loop_start", np.arange(0, len(corners), 3, dtype=np.int32))
    mesh.polygons.foreach_set("material_index", slots.astype(np.int32))
    layer = mesh.uv_layers.new(name="UVMap")
    # Texture coordinates count from the top of the image, in Blender from the bottom.
    layer.uv.foreach_set("vector", (uvs[corners] * [1, -1] + [0, 1]).astype(np.float32).reshape(-1))
    for part, _ in parts:
        mesh.materials.append(material_of(part, materials))
    mesh.update(calc_edges=True)
    flat = np.array([part.material["shading"] == "flat" for part, _ in parts])
    mesh.polygons.foreach_set("use_smooth", ~flat[slots])
    mesh.normals_split_custom_set((normals @ TO_BLENDER[:3, :3].T)[corners].tolist())
    return mesh


def material_of(mesh: wv.Mesh, materials: dict[object, bpy.types.Material]) -> bpy.types.Material:
    """Returns the material of a mesh; those that look alike are one."""
    look = mesh.material
    key = (look["texture"], look["color"], look["opacity"])
    if key in materials:
        return materials[key]
    material = bpy.data.materials.new(look["texture"] or look["name"] or "color")
    material.use_nodes = True
    shader = material.node_tree.nodes["Principled BSDF"]
    linear = [(value / 255 / 12.92 if value <= 10 else ((value / 255 + 0.055) / 1.055) ** 2.4) for value in look["color"]]
    shader.inputs["Base Color"].default_value = (*linear, 1)
    shader.inputs["Alpha"].default_value = look["opacity"]
    shader.inputs["Roughness"].default_value = 1
    if mesh.texture is not None:
        node = material.node_tree.nodes.new("ShaderNodeTexImage")
        node.image = image_of(mesh.texture)
        node.interpolation = "Closest"
        material.node_tree.links.new(node.outputs["Color"], shader.inputs["Base Color"])
    materials[key] = material
    return material


def image_of(texture: wv.Texture) -> bpy.types.Image:
    """Returns the image of a texture."""
    if texture.name in bpy.data.images:
        return bpy.data.images[texture.name]
    image = bpy.data.images.new(texture.name, texture.width, texture.height)
    pixels = np.ones((texture.height, texture.width, 4), dtype=np.float32)
    # Images start at the bottom in Blender.
    pixels[..., :3] = np.asarray(texture.rgb())[::-1] / 255
    image.pixels.foreach_set(pixels.reshape(-1))
    image.pack()
    return image


def animate(model: wv.Model, objects: list[bpy.types.Object]) -> None:
    """Poses the objects, with a key at each time at which the model has one."""
    times = {0.0}
    for node in model.nodes:
        for keys in (node.translations, node.rotations, node.scales):
            times.update(np.asarray(keys)[:, 0].tolist())
        times.update(float(time) for time, _ in node.morphs)
    times = sorted(times)
    poses = [model.pose(time) for time in times]
    parents = [roi.parent for roi in model.rois]
    for index, item in enumerate(objects):
        steps = []
        for matrices, _ in poses:
            matrices = np.asarray(matrices)
            # Row vectors: the object's matrix times that of its parent leads to the model.
            local = matrices[index]
            if parents[index] is not None:
                local = local @ np.linalg.pinv(matrices[parents[index]])
            steps.append(TO_BLENDER @ local.T @ TO_BLENDER.T)
        visible = [shown[index] for _, shown in poses]
        key_object(item, times, steps, visible)


def key_object(item: bpy.types.Object, times: list[float], steps: list[np.ndarray], visible: list[bool]) -> None:
    """Sets the transformation of an object, and keys if it changes."""
    from mathutils import Matrix

    parts = [Matrix(step.tolist()).decompose() for step in steps]
    for before, after in zip(parts, parts[1:]):
        after[1].make_compatible(before[1])
    item.location, item.rotation_quaternion, item.scale = parts[0]
    item.hide_viewport = item.hide_render = not visible[0]
    frames = [time * FRAMES_PER_SECOND / 1000 for time in times]
    channels = [
        ("location", [tuple(part[0]) for part in parts]),
        ("rotation_quaternion", [tuple(part[1]) for part in parts]),
        ("scale", [tuple(part[2]) for part in parts]),
        ("hide_viewport", [(float(not shown),) for shown in visible]),
        ("hide_render", [(float(not shown),) for shown in visible]),
    ]
    for path, values in channels:
        if all(value == values[0] for value in values):
            continue
        action = action_of(item)
        for axis in range(len(values[0])):
            # Properties that are not vectors have no axis.
            curve = action.fcurve_ensure_for_datablock(item, path, index=axis)
            curve.keyframe_points.add(len(frames))
            points = np.column_stack([frames, [value[axis] for value in values]]).astype(np.float32)
            curve.keyframe_points.foreach_set("co", points.reshape(-1))
            kind = "CONSTANT" if path.startswith("hide") else "LINEAR"
            for point in curve.keyframe_points:
                point.interpolation = kind
            curve.update()


def action_of(item: bpy.types.Object) -> bpy.types.Action:
    """Returns the action of an object, which is created if there is none."""
    if item.animation_data is None:
        item.animation_data_create().action = bpy.data.actions.new(item.name)
    return item.animation_data.action


def main() -> None:
    path, name, out = sys.argv[1:]
    bpy.ops.wm.read_factory_settings(use_empty=True)
    build(wv.open(path).models[name])
    bpy.ops.wm.save_as_mainfile(filepath=out)


if __name__ == "__main__":
    main()
