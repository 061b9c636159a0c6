//! `bazel run //:fix -- --audit`: which files nothing checks.
//!
//! What `fix` would look at is compared with what the build has reports on. A report counts while
//! its file holds the bytes it was made for.

use std::collections::BTreeMap;

use fixpoint_format::SourceLanguage;
use fixpoint_report::FixReport;
use fixpoint_workspace::Found;

use crate::Verdict;
use crate::failure::Failure;
use crate::output::Output;
use crate::render::words::{count, shown};
use crate::session::Session;

pub(crate) fn run(
    session: &Session,
    found: Found,
    built: &[FixReport],
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let mut reported: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for report in built {
        let digest = report.base.as_ref().map_or("", |it| it.sha256.as_str());
        reported.entry(report.path()).or_default().push(digest);
    }
    let (mut files, mut unchecked) = (0, 0);
    for path in found.into_files() {
        let Ok(snapshot) = session.workspace.read(&path) else {
            continue;
        };
        if SourceLanguage::of(&path, snapshot.text(), &session.config).is_none() {
            continue;
        }
        files += 1;
        let digest = snapshot.digest().to_string();
        let why = match reported.get(path.as_str()) {
            None => "no target lists it",
            Some(digests) if digests.contains(&digest.as_str()) => continue,
            Some(_) => "changed since the build",
        };
        unchecked += 1;
        output.line(&shown(&format!("{path}: {why}")))?;
    }
    let checked = files - unchecked;
    output.line(&format!(
        "{checked} of {} are checked by the build; {unchecked} not",
        count(files, "file")
    ))?;
    output.flush()?;
    Ok(if unchecked > 0 {
        Verdict::Findings
    } else {
        Verdict::Done
    })
}
