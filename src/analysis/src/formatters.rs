//! Finds the languages that another formatter lays out in a folder. Fixpoint does not format them
//! there, unless its own settings say otherwise.

use std::collections::BTreeMap;

use fixpoint_engine::Config;
use fixpoint_language::{Key, Language, OtherFormatter, Sign};
use serde::{Deserialize, Serialize};

use crate::files::FileText;

/// The formatter of each language in a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Formatters(BTreeMap<String, FormatterSettings>);

/// Settings that show that a formatter is used.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FormatterSettings {
    /// The name of the formatter.
    pub formatter: String,
    /// The workspace path of its settings.
    pub path: String,
}

impl Formatters {
    /// Whether a file with this name may contain settings of a formatter.
    pub fn may_be_set_by(name: &str) -> bool {
        OtherFormatter::of_file(name).next().is_some()
    }

    /// The formatters in a folder that contains the files `names`; `outer` are those of the folder
    /// above. `folder` is empty or ends with a slash.
    pub fn in_folder(
        outer: &Self,
        folder: &str,
        names: &[String],
        mut read: impl FnMut(&str) -> Option<FileText>,
    ) -> Self {
        let mut own = BTreeMap::new();
        for name in names {
            let path = format!("{folder}{name}");
            let mut text = None;
            for (formatter, sign) in OtherFormatter::of_file(name) {
                let is_used = match sign {
                    Sign::Name => true,
                    Sign::Key(key) => {
                        let text = text.get_or_insert_with(|| read(&path));
                        let text = text.as_ref().and_then(FileText::text);
                        text.is_some_and(|text| has_key(text, key))
                    }
                };
                if is_used {
                    own.insert(formatter.name, path.clone());
                }
            }
        }
        let mut formatters = outer.clone();
        // The first formatter of the table is added last.
        for formatter in OtherFormatter::ALL.iter().rev() {
            let Some(path) = own.get(formatter.name) else {
                continue;
            };
            for language in formatter.languages {
                let settings = FormatterSettings {
                    formatter: formatter.name.to_owned(),
                    path: path.clone(),
                };
                formatters.0.insert(language.name().to_owned(), settings);
            }
        }
        formatters
    }

    /// The languages that Fixpoint does not lay out, because another formatter does.
    pub(crate) fn languages(&self, config: &Config) -> Vec<Language> {
        let all = Language::ALL.iter().copied();
        let left = all.filter(|language| self.instead_of_fixpoint(*language, config).is_some());
        left.collect()
    }

    /// The formatter that lays out a language, if Fixpoint does not.
    pub fn instead_of_fixpoint(
        &self,
        language: Language,
        config: &Config,
    ) -> Option<&FormatterSettings> {
        match config.language(language.name()).formats() {
            Some(_) => None,
            None => self.0.get(language.name()),
        }
    }
}

/// Whether a text contains a key. A text that cannot be parsed contains none.
fn has_key(text: &str, key: Key) -> bool {
    match key {
        Key::Json(key) => serde_json::from_str::<serde_json::Value>(text)
            .is_ok_and(|value| value.get(key).is_some()),
        Key::Toml(keys) => {
            let Ok(document) = toml_edit::Document::parse(text) else {
                return false;
            };
            let found = keys
                .iter()
                .try_fold(document.as_item(), |item, key| item.get(key));
            found.is_some()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: [(&str, &str); 5] = [
        ("package.json", "{\"prettier\": {}}"),
        ("pyproject.toml", "[tool.ruff.lint]\nselect = []\n"),
        ("web/biome.json", "{}"),
        ("web/package.json", "{\"name\": \"prettier\"}"),
        ("py/pyproject.toml", "[tool.ruff]\n[tool.black]\n"),
    ];

    fn settings() -> Config {
        let languages = fixpoint_engine::LanguageNames {
            all: Language::all_names(),
            fixed: &[],
        };
        let text = "[language.css]\nformat = true\n[language.yaml]\nindent = 4\n";
        Config::parse(text, languages, &[]).expect("valid")
    }

    fn formatter_of(folder: &str, language: Language) -> Option<String> {
        let names_in = |folder: &str| -> Vec<String> {
            let names = FILES
                .iter()
                .filter_map(|(path, _)| path.strip_prefix(folder));
            names
                .filter(|name| !name.contains('/'))
                .map(str::to_owned)
                .collect()
        };
        let read = |path: &str| {
            let found = FILES.iter().find(|(known, _)| *known == path);
            found.map(|(_, text)| FileText::Text((*text).to_owned()))
        };
        let root = Formatters::in_folder(&Formatters::default(), "", &names_in(""), read);
        let inner = match folder {
            "" => root,
            _ => Formatters::in_folder(&root, folder, &names_in(folder), read),
        };
        let found = inner.instead_of_fixpoint(language, &settings());
        found.map(|it| format!("{} {}", it.formatter, it.path))
    }

    #[test]
    fn the_settings_of_a_formatter_apply_to_their_folder_and_below() {
        assert_eq!(
            formatter_of("", Language::Json).as_deref(),
            Some("prettier package.json")
        );
        assert_eq!(
            formatter_of("", Language::Python).as_deref(),
            Some("ruff pyproject.toml")
        );
        assert_eq!(formatter_of("", Language::Toml), None);
        // The inner formatter replaces the outer one for its languages only.
        assert_eq!(
            formatter_of("web/", Language::Json).as_deref(),
            Some("biome web/biome.json")
        );
        assert_eq!(
            formatter_of("web/", Language::Markdown).as_deref(),
            Some("prettier package.json")
        );
        // Of several formatters in one folder, the first of the table counts.
        assert_eq!(
            formatter_of("py/", Language::Python).as_deref(),
            Some("black py/pyproject.toml")
        );
    }

    #[test]
    fn layout_settings_of_fixpoint_keep_the_language_with_fixpoint() {
        assert_eq!(formatter_of("", Language::Css), None);
        assert_eq!(formatter_of("", Language::Yaml), None);
    }
}
