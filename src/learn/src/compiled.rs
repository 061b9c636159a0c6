//! A rule that is ready to be applied, and the places where it matches.

use fixpoint_text::Span;

use crate::apply::{Refusal, TextEdit};
use crate::guard::{self, Bindings, Guard, Scene};
use crate::pattern::{Expected, LeafContent, Matcher, Pattern, PatternError, PatternMatch};
use crate::rule::{Matching, Rule, RuleFileError};
use crate::template::{Template, TemplateError, Wrap};
use crate::tree::{Kind, Language, NodeId, Tree};

/// Why a rule cannot be applied at all.
#[derive(Debug, thiserror::Error)]
pub enum RuleError {
    #[error(transparent)]
    File(#[from] RuleFileError),
    #[error("there are no rules for the language {0:?}")]
    UnknownLanguage(String),
    #[error(
        "the rule matches by node kind alone; give it a pattern and `\"matching\": \"structure\"`"
    )]
    KindOnly,
    #[error(transparent)]
    Pattern(#[from] PatternError),
    #[error(transparent)]
    Template(#[from] TemplateError),
    #[error("the template matches the pattern again, so the rule would never end")]
    MatchesItself,
    #[error("a constraint names ${capture}, which the pattern does not have")]
    UnknownCapture { capture: String },
    #[error("a constraint has an invalid regular expression: {0}")]
    Regex(String),
    #[error("a constraint has an invalid glob: {0}")]
    Glob(String),
    #[error("`inside`, `preceded_by` and `followed_by` need either a kind or a pattern")]
    Place,
    #[error("`{0}` is the name of an import constraint, and the pattern does not contain it")]
    ImportName(String),
    #[error("`not` cannot contain the import constraint of `{0}`")]
    NegatedImport(String),
    #[error("`{0}` is not one import statement of the language")]
    ImportStatement(String),
}

/// A place where the pattern of a rule matches.
#[derive(Clone, Debug)]
pub struct Match {
    pub found: PatternMatch,
    /// The edits that apply the rule here, or why it does not apply.
    pub edits: Result<Vec<TextEdit>, Refusal>,
}

/// A rule with its parsed pattern, guards and template.
#[derive(Clone, Debug)]
pub struct CompiledRule {
    rule: Rule,
    pub(crate) pattern: Pattern,
    pub(crate) template: Template,
    pub(crate) guards: Vec<Guard>,
    /// Words that every text contains in which the rule applies.
    pub(crate) words: Vec<String>,
}

/// The nodes of a tree by their kind, in source order.
pub(crate) struct Kinds {
    all: Vec<NodeId>,
    by_kind: Vec<Vec<NodeId>>,
}

impl Kinds {
    pub fn of(tree: &Tree) -> Self {
        let mut by_kind: Vec<Vec<NodeId>> = Vec::new();
        for node in tree.all() {
            let kind = tree.kind(node).index();
            if by_kind.len() <= kind {
                by_kind.resize_with(kind + 1, Vec::new);
            }
            by_kind[kind].push(node);
        }
        let all = tree.all().collect();
        Self { all, by_kind }
    }

    fn nodes(&self, kind: Kind) -> &[NodeId] {
        self.by_kind.get(kind.index()).map_or(&[], Vec::as_slice)
    }

    fn all(&self) -> &[NodeId] {
        &self.all
    }
}

/// A filled template for one match.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    /// The index of the rule, or none for a change of imports.
    pub rule: Option<usize>,
    pub place: Span,
    /// The first code in the place that no variable captures. So a nested match has another mark.
    pub mark: Span,
    pub edits: Vec<TextEdit>,
    /// The length of the new text in the place.
    pub length: usize,
    /// The place of the template's own code in the new text, without the parentheses around it.
    pub inner: Span,
    pub slots: Expected,
}

