//! `bazel run //:fix -- --audit`: lists the files that no build checks.
//!
//! Compares the files that `fix` would examine with the files that the build has reports for. A
//! report is used only while the file's hash matches. A report that was made but not downloaded
//! looks like one that was never made, so the audit names both causes.

use std::collections::BTreeMap;

use fixpoint_format::SourceLanguage;
use fixpoint_workspace::Found;

use super::built::{Built, FETCH, not_downloaded};
use crate::Verdict;
use crate::failure::Failure;
use crate::output::Output;
use crate::render::words::{count, shown};
use crate::session::Session;

pub(crate) fn run(
    session: &Session,
    found: Found,
    built: &Built,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let mut reported: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for report in &built.reports {
        let digest = report.base.as_ref().map_or("", |it| it.sha256.as_str());
        reported.entry(report.path()).or_default().push(digest);
    }
    let (mut files, mut unchecked, mut unreported) = (0, 0, 0);
    for path in found.into_files() {
        if session.workspace.generated(&path).is_some() {
            continue;
        }
        let Ok(snapshot) = session.workspace.read(&path) else {
            continue;
        };
        if SourceLanguage::of(&path, snapshot.text(), session.config()).is_none() {
            continue;
        }
        files += 1;
        let digest = snapshot.digest().to_string();
        let why = match reported.get(path.as_str()) {
            None => {
                unreported += 1;
                "no target lists it, or its report was not downloaded"
            }
            Some(digests) if digests.contains(&digest.as_str()) => continue,
            Some(_) => "changed since the build",
        };
        unchecked += 1;
        output.line(&shown(&format!("{path}: {why}")))?;
    }
    let checked = files - unchecked;
    output.line(&format!(
        "{checked} of {} are checked by the build; {unchecked} are not",
        count(files, "file")
    ))?;
    if unreported > 0 {
        output.line(&format!(
            "To download the reports: bazel build --config=fix {FETCH} //..."
        ))?;
    }
    output.flush()?;
    if built.missing > 0 {
        return Err(not_downloaded(built.missing));
    }
    Ok(if unchecked > 0 {
        Verdict::Findings
    } else {
        Verdict::Done
    })
}
