//! The learned rules of a folder, and the changes that commands make to them.

use std::io;
use std::path::PathBuf;

use fixpoint_learn::{NO_TIME, Outcomes, Provenance, Rule, RuleFileError};
use fixpoint_workspace::{RulesFolder, StoredRule};
use thiserror::Error;

/// Why rules could not be read or stored.
#[derive(Debug, Error)]
pub(crate) enum RuleStoreError {
    #[error("rule cache I/O error: {0}")]
    Io(#[from] io::Error),
    #[error("rule parse error in {}: {source}", .path.display())]
    Parse {
        path: PathBuf,
        #[source]
        source: RuleFileError,
    },
    #[error("rule serialize error: {0}")]
    Serialize(#[source] RuleFileError),
    #[error("there is no rule {prefix}; `fixpoint rules list` lists all")]
    Unknown { prefix: String },
    #[error("{count} rules have ids that begin with {prefix:?}; write more of the id")]
    Ambiguous { prefix: String, count: usize },
}

/// What became of a rule that was stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inserted {
    New,
    /// The rule was stored before. Its file is kept as it is.
    Known,
}

#[derive(Debug)]
pub(crate) struct RuleStore {
    folder: RulesFolder,
    /// Best first.
    rules: Vec<Stored>,
    /// Files that are not rules. They are kept, and not used.
    damaged: Vec<RuleStoreError>,
}

/// A rule, and the path of its file in the folder.
#[derive(Debug)]
struct Stored {
    path: String,
    rule: Rule,
}

impl RuleStore {
    /// Reads all rules of a folder. A folder that does not exist has none, and is not created.
    pub(crate) fn open(folder: RulesFolder) -> Result<Self, RuleStoreError> {
        let mut store = Self {
            rules: Vec::new(),
            damaged: Vec::new(),
            folder,
        };
        for file in store.folder.read()? {
            match parse(&store.folder, file) {
                Ok(rule) => store.rules.push(rule),
                Err(error) => store.damaged.push(error),
            }
        }
        store.sort();
        Ok(store)
    }

    /// All rules, best first.
    pub(crate) fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.rules.iter().map(|stored| &stored.rule)
    }

    pub(crate) fn damaged(&self) -> &[RuleStoreError] {
        &self.damaged
    }

    /// The rules with these ids, or with ids that begin so. All rules, if `prefixes` is empty.
    pub(crate) fn select(&self, prefixes: &[String]) -> Result<Vec<&Rule>, RuleStoreError> {
        if prefixes.is_empty() {
            return Ok(self.rules().collect());
        }
        prefixes.iter().map(|prefix| self.one(prefix)).collect()
    }

    /// The rule with this id, or the only one whose id begins with `prefix`.
    pub(crate) fn one(&self, prefix: &str) -> Result<&Rule, RuleStoreError> {
        self.number(prefix).map(|number| &self.rules[number].rule)
    }

    /// Stores a rule, unless one with its id is there. So a pinned rule is never replaced or unpinned by one that is
    /// extracted again.
    pub(crate) fn insert(&mut self, rule: Rule) -> Result<Inserted, RuleStoreError> {
        if self.rules().any(|known| known.id == rule.id) {
            return Ok(Inserted::Known);
        }
        let stored = Stored {
            path: format!("{}/{}.json", rule.target_id, rule.id),
            rule,
        };
        self.write(&stored)?;
        self.rules.push(stored);
        self.sort();
        Ok(Inserted::New)
    }

    pub(crate) fn set_pinned(&mut self, prefix: &str, pinned: bool) -> Result<(), RuleStoreError> {
        let number = self.number(prefix)?;
        self.rules[number].rule.pinned = pinned;
        self.write(&self.rules[number])?;
        self.sort();
        Ok(())
    }

