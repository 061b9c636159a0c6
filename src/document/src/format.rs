//! The document formats.

/// How a document is written.
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
    /// The format a file's name tells, by its ending. Files that tools read as JSON with comments in
    /// spite of their `.json` are known by name.
    pub fn of_path(path: &str) -> Option<Self> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let (stem, ending) = name.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "json" if has_comments_by_custom(path, stem) => Some(Self::Jsonc),
            "json" => Some(Self::Json),
            "jsonc" | "json5" | "code-workspace" => Some(Self::Jsonc),
            "yaml" | "yml" => Some(Self::Yaml),
            "toml" => Some(Self::Toml),
            _ => None,
        }
    }

    /// The name a report gives the language of such a file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Jsonc => "jsonc",
            Self::Yaml => "yaml",
            Self::Toml => "toml",
        }
    }
}

fn has_comments_by_custom(path: &str, stem: &str) -> bool {
    let config = ["tsconfig", "jsconfig"];
    config
        .iter()
        .any(|it| stem == *it || stem.starts_with(&format!("{it}.")))
        || path.starts_with(".vscode/")
        || path.contains("/.vscode/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_tells_the_format() {
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
