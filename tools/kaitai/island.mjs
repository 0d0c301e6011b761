import { groups, hex, rgb, rows } from "./compare.mjs";

const NOT_STORED = { format: null, version: null, full: null, path: null, length: null };

// Compares a counted name, which is missing without bytes.
function name(comparison, place, shown, member, read) {
  if (shown[member] === null) {
    comparison.same(`${place}/${member}`, 0, read.length);
  } else {
    comparison.text(place, shown, member, read.bytes);
  }
}

function image(comparison, place, shown, read) {
  comparison.members(place, shown, read, {
    palette: (part, palette) => comparison.same(part, palette, rgb(read.palette)),
    pixels: (part, pixels) => comparison.same(part, pixels, rows(read.pixels, read.width)),
  });
}

function textures(comparison, place, shown, read) {
  comparison.same(place, shown.length, read.length);
  shown.forEach((texture, i) => {
    name(comparison, `${place}[${i}]`, texture, "name", read[i].name);
    const images = read[i].images ?? [read[i].image];
    comparison.same(`${place}[${i}]/images`, texture.images.length, images.length);
    texture.images.forEach((one, k) => image(comparison, `${place}[${i}]/images[${k}]`, one, images[k]));
  });
}

export function tex(comparison, shown, file) {
  comparison.members("", shown, file, {
    ...NOT_STORED,
    textures: (part, list) => textures(comparison, part, list, file.textures),
    textures_end: null,
    trailing_length: (part, length) => comparison.same(part, length, file.trailingBytes.length),
  });
  comparison.same("trailing_bytes", shown.trailing_bytes ?? "", hex(file.trailingBytes));
}

export function world(comparison, shown, file) {
  const blobs = new Map();
  const references = (place, list, read, kind) =>
    list.forEach((reference, i) => {
      const part = `${place}[${i}]`;
      comparison.members(part, reference, read[i], {
        // Its index among all blobs.
        blob: null,
        name: () => name(comparison, part, reference, "name", read[i].name),
        presenter: () => name(comparison, part, reference, "presenter", read[i].presenter),
      });
      blobs.set(`${kind} ${reference.offset} ${reference.length}`, read[i]);
    });
  comparison.members("", shown, file, {
    ...NOT_STORED,
    // What the command counts, and where parts begin and end.
    part_reference_count: null,
    model_reference_count: null,
    blob_count: null,
    directory_end: null,
    texture_chunk: (part, chunk) => comparison.same(part, chunk.length, file.texturesSize),
    parts_chunk: (part, chunk) => comparison.same(part, chunk.length, file.partsSize),
    worlds: (part, worlds) => {
      comparison.same(part, worlds.length, file.worlds.length);
      worlds.forEach((one, i) => {
        const [place, read] = [`${part}[${i}]`, file.worlds[i]];
        name(comparison, place, one, "name", read.name);
        comparison.same(`${place}/parts`, one.parts.length, read.partCount);
        comparison.same(`${place}/models`, one.models.length, read.modelCount);
        references(`${place}/parts`, one.parts, read.parts, "parts");
        references(`${place}/models`, one.models, read.models, "model");
      });
    },
    global_textures: (part, shown) => {
      comparison.same(`${part}/texture_count`, shown.texture_count, file.globalTextures.textureCount);
      textures(comparison, part, shown.textures, file.globalTextures.textures);
      comparison.same(`${part}/trailing_bytes`, shown.trailing_bytes ?? "", hex(file.globalTextures.trailingBytes));
    },
    global_parts: (part, shown) => parts(comparison, part, shown, file.globalParts),
    blobs: (part, list) =>
      list.forEach((blob, i) => {
        const read = blobs.get(`${blob.kind} ${blob.offset} ${blob.length}`).blob;
        (blob.kind === "parts" ? parts : model)(comparison, `${part}[${i}]`, blob, read);
      }),
  });
}

// What the command says about a blob, and where lists end.
const BLOB = {
  blob: null,
  kind: null,
  offset: null,
  length: null,
  references: null,
  names: null,
  parts_end: null,
  textures_end: null,
  nodes_end: null,
  rois_end: null,
};

function parts(comparison, place, shown, read) {
  comparison.members(place, shown, read, {
    ...BLOB,
    parts: (part, list) =>
      list.forEach((one, i) => {
        comparison.members(`${part}[${i}]`, one, read.parts[i], {
          name: () => name(comparison, `${part}[${i}]`, one, "name", read.parts[i].name),
          lods: (part, list) => lods(comparison, part, list, read.parts[i].lods.lods),
          lods_end: null,
        });
      }),
    texture_count: (part, count) => comparison.same(part, count, read.textureList.textureCount),
    textures: (part, list) => textures(comparison, part, list, read.textureList.textures),
  });
}

