// Compares what the command shows with what generated code has read.
import assert from "node:assert/strict";

const SHOWN = 10;

export const hex = (bytes) => Buffer.from(bytes).toString("hex");

// Node decodes windows-1252 as if it were Latin-1.
const LATIN = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";
const western = (text) => text.replaceAll(/[\x80-\x9f]/g, (letter) => LATIN[letter.charCodeAt(0) - 0x80]);

// Bytes that are not UTF-8 are shown as `\xNN`.
export function utf8(bytes) {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const decode = (begin, end) => {
    try {
      return decoder.decode(bytes.subarray(begin, end));
    } catch {
      return undefined;
    }
  };
  let text = decode(0, bytes.length);
  if (text !== undefined) {
    return text;
  }
  text = "";
  for (let i = 0, n; i < bytes.length; i += n) {
    n = [1, 2, 3, 4].find((n) => i + n <= bytes.length && decode(i, i + n) !== undefined);
    text += n ? decode(i, i + n) : `\\x${hex(bytes.subarray(i, i + 1))}`;
    n ??= 1;
  }
  return text;
}

// The member that Kaitai's compiler makes of an id.
export const camel = (name) => name.replaceAll(/_(.)/g, (_, letter) => letter.toUpperCase());

// All bytes of a part that has a stream of its own.
export function raw(part) {
  const stream = part._io;
  stream.seek(0);
  return stream.readBytesFull();
}

export function upToNul(bytes) {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

export const afterNul = (bytes) => bytes.subarray(upToNul(bytes).length + 1);

export const groups = (list, size) =>
  Array.from({ length: list.length / (size || 1) }, (_, i) => list.slice(size * i, size * i + size));

export const rows = (bytes, width) => groups(bytes, width).map(hex);

export const rgb = (bytes) => rows(bytes, 3).map((digits) => `#${digits}`);

export class Comparison {
  constructor(path) {
    this.path = path;
    this.count = 0;
    this.failures = 0;
  }

  fail(place, message) {
    this.failures += 1;
    if (this.failures <= SHOWN) {
      console.log(`${this.path}: ${place}: ${message}`);
    }
  }

  // Compares numbers, texts, and lists of them. Floats are printed with as many digits as an f32 needs.
  same(place, shown, read) {
    if (Array.isArray(shown)) {
      if (shown.length !== read?.length) {
        this.fail(place, `${read?.length} elements, not ${shown.length}`);
        return;
      }
      shown.forEach((value, i) => this.same(`${place}[${i}]`, value, read[i]));
      return;
    }
    this.count += 1;
    if (typeof read === "string") {
      read = western(read);
    }
    const float = typeof shown === "number" && !Number.isInteger(read) ? Math.fround(shown) : shown;
    if (float !== read && !(typeof shown === "string" && Number.isNaN(read) && shown.startsWith("NaN"))) {
      this.fail(place, `${read}, not ${shown}`);
    }
  }

  // Compares each member of an object. `others` has those that are called or stored otherwise: a function of the value, or null
  // if it is not stored.
  members(place, shown, read, others = {}) {
    for (const [name, value] of Object.entries(shown)) {
      if (name === "at" || (name.endsWith("_bytes") && !others[name])) {
        continue;
      }
      const part = `${place}/${name}`;
      if (others[name]) {
        others[name](part, value);
      } else if (others[name] === undefined) {
        assert.ok(camel(name) in read, `${part} is not described`);
        this.same(part, value, read[camel(name)]);
      }
    }
  }

  // Compares a text, and its bytes if the command shows them.
  text(place, shown, name, bytes, decode = (bytes) => Buffer.from(bytes).toString("latin1")) {
    this.same(`${place}/${name}`, shown[name], decode(upToNul(bytes)));
    const all = shown[`${name}_bytes`];
    if (all !== undefined) {
      // A field of fixed size may continue with zeros.
      const stored = hex(bytes);
      this.same(`${place}/${name}_bytes`, all.padEnd(stored.length, "0"), stored);
    }
  }
}
