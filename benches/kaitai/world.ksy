# WORLD.WDB of LEGO Island: crates/island/FORMAT.md.
# A blob is parsed when it is accessed. Floats are read as their bits, which is what the readers compare.
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
  - id: textures
    size: textures_size
    type: global_textures
  - id: parts_size
    type: u4
  - id: parts
    size: parts_size
    type: parts
types:
  name:
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
      - id: place
        doc: location, direction and up, three floats each
        type: u4
        repeat: expr
        repeat-expr: 9
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
      - id: count
        type: u4
      - id: textures
        type: texture(false)
        repeat: expr
        repeat-expr: count
  texture_list:
    params:
      - id: has_skip
        type: bool
    seq:
      - id: count
        type: u4
      - id: skip
        type: u4
        if: has_skip
      - id: textures
        type: texture(true)
        repeat: expr
        repeat-expr: count
  texture:
    params:
      - id: has_pairs
        type: bool
    seq:
      - id: name
        type: name
      - id: images
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
      - id: colors
        type: u4
      - id: palette
        size: 3 * colors
      - id: pixels
        size: width * height
  parts:
    seq:
      - id: textures_offset
        type: u4
      - id: count
        type: u4
      - id: parts
        type: part
        repeat: expr
        repeat-expr: count
    instances:
      textures:
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
        type: u4
        repeat: expr
        repeat-expr: 3 * (counts & 0x7fff)
      - id: normals
        type: u4
        repeat: expr
        repeat-expr: 3 * ((counts >> 17) & 0x7fff)
      - id: uvs
        type: u4
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
        type: u4
        repeat: expr
        repeat-expr: 3 * triangle_count
      - id: uv_index_count
        type: u4
      - id: uv_indices
        type: u4
        repeat: expr
        repeat-expr: 'uv_index_count == 0 ? 0 : 3 * triangle_count'
      - id: surface
        doc: red, green, blue, alpha as a float, shading, specular, unknown, alias
        size: 11
      - id: texture
        type: name
      - id: material
        type: name
  model:
    seq:
      - id: version
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
      textures:
        pos: textures_offset
        type: texture_list(true)
  actor:
    seq:
      - id: name
        type: name
      - id: kind
        type: u4
        if: name.length != 0
  node:
    seq:
      - id: name
        type: name
      - id: translations
        type: keys(4)
      - id: rotations
        type: keys(5)
      - id: scales
        type: keys(4)
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
      - id: words_each
        type: u4
    seq:
      - id: count
        type: u2
      - id: words
        type: u4
        repeat: expr
        repeat-expr: words_each * count
  morph:
    seq:
      - id: time
        type: u4
      - id: visible
        type: u1
  roi:
    seq:
      - id: name
        type: name
      - id: bounds
        doc: center and radius of a sphere, lower and upper corner of a box
        type: u4
        repeat: expr
        repeat-expr: 10
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
