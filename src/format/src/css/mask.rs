//! Hides from the printer what it would change or reject: the values of custom properties, filters
//! of old browsers, and property names such as `*zoom`.

use std::ops::Range;

use super::statement::{Lexemes, Statement};
use super::token::Kind;

/// The parts that are hidden.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Hide {
    /// Only what the printer always changes or rejects.
    Needed,
    /// Also parentheses in functions: the printer removes some of those that are optional.
    Parentheses,
}

/// A text in which each hidden part is replaced by a placeholder.
pub(super) struct Masked<'t> {
    original: &'t str,
    pub(super) text: String,
    placeholder: String,
    hidden: Vec<Range<usize>>,
}

impl<'t> Masked<'t> {
    /// Returns `None` if there is nothing to hide.
    pub(super) fn new(original: &'t str, hide: Hide) -> Option<Self> {
        let hidden = hidden(original, hide);
        if hidden.is_empty() {
            return None;
        }
        let mut placeholder = "fixpoint-mask".to_owned();
        while original.contains(&placeholder) {
            placeholder.push('-');
        }
        let mut text = String::with_capacity(original.len());
        let mut at = 0;
        for part in &hidden {
            text.push_str(&original[at..part.start]);
            text.push_str(&placeholder);
            at = part.end;
        }
        text.push_str(&original[at..]);
        Some(Self {
            original,
            text,
            placeholder,
            hidden,
        })
    }

    /// Returns `printed` with the hidden parts restored, or `None` if the printer lost one.
    pub(super) fn restore(&self, printed: &str) -> Option<String> {
        let mut pieces = printed.split(&self.placeholder);
        let mut result = pieces.next()?.to_owned();
        let mut hidden = self.hidden.iter();
        for piece in pieces {
            result.push_str(&self.original[hidden.next()?.clone()]);
            result.push_str(piece);
        }
        hidden.next().is_none().then_some(result)
    }

    /// Maps a position in the masked text to the original text.
    pub(super) fn original_position(&self, at: usize) -> usize {
        let mut shown = 0;
        let mut end = 0;
        for part in &self.hidden {
            let start = shown + part.start - end;
            if at <= start {
                break;
            }
            shown = start + self.placeholder.len();
            end = part.end;
            if at < shown {
                return part.start;
            }
        }
        end + at - shown
    }
}

fn hidden(text: &str, hide: Hide) -> Vec<Range<usize>> {
    let lexemes = Lexemes::of(text);
    let mut hidden = Vec::new();
    let (mut at, mut depth) = (0, 0_usize);
    while at < lexemes.len() {
        at = match lexemes.statement(at, depth > 0) {
            Statement::Empty | Statement::Stray => at + 1,
            Statement::Closing => {
                depth -= 1;
                at + 1
            }
            Statement::Custom { colon, end } => {
                hidden.extend(value(&lexemes, colon, end));
                end
            }
            Statement::Declaration { colon, end } => {
                if let Some(colon) = colon {
                    if lexemes.kind(at) != Some(Kind::Ident) {
                        hidden.push(lexemes[at].token.start..lexemes[colon - 1].token.end);
                    }
                    if is_old_filter(&lexemes, colon) {
                        hidden.extend(value(&lexemes, colon, end));
                    } else if hide == Hide::Parentheses {
                        add_parentheses(&lexemes, colon..end, &mut hidden);
                    }
                }
                end
            }
            Statement::AtRule { end } | Statement::Rule { end } if lexemes.source(end) == "{" => {
                depth += 1;
                end + 1
            }
            Statement::AtRule { end } | Statement::Rule { end } => end,
        };
    }
    hidden
}

/// The range of a value, unless it contains an error, which the printer's parser then reports.
fn value(lexemes: &Lexemes<'_>, colon: usize, end: usize) -> Option<Range<usize>> {
    let is_bad = |at| lexemes.kind(at) == Some(Kind::Bad);
    let is_closed = end < lexemes.len();
    (is_closed && !(colon..end).any(is_bad)).then(|| lexemes.between(colon, end))
}

/// Adds the outermost parentheses inside of functions.
fn add_parentheses(lexemes: &Lexemes<'_>, value: Range<usize>, hidden: &mut Vec<Range<usize>>) {
    // For each open bracket, where it starts, and whether it is a function.
    let mut open: Vec<(usize, bool)> = Vec::new();
    for at in value {
        let token = lexemes[at].token;
        match token.kind {
            Kind::Open | Kind::Function => open.push((token.start, token.kind == Kind::Function)),
            Kind::Close => {
                let Some((start, is_function)) = open.pop() else {
                    return;
                };
                let is_outermost = open.iter().all(|(_, is_function)| *is_function);
                if !is_function && is_outermost && !open.is_empty() {
                    hidden.push(start..token.end);
                }
            }
            Kind::Bad => return,
            _ => {}
        }
    }
}

/// Whether the value is like `progid:DXImageTransform.Microsoft.gradient(enabled=false)`.
fn is_old_filter(lexemes: &Lexemes<'_>, colon: usize) -> bool {
    lexemes.source(colon + 1).eq_ignore_ascii_case("progid")
        && lexemes.kind(colon + 2) == Some(Kind::Colon)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a{--b: {c;d} ;*e:1;--f:;filter:progid:G(h=1) !important}";

    fn parts(text: &str, hide: Hide) -> Vec<&str> {
        hidden(text, hide)
            .into_iter()
            .map(|part| &text[part])
            .collect()
    }

    #[test]
    fn only_what_the_printer_would_change_is_hidden() {
        assert_eq!(
            parts(TEXT, Hide::Needed),
            ["{c;d}", "*e", "", "progid:G(h=1) !important"]
        );
        assert_eq!(
            parts("--a:b;a{b:--c;*d:e{f:g}}@media (--a:b){}", Hide::Needed),
            Vec::<&str>::new()
        );
        assert_eq!(
            parts("a{--b:'c\n;}b{--c:d", Hide::Needed),
            Vec::<&str>::new()
        );
    }

    #[test]
    fn outermost_parentheses_in_functions_are_hidden() {
        let text = "a{b:(c) d((e)+f(g)*((h)))}";
        assert_eq!(parts(text, Hide::Parentheses), ["(e)", "((h))"]);
    }

    #[test]
    fn hidden_parts_are_restored_at_their_positions() {
        let masked = Masked::new(TEXT, Hide::Needed).expect("parts are hidden");
        assert_eq!(masked.restore(&masked.text).as_deref(), Some(TEXT));
        assert_eq!(masked.restore("fixpoint-mask"), None);
        let end = masked.text.find(":1").expect("it is not hidden");
        assert_eq!(
            masked.original_position(end),
            TEXT.find(":1").expect("it is there")
        );
        assert_eq!(masked.original_position(masked.text.len()), TEXT.len());
    }
}
