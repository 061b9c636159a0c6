//! Separates the tests of a patch from its fix.

use std::collections::BTreeMap;

use crate::minimize::{Change, PatchEdit, compose, edits};
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

/// Splits a patch by files, and Rust files with a test module by lines.
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
        let (false, Some(after), true) = (is_test(path), after, path.ends_with(".rs")) else {
            continue;
        };
        let Some(before) = base.read(path)? else {
            continue;
        };
        let old = BTreeMap::from([(path.clone(), Some(before.bytes.clone()))]);
        let new = BTreeMap::from([(path.clone(), Some(after.bytes.clone()))]);
        let all = edits(&old, &new);
        let (tests, fix): (Vec<usize>, Vec<usize>) =
            (0..all.len()).partition(|index| is_in_test_module(&before.bytes, &all, *index));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(before: &str, after: &str) -> (String, String) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("lib.rs"), before).unwrap();
        let tree = Tree::of_files(folder.path(), vec!["lib.rs".to_owned()]);
        let state = FileState {
            bytes: after.into(),
            is_executable: false,
        };
        let mut changes = Changes::default();
        changes.set("lib.rs", Some(state));
        let split = split(&tree, &changes, &|_| false).unwrap_or_else(|_| panic!("split"));
        let text = |changes: &Changes| {
            let state = changes.get("lib.rs").cloned().flatten();
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
}
