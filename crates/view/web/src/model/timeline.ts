/// Playing animations, and the line with the time and the marks of keys.
import { el, perFrame } from '../shell/dom.ts';
import { iconButton, menu, wordButton } from './button.ts';
import { icon } from '../shell/icons.ts';
import { colorOf } from '../shell/theme.ts';
import type { Player } from './player.ts';

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];
/** Marks that are drawn, at most. */
const MOST = 2000;

const seconds = (time: number): string => `${time.toFixed(time < 100 ? 2 : 1)} s`;

export class Timeline {
  readonly element: HTMLElement;
  readonly #player: Player;
  readonly #onChange: () => void;
  readonly #button: HTMLButtonElement;
  readonly #range: HTMLInputElement;
  readonly #marks: HTMLCanvasElement;
  readonly #time: HTMLElement;
  readonly #length: HTMLElement;
  readonly #resize: ResizeObserver;
  #shown: { time: number; isPlaying: boolean } = { time: -1, isPlaying: true };

  constructor(player: Player, onChange: () => void) {
    this.#player = player;
    this.#onChange = onChange;
    this.#button = iconButton('play', 'Play', 'Space', () => this.toggle());
    this.#button.classList.add('model-play');
    this.#range = el('input', { type: 'range', min: 0, step: 'any', 'aria-label': 'Time' });
    this.#range.addEventListener('input', () => this.seek(Number(this.#range.value)));
    this.#range.addEventListener('keydown', (event) => this.#key(event));
    this.#marks = el('canvas', { class: 'model-marks', 'aria-hidden': 'true' });
    this.#time = el('span', { class: 'model-time numeric' });
    this.#length = el('span', { class: 'model-time numeric dim' });
    this.element = el('div', { class: 'model-timeline floating', role: 'group', 'aria-label': 'Animation' },
      el('div', { class: 'model-buttons' }, iconButton('previous', 'Previous key', ',', () => this.step(-1)), this.#button,
        iconButton('next', 'Next key', '.', () => this.step(1))), this.#time,
      el('div', { class: 'model-track', title: 'Marks: keys of moves, and, taller, of visibility' }, this.#marks, this.#range),
      this.#length, el('div', { class: 'model-options' }, this.#choice(), this.#speed(), this.#loop()));
    this.#resize = new ResizeObserver(perFrame(() => this.paint()));
    this.#resize.observe(this.#marks);
    this.#reset();
  }

  toggle(): void {
    if (this.#player.isPlaying) this.#player.pause();
    else this.#player.play();
    this.#changed();
  }

  seek(time: number): void {
    this.#player.pause();
    this.#player.time = time;
    this.#changed();
  }

  /** Goes to the next or previous key. */
  step(direction: 1 | -1): void {
    this.seek(this.#player.key(direction));
  }

  /** Shows the time of the player. */
  update(): void {
    const { time, isPlaying } = this.#player;
    if (time !== this.#shown.time) {
      this.#range.value = String(time);
      this.#range.setAttribute('aria-valuetext', seconds(time));
      this.#time.textContent = seconds(time);
    }
    if (isPlaying !== this.#shown.isPlaying) {
      this.#button.setAttribute('aria-label', isPlaying ? 'Pause' : 'Play');
      this.#button.replaceChildren(icon(isPlaying ? 'pause' : 'play'));
    }
    this.#shown = { time, isPlaying };
  }

  /** Draws the marks of keys, in the colors of the theme. */
  paint(): void {
    const { clientWidth, clientHeight } = this.#marks;
    const scale = devicePixelRatio;
    this.#marks.width = Math.round(clientWidth * scale);
    this.#marks.height = Math.round(clientHeight * scale);
    const context = this.#marks.getContext('2d');
    const { duration } = this.#player;
    if (!context || !duration) return;
    const draw = (times: readonly number[], color: string, height: number): void => {
      context.fillStyle = color;
      for (const time of times.slice(0, MOST)) {
        const x = Math.round((time / duration) * (this.#marks.width - scale));
        context.fillRect(x, (this.#marks.height - height * scale) / 2, Math.max(1, Math.round(scale)), height * scale);
      }
    };
    draw(this.#player.marks(false), colorOf(this.#marks, '--line-strong'), clientHeight * 0.5);
    draw(this.#player.marks(true), colorOf(this.#marks, '--accent'), clientHeight);
  }

  destroy(): void {
    this.#resize.disconnect();
  }

  #choice(): HTMLElement | null {
    const { motions } = this.#player;
    if (motions.length < 2) return null;
    const names = motions.map(({ name }, index) => name || `Animation ${index + 1}`);
    // Animations of one name have numbers.
    const numbered = names.map((name, index): [number, string] => {
      const nth = names.slice(0, index + 1).filter((other) => other === name).length;
      return [index, names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} ${nth}`];
    });
    return menu('Animation', [[-1, `All ${motions.length} animations`], ...numbered], (value) => {
      this.#player.chosen = motions[Number(value)] ?? null;
      this.#reset();
      this.#changed();
    });
  }

  #speed(): HTMLElement {
    const select = menu('Speed', SPEEDS.map((speed) => [speed, `${speed}×`]), (value) => (this.#player.speed = Number(value)));
    select.classList.add('model-speed');
    select.value = '1';
    return select;
  }

  #loop(): HTMLElement {
    const button = wordButton('loop', 'Loop', 'Loop', '', () => {
      this.#player.loops = !this.#player.loops;
      button.setAttribute('aria-pressed', String(this.#player.loops));
    });
    button.setAttribute('aria-pressed', String(this.#player.loops));
    return button;
  }

  #key(event: KeyboardEvent): void {
    const { time, duration } = this.#player;
    const step = Math.max(duration / 100, 0.01);
    const to =
      { ArrowLeft: time - step, ArrowDown: time - step, ArrowRight: time + step, ArrowUp: time + step, PageDown: time - step * 10,
        PageUp: time + step * 10, Home: 0, End: duration }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.seek(to);
  }

  #reset(): void {
    this.#range.max = String(this.#player.duration);
    this.#length.textContent = seconds(this.#player.duration);
    this.#shown = { time: -1, isPlaying: !this.#player.isPlaying };
    this.update();
    this.paint();
  }

  #changed(): void {
    this.update();
    this.#onChange();
  }
}
