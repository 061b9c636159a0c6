//! A piece of code with holes, as a tree: the common form of patterns and templates.

use std::collections::BTreeMap;
use std::ops::Range;

use fixpoint_text::Span;

use super::context::{self, Category};
use crate::tree::{Language, NodeId, Order, Tree};

/// A hole in a piece of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hole {
    /// Where it is written.
    pub range: Range<usize>,
    /// None for `$_`, which binds nothing.
    pub name: Option<String>,
    /// Whether it stands for any number of siblings.
    pub many: bool,
}

/// A token or a hole of a fragment, in source order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Leaf {
    pub node: NodeId,
    pub content: LeafContent,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LeafContent {
    Token(String),
    /// The index of a hole.
    Hole(usize),
    /// A name that an import guard resolves, by the index of the guard.
    Name(usize),
}

#[derive(Clone, Debug)]
pub(crate) struct Fragment {
    pub tree: Tree,
    /// The node, or the consecutive siblings, that are the fragment.
    pub roots: Vec<NodeId>,
    pub category: Category,
    /// The text before and after it that makes it parse.
    pub around: (&'static str, &'static str),
    pub holes: Vec<Hole>,
    /// The hole at each node that is one.
    pub hole_at: BTreeMap<NodeId, usize>,
    /// The tokens whose text contains a placeholder that is not a hole, with the text that was written.
    restored: BTreeMap<NodeId, String>,
}

/// Why a piece of code is not a fragment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FragmentError {
    /// The message of the parser, for the text as a whole.
    Syntax(String),
    Empty,
}

impl Fragment {
    /// Parses a text in the first context in which it is a whole node or several siblings.
    pub fn parse(language: Language, text: &str, holes: Vec<Hole>) -> Result<Self, FragmentError> {
        let mut error = None;
        // Some places allow only a string, such as the module of an import.
        let strings = (0..holes.len()).map(Some);
        for string in std::iter::once(None).chain(strings) {
            for context in context::contexts(language) {
                match Self::parse_in(language, text, &holes, context, string) {
                    Ok(Some(fragment)) => return Ok(fragment),
                    Ok(None) => {}
                    Err(FragmentError::Syntax(message)) => error = error.or(Some(message)),
                    Err(other) => return Err(other),
                }
            }
        }
        Err(FragmentError::Syntax(error.unwrap_or_else(|| {
            "it is not one piece of code".to_owned()
        })))
    }

    fn parse_in(
        language: Language,
        text: &str,
        holes: &[Hole],
        context: &context::Context,
        string: Option<usize>,
    ) -> Result<Option<Self>, FragmentError> {
        let leading = text.len() - text.trim_start().len();
        let trimmed = trim_end(language, text);
        if trimmed.len() <= leading {
            return Err(FragmentError::Empty);
        }
        let mut whole = context.before.to_owned();
        let mut at = leading;
        for (index, hole) in holes.iter().enumerate() {
            whole.push_str(&text[at..hole.range.start]);
            if string == Some(index) {
                whole.push_str(&format!("\"{}\"", placeholder(index)));
            } else {
                whole.push_str(&placeholder(index));
            }
            if is_statement(language, text, hole) {
                whole.push(';');
            }
            at = hole.range.end;
        }
        whole.push_str(&text[at..trimmed.len().max(at)]);
        let span = Span::from(context.before.len()..whole.len());
        whole.push_str(context.after);
        let order = if holes.iter().any(|hole| hole.many) {
            Order::Free
        } else {
            Order::Checked
        };
        let tree = Tree::parse_with(language, &whole, order)
            .map_err(|error| FragmentError::Syntax(error.to_string()))?;
        let Some(roots) = roots_at(&tree, span) else {
            return Ok(None);
        };
        let category = context.category(&tree, &roots);
        let mut fragment = Self {
            tree,
            roots,
            category,
            around: (context.before, context.after),
            holes: holes.to_vec(),
            hole_at: BTreeMap::new(),
            restored: BTreeMap::new(),
        };
        fragment.find_holes(text, string);
        Ok(Some(fragment))
    }

    fn find_holes(&mut self, text: &str, string: Option<usize>) {
        let tokens: Vec<NodeId> = self
            .tree
            .all()
            .filter(|id| self.tree.is_token(*id))
            .collect();
        for token in tokens {
            let written = self.tree.text_of(token);
            if !written.contains(PREFIX) {
                continue;
            }
            let hole = (0..self.holes.len()).find(|index| {
                let name = placeholder(*index);
                name == written || string == Some(*index) && format!("\"{name}\"") == written
            });
            if let Some(hole) = hole {
                let node = self.climb(token);
                self.hole_at.insert(node, hole);
            } else {
                let mut restored = written.to_owned();
                for (index, hole) in self.holes.iter().enumerate() {
                    restored = restored.replace(&placeholder(index), &text[hole.range.clone()]);
                }
                self.restored.insert(token, restored);
            }
        }
    }

