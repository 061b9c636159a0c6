//! Golden tests: `tests/golden/<language>/NAME.in.EXT` must become `NAME.out.EXT`. The properties
//! of every canonical text must hold for it. `UPDATE_GOLDEN=1` writes the outputs; review them.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use fixpoint_format::{
    Language, Style, Suppressions, canonical, comment_key, comments, parses, same_meaning,
};
use fixpoint_text::line_changes;

fn styles(language: Language) -> Option<Style> {
    Some(Style::default_of(language))
}

fn keys(language: Language, path: &str, text: &str) -> Vec<String> {
    let spans = comments(language, path, text);
    let mut keys: Vec<_> = spans
        .iter()
        .map(|s| comment_key(&text[s.range()]))
        .collect();
    keys.sort();
    keys
}

fn golden_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            golden_files(&path, files);
        } else if path.to_string_lossy().contains(".in.") {
            files.push(path);
        }
    }
    files.sort();
}

// C-17, C-40, C-42, C-43, C-74, C-86, C-93b
#[test]
fn golden_texts() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut files = Vec::new();
    golden_files(&root, &mut files);
    assert!(
        files.len() >= 30,
        "golden texts are missing: {}",
        files.len()
    );
    for file in files {
        check(&file);
    }
}

fn check(file: &Path) {
    let name = file.file_name().unwrap().to_str().unwrap();
    let input = fs::read_to_string(file).unwrap();
    let folder = file
        .parent()
        .unwrap()
        .file_name()
        .unwrap()
        .to_str()
        .unwrap();
    let language = match Language::detect(name, "") {
        Some(language) => language,
        None if folder == "text" => Language::Text,
        None => return, // this build has no printer for it
    };
    let output = canonical(language, name, &input, &styles)
        .unwrap_or_else(|error| panic!("{name}: {error}"));

    let expected = file.with_file_name(name.replace(".in.", ".out."));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&expected, output.as_bytes()).unwrap();
    }
    assert_eq!(output, fs::read_to_string(&expected).unwrap(), "{name}");

    let again = canonical(language, name, &output, &styles);
    assert!(
        matches!(again, Ok(Cow::Borrowed(_))),
        "{name}: not a fixpoint"
    );
    assert_eq!(
        Ok(output.as_ref()),
        canonical(language, name, &input, &styles).as_deref()
    );
    assert_eq!(parses(language, name, &output), Ok(()), "{name}");
    assert_ne!(
        same_meaning(language, name, &input, &output),
        Some(false),
        "{name}"
    );
    assert_eq!(
        keys(language, name, &input),
        keys(language, name, &output),
        "{name}"
    );
    assert!(output.is_empty() || output.ends_with('\n'), "{name}");
    check_kept(language, name, &input, &output);

    // The canonical text must be reachable by a list of edits.
    let mut edited = input.clone();
    for change in line_changes(&input, &output).iter().rev() {
        edited.replace_range(change.old.range(), &output[change.new.range()]);
    }
    assert_eq!(edited, output, "{name}");
}

/// The bytes of off regions must not change, except for a common indentation.
fn check_kept(language: Language, name: &str, input: &str, output: &str) {
    let regions = |text: &str| -> Vec<String> {
        let found = Suppressions::find(language, name, text);
        let bytes = found
            .off_regions()
            .iter()
            .map(|region| &text[region.range()]);
        bytes.map(dedented).collect()
    };
    assert_eq!(regions(input), regions(output), "{name}");
}

fn dedented(text: &str) -> String {
    let columns = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let filled = text
        .split_inclusive('\n')
        .filter(|line| !line.trim().is_empty());
    let indent = filled.map(columns).min().unwrap_or(0);
    text.split_inclusive('\n')
        .map(|line| line.get(indent..).unwrap_or(line))
        .collect()
}
