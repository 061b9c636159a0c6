//! Everything of the command line that is only Clank's.

pub(crate) mod bazel;
pub(crate) mod compile;
pub(crate) mod escaped;
mod given_modules;
mod indented;
pub(crate) mod module_source;
mod program;
pub(crate) mod repair;
pub(crate) mod run;
mod script;
