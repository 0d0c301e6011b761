/// The line that says what is under the pointer.
import { json } from '../api.ts';
import { el, later } from '../shell/dom.ts';
import type { EditedLevelName } from './edited.ts';
import type { CellDetails, Level } from './info.ts';
import type { Pointed } from './map.ts';
import type { Objects } from './objects.ts';

/** How long the pointer rests before its tile is asked for, in milliseconds. */
const REST = 60;

/** How many tiles are remembered. */
const MOST = 2000;

export class Pointer {
  readonly element = el('span', { class: 'level-pointer numeric' });
  readonly #level: Level;
  readonly #at: string;
  readonly #objects: ReadonlyMap<number, Objects>;
  readonly #edited: EditedLevelName;
  readonly #signal: AbortSignal;
  readonly #cells = new Map<string, string>();
  readonly #ask: (pointed: Pointed) => void;
  #pointed: Pointed | undefined;

  constructor(level: Level, at: string, objects: ReadonlyMap<number, Objects>, edited: EditedLevelName, signal: AbortSignal) {
    this.#level = level;
    this.#at = at;
    this.#objects = objects;
    this.#edited = edited;
    this.#signal = signal;
    this.#ask = later(REST, (pointed) => void this.#load(pointed));
  }

  /** Forgets the tiles, which may be others now. */
  forget(): void {
    this.#cells.clear();
  }

  show(pointed: Pointed | undefined): void {
    this.#pointed = pointed;
    if (!pointed) {
      this.element.textContent = '';
      return;
    }
    const { plane, column, row, x, y, object } = pointed;
    const parts: string[] = [];
    const objects = object && this.#objects.get(object.plane);
    if (object && objects) parts.push(`${objects.title(object.object)} (object ${objects.key(object.object)})`);
    if (this.#level.planes.length > 1) parts.push(plane.name);
    parts.push(`column ${column}, row ${row}`, `x ${x}, y ${y}`);
    const tile = this.#cells.get(keyOf(pointed));
    if (tile !== undefined) parts.push(tile);
    else this.#ask(pointed);
    this.element.textContent = parts.join(' · ');
  }

  async #load(pointed: Pointed): Promise<void> {
    const key = keyOf(pointed);
    if (this.#signal.aborted || !this.#pointed || keyOf(this.#pointed) !== key) return;
    let text: string;
    try {
      const { plane, column, row } = pointed;
      const cell = await this.#edited.with((edits) =>
        json<CellDetails>('level/cell', { at: this.#at, plane: plane.index, column, row, edits }, this.#signal)
      );
      text = cell.tile === undefined ? 'no tile' : `tile ${cell.tile}`;
    } catch {
      // The rest of the line is right; a click on the tile shows the error.
      text = '';
    }
    if (this.#cells.size >= MOST) this.#cells.clear();
    this.#cells.set(key, text);
    if (this.#pointed) this.show(this.#pointed);
  }
}

const keyOf = ({ plane, column, row }: Pointed): string => `${plane.index} ${column} ${row}`;
