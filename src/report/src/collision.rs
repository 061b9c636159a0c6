//! Checks that the edits of one fix can be applied together.

use crate::wire::Edit;

/// Returns an edit that overlaps another edit of the list or inserts at the same position. The
/// order of the list does not matter.
pub fn collision(edits: &[Edit]) -> Option<&Edit> {
    if edits.is_sorted_by_key(place) {
        return first_collision(edits.iter());
    }
    let mut in_order: Vec<&Edit> = edits.iter().collect();
    in_order.sort_by_key(|edit| place(edit));
    first_collision(in_order.into_iter())
}

fn place(edit: &Edit) -> (&str, u64, u64) {
    (&edit.path, edit.start, edit.end)
}

fn first_collision<'a>(mut in_order: impl Iterator<Item = &'a Edit>) -> Option<&'a Edit> {
    let mut last = in_order.next()?;
    in_order.find(|edit| {
        let before = std::mem::replace(&mut last, edit);
        before.path == edit.path && (edit.start < before.end || place(before) == place(edit))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: u64, end: u64) -> Edit {
        Edit {
            start,
            end,
            ..Edit::default()
        }
    }

    #[test]
    fn edits_may_touch_but_not_overlap() {
        assert_eq!(collision(&[edit(2, 4), edit(0, 2), edit(4, 4)]), None);
        assert_eq!(collision(&[edit(2, 4), edit(0, 3)]), Some(&edit(2, 4)));
        assert_eq!(collision(&[edit(1, 1), edit(1, 1)]), Some(&edit(1, 1)));
        let mut other = edit(0, 3);
        other.path = "b".to_owned();
        assert_eq!(collision(&[edit(0, 3), other]), None);
    }
}
