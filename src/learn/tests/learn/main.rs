//! Rules as a user of the crate writes and applies them.

mod apply;
mod documented;
mod failings;
mod guards;
mod imports;
mod lossless;
mod rule_file;
mod seed;
mod support;
