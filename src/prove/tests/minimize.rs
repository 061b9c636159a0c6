//! The minimal patch equals the hand-made one in generated fixtures, within 2n + 10 trials.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_prove::minimize::{Files, Trial, compose, default_limit, edits, minimize};
use proptest::prelude::*;

/// A small deterministic generator of numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % limit) as usize
    }
}

struct Fixture {
    base: Files,
    patched: Files,
    /// The hand-made minimum.
    minimum: Files,
}

/// Files of lines `key = value`. The patch changes some values; `fix_*` lines are needed, `noise_*`
/// lines are not. A line `use_N` without its `helper_N` does not build; half of the pairs are needed.
fn fixture(seed: u64) -> Fixture {
    let mut numbers = Numbers(seed);
    let [mut base, mut patched, mut minimum] = [const { String::new() }; 3];
    let blocks = 3 + numbers.below(10);
    for block in 0..blocks {
        let shared = format!("line_{block} = 0\nend_{block} = 0\n");
        base.push_str(&shared);
        patched.push_str(&shared);
        minimum.push_str(&shared);
        let needed = block == 0 || numbers.below(3) == 0;
        match numbers.below(4) {
            // A changed line.
            0 => {
                let name = if needed { "fix" } else { "noise" };
                base.push_str(&format!("{name}_{block} = 1\n"));
                patched.push_str(&format!("{name}_{block} = 2\n"));
                minimum.push_str(&format!("{name}_{block} = {}\n", 1 + usize::from(needed)));
            }
            // Two added lines, of which at most one is needed.
            1 => {
                let fix = format!("fix_{block} = 2\n");
                patched.push_str(&format!("noise_{block} = 2\n"));
                if needed {
                    patched.push_str(&fix);
                    minimum.push_str(&fix);
                }
            }
            // A helper and its use, apart from one another.
            2 => {
                let word = if needed { "fix_use" } else { "use" };
                let helper = format!("helper_{block} = 2\n");
                let user = format!("{word}_{block} = helper_{block}\n");
                let between = format!("between_{block} = 0\n");
                patched.push_str(&format!("{helper}{between}{user}"));
                base.push_str(&between);
                if needed {
                    minimum.push_str(&format!("{helper}{between}{user}"));
                } else {
                    minimum.push_str(&between);
                }
            }
            // A removed line.
            _ => {
                let name = if needed { "bug" } else { "old" };
                base.push_str(&format!("{name}_{block} = 1\n"));
                if !needed {
                    minimum.push_str(&format!("{name}_{block} = 1\n"));
                }
            }
        }
    }
    let files = |text: String| BTreeMap::from([("a.cfg".to_owned(), Some(text.into_bytes()))]);
    Fixture {
        base: files(base),
        patched: files(patched),
        minimum: files(minimum),
    }
}

fn judge(files: &Files, wanted: &Files) -> Trial {
    let text = |files: &Files| String::from_utf8(files["a.cfg"].clone().unwrap()).unwrap();
    let (found, wanted) = (text(files), text(wanted));
    let lines: BTreeSet<&str> = found.lines().collect();
    let defined: BTreeSet<&str> = lines
        .iter()
        .filter_map(|line| line.split(" = ").next())
        .collect();
    let used: BTreeSet<&str> = lines
        .iter()
        .filter_map(|line| line.split(" = ").nth(1))
        .filter(|value| value.starts_with("helper_"))
        .collect();
    let helpers = defined.iter().filter(|name| name.starts_with("helper_"));
    // A helper without a use is an error too, as an unused function can be.
    if helpers.copied().collect::<BTreeSet<_>>() != used {
        return Trial::Unresolved;
    }
    let fixed = wanted
        .lines()
        .filter(|line| line.starts_with("fix"))
        .all(|line| lines.contains(line));
    if fixed && !defined.iter().any(|name| name.starts_with("bug")) {
        Trial::Pass
    } else {
        Trial::Fail
    }
}

