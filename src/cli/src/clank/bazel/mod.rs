//! The commands that the Bazel rules of Clank run.

pub(crate) mod compile;
pub(crate) mod modules;
pub(crate) mod run;