    /// The largest node that is only this token, and not a list that may have other elements.
    fn climb(&self, token: NodeId) -> NodeId {
        let mut node = token;
        while !self.roots.contains(&node)
            && let Some(parent) = self.tree.parent(node)
            && !is_list(self.tree.kind_name(parent))
        {
            let mut siblings = self.tree.children(parent).filter(|child| *child != node);
            let alone = match (siblings.next(), siblings.next()) {
                (None, _) => true,
                // A statement that is only a hole and its semicolon.
                (Some(end), None) => self.tree.text_of(end) == ";",
                _ => false,
            };
            if !alone {
                break;
            }
            node = parent;
        }
        node
    }

    /// The text of a token, as it was written.
    pub fn token_text(&self, token: NodeId) -> &str {
        match self.restored.get(&token) {
            Some(text) => text,
            None => self.tree.text_of(token),
        }
    }

    /// Whether the fragment is a hole and nothing else.
    pub fn is_only_holes(&self) -> bool {
        let leaves = self.leaves(&BTreeMap::new());
        let mut contents = leaves.iter().map(|leaf| &leaf.content);
        contents.all(|content| matches!(content, LeafContent::Hole(_)))
    }

    /// Parses another text in the same context, and returns its tree and the text's place.
    pub fn parse_like(&self, text: &str) -> Option<(Tree, Span)> {
        let (before, after) = self.around;
        let tree = Tree::parse(self.tree.language(), &format!("{before}{text}{after}")).ok()?;
        Some((tree, Span::from(before.len()..before.len() + text.len())))
    }

    /// The text between a leaf and the one before it.
    pub fn gap(&self, before: NodeId, after: NodeId) -> &str {
        let (start, end) = (self.tree.end(before), self.tree.start(after));
        self.tree.text().get(start..end).unwrap_or_default()
    }

    /// The tokens and holes in source order. `names` has the nodes that are resolved as a whole.
    pub fn leaves(&self, names: &BTreeMap<NodeId, usize>) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        for root in &self.roots {
            let mut skip_until = 0;
            for node in self.tree.subtree(*root) {
                if node.0 < skip_until {
                    continue;
                }
                let content = if let Some(hole) = self.hole_at.get(&node) {
                    LeafContent::Hole(*hole)
                } else if let Some(name) = names.get(&node) {
                    LeafContent::Name(*name)
                } else if self.tree.is_token(node) {
                    LeafContent::Token(self.token_text(node).to_owned())
                } else {
                    continue;
                };
                skip_until = self.tree.node(node).next;
                leaves.push(Leaf { node, content });
            }
        }
        leaves
    }
}

const PREFIX: &str = "fixpointhole";

/// Whether a hole is a statement of its own in a language whose statements end with a semicolon.
fn is_statement(language: Language, text: &str, hole: &Hole) -> bool {
    let before = text[..hole.range.start].trim_end();
    let after = text[hole.range.end..].trim_start();
    matches!(language, Language::Java | Language::C | Language::Cpp)
        && (before.is_empty() || before.ends_with(['{', '}', ';']))
        && !before.ends_with("{{")
        && (after.is_empty() && !before.is_empty() || after.starts_with('}'))
}

/// An identifier in every language.
fn placeholder(index: usize) -> String {
    format!("{PREFIX}{index}x")
}

/// The text without white space at its end, and without a semicolon where it is optional.
fn trim_end(language: Language, text: &str) -> &str {
    let trimmed = text.trim_end();
    if language.has_optional_semicolons() {
        return trimmed.trim_end_matches(|char: char| char == ';' || char.is_whitespace());
    }
    trimmed
}

/// The smallest node with this span, or the siblings that cover it exactly.
pub(crate) fn roots_at(tree: &Tree, span: Span) -> Option<Vec<NodeId>> {
    let node = tree.covering(span);
    // Statements are matched among others, and not as a whole block.
    let is_block = node == tree.root()
        || ["Block", "statement_list"].contains(&tree.kind_name(node))
            && tree
                .children(node)
                .next()
                .is_some_and(|first| !tree.is_token(first));
    if tree.span(node) == span && !is_block {
        // A name is the node that says what the name is for, not its token.
        let parent = tree.parent(node).filter(|parent| {
            tree.is_token(node) && tree.span(*parent) == span && tree.parent(*parent).is_some()
        });
        return Some(vec![parent.unwrap_or(node)]);
    }
    let inside =
        |child: &NodeId| tree.start(*child) >= span.start() && tree.end(*child) <= span.end();
    let roots: Vec<NodeId> = tree.children(node).filter(inside).collect();
    let covers =
        tree.start(*roots.first()?) == span.start() && tree.end(*roots.last()?) == span.end();
    covers.then_some(roots)
}

/// Whether nodes of this kind have any number of children that are alike.
fn is_list(kind: &str) -> bool {
    const ENDINGS: [&str; 12] = [
        "list",
        "List",
        "Block",
        "block",
        "Arguments",
        "arguments",
        "Parameters",
        "parameters",
        "Program",
        "program",
        "Body",
        "body",
    ];
    const NAMES: [&str; 8] = [
        "ModModule",
        "File",
        "source_file",
        "translation_unit",
        "VariableDeclaration",
        "SequenceExpression",
        "token_tree",
        "Tuple",
    ];
    ENDINGS.iter().any(|ending| kind.ends_with(ending)) || NAMES.contains(&kind)
}
