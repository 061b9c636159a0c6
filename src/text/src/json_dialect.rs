//! Which JSON files may have comments. Formatting, validation and fix actions all use this rule.

/// The syntax that a JSON file may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonDialect {
    /// Neither comments nor trailing commas.
    Strict,
    /// Comments and trailing commas are allowed.
    WithComments,
}

impl JsonDialect {
    /// The dialect according to the file name alone; `None` if the file is not JSON.
    pub fn of_name(path: &str) -> Option<Self> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        if is_read_with_comments(folder, name) {
            return Some(Self::WithComments);
        }
        match name.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
            "json" | "geojson" | "topojson" | "jsonld" | "webmanifest" | "importmap" => {
                Some(Self::Strict)
            }
            "jsonc" | "code-workspace" | "code-snippets" | "sublime-project"
            | "sublime-settings" => Some(Self::WithComments),
            _ => None,
        }
    }

    /// The dialect of a file. A `.json` file with a comment is JSON with comments, unless its own
    /// tool rejects comments.
    pub fn of(path: &str, text: &str) -> Option<Self> {
        let by_name = Self::of_name(path)?;
        if by_name == Self::Strict && may_have_comments(path) && has_comment(text) {
            return Some(Self::WithComments);
        }
        Some(by_name)
    }
}

/// Whether a comment makes the file JSON with comments. In other files a comment is an error,
/// because their tools reject it.
fn may_have_comments(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_strict = matches!(name, "package.json" | "composer.json" | "bower.json");
    name.to_ascii_lowercase().ends_with(".json") && !is_strict
}

/// Whether the file's own tools accept comments, although its extension is that of strict JSON or
/// missing.
fn is_read_with_comments(folder: &str, name: &str) -> bool {
    let in_folder = |wanted: &str| folder.rsplit('/').next() == Some(wanted);
    match name {
        ".babelrc"
        | ".babelrc.json"
        | "babel.config.json"
        | ".eslintrc"
        | ".eslintrc.json"
        | ".jshintrc"
        | ".jscsrc"
        | ".swcrc"
        | ".hintrc"
        | "devcontainer.json"
        | ".devcontainer.json"
        | "api-extractor.json"
        | "tslint.json"
        | "typedoc.json"
        | "turbo.json"
        | "deno.json"
        | "biome.json"
        | ".oxlintrc.json"
        | ".oxfmtrc.json"
        | "language-configuration.json" => true,
        _ if !name.ends_with(".json") => false,
        _ if in_folder(".vscode") || in_folder(".devcontainer") => true,
        _ => name.starts_with("tsconfig") || name.starts_with("jsconfig"),
    }
}

/// Whether a comment starts outside of strings.
fn has_comment(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'"', b'/', &bytes[at..]) {
        at += found + 1;
        if bytes[at - 1] == b'"' {
            at = end_of_string(bytes, at);
        } else if matches!(bytes.get(at), Some(b'/' | b'*')) {
            return true;
        }
    }
    false
}

/// The index after the closing quote of the string whose content starts at `at`.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(found) = memchr::memchr2(b'"', b'\\', &bytes[at..]) {
        at += found;
        if bytes[at] == b'"' {
            return at + 1;
        }
        at = (at + 2).min(bytes.len());
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_decides_first() {
        for (path, dialect) in [
            ("a/package.json", Some(JsonDialect::Strict)),
            ("a/tsconfig.build.json", Some(JsonDialect::WithComments)),
            ("a/.vscode/settings.json", Some(JsonDialect::WithComments)),
            ("a/vscode/settings.json", Some(JsonDialect::Strict)),
            (".eslintrc", Some(JsonDialect::WithComments)),
            ("A.JSON", Some(JsonDialect::Strict)),
            ("a.jsonl", None),
            ("json", None),
        ] {
            assert_eq!(JsonDialect::of_name(path), dialect, "{path}");
        }
    }

    #[test]
    fn a_comment_decides_for_plain_json_names() {
        for text in [
            "// a\n{}",
            "{\"a\": 1 /* b */}",
            "{\"a\\\"\": 1} //",
            "[1, //",
        ] {
            let dialect = JsonDialect::of("a.json", text);
            assert_eq!(dialect, Some(JsonDialect::WithComments), "{text}");
            let strict = JsonDialect::of("package.json", text);
            assert_eq!(strict, Some(JsonDialect::Strict), "{text}");
        }
        for text in [
            "{\"a\": \"// b\"}",
            "[\"\\\\\", \"/* \"]",
            "{\"a",
            "\"\\",
            "[1,]",
            "/",
        ] {
            let dialect = JsonDialect::of("a.json", text);
            assert_eq!(dialect, Some(JsonDialect::Strict), "{text}");
        }
    }
}
