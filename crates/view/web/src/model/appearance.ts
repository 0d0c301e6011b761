/// Which level of each object is drawn, and whether hidden objects are drawn as ghosts.
import { type Material, MeshBasicMaterial, type MeshStandardMaterial, type PerspectiveCamera, Sphere, Vector3 } from 'three';
import type { Item, Level, Objects, Piece } from './objects.ts';

/** A number draws the level with that number in the file, or the finest of objects that have fewer. */
export type LevelChoice = 'finest' | 'distance' | number;

/** What is drawn of an object now. */
export interface Shown {
  level: Level | null;
  isHidden: boolean;
}

/** Opacity of objects that are hidden, while they are shown on request. */
const GHOST = 0.28;

export class Appearance {
  choice: LevelChoice = 'finest';
  showsHidden = false;
  /** Whether colors have light and shade, or are exactly as stored. */
  isLit = true;
  /** By item, what was drawn last. */
  readonly shown: Shown[];
  readonly #spheres = new Map<Item, Sphere>();
  /** What is drawn in place of the materials of the file. */
  readonly #variants = new Map<string, Material>();
  readonly #drawable: Item[];
  #wireframe = false;
  #wasLit = true;

  constructor({ items }: Objects) {
    this.shown = items.map(() => ({ level: null, isHidden: false }));
    this.#drawable = items.filter(({ levels }) => levels.length > 0);
    for (const { levels } of this.#drawable) for (const { pieces } of levels) draw(pieces, false);
  }

  /** The levels that can be chosen, from the finest to the coarsest. Empty if no object has several. */
  get numbers(): number[] {
    const all = new Set<number>();
    for (const { levels } of this.#drawable) for (const { number } of levels) if (number !== null) all.add(number);
    return [...all].sort((a, b) => b - a);
  }

  /** Whether the file says from which size on each level is drawn. */
  get hasDistances(): boolean {
    return this.#drawable.some(({ coverage }) => coverage.length > 0);
  }

  /** Draws what is to be seen where the nodes in `visible` are. Returns whether anything changed. */
  update(visible: Uint8Array, camera: PerspectiveCamera): boolean {
    let isChanged = false;
    const isRelit = this.isLit !== this.#wasLit;
    this.#wasLit = this.isLit;
    for (const item of this.#drawable) {
      const isHidden = item.gates.some((node) => !visible[node]);
      const level = isHidden && !this.showsHidden ? null : this.#pick(item, camera);
      const shown = this.shown[item.id]!;
      if (shown.level === level && shown.isHidden === isHidden && !isRelit) continue;
      if (shown.level && shown.level !== level) draw(shown.level.pieces, false);
      if (level) {
        draw(level.pieces, true);
        for (const piece of level.pieces) piece.mesh.material = this.#variant(piece.material, isHidden);
      }
      shown.level = level;
      shown.isHidden = isHidden;
      isChanged = true;
    }
    return isChanged;
  }

  /** Returns the level of an object that is drawn; of one that is not drawn, the finest. */
  levelOf({ id, levels }: Item): Level | undefined {
    return this.shown[id]?.level ?? levels[0];
  }

  /** Whether only the edges of triangles are drawn. */
  get wireframe(): boolean {
    return this.#wireframe;
  }

  set wireframe(wireframe: boolean) {
    this.#wireframe = wireframe;
    for (const material of this.#materials()) (material as MeshStandardMaterial).wireframe = wireframe;
  }

  dispose(): void {
    for (const material of this.#materials()) material.dispose();
  }

  #materials(): Set<Material> {
    const all = new Set<Material>(this.#variants.values());
    for (const { levels } of this.#drawable) {
      for (const { pieces } of levels) for (const { material } of pieces) all.add(material);
    }
    return all;
  }

  #pick(item: Item, camera: PerspectiveCamera): Level {
    const { levels, coverage } = item;
    const finest = levels[0]!;
    const { choice } = this;
    if (levels.length === 1 || choice === 'finest') return finest;
    if (choice === 'distance') {
      const share = this.#share(item, camera);
      return levels.find((_, i) => share >= (coverage[i] ?? 0)) ?? levels.at(-1)!;
    }
    return levels.findLast(({ number }) => number !== null && number >= choice) ?? finest;
  }

  /** Returns which share of the picture an object covers, estimated as the game does: by its bounding sphere. */
  #share(item: Item, camera: PerspectiveCamera): number {
    let sphere = this.#spheres.get(item);
    if (!sphere) {
      sphere = new Sphere().makeEmpty();
      for (const { mesh } of item.levels[0]!.pieces) {
        if (mesh.geometry.boundingSphere) sphere.union(mesh.geometry.boundingSphere);
      }
      this.#spheres.set(item, sphere);
    }
    const { center, radius } = inWorld.copy(sphere).applyMatrix4(item.levels[0]!.pieces[0]!.mesh.matrixWorld);
    const distance = Math.max(center.distanceTo(eye.setFromMatrixPosition(camera.matrixWorld)), radius);
    const half = Math.tan((camera.fov * Math.PI) / 360);
    return (Math.PI * (radius / (distance * half)) ** 2) / (4 * camera.aspect);
  }

  /** Returns the material that is drawn in place of one of the file. */
  #variant(material: Material, isGhost: boolean): Material {
    if (this.isLit && !isGhost) return material;
    const key = `${material.uuid} ${this.isLit} ${isGhost}`;
    let variant = this.#variants.get(key);
    if (!variant) {
      variant = this.isLit ? material.clone() : plain(material as MeshStandardMaterial);
      if (isGhost) {
        variant.transparent = true;
        variant.opacity *= GHOST;
        variant.depthWrite = false;
      }
      this.#variants.set(key, variant);
    }
    return variant;
  }
}

/** Returns a material with the same color, and without light. */
const plain = ({ color, map, opacity, transparent, depthWrite, side, wireframe }: MeshStandardMaterial): Material =>
  new MeshBasicMaterial({ color, map, opacity, transparent, depthWrite, side, wireframe });

const inWorld = new Sphere();
const eye = new Vector3();

/** Draws pieces or not. What is below them is not affected, as it would be by `visible`. */
const draw = (pieces: readonly Piece[], isDrawn: boolean): void => {
  for (const { mesh } of pieces) {
    if (isDrawn) mesh.layers.enable(0);
    else mesh.layers.disable(0);
  }
};
