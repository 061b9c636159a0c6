//! Guarantees of a merge, on examples and on random fixes.

use std::collections::BTreeSet;

use fixpoint_edit::{EditProblem, Merge, Snapshots, apply, merge};
use fixpoint_report::{Base, Compatibility, Edit, Fix, RejectionReason};
use fixpoint_text::{Snapshot, Span};
use proptest::collection::vec;
use proptest::prelude::*;

fn fix(id: &str, edits: Vec<Edit>) -> Fix {
    Fix {
        id: id.to_owned(),
        rule: "rule".to_owned(),
        safety: 1,
        confidence: 1,
        kind: 1,
        edits,
        ..Fix::default()
    }
}

fn ids(merge: &Merge<'_>) -> Vec<String> {
    merge.accepted().iter().map(|fix| fix.id.clone()).collect()
}

fn only_rejection(merge: &Merge<'_>) -> (RejectionReason, Option<String>, String) {
    let [rejection] = merge.rejected() else {
        panic!("{:?}", merge.rejected())
    };
    (
        rejection.reason(),
        rejection.winner_id.clone(),
        rejection.detail.clone(),
    )
}

#[test]
fn disjoint_edits_of_different_lengths_apply_at_their_offsets() {
    // C-37 C-38 C-71 C-84 C-93a
    let text = Snapshot::new("a", "one two three");
    let fixes = [
        fix("b", vec![Edit::replace(&text, (8..13).into(), "3")]),
        fix(
            "a",
            vec![Edit::replace(&text, (0..3).into(), "a longer one")],
        ),
    ];
    let merged = merge(&Snapshots::of(&text), &fixes);
    assert_eq!(merged.apply(&text).text, "a longer one two 3");
    assert_eq!(
        merged.edits("a").map(|edit| edit.start).collect::<Vec<_>>(),
        [0, 8]
    );
}

#[test]
fn insertion_and_deletion_are_empty_ranges_and_empty_texts() {
    // C-26 C-27
    let text = Snapshot::new("a", "öx");
    let fixes = [fix(
        "a",
        vec![
            Edit::insert(&text, 2, "-"),
            Edit::delete(&text, (2..3).into()),
        ],
    )];
    assert_eq!(merge(&Snapshots::of(&text), &fixes).apply(&text).text, "ö-");
}

#[test]
fn a_rejected_fix_has_a_reason_and_a_winner() {
    // C-32 C-34 C-36 C-39 C-70: the better rank wins, regardless of the position in the text.
    let text = Snapshot::new("a", "abcdef");
    let mut weaker = fix("a", vec![Edit::replace(&text, (0..4).into(), "x")]);
    weaker.safety = 2;
    let fixes = [
        weaker,
        fix("b", vec![Edit::replace(&text, (2..6).into(), "y")]),
    ];
    let merged = merge(&Snapshots::of(&text), &fixes);
    assert_eq!(ids(&merged), ["b"]);
    let (reason, winner, detail) = only_rejection(&merged);
    assert_eq!(
        (reason, winner.as_deref()),
        (RejectionReason::Conflict, Some("b"))
    );
    assert_eq!(detail, "bytes 0..4 collide with bytes 2..6 of fix b");
}

#[test]
fn identical_edits_are_applied_once_and_satisfy_both() {
    // C-33
    let text = Snapshot::new("a", "abc");
    let twin = || Edit::replace(&text, (1..2).into(), "B");
    let fixes = [
        fix("a", vec![twin()]),
        fix("b", vec![twin(), Edit::insert(&text, 3, "!")]),
    ];
    let merged = merge(&Snapshots::of(&text), &fixes);
    assert_eq!(ids(&merged), ["a", "b"]);
    assert_eq!(merged.apply(&text).text, "aBc!");
    assert!(merged.rejected().is_empty());
}

