//! Guards: the conditions of a rule, checked against a match. What cannot be decided does not hold.

mod bindings;
pub(crate) mod imports;
mod literal;

use std::collections::BTreeMap;

use globset::{Glob, GlobMatcher};
use regex::Regex;

use crate::compiled::RuleError;
use crate::pattern::{Fragment, Pattern, PatternMatch};
use crate::rule::{Constraint, Literal, NodeKind, Place};
use crate::tree::{Language, NodeId, Tree};
pub(crate) use bindings::{Bindings, is_function};
pub use literal::literal_kind;

/// A condition that is ready to be checked.
#[derive(Clone, Debug)]
pub(crate) enum Guard {
    Kind(String, Vec<String>),
    Regex(String, Regex),
    Literal(String, Vec<Literal>),
    Inside(Around),
    PrecededBy(Around),
    FollowedBy(Around),
    /// Checked while the pattern is matched.
    Import(ImportGuard),
    /// The name is imported, and no scope around the match binds it.
    Imported(ImportGuard),
    NotShadowed(String),
    Path(GlobMatcher),
    Not(Box<Guard>),
}

#[derive(Clone, Debug)]
pub(crate) struct Around {
    kind: Option<String>,
    pattern: Option<Box<Pattern>>,
}

#[derive(Clone, Debug)]
pub(crate) struct ImportGuard {
    pub name: String,
    pub module: String,
    pub symbol: Option<String>,
}

impl ImportGuard {
    /// The name at the start of the guard's code.
    pub fn root(&self) -> &str {
        let end = self
            .name
            .find(|char: char| !char.is_alphanumeric() && char != '_');
        &self.name[..end.unwrap_or(self.name.len())]
    }
}

/// A text in which guards are checked.
pub(crate) struct Scene<'a> {
    pub tree: &'a Tree,
    pub path: &'a str,
    pub imports: &'a [imports::Imported],
    pub bindings: Bindings<'a>,
}

impl Guard {
    pub fn compile(constraint: &Constraint, pattern: &Pattern) -> Result<Self, RuleError> {
        let known = |capture: &String| {
            if pattern.captures().contains(capture.as_str()) {
                return Ok(capture.clone());
            }
            let capture = capture.clone();
            Err(RuleError::UnknownCapture { capture })
        };
        let language = pattern.language();
        Ok(match constraint {
            Constraint::Kind { capture, any } => Self::Kind(known(capture)?, any.clone()),
            Constraint::Literal { capture, any } => Self::Literal(known(capture)?, any.clone()),
            Constraint::Regex { capture, matches } => {
                let regex = Regex::new(&format!("^(?:{matches})$"));
                let regex = regex.map_err(|error| RuleError::Regex(error.to_string()))?;
                Self::Regex(known(capture)?, regex)
            }
            Constraint::Inside(place) => Self::Inside(Around::compile(place, language)?),
            Constraint::PrecededBy(place) => Self::PrecededBy(Around::compile(place, language)?),
            Constraint::FollowedBy(place) => Self::FollowedBy(Around::compile(place, language)?),
            Constraint::Import {
                name,
                module,
                symbol,
            } => Self::Import(ImportGuard {
                name: name.clone(),
                module: module.clone(),
                symbol: symbol.clone(),
            }),
            Constraint::Imported {
                name,
                module,
                symbol,
            } => Self::Imported(ImportGuard {
                name: name.clone(),
                module: module.clone(),
                symbol: symbol.clone(),
            }),
            Constraint::NotShadowed { name } => Self::NotShadowed(name.clone()),
            Constraint::Path { glob } => {
                let glob = Glob::new(glob).map_err(|error| RuleError::Glob(error.to_string()))?;
                Self::Path(glob.compile_matcher())
            }
            Constraint::Not(inner) => match Self::compile(inner, pattern)? {
                Self::Import(guard) => return Err(RuleError::NegatedImport(guard.name)),
                inner => Self::Not(Box::new(inner)),
            },
        })
    }

