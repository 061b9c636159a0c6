//! Evidence-first fixing: reproduce a failing command, localize it, try fixes in scratch trees, and
//! prove the result.
//!
//! An engine may propose a patch; only recorded runs decide the verdict. Nothing here writes the
//! user's tree: every command runs in a scratch copy, and the result is a folder of artifacts.
#![allow(
    clippy::disallowed_methods,
    reason = "this crate runs commands in scratch trees and writes artifacts"
)]

pub mod adapter;
mod atomic;
pub mod candidates;
pub mod checkpoint;
pub mod clock;
pub mod command;
pub mod config;
pub mod engine;
pub mod envelope;
pub mod environment;
pub mod evidence;
pub mod judge;
pub mod key;
pub mod localize;
pub mod minimize;
pub mod mutate;
pub mod output;
pub mod policy;
pub mod record;
pub mod redact;
pub mod render;
pub mod replay;
pub mod results;
pub mod run;
mod run_folder;
pub mod runner;
pub mod sandbox;
pub mod scan;
pub mod scratch;
pub mod suspicion;
pub mod verdict;
