/// The contents of the cells of the grid.
import type { Change } from '../edits.ts';
import { changedValue } from '../edits/field.ts';
import { el, put } from '../shell/dom.ts';
import type { Column, Record } from '../api.ts';
import { isNumeric } from './data.ts';

/** More characters than a cell can show. */
const longest = 200;

/** Fills a cell; without a record, with a placeholder. */
export const drawCell = (cell: HTMLElement, record: Record | undefined, column: Column, change: Change | undefined,
  error: string | undefined): void =>
{
  cell.classList.toggle('waiting', !record);
  cell.classList.toggle('number', isNumeric(column));
  cell.classList.toggle('changed', change !== undefined);
  if (!record) {
    cell.setAttribute('aria-busy', String(error === undefined));
    cell.replaceChildren(error === undefined ? el('span', { class: 'placeholder' }) : column.index === 0 ? `Not read: ${error}` : '');
    return;
  }
  cell.removeAttribute('aria-busy');
  if (change) {
    cell.replaceChildren(changedValue(change));
    return;
  }
  const text = record.cells[column.index] ?? '';
  const shown = text.length > longest ? `${text.slice(0, longest)}…` : text;
  if (column.link && text) {
    // Not in the order of the tab key: the details have the same link.
    cell.replaceChildren(
      el('button', { class: 'cell-link', type: 'button', tabindex: -1, title: `Show this record of ${column.link.name}` }, shown),
    );
  } else {
    cell.replaceChildren();
    put(cell, shown);
  }
};
