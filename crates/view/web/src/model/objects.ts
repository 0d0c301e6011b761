/// The objects of a model or world, as the tree beside the picture lists them: the nodes of the GLB without those that
/// only carry a level of detail.
import type { LineSegments, Material, Mesh, Object3D } from 'three';
import { type Gltf, type GltfNode, LINES, type NodeExtras } from './gltf.ts';

/** A piece of a level with a single material. */
export interface Piece {
  mesh: Mesh | LineSegments;
  /** The material of the file, which stays while another one is drawn in its place. */
  material: Material;
  /** The index of the material in the GLB. */
  index: number;
  isLines: boolean;
  triangles: number;
  vertices: number;
}

export interface Level {
  /** The number of the level in the file, where 0 is the coarsest; `null` if there is only one. */
  number: number | null;
  pieces: Piece[];
  triangles: number;
  vertices: number;
}

export interface Item {
  /** The position in the list of all items. */
  id: number;
  name: string;
  /** `model`: placed by a world; `object`: has a place in the file; `group`: only moves others. */
  kind: 'model' | 'object' | 'group';
  object: Object3D;
  extras: NodeExtras;
  parent: Item | null;
  children: Item[];
  /** From the finest to the coarsest. Empty if there is nothing to draw. */
  levels: Level[];
  /** The smallest share of the picture at which each level is drawn by distance. */
  coverage: number[];
  /** The nodes that can hide the object: all must be visible. */
  gates: number[];
}

export interface Objects {
  /** Parents come before their children. */
  items: Item[];
  roots: Item[];
  /** By node, whether it is visible before any animation. */
  visible: Uint8Array;
}

/** Returns an item and everything below it. */
export function* family(item: Item): Generator<Item> {
  const rest = [item];
  for (let next = rest.pop(); next; next = rest.pop()) {
    yield next;
    rest.push(...next.children);
  }
}

/** Returns the items that make up what is seen of an item: itself, or if it only moves others, those below it. */
export const bodyOf = (item: Item): Item[] => item.levels.length ? [item] : [...family(item)].filter(({ levels }) => levels.length);

/** Builds the items from the JSON of a GLB and the object of each of its nodes. */
export const readObjects = (gltf: Gltf, objects: readonly Object3D[]): Objects => new Reader(gltf, objects).read();

class Reader {
  readonly #items: Item[] = [];
  readonly #nodes: GltfNode[];

  constructor(readonly gltf: Gltf, readonly objects: readonly Object3D[]) {
    this.#nodes = gltf.nodes ?? [];
  }

  read(): Objects {
    const { scenes = [], scene = 0 } = this.gltf;
    const visible = Uint8Array.from(this.#nodes, (node) => Number(node.extensions?.KHR_node_visibility?.visible ?? true));
    const roots = (scenes[scene]?.nodes ?? []).map((node) => this.#item(node, null, []));
    return { items: this.#items, roots, visible };
  }

  #item(index: number, parent: Item | null, above: readonly number[]): Item {
    const node = this.#nodes[index]!;
    const extras = node.extras ?? {};
    const kind = extras.model !== undefined ? 'model' : extras.object !== undefined || !parent ? 'object' : 'group';
    const item: Item = { id: this.#items.length, name: extras.model ?? node.name ?? '', kind, object: this.objects[index]!, extras, parent,
      children: [], levels: [], coverage: [], gates: this.#gates(index, above) };
    this.#items.push(item);
    this.#content(index, item, item.gates);
    return item;
  }

  #gates(index: number, above: readonly number[]): number[] {
    return this.#nodes[index]?.extensions?.KHR_node_visibility ? [...above, index] : [...above];
  }

  /** Adds what a node has to draw, and what is below it, to an item. */
  #content(index: number, item: Item, gates: readonly number[]): void {
    const node = this.#nodes[index]!;
    const coarser = node.extensions?.MSFT_lod?.ids;
    if (node.mesh !== undefined) {
      item.levels = [index, ...(coarser ?? [])].map((level) => this.#level(level, coarser !== undefined));
      item.coverage = node.extras?.MSFT_screencoverage ?? [];
      item.gates = [...gates];
    }
    for (const child of node.children ?? []) {
      if (this.#isCarrier(child)) this.#content(child, item, this.#gates(child, gates));
      else item.children.push(this.#item(child, item, gates));
    }
  }

  /** Returns whether a node is no object of its own, but carries the levels or the visibility of the node above. */
  #isCarrier(index: number): boolean {
    const node = this.#nodes[index]!;
    if (node.extensions?.MSFT_lod) return true;
    return Boolean(node.extensions?.KHR_node_visibility) && !node.extras;
  }

  #level(index: number, isOneOfMany: boolean): Level {
    const node = this.#nodes[index]!;
    const primitives = this.gltf.meshes?.[node.mesh ?? -1]?.primitives ?? [];
    const object = this.objects[index]!;
    // The loader makes a node with a single primitive that primitive, and others a group that begins with them.
    const meshes = primitives.length === 1 ? [object] : object.children.slice(0, primitives.length);
    const count = (accessor: number | undefined): number => this.gltf.accessors?.[accessor ?? -1]?.count ?? 0;
    const pieces = primitives.map((primitive, i): Piece => {
      const mesh = meshes[i] as Mesh;
      const isLines = primitive.mode === LINES;
      return { mesh, material: mesh.material as Material, index: primitive.material ?? -1, isLines,
        triangles: isLines ? 0 : count(primitive.indices) / 3, vertices: count(primitive.attributes.POSITION) };
    });
    const sum = (of: 'triangles' | 'vertices'): number => pieces.reduce((all, piece) => all + piece[of], 0);
    const number = /LOD(\d+)$/.exec(node.name ?? '')?.[1];
    return { number: isOneOfMany && number !== undefined ? Number(number) : null, pieces, triangles: sum('triangles'),
      vertices: sum('vertices') };
  }
}
