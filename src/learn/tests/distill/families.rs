//! How often learned rules are right on the families of `benches/`.

use crate::family::{Family, Score};

#[test]
fn families_of_small_changes() {
    let families = Family::all("learn_families");
    assert_eq!(families.len(), 60);
    let score = Score::of(&families);
    assert!(score.precision() >= 0.99, "{:?}", score.wrong);
    assert!(score.recall() >= FAMILIES_RECALL, "{}", score.recall());
}

#[test]
fn a_dozen_clean_histories() {
    let families = Family::all("learn_histories");
    assert_eq!(families.len(), 12);
    let score = Score::of(&families);
    assert!(score.wrong.is_empty(), "{:?}", score.wrong);
    assert!(score.recall() >= HISTORIES_RECALL, "{}", score.recall());
}

#[test]
fn fixtures_with_many_edits_and_near_misses() {
    let score = Score::of(&Family::all("learn_fixtures"));
    assert!(score.wrong.is_empty(), "{:?}", score.wrong);
    assert!(score.recall() >= 0.25, "{}", score.recall());
}

/// Measured: 0.806.
const FAMILIES_RECALL: f64 = 0.80;
const HISTORIES_RECALL: f64 = 0.95;
