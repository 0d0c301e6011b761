/// Keys on the picture.
import { actionOf, models } from '../shell/keys.ts';
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
  const acts: Record<string, (event: KeyboardEvent) => unknown> = { left: ({ shiftKey }) => arrow(1, 0, shiftKey),
    right: ({ shiftKey }) => arrow(-1, 0, shiftKey), up: ({ shiftKey }) => arrow(0, 1, shiftKey),
    down: ({ shiftKey }) => arrow(0, -1, shiftKey), in: () => stage.zoom(ZOOM), out: () => stage.zoom(1 / ZOOM),
    frame: () => events.frame(), reset: () => events.reset(), close: () => events.deselect(), play: () => events.play(),
    previous: () => events.step(-1), next: () => events.step(1) };
  stage.canvas.addEventListener('keydown', (event) => {
    const action = actionOf(models, event);
    if (!action) return;
    const act = acts[action] ?? (() => events.flip(action as Toggle));
    // A key that did nothing is left to what is around the picture: Escape closes a dialog.
    if (act(event) === false) return;
    event.preventDefault();
    event.stopPropagation();
  });
};
