//! Rejects scripts for which printing takes too long. For expressions nested without line breaks,
//! the time doubles with each level. For chains of operators, it grows with the square of the
//! length.

use fixpoint_text::Span;

use super::end_of_line_string;
use crate::FormatError;

/// The maximum nesting of expressions.
const LIMIT: usize = 18;
/// The maximum number of consecutive `b ? (c) : d =>`. The parser tries both readings of each.
const ARROW_LIMIT: usize = 12;
/// The maximum number of consecutive words and operators without a break. In JSX, the names and attributes of all
/// elements in one element count together.
const CHAIN_LIMIT: usize = 20_000;

/// One open bracket, or the top level.
#[derive(Clone, Copy, Default)]
struct Level {
    bracket: u8,
    /// Brackets since the last `[` or `{` that has a line break after it. Such a bracket is always
    /// printed over several lines.
    depth: usize,
    /// Words and operators since the end of the last statement, element or block.
    links: usize,
    /// The number of `?` before a parenthesis among them.
    choices: usize,
    /// The number of `=>` among them.
    arrows: usize,
}

impl Level {
    fn end_chain(&mut self) {
        *self = Self {
            bracket: self.bracket,
            depth: self.depth,
            ..Self::default()
        };
    }
}

pub(super) fn check(text: &str) -> Result<(), FormatError> {
    let bytes = text.as_bytes();
    let mut open: Vec<Level> = Vec::new();
    let mut level = Level::default();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let before = at.checked_sub(1).map(|before| bytes[before]);
        let generic = byte == b'<' && before.is_some_and(|b| b.is_ascii_alphanumeric());
        match byte {
            b'(' | b'[' | b'{' => {
                let inner = enter(bytes, at, level)?;
                open.push(std::mem::replace(&mut level, inner));
            }
            b'<' if generic => {
                let inner = enter(bytes, at, level)?;
                open.push(std::mem::replace(&mut level, inner));
            }
            b'>' if level.bracket == b'<' && before != Some(b'=') => {
                level = open.pop().unwrap_or_default();
            }
            b')' | b']' | b'}' => leave(&mut open, &mut level, byte),
            b',' | b';' => level.end_chain(),
            b'\n' if ends_statement(bytes, at) => level.end_chain(),
            b'"' | b'\'' => at = end_of_line_string(bytes, at),
            b'/' => at = end_of_comment(bytes, at),
            _ if begins_link(before, byte) => {
                level.links += 1;
                let parenthesis = bytes[at + 1..].trim_ascii_start().first() == Some(&b'(');
                level.choices += usize::from(byte == b'?' && parenthesis);
                level.arrows += usize::from(byte == b'>' && before == Some(b'='));
                let ambiguous = level.choices.min(level.arrows);
                if level.links > CHAIN_LIMIT {
                    return Err(too_deep(level.links, CHAIN_LIMIT, at));
                }
                if ambiguous > ARROW_LIMIT {
                    return Err(too_deep(ambiguous, ARROW_LIMIT, at));
                }
            }
            _ => {}
        }
        at += 1;
    }
    Ok(())
}

fn enter(bytes: &[u8], at: usize, outer: Level) -> Result<Level, FormatError> {
    let broken = matches!(bytes[at], b'[' | b'{') && bytes.get(at + 1) == Some(&b'\n');
    let depth = match element_weight(bytes, at) {
        0 if broken => 0,
        weight => outer.depth + weight.max(1),
    };
    if depth > LIMIT {
        return Err(too_deep(depth, LIMIT, at));
    }
    Ok(Level {
        bracket: bytes[at],
        depth,
        ..Level::default()
    })
}

/// Returns to the level around the bracket that `close` closes. An open `<` that turns out not to
/// be a bracket is dropped.
fn leave(open: &mut Vec<Level>, level: &mut Level, close: u8) {
    let bracket = if close == b')' { b'(' } else { close - 2 };
    // Brackets that are still open at a closing brace are JSX text, which cannot contain braces.
    let is_open = |level: &Level| level.bracket != 0 && level.bracket != bracket;
    while is_open(level) && (level.bracket == b'<' || close == b'}') {
        *level = open.pop().unwrap_or_default();
    }
    if level.bracket == bracket {
        *level = open.pop().unwrap_or_default();
        if close == b'}' {
            level.end_chain();
        }
    }
}

fn too_deep(depth: usize, limit: usize, at: usize) -> FormatError {
    FormatError::TooDeep {
        depth,
        limit,
        span: Span::from(at..at + 1),
    }
}