    /// Whether the condition holds; none if that is unknown.
    pub fn holds(&self, scene: &Scene<'_>, found: &PatternMatch) -> Option<bool> {
        let tree = scene.tree;
        let nodes = |capture: &String| found.captures.get(capture).map(|binding| &binding.nodes);
        let node = |capture: &String| match nodes(capture)?.as_slice() {
            [node] => Some(*node),
            _ => None,
        };
        match self {
            Self::Kind(capture, kinds) => {
                // Of a list, every element.
                let mut elements = nodes(capture)?
                    .iter()
                    .filter(|node| tree.text_of(**node) != ",");
                Some(elements.all(|node| kinds.iter().any(|kind| is_kind(tree, *node, kind))))
            }
            Self::Regex(capture, regex) => {
                let span = found.captures.get(capture)?.span;
                Some(regex.is_match(&tree.text()[span.range()]))
            }
            Self::Literal(capture, literals) => {
                let literal = literal_kind(tree, node(capture)?);
                Some(literal.is_some_and(|literal| literals.contains(&literal)))
            }
            Self::Inside(around) => {
                let mut ancestors = tree.ancestors(*found.nodes.first()?);
                Some(ancestors.any(|node| around.is(tree, node)))
            }
            Self::PrecededBy(around) => {
                let before = neighbour(tree, found, |node, sibling| {
                    tree.end(sibling) <= tree.start(node)
                });
                Some(before.last().is_some_and(|node| around.is(tree, *node)))
            }
            Self::FollowedBy(around) => {
                let after = neighbour(tree, found, |node, sibling| {
                    tree.start(sibling) >= tree.end(node)
                });
                Some(after.first().is_some_and(|node| around.is(tree, *node)))
            }
            Self::Import(_) => Some(true),
            Self::Imported(guard) => {
                let is_named = |import: &imports::Imported| {
                    let last = import.module.rsplit('/').next();
                    import.local == guard.name
                        || import.local.is_empty() && last == Some(guard.name.as_str())
                };
                let is_meant = scene.imports.iter().any(|import| {
                    is_named(import)
                        && import.module == guard.module
                        && import.symbol == guard.symbol
                });
                let node = *found.nodes.first()?;
                Some(is_meant && !scene.bindings.is_bound(&guard.name, node)?)
            }
            Self::NotShadowed(name) => {
                let node = *found.nodes.first()?;
                if scene.imports.iter().any(|import| import.is_star()) {
                    return None;
                }
                let imported = scene.imports.iter().any(|import| import.local == *name);
                Some(!imported && !scene.bindings.is_bound(name, node)?)
            }
            Self::Path(glob) => Some(glob.is_match(scene.path)),
            Self::Not(inner) => inner.holds(scene, found).map(|holds| !holds),
        }
    }

    /// The guard in a few words, for people.
    pub fn describe(&self) -> String {
        match self {
            Self::Kind(capture, kinds) => format!("${capture} is one of {}", kinds.join(", ")),
            Self::Regex(capture, regex) => format!("${capture} matches {regex}"),
            Self::Literal(capture, literals) => format!("${capture} is a literal of {literals:?}"),
            Self::Inside(around) => format!("inside {}", around.describe()),
            Self::PrecededBy(around) => format!("preceded by {}", around.describe()),
            Self::FollowedBy(around) => format!("followed by {}", around.describe()),
            Self::Import(guard) => format!("`{}` is imported from {}", guard.name, guard.module),
            Self::Imported(guard) => {
                format!("the file imports `{}` from {}", guard.name, guard.module)
            }
            Self::NotShadowed(name) => format!("`{name}` is not shadowed"),
            Self::Path(glob) => format!("the path matches {}", glob.glob()),
            Self::Not(inner) => format!("not: {}", inner.describe()),
        }
    }
}

