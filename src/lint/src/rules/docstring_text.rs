//! Parses the text of a docstring: its summary, and its sections `Args:` and `Returns:`.

pub(super) struct Docstring<'a> {
    /// Whether the summary is one line that is followed by a blank line or the end.
    pub has_summary: bool,
    /// The documented parameters, with the offsets of their names in the literal.
    pub arguments: Vec<(&'a str, usize)>,
    /// The offset of the header `Arguments:`, which should be `Args:`.
    pub arguments_header: Option<usize>,
    pub describes_result: bool,
}

impl<'a> Docstring<'a> {
    /// Parses a string literal, including its quotes.
    pub fn of(literal: &'a str) -> Self {
        let open = literal.len() - literal.trim_start_matches(['r', '"', '\'']).len();
        let close = literal.trim_end_matches(['"', '\'']).len().max(open);
        let mut doc = Self {
            has_summary: has_summary(&literal[open..close]),
            arguments: Vec::new(),
            arguments_header: None,
            describes_result: false,
        };
        // The indentation of the current header, and that of its last entry. A line that is
        // indented further than an entry continues it.
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
                "Returns:" => doc.describes_result = true,
                _ => {
                    if let Some((_, entry)) = &mut section
                        && entry.is_none_or(|entry| indent <= entry)
                        && let Some(name) = entry_name(text)
                    {
                        *entry = Some(indent);
                        doc.arguments.push((name, start + indent));
                    }
                }
            }
        }
        doc
    }
}

fn has_summary(text: &str) -> bool {
    // A backslash at the end joins two lines.
    let text = text.replace("\\\n", "");
    let mut lines = text
        .split('\n')
        .map(str::trim)
        .skip_while(|line| line.is_empty());
    lines.next().is_some() && lines.next().is_none_or(str::is_empty)
}

/// The name of an entry, including stars. As in buildifier, entries are `name: ...`,
/// `name (remark): ...` and `name(remark): ...`.
fn entry_name(text: &str) -> Option<&str> {
    let stars = text.len() - text.trim_start_matches('*').len();
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let end = stars + text[stars..].find(|c| !is_part(c))?;
    let (name, rest) = text.split_at(end);
    let is_name = stars <= 2 && end > stars;
    (is_name && after_remark(rest).starts_with(':')).then_some(name)
}

/// The text after a remark in parentheses, which may be nested. Returns `text` if there is no
/// remark.
fn after_remark(text: &str) -> &str {
    let remark = text.trim_start_matches(' ');
    if !remark.starts_with('(') {
        return text;
    }
    let mut open = 0_usize;
    for (at, byte) in remark.bytes().enumerate() {
        match byte {
            b'(' => open += 1,
            b')' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return &remark[at + 1..];
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_names_its_argument_with_or_without_a_remark() {
        for (entry, name) in [
            ("line: x", Some("line")),
            ("line(str): x", Some("line")),
            ("line (str): x", Some("line")),
            ("line  (str): x", Some("line")),
            ("line(str, optional): x", Some("line")),
            ("line(dict(str, list(int))): x", Some("line")),
            ("line(list[str]): x (see above): y", Some("line")),
            ("line():", Some("line")),
            ("*args: x", Some("*args")),
            ("**kwargs(dict): x", Some("**kwargs")),
            ("a, b: x", None),
            ("line (str) : x", None),
            ("line (str: x", None),
            ("line str): x", None),
            ("the line (str): x", None),
            ("***args: x", None),
            ("*: x", None),
            (": x", None),
            ("line", None),
        ] {
            assert_eq!(entry_name(entry), name, "{entry}");
        }
    }

    #[test]
    fn text_indented_further_than_an_entry_continues_it() {
        let doc = Docstring::of(
            "\"\"\"Sum.\n\n    Args:\n        These are:\n        a(int): x\n          note: y\n      b: z\n    Returns:\n      c: w\n    \"\"\"",
        );
        let names: Vec<&str> = doc.arguments.iter().map(|it| it.0).collect();
        assert_eq!(names, ["a", "b"]);
    }
}
