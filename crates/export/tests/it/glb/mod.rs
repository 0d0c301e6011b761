//! GLB files, read back by code of their own and compared with what the corpus' naive reader finds.

mod animations;
mod files;
mod gltf;
mod hostile;
mod looks;
mod meshes;
mod poses;
mod support;
