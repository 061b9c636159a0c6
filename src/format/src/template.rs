//! Detects templates: files that become data or code only after an engine has filled them in.
//!
//! A file that does not parse and has template marks outside of its quotes and comments is a
//! template. So is YAML whose placeholders happen to parse as mappings. The printer of its language
//! cannot format a template, so it is not changed.

use fixpoint_language::Quotes;

use crate::printer::{guarded, printer_of};
use crate::{FormatError, Language, parses};

/// The marks around placeholders and statements in Jinja, Helm, Go, Mustache and ERB.
const MARKS: [(&str, &str); 3] = [("{{", "}}"), ("{%", "%}"), ("<%", "%>")];

/// The folder in which Helm keeps the templates of a chart.
const CHART_FOLDER: &str = "templates";

/// The error for a text that its printer or parser rejects: `Template` if it is a template.
pub(crate) fn explain(language: Language, text: &str, error: FormatError) -> FormatError {
    match error {
        FormatError::Syntax(_) if has_marks(language, text) => FormatError::Template,
        other => other,
    }
}

/// Whether a file of a Helm chart has placeholders, including those in quotes.
pub(crate) fn is_in_chart(language: Language, path: &str, text: &str) -> bool {
    let mut folders = path.split('/').rev().skip(1);
    language == Language::Yaml
        && folders.any(|folder| folder == CHART_FOLDER)
        && marks_of(text).next().is_some()
}

/// Whether the text is a template, not a finished file of its language.
pub(crate) fn is_template(language: Language, path: &str, text: &str) -> bool {
    if is_in_chart(language, path, text) {
        return true;
    }
    if !has_marks(language, text) {
        return false;
    }
    has_placeholder(language, text) || parses(language, path, text).is_err()
}

/// Whether placeholders of the text parse as code of its language. False for a text that nests too
/// deeply to be parsed.
fn has_placeholder(language: Language, text: &str) -> bool {
    let Some(printer) = printer_of(language) else {
        return false;
    };
    let found = guarded(language, || {
        printer.check_depth(text)?;
        Ok(printer.has_placeholder(text))
    });
    found.unwrap_or(false)
}

/// The positions of marks. `${{` is not a mark: some CI services use it in plain YAML values.
fn marks_of(text: &str) -> impl Iterator<Item = usize> {
    MARKS.iter().flat_map(move |(open, _)| {
        let found = memchr::memmem::find_iter(text.as_bytes(), *open);
        found.filter(move |&at| !text[..at].ends_with('$'))
    })
}

/// Whether a placeholder or statement begins here. Two brackets of the language itself do not
/// count: they are not closed by the same mark, or a literal follows.
fn opens_placeholder(rest: &str) -> bool {
    MARKS.iter().any(|(open, close)| {
        rest.strip_prefix(open).is_some_and(|inside| {
            let first = inside.trim_start_matches(['-', '~', '+']).chars().next();
            let is_literal = first.is_some_and(|c| c.is_ascii_digit() || "\"'{[".contains(c));
            !is_literal && inside.contains(close)
        })
    })
}

/// Whether the text has marks outside of quotes and comments, in a language that supports
/// templates.
fn has_marks(language: Language, text: &str) -> bool {
    let Some(syntax) = Syntax::of(language) else {
        return false;
    };
    marks_of(text).next().is_some() && syntax.has_bare_mark(text)
}

/// The syntax of quotes and comments in a language.
struct Syntax {
    comment: Option<&'static str>,
    quotes: Quotes,
}

impl Syntax {
    fn of(language: Language) -> Option<Self> {
        let info = language.info();
        Some(Self {
            comment: info.comments.leaders().next(),
            quotes: info.template_quotes?,
        })
    }

    fn has_bare_mark(&self, text: &str) -> bool {
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            let rest = &text[at..];
            let begins_comment = |mark: &str| rest.starts_with(mark);
            let is_free = !self.quotes.after_blank
                || text[..at]
                    .chars()
                    .next_back()
                    .is_none_or(|before| before.is_whitespace() || "[{,(:".contains(before));
            if opens_placeholder(rest) && !text[..at].ends_with('$') {
                return true;
            }
            at += match c {
                '"' | '\'' if is_free => self.string_length(rest, c),
                _ if is_free && self.comment.is_some_and(begins_comment) => {
                    rest.find('\n').unwrap_or(rest.len())
                }
                _ => c.len_utf8(),
            };
        }
        false
    }

    /// The length of the string that begins here, up to its closing quote or the end of the line.
    fn string_length(&self, rest: &str, quote: char) -> usize {
        let triple = quote.to_string().repeat(3);
        if self.quotes.triple && rest.starts_with(&triple) {
            return rest[3..].find(&triple).map_or(rest.len(), |at| at + 6);
        }
        let mut is_escaped = false;
        for (at, c) in rest.char_indices().skip(1) {
            match c {
                '\n' => return at,
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                _ if c == quote => return at + 1,
                _ => {}
            }
        }
        rest.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn template_marks_count_only_outside_of_quotes_and_comments() {
        for (language, text, expected) in [
            (Language::Yaml, "a: {{ b }}\n", true),
            (Language::Yaml, "{{- if .a }}\nb: 1\n", true),
            (Language::Yaml, "a: don't {% b %}\n", true),
            (Language::Yaml, "a: \"{{ b }}\"\n", false),
            (Language::Yaml, "a: 1 # {{ b }}\n", false),
            (Language::Yaml, "a: ${{ b }}\n", false),
            (Language::Json, "{\"a\": {{ b }}}", true),
            (Language::Json, "{\"a\": \"\\\"{{ b }}\"}", false),
            (Language::Toml, "a = \"\"\"\n{{ b }}\n\"\"\"\n", false),
            (Language::Python, "import {{ b }}\n", true),
            (Language::Python, "a = f'{{b}}'\n", false),
            (Language::Python, "def f(:\n    y = {{1}}\n", false),
            (Language::Json, "{\"a\": {{\"b\": 1}}", false),
            (Language::Css, "a{b:c}}\n.x{{color:red}\n", false),
            (Language::TypeScript, "a = <b c={{ d }} />", false),
        ] {
            assert_eq!(has_marks(language, text), expected, "{text}");
        }
    }

    #[test]
    fn a_template_does_not_parse_or_is_in_a_chart() {
        let is_yaml = |path, text| !is_template(Language::Yaml, path, text);
        assert!(!is_yaml("a.yaml", "a: {{ b }}\n"));
        assert!(!is_yaml("a.yaml", "{% if b %}\na: 1\n{% endif %}\n"));
        assert!(!is_yaml("x/templates/a.yaml", "a: '{{ b }}'\n"));
        assert!(is_yaml("x/templates/a.yaml", "a: 1\n"));
        assert!(is_yaml("x/templates/a.yaml", "a: ${{ b }}\n"));
        assert!(is_yaml("a.yaml", "a: '{{ b }}'\n"));
        assert!(is_yaml("a.yaml", "a: |\n  {{ b }}\n"));
        assert!(is_yaml("a.yaml", "a: [\nb: \"{{ c }}\"\n"));
        // Parsing this would take exponential time.
        let deep = format!("a: {{{{ b }}}}\nc: {}", "[".repeat(60));
        assert!(!is_yaml("a.yaml", &deep));
    }
}