impl CompiledRule {
    /// Checks a rule and prepares it. Every mistake in a rule is found here and not when it is applied.
    pub fn compile(rule: &Rule) -> Result<Self, RuleError> {
        rule.check()?;
        let language = Language::with_name(&rule.target_id)
            .ok_or_else(|| RuleError::UnknownLanguage(rule.target_id.clone()))?;
        if rule.matching == Matching::Kind {
            return Err(RuleError::KindOnly);
        }
        let mut pattern = Pattern::parse(language, &rule.pattern)?;
        let mut template = Template::parse(&pattern, &rule.template)?;
        let guards = rule.constraints.iter();
        let guards = guards.map(|constraint| Guard::compile(constraint, &pattern));
        let guards: Vec<Guard> = guards.collect::<Result<_, _>>()?;
        let mut words: Vec<String> = Vec::new();
        for (index, import) in guard::import_guards(&guards) {
            let nodes = guard::named_nodes(&pattern.fragment, &import.name);
            if nodes.is_empty() {
                return Err(RuleError::ImportName(import.name.clone()));
            }
            pattern
                .names
                .extend(nodes.into_iter().map(|node| (node, index)));
            let nodes = guard::named_nodes(&template.fragment, &import.name);
            template
                .names
                .extend(nodes.into_iter().map(|node| (node, index)));
            let module = import
                .module
                .split(|char: char| !char.is_alphanumeric() && char != '_');
            let longest = module.max_by_key(|word| word.len());
            words.extend(longest.map(str::to_owned));
        }
        template.align(&pattern);
        words.extend(pattern.required_words().into_iter().map(str::to_owned));
        for statement in rule.imports.add.iter().chain(&rule.imports.remove) {
            crate::imports::parse(language, statement)
                .ok_or_else(|| RuleError::ImportStatement(statement.clone()))?;
        }
        if matches_again(&pattern, &template) {
            return Err(RuleError::MatchesItself);
        }
        Ok(Self {
            rule: rule.clone(),
            pattern,
            template,
            guards,
            words,
        })
    }

    pub fn rule(&self) -> &Rule {
        &self.rule
    }

    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    pub fn language(&self) -> Language {
        self.pattern.language()
    }

    /// The matches of a file in source order, an outer one before those inside it. The edits of a match are for the file as
    /// it is; several matches may overlap.
    pub fn matches(&self, tree: &Tree, path: &str) -> Vec<Match> {
        let imports = guard::imports::imports(tree);
        let scene = Scene {
            tree,
            path,
            imports: &imports,
            bindings: Bindings::new(tree),
        };
        let found = self.places(&scene, &Kinds::of(tree)).into_iter();
        found
            .map(|found| {
                let edits = self.change(&scene, &found, 0);
                Match {
                    found,
                    edits: edits.map(|change| change.edits),
                }
            })
            .collect()
    }

    /// The places where the pattern and its import guards match.
    pub(crate) fn places(&self, scene: &Scene<'_>, kinds: &Kinds) -> Vec<PatternMatch> {
        let tree = scene.tree;
        let guards = guard::import_guards(&self.guards);
        let resolve = |node, index: usize| {
            let guard = guards.get(&index);
            guard.is_some_and(|guard| guard::resolves(scene, node, guard))
        };
        let nodes = match self.pattern.root_kind() {
            Some(kind) => kinds.nodes(kind),
            None => kinds.all(),
        };
        let nodes = nodes.iter().copied();
        nodes
            .filter_map(|node| {
                Matcher::new(&self.pattern, tree)
                    .with_resolve(&resolve)
                    .match_at(node)
            })
            .collect()
    }

