//! Branches and tables that contain the inputs and the expected results of the tests.

use std::collections::BTreeSet;

use super::{Source, TestText};
use crate::scan::{Language, scan};

/// The literals that the tests use together.
pub(super) struct Examples {
    /// The literals of each line, and of each call or tuple that spans a few lines.
    groups: Vec<BTreeSet<String>>,
}

impl Examples {
    pub(super) fn of(tests: &[TestText]) -> Self {
        let mut groups = Vec::new();
        for test in tests {
            let language = Language::of_path(&test.path).unwrap_or(Language::Python);
            let text = scan(&test.text, language).without_comments;
            let lines: Vec<Vec<String>> = text
                .lines()
                .map(|line| tokens(line).into_iter().filter_map(literal).collect())
                .collect();
            for window in lines.windows(3) {
                groups.push(window.iter().flatten().cloned().collect());
            }
            groups.extend(lines.into_iter().map(BTreeSet::from_iter));
        }
        groups.retain(|group: &BTreeSet<String>| group.len() > 1);
        Self { groups }
    }

    /// Whether a test uses a number that is not an everyday one.
    fn expects(&self, result: &str) -> bool {
        is_number(result)
            && !is_trivial(result)
            && self.groups.iter().any(|group| group.contains(result))
    }

    /// Whether a test uses all values together.
    fn contains_all(&self, values: &[String]) -> bool {
        let mut groups = self.groups.iter();
        groups.any(|group| values.iter().all(|value| group.contains(value)))
    }

    /// Whether a test uses all inputs together with the result.
    fn contains(&self, inputs: &[String], result: &str) -> bool {
        self.groups.iter().any(|group| {
            (group.contains(result) || is_truth(result))
                && inputs.iter().all(|input| group.contains(input))
        })
    }
}

fn is_number(literal: &str) -> bool {
    literal
        .trim_start_matches('-')
        .starts_with(|first: char| first.is_ascii_digit())
}

/// Reports numbers of the tests that a single line does not show as inputs and results: inputs that
/// arithmetic has joined to one number, and lists of whole inputs.
pub(super) fn check_joined(
    source: &Source,
    examples: &Examples,
    report: &mut dyn FnMut(usize, String),
) {
    let mut coded = BTreeSet::new();
    let mut inputs = BTreeSet::new();
    let mut tuples_of_all = 0;
    for line in source.added.iter().copied() {
        let tokens = tokens(source.text(line));
        let results = match equals_arithmetic(&tokens) {
            true => results(source, line, &tokens),
            false => Vec::new(),
        };
        let entries = table_entries(&tokens).into_iter();
        let entries =
            entries.filter(|(key, _)| key.iter().all(|key| is_number(key) && !is_trivial(key)));
        let results = results.into_iter().chain(entries.map(|(_, value)| value));
        coded.extend(
            results
                .filter(|it| examples.expects(it))
                .map(|it| (it, line)),
        );
        for tuple in tuples(&tokens) {
            tuples_of_all += 1;
            if tuple.iter().any(|it| !is_trivial(it)) && examples.contains_all(&tuple) {
                inputs.insert((tuple.join(", "), line));
            }
        }
    }
    if coded
        .iter()
        .map(|(result, _)| result)
        .collect::<BTreeSet<_>>()
        .len()
        >= 2
    {
        for (result, line) in coded {
            report(
                line,
                format!("a branch returns `{result}`, which a test expects"),
            );
        }
    }
    if inputs.len() >= 2 && 10 * inputs.len() >= 6 * tuples_of_all {
        for (tuple, line) in inputs {
            report(line, format!("a list has the input `{tuple}` of a test"));
        }
    }
}

/// Whether a condition compares a sum or a product with a number: `a * 100 + b == 507`.
fn equals_arithmetic(tokens: &[Token]) -> bool {
    tokens.iter().enumerate().any(|(at, token)| {
        let next = tokens.get(at + 1);
        is_mark(Some(token), &["==", "==="])
            && matches!(next, Some(Token::Literal(text)) if is_number(text) && !is_trivial(text))
            && tokens[..at]
                .iter()
                .any(|it| is_mark(Some(it), &["*", "+", "^", "-"]))
    })
}

