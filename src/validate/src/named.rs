//! Finds the schema that a document names for itself: by the key `$schema`, or by a comment that
//! editors support.

use fixpoint_document::{Document, Format};
use fixpoint_text::Span;

use crate::schema::beside;

/// Only comments in the first lines count, as in editors.
const HEAD_LINES: usize = 20;

/// A schema that a document names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedSchema {
    /// The span of the name.
    pub span: Span,
    /// The workspace path of the schema. `None` if the name leads outside of the workspace.
    pub path: Option<String>,
    /// The name as written in the document.
    pub written: String,
}

/// The local schema that the text of a file names. Web addresses are ignored, because schemas are
/// never fetched.
pub fn named_schema(path: &str, text: &str) -> Option<NamedSchema> {
    let format = Format::of(path, text)?;
    let (span, written) = if text.contains("$schema") || text.contains("#:schema") {
        by_comment(format, text).or_else(|| by_key(format, text))?
    } else {
        return None;
    };
    let is_on_the_web = written.contains("://") || written.starts_with("urn:");
    (!written.is_empty() && !is_on_the_web).then(|| NamedSchema {
        span,
        path: beside(path, &written),
        written,
    })
}

fn by_comment(format: Format, text: &str) -> Option<(Span, String)> {
    let mut start = 0;
    for line in text.split_inclusive('\n').take(HEAD_LINES) {
        let line_text = line.trim_start_matches('\u{feff}').trim();
        let comment = line_text.strip_prefix('#');
        let name = match format {
            Format::Yaml => comment
                .and_then(|it| it.trim().strip_prefix("yaml-language-server:"))
                .and_then(|it| it.trim().strip_prefix("$schema="))
                .or_else(|| comment.and_then(|it| it.strip_prefix(":schema "))),
            Format::Toml => comment.and_then(|it| it.strip_prefix(":schema ")),
            Format::Json | Format::Jsonc => None,
        };
        if let Some(name) = name.map(str::trim) {
            let at = start + line.find(name).unwrap_or_default();
            return Some((Span::from(at..at + name.len()), name.to_owned()));
        }
        start += line.len();
    }
    None
}

fn by_key(format: Format, text: &str) -> Option<(Span, String)> {
    let document = Document::parse(format, text).ok()?;
    let mut documents = document.documents();
    let (first, None) = (documents.next()?, documents.next()) else {
        return None;
    };
    let schema = first.get("$schema")?.value;
    Some((schema.span(), schema.as_str()?.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path_of(path: &str, text: &str) -> Option<Option<String>> {
        named_schema(path, text).map(|it| it.path)
    }

    #[test]
    fn a_document_names_its_schema_by_key_or_comment() {
        let found = Some(Some("schemas/app.json".to_owned()));
        let behind_mark = "\u{feff}# yaml-language-server: $schema=schemas/app.json\na: 1\n";
        assert_eq!(path_of("a.yaml", behind_mark), found);
        for (path, text) in [
            ("conf/a.json", "{\"$schema\": \"../schemas/app.json\"}"),
            (
                "a.yaml",
                "# yaml-language-server: $schema=schemas/app.json\na: 1\n",
            ),
            ("a.yaml", "$schema: ./schemas/app.json\n"),
            ("a.toml", "#:schema schemas/app.json\na = 1\n"),
        ] {
            assert_eq!(path_of(path, text), found, "{text}");
        }
    }

    #[test]
    fn only_local_schema_files_are_used() {
        // F-07
        for text in [
            "{\"$schema\": \"https://json.schemastore.org/package.json\"}",
            "{\"$schema\": 1}",
            "{\"a\": \"$schema\"}",
        ] {
            assert_eq!(path_of("a.json", text), None, "{text}");
        }
        // F-08
        assert_eq!(
            path_of("a.json", "{\"$schema\": \"../x.json\"}"),
            Some(None)
        );
        assert_eq!(
            path_of("a.json", "{\"$schema\": \"/etc/x.json\"}"),
            Some(None)
        );
    }
}
