//! A tree with digests of its token sequences, so that two pieces of code are compared in constant time.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use crate::{NodeId, Tree};

const BASE: u64 = 0x9e37_79b9_7f4a_7c15 | 1;

/// One side of a pair.
#[derive(Debug)]
pub(super) struct Source {
    pub tree: Tree,
    /// The tokens, in order.
    tokens: Vec<NodeId>,
    /// For each node, the indices of its first token and of the token after its last one.
    range: Vec<(u32, u32)>,
    /// Digests of the first `n` tokens.
    prefix: Vec<u64>,
    powers: Vec<u64>,
}

impl Source {
    pub fn new(tree: Tree) -> Self {
        let tokens: Vec<_> = tree.tokens(tree.root()).collect();
        let mut prefix = Vec::with_capacity(tokens.len() + 1);
        let mut powers = Vec::with_capacity(tokens.len() + 1);
        let (mut digest, mut power) = (0_u64, 1_u64);
        prefix.push(digest);
        powers.push(power);
        for token in &tokens {
            let mut hasher = FxHasher::default();
            hasher.write(tree.text_of(*token).as_bytes());
            digest = digest.wrapping_mul(BASE).wrapping_add(hasher.finish() | 1);
            power = power.wrapping_mul(BASE);
            prefix.push(digest);
            powers.push(power);
        }
        let range = tree
            .all()
            .map(|node| {
                let first = tokens.partition_point(|token| *token < node);
                let inside = |token: &NodeId| tree.contains(node, *token) || *token < node;
                (first as u32, tokens.partition_point(inside) as u32)
            })
            .collect();
        Self {
            tree,
            tokens,
            range,
            prefix,
            powers,
        }
    }

    /// The digest of the tokens of a node. Equal token texts have equal digests.
    pub fn digest(&self, node: NodeId) -> u64 {
        self.digest_of(Run::one(node))
    }

    pub fn digest_of(&self, run: Run) -> u64 {
        let (first, last) = self.token_range(run);
        let skipped = self.prefix[first].wrapping_mul(self.powers[last - first]);
        self.prefix[last].wrapping_sub(skipped)
    }

    pub fn tokens_of(&self, run: Run) -> &[NodeId] {
        let (first, last) = self.token_range(run);
        &self.tokens[first..last]
    }

    pub fn token_texts(&self, run: Run) -> impl Iterator<Item = &str> {
        let tokens = self.tokens_of(run).iter();
        tokens.map(|token| self.tree.text_of(*token))
    }

    fn token_range(&self, run: Run) -> (usize, usize) {
        let first = self.range[run.first.index()].0;
        let last = self.range[run.last.index()].1;
        (first as usize, last as usize)
    }

    pub fn children(&self, node: NodeId) -> Vec<NodeId> {
        self.tree.children(node).collect()
    }

    pub fn text(&self, run: Run) -> &str {
        &self.tree.text()[self.tree.start(run.first)..self.tree.end(run.last)]
    }

    /// Whether the node is an operator, a bracket or a keyword.
    pub fn is_mark(&self, node: NodeId) -> bool {
        is_mark(&self.tree, node)
    }
}

pub(super) fn is_mark(tree: &Tree, node: NodeId) -> bool {
    if !tree.is_token(node) {
        return false;
    }
    const VALUES: [&str; 9] = [
        "nil", "true", "false", "null", "this", "self", "super", "iota", "nullptr",
    ];
    let kind = tree.kind_name(node);
    let text = tree.text_of(node);
    matches!(kind, "Mark" | "Keyword") || kind == text && !VALUES.contains(&text)
}

/// Whether a token is a name, in any language.
pub(super) fn is_name(tree: &Tree, node: NodeId) -> bool {
    let (kind, text) = (tree.kind_name(node), tree.text_of(node));
    let is_word = kind != text && kind != "mutable_specifier";
    let starts = text.starts_with(|char: char| char.is_alphabetic() || char == '_');
    tree.is_token(node) && starts && is_word && !is_mark(tree, node) && !text.ends_with(['"', '\''])
}

/// Siblings from the first to the last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Run {
    pub first: NodeId,
    pub last: NodeId,
}

impl Run {
    pub fn one(node: NodeId) -> Self {
        Self {
            first: node,
            last: node,
        }
    }
}
