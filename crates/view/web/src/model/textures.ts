/// Textures of a GLB, decoded here: in the loader of three.js, one that cannot be decoded fails the whole model.
import { ClampToEdgeWrapping, DataTexture, LinearFilter, LinearMipmapLinearFilter, LinearMipmapNearestFilter,
  type MagnificationTextureFilter, type MinificationTextureFilter, MirroredRepeatWrapping, NearestFilter, NearestMipmapLinearFilter,
  NearestMipmapNearestFilter, RepeatWrapping, SRGBColorSpace, Texture, type Wrapping } from 'three';
import type { GLTFLoaderPlugin, GLTFParser } from 'three/examples/jsm/loaders/GLTFLoader.js';
import type { Gltf } from './gltf.ts';

const FILTERS: Record<number, MinificationTextureFilter> = { 9728: NearestFilter, 9729: LinearFilter, 9984: NearestMipmapNearestFilter,
  9985: LinearMipmapNearestFilter, 9986: NearestMipmapLinearFilter, 9987: LinearMipmapLinearFilter };
const WRAPS: Record<number, Wrapping> = { 33071: ClampToEdgeWrapping, 33648: MirroredRepeatWrapping, 10497: RepeatWrapping };

/** Samples per pixel of textures seen at an angle, such as the ground. */
const ANISOTROPY = 4;

export class Textures implements GLTFLoaderPlugin {
  readonly name = 'worldview_textures';
  /** Textures that could not be decoded, by name. They are drawn in magenta. */
  readonly broken: string[] = [];
  readonly #parser: GLTFParser;

  constructor(parser: GLTFParser) {
    this.#parser = parser;
  }

  async loadTexture(index: number): Promise<Texture> {
    const { textures = [], images = [], samplers = [] } = this.#parser.json as Gltf;
    const { source = 0, sampler = -1, name } = textures[index] ?? {};
    const image = images[source];
    let texture: Texture;
    try {
      const bytes = (await this.#parser.getDependency('bufferView', image?.bufferView ?? -1)) as ArrayBuffer;
      const blob = new Blob([bytes], { type: image?.mimeType ?? 'image/png' });
      texture = new Texture(await createImageBitmap(blob, { premultiplyAlpha: 'none', colorSpaceConversion: 'none' }));
    } catch {
      this.broken.push(name ?? `texture ${index}`);
      texture = new DataTexture(new Uint8Array([255, 0, 255, 255]), 1, 1);
    }
    const { magFilter = 9729, minFilter = 9987, wrapS = 10497, wrapT = 10497 } = samplers[sampler] ?? {};
    texture.name = name ?? image?.name ?? '';
    texture.flipY = false;
    texture.colorSpace = SRGBColorSpace;
    texture.magFilter = (FILTERS[magFilter] ?? LinearFilter) as MagnificationTextureFilter;
    texture.minFilter = FILTERS[minFilter] ?? LinearMipmapLinearFilter;
    texture.generateMipmaps = minFilter >= 9984;
    texture.wrapS = WRAPS[wrapS] ?? RepeatWrapping;
    texture.wrapT = WRAPS[wrapT] ?? RepeatWrapping;
    texture.anisotropy = ANISOTROPY;
    texture.needsUpdate = true;
    return texture;
  }
}
