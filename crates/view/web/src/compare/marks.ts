/// Where a level differs: the rectangles of tiles and objects.
import { bytes, json } from '../api.ts';
import type { Level, Plane } from '../level/info.ts';
import type { Mark } from '../level/marks.ts';
import { Objects } from '../level/objects.ts';
import type { Difference } from './data.ts';
import { regionsOf } from './regions.ts';

/** With more frames, a map would show nothing else. */
const mostMarks = 20_000;

const tilePath = /^tile:\d+,\d+$/;
const objectPath = /^object(?::(-?\d+))?(?:#(\d+))?/;

/** Returns the places of differences on one side of a comparison. */
export const levelMarks = async (at: string, side: 'left' | 'right', differences: Difference[], signal: AbortSignal): Promise<Mark[]> => {
  const level = await json<Level>('level', { at }, signal);
  const objects: Planes = new Map();
  const marks = new Map<string, Mark>();
  const tiles = new Map<Plane, Difference[]>();
  for (const difference of differences) {
    if (marks.size >= mostMarks) break;
    const place = side === 'left' ? difference.leftPlace : difference.rightPlace;
    if (!place || place.at !== at) continue;
    const plane = level.planes.find((candidate) => place.path.startsWith(`${candidate.path}/`));
    if (!plane) continue;
    const inside = place.path.slice(plane.path.length + 1);
    const kind = difference.field || difference.change === 'moved' ? 'changed' : difference.change;
    if (tilePath.test(inside)) {
      const changed = tiles.get(plane);
      if (changed) changed.push(difference);
      else tiles.set(plane, [difference]);
      continue;
    }
    const object = objectPath.exec(inside);
    const rect = object && objectRect(await loaded(objects, at, plane, signal), object);
    if (rect) marks.set(`${plane.index} ${rect.join(' ')}`, { plane: plane.index, rect, kind });
  }
  // One frame around tiles that touch, under which the map stays visible.
  const regions = [...tiles].flatMap(([plane, changed]) =>
    regionsOf(plane.path, changed).map(({ left, top, right, bottom }): Mark => {
      const [width, height] = plane.tile;
      return { plane: plane.index, rect: [left * width, top * height, (right + 1) * width, (bottom + 1) * height], kind: 'changed' };
    })
  );
  return [...regions, ...marks.values()];
};

/** The objects of a plane, and the positions of those with an id. */
interface Indexed {
  objects: Objects;
  byId: Map<number, number[]>;
}

type Planes = Map<number, Promise<Indexed | undefined>>;

const loaded = (planes: Planes, at: string, plane: Plane, signal: AbortSignal): Promise<Indexed | undefined> => {
  let promise = planes.get(plane.index);
  if (!promise) {
    promise = bytes('level/objects', { at, plane: plane.index }, signal)
      .then((buffer) => buffer ? index(new Objects(buffer)) : undefined);
    planes.set(plane.index, promise);
  }
  return promise;
};

const index = (objects: Objects): Indexed => {
  const byId = new Map<number, number[]>();
  objects.id.forEach((id, position) => {
    const positions = byId.get(id);
    if (positions) positions.push(position);
    else byId.set(id, [position]);
  });
  return { objects, byId };
};

/** The rectangle of an object: the nth with an id, or the nth of all. */
const objectRect = (plane: Indexed | undefined, [, id, nth]: RegExpExecArray): Mark['rect'] | undefined => {
  if (!plane) return undefined;
  const place = Number(nth ?? 0);
  const position = id === undefined ? place : plane.byId.get(Number(id))?.[place];
  if (position === undefined || position >= plane.objects.count) return undefined;
  const { left, top, right, bottom } = plane.objects.box(position);
  return [left, top, right, bottom];
};
