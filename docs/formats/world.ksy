# WORLD.WDB of LEGO Island: crates/island/FORMAT.md.
# A blob is parsed when it is accessed.
meta:
  id: world
  title: WORLD.WDB
  application: LEGO Island
  file-extension: wdb
  license: MIT OR Apache-2.0
  endian: le
seq:
  - id: world_count
    type: u4
  - id: worlds
    type: scene
    repeat: expr
    repeat-expr: world_count
  - id: textures_size
    type: u4
  - id: global_textures
    size: textures_size
    type: global_textures
  - id: parts_size
    type: u4
  - id: global_parts
    size: parts_size
    type: parts
types:
  name:
    doc: |
      Counted bytes. In the directory they include a NUL. The text ends at the first NUL, if there is one; a count of 0 means
      that the name is missing.
    seq:
      - id: length
        type: u4
      - id: bytes
        size: length
  scene:
    seq:
      - id: name
        type: name
      - id: part_count
        type: u4
      - id: parts
        type: part_reference
        repeat: expr
        repeat-expr: part_count
      - id: model_count
        type: u4
      - id: models
        type: model_reference
        repeat: expr
        repeat-expr: model_count
  part_reference:
    seq:
      - id: name
        type: name
      - id: length
        type: u4
      - id: offset
        type: u4
    instances:
      blob:
        io: _root._io
        pos: offset
        size: length
        type: parts
  model_reference:
    seq:
      - id: name
        type: name
      - id: length
        type: u4
      - id: offset
        type: u4
      - id: presenter
        type: name
      - id: location
        type: f4
        repeat: expr
        repeat-expr: 3
      - id: direction
        doc: of the z axis of the model
        type: f4
        repeat: expr
        repeat-expr: 3
      - id: up
        doc: direction of its y axis
        type: f4
        repeat: expr
        repeat-expr: 3
      - id: visible
        type: u1
    instances:
      blob:
        io: _root._io
        pos: offset
        size: length
        type: model
  global_textures:
    seq:
      - id: texture_count
        type: u4
      - id: textures
        type: texture(false)
        repeat: expr
        repeat-expr: texture_count
      - id: trailing_bytes
        size-eos: true
  texture_list:
    params:
      - id: has_skip
        type: bool
    seq:
      - id: texture_count
        type: u4
      - id: skip
        doc: If it is not 0, the game registers none of the textures.
        type: u4
        if: has_skip
      - id: textures
        type: texture(true)
        repeat: expr
        repeat-expr: texture_count
  texture:
    params:
      - id: has_pairs
        type: bool
    seq:
      - id: name
        type: name
      - id: images
        doc: one, or the low-quality and the high-quality one
        type: image
        repeat: expr
        repeat-expr: 'is_pair ? 2 : 1'
    instances:
      is_pair:
        doc: a caret before the name
        value: has_pairs and name.length > 0 and name.bytes[0] == 0x5e
  image:
    seq:
      - id: width
        type: u4
      - id: height
        type: u4
      - id: color_count
        type: u4
      - id: palette
        doc: red, green, blue
        size: 3 * color_count
      - id: pixels
        doc: palette indices, row by row from the top
        size: width * height
  parts:
    seq:
      - id: textures_offset
        type: u4
      - id: part_count
        type: u4
      - id: parts
        type: part
        repeat: expr
        repeat-expr: part_count
    instances:
      texture_list:
        pos: textures_offset
        type: texture_list(false)
  part:
    seq:
      - id: name
        type: name
      - id: lod_count
        type: u4
      - id: end
        type: u4
      - id: lods
        size: end - _io.pos
        type: lods(lod_count)
  lods:
    params:
      - id: count
        type: u4
    seq:
      - id: lods
        type: lod
        repeat: expr
        repeat-expr: count
  lod:
    seq:
      - id: flags
        doc: 4 nothing follows, 8 the extra one for long distances
        type: u4
      - id: mesh_count
        type: u4
        if: flags & 4 == 0
      - id: content
        type: lod_content(mesh_count)
        if: flags & 4 == 0 and mesh_count != 0
  lod_content:
    params:
      - id: mesh_count
        type: u4
    seq:
      - id: counts
        type: u4
      - id: uv_count
        type: s4
      - id: positions
        type: f4
        repeat: expr
        repeat-expr: 3 * (counts & 0x7fff)
      - id: normals
        type: f4
        repeat: expr
        repeat-expr: 3 * ((counts >> 17) & 0x7fff)
      - id: uvs
        type: f4
        repeat: expr
        repeat-expr: 'uv_count > 0 ? 2 * uv_count : 0'
      - id: meshes
        type: mesh
        repeat: expr
        repeat-expr: mesh_count
  mesh:
    seq:
      - id: triangle_count
        type: u2
      - id: vertex_count
        type: u2
      - id: corners
        doc: |
          With bit 31, a new vertex: the low half is the index of its position, bits 16 to 30 that of its normal. Without it, the
          low half is the index of a vertex of this mesh.
        type: u4
        repeat: expr
        repeat-expr: 3 * triangle_count
      - id: uv_index_count
        type: u4
      - id: uv_indices
        type: u4
        repeat: expr
        repeat-expr: 'uv_index_count == 0 ? 0 : 3 * triangle_count'
      - id: color
        doc: red, green, blue
        size: 3
      - id: alpha
        doc: 0 is opaque
        type: f4
      - id: shading
        doc: 0 flat, 2 wireframe, otherwise smooth
        type: u1
      - id: specular
        type: u1
      - id: unknown
        type: u1
      - id: alias
        doc: not 0 if the color comes from a table, by the name of the material
        type: u1
      - id: texture
        type: name
      - id: material
        type: name
  model:
    seq:
      - id: model_version
        type: u4
        valid: 19
      - id: textures_offset
        type: u4
      - id: roi_count
        type: u4
      - id: actor_count
        type: u4
      - id: actors
        type: actor
        repeat: expr
        repeat-expr: actor_count
      - id: duration
        type: s4
      - id: root_node
        type: node
      - id: root
        type: roi
    instances:
      texture_list:
        pos: textures_offset
        type: texture_list(true)
  actor:
    seq:
      - id: name
        type: name
      - id: type
        type: u4
        if: name.length != 0
  node:
    seq:
      - id: name
        type: name
      - id: translations
        type: keys(3)
      - id: rotations
        doc: w, x, y, z
        type: keys(4)
      - id: scales
        type: keys(3)
      - id: morph_count
        type: u2
      - id: morphs
        type: morph
        repeat: expr
        repeat-expr: morph_count
      - id: child_count
        type: u4
      - id: children
        type: node
        repeat: expr
        repeat-expr: child_count
  keys:
    params:
      - id: size
        type: u4
    seq:
      - id: count
        type: u2
      - id: keys
        type: key(size)
        repeat: expr
        repeat-expr: count
  key:
    params:
      - id: size
        type: u4
    seq:
      - id: time_and_flags
        doc: The low 24 bits are the time in milliseconds, the high 8 bits flags.
        type: u4
      - id: value
        type: f4
        repeat: expr
        repeat-expr: size
  morph:
    seq:
      - id: time_and_flags
        type: u4
      - id: value
        doc: not 0 for visible
        type: u1
  roi:
    seq:
      - id: name
        type: name
      - id: center
        doc: of a sphere around the object
        type: f4
        repeat: expr
        repeat-expr: 3
      - id: radius
        type: f4
      - id: minimum
        doc: corner of a box around the object
        type: f4
        repeat: expr
        repeat-expr: 3
      - id: maximum
        type: f4
        repeat: expr
        repeat-expr: 3
      - id: color_name
        type: name
      - id: shared
        type: u1
      - id: lod_count
        type: u4
        if: shared == 0
      - id: end
        type: u4
        if: shared == 0 and lod_count != 0
      - id: lods
        size: end - _io.pos
        type: lods(lod_count)
        if: shared == 0 and lod_count != 0
      - id: child_count
        type: u4
      - id: children
        type: roi
        repeat: expr
        repeat-expr: child_count
