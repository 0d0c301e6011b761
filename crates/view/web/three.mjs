// An esbuild plugin that bundles three.js from its sources, without what the model view never uses: the renderer and the
// loader refer to all of three.js, so that tree shaking finds nothing to leave out, and shaders are text to it. The build
// fails if a name below matches nothing, as may happen in another version of three.js.
import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';

// Modules of the renderer, in place of which are objects that do nothing.
const modules = {
  // Virtual reality.
  WebXRManager: `export class WebXRManager {
    addEventListener() {} removeEventListener() {} setAnimationLoop() {} dispose() {}
    hasDepthSensing() { return false } getEnvironmentBlendMode() { return 'opaque' }
  }`,
  WebGLShadowMap: 'export class WebGLShadowMap { render() {} }',
  // Backgrounds and reflections.
  WebGLEnvironments: 'export class WebGLEnvironments { get() { return null } dispose() {} }',
  // Morph targets.
  WebGLMorphtargets: 'export class WebGLMorphtargets { update() {} }',
  // Buffers of uniforms of one's own.
  WebGLUniformsGroups: 'export class WebGLUniformsGroups { dispose() {} }',
  // Effects after drawing.
  WebGLOutput: 'export class WebGLOutput {}',
};

// The starts of the names of shaders, and of pieces of shaders, that no material of ours has or switches on.
const shaders = [
  // Materials: those of ours are basic, standard, lines, and one with shaders of its own.
  'background',
  'cube.',
  'depth.',
  'distance.',
  'equirect',
  'linedashed',
  'meshlambert',
  'meshmatcap',
  'meshnormal',
  'meshphong',
  'meshtoon',
  'points',
  'shadow.',
  'sprite',
  'gradientmap',
  'lights_lambert',
  'lights_phong',
  'lights_toon',
  // Features of materials.
  'alphahash',
  'aomap',
  'bumpmap',
  'clearcoat',
  'displacementmap',
  'envmap',
  'iridescence',
  'lightmap',
  'normalmap',
  'transmission',
  // Features of objects, scenes and renderers.
  'batching',
  'clipping_planes',
  'dithering',
  'fog',
  'lightprobes',
  'logdepthbuf',
  'morph',
  'shadowmap',
  'shadowmask',
  'skin',
  'tonemapping',
];

const textOf = (source) =>
  source
    .replace(/\/\/.*$|\/\*[\s\S]*?\*\//gm, '')
    .replace(/[ \t]+/g, ' ')
    .replace(/^ | $/gm, '')
    .replace(/\n+/g, '\n');

export const three = {
  name: 'three',
  setup(build) {
    const unused = new Set([...Object.keys(modules), ...shaders]);
    build.onResolve({ filter: /^three$/ }, () => ({ path: resolve('node_modules/three/src/Three.js'), sideEffects: false }));
    build.onLoad({ filter: /three[\\/]src[\\/]renderers[\\/].*\.js$/ }, ({ path }) => {
      const name = basename(path, '.js');
      if (modules[name]) {
        unused.delete(name);
        return { contents: modules[name] };
      }
      if (!name.endsWith('.glsl')) return null;
      const starts = shaders.filter((start) => name.startsWith(start));
      for (const start of starts) unused.delete(start);
      return { contents: readFileSync(path, 'utf8').replace(/`[^`]*`/g, starts.length ? '``' : textOf) };
    });
    build.onEnd(({ errors }) => {
      if (!errors.length && unused.size) return { errors: [{ text: `three.mjs: three.js has no ${[...unused].join(', ')}` }] };
      return undefined;
    });
  },
};
