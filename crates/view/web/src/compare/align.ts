/// Which records of two tables stand beside each other.

/** A row of the comparison: positions in the files, or the path of a record whose positions are not known yet. */
export interface Aligned {
  left?: number;
  right?: number;
  path?: string;
}

/** All records of two tables that have most of them in common. */
export class Alignment {
  readonly #removed: number[];
  readonly #added: number[];
  readonly length: number;

  /** `removed` are positions on the left, `added` on the right. */
  constructor(leftCount: number, removed: number[], added: number[]) {
    this.#removed = removed.toSorted((a, b) => a - b);
    this.#added = added.toSorted((a, b) => a - b);
    this.length = leftCount + added.length;
  }

  /** Returns the positions of a row. */
  at(row: number): Aligned {
    // Records that were removed come before those that were added at the same place.
    let [left, right, at] = [0, 0, 0];
    let [r, a] = [0, 0];
    for (;;) {
      const untilRemoved = (this.#removed[r] ?? Infinity) - left;
      const untilAdded = (this.#added[a] ?? Infinity) - right;
      const common = Math.min(untilRemoved, untilAdded);
      if (row < at + common) return { left: left + row - at, right: right + row - at };
      left += common;
      right += common;
      at += common;
      if (untilRemoved <= untilAdded) {
        if (row === at) return { left };
        left += 1;
        r += 1;
      } else {
        if (row === at) return { right };
        right += 1;
        a += 1;
      }
      at += 1;
    }
  }
}
