//! Parses TOML from the events of toml_parser. toml_edit is built on the same parser, but it keeps
//! only the first location of a table and takes twice as long. It validates texts that may be
//! invalid, and provides the error message.

use std::collections::HashSet;

use fixpoint_text::Span;
use toml_parser::parser::{Event, RecursionGuard, parse_document};
use toml_parser::{ParseError as EventError, Source};

use super::Parsed;
use super::toml_tables::Reader;
use crate::tree::{Content, Member, ParseError, Text};

/// The maximum nesting of brackets, as in toml_edit.
pub(crate) const MAX_BRACKETS: usize = 80;

pub(crate) fn parse(text: &str) -> Result<Parsed, ParseError> {
    let (parsed, may_be_invalid) = read(text);
    if may_be_invalid || has_duplicate_key(&parsed, text) {
        toml_edit::Document::parse(text).map_err(|error| syntax_error(&error, text))?;
    }
    Ok(parsed)
}

/// Parses a text without checking for duplicate keys. The caller compares it with a valid document,
/// value by value, which detects them.
pub(crate) fn parse_edited(text: &str) -> Result<Parsed, ParseError> {
    match read(text) {
        (parsed, false) => Ok(parsed),
        (_, true) => parse(text),
    }
}

fn has_duplicate_key(parsed: &Parsed, text: &str) -> bool {
    /// Below this size, comparing all pairs is faster than hashing.
    const FEW: usize = 12;
    let name = |member: &'_ Member| match &member.key {
        Text::Source(span) => text[span.range()].to_owned(),
        Text::Decoded(text) => text.to_string(),
    };
    let is_same = |a: &Member, b: &Member| match (&a.key, &b.key) {
        (Text::Source(a), Text::Source(b)) => text[a.range()] == text[b.range()],
        _ => name(a) == name(b),
    };
    parsed.nodes.iter().any(|node| match &node.content {
        Content::Object(object) if object.members.len() <= FEW => {
            let mut members = object.members.iter().enumerate();
            members.any(|(place, it)| {
                object.members[..place]
                    .iter()
                    .any(|other| is_same(it, other))
            })
        }
        Content::Object(object) => {
            let mut seen = HashSet::new();
            object.members.iter().any(|it| !seen.insert(name(it)))
        }
        _ => false,
    })
}

/// Parses a text. The flag is set if the text may be invalid for a reason other than a duplicate
/// key.
fn read(text: &str) -> (Parsed, bool) {
    let source = Source::new(text);
    let tokens = source.lex().into_vec();
    let mut reader = Reader::new(text);
    let mut has_errors = false;
    let mut receiver = |event: Event| reader.event(&event);
    // The parser is recursive; the guard limits its depth.
    let mut receiver = RecursionGuard::new(&mut receiver, MAX_BRACKETS as u32);
    parse_document(&tokens, &mut receiver, &mut |_: EventError| {
        has_errors = true;
    });
    let may_be_invalid = has_errors || reader.may_be_invalid();
    (reader.finish(), may_be_invalid)
}

fn syntax_error(error: &toml_edit::TomlError, text: &str) -> ParseError {
    let span = error.span().map_or(Span::at(text.len()), Span::from);
    if error.message().contains("recursion") {
        return ParseError::TooDeep { span };
    }
    ParseError::Syntax {
        message: error.message().to_owned(),
        span,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn piece() -> impl Strategy<Value = &'static str> {
        prop::sample::select(vec![
            "[a]\n",
            "[b]\n",
            "[a.b]\n",
            "[a.b.c]\n",
            "[[a]]\n",
            "[[b]]\n",
            "[[a.b]]\n",
            "a = 1\n",
            "b = 2\n",
            "a.b = 1\n",
            "a.c = 1\n",
            "b.a = 1\n",
            "a.b.c = 1\n",
            "a = {}\n",
            "a = { b = 1 }\n",
            "b = { a.b = 1, a.c = 2 }\n",
            "b = [{ a = 1 }]\n",
            "c = { a.b = 1, a = 2 }\n",
            "c = 0x1F\n",
            "c = 99999999999999999999\n",
            "c = 1e999\n",
            "c = 2026-13-45\n",
            "c = 2026-01-26\n",
            "c = \"\\q\"\n",
            "d = 'x' 'y'\n",
            "d = [1,, 2]\n",
            "d = tru\n",
            "d = 01\n",
            "e = -inf\n",
            "= 1\n",
            "\"a\" = 1\n",
            "'b'.c = 1\n",
            "d = \"\"\"x\ny\"\"\"\n",
            "# remark\n",
            "\u{1}\n",
            "d = 1 \u{7f}\n",
        ])
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

        /// Every text that toml_edit rejects is marked as possibly invalid, or has a duplicate key
        /// in the tree.
        #[test]
        fn text_not_marked_as_possibly_invalid_is_valid(pieces in prop::collection::vec(piece(), 0..7)) {
            let text = pieces.concat();
            let (parsed, may_be_invalid) = read(&text);
            if !may_be_invalid && !has_duplicate_key(&parsed, &text) {
                let valid = toml_edit::Document::parse(text.as_str());
                prop_assert!(valid.is_ok(), "{:?}\n{text}", valid.err());
            }
        }
    }

    #[test]
    fn common_texts_are_not_marked_as_possibly_invalid() {
        let text = "a.b = 1\na.c = 2026-01-26\n[t]\nk = { x.y = 1, x.z = 2 }\n[t.u]\n[[v]]\nn = 1\n[v.w]\n[[v]]\n[s.r]\n[s]\n";
        assert!(!read(text).1);
    }
}
