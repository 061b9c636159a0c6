//! Decides when edits of two different fixes can be applied together. This is the whole conflict
//! policy. `rank_order` decides which of two conflicting fixes wins.

use fixpoint_report::Edit;

/// The relation between two edits of different fixes in one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// The edits are independent.
    Apart,
    /// The same change: applying it once satisfies both.
    Same,
    Conflict,
}

/// Overlapping edits conflict, unless both put the same text in the same place. Two replaced ranges
/// may touch, since each owns its bytes. An insertion may not touch a replaced range or another
/// insertion, since the order of the two texts would be undefined.
pub(crate) fn relation(a: &Edit, b: &Edit) -> Relation {
    let same_range = (a.start, a.end) == (b.start, b.end);
    if same_range && a.replacement == b.replacement {
        return Relation::Same;
    }
    let an_insertion = a.start == a.end || b.start == b.end;
    let collide = if an_insertion {
        a.start <= b.end && b.start <= a.end
    } else {
        a.start < b.end && b.start < a.end
    };
    if collide {
        Relation::Conflict
    } else {
        Relation::Apart
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: u64, end: u64, replacement: &str) -> Edit {
        Edit {
            start,
            end,
            replacement: replacement.to_owned(),
            ..Edit::default()
        }
    }

    fn both_ways(a: &Edit, b: &Edit) -> Relation {
        assert_eq!(relation(a, b), relation(b, a));
        relation(a, b)
    }

    #[test]
    fn overlap_is_a_conflict_unless_identical() {
        // C-32 C-33 X-42
        assert_eq!(
            both_ways(&edit(0, 4, "x"), &edit(2, 6, "y")),
            Relation::Conflict
        );
        assert_eq!(
            both_ways(&edit(0, 4, "x"), &edit(1, 2, "x")),
            Relation::Conflict
        );
        assert_eq!(
            both_ways(&edit(0, 4, "x"), &edit(0, 4, "y")),
            Relation::Conflict
        );
        assert_eq!(
            both_ways(&edit(0, 4, "x"), &edit(0, 4, "x")),
            Relation::Same
        );
        assert_eq!(both_ways(&edit(0, 4, ""), &edit(0, 4, "")), Relation::Same);
    }

    #[test]
    fn touching_edits_conflict_only_if_one_is_an_insertion() {
        assert_eq!(both_ways(&edit(0, 2, ""), &edit(2, 4, "")), Relation::Apart);
        assert_eq!(
            both_ways(&edit(0, 2, "x"), &edit(2, 4, "y")),
            Relation::Apart
        );
        assert_eq!(
            both_ways(&edit(2, 2, "x"), &edit(2, 4, "y")),
            Relation::Conflict
        );
        assert_eq!(
            both_ways(&edit(4, 4, "x"), &edit(2, 4, "")),
            Relation::Conflict
        );
        assert_eq!(
            both_ways(&edit(3, 3, "x"), &edit(2, 4, "")),
            Relation::Conflict
        );
        assert_eq!(
            both_ways(&edit(2, 2, "x"), &edit(2, 2, "y")),
            Relation::Conflict
        );
        assert_eq!(
            both_ways(&edit(2, 2, "x"), &edit(3, 3, "y")),
            Relation::Apart
        );
    }

    #[test]
    fn identical_insertions_are_merged() {
        assert_eq!(
            both_ways(&edit(2, 2, "x"), &edit(2, 2, "x")),
            Relation::Same
        );
    }
}