#[test]
fn adjacent_deletions_are_applied_in_one_round() {
    // Sixty-four neighbouring lines, each removed by a fix of its own.
    let text = Snapshot::new("a", "import x\n".repeat(64));
    let fixes: Vec<Fix> = (0..64)
        .map(|line| {
            fix(
                &format!("f{line:02}"),
                vec![Edit::delete(&text, (line * 9..line * 9 + 9).into())],
            )
        })
        .collect();
    let merged = merge(&Snapshots::of(&text), &fixes);
    assert_eq!(merged.accepted().len(), 64);
    assert_eq!(merged.apply(&text).text, "");
}

#[test]
fn a_fix_is_rejected_as_a_whole() {
    // its second edit has no conflict, but is not applied either.
    let text = Snapshot::new("a", "abcdef");
    let fixes = [
        fix("a", vec![Edit::replace(&text, (0..2).into(), "x")]),
        fix(
            "b",
            vec![
                Edit::replace(&text, (1..3).into(), "y"),
                Edit::replace(&text, (5..6).into(), "z"),
            ],
        ),
    ];
    let merged = merge(&Snapshots::of(&text), &fixes);
    assert_eq!(merged.apply(&text).text, "xcdef");
}

#[test]
fn a_fix_over_two_files_is_rejected_as_a_whole() {
    //
    let (a, b) = (Snapshot::new("a", "aa"), Snapshot::new("b", "bb"));
    let mut snapshots = Snapshots::of(&a);
    let base = Base {
        path: "b".to_owned(),
        sha256: b.digest().to_string(),
        length: 2,
    };
    snapshots.bind(&base, b.clone()).expect("the same text");
    let fixes = [
        fix("a", vec![Edit::replace(&a, (0..1).into(), "x")]),
        fix(
            "b",
            vec![
                Edit::replace(&a, (0..2).into(), "y"),
                Edit::replace(&b, (0..2).into(), "z"),
            ],
        ),
    ];
    let merged = merge(&snapshots, &fixes);
    assert_eq!(merged.apply(&a).text, "xa");
    assert_eq!(merged.apply(&b).text, "bb");
}

#[test]
fn names_conflict_even_if_the_edits_are_far_apart() {
    //
    let text = Snapshot::new("a", "abcdef");
    let using = |id: &str, at: usize, reads: &[&str], writes: &[&str]| Fix {
        compatibility: Some(Compatibility {
            reads: reads.iter().map(ToString::to_string).collect(),
            writes: writes.iter().map(ToString::to_string).collect(),
            ..Compatibility::default()
        }),
        ..fix(id, vec![Edit::delete(&text, (at..at + 1).into())])
    };
    let outcome = |fixes: &[Fix]| ids(&merge(&Snapshots::of(&text), fixes));
    assert_eq!(
        outcome(&[
            using("a", 0, &[], &["imports"]),
            using("b", 5, &["imports"], &[])
        ]),
        ["a"]
    );
    assert_eq!(
        outcome(&[
            using("a", 0, &["imports"], &[]),
            using("b", 5, &[], &["imports"])
        ]),
        ["a"]
    );
    assert_eq!(
        outcome(&[
            using("a", 0, &[], &["imports"]),
            using("b", 5, &[], &["imports"])
        ]),
        ["a"]
    );
    assert_eq!(
        outcome(&[
            using("a", 0, &["imports"], &[]),
            using("b", 5, &["imports"], &[])
        ]),
        ["a", "b"]
    );
}

