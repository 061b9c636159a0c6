//! Unified diffs, as `diff -u`, `git diff` and many formatters write them.
//!
//! A diff does not say why a line changes. So each hunk is one finding of the rule that is named after the tool.

use fixpoint_report::Severity;
use fixpoint_text::{LineIndex, Snapshot, Span};

use super::{Finding, ProposedFix, Replacement, Sources, source_named};

/// The marker of a last line that does not end.
const NO_NEWLINE: &str = "\\ No newline at end of file";

pub(super) fn findings(diff: &str, tool: &str, sources: &Sources) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    let mut lines = diff.split_inclusive('\n').peekable();
    let mut source: Option<&Snapshot> = None;
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix("--- ")
            && lines.peek().is_some_and(|next| next.starts_with("+++ "))
        {
            source = Some(changed_file(name, sources)?);
            lines.next();
        } else if line.starts_with("@@ ") {
            let source = source.ok_or("it has a hunk before the name of a file")?;
            let hunk = Hunk::header(line)
                .ok_or_else(|| format!("`{}` is not the header of a hunk", line.trim_end()))?;
            let mut body = Vec::new();
            let (mut old, mut new) = (hunk.old_count, hunk.new_count);
            while old > 0 || new > 0 || lines.peek().is_some_and(|next| next.starts_with('\\')) {
                let line = lines.next().ok_or("it ends within a hunk")?;
                match line.as_bytes().first() {
                    Some(b' ' | b'\n' | b'\r') => {
                        (old, new) = (old.saturating_sub(1), new.saturating_sub(1))
                    }
                    Some(b'-') => old = old.saturating_sub(1),
                    Some(b'+') => new = new.saturating_sub(1),
                    Some(b'\\') => {}
                    _ => return Err(format!("`{}` is not a line of a hunk", line.trim_end())),
                }
                body.push(line);
            }
            findings.push(finding(source, &hunk, &body, tool)?);
        }
    }
    Ok(findings)
}

/// The file after `--- `. Git writes `a/` before its name, and others a tab and the time after it.
fn changed_file<'a>(name: &str, sources: &'a Sources) -> Result<&'a Snapshot, String> {
    let name = name.trim_end_matches(['\n', '\r']);
    let name = name.split('\t').next().unwrap_or(name);
    if name == "/dev/null" {
        return Err("it creates a file, which a report cannot do".to_owned());
    }
    let without_prefix = name.strip_prefix("a/").and_then(|path| sources.get(path));
    match without_prefix {
        Some(source) => Ok(source),
        None => source_named(sources, name),
    }
}

/// The numbers in `@@ -3,2 +3,4 @@`.
struct Hunk {
    old_start: usize,
    old_count: usize,
    new_count: usize,
}

impl Hunk {
    fn header(line: &str) -> Option<Self> {
        let mut words = line.split_ascii_whitespace().skip(1);
        let (old_start, old_count) = range(words.next()?.strip_prefix('-')?)?;
        let (_, new_count) = range(words.next()?.strip_prefix('+')?)?;
        Some(Self {
            old_start,
            old_count,
            new_count,
        })
    }
}

fn range(text: &str) -> Option<(usize, usize)> {
    match text.split_once(',') {
        Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    }
}

/// Lines that change together, by their offset in the file.
struct Change {
    start: usize,
    removed: String,
    added: String,
}

