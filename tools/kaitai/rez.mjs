import { hex, rgb, rows } from "./compare.mjs";

const latin = (bytes) => Buffer.from(bytes).toString("latin1");

export function rez(comparison, shown, archive) {
  const inner = [];
  const entries = (part, list, read, path) => {
    comparison.same(part, list.length, read.length);
    list.forEach((entry, i) => {
      const one = read[i];
      const name = entry.extension ? `${entry.name}.${entry.extension}` : entry.name;
      comparison.members(`${part}/${name}`, entry, one, {
        entries: (part, inside) => entries(part, inside, one.directory?.entries ?? [], `${path}${name}/`),
        extension: (part, extension) => comparison.same(part, extension, one.file.extension),
        id: (part, id) => comparison.same(part, id, one.file.id),
        comment: (part, comment) => comparison.same(part, comment, one.file.comment),
        bytes: (part, bytes) => comparison.same(part, bytes, hex(one.data ?? [])),
        keys: (part, keys) => comparison.same(part, keys, one.file.keys),
      });
      if (["PID", "WWD"].includes(entry.extension)) {
        inner.push({ path: `${path}${name}`, bytes: one.data });
      }
    });
  };
  const line = (name, read) => [name, (part, text) => comparison.same(part, text, latin(read))];
  comparison.members("", shown, archive, {
    format: null,
    version: null,
    full: null,
    path: null,
    ...Object.fromEntries([line("line_1", archive.line1), line("line_2", archive.line2), line("line_3", archive.line3)]),
    file_type: (part, text) => comparison.same(part, text, archive.fileType.trimEnd()),
    user_title: (part, text) => comparison.same(part, text, archive.userTitle.trimEnd()),
    entries: (part, list) => entries(part, list, archive.root?.entries ?? [], ""),
  });
  return inner;
}

export function pid(comparison, shown, picture) {
  const pixels = new Uint8Array(shown.width * shown.height);
  const opacity = new Uint8Array(pixels.length).fill(255);
  let at = 0;
  for (const run of picture.runs.runs) {
    if (picture.hasSkipRuns) {
      opacity.fill(0, at, at + run.skipped);
      pixels.set((run.indices ?? []).slice(0, pixels.length - at), at);
      at += run.skipped + (run.indices?.length ?? 0);
    } else {
      pixels.fill(run.index, at, at + run.count);
      at += run.count;
    }
    // A byte may follow before the palette.
    if (at >= pixels.length) {
      break;
    }
  }
  const shownIndex = picture.flags & 0x100 ? picture.key & 0xff : 0;
  comparison.members("", shown, picture, {
    format: null,
    version: null,
    full: null,
    path: null,
    kind: null,
    palette: (part, palette) => comparison.same(part, palette, rgb(picture.palette)),
    pixels: (part, list) =>
      comparison.same(
        part,
        list,
        rows(
          pixels.map((index, i) => (opacity[i] ? index : shownIndex)),
          shown.width,
        ),
      ),
    opacity: (part, list) => comparison.same(part, list, rows(opacity, shown.width)),
  });
}
