//! The four sort orders. Each is total: two different items never compare as equal, because the id
//! is the last key.

use std::cmp::{Ordering, Reverse};

use crate::wire::{Edit, Fix, Severity};

/// The position of a list item in its file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Position {
    Bytes { start: u64, end: u64 },
    Pointer(Vec<PointerToken>),
}

impl Position {
    /// The position of a JSON pointer. Array indices are compared as numbers and sort before object
    /// keys.
    pub fn of_pointer(pointer: &str) -> Self {
        let tokens = pointer.split('/').skip(1).map(|token| match token.parse() {
            Ok(index) => PointerToken::Index(index),
            Err(_) => PointerToken::Key(token.to_owned()),
        });
        Self::Pointer(tokens.collect())
    }
}

/// One token of a JSON pointer, in a form that sorts correctly.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PointerToken {
    Index(u64),
    Key(String),
}

/// The sort key of [`emit_order`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmitKey<'a> {
    pub severity: Severity,
    pub file: &'a str,
    pub position: Position,
    pub rule: &'a str,
    pub title: &'a str,
    pub id: &'a str,
}

/// The order of lists in an artifact: severity, file, position or pointer, rule, title, id.
pub fn emit_order(a: &EmitKey<'_>, b: &EmitKey<'_>) -> Ordering {
    best_first(a.severity.into())
        .cmp(&best_first(b.severity.into()))
        .then_with(|| a.file.cmp(b.file))
        .then_with(|| a.position.cmp(&b.position))
        .then_with(|| a.rule.cmp(b.rule))
        .then_with(|| a.title.cmp(b.title))
        .then_with(|| a.id.cmp(b.id))
}

/// The order of candidates, best first: safety, confidence, kind, within one function before across
/// functions, fewer nodes, more resolved diagnostics, id. It also decides which fix wins a
/// conflict.
pub fn rank_order(a: &Fix, b: &Fix) -> Ordering {
    fn key(fix: &Fix) -> impl Ord + '_ {
        let scope = fix.scope.unwrap_or_default();
        (
            best_first(fix.safety),
            best_first(fix.confidence),
            best_first(fix.kind),
            scope.crosses_function,
            scope.node_count,
            Reverse(delta_size(fix)),
            fix.id.as_str(),
        )
    }
    key(a).cmp(&key(b))
}

/// The order of edits: file, start, end, rule, id. Edits are applied from the last to the first.
pub fn apply_order(a: (&Edit, &str, &str), b: (&Edit, &str, &str)) -> Ordering {
    fn key<'a>((edit, rule, id): (&'a Edit, &'a str, &'a str)) -> impl Ord + 'a {
        (edit.path.as_str(), edit.start, edit.end, rule, id)
    }
    key(a).cmp(&key(b))
}

/// The sort key of [`rule_order`], which decides which learned rule is tried first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleKey<'a> {
    pub priority: i64,
    pub pinned: bool,
    /// RFC 3339 in UTC, so that lexical order is chronological order.
    pub created: &'a str,
    pub id: &'a str,
}

/// The order of learned rules, best first: higher priority, pinned, newest, id.
pub fn rule_order(a: &RuleKey<'_>, b: &RuleKey<'_>) -> Ordering {
    fn key<'a>(rule: &'a RuleKey<'_>) -> impl Ord + 'a {
        (
            Reverse(rule.priority),
            Reverse(rule.pinned),
            Reverse(rule.created),
            rule.id,
        )
    }
    key(a).cmp(&key(b))
}

/// The schema numbers each enum's values from 1, best first. The unspecified value 0 wraps around
/// and sorts last.
fn best_first(value: i32) -> u32 {
    (value as u32).wrapping_sub(1)
}

