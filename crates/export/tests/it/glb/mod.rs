//! GLB files, read by the tests' own code and compared with the results of the corpus's naive reader.

mod animations;
mod files;
mod gltf;
mod hostile;
mod looks;
mod meshes;
mod poses;
mod support;
