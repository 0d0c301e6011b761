/// Moves the view smoothly from one place to another.
import type { Size, View } from './place.ts';

const DURATION = 220;

/** Beyond so many screens, nothing that passes by could be recognized. */
const FAR = 4;

export class Flight {
  #frame = 0;
  /** Where a flight ends. */
  #target: View | undefined;

  get target(): View | undefined {
    return this.#target;
  }

  /** Calls `step` with a view per frame, and with `to` in the end. */
  start(from: View, to: View, size: Size, step: (view: View) => void): void {
    this.stop();
    const scale = Math.min(from.scale, to.scale);
    const distance = Math.max(Math.abs(to.x - from.x) / size.width, Math.abs(to.y - from.y) / size.height) * scale;
    if (distance > FAR || matchMedia('(prefers-reduced-motion: reduce)').matches) {
      step(to);
      return;
    }
    this.#target = to;
    const begin = performance.now();
    const next = (): void => {
      const part = Math.min((performance.now() - begin) / DURATION, 1);
      if (part === 1) this.#target = undefined;
      step(part === 1 ? to : between(from, to, 1 - (1 - part) ** 3));
      if (part < 1) this.#frame = requestAnimationFrame(next);
    };
    this.#frame = requestAnimationFrame(next);
  }

  /** Stays where the view is now. */
  stop(): void {
    cancelAnimationFrame(this.#frame);
    this.#target = undefined;
  }
}

/** A zoom is even in the logarithm of the scale; the middle moves so that one point stays where it is. */
const between = (from: View, to: View, part: number): View => {
  const scale = from.scale * (to.scale / from.scale) ** part;
  const along = from.scale === to.scale ? part : (1 / from.scale - 1 / scale) / (1 / from.scale - 1 / to.scale);
  return { x: from.x + (to.x - from.x) * along, y: from.y + (to.y - from.y) * along, scale };
};
