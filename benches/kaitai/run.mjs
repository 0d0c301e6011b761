// node run.mjs FORMAT FILE RUNS: reads a file with the JavaScript code that Kaitai generated, for a second to let node
// compile it and then RUNS times, and prints a line of JSON. FORMAT is wwd, wdb or world.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(join(here, "../../tools/kaitai/package.json"));
const KaitaiStream = require("kaitai-struct/KaitaiStream");

// The generated code is in a folder from which it would not find the runtime.
function generated(name) {
  const text = readFileSync(join(here, "../../target/kaitai/bits", `${name}.js`), "utf8");
  const exports = {};
  new Function("exports", "require", "module", text)(exports, require, { exports });
  return exports[name];
}

// Sums wrap at 32 bits.
function words(list) {
  let sum = 0;
  for (let i = 0; i < list.length; i++) {
    sum = (sum + list[i]) | 0;
  }
  return sum;
}

function all(list, each) {
  let sum = 0;
  for (const part of list) {
    sum = (sum + each(part)) | 0;
  }
  return sum;
}

// The numbers of an object, and those of its members that are lists.
const NUMBERS = `id nameLen logicLen imageSetLen animationLen x y z i addFlags dynamicFlags drawFlags userFlags score points powerup
  damage smarts health user1 user2 user3 user4 user5 user6 user7 user8 minX minY maxX maxY speedX speedY tweakX tweakY counter speed
  width height direction faceDir timeDelay frameDelay objectType hitTypeFlags moveResX moveResY`.split(/\s+/);
const RECTS = ["moveRect", "hitRect", "attackRect", "clipRect", "userRect1", "userRect2"];

const wwd = {
  name: "Wwd",
  digest(level) {
    const block = level.mainBlock;
    const planes = all(block.planes, (plane) => words(plane.tiles ?? []) + all(plane.objects ?? [], wwd.object));
    return planes + all(block.attributes?.records ?? [], wwd.attribute);
  },
  object(object) {
    return all(NUMBERS, (name) => object[name]) + all(RECTS, (name) => words(object[name]));
  },
  attribute(record) {
    const head = record.kind + record.reserved + record.width + record.height + words(record.pixels ?? []);
    const values = (record.attribute ?? 0) + (record.outside ?? 0) + (record.inside ?? 0);
    return head + values + words(record.rect ?? []);
  },
};

const wdb = {
  name: "Wdb",
  digest(table) {
    return all(table.entries, (entry) => (entry.isSection ? 0 : all(entry.record.values, wdb.value)));
  },
  value(value) {
    return typeof value === "number" ? value : value.value.length;
  },
};

const world = {
  name: "World",
  digest(file) {
    const references = file.worlds.flatMap((scene) => [...scene.parts, ...scene.models]);
    let sum = all(references, world.reference) + all(file.globalTextures.textures, world.texture) + world.parts(file.globalParts);
    // Each blob once, however many references it has.
    const blobs = new Map(references.map((reference) => [world.key(reference), reference]));
    for (const reference of blobs.values()) {
      sum = (sum + (reference.location ? world.model(reference.blob) : world.parts(reference.blob))) | 0;
    }
    return sum;
  },
  key(reference) {
    return `${reference.offset} ${reference.length} ${reference.location !== undefined}`;
  },
  reference(reference) {
    const { location, direction, up, visible } = reference;
    const place = location ? words(location) + words(direction) + words(up) + visible : 0;
    return reference.length + reference.offset + place;
  },
  texture(texture) {
    return all(texture.images, (image) => {
      return image.width + image.height + image.colorCount + words(image.palette) + words(image.pixels);
    });
  },
  parts(parts) {
    return all(parts.parts, (part) => world.lods(part.lods)) + all(parts.textureList.textures, world.texture);
  },
  lods(lods) {
    return lods ? all(lods.lods, (lod) => (lod.content ? world.lod(lod.content) : 0)) : 0;
  },
  lod(lod) {
    const pools = words(lod.positions) + words(lod.normals) + words(lod.uvs);
    return pools + all(lod.meshes, (mesh) => words(mesh.corners) + words(mesh.uvIndices));
  },
  model(model) {
    return world.node(model.rootNode) + world.roi(model.root) + all(model.textureList.textures, world.texture);
  },
  node(node) {
    const key = (key) => key.timeAndFlags + words(key.value);
    const moves = all(node.translations.keys, key) + all(node.rotations.keys, key) + all(node.scales.keys, key);
    return moves + all(node.morphs, (key) => key.timeAndFlags + key.value) + all(node.children, world.node);
  },
  roi(roi) {
    return words(roi.center) + roi.radius + words(roi.minimum) + words(roi.maximum) + world.lods(roi.lods) + all(roi.children, world.roi);
  },
};

const [format, path, runs] = process.argv.slice(2);
const { name, digest } = { wwd, wdb, world }[format];
const Reader = generated(name);
const bytes = readFileSync(path);
const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const once = () => {
  const start = performance.now();
  const found = digest(new Reader(new KaitaiStream(buffer))) >>> 0;
  return [found, (performance.now() - start) / 1000];
};
const begin = performance.now();
const [found] = once();
while (performance.now() - begin < 1000) {
  once();
}
const seconds = Array.from({ length: Number(runs) }, () => once()[1]);
seconds.sort((a, b) => a - b);
const line = {
  reader: "Kaitai in node",
  format,
  bytes: bytes.length,
  digest: found,
  seconds_min: seconds[0],
  seconds_median: seconds[seconds.length >> 1],
};
console.log(JSON.stringify(line));
