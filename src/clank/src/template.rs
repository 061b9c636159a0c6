//! Template strings. The tree keeps `${...}` as text; this module parses it as Clank on demand.

use std::collections::BTreeSet;

use fixpoint_text::Span;

use crate::ast::{Expr, ExprKind, Ids, Literal, NodeRef, Pattern, PatternKind, Stmt, StmtKind};
use crate::lex::{TokenKind, lex};
use crate::parse::fragment;

pub(crate) enum Part {
    Text(String),
    Value(Expr),
    /// Text that is not Clank. It is emitted as written.
    Raw(String),
}

/// The parts of a template. Parsed nodes get their ids from `ids`.
pub(crate) fn parts(value: &str, ids: &mut Ids) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut text = String::new();
    let mut rest = value;
    while let Some(char) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("\\$") {
            text.push('$');
            rest = after;
        } else if let Some(after) = rest.strip_prefix("${") {
            let (inside, after) = up_to_brace(after);
            parts.push(Part::Text(std::mem::take(&mut text)));
            parts.push(interpolation(inside, ids));
            rest = after;
        } else {
            text.push(char);
            rest = rest.get(char.len_utf8()..).unwrap_or_default();
        }
    }
    parts.push(Part::Text(text));
    parts.retain(|part| !matches!(part, Part::Text(text) if text.is_empty()));
    parts
}

/// Splits after the brace that closes an already open one. Braces in strings do not count.
fn up_to_brace(text: &str) -> (&str, &str) {
    let mut depth = 1_usize;
    let mut in_string = false;
    let mut escaped = false;
    for (at, char) in text.char_indices() {
        match char {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            '{' if !in_string => depth += 1,
            '}' if !in_string => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let (inside, rest) = text.split_at(at);
            return (inside, rest.strip_prefix('}').unwrap_or(rest));
        }
    }
    (text, "")
}

fn interpolation(text: &str, ids: &mut Ids) -> Part {
    let read = fragment("", text, ids, 0, |parser| parser.expr());
    match read {
        Ok(expr) => Part::Value(expr),
        Err(_) => Part::Raw(text.to_owned()),
    }
}

/// A name in a template.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TemplateName {
    pub name: String,
    /// Whether the name is free: nothing in the template can bind it.
    pub is_free: bool,
}

/// The names that a template reads, once for each occurrence.
pub(crate) fn names_in(value: &str) -> Vec<TemplateName> {
    let mut names = Vec::new();
    for part in parts(value, &mut Ids::default()) {
        match part {
            Part::Text(_) => {}
            Part::Value(expr) => read_by(&expr, &mut names),
            Part::Raw(text) => {
                let is_part = |it: char| it.is_alphanumeric() || it == '_';
                let words = text.split(|it| !is_part(it)).filter(|it| !it.is_empty());
                names.extend(words.map(|it| TemplateName {
                    name: it.to_owned(),
                    is_free: false,
                }));
            }
        }
    }
    names
}

fn read_by(expr: &Expr, names: &mut Vec<TemplateName>) {
    let first = names.len();
    let mut bound: BTreeSet<&str> = BTreeSet::new();
    NodeRef::Expr(expr).each(&mut |node| match node {
        NodeRef::Expr(Expr { kind, .. }) => match kind {
            ExprKind::Ident(name) => names.push(TemplateName {
                name: name.to_string(),
                is_free: true,
            }),
            ExprKind::Literal(Literal::Template(inner)) => names.extend(names_in(inner)),
            _ => {}
        },
        NodeRef::Pattern(Pattern {
            kind: PatternKind::Ident(name),
            ..
        }) => {
            bound.insert(name);
        }
        NodeRef::FieldPattern(it) => {
            bound.insert(&it.name.text);
        }
        NodeRef::LambdaParam(it) => {
            bound.insert(&it.name.text);
        }
        _ => {}
    });
    for read in names.iter_mut().skip(first) {
        read.is_free &= !bound.contains(read.name.as_str());
    }
}

