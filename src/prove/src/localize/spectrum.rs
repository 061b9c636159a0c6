//! Spectrum ranking: lines that failing tests run and passing tests do not run are suspicious.

use std::collections::{BTreeMap, BTreeSet};

/// A line of a file, from 1.
pub type Place = (String, u32);

/// Ranks the lines that a failing test covers by Ochiai's formula: `failed / sqrt(all_failed *
/// covering)`. Equal scores are in the order of paths and lines.
///
/// `coverage` holds the covered lines by test name, and `failing` the names of the failing tests.
pub fn ochiai(
    coverage: &BTreeMap<String, BTreeSet<Place>>,
    failing: &BTreeSet<String>,
) -> Vec<(Place, f64)> {
    let mut counts: BTreeMap<&Place, (u32, u32)> = BTreeMap::new();
    let mut all_failed = 0_u32;
    for (test, places) in coverage {
        let failed = u32::from(failing.contains(test));
        all_failed += failed;
        for place in places {
            let count = counts.entry(place).or_default();
            count.0 += failed;
            count.1 += 1;
        }
    }
    let covered = counts.into_iter().filter(|(_, (failed, _))| *failed > 0);
    let mut ranked: Vec<(Place, f64)> = covered
        .map(|(place, (failed, covering))| {
            let scale = (f64::from(all_failed) * f64::from(covering)).sqrt();
            (place.clone(), f64::from(failed) / scale)
        })
        .collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    ranked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_failing_tests_rank_first() {
        let lines = |lines: &[u32]| lines.iter().map(|line| ("a".to_owned(), *line)).collect();
        let coverage = BTreeMap::from([
            ("fails".to_owned(), lines(&[1, 2, 3])),
            ("passes".to_owned(), lines(&[1, 2])),
            ("other".to_owned(), lines(&[1, 9])),
        ]);
        let ranked = ochiai(&coverage, &BTreeSet::from(["fails".to_owned()]));
        let order: Vec<u32> = ranked.iter().map(|(place, _)| place.1).collect();
        assert_eq!(order, [3, 2, 1]);
        assert!((ranked[0].1 - 1.0).abs() < 1e-9);
        assert!(ochiai(&coverage, &BTreeSet::new()).is_empty());
    }
}
