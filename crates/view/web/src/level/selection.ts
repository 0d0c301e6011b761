/// What can be selected in a level.
import type { Level } from './info.ts';
import type { Objects } from './objects.ts';
import type { Box } from './place.ts';

export interface ObjectName {
  plane: number;
  /** Index of the object in the file. */
  object: number;
}

export interface CellName {
  plane: number;
  column: number;
  row: number;
}

export type Selection = ObjectName | CellName;

/** Returns whether two selections are the same. */
export const sameSelection = (a: Selection | undefined, b: Selection | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Returns the rectangle of an object or a tile on its plane. */
export const boxOf = (selection: Selection, level: Level, objects: ReadonlyMap<number, Objects>): Box | undefined => {
  if ('object' in selection) {
    const all = objects.get(selection.plane);
    return all && selection.object < all.count ? all.box(selection.object) : undefined;
  }
  const [width, height] = level.planes[selection.plane]?.tile ?? [0, 0];
  const { column, row } = selection;
  return { left: column * width, top: row * height, right: (column + 1) * width, bottom: (row + 1) * height };
};
