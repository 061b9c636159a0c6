//! The settings of all phases, read from one `fixpoint.toml`.

use fixpoint_engine::{Config, ConfigError, LanguageNames};
use fixpoint_language::Language;
use fixpoint_learn::LearnSettings;
use fixpoint_lint::LintSettings;
use fixpoint_validate::ValidateSettings;

use crate::registry::PHASES;

#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub(crate) config: Config,
    pub(crate) learned: LearnSettings,
    pub(crate) lint: LintSettings,
    pub(crate) validate: ValidateSettings,
}

impl Settings {
    /// Reads the text of a `fixpoint.toml`.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        let languages = LanguageNames {
            all: Language::all_names(),
            fixed: Language::names_with_fixed_layout(),
        };
        let tables: Vec<&str> = PHASES
            .iter()
            .filter_map(|phase| phase.info.settings_key)
            .collect();
        Ok(Self {
            config: Config::parse(text, languages, &tables)?,
            learned: LearnSettings::parse(text)?,
            lint: LintSettings::parse(text)?,
            validate: ValidateSettings::parse(text)?,
        })
    }

    /// The settings that concern all phases.
    pub fn config(&self) -> &Config {
        &self.config
    }
}
