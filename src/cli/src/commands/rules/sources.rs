//! The changes that rules are learned from, and the code that they must not change.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use fixpoint_edit::apply;
use fixpoint_learn::{Language, Negative, Pair};
use fixpoint_prove::engine::parse_patch;
use fixpoint_prove::evidence::{PATCH, verify};
use fixpoint_prove::policy::ChangeKind;
use fixpoint_workspace::{MAX_FILE_SIZE, read_text_file};

use super::args::LearnOptions;
use super::patched::both_texts;
use crate::commands::apply::read_report;
use crate::failure::Failure;
use crate::session::Session;

/// A folder of pairs with more files is rejected.
const MAX_FILES: usize = 100_000;

/// What rules are learned from.
#[derive(Debug, Default)]
pub(crate) struct Material {
    pub(crate) pairs: Vec<Pair>,
    pub(crate) negatives: Vec<Negative>,
}

impl Material {
    pub(crate) fn collect(session: &Session, options: &LearnOptions) -> Result<Self, Failure> {
        let mut material = match (&options.from_evidence, &options.from_pairs[..]) {
            (Some(folder), _) => Self::of_evidence(session, folder)?,
            (None, [folder]) => Self::of_folder(folder)?,
            (None, [before, after]) => Self::of_files(before, after)?,
            (None, _) => match &options.from {
                Some(range) => Self::of_revisions(session, range)?,
                None => Self::of_reports(session, &options.from_report)?,
            },
        };
        if options.allow_unchanged {
            material.negatives = Vec::new();
            return Ok(material);
        }
        if let Some(folder) = &options.negatives {
            let texts = texts_in(folder)?.into_iter();
            material.negatives = texts.map(|(path, text)| Negative { path, text }).collect();
        } else if options.from_pairs.is_empty() && options.from.is_none() {
            material.add_other_files(session)?;
        }
        Ok(material)
    }

    fn of_revisions(session: &Session, range: &str) -> Result<Self, Failure> {
        let (from, to) = range
            .split_once("..")
            .filter(|(from, to)| !from.is_empty() && !to.is_empty() && !to.starts_with('.'))
            .ok_or_else(|| {
                let message = format!("--from {range}: write two revisions, such as HEAD~1..HEAD");
                Failure::Usage(message)
            })?;
        let has_tree = |path: &str| Language::of_path(path).is_some();
        let texts = session.workspace.texts_of_revisions(from, to, has_tree)?;
        let pairs = texts.changed.into_iter().map(|changed| Pair {
            name: changed.path.clone(),
            path: changed.path,
            before: changed.before,
            after: changed.after,
        });
        let negatives = texts.unchanged.into_iter();
        let negatives = negatives.map(|(path, text)| Negative { path, text });
        Ok(Self {
            pairs: pairs.collect(),
            negatives: negatives.collect(),
        })
    }

    fn of_reports(session: &Session, reports: &[PathBuf]) -> Result<Self, Failure> {
        let mut material = Self::default();
        for file in reports {
            let report = read_report(file)?;
            let source = session.workspace.read(report.path())?;
            let base = report.base.clone().unwrap_or_default();
            if source.digest().to_string() != base.sha256 {
                let path = report.path();
                return Err(Failure::Run(format!(
                    "{path} has changed since its report was written; run `fixpoint check {path} --report-dir DIR` again"
                )));
            }
            let canonical = report.canonical.clone().unwrap_or_default();
            material.pairs.push(Pair {
                name: report.path().to_owned(),
                path: report.path().to_owned(),
                after: apply(&source, &canonical.edits)?.text,
                before: source.text().to_owned(),
            });
        }
        Ok(material)
    }

