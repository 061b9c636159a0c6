//! Runs phases on one file until nothing changes, rejects results that are worse than the input, and
//! describes the run in a `FixReport`.
//!
//! The engine owns no rule: every diagnostic and every fix comes from a [`Phase`]. It reads no file,
//! no clock and no environment, so the same text and policy always give the same report.

mod analysis;
mod candidates;
mod config;
mod gate;
mod globs;
mod phase;
mod policy;
mod rejected;
mod reported;
mod run;
mod strict;
pub mod toml_table;
pub mod trial;
mod turn;

pub use config::{Config, ConfigError, Indent, LanguageConfig, LanguageNames};
pub use gate::accepts_fixes;
pub use phase::{
    Example, Finding, Findings, Language, Phase, PhaseInfo, Place, Proposal, Rule, Stage,
    Suppressions, is_phase,
};
pub use policy::Policy;
pub use reported::Reported;
pub use run::{Engine, Run};
pub use strict::Pending;
pub use turn::{Class, Turn, Waiting};
