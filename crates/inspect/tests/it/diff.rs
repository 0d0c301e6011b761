//! Files that differ in one fact: the comparison reports that fact and nothing else.

mod archives;
mod blobs;
mod databases;
mod hostile;
mod levels;
mod mutants;
mod objects;
mod shown;
mod support;
mod tables;
