//! The values of YAML scalars, normalized for what layout may change.

/// The value of a plain scalar. Its lines are folded to one.
pub(super) fn plain(text: &str) -> String {
    fold(text)
}

pub(super) fn single(text: &str) -> String {
    let inner = text.strip_prefix('\'').unwrap_or(text);
    let inner = inner.strip_suffix('\'').unwrap_or(inner);
    fold(&inner.replace("''", "'"))
}

/// The value of a scalar in double quotes. Escapes other than of quotes and backslashes are not
/// layout. They stay as written, with a mark that distinguishes them from text.
pub(super) fn double(text: &str) -> String {
    let inner = text.strip_prefix('"').unwrap_or(text);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    let mut value = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match (c, if c == '\\' { chars.next() } else { None }) {
            ('\\', Some(quote @ ('"' | '\\' | '/'))) => value.push(quote),
            // An escaped line break is removed. An escaped space after it stays.
            ('\\', Some('\n')) => {
                value.truncate(value.trim_end_matches('\0').len());
                let rest = chars.as_str().trim_start_matches([' ', '\t']);
                chars = rest.chars();
            }
            ('\\', Some(other)) => value.extend(['\0', other]),
            (c, _) => value.push(c),
        }
    }
    fold(&value)
}

/// The value of a block scalar, from its header (`|`, `>-`, `|2+`) and its text, which begins
/// directly after it.
///
/// White space on otherwise empty lines is ignored, because no printer keeps it.
pub(super) fn block(header: &str, text: &str) -> String {
    let lines: Vec<&str> = text.lines().skip(1).collect();
    let filled = || lines.iter().filter(|line| !line.trim().is_empty());
    let columns = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let indent = if header.contains(|c: char| c.is_ascii_digit()) {
        filled().map(|line| columns(line)).min()
    } else {
        filled().next().map(|line| columns(line))
    }
    .unwrap_or(0);

    let style = if header.starts_with('>') { '>' } else { '|' };
    let mut value = String::from(style);
    let mut blank = 0;
    for line in lines {
        if line.trim().is_empty() {
            blank += 1;
            continue;
        }
        value.extend(std::iter::repeat_n('\n', blank + 1));
        value.push_str(&line[indent.min(columns(line))..]);
        blank = 0;
    }
    match header.chars().find(|c| matches!(c, '+' | '-')) {
        Some('-') => {}
        Some(_) => value.extend(std::iter::repeat_n('\n', blank + 1)),
        None => value.push('\n'),
    }
    value
}

/// Folds lines like all flow scalars: line breaks become spaces, and blank lines become line
/// breaks.
fn fold(text: &str) -> String {
    if !text.contains('\n') {
        return text.to_owned();
    }
    let mut value = String::with_capacity(text.len());
    let mut breaks = 0;
    for (index, line) in text.split('\n').enumerate() {
        let line = if index > 0 {
            value.truncate(value.trim_end_matches([' ', '\t']).len());
            line.trim_start_matches([' ', '\t'])
        } else {
            line
        };
        if index > 0 {
            breaks += 1;
        }
        if line.trim().is_empty() && index > 0 {
            continue;
        }
        match breaks {
            0 => {}
            1 => value.push(' '),
            more => value.extend(std::iter::repeat_n('\n', more - 1)),
        }
        breaks = 0;
        value.push_str(line);
    }
    value.extend(std::iter::repeat_n('\n', breaks));
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_do_not_matter() {
        assert_eq!(single("'it''s'"), "it's");
        assert_eq!(double("\"it's\""), "it's");
        assert_eq!(single("'\"'"), double("\"\\\"\""));
        assert_ne!(single("'a\\n'"), double("\"a\\n\""));
    }

    #[test]
    fn lines_are_folded() {
        assert_eq!(plain("a\n  b\n\n  c"), "a b\nc");
        assert_eq!(double("\"a \\\n   b\""), "a b");
        assert_eq!(block("|", "\n    a\n      b\n\n"), "|\na\n  b\n");
        assert_eq!(block("|+", "\n  a\n\n"), "|\na\n\n");
        assert_eq!(block("|-", "\n  a\n\n"), "|\na");
    }
}
