/// The view of a level: a map, and beside it planes, objects and what is selected.
import { bytes, json, type Level as Answer } from '../api.ts';
import { checkField, notesOn } from '../edits/check.ts';
import type { Change } from '../edits.ts';
import { el, uniqueId } from '../shell/dom.ts';
import { emptyText } from '../shell/damage.ts';
import { attempt, failure, isAbort, sentence } from '../shell/failure.ts';
import { icon } from '../shell/icons.ts';
import { counted, formatCount } from '../shell/text.ts';
import { onTheme } from '../shell/theme.ts';
import type { Context, Place, View } from '../view.ts';
import { drawable, hasPixels, type Level, mainPlane, type Plane, type Target } from './info.ts';
import { EditedLevelName, isStale, type Stale } from './edited.ts';
import { Inspector } from './inspect.ts';
import { ObjectList } from './jump.ts';
import { keysOf } from './keys.ts';
import { LevelMap } from './map.ts';
import type { Mark } from './marks.ts';
import { Objects } from './objects.ts';
import type { Camera, Point } from './place.ts';
import { Minimap } from './minimap.ts';
import { PlaneList } from './planes.ts';
import { Pointer } from './pointer.ts';
import type { ObjectName, Selection } from './selection.ts';
import { type Overlay, State } from './state.ts';
import { type Tile, Tiles } from './tiles.ts';
import { Toolbar } from './toolbar.ts';

/** The address changes at most this often while the view moves, in milliseconds: browsers stop pages that are faster. */
const ADDRESS_INTERVAL = 100;

/** A level that can have frames over it. */
export interface LevelView extends View {
  select(place: Place): void;
  /** Draws frames over the map, instead of those from before. */
  mark(marks: Mark[]): void;
}

/** Shows a level. */
export const mountLevel = (host: HTMLElement, context: Context): LevelView => {
  let shown: Shown | undefined;
  let place = context.place;
  let marks: Mark[] = [];
  const open = async (): Promise<void> => {
    const level = drawable(await json<Answer>('level', { at: context.place.at }, context.signal));
    const main = mainPlane(level);
    if (context.signal.aborted) return;
    if (!main || !hasPixels(main)) {
      host.replaceChildren(el('p', { class: 'empty' }, emptyText(context.about, 'This level has no tiles.')));
      return;
    }
    shown = new Shown(host, context, level, main, place);
    shown.mark(marks);
  };
  void attempt(host, open, 'Opening the level…');
  return {
    select: (to) => {
      place = to;
      shown?.select(to);
    },
    mark: (all) => {
      marks = all;
      shown?.mark(all);
    },
    destroy: () => {
      shown?.destroy();
      host.replaceChildren();
    },
  };
};

class Shown {
  readonly #context: Context;
  readonly #level: Level;
  readonly #state: State;
  readonly #objects = new Map<number, Objects>();
  readonly #edited: EditedLevelName;
  readonly #tiles: Tiles;
  readonly #map: LevelMap;
  readonly #minimap: Minimap | undefined;
  readonly #toolbar: Toolbar;
  readonly #planes: PlaneList;
  readonly #list: ObjectList;
  readonly #inspector: Inspector;
  readonly #pointer: Pointer;
  readonly #root: HTMLElement;
  readonly #tabs: { tab: HTMLElement; panel: HTMLElement }[];
  /** What is selected, for screen readers; all others see it. */
  readonly #spoken = el('p', { class: 'visually-hidden', role: 'status' });
  readonly #problems = el('div', { class: 'level-problems' });
  #hasPanel = true;
  /** Counts how often objects were asked for: only the last answer counts. */
  #loads = 0;
  /** Whether the user selected what is being shown. */
  #isPicked = false;
  #path: string;
  #addressTimer = 0;
  /** The last parameters that this view gave to the address, so that it does not follow itself. */
  #written = '';

