/// The changes that the user has made: kept by the page, as the viewer never writes a file. They survive a reload, as does
/// what can be taken back, and end with the tab.

import type { Value } from './api.ts';

export interface Change {
  /** The part that `path` is in. */
  at: string;
  /** The field inside the part. */
  path: string;
  /** The outermost file with the part: the one that is downloaded. */
  file: string;
  /** The field inside the outermost file. */
  inFile: string;
  /** The value in the file. */
  from: Value;
  to: Value;
}

/** What a step replaced: the changes of before; `null` where there was none. */
type Step = [id: string, before: Change | null][];

const key = (at: string, path: string): string => `${at}\n${path}`;

/** Returns whether two values are the same. */
export const sameValue = (a: Value, b: Value): boolean => JSON.stringify(a) === JSON.stringify(b);

/** How many steps can be taken back. */
const mostSteps = 200;

/** Changes by file and path, in the order in which they were made. */
export class Edits {
  /** The store of the page, for what gets no `Context`. */
  static page: Edits;
  #changes = new Map<string, Change>();
  /** What each of the last steps replaced. */
  #steps: Step[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #storage: Storage | undefined;
  readonly #storageKey: string;
  /** The files whose changes were downloaded as they are now. */
  readonly #saved = new Set<string>();

  /** `id` says of which files the changes are: another viewer at the same address can have other ones of the same names. */
  constructor(storage?: Storage, id = '') {
    this.#storage = storage;
    this.#storageKey = `worldview.changes.${id}`;
    Edits.page = this;
    const { changes, steps } = restored(this.#storageKey, storage);
    for (const change of changes) this.#changes.set(key(change.at, change.path), change);
    this.#steps = steps;
  }

  /** Adds changes, or replaces those of the same fields, as one step. A change back to the value in the file removes it. */
  set(...changes: Change[]): void {
    const next = new Map(this.#changes);
    for (const change of changes) {
      const id = key(change.at, change.path);
      if (sameValue(change.from, change.to)) next.delete(id);
      else next.set(id, change);
    }
    this.#step(next);
  }

  /** Returns the change of a field. */
  get(at: string, path: string): Change | undefined {
    return this.#changes.get(key(at, path));
  }

  /** Undoes the change of a field. */
  remove(at: string, path: string): void {
    const change = this.get(at, path);
    if (change) this.set({ ...change, to: change.from });
  }

  /** Undoes all changes, or those of one outermost file. */
  clear(file?: string): void {
    this.#step(new Map([...this.#changes].filter(([, change]) => file !== undefined && change.file !== file)));
  }

  /** Takes back the last step. Returns a sentence about it; `undefined` if there is none. */
  undo(): string | undefined {
    const step = this.#steps.pop();
    if (!step) return undefined;
    const next = new Map(this.#changes);
    for (const [id, before] of step) {
      if (before) next.set(id, before);
      else next.delete(id);
    }
    const changes = this.#become(next, step);
    return `Took back the change of ${changes.map(({ path }) => path).join(', ')}.`;
  }

  /** Returns all changes. */
  list(): Change[] {
    return [...this.#changes.values()];
  }

  /** Returns the changes of a part. */
  of(at: string): Change[] {
    return this.list().filter((change) => change.at === at);
  }

  /** Returns the number of changes. */
  get size(): number {
    return this.#changes.size;
  }

  /** Records that the changes of a file were downloaded. */
  saved(file: string): void {
    this.#saved.add(file);
    this.#tell();
  }

  /** Returns whether there are changes that were not downloaded. */
  get unsaved(): boolean {
    return this.list().some((change) => !this.#saved.has(change.file));
  }

  /** Calls `listener` after every change of the store, until the signal ends or the returned function is called. */
  subscribe(listener: () => void, signal?: AbortSignal): () => void {
    const stop = () => void this.#listeners.delete(listener);
    if (!signal?.aborted) this.#listeners.add(listener);
    signal?.addEventListener('abort', stop, { once: true });
    return stop;
  }

  #step(next: Map<string, Change>): void {
    const ids = new Set([...this.#changes.keys(), ...next.keys()]);
    const differing = [...ids].filter((id) => !sameChange(this.#changes.get(id), next.get(id)));
    const step = differing.map((id): Step[number] => [id, this.#changes.get(id) ?? null]);
    if (!step.length) return;
    this.#steps = [...this.#steps.slice(1 - mostSteps), step];
    this.#become(next, step);
  }

  /** Takes over changes that differ from those of before in a step, and returns these. */
  #become(next: Map<string, Change>, step: Step): Change[] {
    const changes = step.map(([id]) => (next.get(id) ?? this.#changes.get(id))!);
    this.#changes = next;
    for (const { file } of changes) this.#saved.delete(file);
    try {
      this.#storage?.setItem(this.#storageKey, JSON.stringify({ changes: this.list(), steps: this.#steps }));
    } catch {
      // The storage is full or forbidden: the changes live as long as the page.
    }
    this.#tell();
    return changes;
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

const sameChange = (a: Change | undefined, b: Change | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && sameValue(a.to, b.to));

const restored = (storageKey: string, storage?: Storage): { changes: Change[]; steps: Step[] } => {
  try {
    const { changes, steps } = JSON.parse(storage?.getItem(storageKey) ?? '') as { changes: Change[]; steps: Step[] };
    return { changes: [...changes], steps: [...steps] };
  } catch {
    return { changes: [], steps: [] };
  }
};
