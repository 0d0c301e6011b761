# Levels of Claw, Gruntz and Get Medieval: crates/wwd/FORMAT.md.
# Offsets count from the beginning of the image: the header and the inflated main block.
meta:
  id: wwd
  title: WWD level
  application: Captain Claw, Gruntz, Get Medieval
  file-extension: wwd
  license: MIT OR Apache-2.0
  encoding: windows-1252
  endian: le
seq:
  - id: header
    type: header
  - id: packed_block
    doc: An editor may append a trailer to the zlib stream.
    size-eos: true
    process: zlib
    type: main_block
    if: is_packed
  - id: plain_block
    size-eos: true
    type: main_block
    if: not is_packed
instances:
  is_packed:
    value: (header.flags & 2) != 0
  main_block:
    value: 'is_packed ? packed_block : plain_block'
  end_tag:
    pos: '_io.size < 30 ? 0 : _io.size - 10'
    size: 10
  has_trailer:
    doc: The file ends with `</wm_meta>`.
    value: end_tag == [0x3c, 0x2f, 0x77, 0x6d, 0x5f, 0x6d, 0x65, 0x74, 0x61, 0x3e]
  trailer_size:
    pos: _io.size - 14
    type: u4
    if: has_trailer
  trailer:
    pos: _io.size - trailer_size
    type: trailer
    if: has_trailer
