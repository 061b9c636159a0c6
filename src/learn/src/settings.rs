//! The table `[learned]` of `fixpoint.toml`: which learned rules propose fixes.

use fixpoint_engine::ConfigError;
use fixpoint_engine::toml_table::{Item, entries, fail, known_key, read_table};
use fixpoint_text::Span;

const KEYS: [&str; 1] = ["profile"];

/// Which rules propose fixes, and how safe the fixes of rules that nobody has pinned count as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// Fixes of all rules likely keep behavior.
    Sketch,
    /// Fixes of a rule that is not pinned likely keep behavior only if its confidence is high enough.
    #[default]
    Development,
    /// Only pinned rules are used.
    Production,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LearnSettings {
    pub profile: Profile,
}

impl LearnSettings {
    /// The key of the table.
    pub const KEY: &str = "learned";

    /// Reads the table from the text of a `fixpoint.toml`.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        read_table(text, Self::KEY, Self::read)
    }

    fn read(item: &Item, at: Span) -> Result<Self, ConfigError> {
        let Some(table) = item.as_table_like() else {
            return fail(at, "`learned` must be a table with `profile`");
        };
        let mut settings = Self::default();
        for (key, item, at) in entries(table) {
            known_key(key, &KEYS, at)?;
            settings.profile = match item.as_str() {
                Some("sketch") => Profile::Sketch,
                Some("development") => Profile::Development,
                Some("production") => Profile::Production,
                _ => {
                    return fail(
                        at,
                        "`profile` must be \"sketch\", \"development\" or \"production\"",
                    );
                }
            };
        }
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_profile_is_read_by_name() {
        let profile = |text: &str| LearnSettings::parse(text).map(|it| it.profile);
        assert_eq!(profile(""), Ok(Profile::Development));
        assert_eq!(
            profile("[learned]\nprofile = \"sketch\"\n"),
            Ok(Profile::Sketch)
        );
        assert_eq!(
            profile("[learned]\nprofile = \"production\"\n"),
            Ok(Profile::Production)
        );
        for wrong in [
            "learned = 1\n",
            "[learned]\nprofile = \"strict\"\n",
            "[learned]\nx = 1\n",
        ] {
            assert!(profile(wrong).is_err(), "{wrong}");
        }
    }
}
