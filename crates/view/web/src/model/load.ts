/// Loads a GLB as `worldview` writes it.
import { type BufferGeometry, type Group, type Material, type Mesh, type Object3D, Texture } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { type Gltf, readJson } from './gltf.ts';
import { Levels } from './levels.ts';
import { type Motion, Motions } from './motion.ts';
import { type Objects, readObjects } from './objects.ts';
import { Textures } from './textures.ts';

export interface Loaded extends Objects {
  gltf: Gltf;
  scene: Group;
  motions: Motion[];
  /** What could not be shown, each as a sentence. */
  notes: string[];
}

/** Loads a GLB. Rejects with an error that says what is wrong with it. */
export const load = async (glb: ArrayBuffer): Promise<Loaded> => {
  const gltf = readJson(glb);
  const parts: { levels?: Levels; motions?: Motions; textures?: Textures } = {};
  const loader = new GLTFLoader();
  loader.register((parser) => (parts.levels = new Levels(parser)));
  loader.register((parser) => (parts.motions = new Motions(parser)));
  loader.register((parser) => (parts.textures = new Textures(parser)));
  const { scene } = await loader.parseAsync(glb, '');
  const motions = (parts.motions?.all ?? []).filter((motion) => motion.channels.length > 0);
  rest(scene, motions);
  const broken = parts.textures?.broken ?? [];
  const textures = broken.length === 1 ? 'A texture is' : `${broken.length} textures are`;
  return { ...readObjects(gltf, parts.levels?.objects ?? []), gltf, scene, motions,
    notes: broken.length ? [`${textures} broken and drawn in magenta: ${broken.slice(0, 5).join(', ')}`] : [] };
};

/** Lets three.js compute the places of only those objects that move. */
const rest = (scene: Group, motions: readonly Motion[]): void => {
  scene.updateMatrixWorld(true);
  scene.traverse((object) => {
    object.matrixAutoUpdate = false;
  });
  for (const { channels } of motions) {
    for (const { target } of channels) if ('object' in target) target.object.matrixAutoUpdate = true;
  }
};

/** Releases what is in the memory of the graphics card. */
export const dispose = (root: Object3D): void => {
  const held = new Set<BufferGeometry | Material | Texture>();
  root.traverse((object) => {
    if (!(object as Mesh).geometry) return;
    const { geometry, material } = object as Mesh;
    held.add(geometry);
    for (const one of [material].flat()) {
      held.add(one);
      for (const value of Object.values(one)) if (value instanceof Texture) held.add(value);
    }
  });
  for (const one of held) {
    one.dispose();
    if (one instanceof Texture && one.image instanceof ImageBitmap) one.image.close();
  }
};
