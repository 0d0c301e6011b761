/// Icons of the page.
import type { Kind } from '../api.ts';

const outlines = {
  folder: 'M3 6.5A1.5 1.5 0 0 1 4.5 5h4.6l2 2.5h8.4A1.5 1.5 0 0 1 21 9v8.5a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17.5z',
  archive: 'M4 8.5h16v10a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 18.5zM3 4h18v4.5H3zM10 12.5h4',
  table:
    'M3.5 6A1.5 1.5 0 0 1 5 4.5h14A1.5 1.5 0 0 1 20.5 6v12a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 18zM3.5 9.5h17M3.5 14.5h17M9.5 9.5v10',
  level: 'M3.5 5.5l5.5-2 6 2 5.5-2v15l-5.5 2-6-2-5.5 2zM9 3.5v15M15 5.5v15',
  database:
    'M4.5 6c0-1.7 3.4-3 7.5-3s7.5 1.3 7.5 3-3.4 3-7.5 3-7.5-1.3-7.5-3zM4.5 6v12c0 1.7 3.4 3 7.5 3s7.5-1.3 7.5-3V6M4.5 12c0 1.7 3.4 3 7.5 3s7.5-1.3 7.5-3',
  world: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM3 12h18M12 3c2.7 2.6 4 5.6 4 9s-1.3 6.4-4 9c-2.7-2.6-4-5.6-4-9s1.3-6.4 4-9z',
  model: 'M12 2.8l8 4.6v9.2l-8 4.6-8-4.6V7.4zM4 7.4l8 4.6 8-4.6M12 12v9.2',
  part: 'M12 4l7 4-7 4-7-4zM5 8v5l7 4 7-4V8M12 12v5',
  texture: 'M4.5 4.5h15v15h-15zM4.5 12h15M12 4.5v15M4.5 4.5h7.5v7.5h-7.5zM12 12h7.5v7.5H12z',
  picture:
    'M3.5 6A1.5 1.5 0 0 1 5 4.5h14A1.5 1.5 0 0 1 20.5 6v12a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 18zM3.5 16l5-5 4.5 4.5 2.5-2.5 5 5M15.5 8.5h.01',
  data:
    'M6.5 3h7.5l4.5 4.5V19.5A1.5 1.5 0 0 1 17 21H6.5A1.5 1.5 0 0 1 5 19.5v-15A1.5 1.5 0 0 1 6.5 3zM14 3v4.5h4.5M8.5 12.5h1.5M12.5 12.5h3M8.5 16h3M14 16h1.5',
  broken: 'M6.5 3h7.5l4.5 4.5V19.5A1.5 1.5 0 0 1 17 21H6.5A1.5 1.5 0 0 1 5 19.5v-15A1.5 1.5 0 0 1 6.5 3zM11.8 10v4M11.8 17h.01',
  menu: 'M4 7h16M4 12h16M4 17h16',
  search: 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5L20.5 20.5',
  close: 'M6 6l12 12M18 6L6 18',
  right: 'M9.5 6l6 6-6 6',
  down: 'M6 9.5l6 6 6-6',
  left: 'M14.5 6l-6 6 6 6',
  up: 'M6 14.5l6-6 6 6',
  sun:
    'M12 7.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
  help: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M12 16.8h.01',
  download: 'M12 4v11M7 10.5l5 5 5-5M4.5 19.5h15',
  info: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 11v5.5M12 7.7h.01',
  warning: 'M12 3.5l9.5 16.5h-19zM12 10v4.5M12 17.2h.01',
  list: 'M8 6.5h12M8 12h12M8 17.5h12M4 6.5h.01M4 12h.01M4 17.5h.01',
  grid: 'M4.5 4.5h6v6h-6zM13.5 4.5h6v6h-6zM4.5 13.5h6v6h-6zM13.5 13.5h6v6h-6z',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  fit: 'M4 9V4.5h5M20 9V4.5h-5M4 15v4.5h5M20 15v4.5h-5',
  edit: 'M4.5 19.5l1-4.5L16 4.5l3.5 3.5L9 18.5zM13.5 7l3.5 3.5',
  compare: 'M8 4.5H5A1.5 1.5 0 0 0 3.5 6v12A1.5 1.5 0 0 0 5 19.5h3M16 4.5h3A1.5 1.5 0 0 1 20.5 6v12a1.5 1.5 0 0 1-1.5 1.5h-3M12 2.5v19',
  check: 'M4.5 12.5l5 5 10-11',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1',
  play: 'M7 4.5l12 7.5-12 7.5z',
  pause: 'M8 5v14M16 5v14',
  reset: 'M4.5 12a7.5 7.5 0 1 0 2.4-5.5M4.5 4v4h4',
  layers: 'M12 3.5l9 5-9 5-9-5zM3 13l9 5 9-5',
  chart: 'M4 4v16h16M8 16v-4M12.5 16V8M17 16v-6',
  frame: 'M4 9V4.5h5M20 9V4.5h-5M4 15v4.5h5M20 15v4.5h-5M9 12a3 3 0 1 1 6 0 3 3 0 0 1-6 0z',
  ghost: 'M5 20V11a7 7 0 0 1 14 0v9l-2.3-2-2.4 2-2.3-2-2.3 2-2.4-2zM9.5 10.5h.01M14.5 10.5h.01',
  wireframe: 'M12 3l8 4.6v8.8L12 21l-8-4.6V7.6zM12 3v18M4 7.6l16 8.8M20 7.6L4 16.4',
  normals: 'M4 17.5l8 3.5 8-3.5-8-3.5zM12 17.5V4M8.5 7.5L12 4l3.5 3.5',
  bounds: 'M5 8.5h10.5v10.5H5zM8.5 5H19v10.5M5 8.5L8.5 5M15.5 8.5L19 5M15.5 19l3.5-3.5',
  light: 'M9.5 17.5h5M10.5 20.5h3M9.5 17.5c0-2.5-3-3.6-3-7.3a5.5 5.5 0 0 1 11 0c0 3.7-3 4.8-3 7.3',
  panel: 'M3.5 5h17v14h-17zM15 5v14',
  previous: 'M17 6l-7 6 7 6zM7 6v12',
  next: 'M7 6l7 6-7 6zM17 6v12',
  loop: 'M4.5 12a5 5 0 0 1 5-5h10M16.5 4l3 3-3 3M19.5 12a5 5 0 0 1-5 5h-10M7.5 20l-3-3 3-3',
  object: 'M12 4.5l6.5 3.7v7.6L12 19.5l-6.5-3.7V8.2z',
  group: 'M12 4v6M12 10H6v4M12 10h6v4M4 14h4v4H4zM16 14h4v4h-4z',
  hidden:
    'M4 4l16 16M9.9 5.8A9.7 9.7 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-2.9 3.6M6.3 7.4A16.3 16.3 0 0 0 2.5 12S6 18.5 12 18.5a9.3 9.3 0 0 0 4.6-1.2',
  open: 'M13.5 4.5h6v6M19.5 4.5l-8 8M10 6H5.5v12.5H18V14',
  axes: 'M2.5 17.5l5-9h9l5 9zM5.2 13h13.6M12 8.5v9M9.3 8.5l-2 9M14.7 8.5l2 9',
};