#[test]
fn declared_conflicts_and_requirements_hold() {
    let text = Snapshot::new("a", "abcdef");
    let at = |id: &str, offset: usize, conflicts: &[&str], requires: &[&str]| Fix {
        compatibility: Some(Compatibility {
            conflicts_with: conflicts.iter().map(ToString::to_string).collect(),
            requires: requires.iter().map(ToString::to_string).collect(),
            ..Compatibility::default()
        }),
        ..fix(id, vec![Edit::delete(&text, (offset..offset + 1).into())])
    };
    let outcome = |fixes: &[Fix]| ids(&merge(&Snapshots::of(&text), fixes));
    assert_eq!(
        outcome(&[at("a", 0, &[], &[]), at("b", 2, &["a"], &[])]),
        ["a"]
    );
    assert_eq!(
        outcome(&[at("a", 0, &["b"], &[]), at("b", 2, &[], &[])]),
        ["a"]
    );
    assert_eq!(
        outcome(&[at("a", 0, &[], &["b"]), at("b", 2, &[], &[])]),
        ["a", "b"]
    );
    assert_eq!(
        outcome(&[at("a", 0, &[], &["gone"]), at("b", 2, &[], &["a"])]),
        [""; 0]
    );
    // A fix whose requirement is missing does not block another fix.
    assert_eq!(
        outcome(&[at("a", 0, &[], &["gone"]), at("b", 0, &[], &[])]),
        ["b"]
    );
}

#[test]
fn edits_that_do_not_fit_are_rejected_with_the_fix_id() {
    // C-23 C-25 C-26 C-31
    let text = Snapshot::new("a", "aöb");
    let other = Snapshot::new("a", "aöc");
    let refused = |edit: Edit| {
        let fixes = [fix("f-7", vec![edit])];
        let (reason, _, detail) = only_rejection(&merge(&Snapshots::of(&text), &fixes));
        assert_eq!(reason, RejectionReason::Invalid);
        assert!(detail.starts_with("fix f-7 on "), "{detail}");
        detail
    };
    assert!(refused(Edit::insert(&text, 2, "x")).contains("byte 2 is inside a UTF-8 character"));
    assert!(
        refused(Edit::delete(&text, (1..9).into()))
            .contains("byte 9, past the end of the text at byte 4")
    );
    assert!(
        refused(Edit {
            start: 3,
            end: 1,
            ..Edit::insert(&text, 1, "x")
        })
        .contains("before it starts")
    );
    assert!(
        refused(Edit::delete(&other, (3..4).into()))
            .contains("made for a different version of the file")
    );
    assert!(
        refused(Edit {
            path: "elsewhere".to_owned(),
            ..Edit::insert(&text, 0, "x")
        })
        .contains("the file has no report")
    );

    let colliding = [fix(
        "f-8",
        vec![
            Edit::delete(&text, (0..3).into()),
            Edit::delete(&text, (1..4).into()),
        ],
    )];
    assert!(
        only_rejection(&merge(&Snapshots::of(&text), &colliding))
            .2
            .contains("two edits of the fix overlap")
    );
    let empty = [fix("f-9", vec![])];
    assert!(
        only_rejection(&merge(&Snapshots::of(&text), &empty))
            .2
            .contains("no edits")
    );
}

#[test]
fn a_report_on_other_bytes_is_rejected() {
    // C-23: an insertion cannot detect the change, so the base digest must.
    let base = Base {
        path: "a".to_owned(),
        sha256: Snapshot::new("a", "old").digest().to_string(),
        length: 3,
    };
    let error = Snapshots::default()
        .bind(&base, Snapshot::new("a", "new"))
        .expect_err("stale");
    assert_eq!(error.problem(), &EditProblem::OtherSnapshot);
    assert_eq!(error.path(), "a");
}

#[test]
fn all_edits_of_a_list_are_applied_or_none() {
    let text = Snapshot::new("a", "abc");
    let (first, second) = (
        Edit::delete(&text, (0..2).into()),
        Edit::insert(&text, 3, "!"),
    );
    assert_eq!(
        apply(&text, &[first.clone(), second.clone()]).map(|it| it.text),
        Ok("c!".to_owned())
    );
    assert!(apply(&text, &[second, first.clone()]).is_err());
    assert!(apply(&Snapshot::new("a", "xbc"), &[first]).is_err());
}

