//! Both texts of a file that a patch changes, from the patch and one of the texts.

use fixpoint_prove::engine::{FilePatch, HunkLine, LineKind};

/// The unchanged lines that git prints around a change.
const CONTEXT_LINES: usize = 3;

/// The texts before and after the patch. `text` may be either of them; `None` if it is neither.
pub(crate) fn both_texts(patch: &FilePatch, text: &str) -> Option<(String, String)> {
    if let Some(after) = replaced(patch, text, LineKind::Removed, LineKind::Added) {
        return Some((text.to_owned(), after));
    }
    let before = replaced(patch, text, LineKind::Added, LineKind::Removed)?;
    Some((before, text.to_owned()))
}

/// The text in which the lines of kind `old` are replaced by those of kind `new`.
fn replaced(patch: &FilePatch, text: &str, old: LineKind, new: LineKind) -> Option<String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut result = String::new();
    let mut next = 0;
    for hunk in &patch.hunks {
        let (start, count) = match old {
            LineKind::Removed => (hunk.old_start, hunk.old_lines),
            LineKind::Added | LineKind::Context => (hunk.new_start, hunk.new_lines),
        };
        // A hunk without old lines starts behind the line that it names.
        let start = start as usize - usize::from(count > 0 && start > 0);
        result.extend(lines.get(next..start)?.iter().copied());
        next = start;
        for line in &hunk.lines {
            if line.kind == old || line.kind == LineKind::Context {
                if *lines.get(next)? != ended(line) {
                    return None;
                }
                next += 1;
            }
            if line.kind == new || line.kind == LineKind::Context {
                result += &ended(line);
            }
        }
    }
    // A hunk with less context at its end ends with the file.
    let last = patch.hunks.last().map_or(&[][..], |hunk| &hunk.lines);
    let context = last
        .iter()
        .rev()
        .take_while(|line| line.kind == LineKind::Context);
    if context.count() < CONTEXT_LINES && next != lines.len() {
        return None;
    }
    result.extend(lines.get(next..)?.iter().copied());
    Some(result)
}

fn ended(line: &HunkLine) -> String {
    match line.no_newline {
        true => line.text.clone(),
        false => format!("{}\n", line.text),
    }
}

#[cfg(test)]
mod tests {
    use fixpoint_prove::engine::parse_patch;
    use fixpoint_view::unified_diff;

    use super::*;

    #[test]
    fn a_patch_leads_in_both_directions() -> Result<(), Box<dyn std::error::Error>> {
        let many: String = (0..40).map(|line| format!("{line}\n")).collect();
        let cases = [
            ("a\nb\n".to_owned(), "a\nc\n".to_owned()),
            ("a\n".to_owned(), "a\nb\n".to_owned()),
            ("a".to_owned(), "a\nb".to_owned()),
            (many.clone(), many.replace("3\n", "x\ny\n")),
            (many.clone(), many.replacen("0\n", "", 1)),
        ];
        for (before, after) in cases {
            let patch = parse_patch(&unified_diff("a.py", &before, &after))?;
            let expected = Some((before.clone(), after.clone()));
            assert_eq!(both_texts(&patch.files[0], &before), expected);
            assert_eq!(both_texts(&patch.files[0], &after), expected);
            assert_eq!(both_texts(&patch.files[0], "other\n"), None);
        }
        Ok(())
    }
}
