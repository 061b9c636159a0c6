//! Compares fixes with those of buildifier 8.2.1 on external fixtures, one warning at a time. Also
//! checks that linting and formatting reach a fixpoint on every fixture.
//!
//! The fixtures are not part of the project. If they are missing, the tests say so and pass.

#![allow(clippy::disallowed_methods, reason = "tests read fixtures")]

mod common;

use std::path::Path;

use common::{files_below, fixed, fixtures, laid_out, read, say};
use fixpoint_engine::{Config, Engine, Language as _, Phase, Policy};
use fixpoint_format::{FormatPhase, SourceLanguage};
use fixpoint_lint::LintPhase;
use fixpoint_report::Exit;
use fixpoint_text::Snapshot;

/// Fixtures whose text differs from buildifier's on purpose. `docs/starlark.md` has the same list.
const DIFFERENT: &[(&str, &str)] = &[
    (
        "load/efc14b9d",
        "buildifier drops the comment of a load that it merges",
    ),
    (
        "package-on-top/44fa1b0e",
        "buildifier adds a blank line for the distance to where the call was",
    ),
];

#[test]
fn fixes_agree_with_buildifier_except_in_the_listed_cases() {
    let Some(dir) = fixtures("lintfix") else {
        return;
    };
    let mut different = Vec::new();
    let files = files_below(&dir.join("in"));
    for path in &files {
        let case = path
            .strip_prefix(dir.join("in"))
            .expect("below")
            .to_string_lossy();
        let warnings: Vec<&str> = case
            .split('/')
            .next()
            .expect("a folder")
            .split(',')
            .collect();
        let name = path.file_name().expect("a name").to_string_lossy();
        let got = laid_out(
            &name,
            &fixed(&name, &read(path), |rule| warnings.contains(&rule)),
        );
        if got != Ok(read(&dir.join("out").join(&*case))) {
            different.push((case.into_owned(), got));
        }
    }
    let agree = files.len() - different.len();
    say(&format!("lintfix: {agree} of {} agree", files.len()));
    let mut unlisted = Vec::new();
    for (case, got) in &different {
        match DIFFERENT.iter().find(|(start, _)| case.starts_with(start)) {
            Some((_, why)) => say(&format!("  {case}: {why}")),
            None => unlisted.push((case, got)),
        }
    }
    assert!(
        unlisted.is_empty(),
        "differ for no listed reason: {unlisted:#?}"
    );
    for (start, _) in DIFFERENT {
        let differs = different.iter().any(|(case, _)| case.starts_with(start));
        assert!(differs, "{start} agrees now");
    }
}

#[test]
fn the_list_of_differences_is_documented() {
    let page = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/starlark.md"));
    for (start, why) in DIFFERENT {
        let is_listed = page
            .lines()
            .any(|line| line.contains(start) && line.contains(why));
        assert!(is_listed, "docs/starlark.md does not list {start}");
    }
}

/// Runs linting and formatting to a fixpoint. Returns how the run ended and the text.
fn run(path: &str, text: &str, policy: &Policy) -> Option<(Exit, String)> {
    let (config, settings) = (Config::default(), common::everything());
    let source = SourceLanguage::of(path, text, &config)?;
    let (lint, format) = (
        LintPhase::new(&settings),
        FormatPhase::new(&source, &config),
    );
    let engine = Engine::new(&source, [&lint as &dyn Phase, &format]);
    let run = engine.run(&Snapshot::new(path, text), policy);
    let exit = run.report.outcome.as_ref().expect("an outcome").exit();
    let keys = |text: &str| {
        let mut keys = source.comments(text);
        keys.sort();
        keys
    };
    assert_eq!(
        keys(text),
        keys(run.canonical.text()),
        "{path} loses a comment"
    );
    Some((exit, run.canonical.text().to_owned()))
}

#[test]
fn every_fixture_reaches_a_fixpoint() {
    for policy in [Policy::default(), Policy::default().with_likely()] {
        let mut count = 0;
        for set in ["testdata", "probes", "lintfix"] {
            let Some(dir) = fixtures(set) else {
                return;
            };
            for path in files_below(&dir.join("in")) {
                let name = path.file_name().expect("a name").to_string_lossy();
                let Some((exit, text)) = run(&name, &read(&path), &policy) else {
                    continue;
                };
                assert_eq!(exit, Exit::Fixpoint, "{}", path.display());
                let again = run(&name, &text, &policy).map(|(_, text)| text);
                assert_eq!(again, Some(text), "{} is not settled", path.display());
                count += 1;
            }
        }
        say(&format!("the loop settles on {count} fixtures"));
    }
}