/// The simple way to apply edits: replace from the end backwards.
fn naive(text: &str, edits: &[&Edit]) -> String {
    let mut text = text.to_owned();
    for edit in edits.iter().rev() {
        text.replace_range(edit.start as usize..edit.end as usize, &edit.replacement);
    }
    text
}

fn snapshot_and_fixes() -> impl Strategy<Value = (Snapshot, Vec<Fix>)> {
    let texts = "[a-cäöü🦀\n]{0,30}";
    let raw_edits = vec((0..40usize, 0..6usize, "[xyß]{0,2}"), 1..4);
    (
        texts,
        vec(
            (
                raw_edits,
                1..3i32,
                vec(0..3usize, 0..2),
                vec(0..3usize, 0..2),
            ),
            0..12,
        ),
    )
        .prop_map(|(text, raw)| {
            let snapshot = Snapshot::new("a", text);
            let names =
                |list: Vec<usize>| list.into_iter().map(|name| format!("name{name}")).collect();
            let fixes =
                raw.into_iter()
                    .enumerate()
                    .map(|(index, (edits, safety, reads, writes))| Fix {
                        safety,
                        compatibility: Some(Compatibility {
                            reads: names(reads),
                            writes: names(writes),
                            ..Compatibility::default()
                        }),
                        ..fix(
                            &format!("f{index:02}"),
                            edits
                                .into_iter()
                                .map(|(start, length, replacement)| {
                                    Edit::replace(
                                        &snapshot,
                                        Span::from(start..start + length),
                                        replacement,
                                    )
                                })
                                .collect(),
                        )
                    });
            let fixes = fixes.collect();
            (snapshot, fixes)
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn the_order_of_the_fixes_does_not_matter(
        (snapshot, fixes, permuted) in snapshot_and_fixes().prop_flat_map(|(snapshot, fixes)| {
            (Just(snapshot), Just(fixes.clone()), Just(fixes).prop_shuffle())
        }),
    ) {
        // C-34 C-35 F-55 X-21
        let snapshots = Snapshots::of(&snapshot);
        let (one, two) = (merge(&snapshots, &fixes), merge(&snapshots, &permuted));
        prop_assert_eq!(ids(&one), ids(&two));
        prop_assert_eq!(one.rejected(), two.rejected());
        prop_assert_eq!(one.apply(&snapshot), two.apply(&snapshot));
    }

    #[test]
    fn every_fix_is_accepted_or_rejected_and_applying_is_the_naive_splice((snapshot, fixes) in snapshot_and_fixes()) {
        // C-35 C-36 C-38
        let merged = merge(&Snapshots::of(&snapshot), &fixes);
        let reported: BTreeSet<String> = ids(&merged).into_iter().chain(merged.rejected().iter().map(|it| it.fix_id.clone())).collect();
        prop_assert_eq!(reported.len(), fixes.len());
        prop_assert_eq!(merged.accepted().len() + merged.rejected().len(), fixes.len());

        let edits: Vec<&Edit> = merged.edits("a").collect();
        let applied = merged.apply(&snapshot);
        prop_assert_eq!(&applied.text, &naive(snapshot.text(), &edits));
    }

    #[test]
    fn only_declared_bytes_change_and_the_map_has_every_unchanged_byte((snapshot, fixes) in snapshot_and_fixes()) {
        let merged = merge(&Snapshots::of(&snapshot), &fixes);
        let applied = merged.apply(&snapshot);
        let declared = |offset: u64| merged.edits("a").any(|edit| edit.start <= offset && offset < edit.end);
        for (offset, byte) in snapshot.text().bytes().enumerate() {
            match applied.source_map.edited(offset) {
                None => prop_assert!(declared(offset as u64)),
                Some(edited) => {
                    prop_assert!(!declared(offset as u64));
                    prop_assert_eq!(applied.text.as_bytes()[edited], byte);
                    prop_assert_eq!(applied.source_map.base(edited), offset);
                }
            }
        }
    }
}
