//! `fixpoint map`: rewrites compiler messages so that they point at the source.
//!
//! A build that compiles canonical texts writes a line map next to each. If a message names such a
//! text and a line, they are replaced by the source file and its line.

use std::collections::BTreeMap;
use std::fs;
use std::io::BufRead as _;
use std::path::{Path, PathBuf};

use fixpoint_view::LineMap;
use fixpoint_workspace::{MAX_REPORT_SIZE, read_text_file};

use crate::Verdict;
use crate::failure::Failure;
use crate::output::Output;
use crate::render::words::shown;

/// The suffix of a map's name after the name of its canonical text.
const MAP: &str = ".fix-map.json";

pub(crate) fn run(output: &mut Output) -> Result<Verdict, Failure> {
    let mut maps = Maps::default();
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(Failure::StandardInput)?;
        output.print_raw(&mapped(&line, &mut maps))?;
        output.print_raw("\n")?;
    }
    output.flush()?;
    Ok(Verdict::Done)
}

/// The maps that were looked up, by the path in the message.
#[derive(Default)]
struct Maps {
    known: BTreeMap<String, Option<LineMap>>,
}

impl Maps {
    fn get(&mut self, path: &str) -> Option<&LineMap> {
        let map = self
            .known
            .entry(path.to_owned())
            .or_insert_with(|| read_map(path));
        map.as_ref()
    }
}

/// Follows Bazel's links to the output itself, since the map is next to it.
fn read_map(path: &str) -> Option<LineMap> {
    let beside = |file: &Path| {
        let mut name = file.as_os_str().to_owned();
        name.push(MAP);
        read_text_file(Path::new(&name), MAX_REPORT_SIZE).ok()
    };
    // `bazel run` starts the program in its runfiles, but paths in messages are relative to the root.
    let root = std::env::var_os("BUILD_WORKSPACE_DIRECTORY").map(PathBuf::from);
    let file = &root.map_or_else(|| PathBuf::from(path), |root| root.join(path));
    let text = beside(file).or_else(|| beside(&fs::canonicalize(file).ok()?))?;
    LineMap::from_json(&text)
}

/// A line with every `PATH:LINE:COLUMN`, `PATH:LINE`, `PATH:` and `File "PATH", line LINE` mapped.
fn mapped(line: &str, maps: &mut Maps) -> String {
    if let Some((before, path, number, after)) = python_frame(line)
        && let Some(map) = maps.get(path)
    {
        let at = map.source(number, 1);
        let source = shown(map.path());
        return format!("{before}{source}\", line {}{after}", at.0);
    }
    let mut result = String::new();
    for word in line.split_inclusive(char::is_whitespace) {
        result += &mapped_word(word, maps).unwrap_or_else(|| word.to_owned());
    }
    result
}

fn mapped_word(word: &str, maps: &mut Maps) -> Option<String> {
    // The path may follow a bracket or a quote.
    let start = word.find(|character: char| {
        character.is_alphanumeric() || matches!(character, '/' | '.' | '_')
    })?;
    let (before, rest) = word.split_at(start);
    let (path, rest) = rest.split_once(':')?;
    let map = maps.get(path)?;
    let source = shown(map.path());
    let Some((line, rest)) = leading_number(rest) else {
        return Some(format!("{before}{source}:{rest}"));
    };
    let column = rest.strip_prefix(':').and_then(leading_number);
    let (source_line, source_column) = map.source(line, column.map_or(1, |it| it.0));
    Some(match column {
        Some((_, rest)) => format!("{before}{source}:{source_line}:{source_column}{rest}"),
        None => format!("{before}{source}:{source_line}{rest}"),
    })
}

/// The parts of a line of a Python traceback: up to the path, the path, the line, the rest.
fn python_frame(line: &str) -> Option<(&str, &str, usize, &str)> {
    let (before, rest) = line.split_once("File \"")?;
    let (path, rest) = rest.split_once("\", line ")?;
    let (number, after) = leading_number(rest)?;
    Some((&line[..before.len() + 6], path, number, after))
}

fn leading_number(text: &str) -> Option<(usize, &str)> {
    let end = text
        .find(|it: char| !it.is_ascii_digit())
        .unwrap_or(text.len());
    let number = text[..end].parse().ok().filter(|it| *it > 0)?;
    Some((number, &text[end..]))
}
