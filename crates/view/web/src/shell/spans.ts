/// Where things are that follow each other, such as rows and columns.

export class Spans {
  readonly count: number;
  readonly #size: number;
  /** Where each begins, and where the last ends; empty if all have the same size. */
  readonly #starts: Float64Array = new Float64Array();

  constructor(count: number, size: number | ((index: number) => number)) {
    this.count = count;
    this.#size = typeof size === 'number' ? size : 0;
    if (typeof size === 'number') return;
    this.#starts = new Float64Array(count + 1);
    for (let index = 0; index < count; index += 1) this.#starts[index + 1] = this.#starts[index]! + size(index);
  }

  /** Returns where one begins; of the count, where the last ends. */
  start(index: number): number {
    return this.#starts[index] ?? index * this.#size;
  }

  size(index: number): number {
    return this.start(index + 1) - this.start(index);
  }

  get total(): number {
    return this.start(this.count);
  }

  /** Returns the one at an offset; before the first it is the first, and behind the last the last. */
  at(offset: number): number {
    if (!this.#starts.length) return Math.max(0, Math.min(this.count - 1, Math.floor(offset / this.#size)));
    let [low, high] = [0, Math.max(0, this.count - 1)];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Returns those between two offsets, and some more at both sides. */
  between(from: number, to: number, spare: number): number[] {
    if (!this.count || to <= from) return [];
    const first = Math.max(0, this.at(from) - spare);
    const last = Math.min(this.count - 1, this.at(to - 1) + spare);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  }
}
