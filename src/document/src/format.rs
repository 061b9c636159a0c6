//! The document formats.

use fixpoint_text::JsonDialect;

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
        JsonDialect::of_name(path)
            .map(Self::of_dialect)
            .or_else(|| by_extension(path))
    }

    /// The format of a file. A `.json` file that contains comments is JSON with comments.
    pub fn of(path: &str, text: &str) -> Option<Self> {
        JsonDialect::of(path, text)
            .map(Self::of_dialect)
            .or_else(|| by_extension(path))
    }

    fn of_dialect(dialect: JsonDialect) -> Self {
        match dialect {
            JsonDialect::Strict => Self::Json,
            JsonDialect::WithComments => Self::Jsonc,
        }
    }

    /// The language name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Jsonc => "jsonc",
            Self::Yaml => "yaml",
            Self::Toml => "toml",
        }
    }
}

fn by_extension(path: &str) -> Option<Format> {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
        "json5" => Some(Format::Jsonc),
        "yaml" | "yml" => Some(Format::Yaml),
        "toml" => Some(Format::Toml),
        _ => None,
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
            ("json", None),
        ] {
            assert_eq!(Format::of_path(path), format, "{path}");
        }
    }
}
