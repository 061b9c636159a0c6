//! Prints long stylesheets in parts, because the printer takes quadratic time in the number of
//! lines.
//!
//! A text is cut between statements. A statement that is too long is cut between the statements of
//! its block. A part of a block is printed inside the block's header, which is then removed from
//! the result.

use std::convert::Infallible;
use std::ops::Range;

use super::token::{Kind, Token, tokens};

/// The maximum size of one part, in lines and comments.
const PART_SIZE: usize = 400;
/// The part size at which each statement is a part, and no statement is cut.
const APART: usize = 0;

/// Prints one part.
type Print<'p, E> = &'p dyn Fn(&str) -> Result<String, E>;

/// Whether `text` is to be printed in parts.
pub(super) fn is_large(text: &str) -> bool {
    size(text) > PART_SIZE && !text.contains("ignore-file")
}

fn size(text: &str) -> usize {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'\n', bytes).count() + memchr::memmem::find_iter(bytes, b"/*").count()
}

/// Prints `text` in parts; `None` if it cannot be cut.
pub(super) fn print<E>(text: &str, print: Print<'_, E>) -> Option<Result<String, E>> {
    in_block(text, &Block::default(), PART_SIZE, print).transpose()
}

/// Prints every top-level statement of `text` separately. `None` if it cannot be cut.
pub(super) fn print_apart(text: &str, print: &dyn Fn(&str) -> String) -> Option<String> {
    let print = |part: &str| Ok::<_, Infallible>(print(part));
    let Ok(printed) = in_block(text, &Block::default(), APART, &print);
    printed
}

/// The blocks around a part.
#[derive(Default)]
struct Block {
    /// The source up to the innermost opening brace.
    open: String,
    depth: usize,
    /// The printed form of `open`.
    printed: String,
}

impl Block {
    fn inside<E>(&self, header: &str, print: Print<'_, E>) -> Result<Option<Self>, E> {
        const PROBE: &str = "fixpoint-probe: 0";
        let open = format!("{}{header}", self.open);
        let depth = self.depth + 1;
        let printed = print(&format!("{open}{PROBE}{}", "}".repeat(depth)))?;
        let end = printed
            .rfind(PROBE)
            .map(|at| printed[..at].trim_end().len());
        Ok(end.map(|end| Self {
            printed: format!("{}\n", &printed[..end]),
            open,
            depth,
        }))
    }

    /// The range of the printed text after the innermost content.
    fn closing(&self, printed: &str) -> Option<Range<usize>> {
        let mut end = printed.trim_end().len();
        for _ in 0..self.depth {
            end = printed[..end].strip_suffix('}')?.trim_end().len();
        }
        Some(end..printed.len())
    }
}

/// The content of `block`, printed in parts, with the line break at its end.
fn in_block<E>(
    text: &str,
    block: &Block,
    part_size: usize,
    print: Print<'_, E>,
) -> Result<Option<String>, E> {
    let Some(statements) = statements(text) else {
        return Ok(None);
    };
    let mut result = String::with_capacity(text.len());
    let mut previous = 0;
    for part in parts(text, &statements, part_size) {
        let source = &text[part.clone()];
        let statement = statements.partition_point(|statement| statement.range.start < part.start);
        let printed = match statements.get(statement).and_then(Statement::body_to_cut) {
            Some(body) if part_size != APART && size(source) > part_size => {
                let header = &text[part.start..body.start];
                nested(header, &text[body], block, print)?
            }
            _ => part_of(source, part.start == 0, block, print)?,
        };
        let Some(printed) = printed else {
            return Ok(None);
        };
        let gap = source.len() - source.trim_start().len();
        let gap = &text[content_end(text, previous..part.start)..part.start + gap];
        previous = part.start;
        if !result.is_empty() && memchr::memchr_iter(b'\n', gap.as_bytes()).count() > 1 {
            result.push('\n');
        }
        result.push_str(&printed);
    }
    Ok(Some(result))
}

/// The end of a part before its semicolon. The printer counts blank lines from there.
fn content_end(text: &str, part: Range<usize>) -> usize {
    let source = &text[part.clone()];
    let content = source.strip_suffix(';').unwrap_or(source).trim_end();
    match content.is_empty() {
        true => part.end,
        false => part.start + content.len(),
    }
}

/// A statement whose block is printed in parts.
fn nested<E>(
    header: &str,
    body: &str,
    block: &Block,
    print: Print<'_, E>,
) -> Result<Option<String>, E> {
    let Some(inner) = block.inside(header, print)? else {
        return Ok(None);
    };
    let Some(own) = inner.printed.strip_prefix(&block.printed) else {
        return Ok(None);
    };
    let Some(content) = in_block(body, &inner, PART_SIZE, print)? else {
        return Ok(None);
    };
    let indent = own.len() - own.trim_start_matches([' ', '\t']).len();
    Ok(Some(format!("{own}{content}{}}}\n", &own[..indent])))
}

