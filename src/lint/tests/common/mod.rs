//! Helpers for the tests, such as applying the fixes of chosen rules until none is left.

#![allow(dead_code, reason = "each test uses a part")]
#![allow(clippy::disallowed_methods, reason = "tests read fixtures")]

use std::path::{Path, PathBuf};

use fixpoint_engine::{Finding, Phase as _};
use fixpoint_lint::{Deprecated, LintPhase, LintSettings};
use fixpoint_report::{Edit, Safety, Severity, word};
use fixpoint_starlark::{FileKind, format};
use fixpoint_text::{LineIndex, Snapshot};

/// Settings with every rule switched on.
pub fn everything() -> LintSettings {
    let text = "[lint]\nenable = [\"unsorted-dict-items\"]\n";
    LintSettings::parse(text).expect("valid settings")
}

/// Facts about loaded files: the function `old` in `:old.bzl` is deprecated.
pub fn deprecated() -> Deprecated {
    Deprecated::from([(":old.bzl".to_owned(), ["old".to_owned()].into())])
}

/// The findings in a text.
pub fn findings(path: &str, text: &str) -> Vec<Finding> {
    let (settings, deprecated) = (everything(), deprecated());
    let lint = LintPhase::new(&settings).knowing(&deprecated);
    let found = lint.run(&Snapshot::new(path, text));
    let reported = found.findings.into_iter().filter(|it| !it.silenced);
    reported.collect()
}

/// The text after the fixes of the rules that `wanted` accepts are applied, whatever their safety.
pub fn fixed(path: &str, text: &str, wanted: impl Fn(&str) -> bool) -> String {
    let mut text = text.to_owned();
    for _ in 0..100 {
        let mut edits: Vec<Edit> = Vec::new();
        for finding in findings(path, &text).iter().filter(|it| wanted(&it.rule)) {
            let Some(proposal) = finding.proposals.first() else {
                continue;
            };
            if proposal.edits.iter().all(|edit| goes_with(edit, &edits)) {
                let new = proposal.edits.iter().filter(|it| !edits.contains(it));
                let new: Vec<Edit> = new.cloned().collect();
                edits.extend(new);
            }
        }
        if edits.is_empty() {
            return text;
        }
        text = apply(&text, edits);
    }
    panic!("{path}: the fixes do not settle:\n{text}");
}

/// Whether an edit is already in the list, or does not overlap any edit in it.
fn goes_with(edit: &Edit, edits: &[Edit]) -> bool {
    edits.contains(edit)
        || edits
            .iter()
            .all(|other| edit.end < other.start || other.end < edit.start)
}

pub fn apply(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| (edit.start, edit.end));
    let mut out = String::new();
    let mut at = 0;
    for edit in edits {
        assert!(at <= edit.start as usize, "edits overlap");
        out.push_str(&text[at..edit.start as usize]);
        out.push_str(&edit.replacement);
        at = edit.end as usize;
    }
    out + &text[at..]
}

/// The formatted text.
pub fn laid_out(path: &str, text: &str) -> Result<String, String> {
    format(FileKind::of_name(path), path, text).map_err(|errors| errors[0].to_string())
}

/// A folder of the external fixtures. Prints a message if it is missing.
pub fn fixtures(set: &str) -> Option<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/fixtures/starlark")
        .join(set);
    if dir.is_dir() {
        return Some(dir);
    }
    say(&format!("{set}: skipped, the shared fixtures are not here"));
    None
}

/// Prints test output, which is shown with `--nocapture` or on failure.
#[allow(clippy::print_stdout)]
pub fn say(line: &str) {
    println!("{line}");
}

/// Every file below a folder, sorted.
pub fn files_below(dir: &Path) -> Vec<PathBuf> {
    let entries =
        std::fs::read_dir(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("readable").path())
        .collect();
    paths.sort();
    let below = |path: PathBuf| {
        if path.is_dir() {
            files_below(&path)
        } else {
            vec![path]
        }
    };
    paths.into_iter().flat_map(below).collect()
}

pub fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The findings in a text, one per line.
pub fn report(path: &str, text: &str) -> String {
    let lines = LineIndex::new(text);
    let mut found: Vec<_> = findings(path, text);
    found.sort_by_key(|it| (it.span, it.rule.clone()));
    let line = |finding: &Finding| {
        let at = lines.position(text, finding.span.start());
        let severity = word::<Severity>(finding.severity.into()).unwrap_or_default();
        let fix = match finding.proposals.first() {
            Some(proposal) => {
                let safety = word::<Safety>(proposal.safety.into()).unwrap_or_default();
                format!(" ({safety}: {})", proposal.title)
            }
            None => String::new(),
        };
        let (rule, message) = (&finding.rule, &finding.message);
        format!(
            "{}:{} {rule} {severity}: {message}{fix}\n",
            at.line, at.column
        )
    };
    found.iter().map(line).collect()
}
