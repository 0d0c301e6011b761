/// Keys on the picture.
import type { Stage } from './stage.ts';
import type { Toggle } from './toolbar.ts';

export interface KeyEvents {
  frame(): void;
  reset(): void;
  /** Returns whether anything was selected. */
  deselect(): boolean;
  play(): void;
  step(direction: 1 | -1): void;
  flip(name: Toggle): void;
}

/** Radians that an arrow turns, pixels that it moves, and the factor of a step of zoom. */
const TURN = Math.PI / 24;
const MOVE = 40;
const ZOOM = 1.2;

/** Handles the keys while the picture has the focus. */
export const handleKeys = (stage: Stage, events: KeyEvents): void => {
  const arrow = (x: number, y: number, isMove: boolean): void => {
    if (isMove) stage.pan(x * MOVE, y * MOVE);
    else stage.turn(x * TURN, y * TURN);
  };
  const acts: Record<string, (event: KeyboardEvent) => boolean | void> = {
    ArrowLeft: ({ shiftKey }) => arrow(1, 0, shiftKey),
    ArrowRight: ({ shiftKey }) => arrow(-1, 0, shiftKey),
    ArrowUp: ({ shiftKey }) => arrow(0, 1, shiftKey),
    ArrowDown: ({ shiftKey }) => arrow(0, -1, shiftKey),
    '+': () => stage.zoom(ZOOM),
    '=': () => stage.zoom(ZOOM),
    '-': () => stage.zoom(1 / ZOOM),
    f: () => events.frame(),
    r: () => events.reset(),
    Home: () => events.reset(),
    Escape: () => events.deselect(),
    ' ': () => events.play(),
    ',': () => events.step(-1),
    '.': () => events.step(1),
    h: () => events.flip('hidden'),
    w: () => events.flip('wireframe'),
    n: () => events.flip('normals'),
    b: () => events.flip('bounds'),
    g: () => events.flip('grid'),
    l: () => events.flip('light'),
    p: () => events.flip('panel'),
  };
  stage.canvas.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const act = acts[event.key] ?? acts[event.key.toLowerCase()];
    if (!act) return;
    // A key that did nothing is left to what is around the picture: Escape closes a dialog.
    if (act(event) === false) return;
    event.preventDefault();
    event.stopPropagation();
  });
};
