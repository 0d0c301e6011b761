# Tables of Final Fantasy XIII, XIII-2 and Lightning Returns: crates/wpd/FORMAT.md.
# A description cannot iterate over a list of field names, so it does not divide words of packed fields: such a word is a
# u4, and so is each half of the 64-bit field. The sections are looked for in the first nine entries, where all known tables
# have them.
meta:
  id: wdb
  title: WDB table
  application: Final Fantasy XIII, XIII-2, Lightning Returns
  file-extension: wdb
  license: MIT OR Apache-2.0
  encoding: UTF-8
  endian: be
seq:
  - id: magic
    contents: [0x57, 0x50, 0x44, 0]
  - id: count
    type: u4
  - id: reserved_08
    type: u4
  - id: reserved_0c
    type: u4
  - id: entries
    type: entry
    repeat: expr
    repeat-expr: count
instances:
  strings_at:
    doc: entry of the pool of strings; -1 for none
    value: >-
      count > 0 and entries[0].is_strings ? 0 : count > 1 and entries[1].is_strings ? 1 :
      count > 2 and entries[2].is_strings ? 2 : count > 3 and entries[3].is_strings ? 3 :
      count > 4 and entries[4].is_strings ? 4 : count > 5 and entries[5].is_strings ? 5 :
      count > 6 and entries[6].is_strings ? 6 : count > 7 and entries[7].is_strings ? 7 :
      count > 8 and entries[8].is_strings ? 8 : -1
  word_types_at:
    doc: entry with the type of each word
    value: >-
      count > 0 and entries[0].is_word_types ? 0 : count > 1 and entries[1].is_word_types ? 1 :
      count > 2 and entries[2].is_word_types ? 2 : count > 3 and entries[3].is_word_types ? 3 :
      count > 4 and entries[4].is_word_types ? 4 : count > 5 and entries[5].is_word_types ? 5 :
      count > 6 and entries[6].is_word_types ? 6 : count > 7 and entries[7].is_word_types ? 7 :
      count > 8 and entries[8].is_word_types ? 8 : count > 0 and entries[0].is_kinds ? 0 :
      count > 1 and entries[1].is_kinds ? 1 : count > 2 and entries[2].is_kinds ? 2 :
      count > 3 and entries[3].is_kinds ? 3 : count > 4 and entries[4].is_kinds ? 4 :
      count > 5 and entries[5].is_kinds ? 5 : count > 6 and entries[6].is_kinds ? 6 :
      count > 7 and entries[7].is_kinds ? 7 : count > 8 and entries[8].is_kinds ? 8 : -1
  word_types:
    value: entries[word_types_at].section.as<type_list>.values
  word_count:
    value: word_types.size
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
  entry:
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
      is_section:
        doc: |
          Records of XIII-1 may begin with a single exclamation mark. The later games have these two sections, and no such
          records.
        value: >-
          name.value.length > 1 and name.value.substring(0, 2) == "!!" or name.value == "!structitem"
          or name.value == "!structitemnum" or name.value == "__string" or name.value == "__typelist"
      is_strings:
        value: name.value == "!!string" or name.value == "__string"
      is_word_types:
        value: name.value == "!!strtypelistb" or name.value == "!!strtypelist"
      is_kinds:
        value: name.value == "!!typelist" or name.value == "__typelist"
      section:
        pos: offset
        size: size
        type:
          switch-on: name.value
          cases:
            '"!!strtypelistb"': type_list(1)
            '"!!strtypelist"': type_list(4)
            '"!!typelist"': type_list(4)
            '"__typelist"': type_list(4)
            '"!!version"': word
            '"!!sheetname"': text
            '"!structitem"': field_names
            '"!structitemnum"': word
            '"!!strArray"': words
            '"!!strArrayInfo"': array_info
            '"!!strArrayList"': words
            _: pool
        if: is_section
      record:
        doc: Each record has 4 bytes for each word, and 4 more if the last field has 64 bits.
        pos: offset
        size: size
        type: record
        if: not is_section
  pool:
    doc: Strings, each ended by a NUL; also the bytes of sections without a known meaning.
    seq:
      - id: bytes
        size-eos: true
  word:
    seq:
      - id: value
        type: u4
  words:
    seq:
      - id: values
        type: u4
        repeat: eos
  type_list:
    doc: 0 integer or packed fields, 1 float, 2 string, 3 unsigned integer
    params:
      - id: width
        type: u4
    seq:
      - id: values
        type:
          switch-on: width
          cases:
            1: u1
            4: u4
        repeat: eos
  field_names:
    doc: NULs after the number of names in `!structitemnum` are padding.
    seq:
      - id: names
        type: strz
        repeat: eos
  array_info:
    seq:
      - id: reserved
        size: 2
      - id: offsets_per_word
        type: u1
      - id: bits_per_offset
        type: u1
  record:
    seq:
      - id: values
        type:
          switch-on: '_index < _root.word_count ? _root.word_types[_index] : 0'
          cases:
            1: f4
            2: string
            _: u4
        repeat: eos
  string:
    doc: Without a pool, and with an offset outside of it, there is no string.
    seq:
      - id: offset
        type: u4
    instances:
      value:
        io: _root.entries[_root.strings_at].section._io
        pos: offset
        terminator: 0
        eos-error: false
        if: _root.strings_at >= 0 and offset < _root.entries[_root.strings_at].size
