//! The supported languages, their names and their default layout.

use crate::detect;
use crate::{Indent, Style};

/// A language: files that one printer formats.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Language {
    Json,
    /// JSON with comments and trailing commas.
    Jsonc,
    Yaml,
    Toml,
    Markdown,
    Python,
    TypeScript,
    Tsx,
    JavaScript,
    Jsx,
    Css,
    Html,
    GraphQl,
    Starlark,
    Clank,
    /// A file of unknown format that the settings include. Only its line endings and final newline
    /// are canonical.
    Text,
}

impl Language {
    /// Detects the language from the file name or, for a name without an extension, from the
    /// shebang in its first line. `None` means unknown; unknown files are never changed.
    pub fn detect(path: &str, first_line: &str) -> Option<Self> {
        detect::detect(path, first_line).filter(|language| language.has_printer())
    }

    /// The name of the language in reports and in the configuration.
    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Jsonc => "jsonc",
            Self::Yaml => "yaml",
            Self::Toml => "toml",
            Self::Markdown => "markdown",
            Self::Python => "python",
            Self::TypeScript | Self::Tsx => "typescript",
            Self::JavaScript | Self::Jsx => "javascript",
            Self::Css => "css",
            Self::Html => "html",
            Self::GraphQl => "graphql",
            Self::Starlark => "starlark",
            Self::Clank => "clank",
            Self::Text => "text",
        }
    }

    /// All values of [`name`](Self::name), sorted.
    pub fn all_names() -> &'static [&'static str] {
        &[
            "clank",
            "css",
            "graphql",
            "html",
            "javascript",
            "json",
            "jsonc",
            "markdown",
            "python",
            "starlark",
            "text",
            "toml",
            "typescript",
            "yaml",
        ]
    }

    /// The languages whose layout cannot be configured, because another tool defines it or none
    /// exists.
    pub fn names_with_fixed_layout() -> &'static [&'static str] {
        &["clank", "starlark", "text"]
    }

    /// The layout for a workspace that does not configure one.
    pub fn default_style(self) -> Style {
        match self {
            Self::Python => Style::new(88, Indent::Spaces(4)),
            _ => Style::new(80, Indent::Spaces(2)),
        }
    }

    /// Whether this build can print the language. [`Text`](Self::Text) does not need a printer.
    fn has_printer(self) -> bool {
        match self {
            Self::Json | Self::Jsonc => cfg!(feature = "json"),
            Self::Yaml => cfg!(feature = "yaml"),
            Self::Toml => cfg!(feature = "toml"),
            Self::Markdown => cfg!(feature = "markdown"),
            Self::Python => cfg!(feature = "python"),
            Self::TypeScript | Self::Tsx | Self::JavaScript | Self::Jsx => {
                cfg!(feature = "typescript")
            }
            Self::Css => cfg!(feature = "css"),
            Self::Html => cfg!(feature = "html"),
            Self::GraphQl => cfg!(feature = "graphql"),
            Self::Starlark => cfg!(feature = "starlark"),
            Self::Clank => cfg!(feature = "clank"),
            Self::Text => true,
        }
    }

    /// Whether the language is TypeScript, JavaScript or a variant of them.
    pub(crate) fn is_script(self) -> bool {
        matches!(
            self,
            Self::TypeScript | Self::Tsx | Self::JavaScript | Self::Jsx
        )
    }

    /// Whether indentation defines blocks, so that text must keep its relative indentation when it
    /// moves.
    pub(crate) fn indentation_matters(self) -> bool {
        matches!(
            self,
            Self::Python | Self::Starlark | Self::Yaml | Self::Markdown
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_listed_in_order() {
        let languages = [
            Language::Clank,
            Language::Css,
            Language::GraphQl,
            Language::Html,
            Language::JavaScript,
            Language::Json,
            Language::Jsonc,
            Language::Markdown,
            Language::Python,
            Language::Starlark,
            Language::Text,
            Language::Toml,
            Language::TypeScript,
            Language::Yaml,
        ];
        let names: Vec<_> = languages.iter().map(|language| language.name()).collect();
        assert_eq!(names, Language::all_names());
        assert!(Language::all_names().is_sorted());
        assert_eq!(Language::Tsx.name(), "typescript");
        assert_eq!(Language::Jsx.name(), "javascript");
    }
}
