//! Which JSON files may have comments. Formatting, validation and fix actions all use this rule.

/// Whether a comment makes the file JSON with comments. In other files a comment is an error,
/// because their tools reject it.
pub(crate) fn may_have_comments(name: &str) -> bool {
    let is_strict = matches!(name, "package.json" | "composer.json" | "bower.json");
    name.to_ascii_lowercase().ends_with(".json") && !is_strict
}

/// Whether the file's own tools accept comments, because of its folder or the start of its name,
/// although its extension is that of strict JSON.
pub(crate) fn has_comments_by_location(folder: &str, name: &str) -> bool {
    let folder = folder.rsplit('/').next();
    let is_in_folder = matches!(folder, Some(".vscode" | ".devcontainer"));
    let is_named = name.starts_with("tsconfig") || name.starts_with("jsconfig");
    name.ends_with(".json") && (is_in_folder || is_named)
}

/// Whether a comment starts outside of strings.
pub(crate) fn has_comment(text: &str) -> bool {
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
    use crate::Language;

    fn of(path: &str, text: &str) -> Option<Language> {
        Language::of_name(path).map(|language| language.of_text(path, text))
    }

    #[test]
    fn the_name_decides_first() {
        for (path, language) in [
            ("a/package.json", Some(Language::Json)),
            ("a/tsconfig.build.json", Some(Language::Jsonc)),
            ("a/.vscode/settings.json", Some(Language::Jsonc)),
            ("a/vscode/settings.json", Some(Language::Json)),
            (".eslintrc", Some(Language::Jsonc)),
            ("A.JSON", Some(Language::Json)),
            ("a.jsonl", None),
            ("json", None),
        ] {
            assert_eq!(Language::of_name(path), language, "{path}");
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
            assert_eq!(of("a.json", text), Some(Language::Jsonc), "{text}");
            assert_eq!(of("package.json", text), Some(Language::Json), "{text}");
        }
        for text in [
            "{\"a\": \"// b\"}",
            "[\"\\\\\", \"/* \"]",
            "{\"a",
            "\"\\",
            "[1,]",
            "/",
        ] {
            assert_eq!(of("a.json", text), Some(Language::Json), "{text}");
        }
    }
}
