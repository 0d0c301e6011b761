/// Lines that show normals.
import { type BufferGeometry, Vector3 } from 'three';

/** Length of a normal, as a share of the size of its mesh. */
const LENGTH = 0.12;

/**
 * Returns a line for each normal of a mesh; for each triangle of one that is shaded flat, and has none. No line is longer
 * than `longest`.
 */
export const normalLines = (geometry: BufferGeometry, longest: number): Float32Array => {
  const position = geometry.getAttribute('position');
  const normal = geometry.getAttribute('normal');
  const length = Math.min(longest, LENGTH * (geometry.boundingSphere?.radius ?? 1));
  const from = new Vector3();
  const to = new Vector3();
  if (normal) {
    const lines = new Float32Array(position.count * 6);
    for (let i = 0; i < position.count; i += 1) {
      from.fromBufferAttribute(position, i);
      to.fromBufferAttribute(normal, i).multiplyScalar(length).add(from);
      from.toArray(lines, i * 6);
      to.toArray(lines, i * 6 + 3);
    }
    return lines;
  }
  const { index } = geometry;
  const count = Math.floor((index ?? position).count / 3);
  const lines = new Float32Array(count * 6);
  const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];
  for (let i = 0; i < count; i += 1) {
    for (const [corner, vertex] of [a, b, c].entries()) {
      vertex.fromBufferAttribute(position, index ? index.getX(i * 3 + corner) : i * 3 + corner);
    }
    from.copy(a).add(b).add(c).divideScalar(3);
    b.sub(a);
    to.copy(b.cross(c.sub(a))).normalize().multiplyScalar(length).add(from);
    from.toArray(lines, i * 6);
    to.toArray(lines, i * 6 + 3);
  }
  return lines;
};
