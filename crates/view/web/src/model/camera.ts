/// Moves of the camera.
import { type Box3, type PerspectiveCamera, Vector3 } from 'three';
import type { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';

/** How much larger than the box the picture is. */
const MARGIN = 1.04;
/** Seconds that the camera takes to another place. */
const DURATION = 0.35;

/**
 * Returns the distance from the center of a box at which all of it is in the picture, seen from a direction. `share` is
 * how much of the height of the picture is free.
 */
export const fit = (box: Box3, direction: Vector3, camera: PerspectiveCamera, share: number): number => {
  const across = new Vector3(0, 1, 0).cross(direction).normalize();
  if (!across.lengthSq()) across.set(1, 0, 0);
  const up = direction.clone().cross(across);
  const tangent = Math.tan((camera.fov * Math.PI) / 360) / MARGIN;
  const wide = tangent * camera.aspect;
  const high = tangent * share;
  const half = new Vector3().subVectors(box.max, box.min).multiplyScalar(0.5);
  const corner = new Vector3();
  let distance = 0;
  for (let i = 0; i < 8; i += 1) {
    corner.set(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    const needed = Math.max(Math.abs(corner.dot(across)) / wide, Math.abs(corner.dot(up)) / high);
    distance = Math.max(distance, needed + corner.dot(direction));
  }
  return distance || 1;
};

export interface Viewpoint {
  position: Vector3;
  target: Vector3;
}

/** A smooth move of the camera. */
export class Flight {
  readonly #from: Viewpoint;
  #passed = 0;

  constructor(readonly camera: PerspectiveCamera, readonly controls: OrbitControls, readonly to: Viewpoint) {
    this.#from = { position: camera.position.clone(), target: controls.target.clone() };
  }

  /** Moves on by some seconds. Returns whether there is a way left. */
  advance(seconds: number): boolean {
    this.#passed = Math.min(DURATION, this.#passed + Math.min(seconds, Number.MAX_VALUE));
    const part = this.#passed / DURATION;
    const eased = part * part * (3 - 2 * part);
    this.camera.position.lerpVectors(this.#from.position, this.to.position, eased);
    this.controls.target.lerpVectors(this.#from.target, this.to.target, eased);
    return part < 1;
  }
}
