/// Where the keys of a grid lead, as in the ARIA pattern for grids.

export interface Position {
  /** -1 is the header. */
  row: number;
  column: number;
}

export interface Bounds {
  rows: number;
  columns: number;
  /** The number of rows that fit on the screen. */
  page: number;
}

/** Returns the position that a key leads to, or `undefined` if the key does not move. */
export const move = (event: KeyboardEvent, { row, column }: Position, { rows, columns, page }: Bounds): Position | undefined => {
  if (event.altKey || event.metaKey) return undefined;
  const all = event.ctrlKey;
  const clamp = (r: number, c: number): Position => ({ row: Math.max(-1, Math.min(rows - 1, r)),
    column: Math.max(0, Math.min(columns - 1, c)) });
  switch (event.key) {
    case 'ArrowUp':
      return clamp(all ? Math.min(row, 0) : row - 1, column);
    case 'ArrowDown':
      return clamp(all ? rows - 1 : row + 1, column);
    case 'ArrowLeft':
      return clamp(row, all ? 0 : column - 1);
    case 'ArrowRight':
      return clamp(row, all ? columns - 1 : column + 1);
    case 'PageUp':
      return clamp(Math.max(0, row - page), column);
    case 'PageDown':
      return clamp(row + page, column);
    case 'Home':
      return clamp(all ? 0 : row, 0);
    case 'End':
      return clamp(all ? rows - 1 : row, columns - 1);
    default:
      return undefined;
  }
};
