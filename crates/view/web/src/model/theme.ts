/// Colors of the page for what is drawn with three.js.
import { Color } from 'three';
import { colorOf } from '../shell/theme.ts';

/** Returns a custom property of CSS as a color, whatever notation it has. */
export const cssColor = (element: Element, name: string): Color => {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return new Color();
  context.fillStyle = colorOf(element, name);
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return new Color(`rgb(${red}, ${green}, ${blue})`);
};
