/// The view of a model, part or world: picture, tree, facts and timeline, tied together.
import { Box3, type Object3D, Vector3 } from 'three';
import { el, later } from '../shell/dom.ts';
import { onTheme } from '../shell/theme.ts';
import { Appearance } from './appearance.ts';
import { Details } from './details.ts';
import { handleKeys } from './keys.ts';
import { dispose, load, type Loaded } from './load.ts';
import { bodyOf, type Item } from './objects.ts';
import { boundsOf, boxOf, Overlays } from './overlays.ts';
import { Paths } from './paths.ts';
import { Picker } from './pick.ts';
import { Player } from './player.ts';
import { Stage } from './stage.ts';
import { cssColor } from './theme.ts';
import { Timeline } from './timeline.ts';
import { Toolbar, type Toggle } from './toolbar.ts';
import { Tree } from './tree.ts';

/** Milliseconds without a move after which the camera is at rest. */
const SETTLED = 200;

export interface ViewerOptions {
  /** The path of what is shown; empty if paths do not matter. */
  base: string;
  /** What stands in place of a picture. */
  empty: string;
  /** The path of what is selected first. */
  selected: string;
  /** From where it is seen first; empty for the usual place. */
  viewpoint: string;
  /** Called when the user has moved the camera; with an empty text if it is at the usual place again. */
  onMove(viewpoint: string): void;
  /** Called when the user selects something. */
  onSelect(path: string): void;
  /** Shows a model of a world on its own; left out where that is not possible. */
  onOpen?: ((path: string) => void) | undefined;
  /** Called when the graphics card has dropped everything: the view is of no use any more. */
  onLost(): void;
  /** Called when the graphics card would draw again. */
  onRestored(): void;
}

export class Viewer {
  readonly #host: HTMLElement;
  readonly #options: ViewerOptions;
  readonly #loaded: Loaded;
  readonly #paths: Paths;
  readonly #stage: Stage;
  readonly #appearance: Appearance;
  readonly #overlays: Overlays;
  readonly #player: Player;
  readonly #picker: Picker;
  readonly #tree: Tree;
  readonly #details: Details;
  readonly #toolbar: Toolbar;
  readonly #timeline: Timeline | null;
  readonly #status = el('p', { class: 'model-status numeric', role: 'status' });
  readonly #said = el('p', { class: 'visually-hidden', role: 'status' });
  readonly #layout: HTMLElement;
  readonly #end = new AbortController();
  readonly #whole = new Box3();
  #visible: Uint8Array;
  #selected: Item | null = null;
  /** The first viewpoint, and the last that the page knows of. */
  #home = '';
  #told = '';
  /** Whether overlays and facts have to be built anew. */
  #isStale = true;

  /** Loads a GLB and shows it. Rejects with an error that says why it cannot be shown. */
  static async open(host: HTMLElement, glb: ArrayBuffer, options: ViewerOptions): Promise<Viewer> {
    const loaded = await load(glb);
    try {
      return new Viewer(host, loaded, options);
    } catch (error) {
      dispose(loaded.scene);
      host.replaceChildren();
      throw error;
    }
  }

