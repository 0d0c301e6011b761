/// The outline of what is selected: its shape is drawn into a picture of its own, whose rim goes over the model. So it
/// is as wide for a lamp as for a house, and is also seen where something stands in front.
import { type Color, DoubleSide, Mesh, MeshBasicMaterial, type Object3D, OrthographicCamera, type PerspectiveCamera, PlaneGeometry,
  type Scene, ShaderMaterial, Vector2, type WebGLRenderer, WebGLRenderTarget } from 'three';

/** The layer of what is outlined. */
const LAYER = 1;
/** In pixels of CSS. */
const WIDTH = 2;
/** Samples around a pixel by which the rim is found. */
const SAMPLES = 12;

const vertexShader = `
  varying vec2 place;
  void main() {
    place = uv;
    gl_Position = vec4(position.xy, 0.0, 1.0);
  }`;
const fragmentShader = `
  uniform sampler2D mask;
  uniform vec3 color;
  uniform vec2 reach;
  varying vec2 place;
  void main() {
    float inside = texture2D(mask, place).r;
    float near = 0.0;
    for (int i = 0; i < ${SAMPLES}; i += 1) {
      float angle = float(i) * ${((2 * Math.PI) / SAMPLES).toFixed(6)};
      near = max(near, texture2D(mask, place + reach * vec2(cos(angle), sin(angle))).r);
    }
    float rim = near * (1.0 - inside);
    gl_FragColor = vec4(color, max(rim, inside * 0.06));
    #include <colorspace_fragment>
  }`;

export class Outline {
  readonly #mask = new WebGLRenderTarget(1, 1, { depthBuffer: false, samples: 4 });
  readonly #white = new MeshBasicMaterial({ side: DoubleSide, depthTest: false });
  readonly #uniforms = { mask: { value: this.#mask.texture }, color: { value: null as Color | null }, reach: { value: new Vector2() } };
  readonly #rim = new Mesh(
    new PlaneGeometry(2, 2),
    new ShaderMaterial({ uniforms: this.#uniforms, vertexShader, fragmentShader, transparent: true, depthTest: false, depthWrite: false }),
  );
  readonly #flat = new OrthographicCamera();
  #objects: readonly Object3D[] = [];

  set color(color: Color) {
    this.#uniforms.color.value = color;
  }

  /** Sets what is outlined: meshes and lines, drawn or not. */
  set objects(objects: readonly Object3D[]) {
    for (const object of this.#objects) object.layers.disable(LAYER);
    for (const object of objects) object.layers.enable(LAYER);
    this.#objects = objects;
  }

  /** Draws the outline over a picture of the scene. */
  render(renderer: WebGLRenderer, scene: Scene, camera: PerspectiveCamera): void {
    if (!this.#objects.length || !this.#uniforms.color.value) return;
    const { x: width, y: height } = renderer.getDrawingBufferSize(new Vector2());
    this.#mask.setSize(width, height);
    const reach = WIDTH * renderer.getPixelRatio();
    this.#uniforms.reach.value.set(reach / width, reach / height);
    renderer.setRenderTarget(this.#mask);
    renderer.clear();
    camera.layers.set(LAYER);
    scene.overrideMaterial = this.#white;
    renderer.render(scene, camera);
    scene.overrideMaterial = null;
    camera.layers.set(0);
    renderer.setRenderTarget(null);
    renderer.autoClear = false;
    renderer.render(this.#rim, this.#flat);
    renderer.autoClear = true;
  }

  dispose(): void {
    this.#mask.dispose();
    this.#white.dispose();
    this.#rim.geometry.dispose();
    this.#rim.material.dispose();
  }
}