fn finding(source: &Snapshot, hunk: &Hunk, body: &[&str], tool: &str) -> Result<Finding, String> {
    let index = LineIndex::new(source.text());
    // A hunk that only adds lines names the line before them.
    let first = match hunk.old_count {
        0 => hunk.old_start,
        _ => hunk.old_start.saturating_sub(1),
    };
    let mut at = index.line_start(first);
    let mut changes: Vec<Change> = Vec::new();
    let mut is_in_change = false;
    for (number, line) in body.iter().enumerate() {
        if line.starts_with('\\') {
            continue;
        }
        let ends = body
            .get(number + 1)
            .is_none_or(|next| !next.starts_with(NO_NEWLINE));
        // Some tools remove the blank of an empty line of context.
        let (mark, text) = match line.as_bytes().first() {
            Some(b'\n' | b'\r') => (' ', *line),
            _ => (
                line.chars().next().unwrap_or(' '),
                line.get(1..).unwrap_or_default(),
            ),
        };
        let text = if ends {
            text
        } else {
            text.strip_suffix('\n').unwrap_or(text)
        };
        if mark != '+'
            && !source
                .text()
                .get(at..)
                .is_some_and(|rest| rest.starts_with(text))
        {
            let line = index.line_of(at.min(source.text().len())) + 1;
            return Err(format!(
                "it was made from a different version of {}: line {line} is not `{}`",
                source.path(),
                text.trim_end()
            ));
        }
        if mark == ' ' {
            is_in_change = false;
            at += text.len();
            continue;
        }
        if !is_in_change {
            is_in_change = true;
            changes.push(Change {
                start: at,
                removed: String::new(),
                added: String::new(),
            });
        }
        let Some(change) = changes.last_mut() else {
            continue;
        };
        match mark {
            '-' => {
                change.removed.push_str(text);
                at += text.len();
            }
            _ => change.added.push_str(text),
        }
    }
    let replacements = changes.iter().map(|change| Replacement {
        path: source.path().to_owned(),
        span: Span::from(change.start..change.start + change.removed.len()),
        text: change.added.clone(),
    });
    let replacements: Vec<Replacement> = replacements.collect();
    let span = replacements
        .first()
        .map_or(Span::at(at), |first| first.span);
    Ok(Finding {
        path: source.path().to_owned(),
        span,
        rule: tool.to_owned(),
        severity: Severity::Warning,
        message: format!("{tool} changes this"),
        fixes: vec![ProposedFix {
            title: format!("Apply the change of {tool}"),
            replacements,
        }],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "one\ntwo\nthree\n\nlast";

    fn sources() -> Sources {
        Sources::from([("p/a.txt".to_owned(), Snapshot::new("p/a.txt", TEXT))])
    }

    fn applied(diff: &str) -> Result<String, String> {
        let mut text = TEXT.to_owned();
        for finding in findings(diff, "tool", &sources())?.iter().rev() {
            for replacement in finding
                .fixes
                .iter()
                .flat_map(|fix| fix.replacements.iter().rev())
            {
                text.replace_range(replacement.span.range(), &replacement.text);
            }
        }
        Ok(text)
    }

    #[test]
    fn hunks_become_edits() {
        let diff = "diff --git a/p/a.txt b/p/a.txt\nindex 1..2 100644\n--- a/p/a.txt\n+++ b/p/a.txt\n\
                    @@ -1,3 +1,4 @@ fn x\n-one\n+ONE\n two\n+more\n three\n\
                    @@ -4,2 +5,2 @@\n\n-last\n\\ No newline at end of file\n+last\n";
        assert_eq!(
            applied(diff).as_deref(),
            Ok("ONE\ntwo\nmore\nthree\n\nlast\n")
        );
        let added = "--- ./p/a.txt\t2026-01-01\n+++ p/a.txt\n@@ -2,0 +3 @@\n+between\n";
        assert_eq!(
            applied(added).as_deref(),
            Ok("one\ntwo\nbetween\nthree\n\nlast")
        );
        // A removed line may look like the name of a file.
        let removed = "--- p/a.txt\n+++ p/a.txt\n@@ -1,2 +1 @@\n-one\n two\n";
        assert_eq!(applied(removed).as_deref(), Ok("two\nthree\n\nlast"));
    }

    #[test]
    fn a_diff_that_does_not_fit_is_rejected() {
        for (diff, why) in [
            (
                "--- p/a.txt\n+++ p/a.txt\n@@ -1 +1 @@\n-ONE\n+one\n",
                "different version",
            ),
            (
                "--- p/b.txt\n+++ p/b.txt\n@@ -1 +1 @@\n-one\n+ONE\n",
                "`p/b.txt`",
            ),
            (
                "--- /dev/null\n+++ p/b.txt\n@@ -0,0 +1 @@\n+x\n",
                "creates a file",
            ),
            (
                "--- p/a.txt\n+++ p/a.txt\n@@ -1,2 +1,2 @@\n-one\n",
                "ends within a hunk",
            ),
            ("--- p/a.txt\n+++ p/a.txt\n@@ -x +1 @@\n", "not the header"),
            (
                "--- p/a.txt\n+++ p/a.txt\n@@ -1 +1 @@\nfoo\n",
                "not a line of a hunk",
            ),
            ("@@ -1 +1 @@\n-one\n+ONE\n", "before the name"),
        ] {
            let error = applied(diff).expect_err(diff);
            assert!(error.contains(why), "{diff}: {error}");
        }
    }
}
