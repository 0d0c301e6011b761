/// What is known about the selected object.
import { type MeshStandardMaterial, Vector3 } from 'three';
import { el, put } from '../shell/dom.ts';
import type { Appearance } from './appearance.ts';
import { wordButton } from './button.ts';
import type { Gltf } from './gltf.ts';
import { icon } from '../shell/icons.ts';
import { bodyOf, family, type Item, type Piece } from './objects.ts';

/** Pixels of the picture of a texture, at most. */
const PICTURE = 64;
/** Materials that are listed for a single object, at most. */
const MOST = 60;

const number = (value: number): string => value.toLocaleString('en');
const decimal = (value: number): string => (Math.round(value * 1000) / 1000 || 0).toLocaleString('en', { maximumFractionDigits: 3 });

export interface DetailsEvents {
  frame(item: Item): void;
  /** Shows a placed model on its own. */
  open?: ((item: Item) => void) | undefined;
}

export class Details {
  readonly element: HTMLElement;
  readonly #gltf: Gltf;
  readonly #appearance: Appearance;
  readonly #hint = el('p', { class: 'model-hint' }, 'Click an object in the picture or in the list to see what it is made of.');
  readonly #title = el('h3');
  readonly #facts = el('dl', { class: 'model-facts' });
  readonly #materials = el('ul', { class: 'model-materials', 'aria-label': 'Materials' });
  readonly #content: HTMLElement;
  readonly #open: HTMLButtonElement;
  readonly #canOpen: boolean;
  #item: Item | null = null;

