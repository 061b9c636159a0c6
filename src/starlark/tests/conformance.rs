//! External fixtures: the output of buildifier 8.2.1 for each file, and files that buildifier
//! rejects.
//!
//! The fixtures are not part of the project. If they are missing, the tests print a note and pass.

#![allow(clippy::disallowed_methods, reason = "tests read fixtures")]

use std::path::{Path, PathBuf};

use fixpoint_starlark::{FileKind, format, parse};

/// Fixtures for which our output differs on purpose.
const DIFFERENT: &[(&str, &str)] = &[
    (
        "dedup-skip-quirk.",
        "a second pass of buildifier sorts what its first one skipped; we print the settled text",
    ),
    (
        "elif-docstring.",
        "buildifier indents a docstring under `elif` one step too far",
    ),
    (
        "labels.",
        "buildifier drops the comment of a repeated list element",
    ),
    (
        "load-alias-comment-merge.",
        "buildifier needs a second pass; we print the settled text",
    ),
    (
        "priorityx.",
        "buildifier needs a second pass to sort arguments; we print the settled text",
    ),
    (
        "seq-with-break.",
        "buildifier drops a backslash, and with it the syntax",
    ),
];

fn fixtures(set: &str) -> Option<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/fixtures/starlark")
        .join(set);
    if dir.is_dir() {
        return Some(dir);
    }
    say(&format!("{set}: skipped, the shared fixtures are not here"));
    None
}

/// The output is the purpose of these tests. It is shown with `--nocapture` or on failure.
#[allow(clippy::print_stdout)]
fn say(line: &str) {
    println!("{line}");
}

fn inputs(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir.join("in")).expect("fixtures have an `in` folder");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> &str {
    path.file_name()
        .and_then(|name| name.to_str())
        .unwrap_or("")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn canonical(path: &Path) -> Result<String, String> {
    let name = name(path);
    format(FileKind::of_name(name), name, &read(path)).map_err(|errors| errors[0].to_string())
}

/// Compares a set and returns the names of the fixtures that differ.
fn compare(set: &str) -> Option<Vec<String>> {
    let dir = fixtures(set)?;
    let inputs = inputs(&dir);
    let differs = |path: &&PathBuf| canonical(path) != Ok(read(&dir.join("out").join(name(path))));
    let different: Vec<String> = inputs
        .iter()
        .filter(differs)
        .map(|path| name(path).to_owned())
        .collect();
    say(&format!(
        "{set}: {} of {} byte-equal",
        inputs.len() - different.len(),
        inputs.len()
    ));
    Some(different)
}

#[test]
fn probes_agree_except_for_the_listed_cases() {
    let Some(different) = compare("probes") else {
        return;
    };
    for found in &different {
        let listed = DIFFERENT.iter().find(|(start, _)| found.starts_with(start));
        assert!(
            listed.is_some(),
            "{found} differs from buildifier for no listed reason"
        );
    }
    for (start, why) in DIFFERENT {
        assert!(
            different.iter().any(|name| name.starts_with(start)),
            "{start} agrees now: {why}"
        );
    }
}

#[test]
fn upstream_test_data_agrees() {
    if let Some(different) = compare("testdata") {
        assert_eq!(different, Vec::<String>::new());
    }
}

#[test]
fn syntax_errors_are_rejected_with_a_location() {
    let Some(dir) = fixtures("errors") else {
        return;
    };
    let inputs = inputs(&dir);
    for path in &inputs {
        let text = read(path);
        let errors = parse(&text).errors;
        assert!(!errors.is_empty(), "{} was accepted", name(path));
        for error in errors {
            assert!(
                text.get(error.span().range()).is_some(),
                "{}: {error}",
                name(path)
            );
        }
    }
    say(&format!("errors: {0} of {0} refused", inputs.len()));
}

#[test]
fn trees_are_lossless_and_canonical_text_is_stable() {
    for set in ["probes", "testdata", "errors"] {
        let Some(dir) = fixtures(set) else {
            return;
        };
        for path in inputs(&dir) {
            let text = read(&path);
            assert_eq!(parse(&text).tree.text(), text, "{}", name(&path));
            if let Ok(once) = canonical(&path) {
                let again = format(FileKind::of_name(name(&path)), "", &once);
                assert_eq!(again.as_ref(), Ok(&once), "{}", name(&path));
            }
        }
    }
}
