//! Markdown for text that is data: names, commands, output and text of an engine.
//!
//! Data is only shown in code spans and fenced blocks. There, Markdown and GitHub interpret nothing:
//! no HTML, links, mentions, references to issues or closing keywords. Short plain sentences are
//! shown as they are.

use fixpoint_text::needs_escape;

/// The longest text in a code span, in characters.
const MAX_SPAN: usize = 160;

/// The column at which quoted prose is wrapped.
const WRAP: usize = 96;

/// Makes control and formatting characters visible, for example as `\u{202e}`. Keeps line feeds and
/// tabs.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if needs_escape(character) {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// A code span on one line.
pub fn code(text: &str) -> String {
    code_of_at_most(text, MAX_SPAN)
}

pub fn code_of_at_most(text: &str, limit: usize) -> String {
    let text = visible(text).replace('\n', "\\n").replace('\t', "\\t");
    let mut shown: String = text.chars().take(limit).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    let shown = with_short_runs(shown);
    if shown.trim().is_empty() {
        return "(empty)".to_owned();
    }
    let ticks = "`".repeat(longest_run(&shown) + 1);
    let needs_space = shown.starts_with(['`', ' ']) || shown.ends_with(['`', ' ']);
    let space = if needs_space { " " } else { "" };
    format!("{ticks}{space}{shown}{space}{ticks}")
}

/// A sentence. It is a code span if Markdown or GitHub could interpret a part of it.
pub fn sentence(text: &str) -> String {
    let is_plain_character =
        |character: char| character.is_alphanumeric() || " ,.;:'\"()-%?".contains(character);
    // A number with a period or a parenthesis starts a list.
    let first = text.split(' ').next().unwrap_or_default();
    let is_number = first.starts_with(|it: char| it.is_numeric());
    let starts_plainly =
        text.starts_with(char::is_alphanumeric) && !(is_number && first.ends_with(['.', ')']));
    let is_plain = starts_plainly
        && text.chars().all(is_plain_character)
        && text.chars().count() <= MAX_SPAN
        && text.split(' ').all(is_plain_word);
    if is_plain {
        text.to_owned()
    } else {
        code(text)
    }
}

/// Rejects addresses, `GH-12`, `:smile:` and the digests of commits.
fn is_plain_word(word: &str) -> bool {
    let is_digest = word.len() >= 7 && word.chars().all(|it| it.is_ascii_hexdigit());
    let lower = word.to_ascii_lowercase();
    let has_inner_colon = word.trim_end_matches(':').contains(':');
    !is_digest && !has_inner_colon && !lower.contains("www.") && !lower.contains("gh-")
}

/// A fenced block. Of a long text, the block has the first and the last lines.
pub fn fenced(text: &str, max_lines: usize) -> String {
    let lines: Vec<&str> = text.trim_end_matches('\n').split('\n').collect();
    let half = max_lines / 2;
    let mut shown = Vec::new();
    if lines.len() > max_lines {
        let omitted = format!("[... {} lines omitted ...]", lines.len() - 2 * half);
        shown.extend(lines[..half].iter().map(|line| shown_line(line)));
        shown.push(omitted);
        shown.extend(
            lines[lines.len() - half..]
                .iter()
                .map(|line| shown_line(line)),
        );
    } else {
        shown.extend(lines.iter().map(|line| shown_line(line)));
    }
    let shown = with_short_runs(shown.join("\n"));
    let ticks = "`".repeat(longest_run(&shown).max(2) + 1);
    format!("{ticks}text\n{shown}\n{ticks}\n")
}

/// Lines of output can be long, for example in minified files.
fn shown_line(line: &str) -> String {
    const MAX_LINE: usize = 500;
    let line = visible(line);
    let mut shown: String = line.chars().take(MAX_LINE).collect();
    if shown.len() < line.len() {
        shown.push('…');
    }
    shown
}

/// A fenced block of prose, wrapped, with at most `limit` characters.
pub fn quoted(text: &str, limit: usize) -> String {
    let text = visible(text.trim());
    if text.is_empty() {
        return "(no text)\n".to_owned();
    }
    let mut shown: String = text.chars().take(limit).collect();
    if shown.len() < text.len() {
        shown.push_str("\n[... omitted ...]");
    }
    let mut wrapped = String::new();
    for line in shown.split('\n') {
        let mut column = 0;
        for word in line.split(' ') {
            let width = word.chars().count();
            if column > 0 && column + 1 + width > WRAP {
                wrapped.push('\n');
                column = 0;
            } else if column > 0 {
                wrapped.push(' ');
                column += 1;
            }
            wrapped.push_str(word);
            column += width;
        }
        wrapped.push('\n');
    }
    fenced(&wrapped, usize::MAX)
}

/// Replaces backticks in a text with a run of more than 20 of them, so that fences stay short.
fn with_short_runs(text: String) -> String {
    if longest_run(&text) > 20 {
        text.replace('`', "'")
    } else {
        text
    }
}

fn longest_run(text: &str) -> usize {
    let runs = text.split(|character| character != '`');
    runs.map(str::len).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_span_cannot_be_closed_by_its_text() {
        assert_eq!(code("make test"), "`make test`");
        assert_eq!(code("a`b``c"), "```a`b``c```");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(code("a\n# b\tc"), "`a\\n# b\\tc`");
        assert_eq!(code("\u{202e}\u{1b}[0m"), "`\\u{202e}\\u{1b}[0m`");
        assert_eq!(code(""), "(empty)");
        assert!(code(&"x".repeat(1000)).chars().count() < 210);
    }

    #[test]
    fn only_plain_sentences_are_not_code() {
        let plain = "The repro passes in 3 of 3 runs.";
        assert_eq!(sentence(plain), plain);
        assert_eq!(sentence("1 file of at most 8"), "1 file of at most 8");
        for text in [
            "ask @someone",
            "fixes #12",
            "see GH-12",
            "see https://example.com",
            "see www.example.com",
            "<b>bold</b>",
            "a [link](x)",
            "*bold*",
            "- item",
            "1. item",
            "1) item",
            "1.",
            "two\nlines",
            ":smile: it",
            "commit 0123456789abcdef",
            "a|b",
        ] {
            assert!(sentence(text).starts_with('`'), "{text}");
        }
    }

    #[test]
    fn a_block_cannot_be_closed_by_its_text() {
        let block = fenced("a\n````\n# b\r", 10);
        assert_eq!(block, "`````text\na\n````\n# b\\u{d}\n`````\n");
        let long: Vec<String> = (0..100).map(|line| line.to_string()).collect();
        let block = fenced(&long.join("\n"), 4);
        assert_eq!(
            block,
            "```text\n0\n1\n[... 96 lines omitted ...]\n98\n99\n```\n"
        );
    }

    #[test]
    fn prose_is_wrapped() {
        let block = quoted(&"word ".repeat(40), 1000);
        assert!(block.lines().all(|line| line.len() <= WRAP), "{block}");
        assert_eq!(block.matches("word").count(), 40);
        assert!(quoted(&"x".repeat(50), 10).contains("omitted"));
    }
}
