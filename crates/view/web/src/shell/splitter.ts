/// A bar between two parts, which moves by dragging and with the arrow keys.
import { el } from './dom.ts';
import { recall, remember } from './store.ts';

interface Options {
  /** What the bar resizes, for screen readers. */
  label: string;
  /** The part whose size changes; it comes before the bar. */
  part: HTMLElement;
  min: number;
  /** The largest size now. */
  max: () => number;
  initial: number;
  /** The name that the size is remembered under. */
  name: string;
}

/** Creates the bar. The size becomes the custom property `--size` of the part. */
export const splitter = ({ label, part, min, max, initial, name }: Options): HTMLElement => {
  const bar = el('div', { class: 'splitter', role: 'separator', tabindex: 0, 'aria-label': label, 'aria-orientation': 'vertical',
    'aria-valuemin': min });
  let size = initial;
  const set = (wanted: number): void => {
    const most = Math.max(min, max());
    size = Math.round(Math.min(most, Math.max(min, wanted)));
    part.style.setProperty('--size', `${size}px`);
    bar.setAttribute('aria-valuenow', String(size));
    bar.setAttribute('aria-valuemax', String(Math.round(most)));
  };
  const keep = (): void => remember(`split.${name}`, String(size));
  bar.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    bar.focus();
    bar.setPointerCapture(event.pointerId);
    const offset = event.clientX - part.getBoundingClientRect().width;
    const move = (moved: PointerEvent): void => set(moved.clientX - offset);
    bar.addEventListener('pointermove', move);
    bar.addEventListener('lostpointercapture', () => {
      bar.removeEventListener('pointermove', move);
      keep();
    }, { once: true });
  });
  bar.addEventListener('keydown', (event) => {
    const steps: Record<string, number> = { ArrowLeft: size - 24, ArrowRight: size + 24, Home: min, End: max() };
    const wanted = steps[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    set(wanted);
    keep();
  });
  bar.addEventListener('dblclick', () => {
    set(initial);
    keep();
  });
  set(Number(recall(`split.${name}`)) || initial);
  return bar;
};
