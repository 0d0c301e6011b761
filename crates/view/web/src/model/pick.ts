/// Finds the object under the pointer.
import { type Object3D, Raycaster, Vector2 } from 'three';
import type { Item } from './objects.ts';
import type { Stage } from './stage.ts';

/** The way of the pointer in pixels above which a click is a drag. */
const STILL = 5;

export interface PickEvents {
  pick(item: Item | null): void;
  /** A double click. */
  frame(item: Item): void;
}

export class Picker {
  readonly #stage: Stage;
  readonly #model: Object3D;
  readonly #owners = new Map<Object3D, Item>();
  readonly #end = new AbortController();

  constructor(stage: Stage, model: Object3D, items: readonly Item[], events: PickEvents) {
    this.#stage = stage;
    this.#model = model;
    for (const item of items) {
      for (const { pieces } of item.levels) for (const { mesh } of pieces) this.#owners.set(mesh, item);
    }
    const { canvas } = stage;
    const { signal } = this.#end;
    let start: PointerEvent | null = null;
    canvas.addEventListener('pointerdown', (event) => {
      start = event.isPrimary && event.button === 0 ? event : null;
    }, { signal });
    canvas.addEventListener('pointerup', (event) => {
      if (!start || Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > STILL) return;
      events.pick(this.at(event));
    }, { signal });
    canvas.addEventListener('dblclick', (event) => {
      const item = this.at(event);
      if (item) events.frame(item);
    }, { signal });
  }

  /** Returns the nearest object that is drawn at the place of an event. */
  at({ clientX, clientY }: MouseEvent): Item | null {
    const { left, top, width, height } = this.#stage.canvas.getBoundingClientRect();
    const place = new Vector2(((clientX - left) / width) * 2 - 1, 1 - ((clientY - top) / height) * 2);
    const ray = new Raycaster();
    ray.params.Line.threshold = this.#stage.radius / 200;
    ray.setFromCamera(place, this.#stage.camera);
    for (const { object } of ray.intersectObject(this.#model)) {
      const item = this.#owners.get(object);
      if (item) return item;
    }
    return null;
  }

  destroy(): void {
    this.#end.abort();
  }
}
