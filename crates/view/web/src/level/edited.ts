/// The changes of a level on the map. The server edits the level in memory; what it draws then has a name.
import { ApiError, post, type EditedLevel } from '../api.ts';
import type { Change } from '../edits.ts';
import type { Box } from './place.ts';
import type { Tile } from './tiles.ts';
import { SIDE } from './tiles.ts';

/** What has to be drawn again after a change: boxes of planes, or everything. */
export type Stale = { plane: number; box: Box }[] | 'all';

export class EditedLevelName {
  readonly #at: string;
  readonly #signal: AbortSignal;
  #changes: Change[] = [];
  #name: Promise<string | undefined> = Promise.resolve(undefined);

  constructor(at: string, signal: AbortSignal) {
    this.#at = at;
    this.#signal = signal;
  }

  /** Takes over the changes. Returns those that differ from before. */
  set(changes: Change[]): Change[] {
    const value = (all: Change[], { path }: Change): string => JSON.stringify(all.find((change) => change.path === path)?.to);
    const differing = [...this.#changes, ...changes].filter((change) => value(this.#changes, change) !== value(changes, change));
    if (!differing.length) return [];
    this.#changes = changes;
    this.#ask();
    return differing;
  }

  /** Asks for something of the edited level. The server forgets edits after a while, and is told again then. */
  async with<T>(ask: (edits: string | undefined) => Promise<T>): Promise<T> {
    try {
      return await ask(await this.#name);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 410)) throw error;
      this.#ask();
      return ask(await this.#name);
    }
  }

  #ask(): void {
    this.#name = this.#changes.length ? this.#tell() : Promise.resolve(undefined);
    // Whoever waits for it hears of the error.
    this.#name.catch(() => {});
  }

  async #tell(): Promise<string> {
    const changes = this.#changes.map(({ path, from, to }) => ({ set: path, from, to }));
    const response = await post('level/edits', { at: this.#at, changes }, this.#signal);
    return ((await response.json()) as EditedLevel).edits;
  }
}

/** Returns whether a picture shows a part that has to be drawn again. */
export const isStale = (tile: Tile, stale: Stale): boolean => {
  if (stale === 'all') return true;
  const span = SIDE * 2 ** tile.zoom;
  // Reduced pixels have something of their neighbors.
  const spare = 2 ** tile.zoom;
  return stale.some(({ plane, box }) =>
    plane === tile.plane && box.left - spare < (tile.x + 1) * span && box.right + spare > tile.x * span
    && box.top - spare < (tile.y + 1) * span && box.bottom + spare > tile.y * span
  );
};
