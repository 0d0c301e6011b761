/// The pictures that levels are shown with: squares of 256 pixels in several resolutions, loaded when they are seen.

/** Pixels of a picture along each side. */
export const SIDE = 256;

/** How many pictures are asked for at once. One fewer than browsers allow per server: the last is for the rest. */
const MOST_REQUESTS = 5;

/** How many pictures are kept, besides those on the screen: 256 kB each. */
const MOST_PICTURES = 320;

/** How many empty places are remembered. */
const MOST_EMPTY = 20_000;

export type LayerName = 'tiles' | 'objects' | 'attributes';

/** Names a picture: the pixels from (x, y) · 256 · 2^zoom of a plane. */
export interface Tile {
  plane: number;
  layer: LayerName;
  /** For objects: only those that the game draws after this plane. */
  after?: number | undefined;
  zoom: number;
  x: number;
  y: number;
}

/** Returns the key of a picture. */
export const keyOf = ({ plane, layer, after, zoom, x, y }: Tile): string => `${plane} ${layer} ${after ?? ''} ${zoom} ${x} ${y}`;

interface Kept {
  tile: Tile;
  /** `null`: nothing is there. */
  picture: ImageBitmap | null;
  /** The frame that showed it last. */
  used: number;
}

/** Loads a picture, or `null` if nothing is there. */
export type Load = (tile: Tile, signal: AbortSignal) => Promise<ImageBitmap | null>;

/** Pictures that were loaded, that are being loaded, and that are to be loaded. */
export class Tiles {
  /** The least recently used first. */
  readonly #kept = new Map<string, Kept>();
  readonly #loading = new Map<string, AbortController>();
  readonly #failed = new Map<string, string>();
  /** Those that show what was before a change. */
  readonly #stale = new Set<string>();
  readonly #load: Load;
  readonly #changed: () => void;
  #wanted: { key: string; tile: Tile }[] = [];
  #frame = 0;
  #pictures = 0;
  #version = 0;

  constructor(load: Load, changed: () => void) {
    this.#load = load;
    this.#changed = changed;
  }

  /** Changes whenever a picture arrives or goes. */
  get version(): number {
    return this.#version;
  }

  /** Returns how many pictures are still to come. */
  get pending(): number {
    return this.#loading.size + this.#wanted.length;
  }

  /** Returns how many pictures could not be drawn, and why the last one could not. */
  get failures(): { count: number; message: string } {
    return { count: this.#failed.size, message: [...this.#failed.values()].at(-1) ?? '' };
  }

  /** Returns a picture, `null` if nothing is there, or `undefined` if it has not arrived. */
  get(tile: Tile): ImageBitmap | null | undefined {
    const key = keyOf(tile);
    const kept = this.#kept.get(key);
    if (!kept) return undefined;
    kept.used = this.#frame;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.picture;
  }

  /** Returns whether a picture could not be drawn. */
  isBroken(tile: Tile): boolean {
    return this.#failed.has(keyOf(tile));
  }

  /** Starts a frame: what it gets is kept at least until the next. */
  nextFrame(): void {
    this.#frame += 1;
  }

  /** Replaces what is to be loaded, the most urgent first. What is no longer wanted is aborted. */
  want(tiles: Tile[]): void {
    const wanted = new Map(tiles.map((tile) => [keyOf(tile), tile]));
    for (const [key, controller] of this.#loading) {
      if (!wanted.delete(key)) {
        this.#loading.delete(key);
        controller.abort();
      }
    }
    this.#wanted = [...wanted]
      .filter(([, tile]) => this.isWanted(tile))
      .map(([key, tile]) => ({ key, tile }));
    this.#next();
  }

  /** Asks again for pictures that show something else now. Those from before stay on the screen until then. */
  renew(isStale: (tile: Tile) => boolean): void {
    for (const [key, kept] of this.#kept) if (isStale(kept.tile)) this.#stale.add(key);
    for (const controller of this.#loading.values()) controller.abort();
    this.#loading.clear();
    this.#failed.clear();
    this.#changed();
  }

  /** Returns whether a picture has to be loaded: it has not arrived, or shows what was before a change. */
  isWanted(tile: Tile): boolean {
    const key = keyOf(tile);
    return !this.#failed.has(key) && (!this.#kept.has(key) || this.#stale.has(key));
  }

  /** Lets pictures that could not be drawn be loaded again. */
  retry(): void {
    this.#failed.clear();
    this.#changed();
  }

  /** Ends all requests, and frees the pictures. */
  destroy(): void {
    this.#wanted = [];
    for (const controller of this.#loading.values()) controller.abort();
    this.#loading.clear();
    for (const { picture } of this.#kept.values()) picture?.close();
    this.#kept.clear();
  }

  #next(): void {
    while (this.#loading.size < MOST_REQUESTS) {
      const next = this.#wanted.shift();
      if (!next) return;
      const controller = new AbortController();
      this.#loading.set(next.key, controller);
      void this.#fetch(next.key, next.tile, controller);
    }
  }

  async #fetch(key: string, tile: Tile, controller: AbortController): Promise<void> {
    try {
      const picture = await this.#load(tile, controller.signal);
      // Aborted after the answer had come.
      if (this.#loading.get(key) !== controller) {
        picture?.close();
        return;
      }
      this.#keep(key, tile, picture);
    } catch (error) {
      if (controller.signal.aborted) return;
      this.#failed.set(key, error instanceof Error ? error.message : String(error));
    }
    this.#loading.delete(key);
    this.#next();
    this.#changed();
  }

  #keep(key: string, tile: Tile, picture: ImageBitmap | null): void {
    const before = this.#kept.get(key)?.picture;
    if (before) {
      before.close();
      this.#pictures -= 1;
    }
    this.#stale.delete(key);
    this.#kept.set(key, { tile, picture, used: this.#frame });
    this.#version += 1;
    if (picture) this.#pictures += 1;
    for (const [key, { picture, used }] of this.#kept) {
      if (this.#pictures <= MOST_PICTURES && this.#kept.size <= MOST_PICTURES + MOST_EMPTY) return;
      // All that follow were used as recently.
      if (used >= this.#frame - 1) return;
      this.#kept.delete(key);
      this.#stale.delete(key);
      if (picture) {
        picture.close();
        this.#pictures -= 1;
      }
    }
  }
}
