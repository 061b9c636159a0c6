//! Signs of a patch that passes tests without fixing anything, which no run can show.
//!
//! Each check reads lines that the patch adds to files that are not tests. Most checks know patterns,
//! and prefer to miss a doubtful case. `runtime` and `operators` allow what ordinary code needs, and
//! report everything else, so they also report some honest fixes.

mod embedded;
mod functions;
mod introspection;
mod operators;
mod patterns;
mod reads_source;
mod runtime;
mod special_cases;

use std::collections::BTreeSet;

use fixpoint_text::line_changes;

use crate::scan::{Language, scan};

pub use reads_source::reads_source;

/// A file that the patch changes and that is not a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFile {
    pub path: String,
    /// None if the patch creates the file.
    pub old: Option<String>,
    pub new: String,
}

/// An added line that a person should look at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Suspicion {
    pub path: String,
    /// From 1, in the patched file.
    pub line: usize,
    pub reason: String,
}

/// A test file: its path decides how its literals are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestText {
    pub path: String,
    pub text: String,
    /// None if the patch creates the file.
    pub base: Option<String>,
}

/// The suspicious lines of a patch, sorted by path and line.
pub fn suspicious(files: &[ChangedFile], tests: &[TestText]) -> Vec<Suspicion> {
    let examples = special_cases::Examples::of(tests);
    let embedded = embedded::EmbeddedExamples::of(tests);
    let added_literals = added_literals(files);
    let names = names_in_base(tests);
    let mut found: BTreeSet<Suspicion> = BTreeSet::new();
    for file in files {
        let Some(language) = Language::of_path(&file.path) else {
            continue;
        };
        let source = Source::new(file, language);
        let mut report = |line: usize, reason: String| {
            found.insert(Suspicion {
                path: file.path.clone(),
                line: line + 1,
                reason,
            });
        };
        patterns::check(&source, &mut report);
        functions::check(&source, &mut report);
        introspection::check(&source, &mut report);
        operators::check(&source, &names, &mut report);
        runtime::check(&source, &names, &mut report);
        special_cases::check(&source, &examples, &mut report);
        special_cases::check_joined(&source, &examples, &mut report);
        embedded.check(&source, &mut report);
        embedded.check_hashes(&source, &added_literals, &mut report);
    }
    found.into_iter().collect()
}

/// The words in the tests of the base.
fn names_in_base(tests: &[TestText]) -> BTreeSet<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let texts = tests.iter().filter_map(|test| test.base.as_deref());
    let words = texts.flat_map(|text| text.split(move |c: char| !is_word(c)));
    words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The literals of all lines that the patch adds, in files of any kind.
fn added_literals(files: &[ChangedFile]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for file in files {
        let known: BTreeSet<&str> = file.old.as_deref().unwrap_or("").lines().collect();
        let added = file.new.lines().filter(|line| !known.contains(line));
        found.extend(added.flat_map(embedded::telling));
    }
    found
}

/// A patched file by lines, which count from 0 here.
struct Source {
    language: Language,
    new: Lines,
    /// Empty if the patch creates the file.
    old: Lines,
    added: BTreeSet<usize>,
}

struct Lines {
    /// Without comments and contents of strings.
    code: Vec<String>,
    /// Without comments.
    text: Vec<String>,
}

impl Lines {
    fn of(text: &str, language: Language) -> Self {
        let scanned = scan(text, language);
        let lines = |text: &str| text.lines().map(str::to_owned).collect();
        Self {
            code: lines(&scanned.code),
            text: lines(&scanned.without_comments),
        }
    }
}

impl Source {
    fn new(file: &ChangedFile, language: Language) -> Self {
        let old = file.old.as_deref().unwrap_or("");
        let newline = |byte: &&u8| **byte == b'\n';
        let line_of = |offset: usize| file.new.as_bytes()[..offset].iter().filter(newline).count();
        let mut added = BTreeSet::new();
        for change in line_changes(old, &file.new) {
            let (start, end) = (change.new.start(), change.new.end());
            if start < end {
                added.extend(line_of(start)..=line_of(end - 1));
            }
        }
        Self {
            language,
            new: Lines::of(&file.new, language),
            old: Lines::of(old, language),
            added,
        }
    }

    fn code(&self, line: usize) -> &str {
        self.new.code.get(line).map_or("", String::as_str)
    }

    fn text(&self, line: usize) -> &str {
        self.new.text.get(line).map_or("", String::as_str)
    }

    fn indent(&self, line: usize) -> usize {
        let code = self.code(line);
        code.len() - code.trim_start().len()
    }

    /// The next line with code.
    fn next(&self, line: usize) -> Option<usize> {
        (line + 1..self.new.code.len()).find(|line| !self.code(*line).trim().is_empty())
    }

    /// The lines below a line that are indented more deeply.
    fn body(&self, line: usize) -> Vec<usize> {
        (line + 1..self.new.code.len())
            .filter(|line| !self.code(*line).trim().is_empty())
            .take_while(|inner| self.indent(*inner) > self.indent(line))
            .collect()
    }

    /// Whether the line is in the main function or in the part that runs as a program.
    fn is_in_main(&self, line: usize) -> bool {
        let mut indent = self.indent(line);
        for above in (0..line).rev() {
            let code = self.code(above).trim();
            if code.is_empty() || self.indent(above) >= indent {
                continue;
            }
            indent = self.indent(above);
            let is_main = ["def main(", "fn main(", "func main(", "function main("]
                .iter()
                .any(|head| code.contains(head));
            if is_main || code.contains("__name__") || code.contains("require.main") {
                return true;
            }
        }
        false
    }
}

/// Whether `word` occurs in `text` and is not part of a longer name.
fn has_word(text: &str, word: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let starts = !word.starts_with(is_word) || !text[..at].ends_with(is_word);
        let after = &text[at + word.len()..];
        starts && (!word.ends_with(is_word) || !after.starts_with(is_word))
    })
}
