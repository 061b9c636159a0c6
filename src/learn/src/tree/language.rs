//! The languages that have rules.

use super::{Kind, kind, python, script, starlark, syntax};

/// A language with a tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Language {
    Python,
    JavaScript,
    Jsx,
    TypeScript,
    Tsx,
    Starlark,
    #[cfg(feature = "clank")]
    Clank,
    Rust,
    Go,
    Java,
    C,
    Cpp,
}

impl Language {
    pub const ALL: &'static [Self] = &[
        Self::Python,
        Self::JavaScript,
        Self::Jsx,
        Self::TypeScript,
        Self::Tsx,
        Self::Starlark,
        #[cfg(feature = "clank")]
        Self::Clank,
        Self::Rust,
        Self::Go,
        Self::Java,
        Self::C,
        Self::Cpp,
    ];

    /// The name in rules. Variants of a language share it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::JavaScript | Self::Jsx => "javascript",
            Self::TypeScript | Self::Tsx => "typescript",
            Self::Starlark => "starlark",
            #[cfg(feature = "clank")]
            Self::Clank => "clank",
            Self::Rust => "rust",
            Self::Go => "go",
            Self::Java => "java",
            Self::C => "c",
            Self::Cpp => "cpp",
        }
    }

    /// The language with this name or with one of its short names. Of several variants, it is the first one.
    pub fn with_name(name: &str) -> Option<Self> {
        let name = match name {
            "py" => "python",
            "js" => "javascript",
            "ts" => "typescript",
            "c++" => "cpp",
            name => name,
        };
        let mut all = Self::ALL.iter().copied();
        all.find(|language| language.name() == name)
    }

    /// The language of a file, from its name.
    pub fn of_path(path: &str) -> Option<Self> {
        use fixpoint_language::Language as Table;
        let known = match Table::detect(path, "") {
            Some(Table::Python) => Some(Self::Python),
            Some(Table::JavaScript) => Some(Self::JavaScript),
            Some(Table::Jsx) => Some(Self::Jsx),
            Some(Table::TypeScript) => Some(Self::TypeScript),
            Some(Table::Tsx) => Some(Self::Tsx),
            Some(Table::Starlark) => Some(Self::Starlark),
            #[cfg(feature = "clank")]
            Some(Table::Clank) => Some(Self::Clank),
            _ => None,
        };
        let (_, extension) = path.rsplit_once('.')?;
        known.or(match extension {
            "rs" => Some(Self::Rust),
            "go" => Some(Self::Go),
            "java" => Some(Self::Java),
            "c" => Some(Self::C),
            "cc" | "cpp" | "cxx" | "h" | "hh" | "hpp" | "hxx" => Some(Self::Cpp),
            _ => None,
        })
    }

    /// Whether a statement may end without its semicolon.
    pub(crate) fn has_optional_semicolons(self) -> bool {
        matches!(
            self,
            Self::JavaScript | Self::Jsx | Self::TypeScript | Self::Tsx
        )
    }

    /// Whether a string has the same value in either kind of quotes.
    pub(crate) fn has_two_quotes(self) -> bool {
        self.has_optional_semicolons() || matches!(self, Self::Python | Self::Starlark)
    }

    /// The name of a kind of node, as the parser of the language names it.
    pub fn kind_name(self, kind: Kind) -> &'static str {
        if let Some(language) = syntax::grammar(self) {
            return language.node_kind_for_id(kind.0).unwrap_or("Unknown");
        }
        if let Some(name) = kind::token_kind_name(kind) {
            return name;
        }
        match self {
            Self::Python => python::NAMES.get(kind),
            Self::Starlark => starlark::NAMES.get(kind),
            #[cfg(feature = "clank")]
            Self::Clank => super::clank::kind_name(kind),
            _ => script::NAMES.get(kind),
        }
    }

    pub(crate) fn field_name(self, field: u16) -> Option<&'static str> {
        let language = syntax::grammar(self)?;
        (field != 0).then(|| language.field_name_for_id(field))?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_paths_give_languages() {
        for language in Language::ALL {
            let named = Language::with_name(language.name()).map(Language::name);
            assert_eq!(named, Some(language.name()));
        }
        let cases = [
            ("a/b.py", Some(Language::Python)),
            ("a.tsx", Some(Language::Tsx)),
            ("BUILD.bazel", Some(Language::Starlark)),
            ("a.rs", Some(Language::Rust)),
            ("a.hpp", Some(Language::Cpp)),
            ("a.md", None),
            ("rs", None),
        ];
        for (path, language) in cases {
            assert_eq!(Language::of_path(path), language, "{path}");
        }
    }
}