  constructor(host: HTMLElement, context: Context, level: Level, main: Plane, place: Place) {
    this.#context = context;
    this.#level = level;
    this.#state = new State(level, place.more);
    this.#written = JSON.stringify(this.#state.write());
    this.#path = place.path;
    this.#edited = new EditedLevelName(place.at, context.signal);
    this.#edited.set(context.edits.of(place.at));
    this.#tiles = new Tiles((tile, signal) => this.#load(tile, signal), () => this.#map.invalidate());
    const stage = el('div', { class: 'level-stage' });
    this.#map = new LevelMap(stage, level, main, this.#state, this.#objects, this.#tiles, {
      drawn: () => {
        this.#minimap?.draw();
        this.#showProgress();
      },
      moved: () => this.#moved(),
      pointed: (pointed) => this.#pointer.show(pointed),
      picked: (selection) => this.#pick(selection),
      dragged: (object, by) => void this.#move(object, by),
    }, context.signal);
    const refresh = (): void => this.#changed();
    this.#toolbar = new Toolbar(level, {
      zoom: (direction) => this.#map.step(direction),
      actualSize: () => this.#map.zoomTo(1),
      fit: () => this.#map.fit(),
      camera: (camera) => this.#setCamera(camera),
      toggle: (overlay) => this.#toggle(overlay),
      panel: () => this.#togglePanel(),
    });
    this.#planes = new PlaneList(level, context.about.node.name, this.#state, { changed: refresh });
    this.#list = new ObjectList(level, this.#objects, { chosen: (name) => this.#pick(name, true) });
    this.#inspector = new Inspector(level, context, {
      center: () => this.#map.selection && this.#map.flyTo(this.#map.selection),
      close: () => this.#pick(undefined),
      found: (path) => this.#found(path),
    });
    this.#minimap = new Minimap(level, main, this.#map, this.#tiles);
    this.#pointer = new Pointer(level, place.at, this.#objects, this.#edited, context.signal);
    stage.append(this.#toolbar.explained, this.#minimap.element,
      el('div', { class: 'level-status' }, this.#pointer.element, el('span', { class: 'grow' }), this.#problems));

    const count = level.planes.reduce((sum, plane) => sum + plane.objects, 0);
    this.#tabs = this.#makeTabs([['Planes', this.#planes.element], [`Objects (${formatCount(count)})`, this.#list.element]]);
    const lists = el('div', { class: 'level-lists' },
      el('div', { class: 'level-tabs', role: 'tablist', 'aria-label': 'Side panel' }, ...this.#tabs.map(({ tab }) => tab)),
      ...this.#tabs.map(({ panel }) => panel));
    this.#root = el('div', { class: 'level' }, this.#spoken, this.#toolbar.element,
      el('div', { class: 'level-body' }, stage,
        el('aside', { class: 'level-side', 'aria-label': 'Planes, objects and selection' }, lists, this.#inspector.element)));
    this.#root.addEventListener('keydown', (event) => this.#key(event), { signal: context.signal });
    host.replaceChildren(this.#root);

    onTheme(this.#map.invalidate, context.signal);
    context.edits.subscribe(() => void this.#redraw(), context.signal);
    this.#changed();
    void this.#loadObjects().then(() => this.#follow(place.path, !this.#state.view));
  }

  destroy(): void {
    clearTimeout(this.#addressTimer);
    this.#inspector.destroy();
    this.#list.destroy();
    this.#map.destroy();
  }

  mark(marks: Mark[]): void {
    this.#map.marks = marks;
  }

  /** Shows what an address names. */
  select(place: Place): void {
    const { more } = place;
    const before = JSON.stringify(this.#state.write());
    // An address that only names an object leaves the rest as it is.
    if (more && Object.keys(more).length) this.#state.read(more);
    this.#written = JSON.stringify(this.#state.write());
    if (this.#written !== before) {
      this.#map.refresh();
      this.#update();
    }
    if (place.path !== this.#path) void this.#follow(place.path, true);
  }

  async #load(tile: Tile, signal: AbortSignal): Promise<ImageBitmap | null> {
    const { plane, layer, after, zoom, x, y } = tile;
    const at = this.#context.place.at;
    const buffer = await this.#edited.with((edits) => bytes('level/tile.png', { at, plane, layer, after, zoom, x, y, edits }, signal));
    if (!buffer || signal.aborted) return null;
    return createImageBitmap(new Blob([buffer], { type: 'image/png' }), { colorSpaceConversion: 'none' });
  }

  async #loadObjects(): Promise<void> {
    const { at } = this.#context.place;
    const load = (this.#loads += 1);
    for (const { index, objects } of this.#level.planes) {
      if (!objects) continue;
      try {
        const buffer = await this.#edited.with((edits) => bytes('level/objects', { at, plane: index, edits }, this.#context.signal));
        // The level was edited again meanwhile.
        if (load !== this.#loads) return;
        if (buffer) this.#objects.set(index, new Objects(buffer));
      } catch (error) {
        if (isAbort(error)) return;
        this.#list.element.append(failure(error));
      }
    }
    this.#list.update();
    this.#map.invalidate();
  }

  /** Draws the level with the changes as they are now: again where something was, and where it is now. */
  async #redraw(): Promise<void> {
    const changes = this.#edited.set(this.#context.edits.of(this.#context.place.at));
    if (!changes.length) return;
    const before = new Map(this.#objects);
    this.#pointer.forget();
    await this.#loadObjects();
    // Also if the level was edited again meanwhile, which then finds what is there as it was before.
    const stale = this.#staleAfter(changes, before);
    this.#tiles.renew((tile) => isStale(tile, stale));
  }

  #staleAfter(changes: Change[], before: ReadonlyMap<number, Objects>): Stale {
    const stale: Exclude<Stale, 'all'> = [];
    for (const { path } of changes) {
      const plane = this.#level.planes.find((one) => path.startsWith(`${one.path}/object:`));
      const key = plane && path.slice(`${plane.path}/object:`.length).split('/')[0];
      const objects = plane && [before.get(plane.index), this.#objects.get(plane.index)];
      const object = objects?.[1]?.byKey(key ?? '');
      // Anything else can be seen anywhere.
      if (!plane || !objects || object === undefined) return 'all';
      for (const all of objects) if (all) stale.push({ plane: plane.index, box: all.box(object) });
    }
    return stale;
  }

  /** Changes the place of an object, as the user dragged it. */
  async #move({ plane, object }: ObjectName, by: Point): Promise<void> {
    const objects = this.#objects.get(plane);
    if (!objects) return;
    const { at } = this.#context.place;
    const path = `${this.#level.planes[plane]!.path}/object:${objects.key(object)}`;
    try {
      const wanted = [['x', objects.x[object]! + by.x], ['y', objects.y[object]! + by.y]] as const;
      const checked = await Promise.all(
        wanted.map(([field, value]) => checkField(at, `${path}/${field}`, String(value), this.#context.signal)),
      );
      const refused = checked.find((answer) => typeof answer === 'string');
      if (refused !== undefined) throw new Error(refused);
      const changes = checked.filter((answer) => typeof answer !== 'string').map(({ change }) => change);
      this.#context.edits.set(...changes);
      const moved = `Moved ${objects.title(object)} to x ${wanted[0][1]}, y ${wanted[1][1]}. Ctrl+Z takes it back.`;
      this.#context.announce([moved, ...await notesOn(changes)].join(' '));
    } catch (error) {
      if (!isAbort(error)) this.#context.announce(sentence(error));
    }
  }

  /** Selects what a path leads to, and flies there unless the address says where to be. */
  async #follow(path: string, fly: boolean): Promise<void> {
    this.#path = path;
    if (!path) {
      this.#show(undefined);
      return;
    }
    try {
      const { at } = this.#context.place;
      const { plane, index, column, row } = await json<Target>('level/at', { at, path }, this.#context.signal);
      if (this.#path !== path) return;
      // A path may go on in a field of the object, which the inspector shows.
      const isThere = plane !== undefined && (index !== undefined || column !== undefined || !/\/(object|tile):/.test(path));
      if (!isThere) {
        this.#context.announce(`There is no ${path} in this level.`);
        this.#show(undefined);
        return;
      }
      if (index !== undefined) this.#show({ plane, object: index }, path);
      else if (column !== undefined && row !== undefined) this.#show({ plane, column, row }, path);
      else this.#activate(plane);
      if (fly && this.#map.selection) this.#map.flyTo(this.#map.selection);
    } catch (error) {
      if (!isAbort(error)) this.#context.announce(sentence(error));
    }
  }

  #activate(plane: number): void {
    this.#state.active = plane;
    this.#state.planes.add(plane);
    this.#changed();
  }

  #pick(selection: Selection | undefined, fly = false): void {
    this.#show(selection);
    if (selection && fly) {
      // On a phone, the list is below the map.
      this.#map.canvas.scrollIntoView({ block: 'nearest' });
      this.#map.flyTo(selection);
    }
    this.#isPicked = true;
    if (selection) this.#announce(selection);
    else this.#found('');
  }

  #show(selection: Selection | undefined, path = ''): void {
    this.#map.selection = selection;
    this.#list.selected = selection && 'object' in selection ? selection : undefined;
    if (selection && !this.#hasPanel) this.#togglePanel();
    void this.#inspector.show(selection, path);
  }

  #announce(selection: Selection): void {
    if (!('object' in selection)) return;
    const objects = this.#objects.get(selection.plane);
    if (objects) this.#spoken.textContent = `${objects.title(selection.object)}, object ${objects.key(selection.object)}`;
  }

  /** Puts the path of the selection into the address. The address may name a field of it already. */
  #found(path: string): void {
    const isStep = this.#isPicked && path !== '';
    this.#isPicked = false;
    if (path && (this.#path === path || this.#path.startsWith(`${path}/`))) return;
    this.#path = path;
    // What the user selects can be gone back from.
    this.#context.update({ path }, isStep);
  }

  #setCamera(camera: Camera): void {
    this.#state.camera = camera;
    this.#state.view = this.#map.viewFor(camera);
    this.#changed();
  }

  #toggle(overlay: Overlay): void {
    const { overlays } = this.#state;
    if (!overlays.delete(overlay)) overlays.add(overlay);
    this.#changed();
  }

  #togglePanel(): void {
    this.#hasPanel = !this.#hasPanel;
    this.#root.classList.toggle('without-panel', !this.#hasPanel);
    this.#update();
  }

  /** Shows the state after the user changed it. */
  #changed(): void {
    this.#map.refresh();
    this.#moved();
    this.#planes.update();
  }

  #update(): void {
    this.#toolbar.update(this.#state, this.#map.view.scale, this.#hasPanel);
    this.#planes.update();
  }

  #moved(): void {
    this.#toolbar.update(this.#state, this.#map.view.scale, this.#hasPanel);
    if (this.#addressTimer) return;
    this.#addressTimer = window.setTimeout(() => {
      this.#addressTimer = 0;
      const more = this.#state.write();
      const written = JSON.stringify(more);
      if (written === this.#written || this.#context.signal.aborted) return;
      this.#written = written;
      this.#context.update({ more });
    }, ADDRESS_INTERVAL);
  }

  #showProgress(): void {
    const { count, message } = this.#tiles.failures;
    this.#root.classList.toggle('is-loading', this.#tiles.pending > 0);
    if (this.#problems.dataset.count === String(count)) return;
    this.#problems.dataset.count = String(count);
    this.#problems.replaceChildren();
    if (!count) return;
    this.#problems.append(icon('warning'), el('span', { title: message }, `${counted(count, 'picture')} could not be drawn: ${message}`),
      el('button', { class: 'button quiet', type: 'button', onclick: () => this.#tiles.retry() }, 'Try again'));
  }

  #makeTabs(contents: [label: string, panel: HTMLElement][]): { tab: HTMLElement; panel: HTMLElement }[] {
    const tabs = contents.map(([label, content], index) => {
      const id = uniqueId('level-panel');
      const tab = el('button', {
        class: 'tab',
        type: 'button',
        role: 'tab',
        id: `${id}-tab`,
        'aria-controls': id,
        onclick: () => select(index),
      }, label);
      const panel = el('div', { class: 'level-tabpanel', role: 'tabpanel', id, 'aria-labelledby': tab.id }, content);
      tab.addEventListener('keydown', (event) => {
        if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
        const next = (index + (event.key === 'ArrowRight' ? 1 : -1) + tabs.length) % tabs.length;
        select(next);
        tabs[next]!.tab.focus();
      });
      return { tab, panel };
    });
    const select = (selected: number): void =>
      tabs.forEach(({ tab, panel }, index) => {
        tab.setAttribute('aria-selected', String(index === selected));
        tab.tabIndex = index === selected ? 0 : -1;
        panel.hidden = index !== selected;
      });
    select(0);
    return tabs;
  }

  #key(event: KeyboardEvent): void {
    const inMap = event.target === this.#map.canvas;
    const work = keysOf(event, inMap, {
      map: this.#map,
      level: this.#level,
      camera: () => {
        const all: Camera[] = ['flat', 'frame', 'whole'];
        this.#setCamera(all[(all.indexOf(this.#state.camera) + 1) % all.length]!);
      },
      toggle: (overlay) => this.#toggle(overlay),
      panel: () => this.#togglePanel(),
      jump: () => {
        if (!this.#hasPanel) this.#togglePanel();
        this.#tabs[1]!.tab.click();
        this.#list.focus();
      },
      close: this.#map.selection ? () => this.#pick(undefined) : undefined,
    });
    if (!work) return;
    event.preventDefault();
    work();
  }
}
