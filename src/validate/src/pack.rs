//! The built-in rules, grouped by the tool whose files they check.

use std::sync::{LazyLock, OnceLock};

use fixpoint_engine::{Example, Rule};
use globset::GlobSet;

use crate::policy::{RulesFile, file_globs};
use crate::schema::rules;

/// The rules for the files of one tool.
pub struct Pack {
    pub name: &'static str,
    files: &'static [&'static str],
    /// A word that every file of the tool contains. Files without it are not parsed.
    marker: &'static str,
    text: &'static str,
    globs: OnceLock<GlobSet>,
    parsed: OnceLock<RulesFile>,
}

static PACKS: [Pack; 6] = [
    Pack::new(
        "cargo-toml",
        &["**/Cargo.toml"],
        "",
        include_str!("../packs/cargo-toml.yaml"),
    ),
    Pack::new(
        "fixpoint-toml",
        &["**/fixpoint.toml"],
        "",
        include_str!("../packs/fixpoint-toml.yaml"),
    ),
    Pack::new(
        "github-workflow",
        &["**/.github/workflows/*.{yaml,yml}"],
        "",
        include_str!("../packs/github-workflow.yaml"),
    ),
    Pack::new(
        "kubernetes",
        &["**/*.{yaml,yml,json}"],
        "apiVersion",
        include_str!("../packs/kubernetes.yaml"),
    ),
    Pack::new(
        "package-json",
        &["**/package.json"],
        "",
        include_str!("../packs/package-json.yaml"),
    ),
    Pack::new(
        "pyproject-toml",
        &["**/pyproject.toml"],
        "",
        include_str!("../packs/pyproject-toml.yaml"),
    ),
];

static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let shipped = PACKS.iter().flat_map(|pack| pack.rules().rules());
    let shipped = shipped.map(|rule| Rule {
        name: &rule.id,
        summary: &rule.summary,
        why: &rule.why,
        safety: rule.safety().map(|it| it.0),
        safety_reason: rule.safety().map_or("The rule only reports.", |it| it.1),
        example: rule.example.as_ref().map(|(path, before, after)| Example {
            path,
            before,
            after,
        }),
    });
    let mut rules: Vec<Rule> = rules::RULES.iter().copied().chain(shipped).collect();
    rules.sort_by_key(|rule| rule.name);
    rules
});

/// All built-in rules of the phase, sorted by name.
pub(crate) fn all_rules() -> &'static [Rule] {
    &RULES
}

impl Pack {
    const fn new(
        name: &'static str,
        files: &'static [&'static str],
        marker: &'static str,
        text: &'static str,
    ) -> Self {
        Self {
            name,
            files,
            marker,
            text,
            globs: OnceLock::new(),
            parsed: OnceLock::new(),
        }
    }

    pub fn all() -> &'static [Self] {
        &PACKS
    }

    /// The rules of the pack. A test parses every pack, so that none is empty by accident.
    pub(crate) fn rules(&self) -> &RulesFile {
        self.parsed.get_or_init(|| {
            RulesFile::parse_for(self.name, self.text, self.files).unwrap_or_default()
        })
    }

    pub(crate) fn is_for(&self, path: &str, text: &str) -> bool {
        let globs = self
            .globs
            .get_or_init(|| file_globs(self.files).unwrap_or_default());
        globs.is_match(path) && text.contains(self.marker)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pack_parses_and_its_rules_have_explanations() {
        for pack in &PACKS {
            let rules = RulesFile::parse_for(pack.name, pack.text, pack.files);
            let rules = rules.unwrap_or_else(|error| panic!("{}: {error:?}", pack.name));
            assert!(!rules.rules().is_empty(), "{}", pack.name);
            for rule in rules.rules() {
                assert!(
                    rule.id.starts_with(&format!("{}-", pack.name)),
                    "{}",
                    rule.id
                );
                assert!(
                    !rule.why.is_empty() && !rule.summary.is_empty(),
                    "{}",
                    rule.id
                );
                let has_fix = rule.safety().is_some();
                assert!(
                    !has_fix || rule.example.is_some(),
                    "{} shows no example",
                    rule.id
                );
            }
        }
    }
}
