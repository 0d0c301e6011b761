/// Small pictures of models. A page may show hundreds and have only a few WebGL contexts, so one context draws all of
/// them, and each picture is copied to a canvas of its own.
import { PerspectiveCamera, Scene, type WebGLRenderer } from 'three';
import { Appearance } from './appearance.ts';
import { fit } from './camera.ts';
import { dispose, load, type Loaded } from './load.ts';
import { boundsOf } from './overlays.ts';
import { Player } from './player.ts';
import { addLights, clip, createRenderer, FRONT } from './stage.ts';

/** Maximum size of a GLB and number of triangles in a thumbnail, so that no file can keep the browser busy for long. */
const MOST_BYTES = 16 << 20;
const MOST_TRIANGLES = 1 << 20;

let shared: WebGLRenderer | null = null;
/** Ends when all thumbnails before the next are done. */
let turn = Promise.resolve();

/**
 * Draws a model to a canvas, in the canvas's size, when it is its turn. Returns whether it did: a canvas that has left the
 * document by then stays empty, and its GLB is not loaded. Rejects with an error that says why it cannot be drawn.
 */
export const drawThumbnail = (canvas: HTMLCanvasElement, glb: () => Promise<ArrayBuffer>): Promise<boolean> => {
  const drawn = turn.then(async () => {
    if (!canvas.isConnected) return false;
    if (shared?.getContext().isContextLost()) {
      shared.dispose();
      shared = null;
    }
    shared ??= createRenderer(document.createElement('canvas'));
    const data = await glb();
    if (data.byteLength > MOST_BYTES) throw new Error('The model is too large for a thumbnail.');
    const loaded = await load(data);
    try {
      draw(shared, loaded, canvas);
    } finally {
      dispose(loaded.scene);
    }
    return true;
  });
  turn = drawn.then(() => {}, () => {});
  return drawn;
};

const draw = (renderer: WebGLRenderer, loaded: Loaded, canvas: HTMLCanvasElement): void => {
  const { width, height } = canvas;
  const scene = new Scene();
  const camera = new PerspectiveCamera(38, width / height);
  scene.add(loaded.scene, camera);
  addLights(scene, camera);
  const appearance = new Appearance(loaded);
  const visible = new Player(loaded.motions, loaded.visible).pose();
  appearance.update(visible, camera);
  // What is hidden at first is better than nothing.
  if (appearance.shown.every(({ level }) => !level)) appearance.update(visible.fill(1), camera);
  scene.updateMatrixWorld();
  const triangles = appearance.shown.reduce((sum, { level }) => sum + (level?.triangles ?? 0), 0);
  if (triangles > MOST_TRIANGLES) throw new Error('The model has too many triangles for a thumbnail.');
  const box = boundsOf(loaded.items, appearance);
  if (box.isEmpty()) throw new Error('There is nothing to draw.');
  const target = box.getCenter(camera.position.clone());
  camera.position.copy(FRONT).multiplyScalar(fit(box, FRONT, camera, 1)).add(target);
  camera.lookAt(target);
  camera.updateMatrixWorld();
  clip(camera, target, box.getSize(target.clone()).length() / 2 || 1);
  renderer.setSize(width, height, false);
  renderer.render(scene, camera);
  if (renderer.getContext().isContextLost()) throw new Error('The graphics card has dropped the picture.');
  canvas.getContext('2d')!.drawImage(renderer.domElement, 0, 0);
};
