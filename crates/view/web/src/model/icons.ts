/// Icons of the model view.
import { outline } from '../outline.ts';

const outlines = {
  frame: 'M4 9V4.5h5M20 9V4.5h-5M4 15v4.5h5M20 15v4.5h-5M9 12a3 3 0 1 1 6 0 3 3 0 0 1-6 0z',
  reset: 'M4.5 12a7.5 7.5 0 1 0 2.4-5.5M4.5 4v4h4',
  ghost: 'M5 20V11a7 7 0 0 1 14 0v9l-2.3-2-2.4 2-2.3-2-2.3 2-2.4-2zM9.5 10.5h.01M14.5 10.5h.01',
  wireframe: 'M12 3l8 4.6v8.8L12 21l-8-4.6V7.6zM12 3v18M4 7.6l16 8.8M20 7.6L4 16.4',
  normals: 'M4 17.5l8 3.5 8-3.5-8-3.5zM12 17.5V4M8.5 7.5L12 4l3.5 3.5',
  bounds: 'M5 8.5h10.5v10.5H5zM8.5 5H19v10.5M5 8.5L8.5 5M15.5 8.5L19 5M15.5 19l3.5-3.5',
  grid: 'M2.5 17.5l5-9h9l5 9zM5.2 13h13.6M12 8.5v9M9.3 8.5l-2 9M14.7 8.5l2 9',
  light: 'M9.5 17.5h5M10.5 20.5h3M9.5 17.5c0-2.5-3-3.6-3-7.3a5.5 5.5 0 0 1 11 0c0 3.7-3 4.8-3 7.3',
  keys: 'M3.5 6.5h17v11h-17zM7 10h.01M10.3 10h.01M13.7 10h.01M17 10h.01M7 13.7h.01M10 13.7h4M17 13.7h.01',
  panel: 'M3.5 5h17v14h-17zM15 5v14',
  play: 'M7.5 4.8l11 7.2-11 7.2z',
  pause: 'M8.5 5v14M15.5 5v14',
  previous: 'M17 6l-7 6 7 6zM7 6v12',
  next: 'M7 6l7 6-7 6zM17 6v12',
  loop: 'M4.5 12a5 5 0 0 1 5-5h10M16.5 4l3 3-3 3M19.5 12a5 5 0 0 1-5 5h-10M7.5 20l-3-3 3-3',
  right: 'M9.5 6l6 6-6 6',
  model: 'M12 2.8l8 4.6v9.2l-8 4.6-8-4.6V7.4zM4 7.4l8 4.6 8-4.6M12 12v9.2',
  object: 'M12 4.5l6.5 3.7v7.6L12 19.5l-6.5-3.7V8.2z',
  group: 'M12 4v6M12 10H6v4M12 10h6v4M4 14h4v4H4zM16 14h4v4h-4z',
  hidden: 'M4 4l16 16M9.9 5.8A9.7 9.7 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-2.9 3.6M6.3 7.4A16.3 16.3 0 0 0 2.5 12S6 18.5 12 18.5a9.3 9.3 0 0 0 4.6-1.2',
  open: 'M13.5 4.5h6v6M19.5 4.5l-8 8M10 6H5.5v12.5H18V14',
  warning: 'M12 3.5l9.5 16.5h-19zM12 10v4.5M12 17.2h.01',
};

export type IconName = keyof typeof outlines;

/** Creates an icon, which screen readers skip: what it is on needs a name. */
export const icon = (name: IconName): SVGSVGElement => outline(outlines[name]);
