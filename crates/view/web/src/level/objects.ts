/// The objects of a plane: where they are, and which of them a text finds.
import type { Box, Point } from './place.ts';

const MAGIC = 0x314f5657; // "WVO1"

/** Rectangles that touch more cells of the index than this are looked at in every search. */
const MOST_CELLS = 64;

/** The number of objects that a cell of the index has on average. */
const PER_CELL = 4;

const COLUMNS = ['id', 'x', 'y', 'z', 'left', 'top', 'right', 'bottom'] as const;

export class Objects {
  readonly count: number;
  readonly id: Int32Array;
  readonly x: Int32Array;
  readonly y: Int32Array;
  readonly z: Int32Array;
  readonly #keys = new Map<number, string>();
  /** Texts of all objects, each once. */
  readonly strings: string[];
  readonly #boxes: [left: Int32Array, top: Int32Array, right: Int32Array, bottom: Int32Array];
  readonly #texts: [name: Uint32Array, logic: Uint32Array, imageSet: Uint32Array];
  #index: Index | undefined;

  /**
   * Reads the answer of `/api/level/objects`.
   *
   * @throws RangeError if it is truncated.
   */
  constructor(buffer: ArrayBuffer) {
    const header = new DataView(buffer, 0, 12);
    if (header.getUint32(0, true) !== MAGIC) throw new RangeError('These are no objects.');
    this.count = header.getUint32(4, true);
    const signed = COLUMNS.map((_, column) => new Int32Array(buffer, 12 + column * 4 * this.count, this.count));
    const start = 12 + COLUMNS.length * 4 * this.count;
    const texts = [0, 1, 2].map((column) => new Uint32Array(buffer, start + column * 4 * this.count, this.count));
    [this.id, this.x, this.y, this.z] = signed as [Int32Array, Int32Array, Int32Array, Int32Array];
    this.#boxes = signed.slice(4) as [Int32Array, Int32Array, Int32Array, Int32Array];
    this.#texts = texts as [Uint32Array, Uint32Array, Uint32Array];
    const bytes = new Uint8Array(buffer, start + 12 * this.count, header.getUint32(8, true));
    this.strings = JSON.parse(new TextDecoder().decode(bytes)) as string[];
  }

  /** Returns the rectangle that stands for an object. */
  box(object: number): Box {
    const [left, top, right, bottom] = this.#boxes;
    return { left: left[object]!, top: top[object]!, right: right[object]!, bottom: bottom[object]! };
  }

