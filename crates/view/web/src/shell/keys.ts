/// The table of keys: what the help shows, and what the views look up.

export interface Key {
  /** As the help shows it: several with spaces between them. */
  shown: string;
  meaning: string;
  /** What a view does, with the values of `KeyboardEvent.key` that ask for it. */
  does?: Record<string, string[]>;
}

const key = (shown: string, meaning: string, does?: Record<string, string[]>): Key => ({ shown, meaning, ...(does && { does }) });

export const everywhere = [
  key('/', 'Search everything', { search: ['/'] }),
  key('t', 'Go to the tree', { tree: ['t'] }),
  key('m', 'Go to the contents', { main: ['m'] }),
  key('?', 'Show this help', { help: ['?'] }),
  key('Ctrl Z', 'Take back the last change of a value'),
  key('Esc', 'Close what is open'),
];

export const lists = [
  key('↑ ↓', 'Move'),
  key('→ ←', 'Open and close, or move in and out'),
  key('Home End', 'First and last row'),
  key('a … z', 'Jump to the next name that begins so'),
  key('Enter', 'Show what is selected'),
  key('F2', 'Change the value of a field'),
];

const bytes = [
  key('↑ ↓ → ←', 'Move the cursor'),
  key('PageUp PageDown', 'Move by a page'),
  key('Ctrl Home', 'First byte'),
  key('Ctrl End', 'Last byte'),
  key('Enter', 'Select the field of the byte'),
];

const search = [
  key('↑ ↓ PageUp PageDown', 'Move among the results'),
  key('Enter', 'Go to the result, by default the first; open a group'),
];

export const tables = [
  key('↑ ↓ → ←', 'Move; with Ctrl to the edge; with Shift select a range of cells, as dragging does'),
  key('↑', 'From the first row: order, filter, values and width of the column'),
  key('Shift Space', 'Select the row'),
  key('Ctrl C', 'Copy the cell, the selected row or the range, for spreadsheets'),
  key('F2 Enter', 'Edit a cell'),
  key('Ctrl Enter', 'Follow the link of a cell'),
  key('Shift click', 'On the name of a column: sort by it as well'),
  key('Alt ← →', 'Step through order and filters: back and forward'),
];

export const levels = [
  key('drag', 'Move the map, or the selected object'),
  key('wheel + −', 'Zoom', { in: ['+', '='], out: ['-', '_'] }),
  key('0', 'Whole level', { fit: ['0'] }),
  key('1', 'Actual size', { actual: ['1'] }),
  key('↑ ↓ → ←', 'Move the map; with Shift faster', { left: ['ArrowLeft'], right: ['ArrowRight'], up: ['ArrowUp'], down: ['ArrowDown'] }),
  key('Enter', 'Select what is in the middle', { pick: ['Enter'] }),
  key('c', 'Next camera', { camera: ['c'] }),
  key('p o a g', 'Pictures, objects, attributes, grid', { sprites: ['p'], objects: ['o'], attributes: ['a'], grid: ['g'] }),
  key('j', 'Find an object', { jump: ['j'] }),
  key('b', 'Side panel', { panel: ['b'] }),
  key('Esc', 'End the selection', { close: ['Escape'] }),
];

export const models = [
  key('drag ↑ ↓ → ←', 'Turn; with Shift move', { left: ['ArrowLeft'], right: ['ArrowRight'], up: ['ArrowUp'], down: ['ArrowDown'] }),
  key('wheel + −', 'Zoom', { in: ['+', '='], out: ['-', '_'] }),
  key('f', 'Show what is selected, or everything', { frame: ['f'] }),
  key('r Home', 'First view', { reset: ['r', 'Home'] }),
  key('Space', 'Play or pause an animation', { play: [' '] }),
  key(', .', 'One step back or on', { previous: [','], next: ['.'] }),
  key('h w n b g l', 'Hidden objects, wireframe, normals, bounds, grid, light', { hidden: ['h'], wireframe: ['w'], normals: ['n'],
    bounds: ['b'], grid: ['g'], light: ['l'] }),
  key('p', 'Side panel', { panel: ['p'] }),
  key('Esc', 'End the selection', { close: ['Escape'] }),
];

/** All keys, as the help groups them. */
export const groups: [string, Key[]][] = [
  ['Everywhere', everywhere],
  ['Tree and lists', lists],
  ['Bytes', bytes],
  ['Search', search],
  ['Tables', tables],
  ['Levels', levels],
  ['Models', models],
];

/** Returns what a key asks for, by a table of keys. Upper and lower case are the same. */
export const actionOf = (keys: readonly Key[], event: KeyboardEvent): string | undefined => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return undefined;
  const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  for (const { does = {} } of keys) {
    const found = Object.entries(does).find(([, names]) => names.includes(pressed));
    if (found) return found[0];
  }
  return undefined;
};

/** Returns the first key that asks for something, as the page shows it. */
export const keyOf = (keys: readonly Key[], action: string): string =>
  keys.map(({ does }) => does?.[action]?.[0]).find((name) => name !== undefined)?.replace('-', '−').replace(/^ $/, 'Space').toUpperCase() ??
    '';

/** Returns where a key moves to in a list: up, down, by a page, or to an end. */
export const stepOf = ({ key }: KeyboardEvent, at: number, count: number, page = 8): number | undefined => {
  const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0,
    End: count - 1 };
  const step = steps[key];
  return step === undefined || !count ? undefined : Math.max(0, Math.min(count - 1, step));
};

/** Returns whether keys belong to what has the focus, where text is typed. */
export const isTyping = (event: Event): boolean =>
  (event.target as Element).matches('input:not([type=checkbox], [type=range]), textarea, select, [contenteditable]');