    /// Adds to the outcomes of a learned rule that is not pinned. The file of a pinned rule changes only by hand.
    pub(crate) fn record(&mut self, id: &str, new: Outcomes) -> Result<(), RuleStoreError> {
        let number = self.number(id)?;
        let rule = self.rules[number].rule.clone();
        if rule.pinned || rule.provenance != Provenance::Extracted {
            return Ok(());
        }
        let outcomes = Outcomes {
            applied_ok: rule.outcomes.applied_ok.saturating_add(new.applied_ok),
            rejected: rule.outcomes.rejected.saturating_add(new.rejected),
        };
        self.rules[number].rule = rule.with_outcomes(outcomes);
        self.write(&self.rules[number])?;
        self.sort();
        Ok(())
    }

    pub(crate) fn remove(&mut self, prefix: &str) -> Result<(), RuleStoreError> {
        let number = self.number(prefix)?;
        self.folder.remove(&self.rules[number].path)?;
        self.rules.remove(number);
        Ok(())
    }

    fn number(&self, prefix: &str) -> Result<usize, RuleStoreError> {
        let with = |accepts: &dyn Fn(&str) -> bool| -> Vec<usize> {
            let ids = self.rules().map(|rule| rule.id.as_str()).enumerate();
            ids.filter(|(_, id)| accepts(id)).map(|it| it.0).collect()
        };
        let mut found = with(&|id| id == prefix);
        if found.is_empty() && !prefix.is_empty() {
            found = with(&|id| id.starts_with(prefix));
        }
        let prefix = prefix.to_owned();
        match found[..] {
            [number] => Ok(number),
            [] => Err(RuleStoreError::Unknown { prefix }),
            _ => Err(RuleStoreError::Ambiguous {
                prefix,
                count: found.len(),
            }),
        }
    }

    fn sort(&mut self) {
        self.rules.sort_by(|a, b| a.rule.order(&b.rule));
    }

    fn write(&self, stored: &Stored) -> Result<(), RuleStoreError> {
        let text = stored.rule.to_json().map_err(RuleStoreError::Serialize)?;
        Ok(self.folder.write(&stored.path, &text)?)
    }
}

