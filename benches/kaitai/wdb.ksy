# Tables of Final Fantasy XIII-2 and Lightning Returns, and their archives: crates/wpd/FORMAT.md.
# The file's list of field names determines which bits of a word belong to which field, and a description cannot iterate
# over it. So this one is for tables without packed fields, where each field is a word, and expects the other sections
# in a fixed order.
meta:
  id: wdb
  title: WDB table
  application: Final Fantasy XIII-2, Lightning Returns
  file-extension: wdb
  license: MIT OR Apache-2.0
  endian: be
seq:
  - id: magic
    contents: [0x57, 0x50, 0x44, 0]
  - id: count
    type: u4
  - id: reserved
    size: 8
  - id: entries
    type: entry
    repeat: expr
    repeat-expr: count
instances:
  has_strings:
    value: entries[1].name == "!!string"
  word_types:
    value: 'entries[has_strings ? 2 : 1].section.bytes'
types:
  entry:
    seq:
      - id: name
        type: strz
        size: 16
        encoding: ASCII
      - id: offset
        type: u4
      - id: size
        type: u4
      - id: extension
        size: 8
    instances:
      is_section:
        value: name.substring(0, 1) == "!"
      section:
        pos: offset
        size: size
        type: section
        if: is_section
      record:
        pos: offset
        type: record
        if: not is_section
  section:
    seq:
      - id: bytes
        size-eos: true
  record:
    seq:
      - id: values
        type:
          switch-on: _root.word_types[_index]
          cases:
            2: text
            _: u4
        repeat: expr
        repeat-expr: _root.word_types.size
  text:
    seq:
      - id: offset
        type: u4
    instances:
      value:
        io: _root.entries[1].section._io
        pos: offset
        terminator: 0
        eos-error: false
