// What tests of levels need: the level as `worldview show` prints it, and the map on the page.
import { join } from 'node:path';
import { worldview } from './program.mjs';

export const read = (samples, name) => JSON.parse(worldview('show', '--format', 'json', '--full', join(samples, name)));

export const EMPTY_TILE = 0xffffffff;
export const EMPTY = [24, 26, 32];

/** The color of a tile without a picture: groups of eight numbers have a hue, a golden angle apart. */
export const colorOf = (tile) => {
  const hue = (Math.floor(tile / 8) * 137_508) % 360_000;
  const lightness = 300 + 55 * (tile % 8);
  const chroma = Math.floor(((1000 - Math.abs(2 * lightness - 1000)) * 550) / 1000);
  const second = Math.floor((chroma * (60_000 - Math.abs((hue % 120_000) - 60_000))) / 60_000);
  const base = lightness - Math.floor(chroma / 2);
  const parts = [
    [chroma, second, 0],
    [second, chroma, 0],
    [0, chroma, second],
    [0, second, chroma],
    [second, 0, chroma],
    [chroma, 0, second],
  ][Math.floor(hue / 60_000)];
  return parts.map((part) => Math.floor(((base + part) * 255) / 1000));
};

export const same = (a, b) => a.every((part, index) => Math.abs(part - b[index]) <= 1);

/** The map of a page. */
export const mapOf = ({ page, allow }) => {
  allow(/willReadFrequently/);
  const canvas = page.locator('canvas.level-canvas');
  const box = () => canvas.boundingBox();
  return {
    canvas,
    box,
    /** Waits until all pictures have arrived. */
    settled: async () => {
      await canvas.waitFor();
      await page.waitForTimeout(400);
      await page.locator('.level:not(.is-loading)').waitFor();
      await page.waitForTimeout(150);
    },
    /** The color at a point of the map, in CSS pixels. */
    color: async (x, y) =>
      canvas.evaluate(
        (element, [x, y]) => {
          const data = element.getContext('2d').getImageData(x * devicePixelRatio, y * devicePixelRatio, 1, 1).data;
          return [...data.slice(0, 3)];
        },
        [x, y],
      ),
    /** The point of the map with a pixel of the level, for a view in the address. */
    point: async ({ x, y, zoom }, pixelX, pixelY) => {
      const { width, height } = await box();
      return [width / 2 + (pixelX - x) * zoom, height / 2 + (pixelY - y) * zoom];
    },
    /** The view that the address has. */
    view: async () => {
      await page.waitForTimeout(250);
      const { searchParams } = new URL(page.url());
      const [x, y, zoom] = ['x', 'y', 'zoom'].map((name) => Number(searchParams.get(name)));
      return { x, y, zoom };
    },
    click: async ([x, y]) => canvas.click({ position: { x, y } }),
  };
};

export const path = (url) => new URL(url).searchParams.get('path');
