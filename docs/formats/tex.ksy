# Texture files of LEGO Island: crates/island/FORMAT.md.
meta:
  id: tex
  title: TEX textures
  application: LEGO Island
  file-extension: tex
  license: MIT OR Apache-2.0
  endian: le
seq:
  - id: texture_count
    type: u4
  - id: textures
    type: texture
    repeat: expr
    repeat-expr: texture_count
  - id: trailing_bytes
    doc: one byte in all known files
    size-eos: true
types:
  name:
    doc: Counted bytes; the text ends at the first NUL, if there is one.
    seq:
      - id: length
        type: u4
      - id: bytes
        size: length
  texture:
    seq:
      - id: name
        type: name
      - id: image
        type: image
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
