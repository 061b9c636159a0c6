//! Golden tests: the findings in `NAME.in.EXT` are `NAME.report.EXT`, and its text after all fixes
//! and formatting is `NAME.out.EXT`.

#![allow(clippy::disallowed_methods, reason = "tests read fixtures")]

mod common;

use std::collections::BTreeSet;
use std::path::Path;

use common::{fixed, laid_out, read, report};
use fixpoint_lint::LintPhase;

#[test]
fn every_golden_file_matches_and_every_rule_is_covered() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut named: BTreeSet<String> = BTreeSet::new();
    for path in common::files_below(&dir) {
        let name = path.file_name().expect("a name").to_string_lossy();
        let Some((start, end)) = name.split_once(".in.") else {
            continue;
        };
        let input = read(&path);
        let path = if end == "BUILD" { end } else { "golden.bzl" };
        let got = report(path, &input);
        assert_eq!(
            got,
            read(&dir.join(format!("{start}.report.{end}"))),
            "{name}"
        );
        let fixed = laid_out(path, &fixed(path, &input, |_| true));
        let want = read(&dir.join(format!("{start}.out.{end}")));
        assert_eq!(fixed.as_ref(), Ok(&want), "{name}");
        let rules = got.lines().filter_map(|line| line.split(' ').nth(1));
        named.extend(rules.map(str::to_owned));
    }
    let rules = (LintPhase::INFO.rules)().iter().map(|rule| rule.name);
    let missing: Vec<&str> = rules.filter(|rule| !named.contains(*rule)).collect();
    assert_eq!(missing, Vec::<&str>::new(), "no triple shows these");
}
