/// The keys of the map.
import type { Level } from './info.ts';
import type { LevelMap } from './map.ts';
import type { Overlay } from './state.ts';
import { overlaysOf } from './toolbar.ts';

/** How far an arrow key moves the map, in CSS pixels; with Shift it is this many times as far. */
const STEP = 64;
const FASTER = 5;

interface Targets {
  map: LevelMap;
  level: Level;
  camera(): void;
  toggle(overlay: Overlay): void;
  panel(): void;
  /** Goes to the list of objects. */
  jump(): void;
  /** Ends the selection, if there is one. */
  close: (() => void) | undefined;
}

/** Returns what a key does; `inMap`: the map has the focus. */
export const keysOf = (event: KeyboardEvent, inMap: boolean, targets: Targets): (() => void) | undefined => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return undefined;
  if ((event.target as Element).matches('input:not([type=checkbox]), textarea, select')) return undefined;
  const { map } = targets;
  const step = event.shiftKey ? STEP * FASTER : STEP;
  if (inMap) {
    switch (event.key) {
      case 'ArrowLeft': return () => map.pan(step, 0);
      case 'ArrowRight': return () => map.pan(-step, 0);
      case 'ArrowUp': return () => map.pan(0, step);
      case 'ArrowDown': return () => map.pan(0, -step);
      case 'Enter': return () => map.pickMiddle();
    }
  }
  switch (event.key) {
    case '+': case '=': return () => map.step(1);
    case '-': case '_': return () => map.step(-1);
    case '0': return () => map.fit();
    case '1': return () => map.zoomTo(1);
    case 'Escape': return targets.close;
  }
  const key = event.key.toLowerCase();
  switch (key) {
    case 'c': return targets.camera;
    case 'b': return targets.panel;
    case 'j': return targets.jump;
  }
  const overlay = overlaysOf(targets.level).find((overlay) => overlay.key === key)?.overlay;
  return overlay && (() => targets.toggle(overlay));
};
