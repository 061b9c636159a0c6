//! Plans computed from lists of reports, before anything is written.

use fixpoint_edit::{EditProblem, plan};
use fixpoint_report::{Canonical, Edit, Fix, FixReport, RejectionReason, Step};
use fixpoint_text::{Digest, Snapshot};

/// A report whose canonical text is `canonical`, reached by one edit of the whole file.
fn report(base: &Snapshot, canonical: &str, fixes: &[Fix]) -> (FixReport, Snapshot) {
    let changed = base.text() != canonical;
    let report = FixReport {
        fixes: fixes.to_vec(),
        canonical: Some(Canonical {
            sha256: Digest::of(canonical.as_bytes()).to_string(),
            length: canonical.len() as u64,
            edits: changed
                .then(|| Edit::replace(base, (0..base.text().len()).into(), canonical))
                .into_iter()
                .collect(),
            steps: vec![Step {
                round: 1,
                fix_id: "f-0".to_owned(),
                rule: "format".to_owned(),
            }],
        }),
        ..FixReport::new(base, "text")
    };
    (report, base.clone())
}

fn fix(id: &str, edits: Vec<Edit>) -> Fix {
    Fix {
        id: id.to_owned(),
        safety: 1,
        confidence: 1,
        kind: 1,
        edits,
        ..Fix::default()
    }
}

fn paths(plan: &fixpoint_edit::Plan) -> Vec<Vec<(&str, &str)>> {
    plan.groups
        .iter()
        .map(|group| {
            group
                .iter()
                .map(|file| (file.path.as_str(), file.text.as_str()))
                .collect()
        })
        .collect()
}

#[test]
fn files_change_independently_unless_a_fix_joins_them() {
    //
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|path| Snapshot::new(path, format!("{path}\n")));
    let joined = fix(
        "f-1",
        vec![Edit::insert(&a, 0, "+"), Edit::insert(&c, 0, "+")],
    );
    let reports = [
        report(&a, "a\n", std::slice::from_ref(&joined)),
        report(&b, "B\n", &[]),
        report(&c, "c\n", &[joined]),
        report(&d, "d\n", &[]),
    ];
    let planned = plan(&reports, &|_| true).expect("fits");
    assert_eq!(
        paths(&planned),
        [vec![("a", "+a\n"), ("c", "+c\n")], vec![("b", "B\n")]]
    );
    assert_eq!(planned.across_files, ["f-1"]);

    let without = plan(&reports, &|_| false).expect("fits");
    assert_eq!(paths(&without), [vec![("b", "B\n")]]);
}

#[test]
fn a_fix_without_a_report_for_its_other_file_is_rejected() {
    let (a, b) = (Snapshot::new("a", "a\n"), Snapshot::new("b", "b\n"));
    let joined = fix(
        "f-1",
        vec![Edit::insert(&a, 0, "+"), Edit::insert(&b, 0, "+")],
    );
    let planned = plan(&[report(&a, "A\n", &[joined])], &|_| true).expect("fits");
    assert_eq!(paths(&planned), [vec![("a", "A\n")]]);
    assert_eq!(
        planned
            .rejected
            .iter()
            .map(|it| it.reason())
            .collect::<Vec<_>>(),
        [RejectionReason::Invalid]
    );
}

#[test]
fn a_fix_that_conflicts_with_canonical_text_is_rejected() {
    let (a, b) = (Snapshot::new("a", "a\n"), Snapshot::new("b", "b\n"));
    let joined = fix(
        "f-1",
        vec![
            Edit::replace(&a, (0..1).into(), "x"),
            Edit::insert(&b, 0, "+"),
        ],
    );
    let reports = [
        report(&a, "A\n", std::slice::from_ref(&joined)),
        report(&b, "b\n", &[joined]),
    ];
    let planned = plan(&reports, &|_| true).expect("fits");
    assert_eq!(paths(&planned), [vec![("a", "A\n")]]);
    assert_eq!(
        planned.rejected[0].winner_id.as_deref(),
        Some("canonical text of a")
    );
}

#[test]
fn a_stale_file_and_a_wrong_digest_are_rejected() {
    // C-23
    let base = Snapshot::new("a", "a\n");
    let (stored, _) = report(&base, "A\n", &[]);
    let stale = plan(&[(stored.clone(), Snapshot::new("a", "edited\n"))], &|_| {
        true
    })
    .expect_err("stale");
    assert_eq!(stale.problem(), &EditProblem::OtherSnapshot);

    let mut lying = stored;
    lying.canonical.as_mut().expect("set").sha256 = Digest::of(b"other").to_string();
    let error = plan(&[(lying, base)], &|_| true).expect_err("wrong");
    assert_eq!(error.problem(), &EditProblem::WrongResult);
}
