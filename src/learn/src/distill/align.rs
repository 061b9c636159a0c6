//! Aligns the trees of a pair and finds the smallest nodes that changed.

use std::collections::BTreeMap;

use super::names::is_import;
use super::source::{Run, Source};
use crate::{NodeId, Tree};

/// A change: aligned ancestors from the roots down to the smallest pair of nodes that covers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    pub chain: Vec<(NodeId, NodeId)>,
}

impl Edit {
    pub fn smallest(&self) -> (NodeId, NodeId) {
        self.chain[self.chain.len() - 1]
    }
}

/// Trees with more changes than this are different programs.
const MAX_EDITS: usize = 500;
/// Longer lists of children with changes are not compared in full.
const MAX_CELLS: usize = 1 << 20;

/// The smallest changed nodes, in source order.
pub(super) fn edits(before: &Source, after: &Source, of_imports: bool) -> Vec<Edit> {
    let mut aligner = Aligner {
        before,
        after,
        of_imports,
        chain: Vec::new(),
        edits: Vec::new(),
    };
    aligner.align(before.tree.root(), after.tree.root());
    merge(before, after, aligner.edits)
}

struct Aligner<'a> {
    before: &'a Source,
    after: &'a Source,
    /// Whether only import statements are compared, or all others.
    of_imports: bool,
    chain: Vec<(NodeId, NodeId)>,
    edits: Vec<Edit>,
}

impl Aligner<'_> {
    fn align(&mut self, before: NodeId, after: NodeId) {
        let is_root = before == self.before.tree.root();
        if self.edits.len() >= MAX_EDITS || !is_root && self.same(before, after) {
            return;
        }
        self.chain.push((before, after));
        match self.pairs(before, after) {
            Some(pairs) => {
                for (before, after) in pairs {
                    self.align(before, after);
                }
            }
            None => self.edits.push(Edit {
                chain: self.chain.clone(),
            }),
        }
        self.chain.pop();
    }

    fn same(&self, before: NodeId, after: NodeId) -> bool {
        self.before.digest(before) == self.after.digest(after)
    }

    /// The children that correspond to each other, if all changes are inside of them.
    fn pairs(&self, before: NodeId, after: NodeId) -> Option<Vec<(NodeId, NodeId)>> {
        let (old, new) = (&self.before.tree, &self.after.tree);
        if old.is_token(before) || new.is_token(after) || old.kind(before) != new.kind(after) {
            return None;
        }
        let mut left = self.before.children(before);
        let mut right = self.after.children(after);
        if before == old.root() {
            left.retain(|node| has_imports(old, *node) == self.of_imports);
            right.retain(|node| has_imports(new, *node) == self.of_imports);
        }
        let mut pairs = Vec::new();
        for (left, right) in self.gaps(&left, &right)? {
            if left.len() != right.len() {
                return None;
            }
            for (left, right) in left.iter().zip(right) {
                let marks = self.before.is_mark(*left) || self.after.is_mark(*right);
                if marks && !self.same(*left, *right) {
                    return None;
                }
                pairs.push((*left, *right));
            }
        }
        Some(pairs)
    }

    /// The runs of children between those that are the same on both sides.
    fn gaps<'l, 'r>(
        &self,
        left: &'l [NodeId],
        right: &'r [NodeId],
    ) -> Option<Vec<(&'l [NodeId], &'r [NodeId])>> {
        let equal = |(left, right): (&NodeId, &NodeId)| self.same(*left, *right);
        let start = left
            .iter()
            .zip(right)
            .take_while(|pair| equal(*pair))
            .count();
        let shorter = left.len().min(right.len()) - start;
        let end = left.iter().rev().zip(right.iter().rev());
        let end = end.take(shorter).take_while(|pair| equal(*pair)).count();
        let left = &left[start..left.len() - end];
        let right = &right[start..right.len() - end];
        if left.len() == right.len() && left.iter().zip(right).all(|(l, r)| self.similar(*l, *r)) {
            return Some(vec![(left, right)]);
        }
        let common = common(left.len(), right.len(), |l, r| self.same(left[l], right[r]))?;
        let mut gaps = Vec::new();
        let (mut from_left, mut from_right) = (0, 0);
        for (l, r) in common.into_iter().chain([(left.len(), right.len())]) {
            if from_left < l || from_right < r {
                gaps.push((&left[from_left..l], &right[from_right..r]));
            }
            (from_left, from_right) = (l + 1, r + 1);
        }
        Some(gaps)
    }

    /// Whether two nodes may be versions of one.
    fn similar(&self, before: NodeId, after: NodeId) -> bool {
        self.same(before, after)
            || self.before.tree.kind_name(before) == self.after.tree.kind_name(after)
    }
}

