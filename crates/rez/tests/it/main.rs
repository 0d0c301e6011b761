//! Tests of `worldview-rez`.