  name(object: number): string {
    return this.strings[this.#texts[0][object]!] ?? '';
  }

  logic(object: number): string {
    return this.strings[this.#texts[1][object]!] ?? '';
  }

  imageSet(object: number): string {
    return this.strings[this.#texts[2][object]!] ?? '';
  }

  /** Returns what paths call an object: the id that it has in the file, with `#n` if several have it. */
  key(object: number): string {
    if (!this.#keys.size) {
      const seen = new Map<number, number[]>();
      this.id.forEach((id, index) => {
        const all = seen.get(id);
        if (all) all.push(index);
        else seen.set(id, [index]);
      });
      for (const [id, all] of seen) all.forEach((index, nth) => this.#keys.set(index, all.length > 1 ? `${id}#${nth}` : String(id)));
    }
    return this.#keys.get(object) ?? '';
  }

  /** Returns the object that paths call so. */
  byKey(key: string): number | undefined {
    for (let object = 0; object < this.count; object += 1) if (this.key(object) === key) return object;
    return undefined;
  }

  /** Returns what people call an object. */
  title(object: number): string {
    return this.name(object) || this.logic(object) || this.imageSet(object) || `Object ${this.key(object)}`;
  }

  /** Returns the objects whose rectangle or position is in a box, in the order of the file. */
  within(box: Box): number[] {
    this.#index ??= new Index(this);
    return this.#index.within(box);
  }

  /** Returns the objects at a point, the topmost first. `slack` widens small ones. */
  at(point: Point, slack: number): number[] {
    const near = { left: point.x - slack, top: point.y - slack, right: point.x + slack, bottom: point.y + slack };
    return this.within(near).sort((a, b) => this.z[b]! - this.z[a]! || b - a);
  }

  /**
   * Returns the objects that a text finds: by id if it is a number, by name, logic and image set, in this order.
   * An empty text finds all.
   */
  search(query: string): number[] {
    const text = query.trim().toLowerCase();
    if (!text) return Array.from({ length: this.count }, (_, object) => object);
    const matches = this.strings.map((string) => string.toLowerCase().includes(text));
    const [name, logic, imageSet] = this.#texts;
    const found: [number[], number[], number[], number[]] = [[], [], [], []];
    for (let object = 0; object < this.count; object++) {
      if (String(this.id[object]) === text || this.key(object) === text) found[0].push(object);
      else if (matches[name[object]!]) found[1].push(object);
      else if (matches[logic[object]!]) found[2].push(object);
      else if (matches[imageSet[object]!]) found[3].push(object);
    }
    return found.flat();
  }
}

/** A grid over the plane; each cell has the objects that touch it. */
class Index {
  readonly #objects: Objects;
  readonly #area: Box;
  readonly #cell: number;
  readonly #columns: number;
  readonly #rows: number;
  /** The objects of cell n are `#members` from `#starts[n]` to `#starts[n + 1]`. */
  readonly #starts: Uint32Array;
  readonly #members: Uint32Array;
  readonly #large: number[] = [];
  /** The search that found an object last, so that none is found twice. */
  readonly #stamps: Uint32Array;
  #stamp = 0;

  constructor(objects: Objects) {
    this.#objects = objects;
    const area = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
    for (let object = 0; object < objects.count; object++) {
      area.left = Math.min(area.left, objects.x[object]!);
      area.top = Math.min(area.top, objects.y[object]!);
      area.right = Math.max(area.right, objects.x[object]!);
      area.bottom = Math.max(area.bottom, objects.y[object]!);
    }
    this.#area = objects.count ? area : { left: 0, top: 0, right: 0, bottom: 0 };
    const [width, height] = [this.#area.right - this.#area.left + 1, this.#area.bottom - this.#area.top + 1];
    // Positions outside the plane may be anywhere: no more cells than objects, however far they are from each other.
    this.#cell = Math.max(Math.sqrt((width * height * PER_CELL) / Math.max(objects.count, 1)), width / 1024, height / 1024, 16);
    this.#columns = Math.ceil(width / this.#cell);
    this.#rows = Math.ceil(height / this.#cell);
    this.#stamps = new Uint32Array(objects.count);

    this.#starts = new Uint32Array(this.#columns * this.#rows + 1);
    const small: number[] = [];
    for (let object = 0; object < objects.count; object++) (this.#isLarge(object) ? this.#large : small).push(object);
    const each = (visit: (cell: number, object: number) => void): void => {
      for (const object of small) this.#cellsOf(this.#reach(object), (cell) => visit(cell, object));
    };
    each((cell) => {
      this.#starts[cell + 1]! += 1;
    });
    for (let cell = 1; cell < this.#starts.length; cell++) this.#starts[cell]! += this.#starts[cell - 1]!;
    const ends = this.#starts.slice();
    this.#members = new Uint32Array(this.#starts.at(-1)!);
    each((cell, object) => {
      this.#members[ends[cell]!] = object;
      ends[cell]! += 1;
    });
  }

  within(box: Box): number[] {
    this.#stamp += 1;
    const found: number[] = [];
    const add = (object: number): void => {
      if (this.#stamps[object] === this.#stamp) return;
      this.#stamps[object] = this.#stamp;
      const reach = this.#reach(object);
      if (reach.left <= box.right && box.left <= reach.right && reach.top <= box.bottom && box.top <= reach.bottom) {
        found.push(object);
      }
    };
    this.#large.forEach(add);
    this.#cellsOf(box, (cell) => {
      for (let member = this.#starts[cell]!; member < this.#starts[cell + 1]!; member++) add(this.#members[member]!);
    });
    return [...Uint32Array.from(found).sort()];
  }

  /** Returns the rectangle of an object, widened to its position. */
  #reach(object: number): Box {
    const { left, top, right, bottom } = this.#objects.box(object);
    const [x, y] = [this.#objects.x[object]!, this.#objects.y[object]!];
    return { left: Math.min(left, x), top: Math.min(top, y), right: Math.max(right, x), bottom: Math.max(bottom, y) };
  }

  #isLarge(object: number): boolean {
    const { left, top, right, bottom } = this.#reach(object);
    return ((right - left) / this.#cell + 1) * ((bottom - top) / this.#cell + 1) > MOST_CELLS;
  }

  #cellsOf(box: Box, visit: (cell: number) => void): void {
    const along = (position: number, start: number, count: number): number =>
      Math.min(Math.max(Math.floor((position - start) / this.#cell), 0), count - 1);
    const [left, right] = [box.left, box.right].map((x) => along(x, this.#area.left, this.#columns)) as [number, number];
    const [top, bottom] = [box.top, box.bottom].map((y) => along(y, this.#area.top, this.#rows)) as [number, number];
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++) visit(row * this.#columns + column);
    }
  }
}
