//! docs/requirements.md against the code: every id that a comment names has a row, and the tests of every
//! row exist and name its id.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::house::{read, repository};

const PAGE: &str = "docs/requirements.md";
/// An id starts with the letter of its document, or with that of a decision.
const LETTERS: &str = "BCDEFKX";

/// The letter and the number of an id such as `C-33` or `K-100a`.
fn parts(word: &str) -> Option<(&str, &str)> {
    let (letter, number) = word.split_once('-')?;
    let suffix = |it: char| it.is_ascii_lowercase();
    let digits = number.strip_suffix(suffix).unwrap_or(number);
    let is_number = (2..=3).contains(&digits.len()) && digits.bytes().all(|it| it.is_ascii_digit());
    (letter.len() == 1 && LETTERS.contains(letter) && is_number).then_some((letter, number))
}

/// The ids from `first` to `last`, as in `K-86 to K-97`.
fn range(first: &str, last: &str) -> Option<Vec<String>> {
    let ((letter, first), (other, last)) = (parts(first)?, parts(last)?);
    let numbers = first.parse::<u16>().ok()?..=last.parse().ok()?;
    (letter == other).then(|| {
        numbers
            .map(|number| format!("{letter}-{number:02}"))
            .collect()
    })
}

fn ids(comment: &str) -> BTreeSet<String> {
    let words: Vec<&str> = comment
        .split(|it: char| !it.is_ascii_alphanumeric() && it != '-')
        .filter(|word| !word.is_empty())
        .collect();
    let single = words.iter().filter(|word| parts(word).is_some());
    let mut ids: BTreeSet<String> = single.map(|word| (*word).to_owned()).collect();
    for three in words.windows(3) {
        if let [first, "to", last] = three {
            ids.extend(range(first, last).into_iter().flatten());
        }
    }
    ids
}

/// The ids in the comment of a line.
fn ids_of_line(path: &str, line: &str) -> BTreeSet<String> {
    let marker = if path.ends_with(".rs") { "//" } else { "#" };
    line.split_once(marker)
        .map(|(_, comment)| ids(comment))
        .unwrap_or_default()
}

/// The tests of a Rust file, with the ids in the comments inside and directly above each.
fn tests(path: &str, text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut tests = BTreeMap::<String, BTreeSet<String>>::new();
    let mut above: Vec<&str> = Vec::new();
    let mut open: Option<(String, usize)> = None;
    for line in text.lines() {
        let code = line.trim_start();
        let indent = line.len() - code.len();
        if let Some((name, start)) = &open {
            let ids = tests.entry(name.clone()).or_default();
            ids.extend(ids_of_line(path, line));
            if indent == *start && code.starts_with('}') {
                open = None;
            }
        } else if code.starts_with("//") || code.starts_with("#[") {
            above.push(code);
        } else {
            let name = code.strip_prefix("fn ").and_then(|it| it.split('(').next());
            if let Some(name) = name.filter(|_| above.contains(&"#[test]")) {
                let ids = above.iter().flat_map(|line| ids_of_line(path, line));
                tests.entry(name.to_owned()).or_default().extend(ids);
                open = Some((name.to_owned(), indent));
            }
            above.clear();
        }
    }
    tests
}

/// The rows of the page: an id, and its tests as `path::function`.
fn rows(page: &str) -> Vec<(&str, Vec<&str>)> {
    page.lines()
        .filter_map(|line| {
            let cells: Vec<&str> = line.strip_prefix('|')?.split('|').map(str::trim).collect();
            let [id, _, tests, ""] = cells[..] else {
                return None;
            };
            parts(id)?;
            Some((id, tests.split('`').skip(1).step_by(2).collect()))
        })
        .collect()
}

/// The text of every file that can have such comments, by path. Links and build outputs are skipped.
fn sources(folder: &Path, prefix: &str, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        let kind = entry.file_type().expect("a type");
        let is_source = [".rs", ".bzl", ".bazel", ".toml"]
            .iter()
            .any(|suffix| name.ends_with(suffix));
        if kind.is_dir() && name != "target" && !name.starts_with('.') {
            sources(&entry.path(), &format!("{path}/"), found);
        } else if kind.is_file() && is_source {
            let bytes = fs::read(entry.path()).expect("readable");
            found.insert(path, String::from_utf8_lossy(&bytes).into_owned());
        }
    }
}

/// Everything in which the page and the files disagree.
fn disagreements(page: &str, files: &BTreeMap<String, String>) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for (id, named) in rows(page) {
        if !seen.insert(id) {
            wrong.push(format!("{PAGE}: {id} has two rows"));
        }
        if named.is_empty() {
            wrong.push(format!("{PAGE}: {id} has no test"));
        }
        for test in named {
            let (path, function) = test.split_once("::").unwrap_or((test, ""));
            let text = files.get(path).map(String::as_str).unwrap_or_default();
            match tests(path, text).get(function) {
                None => wrong.push(format!("{PAGE}: {id}: there is no test {test}")),
                Some(ids) if !ids.contains(id) => {
                    wrong.push(format!("{PAGE}: {id}: no comment of {test} names it"));
                }
                Some(_) => {}
            }
        }
    }
    for (path, text) in files {
        for (number, line) in (1..).zip(text.lines()) {
            for id in ids_of_line(path, line) {
                if !seen.contains(id.as_str()) {
                    wrong.push(format!("{path}:{number}: {id} has no row in {PAGE}"));
                }
            }
        }
    }
    wrong
}

#[test]
fn requirements_and_comments_name_each_other() {
    let mut files = BTreeMap::new();
    sources(&repository(), "", &mut files);
    let wrong = disagreements(&read(PAGE), &files);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn all_disagreements_on_requirements_are_reported_at_once() {
    let code = "\
/// Not a test. C-04
fn helper() {}

// C-01, C-02
#[test]
fn above() {
    helper();
}

mod tests {
    #[test]
    fn inside() {
        // K-08 to K-10: a range.
        fn nested() {}
    } // C-03
}
";
    let page = "\
| id    | requirement | test                               |
| ----- | ----------- | ---------------------------------- |
| C-01  | Something.  | `a.rs::above`, `a.rs::inside`      |
| C-02  | Something.  | `a.rs::above`, `a.rs::gone`        |
| C-03  | Something.  | `a.rs::inside`                     |
| C-04  | Something.  | `a.rs::helper`                     |
| C-05a | Something.  |                                    |
| K-08  | Something.  | `a.rs::inside`, `b.rs::inside`     |
| K-10  | Something.  | `a.rs::inside`                     |
| K-10  | Something.  | `a.rs::inside`                     |
";
    let build = "# F-01 and UTF-8, but not C-1\n".to_owned();
    let files = BTreeMap::from([
        ("BUILD.bazel".to_owned(), build),
        ("a.rs".to_owned(), code.to_owned()),
    ]);
    let expected = [
        "docs/requirements.md: C-01: no comment of a.rs::inside names it",
        "docs/requirements.md: C-02: there is no test a.rs::gone",
        "docs/requirements.md: C-04: there is no test a.rs::helper",
        "docs/requirements.md: C-05a has no test",
        "docs/requirements.md: K-08: there is no test b.rs::inside",
        "docs/requirements.md: K-10 has two rows",
        "BUILD.bazel:1: F-01 has no row in docs/requirements.md",
        "a.rs:13: K-09 has no row in docs/requirements.md",
    ];
    assert_eq!(disagreements(page, &files), expected);
}
