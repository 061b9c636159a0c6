//! The text of a docstring: its summary, and its sections `Args:` and `Returns:`.

pub(super) struct Docstring<'a> {
    /// One line, then a blank one or the end.
    pub has_summary: bool,
    /// Parameters it tells of, with where their names stand in the literal.
    pub arguments: Vec<(&'a str, usize)>,
    /// Where `Arguments:` stands, which should be `Args:`.
    pub arguments_header: Option<usize>,
    pub tells_result: bool,
}

impl<'a> Docstring<'a> {
    /// Reads a string literal, quotes and all.
    pub fn of(literal: &'a str) -> Self {
        let open = literal.len() - literal.trim_start_matches(['r', '"', '\'']).len();
        let close = literal.trim_end_matches(['"', '\'']).len().max(open);
        let mut doc = Self {
            has_summary: has_summary(&literal[open..close]),
            arguments: Vec::new(),
            arguments_header: None,
            tells_result: false,
        };
        // The indentation of the header we are under, and that of its first entry.
        let mut section: Option<(usize, Option<usize>)> = None;
        let mut at = open;
        for line in literal[open..close].split('\n') {
            let start = at;
            at += line.len() + 1;
            let text = line.trim();
            if text.is_empty() {
                continue;
            }
            let indent = line.len() - line.trim_start().len();
            if section.is_some_and(|(header, _)| indent <= header) {
                section = None;
            }
            match text {
                "Args:" | "Arguments:" if start > open => {
                    section = Some((indent, None));
                    if text == "Arguments:" {
                        doc.arguments_header = Some(start + indent);
                    }
                }
                "Returns:" => doc.tells_result = true,
                _ => {
                    if let Some((_, entry)) = &mut section
                        && *entry.get_or_insert(indent) == indent
                        && let Some(name) = entry_name(text)
                    {
                        doc.arguments.push((name, start + indent));
                    }
                }
            }
        }
        doc
    }
}

fn has_summary(text: &str) -> bool {
    // A backslash joins two lines to one.
    let text = text.replace("\\\n", "");
    let mut lines = text
        .split('\n')
        .map(str::trim)
        .skip_while(|line| line.is_empty());
    lines.next().is_some() && lines.next().is_none_or(str::is_empty)
}

/// The name that an entry `name: ...` or `name (remark): ...` is about.
fn entry_name(text: &str) -> Option<&str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '*');
    let end = text.find(|c| !is_part(c))?;
    let rest = &text[end..];
    let remark = rest.strip_prefix(" (").and_then(|it| it.split_once(')'));
    let told = rest.starts_with(':') || remark.is_some_and(|(_, after)| after.starts_with(':'));
    (end > 0 && told).then(|| &text[..end])
}
