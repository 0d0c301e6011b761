/// What is copied from the grid: values separated by tabs, for spreadsheets.
import { valueText } from '../edits/value.ts';
import type { Context } from '../view.ts';
import type { Column, Record } from '../api.ts';
import { cellPath } from './data.ts';

/** The maximum number of cells that are copied at once. */
export const mostCopied = 1_000_000;

/** Returns the values of a record in some columns, with the changes of the user. */
export const copiedText = (record: Record, columns: readonly Column[], { about, edits }: Pick<Context, 'about' | 'edits'>): string => {
  const values = columns.map((column) => {
    const change = edits.get(about.node.at, cellPath(record, column));
    return change ? valueText(change.to) : record.cells[column.index] ?? '';
  });
  return values.length === 1 ? values[0]! : values.map((value) => value.replaceAll(/[\t\r\n]+/g, ' ')).join('\t');
};
