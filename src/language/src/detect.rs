//! Detects the language of a file from its name, its first line and, for JSON, its comments.
//!
//! A file that is not listed has an unknown format. It is not changed unless the settings include
//! it as text, because its final newline may be content. Lock files are never changed, because
//! their own tool would undo the change.

use crate::{Language, json};

impl Language {
    /// The language of a file that may be formatted, according to its name or, for a name without an
    /// extension, to the shebang in its first line. `None` means unknown; unknown files are never
    /// changed.
    pub fn detect(path: &str, first_line: &str) -> Option<Self> {
        if is_lock_file(path) {
            return None;
        }
        Self::of_name(path).or_else(|| by_shebang(path, first_line))
    }

    /// The language according to the file name alone. Lock files have a language, too.
    pub fn of_name(path: &str) -> Option<Self> {
        let (folder, name) = folder_and_name(path);
        Self::first(|language| language.info().file_names.contains(&name))
            .or_else(|| Self::first(|language| has_ending(name, language.info().name_endings)))
            .or_else(|| json::has_comments_by_location(folder, name).then_some(Self::Jsonc))
            .or_else(|| {
                let extension = extension(name)?.to_ascii_lowercase();
                Self::first(|language| language.info().extensions.contains(&extension.as_str()))
            })
    }

    /// Like [`of_name`](Self::of_name). Also accepts files of a larger language that can be read but
    /// not formatted.
    pub fn of_readable_name(path: &str) -> Option<Self> {
        Self::of_name(path).or_else(|| {
            let extension = extension(folder_and_name(path).1)?.to_ascii_lowercase();
            Self::first(|language| {
                let extensions = language.info().read_only_extensions;
                extensions.contains(&extension.as_str())
            })
        })
    }

    /// The language of a text, if `self` is the language according to the name of its file. A `.json`
    /// file with a comment is JSON with comments, unless its own tool rejects comments.
    #[must_use]
    pub fn of_text(self, path: &str, text: &str) -> Self {
        let is_json = self == Self::Json;
        if is_json && json::may_have_comments(folder_and_name(path).1) && json::has_comment(text) {
            return Self::Jsonc;
        }
        self
    }
}

fn folder_and_name(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

fn extension(name: &str) -> Option<&str> {
    Some(name.rsplit_once('.')?.1)
}

fn has_ending(name: &str, endings: &[&str]) -> bool {
    endings.iter().any(|ending| name.ends_with(ending))
}

/// Whether the name has no extension, so that the language may depend on the first line.
pub fn may_have_shebang(path: &str) -> bool {
    let (_, name) = folder_and_name(path);
    !name.trim_start_matches('.').contains('.')
}

/// Whether another tool writes the file in its own layout.
pub fn is_lock_file(path: &str) -> bool {
    let (_, name) = folder_and_name(path);
    name.ends_with(".lock")
        || matches!(
            name,
            "package-lock.json"
                | "npm-shrinkwrap.json"
                | "pnpm-lock.yaml"
                | "maven_install.json"
                | "go.sum"
        )
}

fn by_shebang(path: &str, first_line: &str) -> Option<Language> {
    if !may_have_shebang(path) {
        return None;
    }
    let mut words = first_line.strip_prefix("#!")?.split_ascii_whitespace();
    let mut program = words.next()?.rsplit('/').next()?;
    if program == "env" {
        program = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
        program = program.rsplit('/').next()?;
    }
    let program = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    Language::first(|language| language.info().interpreters.contains(&program))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &str) -> Option<Language> {
        Language::detect(path, "")
    }

    #[test]
    fn json_comments_are_allowed_only_where_the_tool_reads_them() {
        assert_eq!(of("a/package.json"), Some(Language::Json));
        assert_eq!(of("a/tsconfig.build.json"), Some(Language::Jsonc));
        assert_eq!(of("a/.vscode/settings.json"), Some(Language::Jsonc));
        assert_eq!(of("a/vscode/settings.json"), Some(Language::Json));
        assert_eq!(of(".eslintrc"), Some(Language::Jsonc));
    }

    #[test]
    fn files_where_white_space_may_be_content_are_unknown() {
        for path in [
            "a.patch",
            "a.diff",
            "x.snap",
            "t.csv",
            "a.jsonl",
            "a.json.in",
            "noname",
            "password.txt",
            "LICENSE",
            "main.go",
            "run.sh",
            "a.proto",
        ] {
            assert_eq!(of(path), None, "{path}");
        }
    }

    #[test]
    fn lock_files_are_not_formatted() {
        for path in [
            "package-lock.json",
            "a/pnpm-lock.yaml",
            "Cargo.lock",
            "MODULE.bazel.lock",
        ] {
            assert_eq!(of(path), None, "{path}");
        }
        assert_eq!(Language::of_name("package-lock.json"), Some(Language::Json));
    }

    #[test]
    fn a_file_of_a_larger_language_can_only_be_read() {
        assert_eq!(of("a.json5"), None);
        let readable = Language::of_readable_name("a/b.JSON5");
        assert_eq!(readable, Some(Language::Jsonc));
        assert_eq!(Language::of_readable_name("a.txt"), None);
    }

    #[test]
    fn file_names_take_precedence_over_extensions() {
        for path in [
            "pkg/BUILD",
            "BUILD.bazel",
            "MODULE.bazel",
            "a/defs.bzl",
            "zlib.BUILD",
            "foo.BUILD.bazel",
            "REPO.bazel",
            "a.star",
            "x.scl",
        ] {
            assert_eq!(of(path), Some(Language::Starlark), "{path}");
        }
        for path in ["build.rs", "BUILD_foo", "build"] {
            assert_eq!(of(path), None, "{path}");
        }
        assert_eq!(of("workspace.json"), Some(Language::Json));
        assert_eq!(of("CMakeLists.txt"), None);
        assert_eq!(of("A/B.PY"), Some(Language::Python));
        assert_eq!(of("types.d.ts"), Some(Language::TypeScript));
    }

    #[test]
    fn the_shebang_decides_for_names_without_an_extension() {
        assert_eq!(
            Language::detect("run", "#!/usr/bin/env python3.12"),
            Some(Language::Python)
        );
        assert_eq!(
            Language::detect("run", "#!/usr/bin/env -S deno run"),
            Some(Language::TypeScript)
        );
        assert_eq!(Language::detect("run", "#! /bin/bash -eu"), None);
        assert_eq!(
            Language::detect(".hook", "#!/usr/bin/node"),
            Some(Language::JavaScript)
        );
        assert_eq!(Language::detect("run.xyz", "#!/bin/sh"), None);
        assert_eq!(Language::detect("run", "#!"), None);
        assert_eq!(Language::detect("run", "hello"), None);
    }
}
