//! Random ops on random documents: the result has the requested changes, and everything else stays.

use fixpoint_document::{
    Change, Document, Entry, Format, Kind, Number, Op, Pointer, Reason, Value,
};
use proptest::prelude::*;

use crate::harness::{edited, file_name};
use crate::reference::{make, pointers};
use crate::writers::{Chance, remarks, write};

fn number(text: &str) -> Value {
    let document = Document::parse(Format::Json, text).expect("a number");
    document.root().value()
}

fn any_key() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-e]",
        1 => Just("a b".to_owned()),
        1 => Just("no".to_owned()),
        1 => Just("x/y~z".to_owned()),
        1 => Just("1".to_owned()),
        1 => Just(String::new()),
        1 => Just("ä: #".to_owned()),
    ]
}

fn any_scalar(null: bool) -> impl Strategy<Value = Value> {
    prop_oneof![
        3 => (0..100i64).prop_map(|it| Value::Number(Number::from(it))),
        1 => Just(number("-1.50")),
        1 => Just(number("1e5")),
        1 => any::<bool>().prop_map(Value::Bool),
        3 => "[a-z]{0,5}".prop_map(Value::String),
        2 => "[ -~äß\n\t]{0,8}".prop_map(Value::String),
        1 => prop::sample::select(vec!["no", "0o7", "2026-01-26", "~", "1_000", "---", "- a", "a: b", "#", "'", "\""]).prop_map(Value::from),
        1 => Just(if null { Value::Null } else { Value::Bool(false) }),
    ]
}

fn any_value(null: bool) -> impl Strategy<Value = Value> {
    any_scalar(null).prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::btree_map(any_key(), inner, 0..4)
                .prop_map(|it| Value::Object(it.into_iter().collect())),
        ]
    })
}

fn any_object(null: bool) -> impl Strategy<Value = Value> {
    prop::collection::btree_map(any_key(), any_value(null), 0..5)
        .prop_map(|it| Value::Object(it.into_iter().collect()))
}

/// Random ops on `value`, most of which are valid. Later ops see the result of earlier ones.
fn some_ops(
    format: Format,
    mut value: Value,
    count: usize,
    news: &[Value],
    keys: &[String],
    chance: &mut Chance,
) -> Vec<Op> {
    let mut ops = Vec::new();
    for number in 0..count {
        let all = pointers(&value);
        let mut json_pointer = all[chance.below(all.len())].clone();
        if chance.below(20) == 0 {
            json_pointer.push("nowhere");
        }
        let new = news[number % news.len()].clone();
        let key = keys[number % keys.len()].clone();
        let target = find(&value, &json_pointer);
        let known = match target {
            Some(Value::Object(members)) if !members.is_empty() && chance.below(10) > 0 => {
                members[chance.below(members.len())].0.clone()
            }
            _ => keys[(number + 1) % keys.len()].clone(),
        };
        let length = match target {
            Some(Value::Array(items)) => items.len(),
            _ => 1,
        };
        let beyond = usize::from(chance.below(8) == 0);
        let index = chance.below(length + beyond);
        let change = match (target, chance.below(5)) {
            (Some(Value::Object(_)), 0) => Change::AddValue { key, value: new },
            (Some(Value::Object(_)), 1) => Change::RemoveKey { key: known },
            (Some(Value::Object(_)), 2) => Change::RenameKey {
                from: known,
                to: key,
            },
            (Some(Value::Array(_)), 0) => Change::InsertArrayItem {
                index: None,
                value: new,
            },
            (Some(Value::Array(_)), 1) => Change::InsertArrayItem {
                index: Some(index),
                value: new,
            },
            (Some(Value::Array(_)), 2) => Change::RemoveArrayItem { index },
            (Some(Value::Array(_)), 3) => Change::ReplaceArrayItem { index, value: new },
            (_, 0) if chance.below(6) == 0 => Change::RemoveKey { key: known },
            _ if json_pointer.is_root() => Change::AddValue { key, value: new },
            _ => Change::ReplaceValue { value: new },
        };
        let op = Op {
            file: file_name(format).to_owned(),
            json_pointer,
            change,
            expects: None,
            base_sha256: None,
        };
        let is_made = make(&mut value.clone(), &op).is_some();
        if is_made || chance.below(20) == 0 {
            let _ = make(&mut value, &op);
            ops.push(op);
        }
    }
    ops
}

