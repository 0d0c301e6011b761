/// Icons as elements.

const svg = 'http://www.w3.org/2000/svg';

/** Creates an icon from an outline of 24×24 units. */
export const outline = (path: string): SVGSVGElement => {
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