// E-08
#[test]
fn forty_generated_fixtures() {
    let (mut equal, mut most) = (0, 0.0_f64);
    for seed in 0..40 {
        let fixture = fixture(seed * 7919 + 3);
        let edits = edits(&fixture.base, &fixture.patched);
        let limit = default_limit(&edits);
        let all: Vec<usize> = (0..edits.len()).collect();
        assert_eq!(compose(&fixture.base, &edits, &all), fixture.patched);
        let minimal = minimize(&edits, limit, &mut |chosen| {
            judge(&compose(&fixture.base, &edits, chosen), &fixture.minimum)
        });
        assert!(minimal.trials.len() <= limit);
        most = most.max(minimal.trials.len() as f64 / edits.len() as f64);
        assert_eq!(
            judge(
                &compose(&fixture.base, &edits, &minimal.kept),
                &fixture.minimum
            ),
            Trial::Pass
        );
        for edit in &minimal.kept {
            let record = &minimal.trials[minimal.needed[edit]];
            assert_ne!(record.outcome, Trial::Pass);
            assert!(!record.edits.contains(edit));
        }
        equal += usize::from(compose(&fixture.base, &edits, &minimal.kept) == fixture.minimum);
    }
    println!("{equal} of 40 equal the hand-made patch; at most {most:.2} trials per edit");
    assert!(equal >= 38, "{equal} of 40");
}

#[test]
fn created_and_deleted_files_are_whole() {
    let files = |pairs: &[(&str, Option<&str>)]| -> Files {
        pairs
            .iter()
            .map(|(path, text)| {
                (
                    (*path).to_owned(),
                    text.map(|text| text.as_bytes().to_vec()),
                )
            })
            .collect()
    };
    let base = files(&[("gone", Some("x\n")), ("same", Some("y\n"))]);
    let patched = files(&[
        ("gone", None),
        ("new", Some("a\nb\n")),
        ("same", Some("y\n")),
    ]);
    let edits = edits(&base, &patched);
    assert_eq!(edits.len(), 2);
    let minimal = minimize(&edits, 20, &mut |chosen| {
        let files = compose(&base, &edits, chosen);
        if files.get("new").is_some_and(Option::is_some) {
            Trial::Pass
        } else {
            Trial::Fail
        }
    });
    assert_eq!(minimal.kept, [1]);
    assert!(minimal.complete);
}

#[test]
fn a_block_is_removed_as_a_whole() {
    let files = |text: &str| Files::from([("a.py".to_owned(), Some(text.as_bytes().to_vec()))]);
    let base = files("def f(x):\n    return x\n");
    let patched = files("def f(x):\n    if x is None:\n        return 0\n    return x + 1\n");
    let edits = edits(&base, &patched);
    let minimal = minimize(&edits, default_limit(&edits), &mut |chosen| {
        let files = compose(&base, &edits, chosen);
        let text = String::from_utf8(files["a.py"].clone().unwrap()).unwrap();
        let has = |part: &str| text.contains(part);
        match (has("if x"), has("return 0"), has("x + 1")) {
            (true, false, _) | (false, true, _) => Trial::Unresolved,
            (_, _, true) => Trial::Pass,
            _ => Trial::Fail,
        }
    });
    let text = compose(&base, &edits, &minimal.kept);
    assert_eq!(text, files("def f(x):\n    return x + 1\n"));
}

proptest! {
    #[test]
    fn all_edits_give_the_patched_files(old in "([ab]?\n?){0,12}", new in "([abc]?\n?){0,12}") {
        let files = |text: &str| Files::from([("f".to_owned(), Some(text.as_bytes().to_vec()))]);
        let (base, patched) = (files(&old), files(&new));
        let edits = edits(&base, &patched);
        let all: Vec<usize> = (0..edits.len()).collect();
        prop_assert_eq!(compose(&base, &edits, &all), patched);
        prop_assert_eq!(compose(&base, &edits, &[]), base);
    }
}
