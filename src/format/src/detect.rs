//! Detects the language of a file from its name or its shebang.
//!
//! A file that is not listed has an unknown format. It is not changed unless the settings include
//! it as text, because its final newline may be content. Lock files are never changed, because
//! their own tool would undo the change.

use fixpoint_text::JsonDialect;

use crate::Language;

pub(crate) fn detect(path: &str, first_line: &str) -> Option<Language> {
    let name = path.rsplit('/').next().unwrap_or(path);
    if is_lock_file(name) {
        return None;
    }
    if is_starlark(name) {
        return Some(Language::Starlark);
    }
    by_whole_name(name)
        .or_else(|| JsonDialect::of_name(path).map(json_language))
        .or_else(|| by_extension(name))
        .or_else(|| by_shebang(name, first_line))
}

/// Whether the name has no extension, so that the language may depend on the first line.
pub(crate) fn may_have_shebang(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    !name.trim_start_matches('.').contains('.')
}

/// Whether Bazel or a related tool reads the file as Starlark. `build.rs` and `workspace.json` are
/// not Starlark.
fn is_starlark(name: &str) -> bool {
    let whole = ["BUILD", "WORKSPACE", "WORKSPACE.bzlmod", "Tiltfile"];
    let ends = [
        ".bazel",
        ".bzl",
        ".scl",
        ".star",
        ".axl",
        ".sky",
        ".BUILD",
        ".WORKSPACE",
    ];
    whole.contains(&name) || ends.iter().any(|end| name.ends_with(end))
}

/// Whether another tool writes the file in its own layout.
pub(crate) fn is_lock_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);

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

fn by_whole_name(name: &str) -> Option<Language> {
    match name {
        ".clang-format" | ".clang-tidy" | ".clangd" | ".yamllint" | "CITATION.cff" => {
            Some(Language::Yaml)
        }
        "Pipfile" => Some(Language::Toml),
        _ => None,
    }
}

pub(crate) fn json_language(dialect: JsonDialect) -> Language {
    match dialect {
        JsonDialect::Strict => Language::Json,
        JsonDialect::WithComments => Language::Jsonc,
    }
}

fn by_extension(name: &str) -> Option<Language> {
    let extension = name.rsplit_once('.')?.1.to_ascii_lowercase();
    let language = match extension.as_str() {
        "yaml" | "yml" => Language::Yaml,
        "toml" => Language::Toml,
        "md" | "markdown" | "mdown" => Language::Markdown,
        "py" | "pyi" | "pyw" => Language::Python,
        "ts" | "mts" | "cts" => Language::TypeScript,
        "tsx" => Language::Tsx,
        "js" | "mjs" | "cjs" | "es6" => Language::JavaScript,
        "jsx" => Language::Jsx,
        "css" => Language::Css,
        "html" | "htm" => Language::Html,
        "graphql" | "gql" | "graphqls" => Language::GraphQl,
        "clank" => Language::Clank,
        _ => return None,
    };
    Some(language)
}

fn by_shebang(name: &str, first_line: &str) -> Option<Language> {
    if !may_have_shebang(name) {
        return None;
    }
    let mut words = first_line.strip_prefix("#!")?.split_ascii_whitespace();
    let mut program = words.next()?.rsplit('/').next()?;
    if program == "env" {
        program = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
        program = program.rsplit('/').next()?;
    }
    let program = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let language = match program {
        "python" | "pypy" => Language::Python,
        "node" | "nodejs" => Language::JavaScript,
        "deno" | "bun" | "ts-node" | "tsx" => Language::TypeScript,
        _ => return None,
    };
    Some(language)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &str) -> Option<Language> {
        detect(path, "")
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
    }

    #[test]
    fn file_names_take_precedence_over_extensions() {
        for path in [
            "pkg/BUILD",
            "BUILD.bazel",
            "MODULE.bazel",
            "a/defs.bzl",
            "zlib.BUILD",
        ] {
            assert_eq!(of(path), Some(Language::Starlark), "{path}");
        }
        assert_eq!(of("build.rs"), None);
        assert_eq!(of("workspace.json"), Some(Language::Json));
        assert_eq!(of("CMakeLists.txt"), None);
        assert_eq!(of("A/B.PY"), Some(Language::Python));
        assert_eq!(of("types.d.ts"), Some(Language::TypeScript));
    }

    #[test]
    fn the_shebang_decides_for_names_without_an_extension() {
        assert_eq!(
            detect("run", "#!/usr/bin/env python3.12"),
            Some(Language::Python)
        );
        assert_eq!(
            detect("run", "#!/usr/bin/env -S deno run"),
            Some(Language::TypeScript)
        );
        assert_eq!(detect("run", "#! /bin/bash -eu"), None);
        assert_eq!(
            detect(".hook", "#!/usr/bin/node"),
            Some(Language::JavaScript)
        );
        assert_eq!(detect("run.xyz", "#!/bin/sh"), None);
        assert_eq!(detect("run", "#!"), None);
        assert_eq!(detect("run", "hello"), None);
    }
}
