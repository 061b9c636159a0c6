//! The values of strings.

/// The lines of a block string without its quotes, its common indentation, and the blank lines
/// around them.
pub(super) fn block_lines(source: &str) -> Vec<&str> {
    let content = source.strip_prefix("\"\"\"").unwrap_or(source);
    let content = content.strip_suffix("\"\"\"").unwrap_or(content);
    let lines: Vec<&str> = content
        .split('\n')
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
        .collect();
    let indent_of = |line: &&str| {
        let content = line.trim_start_matches(is_blank);
        (!content.is_empty()).then_some(line.len() - content.len())
    };
    let indent = lines.iter().skip(1).filter_map(indent_of).min();
    let is_filled = |line: &&str| indent_of(line).is_some();
    let first = lines.iter().position(is_filled).unwrap_or(lines.len());
    let after = lines
        .iter()
        .rposition(is_filled)
        .map_or(first, |last| last + 1);
    let kept = lines.iter().copied().enumerate().take(after).skip(first);
    kept.map(|(index, line)| {
        let removed = if index == 0 { 0 } else { indent.unwrap_or(0) };
        &line[removed.min(line.len())..]
    })
    .collect()
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t')
}

/// Whether printing the lines of a block string on lines of their own would change its value: they
/// end in white space, which printing removes, or the only line begins with it.
pub(super) fn has_outer_space(lines: &[&str]) -> bool {
    lines.iter().any(|line| line.ends_with(is_blank))
        || matches!(lines, [line] if line.starts_with(is_blank))
}

/// A string with as few escapes as possible. Control characters stay escaped.
pub(super) fn simplified(source: &str) -> String {
    let content = source.strip_prefix('"').unwrap_or(source);
    let mut rest = content.strip_suffix('"').unwrap_or(content);
    let mut printed = String::with_capacity(source.len());
    printed.push('"');
    while let Some(at) = rest.find('\\') {
        printed.push_str(&rest[..at]);
        rest = &rest[at..];
        let (escaped, length) = unescaped(rest);
        match escaped {
            Some('"') => printed.push_str("\\\""),
            Some('\\') => printed.push_str("\\\\"),
            Some(c) if !c.is_control() && !is_invisible(c) => printed.push(c),
            _ => printed.push_str(&rest[..length]),
        }
        rest = &rest[length..];
    }
    printed.push_str(rest);
    printed.push('"');
    printed
}

/// Whether a reader could not see the character, so that its escape stays.
fn is_invisible(c: char) -> bool {
    c != ' ' && c.is_whitespace()
        || matches!(u32::from(c), 0xAD | 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x206F | 0xFEFF)
}

/// The character that the escape at the start of `rest` stands for, and the length of the escape.
fn unescaped(rest: &str) -> (Option<char>, usize) {
    let Some(mark) = rest[1..].chars().next() else {
        return (None, 1);
    };
    let length = 1 + mark.len_utf8();
    let simple = match mark {
        '"' | '\\' | '/' => Some(mark),
        _ => None,
    };
    if mark != 'u' {
        return (simple, length);
    }
    let number = |from: usize, to: usize| {
        let digits = rest.get(from..to)?;
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_hex
            .then(|| u32::from_str_radix(digits, 16).ok())
            .flatten()
    };
    if rest[2..].starts_with('{') {
        let Some(close) = rest.find('}') else {
            return (None, length);
        };
        let value = number(3, close).and_then(char::from_u32);
        return (value, if value.is_some() { close + 1 } else { length });
    }
    let Some(first) = number(2, 6) else {
        return (None, length);
    };
    if let Some(c) = char::from_u32(first) {
        return (Some(c), 6);
    }
    let second = rest[6..]
        .starts_with("\\u")
        .then(|| number(8, 12))
        .flatten();
    let pair = second
        .filter(|second| (0xD800..0xDC00).contains(&first) && (0xDC00..0xE000).contains(second));
    match pair {
        Some(second) => {
            let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
            (char::from_u32(code), 12)
        }
        None => (None, 6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_strings_have_no_common_indentation() {
        let text = "\"\"\"\n\n    a\n      b\n\n    c\n  \"\"\"";
        assert_eq!(block_lines(text), ["a", "  b", "", "c"]);
        assert_eq!(block_lines("\"\"\" a\n  b\"\"\""), [" a", "b"]);
        assert!(block_lines("\"\"\"  \n \"\"\"").is_empty());
    }

    #[test]
    fn needless_escapes_are_removed() {
        for (text, expected) in [
            (r#""a\/b""#, r#""a/b""#),
            (r#""\u0041\u{1F409}\uD83D\uDC09""#, "\"A🐉🐉\""),
            (r#""\n\t\u0007\u200b""#, r#""\n\t\u0007\u200b""#),
            (r#""\u0022\"\\""#, r#""\"\"\\""#),
            (r#""\uD83D""#, r#""\uD83D""#),
            (r#""\é""#, r#""\é""#),
            (r#""\u{110000}""#, r#""\u{110000}""#),
        ] {
            assert_eq!(simplified(text), expected, "{text}");
        }
    }
}
