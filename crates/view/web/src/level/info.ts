/// What the server says about a level. Pixels of a plane count from its top left, x to the right and y down.
import type { Row } from '../api.ts';

export interface Plane {
  index: number;
  path: string;
  name: string;
  main: boolean;
  /** Whether the game draws it. */
  drawn: boolean;
  columns: number;
  rows: number;
  tile: [width: number, height: number];
  width: number;
  height: number;
  /** Whether the plane repeats in each direction. */
  wrap: [x: boolean, y: boolean];
  /** How far the plane moves with the camera, in percent. */
  move: [x: number, y: number];
  z: number;
  /** How many objects are on it. */
  objects: number;
}

export interface Level {
  name: string;
  game: string | null;
  /** Index of the main plane. */
  main: number | null;
  planes: Plane[];
  attributes: boolean;
  /** The pictures of the game: where they are from, how many are missing, and why there are none. */
  pictures: { found: boolean; from?: string; missing: number; error?: string };
  legend: [name: string, color: string][];
  start?: [x: number, y: number];
  /** Number of levels of detail of the pictures. */
  zooms: number;
  /** How many planes the page leaves out. */
  omitted?: number;
  /** The planes directly after which the game draws objects; -1 is before all of them. */
  after?: number[];
}

export interface PictureName {
  name: string;
  at?: string;
  path?: string;
}

export interface ObjectDetails {
  path: string;
  /** What paths call the object: its id, with `#n` if several have it. */
  key: string;
  name: string;
  rows: Row[];
  picture?: PictureName;
}

export interface CellDetails {
  path: string;
  tile: number | null;
  text: string;
  attribute?: { path: string; rows: Row[] };
  picture?: PictureName;
}

/** What a path leads to. */
export interface Target {
  plane?: number;
  index?: number;
  column?: number;
  row?: number;
}

/** More planes than any game or fan level has. What is beyond is left out: every plane is a layer of the map. */
const MOST_PLANES = 256;

/** Returns a level with a number of planes that can be drawn. */
export const drawable = (level: Level): Level => ({
  ...level,
  planes: level.planes.slice(0, MOST_PLANES),
  omitted: Math.max(level.planes.length - MOST_PLANES, 0),
});

/** Returns the plane that the camera follows: the main plane or, in a level without one, the first. */
export const mainPlane = (level: Level): Plane | undefined => level.planes[level.main ?? 0] ?? level.planes[0];

/** Returns whether the plane has pixels. */
export const hasPixels = (plane: Plane): boolean => plane.width > 0 && plane.height > 0;
