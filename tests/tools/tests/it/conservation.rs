//! Nothing is lost without a word: every single change of one thing in an export, or between two files, makes a change that carries it,
//! or a message that names it. The edits follow from the structure of each export, not from a list of known things.

mod long;
mod models;
mod pairs;
mod sheets;
mod tiled;
