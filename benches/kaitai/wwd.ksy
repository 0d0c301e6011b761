# Plain levels of Claw and Gruntz, or the images of packed ones: crates/wwd/FORMAT.md.
# Related words are read as a list, as in the other readers that this one is compared with.
meta:
  id: wwd
  title: WWD level
  application: Captain Claw, Gruntz, Get Medieval
  file-extension: wwd
  license: MIT OR Apache-2.0
  endian: le
seq:
  - id: header
    type: header
instances:
  planes:
    pos: header.planes_offset
    type: plane
    repeat: expr
    repeat-expr: header.num_planes
  attributes:
    pos: header.tile_attribs_offset
    type: attributes
    if: header.tile_attribs_offset != 0
types:
  header:
    seq:
      - id: header_size
        type: u4
        valid: 1524
      - id: reserved_04
        type: u4
      - id: flags
        type: u4
      - id: reserved_0c
        type: u4
      - id: name
        size: 64
      - id: author
        size: 64
      - id: birth
        size: 64
      - id: rez_file
        size: 256
      - id: image_dir
        size: 128
      - id: pal_rez
        size: 128
      - id: start
        type: s4
        repeat: expr
        repeat-expr: 2
      - id: reserved_2d8
        type: u4
      - id: num_planes
        type: u4
      - id: planes_offset
        type: u4
      - id: tile_attribs_offset
        type: u4
      - id: main_block_length
        type: u4
      - id: checksum
        type: u4
      - id: reserved_2f0
        type: u4
      - id: launch_app
        size: 128
      - id: image_set_dirs
        size: 128
        repeat: expr
        repeat-expr: 4
      - id: image_set_prefixes
        size: 32
        repeat: expr
        repeat-expr: 4
  plane:
    seq:
      - id: header_size
        type: u4
        valid: 160
      - id: reserved_04
        type: u4
      - id: flags
        type: u4
      - id: reserved_0c
        type: u4
      - id: name
        size: 64
      - id: size_px
        type: s4
        repeat: expr
        repeat-expr: 2
      - id: tile_size
        type: s4
        repeat: expr
        repeat-expr: 2
      - id: tiles_wide
        type: s4
      - id: tiles_high
        type: s4
      - id: scroll
        type: s4
        repeat: expr
        repeat-expr: 2
      - id: movement_percent
        type: s4
        repeat: expr
        repeat-expr: 2
      - id: fill_color
        type: s4
      - id: num_image_sets
        type: u4
      - id: num_objects
        type: u4
      - id: tiles_offset
        type: u4
      - id: image_sets_offset
        type: u4
      - id: objects_offset
        type: u4
      - id: z_coord
        type: s4
      - id: reserved
        type: u4
        repeat: expr
        repeat-expr: 3
    instances:
      tiles:
        pos: tiles_offset
        type: u4
        repeat: expr
        repeat-expr: tiles_wide * tiles_high
      objects:
        pos: objects_offset
        type: level_object
        repeat: expr
        repeat-expr: num_objects
        if: objects_offset != 0
  level_object:
    seq:
      - id: id
        type: u4
      - id: lengths
        type: u4
        repeat: expr
        repeat-expr: 4
      - id: place
        doc: x, y, z, and the frame
        type: u4
        repeat: expr
        repeat-expr: 4
      - id: flags
        doc: add, dynamic, draw, user
        type: u4
        repeat: expr
        repeat-expr: 4
      - id: numbers
        doc: score, points, powerup, damage, smarts, health
        type: u4
        repeat: expr
        repeat-expr: 6
      - id: rects
        doc: move, hit, attack, clip and two user areas, each left, top, right, bottom
        type: u4
        repeat: expr
        repeat-expr: 24
      - id: user
        type: u4
        repeat: expr
        repeat-expr: 8
      - id: bounds
        doc: minimum x and y, maximum x and y
        type: u4
        repeat: expr
        repeat-expr: 4
      - id: speeds
        doc: speed and tweak, x and y each
        type: u4
        repeat: expr
        repeat-expr: 4
      - id: size
        doc: counter, speed, width, height
        type: u4
        repeat: expr
        repeat-expr: 4
      - id: turns
        doc: direction, face direction, time delay, frame delay
        type: u4
        repeat: expr
        repeat-expr: 4
      - id: types
        doc: object type and hit type flags
        type: u4
        repeat: expr
        repeat-expr: 2
      - id: steps
        doc: movement resolution, x and y
        type: u4
        repeat: expr
        repeat-expr: 2
      - id: name
        size: lengths[0]
      - id: logic
        size: lengths[1]
      - id: image_set
        size: lengths[2]
      - id: animation
        size: lengths[3]
  attributes:
    seq:
      - id: header_size
        type: u4
      - id: reserved_04
        type: u4
      - id: count
        type: u4
      - id: reserved
        type: u4
        repeat: expr
        repeat-expr: 5
      - id: records
        type: attribute
        repeat: expr
        repeat-expr: count
  attribute:
    seq:
      - id: kind
        doc: 1 single, 2 double, 3 mask
        type: u4
      - id: reserved
        type: u4
      - id: width
        type: u4
      - id: height
        type: u4
      - id: words
        doc: the attribute; or the outside one, the inside one, and the rectangle
        type: u4
        repeat: expr
        repeat-expr: 'kind == 1 ? 1 : kind == 2 ? 6 : 0'
      - id: pixels
        size: width * height
        if: kind == 3
