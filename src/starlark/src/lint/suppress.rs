//! `# buildifier: disable=NAME` (or `buildozer:`): no findings of that rule on the lines of the node
//! that carries the comment.

use super::Finding;
use crate::tree::{NodeId, Tree};

/// The parts of a file in which a rule is silent: byte ranges of whole lines, in order, apart.
pub(super) struct Suppressed(Vec<(usize, usize)>);

impl Suppressed {
    pub fn of(tree: &Tree<'_>, rule: &str) -> Self {
        let texts = tree.comments.iter().map(|c| tree.slice(c.start, c.end));
        let named: Vec<bool> = texts.map(|text| disables(text, rule)).collect();
        if !named.contains(&true) {
            return Self(Vec::new());
        }
        let breaks = tree.text.bytes().zip(1..).filter(|(b, _)| *b == b'\n');
        let starts: Vec<usize> = std::iter::once(0).chain(breaks.map(|(_, at)| at)).collect();
        let start_of = |line: u32| {
            starts
                .get(line as usize - 1)
                .copied()
                .unwrap_or(tree.text.len() + 1)
        };
        let mut areas = Vec::new();
        for id in 0..tree.nodes.len() as NodeId {
            let Some(comments) = tree.attached(id) else {
                continue;
            };
            let all = || {
                comments
                    .before
                    .iter()
                    .chain(&comments.suffix)
                    .chain(&comments.after)
            };
            if !all().any(|id| named[*id as usize]) {
                continue;
            }
            let node = tree.node(id);
            let lines = all().map(|id| tree.comments[*id as usize].line);
            let (first, last) = lines.fold((node.line, node.end_line), |(first, last), line| {
                (first.min(line), last.max(line))
            });
            areas.push((start_of(first), start_of(last + 1)));
        }
        areas.sort_unstable();
        areas.dedup_by(|next, last| {
            let joined = next.0 <= last.1;
            if joined {
                last.1 = last.1.max(next.1);
            }
            joined
        });
        Self(areas)
    }

    pub fn covers(&self, finding: &Finding) -> bool {
        let at = finding.span.start();
        let before = self.0.partition_point(|(start, _)| *start <= at);
        before > 0 && at < self.0[before - 1].1
    }
}

/// Whether a comment disables `rule`, alone or among others.
fn disables(comment: &str, rule: &str) -> bool {
    let Some(at) = ["buildifier:", "buildozer:"]
        .iter()
        .find_map(|tool| comment.find(tool).map(|at| at + tool.len()))
    else {
        return false;
    };
    let Some(list) = comment[at..].trim_start().strip_prefix("disable=") else {
        return false;
    };
    let list = list.split_whitespace().next().unwrap_or("");
    list.split(',').any(|name| name == rule)
}