fn part_of<E>(
    source: &str,
    is_first: bool,
    block: &Block,
    print: Print<'_, E>,
) -> Result<Option<String>, E> {
    // A comment after an opening brace on the same line belongs to the brace.
    let gap = if is_first { "" } else { "\n" };
    let printed = print(&format!(
        "{}{gap}{source}{}",
        block.open,
        "}".repeat(block.depth)
    ))?;
    let content = block.closing(&printed).and_then(|closing| {
        let content = printed[..closing.start].strip_prefix(block.printed.as_str())?;
        Some(format!("{content}\n"))
    });
    Ok(content)
}

/// Runs of statements of at most `part_size`, or a single larger statement.
fn parts(text: &str, statements: &[Statement], part_size: usize) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut last_size = 0;
    for statement in statements {
        let own_size = size(&text[statement.range.clone()]);
        match parts.last_mut() {
            Some(last) if part_size != APART && last_size + own_size <= part_size => {
                last.end = statement.range.end;
                last_size += own_size;
            }
            _ => {
                parts.push(statement.range.clone());
                last_size = own_size;
            }
        }
    }
    parts
}

/// A statement with everything since the previous one, and the comments after it on its line.
struct Statement {
    range: Range<usize>,
    /// The content between its braces.
    body: Option<Range<usize>>,
}

impl Statement {
    /// The content between its braces, if nothing follows them.
    fn body_to_cut(&self) -> Option<Range<usize>> {
        let body = self.body.clone()?;
        (!body.is_empty() && body.end + 1 == self.range.end).then_some(body)
    }
}

fn statements(text: &str) -> Option<Vec<Statement>> {
    let bytes = text.as_bytes();
    let tokens: Vec<Token> = tokens(text).collect();
    let mut statements: Vec<Statement> = Vec::new();
    let (mut at, mut start) = (0, 0);
    let (mut braces, mut brackets) = (0_usize, 0_usize);
    let mut body = None;
    while let Some(token) = tokens.get(at) {
        at += 1;
        let is_outside = brackets == 0 && braces == 0;
        let mut ends = is_outside && token.kind == Kind::Semicolon;
        match (token.kind, bytes[token.start]) {
            (Kind::Bad, _) => return None,
            (Kind::Open, b'{') => {
                if braces == 0 {
                    body = Some(token.end..token.end);
                }
                braces += 1;
            }
            (Kind::Close, b'}') => {
                braces = braces.checked_sub(1)?;
                ends = braces == 0 && brackets == 0;
                body = body.map(|body: Range<usize>| body.start..token.start);
            }
            (Kind::Open | Kind::Function, _) => brackets += 1,
            (Kind::Close, _) => brackets = brackets.checked_sub(1)?,
            _ => {}
        }
        if ends {
            at = after_line_comments(text, &tokens, at);
            let range = start..tokens[at - 1].end;
            start = range.end;
            statements.push(Statement {
                range,
                body: body.take(),
            });
        }
    }
    if !text[start..].trim().is_empty() {
        statements.push(Statement {
            range: start..text.len(),
            body: None,
        });
    }
    (braces == 0 && brackets == 0).then_some(statements)
}

/// The index after the comments that follow on the same line.
fn after_line_comments(text: &str, tokens: &[Token], end: usize) -> usize {
    let is_blank = |token: &Token| {
        let blanks = [' ', '\t'];
        token.kind == Kind::Space && text[token.range()].trim_matches(blanks).is_empty()
    };
    let mut at = end;
    loop {
        let next = at + usize::from(tokens.get(at).is_some_and(is_blank));
        if !tokens
            .get(next)
            .is_some_and(|token| token.kind == Kind::Comment)
        {
            return at;
        }
        at = next + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use malva::Syntax;
    use malva::config::FormatOptions;

    fn whole(text: &str) -> Result<String, Infallible> {
        let printed = malva::format_text(text, Syntax::Css, &FormatOptions::default());
        Ok(printed.unwrap_or_default())
    }

    #[test]
    fn printing_in_parts_equals_printing_the_whole() {
        let block = "/* one */ a, b > c { /* two */ b: c; d: url(a;b) /* three */; /* four */\n\n\n\
                     @media (a) { e { f: \"}\" } } } /* five */\n\n@import 'g';\nh { i: j }\n";
        let rules = block.repeat(100);
        let declarations = format!("a {{\n{}}}\n", "b: c;\n\n/* d */ e: f;\n".repeat(300));
        let nested = format!("/* g */\n@media (a) {{ {declarations} {declarations} }}\nz{{}}\n");
        for text in [rules, declarations, nested] {
            assert!(is_large(&text));
            assert_eq!(print(&text, &whole), Some(whole(&text)));
        }
    }

    #[test]
    fn a_text_with_unmatched_brackets_is_not_split() {
        assert_eq!(print("a { b: c } }", &whole), None);
        assert_eq!(print("a { b: (c }", &whole), None);
    }
}
