/// Loads the bundle with three.js when the first model is shown. It is a file of its own, so only this file, which is
/// beside the entries, may import it: bundles keep the path as it is here.
export const loadModel = async () => (await import('./model.js')).mountModel;
