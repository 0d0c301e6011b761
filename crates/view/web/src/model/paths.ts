/// Paths of the objects in a model or world, as the program prints them.
import type { Item } from './objects.ts';

/** Characters with a meaning in paths. */
const SPECIAL = /[\\/=#:@*?]/g;

const segment = (kind: string, name: string, nth: number): string => {
  const bytes = (char: string): string =>
    [...new TextEncoder().encode(char)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
  const key = name.replace(SPECIAL, '\\$&').replace(/\p{Cc}/gu, bytes);
  return `${kind}:${key}${nth ? `#${nth}` : ''}`;
};

/** Splits a path at the slashes that are not escaped. */
const split = (path: string): string[] => path.match(/(?:\\.|[^/\\])+/gsu) ?? [];

/** Translates between objects and their paths. */
export class Paths {
  readonly #base: string;
  readonly #names = new Map<Item, string[]>();
  readonly #items = new Map<string, Item>();

  /** `base` is the path of what is shown: a world, a model, or a part. */
  constructor(base: string, items: readonly Item[]) {
    this.#base = base;
    // Counted in the order of the file, which is not that of the nodes.
    const ordered = items.toSorted((a, b) => (a.extras.object ?? 0) - (b.extras.object ?? 0));
    const seen = new Map<string, number>();
    const next = (owner: string, name: string): number => {
      const key = `${owner}\n${name}`;
      seen.set(key, (seen.get(key) ?? -1) + 1);
      return seen.get(key)!;
    };
    const models = items.filter(({ kind }) => kind === 'model');
    for (const item of models) this.#add(item, [segment('model', item.name, next('', item.name))]);
    const isDirect = split(base).at(-1)?.startsWith('blob:') ?? false;
    for (const item of ordered) {
      if (item.extras.object === undefined) continue;
      const model = rootOf(item);
      const above = model.kind === 'model' ? this.#names.get(model)! : [];
      const name = item.object.userData.name ?? item.name;
      const roi = segment('roi', String(name), next(String(model.kind === 'model' ? model.id : ''), String(name)));
      this.#add(item, [...above, ...(isDirect ? [] : ['blob']), roi]);
      // The node of the animation that moves the object.
      const node = [...above, segment('node', String(name), 0)].join('/');
      if (!this.#items.has(node)) this.#items.set(node, item);
    }
  }

  /** Returns the path of an object; for one that has none in the file, that of the nearest above it. */
  of(item: Item | null): string {
    for (let at = item; at; at = at.parent) {
      const names = this.#names.get(at);
      if (names) return [...split(this.#base), ...names].join('/');
    }
    return this.#base;
  }

  /** Returns the object that a path leads to or into. */
  find(path: string): Item | null {
    const base = split(this.#base);
    const names = split(path);
    const isWithin = base.every((name, i) => names[i] === name);
    // The same model may also be named by its blob.
    if (!isWithin && !names[0]?.startsWith('blob:')) return null;
    const rest = names.slice(isWithin ? base.length : 1).filter((name) => name !== 'blob');
    for (let length = rest.length; length > 0; length -= 1) {
      const item = this.#items.get(rest.slice(0, length).join('/'));
      if (item) return item;
    }
    return null;
  }

  #add(item: Item, names: string[]): void {
    // The top object of a placed model is named as the model.
    if (!this.#names.has(item)) this.#names.set(item, names);
    this.#items.set(names.filter((name) => name !== 'blob').join('/'), item);
  }
}

const rootOf = (item: Item): Item => {
  let root = item;
  while (root.kind !== 'model' && root.parent) root = root.parent;
  return root;
};
