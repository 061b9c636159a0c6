//! Front matter: YAML between `---`, or TOML between `+++`, at the very start.

use super::scan::is_space;

pub(super) struct FrontMatter<'a> {
    pub(super) mark: &'static str,
    pub(super) content: &'a str,
    /// Where the Markdown begins.
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
        for (index, line) in lines.enumerate() {
            let closes = ends.contains(&trimmed(line));
            if index == 0 && (closes || trimmed(line).is_empty()) {
                return None;
            }
            if closes {
                return Some(Self {
                    mark,
                    content: &text[first.len()..end],
                    end: end + line.len(),
                });
            }
            end += line.len();
        }
        None
    }

    pub(super) fn print(&self, printed: Option<String>, out: &mut String) {
        out.push_str(self.mark);
        out.push('\n');
        // Blanks and blank lines may be part of a value.
        out.push_str(printed.as_deref().unwrap_or(self.content));
        out.push_str(self.mark);
    }
}
