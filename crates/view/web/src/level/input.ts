/// Mouse, touch and pen on the map.
import type { Point } from './place.ts';

export interface Gestures {
  /** Returns whether the pointer is on what can be dragged. */
  grabs(at: Point): boolean;
  /** What was grabbed follows the pointer, from where it was grabbed; in the end it stays there. */
  drag(x: number, y: number, isEnd: boolean): void;
  /** The level follows the pointer. */
  pan(x: number, y: number): void;
  /** The pixel at the point stays where it is. */
  zoom(factor: number, at: Point): void;
  click(at: Point): void;
  /** The pointer is somewhere, or has left. */
  hover(at: Point | undefined): void;
}

/** A pointer that moved less than this was a click. */
const CLICK = 5;

/** Passes what pointers do to `gestures`, in CSS pixels from the top left of the element. */
export const listen = (element: HTMLElement, gestures: Gestures, signal: AbortSignal): void => {
  const pointers = new Map<number, Point>();
  let start: Point | undefined;
  /** Where something was grabbed that is dragged. */
  let grabbed: Point | undefined;
  const pointOf = (event: MouseEvent): Point => {
    const { left, top } = element.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const on = <K extends keyof HTMLElementEventMap>(type: K, listener: (event: HTMLElementEventMap[K]) => void): void =>
    element.addEventListener(type, listener, { signal, passive: false });

  on('pointerdown', (event) => {
    if (event.button !== 0 && event.button !== 1) return;
    element.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, pointOf(event));
    // The second finger makes it no click.
    start = pointers.size === 1 && event.button === 0 ? pointOf(event) : undefined;
    if (!start && grabbed) gestures.drag(0, 0, false);
    grabbed = start && event.pointerType !== 'touch' && gestures.grabs(start) ? start : undefined;
  });
  on('pointermove', (event) => {
    const to = pointOf(event);
    const from = pointers.get(event.pointerId);
    if (!from) {
      if (event.pointerType !== 'touch') gestures.hover(to);
      return;
    }
    if (start && Math.hypot(to.x - start.x, to.y - start.y) < CLICK) return;
    if (start) element.classList.add('dragging');
    start = undefined;
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    pointers.set(event.pointerId, to);
    if (grabbed) {
      gestures.drag(to.x - grabbed.x, to.y - grabbed.y, false);
      return;
    }
    if (!other) {
      gestures.pan(to.x - from.x, to.y - from.y);
      return;
    }
    const middle = (point: Point): Point => ({ x: (point.x + other.x) / 2, y: (point.y + other.y) / 2 });
    const distance = (point: Point): number => Math.max(Math.hypot(point.x - other.x, point.y - other.y), 1);
    gestures.pan(middle(to).x - middle(from).x, middle(to).y - middle(from).y);
    gestures.zoom(distance(to) / distance(from), middle(to));
  });
  on('pointerup', (event) => {
    const to = pointOf(event);
    if (pointers.delete(event.pointerId) && start) gestures.click(start);
    else if (grabbed) gestures.drag(to.x - grabbed.x, to.y - grabbed.y, true);
    start = grabbed = undefined;
    if (!pointers.size) element.classList.remove('dragging');
  });
  on('pointercancel', (event) => {
    pointers.delete(event.pointerId);
    if (grabbed) gestures.drag(0, 0, false);
    start = grabbed = undefined;
    element.classList.remove('dragging');
  });
  on('pointerleave', () => gestures.hover(undefined));
  on('wheel', (event) => {
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 33 : event.deltaMode === WheelEvent.DOM_DELTA_PAGE ? 400 : 1;
    // A pinch on a touchpad arrives as a wheel with Ctrl and small steps.
    const speed = event.ctrlKey ? 0.01 : 0.0018;
    const change = Math.min(Math.max(-event.deltaY * unit * speed, -1), 1);
    if (event.shiftKey) gestures.pan(-(event.deltaX || event.deltaY) * unit, 0);
    else gestures.zoom(Math.exp(change), pointOf(event));
  });
};
