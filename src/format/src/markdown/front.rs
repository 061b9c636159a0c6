//! Front matter: YAML between `---`, or TOML between `+++`, at the start of the text.

use super::scan::is_space;

pub(super) struct FrontMatter<'a> {
    pub(super) mark: &'static str,
    pub(super) content: &'a str,
    /// Whether its first line is blank. Site generators accept that, but Markdown reads a thematic
    /// break.
    pub(super) may_be_rule: bool,
    /// The lines with the marks. Trailing spaces are kept, because some tools require exact marks.
    open: &'a str,
    close: &'a str,
    /// The position where the Markdown begins.
    pub(super) end: usize,
}

impl<'a> FrontMatter<'a> {
    pub(super) fn of(text: &'a str) -> Option<Self> {
        let mut lines = text.split_inclusive('\n');
        let trimmed = |line: &'a str| line.trim_end_matches('\n').trim_end_matches(is_space);
        let first = lines.next()?;
        let (mark, ends) = match trimmed(first) {
            "---" => ("---", ["---", "..."]),
            "+++" => ("+++", ["+++", "+++"]),
            _ => return None,
        };
        let mut end = first.len();
        let (mut is_begun, mut may_be_rule) = (false, false);
        for line in lines {
            let content = trimmed(line);
            let closes = ends.contains(&content);
            if !is_begun && content.is_empty() {
                may_be_rule = true;
            } else if !is_begun && !closes && may_be_rule && !is_key(content) {
                return None;
            } else {
                is_begun = true;
            }
            if closes {
                return Some(Self {
                    mark,
                    content: &text[first.len()..end],
                    may_be_rule,
                    open: first.trim_end_matches('\n'),
                    close: line.trim_end_matches('\n'),
                    end: end + line.len(),
                });
            }
            end += line.len();
        }
        None
    }

    pub(super) fn print(&self, printed: Option<String>, out: &mut String) {
        out.push_str(self.open);
        out.push('\n');
        // Spaces and blank lines at the end may be part of a value, so they are kept.
        out.push_str(printed.as_deref().unwrap_or(self.content));
        out.push_str(self.close);
    }
}

/// Whether a line is a plain key of YAML or TOML with a value.
fn is_key(line: &str) -> bool {
    let key = line.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-'));
    let after = key.strip_prefix([':', '=']).or(key.strip_prefix(" ="));
    key.len() < line.len() && after.is_some_and(|after| after.is_empty() || after.starts_with(' '))
}
