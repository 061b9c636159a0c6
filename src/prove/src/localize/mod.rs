//! From the output of a failing command to the files that may be at fault.
//!
//! Only files of the repository are suspects. The ranking depends only on the arguments. A compiler
//! error ranks above a stack frame, a frame above a plain mention, and a source above its test.

mod recognize;
mod resolve;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::policy::is_test_path;
use recognize::Recognizer;
use resolve::Files;

/// At most this many suspects are returned.
pub const MAX_SUSPECTS: usize = 50;

/// How much less a test counts: a fix usually belongs into the code that the test calls.
const TEST_PENALTY: u32 = 25;

/// The most that further places of a file add to its score.
const MAX_BONUS: u32 = 5;

/// A file that may be at fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suspect {
    pub path: String,
    /// The line, from 1, if the output names one.
    pub line: Option<u32>,
    /// Where the output names the file.
    pub why: String,
}

/// A place in the output that names a file.
#[derive(Clone, Debug)]
struct Hit {
    path: String,
    line: Option<u32>,
    why: &'static str,
    weight: u32,
}

/// Ranks the files that `output` names.
///
/// `files` are the paths of the repository's files. `roots` are the absolute paths under which the
/// output may name them, such as the scratch tree and the user's tree.
pub fn localize(output: &str, files: &[String], roots: &[&str]) -> Vec<Suspect> {
    let files = Files::new(files, roots);
    let mut recognizer = Recognizer::new(&files);
    for line in output.lines() {
        recognizer.line(&plain(line));
    }
    rank(recognizer.finish(), &files)
}

/// The best hit of a file, and how often the file is named.
struct Scored {
    hit: Hit,
    score: u32,
    count: u32,
    first: usize,
}

fn rank(hits: Vec<Hit>, files: &Files<'_>) -> Vec<Suspect> {
    let mut scored: BTreeMap<String, Scored> = BTreeMap::new();
    let related: Vec<Hit> = hits
        .iter()
        .filter(|hit| is_test_path(&hit.path))
        .flat_map(|hit| {
            let subjects = files.subjects(&hit.path);
            subjects.into_iter().map(|path| Hit {
                path: path.to_owned(),
                line: None,
                why: "named like a failing test",
                weight: subject_weight(hit.weight),
            })
        })
        .collect();
    for (order, hit) in hits.into_iter().chain(related).enumerate() {
        let penalty = if is_test_path(&hit.path) {
            TEST_PENALTY
        } else {
            0
        };
        let score = hit.weight.saturating_sub(penalty);
        match scored.get_mut(&hit.path) {
            None => {
                let first = order;
                let path = hit.path.clone();
                scored.insert(
                    path,
                    Scored {
                        hit,
                        score,
                        count: 1,
                        first,
                    },
                );
            }
            Some(known) => {
                known.count += 1;
                let better = score > known.score
                    || (score == known.score && known.hit.line.is_none() && hit.line.is_some());
                if better {
                    known.score = score;
                    known.hit = hit;
                }
            }
        }
    }
    let mut ranked: Vec<Scored> = scored.into_values().collect();
    let total = |scored: &Scored| scored.score + (scored.count - 1).min(MAX_BONUS);
    ranked.sort_by(|a, b| {
        let key = |scored: &Scored| (std::cmp::Reverse(total(scored)), scored.first);
        key(a)
            .cmp(&key(b))
            .then_with(|| a.hit.path.cmp(&b.hit.path))
    });
    let suspects = ranked.into_iter().take(MAX_SUSPECTS);
    suspects
        .map(|scored| Suspect {
            path: scored.hit.path,
            line: scored.hit.line,
            why: scored.hit.why.to_owned(),
        })
        .collect()
}

/// The weight of the file that a test is named after: above the test, also if the test is named
/// several times.
fn subject_weight(test: u32) -> u32 {
    let above = test.saturating_sub(TEST_PENALTY) + MAX_BONUS + 1;
    above.max(40)
}

/// The line without terminal escapes, and not longer than a reader would look at.
fn plain(line: &str) -> String {
    const LONGEST: usize = 4096;
    let mut text = String::with_capacity(line.len().min(LONGEST));
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        if text.len() >= LONGEST {
            break;
        }
        if character != '\u{1b}' {
            text.push(character);
            continue;
        }
        // `ESC [ parameters letter`; other escapes have one more character.
        if characters.next() == Some('[') {
            for parameter in characters.by_ref() {
                if parameter.is_ascii_alphabetic() {
                    break;
                }
            }
        }
    }
    text
}
