// Reads the GLB of models for the tests, without three.js.

/** Reads a GLB: its JSON, and the values of an accessor of floats or bytes. */
export const readGlb = (buffer) => {
  const length = buffer.readUInt32LE(12);
  const json = JSON.parse(buffer.subarray(20, 20 + length));
  const binary = buffer.subarray(20 + length + 8);
  const values = (index) => {
    const { bufferView, byteOffset = 0, componentType, count } = json.accessors[index];
    const start = (json.bufferViews[bufferView].byteOffset ?? 0) + byteOffset;
    const value = (i) => (componentType === 5126 ? binary.readFloatLE(start + i * 4) : binary.readUInt8(start + i));
    return Array.from({ length: count }, (_, i) => value(i));
  };
  return { ...json, values };
};

/** Lists what is drawn: whether it is hidden at a time, and the number and triangles of each level, finest first. */
export const readDrawn = (glb, time = 0) => {
  const { nodes, meshes, accessors, scenes, animations = [] } = glb;
  const switches = new Map();
  for (const { channels, samplers } of animations) {
    for (const { sampler, target } of channels) {
      const node = /^\/nodes\/(\d+)\//.exec(target.extensions?.KHR_animation_pointer?.pointer ?? '')?.[1];
      if (node) switches.set(Number(node), [glb.values(samplers[sampler].input), glb.values(samplers[sampler].output)]);
    }
  }
  const isVisible = (node) => {
    const [times, states] = switches.get(node) ?? [];
    if (times) return states[times.findLastIndex((key) => key <= time)] !== 0;
    return nodes[node].extensions?.KHR_node_visibility?.visible ?? true;
  };
  const triangles = (node) => {
    const filled = meshes[nodes[node].mesh].primitives.filter(({ mode = 4 }) => mode === 4);
    return filled.reduce((sum, { indices }) => sum + accessors[indices].count / 3, 0);
  };
  const drawn = [];
  const visit = (node, isHidden) => {
    const { mesh, children = [], extensions, name } = nodes[node];
    const hidden = isHidden || !isVisible(node);
    if (mesh !== undefined) {
      const levels = [node, ...(extensions?.MSFT_lod?.ids ?? [])];
      drawn.push({
        name: name.replace(/ LOD\d+$/, ''),
        isHidden: hidden,
        levels: levels.map((level) => ({
          number: Number(/LOD(\d+)$/.exec(nodes[level].name)?.[1]),
          triangles: triangles(level),
        })),
      });
    }
    for (const child of children) visit(child, hidden);
  };
  for (const node of scenes[0].nodes) visit(node, false);
  return drawn;
};
