/// The answers of the server about tables.
import type { Space } from '../api.ts';

export interface Column {
  index: number;
  name: string;
  type: string;
  /** Where the values lie in a record: "word 3, bits 0–6". */
  bits: string;
  group?: string;
  /** A table whose records the values probably name: how many of the different values are such names. */
  link?: { at: string; name: string; hits: number; values: number };
  sortable: boolean;
  /** The last segment of the paths of the cells. */
  path: string;
}

export interface Table {
  name: string;
  records: number;
  /** The first column has the names of the records. */
  columns: Column[];
  note?: string;
}

export interface Record {
  /** The position in the file. */
  index: number;
  path: string;
  cells: string[];
}

export interface RowsPage {
  total: number;
  from: number;
  rows: Record[];
}

export interface Cell {
  path: string;
  text: string;
  at?: [offset: number, length: number, space: Space];
  /** The record that the value names. */
  link?: { at: string; path: string };
}

/** Returns the path of a cell, as the server gives it. */
export const cellPath = (record: Record, column: Column): string =>
  column.index === 0 ? record.path : `${record.path}/${column.path}`;

/** Writes the name of a field as a segment of a path. */
export const escaped = (name: string): string => name.replaceAll(/[\\/=#:@*?]/g, '\\$&') || ':';

/** Returns whether the values of a column are numbers. */
/** Whether the cells of a column can be changed: names of records, and the words for keys, are in no field. */
export const isEditable = (column: Column): boolean => column.index !== 0 && column.type !== 'words';

export const isNumeric = (column: Column): boolean => /^[uif]\d+$/.test(column.type);
