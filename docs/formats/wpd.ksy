# Archives of Final Fantasy XIII, XIII-2 and Lightning Returns: crates/wpd/FORMAT.md.
# The data of a member may be an archive itself, or a table (wdb.ksy).
meta:
  id: wpd
  title: WPD archive
  application: Final Fantasy XIII, XIII-2, Lightning Returns
  file-extension: [wpd, wpk, bin, xgr, xfv, xwb, xwp]
  license: MIT OR Apache-2.0
  encoding: UTF-8
  endian: be
seq:
  - id: magic
    contents: [0x57, 0x50, 0x44, 0]
  - id: member_count
    type: u4
  - id: reserved_08
    type: u4
  - id: reserved_0c
    type: u4
  - id: members
    type: member
    repeat: expr
    repeat-expr: member_count
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
  member:
    seq:
      - id: name
        size: 16
        type: text
      - id: offset
        type: u4
      - id: size
        type: u4
      - id: extension
        size: 8
        type: text
    instances:
      data:
        doc: A member of size 0 is empty, wherever it points.
        pos: offset
        size: size
        if: size != 0
