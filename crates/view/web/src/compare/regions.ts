/// Changed tiles of a level that touch each other, as one region.
import type { Box } from '../level/place.ts';
import type { Difference } from './data.ts';

/** Tiles that touch, and the rectangle around them; `right` and `bottom` belong to it. */
export interface Region extends Box {
  part: string;
  differences: Difference[];
}

const tile = /^tile:(\d+),(\d+)$/;

/** Returns the regions of the tiles among differences of one part. Tiles with at most one equal tile between them touch. */
export const regionsOf = (part: string, differences: Difference[]): Region[] => {
  const cells = new Map<string, { x: number; y: number; difference: Difference }>();
  for (const difference of differences) {
    const found = tile.exec(difference.field);
    if (found) cells.set(`${found[1]},${found[2]}`, { x: Number(found[1]), y: Number(found[2]), difference });
  }
  const regions: Region[] = [];
  for (const first of cells.values()) {
    if (!cells.delete(`${first.x},${first.y}`)) continue;
    const region: Region = { part, left: first.x, right: first.x, top: first.y, bottom: first.y, differences: [] };
    const open = [first];
    for (let cell = open.pop(); cell; cell = open.pop()) {
      const { x, y, difference } = cell;
      region.differences.push(difference);
      [region.left, region.right] = [Math.min(region.left, x), Math.max(region.right, x)];
      [region.top, region.bottom] = [Math.min(region.top, y), Math.max(region.bottom, y)];
      for (let row = y - 2; row <= y + 2; row += 1) {
        for (let column = x - 2; column <= x + 2; column += 1) {
          const next = cells.get(`${column},${row}`);
          if (!next) continue;
          cells.delete(`${column},${row}`);
          open.push(next);
        }
      }
    }
    regions.push(region);
  }
  return regions;
};
