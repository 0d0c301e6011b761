/// Animations: keys of translation, rotation and scale, and of visibility by `KHR_animation_pointer`, which three.js
/// does not read.
import { AnimationClip, type BufferAttribute, DiscreteInterpolant, type InterleavedBufferAttribute, type Interpolant, LinearInterpolant,
  type Object3D, QuaternionLinearInterpolant } from 'three';
import type { GLTFLoaderPlugin, GLTFParser } from 'three/examples/jsm/loaders/GLTFLoader.js';
import type { Gltf, GltfAnimation, GltfChannel } from './gltf.ts';

type Accessor = BufferAttribute | InterleavedBufferAttribute;

/** Something that changes over time. */
interface Channel {
  times: Float32Array;
  keys: Interpolant;
  /** What the values belong to: a property of an object, or the visibility of the node with this index. */
  target: { object: Object3D; property: 'position' | 'quaternion' | 'scale' } | { node: number };
}

/** An animation of the file. */
export class Motion {
  /** In seconds. */
  readonly duration: number;

  constructor(readonly name: string, readonly channels: readonly Channel[], stated: number) {
    this.duration = channels.reduce((most, { times }) => Math.max(most, times.at(-1) ?? 0), stated);
  }

  /** Poses the objects as at `time`, and sets in `visible`, by node, which are visible then. */
  apply(time: number, visible: Uint8Array): void {
    for (const { keys, target } of this.channels) {
      const value = keys.evaluate(time) as ArrayLike<number>;
      if ('node' in target) visible[target.node] = value[0] ? 1 : 0;
      else target.object[target.property].fromArray(value as number[]);
    }
  }

  /** Returns the times of the keys in ascending order: of visibility, or of all others. */
  times(ofVisibility: boolean): number[] {
    const times = new Set<number>();
    for (const channel of this.channels) {
      if ('node' in channel.target !== ofVisibility) continue;
      // Keys that are one float apart are a jump, which is a single mark.
      for (const time of channel.times) times.add(Math.round(time * 1000) / 1000);
    }
    return [...times].sort((a, b) => a - b);
  }
}

const POINTER = /^\/nodes\/(\d+)\/extensions\/KHR_node_visibility\/visible$/;
const PROPERTIES = { translation: 'position', rotation: 'quaternion', scale: 'scale' } as const;

/** Reads the animations in place of the loader, whose clips find objects by name and know no visibility. */
export class Motions implements GLTFLoaderPlugin {
  readonly name = 'KHR_animation_pointer';
  readonly all: Motion[] = [];
  readonly #parser: GLTFParser;

  constructor(parser: GLTFParser) {
    this.#parser = parser;
  }

  async loadAnimation(index: number): Promise<AnimationClip> {
    const animation = (this.#parser.json as Gltf).animations![index]!;
    const channels = await Promise.all(animation.channels.map((channel) => this.#channel(animation, channel)));
    const known = channels.filter((channel) => channel !== null);
    const name = animation.name ?? `animation ${index}`;
    this.all[index] = new Motion(name, known, Math.max(0, animation.extras?.duration ?? 0) / 1000);
    return new AnimationClip(name, 0, []);
  }

  async #channel(animation: GltfAnimation, { sampler, target }: GltfChannel): Promise<Channel | null> {
    const keys = animation.samplers[sampler];
    if (!keys) return null;
    const [times, values] = await Promise.all([this.#values(keys.input), this.#values(keys.output)]);
    const pointer = POINTER.exec(target.extensions?.KHR_animation_pointer?.pointer ?? '');
    if (pointer) {
      return { times, keys: new DiscreteInterpolant(times, values, 1), target: { node: Number(pointer[1]) } };
    }
    const property = PROPERTIES[target.path as keyof typeof PROPERTIES];
    if (target.node === undefined || !property) return null;
    const object = (await this.#parser.getDependency('node', target.node)) as Object3D;
    const size = property === 'quaternion' ? 4 : 3;
    const smooth = property === 'quaternion' ? QuaternionLinearInterpolant : LinearInterpolant;
    const Between = keys.interpolation === 'STEP' ? DiscreteInterpolant : smooth;
    return { times, keys: new Between(times, values, size), target: { object, property } };
  }

  async #values(index: number): Promise<Float32Array> {
    const accessor = (await this.#parser.getDependency('accessor', index)) as Accessor;
    const { count, itemSize } = accessor;
    const values = new Float32Array(count * itemSize);
    for (let i = 0; i < count; i += 1) {
      for (let part = 0; part < itemSize; part += 1) values[i * itemSize + part] = accessor.getComponent(i, part);
    }
    return values;
  }
}
