//! Limits on the size of a patch, from the numbers that git reports.
//!
//! A justification exempts the files that it names from `diff.max_files` and `diff.max_loc`. The
//! whole patch still has to stay within `diff.hard_max_files` and `diff.hard_max_loc`, which nothing
//! that an engine writes can lift.

use serde::{Deserialize, Serialize};

use super::changes::{MalformedGitOutput, fields};
use crate::config::ProveConfig;

/// The size of a patch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DiffSummary {
    pub files_changed: u64,
    pub loc_added: u64,
    pub loc_removed: u64,
    pub by_file: Vec<FileDiff>,
}

/// The size of the changes in one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileDiff {
    pub file: String,
    pub added: u64,
    pub removed: u64,
    /// Whether git counts no lines because the file is binary.
    #[serde(default)]
    pub binary: bool,
}

/// An engine's reason for changing a file in a large patch. It is quoted in the pull request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileJustification {
    pub file: String,
    pub reason: String,
}

/// Whether a policy accepts a patch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyDecision {
    pub ok: bool,
    /// Why the patch is refused, or which justification was needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl PolicyDecision {
    fn refuse(reason: String) -> Self {
        Self {
            ok: false,
            reason: Some(reason),
        }
    }
}

impl DiffSummary {
    /// The sums of these files.
    pub fn new(by_file: Vec<FileDiff>) -> Self {
        let sum = |count: fn(&FileDiff) -> u64| {
            let counts = by_file.iter().map(count);
            counts.fold(0, u64::saturating_add)
        };
        Self {
            files_changed: by_file.len() as u64,
            loc_added: sum(|file| file.added),
            loc_removed: sum(|file| file.removed),
            by_file,
        }
    }

    /// Reads the output of `git diff --numstat -z`.
    pub fn from_numstat(output: &[u8]) -> Result<Self, MalformedGitOutput> {
        let malformed = |reason: &str| MalformedGitOutput {
            option: "--numstat",
            reason: reason.to_owned(),
        };
        let mut fields = fields("--numstat", output)?;
        let mut by_file = Vec::new();
        while let Some(record) = fields.next() {
            let parts: Vec<&str> = record.splitn(3, '\t').collect();
            let [added, removed, path] = parts[..] else {
                return Err(malformed("a record does not have three fields"));
            };
            let binary = added == "-" && removed == "-";
            let count = |text: &str| match text.parse() {
                _ if binary => Ok(0),
                Ok(count) => Ok(count),
                Err(_) => Err(malformed("a count is not a number")),
            };
            // A rename has an empty path here, and then the old and the new path.
            let path = if path.is_empty() {
                fields.next();
                fields
                    .next()
                    .ok_or_else(|| malformed("a path is missing"))?
            } else {
                path
            };
            by_file.push(FileDiff {
                file: path.to_owned(),
                added: count(added)?,
                removed: count(removed)?,
                binary,
            });
        }
        Ok(Self::new(by_file))
    }

    fn loc(&self) -> u64 {
        self.loc_added.saturating_add(self.loc_removed)
    }
}

/// Checks the size of a patch. See the module for how justifications count.
///
/// The sums are computed again from the files, so a summary with wrong sums changes nothing.
pub fn evaluate_diff_policy(
    summary: &DiffSummary,
    config: &ProveConfig,
    justifications: &[FileJustification],
) -> PolicyDecision {
    let limits = &config.diff;
    let total = DiffSummary::new(summary.by_file.clone());
    if total.by_file.is_empty() {
        return PolicyDecision::refuse("the patch changes nothing".to_owned());
    }
    if let Some(file) = total.by_file.iter().find(|file| file.binary) {
        let reason = format!("{}: binary files cannot be reviewed in a patch", file.file);
        return PolicyDecision::refuse(reason);
    }
    for (found, limit, key) in [
        (total.files_changed, limits.hard_max_files, "files"),
        (total.loc(), limits.hard_max_loc, "loc"),
    ] {
        if found > limit {
            return PolicyDecision::refuse(format!(
                "the patch changes {found} {}, more than the ceiling of {limit} \
                 (diff.hard_max_{key}); a justification cannot lift it",
                unit(key)
            ));
        }
    }
    let (justified, plain): (Vec<FileDiff>, Vec<FileDiff>) =
        total.by_file.into_iter().partition(|file| {
            justifications.iter().any(|justification| {
                justification.file == file.file && !justification.reason.trim().is_empty()
            })
        });
    let over = total.files_changed > limits.max_files
        || total.loc_added.saturating_add(total.loc_removed) > limits.max_loc;
    let counted = DiffSummary::new(plain);
    for (found, limit, key) in [
        (counted.files_changed, limits.max_files, "files"),
        (counted.loc(), limits.max_loc, "loc"),
    ] {
        if found > limit {
            return PolicyDecision::refuse(format!(
                "the patch changes {found} {} without a justification, more than {limit} \
                 (diff.max_{key})",
                unit(key)
            ));
        }
    }
    let reason = over.then(|| {
        let names: Vec<&str> = justified.iter().map(|file| file.file.as_str()).collect();
        format!(
            "over the limits, with justifications for {}",
            names.join(", ")
        )
    });
    PolicyDecision { ok: true, reason }
}

