//! Applies the policies to a proposed patch, on facts that git reports about it.

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_text::line_changes;

use crate::config::{ProveConfig, Suspicion};
use crate::evidence::PolicyCheck;
use crate::policy::{
    ChangedFile, FileJustification, PathRules, TestPolicyInput, classify_changes,
    detect_test_harness, evaluate_diff_policy, evaluate_mandatory_test_policy,
    evaluate_path_policy, has_inline_tests, is_test_path,
};
use crate::run::conclusion::{Proposal, Stop};
use crate::run::invocation::Task;
use crate::scratch::{Changes, FileState, PatchRepository, Tree};
use crate::suspicion;

/// Bytes at the start of a file that may say that it is generated.
const HEAD_SIZE: usize = 4096;

/// A proposal after the policies.
pub(crate) struct Checked {
    /// Without changes of protected files.
    pub(crate) proposal: Proposal,
    pub(crate) policies: Vec<PolicyCheck>,
    pub(crate) test_files: BTreeSet<String>,
    /// Why the patch is refused before it runs.
    pub(crate) refusal: Option<String>,
    /// Why the patch is refused although it may work: it brings no test.
    pub(crate) test_refusal: Option<String>,
}

/// Checks a proposal. Protected files keep the contents of the base.
pub(crate) fn check_proposal(
    config: &ProveConfig,
    patches: &PatchRepository,
    tasks: &[Task],
    proposal: &Proposal,
) -> Result<Checked, Stop> {
    let base = patches.base();
    let rules = PathRules::new(config).map_err(|error| super::ProveError::Other {
        what: "the globs of the path policy cannot be used",
        message: error.to_string(),
    })?;
    let mut policies = Vec::new();
    let restored: Vec<&String> = proposal.changes.paths().collect();
    let restored: Vec<&String> = restored
        .into_iter()
        .filter(|path| rules.is_protected(path))
        .collect();
    if !restored.is_empty() {
        policies.push(check(
            "protected files",
            true,
            format!("restored from the base: {}", listed(&restored)),
        ));
    }
    let proposal = Proposal {
        changes: proposal.changes.only(|path| !rules.is_protected(path)),
        ..proposal.clone()
    };
    let states = base.states(proposal.changes.paths().cloned())?;
    let files = changed_files(&states, &proposal.changes);
    let classes = classify_changes(&files);
    let mut refusal = None;
    let mut refuse = |text: String| {
        refusal.get_or_insert(text);
    };
    if proposal.changes.is_empty() {
        let reason = match restored.is_empty() {
            true => "the patch changes nothing".to_owned(),
            false => format!(
                "the patch changes only protected files: {}",
                listed(&restored)
            ),
        };
        refuse(reason);
    }

    let paths = evaluate_path_policy(&files, &rules, &heads(&states, &proposal.changes));
    let refused = paths.refused.iter();
    let refused: Vec<String> = refused
        .map(|refused| format!("{}: {}", refused.path, refused.reason))
        .collect();
    policies.push(check("paths", paths.ok, refused.join("; ")));
    if !paths.ok {
        refuse(format!("the path policy refuses {}", refused.join("; ")));
    }

    let (_, mut summary) = patches.diff_of(&proposal.changes)?;
    for file in &mut summary.by_file {
        // Git takes text in other encodings than UTF-8 for text.
        file.binary |= is_binary(states.get(&file.file), proposal.changes.get(&file.file));
    }
    let justifications: Vec<FileJustification> = proposal
        .text
        .file_justifications
        .iter()
        .map(|it| FileJustification {
            file: it.file.clone(),
            reason: it.reason.clone(),
        })
        .collect();
    if !proposal.is_safe {
        let diff = evaluate_diff_policy(&summary, config, &justifications);
        let detail = diff.reason.unwrap_or_else(|| {
            format!(
                "{} files, {} lines added, {} removed",
                summary.files_changed, summary.loc_added, summary.loc_removed
            )
        });
        policies.push(check("size of the patch", diff.ok, detail.clone()));
        if !diff.ok {
            refuse(detail);
        }
        if let Some(text) = unjustified_test_change(
            &states,
            &proposal.changes,
            &classes.test_files,
            &justifications,
        ) {
            policies.push(check("existing tests", false, text.clone()));
            refuse(text);
        }
        let found = suspicions(base, &states, &proposal.changes, &classes.test_files)?;
        let text = found.join("; ");
        let is_refused = config.policy.suspicion == Suspicion::Refuse && !found.is_empty();
        policies.push(check("honest code", !is_refused, text.clone()));
        if is_refused {
            refuse(format!("the patch looks as if it evades its tests: {text}"));
        }
    }

    let inline: Vec<String> = inline_tests(&states, &proposal.changes);
    let commands: Vec<String> = tasks.iter().map(|task| task.text.clone()).collect();
    let harness = harness(base)?;
    let decision = evaluate_mandatory_test_policy(TestPolicyInput {
        required: config.test.required,
        changes: &classes,
        inline_test_files: &inline,
        harness: &harness,
        verification_commands: &commands,
        safe_autofix_only: proposal.is_safe,
    });
    let reason = decision
        .reason
        .or(decision.exception_reason)
        .unwrap_or_default();
    policies.push(check("added tests", decision.ok, reason.clone()));
    Ok(Checked {
        proposal,
        policies,
        test_files: classes.test_files.into_iter().collect(),
        refusal,
        test_refusal: (!decision.ok).then_some(reason),
    })
}