  private constructor(host: HTMLElement, loaded: Loaded, options: ViewerOptions) {
    this.#host = host;
    this.#options = options;
    this.#loaded = loaded;
    const { items, roots, scene, motions } = loaded;
    const picture = el('div', { class: 'model-picture' });
    this.#stage = new Stage(picture, {
      advance: (seconds) => this.#advance(seconds),
      arrange: () => this.#arrange(),
      lost: options.onLost,
      restored: options.onRestored,
    });
    this.#stage.scene.add(scene);
    this.#paths = new Paths(options.base, items);
    this.#appearance = new Appearance(loaded);
    this.#player = new Player(motions, loaded.visible);
    this.#visible = this.#player.pose();
    this.#overlays = new Overlays(this.#stage.scene, this.#appearance, items);
    this.#tree = new Tree(items, roots, {
      select: (item) => this.#choose(item),
      frame: (item) => this.#frame(item),
      isHidden: (item) => item.gates.some((node) => !this.#visible[node]),
      level: (item) => this.#appearance.levelOf(item),
    });
    this.#details = new Details(loaded.gltf, this.#appearance, {
      frame: (item) => this.#frame(item),
      open: options.onOpen && ((item) => options.onOpen?.(this.#paths.of(item))),
    });
    this.#toolbar = new Toolbar({
      frame: () => this.#frame(this.#selected),
      reset: () => this.#stage.look(this.#whole, { fromFront: true }),
      level: (choice) => {
        this.#appearance.choice = choice;
        this.#stage.invalidate();
      },
      toggle: (name, isOn) => this.#toggle(name, isOn),
    }, this.#appearance);
    this.#timeline = motions.length ? new Timeline(this.#player, this.#stage.invalidate) : null;
    this.#picker = new Picker(this.#stage, scene, items, { pick: (item) => this.#choose(item), frame: (item) => this.#frame(item) });
    this.#layout = this.#build(picture);
    this.#paint();
    onTheme(() => this.#paint(), this.#end.signal);
    handleKeys(this.#stage, {
      frame: () => this.#frame(this.#selected),
      reset: () => this.#stage.look(this.#whole, { fromFront: true }),
      deselect: () => {
        const had = this.#selected !== null;
        this.#choose(null);
        return had;
      },
      play: () => this.#timeline?.toggle(),
      step: (direction) => this.#timeline?.step(direction),
      flip: (name) => this.#toolbar.flip(name),
    });
    this.#begin();
  }

  /** Selects what a path names, and moves the camera, if it names a place. */
  select(path: string, viewpoint: string): void {
    const item = this.#paths.find(path);
    if (item !== this.#selected) this.#mark(item);
    if (viewpoint === this.#told) return;
    this.#told = viewpoint;
    this.#stage.viewpoint = viewpoint || this.#home;
  }

  destroy(): void {
    this.#end.abort();
    this.#picker.destroy();
    this.#timeline?.destroy();
    this.#tree.destroy();
    this.#overlays.dispose();
    this.#appearance.dispose();
    dispose(this.#loaded.scene);
    this.#stage.destroy();
    this.#host.replaceChildren();
  }

  #build(picture: HTMLElement): HTMLElement {
    const { notes, items } = this.#loaded;
    const isEmpty = !items.some(({ levels }) => levels.length);
    const foot = el('div', { class: 'model-foot' }, this.#status, this.#timeline?.element);
    picture.append(this.#toolbar.element, foot, this.#said);
    if (isEmpty) {
      const text = items.length ? 'No object has geometry. Each is shown by its axes.' : this.#options.empty;
      picture.append(el('p', { class: 'model-empty' }, text));
    }
    for (const note of notes) picture.append(el('p', { class: 'model-note', role: 'status' }, note));
    const { canvas } = this.#stage;
    this.#stage.keepClear(this.#toolbar.element, foot);
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'application');
    canvas.setAttribute('aria-label', 'Picture of the model. Arrows turn it, plus and minus zoom, F frames');
    const layout = el('div', { class: 'model-layout' }, picture,
      el('aside', { class: 'model-panel', 'aria-label': 'Contents' }, this.#tree.element, this.#details.element));
    this.#host.replaceChildren(el('div', { class: 'model-view' }, layout));
    return layout;
  }

  #begin(): void {
    this.#stage.scene.updateMatrixWorld();
    this.#appearance.update(this.#visible, this.#stage.camera);
    this.#whole.copy(boundsOf(this.#loaded.items, this.#appearance));
    if (this.#whole.isEmpty()) {
      for (const { object } of this.#loaded.items) this.#whole.expandByPoint(object.getWorldPosition(new Vector3()));
      this.#whole.expandByScalar(this.#whole.getSize(new Vector3()).length() * 0.1);
    }
    if (this.#whole.isEmpty()) this.#whole.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
    this.#overlays.place(this.#whole);
    this.#paint();
    this.#toolbar.set('light', true);
    // On a small screen the list covers the picture, so it is closed at first.
    this.#toggle('panel', this.#host.clientWidth >= 640);
    this.#toolbar.set('panel', this.#host.clientWidth >= 640);
    this.#stage.measure();
    this.#stage.look(this.#whole, { fromFront: true, isWhole: true, isInstant: true });
    this.#home = this.#stage.viewpoint;
    const { selected: path, viewpoint } = this.#options;
    const selected = this.#paths.find(path);
    if (selected) this.#mark(selected);
    if (viewpoint) this.#stage.viewpoint = viewpoint;
    else if (selected && (selected.parent || this.#loaded.roots.length > 1)) this.#frame(selected);
    this.#told = viewpoint;
    this.#stage.controls.addEventListener('change', later(SETTLED, () => this.#tell()));
  }

  /** Says where the camera has come to rest. */
  #tell(): void {
    if (this.#end.signal.aborted) return;
    const now = this.#stage.viewpoint;
    const viewpoint = now === this.#home ? '' : now;
    if (viewpoint === this.#told) return;
    this.#told = viewpoint;
    this.#options.onMove(viewpoint);
  }

  /** Selects an item, and says so. */
  #choose(item: Item | null): void {
    if (item === this.#selected) return;
    this.#mark(item);
    this.#options.onSelect(this.#paths.of(item));
    // The tree shows it to those who see; a message of the page would cover the picture.
    this.#said.textContent = item ? `Selected: ${item.name}` : 'Nothing is selected';
  }

  #mark(item: Item | null): void {
    this.#selected = item;
    // The facts first: they take room from the tree.
    this.#details.show(item);
    this.#tree.select(item);
    this.#isStale = true;
    this.#stage.invalidate();
  }

  #frame(item: Item | null): void {
    const box = item ? boxOf(item) : this.#whole;
    this.#stage.look(box.isEmpty() ? this.#whole : box, {});
  }

  #toggle(name: Toggle, isOn: boolean): void {
    const { toggles } = this.#overlays;
    if (name === 'hidden') this.#appearance.showsHidden = isOn;
    else if (name === 'light') this.#appearance.isLit = isOn;
    else if (name === 'panel') this.#layout.classList.toggle('has-panel', isOn);
    else if (name === 'wireframe') this.#appearance.wireframe = isOn;
    else toggles[name] = isOn;
    this.#isStale = true;
    this.#stage.invalidate();
  }

  #paint(): void {
    this.#overlays.paint({
      normal: cssColor(this.#host, '--success'),
      box: cssColor(this.#host, '--text-dim'),
      grid: cssColor(this.#host, '--text-dim'),
    });
    this.#stage.outline.color = cssColor(this.#host, '--accent');
    this.#timeline?.paint();
    this.#stage.invalidate();
  }

  #advance(seconds: number): boolean {
    const goesOn = this.#player.advance(seconds);
    if (this.#player.isMoved) {
      const before = this.#visible;
      this.#visible = this.#player.pose();
      if (before.some((visible, node) => visible !== this.#visible[node])) this.#tree.render();
      this.#timeline?.update();
    }
    return goesOn;
  }

  #arrange(): void {
    const isChanged = this.#appearance.update(this.#visible, this.#stage.camera);
    if (isChanged || this.#isStale) {
      this.#overlays.rebuild();
      this.#stage.outline.objects = this.#selected ? this.#shape(this.#selected) : [];
      this.#details.show(this.#selected);
      this.#tree.render();
      this.#count();
      this.#isStale = false;
    }
    this.#overlays.follow();
  }

  /** The meshes of an item: those drawn, of hidden objects the finest. */
  #shape(selected: Item): Object3D[] {
    return bodyOf(selected).flatMap((item) => this.#appearance.levelOf(item)?.pieces.map(({ mesh }) => mesh) ?? []);
  }

  /** Says how much is drawn. */
  #count(): void {
    let [triangles, objects, hidden] = [0, 0, 0];
    for (const { level, isHidden } of this.#appearance.shown) {
      if (isHidden) hidden += 1;
      if (!level) continue;
      objects += 1;
      triangles += level.triangles;
    }
    const many = (count: number, what: string): string => `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
    const parts = [many(triangles, 'triangle'), many(objects, 'object')];
    if (hidden) parts.push(`${hidden.toLocaleString('en')} hidden`);
    this.#status.textContent = parts.join(' · ');
  }
}
