//! The outside fixtures: what buildifier 8.2.1 makes of each file, and files that it refuses.
//!
//! They are not part of the project; where they are absent the tests say so and pass.

#![allow(clippy::disallowed_methods, reason = "tests read fixtures")]

use std::path::{Path, PathBuf};

use fixpoint_starlark::{FileKind, format, lint, parse, rules};

/// Fixtures on which our text differs on purpose.
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

/// Test output is what these tests are for; it is shown with `--nocapture` or on failure.
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
fn probes_agree_but_for_the_listed_cases() {
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
fn syntax_errors_are_refused_with_a_place() {
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
fn trees_are_lossless_and_canonical_text_is_settled() {
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

/// Fixes that leave other text than buildifier's, on purpose.
const FIXED_DIFFERENTLY: &[(&str, &str)] = &[
    (
        "load/efc14b9d.",
        "buildifier drops the comment of a load that it merges",
    ),
    (
        "package-on-top/44fa1b0e.bzl",
        "buildifier adds a blank line for the distance to where the call stood",
    ),
    (
        "package-on-top/44fa1b0e.star",
        "buildifier adds a blank line for the distance to where the call stood",
    ),
];

/// The text after the fixes of one rule, formatted.
fn fixed(rule: &str, path: &Path) -> Result<String, String> {
    let (text, name) = (read(path), name(path));
    let kind = FileKind::of_name(name);
    let findings = lint(kind, &parse(&text));
    let of_rule = findings.iter().filter(|finding| finding.rule == rule);
    let mut edits: Vec<_> = of_rule.flat_map(|finding| &finding.edits).collect();
    edits.sort_by_key(|edit| edit.span);
    let mut out = String::new();
    let mut at = 0;
    for edit in edits {
        out.push_str(&text[at..edit.span.start()]);
        out.push_str(&edit.replacement);
        at = edit.span.end();
    }
    out.push_str(&text[at..]);
    format(kind, name, &out).map_err(|errors| errors[0].to_string())
}

#[test]
fn fixes_agree_for_every_rule_there_is() {
    let Some(dir) = fixtures("lintfix") else {
        return;
    };
    let (mut equal, mut all) = (0, 0);
    for rule in rules() {
        let entries = std::fs::read_dir(dir.join("in").join(rule.name));
        for entry in entries.into_iter().flatten().flatten() {
            let path = entry.path();
            let case = format!("{}/{}", rule.name, name(&path));
            let want = read(&dir.join("out").join(&case));
            let agrees = fixed(rule.name, &path) == Ok(want);
            let listed = FIXED_DIFFERENTLY
                .iter()
                .any(|(start, _)| case.starts_with(start));
            assert!(agrees != listed, "{case}: {:?}", fixed(rule.name, &path));
            equal += usize::from(agrees);
            all += 1;
        }
    }
    say(&format!(
        "lintfix: {equal} of {all} byte-equal for the rules there are"
    ));
}
