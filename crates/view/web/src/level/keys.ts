/// The keys of the map.
import { actionOf, isTyping, levels } from '../shell/keys.ts';
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
  if (isTyping(event)) return undefined;
  const { map } = targets;
  const step = event.shiftKey ? STEP * FASTER : STEP;
  const action = actionOf(levels, event) ?? '';
  const onMap: Record<string, () => void> = { left: () => map.pan(step, 0), right: () => map.pan(-step, 0), up: () => map.pan(0, step),
    down: () => map.pan(0, -step), pick: () => map.pickMiddle() };
  const actions: Record<string, (() => void) | undefined> = { in: () => map.step(1), out: () => map.step(-1), fit: () => map.fit(),
    actual: () => map.zoomTo(1), close: targets.close, camera: targets.camera, panel: targets.panel, jump: targets.jump };
  const overlay = overlaysOf(targets.level).find((overlay) => overlay.overlay === action)?.overlay;
  return (inMap ? onMap[action] : undefined) ?? actions[action] ?? (overlay && (() => targets.toggle(overlay)));
};