  constructor(gltf: Gltf, appearance: Appearance, events: DetailsEvents) {
    this.#gltf = gltf;
    this.#appearance = appearance;
    this.#open = wordButton('open', 'Alone', 'Show this model alone', '', () => this.#item && events.open?.(this.#item));
    const frame = wordButton('frame', 'Frame', 'Frame selection', '', () => this.#item && events.frame(this.#item));
    this.#canOpen = events.open !== undefined;
    this.#content = el('div', {}, el('div', { class: 'model-head' }, this.#title, this.#open, frame), this.#facts, this.#materials);
    this.element = el('section', { class: 'model-details', 'aria-label': 'Selected object' }, this.#hint, this.#content);
    this.show(null);
  }

  /** Shows an item as it is drawn now. */
  show(item: Item | null): void {
    this.#item = item;
    this.#hint.hidden = item !== null;
    this.#content.hidden = item === null;
    if (!item) return;
    this.#open.hidden = !this.#canOpen || item.kind !== 'model';
    const pieces = this.#pieces(item);
    this.#title.replaceChildren(icon(item.kind), el('span', { title: item.name }, item.name || '(no name)'));
    this.#facts.replaceChildren();
    for (const [label, value] of this.#factsOf(item, pieces)) put(this.#facts, el('dt', {}, label), el('dd', {}, value));
    this.#list(pieces);
  }

  /** The pieces of the levels that are shown; of hidden objects, those of the finest. */
  #pieces(item: Item): Piece[] {
    return bodyOf(item).flatMap((part) => this.#appearance.levelOf(part)?.pieces ?? []);
  }

  #factsOf(item: Item, pieces: readonly Piece[]): [string, string][] {
    const { extras, levels } = item;
    const sum = (of: 'triangles' | 'vertices', all = pieces): string => number(all.reduce((so, piece) => so + piece[of], 0));
    const position = item.object.getWorldPosition(new Vector3());
    const shown = this.#appearance.levelOf(item);
    const facts: [string, string][] = [['Triangles', sum('triangles')], ['Vertices', sum('vertices')]];
    if (shown && levels.length > 1) {
      const counts = levels.map(({ triangles }) => number(triangles)).join(' · ');
      facts.push(['Level', `LOD ${shown.number}, ${levels.indexOf(shown) + 1} of ${levels.length}`]);
      facts.push(['Triangles by level', counts]);
    }
    if (item.children.length) {
      const drawn = [...family(item)].filter((other) => other.levels.length);
      const all = drawn.flatMap((other) => this.#appearance.levelOf(other)?.pieces ?? []);
      const objects = number(drawn.length);
      if (item.levels.length) facts.push(['With all below', `${sum('triangles', all)} triangles, ${objects} objects`]);
      else facts.push(['Objects', objects]);
    }
    // The axes of the file are left-handed: x is the opposite of that in glTF.
    facts.push(['Position', `${decimal(-position.x)}, ${decimal(position.y)}, ${decimal(position.z)}`]);
    if (this.#appearance.shown[item.id]?.isHidden) facts.push(['Visible', 'not now']);
    if (extras.presenter) facts.push(['Presenter', extras.presenter]);
    if (extras.color) facts.push(['Own color', extras.color]);
    if (extras.shares) facts.push(['Shares levels of', extras.shares]);
    return facts;
  }

  #list(pieces: readonly Piece[]): void {
    const triangles = new Map<number, number>();
    const first = new Map<number, Piece>();
    for (const piece of pieces) {
      triangles.set(piece.index, (triangles.get(piece.index) ?? 0) + piece.triangles);
      if (!first.has(piece.index)) first.set(piece.index, piece);
    }
    const listed = [...first].slice(0, MOST);
    const rows = listed.map(([index, piece]) => this.#material(index, piece, triangles.get(index) ?? 0));
    if (first.size > MOST) rows.push(el('li', { class: 'dim' }, `and ${number(first.size - MOST)} more`));
    this.#materials.replaceChildren(...rows);
  }

  #material(index: number, piece: Piece, triangles: number): HTMLElement {
    const material = this.#gltf.materials?.[index];
    const texture = this.#gltf.textures?.[material?.pbrMetallicRoughness?.baseColorTexture?.index ?? -1];
    const opacity = material?.pbrMetallicRoughness?.baseColorFactor?.[3] ?? 1;
    const { map, color } = piece.material as MeshStandardMaterial;
    const notes = [
      piece.isLines ? 'wireframe' : `${number(triangles)} ${triangles === 1 ? 'triangle' : 'triangles'}`,
      piece.isLines ? '' : piece.mesh.geometry.hasAttribute('normal') ? 'smooth' : 'flat',
      opacity < 1 ? `${Math.round(opacity * 100)} % opaque` : '',
      (material?.pbrMetallicRoughness?.roughnessFactor ?? 1) < 1 ? 'shiny' : '',
      material?.extras?.inherits ? 'inherits its color' : '',
      material?.extras?.texture && !texture ? `texture ${material.extras.texture} is missing` : '',
    ];
    const swatch = map?.image ? picture(map.image as Drawable) : el('span', { class: 'model-swatch' });
    const hex = `#${color.getHexString()}`;
    if (!map) swatch.style.background = hex;
    const size = map?.image ? ` ${(map.image as Drawable).width}×${(map.image as Drawable).height}` : '';
    const title = texture ? `${texture.name ?? 'texture'}` : material?.name || hex;
    return el('li', {}, swatch,
      el('div', {}, el('b', {}, title),
        texture ? el('span', { class: 'dim' }, size) : material?.name ? el('span', { class: 'dim' }, ` ${hex}`) : null,
        el('small', {}, notes.filter(Boolean).join(' · '))));
  }
}

type Drawable = ImageBitmap;

/** Draws a small picture of a texture. */
const picture = (image: Drawable): HTMLCanvasElement => {
  const scale = Math.min(1, PICTURE / Math.max(image.width, image.height));
  const canvas = el('canvas', { class: 'model-swatch', width: Math.max(1, Math.round(image.width * scale)),
    height: Math.max(1, Math.round(image.height * scale)), 'aria-hidden': 'true' });
  if (image instanceof ImageBitmap) canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
};