impl Around {
    fn compile(place: &Place, language: Language) -> Result<Self, RuleError> {
        if place.kind.is_some() == place.pattern.is_some() {
            return Err(RuleError::Place);
        }
        let pattern = place.pattern.as_deref();
        let pattern = pattern
            .map(|text| Pattern::parse(language, text))
            .transpose()?;
        Ok(Self {
            kind: place.kind.clone(),
            pattern: pattern.map(Box::new),
        })
    }

    fn is(&self, tree: &Tree, node: NodeId) -> bool {
        let kind = self.kind.as_ref();
        kind.is_some_and(|kind| is_kind(tree, node, kind))
            || self.pattern.as_ref().is_some_and(|pattern| {
                let mut same = tree
                    .subtree(node)
                    .take_while(|it| tree.span(*it) == tree.span(node));
                same.any(|it| pattern.match_at(tree, it).is_some())
            })
    }

    fn describe(&self) -> String {
        let pattern = self
            .pattern
            .as_ref()
            .map(|pattern| pattern.text().to_owned());
        self.kind.clone().or(pattern).unwrap_or_default()
    }
}

/// Whether a node is of a kind, by the name that the parser or that rules give it.
fn is_kind(tree: &Tree, node: NodeId, kind: &str) -> bool {
    tree.kind_name(node) == kind || NodeKind::of(tree, node).is_some_and(|it| it.name() == kind)
}

/// The siblings that `is_beside` accepts, of the match or of the statement that it is.
fn neighbour(
    tree: &Tree,
    found: &PatternMatch,
    is_beside: impl Fn(NodeId, NodeId) -> bool,
) -> Vec<NodeId> {
    let Some(mut node) = found.nodes.first().copied() else {
        return Vec::new();
    };
    loop {
        let Some(parent) = tree.parent(node) else {
            return Vec::new();
        };
        let siblings = tree.children(parent).filter(|sibling| {
            !found.nodes.contains(sibling) && !tree.is_token(*sibling) && is_beside(node, *sibling)
        });
        let siblings: Vec<NodeId> = siblings.collect();
        if !siblings.is_empty() || tree.span(parent).len() > found.span.len() + 1 {
            return siblings;
        }
        node = parent;
    }
}

/// The nodes of a fragment that are the code of an import guard.
pub(crate) fn named_nodes(fragment: &Fragment, name: &str) -> Vec<NodeId> {
    let Ok(named) = Fragment::parse(fragment.tree.language(), name, Vec::new()) else {
        return Vec::new();
    };
    let [root] = named.roots[..] else {
        return Vec::new();
    };
    let wanted: Vec<&str> = named
        .tree
        .tokens(root)
        .map(|it| named.tree.text_of(it))
        .collect();
    let tree = &fragment.tree;
    let mut found: Vec<NodeId> = Vec::new();
    for root in &fragment.roots {
        for node in tree.subtree(*root) {
            let inside = found.iter().any(|outer| tree.contains(*outer, node));
            if inside || !imports::is_reference(tree, node) {
                continue;
            }
            let tokens = tree.tokens(node).map(|it| tree.text_of(it));
            if tokens.eq(wanted.iter().copied()) {
                found.push(node);
            }
        }
    }
    found
}

/// Whether a node means the symbol of an import guard.
pub(crate) fn resolves(scene: &Scene<'_>, node: NodeId, guard: &ImportGuard) -> bool {
    imports::resolves(scene.tree, scene.imports, node, guard)
        && imports::root_token(scene.tree, node).is_some_and(|root| {
            scene.bindings.is_bound(scene.tree.text_of(root), node) == Some(false)
        })
}

/// The index of each guard on imports, with the guard.
pub(crate) fn import_guards(guards: &[Guard]) -> BTreeMap<usize, &ImportGuard> {
    let all = guards.iter().enumerate();
    all.filter_map(|(index, guard)| match guard {
        Guard::Import(guard) => Some((index, guard)),
        _ => None,
    })
    .collect()
}

/// Whether anything in a file but an import may bind a name.
pub(crate) fn is_bound_in_file(tree: &Tree, name: &str) -> bool {
    Bindings::new(tree).is_bound(name, tree.root()) != Some(false)
}
