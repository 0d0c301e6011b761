/// The model view: a script of its own, since it contains three.js. `app.js` loads it when the first model is shown.
import { bytes } from './api.ts';
import { Viewer, type ViewerOptions } from './model/viewer.ts';
import { emptyText } from './shell/damage.ts';
import { failure, isAbort, loading } from './shell/failure.ts';
import type { Mount } from './view.ts';

/** Shows a model, part or world of the server. */
export const mountModel: Mount = (host, context) => {
  const { node } = context.about;
  const isWorld = node.kind === 'world';
  let { path, more = {} } = context.place;
  // The path of a model in a world is the address of that model alone, so what is selected in a world has a parameter
  // of its own.
  const selected = (): string => (isWorld && more.object ? `${node.path}/${more.object}` : path);
  const update = (changed: Record<string, string>): void => {
    more = Object.fromEntries(Object.entries({ ...more, ...changed }).filter(([, value]) => value));
    context.update({ more });
  };
  const select = (to: string): void => {
    if (isWorld) {
      update({ object: to.slice(node.path.length + 1) });
    } else {
      path = to;
      context.update({ path });
    }
  };
  const shown = open(host, async () => {
    const glb = await bytes('model.glb', { at: node.at, path: node.path }, context.signal);
    if (!glb) throw new Error('There is no model here.');
    return glb;
  }, {
    base: node.path,
    empty: emptyText(context.about, 'There is nothing to draw.'),
    selected,
    viewpoint: () => more.camera ?? '',
    onSelect: select,
    onMove: (camera) => update({ camera }),
    onOpen: isWorld ? (to) => context.go({ at: node.at, path: to }) : undefined,
  });
  return {
    select: (now) => {
      ({ path, more = {} } = now);
      shown.select(selected(), more.camera ?? '');
    },
    destroy: () => shown.destroy(),
  };
};

interface Opening extends Omit<ViewerOptions, 'selected' | 'viewpoint' | 'onLost' | 'onRestored'> {
  /** What is to be selected when the model is there, and from where it is to be seen. */
  selected(): string;
  viewpoint(): string;
}

interface Shown {
  select(path: string, viewpoint: string): void;
  destroy(): void;
}

const LOST = 'The graphics card has dropped the picture. It comes back when the browser allows.';

/** Shows that a model is loading, then the model, or why it cannot be shown. */
const open = (host: HTMLElement, glb: () => Promise<ArrayBuffer>, options: Opening): Shown => {
  let viewer: Viewer | null = null;
  let isEnded = false;
  const close = (): void => {
    viewer?.destroy();
    viewer = null;
    if (isEnded) host.replaceChildren();
    else host.replaceChildren(failure(LOST, () => void start()));
  };
  const start = async (): Promise<void> => {
    host.replaceChildren(loading('Loading the model…'));
    try {
      const data = await glb();
      if (isEnded) return;
      let isLost = false;
      viewer = await Viewer.open(host, data, {
        ...options,
        selected: options.selected(),
        viewpoint: options.viewpoint(),
        onLost: () => {
          isLost = true;
          close();
        },
        onRestored: () => {
          if (!isEnded && !viewer) void start();
        },
      });
      if (isEnded || isLost) close();
    } catch (error) {
      if (!isEnded && !isAbort(error)) host.replaceChildren(failure(error, () => void start()));
    }
  };
  void start();
  return {
    select: (path, viewpoint) => viewer?.select(path, viewpoint),
    destroy: () => {
      isEnded = true;
      close();
    },
  };
};

export { drawThumbnail } from './model/thumbnail.ts';