fn parse(folder: &RulesFolder, file: StoredRule) -> Result<Stored, RuleStoreError> {
    let text = file
        .text
        .map_err(|error| io::Error::other(error.to_string()))?;
    let rule = Rule::from_json(&text, NO_TIME).map_err(|source| RuleStoreError::Parse {
        path: folder.root().join(&file.path),
        source,
    })?;
    Ok(Stored {
        path: file.path,
        rule,
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    fn rule(template: &str) -> Result<Rule, RuleFileError> {
        let text = serde_json::json!({
            "id": "x", "target_id": "javascript", "node_kind": "Match", "pattern": "match on a string",
            "template": template, "provenance": "extracted", "pinned": false, "confidence": 0.88,
            "priority": 10, "created": "2026-01-01T00:00:00Z",
        });
        Ok(Rule::from_json(&text.to_string(), NO_TIME)?.with_computed_id())
    }

    fn store(root: &std::path::Path) -> Result<RuleStore, RuleStoreError> {
        RuleStore::open(RulesFolder::of_project(root))
    }

    #[test]
    fn a_rule_that_was_inserted_is_loaded() -> Outcome {
        // B-25 B-31 B-35 B-43
        let project = tempfile::tempdir()?;
        let mut rules = store(project.path())?;
        assert!(!project.path().join(".fixpoint").exists());
        let one = rule("switch x {}")?;
        assert_eq!(rules.insert(one.clone())?, Inserted::New);
        assert_eq!(rules.insert(one.clone())?, Inserted::Known);
        assert_eq!(store(project.path())?.rules().collect::<Vec<_>>(), [&one]);
        let folder = project.path().join(".fixpoint/rules/javascript");
        assert_eq!(fs::read_dir(&folder)?.count(), 1);
        assert!(folder.join(format!("{}.json", one.id)).is_file());
        Ok(())
    }

    #[test]
    fn a_pinned_rule_stays_pinned_when_it_is_learned_again() -> Outcome {
        // D-01 D-02
        let project = tempfile::tempdir()?;
        let mut rules = store(project.path())?;
        let one = rule("switch x {}")?;
        rules.insert(one.clone())?;
        rules.set_pinned(&one.id[..8], true)?;
        let again = Rule {
            created: "2027-01-01T00:00:00Z".into(),
            ..one.clone()
        };
        assert_eq!(rules.insert(again)?, Inserted::Known);
        let pinned = Rule {
            pinned: true,
            ..one
        };
        assert_eq!(
            store(project.path())?.rules().collect::<Vec<_>>(),
            [&pinned]
        );
        Ok(())
    }

    #[test]
    fn each_error_has_its_form() -> Outcome {
        // B-28 B-29 B-30 D-07 D-08
        let project = tempfile::tempdir()?;
        let mut rules = store(project.path())?;
        rules.insert(rule("switch x {}")?)?;
        let folder = project.path().join(".fixpoint/rules/javascript");
        fs::write(folder.join("broken.json"), "{")?;
        fs::write(folder.join("junk.txt"), "not json")?;
        let read = store(project.path())?;
        assert_eq!(read.rules().count(), 1);
        let damaged: Vec<String> = read.damaged().iter().map(ToString::to_string).collect();
        let start = format!(
            "rule parse error in {}: ",
            folder.join("broken.json").display()
        );
        assert!(
            matches!(&damaged[..], [one] if one.starts_with(&start)),
            "{damaged:?}"
        );

        let outside = Rule {
            target_id: "../outside".into(),
            ..rule("switch y {}")?
        };
        let error = rules.insert(outside).err().ok_or("stored")?.to_string();
        assert!(error.starts_with("rule serialize error: "), "{error}");

        fs::remove_dir_all(project.path().join(".fixpoint/rules"))?;
        fs::write(project.path().join(".fixpoint/rules"), "a file")?;
        let error = rules
            .insert(rule("switch y {}")?)
            .err()
            .ok_or("stored")?
            .to_string();
        assert!(error.starts_with("rule cache I/O error: "), "{error}");
        Ok(())
    }

    #[test]
    fn confidence_follows_the_recorded_outcomes_until_a_rule_is_pinned() -> Outcome {
        let project = tempfile::tempdir()?;
        let mut rules = store(project.path())?;
        let one = rule("switch x {}")?;
        rules.insert(one.clone())?;
        let good = |applied_ok| Outcomes {
            applied_ok,
            rejected: 0,
        };
        rules.record(&one.id, good(4))?;
        rules.record(&one.id, good(8))?;
        let stored = store(project.path())?.one(&one.id)?.clone();
        assert_eq!(stored.outcomes, good(12));
        assert!(
            (0.75..0.76).contains(&stored.confidence),
            "{}",
            stored.confidence
        );
        let bad = Outcomes {
            applied_ok: 0,
            rejected: 3,
        };
        rules.record(&one.id, bad)?;
        assert!(rules.one(&one.id)?.confidence < 0.6);

        rules.set_pinned(&one.id, true)?;
        let before = rules.one(&one.id)?.clone();
        rules.record(&one.id, good(1))?;
        assert_eq!(store(project.path())?.one(&one.id)?, &before);
        Ok(())
    }

    #[test]
    fn a_rule_is_named_by_the_start_of_its_id() -> Outcome {
        let project = tempfile::tempdir()?;
        let mut rules = store(project.path())?;
        let (a, b) = (rule("a")?, rule("b")?);
        rules.insert(a.clone())?;
        rules.insert(b)?;
        assert_eq!(rules.one(&a.id[..10])?, &a);
        assert!(matches!(rules.one(""), Err(RuleStoreError::Unknown { .. })));
        assert!(matches!(
            rules.one("zz"),
            Err(RuleStoreError::Unknown { .. })
        ));
        rules.remove(&a.id[..10])?;
        assert_eq!(store(project.path())?.rules().count(), 1);
        Ok(())
    }
}
