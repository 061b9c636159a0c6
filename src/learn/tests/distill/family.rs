//! Reads families of `benches/`, and measures rules on the pairs that they were not learned from.

use std::path::{Path, PathBuf};

use fixpoint_learn::{CompiledRule, Learned, Negative, Pair, RuleSet, learn_from_pairs, rewrite};

/// Pairs and negatives of one change.
pub struct Family {
    pub name: String,
    pub pairs: Vec<Pair>,
    pub negatives: Vec<Negative>,
}

impl Family {
    /// Reads the samples of a text. `{-before-}{+after+}` marks a change.
    pub fn of_text(name: &str, extension: &str, text: &str) -> Self {
        let mut family = Self {
            name: name.to_owned(),
            pairs: Vec::new(),
            negatives: Vec::new(),
        };
        for part in text.split("=== ").skip(1) {
            let (head, body) = part.split_once('\n').unwrap_or((part, ""));
            let (words, folder) = head.split_once(':').unwrap_or((head, ""));
            let folder = folder.trim();
            let separator = if folder.is_empty() { "" } else { "/" };
            let count = family.pairs.len() + family.negatives.len() + 1;
            let path = format!("{folder}{separator}{count:02}.{extension}");
            if words.starts_with("pair") {
                family.pairs.push(Pair {
                    name: format!("{count:02}"),
                    path,
                    before: side(body, "{-", "-}", "{+", "+}"),
                    after: side(body, "{+", "+}", "{-", "-}"),
                });
            } else {
                family.negatives.push(Negative {
                    path,
                    text: body.to_owned(),
                });
            }
        }
        family
    }

    /// All families below a folder of `benches/`.
    pub fn all(folder: &str) -> Vec<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../benches")
            .join(folder);
        let mut families = Vec::new();
        for language in sorted(&root) {
            let name = language
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let extension = match name.as_str() {
                "python" => "py",
                "rust" => "rs",
                "starlark" => "bzl",
                "typescript" => "tsx",
                other => other,
            };
            for file in sorted(&language) {
                let text = std::fs::read_to_string(&file).expect("a family");
                let stem = file.file_stem().unwrap_or_default().to_string_lossy();
                families.push(Self::of_text(&format!("{name}/{stem}"), extension, &text));
            }
        }
        families
    }

    /// Learns from everything.
    pub fn learn(&self) -> Learned {
        learn_from_pairs(&self.pairs, &self.negatives)
    }

    /// Learns from the first third of the pairs and of the negatives, and applies the rules to the rest.
    pub fn measure(&self) -> Score {
        let pairs = self.pairs.len().div_ceil(3);
        let negatives = self.negatives.len().div_ceil(3);
        let learned = learn_from_pairs(&self.pairs[..pairs], &self.negatives[..negatives]);
        let set = rules(&learned);
        let mut score = Score::default();
        for pair in &self.pairs[pairs..] {
            let result = rewrite(&pair.path, &pair.before, &set).text;
            score.files += 1;
            if result == pair.after {
                score.right += 1;
            } else if result != pair.before {
                score.wrong.push(format!("{} {}", self.name, pair.name));
            }
        }
        for negative in &self.negatives[negatives..] {
            if rewrite(&negative.path, &negative.text, &set).text != negative.text {
                score.wrong.push(format!("{} {}", self.name, negative.path));
            }
        }
        score
    }
}

pub fn rules(learned: &Learned) -> RuleSet {
    let compiled = learned
        .rules
        .iter()
        .map(|rule| CompiledRule::compile(rule).expect("a learned rule compiles"));
    RuleSet::new(compiled.collect())
}

fn side(text: &str, keep: &str, keep_end: &str, drop: &str, drop_end: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = [keep, drop].iter().filter_map(|mark| rest.find(mark)).min() {
        result.push_str(&rest[..at]);
        let kept = rest[at..].starts_with(keep);
        let end_mark = if kept { keep_end } else { drop_end };
        let inside = &rest[at + 2..];
        let end = inside.find(end_mark).expect("the end of a mark");
        if kept {
            result.push_str(&inside[..end]);
        }
        rest = &inside[end + 2..];
    }
    result + rest
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder of families");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// How often rules are right on pairs that they were not learned from.
#[derive(Default)]
pub struct Score {
    pub right: usize,
    pub files: usize,
    pub wrong: Vec<String>,
}

impl Score {
    pub fn of(families: &[Family]) -> Self {
        let mut total = Self::default();
        for family in families {
            let score = family.measure();
            total.right += score.right;
            total.files += score.files;
            total.wrong.extend(score.wrong);
        }
        total
    }

    pub fn precision(&self) -> f64 {
        self.right as f64 / (self.right + self.wrong.len()).max(1) as f64
    }

    pub fn recall(&self) -> f64 {
        self.right as f64 / self.files.max(1) as f64
    }
}
