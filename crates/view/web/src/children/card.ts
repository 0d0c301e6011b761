/// A card: something to open, with a picture if it is one.
import { ask, bytes, type Node } from '../api.ts';
import { loadThumbnail } from '../load-model.ts';
import { markDamage } from '../shell/damage.ts';
import { el, middle } from '../shell/dom.ts';
import { icon, kindIcon, kindName } from '../shell/icons.ts';
import { placeAddress } from '../shell/router.ts';
import { formatSize } from '../shell/text.ts';

/** Width and height of the pictures of models: twice those of a card, for sharp screens. */
const SIZE = 108;

/** A small picture of a node, or the icon of its kind. */
export const thumbnail = (node: Node): HTMLElement => {
  const frame = el('span', { class: 'thumbnail', 'data-kind': node.kind }, kindIcon(node.kind));
  if (node.kind === 'picture' || node.kind === 'texture' || node.kind === 'level') {
    const picture = el('img', { alt: '', decoding: 'async', draggable: 'false' });
    picture.addEventListener('load', () => {
      URL.revokeObjectURL(picture.src);
      frame.replaceChildren(picture);
      frame.classList.add('checkerboard');
      // Small pictures keep their pixels.
      if (picture.naturalWidth < 160 && node.kind !== 'level') picture.classList.add('pixelated');
    });
    // What cannot be shown keeps its icon.
    loadPicture(node).then((url) => (picture.src = url), () => {});
  }
  if (node.kind === 'world' || node.kind === 'model' || node.kind === 'part') {
    // Without WebGL, or without anything to draw, the icon stays.
    drawModel(frame, node).catch(() => {});
  }
  return frame;
};

/** Loads the picture of a node. Returns an address to show it from, which the caller revokes. */
export const loadPicture = async (node: Node, signal?: AbortSignal): Promise<string> => {
  const response = await ask(node.kind === 'level' ? 'level/thumbnail.png' : 'picture.png', { at: node.at, path: node.path }, {
    signal: signal ?? null,
  });
  return URL.createObjectURL(await response.blob());
};

const drawModel = async (frame: HTMLElement, node: Node): Promise<void> => {
  const draw = await loadThumbnail();
  const canvas = el('canvas', { width: SIZE, height: SIZE, hidden: true });
  frame.append(canvas);
  // What is empty cannot be drawn.
  const glb = async (): Promise<ArrayBuffer> => (await bytes('model.glb', { at: node.at, path: node.path })) ?? new ArrayBuffer(0);
  if (!(await draw(canvas, glb))) return;
  canvas.hidden = false;
  frame.replaceChildren(canvas);
};

/** What people call a node. */
export const titleOf = (node: Node): string => node.title || node.name || '(no name)';

/** What a node is, in a few words. */
export const describe = (node: Node): string =>
  [node.title && node.name, kindName[node.kind], formatName(node), node.size !== undefined && formatSize(node.size), node.note].filter(
    Boolean,
  ).join(' · ');

/** The name of a format, if it says more than the kind. */
export const formatName = (node: Node): string | undefined =>
  node.format && !['folder', 'world', 'broken'].includes(node.format) ? node.format.toUpperCase() : undefined;

/** A card that opens a node. */
export const card = (node: Node): HTMLAnchorElement => {
  const note = el('span', { class: 'card-note' }, describe(node));
  const element = el('a', { class: 'card', href: placeAddress({ at: node.at, path: node.path }), title: node.name }, thumbnail(node),
    el('span', { class: 'card-text' }, el('span', { class: 'card-name' }, middle(titleOf(node))), note));
  markDamage(element, node, (text) => {
    note.replaceChildren(icon('warning'), text);
    element.title = `${node.name}\n${text}`;
  });
  return element;
};
