//! Parses a large text in two halves in parallel.
//!
//! A keyword that begins a declaration occurs nowhere else. So if both halves contain only
//! declarations, the whole text is the first half followed by the second.

use super::ParsedDecls;
use crate::ast::Middle;
use crate::parallel::both;

/// Parsing this many bytes takes longer than starting a thread.
const LARGE: usize = 1 << 16;

/// The declarations of a text, if it is large and has no errors. Runs `meanwhile` while another
/// thread parses the second half.
pub(super) fn read(text: &str, meanwhile: impl FnOnce()) -> Option<(ParsedDecls, Middle)> {
    let half = middle(text)?;
    let front = text.get(..half)?;
    let (mut first, (second, node)) = both(
        || {
            meanwhile();
            ParsedDecls::of(front, 0, 0)
        },
        || {
            // Every node has a token of its own. So the nodes of the second half can be numbered
            // from the token count on.
            let node = most_tokens(front);
            (ParsedDecls::of(text, half, node), node)
        },
    );
    if !first.errors.is_empty() || !second.errors.is_empty() || first.ids.len() > node {
        return None;
    }
    let middle = Middle {
        declaration: first.declarations.len(),
        end: first.ids.len(),
        node,
    };
    first.declarations.extend(second.declarations);
    first.ids = second.ids;
    first.token_count += second.token_count;
    Some((first, middle))
}

/// The first line after the middle that begins with a function. Such a line may also be inside a
/// comment, string or template. That one is then unterminated in the first half, which is an error.
fn middle(text: &str) -> Option<usize> {
    if text.len() < LARGE {
        return None;
    }
    let half = text.ceil_char_boundary(text.len() / 2);
    let at = text.get(half..)?.find("\nfn ")?;
    Some(half + at + 1)
}

/// Counts every byte that may begin a token. It misses a name directly after a number, which is
/// almost never valid.
fn most_tokens(text: &str) -> usize {
    let is_word = |it: u8| it.is_ascii_alphanumeric() || it == b'_';
    let is_space = |it: u8| matches!(it, b' ' | b'\t' | b'\n' | b'\r');
    let bytes = text.as_bytes();
    let goes_on = |before: u8, it: u8| is_space(it) || (is_word(it) && is_word(before));
    let later = bytes.iter().zip(bytes.iter().skip(1));
    let begins = later.filter(|(before, it)| !goes_on(**before, **it));
    usize::from(!bytes.is_empty()) + begins.count()
}

#[cfg(test)]
mod tests {
    use fixpoint_text::Span;

    use super::*;
    use crate::ast::{Decl, NodeRef};
    use crate::lex::lex;
    use crate::parse::parse;

    /// A large text that is split at the last function of `odd`, if it is split at all.
    fn around(odd: &str) -> String {
        let functions = |letter: &str| {
            (0..2_000).fold(String::new(), |text, at| {
                text + &format!("fn {letter}{at}(n: Int) -> Int {{\n  n + {at}\n}}\n")
            })
        };
        let (front, back) = (functions("f"), functions("g"));
        let function = odd.rfind("\nfn ").expect("a function");
        let (before, function) = odd.split_at(function);
        let room = " ".repeat(function.len() + 10);
        format!("{front}{before}{room}{function}\n{back}")
    }

    /// The kind and span of every node.
    fn nodes(declarations: &[Decl]) -> Vec<(Span, (&str, &str))> {
        let mut nodes = Vec::new();
        for declaration in declarations {
            NodeRef::Decl(declaration).each(&mut |it| nodes.push((it.span(), it.key())));
        }
        nodes
    }

    /// Whether a text was parsed in halves, and its errors. Also asserts that parsing it in one
    /// piece gives the same.
    fn read_both_ways(text: &str) -> (bool, Vec<Span>) {
        let parsed = parse("a.clank", text);
        let whole = ParsedDecls::of(text, 0, 0);
        let halves = &parsed.ast.program.declarations;
        assert_eq!(nodes(halves), nodes(&whole.declarations));
        assert_eq!(parsed.errors, whole.errors);
        assert_eq!(parsed.token_count, lex(text).significant().len());
        let errors = parsed.errors.iter().map(|it| it.span).collect();
        (parsed.middle.is_some(), errors)
    }

    #[test]
    fn a_text_parses_the_same_in_halves_and_in_one_piece() {
        for (odd, is_taken_apart) in [
            ("\nfn odd() -> Unit { () }", true),
            ("\r\n\r\nfn odd() -> Str {\r\n  `a\\`${b}`\r\n}\r\n", true),
            ("// \" ` /* \nfn odd() -> Unit { () } // \"", true),
            (
                "fn a() -> Str { \"/* ` \\\"\" } /* ` */\nfn λ1é() -> Unit { () }",
                false,
            ),
            ("/* a comment\nfn odd() -> Unit { () }\n*/", false),
            ("fn a() -> Str { \"\"\"a string\nfn odd\"\"\" }", false),
            ("fn a() -> Str { `a template\nfn ${odd}` }", false),
            ("fn a() -> Str { `\\\nfn ` }", false),
        ] {
            for mark in ["", "\u{feff}"] {
                let text = format!("{mark}{}", around(odd));
                let (is, errors) = read_both_ways(&text);
                assert_eq!(is, is_taken_apart, "{odd}: {errors:?}");
                assert_eq!(errors.is_empty(), !odd.contains('λ'), "{odd}");
            }
        }
    }

    #[test]
    fn errors_in_the_second_half_keep_their_positions() {
        for wrong in ["\"", "`", "/*", "&", "\u{feff}", "fn (", "\"\\q\""] {
            let text = format!("{}{wrong}", around("\nfn odd() -> Unit { () }"));
            let (is_taken_apart, errors) = read_both_ways(&text);
            assert!(!is_taken_apart);
            let starts: Vec<usize> = errors.iter().map(|it| it.start()).collect();
            let place = text.len() - wrong.len();
            assert!(starts.iter().all(|it| *it >= place), "{wrong}: {starts:?}");
            assert!(!starts.is_empty(), "{wrong}");
        }
    }

    #[test]
    fn the_token_estimate_is_an_upper_bound() {
        for text in [
            "",
            "fn f(a1: Int, _b: [Str]) -> Int { a1+-2.5e3 |> g }",
            "ƒ λx→é≠éa∧ℤ",
            "// a comment\n/* and */ `a ${template}`",
        ] {
            let count = lex(text).significant().len() - 1;
            assert!(most_tokens(text) >= count, "{text}");
        }
    }
}