/// Whether a statement imports names.
fn has_imports(tree: &Tree, node: NodeId) -> bool {
    is_import(tree, node) || tree.kind_name(node) == "import_declaration"
}

/// The longest common subsequence, as pairs of indices.
pub(super) fn common(
    left: usize,
    right: usize,
    equal: impl Fn(usize, usize) -> bool,
) -> Option<Vec<(usize, usize)>> {
    if left.saturating_mul(right) > MAX_CELLS {
        return None;
    }
    let width = right + 1;
    let mut lengths = vec![0_u32; (left + 1) * width];
    for l in (0..left).rev() {
        for r in (0..right).rev() {
            lengths[l * width + r] = if equal(l, r) {
                lengths[(l + 1) * width + r + 1] + 1
            } else {
                lengths[(l + 1) * width + r].max(lengths[l * width + r + 1])
            };
        }
    }
    let (mut l, mut r) = (0, 0);
    let mut pairs = Vec::new();
    while l < left && r < right {
        if equal(l, r) {
            pairs.push((l, r));
            (l, r) = (l + 1, r + 1);
        } else if lengths[(l + 1) * width + r] >= lengths[l * width + r + 1] {
            l += 1;
        } else {
            r += 1;
        }
    }
    Some(pairs)
}

/// Joins changes that belong together: those whose tokens move between them, and those in different parts of one
/// expression.
fn merge(before: &Source, after: &Source, edits: Vec<Edit>) -> Vec<Edit> {
    let mut merged: Vec<Edit> = Vec::new();
    for edit in edits {
        let mut edit = edit;
        while let Some(last) = merged.last() {
            let depth = shared_depth(last, &edit);
            if !belong_together(before, after, last, &edit, depth) {
                break;
            }
            edit.chain.truncate(depth);
            merged.pop();
        }
        merged.push(edit);
    }
    merged
}

/// The number of ancestors that two changes share.
fn shared_depth(left: &Edit, right: &Edit) -> usize {
    let pairs = left.chain.iter().zip(&right.chain);
    pairs.take_while(|(left, right)| left == right).count()
}

fn belong_together(
    before: &Source,
    after: &Source,
    left: &Edit,
    right: &Edit,
    depth: usize,
) -> bool {
    if depth == 0 {
        return false;
    }
    let (left_delta, right_delta) = (
        Delta::of(before, after, left.smallest()),
        Delta::of(before, after, right.smallest()),
    );
    let moved = left_delta.gives(&right_delta) || right_delta.gives(&left_delta);
    if left_delta == right_delta && !moved {
        return false;
    }
    let below = (left.chain.len() - depth).max(right.chain.len() - depth);
    if moved && below <= 4 {
        return true;
    }
    let shared = left.chain[depth - 1].0;
    // An expression that contains both close to its root.
    is_expression(before, shared) && below <= 2
}

/// Whether the node is an expression that is not a list of others.
fn is_expression(source: &Source, node: NodeId) -> bool {
    let name = source.tree.kind_name(node).to_ascii_lowercase();
    let list = [
        "list",
        "arguments",
        "tuple",
        "dict",
        "set",
        "array",
        "object",
        "literal",
        "program",
    ];
    let parts = [
        "expr",
        "call",
        "invocation",
        "attribute",
        "field",
        "member",
        "selector",
        "subscript",
        "compare",
        "unary",
        "binary",
        "index",
    ];
    !list.iter().any(|word| name.ends_with(word))
        && parts.iter().any(|word| name.contains(word))
        && !name.contains("statement")
        && !name.contains("stmt")
}

/// The tokens that a change removes and adds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Delta {
    pub removed: Vec<String>,
    pub added: Vec<String>,
}

impl Delta {
    pub fn of(before: &Source, after: &Source, (old, new): (NodeId, NodeId)) -> Self {
        let mut counts: BTreeMap<&str, i32> = BTreeMap::new();
        for token in before.token_texts(Run::one(old)) {
            *counts.entry(token).or_default() -= 1;
        }
        for token in after.token_texts(Run::one(new)) {
            *counts.entry(token).or_default() += 1;
        }
        let mut delta = Self::default();
        for (token, count) in counts {
            let list = if count < 0 {
                &mut delta.removed
            } else {
                &mut delta.added
            };
            for _ in 0..count.unsigned_abs() {
                list.push(token.to_owned());
            }
        }
        delta
    }

    /// Whether a name that this change removes is added by the other.
    fn gives(&self, other: &Self) -> bool {
        let is_name = |token: &&String| {
            token.starts_with(|char: char| char.is_alphanumeric() || char == '_' || char == '"')
        };
        let mut removed = self.removed.iter().filter(is_name);
        removed.any(|token| other.added.contains(token))
    }
}
