import { afterNul, camel, hex, raw, rows } from "./compare.mjs";

// Compares the texts of fixed size of a header.
function texts(comparison, place, shown, read, names) {
  return Object.fromEntries(names.map((name) => [name, () => comparison.text(place, shown, name, raw(read[camel(name)]))]));
}

const HEADER = ["name", "author", "birth", "rez_file", "image_dir", "pal_rez", "launch_app"].concat(
  [1, 2, 3, 4].flatMap((n) => [`image_set_dir_${n}`, `image_set_prefix_${n}`]),
);

export function wwd(comparison, shown, level) {
  comparison.same("packed", shown.packed, level.isPacked);
  comparison.members("header", shown.header, level.header, texts(comparison, "header", shown.header, level.header, HEADER));
  const block = level.mainBlock;
  comparison.same("planes", shown.planes.length, block.planes.length);
  shown.planes.forEach((plane, i) => {
    const place = `planes[${i}]`;
    const read = block.planes[i];
    comparison.members(place, plane, read, {
      ...texts(comparison, place, plane, read, ["name"]),
      image_sets: (part, sets) => comparison.same(part, sets, read.imageSets ?? []),
      tiles: (part, tiles) => comparison.same(part, tiles.flat(), read.tiles ?? []),
      objects: (part, objects) => {
        comparison.same(part, objects.length, read.objects?.length ?? 0);
        objects.forEach((shown, i) => object(comparison, `${part}[${i}]`, shown, read.objects[i]));
      },
    });
  });
  const attributes = shown.tile_attributes;
  if (attributes) {
    const read = block.attributes;
    const reserved = ["0c", "10", "14", "18", "1c"].map((at, i) => [
      `reserved_${at}`,
      (part, word) => comparison.same(part, word, read.reserved[i]),
    ]);
    comparison.members("tile_attributes", attributes, read, {
      ...Object.fromEntries(reserved),
      records: (part, records) =>
        records.forEach((record, i) => {
          comparison.members(`${part}[${i}]`, record, read.records[i], {
            frame: (part, frame) => comparison.same(part, frame, i),
            pixels: (part, pixels) => comparison.same(part, pixels, rows(read.records[i].pixels, record.width)),
          });
        }),
    });
  }
  comparison.same("trailer", Boolean(shown.trailer), level.hasTrailer);
  (shown.trailer?.blocks ?? []).forEach((block, i) => trailer(comparison, `trailer[${i}]`, block, level.trailer.blocks[i]));
}

function object(comparison, place, shown, read) {
  comparison.members(place, shown, read, {
    // The key in paths.
    object: null,
    name: () => comparison.text(place, { name: shown.name }, "name", read.name),
    metadata: (part, metadata) => comparison.same(part, metadata, hex(afterNul(read.name))),
    logic: () => comparison.text(place, shown, "logic", read.logic),
    image_set: () => comparison.text(place, shown, "image_set", read.imageSet),
    animation: () => comparison.text(place, shown, "animation", read.animation),
  });
}

function trailer(comparison, place, shown, block) {
  const { content } = block;
  comparison.members(place, shown, content, {
    id: (part, id) => comparison.same(part, id, block.id),
    // Of a block without a known meaning.
    bytes: (part, bytes) => comparison.same(part, bytes, hex(content)),
    total_size: (part, size) => comparison.same(part, size, content.value),
    wapmap_build: (part, build) => comparison.same(part, build, content.build),
    wapmap_version: (part, version) => comparison.same(part, version, content.version),
    guides: (part, guides) => guides.forEach((guide, i) => comparison.members(`${part}[${i}]`, guide, content.guides[i])),
    favourites: (part, list) => list.forEach((one, i) => comparison.members(`${part}[${i}]`, one, content.locations[i])),
  });
}
