//! The learned rules of a project: which of its rule files are used, and in which languages.

use std::collections::BTreeSet;

use crate::compiled::{CompiledRule, RuleError};
use crate::rule::Rule;
use crate::ruleset::RuleSet;
use crate::settings::Profile;
use crate::tree::Language;

/// The time of a rule that does not name one, because a person wrote it in the short form.
pub const NO_TIME: &str = "1970-01-01T00:00:00Z";

/// The rules that propose fixes in a project.
#[derive(Clone, Debug)]
pub struct LearnedRules {
    /// Reviewed by a person.
    pub(crate) pinned: RuleSet,
    pub(crate) unpinned: RuleSet,
    pub(crate) profile: Profile,
    languages: BTreeSet<&'static str>,
    unusable: Vec<UnusableRule>,
}

/// A rule file that is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnusableRule {
    pub path: String,
    /// The language of the rule, if its folder names one.
    pub language: Option<&'static str>,
    pub reason: String,
}

impl LearnedRules {
    /// Prepares rule files, which are given by path, with their text or why it cannot be read. The folder of a file names
    /// its language.
    pub fn new<'a>(
        files: impl IntoIterator<Item = (&'a str, Result<&'a str, &'a str>)>,
        profile: Profile,
    ) -> Self {
        let (mut pinned, mut unpinned) = (Vec::new(), Vec::new());
        let mut languages = BTreeSet::new();
        let mut unusable = Vec::new();
        for (path, text) in files {
            let folder = path.rsplit('/').nth(1).unwrap_or_default();
            let language = Language::with_name(folder).map(Language::name);
            match prepare(text, language) {
                Ok(Some(rule)) => {
                    if !rule.rule().pinned && profile == Profile::Production {
                        continue;
                    }
                    languages.insert(rule.language().name());
                    let rules = if rule.rule().pinned {
                        &mut pinned
                    } else {
                        &mut unpinned
                    };
                    rules.push(rule);
                }
                Ok(None) => {}
                Err(reason) => unusable.push(UnusableRule {
                    path: path.to_owned(),
                    language,
                    reason,
                }),
            }
        }
        Self {
            pinned: RuleSet::new(pinned),
            unpinned: RuleSet::new(unpinned),
            profile,
            languages,
            unusable,
        }
    }

    /// The rule that reports call by this name.
    pub fn named(&self, name: &str) -> Option<&Rule> {
        let rules = self.pinned.rules().iter().chain(self.unpinned.rules());
        rules
            .map(CompiledRule::rule)
            .find(|rule| rule.name() == name)
    }

    /// Whether some rule is for files in the language with this name.
    pub fn has_rules_for(&self, language: &str) -> bool {
        self.languages.contains(language)
    }

    /// The files that are not used.
    pub fn unusable(&self) -> &[UnusableRule] {
        &self.unusable
    }
}

/// A rule that can be applied; `None` for one that only names a kind of node.
fn prepare(
    text: Result<&str, &str>,
    folder: Option<&'static str>,
) -> Result<Option<CompiledRule>, String> {
    let rule = Rule::from_json(text?, NO_TIME).map_err(|error| error.to_string())?;
    let compiled = match CompiledRule::compile(&rule) {
        Ok(compiled) => compiled,
        Err(RuleError::KindOnly) => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    let language = compiled.language().name();
    if folder != Some(language) {
        return Err(format!(
            "it is a rule for {language}; move it into a folder of that name"
        ));
    }
    Ok(Some(compiled))
}