fn check(policy: &str, ok: bool, detail: String) -> PolicyCheck {
    PolicyCheck {
        policy: policy.to_owned(),
        ok,
        detail,
        records: Vec::new(),
    }
}

fn listed(paths: &[&String]) -> String {
    let paths: Vec<&str> = paths.iter().map(|path| path.as_str()).collect();
    paths.join(", ")
}

/// Whether a version of the file is not text, so that nobody can review its lines.
fn is_binary(before: Option<&Option<FileState>>, after: Option<&Option<FileState>>) -> bool {
    let versions = [before, after].into_iter().flatten().flatten();
    let mut bytes = versions.map(|state| &state.bytes);
    bytes.any(|bytes| bytes.contains(&0) || std::str::from_utf8(bytes).is_err())
}

type States = BTreeMap<String, Option<FileState>>;

fn changed_files(states: &States, changes: &Changes) -> Vec<ChangedFile> {
    let mode = |state: &FileState| {
        if state.is_executable {
            0o100_755
        } else {
            0o100_644
        }
    };
    let changed = changes.iter().map(|(path, after)| {
        let before = states.get(path).and_then(Option::as_ref);
        let mut file = match (before, after) {
            (None, _) => ChangedFile::added(path),
            (Some(_), None) => ChangedFile::deleted(path),
            (Some(_), Some(_)) => ChangedFile::modified(path),
        };
        file.old_mode = before.map(mode);
        file.new_mode = after.as_ref().map(mode);
        file
    });
    changed.collect()
}

/// The first lines of each changed file, before and after.
fn heads(states: &States, changes: &Changes) -> BTreeMap<String, Vec<String>> {
    let head = |state: &FileState| {
        let end = state.bytes.len().min(HEAD_SIZE);
        String::from_utf8_lossy(&state.bytes[..end]).into_owned()
    };
    let of_file = changes.iter().map(|(path, after)| {
        let before = states.get(path).and_then(Option::as_ref);
        let both = before.into_iter().chain(after.as_ref());
        (path.clone(), both.map(head).collect())
    });
    of_file.collect()
}

/// An existing test whose lines the patch removes or changes without a justification.
fn unjustified_test_change(
    states: &States,
    changes: &Changes,
    test_files: &[String],
    justifications: &[FileJustification],
) -> Option<String> {
    let is_justified = |path: &str| {
        let mut justified = justifications.iter();
        justified.any(|it| it.file == path && !it.reason.trim().is_empty())
    };
    let removed = states.iter().find(|(path, before)| {
        let Some(before) = before else {
            return false;
        };
        let is_test = test_files.contains(path) || is_test_path(path);
        let after = changes.get(path).and_then(Option::as_ref);
        is_test && !is_justified(path) && removes_lines(before, after)
    });
    removed.map(|(path, _)| {
        format!("the patch changes the existing test {path} without a justification for that file")
    })
}

fn removes_lines(before: &FileState, after: Option<&FileState>) -> bool {
    let Some(after) = after else {
        return true;
    };
    // The lines of the base must be a subsequence of the new lines.
    let mut lines = after.bytes.split(|&byte| byte == b'\n');
    let mut wanted = before.bytes.split(|&byte| byte == b'\n');
    !wanted.all(|line| line.is_empty() || lines.any(|other| other == line))
}

