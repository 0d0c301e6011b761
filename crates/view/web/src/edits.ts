/// The changes that the user has made: kept by the page, as the viewer never writes a file. They survive a reload,
/// and end with the tab.

/** A value as changes files have it; see docs/editing.md. */
export type Value = number | string | number[] | { bits: string } | { bytes: string };

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


const key = (at: string, path: string): string => `${at}\n${path}`;

/** Returns whether two values are the same. */
export const sameValue = (a: Value, b: Value): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Changes by file and path, in the order in which they were made. */
export class Edits {
  /** The store of the page, for what gets no `Context`. */
  static page: Edits;
  readonly #changes = new Map<string, Change>();
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
    for (const change of restored(this.#storageKey, storage)) this.#changes.set(key(change.at, change.path), change);
  }

  /** Adds a change, or replaces the one of the same field. A change back to the value in the file removes it. */
  set(change: Change): void {
    const id = key(change.at, change.path);
    if (sameValue(change.from, change.to)) {
      if (!this.#changes.delete(id)) return;
    } else {
      this.#changes.set(id, change);
    }
    this.#changed(change.file);
  }

  /** Returns the change of a field. */
  get(at: string, path: string): Change | undefined {
    return this.#changes.get(key(at, path));
  }

  /** Undoes the change of a field. */
  remove(at: string, path: string): void {
    const change = this.get(at, path);
    if (!change) return;
    this.#changes.delete(key(at, path));
    this.#changed(change.file);
  }

  /** Undoes all changes, or those of one outermost file. */
  clear(file?: string): void {
    const changes = this.list().filter((change) => file === undefined || change.file === file);
    for (const change of changes) this.#changes.delete(key(change.at, change.path));
    if (changes.length) this.#changed(...new Set(changes.map((change) => change.file)));
  }

  /** Returns all changes. */
  list(): Change[] {
    return [...this.#changes.values()];
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

  #changed(...files: string[]): void {
    for (const file of files) this.#saved.delete(file);
    try {
      this.#storage?.setItem(this.#storageKey, JSON.stringify(this.list()));
    } catch {
      // The storage is full or forbidden: the changes live as long as the page.
    }
    this.#tell();
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

const restored = (storageKey: string, storage?: Storage): Change[] => {
  try {
    return JSON.parse(storage?.getItem(storageKey) ?? '[]') as Change[];
  } catch {
    return [];
  }
};
