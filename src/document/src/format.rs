//! The document formats.

use fixpoint_language::Language;

/// The format of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// Strict: no comments, no trailing commas.
    Json,
    /// JSON with comments and trailing commas.
    Jsonc,
    /// YAML 1.2 with its core schema.
    Yaml,
    Toml,
}

impl Format {
    /// The format according to the file name alone; `None` if the file is not a document.
    pub fn of_path(path: &str) -> Option<Self> {
        Self::of_language(Language::of_readable_name(path)?)
    }

    /// The format of a file. A `.json` file that contains comments is JSON with comments.
    pub fn of(path: &str, text: &str) -> Option<Self> {
        let by_name = Language::of_readable_name(path)?;
        Self::of_language(by_name.of_text(path, text))
    }

    /// The format of the documents of a language; `None` if its files are not documents.
    pub fn of_language(language: Language) -> Option<Self> {
        let formats = [Self::Json, Self::Jsonc, Self::Yaml, Self::Toml];
        formats
            .into_iter()
            .find(|format| format.language() == language)
    }

    pub fn language(self) -> Language {
        match self {
            Self::Json => Language::Json,
            Self::Jsonc => Language::Jsonc,
            Self::Yaml => Language::Yaml,
            Self::Toml => Language::Toml,
        }
    }

    /// The language name in reports.
    pub fn name(self) -> &'static str {
        self.language().name()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_name_determines_the_format() {
        for (path, format) in [
            ("app/app-core.yaml", Some(Format::Yaml)),
            ("a.YML", Some(Format::Yaml)),
            ("package.json", Some(Format::Json)),
            ("web/tsconfig.build.json", Some(Format::Jsonc)),
            (".vscode/settings.json", Some(Format::Jsonc)),
            ("Cargo.toml", Some(Format::Toml)),
            ("README.md", None),
            (".clang-format", Some(Format::Yaml)),
            ("a.json5", Some(Format::Jsonc)),
            ("json", None),
        ] {
            assert_eq!(Format::of_path(path), format, "{path}");
        }
    }
}