fn suspicions(
    base: &Tree,
    states: &States,
    changes: &Changes,
    test_files: &[String],
) -> Result<Vec<String>, Stop> {
    let text = |state: &FileState| String::from_utf8_lossy(&state.bytes).into_owned();
    let files = changes.iter().filter_map(|(path, after)| {
        let is_source = !test_files.contains(path);
        let after = after.as_ref().filter(|_| is_source)?;
        Some(suspicion::ChangedFile {
            path: path.clone(),
            old: states.get(path).and_then(Option::as_ref).map(text),
            new: text(after),
        })
    });
    let files: Vec<_> = files.collect();
    let mut tests = Vec::new();
    for path in base.paths().iter().chain(changes.paths()) {
        if !is_test_path(path) {
            continue;
        }
        let before = base.read(path)?;
        let after = match changes.get(path) {
            Some(changed) => changed.as_ref(),
            None => before.as_ref(),
        };
        if let Some(after) = after {
            tests.push(suspicion::TestText {
                path: path.clone(),
                text: text(after),
                base: before.as_ref().map(text),
            });
        }
    }
    let sources: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let changed_tests = tests
        .iter()
        .filter(|test| changes.get(&test.path).is_some());
    let found = suspicion::suspicious(&files, &tests).into_iter();
    let found = found.chain(changed_tests.flat_map(|test| {
        let old = states.get(&test.path).and_then(Option::as_ref).map(text);
        suspicion::reads_source(test, old.as_deref().unwrap_or(""), &sources)
    }));
    let found = found.map(|it| format!("{}:{}: {}", it.path, it.line, it.reason));
    Ok(found.collect())
}

/// Changed source files whose added lines contain tests, as in Rust.
fn inline_tests(states: &States, changes: &Changes) -> Vec<String> {
    let text = |state: Option<&FileState>| {
        let bytes = state
            .map(|state| state.bytes.as_slice())
            .unwrap_or_default();
        String::from_utf8_lossy(bytes).into_owned()
    };
    let found = changes.iter().filter(|(path, after)| {
        let before = text(states.get(*path).and_then(Option::as_ref));
        let after = text(after.as_ref());
        let added = line_changes(&before, &after).into_iter();
        added
            .map(|change| &after[change.new.range()])
            .any(|added| has_inline_tests(path, added.lines()))
    });
    found.map(|(path, _)| path.clone()).collect()
}

/// Whether the base has a way to run tests.
fn harness(base: &Tree) -> Result<crate::policy::TestHarness, Stop> {
    let mut texts = BTreeMap::new();
    for path in ["package.json", "pyproject.toml", "setup.cfg", "Cargo.toml"] {
        if let Some(state) = base.read(path)? {
            texts.insert(
                path.to_owned(),
                String::from_utf8_lossy(&state.bytes).into_owned(),
            );
        }
    }
    Ok(detect_test_harness(base.paths(), &texts))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(bytes: &[u8]) -> Option<FileState> {
        Some(FileState {
            bytes: bytes.to_vec(),
            is_executable: false,
        })
    }

    #[test]
    fn a_test_beside_other_tests_is_an_inline_test() {
        let module = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() {}\n";
        let before = format!("fn f() {{}}\n{module}}}\n");
        let found = |after: &str| {
            let states = BTreeMap::from([("lib.rs".to_owned(), file(before.as_bytes()))]);
            let changed = BTreeMap::from([("lib.rs".to_owned(), file(after.as_bytes()))]);
            inline_tests(&states, &Changes::new(changed))
        };
        let added = format!("fn f() {{}}\n{module}\n    #[test]\n    fn b() {{}}\n}}\n");
        assert_eq!(found(&added), ["lib.rs"]);
        assert!(found(&before.replace("fn f", "fn g")).is_empty());
    }

    #[test]
    fn a_file_that_is_binary_before_or_after_the_patch_is_binary() {
        let text = file("é\n".as_bytes());
        assert!(!is_binary(Some(&text), Some(&text)));
        assert!(!is_binary(None, Some(&None)));
        for bytes in [&b"a\0b"[..], b"\xff\n"] {
            let binary = file(bytes);
            assert!(is_binary(Some(&binary), Some(&text)), "{bytes:?}");
            assert!(is_binary(Some(&None), Some(&binary)), "{bytes:?}");
        }
    }
}
