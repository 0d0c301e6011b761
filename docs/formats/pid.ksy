# Tiles and sprites of Claw, Get Medieval and Gruntz: crates/rez/FORMAT.md.
# Pixels are palette indices, row by row, in one of two encodings of runs. Runs may cross the ends of rows. This is what the
# engine reads; some editors write 0xc0 without an index for a pixel of that index, and 0x80 before 128 pixels.
meta:
  id: pid
  title: PID picture
  application: Captain Claw, Get Medieval, Gruntz
  file-extension: pid
  license: MIT OR Apache-2.0
  endian: le
seq:
  - id: id
    doc: 10 in all known files
    type: u4
  - id: flags
    doc: |
      1 transparent, 2 video memory, 4 system memory, 8 mirror, 0x10 invert, 0x20 skip runs, 0x40 light, 0x80 palette, 0x100 key,
      0x200 made from 8 bits
    type: u4
  - id: width
    type: s4
  - id: height
    type: s4
  - id: offset_x
    doc: from the position of the object to the center of the picture
    type: s4
  - id: offset_y
    type: s4
  - id: key
    doc: The low byte is the index of skipped pixels if flag 0x100 is set.
    type: u4
  - id: user_2
    type: u4
  - id: runs
    doc: There may be one more byte before the palette.
    size: '_io.size - 32 - (has_palette ? 768 : 0)'
    type: runs
  - id: palette
    doc: red, green, blue
    size: 768
    if: has_palette
instances:
  has_skip_runs:
    value: (flags & 0x20) != 0
  has_palette:
    value: (flags & 0x80) != 0
types:
  runs:
    seq:
      - id: runs
        type:
          switch-on: _root.has_skip_runs
          cases:
            true: skip_run
            false: repeat_run
        repeat: eos
  skip_run:
    seq:
      - id: code
        type: u1
      - id: indices
        size: code
        if: code < 0x80
    instances:
      skipped:
        doc: number of transparent pixels
        value: 'code < 0x80 ? 0 : code - 0x80'
  repeat_run:
    seq:
      - id: code
        type: u1
      - id: repeated
        type: u1
        if: code >= 0xc0 and not _io.eof
    instances:
      index:
        value: 'code < 0xc0 ? code : repeated'
      count:
        value: 'code < 0xc0 ? 1 : code & 0x3f'