fn unit(key: &str) -> &'static str {
    if key == "files" { "files" } else { "lines" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(count: u64, lines: u64) -> DiffSummary {
        let file = |index| FileDiff {
            file: format!("f{index}"),
            added: lines,
            removed: 0,
            binary: false,
        };
        DiffSummary::new((0..count).map(file).collect())
    }

    fn justify(names: &[&str]) -> Vec<FileJustification> {
        let justify = |name: &&str| FileJustification {
            file: (*name).to_owned(),
            reason: "callers change too".to_owned(),
        };
        names.iter().map(justify).collect()
    }

    fn ok(summary: &DiffSummary, justifications: &[FileJustification]) -> bool {
        evaluate_diff_policy(summary, &ProveConfig::default(), justifications).ok
    }

    // E-27 E-47 E-52
    #[test]
    fn numstat_is_read() {
        let output = b"3\t1\ta b.py\0-\t-\timage.png\x000\t0\t\0old\0new\0";
        let summary = DiffSummary::from_numstat(output).unwrap();
        assert_eq!(
            (
                summary.files_changed,
                summary.loc_added,
                summary.loc_removed
            ),
            (3, 3, 1)
        );
        assert_eq!(summary.by_file[2].file, "new");
        assert!(summary.by_file[1].binary);
        for output in [&b"3\t1"[..], b"x\t1\tp\0", b"1\t1\t\0old\0", b"-\t1\tp\0"] {
            assert!(DiffSummary::from_numstat(output).is_err());
        }
    }

    // E-05 E-28 E-56 E-57 E-59 X-43
    #[test]
    fn limits_hold_at_their_boundary() {
        assert!(ok(&files(8, 1), &[]));
        assert!(!ok(&files(9, 1), &[]));
        assert!(ok(&files(1, 300), &[]));
        assert!(!ok(&files(1, 301), &[]));
        assert!(!ok(&files(0, 0), &[]));
    }

    // E-58 X-23
    #[test]
    fn a_justification_lifts_limits_for_its_files_up_to_the_ceiling() {
        assert!(ok(&files(9, 1), &justify(&["f0"])));
        assert!(!ok(&files(10, 1), &justify(&["f0"])));
        assert!(!ok(&files(9, 1), &justify(&["other"])));
        assert!(ok(&files(1, 2000), &justify(&["f0"])));
        assert!(!ok(&files(1, 2001), &justify(&["f0"])));
        let all: Vec<String> = (0..41).map(|index| format!("f{index}")).collect();
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        assert!(ok(&files(40, 1), &justify(&all)));
        assert!(!ok(&files(41, 1), &justify(&all)));
        let blank = [FileJustification {
            file: "f0".to_owned(),
            reason: " ".to_owned(),
        }];
        assert!(!ok(&files(9, 1), &blank));
    }

    // E-64
    #[test]
    fn wrong_sums_and_binary_files_are_not_accepted() {
        let mut summary = files(9, 1);
        summary.files_changed = 1;
        assert!(!ok(&summary, &[]));
        let mut summary = files(1, 0);
        summary.by_file[0].binary = true;
        assert!(!ok(&summary, &justify(&["f0"])));
    }
}
