//! Tests of the `fixpoint` command: the real binary in real folders.

#![allow(clippy::disallowed_methods, reason = "tests work on real files")]

mod actions;
mod bad_input;
mod bazel;
mod bridge;
mod build;
mod check;
mod clank;
mod compile;
mod decisions;
mod documents;
mod fix;
mod format;
mod formats;
mod from_build;
mod house;
mod learned;
mod lint;
mod other_formatters;
mod ownership;
mod patch;
mod preconditions;
mod project;
mod prove;
mod prove_examples;
mod prove_fixture;
mod prove_steps;
mod repair;
mod requirements;
mod rules;
mod run;
mod settings;
mod show;
mod snapshots;
mod special_files;
mod stored;
mod stored_merge;
mod terminal;
mod unproved;
mod validate;
mod worker;
mod writer;
