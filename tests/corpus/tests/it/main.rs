//! Files written by hand, which the builders must reproduce byte for byte.
#![cfg(test)]
#![allow(clippy::arithmetic_side_effects, reason = "a mistake fails the test")]

mod ff13_literal;
mod hostile;
mod island_literal;
mod wwd_literal;
