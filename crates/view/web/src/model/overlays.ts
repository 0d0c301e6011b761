/// What is drawn beside the model on request: normals, bounds, grid and axes.
import { AxesHelper, Box3, Box3Helper, BufferAttribute, BufferGeometry, type Color, GridHelper, LineBasicMaterial, LineSegments,
  type Material, type Object3D, Vector3 } from 'three';
import type { Appearance } from './appearance.ts';
import { normalLines } from './normals.ts';
import { family, type Item, type Piece } from './objects.ts';

export interface Toggles {
  normals: boolean;
  bounds: boolean;
  grid: boolean;
}

/** Objects without geometry that are shown by axes, at most. */
const MOST_AXES = 1000;

export class Overlays {
  readonly toggles: Toggles = { normals: false, bounds: false, grid: false };
  readonly #root: Object3D;
  readonly #appearance: Appearance;
  readonly #items: readonly Item[];
  /** Lines that follow a mesh. */
  #followers: { line: Object3D; mesh: Object3D }[] = [];
  #boxes: { helper: Box3Helper; item: Item }[] = [];
  readonly #floor: Object3D[] = [];
  /** About the size of everything. */
  #reach = 1;
  /** Stands for each object if none has geometry, so that animations can be seen all the same. */
  #axes: AxesHelper | null = null;
  readonly #normals = new Map<BufferGeometry, BufferGeometry>();
  readonly #normal = new LineBasicMaterial({ transparent: true, opacity: 0.9 });
  readonly #box = new LineBasicMaterial({ transparent: true, opacity: 0.55, depthTest: false });

  constructor(root: Object3D, appearance: Appearance, items: readonly Item[]) {
    this.#root = root;
    this.#appearance = appearance;
    this.#items = items;
  }

  /** Sets the colors that follow the theme. */
  paint(colors: { normal: Color; box: Color; grid: Color }): void {
    this.#normal.color = colors.normal;
    this.#box.color = colors.box;
    for (const grid of this.#floor) {
      if (grid instanceof GridHelper) grid.material.color = colors.grid;
    }
  }

  /** Puts a grid below a box, and axes at the origin. */
  place(box: Box3): void {
    const size = box.getSize(new Vector3());
    const reach = Math.max(size.x, size.z, size.y * 0.5, 1e-6);
    this.#reach = reach;
    const step = 10 ** Math.floor(Math.log10(reach / 3));
    const cells = Math.ceil((reach * 0.75) / step) * 2;
    const grid = new GridHelper(cells * step, cells, 0xffffff, 0xffffff);
    grid.material.transparent = true;
    grid.material.opacity = 0.28;
    grid.material.depthWrite = false;
    const center = box.getCenter(new Vector3());
    grid.position.set(Math.round(center.x / step) * step, box.min.y, Math.round(center.z / step) * step);
    const axes = new AxesHelper(reach * 0.3);
    this.#floor.push(grid, axes);
    if (!this.#items.some(({ levels }) => levels.length)) this.#axes = new AxesHelper(reach * 0.08);
    for (const object of this.#floor) {
      object.updateMatrixWorld();
      this.#root.add(object);
    }
  }

  /** Builds everything anew: after another level, or other toggles. */
  rebuild(): void {
    for (const { line } of this.#followers) this.#root.remove(line);
    for (const { helper } of this.#boxes) {
      this.#root.remove(helper);
      helper.geometry.dispose();
    }
    this.#followers = [];
    this.#boxes = [];
    for (const object of this.#floor) object.visible = this.toggles.grid;
    if (this.toggles.bounds) {
      for (const item of this.#items) if (this.#appearance.shown[item.id]?.level) this.#addBox(item);
    }
    if (this.#axes) {
      const { geometry, material } = this.#axes;
      for (const { object } of this.#items.slice(0, MOST_AXES)) this.#add(new LineSegments(geometry, material), object);
    }
    if (this.toggles.normals) {
      for (const item of this.#items) for (const piece of this.#drawn(item)) this.#addNormals(piece);
    }
  }

  /** Moves everything to where the objects are now. */
  follow(): void {
    for (const { line, mesh } of this.#followers) line.matrixWorld.copy(mesh.matrixWorld);
    for (const { helper, item } of this.#boxes) {
      boxAround([item], helper.box);
      helper.updateMatrixWorld(true);
    }
  }

  dispose(): void {
    for (const { helper } of this.#boxes) helper.geometry.dispose();
    for (const geometry of this.#normals.values()) geometry.dispose();
    this.#axes?.dispose();
    for (const material of [this.#normal, this.#box]) material.dispose();
    for (const object of this.#floor as (GridHelper | AxesHelper)[]) object.dispose();
  }

  #drawn(item: Item): readonly Piece[] {
    return this.#appearance.shown[item.id]?.level?.pieces ?? [];
  }

  #addNormals({ mesh, isLines }: Piece): void {
    if (isLines) return;
    let lines = this.#normals.get(mesh.geometry);
    if (!lines) {
      lines = new BufferGeometry();
      lines.setAttribute('position', new BufferAttribute(normalLines(mesh.geometry, this.#reach * 0.02), 3));
      this.#normals.set(mesh.geometry, lines);
    }
    this.#add(new LineSegments(lines, this.#normal), mesh);
  }

  #add(line: Object3D, mesh: Object3D): void {
    line.matrixAutoUpdate = false;
    line.frustumCulled = false;
    this.#followers.push({ line, mesh });
    this.#root.add(line);
  }

  #addBox(item: Item): void {
    const helper = new Box3Helper(new Box3());
    (helper.material as Material).dispose();
    helper.material = this.#box;
    helper.renderOrder = 1;
    helper.frustumCulled = false;
    this.#boxes.push({ helper, item });
    this.#root.add(helper);
  }
}

/** Returns the box around an item and everything below it, where they are now. */
export const boxOf = (item: Item): Box3 => boxAround(family(item));

/** Returns the box around what is drawn, or if nothing is, around everything: what is hidden may be far away. */
export const boundsOf = (items: readonly Item[], { shown }: Appearance): Box3 => {
  const drawn = items.filter(({ id }) => shown[id]?.level);
  return boxAround(drawn.length ? drawn : items);
};

/** Returns the box around the geometry of items, without what is below them. */
export const boxAround = (items: Iterable<Item>, box = new Box3()): Box3 => {
  box.makeEmpty();
  for (const { levels } of items) {
    for (const { mesh } of levels[0]?.pieces ?? []) {
      if (mesh.geometry.boundingBox) box.union(part.copy(mesh.geometry.boundingBox).applyMatrix4(mesh.matrixWorld));
    }
  }
  return box;
};
const part = new Box3();
