/// Widths of columns.
import type { Column, Record } from '../api.ts';

export const narrowest = 48;
export const widest = 900;

/** About the width of a character of the grid in pixels; CJK characters take two. */
const character = 7.6;
const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/gu;

const width = (text: string): number => (text.length + (text.match(wide)?.length ?? 0)) * character;

/** Returns a width in which the name and most values can be read. */
export const naturalWidth = (column: Column, records: Record[]): number => {
  // The name, an arrow with a number beside it, and the type.
  const head = Math.max(width(column.name) + 48 + column.type.length * 6.3, 96);
  const values = records.reduce((most, record) => Math.max(most, width(record.cells[column.index] ?? '') + 24), 0);
  return Math.round(Math.min(Math.max(head, values), 320));
};
