//! The policies that a patch must satisfy. They are pure functions of what git reports about the
//! patch, so no text of an engine can change their result.

mod build_files;
pub mod changes;
pub mod diff;
mod encoding;
pub mod harness;
pub mod paths;
mod shadow;
pub mod tests;

pub(crate) use build_files::{is_build_file, starts_test_target};
pub use changes::{ChangeKind, ChangedFile, MalformedGitOutput, parse_raw};
pub use diff::{DiffSummary, FileDiff, FileJustification, PolicyDecision, evaluate_diff_policy};
pub use harness::{TestHarness, detect_test_harness};
pub use paths::{
    PathDecision, PathRefusal, PathRules, evaluate_path_policy, is_generated, path_problem,
};
pub use tests::{
    ChangeClasses, TestPolicyDecision, TestPolicyInput, classify_changes, classify_paths,
    evaluate_mandatory_test_policy, has_inline_tests, is_test_path,
};
