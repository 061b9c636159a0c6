//! The table of other formatters: the settings files that each formatter has, and its languages.

use crate::Language;

/// A formatter that a repository may use beside Fixpoint.
#[derive(Debug)]
pub struct OtherFormatter {
    pub name: &'static str,
    /// The languages that it formats.
    pub languages: &'static [Language],
    /// Files that are its settings, whatever they contain. They apply to their folder and all below.
    files: &'static [&'static str],
    /// Files that are its settings if they contain a key.
    keys: &'static [(&'static str, Key)],
}

/// A key in a file that contains the settings of several tools.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Key {
    Json(&'static str),
    /// A path of keys.
    Toml(&'static [&'static str]),
}

/// How a file shows that a formatter is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// By its name.
    Name,
    /// By a key in its text.
    Key(Key),
}

impl OtherFormatter {
    /// All formatters. If several of them format a language in the same folder, the first one counts.
    pub const ALL: &'static [Self] = &[
        PRETTIER, BIOME, OXFMT, BLACK, YAPF, RUFF, TAPLO, MDFORMAT, YAMLFMT,
    ];

    /// The names of its settings files.
    pub fn file_names(&self) -> impl Iterator<Item = &'static str> {
        let with_keys = self.keys.iter().map(|(file, _)| *file);
        self.files.iter().copied().chain(with_keys)
    }

    /// The formatters whose settings a file with this name may contain.
    pub fn of_file(name: &str) -> impl Iterator<Item = (&'static Self, Sign)> {
        Self::ALL.iter().filter_map(move |formatter| {
            if formatter.files.contains(&name) {
                return Some((formatter, Sign::Name));
            }
            let key = formatter.keys.iter().find(|(file, _)| *file == name);
            key.map(|(_, key)| (formatter, Sign::Key(*key)))
        })
    }
}

const PRETTIER: OtherFormatter = OtherFormatter {
    name: "prettier",
    languages: &[
        Language::Json,
        Language::Jsonc,
        Language::Yaml,
        Language::Markdown,
        Language::TypeScript,
        Language::Tsx,
        Language::JavaScript,
        Language::Jsx,
        Language::Css,
        Language::Scss,
        Language::Less,
        Language::Html,
        Language::GraphQl,
    ],
    files: &[
        ".prettierrc",
        ".prettierrc.json",
        ".prettierrc.json5",
        ".prettierrc.yaml",
        ".prettierrc.yml",
        ".prettierrc.toml",
        ".prettierrc.js",
        ".prettierrc.cjs",
        ".prettierrc.mjs",
        ".prettierrc.ts",
        ".prettierrc.cts",
        ".prettierrc.mts",
        "prettier.config.js",
        "prettier.config.cjs",
        "prettier.config.mjs",
        "prettier.config.ts",
        "prettier.config.cts",
        "prettier.config.mts",
    ],
    keys: &[("package.json", Key::Json("prettier"))],
};

const BIOME: OtherFormatter = OtherFormatter {
    name: "biome",
    languages: &[
        Language::Json,
        Language::Jsonc,
        Language::TypeScript,
        Language::Tsx,
        Language::JavaScript,
        Language::Jsx,
        Language::Css,
        Language::GraphQl,
    ],
    files: &["biome.json", "biome.jsonc", ".biome.json", ".biome.jsonc"],
    keys: &[],
};

const OXFMT: OtherFormatter = OtherFormatter {
    name: "oxfmt",
    languages: &[
        Language::Json,
        Language::Jsonc,
        Language::Yaml,
        Language::Toml,
        Language::Markdown,
        Language::TypeScript,
        Language::Tsx,
        Language::JavaScript,
        Language::Jsx,
        Language::Css,
        Language::Scss,
        Language::Less,
        Language::Html,
        Language::GraphQl,
    ],
    files: &[".oxfmtrc.json", ".oxfmtrc.jsonc"],
    keys: &[],
};

const BLACK: OtherFormatter = OtherFormatter {
    name: "black",
    languages: &[Language::Python],
    files: &[],
    keys: &[("pyproject.toml", Key::Toml(&["tool", "black"]))],
};

const YAPF: OtherFormatter = OtherFormatter {
    name: "yapf",
    languages: &[Language::Python],
    files: &[".style.yapf"],
    keys: &[("pyproject.toml", Key::Toml(&["tool", "yapf"]))],
};

const RUFF: OtherFormatter = OtherFormatter {
    name: "ruff",
    languages: &[Language::Python],
    files: &["ruff.toml", ".ruff.toml"],
    keys: &[("pyproject.toml", Key::Toml(&["tool", "ruff"]))],
};

const TAPLO: OtherFormatter = OtherFormatter {
    name: "taplo",
    languages: &[Language::Toml],
    files: &["taplo.toml", ".taplo.toml"],
    keys: &[],
};

const MDFORMAT: OtherFormatter = OtherFormatter {
    name: "mdformat",
    languages: &[Language::Markdown],
    files: &[".mdformat.toml"],
    keys: &[("pyproject.toml", Key::Toml(&["tool", "mdformat"]))],
};

const YAMLFMT: OtherFormatter = OtherFormatter {
    name: "yamlfmt",
    languages: &[Language::Yaml],
    files: &[
        ".yamlfmt",
        ".yamlfmt.yaml",
        ".yamlfmt.yml",
        "yamlfmt.yaml",
        "yamlfmt.yml",
    ],
    keys: &[],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_can_be_the_settings_of_several_formatters() {
        let names = |file: &str| -> Vec<_> {
            let found = OtherFormatter::of_file(file);
            found
                .map(|(formatter, sign)| (formatter.name, sign == Sign::Name))
                .collect()
        };
        assert_eq!(names(".prettierrc"), [("prettier", true)]);
        assert_eq!(names("package.json"), [("prettier", false)]);
        assert_eq!(
            names("pyproject.toml"),
            [
                ("black", false),
                ("yapf", false),
                ("ruff", false),
                ("mdformat", false)
            ]
        );
        assert!(names("prettier.rs").is_empty());
    }
}
