/// Levels as the page draws them. Pixels of a plane count from its top left, x to the right and y down.
import type { Level as Answer, Plane } from '../api.ts';

export type { CellDetails, ObjectDetails, PictureName, Plane, Target } from '../api.ts';

export interface Level extends Answer {
  /** How many planes the page leaves out. */
  omitted: number;
}

/** More planes than any game or fan level has. What is beyond is left out: every plane is a layer of the map. */
const MOST_PLANES = 256;

/** Returns a level with a number of planes that can be drawn. */
export const drawable = (level: Answer): Level => ({ ...level, planes: level.planes.slice(0, MOST_PLANES),
  omitted: Math.max(level.planes.length - MOST_PLANES, 0) });

/** Returns the plane that the camera follows: the main plane or, in a level without one, the first. */
export const mainPlane = (level: Level): Plane | undefined => level.planes[level.main ?? 0] ?? level.planes[0];

/** Returns whether the plane has pixels. */
export const hasPixels = (plane: Plane): boolean => plane.width > 0 && plane.height > 0;