    fn of_evidence(session: &Session, folder: &Path) -> Result<Self, Failure> {
        let failed = |message: String| Failure::Run(format!("{}: {message}", folder.display()));
        let verified = verify(folder).map_err(|error| failed(error.to_string()))?;
        if !verified.verdict.is_success() {
            return Err(failed(
                "its verdict is not `proved`, and rules are learned only from proved fixes"
                    .to_owned(),
            ));
        }
        let patch = read_text_file(&folder.join(PATCH), MAX_FILE_SIZE).map_err(Failure::Input)?;
        let patch = parse_patch(&patch).map_err(|error| failed(format!("{PATCH}: {error}")))?;
        let mut material = Self::default();
        for file in &patch.files {
            let path = &file.change.path;
            let has_both_texts =
                !matches!(file.change.kind, ChangeKind::Added | ChangeKind::Deleted);
            if Language::of_path(path).is_none() || !has_both_texts {
                continue;
            }
            let current = session.workspace.read(path)?;
            let (before, after) = both_texts(file, current.text()).ok_or_else(|| {
                failed(format!(
                    "{path} is neither the text before the patch nor the text after it; check out the proved commit"
                ))
            })?;
            material.pairs.push(Pair {
                name: path.clone(),
                path: path.clone(),
                before,
                after,
            });
        }
        Ok(material)
    }

    /// The files `NAME.before.EXT` and `NAME.after.EXT`.
    fn of_folder(folder: &Path) -> Result<Self, Failure> {
        let pairs = pairs_of(&texts_in(folder)?)?;
        if pairs.is_empty() {
            return Err(Failure::Usage(format!(
                "{} has no pairs; name the files NAME.before.EXT and NAME.after.EXT",
                folder.display()
            )));
        }
        Ok(Self {
            pairs,
            negatives: Vec::new(),
        })
    }

    fn of_files(before: &Path, after: &Path) -> Result<Self, Failure> {
        let read = |path| read_text_file(path, MAX_FILE_SIZE).map_err(Failure::Input);
        let pair = Pair {
            name: before.display().to_string(),
            path: before.to_string_lossy().into_owned(),
            before: read(before)?,
            after: read(after)?,
        };
        Ok(Self {
            pairs: vec![pair],
            negatives: Vec::new(),
        })
    }

    /// Adds all other files of the workspace in the languages of the pairs.
    fn add_other_files(&mut self, session: &Session) -> Result<(), Failure> {
        let languages: Vec<Language> = self
            .pairs
            .iter()
            .filter_map(|it| Language::of_path(&it.path))
            .collect();
        let found = session
            .workspace
            .find(&[PathBuf::from(".")], session.config().exclude())?;
        for path in found.files() {
            let is_related = Language::of_path(path).is_some_and(|it| languages.contains(&it));
            if !is_related || self.pairs.iter().any(|pair| pair.path == *path) {
                continue;
            }
            // A file that is not text has nothing that a rule could match.
            if let Ok(source) = session.workspace.read(path) {
                self.negatives.push(Negative {
                    path: path.clone(),
                    text: source.text().to_owned(),
                });
            }
        }
        Ok(())
    }
}

/// The pairs among texts with the names `NAME.before.EXT` and `NAME.after.EXT`.
pub(crate) fn pairs_of(texts: &BTreeMap<String, String>) -> Result<Vec<Pair>, Failure> {
    let mut pairs = Vec::new();
    for (name, before) in texts {
        let Some((stem, extension)) = name.rsplit_once(".before.") else {
            continue;
        };
        let after = format!("{stem}.after.{extension}");
        let after = texts
            .get(&after)
            .ok_or_else(|| Failure::Usage(format!("{after} is missing beside {name}")))?;
        pairs.push(Pair {
            name: stem.to_owned(),
            path: format!("{stem}.{extension}"),
            before: before.clone(),
            after: after.clone(),
        });
    }
    Ok(pairs)
}

/// The regular files in a folder, by name.
fn texts_in(folder: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let failed = |error| Failure::Run(format!("{}: {error}", folder.display()));
    let mut texts = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if Language::of_path(&name).is_none() {
            continue;
        }
        if texts.len() == MAX_FILES {
            return Err(Failure::Run(format!(
                "{}: more than {MAX_FILES} files",
                folder.display()
            )));
        }
        let text = read_text_file(&entry.path(), MAX_FILE_SIZE).map_err(Failure::Input)?;
        texts.insert(name, text);
    }
    Ok(texts)
}