const svg = 'http://www.w3.org/2000/svg';

/** Creates an icon from an outline of 24×24 units. */
const outline = (path: string): SVGSVGElement => {
  const element = document.createElementNS(svg, 'svg');
  element.classList.add('icon');
  element.setAttribute('viewBox', '0 0 24 24');
  element.setAttribute('fill', 'none');
  element.setAttribute('stroke', 'currentColor');
  element.setAttribute('stroke-width', '1.8');
  element.setAttribute('stroke-linecap', 'round');
  element.setAttribute('stroke-linejoin', 'round');
  element.setAttribute('aria-hidden', 'true');
  const shape = document.createElementNS(svg, 'path');
  shape.setAttribute('d', path);
  element.append(shape);
  return element;
};

export type IconName = keyof typeof outlines;

/** Creates an icon, which screen readers skip: what it is on needs a name. */
export const icon = (name: IconName): SVGSVGElement => outline(outlines[name]);

/** Creates the icon of a kind, in its color. */
export const kindIcon = (kind: Kind): SVGSVGElement => {
  const element = icon(kind === 'textures' ? 'texture' : kind);
  element.classList.add('kind');
  element.dataset.kind = kind;
  return element;
};

/** What a kind is called. */
export const kindName: Record<Kind, string> = { folder: 'Folder', archive: 'Archive', table: 'Table', level: 'Level', database: '3D worlds',
  world: 'World', model: 'Model', part: 'Part', texture: 'Texture', textures: 'Textures', picture: 'Picture', data: 'Data',
  broken: 'Broken file' };