    /// The change that the rule makes at a match.
    pub(crate) fn change(
        &self,
        scene: &Scene<'_>,
        found: &PatternMatch,
        index: usize,
    ) -> Result<Change, Refusal> {
        for guard in &self.guards {
            if guard.holds(scene, found) != Some(true) {
                let guard = guard.describe();
                return Err(Refusal::Guard { guard });
            }
        }
        self.check_place(scene, found)?;
        let parentheses = self.template.parentheses(scene.tree, found);
        let wrap = Wrap {
            slots: &parentheses,
            indent: None,
        };
        let rendered = self.template.render(scene.tree, found, wrap)?;
        if rendered.edits.is_empty() {
            return Err(Refusal::Unchanged);
        }
        // Before Python 3.12, the code in an f-string has no quotes of the string, no backslash and no line break.
        let mut around = scene.tree.ancestors(found.nodes[0]);
        let mut edits = rendered.edits.iter();
        if around.any(|node| scene.tree.kind_name(node) == "InterpolatedElement")
            && edits.any(|edit| edit.replacement.contains(['"', '\'', '\\', '\n']))
        {
            return Err(Refusal::Structure);
        }
        Ok(Change {
            rule: Some(index),
            place: found.span,
            mark: self.mark(found),
            edits: rendered.edits,
            length: rendered.text.len(),
            inner: Span::from(0..rendered.text.len()),
            slots: rendered.slots,
        })
    }

    fn mark(&self, found: &PatternMatch) -> Span {
        let is_hole = |node: &NodeId| self.pattern.fragment.hole_at.contains_key(node);
        let from_own = found.places.iter().skip_while(|(node, _)| is_hole(node));
        let own = from_own.take_while(|(node, _)| !is_hole(node));
        let spans = own.map(|(_, span)| *span);
        let hull = spans.reduce(|first, last| Span::from(first.start()..last.end()));
        hull.unwrap_or(found.span)
    }

    fn check_place(&self, scene: &Scene<'_>, found: &PatternMatch) -> Result<(), Refusal> {
        let tree = scene.tree;
        let node = found.nodes[0];
        // In `{ a }`, the name is also the key of the property.
        let same = tree
            .ancestors(node)
            .take_while(|it| tree.span(*it) == tree.span(node));
        for ancestor in same {
            let kind = tree.kind_name(ancestor);
            if kind.ends_with("Property") || kind.ends_with("Specifier") {
                return Err(Refusal::Shorthand);
            }
        }
        // The template may use the module of an import guard under the name that the pattern has.
        for (index, guard) in guard::import_guards(&self.guards) {
            if !self.template.tokens().any(|token| token == guard.root()) {
                continue;
            }
            let mut leaves = self
                .pattern
                .names
                .iter()
                .filter(|(_, name)| **name == index);
            let place = leaves.next().and_then(|(node, _)| found.places.get(node));
            let code = place.map_or("", |place| &tree.text()[place.range()]);
            if !code.starts_with(guard.root()) && !self.adds(guard.root()) {
                let name = guard.root().to_owned();
                return Err(Refusal::Unbound { name });
            }
        }
        Ok(())
    }

    /// Whether the rule adds an import that binds a name.
    fn adds(&self, name: &str) -> bool {
        let mut added = self.rule.imports.add.iter();
        added.any(|statement| {
            let parsed = crate::imports::parse(self.language(), statement);
            parsed.is_some_and(|imports| imports.iter().any(|import| import.local == name))
        })
    }
}

/// Whether the pattern matches its template, where each slot is a name.
fn matches_again(pattern: &Pattern, template: &Template) -> bool {
    let tree = &template.fragment.tree;
    let mut nodes = template
        .fragment
        .roots
        .iter()
        .flat_map(|root| tree.subtree(*root));
    let is_name = |node, index: usize| template.names.get(&node) == Some(&index);
    nodes.any(|node| {
        Matcher::new(pattern, tree)
            .with_resolve(&is_name)
            .match_at(node)
            .is_some_and(|found| {
                // A match inside the code of a slot is one that was there before.
                let mut leaves = template.fragment.leaves(&template.names).into_iter();
                leaves.any(|leaf| {
                    !matches!(leaf.content, LeafContent::Hole(_))
                        && found.span.start() <= tree.start(leaf.node)
                        && tree.end(leaf.node) <= found.span.end()
                })
            })
    })
}