/// Renames the free occurrences of a name in a template.
pub(crate) fn renamed(value: &str, old: &str, new: &str) -> String {
    let mut text = String::new();
    let mut rest = value;
    while let Some(char) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("\\$") {
            text.push_str("\\$");
            rest = after;
        } else if let Some(after) = rest.strip_prefix("${") {
            let (inside, next) = up_to_brace(after);
            let closed = after.len() > inside.len() + next.len();
            text.push_str("${");
            text.push_str(&renamed_in(inside, old, new));
            text.push_str(if closed { "}" } else { "" });
            rest = next;
        } else {
            text.push(char);
            rest = rest.get(char.len_utf8()..).unwrap_or_default();
        }
    }
    text
}

fn renamed_in(inside: &str, old: &str, new: &str) -> String {
    let mut text = inside.to_owned();
    let Part::Value(expr) = interpolation(inside, &mut Ids::default()) else {
        return text;
    };
    let mut reads = Vec::new();
    read_by(&expr, &mut reads);
    if !reads.iter().any(|it| it.is_free && it.name == old) {
        return text;
    }
    // The remaining tokens with that name are reads or fields, because nothing binds the name.
    let tokens = lex(inside).significant();
    let before = std::iter::once(None).chain(tokens.iter().map(Some));
    let reads = tokens.iter().zip(before).filter(|(token, before)| {
        inside.get(token.span.range()) == Some(old)
            && before.is_none_or(|it| it.kind != TokenKind::Dot)
    });
    let reads: Vec<Span> = reads.map(|it| it.0.span).collect();
    for read in reads.into_iter().rev() {
        text.replace_range(read.range(), new);
    }
    text
}

/// Whether a template may have side effects: an assignment, or a part that is left to JavaScript.
pub(crate) fn changes_in(value: &str) -> bool {
    let parts = parts(value, &mut Ids::default());
    parts.iter().any(|part| match part {
        Part::Text(_) => false,
        Part::Value(expr) => {
            let mut changes = false;
            NodeRef::Expr(expr).each(&mut |node| {
                changes |= match node {
                    NodeRef::Stmt(Stmt {
                        kind: StmtKind::Assign { .. },
                        ..
                    }) => true,
                    NodeRef::Expr(Expr {
                        kind: ExprKind::Literal(Literal::Template(inner)),
                        ..
                    }) => changes_in(inner),
                    _ => false,
                };
            });
            changes
        }
        Part::Raw(text) => {
            let ways = ["=", "(", "`", "++", "--", "delete"];
            ways.iter().any(|it| text.contains(it))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_between_the_braces_are_read() {
        let names_in = |it| -> Vec<String> { names_in(it).into_iter().map(|it| it.name).collect() };
        assert_eq!(
            names_in("rate is ${total + f(x)}, \\${no}"),
            ["total", "f", "x"]
        );
        assert_eq!(names_in("${name ++ \"}rate\"} rate"), ["name"]);
        assert_eq!(names_in("${p.rate}"), ["p"]);
        assert_eq!(names_in("${`a ${b}`}"), ["b"]);
        assert_eq!(names_in("${not clank rate}"), ["not", "clank", "rate"]);
        assert!(names_in("{rate} $rate").is_empty());
        assert!(!changes_in("${total + f(x)} = ${a ? b : c}"));
        assert!(changes_in("${x = 1}") && changes_in("${{ x = 1; x }}"));
    }

    #[test]
    fn free_names_in_a_template_are_renamed() {
        let renamed = |it| renamed(it, "cuont", "count");
        assert_eq!(
            renamed("cuont ${cuont + p.cuont}, \\${cuont} ${f(\"cuont\", cuont)"),
            "cuont ${count + p.cuont}, \\${cuont} ${f(\"cuont\", count)"
        );
        assert_eq!(renamed("${\\cuont -> cuont}"), "${\\cuont -> cuont}");
        assert_eq!(renamed("${not clank cuont}"), "${not clank cuont}");
    }

    #[test]
    fn names_bound_in_a_template_are_not_free() {
        let free = |it| -> Vec<String> {
            let reads = names_in(it).into_iter();
            reads.filter(|it| it.is_free).map(|it| it.name).collect()
        };
        assert_eq!(free("${map(xs, \\x -> x + y)}"), ["map", "xs", "y"]);
        assert_eq!(free("${match a { Some(b) -> `${b}`, {c} -> c }}"), ["a"]);
        assert!(free("${not clank}").is_empty());
    }
}
