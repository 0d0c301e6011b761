/// The canvas: renderer, camera, light and controls. It draws only when something changed.
import { type Box3, DirectionalLight, HemisphereLight, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { fit, Flight } from './camera.ts';
import { Outline } from './outline.ts';

export interface StageEvents {
  /** Moves time on by some seconds. Returns whether another picture has to follow. */
  advance(seconds: number): boolean;
  /** Called when everything is in its place, before the picture. */
  arrange(): void;
  /** The graphics card has dropped everything. */
  lost(): void;
  /** It would draw again. */
  restored(): void;
}

/** From where a model is seen at first: the front, from the right and above. */
export const FRONT = new Vector3(0.55, 0.42, 1).normalize();
/** Most seconds between two pictures: if drawing takes longer, animations are slower than they should be. */
const LONGEST = 1;
/** Most pixels of the picture per pixel of CSS. */
const SHARPNESS = 2;

/** Creates a renderer with a transparent background. Throws an error if the browser has no WebGL. */
export const createRenderer = (canvas: HTMLCanvasElement): WebGLRenderer => {
  const context = canvas.getContext('webgl2', { antialias: true, alpha: true, powerPreference: 'low-power' });
  if (!context) throw new Error('This browser has no WebGL 2, which draws models.');
  const renderer = new WebGLRenderer({ canvas, context, antialias: true, alpha: true });
  renderer.debug.checkShaderErrors = false;
  return renderer;
};

/** Adds the light, part of which follows the camera. */
export const addLights = (scene: Scene, camera: PerspectiveCamera): void => {
  // Together about as bright as the stored colors where the light falls.
  const sky = new HemisphereLight(0xffffff, 0xd8d4cc, 0.56 * Math.PI);
  const sun = new DirectionalLight(0xffffff, 0.32 * Math.PI);
  sun.position.set(0.7, 1, 0.5);
  scene.add(sky, sun, sun.target);
  const lamp = new DirectionalLight(0xffffff, 0.2 * Math.PI);
  lamp.target.position.set(0, 0, -1);
  camera.add(lamp, lamp.target);
};

/** Keeps the precision of depth where a model with a radius is, while the camera looks at a target. */
export const clip = (camera: PerspectiveCamera, target: Vector3, radius: number): void => {
  const distance = camera.position.length() + target.length() + radius * 3;
  const near = Math.max(camera.position.distanceTo(target) / 200, distance / 20_000);
  if (Math.abs(camera.near / near - 1) < 0.05 && camera.far > distance) return;
  camera.near = near;
  camera.far = distance * 1.5;
  camera.updateProjectionMatrix();
};

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly scene = new Scene();
  readonly outline = new Outline();
  readonly camera = new PerspectiveCamera(38, 1, 0.1, 100);
  readonly controls: OrbitControls;
  readonly #renderer: WebGLRenderer;
  readonly #resize: ResizeObserver;
  readonly #end = new AbortController();
  #flight: Flight | null = null;
  #radius = 1;
  #covers: HTMLElement[] = [];
  /** How much of the height of the picture is free. */
  #share = 1;
  #frame = 0;
  #last = 0;
  #goesOn = false;

  /** Throws an error if the browser has no WebGL. */
  constructor(readonly host: HTMLElement, readonly events: StageEvents) {
    this.canvas = document.createElement('canvas');
    this.#renderer = createRenderer(this.canvas);
    const context = this.#renderer.getContext();
    host.append(this.canvas);
    this.scene.matrixAutoUpdate = false;
    this.scene.matrixWorldAutoUpdate = false;
    this.scene.add(this.camera);
    addLights(this.scene, this.camera);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.controls.dampingFactor = 0.18;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', this.invalidate);
    this.controls.addEventListener('start', () => {
      this.#flight = null;
    });
    this.canvas.addEventListener('webglcontextlost', (event) => {
      // Else it would never be restored.
      event.preventDefault();
      events.lost();
      this.canvas.addEventListener('webglcontextrestored', () => {
        context.getExtension('WEBGL_lose_context')?.loseContext();
        events.restored();
      }, { once: true });
    }, { signal: this.#end.signal });
    this.#resize = new ResizeObserver(() => this.measure());
    this.#resize.observe(host);
  }

  /** The length that everything measures itself by: half the diagonal of the model. */
  get radius(): number {
    return this.#radius;
  }

  /** Draws a picture soon. */
  readonly invalidate = (): void => {
    if (!this.#frame && !this.#end.signal.aborted) this.#frame = requestAnimationFrame(this.#draw);
  };

  /** Shows a box, from the front or from where the camera is. */
  look(box: Box3, options: { fromFront?: boolean; isWhole?: boolean; isInstant?: boolean }): void {
    if (box.isEmpty()) return;
    const half = box.getSize(new Vector3()).length() / 2 || 1;
    if (options.isWhole) {
      this.#radius = half;
      this.controls.minDistance = half / 400;
      this.controls.maxDistance = half * 100;
    }
    const target = box.getCenter(new Vector3());
    const direction = this.camera.position.clone().sub(this.controls.target).normalize();
    if (options.fromFront || !direction.lengthSq()) direction.copy(FRONT);
    const distance = fit(box, direction, this.camera, this.#share);
    const to = { target, position: direction.clone().multiplyScalar(distance).add(target) };
    this.#flight = new Flight(this.camera, this.controls, to);
    if (options.isInstant || !this.controls.enableDamping) {
      this.#flight.advance(Infinity);
      this.#flight = null;
    }
    this.invalidate();
  }

  /** Puts the middle of what is shown between elements that cover the top and the bottom of the picture. */
  keepClear(top: HTMLElement, bottom: HTMLElement): void {
    this.#covers = [top, bottom];
    for (const cover of this.#covers) this.#resize.observe(cover);
  }

  /** Adapts to the size of the host, as also happens whenever it changes. */
  measure(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (!width || !height) return;
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, SHARPNESS));
    this.#renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    const [top = 0, bottom = 0] = this.#covers.map(({ offsetHeight }) => offsetHeight);
    this.#share = Math.max(0.3, (height - top - bottom) / height);
    this.camera.setViewOffset(width, height, 0, Math.round((bottom - top) / 2), width, height);
    this.invalidate();
  }

  /** Where the camera is, and what it looks at: six numbers, as in the address. */
  get viewpoint(): string {
    const { position } = this.camera;
    const { target } = this.controls;
    return [...position, ...target].map((part) => Number(part.toPrecision(5))).join();
  }

  set viewpoint(text: string) {
    const [x, y, z, toX, toY, toZ, ...more] = text.split(',').map(Number);
    if (more.length || ![x, y, z, toX, toY, toZ].every(Number.isFinite)) return;
    this.#flight = null;
    this.camera.position.set(x!, y!, z!);
    this.controls.target.set(toX!, toY!, toZ!);
    this.controls.update();
    this.invalidate();
  }

  /** Turns by angles in radians. */
  turn(left: number, up: number): void {
    this.#flight = null;
    this.controls.rotateLeft(left);
    this.controls.rotateUp(up);
  }

  /** Moves sideways by pixels. */
  pan(x: number, y: number): void {
    this.#flight = null;
    this.controls.pan(x, y);
  }

  /** Comes nearer by a factor above 1, goes away by one below. */
  zoom(factor: number): void {
    this.#flight = null;
    this.controls.dollyIn(1 / factor);
  }

  destroy(): void {
    this.#end.abort();
    cancelAnimationFrame(this.#frame);
    this.#resize.disconnect();
    this.controls.dispose();
    this.outline.dispose();
    this.#renderer.dispose();
    if (!this.#renderer.getContext().isContextLost()) this.#renderer.forceContextLoss();
    this.canvas.remove();
  }

  readonly #draw = (now: number): void => {
    this.#frame = 0;
    // What was paused goes on from here, and time that another tab was shown does not count.
    const seconds = this.#goesOn ? Math.min((now - this.#last) / 1000, LONGEST) : 0;
    this.#last = now;
    if (this.#flight && !this.#flight.advance(seconds)) this.#flight = null;
    this.controls.update();
    clip(this.camera, this.controls.target, this.#radius);
    this.#goesOn = this.events.advance(seconds) || this.#flight !== null;
    this.scene.updateMatrixWorld();
    this.events.arrange();
    this.#renderer.render(this.scene, this.camera);
    this.outline.render(this.#renderer, this.scene, this.camera);
    if (this.#goesOn) this.invalidate();
  };
}
