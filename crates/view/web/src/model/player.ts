/// The clock of the animations.
import type { Motion } from './motion.ts';

export class Player {
  isPlaying = false;
  /** Whether the objects are elsewhere than where `pose` has last put them. */
  isMoved = true;
  speed = 1;
  /** Seconds since the start. While all animations play in a loop, each begins again on its own. */
  #elapsed = 0;
  #loops = true;
  #chosen: Motion | null = null;

  constructor(
    readonly motions: readonly Motion[],
    /** By node, whether it is visible before any animation. */
    readonly initial: Uint8Array,
  ) {
    if (motions.length === 1) this.#chosen = motions[0]!;
  }

  /** The animation that plays; `null` if all do. */
  get chosen(): Motion | null {
    return this.#chosen;
  }

  set chosen(motion: Motion | null) {
    this.#chosen = motion;
    this.time = 0;
  }

  get loops(): boolean {
    return this.#loops;
  }

  set loops(loops: boolean) {
    this.#elapsed = this.time;
    this.#loops = loops;
  }

  get duration(): number {
    return this.#chosen?.duration ?? Math.max(0, ...this.motions.map(({ duration }) => duration));
  }

  /** Seconds from the start of the longest animation that plays. */
  get time(): number {
    return within(this.#elapsed, this.duration);
  }

  set time(time: number) {
    this.#elapsed = Math.min(Math.max(0, time), this.duration);
    this.isMoved = true;
  }

  /** Starts, also anew if the end is reached. */
  play(): void {
    if (!this.#loops && this.#elapsed >= this.duration) this.#elapsed = 0;
    this.isPlaying = true;
  }

  pause(): void {
    this.isPlaying = false;
  }

  /** Moves on while playing. Returns whether it still plays. */
  advance(seconds: number): boolean {
    if (!this.isPlaying) return false;
    this.#elapsed += seconds * this.speed;
    this.isMoved = true;
    if (!this.#loops && this.#elapsed >= this.duration) {
      this.#elapsed = this.duration;
      this.isPlaying = false;
    }
    return this.isPlaying;
  }

  /** Poses all objects as at the current time. Returns, by node, which are visible. */
  pose(): Uint8Array {
    this.isMoved = false;
    const visible = this.initial.slice();
    for (const motion of this.motions) {
      const isChosen = !this.#chosen || this.#chosen === motion;
      const time = this.#loops ? within(this.#elapsed, motion.duration) : Math.min(this.#elapsed, motion.duration);
      motion.apply(isChosen ? time : 0, visible);
    }
    return visible;
  }

  /** Returns the times of the keys of what plays, at which something moves, or appears and disappears. */
  marks(ofVisibility: boolean): number[] {
    const motions = this.#chosen ? [this.#chosen] : this.motions;
    return [...new Set(motions.flatMap((motion) => motion.times(ofVisibility)))].sort((a, b) => a - b);
  }

  /** Returns the next key in a direction, or the end. */
  key(direction: 1 | -1): number {
    const marks = [...this.marks(false), ...this.marks(true)].sort((a, b) => a - b);
    const now = this.time;
    const next = direction > 0 ? marks.find((mark) => mark > now + 1e-3) : marks.findLast((mark) => mark < now - 1e-3);
    return next ?? (direction > 0 ? this.duration : 0);
  }
}

/** Returns a time within a duration, of which the end belongs to it the first time. */
const within = (time: number, duration: number): number => time <= duration || !duration ? Math.min(time, duration) : time % duration;
