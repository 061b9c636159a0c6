//! `pr-title.txt`: one line, which is also the subject of the commit.

use crate::evidence::Evidence;

const MAX_TITLE: usize = 72;

/// The engine's title if it is plain text, else a title made from the repro command. Neither can
/// mention a person, refer to an issue or close one.
pub fn pr_title(evidence: &Evidence) -> String {
    let engine = evidence.outcome.engine.as_ref();
    let proposed = engine.map(|engine| engine.title.trim());
    let title = match proposed.filter(|title| is_plain(title)) {
        Some(title) => title.to_owned(),
        None => default_title(&evidence.outcome.repro_command),
    };
    title + "\n"
}

fn default_title(command: &str) -> String {
    let plain = command.chars().map(|character| {
        if is_plain_character(character) {
            character
        } else {
            '_'
        }
    });
    let title: String = "Fix the failing command: ".chars().chain(plain).collect();
    let cut: String = title.chars().take(MAX_TITLE).collect();
    cut.trim_end().to_owned()
}

fn is_plain(title: &str) -> bool {
    let lower = title.to_ascii_lowercase();
    let has_reference = ["://", "www.", "gh-"].iter().any(|it| lower.contains(it));
    title.starts_with(char::is_alphanumeric)
        && title.chars().count() <= MAX_TITLE
        && title.chars().all(is_plain_character)
        && !has_reference
}

fn is_plain_character(character: char) -> bool {
    character.is_alphanumeric() || " -_.,:'\"()/+=".contains(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    // E-93e
    #[test]
    fn a_title_is_plain_or_replaced() {
        assert!(is_plain("Divide by the count (not by zero) in stats.py"));
        for title in [
            "",
            "Fixes #12",
            "Ask @someone",
            "Fixes owner/repo#12",
            "Closes https://github.com/a/b/issues/1",
            "closes GH-1",
            "two\nlines",
            "\u{202e}reversed",
            "<b>",
            "--flag",
        ] {
            assert!(!is_plain(title), "{title}");
        }
        assert!(!is_plain(&"long ".repeat(20)));
        let title = default_title("pytest -k 'a or @b' && #1");
        assert_eq!(title, "Fix the failing command: pytest -k 'a or _b' __ _1");
        assert_eq!(default_title(&"x".repeat(500)).chars().count(), MAX_TITLE);
    }
}
