/// The JSON of a GLB as far as the viewer reads it itself. The rest is read by three.js.

export interface Gltf {
  scene?: number;
  scenes?: { name?: string; nodes?: number[] }[];
  nodes?: GltfNode[];
  meshes?: { name?: string; primitives: Primitive[] }[];
  materials?: GltfMaterial[];
  textures?: { source?: number; sampler?: number; name?: string }[];
  images?: { bufferView?: number; mimeType?: string; name?: string }[];
  samplers?: { magFilter?: number; minFilter?: number; wrapS?: number; wrapT?: number }[];
  animations?: GltfAnimation[];
  accessors?: { count: number }[];
}

export interface GltfNode {
  name?: string;
  children?: number[];
  mesh?: number;
  extensions?: { MSFT_lod?: { ids: number[] }; KHR_node_visibility?: { visible?: boolean } };
  extras?: NodeExtras;
}

/** What `worldview` keeps of an object that glTF has no words for. */
export interface NodeExtras {
  /** The name by which a world refers to the model, and the index of that reference. */
  model?: string;
  reference?: number;
  presenter?: string;
  /** The index of the object in its model. */
  object?: number;
  /** The object's own color or texture name. */
  color?: string;
  /** The name of the list of levels that the object shares. */
  shares?: string;
  MSFT_screencoverage?: number[];
}

export interface Primitive {
  attributes: Record<string, number>;
  indices?: number;
  material?: number;
  mode?: number;
}

export interface GltfMaterial {
  name?: string;
  pbrMetallicRoughness?: {
    baseColorFactor?: [number, number, number, number];
    baseColorTexture?: { index: number };
    roughnessFactor?: number;
  };
  alphaMode?: string;
  extras?: { inherits?: boolean; texture?: string };
}

export interface GltfAnimation {
  name?: string;
  channels: GltfChannel[];
  samplers: { input: number; output: number; interpolation?: string }[];
  extras?: { duration?: number };
}

export interface GltfChannel {
  sampler: number;
  target: { node?: number; path: string; extensions?: { KHR_animation_pointer?: { pointer: string } } };
}

/** The mode of a primitive that consists of lines; all others are triangles. */
export const LINES = 1;

/** Nodes may be nested this deep: three.js visits them by recursion. */
const DEPTH = 1000;

/** Reads the JSON of a GLB. Throws an error that says what is wrong with a file that is none. */
export const readJson = (glb: ArrayBuffer): Gltf => {
  const view = new DataView(glb);
  if (glb.byteLength < 20 || view.getUint32(0, true) !== 0x46546c67) throw new Error('This is not a GLB file.');
  const length = view.getUint32(12, true);
  if (20 + length > glb.byteLength) throw new Error('The GLB file is truncated.');
  const gltf = JSON.parse(new TextDecoder().decode(new Uint8Array(glb, 20, length))) as Gltf;
  const depth = depthOf(gltf);
  if (depth > DEPTH) throw new Error(`Objects are nested more than ${DEPTH.toLocaleString('en')} levels deep.`);
  return gltf;
};

const depthOf = ({ scenes = [], scene = 0, nodes = [] }: Gltf): number => {
  let depth = 0;
  let level = scenes[scene]?.nodes ?? [];
  while (level.length && depth <= DEPTH) {
    depth += 1;
    level = level.flatMap((node) => nodes[node]?.children ?? []);
  }
  return depth;
};