/// Lists of at least two numbers in parentheses or brackets: `(5, 7)`.
fn tuples(tokens: &[Token]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if !is_mark(Some(token), &["(", "[", "{"]) {
            continue;
        }
        let inner = tokens[at + 1..].iter();
        let inner: Vec<&Token> = inner
            .take_while(|it| !is_mark(Some(it), &[")", "]", "}"]))
            .collect();
        let numbers = inner.iter().filter_map(|it| match it {
            Token::Literal(text) if is_number(text) => Some(text.clone()),
            _ => None,
        });
        let numbers: Vec<String> = numbers.collect();
        let commas = inner.iter().filter(|it| is_mark(Some(it), &[","])).count();
        if numbers.len() >= 2 && numbers.len() + commas == inner.len() {
            found.push(numbers);
        }
    }
    found
}

pub(super) fn check(source: &Source, examples: &Examples, report: &mut dyn FnMut(usize, String)) {
    let mut entries: Vec<(usize, bool, String)> = Vec::new();
    for line in source.added.iter().copied() {
        let tokens = tokens(source.text(line));
        let inputs = compared(&tokens);
        if !inputs.is_empty() {
            for result in results(source, line, &tokens) {
                if is_telling(&inputs, &result)
                    && !inputs.contains(&result)
                    && examples.contains(&inputs, &result)
                {
                    report(
                        line,
                        format!(
                            "a branch returns `{result}` for the input `{}` of a test",
                            inputs.join(", ")
                        ),
                    );
                }
            }
        }
        for (key, value) in table_entries(&tokens) {
            let matches = key.iter().any(|key| !is_trivial(key))
                && examples.contains(&key, &value)
                && !key.contains(&value);
            entries.push((line, matches, key.join(", ")));
        }
    }
    let matching = entries.iter().filter(|(_, matches, _)| *matches).count();
    if matching >= 2 && 10 * matching >= 6 * entries.len() {
        for (line, _, key) in entries.iter().filter(|(_, matches, _)| *matches) {
            report(
                *line,
                format!("a table has the input `{key}` of a test and its expected result"),
            );
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Word(String),
    Literal(String),
    Mark(String),
}

pub(super) fn literal(token: Token) -> Option<String> {
    match token {
        Token::Literal(text) => Some(text),
        Token::Word(word) if is_truth(&word) => Some(normal_truth(&word).to_owned()),
        _ => None,
    }
}

/// The tokens of one line. Strings that span lines are cut at the end of the line.
pub(super) fn tokens(line: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let characters: Vec<char> = line.chars().collect();
    let mut at = 0;
    while at < characters.len() {
        let c = characters[at];
        if c.is_whitespace() {
            at += 1;
        } else if matches!(c, '"' | '\'' | '`') {
            let mut content = String::new();
            at += 1;
            while at < characters.len() && characters[at] != c {
                if characters[at] == '\\' && at + 1 < characters.len() {
                    content.push(characters[at]);
                    at += 1;
                }
                content.push(characters[at]);
                at += 1;
            }
            at += 1;
            found.push(Token::Literal(format!("\"{content}\"")));
        } else if c.is_ascii_digit() {
            let start = at;
            while at < characters.len()
                && (characters[at].is_alphanumeric() || matches!(characters[at], '.' | '_'))
            {
                at += 1;
            }
            let mut number: String = characters[start..at]
                .iter()
                .filter(|c| **c != '_')
                .collect();
            // A sign belongs to the number unless it subtracts.
            let negative = matches!(found.last(), Some(Token::Mark(mark)) if mark == "-")
                && !matches!(
                    found.len().checked_sub(2).and_then(|at| found.get(at)),
                    Some(Token::Word(word)) if word != "return"
                )
                && !matches!(
                    found.len().checked_sub(2).and_then(|at| found.get(at)),
                    Some(Token::Literal(_))
                );
            if negative {
                found.pop();
                number.insert(0, '-');
            }
            found.push(Token::Literal(number));
        } else if c.is_alphabetic() || c == '_' {
            let start = at;
            while at < characters.len()
                && (characters[at].is_alphanumeric() || characters[at] == '_')
            {
                at += 1;
            }
            found.push(Token::Word(characters[start..at].iter().collect()));
        } else {
            let pair: String = characters[at..].iter().take(3).collect();
            let mark = ["===", "==", "=>", "&&", "||", ":="]
                .into_iter()
                .find(|mark| pair.starts_with(mark))
                .map_or_else(|| c.to_string(), str::to_owned);
            at += mark.chars().count();
            found.push(Token::Mark(mark));
        }
    }
    found
}

fn is_truth(word: &str) -> bool {
    matches!(
        word,
        "True" | "False" | "None" | "true" | "false" | "null" | "nil" | "undefined"
    )
}

fn normal_truth(word: &str) -> &str {
    match word {
        "true" => "True",
        "false" => "False",
        "null" | "nil" | "undefined" => "None",
        other => other,
    }
}

pub(super) fn is_trivial(literal: &str) -> bool {
    matches!(literal, "0" | "1" | "-1" | "\"\"" | "0.0" | "1.0") || is_truth(literal)
}

/// Base cases such as `if n == 0: return 1` and `if n == 2: return True` are ordinary.
fn is_telling(inputs: &[String], result: &str) -> bool {
    inputs
        .iter()
        .any(|input| !is_trivial(input) && (input != "2" || !is_trivial(result)))
}

fn is_mark(token: Option<&Token>, marks: &[&str]) -> bool {
    matches!(token, Some(Token::Mark(mark)) if marks.contains(&mark.as_str()))
}

fn is_word(token: Option<&Token>, words: &[&str]) -> bool {
    matches!(token, Some(Token::Word(word)) if words.contains(&word.as_str()))
}

/// The literals that the line compares something with: `x == 3`, `(a, b) == (1, 2)`, `case 3`.
fn compared(tokens: &[Token]) -> Vec<String> {
    let mut found = Vec::new();
    let conditional = tokens.iter().enumerate().any(|(at, token)| {
        is_word(Some(token), &["if", "elif", "case", "when"])
            || (is_mark(Some(token), &["?"]) && at > 0)
    });
    if !conditional {
        return found;
    }
    for (at, token) in tokens.iter().enumerate() {
        let Token::Literal(text) = token else {
            continue;
        };
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let next = tokens.get(at + 1);
        if is_mark(before, &["==", "==="])
            || is_mark(next, &["==", "==="])
            || is_word(before, &["case"])
            || in_compared_tuple(tokens, at)
        {
            found.push(text.clone());
        }
    }
    found
}

/// Whether a literal is in brackets that follow `==` or `in`.
fn in_compared_tuple(tokens: &[Token], at: usize) -> bool {
    for back in (0..at).rev() {
        match &tokens[back] {
            Token::Literal(_) => {}
            Token::Mark(mark) if mark == "," => {}
            Token::Mark(mark) if mark == "(" || mark == "[" => {
                let before = back.checked_sub(1).and_then(|at| tokens.get(at));
                return is_mark(before, &["==", "==="]) || is_word(before, &["case"]);
            }
            _ => return false,
        }
    }
    false
}

/// The literals that the branch returns, on the same line or on the first line of its body.
fn results(source: &Source, line: usize, own: &[Token]) -> Vec<String> {
    let mut found = returned(own);
    if found.is_empty()
        && let Some(next) = source.next(line)
        && source.added.contains(&next)
    {
        let below = tokens(source.text(next));
        if is_word(below.first(), &["return"]) {
            found = returned(&below);
        }
    }
    found
}

fn returned(tokens: &[Token]) -> Vec<String> {
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let starts = is_word(Some(token), &["return"]) || is_mark(Some(token), &["?", "=>"]);
        if !starts {
            continue;
        }
        // A longer expression is not a constant.
        let after = tokens.get(at + 2);
        let ends =
            after.is_none() || is_mark(after, &[";", "}", ":", ","]) || is_word(after, &["if"]);
        if ends && let Some(text) = tokens.get(at + 1).cloned().and_then(literal) {
            found.push(text);
        }
    }
    found
}

/// Entries of tables: `"a": 1`, `(1, 2): 3`, `5 => 6`, `["a", 1]`.
fn table_entries(tokens: &[Token]) -> Vec<(Vec<String>, String)> {
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if !is_mark(Some(token), &[":", "=>"]) {
            continue;
        }
        let Some(value) = tokens.get(at + 1).cloned().and_then(literal) else {
            continue;
        };
        let mut key = Vec::new();
        for back in (0..at).rev() {
            match &tokens[back] {
                Token::Literal(text) => {
                    key.push(text.clone());
                    let before = back.checked_sub(1).and_then(|at| tokens.get(at));
                    if !is_mark(before, &[","]) || !is_mark(tokens.get(at - 1), &[")"]) {
                        break;
                    }
                }
                Token::Mark(mark) if mark == ")" || mark == "," => {}
                _ => break,
            }
        }
        key.reverse();
        if !key.is_empty() {
            found.push((key, value));
        }
    }
    found
}
