/// Colors of the page for what is drawn on the canvas.
import { Color } from 'three';

/** Returns a custom property of CSS as a color, whatever notation it has. */
export const cssColor = (element: Element, name: string, other: string): Color => {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return new Color(other);
  context.fillStyle = other;
  context.fillStyle = getComputedStyle(element).getPropertyValue(name).trim() || other;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return new Color(`rgb(${red}, ${green}, ${blue})`);
};
