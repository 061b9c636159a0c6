//! Code that inspects the running program, or changes it.
//!
//! An honest fix computes from its arguments. Code that inspects the process, its caller or the
//! machine can detect a test run. So code that a patch adds may use only listed members of the
//! modules that give access to these, unless the file used the same name before.

mod go_uses;
mod python_modules;
mod python_uses;
mod rust_uses;
mod script_uses;

use std::collections::BTreeSet;

use super::special_cases::{Token, tokens};
use super::{Lines, Source};
use crate::scan::Language;

/// What ordinary code may use of a module.
enum Members {
    Only(&'static [&'static str]),
    Except(&'static [&'static str]),
}

impl Members {
    fn allow(&self, member: &str) -> bool {
        match self {
            Self::Only(names) => names.contains(&member),
            Self::Except(names) => !names.contains(&member),
        }
    }
}

/// A module or a global object that gives access to the running program, and the members of it that
/// ordinary code needs.
type Table = &'static [(&'static str, Members)];

fn members(table: Table, name: &str) -> Option<&'static Members> {
    let found = table.iter().find(|(module, _)| *module == name);
    found.map(|(_, members)| members)
}

/// A use of a member that is not listed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Use {
    line: usize,
    /// What is used. A name that the file used before is not reported.
    name: String,
}

/// `names` are the words in the tests of the base: a variable that a test sets is an input.
pub(super) fn check(
    source: &Source,
    names: &BTreeSet<String>,
    report: &mut dyn FnMut(usize, String),
) {
    let find = |lines: &Lines| match source.language {
        Language::Python => python_uses::uses(lines, names),
        Language::Script => script_uses::uses(lines, names),
        Language::Go => go_uses::uses(lines, names),
        Language::Rust => rust_uses::uses(lines, names),
    };
    let known: BTreeSet<String> = find(&source.old).into_iter().map(|it| it.name).collect();
    for found in find(&source.new) {
        if source.added.contains(&found.line) && !known.contains(&found.name) {
            let reason = "knows or changes the running program, and the file did not use it before";
            report(found.line, format!("`{}` {reason}", found.name));
        }
    }
}

/// The tokens of a file with their lines. Strings are empty.
struct Code<'a> {
    lines: &'a Lines,
    tokens: Vec<(usize, Token)>,
    found: Vec<Use>,
}

impl<'a> Code<'a> {
    fn of(lines: &'a Lines) -> Self {
        let numbered = lines.code.iter().enumerate();
        let all =
            numbered.flat_map(|(line, code)| tokens(code).into_iter().map(move |it| (line, it)));
        Self {
            lines,
            tokens: all.collect(),
            found: Vec::new(),
        }
    }

    fn token(&self, at: usize) -> Option<&Token> {
        self.tokens.get(at).map(|(_, token)| token)
    }

    fn line(&self, at: usize) -> Option<usize> {
        self.tokens.get(at).map(|(line, _)| *line)
    }

    fn word(&self, at: usize) -> Option<&str> {
        match self.token(at)? {
            Token::Word(word) => Some(word),
            Token::Literal(_) | Token::Mark(_) => None,
        }
    }

    fn is_word(&self, at: usize, word: &str) -> bool {
        self.word(at) == Some(word)
    }

    fn mark(&self, at: usize) -> &str {
        match self.token(at) {
            Some(Token::Mark(mark)) => mark,
            _ => "",
        }
    }

    fn mark_before(&self, at: usize) -> &str {
        at.checked_sub(1).map_or("", |before| self.mark(before))
    }

    fn word_before(&self, at: usize) -> Option<&str> {
        self.word(at.checked_sub(1)?)
    }

    /// The name after a dot: `b` in `a.b` and `a?.b`.
    fn member(&self, at: usize) -> Option<(usize, &str)> {
        let dot = if self.mark(at + 1) == "?" {
            at + 2
        } else {
            at + 1
        };
        if self.mark(dot) != "." {
            return None;
        }
        self.word(dot + 1).map(|word| (dot + 1, word))
    }

    /// The name after two colons: `b` in `a::b`.
    fn path_member(&self, at: usize) -> Option<(usize, &str)> {
        if self.mark(at + 1) != ":" || self.mark(at + 2) != ":" {
            return None;
        }
        self.word(at + 3).map(|word| (at + 3, word))
    }

    /// The first name of `a.b.c`, for the position of `c`.
    fn head(&self, at: usize) -> usize {
        let mut head = at;
        while self.mark_before(head) == "." && head >= 2 && self.word(head - 2).is_some() {
            head -= 2;
        }
        head
    }

    fn add(&mut self, at: usize, name: impl Into<String>) {
        if let Some(line) = self.line(at) {
            self.found.push(Use {
                line,
                name: name.into(),
            });
        }
    }

    /// Adds a read of the environment, unless tests name the variable.
    fn add_environment(&mut self, at: usize, name: &str, names: &BTreeSet<String>) {
        let Some(line) = self.line(at) else {
            return;
        };
        let mut variables: Vec<String> = self.strings(line..line + 2).collect();
        variables.extend(self.member(at).map(|(_, word)| word.to_owned()));
        variables.retain(|it| is_variable(it));
        if variables.is_empty() || !variables.iter().all(|it| names.contains(it)) {
            self.add(at, format!("{name} {}", variables.join(" ")).trim_end());
        }
    }

    /// The contents of the strings in some lines.
    fn strings(&self, lines: std::ops::Range<usize>) -> impl Iterator<Item = String> {
        let lines = lines.filter_map(|line| self.lines.text.get(line));
        lines
            .flat_map(|line| tokens(line))
            .filter_map(|token| match token {
                Token::Literal(text) if text.starts_with('"') => {
                    Some(text.trim_matches('"').to_owned())
                }
                _ => None,
            })
    }
}

/// Names of variables of the environment are written in capitals.
fn is_variable(name: &str) -> bool {
    name.len() > 1
        && name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
        && name
            .chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}
