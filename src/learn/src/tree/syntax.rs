//! Rust, Go, Java, C and C++, parsed by tree-sitter.

use std::sync::LazyLock;

use fixpoint_text::Span;
use tree_sitter::{Language as Grammar, Node, Parser};

use super::build::{ParseError, Part, Parts};
use super::{Kind, Language};

/// Literals that are one token, although their grammar has parts inside them.
const LITERALS: [&str; 7] = [
    "string_literal",
    "raw_string_literal",
    "char_literal",
    "character_literal",
    "interpreted_string_literal",
    "rune_literal",
    "system_lib_string",
];

pub(crate) fn grammar(language: Language) -> Option<&'static Grammar> {
    static RUST: LazyLock<Grammar> = LazyLock::new(|| tree_sitter_rust::LANGUAGE.into());
    static GO: LazyLock<Grammar> = LazyLock::new(|| tree_sitter_go::LANGUAGE.into());
    static JAVA: LazyLock<Grammar> = LazyLock::new(|| tree_sitter_java::LANGUAGE.into());
    static C: LazyLock<Grammar> = LazyLock::new(|| tree_sitter_c::LANGUAGE.into());
    static CPP: LazyLock<Grammar> = LazyLock::new(|| tree_sitter_cpp::LANGUAGE.into());
    match language {
        Language::Rust => Some(&RUST),
        Language::Go => Some(&GO),
        Language::Java => Some(&JAVA),
        Language::C => Some(&C),
        Language::Cpp => Some(&CPP),
        _ => None,
    }
}

pub(crate) fn parse(language: Language, text: &str) -> Result<Parts, ParseError> {
    let failed = |at, message: &str| ParseError::Syntax {
        at,
        message: message.to_owned(),
    };
    let mut parser = Parser::new();
    let grammar = grammar(language).ok_or_else(|| failed(0, "there is no grammar"))?;
    if parser.set_language(grammar).is_err() {
        return Err(failed(0, "the grammar has another version than the parser"));
    }
    let Some(tree) = parser.parse(text, None) else {
        return Err(failed(0, "the parser stopped"));
    };
    let root = tree.root_node();
    if root.has_error() {
        return Err(failed(first_error(root), "the text does not parse"));
    }
    let mut parts = Parts {
        root: Kind(root.kind_id()),
        inner: Vec::new(),
        tokens: Vec::new(),
        comments: Vec::new(),
    };
    let mut cursor = root.walk();
    if !cursor.goto_first_child() {
        return Ok(parts);
    }
    loop {
        let node = cursor.node();
        let field = cursor.field_id().map_or(0, u16::from);
        if !add(&mut parts, text, node, field) || !cursor.goto_first_child() {
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    fill_gaps(&mut parts, text);
                    return Ok(parts);
                }
            }
        }
    }
}

/// Adds a node, and returns whether its children belong to the tree.
fn add(parts: &mut Parts, text: &str, node: Node<'_>, field: u16) -> bool {
    let range = node.byte_range();
    let source = &text[range.clone()];
    if node.is_extra() && node.kind().contains("comment") {
        // A Rust comment ends after its line break.
        let end = range.start + source.trim_end_matches(['\n', '\r']).len();
        parts.comments.push(Span::from(range.start..end));
        return false;
    }
    let is_token = node.child_count() == 0 || LITERALS.contains(&node.kind());
    if is_token && source.trim().is_empty() {
        return false;
    }
    let mut part = Part::new(Kind(node.kind_id()), range.start, range.end);
    part.field = field;
    if is_token {
        // A preprocessor directive contains the spaces around its text.
        let start = range.end - source.trim_start().len();
        part.start = start as u32;
        part.end = (start + source.trim().len()) as u32;
        parts.tokens.push(part);
    } else {
        parts.inner.push(part);
    }
    !is_token
}

/// Adds tokens for the words that the grammar reads without a node, such as separators of Rust's macro repetitions.
fn fill_gaps(parts: &mut Parts, text: &str) {
    let covered = parts
        .tokens
        .iter()
        .map(|token| (token.start as usize, token.end as usize));
    let comments = parts
        .comments
        .iter()
        .map(|comment| (comment.start(), comment.end()));
    let mut covered: Vec<(usize, usize)> = covered.chain(comments).collect();
    covered.sort_unstable();
    covered.push((text.len(), text.len()));
    let mut at = 0;
    let count = parts.tokens.len();
    for (start, end) in covered {
        let gap = text.get(at..start).unwrap_or_default();
        let word = gap.trim();
        if !word.is_empty() && word != "\\" {
            let start = at + gap.len() - gap.trim_start().len();
            parts
                .tokens
                .push(Part::new(Kind(0), start, start + word.len()));
        }
        at = end.max(at);
    }
    if parts.tokens.len() > count {
        parts.tokens.sort_unstable_by_key(|token| token.start);
    }
}

/// The position of the first error or missing token.
fn first_error(root: Node<'_>) -> usize {
    let mut cursor = root.walk();
    let mut found = root;
    while !found.is_error() && !found.is_missing() {
        let next = found.children(&mut cursor).find(Node::has_error);
        let Some(next) = next else { break };
        found = next;
    }
    found.start_byte()
}
