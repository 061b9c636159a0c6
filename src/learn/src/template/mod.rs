//! Templates: the code that replaces a match, with a slot for each capture.

mod render;

use std::collections::BTreeMap;

use fixpoint_text::Span;

use crate::pattern::{
    Category, Expected, Fragment, FragmentError, Leaf, LeafContent, Matcher, Pattern, PatternMatch,
    slots,
};
use crate::tree::{NodeId, Tree};
pub(crate) use render::Wrap;

/// Why a template does not fit its pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    #[error("the template does not parse as {language}: {message}")]
    Syntax {
        language: &'static str,
        message: String,
    },
    #[error("the template is empty")]
    Empty,
    #[error("the template has the slot {{{{ {name} }}}}, and the pattern has no ${name}")]
    UnknownSlot { name: String },
    #[error("the template would drop what ${name} captures; add {{{{ {name} }}}}")]
    UnusedCapture { name: String },
    #[error("the template would drop what $_ matches; give it a name, and add its slot")]
    UnnamedCapture,
}

#[derive(Clone, Debug)]
pub(crate) struct Template {
    pub fragment: Fragment,
    /// The nodes that mean the symbol of an import guard, by the guard's index.
    pub names: BTreeMap<NodeId, usize>,
    leaves: Vec<Leaf>,
    pattern_leaves: Vec<Leaf>,
    /// For each leaf, the leaf of the pattern that stays in its place.
    kept: Vec<Option<usize>>,
}

impl Template {
    pub fn parse(pattern: &Pattern, text: &str) -> Result<Self, TemplateError> {
        let mut holes = slots(text);
        let captures = pattern.captures();
        for hole in &mut holes {
            let name = hole.name.clone().unwrap_or_default();
            if !captures.contains(name.as_str()) {
                return Err(TemplateError::UnknownSlot { name });
            }
            hole.many = pattern.is_many(&name);
        }
        if pattern
            .fragment
            .holes
            .iter()
            .any(|hole| hole.name.is_none())
        {
            return Err(TemplateError::UnnamedCapture);
        }
        let is_used = |name: &str| holes.iter().any(|hole| hole.name.as_deref() == Some(name));
        if let Some(name) = captures.iter().find(|name| !is_used(name)) {
            let name = (*name).to_owned();
            return Err(TemplateError::UnusedCapture { name });
        }
        let language = pattern.language();
        let fragment = Fragment::parse(language, text, holes).map_err(|error| match error {
            FragmentError::Syntax(message) => TemplateError::Syntax {
                language: language.name(),
                message,
            },
            FragmentError::Empty => TemplateError::Empty,
        })?;
        let mut template = Self {
            fragment,
            names: BTreeMap::new(),
            leaves: Vec::new(),
            pattern_leaves: Vec::new(),
            kept: Vec::new(),
        };
        template.align(pattern);
        Ok(template)
    }

    /// Finds the leaves that stay. Called again when names of import guards are known.
    pub fn align(&mut self, pattern: &Pattern) {
        self.leaves = self.fragment.leaves(&self.names);
        self.pattern_leaves = pattern.fragment.leaves(&pattern.names);
        let equal = |leaf: &Leaf, other: &Leaf| match (&leaf.content, &other.content) {
            (LeafContent::Hole(slot), LeafContent::Hole(hole)) => {
                self.fragment.holes[*slot].name == pattern.fragment.holes[*hole].name
            }
            (first, second) => first == second,
        };
        self.kept = longest_common(&self.leaves, &self.pattern_leaves, equal);
    }

    /// The tokens of the template, without its slots and resolved names.
    pub fn tokens(&self) -> impl Iterator<Item = &str> {
        self.leaves.iter().filter_map(|leaf| match &leaf.content {
            LeafContent::Token(text) => Some(text.as_str()),
            _ => None,
        })
    }

    pub fn is_expression(&self) -> bool {
        self.fragment.category == Category::Expression
    }

    /// Whether the code at a place of a tree has the structure of the template, with each slot at its expected place.
    pub fn stands_at(&self, tree: &Tree, place: Span, slots: &Expected) -> bool {
        // Where a type is expected, a name has another kind of node.
        if let [
            Leaf {
                content: LeafContent::Token(text),
                ..
            },
        ] = &self.leaves[..]
        {
            let node = tree.covering(place);
            let is_token = tree.tokens(node).nth(1).is_none();
            return is_token && tree.span(node) == place && tree.text_of(node) == text;
        }
        let shifted = slots.iter().map(|(node, span)| {
            let moved = Span::from(span.start() + place.start()..span.end() + place.start());
            (*node, moved)
        });
        let shifted: Expected = shifted.collect();
        let mut starts: Vec<NodeId> = Vec::new();
        let mut node = tree.covering(Span::from(place.start()..place.start() + 1));
        while tree.start(node) == place.start() {
            starts.push(node);
            match tree.parent(node) {
                Some(parent) => node = parent,
                None => break,
            }
        }
        starts.into_iter().any(|start| {
            Matcher::of(&self.fragment, &self.names, tree)
                .with_expected(&shifted)
                .match_at(start)
                .is_some_and(|found| found.span == place)
        })
    }

    /// The slots that need parentheses, so that each is one node of the template's structure.
    pub fn parentheses(&self, tree: &Tree, found: &PatternMatch) -> Vec<NodeId> {
        let stands = |wrapped: &[NodeId]| {
            let wrap = Wrap {
                slots: wrapped,
                indent: Some(""),
            };
            let rendered = self.render(tree, found, wrap).ok();
            rendered.is_some_and(|rendered| {
                self.fragment
                    .parse_like(&rendered.text)
                    .is_some_and(|(tree, place)| self.stands_at(&tree, place, &rendered.slots))
            })
        };
        if stands(&[]) {
            return Vec::new();
        }
        let holes = self.leaves.iter().filter_map(|leaf| match leaf.content {
            LeafContent::Hole(hole) if !self.fragment.holes[hole].many => Some(leaf.node),
            _ => None,
        });
        let mut wrapped: Vec<NodeId> = holes.collect();
        if !stands(&wrapped) {
            return Vec::new();
        }
        for slot in wrapped.clone() {
            let fewer: Vec<NodeId> = wrapped
                .iter()
                .copied()
                .filter(|other| *other != slot)
                .collect();
            if stands(&fewer) {
                wrapped = fewer;
            }
        }
        wrapped
    }
}

/// For each item of the first list, its partner of the second in a longest common subsequence.
fn longest_common<T>(
    first: &[T],
    second: &[T],
    equal: impl Fn(&T, &T) -> bool,
) -> Vec<Option<usize>> {
    let width = second.len() + 1;
    let mut best = vec![0_u32; (first.len() + 1) * width];
    for i in (0..first.len()).rev() {
        for j in (0..second.len()).rev() {
            best[i * width + j] = if equal(&first[i], &second[j]) {
                best[(i + 1) * width + j + 1] + 1
            } else {
                best[(i + 1) * width + j].max(best[i * width + j + 1])
            };
        }
    }
    let mut partners = vec![None; first.len()];
    let (mut i, mut j) = (0, 0);
    while i < first.len() && j < second.len() {
        if equal(&first[i], &second[j]) {
            partners[i] = Some(j);
            (i, j) = (i + 1, j + 1);
        } else if best[(i + 1) * width + j] >= best[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    partners
}