fn find<'v>(value: &'v Value, pointer: &Pointer) -> Option<&'v Value> {
    let mut at = value;
    for token in pointer.tokens() {
        at = match at {
            Value::Object(_) => at.get(token)?,
            Value::Array(items) => items.get(token.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(at)
}

fn expected(value: &Value, ops: &[Op]) -> Option<Value> {
    let mut value = value.clone();
    for op in ops {
        make(&mut value, op)?;
    }
    Some(value)
}

/// A value in which some members are equal, so that one can be an alias of the other.
fn twinned(value: &Value, chance: &mut Chance) -> Value {
    let mut twinned = value.clone();
    if let Value::Object(members) = &mut twinned
        && let [first, .., last] = members.as_mut_slice()
        && chance.below(3) == 0
    {
        last.1 = first.1.clone();
    }
    twinned
}

fn check(format: Format, value: &Value, news: &[Value], keys: &[String], count: usize, seed: u64) {
    let mut chance = Chance::new(seed);
    let value = &twinned(value, &mut chance);
    let text = write(format, value, &mut chance);
    let document = Document::parse(format, &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(
        &document.root().value(),
        value,
        "the writer is wrong:\n{text}"
    );
    let ops = some_ops(format, value.clone(), count, news, keys, &mut chance);
    let expected = expected(value, &ops);
    match (edited(format, &text, ops.clone()), expected) {
        (Ok(after), Some(expected)) => {
            let parsed = Document::parse(format, &after)
                .unwrap_or_else(|error| panic!("{error}\n{text}\n=>\n{after}"));
            assert_eq!(
                parsed.root().value(),
                expected,
                "{ops:?}\n{text}\n=>\n{after}"
            );
            if let [op] = ops.as_slice() {
                check_remarks(&document, op, &text, &after);
            }
            check_other_remarks(&document, &ops, &after);
            check_bytes(&document, &ops, &parsed);
            check_frame(&text, &after);
        }
        (Err(_), None) => {}
        // Values that aliases refer to cannot be changed.
        (Err(error), Some(_))
            if error.problem.reason == Reason::SharedByAlias && text.contains('*') => {}
        // Such an array of tables would have to be rewritten.
        (Err(error), Some(_))
            if format == Format::Toml
                && error.problem.reason == Reason::Unsupported
                && text.contains("[[")
                && text.contains('#') => {}
        (result, expected) => panic!("{ops:?}\n{text}\n{result:?}\n{expected:?}"),
    }
}

/// From the start of an entry to the end of its comma, if it has one.
fn entry_range(document: &Document, subject: &Pointer) -> Option<std::ops::Range<usize>> {
    let text = document.text();
    let span = document.find(subject).ok()?.span();
    let key = subject.split_last().and_then(|(parent, key)| {
        let parent = document.find(&parent).ok()?;
        Some(parent.get(key)?.key_span)
    });
    let dash = text[..span.start()].rfind("- ").unwrap_or(span.start());
    let start = key.map_or(dash, |it| it.start().min(span.start()));
    let end = key.map_or(span.end(), |it| it.end().max(span.end()));
    let mut at = end;
    loop {
        let rest = &text[at..];
        let length = match rest.chars().next() {
            Some(',') => return Some(start..at + 1),
            Some(it) if it.is_whitespace() => Some(it.len_utf8()),
            Some('#') => rest.find('\n'),
            Some('/') if rest.starts_with("//") => rest.find('\n'),
            Some('/') => rest.find("*/").map(|it| it + 2),
            _ => None,
        };
        match length {
            Some(length) => at += length,
            None => return Some(start..end),
        }
    }
}

/// Whether removing an entry may remove the comment at `at`: the comment is on a line of the entry,
/// and not alone there.
fn is_on_line_of(document: &Document, subject: &Pointer, at: usize) -> bool {
    let text = document.text();
    let line = |at: usize| {
        let start = text[..at].rfind('\n').map_or(0, |it| it + 1);
        let end = text[at..].find('\n').map_or(text.len(), |it| at + it);
        start..end
    };
    let own = line(at);
    let is_alone = text[own.clone()].trim_start().starts_with('#');
    // A TOML table is not necessarily contiguous.
    let is_near = document.format() == Format::Toml
        || entry_range(document, subject).is_some_and(|entry| {
            own.end >= line(entry.start).start && own.start <= line(entry.end).end
        });
    !is_alone && is_near
}

fn is_removal(op: &Op) -> bool {
    matches!(
        op.change,
        Change::RemoveKey { .. } | Change::RemoveArrayItem { .. }
    )
}

/// Checks that one op keeps every comment outside of what it removes or replaces, in the same
/// order.
fn check_remarks(document: &Document, op: &Op, text: &str, after: &str) {
    let gone = match op.change {
        Change::ReplaceValue { .. }
        | Change::ReplaceArrayItem { .. }
        | Change::RemoveKey { .. }
        | Change::RemoveArrayItem { .. } => document.find(&op.subject()).map(|it| it.span()).ok(),
        _ => None,
    };
    let is_inside = |at: usize| gone.is_some_and(|gone| gone.range().contains(&at));
    let before: Vec<&str> = remarks(text)
        .into_iter()
        .filter(|(at, _)| {
            !(is_inside(*at) || is_removal(op) && is_on_line_of(document, &op.subject(), *at))
        })
        .map(|it| it.1)
        .collect();
    let kept: Vec<&str> = remarks(after)
        .into_iter()
        .map(|it| it.1)
        .filter(|it| before.contains(it))
        .collect();
    assert_eq!(before, kept, "{op:?}\n{text}\n=>\n{after}");
}

/// Checks that a byte order mark, line ends and a missing final newline stay.
fn check_frame(text: &str, after: &str) {
    let marks = [text, after].map(|it| it.starts_with('\u{feff}'));
    assert_eq!(marks[0], marks[1], "{text}\n=>\n{after}");
    let bodies = [text, after].map(|it| it.trim_start_matches('\u{feff}'));
    if !bodies.contains(&"") {
        let ends = bodies.map(|it| it.ends_with('\n'));
        assert_eq!(ends[0], ends[1], "{text:?}\n=>\n{after:?}");
    }
    let lone = |it: &str| it.replace("\r\n", "").contains('\n');
    if text.contains("\r\n") && !lone(text) {
        assert!(!lone(after), "{text:?}\n=>\n{after:?}");
    }
}

/// Checks that members which no op of an action concerns keep their bytes.
fn check_bytes(before: &Document, ops: &[Op], after: &Document) {
    // A TOML table is not necessarily contiguous.
    let is_whole = |document: &Document, entry: &Entry<'_>| {
        let written = &document.text()[entry.value.span().range()];
        document.format() != Format::Toml
            || (entry.value.kind() != Kind::Object && !written.contains("[["))
    };
    for entry in before.root().members().filter(|it| !is_named(it.key, ops)) {
        if !is_whole(before, &entry) {
            continue;
        }
        let kept = after.root().get(entry.key).expect("what no op names stays");
        let bytes = |document: &Document, entry: &Entry<'_>| {
            let start = entry.key_span.start();
            let end = entry.value.span().end().max(entry.key_span.end());
            document.text()[start..end].to_owned()
        };
        assert_eq!(
            bytes(before, &entry),
            bytes(after, &kept),
            "{ops:?}\n{}",
            before.text()
        );
    }
}

/// Whether an op concerns the root's member with this key, or the whole root.
fn is_named(key: &str, ops: &[Op]) -> bool {
    ops.iter().any(|op| {
        let named: Vec<&str> = match &op.change {
            Change::AddValue { key, .. } | Change::RemoveKey { key } => vec![key],
            Change::RenameKey { from, to } => vec![from, to],
            _ => Vec::new(),
        };
        match op.json_pointer.tokens().first() {
            Some(first) => first == key,
            None => named.is_empty() || named.contains(&key),
        }
    })
}

/// Checks that every comment outside of the members that the ops name is kept.
fn check_other_remarks(before: &Document, ops: &[Op], after: &str) {
    if before.root().kind() != Kind::Object || ops.iter().any(|op| op.subject().is_root()) {
        return;
    }
    let named = before.root().members().filter(|it| is_named(it.key, ops));
    let named: Vec<_> = named.collect();
    let removes = ops.iter().any(is_removal);
    for (at, remark) in remarks(before.text()) {
        let is_inside = named.iter().any(|it| {
            let subject = Pointer::root().join(it.key);
            let may_go = removes && is_on_line_of(before, &subject, at);
            may_go || it.value.span().range().contains(&at)
        });
        let is_there = after.contains(&format!("{remark}."));
        assert!(
            is_inside || is_there,
            "{ops:?}\n{}\n=>\n{after}",
            before.text()
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(1000), ..ProptestConfig::default() })]

    // X-45 X-47
    #[test]
    fn json(value in any_value(true), news in prop::collection::vec(any_value(true), 1..4),
            keys in prop::collection::vec(any_key(), 2..5), count in 1..6usize, seed: u64) {
        check(Format::Json, &value, &news, &keys, count, seed);
        check(Format::Jsonc, &value, &news, &keys, count, seed);
    }

    #[test]
    fn yaml(value in any_value(true), news in prop::collection::vec(any_value(true), 1..4),
            keys in prop::collection::vec(any_key(), 2..5), count in 1..6usize, seed: u64) {
        check(Format::Yaml, &value, &news, &keys, count, seed);
    }

    #[test]
    fn toml(value in any_object(false), news in prop::collection::vec(any_value(false), 1..4),
            keys in prop::collection::vec(any_key(), 2..5), count in 1..6usize, seed: u64) {
        check(Format::Toml, &value, &news, &keys, count, seed);
    }
}
