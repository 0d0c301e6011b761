/// A picture or texture, from the whole to single pixels.
import { loadPicture } from '../children/card.ts';
import { el, put } from '../shell/dom.ts';
import { attempt } from '../shell/failure.ts';
import { icon, type IconName } from '../shell/icons.ts';
import type { Context, Mount, View } from '../view.ts';

const zooms = [0.125, 0.25, 0.5, 1, 2, 3, 4, 6, 8, 12, 16];

export const mountPicture: Mount = (host, context) => new PictureView(host, context);

class PictureView implements View {
  readonly #context: Context;
  readonly #picture = el('img', { class: 'picture checkerboard', draggable: 'false', alt: '' });
  readonly #stage = el('div', { class: 'picture-stage', tabindex: 0, role: 'region', 'aria-label': 'Picture: arrow keys scroll' });
  readonly #size = el('span', { class: 'dim numeric' });
  readonly #label = el('output', { class: 'zoom-label numeric', 'aria-label': 'Zoom' });
  readonly #resize: ResizeObserver;
  /** Pixels of the screen per pixel of the picture; `undefined` to fit. */
  #zoom: number | undefined;
  #url = '';

  constructor(host: HTMLElement, context: Context) {
    this.#context = context;
    const button = (name: IconName, label: string, action: () => void): HTMLElement =>
      el('button', { class: 'icon-button', type: 'button', 'aria-label': label, title: label, onclick: action }, icon(name));
    put(host,
      el('div', { class: 'toolbar' }, button('minus', 'Zoom out', () => this.#step(-1)), this.#label,
        button('plus', 'Zoom in', () => this.#step(1)),
        el('button', { class: 'button quiet', type: 'button', onclick: () => this.#set(undefined) }, icon('fit'), 'Fit'),
        el('button', { class: 'button quiet', type: 'button', onclick: () => this.#set(1) }, '1:1'), el('span', { class: 'grow' }),
        this.#size), this.#stage);
    host.classList.add('column');
    this.#resize = new ResizeObserver(() => this.#draw());
    this.#resize.observe(this.#stage);
    this.#stage.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    this.#stage.addEventListener('pointerdown', (event) => this.#drag(event));
    this.#stage.addEventListener('keydown', (event) => {
      if (event.key === '+' || event.key === '=') this.#step(1);
      else if (event.key === '-') this.#step(-1);
      else if (event.key === '0') this.#set(undefined);
      else if (event.key === '1') this.#set(1);
      else return;
      event.preventDefault();
    });
    context.signal.addEventListener('abort', () => host.classList.remove('column'));
    void attempt(this.#stage, () => this.#load());
  }

  destroy(): void {
    this.#resize.disconnect();
    URL.revokeObjectURL(this.#url);
  }

  async #load(): Promise<void> {
    const { node } = this.#context.about;
    this.#url = await loadPicture(node, this.#context.signal);
    this.#picture.src = this.#url;
    await this.#picture.decode();
    const { naturalWidth: width, naturalHeight: height } = this.#picture;
    this.#picture.alt = `${node.name}, ${width} by ${height} pixels`;
    this.#size.textContent = `${width} × ${height} pixels`;
    this.#stage.replaceChildren(this.#picture);
    this.#draw();
  }

  /** The zoom that is shown. */
  get #shown(): number {
    if (this.#zoom !== undefined) return this.#zoom;
    const { naturalWidth, naturalHeight } = this.#picture;
    const fit = Math.min(
      (this.#stage.clientWidth - 32) / (naturalWidth || 1),
      (this.#stage.clientHeight - 32) / (naturalHeight || 1),
    );
    // Whole steps keep pixels square.
    return fit >= 1 ? Math.min(16, Math.floor(fit)) : Math.max(fit, 0.01);
  }

  #draw(): void {
    if (!this.#picture.naturalWidth) return;
    const zoom = this.#shown;
    this.#picture.style.width = `${this.#picture.naturalWidth * zoom}px`;
    this.#picture.style.height = `${this.#picture.naturalHeight * zoom}px`;
    this.#picture.classList.toggle('pixelated', zoom >= 1);
    this.#label.textContent = `${Math.round(zoom * 100)} %`;
  }

  #step(direction: number): void {
    const now = this.#shown;
    const next = direction > 0 ? zooms.find((zoom) => zoom > now + 0.001) : zooms.findLast((zoom) => zoom < now - 0.001);
    if (next !== undefined) this.#set(next);
  }

  /** Zooms, and keeps a point of the stage where it is: the middle, or the pointer. */
  #set(zoom: number | undefined, x = this.#stage.clientWidth / 2, y = this.#stage.clientHeight / 2): void {
    const before = this.#picture.getBoundingClientRect();
    const stage = this.#stage.getBoundingClientRect();
    const inside = [(stage.left + x - before.left) / before.width, (stage.top + y - before.top) / before.height] as const;
    this.#zoom = zoom;
    this.#draw();
    const after = this.#picture.getBoundingClientRect();
    this.#stage.scrollLeft += after.left + inside[0] * after.width - stage.left - x;
    this.#stage.scrollTop += after.top + inside[1] * after.height - stage.top - y;
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    const stage = this.#stage.getBoundingClientRect();
    const now = this.#shown;
    const next = event.deltaY < 0 ? zooms.find((zoom) => zoom > now + 0.001) : zooms.findLast((zoom) => zoom < now - 0.001);
    if (next !== undefined) this.#set(next, event.clientX - stage.left, event.clientY - stage.top);
  }

  #drag(event: PointerEvent): void {
    if (event.button || event.pointerType === 'touch') return;
    const { scrollLeft, scrollTop } = this.#stage;
    this.#stage.setPointerCapture(event.pointerId);
    const move = (moved: PointerEvent): void => {
      this.#stage.scrollLeft = scrollLeft - (moved.clientX - event.clientX);
      this.#stage.scrollTop = scrollTop - (moved.clientY - event.clientY);
    };
    this.#stage.addEventListener('pointermove', move);
    this.#stage.addEventListener('lostpointercapture', () => this.#stage.removeEventListener('pointermove', move), { once: true });
  }
}
