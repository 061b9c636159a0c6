//! Separates the tests of a patch from its fix.

use std::collections::BTreeMap;

use crate::minimize::{Change, PatchEdit, compose, edits};
use crate::policy::{is_build_file, starts_test_target};
use crate::run::conclusion::Stop;
use crate::scratch::{Changes, FileState, Tree};

/// A patch in two parts. Each of them applies to the base on its own.
#[derive(Clone, Debug)]
pub(crate) struct Split {
    pub(crate) tests: Changes,
    pub(crate) fix: Changes,
    /// Whether one file has tests and the fix, so that the parts do not add up file by file.
    pub(crate) shares_files: bool,
}

/// Splits a patch by files. Rust files with a test module and BUILD files are split by lines.
pub(crate) fn split(
    base: &Tree,
    changes: &Changes,
    is_test: &impl Fn(&str) -> bool,
) -> Result<Split, Stop> {
    let mut parts = Split {
        tests: changes.only(is_test),
        fix: changes.only(|path| !is_test(path)),
        shares_files: false,
    };
    for (path, after) in changes.iter() {
        let is_build = is_build_file(path);
        let has_parts = is_build || path.ends_with(".rs");
        let (false, Some(after), true) = (is_test(path), after, has_parts) else {
            continue;
        };
        let is_in_test = match is_build {
            true => is_in_test_target,
            false => is_in_test_module,
        };
        let Some(before) = base.read(path)? else {
            continue;
        };
        let old = BTreeMap::from([(path.clone(), Some(before.bytes.clone()))]);
        let new = BTreeMap::from([(path.clone(), Some(after.bytes.clone()))]);
        let all = edits(&old, &new);
        let (tests, fix): (Vec<usize>, Vec<usize>) =
            (0..all.len()).partition(|index| is_in_test(&before.bytes, &all, *index));
        if tests.is_empty() {
            continue;
        }
        parts.shares_files |= !fix.is_empty();
        for (chosen, part) in [(&tests, &mut parts.tests), (&fix, &mut parts.fix)] {
            let mut composed = compose(&old, &all, chosen);
            if let Some(Some(bytes)) = composed.remove(path) {
                let state = FileState {
                    bytes,
                    is_executable: after.is_executable,
                };
                part.set(path.clone(), Some(state));
            }
        }
    }
    Ok(parts)
}

/// Whether an edit changes or adds the test module at the end of a Rust file.
fn is_in_test_module(before: &[u8], all: &[PatchEdit], index: usize) -> bool {
    const ATTRIBUTE: &[u8] = b"#[cfg(test)]";
    let has_attribute = |line: &[u8]| line.trim_ascii_start().starts_with(ATTRIBUTE);
    let module = before.split(|&byte| byte == b'\n').position(has_attribute);
    let place = |edit: &PatchEdit| match &edit.change {
        Change::Line { at, .. } => Some(*at),
        Change::File(_) => None,
    };
    let Some(at) = place(&all[index]) else {
        return false;
    };
    if let Some(module) = module {
        return at > module;
    }
    // The patch adds the module: its first line, and everything after it at the same place.
    all[..=index].iter().any(|edit| match &edit.change {
        Change::Line {
            at: other, text, ..
        } => *other == at && text.split(|&byte| byte == b'\n').any(has_attribute),
        Change::File(_) => false,
    })
}

/// Whether an edit of a BUILD file changes or adds a test target, or loads the rule of one.
fn is_in_test_target(before: &[u8], all: &[PatchEdit], index: usize) -> bool {
    let Change::Line { at, removes, text } = &all[index].change else {
        return false;
    };
    if text.starts_with(b"load(") && contains(text, b"_test\"") {
        return true;
    }
    let lines: Vec<&[u8]> = before.split(|&byte| byte == b'\n').collect();
    // An insertion before the first line of a target is not in the target.
    let above = lines.iter().take(at + usize::from(*removes)).rev();
    let head = above
        .take_while(|line| !line.starts_with(b")"))
        .find(|line| {
            let first = line.first();
            first.is_some_and(|first| !first.is_ascii_whitespace() && *first != b'#')
        });
    if head.is_some_and(|head| is_test_head(head)) {
        return true;
    }
    // The lines of an added target are at the same place.
    let mut is_inside = false;
    let mut is_closed = false;
    for edit in &all[..=index] {
        if let Change::Line {
            at: other, text, ..
        } = &edit.change
            && other == at
        {
            is_inside = is_test_head(text) || (is_inside && !is_closed);
            is_closed = text.starts_with(b")");
        }
    }
    is_inside
}

fn is_test_head(line: &[u8]) -> bool {
    std::str::from_utf8(line).is_ok_and(starts_test_target)
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(before: &str, after: &str) -> (String, String) {
        parts_of("lib.rs", before, after)
    }

    fn parts_of(path: &str, before: &str, after: &str) -> (String, String) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(path), before).unwrap();
        let tree = Tree::of_files(folder.path(), vec![path.to_owned()]);
        let state = FileState {
            bytes: after.into(),
            is_executable: false,
        };
        let mut changes = Changes::default();
        changes.set(path, Some(state));
        let split = split(&tree, &changes, &|_| false).unwrap_or_else(|_| panic!("split"));
        let text = |changes: &Changes| {
            let state = changes.get(path).cloned().flatten();
            String::from_utf8(state.map(|it| it.bytes).unwrap_or_default()).unwrap()
        };
        (text(&split.tests), text(&split.fix))
    }

    #[test]
    fn tests_inside_a_rust_file_are_separated_from_the_fix() {
        let module = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() {}\n";
        let before = format!("fn f() -> u8 {{ 1 }}\n{module}}}\n");
        let added = "    #[test]\n    fn b() {}\n";
        let after = format!("fn f() -> u8 {{ 2 }}\n{module}{added}}}\n");
        let (tests, fix) = parts(&before, &after);
        assert_eq!(tests, format!("fn f() -> u8 {{ 1 }}\n{module}{added}}}\n"));
        assert_eq!(fix, format!("fn f() -> u8 {{ 2 }}\n{module}}}\n"));

        let (tests, fix) = parts(
            "fn f() -> u8 { 1 }\n",
            &format!("fn f() -> u8 {{ 2 }}\n\n{module}}}\n"),
        );
        assert!(tests.starts_with("fn f() -> u8 { 1 }\n"), "{tests}");
        assert!(tests.contains("mod tests"), "{tests}");
        assert!(!fix.contains("mod tests"), "{fix}");
    }
    #[test]
    fn test_targets_of_a_build_file_are_separated_from_the_fix() {
        let library = "sh_library(\n    name = \"a\",\n    srcs = [\"a.sh\"],\n)\n";
        let fixed = library.replace("a.sh", "b.sh");
        let old = "\nsh_test(\n    name = \"old\",\n    srcs = [\"old.sh\"],\n)\n";
        let added = old.replace("old", "new");
        let load = "load(\"//:sh.bzl\", \"sh_test\")\n";
        let before = format!("{library}{old}");
        let after = format!("{load}\n{fixed}{old}{added}");
        let (tests, fix) = parts_of("BUILD", &before, &after);
        assert_eq!(tests, format!("{load}{library}{old}{}", added.trim_start()));
        assert_eq!(fix, format!("\n{fixed}{old}\n"));

        // An existing test target is a test, too.
        let weakened = format!("{fixed}{}", old.replace("old.sh", "true.sh"));
        let (tests, fix) = parts_of("BUILD", &before, &weakened);
        assert_eq!(tests, before.replace("old.sh", "true.sh"));
        assert_eq!(fix, format!("{fixed}{old}"));
    }
}
