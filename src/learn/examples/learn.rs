//! Learns from the first third of each family's pairs, applies the rules to the rest, and prints how often they are right.
//!
//!     cargo run -p fixpoint-learn --example learn FOLDER
//!
//! FOLDER has families as SUITE/FAMILY/pairs/NAME.before.EXT, NAME.after.EXT and SUITE/FAMILY/negatives/NAME.EXT.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fixpoint_learn::{CompiledRule, Learned, Negative, Pair, RuleSet, learn_from_pairs, rewrite};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let verbose = arguments.iter().any(|argument| argument == "-v");
    let folder = PathBuf::from(&arguments[0]);
    let only = arguments.get(1).filter(|argument| *argument != "-v");
    let mut total = Score::default();
    for suite in folders(&folder) {
        let mut of_suite = Score::default();
        for family in folders(&suite) {
            let name = family
                .strip_prefix(&folder)
                .unwrap_or(&family)
                .display()
                .to_string();
            if only.is_some_and(|only| !name.contains(only.as_str())) {
                continue;
            }
            let score = measure(&family, &name, verbose);
            of_suite.add(&score);
        }
        println!(
            "{:<40} {}",
            suite.file_name().unwrap_or_default().display(),
            of_suite.line()
        );
        total.add(&of_suite);
    }
    println!("{:<40} {}", "total", total.line());
}

#[derive(Default)]
struct Score {
    right: usize,
    wrong: usize,
    partial: usize,
    files: usize,
    abstained: usize,
    millis: u128,
}

impl Score {
    fn add(&mut self, other: &Self) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.partial += other.partial;
        self.files += other.files;
        self.abstained += other.abstained;
        self.millis = self.millis.max(other.millis);
    }

    fn line(&self) -> String {
        let percent = |part: usize, all: usize| 100.0 * part as f64 / all.max(1) as f64;
        format!(
            "precision {:5.1} %  recall {:5.1} %  right {} partial {} wrong {} of {}  abstained {}  {} ms",
            percent(self.right, self.right + self.wrong + self.partial),
            percent(self.right, self.files),
            self.right,
            self.partial,
            self.wrong,
            self.files,
            self.abstained,
            self.millis
        )
    }
}

fn measure(family: &Path, name: &str, verbose: bool) -> Score {
    let pairs = pairs(&family.join("pairs"));
    let negatives: Vec<Negative> = files(&family.join("negatives"))
        .into_iter()
        .map(|(path, text)| Negative { path, text })
        .collect();
    let first = pairs.len().div_ceil(3);
    let known = negatives.len().div_ceil(3);
    let start = std::time::Instant::now();
    let learned = learn_from_pairs(&pairs[..first], &negatives[..known]);
    let mut score = Score {
        millis: start.elapsed().as_millis(),
        abstained: learned.abstained.len(),
        ..Score::default()
    };
    let rules: Vec<_> = learned
        .rules
        .iter()
        .filter_map(|rule| CompiledRule::compile(rule).ok())
        .collect();
    let set = RuleSet::new(rules);
    let apply = |path: &str, text: &str| {
        let result = rewrite(path, text, &set).text;
        (result != text).then_some(result)
    };
    let mut notes = Vec::new();
    for pair in &pairs[first..] {
        score.files += 1;
        let Some(result) = apply(&pair.path, &pair.before) else {
            notes.push(format!("missed {}", pair.name));
            continue;
        };
        if result == pair.after {
            score.right += 1;
        } else if lines_known(&result, pair) {
            score.partial += 1;
            notes.push(format!("partial {}", pair.name));
        } else {
            score.wrong += 1;
            notes.push(format!("wrong {}:\n{result}", pair.name));
        }
    }
    for negative in &negatives[known..] {
        if let Some(result) = apply(&negative.path, &negative.text) {
            score.wrong += 1;
            notes.push(format!("changed {}:\n{result}", negative.path));
        }
    }
    println!("{name:<40} {}", score.line());
    if verbose {
        explain(&learned, &notes);
    }
    score
}

/// Whether each line of a result is one of the text before or after.
fn lines_known(result: &str, pair: &Pair) -> bool {
    let mut known = pair.before.lines().chain(pair.after.lines());
    result
        .lines()
        .all(|line| known.clone().any(|other| other == line) || known.any(|other| other == line))
}

fn explain(learned: &Learned, notes: &[String]) {
    for rule in &learned.rules {
        println!(
            "    rule: {} => {}\n      {:?} {:?}",
            rule.pattern, rule.template, rule.constraints, rule.imports
        );
    }
    for abstention in &learned.abstained {
        println!(
            "    abstained: {} ({}): {}",
            abstention.example,
            abstention.pairs.join(" "),
            abstention.reason
        );
    }
    for note in notes {
        println!("    {note}");
    }
}

fn pairs(folder: &Path) -> Vec<Pair> {
    let mut sides: BTreeMap<String, (String, Option<String>, Option<String>)> = BTreeMap::new();
    for (path, text) in files(folder) {
        let (side, name) = if let Some((stem, extension)) = path.split_once(".before.") {
            (0, (stem, extension))
        } else if let Some((stem, extension)) = path.split_once(".after.") {
            (1, (stem, extension))
        } else {
            continue;
        };
        let entry = sides.entry(name.0.to_owned()).or_default();
        entry.0 = format!("{}.{}", name.0, name.1);
        if side == 0 {
            entry.1 = Some(text)
        } else {
            entry.2 = Some(text)
        }
    }
    let sides = sides.into_iter();
    sides
        .filter_map(|(name, (path, before, after))| {
            Some(Pair {
                name,
                path,
                before: before?,
                after: after?,
            })
        })
        .collect()
}

fn files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&next) else {
            continue;
        };
        for entry in entries.flatten() {
            if entry.path().is_dir() {
                open.push(entry.path());
            } else if let Ok(text) = std::fs::read_to_string(entry.path()) {
                let path = entry.path();
                let path = path.strip_prefix(folder).unwrap_or(&path);
                found.push((path.display().to_string(), text));
            }
        }
    }
    found.sort();
    found
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    found
}
