# Archives of Claw, Get Medieval, Gruntz and LithTech games: crates/rez/FORMAT.md.
# Levels in them are described by wwd.ksy, pictures by pid.ksy.
meta:
  id: rez
  title: REZ archive
  application: Captain Claw, Get Medieval, Gruntz, LithTech
  file-extension: rez
  license: MIT OR Apache-2.0
  encoding: windows-1252
  endian: le
seq:
  - id: line_1
    doc: CR LF
    size: 2
  - id: file_type
    doc: padded with blanks
    type: str
    size: 60
  - id: line_2
    doc: CR LF
    size: 2
  - id: user_title
    doc: padded with blanks
    type: str
    size: 60
  - id: line_3
    doc: CR LF and 0x1a
    size: 3
  - id: format_version
    type: u4
    valid: 1
  - id: root_dir_pos
    type: u4
  - id: root_dir_size
    type: u4
  - id: root_dir_time
    type: u4
  - id: next_write_pos
    type: u4
  - id: time
    doc: seconds since 1970
    type: u4
  - id: largest_key_ary
    type: u4
  - id: largest_dir_name
    type: u4
  - id: largest_rez_name
    type: u4
  - id: largest_comment
    type: u4
  - id: is_sorted
    type: u1
instances:
  root:
    pos: root_dir_pos
    size: root_dir_size
    type: directory
    if: root_dir_size != 0
types:
  directory:
    seq:
      - id: entries
        type: entry
        repeat: eos
  entry:
    seq:
      - id: kind
        doc: 1 for a directory, anything else for a file
        type: u4
      - id: pos
        type: u4
      - id: size
        type: u4
      - id: time
        type: u4
      - id: file
        type: file
        if: not is_directory
      - id: directory_name
        type: strz
        if: is_directory
    instances:
      is_directory:
        value: kind == 1
      name:
        value: 'is_directory ? directory_name : file.name'
      directory:
        io: _root._io
        pos: pos
        size: size
        type: directory
        if: is_directory and size != 0 and pos != 0
      data:
        io: _root._io
        pos: pos
        size: size
        if: not is_directory and size != 0
  file:
    seq:
      - id: id
        type: u4
      - id: reversed_extension
        doc: The extension from its last letter to its first, and NULs.
        type: strz
        size: 4
      - id: key_count
        type: u4
      - id: name
        type: strz
      - id: comment
        type: strz
      - id: keys
        type: u4
        repeat: expr
        repeat-expr: key_count
    instances:
      extension:
        value: reversed_extension.reverse