/// The cost of a `{` that may contain JSX elements, in nesting levels; 0 for other brackets. After
/// `=` it begins an attribute value. After `>`, or on the line after one, it begins a child.
fn element_weight(bytes: &[u8], at: usize) -> usize {
    if bytes[at] != b'{' {
        return 0;
    }
    match bytes[..at].last() {
        Some(b'=') => return 3,
        Some(b'>') => return if bytes[..at].ends_with(b"=>") { 0 } else { 2 },
        _ => {}
    }
    let before = bytes[..at].trim_ascii_end();
    let starts_line = bytes[before.len()..at].contains(&b'\n');
    if starts_line && before.ends_with(b">") {
        2
    } else if follows_text(before) {
        3
    } else {
        0
    }
}

/// Whether the text before a brace may be JSX text on the same line as its tag.
fn follows_text(before: &[u8]) -> bool {
    let tag = before.iter().rposition(|byte| b"{}()<>;\n".contains(byte));
    tag.is_some_and(|tag| {
        before[tag] == b'>' && tag + 1 < before.len() && !before[..tag].ends_with(b"=")
    })
}

fn begins_link(before: Option<u8>, byte: u8) -> bool {
    let is_word =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte > 127;
    is_operator(byte) || (is_word(byte) && !before.is_some_and(is_word))
}

fn is_operator(byte: u8) -> bool {
    b"+-*/%&|^?:=<>!~.".contains(&byte)
}

/// Whether the line break at `at` has no operator on either side. Comment markers and full stops
/// are not operators here.
fn ends_statement(bytes: &[u8], at: usize) -> bool {
    let before = bytes[..at].trim_ascii_end();
    let after = bytes[at..].trim_ascii_start();
    let goes_on = before.last().is_some_and(|byte| is_operator(*byte))
        && !["*/", "."]
            .iter()
            .any(|mark| before.ends_with(mark.as_bytes()));
    let went_on = after.first().is_some_and(|byte| is_operator(*byte))
        && !["//", "/*", "*"]
            .iter()
            .any(|mark| after.starts_with(mark.as_bytes()));
    !goes_on && !went_on
}

/// The last byte of the comment that begins at `open`, without the line break after a line comment.
/// Returns `open` if no comment begins there.
fn end_of_comment(bytes: &[u8], open: usize) -> usize {
    let rest = &bytes[open..];
    match rest.get(1) {
        Some(b'/') => open + memchr::memchr(b'\n', rest).unwrap_or(rest.len()) - 1,
        Some(b'*') => memchr::memmem::find(&rest[2..], b"*/").map_or(open, |at| open + at + 3),
        _ => open,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> bool {
        matches!(check(text), Err(FormatError::TooDeep { .. }))
    }

    #[test]
    fn deeply_nested_expressions_on_one_line_are_rejected() {
        for part in [
            "f(",
            "{a:",
            "[",
            "A<",
            "<a>{",
            "<A b={",
            "{a &&\n(",
            "<a>text {b ? ",
            "b ? (c) : d => ",
        ] {
            assert!(refused(&part.repeat(30)), "{part}");
            assert!(!refused(&part.repeat(5)), "{part}");
        }
    }

    #[test]
    fn unmatched_brackets_in_jsx_text_end_with_their_element() {
        assert!(!refused(&"a = {\n b: <p>:(</p> };\n".repeat(40)));
    }

    #[test]
    fn blocks_may_be_nested_deeply() {
        assert!(!refused(&"f(() => {\n".repeat(200)));
        assert!(!refused(&"x = {\n a: [\n".repeat(200)));
    }

    #[test]
    fn long_operator_chains_are_rejected_and_many_statements_are_not() {
        for part in [
            "a+",
            "\"a\" +\n",
            "!",
            "new ",
            "a?b:",
            "a=>",
            "<A>",
            "f()+",
            "a\n&& b",
        ] {
            assert!(refused(&part.repeat(20_001)), "{part}");
        }
        let elements = "<path d=\"1\" fill=\"none\" />\n".repeat(2000);
        assert!(!refused(&format!("x = <svg>\n{elements}</svg>;")));
        for part in [
            "a = b\n",
            "f(a);",
            "{a: 1},",
            "// some words\n",
            " * some words.\n",
            "it's\n",
            "'a+b/c' + x;",
            "/* [[[ */ a = (1);",
            "// ([{\n",
        ] {
            assert!(!refused(&part.repeat(20_000)), "{part}");
        }
    }
}
