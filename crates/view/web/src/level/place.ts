/// Where the planes of a level are on the screen: over each other, or as the game's camera sees them.
import type { Plane } from './info.ts';

export interface Size {
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

/** A rectangle; right and bottom are not part of it. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The pixel of the main plane in the middle of the screen, and how many CSS pixels a pixel of the level takes. */
export interface View extends Point {
  scale: number;
}

/** Planes over each other, or moved by a camera that sees 640x480 pixels or all that the screen shows. */
export type Camera = 'flat' | 'frame' | 'whole';

/** The screen of the game. */
export const GAME_SCREEN: Size = { width: 640, height: 480 };

/** Largest scale: CSS pixels per pixel of the level. */
export const MOST_SCALE = 16;

/** The position of a plane on the screen, in CSS pixels. */
export interface Placement {
  plane: Plane;
  left: number;
  top: number;
  scale: number;
}

/** Returns how much the camera sees, in pixels of the level. */
export const seen = (camera: Camera, scale: number, size: Size): Size =>
  camera === 'frame' ? GAME_SCREEN : { width: size.width / scale, height: size.height / scale };

/** Keeps the camera inside a plane. A plane that is smaller than the view starts at its left or top. */
const inside = (center: number, span: number, length: number): number => Math.max(Math.min(center, length - span / 2), span / 2);

/** Returns the remainder with the sign of the divisor. */
export const modulo = (value: number, length: number): number => ((value % length) + length) % length;

/** Returns the pixel of a plane in the middle of the screen. */
const center = (plane: Plane, view: View, size: Size, camera: Camera): Point => {
  if (camera === 'flat') return view;
  const { width, height } = seen(camera, view.scale, size);
  const at = (position: number, axis: 0 | 1, span: number, length: number): number => {
    const moved = plane.main ? position : (position * plane.move[axis]) / 100;
    return plane.wrap[axis] ? moved : inside(moved, span, length);
  };
  return { x: at(view.x, 0, width, plane.width), y: at(view.y, 1, height, plane.height) };
};

/** Returns where a plane is on the screen. */
export const place = (plane: Plane, view: View, size: Size, camera: Camera): Placement => {
  const { x, y } = center(plane, view, size, camera);
  return { plane, left: size.width / 2 - x * view.scale, top: size.height / 2 - y * view.scale, scale: view.scale };
};

/** Returns the nearest view that can be reached: the game's camera does not leave the main plane. */
export const reachable = (view: View, main: Plane, size: Size, camera: Camera): View => {
  const scale = Math.min(Math.max(view.scale, leastScale(main, size)), MOST_SCALE);
  const at = (position: number, axis: 0 | 1, span: number, length: number): number => {
    if (camera === 'flat') return Math.min(Math.max(position, 0), length);
    return main.wrap[axis] ? modulo(position, length) : inside(position, span, length);
  };
  const { width, height } = seen(camera, scale, size);
  return { x: at(view.x, 0, width, main.width), y: at(view.y, 1, height, main.height), scale };
};

/** Returns the view that shows the whole plane, with a margin. */
export const whole = (plane: Plane, size: Size): View => {
  const scale = Math.min(size.width / plane.width, size.height / plane.height) * 0.96;
  return { x: plane.width / 2, y: plane.height / 2, scale: Math.min(scale, MOST_SCALE) };
};

/** Returns the view with a point in its middle, or as near to it as leaves no room beside the plane. */
export const around = (plane: Plane, { x, y }: Point, scale: number, size: Size): View => {
  const at = (position: number, span: number, length: number): number => (span < length ? inside(position, span, length) : length / 2);
  return { x: at(x, size.width / scale, plane.width), y: at(y, size.height / scale, plane.height), scale };
};

const leastScale = (plane: Plane, size: Size): number => Math.min(whole(plane, size).scale / 2, 1);

/** Returns the pixel of a plane at a point of the screen. Planes that wrap have every pixel again and again. */
export const pixelAt = ({ plane, left, top, scale }: Placement, point: Point): Point | undefined => {
  const along = (position: number, length: number, wraps: boolean): number => {
    const pixel = Math.floor(position);
    return wraps ? modulo(pixel, length) : pixel;
  };
  const x = along((point.x - left) / scale, plane.width, plane.wrap[0]);
  const y = along((point.y - top) / scale, plane.height, plane.wrap[1]);
  return x >= 0 && y >= 0 && x < plane.width && y < plane.height ? { x, y } : undefined;
};

/** A visible piece of a plane along one axis. */
export interface Run {
  /** Position on the screen of the first pixel of this copy of the plane. */
  origin: number;
  /** The visible pixels of the plane. */
  from: number;
  to: number;
}

/** Returns how many copies of a plane are visible along an axis. */
export const copies = (origin: number, scale: number, length: number, wraps: boolean, extent: number): number =>
  wraps ? Math.ceil((extent - origin) / (length * scale)) - Math.floor(-origin / (length * scale)) : 1;

/** Returns the visible pieces of a plane along an axis: one, or one for each copy of a plane that wraps. */
export const runs = (origin: number, scale: number, length: number, wraps: boolean, extent: number): Run[] => {
  const period = length * scale;
  const first = wraps ? Math.floor(-origin / period) : 0;
  const count = copies(origin, scale, length, wraps, extent);
  const found: Run[] = [];
  for (let copy = first; copy < first + count; copy++) {
    const start = origin + copy * period;
    const from = Math.max(0, -start / scale);
    const to = Math.min(length, (extent - start) / scale);
    if (from < to) found.push({ origin: start, from, to });
  }
  return found;
};

/** Returns whether two boxes share a pixel. */
export const overlaps = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
