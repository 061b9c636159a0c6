//! Pages for people, computed from the evidence: `evidence.md`, `pr-body.md`, `pr-title.txt` and the
//! summary of a failure. The pages contain no times, so that they are equal for equal runs.

mod body;
mod failure;
pub mod markdown;
mod page;
mod title;

use std::collections::BTreeSet;

pub use body::pr_body;
pub use failure::failure_summary;
pub use page::evidence_page;
pub use title::pr_title;

use crate::evidence::{ChainedRecord, Evidence};
use crate::record::{CommandRecord, World};
use crate::verdict::Verdict;

/// The worlds in the order of tables.
const WORLDS: [World; 4] = [World::Base, World::TestsOnly, World::FixOnly, World::Both];

fn world_name(world: World) -> &'static str {
    match world {
        World::Base => "base",
        World::TestsOnly => "base + tests",
        World::FixOnly => "base + fix",
        World::Both => "base + fix + tests",
    }
}

fn result_of(record: &CommandRecord) -> String {
    match record.exit_code {
        _ if record.timed_out => "timed out".to_owned(),
        Some(0) => "passes".to_owned(),
        Some(code) => format!("fails (exit {code})"),
        None => "ended by a signal".to_owned(),
    }
}

fn verdict_word(verdict: Verdict) -> String {
    let word = serde_json::to_value(verdict).ok();
    let word = word.as_ref().and_then(|word| word.as_str());
    word.unwrap_or("unknown").to_owned()
}

/// Links to records, and which records were linked.
#[derive(Default)]
struct Citations {
    cited: BTreeSet<u32>,
}

impl Citations {
    /// The most records that one claim links to.
    const MAX_LINKS: usize = 6;

    fn one(&mut self, index: u32) -> String {
        self.cited.insert(index);
        format!("[#{index}](#record-{index})")
    }

    /// Links to the first records, and says how many more there are.
    fn all(&mut self, indexes: &[u32]) -> String {
        let shown = indexes.iter().take(Self::MAX_LINKS);
        let mut text: Vec<String> = shown.map(|index| self.one(*index)).collect();
        if indexes.len() > Self::MAX_LINKS {
            text.push(format!("and {} more", indexes.len() - Self::MAX_LINKS));
        }
        text.join(" ")
    }
}

/// The plain runs of the worlds: without trials, mutants and other variants.
fn world_runs(evidence: &Evidence) -> impl Iterator<Item = (World, &ChainedRecord)> {
    let plain = |chained: &&ChainedRecord| chained.record.variant.is_none();
    let runs = evidence.commands.iter().filter(plain);
    runs.filter_map(|chained| Some((chained.record.world?, chained)))
}