types:
  text:
    doc: A field of fixed size.
    seq:
      - id: value
        type: strz
        eos-error: false
      - id: after
        doc: bytes after the NUL
        size-eos: true
  header:
    seq:
      - id: header_size
        type: u4
        valid: 1524
      - id: reserved_04
        type: u4
      - id: flags
        doc: 1 use z coordinates, 2 packed
        type: u4
      - id: reserved_0c
        type: u4
      - id: name
        size: 64
        type: text
      - id: author
        size: 64
        type: text
      - id: birth
        size: 64
        type: text
      - id: rez_file
        size: 256
        type: text
      - id: image_dir
        size: 128
        type: text
      - id: pal_rez
        size: 128
        type: text
      - id: start_x
        type: s4
      - id: start_y
        type: s4
      - id: reserved_2d8
        type: u4
      - id: num_planes
        type: u4
      - id: planes_offset
        type: u4
      - id: tile_attribs_offset
        doc: 0 for none
        type: u4
      - id: main_block_length
        doc: length of the inflated main block; without a meaning in a plain file
        type: u4
      - id: checksum
        type: u4
      - id: reserved_2f0
        type: u4
      - id: launch_app
        size: 128
        type: text
      - id: image_set_dir_1
        size: 128
        type: text
      - id: image_set_dir_2
        size: 128
        type: text
      - id: image_set_dir_3
        size: 128
        type: text
      - id: image_set_dir_4
        size: 128
        type: text
      - id: image_set_prefix_1
        size: 32
        type: text
      - id: image_set_prefix_2
        size: 32
        type: text
      - id: image_set_prefix_3
        size: 32
        type: text
      - id: image_set_prefix_4
        size: 32
        type: text
  main_block:
    instances:
      planes:
        pos: _root.header.planes_offset - 1524
        type: plane
        repeat: expr
        repeat-expr: _root.header.num_planes
      attributes:
        pos: _root.header.tile_attribs_offset - 1524
        type: attributes
        if: _root.header.tile_attribs_offset != 0
  plane:
    seq:
      - id: header_size
        type: u4
        valid: 160
      - id: reserved_04
        type: u4
      - id: flags
        doc: 1 main, 2 no draw, 4 wrap x, 8 wrap y, 0x10 auto tile size
        type: u4
      - id: reserved_0c
        type: u4
      - id: name
        size: 64
        type: text
      - id: width_px
        type: s4
      - id: height_px
        type: s4
      - id: tile_width
        type: s4
      - id: tile_height
        type: s4
      - id: tiles_wide
        type: s4
      - id: tiles_high
        type: s4
      - id: scroll_x
        type: s4
      - id: scroll_y
        type: s4
      - id: movement_x_percent
        type: s4
      - id: movement_y_percent
        type: s4
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
      - id: reserved_94
        type: u4
      - id: reserved_98
        type: u4
      - id: reserved_9c
        type: u4
    instances:
      tiles:
        doc: |
          Row by row. 0xffffffff is empty, 0xeeeeeeee filled with the fill color; other cells have the index of the image set in
          the high half and the frame number in the low half.
        pos: tiles_offset - 1524
        type: u4
        repeat: expr
        repeat-expr: tiles_wide * tiles_high
        if: tiles_wide * tiles_high != 0
      image_sets:
        pos: image_sets_offset - 1524
        type: strz
        repeat: expr
        repeat-expr: num_image_sets
        if: num_image_sets != 0
      objects:
        pos: objects_offset - 1524
        type: level_object
        repeat: expr
        repeat-expr: num_objects
        if: objects_offset != 0
  level_object:
    seq:
      - id: id
        doc: often not unique
        type: s4
      - id: name_len
        type: u4
      - id: logic_len
        type: u4
      - id: image_set_len
        type: u4
      - id: animation_len
        type: u4
      - id: x
        type: s4
      - id: y
        type: s4
      - id: z
        type: s4
      - id: i
        doc: frame; -1 for none
        type: s4
      - id: add_flags
        type: u4
      - id: dynamic_flags
        type: u4
      - id: draw_flags
        type: u4
      - id: user_flags
        type: u4
      - id: score
        type: s4
      - id: points
        type: s4
      - id: powerup
        type: s4
      - id: damage
        type: s4
      - id: smarts
        type: s4
      - id: health
        type: s4
      - id: move_rect
        doc: left, top, right, bottom
        type: s4
        repeat: expr
        repeat-expr: 4
      - id: hit_rect
        doc: left, top, right, bottom
        type: s4
        repeat: expr
        repeat-expr: 4
      - id: attack_rect
        doc: left, top, right, bottom
        type: s4
        repeat: expr
        repeat-expr: 4
      - id: clip_rect
        doc: left, top, right, bottom
        type: s4
        repeat: expr
        repeat-expr: 4
      - id: user_rect1
        doc: left, top, right, bottom
        type: s4
        repeat: expr
        repeat-expr: 4
      - id: user_rect2
        doc: left, top, right, bottom
        type: s4
        repeat: expr
        repeat-expr: 4
      - id: user1
        type: s4
      - id: user2
        type: s4
      - id: user3
        type: s4
      - id: user4
        type: s4
      - id: user5
        type: s4
      - id: user6
        type: s4
      - id: user7
        type: s4
      - id: user8
        type: s4
      - id: min_x
        type: s4
      - id: min_y
        type: s4
      - id: max_x
        type: s4
      - id: max_y
        type: s4
      - id: speed_x
        type: s4
      - id: speed_y
        type: s4
      - id: tweak_x
        type: s4
      - id: tweak_y
        type: s4
      - id: counter
        type: s4
      - id: speed
        type: s4
      - id: width
        type: s4
      - id: height
        type: s4
      - id: direction
        type: s4
      - id: face_dir
        type: s4
      - id: time_delay
        type: s4
      - id: frame_delay
        type: s4
      - id: object_type
        type: u4
      - id: hit_type_flags
        type: u4
      - id: move_res_x
        type: s4
      - id: move_res_y
        type: s4
      - id: name
        doc: text up to a NUL, and what WapMap stores after it
        size: name_len
      - id: logic
        size: logic_len
      - id: image_set
        size: image_set_len
      - id: animation
        size: animation_len
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
        doc: Any other kind ends the table, as in the engine.
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
      - id: attribute
        type: s4
        if: kind == 1
      - id: outside
        type: s4
        if: kind == 2
      - id: inside
        type: s4
        if: kind == 2
      - id: rect
        doc: left, top, right, bottom
        type: s4
        repeat: expr
        repeat-expr: 4
        if: kind == 2
      - id: pixels
        size: width * height
        if: kind == 3
  trailer:
    seq:
      - id: begin_tag
        contents: <wm_meta>
      - id: blocks
        type: block
        repeat: until
        repeat-until: _.id == 1
  block:
    seq:
      - id: id
        type: u1
      - id: length
        type: u4
      - id: content
        doc: The contents of other blocks than these are unknown.
        size: length
        type:
          switch-on: id
          cases:
            0: size_of_trailer
            1: size_of_trailer
            2: about
            3: guides
            4: locations
  size_of_trailer:
    seq:
      - id: value
        type: u4
  about:
    seq:
      - id: build
        type: u4
      - id: version
        type: strz
      - id: map_build
        type: u4
      - id: map_version
        type: strz
      - id: description
        type: strz
  guides:
    seq:
      - id: count
        type: u4
      - id: guides
        type: guide
        repeat: expr
        repeat-expr: count
  guide:
    seq:
      - id: orientation
        type: u1
      - id: position
        type: u4
  locations:
    seq:
      - id: count
        type: u4
      - id: locations
        type: location
        repeat: expr
        repeat-expr: count
  location:
    seq:
      - id: name
        type: strz
      - id: x
        type: u4
      - id: y
        type: u4