fn delta_size(fix: &Fix) -> usize {
    fix.expected_delta.as_ref().map_or(0, |delta| {
        delta.diagnostics_resolved.len()
            + delta.obligations_discharged.len()
            + delta.holes_filled.len()
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::{select, subsequence};

    use super::*;
    use crate::wire::{Confidence, ExpectedDelta, Kind, Safety, Scope};

    fn fix(
        safety: Safety,
        confidence: Confidence,
        kind: Kind,
        nodes: u32,
        crosses: bool,
        resolved: usize,
        id: &str,
    ) -> Fix {
        Fix {
            id: id.to_owned(),
            safety: safety.into(),
            confidence: confidence.into(),
            kind: kind.into(),
            scope: Some(Scope {
                node_count: nodes,
                crosses_function: crosses,
            }),
            expected_delta: Some(ExpectedDelta {
                diagnostics_resolved: vec![String::new(); resolved],
                ..ExpectedDelta::default()
            }),
            ..Fix::default()
        }
    }

    #[test]
    fn rank_order_compares_keys_in_the_documented_order() {
        // K-49 K-50 K-51 K-52 K-53 X-04: each neighbour pair differs in one key, in key order.
        use {Confidence as C, Kind as K, Safety as S};
        let ranked = [
            fix(
                S::BehaviorPreserving,
                C::High,
                K::LocalFix,
                1,
                false,
                2,
                "a",
            ),
            fix(
                S::BehaviorPreserving,
                C::High,
                K::LocalFix,
                1,
                false,
                2,
                "b",
            ),
            fix(
                S::BehaviorPreserving,
                C::High,
                K::LocalFix,
                1,
                false,
                1,
                "a",
            ),
            fix(
                S::BehaviorPreserving,
                C::High,
                K::LocalFix,
                2,
                false,
                9,
                "a",
            ),
            fix(S::BehaviorPreserving, C::High, K::LocalFix, 1, true, 9, "a"),
            fix(
                S::BehaviorPreserving,
                C::High,
                K::BoundaryValidation,
                1,
                false,
                9,
                "a",
            ),
            fix(
                S::BehaviorPreserving,
                C::High,
                K::Refactor,
                1,
                false,
                9,
                "a",
            ),
            fix(
                S::BehaviorPreserving,
                C::High,
                K::SemanticsChange,
                1,
                false,
                9,
                "a",
            ),
            fix(
                S::BehaviorPreserving,
                C::Medium,
                K::LocalFix,
                1,
                false,
                9,
                "a",
            ),
            fix(S::BehaviorPreserving, C::Low, K::LocalFix, 1, false, 9, "a"),
            fix(S::LikelyPreserving, C::High, K::LocalFix, 1, false, 9, "a"),
            fix(S::BehaviorChanging, C::High, K::LocalFix, 1, false, 9, "a"),
            fix(S::Unspecified, C::High, K::LocalFix, 1, false, 9, "a"),
        ];
        for (better, worse) in ranked.iter().zip(&ranked[1..]) {
            assert_eq!(
                rank_order(better, worse),
                Ordering::Less,
                "{better:?} {worse:?}"
            );
        }
    }

    #[test]
    fn emit_order_compares_keys_in_the_documented_order() {
        // F-56 F-58 F-59 F-60 F-61
        fn key(
            severity: Severity,
            file: &'static str,
            position: Position,
            rule: &'static str,
            title: &'static str,
            id: &'static str,
        ) -> EmitKey<'static> {
            EmitKey {
                severity,
                file,
                position,
                rule,
                title,
                id,
            }
        }
        let bytes = |start| Position::Bytes { start, end: start };
        let pointer = Position::of_pointer;
        let ordered = [
            key(Severity::Error, "a", bytes(1), "r", "t", "1"),
            key(Severity::Error, "a", bytes(1), "r", "t", "2"),
            key(Severity::Error, "a", bytes(1), "r", "u", "1"),
            key(Severity::Error, "a", bytes(1), "s", "a", "1"),
            key(Severity::Error, "a", bytes(2), "a", "a", "1"),
            key(Severity::Error, "a", pointer("/items/2"), "a", "a", "1"),
            key(Severity::Error, "a", pointer("/items/10"), "a", "a", "1"),
            key(Severity::Error, "a", pointer("/items/name"), "a", "a", "1"),
            key(Severity::Error, "b", bytes(0), "a", "a", "1"),
            key(Severity::Warning, "a", bytes(0), "a", "a", "1"),
            key(Severity::Info, "a", bytes(0), "a", "a", "1"),
        ];
        for (first, second) in ordered.iter().zip(&ordered[1..]) {
            assert_eq!(
                emit_order(first, second),
                Ordering::Less,
                "{first:?} {second:?}"
            );
        }
    }

    #[test]
    fn rule_order_prefers_priority_then_pinned_then_newest() {
        // B-37 X-04
        let key = |priority, pinned, created, id| RuleKey {
            priority,
            pinned,
            created,
            id,
        };
        let ordered = [
            key(2, false, "2026-01-01T00:00:00Z", "z"),
            key(1, true, "2026-01-01T00:00:00Z", "a"),
            key(1, false, "2026-03-01T00:00:00Z", "a"),
            key(1, false, "2026-02-01T00:00:00Z", "a"),
            key(1, false, "2026-02-01T00:00:00Z", "b"),
        ];
        for (first, second) in ordered.iter().zip(&ordered[1..]) {
            assert_eq!(rule_order(first, second), Ordering::Less);
        }
    }

    prop_compose! {
        /// The value ranges are small, so that ties in everything except the id are common.
        fn any_fix()(safety in 0..4i32, confidence in 0..4i32, kind in 0..5i32, nodes in 0..3u32,
                     crosses: bool, resolved in 0..3usize, id in 0..1_000_000u32) -> Fix {
            Fix {
                id: format!("f-{id}"), safety, confidence, kind,
                scope: Some(Scope { node_count: nodes, crosses_function: crosses }),
                expected_delta: Some(ExpectedDelta { diagnostics_resolved: vec![String::new(); resolved], ..Default::default() }),
                ..Fix::default()
            }
        }
    }

    /// A list of distinct things and a permutation of it.
    fn shuffled<T: Clone + std::fmt::Debug + 'static>(
        things: impl Strategy<Value = Vec<T>> + 'static,
    ) -> impl Strategy<Value = (Vec<T>, Vec<T>)> {
        things.prop_flat_map(|list| (Just(list.clone()), Just(list).prop_shuffle()))
    }

    fn assert_total<T: std::fmt::Debug + PartialEq>(
        mut list: Vec<T>,
        mut permuted: Vec<T>,
        order: impl Fn(&T, &T) -> Ordering,
    ) {
        list.sort_by(&order);
        permuted.sort_by(&order);
        assert_eq!(list, permuted);
        for (a, b) in list.iter().zip(list.iter().skip(1)) {
            assert!(a == b || order(a, b) == Ordering::Less);
            assert!(a == b || order(b, a) == Ordering::Greater);
        }
    }

    proptest! {
        // C-34 C-35 F-55 X-04: no order depends on the order of its input.
        #[test]
        fn rank_order_is_total((a, b) in shuffled(prop::collection::vec(any_fix(), 0..20))) {
            assert_total(a, b, rank_order);
        }

        #[test]
        fn apply_order_is_total((a, b) in shuffled(prop::collection::vec(
            (select(vec!["a", "b"]), 0..4u64, 0..4u64, select(vec!["r", "s"]), 0..9u8), 0..20))) {
            let build = |list: Vec<(&str, u64, u64, &'static str, u8)>| list.into_iter()
                .map(|(path, start, length, rule, id)| (Edit {
                    path: path.to_owned(), start, end: start + length, ..Edit::default()
                }, rule, id.to_string())).collect::<Vec<_>>();
            assert_total(build(a), build(b), |x, y| apply_order((&x.0, x.1, &x.2), (&y.0, y.1, &y.2)));
        }

        #[test]
        fn emit_order_is_total((a, b) in shuffled(prop::collection::vec(
            (1..4i32, 0..3u64, prop::option::of(subsequence(vec!["/1", "/2", "/10", "/k"], 0..3)), 0..9u8), 0..20))) {
            let texts: Vec<String> = (0..9).map(|id| id.to_string()).collect();
            let build = |list: Vec<(i32, u64, Option<Vec<&str>>, u8)>| list.into_iter()
                .map(|(severity, start, pointer, id)| EmitKey {
                    severity: Severity::try_from(severity).unwrap_or_default(), file: "f",
                    position: pointer.map_or(Position::Bytes { start, end: start }, |it| Position::of_pointer(&it.concat())),
                    rule: "r", title: "t", id: &texts[usize::from(id)],
                }).collect::<Vec<_>>();
            assert_total(build(a), build(b), emit_order);
        }

        #[test]
        fn rule_order_is_total((a, b) in shuffled(prop::collection::vec(
            (0..3i64, any::<bool>(), select(vec!["2026-01-01", "2026-02-01"]), select(vec!["a", "b", "c"])), 0..20))) {
            let build = |list: Vec<(i64, bool, &'static str, &'static str)>| list.into_iter()
                .map(|(priority, pinned, created, id)| RuleKey { priority, pinned, created, id }).collect::<Vec<_>>();
            assert_total(build(a), build(b), rule_order);
        }
    }
}
