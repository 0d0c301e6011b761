/// Loads the bundle with three.js when it is first needed. It is a file of its own, so only this file, which is beside the
/// entries, may import it: bundles keep the path as it is here.
export const loadModel = async () => (await import('./model.js')).mountModel;

/** Returns the function that draws small pictures of models. */
export const loadThumbnail = async () => (await import('./model.js')).drawThumbnail;
