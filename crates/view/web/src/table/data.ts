/// What the page does with the answers about tables.
import type { Column, Record } from '../api.ts';

/** Returns the path of a cell, as the server gives it. */
export const cellPath = (record: Record, column: Column): string => column.index === 0 ? record.path : `${record.path}/${column.path}`;

/** Writes the name of a field as a segment of a path. */
export const escaped = (name: string): string => name.replaceAll(/[\\/=#:@*?]/g, '\\$&') || ':';

/** Whether the cells of a column can be changed: names of records, and the words for keys, are in no field. */
export const isEditable = (column: Column): boolean => column.index !== 0 && column.type !== 'words';

/** Returns whether the values of a column are numbers. */
export const isNumeric = (column: Column): boolean => /^[uif]\d+$/.test(column.type);
