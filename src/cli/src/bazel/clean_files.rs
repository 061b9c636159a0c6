//! Remembers files without findings, so that the test of a workspace analyzes only files that have changed since.
//!
//! A file is identified by a digest of everything that its analysis depends on: this program, the settings, the text, and
//! the files that the text refers to. So an entry is never out of date.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use fixpoint_analysis::AnalysisOptions;
use fixpoint_engine::Reported;
use fixpoint_text::Digest;
use fixpoint_workspace::{DigestCache, Found, ReadError, Workspace, read_file};

use crate::args::Arguments;
use crate::file_analyzer::{FileAnalyzer, FileOutcome};
use crate::pool::{OnTimeout, TimedResult, work_on};
use crate::session::Session;
use crate::survey::{Survey, jobs};

/// The size limit of this program's own file, which is read to compute its digest.
const MAX_PROGRAM_SIZE: u64 = 1 << 30;

pub(crate) struct CleanFiles {
    cache: DigestCache,
    inputs: Arc<InputDigests>,
    /// The files that are known to have no findings, and their digests.
    kept: Vec<(String, Digest)>,
    /// The digests of the files that must be analyzed, by path.
    changed: BTreeMap<String, Digest>,
}

/// Computes the digest of the input of an analysis.
struct InputDigests {
    workspace: Arc<Workspace>,
    files: FileAnalyzer,
    /// The digest of what all files depend on.
    common: Digest,
}

/// What is known of a file before it is analyzed.
enum Known {
    Skipped,
    /// The file cannot be read, or is not analyzed for another reason that must be reported.
    Unread,
    Input(Digest),
}

impl CleanFiles {
    /// Removes from `found` the files that are known to have no findings, and those that no phase analyzes. `None` if
    /// nothing can be remembered.
    pub(crate) fn open(
        session: &Session,
        arguments: &Arguments,
        found: Found,
    ) -> (Option<Self>, Found) {
        let (Some(cache), Some(inputs)) = (
            DigestCache::of(&session.workspace),
            InputDigests::of(session),
        ) else {
            return (None, found);
        };
        let (inputs, clean) = (Arc::new(inputs), cache.load());
        let mut this = Self {
            cache,
            inputs,
            kept: Vec::new(),
            changed: BTreeMap::new(),
        };
        let paths = found.files().to_vec();
        let known = this.inputs.known(paths.clone(), arguments);
        let mut left = Vec::new();
        for (path, known) in paths.into_iter().zip(known) {
            match known {
                Known::Skipped => {}
                Known::Unread => left.push(path),
                Known::Input(digest) if clean.contains(digest.as_bytes()) => {
                    this.kept.push((path, digest));
                }
                Known::Input(digest) => {
                    this.changed.insert(path.clone(), digest);
                    left.push(path);
                }
            }
        }
        (Some(this), found.with_files(left))
    }

    /// The files that are known to have no findings.
    pub(crate) fn clean(&self) -> Vec<String> {
        self.kept.iter().map(|(path, _)| path.clone()).collect()
    }

    /// Remembers the files of the survey that have no findings. A file that has changed during the survey is left out,
    /// because it is unknown which of its texts was analyzed.
    pub(crate) fn remember(mut self, survey: &Survey, arguments: &Arguments) {
        let silent = survey.files.iter().filter(|file| file.snapshot.is_none());
        let silent: BTreeSet<&str> = silent.map(|file| file.report.path()).collect();
        self.changed
            .retain(|path, _| silent.contains(path.as_str()));
        let paths: Vec<String> = self.changed.keys().cloned().collect();
        let now = self.inputs.known(paths, arguments);
        let unchanged = self.changed.values().zip(now);
        let unchanged = unchanged.filter_map(|(before, now)| match now {
            Known::Input(now) if now == *before => Some(*before),
            _ => None,
        });
        let kept = self.kept.iter().map(|(_, digest)| *digest);
        let digests: Vec<Digest> = kept.chain(unchanged).collect();
        // If this fails, the next run analyzes these files again.
        let _ = self.cache.store(&digests);
    }
}

impl InputDigests {
    fn of(session: &Session) -> Option<Self> {
        let options = AnalysisOptions::default();
        let project = serde_json::to_vec(session.project()).ok()?;
        let common = Digest::of_parts([this_program().ok()?.as_slice(), &project]);
        Some(Self {
            workspace: Arc::clone(&session.workspace),
            files: session.file_analyzer(options, false),
            common,
        })
    }

    fn known(self: &Arc<Self>, paths: Vec<String>, arguments: &Arguments) -> Vec<Known> {
        let limits = (
            Duration::from_secs(arguments.time_limit),
            OnTimeout::Continue,
        );
        let this = Arc::clone(self);
        let known = work_on(
            paths,
            jobs(arguments),
            limits,
            move |path: &String| this.of_file(path),
            || {},
        );
        let known = known.into_iter();
        let known = known.map(|known| match known {
            Some(TimedResult::Done(known)) => known,
            Some(TimedResult::TimedOut) | None => Known::Unread,
        });
        known.collect()
    }

    fn of_file(&self, path: &str) -> Known {
        let source = match self.files.read(&self.workspace, path) {
            Ok(source) => source,
            Err(FileOutcome::Skipped(_)) => return Known::Skipped,
            Err(_) => return Known::Unread,
        };
        let input = self.files.inputs.of_file(source, Reported::default());
        match serde_json::to_vec(&input) {
            Ok(input) => Known::Input(Digest::of_parts([
                self.common.as_bytes().as_slice(),
                &input,
            ])),
            Err(_) => Known::Unread,
        }
    }
}

fn this_program() -> Result<Vec<u8>, ReadError> {
    // Unlike the path, this link leads to the running program even after it was replaced.
    let program = std::path::Path::new("/proc/self/exe");
    read_file(program, MAX_PROGRAM_SIZE)
}
