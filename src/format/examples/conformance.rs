//! Compares printers with expected outputs, for example with prettier's.
//!
//! `conformance FOLDER...` prints every file of `FOLDER/in` and compares it with the file of the same
//! name in `FOLDER/out`. It reports the number of equal files and the names of the others.
//!
//! - `--raw` runs the printer once, without the checks of its result.
//! - `--diff TEXT` also prints the differences of the files whose names contain TEXT.
//! - `--only TEXT` skips the files whose names do not contain TEXT.
//! - `--width COLUMNS` is the maximum line width.
//! - `--print FILE` prints one file.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use fixpoint_format::{FormatError, Language, Style, canonical, print_unchecked};
use imara_diff::{Algorithm, BasicLineDiffPrinter, Diff, InternedInput, UnifiedDiffConfig};

fn main() -> ExitCode {
    let mut run = Run::default();
    let mut folders = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--raw" => run.is_raw = true,
            "--diff" => run.diff = arguments.next(),
            "--only" => run.only = arguments.next(),
            "--width" => run.width = arguments.next().and_then(|width| width.parse().ok()),
            "--print" => {
                let path = arguments.next().unwrap_or_default();
                return run.print(Path::new(&path));
            }
            _ => folders.push(PathBuf::from(argument)),
        }
    }
    for folder in folders {
        if let Err(error) = run.compare(&folder) {
            eprintln!("error: {}: {error}", folder.display());
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

#[derive(Default)]
struct Run {
    is_raw: bool,
    diff: Option<String>,
    only: Option<String>,
    width: Option<u16>,
}

impl Run {
    fn format(&self, name: &str, text: &str) -> Result<String, FormatError> {
        let language = Language::detect(name, text.lines().next().unwrap_or_default())
            .unwrap_or(Language::Text)
            .of_text(name, text);
        let styles = |language| {
            let style = Style::default_of(language);
            let width = self.width.unwrap_or_else(|| style.line_width());
            Some(Style::new(width, style.indent()))
        };
        if self.is_raw {
            print_unchecked(language, name, text, &styles)
        } else {
            canonical(language, name, text, &styles).map(|text| text.into_owned())
        }
    }

    fn print(&self, path: &Path) -> ExitCode {
        let text = fs::read_to_string(path).unwrap_or_default();
        match self.format(&path.to_string_lossy(), &text) {
            Ok(printed) => {
                print!("{printed}");
                ExitCode::SUCCESS
            }
            Err(error) => {
                eprintln!("error: {}: {error}", path.display());
                ExitCode::FAILURE
            }
        }
    }

    fn compare(&self, folder: &Path) -> std::io::Result<()> {
        let mut paths: Vec<_> = fs::read_dir(folder.join("in"))?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .collect();
        paths.sort();
        let (mut total, mut equal) = (0, 0);
        for path in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if self.only.as_ref().is_some_and(|only| !name.contains(only)) {
                continue;
            }
            let (Ok(text), Ok(expected)) = (
                fs::read_to_string(&path),
                fs::read_to_string(folder.join("out").join(&*name)),
            ) else {
                continue;
            };
            total += 1;
            match self.format(&name, &text) {
                Ok(printed) if printed == expected => equal += 1,
                Ok(printed) => {
                    println!("differs {name}");
                    if self.diff.as_ref().is_some_and(|part| name.contains(part)) {
                        print_difference(&expected, &printed);
                    }
                }
                Err(error) => println!("error {name}: {error}"),
            }
        }
        println!("{}: {equal} of {total}", folder.display());
        Ok(())
    }
}

fn print_difference(expected: &str, printed: &str) {
    let input = InternedInput::new(expected, printed);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let printer = BasicLineDiffPrinter(&input.interner);
    let difference = diff.unified_diff(&printer, UnifiedDiffConfig::default(), &input);
    println!("{difference}");
}
