/// Levels of detail by `MSFT_lod`, which three.js does not read: it would load the finest only.
import type { Object3D } from 'three';
import type { GLTF, GLTFLoaderPlugin, GLTFParser } from 'three/examples/jsm/loaders/GLTFLoader.js';
import type { Gltf } from './gltf.ts';

/** Adds the coarser levels of each node beside it. Which of them is drawn, is decided by `Appearance`. */
export class Levels implements GLTFLoaderPlugin {
  readonly name = 'MSFT_lod';
  /** All nodes with their objects, also those that are only a level of another. */
  readonly objects: Object3D[] = [];
  readonly #parser: GLTFParser;

  constructor(parser: GLTFParser) {
    this.#parser = parser;
  }

  async afterRoot(_: GLTF): Promise<void> {
    const { nodes = [] } = this.#parser.json as Gltf;
    const load = (node: number): Promise<Object3D> => this.#parser.getDependency('node', node) as Promise<Object3D>;
    for (const object of await Promise.all(nodes.map((_, node) => load(node)))) this.objects.push(object);
    for (const [node, { extensions }] of nodes.entries()) {
      for (const id of extensions?.MSFT_lod?.ids ?? []) {
        const coarser = this.objects[id];
        if (coarser && !coarser.parent) this.objects[node]?.parent?.add(coarser);
      }
    }
  }
}
