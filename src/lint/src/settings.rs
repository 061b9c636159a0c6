//! The table `[lint]` of `fixpoint.toml`.

use std::collections::BTreeMap;

use fixpoint_engine::ConfigError;
use fixpoint_engine::toml_table::{Item, entries, fail, known_key, read_table, switch};
use fixpoint_text::Span;

use crate::phase::LintPhase;

const KEYS: [&str; 2] = ["disable", "enable"];

/// Rules that are off unless the settings enable them.
const OFF_BY_DEFAULT: &[&str] = &["unsorted-dict-items"];

/// Which rules a workspace switches on and off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LintSettings {
    switches: BTreeMap<String, bool>,
}

impl LintSettings {
    /// The key of the table.
    pub const KEY: &str = "lint";

    /// Reads the table from the text of a `fixpoint.toml`.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        read_table(text, Self::KEY, Self::read)
    }

    fn read(item: &Item, at: Span) -> Result<Self, ConfigError> {
        let Some(table) = item.as_table_like() else {
            return fail(at, "`lint` must be a table with `disable` and `enable`");
        };
        let rules = (LintPhase::INFO.rules)();
        let rules: Vec<&str> = rules.iter().map(|rule| rule.name).collect();
        let mut settings = Self::default();
        for (key, item, at) in entries(table) {
            known_key(key, &KEYS, at)?;
            switch(&mut settings.switches, (key, item, at), &rules)?;
        }
        Ok(settings)
    }

    /// Whether a rule is on.
    pub fn enables(&self, rule: &str) -> bool {
        let switched = self.switches.get(rule).copied();
        switched.unwrap_or_else(|| !OFF_BY_DEFAULT.contains(&rule))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<LintSettings, (String, String)> {
        LintSettings::parse(text)
            .map_err(|error| (error.message, text[error.span.range()].to_owned()))
    }

    #[test]
    fn rules_are_switched_by_name() {
        let text = "[lint]\ndisable = [\"print\"]\nenable = [\"unsorted-dict-items\"]\n";
        let settings = parse(text).expect("valid");
        assert!(!settings.enables("print"));
        assert!(settings.enables("unsorted-dict-items"));
        assert!(settings.enables("load"));
        assert!(!LintSettings::default().enables("unsorted-dict-items"));
    }

    #[test]
    fn mistakes_in_the_table_are_reported_with_a_suggestion() {
        let (message, text) = parse("[lint]\ndisable = [\"prnt\"]\n").expect_err("a typo");
        assert_eq!(text, "\"prnt\"");
        assert!(message.contains("did you mean `print`?"), "{message}");
        let twice = "[lint]\ndisable = [\"load\"]\nenable = [\"load\"]\n";
        let (message, _) = parse(twice).expect_err("named twice");
        assert!(message.contains("named twice"), "{message}");
        let (message, _) = parse("[lint]\ndisable = 1\n").expect_err("not an array");
        assert!(message.contains("an array of rule names"), "{message}");
    }
}