function model(comparison, place, shown, read) {
  comparison.members(place, shown, read, {
    ...BLOB,
    actors: (part, list) =>
      list.forEach((actor, i) => {
        name(comparison, `${part}[${i}]`, actor, "name", read.actors[i].name);
        comparison.same(`${part}[${i}]/type`, actor.type, read.actors[i].type ?? null);
      }),
    nodes: (part, list) => tree(comparison, part, list, read.rootNode, node),
    rois: (part, list) => tree(comparison, part, list, read.root, roi),
    skip: (part, skip) => comparison.same(part, skip, read.textureList.skip),
    texture_count: (part, count) => comparison.same(part, count, read.textureList.textureCount),
    textures: (part, list) => textures(comparison, part, list, read.textureList.textures),
  });
}

// A tree is shown as a flat list, each part followed by those below it.
function tree(comparison, place, shown, root, compare) {
  let next = 0;
  const visit = (read, parent) => {
    const index = next++;
    const part = `${place}[${index}]`;
    comparison.same(`${part}/parent`, shown[index].parent, parent);
    name(comparison, part, shown[index], "name", read.name);
    compare(comparison, part, { ...shown[index], parent: undefined }, read);
    read.children.forEach((child) => visit(child, index));
  };
  visit(root, null);
  comparison.same(place, shown.length, next);
}

function node(comparison, place, shown, read) {
  const keys = (part, list, read) =>
    list.forEach((key, i) => {
      comparison.same(`${part}[${i}]/time`, key.time, read[i].timeAndFlags & 0xffffff);
      comparison.same(`${part}[${i}]/flags`, key.flags, read[i].timeAndFlags >>> 24);
      comparison.same(`${part}[${i}]/value`, key.value, read[i].value);
    });
  comparison.members(place, shown, read, {
    parent: null,
    name: null,
    translation_count: (part, count) => comparison.same(part, count, read.translations.count),
    rotation_count: (part, count) => comparison.same(part, count, read.rotations.count),
    scale_count: (part, count) => comparison.same(part, count, read.scales.count),
    translations: (part, list) => keys(part, list, read.translations.keys),
    rotations: (part, list) => keys(part, list, read.rotations.keys),
    scales: (part, list) => keys(part, list, read.scales.keys),
    morphs: (part, list) => keys(part, list, read.morphs),
  });
}

function roi(comparison, place, shown, read) {
  comparison.members(place, shown, read, {
    parent: null,
    name: null,
    lods_end: null,
    color_name: () => name(comparison, place, shown, "color_name", read.colorName),
    end: (part, end) => comparison.same(part, end, read.end ?? null),
    lods: (part, list) => lods(comparison, part, list, read.lods?.lods ?? []),
  });
}

function lods(comparison, place, shown, read) {
  comparison.same(place, shown.length, read.length);
  shown.forEach((lod, i) => {
    const part = `${place}[${i}]`;
    comparison.same(`${part}/flags`, lod.flags, read[i].flags);
    const { content } = read[i];
    comparison.same(`${part}/counts`, lod.counts, content?.counts ?? null);
    comparison.same(`${part}/meshes`, lod.meshes.length, content?.meshes.length ?? 0);
    if (content) {
      comparison.same(`${part}/uv_count`, lod.uv_count, content.uvCount);
      comparison.same(`${part}/positions`, lod.positions, groups(content.positions, 3));
      comparison.same(`${part}/normals`, lod.normals, groups(content.normals, 3));
      comparison.same(`${part}/uvs`, lod.uvs, groups(content.uvs, 2));
      lod.meshes.forEach((one, k) => mesh(comparison, `${part}/meshes[${k}]`, one, content.meshes[k]));
    }
  });
}

function mesh(comparison, place, shown, read) {
  comparison.members(place, shown, read, {
    // The rebuilt mesh.
    has_uv_indices: null,
    positions: null,
    normals: null,
    uvs: null,
    triangle_corners: null,
    error: null,
    color: (part, color) => comparison.same(part, [color], rgb(read.color)),
    texture: () => name(comparison, place, shown, "texture", read.texture),
    material: () => name(comparison, place, shown, "material", read.material),
  });
}
