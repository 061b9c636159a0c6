//! Languages that have learned rules, but no printer: what the gate must know of a file in one of them.

use fixpoint_engine::Suppressions;
use fixpoint_format::{comment_key, has_directives};
use fixpoint_learn::{Language, LearnedRules, Tree};

/// The language of one file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RuleLanguage(Language);

impl RuleLanguage {
    /// The language of the file at `path`, if some rule is for it and it has no printer.
    pub(crate) fn of(path: &str, rules: &LearnedRules) -> Option<Self> {
        let language = Language::of_path(path)?;
        let is_printed = fixpoint_language::Language::of_name(path).is_some();
        let is_ruled = !is_printed && rules.has_rules_for(language.name());
        is_ruled.then_some(Self(language))
    }

    fn with_tree<T: Default>(self, text: &str, of_tree: impl FnOnce(&Tree) -> T) -> T {
        Tree::parse(self.0, text).map_or_else(|_| T::default(), |tree| of_tree(&tree))
    }
}

impl fixpoint_engine::Language for RuleLanguage {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn parses(&self, text: &str) -> Result<(), String> {
        match Tree::parse(self.0, text) {
            Ok(_) => Ok(()),
            Err(error) => Err(error.to_string()),
        }
    }

    fn comments(&self, text: &str) -> Vec<String> {
        self.with_tree(text, |tree| {
            let comments = tree.comments().iter();
            comments
                .map(|span| comment_key(&text[span.range()]))
                .collect()
        })
    }

    fn suppressions(&self, text: &str) -> Suppressions {
        if !has_directives(text) {
            return Suppressions::default();
        }
        self.with_tree(text, |tree| {
            fixpoint_format::Suppressions::in_comments(text, tree.comments()).into()
        })
    }
}
