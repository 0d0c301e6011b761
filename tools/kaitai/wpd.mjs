import { hex, raw, upToNul, utf8 } from "./compare.mjs";

export function wpd(comparison, shown, archive) {
  comparison.members("", shown, archive, {
    format: null,
    version: null,
    full: null,
    path: null,
    members: (part, members) =>
      members.forEach((member, i) => {
        const read = archive.members[i];
        const place = `${part}[${i}]`;
        comparison.members(place, member, read, {
          // What the data turned out to be.
          content: null,
          bytes: (part, bytes) => comparison.same(part, bytes, hex(read.data ?? [])),
          name: () => comparison.text(place, member, "name", raw(read.name), utf8),
          extension: () => comparison.text(place, member, "extension", raw(read.extension), utf8),
        });
      }),
  });
  return shown.members.flatMap((member, i) =>
    member.content === "data" ? [] : [{ path: member.name, bytes: archive.members[i].data }],
  );
}

export function wdb(comparison, shown, table) {
  const sections = table.entries.filter((entry) => entry.isSection);
  const records = table.entries.filter((entry) => !entry.isSection);
  const section = (name) => sections.find((entry) => entry.name.value === name)?.section;
  const names = section("!structitem")?.names;
  const pool = sections.find((entry) => entry.isStrings);
  const arrays = stringArrays(section, pool);
  const text = (bytes) => (bytes === undefined ? null : utf8(bytes));
  comparison.members("", shown, table, {
    // These say where names come from and what follows from the sections.
    format: null,
    version: null,
    full: null,
    path: null,
    generation: null,
    names: null,
    names_refused: null,
    schema: null,
    sheet_name: (part, name) => comparison.same(part, name, section("!!sheetname")?.value ?? null),
    layout_version: (part, version) => comparison.same(part, version, section("!!version")?.value ?? null),
    record_count: (part, count) => comparison.same(part, count, records.length),
    record_size: (part, size) => records.forEach((record) => comparison.same(part, size, record.size)),
    sections: (part, list) =>
      list.forEach((one, i) => {
        comparison.members(`${part}[${i}]`, one, sections[i], {
          name: (part, name) => comparison.same(part, name, sections[i].name.value),
          bytes: (part, bytes) => comparison.same(part, bytes, hex(raw(sections[i].section))),
        });
      }),
    unknown_sections: (part, list) => comparison.same(part, list, []),
    fields: (part, fields) =>
      shown.names === "embedded" &&
      comparison.same(
        part,
        fields.map((field) => field.name),
        names.slice(0, fields.length),
      ),
    strings: (part, strings) => comparison.same(part, strings, split(raw(pool.section)).slice(0, strings.length)),
    string_arrays: (part, list) => list.forEach((array, k) => comparison.same(`${part}[${k}]`, array.elements, arrays[k])),
    records: (part, list) =>
      list.forEach((record, i) => {
        comparison.same(`${part}[${i}]/record`, record.record, utf8(upToNul(raw(records[i].name))));
        row(comparison, `${part}[${i}]`, shown.fields, record, records[i].record.values, arrays, text);
      }),
  });
}

function split(bytes) {
  const strings = [];
  for (let at = 0; at < bytes.length;) {
    const string = upToNul(bytes.subarray(at));
    strings.push(utf8(string));
    at += string.length + 1;
  }
  return strings;
}

// Compares a record, whose fields the command has placed in words.
function row(comparison, place, fields, record, values, arrays, text) {
  // Floats and strings are not words.
  const word = (n) => values[n]?.offset ?? values[n];
  const bits = (n, bit, width) => Number((BigInt(word(n)) >> BigInt(bit)) & ((1n << BigInt(width)) - 1n));
  const signed = (value, width) => (value >= 2 ** (width - 1) ? value - 2 ** width : value);
  const read = (field) => {
    const { kind, word: n, bit, width } = field;
    switch (kind) {
      case "int":
        return signed(word(n), 32);
      case "uint":
      case "raw":
        return word(n);
      case "float":
        return values[n];
      case "string":
        return text(values[n].value);
      case "uint64":
        return word(n) * 2 ** 32 + word(n + 1);
      case "bits-uint":
        return bits(n, bit, width);
      case "bits-int":
      case "bits-fixed":
        return signed(bits(n, bit, width), width);
      case "string-array":
        return arrays[field.string_array]?.[bits(n, bit, width)] ?? null;
      default:
        throw new Error(`unknown kind ${kind}`);
    }
  };
  const known = new Map(fields.map((field) => [field.name, field]));
  for (const [name, value] of Object.entries(record)) {
    const unused = /^word(\d+)_bits?(\d+)(?:_(\d+))?$/.exec(name);
    if (known.has(name)) {
      comparison.same(`${place}/${name}`, value, read(known.get(name)));
    } else if (unused) {
      const [n, low, high = unused[2]] = unused.slice(1).map((digits) => digits && Number(digits));
      comparison.same(`${place}/${name}`, value, bits(n, low, high - low + 1));
    }
  }
}

function stringArrays(section, pool) {
  const [info, list, packed] = ["!!strArrayInfo", "!!strArrayList", "!!strArray"].map(section);
  if (!info || !list || !packed) {
    return [];
  }
  const strings = raw(pool.section);
  const width = BigInt(info.bitsPerOffset);
  return list.values.map((start, k) => {
    const words = packed.values.slice(start / 4, (list.values[k + 1] ?? packed.values.length * 4) / 4);
    return words.flatMap((word) =>
      Array.from({ length: info.offsetsPerWord }, (_, i) => {
        const offset = Number((BigInt(word) >> (width * BigInt(i))) & ((1n << width) - 1n));
        return offset < strings.length ? utf8(upToNul(strings.subarray(offset))) : null;
      }),
    );
  });
}
